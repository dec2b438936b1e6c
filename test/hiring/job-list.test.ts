import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, type Job, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { nextInstant } from '../harness/next-instant.ts'

interface Listed {
  id: string
  title: string
  open_count: number
  new_count: number
  last_activity_at: string
  recruiters: { name: string }[]
  hiring_managers: { name: string }[]
  stages: { active: number }[]
}

let world: World
/** in the console */
let boss: Person
let owner: Person

before(async () => {
  const shared = await sharedWorld()
  world = { ...shared, ...(await newTenant(shared.service)) }
  boss = await enter('owner', 'Boss', 'console')
  owner = await enter('owner', 'Owner')
})

const enter = (role: 'owner' | 'member' | 'viewer', lastName: string, program: 'hiring' | 'console' = 'hiring') =>
  signedIn(world.service, world.workspace, { role, lastName, program })

const jobIn = (job: Job): World => ({ ...world, job })

const addJob = async (changes: Record<string, unknown> = {}): Promise<Job> => {
  await nextInstant(world.service.services.db)
  const job = await newJob(world.service, world.workspace)
  if (Object.keys(changes).length > 0) assert.equal((await owner.post(`/jobs/${job.id}`, { changes })).status, 200)
  return job
}

const join = async (job: Job, person: Person, role = 'recruiter') => {
  const { status, text } = await owner.post(`/jobs/${job.id}/team`, {
    add: [person.userId],
    remove: [],
    roles: { [person.userId]: role },
  })
  assert.equal(status, 200, text)
}

const listFor = async (person: Person, query = ''): Promise<Listed[]> => {
  const { status, body, text } = await person.get(`/jobs${query}`)
  assert.equal(status, 200, text)
  return body.data
}

const rowFor = async (person: Person, job: Job): Promise<Listed> =>
  (await listFor(person)).find(({ id }) => id === job.id)!

const visitJob = async (person: Person, job: Job) => {
  await nextInstant(world.service.services.db)
  assert.equal((await person.post(`/jobs/${job.id}/visits`, undefined)).status, 200)
  await nextInstant(world.service.services.db)
}

test('GET /jobs: New counts open applications that arrived after the reader’s last visit, for each reader alone', async () => {
  const job = await addJob()
  const [reader, colleague] = [await enter('member', 'Reader'), await enter('member', 'Colleague')]
  const first = await apply(jobIn(job))
  await apply(jobIn(job))
  const figures = async (person: Person) => {
    const { open_count, new_count } = await rowFor(person, job)
    return [open_count, new_count]
  }
  assert.deepEqual(await figures(reader), [2, 2])
  await visitJob(reader, job)
  assert.deepEqual(await figures(reader), [2, 0])
  assert.deepEqual(await figures(colleague), [2, 2])
  const third = await apply(jobIn(job))
  assert.deepEqual(await figures(reader), [3, 1])
  await world.service.post(`/applications/${third.id}/reject`, world.key, { reason: 'No.' })
  assert.deepEqual(await figures(reader), [2, 0], 'a decided application is not new')
  await world.service.post(`/applications/${first.id}/move`, world.key, { stage_id: job.stages[1] })
  const row = await rowFor(reader, job)
  assert.equal(
    row.stages.reduce((sum, { active }) => sum + active, 0),
    row.open_count,
  )
})

test('POST /jobs/{job}/visits: 404 for a job of another workspace, as for a missing one; nothing is stored', async () => {
  const other = await newTenant(world.service)
  const missing = await owner.post('/jobs/job_none/visits', undefined)
  const foreign = await owner.post(`/jobs/${other.job.id}/visits`, undefined)
  assert.deepEqual([missing.status, foreign.status], [404, 404])
  assert.deepEqual({ ...foreign.body.detail, request_id: '' }, { ...missing.body.detail, request_id: '' })
  const stored = await world.service.services.db.query(sql`select 1 from job_visits where job_id = ${other.job.id}`)
  assert.equal(stored.length, 0)
})

test('GET /jobs: recruiters and hiring managers of each job; mine has the jobs whose team the reader is on', async () => {
  const [mine, other] = [await addJob(), await addJob()]
  const [lead, manager] = [await enter('member', 'Lead'), await enter('member', 'Manager')]
  await join(mine, lead)
  await join(mine, manager, 'hiring_manager')
  await join(other, manager, 'interviewer')
  const row = await rowFor(lead, mine)
  assert.deepEqual(
    [row.recruiters, row.hiring_managers].map(people => people.map(({ name }) => name)),
    [['Pia Lead'], ['Pia Manager']],
  )
  assert.deepEqual(
    (await listFor(lead, '?mine=true')).map(({ id }) => id),
    [mine.id],
  )
  assert.ok((await listFor(lead, '?mine=false')).some(({ id }) => id === other.id))
})

test('GET /job-counts: jobs by status, all and mine, with the filters of the list', async () => {
  const shared = await newTenant(world.service)
  const person = await signedIn(world.service, shared.workspace, { role: 'member', program: 'hiring' })
  const { body } = await person.post('/jobs', { job: { title: 'Caulker', department: 'Hull' } })
  await person.post(`/jobs/${body.id}/team`, { add: [person.userId], remove: [] })
  const counts = async (query = '') =>
    (await person.get(`/job-counts${query}`)).body.statuses.map(
      (row: { status: string; all: number; mine: number }) => [row.status, row.all, row.mine],
    )
  assert.deepEqual(await counts(), [
    ['draft', 1, 1],
    ['published', 1, 0],
    ['closed', 0, 0],
  ])
  assert.deepEqual((await counts('?department=Hull'))[1], ['published', 0, 0])
  assert.deepEqual((await counts('?q=caulker'))[0], ['draft', 1, 1])
  assert.deepEqual((await counts('?q=xyzzy'))[0], ['draft', 0, 0])
})

test('GET /jobs: every order in both directions, over pages; rows of the same value are newest first', async () => {
  const own = await newTenant(world.service)
  await world.service.services.db.query(sql`update jobs set title = 'Émile' where id = ${own.job.id}`)
  const at = { ...world, ...own }
  const person = await signedIn(world.service, own.workspace, { role: 'owner', lastName: 'Ahead', program: 'hiring' })
  const second = await signedIn(world.service, own.workspace, { role: 'member', lastName: 'Behind', program: 'hiring' })
  const add = async (title: string) => {
    await nextInstant(world.service.services.db)
    return (await person.post('/jobs', { job: { title } })).body.id as string
  }
  const [anna, zora, fritz] = [await add('anna'), await add('Zora'), await add('Fritz')]
  await apply(at)
  await apply(at)
  await visitJob(person, own.job)
  await person.post(`/jobs/${zora}/team`, { add: [second.userId], remove: [] })
  await person.post(`/jobs/${fritz}/team`, { add: [person.userId], remove: [] })
  await nextInstant(world.service.services.db)
  await person.post(`/jobs/${anna}`, { changes: { department: 'Yard' } })

  const titles = async (query: string) => {
    const rows: Listed[] = []
    for (let cursor = ''; ; ) {
      const { status, body, text } = await person.get(`/jobs?limit=1&${query}${cursor}`)
      assert.equal(status, 200, text)
      rows.push(...body.data)
      if (!body.next_cursor) return rows.map(({ title }) => title)
      cursor = `&cursor=${encodeURIComponent(body.next_cursor)}`
    }
  }
  assert.deepEqual(await titles('sort=title'), ['anna', 'Émile', 'Fritz', 'Zora'])
  assert.deepEqual(await titles('sort=title&order=desc'), ['Zora', 'Fritz', 'Émile', 'anna'])
  assert.deepEqual(await titles('sort=open'), ['Émile', 'Fritz', 'Zora', 'anna'])
  assert.deepEqual(await titles('sort=open&order=asc'), ['Fritz', 'Zora', 'anna', 'Émile'])
  assert.deepEqual(await titles('sort=new'), ['Fritz', 'Zora', 'anna', 'Émile'], 'after the visit none is new')
  assert.deepEqual(await titles('sort=recruiter'), ['Fritz', 'Zora', 'anna', 'Émile'])
  assert.deepEqual(await titles('sort=hiring_manager&order=desc'), ['Fritz', 'Zora', 'anna', 'Émile'])
  assert.deepEqual(await titles('sort=age'), ['Émile', 'anna', 'Zora', 'Fritz'])
  assert.deepEqual(await titles('sort=age&order=desc'), ['Fritz', 'Zora', 'anna', 'Émile'])
  assert.equal((await titles('sort=activity'))[0], 'anna')
  assert.equal((await titles('q=zora&sort=open')).join(), 'Zora')
  assert.equal((await person.get('/jobs?sort=salary')).status, 400)
})

test('limited people: GET /jobs and /job-counts have their jobs alone; 404 for a visit to another job', async () => {
  const [inside, outside] = [await addJob(), await addJob()]
  const limited = await enter('member', 'Limited')
  assert.equal((await boss.post(`/people/${limited.userId}/job-access`, { job_access: 'team' })).status, 200)
  await join(inside, limited)
  for (const query of ['', '?mine=true', '?mine=false&sort=open', '?sort=recruiter']) {
    assert.deepEqual(
      (await listFor(limited, query)).map(({ id }) => id),
      [inside.id],
      query,
    )
  }
  const { statuses } = (await limited.get('/job-counts')).body
  assert.deepEqual(
    statuses.map(({ all, mine }: { all: number; mine: number }) => all + mine).reduce((a: number, b: number) => a + b),
    2,
  )
  assert.equal((await limited.post(`/jobs/${inside.id}/visits`, undefined)).status, 200)
  assert.equal((await limited.post(`/jobs/${outside.id}/visits`, undefined)).status, 404)
})

test('interviewers: Open, New and last activity tell nothing of candidates whom they do not see', async () => {
  const job = await addJob()
  const interviewer = await enter('member', 'Interviewer')
  await join(job, interviewer, 'interviewer')
  const asked = await apply(jobIn(job))
  const before = await rowFor(owner, job)
  await nextInstant(world.service.services.db)
  await apply(jobIn(job))
  const unasked = await rowFor(interviewer, job)
  assert.deepEqual([unasked.open_count, unasked.new_count], [0, 0])
  assert.ok(unasked.last_activity_at < before.last_activity_at)
  assert.equal((await rowFor(owner, job)).open_count, 2)
  const request = await owner.post(`/applications/${asked.id}/scorecard-requests`, { user_ids: [interviewer.userId] })
  assert.equal(request.status, 200, request.text)
  const row = await rowFor(interviewer, job)
  assert.deepEqual([row.open_count, row.new_count], [1, 1])
})

test('GET /jobs: as many statements for many jobs as for one', async () => {
  const own = await newTenant(world.service)
  const person = await signedIn(world.service, own.workspace, { role: 'owner', program: 'hiring' })
  const { db } = world.service.services
  let sent = 0
  const { query } = db
  const counted = async () => {
    sent = 0
    db.query = ((statement: Parameters<typeof query>[0]) => {
      if (statement.text.includes('workspace_id') && statement.values.includes(own.workspace)) sent++
      return query.call(db, statement)
    }) as typeof query
    try {
      assert.equal((await person.get('/jobs?sort=open')).status, 200)
      return sent
    } finally {
      db.query = query
    }
  }
  const one = await counted()
  for (let i = 0; i < 12; i++) await person.post('/jobs', { job: { title: `Rigger ${i}` } })
  assert.ok(one > 0)
  assert.equal(await counted(), one)
})

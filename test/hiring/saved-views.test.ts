import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { type Job, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

interface View {
  id: string
  name: string
  page: string
  job_id: string | null
  job_title: string | null
  query: string
  shared: boolean
  own: boolean
  is_gone: boolean
}

let world: World
/** in the console */
let boss: Person
let owner: Person
let member: Person

before(async () => {
  const shared = await sharedWorld()
  world = { ...shared, ...(await newTenant(shared.service)) }
  boss = await enter('owner', 'console')
  owner = await enter('owner')
  member = await enter('member')
})

const enter = (role: 'owner' | 'member' | 'viewer', program: 'hiring' | 'console' = 'hiring') =>
  signedIn(world.service, world.workspace, { role, program })

const save = async (person: Person, view: Record<string, unknown>): Promise<string> => {
  const { status, body, text } = await person.post('/saved-views', { page: 'candidates', query: '', ...view })
  assert.equal(status, 200, text)
  return body.id
}

const viewsOf = async (person: Person): Promise<View[]> => {
  const { status, body, text } = await person.get('/saved-views')
  assert.equal(status, 200, text)
  return body.views
}

const find = async (person: Person, id: string) => (await viewsOf(person)).find(view => view.id === id)

const limitTo = async (person: Person, job: Job) => {
  assert.equal((await boss.post(`/people/${person.userId}/job-access`, { job_access: 'team' })).status, 200)
  assert.equal((await owner.post(`/jobs/${job.id}/team`, { add: [person.userId], remove: [] })).status, 200)
}

test('POST /saved-views: 200 a view of one’s own, which others see when it is shared, and no one else changes', async () => {
  const query = 'status=hired&sort=score&columns=stage%2Cjob'
  const id = await save(member, { name: ' Best hires ', query })
  const view = await find(member, id)
  assert.deepEqual(
    [view?.name, view?.page, view?.query, view?.shared, view?.own, view?.is_gone],
    ['Best hires', 'candidates', query, false, true, false],
  )
  assert.equal(await find(owner, id), undefined)
  const body = { name: 'Hires', page: 'candidates', query, shared: true }
  assert.equal((await owner.post(`/saved-views/${id}`, body)).status, 404)
  assert.equal((await owner.post(`/saved-views/${id}/delete`, undefined)).status, 404, 'not shared')
  assert.equal((await member.post(`/saved-views/${id}`, body)).status, 200)
  const shared = await find(owner, id)
  assert.deepEqual([shared?.name, shared?.shared, shared?.own], ['Hires', true, false])
  assert.equal((await owner.post(`/saved-views/${id}`, body)).status, 404, 'shared, and still of the member')

  const colleague = await enter('member')
  assert.equal((await colleague.post(`/saved-views/${id}/delete`, undefined)).status, 404)
  assert.equal((await owner.post(`/saved-views/${id}/delete`, undefined)).status, 200)
  assert.equal(await find(member, id), undefined)
})

test('POST /saved-views: 400 for the words of a search for candidates, unknown parameters, a blank name, a board without a job', async () => {
  const refused: readonly (readonly [Record<string, unknown>, string])[] = [
    [{ name: 'Her', page: 'candidates', query: 'q=olga%40example.org' }, 'query'],
    [{ name: 'Her', page: 'board', job_id: world.job.id, query: 'q=olga' }, 'query'],
    [{ name: 'Odd', page: 'jobs', query: 'colour=red' }, 'query'],
    [{ name: '  ', page: 'jobs', query: '' }, 'name'],
    [{ name: 'Board', page: 'board', query: '' }, 'job_id'],
    [{ name: 'List', page: 'candidates', job_id: world.job.id, query: '' }, 'job_id'],
  ]
  const before = (await viewsOf(owner)).length
  for (const [body, param] of refused) {
    const { status, body: error } = await owner.post('/saved-views', body)
    assert.equal(status, 400, param)
    assert.deepEqual(
      error.detail.errors.map((row: { param: string }) => row.param),
      [param],
    )
  }
  assert.equal((await viewsOf(owner)).length, before)
  assert.equal(
    (await owner.post('/saved-views', { name: 'Yards', page: 'jobs', query: 'q=yard&team=mine' })).status,
    200,
  )
})

test('GET /saved-views: a view whose job is gone says so, until it has another job', async () => {
  const job = await newJob(world.service, world.workspace)
  const board = await save(owner, {
    name: 'Board',
    page: 'board',
    job_id: job.id,
    query: 'score_from=75',
    shared: true,
  })
  const both = await save(owner, { name: 'Two jobs', query: `job_id=${job.id}%2C${world.job.id}` })
  assert.equal((await find(owner, board))?.job_title, 'Engineer')
  const removed = await owner.post(`/jobs/${job.id}/delete`, { reason: 'Created twice' })
  assert.equal(removed.status, 200, removed.text)
  const gone = await find(member, board)
  assert.deepEqual([gone?.is_gone, gone?.job_id, gone?.job_title], [true, null, null])
  const left = await find(owner, both)
  assert.deepEqual([left?.is_gone, left?.query], [false, `job_id=${world.job.id}`])
  const body = { name: 'Board', page: 'board', job_id: world.job.id, query: 'score_from=75' }
  assert.equal((await owner.post(`/saved-views/${board}`, body)).status, 200)
  assert.equal((await find(owner, board))?.is_gone, false)
  assert.equal((await owner.post(`/saved-views/${board}`, { ...body, job_id: job.id })).status, 404)
})

test('limited people: shared views name their jobs alone; 404 for a view of another job; they share nothing', async () => {
  const [inside, outside] = [await newJob(world.service, world.workspace), await newJob(world.service, world.workspace)]
  const limited = await enter('member')
  await limitTo(limited, inside)
  const mixed = await save(owner, { name: 'Mixed', query: `job_id=${inside.id}%2C${outside.id}`, shared: true })
  const other = await save(owner, { name: 'Other', query: `job_id=${outside.id}`, shared: true })
  const board = await save(owner, { name: 'Board', page: 'board', job_id: outside.id, shared: true })
  const any = await save(owner, { name: 'Any', query: 'status=hired', shared: true })
  const seen = await viewsOf(limited)
  assert.ok(!JSON.stringify(seen).includes(outside.id))
  const ids = seen.map(({ id }) => id)
  assert.deepEqual(
    [mixed, other, board, any].map(id => ids.includes(id)),
    [true, false, false, true],
  )
  assert.equal(seen.find(({ id }) => id === mixed)?.query, `job_id=${inside.id}`)

  const own = { name: 'Mine', page: 'board', query: '' }
  assert.equal((await limited.post('/saved-views', { ...own, job_id: outside.id })).status, 404)
  assert.equal((await limited.post('/saved-views', { ...own, job_id: inside.id })).status, 200)
  assert.equal((await limited.post('/saved-views', { ...own, job_id: inside.id, shared: true })).status, 400)
  // their list has the filters of the view, and their candidates alone
  assert.equal((await limited.get(`/candidates?job_id=${inside.id}`)).status, 200)
  assert.equal((await limited.get(`/candidates?job_id=${outside.id}`)).status, 404)
})

test('saved views: those of another workspace do not exist; a member who leaves takes theirs, and leaves the shared ones', async () => {
  const stranger = await signedIn(world.service, (await newTenant(world.service)).workspace, { program: 'hiring' })
  const leaver = await enter('member')
  const [own, shared] = [await save(leaver, { name: 'Own' }), await save(leaver, { name: 'Ours', shared: true })]
  assert.equal(await find(stranger, shared), undefined)
  const body = { name: 'x', page: 'candidates', query: '' }
  for (const path of [
    `/saved-views/${shared}`,
    '/saved-views/none',
    '/saved-views/0f8c3c1e-6a4d-4b0e-9a53-2f1d7c5b8e10',
  ]) {
    assert.equal((await stranger.post(path, body)).status, 404, path)
    assert.equal((await stranger.post(`${path}/delete`, undefined)).status, 404, path)
  }
  const removed = await boss.post(`/people/${leaver.userId}/remove`, {})
  assert.equal(removed.status, 200, removed.text)
  const stored = await world.service.services.db.query(sql<{ id: string; user_id: string | null }>`
    select id::text, user_id from saved_views where workspace_id = ${world.workspace} and id::text = any(${[own, shared]}::text[])`)
  assert.deepEqual(stored, [{ id: shared, user_id: null }])
  assert.equal((await find(member, shared))?.own, false)
})

test('POST /saved-views: 400 beyond 100 views of one member', async () => {
  const collector = await enter('viewer')
  await world.service.services.db.query(sql`
    insert into saved_views (workspace_id, id, user_id, name, page, query)
    select ${world.workspace}, gen_random_uuid(), ${collector.userId}, 'View ' || n, 'jobs', '' from generate_series(1, 100) n`)
  const { status, body } = await collector.post('/saved-views', { name: 'One more', page: 'jobs', query: '' })
  assert.deepEqual([status, body.detail.errors[0].param], [400, 'name'])
})

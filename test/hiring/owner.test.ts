import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { changeJobAccess, changeRole, removeUser } from '../../src/resources/users/index.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { readFeed } from '../harness/feed.ts'

/** The member who is responsible for a candidate. */

let world: World
let owner: Person

before(async () => {
  world = await sharedWorld()
  owner = await enter('owner')
})

const enter = (role: 'owner' | 'admin' | 'member' | 'viewer', workspace = world.workspace) =>
  signedIn(world.service, workspace, { role, program: 'hiring' })

const assign = (by: Person, application: string, to: string | null) =>
  by.post(`/applications/${application}/owner`, { user_id: to })

const ownerOf = async (id: string): Promise<string | null> =>
  (await world.service.get(`/applications/${id}`, world.key)).body.owner_user_id

const eventsOf = async (id: string) =>
  (await readFeed(world.service, world.workspace)).filter(event => event.data.object.id === id)

const join = async (job: string, person: Person, role: 'recruiter' | 'hiring_manager' | 'interviewer') => {
  const change = { add: [person.userId], remove: [], roles: { [person.userId]: role } }
  assert.equal((await owner.post(`/jobs/${job}/team`, change)).status, 200)
}

test('POST /applications/{a}/owner: 200 makes a member responsible, changes it and takes it back, each with an event', async () => {
  const [{ id }, member] = [await apply(world), await enter('member')]
  assert.equal(await ownerOf(id), null)
  const set = await assign(owner, id, member.userId)
  assert.deepEqual([set.status, set.body.owner_user_id, await ownerOf(id)], [200, member.userId, member.userId])
  assert.equal((await assign(member, id, member.userId)).status, 200, 'the same again changes nothing')
  assert.equal((await assign(member, id, null)).body.owner_user_id, null)
  const updated = (await eventsOf(id)).filter(event => event.type === 'application.updated')
  assert.deepEqual(
    updated.map(event => event.data.object['changed']),
    [['owner'], ['owner']],
  )
})

test('POST /applications/{a}/owner: 400 for people who may not decide about candidates of the job; nothing is changed', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  const [viewer, interviewer, limited] = [await enter('viewer'), await enter('member'), await enter('member')]
  const stranger = await enter('owner', (await newTenant(world.service)).workspace)
  await join(job.id, interviewer, 'interviewer')
  await changeJobAccess(world.service.services.db, { workspace: world.workspace, user: limited.userId }, 'team')
  for (const person of [viewer, interviewer, limited, stranger]) {
    const refused = await assign(owner, id, person.userId)
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'user_id'])
  }
  assert.equal(await ownerOf(id), null)
  await join(job.id, limited, 'hiring_manager')
  assert.equal((await assign(owner, id, limited.userId)).status, 200)
})

test('POST /applications/{a}/owner: 403 for viewers and interviewers; 404 beyond the jobs of limited people and elsewhere', async () => {
  const job = await newJob(world.service, world.workspace)
  const { id } = await apply({ ...world, job })
  const [viewer, interviewer, limited] = [await enter('viewer'), await enter('member'), await enter('member')]
  await join(job.id, interviewer, 'interviewer')
  await changeJobAccess(world.service.services.db, { workspace: world.workspace, user: limited.userId }, 'team')
  assert.equal((await assign(viewer, id, null)).status, 403)
  assert.notEqual((await assign(interviewer, id, interviewer.userId)).status, 200)
  assert.equal((await assign(limited, id, limited.userId)).status, 404)
  const stranger = await enter('owner', (await newTenant(world.service)).workspace)
  assert.equal((await assign(stranger, id, null)).status, 404)
  assert.equal((await assign(owner, 'app_unknown', null)).status, 404)
})

test('POST /applications/{a}/owner: 409 applicant_suppressed: no one is made responsible for a stopped person', async () => {
  const application = await apply(world)
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`,
  )
  const refused = await assign(owner, application.id, owner.userId)
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'applicant_suppressed'])
})

test('responsible members: who leaves, becomes a viewer or loses the job is no longer responsible; each has an event', async () => {
  const { db } = world.service.services
  const job = await newJob(world.service, world.workspace)
  const ends: Record<string, (person: Person) => Promise<unknown>> = {
    'the membership ends': ({ userId }) => removeUser(db, { workspace: world.workspace, user: userId }),
    'becomes a viewer': ({ userId }) => changeRole(db, { workspace: world.workspace, user: userId }, 'viewer'),
    'is limited to other jobs': ({ userId }) =>
      changeJobAccess(db, { workspace: world.workspace, user: userId }, 'team'),
    'becomes an interviewer': person => join(job.id, person, 'interviewer'),
  }
  for (const [how, end] of Object.entries(ends)) {
    const [person, { id }] = [await enter('member'), await apply({ ...world, job })]
    assert.equal((await assign(owner, id, person.userId)).status, 200)
    await end(person)
    assert.equal(await ownerOf(id), null, how)
    const changes = (await eventsOf(id)).flatMap(event => event.data.object['changed'] ?? [])
    assert.deepEqual(changes, ['owner', 'owner'], how)
  }
  const [limited, { id }] = [await enter('member'), await apply({ ...world, job })]
  await join(job.id, limited, 'recruiter')
  await changeJobAccess(db, { workspace: world.workspace, user: limited.userId }, 'team')
  await assign(owner, id, limited.userId)
  await owner.post(`/jobs/${job.id}/team`, { add: [], remove: [limited.userId] })
  assert.equal(await ownerOf(id), null, 'leaves the team')
})

test('responsible members: leaving the team of a job while all jobs are open to the member changes nothing', async () => {
  const [member, { id }] = [await enter('member'), await apply(world)]
  await join(world.job.id, member, 'recruiter')
  await assign(owner, id, member.userId)
  await owner.post(`/jobs/${world.job.id}/team`, { add: [], remove: [member.userId] })
  assert.equal(await ownerOf(id), member.userId)
})

test('responsible members: a member who is removed while colleagues make them responsible is responsible for no one', async () => {
  const { db } = world.service.services
  const member = await enter('member')
  const applications: string[] = []
  for (let i = 0; i < 6; i++) applications.push((await apply(world)).id)
  const [, ...responses] = await Promise.all([
    removeUser(db, { workspace: world.workspace, user: member.userId }),
    ...applications.map(id => assign(owner, id, member.userId)),
  ])
  assert.deepEqual(
    [...new Set(responses.map(({ status }) => status))].filter(status => status !== 200 && status !== 400),
    [],
  )
  for (const id of applications) assert.equal(await ownerOf(id), null)
})

test('GET board cards, /candidates, /candidates/{id}: name the responsible member, and find candidates by them', async () => {
  const job = await newJob(world.service, world.workspace)
  const member = await signedIn(world.service, world.workspace, {
    role: 'member',
    program: 'hiring',
    firstName: 'Tomás',
    lastName: 'Ibarrola',
  })
  const [mine, free] = [await apply({ ...world, job }), await apply({ ...world, job })]
  await assign(owner, mine.id, member.userId)
  const named = { id: member.userId, name: 'Tomás Ibarrola' }
  assert.deepEqual((await owner.get(`/candidates/${mine.id}`)).body.owner, named)
  assert.equal((await owner.get(`/candidates/${free.id}`)).body.owner, null)
  for (const [list, idOf] of [
    [`/candidates?job_id=${job.id}`, 'application_id'],
    [`/jobs/${job.id}/board/cards?`, 'id'],
  ] as const) {
    const found = async (filter: string) =>
      (await owner.get(`${list}${filter}`)).body.data.map((row: Record<string, unknown>) => [row[idOf], row['owner']])
    assert.deepEqual(await found(`&owner=${member.userId}`), [[mine.id, named]])
    assert.deepEqual(await found('&owner=none'), [[free.id, null]])
    assert.equal((await found('')).length, 2)
  }
})

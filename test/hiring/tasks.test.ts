import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let member: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  member = await enter('member')
  viewer = await enter('viewer')
})

/** As if everything about the application had happened so many days earlier. */
async function age(id: string, days: number): Promise<void> {
  await world.service.services.db.query(sql`
    update applications
    set applied_at = (applied_at at time zone 'UTC' - ${days}::integer * interval '1 day') at time zone 'UTC',
      stage_entered_at = (stage_entered_at at time zone 'UTC' - ${days}::integer * interval '1 day') at time zone 'UTC'
    where id = ${id}`)
}

const waiting = async (person: Person, more = ''): Promise<string[]> =>
  (await person.get(`/tasks/waiting${more}`)).body.data.map((row: { application_id: string }) => row.application_id)

test('hiring tasks: candidates longer in a stage than the limit, the longest first; a move or a decision ends it', async () => {
  const job = await newJob(world.service, world.workspace)
  const here = `?job_id=${job.id}`
  const of = () => apply({ ...world, job })
  const [long, longer, fresh, moved, rejected, final] = [
    await of(),
    await of(),
    await of(),
    await of(),
    await of(),
    await of(),
  ]
  await age(long.id, 8)
  await age(longer.id, 20)
  await age(fresh.id, 6)
  for (const one of [moved, rejected, final]) await age(one.id, 30)
  await owner.post(`/v1/applications/${moved.id}/move`, { stage_id: job.stages[1] })
  await owner.post(`/v1/applications/${rejected.id}/reject`, { reason: 'No' })
  await owner.post(`/v1/applications/${final.id}/move`, { stage_id: job.stages[4] })
  await age(final.id, 30)
  const entered = sql<{ same: boolean }>`
    select bool_and(a.stage_entered_at = (select max(t.at) from stage_transitions t
      where t.workspace_id = ${world.workspace} and t.application_id = a.id)) as same
    from applications a where a.workspace_id = ${world.workspace} and a.id in (${fresh.id}, ${moved.id})`
  await age(fresh.id, -6)
  assert.ok((await world.service.services.db.one(entered))!.same, 'the time of the last change of stage')
  await age(fresh.id, 6)
  assert.deepEqual(await waiting(owner, here), [longer.id, long.id])
  const [row] = (await owner.get(`/tasks/waiting${here}`)).body.data
  assert.deepEqual([row.applicant_name, row.job_title, row.stage_name], ['Ada Byron', 'Engineer', 'Applied'])
  // page by page
  const first = (await owner.get(`/tasks/waiting${here}&limit=1`)).body
  const next = await owner.get(`/tasks/waiting${here}&limit=1&cursor=${encodeURIComponent(first.next_cursor)}`)
  assert.deepEqual([first.data[0].application_id, next.body.data[0].application_id], [longer.id, long.id])
})

test('hiring tasks: says whose candidates are listed: of all jobs for who is on no team, else of the jobs of their teams', async () => {
  const job = await newJob(world.service, world.workspace)
  const waitingOf = async () => (await member.get('/tasks')).body.waiting_of
  const change = async (add: string[], remove: string[]) =>
    assert.equal((await owner.post(`/jobs/${job.id}/team`, { add, remove })).status, 200)
  assert.equal(await waitingOf(), 'all_jobs')
  await change([member.userId], [])
  assert.equal(await waitingOf(), 'teams')
  await change([], [member.userId])
  assert.equal(await waitingOf(), 'all_jobs')
})

test('hiring tasks: the limit of the workspace in days: owners and admins set it, 1 to 365', async () => {
  const job = await newJob(world.service, world.workspace)
  const application = await apply({ ...world, job })
  await age(application.id, 10)
  const here = `?job_id=${job.id}`
  assert.deepEqual((await owner.get('/hiring-settings')).body, { waiting_days: 7 })
  assert.equal((await owner.post('/hiring-settings', { waiting_days: 14 })).status, 200)
  assert.deepEqual(await waiting(member, here), [])
  assert.equal((await member.get('/tasks')).body.waiting_days, 14)
  for (const days of [0, 366, 1.5]) {
    const refused = await owner.post('/hiring-settings', { waiting_days: days })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'waiting_days'])
  }
  for (const person of [member, viewer]) {
    assert.equal((await person.get('/hiring-settings')).status, 403)
    assert.equal((await person.post('/hiring-settings', { waiting_days: 3 })).status, 403)
  }
  await owner.post('/hiring-settings', { waiting_days: 7 })
  assert.deepEqual(await waiting(member, here), [application.id])
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`,
  )
  assert.deepEqual(await waiting(member, here), [], 'nothing is to be done about a person whose processing was stopped')
})

test('hiring tasks: scorecards due are mine alone, and end with my card', async () => {
  const { id } = await apply(world)
  await owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [member.userId] })
  const due = async (person: Person) =>
    (await person.get('/tasks')).body.scorecards.map((row: { application_id: string }) => row.application_id)
  assert.deepEqual([await due(owner), await due(member)], [[], [id]])
  assert.equal((await member.get('/tasks/count')).body.scorecards, 1)
  await member.post(`/v1/applications/${id}/scorecards`, { recommendation: 'yes' })
  assert.deepEqual(await due(member), [])
  assert.equal((await member.get('/tasks/count')).body.scorecards, 0)
})

test('hiring tasks: mentions of me: the text while I have access to the job, done and undone by me alone', async () => {
  const { id } = await apply(world)
  await member.post(`/applications/${id}/notes`, { body: 'Look at this', mentions: [owner.userId] })
  const { db } = world.service.services
  const setAccess = (access: string) =>
    db.query(sql`update users set job_access = ${access} where id = ${member.userId}`)
  await owner.post(`/applications/${id}/notes`, { body: 'Secret view', mentions: [member.userId] })
  assert.equal((await member.get('/tasks')).body.mentions[0].body, 'Secret view')
  await setAccess('team')
  const [mine] = (await owner.get('/tasks')).body.mentions
  assert.deepEqual([mine.application_id, mine.body, mine.author], [id, 'Look at this', 'Pia'])
  const theirs = await member.get('/tasks')
  assert.deepEqual(theirs.body.mentions, [])
  assert.ok(!theirs.text.includes('Secret view'))
  await setAccess('all')
  const path = `/mentions/${mine.note_id}/done`
  assert.equal((await member.post(path, { done: true })).status, 404)
  assert.equal((await owner.post(path, { done: true })).status, 200)
  assert.equal((await owner.get('/tasks')).body.mentions.length, 0)
  await owner.post(path, { done: false })
  assert.equal((await owner.get('/tasks')).body.mentions.length, 1)
  assert.equal((await owner.get('/tasks/count')).body.mentions, 1)
  assert.equal((await owner.post('/mentions/none/done', { done: true })).status, 404)
})

test('hiring tasks: viewers, who can do nothing about a candidate, have none; other workspaces are not counted', async () => {
  for (const path of ['/tasks', '/tasks/waiting', '/tasks/count']) assert.equal((await viewer.get(path)).status, 403)
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace, { program: 'hiring' })
  const { body } = await stranger.get('/tasks/count')
  assert.deepEqual(body, {
    waiting: 0,
    scorecards: 0,
    mentions: 0,
    checks: 0,
    interviews: 0,
    answers: 0,
    counted: 1_000,
  })
  assert.deepEqual((await stranger.get(`/tasks/waiting?job_id=${world.job.id}`)).body.data, [])
})

import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { apply, type Job, newJob, newTenant, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

/** Each test has a job of its own, with Devika as recruiter; Rosalind, the owner, is on no team. */

let world: World
let rosalind: Person
let devika: Person
let tomas: Person
let viewer: Person
let job: Job

const enter = (role: 'owner' | 'admin' | 'member' | 'viewer', workspace = world.workspace) =>
  signedIn(world.service, workspace, { role, program: 'hiring' })

before(async () => {
  world = await sharedWorld()
})
beforeEach(async () => {
  const tenant = await newTenant(world.service)
  world = { service: world.service, ...tenant }
  job = tenant.job
  ;[rosalind, devika, tomas, viewer] = await Promise.all([
    enter('owner'),
    enter('admin'),
    enter('member'),
    enter('viewer'),
  ])
  await join(job, devika)
})
const join = async (of: Job, person: Person, role = 'recruiter') => {
  const change = { add: [person.userId], remove: [], roles: { [person.userId]: role } }
  assert.equal((await rosalind.post(`/jobs/${of.id}/team`, change)).status, 200)
}

const run = (statement: ReturnType<typeof sql>) => world.service.services.db.query(statement)

/** As if everything about the application had happened so many days earlier. */
const age = (id: string, days: number) =>
  run(sql`
    update applications
    set applied_at = (applied_at at time zone 'UTC' - ${days}::integer * interval '1 day') at time zone 'UTC',
      stage_entered_at = (stage_entered_at at time zone 'UTC' - ${days}::integer * interval '1 day') at time zone 'UTC'
    where id = ${id}`)

async function waitingSince(days: number, of: Job = job) {
  const application = await apply({ ...world, job: of })
  await age(application.id, days)
  return application
}

type Group =
  | 'mentions'
  | 'interviews'
  | 'scorecards'
  | 'replies'
  | 'answers'
  | 'unsent'
  | 'checks'
  | 'undecided'
  | 'fresh'
  | 'waiting'

const groupOf = async (person: Person, group: Group, more = ''): Promise<string[]> =>
  (await person.get(`/tasks${more}`)).body[group].map((row: { application_id: string }) => row.application_id)

const countOf = async (person: Person, group: Group | 'open'): Promise<number> =>
  (await person.get('/tasks/count')).body[group]

interface State {
  kind: string
  subject: string
  snoozed_until?: string | null
  done?: boolean
}

const setStates = (person: Person, ...states: State[]) => person.post('/tasks/states', { states })

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString()

const snooze = (person: Person, subject: string, days = 4, kind = 'candidate') =>
  setStates(person, { kind, subject, snoozed_until: inDays(days) })

/** As the board does it. */
const move = async (person: Person, { id }: { id: string }, to: number) => {
  const change = { id, action: 'move', stage_id: job.stages[to] }
  const { body } = await person.post('/applications/changes', { changes: [change] })
  assert.equal(body.results[0].ok, true)
}

/** What the candidate writes on their page. */
const writes = (id: string) =>
  run(sql`
    insert into messages (workspace_id, id, key_id, fingerprint, application_id, applicant_id, direction, status, sent_at,
      idempotency_key)
    select ${world.workspace}, ${newHandle('message')}, a.applicant_id, '\\x00', a.id, a.applicant_id, 'in', 'received',
      app_now(), gen_random_uuid()
    from applications a where a.workspace_id = ${world.workspace} and a.id = ${id}`)

test('GET /tasks: waiting candidates are those of the responsible person, else of recruiter and hiring manager, the longest first', async () => {
  const [long, longer, assigned, fresh, rejected, final] = [
    await waitingSince(8),
    await waitingSince(20),
    await waitingSince(9),
    await waitingSince(6),
    await waitingSince(30),
    await waitingSince(30),
  ]
  await rosalind.post(`/applications/${assigned.id}/owner`, { user_id: tomas.userId })
  await rosalind.post(`/v1/applications/${rejected.id}/reject`, { reason: 'No' })
  await rosalind.post(`/v1/applications/${final.id}/move`, { stage_id: job.stages[4] })
  await age(final.id, 30)
  assert.deepEqual(await groupOf(devika, 'waiting'), [longer.id, long.id])
  assert.deepEqual(await groupOf(tomas, 'waiting'), [assigned.id], 'on no team, but responsible')
  assert.deepEqual(await groupOf(devika, 'fresh'), [fresh.id])
  const [row] = (await devika.get('/tasks')).body.waiting
  assert.deepEqual([row.applicant_name, row.job_title, row.stage_name], ['Ada Byron', 'Engineer', 'Applied'])
  const other = await newJob(world.service, world.workspace)
  const elsewhere = await waitingSince(10, other)
  await join(other, tomas, 'hiring_manager')
  await join(other, devika, 'interviewer')
  assert.deepEqual(await groupOf(tomas, 'waiting'), [elsewhere.id, assigned.id])
  assert.deepEqual(await groupOf(devika, 'waiting'), [longer.id, long.id], 'interviewers decide about no one')
  await run(sql`update jobs set status = 'closed' where id = ${other.id}`)
  assert.deepEqual(await groupOf(tomas, 'waiting'), [assigned.id], 'no one waits for a closed job')
})

test('GET /tasks/count: who is on no team has no waiting tasks, however many wait in the workspace', async () => {
  for (let i = 0; i < 3; i++) await waitingSince(40)
  await apply({ ...world, job })
  const { body } = await rosalind.get('/tasks/count')
  assert.deepEqual(body, {
    mentions: 0,
    interviews: 0,
    scorecards: 0,
    replies: 0,
    answers: 0,
    unsent: 0,
    checks: 0,
    undecided: 0,
    fresh: 0,
    waiting: 0,
    open: 0,
    counted: 1_000,
  })
  assert.equal((await rosalind.get('/tasks')).body.on_team, false)
  assert.equal((await devika.get('/tasks')).body.on_team, true)
  assert.deepEqual([await countOf(devika, 'waiting'), await countOf(devika, 'fresh')], [3, 1])
  assert.equal(await countOf(devika, 'open'), 0, 'new and waiting candidates are not in the badge')
})

test('POST /tasks/states: 20 waiting candidates are snoozed together, gone from page and count for them alone', async () => {
  const ids: string[] = []
  for (let i = 0; i < 20; i++) ids.push((await waitingSince(10 + i)).id)
  const until = inDays(4)
  const { status, body } = await setStates(
    devika,
    ...ids.map(subject => ({ kind: 'candidate', subject, snoozed_until: until })),
  )
  assert.equal(status, 200)
  assert.deepEqual([body.states.length, body.states[0].snoozed_until, body.states[0].done], [20, until, false])
  assert.deepEqual([await groupOf(devika, 'waiting'), await countOf(devika, 'waiting')], [[], 0])
  assert.equal((await devika.get('/tasks')).body.snoozed, 20)
  assert.equal((await groupOf(devika, 'waiting', '?snoozed=true')).length, 20)
  await join(job, tomas)
  assert.equal((await groupOf(tomas, 'waiting')).length, 20, 'of one member alone')
})

test('snooze: ends when someone else moves the candidate; the task stays until the member does something', async () => {
  const [moved, mine] = [await waitingSince(20), await waitingSince(20)]
  await join(job, tomas)
  for (const { id } of [moved, mine]) await snooze(tomas, id)
  assert.deepEqual(await groupOf(tomas, 'waiting'), [])
  await move(devika, moved, 1)
  await move(tomas, mine, 1)
  const { waiting } = (await tomas.get('/tasks')).body
  assert.deepEqual(
    waiting.map((row: { application_id: string; stage_name: string }) => [row.application_id, row.stage_name]),
    [[moved.id, 'Screen']],
    'a move of one’s own changes nothing',
  )
  assert.ok(waiting[0].changed_at)
  assert.equal(await countOf(tomas, 'waiting'), 1)
  assert.equal((await snooze(tomas, moved.id)).status, 200)
  assert.deepEqual(await groupOf(tomas, 'waiting'), [], 'snoozed again')
  await move(devika, moved, 2)
  assert.deepEqual(await groupOf(tomas, 'waiting'), [moved.id])
  assert.equal((await setStates(tomas, { kind: 'candidate', subject: moved.id, done: true })).status, 200)
  assert.deepEqual(await groupOf(tomas, 'waiting'), [], 'seen')
})

test('snooze: ends when the candidate writes or withdraws', async () => {
  const [wrote, withdrew, quiet] = [await waitingSince(20), await waitingSince(20), await waitingSince(20)]
  for (const { id } of [wrote, withdrew, quiet]) await snooze(devika, id)
  assert.deepEqual(await groupOf(devika, 'waiting'), [])
  await writes(wrote.id)
  // as the candidate does it on their own page
  await run(sql`
    update applications set status = 'withdrawn' where workspace_id = ${world.workspace} and id = ${withdrew.id}`)
  await run(sql`
    insert into status_transitions (workspace_id, application_id, from_status, to_status, at)
    values (${world.workspace}, ${withdrew.id}, 'new', 'withdrawn', app_now())`)
  assert.deepEqual((await groupOf(devika, 'waiting')).sort(), [wrote.id, withdrew.id].sort())
})

test('POST /tasks/states: a waiting candidate cannot be marked as done, and nothing of the call is stored', async () => {
  const [waits, fresh] = [await waitingSince(20), await apply({ ...world, job })]
  const refused = await setStates(
    devika,
    { kind: 'candidate', subject: fresh.id, done: true },
    { kind: 'candidate', subject: waits.id, done: true },
  )
  assert.deepEqual([refused.status, refused.body.detail.param], [400, 'states[1].done'])
  assert.deepEqual(await groupOf(devika, 'fresh'), [fresh.id])
  const undecided = await setStates(devika, { kind: 'undecided', subject: waits.id, done: true })
  assert.equal(undecided.status, 400)
  assert.equal((await setStates(devika, { kind: 'candidate', subject: fresh.id, done: true })).status, 200)
  assert.deepEqual(await groupOf(devika, 'fresh'), [], 'looked at')
  await age(fresh.id, 9)
  assert.ok((await groupOf(devika, 'waiting')).includes(fresh.id), 'it waits when it waits too long')
})

test('POST /tasks/states: 400 for a time that is over or too far, and for a subject of another kind; unknown ones are left out', async () => {
  const { id } = await waitingSince(20)
  for (const [state, param] of [
    [{ kind: 'candidate', subject: id, snoozed_until: inDays(-1) }, 'states[0].snoozed_until'],
    [{ kind: 'candidate', subject: id, snoozed_until: inDays(400) }, 'states[0].snoozed_until'],
    [{ kind: 'mention', subject: id, done: true }, 'states[0].subject'],
    [{ kind: 'candidate', subject: 'nonsense', done: true }, 'states[0].subject'],
  ] as const) {
    const refused = await setStates(devika, state)
    assert.deepEqual([refused.status, refused.body.detail.param], [400, param])
  }
  const other = await newTenant(world.service)
  const foreign = await apply({ ...world, ...other })
  const { body } = await setStates(devika, { kind: 'candidate', subject: foreign.id, snoozed_until: inDays(1) })
  assert.deepEqual(body.states, [])
  assert.equal((await setStates(viewer, { kind: 'candidate', subject: id, snoozed_until: inDays(1) })).status, 403)
})

test('not decided: an open candidate whom a key moved into a final stage is a task of the team, and in the badge', async () => {
  const { id } = await apply({ ...world, job })
  assert.equal(
    (await world.service.post(`/applications/${id}/move`, world.key, { stage_id: job.stages[3] })).status,
    200,
  )
  assert.deepEqual([await groupOf(devika, 'undecided'), await groupOf(devika, 'fresh')], [[id], []])
  assert.deepEqual([await countOf(devika, 'open'), await countOf(rosalind, 'open')], [1, 0])
  await devika.post(`/v1/applications/${id}/move`, { stage_id: job.stages[1] })
  assert.equal(await countOf(devika, 'open'), 0)
})

test('replies: a candidate who wrote last waits for the responsible person, until a response or a mark', async () => {
  const { id } = await apply({ ...world, job })
  await writes(id)
  assert.deepEqual([await groupOf(devika, 'replies'), await groupOf(tomas, 'replies')], [[id], []])
  assert.equal(await countOf(devika, 'open'), 1)
  assert.equal((await setStates(devika, { kind: 'reply', subject: id, done: true })).status, 200)
  assert.deepEqual(await groupOf(devika, 'replies'), [])
  await writes(id)
  assert.deepEqual(await groupOf(devika, 'replies'), [id], 'the next one is another task')
  await setStates(devika, { kind: 'reply', subject: id, snoozed_until: inDays(1) })
  assert.deepEqual(await groupOf(devika, 'replies'), [])
  await rosalind.post(`/applications/${id}/owner`, { user_id: tomas.userId })
  assert.deepEqual([await groupOf(devika, 'replies'), await groupOf(tomas, 'replies')], [[], [id]])
})

test('message not sent: a task of its sender, until another one leaves or it is marked', async () => {
  const { id } = await apply({ ...world, job })
  const message = newHandle('message')
  await run(sql`
    insert into messages (workspace_id, id, key_id, fingerprint, application_id, applicant_id, status, failure,
      idempotency_key)
    select ${world.workspace}, ${message}, ${tomas.userId}, '\\x00', a.id, a.applicant_id, 'failed', 'no_address', 'none'
    from applications a where a.id = ${id}`)
  assert.deepEqual([await groupOf(tomas, 'unsent'), await groupOf(devika, 'unsent')], [[id], []])
  assert.equal((await setStates(tomas, { kind: 'unsent', subject: message, done: true })).body.states.length, 1)
  assert.equal(await countOf(tomas, 'unsent'), 0)
  assert.deepEqual((await setStates(devika, { kind: 'unsent', subject: message, done: true })).body.states, [])
})

test('waiting days of the workspace: owners and admins set them, 1 to 365; nothing is to be done about a stopped person', async () => {
  const application = await waitingSince(10)
  assert.deepEqual((await rosalind.get('/hiring-settings')).body, { waiting_days: 7 })
  assert.equal((await rosalind.post('/hiring-settings', { waiting_days: 14 })).status, 200)
  assert.deepEqual(await groupOf(devika, 'waiting'), [])
  assert.equal((await devika.get('/tasks')).body.waiting_days, 14)
  for (const days of [0, 366, 1.5]) {
    const refused = await rosalind.post('/hiring-settings', { waiting_days: days })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, 'waiting_days'])
  }
  for (const person of [tomas, viewer]) {
    assert.equal((await person.get('/hiring-settings')).status, 403)
    assert.equal((await person.post('/hiring-settings', { waiting_days: 3 })).status, 403)
  }
  await rosalind.post('/hiring-settings', { waiting_days: 7 })
  assert.deepEqual(await groupOf(devika, 'waiting'), [application.id])
  await run(sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`)
  assert.deepEqual(await groupOf(devika, 'waiting'), [])
})

test('scorecards due are mine alone, end with my card, and can be marked as done until I am asked again', async () => {
  const { id } = await apply({ ...world, job })
  const ask = () => rosalind.post(`/applications/${id}/scorecard-requests`, { user_ids: [tomas.userId] })
  await ask()
  assert.deepEqual([await groupOf(rosalind, 'scorecards'), await groupOf(tomas, 'scorecards')], [[], [id]])
  assert.deepEqual([await countOf(tomas, 'scorecards'), await countOf(tomas, 'open')], [1, 1])
  await setStates(tomas, { kind: 'scorecard', subject: id, done: true })
  assert.deepEqual(await groupOf(tomas, 'scorecards'), [])
  await setStates(tomas, { kind: 'scorecard', subject: id })
  assert.deepEqual(await groupOf(tomas, 'scorecards'), [id], 'taken back')
  await tomas.post(`/v1/applications/${id}/scorecards`, { recommendation: 'yes' })
  assert.deepEqual([await groupOf(tomas, 'scorecards'), await countOf(tomas, 'scorecards')], [[], 0])
})

test('mentions of me: the text while I have access to the job; done, open again and snoozed by me alone', async () => {
  const { id } = await apply({ ...world, job })
  await tomas.post(`/applications/${id}/notes`, { body: 'Look at this', mentions: [rosalind.userId] })
  const setAccess = (access: string) => run(sql`update users set job_access = ${access} where id = ${tomas.userId}`)
  await rosalind.post(`/applications/${id}/notes`, { body: 'Secret view', mentions: [tomas.userId] })
  assert.equal((await tomas.get('/tasks')).body.mentions[0].body, 'Secret view')
  await setAccess('team')
  const theirs = await tomas.get('/tasks')
  assert.deepEqual(theirs.body.mentions, [])
  assert.ok(!theirs.text.includes('Secret view'))
  await setAccess('all')
  const [mine] = (await rosalind.get('/tasks')).body.mentions
  assert.deepEqual([mine.application_id, mine.body], [id, 'Look at this'])
  const state = { kind: 'mention', subject: mine.note_id }
  assert.deepEqual((await setStates(tomas, { ...state, done: true })).body.states, [])
  assert.equal((await rosalind.get('/tasks')).body.mentions.length, 1)
  assert.equal((await setStates(rosalind, { ...state, done: true })).body.states.length, 1)
  assert.equal((await rosalind.get('/tasks')).body.mentions.length, 0)
  await setStates(rosalind, state)
  assert.deepEqual([await countOf(rosalind, 'mentions'), await countOf(rosalind, 'open')], [1, 1])
  await setStates(rosalind, { ...state, snoozed_until: inDays(1) })
  assert.equal(await countOf(rosalind, 'mentions'), 0)
  assert.equal((await rosalind.get('/tasks?snoozed=true')).body.mentions.length, 1)
})

test('GET /tasks: 403 for viewers, who can do nothing about a candidate; other workspaces are not counted', async () => {
  await waitingSince(20)
  for (const path of ['/tasks', '/tasks/count']) assert.equal((await viewer.get(path)).status, 403)
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace, { program: 'hiring' })
  await rosalind.post(`/jobs/${job.id}/team`, { add: [], remove: [] })
  assert.equal((await stranger.get('/tasks/count')).body.waiting, 0)
})

test('states of tasks are deleted with their application and with their member', async () => {
  const [one, two] = [await waitingSince(20), await waitingSince(20)]
  for (const { id } of [one, two]) await snooze(devika, id)
  const stored = async () =>
    (await run(sql`select subject from task_states where workspace_id = ${world.workspace}`)).length
  assert.equal(await stored(), 2)
  await run(sql`delete from applications where workspace_id = ${world.workspace} and id = ${one.id}`)
  assert.equal(await stored(), 1)
})

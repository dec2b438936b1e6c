import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { withdrawApplication } from '../../src/resources/applications/index.ts'
import { personalData } from '../../src/resources/candidates/index.ts'
import { apply, newJob, newTenant, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { nextInstant } from '../harness/next-instant.ts'

/** What people do on the pages: stage and status, and the events of each action. */

let world: World
let owner: Person
let member: Person
let viewer: Person
let applied: string
let screen: string
let interview: string
let hiredStage: string
let rejectedStage: string

before(async () => {
  world = await sharedWorld()
  ;[applied, screen, interview, hiredStage, rejectedStage] = world.job.stages as [
    string,
    string,
    string,
    string,
    string,
  ]
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  ;[owner, member, viewer] = [await enter('owner'), await enter('member'), await enter('viewer')]
})

const db = () => world.service.services.db

interface Wanted {
  id: string
  action: string
  [field: string]: unknown
}

const change = async (wanted: Wanted, person = member) => {
  await nextInstant(db())
  const { status, body, text } = await person.post('/applications/changes', { changes: [wanted] })
  assert.equal(status, 200, text)
  return body.results[0]
}

/** The result of a change that must succeed, and its events in the words of the design. */
async function done(wanted: Wanted, person = member) {
  const before = (await readEvents(world, world.workspace)).length
  const result = await change(wanted, person)
  assert.equal(result.ok, true, JSON.stringify(result))
  const events = (await readEvents(world, world.workspace)).slice(before)
  for (const { data } of events) {
    const { status, stage_id, updated_at } = data.object
    assert.deepEqual({ status, stage_id, updated_at }, pick(result), 'every event has the state after the one write')
  }
  return {
    state: [stageName(result.stage_id), result.status],
    events: events.map(({ type, data }) => [type.replace('application.', ''), data.previous_attributes ?? {}]),
    result,
  }
}

const pick = ({ status, stage_id, updated_at }: Record<string, unknown>) => ({ status, stage_id, updated_at })
const stageName = (id: string) => ['applied', 'screen', 'interview', 'hired', 'rejected'][world.job.stages.indexOf(id)]
const internal = async (id: string) =>
  (await world.service.get(`/applications/${id}`, world.key)).body as Record<string, unknown>

/** An application that was moved and decided about by a key until it is as wanted. */
async function inState(stage: string, status: string) {
  const { id } = await apply(world)
  await db().query(sql`
    update applications set status = ${status}, hired_at = case when ${status} = 'hired' then app_now() end
    where workspace_id = ${world.workspace} and id = ${id}`)
  if (stage !== applied) await world.service.post(`/applications/${id}/move`, world.key, { stage_id: stage })
  return id
}

test('POST /applications/changes, move: the status follows the stage, forwards only, with both events and one updated_at', async () => {
  const rows = [
    [applied, 'new', 'screen', 'in_review'],
    [applied, 'new', 'interview', 'advanced'],
    [applied, 'in_review', 'screen', 'in_review'],
    [applied, 'in_review', 'interview', 'advanced'],
    [interview, 'advanced', 'screen', 'advanced'],
    [interview, 'advanced', 'applied', 'advanced'],
    [screen, 'in_review', 'applied', 'in_review'],
    [screen, 'rejected', 'interview', 'rejected'],
  ] as const
  for (const [from, status, to, after] of rows) {
    const id = await inState(from, status)
    const target = { applied, screen, interview }[to]
    const { state, events } = await done({ id, action: 'move', stage_id: target })
    assert.deepEqual(state, [to, after], `${status} to ${to}`)
    assert.deepEqual(events, [
      ['stage_changed', { stage_id: from }],
      ...(status === after ? [] : [['status_changed', { status }]]),
    ])
  }
})

test('POST /applications/changes, move: assessment and custom stages count as review, an offer as advanced', async () => {
  const job = await newJob(world.service, world.workspace)
  for (const [i, [type, after]] of (
    [
      ['assessment', 'in_review'],
      ['custom', 'in_review'],
      ['offer', 'advanced'],
    ] as const
  ).entries()) {
    const stage = `pst_01m8x2c4e6g8j0k2m4n${i}z`
    await db().query(sql`
      insert into pipeline_stages (workspace_id, id, job_id, name, position, type)
      values (${world.workspace}, ${stage}, ${job.id}, ${type}, ${10 + i}, ${type})`)
    const { id } = await apply({ ...world, job })
    assert.equal((await done({ id, action: 'move', stage_id: stage })).state[1], after, type)
  }
})

test('POST /applications/changes, move: refuses a final stage and a hired person; the same stage changes nothing', async () => {
  const { id } = await apply(world)
  for (const stage_id of [hiredStage, rejectedStage])
    assert.equal((await change({ id, action: 'move', stage_id })).code, 'invalid_stage')
  assert.deepEqual((await done({ id, action: 'move', stage_id: applied })).events, [])
  await done({ id, action: 'hire' })
  for (const action of ['move', 'withdraw'])
    assert.equal(
      (await change({ id, action, stage_id: screen, reason_id: 'withdraw_offer' })).code,
      'invalid_application_state',
    )
})

test('POST /applications/changes, undo of a move: stage and status exactly as before, the same types of events', async () => {
  const { id } = await apply(world)
  await done({ id, action: 'move', stage_id: interview })
  const { state, events } = await done({ id, action: 'undo' })
  assert.deepEqual(state, ['applied', 'new'])
  assert.deepEqual(events, [
    ['stage_changed', { stage_id: interview }],
    ['status_changed', { status: 'advanced' }],
  ])
  // undone once: the undo itself is the last step now, and is undone to where it was
  assert.deepEqual((await done({ id, action: 'undo' })).state, ['interview', 'advanced'])
})

test('POST /applications/changes, hire and unhire: the first hired stage and back to the one before, with the date', async () => {
  const id = await inState(screen, 'in_review')
  const hired = await done({ id, action: 'hire', start_date: '2027-01-04' })
  assert.deepEqual(hired.state, ['hired', 'hired'])
  assert.deepEqual(hired.events, [
    ['status_changed', { status: 'in_review' }],
    ['stage_changed', { stage_id: screen }],
  ])
  assert.equal((await internal(id))['start_date'], '2027-01-04')
  const back = await done({ id, action: 'unhire' })
  assert.deepEqual(back.state, ['screen', 'advanced'])
  assert.deepEqual(back.events, [
    ['status_changed', { status: 'hired' }],
    ['stage_changed', { stage_id: hiredStage }],
  ])
  assert.equal((await internal(id))['start_date'], null)
  assert.equal((await change({ id, action: 'unhire' })).code, 'invalid_application_state')
})

test('POST /applications/changes, undo of a hire: exactly as before, not advanced', async () => {
  const id = await inState(screen, 'new')
  await done({ id, action: 'hire' })
  const { state, events } = await done({ id, action: 'undo' })
  assert.deepEqual(state, ['screen', 'new'])
  assert.deepEqual(events, [
    ['status_changed', { status: 'hired' }],
    ['stage_changed', { stage_id: hiredStage }],
  ])
})

test('POST /applications/changes, unhire: a person whom a key moved to the hired stage goes to the last open stage', async () => {
  const { id } = await apply(world)
  await world.service.post(`/applications/${id}/move`, world.key, { stage_id: hiredStage })
  const { state, events } = await done({ id, action: 'hire' })
  assert.deepEqual(state, ['hired', 'hired'])
  assert.deepEqual(events, [['status_changed', { status: 'new' }]])
  assert.deepEqual((await done({ id, action: 'unhire' })).state, ['applied', 'advanced'])
})

test('POST /applications/changes, start_date: application.updated names it; only of a hired person, null clears it', async () => {
  const { id } = await apply(world)
  assert.equal((await change({ id, action: 'start_date', start_date: '2027-02-01' })).code, 'invalid_application_state')
  await done({ id, action: 'hire' })
  const before = (await readEvents(world, world.workspace)).length
  for (const start_date of ['2027-02-01', '2027-02-01', null]) await change({ id, action: 'start_date', start_date })
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object['changed']]),
    Array(2).fill(['application.updated', ['start_date']]),
  )
  assert.equal((await internal(id))['start_date'], null)
  for (const start_date of ['2027-02-30', '1.2.2027']) {
    const { status, body } = await member.post('/applications/changes', {
      changes: [{ id, action: 'start_date', start_date }],
    })
    assert.deepEqual([status, body.detail.errors[0].param], [400, 'changes[0].start_date'])
  }
})

test('POST /applications/changes, reject: the stage stays; the reason in the language of the workspace, with the note', async () => {
  const id = await inState(screen, 'in_review')
  const { state, events } = await done({ id, action: 'reject', reason_id: 'too_little_experience' })
  assert.deepEqual(state, ['screen', 'rejected'])
  assert.deepEqual(events, [['status_changed', { status: 'in_review' }]])
  assert.equal((await internal(id))['rejection_reason'], 'Too little experience')
  const undone = await done({ id, action: 'undo' })
  assert.deepEqual(
    [undone.state, undone.events],
    [['screen', 'in_review'], [['status_changed', { status: 'rejected' }]]],
  )
  assert.equal((await internal(id))['rejection_reason'], null)
  await done({ id, action: 'reject', reason_id: 'salary', reason: '  95,000 asked ' })
  assert.equal((await internal(id))['rejection_reason'], 'Salary expectation: 95,000 asked')
})

test('POST /applications/changes, reject: refuses an unknown reason, one of the other side, and Other without a text', async () => {
  const { id } = await apply(world)
  for (const reason_id of ['unknown', 'withdraw_offer', 'other']) {
    const result = await change({ id, action: 'reject', reason_id })
    assert.deepEqual([result.ok, result.code], [false, 'invalid_request'], reason_id)
  }
  const { status, body } = await member.post('/applications/changes', { changes: [{ id, action: 'reject' }] })
  assert.deepEqual([status, body.detail.errors[0].param], [400, 'changes[0].reason_id'])
  await done({ id, action: 'reject', reason_id: 'other', reason: 'Sent the same letter twice' })
  assert.equal((await internal(id))['rejection_reason'], 'Other: Sent the same letter twice')
})

test('POST /applications/changes, reopen: in review in its stage; from a final stage in the last open one', async () => {
  const stays = await inState(screen, 'advanced')
  await done({ id: stays, action: 'reject', reason_id: 'salary' })
  const reopened = await done({ id: stays, action: 'reopen' })
  assert.deepEqual(
    [reopened.state, reopened.events],
    [['screen', 'in_review'], [['status_changed', { status: 'rejected' }]]],
  )

  const moved = await inState(screen, 'rejected')
  await world.service.post(`/applications/${moved}/move`, world.key, { stage_id: rejectedStage })
  const back = await done({ id: moved, action: 'reopen' })
  assert.deepEqual(back.state, ['screen', 'in_review'])
  assert.deepEqual(back.events, [
    ['status_changed', { status: 'rejected' }],
    ['stage_changed', { stage_id: rejectedStage }],
  ])
  assert.equal((await change({ id: moved, action: 'reopen' })).code, 'invalid_application_state')
})

test('POST /applications/changes, withdraw: by the team with a reason, reopened by the team; not what the person withdrew', async () => {
  const id = await inState(screen, 'in_review')
  const { state, events } = await done({ id, action: 'withdraw', reason_id: 'withdraw_offer' })
  assert.deepEqual([state, events], [['screen', 'withdrawn'], [['withdrawn', { status: 'in_review' }]]])
  assert.equal((await internal(id))['withdrawal_reason'], 'Another offer')
  const reopened = await done({ id, action: 'reopen' })
  assert.deepEqual(reopened.events, [['status_changed', { status: 'withdrawn' }]])
  assert.equal((await internal(id))['withdrawal_reason'], null)

  const own = await inState(screen, 'in_review')
  await db().transaction(tx => withdrawApplication(tx, world.workspace, own, { reason: 'Found something' }))
  assert.equal((await change({ id: own, action: 'reopen' })).code, 'invalid_application_state')
})

test('POST /applications/changes, withdraw: the reason of the team is not in the own copy of the person; their own one is', async () => {
  const { services } = world.service
  const reasons = async (action: (id: string) => Promise<unknown>) => {
    const { id, applicant_id: applicantId } = await apply(world)
    await action(id)
    const data = await personalData(services, { workspace: world.workspace, applicantId }, 'Acme')
    return data?.applications.map(({ withdrawal_reason }) => withdrawal_reason)
  }
  const byTeam = (id: string) =>
    done({ id, action: 'withdraw', reason_id: 'withdraw_no_reply', reason: 'Rude on the phone' })
  const own = (id: string) =>
    db().transaction(tx => withdrawApplication(tx, world.workspace, id, { reason: 'Found something' }))
  assert.deepEqual([await reasons(byTeam), await reasons(own)], [[null], ['Found something']])
})

test('POST /applications/changes, undo of a withdrawal: exactly as before, also where the person was rejected', async () => {
  const id = await inState(interview, 'advanced')
  await done({ id, action: 'withdraw', reason_id: 'withdraw_salary' })
  assert.deepEqual((await done({ id, action: 'undo' })).state, ['interview', 'advanced'])
  await done({ id, action: 'reject', reason_id: 'salary' })
  await done({ id, action: 'withdraw', reason_id: 'withdraw_salary' })
  assert.deepEqual((await done({ id, action: 'undo' })).state, ['interview', 'rejected'])
  assert.equal((await internal(id))['rejection_reason'], 'Salary expectation')
})

test('POST /applications/changes, reopen of a withdrawal: refused where the person has applied again', async () => {
  const email = 'again@example.org'
  const first = await apply(world, {}, { email })
  await done({ id: first.id, action: 'withdraw', reason_id: 'withdraw_offer' })
  await db().query(sql`
    update applications a set applicant_id = f.applicant_id from applications f
    where f.workspace_id = ${world.workspace} and f.id = ${first.id}
      and a.workspace_id = ${world.workspace} and a.id = ${(await apply(world)).id}`)
  const refused = await change({ id: first.id, action: 'reopen' })
  assert.deepEqual(
    [refused.code, refused.message],
    ['invalid_application_state', 'The person has applied for the job again.'],
  )
})

test('POST /applications/changes, undo: 409 stale_resource after anyone’s change, for a colleague, and after ten minutes', async () => {
  const { id } = await apply(world)
  assert.equal((await change({ id, action: 'undo' })).code, 'stale_resource')
  await done({ id, action: 'move', stage_id: screen })
  assert.equal((await change({ id, action: 'undo' }, owner)).code, 'stale_resource')
  await world.service.post(`/applications/${id}/move`, world.key, { stage_id: interview })
  assert.equal((await change({ id, action: 'undo' })).code, 'stale_resource')
  await done({ id, action: 'move', stage_id: screen })
  for (const table of [sql`stage_transitions`, sql`status_transitions`])
    await db().query(sql`
      update ${table} set at = at - interval '11 minutes' where workspace_id = ${world.workspace} and application_id = ${id}`)
  assert.equal((await change({ id, action: 'undo' })).code, 'stale_resource')
})

test('POST /applications/changes, undo: what was reopened or taken back is decided again instead', async () => {
  const { id } = await apply(world)
  await done({ id, action: 'reject', reason_id: 'salary' })
  await done({ id, action: 'reopen' })
  assert.equal((await change({ id, action: 'undo' })).code, 'stale_resource')
})

test('POST /applications/{h}/move: sets the stage alone, as specified', async () => {
  const { id } = await apply(world)
  const before = (await readEvents(world, world.workspace)).length
  const moved = await world.service.post(`/applications/${id}/move`, world.key, { stage_id: interview })
  assert.deepEqual([moved.status, moved.body.status, moved.body.stage_id], [200, 'new', interview])
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(({ type }) => type),
    ['application.stage_changed'],
  )
})

test('POST /applications/changes: of two people who decide concurrently one is refused, and says who was faster', async () => {
  const { id } = await apply(world)
  const expected = { stage_id: applied, status: 'new' }
  const results = await Promise.all([
    change({ id, action: 'reject', reason_id: 'salary', expected }, owner),
    change({ id, action: 'move', stage_id: interview, expected }, member),
  ])
  const [refused, ...more] = results.filter(({ ok }) => !ok)
  assert.deepEqual([refused.code, more.length], ['stale_resource', 0])
  assert.equal(refused.latest.by.kind, 'person')
  const stored = await internal(id)
  const winner = results.find(({ ok }) => ok)
  assert.deepEqual([stored['status'], stored['stage_id']], [winner.status, winner.stage_id])
})

test('POST /applications/changes: while a key moves, a decision about what was shown changes nothing or comes first', async () => {
  for (let i = 0; i < 5; i++) {
    const { id } = await apply(world)
    const expected = { stage_id: applied, status: 'new' }
    const [result, moved] = await Promise.all([
      change({ id, action: 'move', stage_id: interview, expected }),
      world.service.post(`/applications/${id}/move`, world.key, { stage_id: screen }),
    ])
    assert.equal(moved.status, 200)
    const stored = await internal(id)
    assert.deepEqual(
      [stored['stage_id'], stored['status']],
      result.ok ? [screen, 'advanced'] : [screen, 'new'],
      JSON.stringify(result),
    )
  }
})

test('POST /applications/changes: 403 for a viewer; not_found for another workspace, as for a missing one', async () => {
  const { id } = await apply(world)
  assert.equal((await viewer.post('/applications/changes', { changes: [{ id, action: 'hire' }] })).status, 403)
  const other = await newTenant(world.service)
  const stranger = await signedIn(world.service, other.workspace, { role: 'owner', program: 'hiring' })
  const missing = `${id.slice(0, -4)}zzzz`
  for (const action of ['hire', 'unhire', 'undo', 'reopen']) {
    const [theirs, none] = [await change({ id, action }, stranger), await change({ id: missing, action }, stranger)]
    assert.deepEqual([theirs.code, theirs.message], ['not_found', none.message])
  }
})

test('GET /applications/{h}: start_date needs applications:internal:read', async () => {
  const { id } = await apply(world)
  await done({ id, action: 'hire', start_date: '2027-03-01' })
  const narrow = await world.service.key({ workspace: world.workspace, scopes: ['applications:read'] })
  const { body } = await world.service.get(`/applications/${id}`, narrow)
  assert.ok(!('start_date' in body))
  assert.ok(body.restricted.includes('start_date'))
})

const messagesOf = async (id: string) =>
  db().query(sql<{ status: string; purpose: string; scheduled_for: string | null }>`
    select status, purpose, scheduled_for from messages
    where workspace_id = ${world.workspace} and application_id = ${id} order by created_at`)

const message = { subject: 'Your application', body: 'Hello {{first_name}}, not this time.' }

test('POST /applications/changes, reject with a message: the server sends it ten seconds later; Undo and Reopen cancel it', async () => {
  for (const back of ['undo', 'reopen']) {
    const { id } = await apply(world, {}, { email: `notified-${back}@acme-people.com` })
    const { result } = await done({ id, action: 'reject', reason_id: 'salary', message })
    assert.ok(result.mail.scheduled_for > result.updated_at, JSON.stringify(result))
    assert.deepEqual(
      (await messagesOf(id)).map(({ status, purpose }) => [status, purpose]),
      [['scheduled', 'rejection']],
    )
    const taken = await done({ id, action: back })
    assert.deepEqual(taken.result.mail, { canceled: 1 })
    assert.deepEqual(
      (await messagesOf(id)).map(({ status }) => status),
      ['canceled'],
    )
  }
})

test('POST /applications/changes, undo of a rejection whose message has left: says that none was kept from leaving', async () => {
  const { id } = await apply(world, {}, { email: 'left@acme-people.com' })
  await done({ id, action: 'reject', reason_id: 'salary', message })
  await db().query(sql`update messages set status = 'sent', scheduled_for = null, sent_at = app_now()
    where workspace_id = ${world.workspace} and application_id = ${id}`)
  assert.deepEqual((await done({ id, action: 'undo' })).result.mail, { canceled: 0 })
})

test('POST /applications/changes, reject again after a key has reopened: the message of the first rejection does not leave', async () => {
  for (const [name, again] of [
    ['with', message],
    ['without', undefined],
  ] as const) {
    const { id } = await apply(world, {}, { email: `again-${name}@acme-people.com` })
    const send_at = new Date(Date.now() + 30 * 3_600_000).toISOString()
    await done({ id, action: 'reject', reason_id: 'salary', message: { ...message, send_at } })
    assert.equal((await world.service.post(`/applications/${id}/reopen`, world.key)).status, 200)
    await done({ id, action: 'reject', reason_id: 'interview', ...(again && { message: again }) })
    const statuses = (await messagesOf(id)).map(({ status }) => status)
    assert.deepEqual(statuses, again ? ['canceled', 'scheduled'] : ['canceled'])
  }
})

test('POST /applications/changes, reject with a message: a blocked address is said, and the rejection stays', async () => {
  const { id } = await apply(world, {}, { email: 'gone@acme-people.com' })
  await db().query(sql`update applicants set unsubscribed_at = app_now() where workspace_id = ${world.workspace}
    and id = (select applicant_id from applications where id = ${id})`)
  const { result, state } = await done({ id, action: 'reject', reason_id: 'salary', message })
  assert.deepEqual([state[1], result.mail], ['rejected', { blocked: 'unsubscribed' }])
  assert.deepEqual(await messagesOf(id), [])
})

test('POST /applications/changes, reject with a message: beyond the allowance of the day it leaves later', async () => {
  const later_at = new Date(Date.now() + 30 * 3_600_000).toISOString()
  const { id } = await apply(world, {}, { email: 'later@acme-people.com' })
  await db().query(sql`
    insert into message_usage (workspace_id, key_id, day, used)
    values (${world.workspace}, ${owner.userId}, app_now()::date, 200)`)
  const refused = await change({ id, action: 'reject', reason_id: 'salary', message }, owner)
  assert.equal(refused.code, 'message_quota_exceeded')
  const { result } = await done({ id, action: 'reject', reason_id: 'salary', message: { ...message, later_at } }, owner)
  assert.equal(result.mail.scheduled_for, later_at)
  const other = await inState(screen, 'in_review')
  const never = { ...message, send_at: '9999-12-31T00:00:00Z' }
  const late = await change({ id: other, action: 'reject', reason_id: 'salary', message: never })
  assert.deepEqual([late.ok, (await internal(other))['status']], [false, 'in_review'])
})

test('POST /applications/rejection-facts: who can be written to, templates for rejections alone, how it was last time', async () => {
  const job = await newJob(world.service, world.workspace)
  for (const purpose of ['rejection', 'invitation'])
    await db().query(sql`
      insert into message_templates (workspace_id, id, name, name_key, subject, body, purpose)
      values (${world.workspace}, gen_random_uuid(), ${purpose}, ${purpose}, 'Subject', 'Body', ${purpose})`)
  const facts = async (application_ids: string[], person = member) =>
    (await person.post('/applications/rejection-facts', { job_id: job.id, application_ids })).body
  const ids: string[] = []
  for (const name of ['a', 'b', 'c'])
    ids.push((await apply({ ...world, job }, {}, { email: `facts-${name}@acme-people.com` })).id)
  await db().query(sql`update applicants set unsubscribed_at = app_now() where workspace_id = ${world.workspace}
    and id = (select applicant_id from applications where id = ${ids[0]!})`)
  const before = await facts(ids)
  assert.equal(before.with_message, null)
  assert.deepEqual(before.mail.counts, { sends: 2, stopped: 0, no_address: 0, unsubscribed: 1 })
  assert.deepEqual(
    before.mail.templates.map(({ name }: { name: string }) => name),
    ['rejection'],
  )
  for (const [i, with_message] of [false, true].entries()) {
    await change({ id: ids[i + 1]!, action: 'reject', reason_id: 'salary', ...(with_message ? { message } : {}) })
    assert.deepEqual([(await facts(ids)).with_message, (await facts(ids, owner)).with_message], [with_message, null])
  }
})

test('decision reasons: defaults without a row; names, order, template and archive of all; 409 for a stale list', async () => {
  const { body: list } = await member.get('/decision-reasons')
  assert.deepEqual(
    list.reasons
      .filter(({ side }: { side: string }) => side === 'reject')
      .map(({ names }: { names: object }) => names)
      .slice(0, 2),
    [
      { en: 'Missing required skills', de: 'Kenntnisse fehlen' },
      { en: 'Too little experience', de: 'Zu wenig Erfahrung' },
    ],
  )
  const reasons = list.reasons.map(({ position: _, ...reason }: Record<string, unknown>) => reason)
  const own = { side: 'reject', names: { de: 'Falscher Zeitpunkt' } }
  const sent = { reasons: [own, ...reasons], language: 'de', version: list.version }
  assert.equal((await member.post('/decision-reasons', sent)).status, 403)
  const { status, body, text } = await owner.post('/decision-reasons', sent)
  assert.equal(status, 200, text)
  assert.deepEqual([body.reasons[0].names, body.reasons[0].position, body.reasons[1].position], [own.names, 0, 1])
  assert.equal((await owner.post('/decision-reasons', sent)).body.detail.code, 'stale_resource')
  const { id } = await apply(world)
  await done({ id, action: 'reject', reason_id: body.reasons[0].id, reason: 'im Dezember' })
  assert.equal((await internal(id))['rejection_reason'], 'Falscher Zeitpunkt: im Dezember')

  const archived = body.reasons.map(({ position: _, ...reason }: Record<string, unknown>, i: number) => ({
    ...reason,
    archived: i === 0,
  }))
  const put = (list: object[], version: string) =>
    owner.post('/decision-reasons', { reasons: list, language: 'en', version })
  assert.equal((await put(archived, body.version)).status, 200)
  assert.equal(
    (await change({ id: (await apply(world)).id, action: 'reject', reason_id: body.reasons[0].id })).code,
    'invalid_request',
  )
  const { body: now } = await owner.get('/decision-reasons')
  for (const [wrong, param] of [
    [archived.slice(1), 'reasons'],
    [[{ ...archived[0], template_id: crypto.randomUUID() }, ...archived.slice(1)], 'reasons[0].template_id'],
    [[{ ...archived[0], id: 'unknown' }, ...archived.slice(1)], 'reasons[0].id'],
    [archived.map((one: object) => ({ ...one, archived: true })), 'reasons'],
  ] as const) {
    const refused = await put(wrong as object[], now.version)
    assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, param])
  }
})

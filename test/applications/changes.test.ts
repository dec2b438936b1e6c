import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { apply, newJob, newTenant, readEvents, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, userId, key, job } = world
const { db } = service.services
const [applied, screen, interview, hired, rejectedStage] = job.stages as [string, string, string, string, string]

const act = (id: string, action: string, sent?: unknown, more = {}) =>
  service.post(`/applications/${id}/${action}`, key, sent, more)

/** What a call added to the feed. */
async function added<T>(run: () => Promise<T>) {
  const before = (await readEvents(world, workspace)).length
  const result = await run()
  return { result, events: (await readEvents(world, workspace)).slice(before) }
}

const plusOne = (iso: string) => `${new Date(Date.parse(iso) + 3_600_000).toISOString().slice(0, -1)}+01:00`

test('application changes: 200 move: the stage alone changes, with application.stage_changed and a transition', async () => {
  const app = await apply(world)
  const { result, events } = await added(() => act(app.id, 'move', { stage_id: screen }))
  assert.equal(result.status, 200)
  assert.equal(result.body.stage_id, screen)
  assert.equal(result.body.status, 'new')
  assert.ok(result.body.updated_at > app.updated_at)
  assert.deepEqual(
    events.map(e => e.type),
    ['application.stage_changed'],
  )
  assert.deepEqual(events[0]!.data, {
    object: {
      object: 'application',
      id: app.id,
      workspace_id: workspace,
      updated_at: result.body.updated_at,
      status: 'new',
      stage_id: screen,
      job_id: job.id,
      origin: `api:${key.id}`,
    },
    previous_attributes: { stage_id: applied },
  })
  const steps = await service.get(`/applications/${app.id}/stage-transitions`, key)
  assert.deepEqual(steps.body.data.at(-1), {
    object: 'stage_transition',
    from_stage_id: applied,
    to_stage_id: screen,
    at: result.body.updated_at,
  })
})

test('application changes: 200 move to a final stage changes only the stage', async () => {
  const app = await apply(world)
  for (const stage of [hired, rejectedStage]) {
    const moved = await act(app.id, 'move', { stage_id: stage })
    assert.equal(moved.status, 200)
    assert.deepEqual([moved.body.stage_id, moved.body.status], [stage, 'new'])
  }
})

test('application changes: 200 move to the stage it is in: no write and no event', async () => {
  const app = await apply(world)
  const { result, events } = await added(() => act(app.id, 'move', { stage_id: applied }))
  assert.equal(result.status, 200)
  assert.equal(result.body.updated_at, app.updated_at)
  assert.deepEqual(events, [])
  const steps = await service.get(`/applications/${app.id}/stage-transitions`, key)
  assert.equal(steps.body.data.length, 1)
})

test('application changes: 400 invalid_stage: malformed, absent, of another job, of another workspace; changes nothing', async () => {
  const app = await apply(world)
  const otherJob = await newJob(service, workspace)
  const other = await newTenant(service)
  for (const stage of ['x', newHandle('pipeline_stage'), otherJob.stages[0], other.job.stages[0]]) {
    const { result, events } = await added(() => act(app.id, 'move', { stage_id: stage }))
    assert.deepEqual([result.status, result.body.detail.code], [400, 'invalid_stage'])
    assert.equal(result.body.detail.param, 'stage_id')
    assert.deepEqual(events, [])
  }
  assert.equal((await act(app.id, 'move', {})).body.detail.param, 'stage_id')
})

test('application changes: 409 stale_resource: changes nothing; the same instant in another spelling is fresh', async () => {
  const app = await apply(world)
  const stale = '2026-01-01T00:00:00Z'
  for (const [action, sent] of [
    ['move', { stage_id: screen }],
    ['reject', { reason: 'x' }],
    ['reopen', {}],
  ] as const) {
    const { result, events } = await added(() => act(app.id, action, { ...sent, expected_updated_at: stale }))
    assert.deepEqual([result.status, result.body.detail.code], [409, 'stale_resource'])
    assert.deepEqual(events, [])
  }
  assert.equal((await service.get(`/applications/${app.id}`, key)).body.updated_at, app.updated_at)
  const bad = await act(app.id, 'move', { stage_id: screen, expected_updated_at: 'now' })
  assert.deepEqual([bad.status, bad.body.detail.code], [400, 'invalid_request'])
  assert.equal(bad.body.detail.param, 'expected_updated_at')
  const moved = await act(app.id, 'move', { stage_id: screen, expected_updated_at: plusOne(app.updated_at) })
  assert.equal(moved.status, 200)
  const again = await act(app.id, 'move', { stage_id: interview, expected_updated_at: app.updated_at })
  assert.equal(again.status, 409)
})

test('application changes: 200 reject and reopen: status_changed with the old status; the reason is included, and cleared by reopening', async () => {
  const app = await apply(world)
  await act(app.id, 'move', { stage_id: interview })
  const reject = await added(() => act(app.id, 'reject', { reason: 'salary' }))
  assert.equal(reject.result.status, 200)
  assert.deepEqual([reject.result.body.status, reject.result.body.rejection_reason], ['rejected', 'salary'])
  assert.deepEqual(
    reject.events.map(e => [e.type, e.data.object['status'], e.data.previous_attributes]),
    [['application.status_changed', 'rejected', { status: 'new' }]],
  )
  assert.doesNotMatch(JSON.stringify(reject.events), /salary/)
  const reopen = await added(() => act(app.id, 'reopen'))
  assert.equal(reopen.result.status, 200)
  assert.deepEqual(
    [reopen.result.body.status, reopen.result.body.rejection_reason, reopen.result.body.stage_id],
    ['in_review', null, interview],
  )
  assert.deepEqual(
    reopen.events.map(e => [e.type, e.data.object['status'], e.data.previous_attributes]),
    [['application.status_changed', 'in_review', { status: 'rejected' }]],
  )
})

test('application changes: 409 invalid_application_state: reject on rejected, withdrawn, hired; reopen on anything but rejected', async () => {
  for (const status of ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired']) {
    const app = await apply(world)
    await db.query(sql`update applications set status = ${status} where id = ${app.id}`)
    const open = ['new', 'in_review', 'advanced'].includes(status)
    const reopen = await added(() => act(app.id, 'reopen', {}))
    assert.equal(reopen.result.status, status === 'rejected' ? 200 : 409, status)
    if (status === 'rejected') continue
    assert.equal(reopen.result.body.detail.code, 'invalid_application_state')
    assert.deepEqual(reopen.events, [])
    const reject = await added(() => act(app.id, 'reject', { reason: 'x' }))
    assert.equal(reject.result.status, open ? 200 : 409, status)
    if (!open) assert.deepEqual(reject.events, [])
  }
  const app = await apply(world)
  await act(app.id, 'reject', { reason: 'x' })
  assert.equal((await act(app.id, 'reject', { reason: 'y' })).body.detail.code, 'invalid_application_state')
})

test('application changes: 400 reject: the reason is 1 to 2000 characters and not blank', async () => {
  const app = await apply(world)
  for (const reason of ['', '   ', 'x'.repeat(2001), undefined, 7]) {
    const response = await act(app.id, 'reject', { reason })
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.param, 'reason')
  }
  assert.equal((await act(app.id, 'reject', { reason: 'x'.repeat(2000) })).status, 200)
})

test('application changes: a hundred moves at the same time: events in the order of the stored changes, the last equal to the stored state', async () => {
  const app = await apply(world)
  const { result: responses, events } = await added(() =>
    Promise.all(Array.from({ length: 100 }, (_, i) => act(app.id, 'move', { stage_id: job.stages[i % 5] }))),
  )
  // a caller that waits for the others longer than the product allows gets an error, and changed nothing
  const codes = new Set(responses.map(a => a.body.detail?.code))
  assert.ok(codes.has(undefined))
  for (const code of codes) assert.ok([undefined, 'application_modified_concurrently'].includes(code), code)
  const steps = await service.get(`/applications/${app.id}/stage-transitions?limit=100`, key)
  const stored = steps.body.data.slice(1)
  assert.equal(events.length, stored.length)
  assert.deepEqual(
    events.map(e => [e.data.previous_attributes?.['stage_id'], e.data.object['stage_id'], e.data.object['updated_at']]),
    stored.map((s: Record<string, string>) => [s['from_stage_id'], s['to_stage_id'], s['at']]),
  )
  for (const [i, step] of stored.slice(1).entries()) {
    assert.equal(step.from_stage_id, stored[i].to_stage_id)
    assert.ok(step.at > stored[i].at)
  }
  const now = await service.get(`/applications/${app.id}`, key)
  assert.equal(now.body.stage_id, events.at(-1)!.data.object['stage_id'])
  assert.equal(now.body.updated_at, events.at(-1)!.data.object['updated_at'])
})

test('application changes: of many moves with the same expected_updated_at one succeeds', async () => {
  const app = await apply(world)
  const responses = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      act(app.id, 'move', { stage_id: job.stages[1 + (i % 4)], expected_updated_at: app.updated_at }),
    ),
  )
  assert.equal(responses.filter(a => a.status === 200).length, 1)
  for (const { body } of responses.filter(a => a.status !== 200))
    assert.ok(['stale_resource', 'application_modified_concurrently'].includes(body.detail.code), body.detail.code)
})

test('application changes: 409 application_modified_concurrently: while another change holds the application; changes nothing', async () => {
  const app = await apply(world)
  let response: Awaited<ReturnType<typeof act>> | undefined
  await db.transaction(async tx => {
    await tx.query(sql`select 1 from applications where workspace_id = ${workspace} and id = ${app.id} for update`)
    response = await act(app.id, 'move', { stage_id: screen })
  })
  assert.deepEqual([response!.status, response!.body.detail.code], [409, 'application_modified_concurrently'])
  assert.equal((await service.get(`/applications/${app.id}`, key)).body.stage_id, applied)
  assert.equal((await act(app.id, 'move', { stage_id: screen })).status, 200)
})

test('application changes: 201 note: stored with its author, listed newest first, application.updated names it', async () => {
  const app = await apply(world)
  const { result, events } = await added(() => act(app.id, 'notes', { body: 'Called back.' }))
  assert.equal(result.status, 201)
  const { id, created_at, ...rest } = result.body
  assert.match(id, /^[0-9a-f-]{36}$/)
  assert.ok(created_at)
  assert.deepEqual(rest, { object: 'note', application_id: app.id, body: 'Called back.', author_user_id: userId })
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['changed']]),
    [['application.updated', ['notes']]],
  )
  assert.doesNotMatch(JSON.stringify(events), /Called/)
  for (let i = 0; i < 3; i++) {
    await nextInstant(db)
    await act(app.id, 'notes', { body: `note ${i}` })
  }
  const page = await service.get(`/applications/${app.id}/notes?limit=3`, key)
  assert.deepEqual(
    page.body.data.map((n: { body: string }) => n.body),
    ['note 2', 'note 1', 'note 0'],
  )
  const rest2 = await service.get(`/applications/${app.id}/notes?limit=3&cursor=${page.body.next_cursor}`, key)
  assert.deepEqual(
    rest2.body.data.map((n: { body: string }) => n.body),
    ['Called back.'],
  )
  for (const body of ['', ' ', 'x'.repeat(10_001)]) assert.equal((await act(app.id, 'notes', { body })).status, 400)
})

test('application changes: 201 scorecard: every field as sent; wrong ones are refused by name', async () => {
  const app = await apply(world)
  const sent = {
    recommendation: 'strong_yes',
    summary: 'Clear thinker.',
    stage_id: interview,
    ratings: [
      { name: 'SQL', score: 5, comment: 'fast' },
      { name: 'Tests', score: 1 },
    ],
    interviewed_at: '2026-11-01T10:00:00+01:00',
    report_url: 'https://example.org/report',
  }
  const { result, events } = await added(() => act(app.id, 'scorecards', sent))
  assert.equal(result.status, 201, result.text)
  const { id, created_at, ...rest } = result.body
  assert.ok(id && created_at)
  assert.deepEqual(rest, {
    object: 'scorecard',
    application_id: app.id,
    ...sent,
    ratings: [
      { name: 'SQL', score: 5, comment: 'fast' },
      { name: 'Tests', score: 1, comment: null },
    ],
    interviewed_at: '2026-11-01T09:00:00.000Z',
    author_user_id: userId,
  })
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['changed']]),
    [['application.updated', ['scorecards']]],
  )
  const list = await service.get(`/applications/${app.id}/scorecards`, key)
  assert.deepEqual(list.body.data, [result.body])
  assert.equal((await act(app.id, 'scorecards', { recommendation: 'no' })).status, 201)
  const other = await newJob(service, workspace)
  for (const [more, param, code] of [
    [{ recommendation: 'maybe' }, 'recommendation', 'invalid_request'],
    [{ summary: 'x'.repeat(10_001) }, 'summary', 'invalid_request'],
    [{ stage_id: other.stages[0] }, 'stage_id', 'invalid_stage'],
    [{ ratings: Array(51).fill({ name: 'a', score: 1 }) }, 'ratings', 'invalid_request'],
    [{ ratings: [{ name: 'a', score: 6 }] }, 'ratings[0].score', 'invalid_request'],
    [{ ratings: [{ name: '', score: 2 }] }, 'ratings[0].name', 'invalid_request'],
    [{ interviewed_at: 'yesterday' }, 'interviewed_at', 'invalid_request'],
    [{ report_url: 'http://example.org' }, 'report_url', 'invalid_request'],
  ] as const) {
    const response = await act(app.id, 'scorecards', { recommendation: 'yes', ...more })
    assert.deepEqual([response.status, response.body.detail.code, response.body.detail.param], [400, code, param])
  }
})

test('application changes: 403: notes and scorecards need their own scopes, moves applications:write', async () => {
  const app = await apply(world)
  const writer = await service.key({ workspace, userEmail: await ownerEmail(), scopes: ['applications:read'] })
  for (const [action, sent, scope] of [
    ['move', { stage_id: screen }, 'applications:write'],
    ['reject', { reason: 'x' }, 'applications:write'],
    ['reopen', {}, 'applications:write'],
    ['notes', { body: 'x' }, 'notes:write'],
    ['scorecards', { recommendation: 'yes' }, 'scorecards:write'],
  ] as const) {
    const response = await service.post(`/applications/${app.id}/${action}`, writer, sent)
    assert.deepEqual([response.status, response.body.detail.required_scope], [403, scope])
  }
})

const ownerEmail = async () =>
  (await db.one(sql<{ email: string }>`select email from users where id = ${userId}`))!.email

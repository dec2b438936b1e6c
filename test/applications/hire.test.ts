import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPLICATION_STATUSES } from '../../src/contract/application-status.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { withdrawApplication } from '../../src/resources/applications/index.ts'
import { apply, newJob, newTenant, readEvents, sharedWorld } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, key, job } = world
const { db } = service.services
const [applied, screen, interview, hiredStage, rejectedStage] = job.stages as [string, string, string, string, string]

const act = (id: string, action: string, sent?: unknown, more = {}) =>
  service.post(`/applications/${id}/${action}`, key, sent, more)
const read = async (id: string) => (await service.get(`/applications/${id}`, key)).body
const steps = async (id: string) =>
  (await service.get(`/applications/${id}/stage-transitions?limit=100`, key)).body.data

/** The events that a call adds to the feed. */
async function added<T>(run: () => Promise<T>) {
  const before = (await readEvents(world, workspace)).length
  const result = await run()
  return { result, events: (await readEvents(world, workspace)).slice(before) }
}

test('POST /applications/{h}/hire: 200 sets the status, moves to the hired stage, emits both events with origin', async () => {
  const app = await apply(world)
  const { result, events } = await added(() => act(app.id, 'hire'))
  assert.equal(result.status, 200, result.text)
  assert.deepEqual([result.body.status, result.body.stage_id], ['hired', hiredStage])
  assert.ok(result.body.updated_at > app.updated_at)
  assert.deepEqual(result.body, await read(app.id))
  const object = {
    object: 'application',
    id: app.id,
    workspace_id: workspace,
    updated_at: result.body.updated_at,
    status: 'hired',
    stage_id: hiredStage,
    job_id: job.id,
    origin: `api:${key.id}`,
  }
  assert.deepEqual(
    events.map(e => [e.type, e.data]),
    [
      ['application.status_changed', { object, previous_attributes: { status: 'new' } }],
      ['application.stage_changed', { object, previous_attributes: { stage_id: applied } }],
    ],
  )
  assert.deepEqual((await steps(app.id)).at(-1), {
    object: 'stage_transition',
    from_stage_id: applied,
    to_stage_id: hiredStage,
    at: result.body.updated_at,
  })
})

test('POST /applications/{h}/hire: the stage stays when it is the hired stage already, or the job has none', async () => {
  const there = await apply(world)
  await act(there.id, 'move', { stage_id: hiredStage })
  const own = await newJob(service, workspace)
  await db.query(sql`
    delete from pipeline_stages where workspace_id = ${workspace} and job_id = ${own.id} and type = 'hired'`)
  const without = await apply({ ...world, job: own })
  for (const [id, stage] of [
    [there.id, hiredStage],
    [without.id, own.stages[0]],
  ]) {
    const before = (await steps(id)).length
    const { result, events } = await added(() => act(id, 'hire', {}))
    assert.deepEqual([result.status, result.body.status, result.body.stage_id], [200, 'hired', stage])
    assert.deepEqual(
      events.map(e => e.type),
      ['application.status_changed'],
    )
    assert.equal((await steps(id)).length, before)
  }
})

test('POST /applications/{h}/hire: of several stages of type hired, the first by position', async () => {
  const own = await newJob(service, workspace)
  await db.query(sql`
    update pipeline_stages set type = 'hired' where workspace_id = ${workspace} and id = ${own.stages[2]!}`)
  const app = await apply({ ...world, job: own })
  await act(app.id, 'move', { stage_id: own.stages[3] })
  assert.equal((await act(app.id, 'hire')).body.stage_id, own.stages[2])
})

test('POST /applications/{h}/hire: 200 from new, in_review and advanced; 409 invalid_application_state from the others', async () => {
  for (const status of APPLICATION_STATUSES) {
    const app = await apply(world)
    await db.query(sql`update applications set status = ${status} where id = ${app.id}`)
    const open = ['new', 'in_review', 'advanced'].includes(status)
    const before = await read(app.id)
    const { result, events } = await added(() => act(app.id, 'hire'))
    assert.equal(result.status, open ? 200 : 409, status)
    if (open) {
      assert.deepEqual(events[0]!.data.previous_attributes, { status })
      continue
    }
    assert.deepEqual([result.body.detail.code, result.body.detail.type], ['invalid_application_state', 'conflict'])
    assert.match(result.body.detail.message, new RegExp(status))
    assert.deepEqual(events, [])
    assert.deepEqual(await read(app.id), before)
  }
})

test('POST /applications/{h}/hire: 409 stale_resource and 400 of a wrong time change nothing; a fresh one hires', async () => {
  const app = await apply(world)
  for (const [expected_updated_at, status, code] of [
    ['2026-01-01T00:00:00Z', 409, 'stale_resource'],
    ['yesterday', 400, 'invalid_request'],
  ] as const) {
    const { result, events } = await added(() => act(app.id, 'hire', { expected_updated_at }))
    assert.deepEqual([result.status, result.body.detail.code], [status, code])
    assert.equal(result.body.detail.param, 'expected_updated_at')
    assert.deepEqual(events, [])
  }
  assert.deepEqual((await act(app.id, 'hire', { reason: 'x' })).body.detail.param, 'reason')
  assert.deepEqual(await read(app.id), { ...(await read(app.id)), status: 'new', updated_at: app.updated_at })
  assert.equal((await act(app.id, 'hire', { expected_updated_at: app.updated_at })).status, 200)
})

test('POST /applications/{h}/hire: 403 without applications:write, 404 for another workspace and a missing handle alike', async () => {
  const app = await apply(world)
  const other = await newTenant(service)
  const reader = await service.key({ workspace, scopes: ['applications:read'] })
  const refused = await service.post(`/applications/${app.id}/hire`, reader)
  assert.deepEqual([refused.status, refused.body.detail.required_scope], [403, 'applications:write'])
  const foreign = await service.post(`/applications/${app.id}/hire`, other.key)
  const missing = await service.post('/applications/app_01m8x2c4e6g8j0k2m4n6/hire', other.key)
  for (const response of [foreign, missing]) delete response.body.detail.request_id
  assert.deepEqual([foreign.status, foreign.body], [404, missing.body])
  assert.equal((await read(app.id)).status, 'new')
})

test('POST /applications/{h}/hire: a repeat under the same Idempotency-Key is replayed and changes nothing more', async () => {
  const app = await apply(world)
  const more = { headers: { 'idempotency-key': 'hire-once-0001' } }
  const first = await act(app.id, 'hire', {}, more)
  assert.equal(first.status, 200)
  const { result, events } = await added(() => act(app.id, 'hire', {}, more))
  assert.deepEqual([result.status, result.body], [200, first.body])
  assert.equal(result.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(events, [])
  assert.equal(first.headers.get('ratelimit-limit'), '6000', 'the general tier')
})

test('POST /applications/{h}/hire: moving to the hired stage alone changes no status, reopening a hired one is 409', async () => {
  const app = await apply(world)
  assert.equal((await act(app.id, 'move', { stage_id: hiredStage })).body.status, 'new')
  assert.equal((await act(app.id, 'hire')).body.status, 'hired')
  for (const [action, sent] of [
    ['reopen', {}],
    ['reject', { reason: 'x' }],
    ['hire', {}],
  ] as const)
    assert.equal((await act(app.id, action, sent)).body.detail.code, 'invalid_application_state')
  assert.equal((await act(app.id, 'move', { stage_id: interview })).body.status, 'hired')
})

test('hiring funnel: counts a hire through the API, its stage and the days it took', async () => {
  const tenant = await newTenant(service)
  const app = await apply({ ...tenant, service })
  await db.query(sql`
    update applications set applied_at = app_now() - interval '3 days' where workspace_id = ${tenant.workspace}`)
  assert.equal((await service.post(`/applications/${app.id}/hire`, tenant.key)).status, 200)
  const { totals, stages } = (await service.get('/analytics/hiring-funnel', tenant.key)).body
  assert.deepEqual([totals.applications, totals.hired, totals.new], [1, 1, 0])
  assert.equal(Math.round(totals.median_days_to_hire), 3)
  const [start, end] = ['applied', 'hired'].map(type =>
    stages.find((s: { stage_type: string }) => s.stage_type === type),
  )
  assert.deepEqual([start.reached, start.advanced, end.reached, end.hired], [1, 1, 1, 1])
})

test('POST /applications/{h}/hire: hire, reject and withdraw at the same time: exactly one closes an open application, and the feed shows which', async () => {
  for (let round = 0; round < 8; round++) {
    const app = await apply(world)
    const withdraw = () => db.transaction(tx => withdrawApplication(tx, workspace, app.id)).then(() => 200)
    const { result, events } = await added(() =>
      Promise.all([
        ...Array.from({ length: 4 }, () => act(app.id, 'hire').then(a => a.status)),
        ...Array.from({ length: 4 }, () => act(app.id, 'reject', { reason: 'x' }).then(a => a.status)),
        ...(round % 2 ? [withdraw()] : []),
      ]),
    )
    const decided = result.slice(0, 8)
    assert.ok(decided.filter(status => status === 200).length <= 1)
    assert.ok(decided.every(status => status === 200 || status === 409))
    const changes = events.filter(e => e.type !== 'application.stage_changed')
    const now = await read(app.id)
    assert.equal(changes.at(-1)!.data.object['status'], now.status)
    let status = 'new'
    for (const change of changes) {
      assert.equal(change.data.previous_attributes!['status'], status)
      status = String(change.data.object['status'])
    }
    const hires = decided.slice(0, 4).filter(s => s === 200).length
    assert.equal(events.filter(e => e.type === 'application.stage_changed').length, hires)
    assert.equal((await steps(app.id)).length, 1 + hires)
  }
})

/** Repeated while others hold the application for longer than a change waits. */
async function hireInTurn(id: string): Promise<void> {
  for (;;) {
    const { status, body } = await act(id, 'hire')
    if (status === 200) return
    assert.equal(body.detail.code, 'application_modified_concurrently')
  }
}

test('POST /applications/{h}/hire: hire and moves at the same time: every event follows the one before, the last is the stored state', async () => {
  const app = await apply(world)
  const stages = [screen, interview, rejectedStage]
  const { events } = await added(() =>
    Promise.all([
      ...Array.from({ length: 30 }, (_, i) => act(app.id, 'move', { stage_id: stages[i % 3] })),
      hireInTurn(app.id),
    ]),
  )
  const moves = events.filter(e => e.type === 'application.stage_changed')
  let stage = applied
  for (const move of moves) {
    assert.equal(move.data.previous_attributes!['stage_id'], stage)
    stage = String(move.data.object['stage_id'])
  }
  const now = await read(app.id)
  assert.deepEqual([now.status, now.stage_id], ['hired', stage])
  assert.deepEqual(
    (await steps(app.id)).slice(1).map((s: Record<string, string>) => s['to_stage_id']),
    moves.map(m => m.data.object['stage_id']),
  )
  assert.equal(events.filter(e => e.type === 'application.status_changed').length, 1)
})

test('POST /applications/{h}/hire: of many hires with the same expected_updated_at one succeeds', async () => {
  const app = await apply(world)
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => act(app.id, 'hire', { expected_updated_at: app.updated_at })),
  )
  assert.equal(responses.filter(a => a.status === 200).length, 1)
  for (const { body } of responses.filter(a => a.status !== 200))
    assert.ok(['stale_resource', 'application_modified_concurrently'].includes(body.detail.code), body.detail.code)
})

test('POST /applications/{h}/hire: a hire that fails before its commit leaves status, stage, history and feed as they were', async () => {
  const app = await apply(world)
  await db.query(sql`
    create function refuse_events() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$`)
  await db.query(
    sql`create trigger refuse_events before insert on outbox for each row execute function refuse_events()`,
  )
  try {
    assert.equal((await act(app.id, 'hire')).status, 500)
  } finally {
    await db.query(sql`drop trigger refuse_events on outbox`)
  }
  const now = await read(app.id)
  assert.deepEqual([now.status, now.stage_id, now.updated_at], ['new', applied, app.updated_at])
  assert.equal((await steps(app.id)).length, 1)
  assert.equal((await act(app.id, 'hire')).status, 200)
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { isDistributed } from '../../src/kernel/citus/distributed.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { checkAlerts } from '../../src/resources/alerts/index.ts'
import { closeDueJobs, createJob, moveJob } from '../../src/resources/jobs/index.ts'
import { attendDueOrders } from '../../src/resources/orders/index.ts'
import { ageResumeAccess } from '../../src/resources/resumes/index.ts'
import { changeRetention, runNextRetention } from '../../src/resources/retention/index.ts'
import { runTestClocks } from '../../src/resources/test-workspaces/index.ts'
import { advanceTestClocks } from '../../src/workers/advance-test-clocks.ts'
import { apply, readEvents, upload } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { startTestService } from '../harness/service.ts'
import { accepted, act, newOrder, orderEvents, shown } from '../orders/setup.ts'
import { keyFor, newTestTenant, type TestTenant } from './setup.ts'

const service = await startTestService({ ROLES: 'api' })
const { services } = service
const { db } = services
const live = await service.workspace('enterprise')
const liveKey = await service.key({ workspace: live.id, userEmail: live.userEmail })

const DAY = 86_400
const DAY_MS = DAY * 1_000

afterEach(() => clock.reset())

const send = ({ key }: Pick<TestTenant, 'key'>, body: object) => service.post('/test/clock/advance', key, body)
const read = async ({ key }: Pick<TestTenant, 'key'>) => (await service.get('/test/clock', key)).body
const run = () => runTestClocks(services, true, new AbortController().signal)

/** Advances the clock, and does what the worker does. */
async function advance(tenant: TestTenant, days: number): Promise<void> {
  const asked = await send(tenant, { by_seconds: days * DAY })
  assert.equal(asked.status, 202, asked.text)
  await run()
  assert.equal((await read(tenant)).status, 'ready')
}

const inDays = async (days: number) => new Date((await db.now()) + days * DAY_MS).toISOString()

const draft = ({ workspace }: Pick<TestTenant, 'workspace'>, close_at: string) =>
  db.transaction(tx => createJob(tx, workspace, { title: 'Welder', content: { summary: 'Welds.' }, close_at }))

const get = async ({ key }: Pick<TestTenant, 'key'>, path: string) => (await service.get(path, key)).body

test('GET /test/clock: real time at first; POST /test/clock/advance: 202 advancing, then ready at the time that was asked for', async () => {
  const tenant = await newTestTenant(service)
  const first = await read(tenant)
  assert.deepEqual(
    [first.object, first.workspace_id, first.status, first.offset_seconds, first.due],
    ['test_clock', tenant.workspace, 'ready', 0, 0],
  )
  assert.ok(Math.abs(Date.parse(first.now) - (await db.now())) < 60_000)

  const asked = await send(tenant, { by_seconds: 3 * DAY })
  assert.deepEqual([asked.status, asked.body.status, asked.body.offset_seconds], [202, 'advancing', 0])
  await run()
  const done = await read(tenant)
  assert.deepEqual([done.status, done.offset_seconds, done.due], ['ready', 3 * DAY, 0])

  const to = new Date((await db.now()) + 5 * DAY_MS).toISOString()
  assert.equal((await send(tenant, { to })).status, 202)
  await run()
  const later = await read(tenant)
  assert.equal(later.status, 'ready')
  assert.ok(Date.parse(later.now) >= Date.parse(to))
})

test('POST /test/clock/advance: 400 backwards, without a step, beyond 400 days in all, with both or neither; nothing moves', async () => {
  const tenant = await newTestTenant(service)
  await advance(tenant, 10)
  const faults = [
    [{ to: await inDays(-1) }, 'to'],
    [{ to: await inDays(5) }, 'to'],
    [{ to: await inDays(401) }, 'to'],
    [{ by_seconds: 391 * DAY }, 'by_seconds'],
    [{ by_seconds: 401 * DAY }, 'by_seconds'],
    [{ by_seconds: 0 }, 'by_seconds'],
    [{ by_seconds: -1 }, 'by_seconds'],
    [{ to: await inDays(20), by_seconds: 1 }, 'by_seconds'],
    [{}, 'to'],
  ] as const
  for (const [body, param] of faults) {
    const { status, body: refused } = await send(tenant, body)
    assert.deepEqual([status, refused.detail.code, refused.detail.param], [400, 'invalid_request', param], param)
  }
  const { status, offset_seconds } = await read(tenant)
  assert.deepEqual([status, offset_seconds], ['ready', 10 * DAY])
  await advance(tenant, 390)
})

test('the clock: 403 test_workspace_required for a live key, 403 insufficient_scope without test:manage', async () => {
  const tenant = await newTestTenant(service)
  for (const key of [liveKey, await service.key({ workspace: live.id, scopes: ['jobs:read'] })]) {
    assert.equal((await service.get('/test/clock', key)).body.detail.code, 'test_workspace_required')
    const refused = await service.post('/test/clock/advance', key, { by_seconds: 1 })
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'test_workspace_required'])
  }
  const narrow = await keyFor(tenant, { scopes: ['jobs:read'] })
  assert.equal((await service.get('/test/clock', narrow)).body.detail.required_scope, 'test:manage')
  // the store refuses it, too; a distributed store has no foreign keys to workspaces
  const insertion = sql`insert into test_clocks (workspace_id) values (${live.id})`
  if (!(await isDistributed(db))) await assert.rejects(db.query(insertion), /foreign key/)
})

test('advance 15 days: an order is expired, with one event; key, cursor, rate window and updated_at stay on real time', async () => {
  const tenant = await newTestTenant(service)
  const { key } = tenant
  const ordered = await accepted(tenant, await newOrder(tenant))
  for (let n = 0; n < 2; n++) await apply(tenant)
  const page = await service.get('/applications?limit=1', key)
  const me = (await service.get('/me', key)).body
  const remaining = Number((await service.get('/jobs', key)).headers.get('ratelimit-remaining'))

  await advance(tenant, 15)
  const order = await get(tenant, `/orders/${ordered.id}`)
  assert.deepEqual([order.status, order.waiting_on], ['expired', null])
  const events = (await orderEvents(tenant)).filter(event => event.data.object['status'] === 'expired')
  assert.deepEqual(
    events.map(event => event.data.object['id']),
    [ordered.id],
  )
  assert.ok(Date.parse(order.updated_at) < (await db.now()) + 60_000)

  assert.deepEqual((await service.get('/me', key)).body.expires_at, me.expires_at)
  const next = await service.get(`/applications?limit=1&cursor=${page.body.next_cursor}`, key)
  assert.equal(next.status, 200)
  const now = Number(next.headers.get('ratelimit-remaining'))
  assert.ok(now < remaining && now > remaining - 20, `${remaining} ${now}`)

  // the vendor is late, and after 30 more days too late
  const other = await accepted(tenant, await newOrder(tenant))
  assert.deepEqual(shown(await act(tenant, ordered, 'complete', { outcome: 'recommended' })), [200, 'completed'])
  assert.equal((await get(tenant, `/orders/${ordered.id}`)).result.late, true)
  await advance(tenant, 46)
  assert.deepEqual(shown(await act(tenant, other, 'complete', { outcome: 'recommended' })), [
    409,
    'invalid_order_state',
  ])
})

test('advance: what falls due is done in order of time: reminders before the end of an order, closing and ageing between', async () => {
  const tenant = await newTestTenant(service)
  const upload_id = await upload(tenant)
  const application = await apply(tenant, { resume_upload_id: upload_id })
  const job = await draft(tenant, await inDays(5))
  await db.transaction(tx => moveJob(tx, tenant.workspace, job, 'publish'))
  const ordered = await newOrder(tenant)
  // a person invites, so the service reminds
  const hiring = await signedIn(service, tenant.workspace, { program: 'hiring' })
  assert.equal((await hiring.post(`/applications/${ordered.application}/orders/${ordered.id}/invite`)).status, 200)
  await accepted(tenant, ordered)
  const silent = await newOrder(tenant)
  const before = (await readEvents(tenant, tenant.workspace)).length

  await send(tenant, { by_seconds: 130 * DAY })
  assert.ok((await read(tenant)).due >= 3)
  await run()
  const events = (await readEvents(tenant, tenant.workspace)).slice(before)
  const emitted = events.map(({ type, data: { object } }) =>
    [type, object['status'] ?? object['state'] ?? '', object['id']].join(' '),
  )
  const resume = events.findLast(({ type }) => type === 'resume.access_changed')?.data.object['id']
  assert.deepEqual(emitted, [
    `job.closed closed ${job}`,
    // half of 14 days for the candidate, and 7 days for the vendor of the order that was placed a moment later
    `order.updated invited ${ordered.id}`,
    `order.updated failed ${silent.id}`,
    `order.updated invited ${ordered.id}`,
    `order.updated expired ${ordered.id}`,
    `resume.access_changed view_only ${resume}`,
    `resume.access_changed locked ${resume}`,
  ])
  const { invitation } = await get(tenant, `/orders/${ordered.id}`)
  assert.equal(invitation.reminders, 2)
  assert.equal((await get(tenant, `/applications/${application.id}`)).resume_access.state, 'locked')
})

test('advance: orders and jobs that come afterwards are judged by the clock', async () => {
  const tenant = await newTestTenant(service)
  const { key } = tenant
  await advance(tenant, 30)
  const ordered = await newOrder(tenant)
  await run()
  assert.equal((await get(tenant, `/orders/${ordered.id}`)).status, 'requested')
  await accepted(tenant, ordered)
  const early = await service.post(`/orders/${ordered.id}/extend`, key, { due_at: await inDays(20) })
  assert.deepEqual([early.status, early.body.detail.param], [400, 'due_at'])
  const { due_at } = await get(tenant, `/orders/${ordered.id}`)
  assert.ok(Date.parse(due_at) > (await db.now()) + 43 * DAY_MS)
  const past = await service.post(`/jobs/${await draft(tenant, await inDays(20))}/publish`, key)
  assert.equal(past.body.detail.code, 'job_not_publishable', past.text)
  assert.deepEqual(
    past.body.detail.errors.map(({ param }: { param: string }) => param),
    ['close_at'],
  )
})

test('advance: retention deletes what is old enough by the clock before it is ready', async () => {
  const tenant = await newTestTenant(service)
  const { workspace, key } = tenant
  await changeRetention(db, workspace, { applications: 6 }, { config: services.config, userId: null })
  const rejected = await apply(tenant)
  const open = await apply(tenant)
  await service.post(`/applications/${rejected.id}/reject`, key, { reason: 'no' })
  await advance(tenant, 170)
  assert.equal((await service.get(`/applications/${rejected.id}`, key)).status, 200)
  await advance(tenant, 20)
  assert.equal((await service.get(`/applications/${rejected.id}`, key)).status, 404)
  assert.equal((await service.get(`/applications/${open.id}`, key)).status, 200)
  const gone = (await readEvents(tenant, workspace)).filter(({ type }) => type === 'application.deleted')
  assert.deepEqual(
    gone.map(({ data }) => [data.object['id'], data.object['reason']]),
    [[rejected.id, 'retention']],
  )
  // the next daily run comes tomorrow by real time, so that a reset needs to change nothing
  const { due_at } = (await db.one(sql<{ due_at: string }>`
    select due_at from workspace_retention where workspace_id = ${workspace}`))!
  assert.ok(Date.parse(due_at) < (await db.now()) + 2 * DAY_MS)
})

test('advance: the deadline of a deletion (delete_by) is overdue by the clock, in this workspace alone', async () => {
  const [tenant, other] = [await newTestTenant(service), await newTestTenant(service)]
  for (const { workspace } of [tenant, other]) {
    const email = `gone-${workspace.slice(-6)}@example.org`
    const world = workspace === tenant.workspace ? tenant : other
    await apply(world, {}, { email })
    await services.usage.flush()
    const owner = await signedIn(service, workspace)
    const asked = await owner.post('/erasures', { email, reason: 'stop_processing', confirmation: email })
    assert.equal(asked.status, 200, asked.text)
  }
  const open = async () =>
    db.query(sql<{ workspace_id: string; overdue: boolean }>`
      select workspace_id, (details ->> 'overdue')::boolean as overdue from alerts
      where kind = 'deletion_deadline' and resolved_at is null`)
  await checkAlerts(db)
  assert.deepEqual(await open(), [])
  await advance(tenant, 8)
  await checkAlerts(db)
  assert.deepEqual(await open(), [{ workspace_id: tenant.workspace, overdue: true }])
})

test('advance: other workspaces are unaffected, live ones and those for tests', async () => {
  const [tenant, other] = [await newTestTenant(service), await newTestTenant(service)]
  const { newTenant } = await import('../applications/setup.ts')
  const inLive = { service, ...(await newTenant(service)) }
  const orders = [await accepted(inLive, await newOrder(inLive)), await accepted(other, await newOrder(other))]
  const keys = [inLive.key, other.key]
  await advance(tenant, 100)
  await attendDueOrders(db, 100)
  await db.transaction(tx => closeDueJobs(tx, 100))
  await ageResumeAccess(db)
  while (await runNextRetention(services));
  for (const [i, { id }] of orders.entries())
    assert.equal((await service.get(`/orders/${id}`, keys[i]!)).body.status, 'invited')
  assert.equal((await read(other)).offset_seconds, 0)
})

test('POST /test/reset: the clock is back at real time, also while it advances', async () => {
  const tenant = await newTestTenant(service)
  await advance(tenant, 15)
  assert.equal((await service.post('/test/reset', tenant.key)).status, 202)
  assert.deepEqual([(await read(tenant)).status, (await read(tenant)).offset_seconds], ['ready', 0])
  await send(tenant, { by_seconds: DAY })
  assert.equal((await service.post('/test/reset', tenant.key, { seed: 'small' })).status, 202)
  await run()
  assert.deepEqual([(await read(tenant)).status, (await read(tenant)).offset_seconds], ['ready', 0])
})

test('two advances and two workers at the same time: the sum of both, each deadline once', async () => {
  const tenant = await newTestTenant(service)
  const orders = []
  for (let n = 0; n < 5; n++) orders.push(await accepted(tenant, await newOrder(tenant)))
  const asked = await Promise.all([send(tenant, { by_seconds: 10 * DAY }), send(tenant, { by_seconds: 10 * DAY })])
  assert.deepEqual(
    asked.map(({ status }) => status),
    [202, 202],
  )
  for (let rounds = 0; (await read(tenant)).status === 'advancing'; rounds++) {
    assert.ok(rounds < 100)
    await Promise.all([run(), run()])
  }
  assert.equal((await read(tenant)).offset_seconds, 20 * DAY)
  const ended = (await orderEvents(tenant)).filter(event => event.data.object['status'] === 'expired')
  assert.deepEqual(ended.map(event => event.data.object['id']).toSorted(), orders.map(({ id }) => id).toSorted())
})

test('a clock that is ahead goes on with real time: what falls due later is done, too', async () => {
  const tenant = await newTestTenant(service)
  await advance(tenant, 20)
  const ordered = await newOrder(tenant)
  clock.advance(8 * DAY_MS)
  await run()
  const failed = await get(tenant, `/orders/${ordered.id}`)
  assert.deepEqual([failed.status, failed.status_reason?.code], ['failed', 'vendor_timeout'])
})

test('advance-test-clocks: does what is due when it is asked to, by itself, and stops on request', async () => {
  const tenant = await newTestTenant(service)
  const ordered = await accepted(tenant, await newOrder(tenant))
  const stop = new AbortController()
  const running = advanceTestClocks(services).run(stop.signal)
  await send(tenant, { by_seconds: 15 * DAY })
  while ((await read(tenant)).status !== 'ready');
  stop.abort()
  await running
  assert.equal((await get(tenant, `/orders/${ordered.id}`)).status, 'expired')
})

/** The declaration around each use of the time of a workspace, by file. */
function statements(folder: string): string[] {
  const found: string[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    let declared = ''
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) {
      declared = /^(?:export )?(?:const|(?:async )?function) (\w+)/.exec(line)?.[1] ?? declared
      if (name.endsWith('workspace-time.ts') || !/workspaceNow\(|aheadWorkspaces\(/.test(line)) continue
      found.push(`${name} ${declared}`)
    }
  }
  return [...new Set(found)]
}

test('the statements that follow the clock of a workspace are these deadlines, and no others', () => {
  assert.deepEqual(statements(join(import.meta.dirname, '../../src')), [
    'resources/alerts/actions.ts readWatched',
    'resources/applications/board-store.ts conditions',
    'resources/applications/board-store.ts withCardDetails',
    'resources/applications/store.ts detailColumns',
    'resources/applications/store.ts jobForApplying',
    'resources/candidate-search/search-store.ts resumeIsOpen',
    'resources/jobs/sections-store.ts publicFormRow',
    'resources/jobs/store.ts storedColumns',
    'resources/jobs/store.ts selectDueJobs',
    'resources/jobs/store.ts lockDueJob',
    'resources/orders/store.ts lockOrder',
    'resources/orders/store.ts lockOpen',
    'resources/orders/store.ts lockOpenOfVendor',
    'resources/orders/store.ts lockOrderedApplication',
    'resources/orders/store.ts selectDueOrders',
    'resources/orders/store.ts lockDueOrder',
    'resources/orders/store.ts selectCandidate',
    'resources/resumes/store.ts resumeColumns',
    'resources/resumes/store.ts aging',
    'resources/resumes/store.ts dueForAgingIn',
    'resources/resumes/store.ts lockDueAccess',
    'resources/resumes/store.ts markUnlocked',
    'resources/retention/store.ts monthsAgo',
    'resources/test-workspaces/clock-store.ts testClock',
  ])
})

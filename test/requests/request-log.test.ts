import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { QUEUE_ROWS, RequestLog, UNLIMITED_CALLS_PER_MINUTE } from '../../src/kernel/access/request-log.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { readOne } from '../../src/kernel/http/route.ts'
import { shape } from '../../src/kernel/http/shape.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { Metrics } from '../../src/kernel/telemetry/metrics.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { freePort } from '../harness/free-port.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'
import { recordStatements } from '../harness/statements.ts'

const broken = readOne({
  path: '/broken',
  operationId: 'getBroken',
  limited: 'keys',
  summary: 'Fails.',
  group: 'Meta',
  scope: 'any key',
  shape: shape('broken', 'Never returned.', {}),
  handler: async () => {
    throw new Error('broken')
  },
})
const service = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' }, { routes: [...routes, broken] })
const { db, requestLog } = service.services

const idOf = ({ headers }: TestResponse) => headers.get('service-request-id')!

interface Row {
  workspace_id: string
  key_id: string
  method: string
  route: string | null
  params: Record<string, string | null>
  status: number
  code: string | null
  param: string | null
  duration_ms: number
}

/** A call that is recorded after its response was sent may still be on its way into the queue. */
async function logged(id: string): Promise<Row | undefined> {
  await requestLog.flush()
  return db.one(sql<Row>`
    select workspace_id, key_id, method, route, params, status, code, param, duration_ms from request_log where id = ${id}`)
}

async function loggedSoon(id: string): Promise<Row> {
  for (;;) {
    const row = await logged(id)
    if (row) return row
    await nextInstant(db)
  }
}

test('request log: 200: GET /requests/{id} has key, route, parameters, status and milliseconds of the call', async () => {
  const { id: workspace } = await service.workspace('growth')
  const key = await service.key({ workspace })
  const call = await service.get('/jobs?limit=5&status=published,closed&q=welder', key)
  const { status, body } = await service.get(`/requests/${idOf(call)}`, key)
  const { duration_ms, created_at, ...rest } = body
  assert.deepEqual(
    [status, rest],
    [
      200,
      {
        object: 'api_request',
        id: idOf(call),
        workspace_id: workspace,
        method: 'GET',
        route: '/jobs',
        params: { limit: '5', status: 'published,closed', q: null },
        status: 200,
        code: null,
        param: null,
        acting_user_id: null,
      },
    ],
  )
  assert.ok(Number.isInteger(duration_ms) && duration_ms >= 0)
  assert.ok(Math.abs(Date.parse(created_at) - clock.now()) < 600_000)
})

test('request log: 400, 403, 404, 405, 429 and 500 are logged with their code and the declared parameter at fault', async () => {
  const { id: workspace } = await service.workspace('none')
  const key = await service.key({ workspace, scopes: ['jobs:read', 'lists:read'] })
  const cases: [call: Promise<TestResponse>, expected: Partial<Row>][] = [
    [service.get('/jobs?limit=0', key), { route: '/jobs', status: 400, code: 'invalid_request', param: 'limit' }],
    [service.get('/jobs?limt=5', key), { status: 400, code: 'invalid_request', param: null, params: {} }],
    [service.get('/applications', key), { route: '/applications', status: 403, code: 'insufficient_scope' }],
    [
      service.get('/jobs/job_00000000000000000000', key),
      { route: '/jobs/{job_handle}', status: 404, params: { job_handle: 'job_00000000000000000000' } },
    ],
    [service.get('/no-such-endpoint', key), { route: null, status: 404, code: 'not_found', params: {} }],
    [
      service.post('/jbos', key, {}),
      { method: 'POST', route: null, status: 404, params: { did_you_mean: 'POST /jobs' } },
    ],
    [
      service.post('/jobs//close', key, {}),
      { method: 'POST', route: null, status: 404, params: { did_you_mean: 'POST /jobs/{job_handle}/close' } },
    ],
    [service.call('DELETE', '/jobs', { key }), { method: 'DELETE', route: '/jobs', status: 405 }],
    [service.call('HEAD', '/jobs', { key }), { method: 'HEAD', route: '/jobs', status: 200 }],
    [service.get('/broken', key), { route: '/broken', status: 500, code: 'internal_error' }],
  ]
  for (const [call, expected] of cases) {
    const response = await call
    assert.equal(response.status, expected.status)
    const row = await loggedSoon(idOf(response))
    assert.deepEqual({ ...row, ...expected }, row)
    assert.deepEqual([row.workspace_id, row.key_id], [workspace, key.id])
  }
  let limited = await service.get('/me', key)
  while (limited.status === 200) limited = await service.get('/me', key)
  assert.equal(limited.status, 429)
  assert.equal((await loggedSoon(idOf(limited))).code, 'rate_limit_exceeded')
})

test('request log: 401 is logged for an expired secret and a wrong IP address, not for a revoked key, which nothing knows', async () => {
  const { id: workspace } = await service.workspace('growth')
  const elsewhere = await service.key({ workspace, allowIp: ['203.0.113.7'] })
  const expired = await service.key({ workspace, expiresInDays: 1 })
  const revoked = await service.key({ workspace })
  await revokeKey(db, revoked.id)
  clock.advance(2 * 86_400_000)
  try {
    for (const key of [elsewhere, expired]) {
      for (const path of ['/me', '/nothing/here']) {
        const response = await service.get(path, key)
        const row = await loggedSoon(idOf(response))
        assert.deepEqual([row.workspace_id, row.key_id, row.status], [workspace, key.id, response.status])
      }
    }
    const refused = await service.get('/me', revoked)
    assert.deepEqual([refused.status, await logged(idOf(refused))], [401, undefined])
    const unknown = await service.get('/me', 'svc_live_unknown')
    assert.deepEqual([unknown.status, await logged(idOf(unknown))], [401, undefined])
  } finally {
    clock.reset()
  }
})

test('GET /requests: 200 with the own calls of the key alone; those of another key are a 404 like missing ones', async () => {
  const { id: workspace } = await service.workspace('growth')
  const [own, colleague] = [await service.key({ workspace }), await service.key({ workspace })]
  const stranger = await service.key({ workspace: (await service.workspace('growth')).id })
  const call = await service.get('/me', own)
  const listed = await service.get('/requests', own)
  assert.deepEqual([listed.status, listed.body.data.map((row: { id: string }) => row.id)], [200, [idOf(call)]])
  const missing = await service.get(`/requests/${newHandle('request')}`, own)
  for (const key of [colleague, stranger]) {
    const { status, body } = await service.get(`/requests/${idOf(call)}`, key)
    const { request_id: _a, ...detail } = body.detail
    const { request_id: _b, ...expected } = missing.body.detail
    assert.deepEqual([status, detail], [404, expected])
    assert.deepEqual((await service.get(`/requests?request_id=${idOf(call)}`, key)).body.data, [])
  }
})

test('GET /requests: 200 for a key of several workspaces: all of them, or the one that it names; none it has lost', async () => {
  const [a, b] = [await service.workspace('growth'), await service.workspace('growth')]
  const key = await service.key({ workspace: a.id, reach: [a.id, b.id] })
  const inA = await service.get(`/jobs?workspace_id=${a.id}`, key)
  const inB = await service.get(`/jobs?workspace_id=${b.id}`, key)
  const unnamed = await service.get('/jobs', key)
  const ids = async (query = '') =>
    (await service.get(`/requests?route=/jobs${query}`, key)).body.data.map((row: { id: string }) => row.id).sort()
  assert.equal(unnamed.status, 400)
  assert.deepEqual(await ids(), [inA, inB, unnamed].map(idOf).sort())
  assert.deepEqual(await ids(`&workspace_id=${b.id}`), [idOf(inB)])
  assert.equal((await service.get(`/requests/${idOf(inB)}`, key)).status, 200)
  await db.query(sql`update api_keys set workspace_ids = array[${a.id}::text] where id = ${key.id}`)
  assert.equal((await service.get(`/requests/${idOf(inB)}`, key)).status, 404)
  assert.deepEqual(await ids(), [inA, unnamed].map(idOf).sort())

  const everywhere = await service.key({ workspace: a.id, reach: 'all' })
  const far = await service.get(`/jobs?workspace_id=${b.id}`, everywhere)
  assert.equal((await service.get(`/requests/${idOf(far)}`, everywhere)).body.workspace_id, b.id)
  assert.equal((await service.get('/requests?route=/jobs', everywhere)).body.data.length, 1)
})

test('GET /requests: 200 by status, class, code, method, route and time, newest first and in pages', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const calls: TestResponse[] = []
  const send = async (response: Promise<TestResponse>) => {
    calls.push(await response)
    await nextInstant(db)
  }
  await send(service.get('/me', key))
  await send(service.get('/jobs?limit=0', key))
  await send(service.get('/jobs/job_00000000000000000000', key))
  await send(service.post('/lists', key, { name: 'Welders' }))
  const [me, invalid, missing, list] = calls.map(idOf)
  const times = (await service.get('/requests', key)).body.data.map((row: { created_at: string }) => row.created_at)
  const found = async (query: string) => {
    const { body } = await service.get(`/requests?${query}`, key)
    return body.data.map((row: { id: string }) => row.id).filter((id: string) => calls.some(call => idOf(call) === id))
  }
  assert.deepEqual(await found(''), [list, missing, invalid, me])
  assert.deepEqual(await found('status=4xx'), [missing, invalid])
  assert.deepEqual(await found('status=404'), [missing])
  assert.deepEqual(await found('code=invalid_request'), [invalid])
  assert.deepEqual(await found('method=POST'), [list])
  assert.deepEqual(await found('route=/jobs/{job_handle}'), [missing])
  assert.deepEqual(await found(`request_id=${me}`), [me])
  assert.deepEqual(await found(`created_after=${times[3]}&created_before=${times[0]}`), [missing, invalid])
  const first = await service.get('/requests?status=4xx&limit=1', key)
  assert.deepEqual([first.body.has_more, first.body.data[0].id], [true, missing])
  const second = await service.get(`/requests?status=4xx&limit=1&cursor=${first.body.next_cursor}`, key)
  assert.deepEqual([second.body.has_more, second.body.data[0].id], [false, invalid])
  for (const query of ['status=9xx', 'code=nonsense', 'method=PUT', 'created_after=yesterday']) {
    assert.equal((await service.get(`/requests?${query}`, key)).status, 400, query)
  }
})

test('request log: seven days after the call GET /requests/{id} is a 404; younger calls stay', async () => {
  const { id: workspace } = await service.workspace('growth')
  const key = await service.key({ workspace })
  const other = await service.key({ workspace: (await service.workspace('growth')).id })
  const old = [await service.get('/me', key), await service.get('/me', other)]
  await requestLog.flush()
  try {
    clock.advance(6.9 * 86_400_000)
    const young = await service.get('/me', key)
    await pruneOnce(db)
    assert.equal((await service.get(`/requests/${idOf(old[0]!)}`, key)).status, 200)
    clock.advance(0.2 * 86_400_000)
    await pruneOnce(db)
    assert.equal((await service.get(`/requests/${idOf(old[0]!)}`, key)).status, 404)
    assert.equal((await service.get(`/requests/${idOf(old[1]!)}`, other)).status, 404)
    assert.equal((await service.get(`/requests/${idOf(young)}`, key)).status, 200)
  } finally {
    clock.reset()
  }
})

test('request log: no response waits while the table is locked; the calls are stored afterwards', async () => {
  const { id: workspace } = await service.workspace('growth')
  const key = await service.key({ workspace })
  const session = await db.session()
  await session.script('begin; lock table request_log in access exclusive mode')
  const calls = await Promise.all(Array.from({ length: 20 }, () => service.get('/me', key)))
  assert.ok(calls.every(({ status }) => status === 200))
  await session.script('rollback')
  await session.close()
  for (const call of calls) assert.equal((await loggedSoon(idOf(call))).status, 200)
})

const entry = (workspace: string) => ({
  workspace,
  id: newHandle('request'),
  at: clock.now(),
  key: newHandle('credential'),
  actingUser: null,
  method: 'GET',
  route: '/me',
  params: '{}',
  status: 200,
  code: null,
  param: null,
  ms: 3,
})

const dropped = async (metrics: Metrics) =>
  Number(/^hiring_request_log_dropped_total (\d+)$/m.exec(await metrics.registry.metrics())![1])

test('request log: 1,200 calls are three inserts of 500 rows at most', async () => {
  const own = new Database(service.database.connection, { connections: 4, log: createLog('silent') })
  const statements = recordStatements(own)
  const log = new RequestLog(own, createLog('silent'), new Metrics(), { enabled: true })
  const workspace = newHandle('workspace')
  const sent = await statements.during(async () => {
    for (let i = 0; i < 1_200; i++) log.record(entry(workspace))
    await log.stop()
  })
  assert.equal(sent.filter(text => text.startsWith('insert into request_log')).length, 3)
  const count = await own.one(sql<{ n: number }>`
    select count(*)::integer as n from request_log where workspace_id = ${workspace}`)
  assert.equal(count!.n, 1_200)
  await own.close()
})

test('request log: a flush ends while calls keep coming; they are stored by a later one', async () => {
  const own = new Database(service.database.connection, { connections: 4, log: createLog('silent') })
  const log = new RequestLog(own, createLog('silent'), new Metrics(), { enabled: true })
  const workspace = newHandle('workspace')
  let calls = 0
  const call = () => {
    log.record(entry(workspace))
    calls++
  }
  const transaction = own.transaction.bind(own)
  own.transaction = (...args) => {
    call()
    return transaction(...args)
  }
  call()
  await log.flush()
  own.transaction = transaction
  await log.stop()
  const stored = await own.query(sql`select from request_log where workspace_id = ${workspace}`)
  assert.equal(stored.length, calls)
  await own.close()
})

test('request log: calls that no limit stops are stored 120 times a minute for each key, and counted beyond that', async () => {
  const service = await startTestService({ ROLES: 'api', LOG_LEVEL: 'silent' })
  const key = await service.key({ workspace: (await service.workspace()).id })
  for (let i = 0; i < UNLIMITED_CALLS_PER_MINUTE + 5; i++) await service.get(`/nothing-${i}`, key)
  let stored: { minute: string }[] = []
  // their keys are looked up after the response
  await until('every call is stored or counted', async () => {
    await service.services.requestLog.flush()
    stored = await service.services.db.query(sql<{ minute: string }>`
      select date_trunc('minute', created_at)::text as minute from request_log where route is null`)
    return stored.length + (await dropped(service.services.metrics)) === UNLIMITED_CALLS_PER_MINUTE + 5
  })
  const perMinute = Map.groupBy(stored, ({ minute }) => minute)
  for (const rows of perMinute.values()) assert.ok(rows.length <= UNLIMITED_CALLS_PER_MINUTE)
  assert.equal((await service.get('/jobs', key)).status, 200)
  await service.services.requestLog.flush()
  assert.equal((await service.get('/requests?route=/jobs', key)).body.data.length, 1, 'others are stored')
  await service.stop()
})

test('request log: without a database the queue is bounded; what does not fit and what is left at the end is counted', async () => {
  const connection = { ...service.database.connection, host: '127.0.0.1', port: await freePort() }
  const away = new Database(connection, { connections: 4, log: createLog('silent') })
  const metrics = new Metrics()
  const log = new RequestLog(away, createLog('silent'), metrics, { enabled: true })
  const row = entry(newHandle('workspace'))
  for (let i = 0; i < QUEUE_ROWS + 7; i++) log.record(row)
  assert.equal(await dropped(metrics), 7)
  await assert.rejects(log.flush())
  assert.equal(await dropped(metrics), 7, 'the rows wait for the database')
  await assert.rejects(log.stop())
  assert.equal(await dropped(metrics), QUEUE_ROWS + 7)
  await away.close()
})

test('request log: a batch that the database refuses is dropped and counted, and the next one is stored', async () => {
  const metrics = new Metrics()
  const log = new RequestLog(db, createLog('silent'), metrics, { enabled: true })
  const workspace = newHandle('workspace')
  log.record({ ...entry(workspace), params: 'no JSON' })
  await log.flush()
  assert.equal(await dropped(metrics), 1)
  log.record(entry(workspace))
  await log.flush()
  assert.equal((await db.query(sql`select from request_log where workspace_id = ${workspace}`)).length, 1)
})

test('request log: a clean stop stores the last calls; REQUEST_LOG=off stores none', async () => {
  for (const [setting, rows] of [
    ['on', 1],
    ['off', 0],
  ] as const) {
    const database = await cloneDatabase()
    const other = await startTestService({ ROLES: 'api', REQUEST_LOG: setting }, { database })
    const key = await other.key({ workspace: (await other.workspace('growth')).id })
    const id = idOf(await other.get('/me', key))
    await other.stop()
    const reader = new Database(database.connection, { connections: 2, log: createLog('silent') })
    assert.equal((await reader.query(sql`select from request_log where id = ${id}`)).length, rows)
    await reader.close()
    await database.drop()
  }
})

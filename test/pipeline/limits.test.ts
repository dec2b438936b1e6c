import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { routes } from '../../src/app.ts'
import { MemoryLimiter, PostgresLimiter } from '../../src/kernel/access/rate-limit.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { hasRedis } from '../harness/evidence.ts'
import { freePort } from '../harness/free-port.ts'
import { cloneDatabase } from '../harness/postgres.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const all = { routes: [...routes, ...probeRoutes] }
const service = await startTestService({}, all)

const many = async (count: number, call: (i: number) => Promise<{ status: number }>) => {
  const responses = await Promise.all(Array.from({ length: count }, (_, i) => call(i)))
  return responses.map(a => a.status)
}
const passed = (statuses: number[]) => statuses.filter(s => s === 200).length

test('limits: 429 rate_limit_exceeded: the first 60 of a minute pass, the next one waits for the window', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id })
  for (let i = 1; i <= 60; i++) {
    const response = await service.get('/me', key)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('ratelimit-remaining'), String(60 - i))
  }
  const refused = await service.get('/me', key)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.detail.code, 'rate_limit_exceeded')
  assert.equal(refused.body.detail.type, 'rate_limit')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait >= 1 && wait <= 60)
  assert.equal(refused.body.detail.retry_after_seconds, wait)
  assert.equal(refused.headers.get('ratelimit-reset'), String(wait))
  clock.advance(wait * 1000)
  assert.equal((await service.get('/me', key)).status, 200)
  clock.reset()
})

test('limits: 429: tiers and keys are counted separately', async () => {
  const { id } = await service.workspace('none')
  const [one, other] = [await service.key({ workspace: id }), await service.key({ workspace: id })]
  assert.equal(passed(await many(10, () => service.get('/probes:all', one))), 6)
  assert.equal((await service.get('/me', one)).status, 200)
  assert.equal((await service.get('/probes:all', other)).status, 200)
})

test('limits: 429: a hundred calls at the same time, exactly 60 pass', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id })
  assert.equal(passed(await many(100, () => service.get('/me', key))), 60)
})

test('limits: every request with a valid key counts, whatever refuses it; calls that need no key do not', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id, scopes: ['lists:read'] })
  const several = await service.key({ workspace: id, scopes: ['lists:read'], reach: 'all' })
  const version = { headers: { 'service-api-version': '1999-01-01' } }
  const refused: [status: number, call: () => Promise<TestResponse>, by: typeof key][] = [
    [403, () => service.get('/users/usr_x', key), key],
    [403, () => service.post('/lists', key, { name: 'x' }), key],
    [400, () => service.get('/lists?nonsense=1', key), key],
    [400, () => service.get('/lists', key, version), key],
    [404, () => service.get(`/lists/${newHandle('list')}`, key), key],
    [400, () => service.get('/lists', several), several],
    [404, () => service.get(`/lists?workspace_id=${newHandle('workspace')}`, several), several],
    [404, () => service.get('/no-such-endpoint', key), key],
    [404, () => service.post('/jobs//close', key, {}), key],
    [404, () => service.get('/lists/%zz', key), key],
    [404, () => service.get(`/lists/${'x'.repeat(600)}`, key), key],
    [404, () => service.get(`${service.origin}/api/partner/v1`, key), key],
    [405, () => service.call('DELETE', '/lists', { key }), key],
    [405, () => service.call('POST', `/lists/${newHandle('list')}`, { key }), key],
  ]
  const used = new Map<typeof key, number>()
  for (const [status, call, by] of refused) {
    const { headers, ...response } = await call()
    used.set(by, (used.get(by) ?? 0) + 1)
    assert.deepEqual([response.status, headers.get('ratelimit-remaining')], [status, String(60 - used.get(by)!)])
    assert.ok(Number(headers.get('ratelimit-reset')) <= 60)
  }
  await many(5, () => service.get('/ping', key))
  assert.equal((await service.get('/lists', key)).headers.get('ratelimit-remaining'), '47')
  assert.equal(await service.services.usage.usedThisMonth(id, clock.now()), 15)
  await service.services.usage.flush()
  const stats = await service.services.db.one(sql<{ requests: number; client_errors: number }>`
    select requests, client_errors from request_stats where workspace_id = ${id} and key_id = ${key.id}`)
  assert.deepEqual({ ...stats }, { requests: 13, client_errors: 12 })
})

test('limits: 429 rate_limit_exceeded: paths without an endpoint and other methods, with the headers of the limit', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id })
  const unrouted = (i: number) => (i % 2 ? service.get('/job', key) : service.call('DELETE', '/jobs', { key }))
  const statuses = await many(70, unrouted)
  assert.deepEqual(statuses.toSorted(), [...Array(30).fill(404), ...Array(30).fill(405), ...Array(10).fill(429)])
  const { status, headers, body } = await unrouted(1)
  assert.deepEqual([status, body.detail.code], [429, 'rate_limit_exceeded'])
  assert.equal(headers.get('retry-after'), headers.get('ratelimit-reset'))
  assert.equal(headers.get('ratelimit-limit'), '60')
  assert.equal((await service.get('/me', key)).status, 429, 'they count with every other call')
})

test('limits: 404 and 405 without a key, or with one that cannot be valid, cost no statement and show no count', async t => {
  const { db } = service.services
  const lookUps = t.mock.method(db, 'lookUp')
  for (const key of [undefined, 'svc_test_wrong', 'Basic']) {
    for (const [method, path, status] of [
      ['GET', '/no-such-endpoint', 404],
      ['DELETE', '/jobs', 405],
    ] as const) {
      const response = await service.call(method, path, { ...(key ? { key } : {}) })
      assert.equal(response.status, status)
      assert.equal(response.headers.get('ratelimit-remaining'), null)
    }
  }
  assert.equal(lookUps.mock.callCount(), 0)
})

test('limits: 429: a key without the scope is stopped by the limit of the tier, after its six calls', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id, scopes: ['lists:read'] })
  const statuses = await many(10, () => service.get('/analytics/hiring-funnel', key))
  assert.deepEqual(statuses.toSorted(), [...Array(6).fill(403), ...Array(4).fill(429)])
})

test('limits: RateLimit-Reset is never more than the window, whatever the fraction of the clock', () => {
  const limiter = new MemoryLimiter()
  for (let i = 0; i < 2_000; i++) assert.ok(limiter.count(`key ${i}`, 'general').resetSeconds <= 60)
})

test('limits: RateLimit-Reset is never more than the window, where PostgreSQL counts a call that began before it', async () => {
  const { db } = service.services
  const key = newHandle('credential')
  // another process has opened the window while this call waited for the row
  await db.query(sql`
    insert into rate_windows (key_id, tier, started_at, used)
    values (${key}, 'general', app_now() + interval '1 hour', 1)`)
  assert.deepEqual(await new PostgresLimiter(db).count(key, 'general'), { used: 2, resetSeconds: 60 })
})

const SHARED_SECRET = 'ab'.repeat(32)

test('limits: not counted: a key that is refused, however well it was known before, on any path', async () => {
  const { id } = await service.workspace('none')
  const used = async () => (await service.services.usage.usedThisMonth(id, clock.now())) as number
  const spare = await service.key({ workspace: id })
  const revoked = await service.key({ workspace: id })
  assert.equal((await service.get('/workspaces', revoked)).status, 200)
  await revokeKey(service.services.db, revoked.id)
  const before = await used()
  await many(30, i => service.get(i % 2 ? '/workspaces' : '/no-such-endpoint', revoked))
  assert.equal(await used(), before)
  assert.equal((await service.get('/me', spare)).status, 200)
})

test('limits: 429: exact over two processes that count in PostgreSQL; a new window after a minute', async () => {
  const database = await cloneDatabase()
  const settings = { LIMITER: 'postgres', SECRET_KEY: SHARED_SECRET }
  const nodes = [
    await startTestService(settings, { ...all, database }),
    await startTestService(settings, { ...all, database }),
  ]
  const { id } = await nodes[0]!.workspace('none')
  const key = await nodes[0]!.key({ workspace: id })
  assert.equal(passed(await many(120, i => nodes[i % 2]!.get('/me', key))), 60)
  for (const node of nodes) assert.equal((await node.get('/me', key)).status, 429)
  clock.advance(61_000)
  const fresh = await nodes[1]!.get('/me', key)
  assert.equal(fresh.status, 200)
  assert.equal(fresh.headers.get('ratelimit-remaining'), '59')
  clock.reset()
  for (const node of nodes) await node.stop()
  await database.drop()
})

test('limits: start refused: a second process on a store whose limits are counted in memory', async () => {
  const database = await cloneDatabase()
  const first = await startTestService({ SECRET_KEY: SHARED_SECRET }, { ...all, database })
  await assert.rejects(
    startTestService({ SECRET_KEY: SHARED_SECRET }, { ...all, database }),
    /another service already uses this database/,
  )
  await assert.rejects(
    startTestService({ SECRET_KEY: 'cd'.repeat(32) }, { ...all, database }),
    /secret key is not the one this store was made with/,
  )
  await first.stop()
  await database.drop()
})

test('limits: redis: exact over two processes; 429 limiter_unavailable while it is down, and service again when it is back', async t => {
  if (!hasRedis()) return t.skip('redis-server is not installed')
  const port = await freePort()
  const start = () =>
    spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no'], { stdio: 'ignore' })
  let redis = start()
  after(() => redis.kill('SIGKILL'))
  const settings = {
    LIMITER: 'redis',
    REDIS_URL: `redis://127.0.0.1:${port}`,
    SECRET_KEY: SHARED_SECRET,
    LOG_LEVEL: 'silent',
  }
  const database = await cloneDatabase()
  const nodes = [
    await startTestService(settings, { ...all, database }),
    await startTestService(settings, { ...all, database }),
  ]
  const { id } = await nodes[0]!.workspace('none')
  const key = await nodes[0]!.key({ workspace: id })
  for (const node of nodes)
    while ((await node.get('/me', await node.key({ workspace: id }))).status !== 200) await delay(20)
  assert.equal(passed(await many(120, i => nodes[i % 2]!.get('/me', key))), 60)

  redis.kill('SIGKILL')
  await new Promise(resolve => redis.once('exit', resolve))
  const refused = await nodes[0]!.get('/me', key)
  assert.equal(refused.status, 429)
  assert.equal(refused.body.detail.code, 'limiter_unavailable')
  assert.equal(refused.body.detail.type, 'unavailable')
  assert.ok(Number(refused.headers.get('retry-after')) >= 1)
  assert.equal((await nodes[0]!.call('GET', `${nodes[0]!.origin}/readyz`)).status, 503)

  redis = start()
  let status = 429
  for (let tries = 0; tries < 2_000 && status !== 200; tries++) {
    await delay(20)
    status = (await nodes[0]!.get('/me', await nodes[0]!.key({ workspace: id }))).status
  }
  assert.equal(status, 200)
  for (const node of nodes) await node.stop()
  await database.drop()
})

async function setMonth(workspace: string, requests: number) {
  await service.services.usage.flush()
  await service.services.db.query(sql`
    insert into monthly_usage (workspace_id, month, requests)
    values (${workspace}, date_trunc('month', app_now())::date, ${requests})
    on conflict (workspace_id, month) do update set requests = excluded.requests`)
}

test('limits: 429: the monthly quota is shared by all keys of a workspace and exact to the request', async () => {
  const { id } = await service.workspace('none')
  const keys = [await service.key({ workspace: id }), await service.key({ workspace: id })]
  await setMonth(id, 9_990)
  assert.equal(passed(await many(40, i => service.get('/me', keys[i % 2]))), 10)
  const refused = await service.get('/me', keys[0])
  assert.equal(refused.status, 429)
  assert.equal(refused.body.detail.code, 'rate_limit_exceeded')
  const wait = Number(refused.headers.get('retry-after'))
  const now = new Date()
  const left = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - now.getTime()) / 1000
  assert.ok(Math.abs(wait - left) < 5, `${wait} against ${left}`)
  assert.match(refused.body.detail.message, /monthly quota of 10000/)
})

test('limits: quota: resets with the month, and /me says when and how much was used', async () => {
  const { id } = await service.workspace('none')
  const key = await service.key({ workspace: id })
  await service.get('/me', key)
  const me = await service.get('/me', key)
  assert.equal(me.body.rate_limits.requests_used_this_month, 2)
  assert.equal(me.body.rate_limits.requests_per_month, 10_000)
  const now = new Date()
  assert.equal(
    me.body.quota_resets_at,
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString(),
  )
  await setMonth(id, 10_000)
  clock.advance(32 * 86_400_000)
  assert.equal((await service.get('/me', key)).status, 200)
  clock.reset()
})

test('limits: quota: an unlimited plan has none', async () => {
  const { id } = await service.workspace('enterprise')
  const key = await service.key({ workspace: id })
  await setMonth(id, 50_000_000)
  const me = await service.get('/me', key)
  assert.equal(me.status, 200)
  assert.equal(me.body.rate_limits.requests_per_month, null)
  assert.deepEqual(me.body.plan, { code: 'enterprise', name: 'Enterprise' })
})

test('limits: usage: requests and errors of a key are counted by the hour, with the last use of its secret', async () => {
  const { id } = await service.workspace()
  const key = await service.key({ workspace: id })
  await service.get('/me', key)
  await service.get('/me?x=1', key)
  await service.services.usage.flush()
  const row = await service.services.db.one(sql<{ requests: number; client_errors: number }>`
    select requests, client_errors from request_stats where workspace_id = ${id} and key_id = ${key.id}`)
  assert.deepEqual({ ...row }, { requests: 2, client_errors: 1 })
  const used = await service.services.db.one(sql<{ last_used_at: string | null }>`
    select last_used_at from api_key_secrets where key_id = ${key.id}`)
  assert.ok(used!.last_used_at)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ LOG_LEVEL: 'silent' }, { routes: [...routes, ...probeRoutes] })
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

const post = (idempotencyKey: string, body: unknown, by = key) =>
  service.post('/probes', by, body, { headers: { 'idempotency-key': idempotencyKey } })
const stored = async (name: string) =>
  (await service.services.db.query(sql`select 1 from projects where workspace_id = ${workspace} and name = ${name}`))
    .length

test('idempotency: 201 then the same response: a repeat changes nothing and is marked as replayed', async () => {
  const first = await post('repeat-0001', { name: 'once' })
  assert.equal(first.status, 201)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const second = await post('repeat-0001', { name: 'once' })
  assert.equal(second.status, 201)
  assert.equal(second.text, first.text)
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.notEqual(second.headers.get('service-request-id'), first.headers.get('service-request-id'))
  assert.equal(await stored('once'), 1)
})

test('idempotency: 201 twice: without a key each call is a new one', async () => {
  await service.post('/probes', key, { name: 'free' })
  await service.post('/probes', key, { name: 'free' })
  assert.equal(await stored('free'), 2)
})

test('idempotency: 409 idempotency_key_reused: the same key with other bytes, even of the same meaning', async () => {
  await post('reused-0001', { name: 'reused' })
  for (const raw of ['{"name":"other"}', '{ "name": "reused" }']) {
    const response = await service.call('POST', '/probes', {
      key,
      raw,
      headers: { 'content-type': 'application/json', 'idempotency-key': 'reused-0001' },
    })
    assert.equal(response.status, 409)
    assert.equal(response.body.detail.code, 'idempotency_key_reused')
    assert.equal(response.body.detail.type, 'conflict')
  }
  assert.equal(await stored('reused'), 1)
  assert.equal(await stored('other'), 0)
})

test('idempotency: 409 idempotency_in_flight: while the first runs; once only, however many come at the same time', async () => {
  const { db } = service.services
  const body = { name: 'slow' }
  // the first one holds its Idempotency-Key and waits for the table, until the others have their responses
  const session = await db.session()
  await session.script('begin; lock table projects in share mode')
  const first = post('flight-0001', body)
  await until('the first one waits for the table', async () => {
    const waiting = await db.query(sql`
      select 1 from pg_locks
      where relation = 'projects'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    return waiting.length > 0
  })
  const during = await Promise.all(Array.from({ length: 10 }, () => post('flight-0001', body)))
  await session.script('commit')
  await session.close()
  assert.ok(during.every(a => a.status === 409 && a.body.detail.code === 'idempotency_in_flight'))
  assert.equal((await first).status, 201)
  assert.equal((await post('flight-0001', body)).headers.get('idempotent-replayed'), 'true')
  assert.equal(await stored('slow'), 1)
})

test('idempotency: many repeats at the same time of a request that ended are all its replays', async () => {
  const first = await post('crowd-0001', { name: 'crowd' })
  const repeats = await Promise.all(Array.from({ length: 20 }, () => post('crowd-0001', { name: 'crowd' })))
  assert.ok(repeats.every(a => a.status === 201 && a.text === first.text && a.headers.get('idempotent-replayed')))
})

test('idempotency: a failed request releases its key: the repeat is a first try', async () => {
  for (const outcome of ['fail', 'crash']) {
    const failed = await post(`release-${outcome}`, { name: outcome, outcome })
    assert.ok(failed.status >= 400)
    const again = await post(`release-${outcome}`, { name: `${outcome} ok` })
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), null)
    assert.equal(await stored(outcome), 0)
  }
  const invalid = await post('release-400', { name: '' })
  assert.equal(invalid.status, 400)
  assert.equal((await post('release-400', { name: 'fine' })).status, 201)
})

test('idempotency: an error that reports a stored change is committed, and releases its key as well', async () => {
  const response = await post('stored-0001', { name: 'stored', outcome: 'stored' })
  assert.equal(response.status, 400)
  assert.equal(await stored('stored'), 1)
  const again = await post('stored-0001', { name: 'stored', outcome: 'stored' })
  assert.equal(again.headers.get('idempotent-replayed'), null)
  assert.equal(await stored('stored'), 2)
})

test('idempotency: a key is scoped to the calling API key and the path', async () => {
  const other = await service.key({ workspace, userEmail })
  await post('apart-0001', { name: 'apart' })
  const response = await post('apart-0001', { name: 'apart' }, other)
  assert.equal(response.status, 201)
  assert.equal(response.headers.get('idempotent-replayed'), null)
  assert.equal(await stored('apart'), 2)
})

test('idempotency: 24 hours: retained until then, deleted after', async () => {
  await post('expiry-0001', { name: 'lasting' })
  clock.advance(86_400_000 - 10_000)
  assert.equal((await post('expiry-0001', { name: 'lasting' })).headers.get('idempotent-replayed'), 'true')
  clock.advance(20_000)
  assert.equal((await post('expiry-0001', { name: 'lasting' })).headers.get('idempotent-replayed'), null)
  assert.equal(await stored('lasting'), 2)
  clock.advance(86_400_000)
  await pruneOnce(service.services.db)
  const left = await service.services.db.query(sql`select 1 from idempotency_records where workspace_id = ${workspace}`)
  assert.equal(left.length, 0)
  clock.reset()
})

test('idempotency: secrets are shown once: the response is stored without them', async () => {
  const first = await post('secret-0001', { name: 'secret', outcome: 'secret' })
  assert.equal(first.body.extra, 'shown once')
  const again = await post('secret-0001', { name: 'secret', outcome: 'secret' })
  assert.equal(again.body.extra, 'not again')
  const leaks = await service.services.db.query(sql`select 1 from idempotency_records where body like '%shown once%'`)
  assert.equal(leaks.length, 0)
})

test('idempotency: 400 invalid_idempotency_key: 8 to 255 characters of the allowed ones', async () => {
  for (const bad of ['short', 'x'.repeat(256), 'with space', 'slash/slash', 'émojis-are-out', '']) {
    const response = await post(bad, { name: 'x' })
    assert.equal(response.status, 400, bad)
    assert.equal(response.body.detail.code, 'invalid_idempotency_key')
    assert.equal(response.body.detail.param, 'Idempotency-Key')
  }
  for (const good of ['12345678', 'x'.repeat(255), 'A.z_0:~-9'])
    assert.equal((await post(good, { name: 'y' })).status, 201, good)
})

test('idempotency: 400 idempotency_key_required: where a call needs one', async () => {
  const response = await service.post('/probes:once', key)
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'idempotency_key_required')
  assert.equal(response.body.detail.param, 'Idempotency-Key')
  const given = await service.post('/probes:once', key, undefined, { headers: { 'idempotency-key': 'once-0001' } })
  assert.equal(given.status, 200)
})

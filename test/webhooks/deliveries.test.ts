import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { deliverWebhooks } from '../../src/delivery/deliver-webhooks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { resolveName } from '../../src/kernel/net/resolve-name.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const receiver = await startReceiver()
/** No worker runs by itself: no row changes while it is looked at. */
const service = await startTestService(
  { ROLES: 'api', WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

async function endpoint() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const types = ['job.published', 'job.closed', 'list.created']
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: types })
  assert.equal(made.status, 201)
  return { workspace, userEmail, key, id: made.body.id as string }
}

const e = await endpoint()
await emit(db, e.workspace, ['job.published', 'job.closed', 'list.created'])
clock.advance(3_600_000)
await sequenceBatch(db)
clock.advance(3_600_000)
await emit(db, e.workspace, ['job.published', 'job.published'])
await sequenceBatch(db)
const all = (await service.get('/webhooks/deliveries', e.key)).body.data
await db.query(sql`
  update webhook_deliveries set status = 'failed', response_status = 503 where id = ${all[0].id}::uuid`)
await db.query(sql`
  update webhook_deliveries set status = 'retrying', response_status = 404 where id = ${all[1].id}::uuid`)

const list = async (query: string, by = e.key) => {
  const response = await service.get(`/webhooks/deliveries?${query}`, by)
  assert.equal(response.status, 200, response.text)
  return response.body.data.map((d: { id: string }) => d.id)
}
const idsWhere = (holds: (d: Record<string, unknown>) => boolean) => all.filter(holds).map((d: { id: string }) => d.id)

test('webhook deliveries: the log: newest first, in pages, with the five rows that the events made', async () => {
  assert.equal(all.length, 5)
  const times = all.map((d: { created_at: string }) => d.created_at)
  assert.deepEqual(times, times.toSorted().toReversed())
  const first = await service.get('/webhooks/deliveries?limit=2', e.key)
  const second = await service.get(`/webhooks/deliveries?limit=3&cursor=${first.body.next_cursor}`, e.key)
  assert.deepEqual(
    [...first.body.data, ...second.body.data].map(d => d.id),
    all.map((d: { id: string }) => d.id),
  )
  assert.ok(all.every((d: { status: string; attempt: number }) => d.status === 'pending' && d.attempt === 0))
})

test('webhook deliveries: filters: each alone and together', async () => {
  assert.equal((await list(`endpoint_id=${e.id}`)).length, 5)
  assert.deepEqual(await list(`endpoint_id=${randomUUID()}`), [])
  assert.deepEqual(await list(`event_id=${all[2].event_id}`), [all[2].id])
  assert.deepEqual(
    await list('event_type=job.published'),
    idsWhere(d => d['event_type'] === 'job.published'),
  )
  assert.deepEqual(await list('event_type=ping'), [])
  assert.deepEqual(await list('status=failed'), [all[0].id])
  assert.deepEqual(await list('status=failed,retrying'), [all[0].id, all[1].id])
  assert.deepEqual(await list('response_status=503'), [all[0].id])
  assert.deepEqual(await list('response_status=5xx'), [all[0].id])
  assert.deepEqual(await list('response_status=4xx'), [all[1].id])
  assert.deepEqual(await list('response_status=500'), [])
  assert.equal((await list(`created_after=${all[2].created_at}`)).length, 2)
  assert.equal((await list(`created_before=${all[1].created_at}`)).length, 3)
  assert.deepEqual(await list(`status=failed&response_status=5xx&endpoint_id=${e.id}&event_type=job.published`), [
    all[0].id,
  ])
})

test('webhook deliveries: 400 and 404: filters that make no sense', async () => {
  const refused = async (query: string, status: number, code: string) => {
    const response = await service.get(`/webhooks/deliveries?${query}`, e.key)
    assert.equal(response.status, status, query)
    assert.equal(response.body.detail.code, code, query)
  }
  for (const query of [
    'status=lost',
    'status=',
    'event_type=job.x',
    'response_status=6xx',
    'response_status=50',
    'after=1',
  ]) {
    await refused(query, 400, 'invalid_request')
  }
  await refused('created_after=yesterday', 400, 'invalid_timestamp')
  await refused('endpoint_id=x', 404, 'not_found')
  await refused('event_id=job_1', 404, 'not_found')
})

test("webhook deliveries: 404: another key's delivery, another workspace's, a missing and a malformed one, read and redelivered", async () => {
  const sameWorkspace = await service.key({ workspace: e.workspace, userEmail: e.userEmail })
  const stranger = (await endpoint()).key
  const responses: TestResponse[] = []
  const cases: [string, { secret: string }][] = [
    [all[0].id, sameWorkspace],
    [all[0].id, stranger],
    [randomUUID(), e.key],
    ['nonsense', e.key],
    [newHandle('event'), e.key],
  ]
  for (const [id, key] of cases) {
    responses.push(await service.get(`/webhooks/deliveries/${id}`, key))
    responses.push(await service.post(`/webhooks/deliveries/${id}/redeliver`, key))
  }
  for (const response of responses) {
    assert.equal(response.status, 404)
    assert.equal(response.body.detail.message, responses[0]!.body.detail.message)
  }
  assert.deepEqual(await list('', sameWorkspace), [])
})

test('webhook deliveries: 403: webhooks:read for the log, webhooks:write to redeliver', async () => {
  const { workspace, userEmail } = e
  const reader = await service.key({ workspace, userEmail, scopes: ['webhooks:read'] })
  const writer = await service.key({ workspace, userEmail, scopes: ['webhooks:write'] })
  assert.equal((await service.get('/webhooks/deliveries', writer)).body.detail.required_scope, 'webhooks:read')
  const refused = await service.post(`/webhooks/deliveries/${all[0].id}/redeliver`, reader)
  assert.equal(refused.body.detail.required_scope, 'webhooks:write')
})

test('webhook deliveries: single read: attempts is empty before the first', async () => {
  const { body } = await service.get(`/webhooks/deliveries/${all[4].id}`, e.key)
  assert.deepEqual(body, { ...all[4], attempts: [] })
})

test('webhook deliveries: deliveries that came to wait while their endpoint was being disabled are canceled, not sent', async () => {
  const own = await endpoint()
  await emit(db, own.workspace, ['job.published'])
  await sequenceBatch(db)
  // what a sequencer leaves that read the endpoint as enabled a moment before
  await db.query(sql`
    update webhook_endpoints set enabled = false, disabled_at = app_now(), disabled_reason = 'manual'
    where id = ${own.id}::uuid`)
  await sending(async () => {
    await until('canceled', async () => (await list('status=canceled', own.key)).length === 1)
  })
  assert.equal(receiver.received.filter(r => r.path.includes(own.workspace)).length, 0)
})

test('webhook deliveries: event_expired: an event that is no longer retained is not sent', async () => {
  const own = await endpoint()
  await emit(db, own.workspace, ['job.published'])
  await sequenceBatch(db)
  await db.query(sql`delete from events where workspace_id = ${own.workspace}`)
  await sending(async () => {
    await until('failed', async () => (await list('status=failed', own.key)).length === 1)
  })
  const { body } = await service.get('/webhooks/deliveries', own.key)
  assert.equal(body.data[0].error, 'event_expired')
  const again = await service.post(`/webhooks/deliveries/${body.data[0].id}/redeliver`, own.key)
  assert.equal(again.status, 404)
})

test('webhook deliveries: retention: the log reaches back 30 days; what still waits stays', async () => {
  const own = await endpoint()
  await emit(db, own.workspace, ['job.published', 'job.closed'])
  await sequenceBatch(db)
  const [waiting, done] = await list('', own.key)
  await db.query(sql`update webhook_deliveries set status = 'delivered' where id = ${done}::uuid`)
  clock.advance(29 * 86_400_000)
  await pruneOnce(db)
  assert.equal((await list('', own.key)).length, 2)
  clock.advance(2 * 86_400_000)
  await pruneOnce(db)
  assert.deepEqual(await list('', own.key), [waiting])
  clock.reset()
})

test('webhook deliveries: a registration that races the revocation of its key leaves no endpoint enabled', async () => {
  for (let i = 0; i < 5; i++) {
    const { id: workspace, userEmail } = await service.workspace('enterprise')
    const key = await service.key({ workspace, userEmail })
    const url = (n: number) => `${receiver.url}/${workspace}/${n}`
    const creations = Array.from({ length: 6 }, (_, n) =>
      service.post('/webhooks/endpoints', key, { url: url(n), event_types: ['job.published'] }),
    )
    const responses = await Promise.all([...creations, revokeKey(db, key.id)])
    for (const response of responses.slice(0, 6) as TestResponse[])
      assert.ok([201, 401].includes(response.status), response.text)
    const enabled = await db.query(sql`select 1 from webhook_endpoints where key_id = ${key.id} and enabled`)
    assert.equal(enabled.length, 0)
  }
})

test('webhook deliveries: the machine’s own names: local ones from the hosts file, none for a name that does not exist', async () => {
  assert.ok((await resolveName('localhost', { local: true })).some(address => ['127.0.0.1', '::1'].includes(address)))
  assert.deepEqual(await resolveName('no-such-host.invalid', { local: false }), [])
})

/** Runs the sender for as long as `during` takes. */
async function sending(during: () => Promise<void>): Promise<void> {
  const stop = new AbortController()
  const running = deliverWebhooks(service.services).run(stop.signal)
  try {
    await during()
  } finally {
    stop.abort()
    await running
  }
}

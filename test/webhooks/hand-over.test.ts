import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import type { EventType } from '../../src/contract/events.ts'
import { deliverWebhooks } from '../../src/delivery/deliver-webhooks.ts'
import { claimDeliveries, readHandedOver, takeOverExpired } from '../../src/delivery/lease.ts'
import { FIRST_ENDPOINT, handOverCapacity } from '../../src/delivery/lease-store.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { type HandedOver, type HandOverOffer, senders } from '../../src/kernel/feed/hand-over.ts'
import { lockLogs, publish, selectOldest } from '../../src/kernel/feed/publish-batch.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { LEASE_SECONDS, returnHandOvers } from '../../src/resources/webhooks/index.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const receiver = await startReceiver()
const service = await startTestService(
  { ROLES: 'api', WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames() },
)
const { db } = service.services

async function register() {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const url = `${receiver.url}/${workspace}`
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.updated'] })
  assert.equal(made.status, 201, made.text)
  return {
    workspace,
    key,
    id: made.body.id as string,
    emit: (count: number) => emit(db, workspace, Array<EventType>(count).fill('job.updated')),
    received: () => receiver.received.filter(r => r.path.endsWith(workspace)),
    rows: () =>
      db
        .query(sql<{ id: string; status: string; attempt: number; lease_token: string | null }>`
        select id, status, attempt, lease_token, event_sequence from webhook_deliveries where workspace_id = ${workspace}
        union all
        select id, 'pending', 1, lease_token, event_sequence from webhook_handovers where workspace_id = ${workspace}
        order by event_sequence`)
        .then(rows => rows.map(({ id, status, attempt, lease_token }) => ({ id, status, attempt, lease_token }))),
  }
}

/** An offer that keeps what it gets. */
function offer(
  limits: { limit?: number; perEndpoint?: number; perQueue?: number; ended?: string[]; token?: string } = {},
) {
  const { limit = 100, perEndpoint = 4, perQueue = perEndpoint, ended = [], token = randomUUID() } = limits
  const got: HandedOver[][] = []
  const made: HandOverOffer = {
    token,
    leaseSeconds: LEASE_SECONDS,
    limit,
    perEndpoint: perQueue,
    capacity: handOverCapacity({ perEndpoint, perFastEndpoint: perEndpoint, perQueue, ended, token }),
    settle: async deliveries => void got.push([...deliveries]),
  }
  return { ...made, got }
}

/** Publishes everything that waits while a sender makes this offer. */
async function publishWith(made: ReturnType<typeof offer>): Promise<readonly HandedOver[]> {
  senders.set(db, () => made)
  try {
    await sequenceBatch(db)
  } finally {
    senders.delete(db)
  }
  assert.equal(made.got.length, 1)
  return made.got[0]!
}

const leases = async (e: Awaited<ReturnType<typeof register>>) =>
  (await e.rows()).filter(row => row.lease_token !== null).map(row => row.id)

test('webhook hand-over: the oldest deliveries of an endpoint are created with a lease and the number of their attempt, up to its limit', async () => {
  const e = await register()
  await e.emit(6)
  const made = offer()
  const handed = await publishWith(made)
  const rows = await e.rows()
  assert.deepEqual(
    rows.map(row => [row.status, row.attempt, row.lease_token]),
    [...Array(4).fill(['pending', 1, made.token]), ...Array(2).fill(['pending', 0, null])],
  )
  assert.deepEqual(
    handed.map(row => row.id),
    rows.slice(0, 4).map(row => row.id),
  )
  const log = await service.get('/webhooks/deliveries?limit=4', e.key)
  const more = await service.get(`/webhooks/deliveries?limit=4&cursor=${log.body.next_cursor}`, e.key)
  const listed: { id: string; status: string }[] = [...log.body.data, ...more.body.data]
  assert.deepEqual(listed.map(one => one.id).sort(), rows.map(row => row.id).sort(), 'the log has all of them')
  assert.ok(listed.every(one => one.status === 'pending'))
  const recovered = await service.post(`/webhooks/endpoints/${e.id}/recover`, e.key, { after: 0 })
  assert.equal(recovered.body.queued, 0, 'none is queued a second time')
  const again = await service.post(`/webhooks/deliveries/${rows[0]!.id}/redeliver`, e.key)
  assert.deepEqual([again.status, again.body.event_id], [202, handed[0]!.event_id])
  const { attempts } = (await service.get(`/webhooks/deliveries/${rows[0]!.id}`, e.key)).body
  assert.deepEqual([attempts.length, attempts[0].duration_ms], [1, null])
})

test('webhook hand-over: to an endpoint that is fast, more than may be in flight, unless another sender has leases of it', async () => {
  const [a, b, unknown] = [await register(), await register(), await register()]
  await db.query(sql`
    update webhook_endpoints set last_success_at = app_now(), last_attempt_ms = 20 where id in (${a.id}::uuid, ${b.id}::uuid)`)
  const token = randomUUID()
  await b.emit(1)
  assert.equal((await publishWith(offer())).length, 1)
  for (const e of [a, b, unknown]) await e.emit(9)
  const handed = await publishWith(offer({ perQueue: 8, token }))
  const countOf = (e: typeof a) => handed.filter(row => row.endpoint_id === e.id).length
  assert.deepEqual([countOf(a), countOf(b), countOf(unknown)], [8, 3, 4])
  await db.query(sql`delete from webhook_deliveries where workspace_id = ${a.workspace} and lease_token is null`)
  await a.emit(3)
  assert.equal((await publishWith(offer({ perQueue: 10, token }))).length, 2)
})

test('webhook hand-over: an endpoint with deliveries waiting gets none: they come first', async () => {
  const e = await register()
  await e.emit(1)
  await sequenceBatch(db)
  await e.emit(1)
  assert.deepEqual(await publishWith(offer()), [])
  assert.deepEqual(await leases(e), [])
})

test('webhook hand-over: leases count towards the limit of the endpoint, unless their attempts have ended; an expired one waits', async () => {
  const e = await register()
  await e.emit(3)
  const first = await publishWith(offer())
  assert.equal(first.length, 3)
  await e.emit(3)
  const second = await publishWith(offer({ ended: [first[0]!.id] }))
  assert.equal(second.length, 2)
  await db.query(sql`delete from webhook_deliveries where workspace_id = ${e.workspace} and lease_token is null`)
  clock.advance((LEASE_SECONDS + 1) * 1000)
  await e.emit(1)
  assert.deepEqual(await publishWith(offer()), [])
  clock.reset()
})

test('webhook hand-over: the first of every endpoint before the second of any, and nothing for a failing, slow or disabled one', async () => {
  const [a, b, failing, slow, disabled] = [
    await register(),
    await register(),
    await register(),
    await register(),
    await register(),
  ]
  await db.query(sql`update webhook_endpoints set consecutive_failures = 3 where id = ${failing.id}::uuid`)
  await db.query(sql`update webhook_endpoints set last_attempt_ms = 2001 where id = ${slow.id}::uuid`)
  await service.post(`/webhooks/endpoints/${disabled.id}/disable`, disabled.key)
  for (const e of [a, b, failing, slow, disabled]) await e.emit(3)
  const handed = await publishWith(offer({ limit: 4 }))
  const countOf = (e: typeof a) => handed.filter(row => row.endpoint_id === e.id).length
  // the failing and the slow one have a turn, which they cannot use
  assert.deepEqual([countOf(a), countOf(b), countOf(failing), countOf(slow), countOf(disabled)], [1, 1, 0, 0, 0])
  assert.deepEqual(await Promise.all([failing, slow, disabled].map(async e => (await e.rows()).length)), [3, 3, 0])
})

test('webhook hand-over: a transaction that fails hands over nothing', async () => {
  const e = await register()
  await e.emit(1)
  await db.query(sql`
    create function refuse_delivery() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`)
  await db.query(sql`
    create trigger refuse before insert on webhook_handovers for each row execute function refuse_delivery()`)
  const made = offer()
  try {
    await assert.rejects(publishWith(made), /not now/)
  } finally {
    await db.query(sql`drop trigger refuse on webhook_handovers`)
  }
  assert.deepEqual(made.got, [[]])
  assert.equal((await publishWith(offer())).length, 1)
})

test('webhook hand-over: of a process that died, another claims the delivery when the lease has expired, under the same number', async () => {
  await db.query(sql`delete from webhook_endpoints`)
  const e = await register()
  await e.emit(1)
  const [handed] = await publishWith(offer())
  const claim = { slow: false, perEndpoint: 9, perFastEndpoint: 9, limit: 100, after: FIRST_ENDPOINT, ended: [] }
  assert.equal((await claimDeliveries(db, claim)).deliveries.length, 0)
  await takeOverExpired(db)
  assert.deepEqual(await leases(e), [handed!.id], 'while the lease is valid')
  clock.advance((LEASE_SECONDS + 1) * 1000)
  await takeOverExpired(db)
  const [claimed] = (await claimDeliveries(db, claim)).deliveries
  clock.reset()
  const feed = await service.get('/events?type=job.updated', e.key)
  assert.deepEqual([claimed!.id, claimed!.attempt], [handed!.id, 1])
  assert.ok(feed.text.includes(claimed!.body!))
})

test('webhook hand-over: what is read for an attempt is what a claim reads', async () => {
  await db.query(sql`delete from webhook_endpoints`)
  const { id: home, userEmail } = await service.workspace('enterprise')
  const { id: workspace } = await service.workspace('enterprise')
  const key = await service.key({ workspace: home, userEmail, reach: [home, workspace] })
  const body = { url: `${receiver.url}/${workspace}`, event_types: ['job.updated'] }
  const made = await service.post(`/webhooks/endpoints?workspace_id=${workspace}`, key, body)
  const rotate = `/webhooks/endpoints/${made.body.id}/rotate-secret?workspace_id=${workspace}`
  assert.equal((await service.post(rotate, key, { overlap_seconds: 60 })).status, 200)
  await emit(db, workspace, ['job.updated'])
  const own = offer()
  const handedOver = await publishWith(own)
  const [handed] = await readHandedOver(db, db, handedOver, own.token)
  assert.ok(handed?.action === 'send')
  const read = handed.claimed
  const rows = handedOver.map(delivery => ({ ...delivery, lease_token: own.token }))
  await db.query(returnHandOvers({ rows, only: undefined }, 'pending'))
  const claim = { slow: false, perEndpoint: 9, perFastEndpoint: 9, limit: 100, after: FIRST_ENDPOINT, ended: [] }
  const [claimed] = (await claimDeliveries(db, claim)).deliveries
  for (const name of Object.keys(read) as (keyof typeof read)[]) {
    if (['lease_token', 'sent_at', 'unix_seconds'].includes(name)) continue
    assert.deepEqual(read[name], claimed![name], name)
  }
  assert.equal(read.secrets.length, 2)
  assert.equal(read.names_workspace, true)
})

/** A sender that runs, and the moment between the commit of deliveries that it was handed and their attempts. */
async function withSender(
  between: (stop: () => Promise<void>) => Promise<unknown>,
  e: { workspace: string },
  deliveries = 1,
) {
  const abort = new AbortController()
  const running = deliverWebhooks(service.services).run(abort.signal)
  const stop = async () => {
    abort.abort()
    await running
  }
  await until('the sender runs', () => senders.has(db))
  const made = senders.get(db)!()!
  try {
    const { handedOver } = await db.transaction(async tx => {
      await tx.query(lockLogs([e.workspace]))
      return publish(tx, selectOldest([e.workspace], 100), [e.workspace], 'own', made)
    })
    assert.equal(handedOver.length, deliveries)
    await between(stop)
    await made.settle(handedOver)
    return { stop }
  } catch (error) {
    await stop()
    throw error
  }
}

test('webhook hand-over: an endpoint disabled, or a key revoked or lowered, before the attempt: it gets nothing, and the delivery is canceled', async () => {
  const changes = [
    (e: Awaited<ReturnType<typeof register>>) => service.post(`/webhooks/endpoints/${e.id}/disable`, e.key),
    (e: Awaited<ReturnType<typeof register>>) => revokeKey(db, e.key.id),
    (e: Awaited<ReturnType<typeof register>>) =>
      db.query(sql`update api_keys set scopes = array['events:read', 'webhooks:read'] where id = ${e.key.id}`),
  ]
  for (const change of changes) {
    const e = await register()
    await e.emit(1)
    const { stop } = await withSender(() => change(e), e)
    await until('it is canceled', async () => (await e.rows())[0]!.status === 'canceled')
    await stop()
    assert.equal(e.received().length, 0)
  }
})

test('webhook hand-over: a sender that stops before the attempt releases the delivery', async () => {
  const e = await register()
  await e.emit(1)
  await withSender(stop => stop(), e)
  assert.deepEqual(
    (await e.rows()).map(({ id: _, ...row }) => row),
    [{ status: 'pending', attempt: 0, lease_token: null }],
  )
  assert.equal(e.received().length, 0)
})

test('webhook hand-over: disabled and enabled again: what was handed over before is canceled, and no attempt begins', async () => {
  const e = await register()
  await e.emit(2)
  const made = offer()
  const handed = await publishWith(made)
  for (const action of ['disable', 'enable'])
    assert.equal((await service.post(`/webhooks/endpoints/${e.id}/${action}`, e.key)).status, 200)
  assert.deepEqual(
    (await readHandedOver(db, db, handed, made.token)).map(one => one.action),
    ['drop', 'drop'],
  )
  assert.deepEqual(
    (await e.rows()).map(row => row.status),
    ['canceled', 'canceled'],
  )
})

test('webhook hand-over: no attempt begins if its lease could end before it', async () => {
  const e = await register()
  await e.emit(1)
  const made = offer()
  const handed = await publishWith(made)
  const read = async () => (await readHandedOver(db, db, handed, made.token)).map(one => one.action)
  assert.deepEqual(await read(), ['send'])
  clock.advance(LEASE_SECONDS * 500 + 1_000)
  assert.deepEqual(await read(), ['drop'])
})

test('webhook hand-over: taking over does not wait for a transaction that records a result', async () => {
  const e = await register()
  await e.emit(2)
  const [recorded] = await publishWith(offer())
  clock.advance((LEASE_SECONDS + 1) * 1000)
  await db.transaction(async tx => {
    await tx.query(sql`delete from webhook_handovers where id = ${recorded!.id}::uuid`)
    assert.equal(await takeOverExpired(db), true)
  })
  const rows = await e.rows()
  assert.deepEqual(
    rows.map(row => [row.id === recorded!.id, row.lease_token]),
    [[false, null]],
  )
})

/** An endpoint that is known to be fast has so many in flight over all processes. */
const MAX_IN_FLIGHT = 32
const fast = (e: { id: string }) =>
  db.query(sql`
    update webhook_endpoints set last_success_at = app_now(), last_attempt_ms = 20 where id = ${e.id}::uuid`)

test('webhook hand-over: what is beyond the limit of the endpoint waits for its turn, and no other sender claims it', async () => {
  await db.query(sql`delete from webhook_endpoints`)
  const e = await register()
  await fast(e)
  await e.emit(100)
  const { respond } = receiver
  const held: ServerResponse[] = []
  let most = 0
  receiver.respond = (_request, response) => void held.push(response)
  const { stop } = await withSender(async () => {}, e, 100)
  for (let ended = 0; ended < 100; ) {
    await until('attempts are in flight', () => held.length > 0)
    if (ended === 0) await until('the limit is reached', () => held.length === MAX_IN_FLIGHT)
    most = Math.max(most, held.length)
    const claim = { slow: false, perEndpoint: 9, perFastEndpoint: 9, limit: 100, after: FIRST_ENDPOINT, ended: [] }
    assert.deepEqual((await claimDeliveries(db, claim)).deliveries, [])
    for (const response of held.splice(0)) {
      response.end()
      ended++
    }
  }
  await until('all are recorded', async () => (await e.rows()).every(row => row.status === 'delivered'))
  await stop()
  receiver.respond = respond
  assert.ok(most <= MAX_IN_FLIGHT, `${most} in flight`)
  assert.equal(new Set(e.received().map(r => r.headers['service-delivery-id'])).size, 100)
  assert.equal(e.received().length, 100)
})

test('webhook hand-over: a sender that stops releases what is in flight and what waits for its turn', async () => {
  const e = await register()
  await fast(e)
  await e.emit(50)
  const { respond } = receiver
  receiver.respond = () => {}
  const { stop } = await withSender(async () => {}, e, 50)
  await until('the limit is reached', () => e.received().length === MAX_IN_FLIGHT)
  await stop()
  receiver.respond = respond
  const rows = await e.rows()
  assert.equal(rows.length, 50)
  for (const { id: _, ...row } of rows) assert.deepEqual(row, { status: 'pending', attempt: 0, lease_token: null })
})

test('webhook hand-over: an endpoint that became slow before the attempt: the delivery is released, and claimed by the slow lane', async () => {
  const e = await register()
  await e.emit(1)
  const { stop } = await withSender(
    () => db.query(sql`update webhook_endpoints set last_attempt_ms = 2001 where id = ${e.id}::uuid`),
    e,
  )
  await until('it is delivered', async () => (await e.rows())[0]!.status === 'delivered')
  await stop()
  assert.equal(e.received().length, 1)
})

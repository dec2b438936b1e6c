import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { HandOverSource, type HandOverStore, MAX_QUEUED } from '../../src/delivery/hand-over-source.ts'
import { FAST_LANE } from '../../src/delivery/lanes.ts'
import type { ReadHandedOver } from '../../src/delivery/lease.ts'
import type { LeasedDelivery } from '../../src/delivery/states.ts'
import type { HandedOver } from '../../src/kernel/feed/hand-over.ts'
import { LEASE_SECONDS } from '../../src/resources/webhooks/index.ts'
import { heldAttempts, inFlight, leased, settled, several } from './setup.ts'

type Read = ReadHandedOver<LeasedDelivery>

const send = (delivery: LeasedDelivery, isFast = true): Read => ({
  delivery,
  action: 'send',
  claimed: inFlight(delivery.endpoint_id, delivery.event_sequence, 'handed over'),
  isFast,
})

/** A source whose store notes what is returned, and reads each delivery as `read` says. */
function sourceOf(t: TestContext, read: (delivery: LeasedDelivery) => Read = delivery => send(delivery)) {
  const held = heldAttempts(t)
  const returned: string[] = []
  const claims = { expected: 0, expect: () => void claims.expected++ }
  const store: HandOverStore = {
    readHandedOver: async deliveries => deliveries.map(read),
    returnHandOvers: async (leases, as) => {
      assert.ok(leases.every(({ lease_token }) => lease_token === source.token))
      returned.push(`${as}: ${leases.map(({ id }) => id).join(' ')}`)
    },
    takeOverExpired: async () => false,
  }
  const source = new HandOverSource(store, { attempts: held.attempts, claims, pace: held.pace, log: held.log })
  const lease = async (...deliveries: HandedOver[]) => source.offer()!.settle(deliveries)
  return { ...held, source, store, claims, returned, lease }
}

test('webhook hand-over source: an offer has the lease and the free space of the queue, and reserves it until it is settled', async t => {
  const { source, pace } = sourceOf(t)
  const offer = source.offer()!
  assert.deepEqual(
    [offer.token, offer.leaseSeconds, offer.limit, offer.perEndpoint],
    [source.token, LEASE_SECONDS, MAX_QUEUED, MAX_QUEUED],
  )
  assert.equal(source.offer(), undefined)
  await offer.settle([])
  assert.equal(pace.queuedCount, 0)
  const next = source.offer()!
  assert.equal(next.limit, MAX_QUEUED)
  await next.settle([leased('a', 1), leased('a', 2)])
  assert.equal(pace.queuedCount, 1)
  assert.equal(source.offer()!.limit, MAX_QUEUED - 2)
})

test('webhook hand-over source: a crowded lane takes no more of an endpoint than may be in flight, a full lane takes nothing', t => {
  const { source, attempts } = sourceOf(t)
  for (const delivery of several(256, n => inFlight('a', n))) attempts.begin(delivery, FAST_LANE)
  assert.equal(source.offer()!.perEndpoint, 4)
  for (const delivery of several(256, n => inFlight('b', n))) attempts.begin(delivery, FAST_LANE)
  assert.equal(source.offer(), undefined)
})

test('webhook hand-over source: what is leased begins in turn, of a fast endpoint up to its limit; the rest waits', async t => {
  const { source, lease, begun, end, returned } = sourceOf(t)
  await lease(...several(40, n => leased('a', n)), leased('b', 0))
  assert.equal(await source.begin(), 33)
  assert.deepEqual(begun().slice(0, 3), ['a0', 'b0', 'a1'])
  assert.equal(await source.begin(), 0)
  await end('a0')
  assert.equal(await source.begin(), 1, 'an attempt that ended frees capacity before it is recorded')
  assert.equal(begun().at(-1), 'a32')
  assert.deepEqual(returned, [])
})

test('webhook hand-over source: a round begins with half of the free capacity, for the rest is for claims', async t => {
  const { source, lease, attempts } = sourceOf(t)
  for (const delivery of several(200, n => inFlight('x', n))) attempts.begin(delivery, FAST_LANE)
  await lease(...several(400, n => leased(`e${n}-`, 0)))
  assert.equal(await source.begin(), 156)
})

test('webhook hand-over source: an endpoint that is not known to be fast has its lower limit, and the others keep their order', async t => {
  const { source, lease, begun, end } = sourceOf(t, delivery => send(delivery, false))
  await lease(...several(20, n => leased('a', n)))
  assert.equal(await source.begin(), 16)
  await end('a0')
  await end('a1')
  assert.equal(await source.begin(), 2)
  assert.deepEqual(begun().slice(-2), ['a16', 'a17'])
})

test('webhook hand-over source: what may not be sent is released or canceled; what lost its lease is left alone', async t => {
  const actions = { a: 'release', b: 'cancel', c: 'drop' } as const
  const { source, lease, returned, begun, claims } = sourceOf(t, delivery =>
    delivery.endpoint_id === 'd'
      ? send(delivery)
      : { delivery, action: actions[delivery.endpoint_id as keyof typeof actions] },
  )
  await lease(leased('a', 0), leased('b', 0), leased('c', 0), leased('d', 0))
  assert.equal(await source.begin(), 1)
  assert.deepEqual([begun(), returned, claims.expected], [['d0'], ['pending: a0', 'canceled: b0'], 2])
})

test('webhook hand-over source: what has waited for more than five seconds is released unread', async t => {
  const { time, source, lease, returned, begun, attempts } = sourceOf(t)
  for (const delivery of several(32, n => inFlight('a', 100 + n))) attempts.begin(delivery, FAST_LANE)
  await lease(leased('a', 0))
  time.advance(2_000)
  await lease(leased('a', 1))
  time.advance(3_001)
  assert.equal(await source.begin(), 0)
  assert.deepEqual([returned, begun().length], [['pending: a0'], 32])
})

test('webhook hand-over source: what cannot be read is released, and the error ends the round', async t => {
  const { source, lease, store, returned } = sourceOf(t)
  store.readHandedOver = async () => {
    throw new Error('unavailable')
  }
  await lease(leased('a', 0))
  await assert.rejects(source.begin(), /unavailable/)
  assert.deepEqual(returned, ['pending: a0'])
})

test('webhook hand-over source: what cannot be released is logged: its lease expires', async t => {
  const { source, lease, store, messages, claims } = sourceOf(t)
  store.returnHandOvers = async () => {
    throw new Error('unavailable')
  }
  await lease(leased('a', 0))
  await source.close()
  assert.deepEqual([messages, claims.expected], [['webhook deliveries were not released'], 0])
})

test('webhook hand-over source: closed, it releases what waits and what is still handed over to it', async t => {
  const { source, lease, returned, begun } = sourceOf(t)
  const late = source.offer()!
  await late.settle([])
  await lease(leased('a', 0))
  const open = source.offer()!
  await source.close()
  await open.settle([leased('a', 1)])
  assert.deepEqual([returned, begun()], [['pending: a0', 'pending: a1'], []])
})

test('webhook hand-over source: takes over from processes that died in the background, once at a time', async t => {
  const { source, store, claims, pace, messages } = sourceOf(t)
  let calls = 0
  let finish: (found: boolean) => void = () => {}
  store.takeOverExpired = () => {
    calls++
    return new Promise(resolve => {
      finish = resolve
    })
  }
  source.takeOver()
  source.takeOver()
  assert.equal(calls, 1)
  finish(true)
  await source.ended()
  assert.deepEqual([claims.expected, pace.queuedCount], [1, 1])
  source.takeOver()
  finish(false)
  await source.ended()
  assert.deepEqual([calls, claims.expected, pace.queuedCount], [2, 1, 1])
  store.takeOverExpired = async () => {
    throw new Error('unavailable')
  }
  source.takeOver()
  await settled()
  assert.deepEqual(messages, ['taking over webhook deliveries failed'])
})

import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ClaimSource } from '../../src/delivery/claim-source.ts'
import { FAST_LANE } from '../../src/delivery/lanes.ts'
import type { ClaimResult } from '../../src/delivery/lease.ts'
import { type Claim, FIRST_ENDPOINT } from '../../src/delivery/lease-store.ts'
import { heldAttempts, inFlight, several } from './setup.ts'

const NOTHING: ClaimResult = { deliveries: [], after: FIRST_ENDPOINT, reachedEnd: true, foundAny: false }
const cursor = (endpoint: string) => ({ workspace: 'w', endpoint })

/** A source whose claims find these, one after the other, and then nothing. */
function sourceOf(t: TestContext, ...results: Partial<ClaimResult>[]) {
  const held = heldAttempts(t)
  const claims: Claim[] = []
  const store = {
    retries: 0,
    readyRetries: async () => void store.retries++,
    claim: async (claim: Claim) => {
      claims.push(claim)
      return { ...NOTHING, ...results.shift() }
    },
  }
  return { ...held, store, claims, source: new ClaimSource(store, held.attempts) }
}

test('webhook claims: what is claimed begins, in its lane', async t => {
  const { source, claims, attempts, begun } = sourceOf(
    t,
    { deliveries: [inFlight('a', 1), inFlight('b', 1)], foundAny: true },
    { deliveries: [inFlight('c', 1)], foundAny: true },
  )
  assert.equal(await source.begin(), 3)
  assert.deepEqual(begun(), ['a1', 'b1', 'c1'])
  assert.deepEqual(
    claims.map(({ slow, limit, perEndpoint, perFastEndpoint }) => ({ slow, limit, perEndpoint, perFastEndpoint })),
    [
      { slow: false, limit: 256, perEndpoint: 16, perFastEndpoint: 32 },
      { slow: true, limit: 128, perEndpoint: 2, perFastEndpoint: 2 },
    ],
  )
  assert.equal(attempts.freeIn(FAST_LANE), 510)
})

test('webhook claims: when nothing waits, none follows until something is expected or retries are ready', async t => {
  const { time, source, claims, store } = sourceOf(t)
  const begin = async () => {
    const before = claims.length
    time.advance(1_000)
    await source.begin()
    return claims.length - before
  }
  assert.deepEqual([await begin(), source.mayFind, await begin()], [2, false, 0])
  source.expect()
  assert.deepEqual([await begin(), await begin()], [2, 0])
  await source.readyRetries()
  assert.deepEqual([store.retries, await begin(), await begin()], [1, 2, 0])
})

test('webhook claims: while endpoints wait that have reached their limits, a claim follows', async t => {
  const { source } = sourceOf(t, { foundAny: true })
  assert.equal(await source.begin(), 0)
  assert.equal(source.mayFind, true)
})

test('webhook claims: the slow lane is claimed every 200 ms, the fast lane in every round', async t => {
  const { time, source, claims } = sourceOf(t)
  const lanes = async (afterMs: number) => {
    time.advance(afterMs)
    source.expect()
    await source.begin()
    return claims.splice(0).map(({ slow }) => (slow ? 'slow' : 'fast'))
  }
  assert.deepEqual(await lanes(0), ['fast', 'slow'])
  assert.deepEqual(await lanes(199), ['fast'])
  assert.deepEqual(await lanes(1), ['fast', 'slow'])
})

test('webhook claims: each lane scans all endpoints once, from where its last claim ended, until it finds a delivery', async t => {
  const { source, claims } = sourceOf(
    t,
    // the fast lane: nothing in the first endpoints, then one
    { after: cursor('e500'), reachedEnd: false, foundAny: true },
    { deliveries: [inFlight('a', 1)], after: cursor('e600'), reachedEnd: false, foundAny: true },
    // the slow lane
    {},
    // the fast lane again: to the end, and from the start
    { after: FIRST_ENDPOINT, reachedEnd: true, foundAny: true },
    { after: cursor('e500'), reachedEnd: false, foundAny: true },
    { after: FIRST_ENDPOINT, reachedEnd: true, foundAny: true },
  )
  const starts = () =>
    claims.splice(0).map(({ slow, after }) => `${slow ? 'slow' : 'fast'} ${after.endpoint.slice(0, 4)}`)
  assert.equal(await source.begin(), 1)
  assert.deepEqual(starts(), ['fast 0000', 'fast e500', 'slow 0000'])
  assert.equal(await source.begin(), 0)
  assert.deepEqual(starts(), ['fast e600', 'fast 0000', 'fast e500'])
})

test('webhook claims: a claim names the deliveries that ended and are not recorded yet', async t => {
  const { source, claims, end } = sourceOf(t, { deliveries: [inFlight('a', 1), inFlight('a', 2)], foundAny: true })
  await source.begin()
  await end('a2')
  await source.begin()
  assert.deepEqual(claims.at(-1)!.ended, ['a2'])
})

test('webhook claims: the fuller the lane, the fewer attempts has each endpoint', async t => {
  const { source, claims, attempts } = sourceOf(t)
  const limits: unknown[] = []
  for (const { used, from } of [
    { used: 255, from: 0 },
    { used: 256, from: 255 },
    { used: 384, from: 256 },
  ]) {
    for (const delivery of several(used - from, n => inFlight(`e${from}-`, n))) attempts.begin(delivery, FAST_LANE)
    source.expect()
    await source.begin()
    const { limit, perEndpoint, perFastEndpoint } = claims.findLast(({ slow }) => !slow)!
    limits.push([limit, perEndpoint, perFastEndpoint])
  }
  assert.deepEqual(limits, [
    [256, 16, 32],
    [256, 4, 4],
    [128, 1, 1],
  ])
})

test('webhook claims: a full lane claims nothing, and the next round follows when a result is recorded', async t => {
  const { source, claims, attempts, end, record, pace } = sourceOf(t)
  for (const delivery of several(512, n => inFlight('a', n))) attempts.begin(delivery, FAST_LANE)
  await source.begin()
  assert.deepEqual([claims.map(({ slow }) => slow), source.mayFind], [[true], true])
  await end('a1')
  await record('a1')
  assert.equal(pace.queuedCount, 1)
})

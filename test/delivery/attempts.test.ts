import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_UNRECORDED } from '../../src/delivery/attempts.ts'
import { FAST_LANE, SLOW_LANE } from '../../src/delivery/lanes.ts'
import { heldAttempts, inFlight, settled, several } from './setup.ts'

test('webhook attempts: one uses capacity of its own lane, and of its endpoint, until it has ended', async t => {
  const { attempts, end, record, pace, outcomes } = heldAttempts(t)
  attempts.begin(inFlight('a', 1), FAST_LANE)
  attempts.begin(inFlight('b', 1), SLOW_LANE)
  assert.deepEqual([attempts.freeIn(FAST_LANE), attempts.freeIn(SLOW_LANE)], [511, 127])
  assert.equal(attempts.countInFlight(), 2)
  assert.deepEqual(
    [...attempts.usage().inUse],
    [
      ['a', 1],
      ['b', 1],
    ],
  )

  await end('a1')
  assert.deepEqual([attempts.freeIn(FAST_LANE), attempts.countInFlight()], [512, 1])
  assert.deepEqual(
    attempts.usage(),
    { inUse: new Map([['b', 1]]), ended: ['a1'] },
    'its lease holds until it is recorded',
  )
  assert.deepEqual([pace.endedCount, outcomes], [1, ['delivered']])

  await record('a1')
  assert.deepEqual(attempts.usage().ended, [])
  assert.equal(pace.endedCount, 1, 'it ends once')
})

test('webhook attempts: after two seconds one uses capacity of the slow lane, and none of the fast lane', t => {
  const { time, attempts } = heldAttempts(t)
  attempts.begin(inFlight('a', 1), FAST_LANE)
  attempts.begin(inFlight('b', 1), SLOW_LANE)
  time.advance(1_999)
  assert.equal(attempts.freeIn(FAST_LANE), 511)
  time.advance(1)
  assert.deepEqual([attempts.freeIn(FAST_LANE), attempts.freeIn(SLOW_LANE)], [512, 127])
})

test('webhook attempts: at most 2,048 are in flight or not recorded, however slow they are', async t => {
  const { time, attempts, end, record } = heldAttempts(t)
  for (let i = 0; i < 4; i++) {
    for (const delivery of several(500, n => inFlight(`e${i}-`, n))) attempts.begin(delivery, FAST_LANE)
    time.advance(2_001)
  }
  assert.equal(attempts.freeIn(FAST_LANE), 48)
  await end('e0-1')
  assert.equal(attempts.freeIn(FAST_LANE), 48)
  await record('e0-1')
  assert.equal(attempts.freeIn(FAST_LANE), 49)
})

test('webhook attempts: results that wait to be recorded count towards the limit of their endpoint beyond 128', async t => {
  const { attempts, end, record, pace } = heldAttempts(t)
  const deliveries = several(MAX_UNRECORDED + 2, n => inFlight('a', n))
  for (const delivery of deliveries) attempts.begin(delivery, FAST_LANE)
  for (const { id } of deliveries) await end(id)
  const { inUse, ended } = attempts.usage()
  assert.deepEqual([inUse.get('a'), ended.length], [2, MAX_UNRECORDED])

  await record('a0')
  assert.equal(pace.queuedCount, 1, 'attempts were held back: the next round follows')
  attempts.beginRound()
  await record('a1')
  await record('a2')
  assert.equal(pace.queuedCount, 1)
  attempts.holdBack()
  await record('a3')
  assert.equal(pace.queuedCount, 2)
})

test('webhook attempts: the result has the lease of its delivery, and the verdict of its attempt', async t => {
  const { time, attempts, end, recording, outcomes } = heldAttempts(t)
  attempts.begin({ ...inFlight('a', 1, 'token'), attempt: 10 }, FAST_LANE)
  time.advance(40.4)
  await end('a1', { error: 'http_status', responseStatus: 503, retryAfterSeconds: 7, response: null })
  assert.deepEqual(recording.get('a1')!.ended, {
    workspace_id: 'w',
    id: 'a1',
    attempt: 10,
    endpointId: 'a',
    leaseToken: 'token',
    sentAt: '2026-11-01T00:00:00Z',
    attemptError: 'http_status',
    responseStatus: 503,
    durationMs: 40,
    response: null,
    status: 'failed',
    error: 'event_expired',
    delaySeconds: null,
    gone: false,
  })
  assert.deepEqual(outcomes, ['http_status'])
})

test('webhook attempts: a result that cannot be recorded is logged, and its capacity is free: the lease expires', async t => {
  const { attempts, end, recording, messages } = heldAttempts(t)
  attempts.begin(inFlight('a', 1), FAST_LANE)
  await end('a1')
  recording.get('a1')!.reject(new Error('unavailable'))
  await settled()
  assert.deepEqual(messages, ['the result of a webhook attempt was not recorded'])
  assert.deepEqual(attempts.usage(), { inUse: new Map(), ended: [] })
})

test('webhook attempts: stop waits no longer than for the last of them', async t => {
  const { attempts, end, record } = heldAttempts(t)
  attempts.begin(inFlight('a', 1), FAST_LANE)
  const stopped = attempts.stop(60_000)
  await end('a1')
  await record('a1')
  assert.deepEqual(await stopped, [])
  assert.deepEqual(await attempts.stop(60_000), [])
})

test('webhook attempts: stop cancels and returns those that have not ended in time, and records no result of them', async t => {
  const { attempts, end, record, recording, outcomes } = heldAttempts(t)
  const [quick, slow] = [inFlight('a', 1), inFlight('b', 1)]
  attempts.begin(quick, FAST_LANE)
  attempts.begin(slow, SLOW_LANE)
  const stopped = attempts.stop(20)
  await end('a1')
  await record('a1')
  assert.deepEqual(await stopped, [slow])
  assert.deepEqual([[...recording.keys()], outcomes], [['a1'], ['delivered']])
  assert.equal(attempts.countInFlight(), 0)
})

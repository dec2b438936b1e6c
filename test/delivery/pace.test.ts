import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { CLAIM_EVERY_MS, ClaimPace } from '../../src/delivery/pace.ts'
import { stopClock } from './setup.ts'

/** A pace whose clock and timers a test moves together. */
function start(t: TestContext) {
  const time = stopClock(t)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let wakes = 0
  const pace = new ClaimPace(() => void wakes++)
  const wakesAfter = (ms: number) => {
    time.advance(ms)
    t.mock.timers.tick(ms)
    return wakes
  }
  const claim = (count: number, inFlight = count) => {
    pace.begin()
    pace.end(count, inFlight)
  }
  return { pace, claim, wakesAfter }
}

test('webhook pace: after a claim that found nothing, what is queued is claimed immediately', t => {
  const { pace, claim, wakesAfter } = start(t)
  claim(0)
  pace.queued()
  assert.equal(wakesAfter(0), 1)
})

test('webhook pace: after a claim that found something, what is queued waits a moment, and for one timer', t => {
  const { pace, claim, wakesAfter } = start(t)
  claim(3)
  for (let i = 0; i < 10; i++) pace.queued()
  assert.equal(wakesAfter(CLAIM_EVERY_MS - 1), 0)
  assert.equal(wakesAfter(1), 1)
  claim(3)
  assert.equal(wakesAfter(CLAIM_EVERY_MS), 1)
  pace.queued()
  assert.equal(wakesAfter(0), 2, 'the moment is over')
})

test('webhook pace: the next claim follows immediately when half of those in flight have ended', t => {
  const { pace, claim, wakesAfter } = start(t)
  claim(5)
  pace.ended()
  pace.ended()
  assert.equal(wakesAfter(0), 0)
  pace.ended()
  assert.equal(wakesAfter(0), 1)
})

test('webhook pace: one attempt that ended is followed by a claim after a moment', t => {
  const { pace, claim, wakesAfter } = start(t)
  claim(100)
  pace.ended()
  assert.equal(wakesAfter(CLAIM_EVERY_MS - 1), 0)
  assert.equal(wakesAfter(1), 1)
})

test('webhook pace: attempts that end during a claim count when it has ended', t => {
  const { pace, wakesAfter } = start(t)
  pace.begin()
  pace.ended()
  pace.ended()
  assert.equal(wakesAfter(0), 0)
  pace.end(4, 4)
  assert.equal(wakesAfter(0), 1)
})

test('webhook pace: closed, no timer is left', t => {
  const { pace, claim, wakesAfter } = start(t)
  claim(1, 9)
  pace.ended()
  pace.close()
  assert.equal(wakesAfter(CLAIM_EVERY_MS), 0)
})

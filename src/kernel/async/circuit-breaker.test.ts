import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CircuitBreaker, CircuitOpenError } from './circuit-breaker.ts'

const fails = async () => {
  throw new Error('down')
}

test('circuit breaker: so many failures in a row open it; a success in between starts again', async () => {
  const breaker = new CircuitBreaker({ failures: 2, openMs: 3_600_000 })
  await assert.rejects(breaker.run(fails), /down/)
  assert.equal(await breaker.run(async () => 1), 1)
  await assert.rejects(breaker.run(fails), /down/)
  await assert.rejects(breaker.run(fails), /down/)
  let called = false
  const call = breaker.run(async () => {
    called = true
  })
  await assert.rejects(call, error => error instanceof CircuitOpenError && error.retryAfterSeconds === 3_600)
  assert.equal(called, false)
  assert.throws(() => breaker.assertClosed(), CircuitOpenError)
})

test('circuit breaker: when its time is over one call is let through; its result decides', async () => {
  const breaker = new CircuitBreaker({ failures: 1, openMs: 0 })
  await assert.rejects(breaker.run(fails), /down/)
  const { promise, reject } = Promise.withResolvers<never>()
  const trial = breaker.run(() => promise)
  await assert.rejects(
    breaker.run(async () => 1),
    CircuitOpenError,
  )
  reject(new Error('still down'))
  await assert.rejects(trial, /still down/)
  assert.equal(await breaker.run(async () => 2), 2)
  assert.deepEqual(await Promise.all([1, 2].map(n => breaker.run(async () => n))), [1, 2])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BoundedQueue, QueueFullError } from './bounded-queue.ts'

/** Work that ends when the test ends it. */
function work() {
  const gate = Promise.withResolvers<void>()
  return { run: () => gate.promise, end: () => gate.resolve() }
}

const tick = () => new Promise(setImmediate)

test('bounded queue: runs a few at the same time, queues a few more, refuses the rest; serves in order', async () => {
  const queue = new BoundedQueue({ concurrency: 2, capacity: 4, timeoutMs: 60_000, retryAfterSeconds: 5 })
  const jobs = Array.from({ length: 8 }, work)
  const ended: number[] = []
  const runs = jobs.map((job, i) => queue.run({ from: `address ${i}` }, job.run).then(() => ended.push(i)))
  for (const run of runs.slice(6)) {
    await assert.rejects(run, (error: unknown) => error instanceof QueueFullError && error.retryAfterSeconds === 5)
  }
  for (const job of jobs) job.end()
  await Promise.all(runs.slice(0, 6))
  assert.deepEqual(ended, [0, 1, 2, 3, 4, 5])
  assert.equal(await queue.run({ from: 'x' }, async () => 'free again'), 'free again')
})

test('bounded queue: one caller has half the capacity at most', async () => {
  const queue = new BoundedQueue({ concurrency: 1, capacity: 4, timeoutMs: 60_000, retryAfterSeconds: 5 })
  const job = work()
  const runs = Array.from({ length: 4 }, () => queue.run({ from: 'one' }, job.run))
  await assert.rejects(runs[3]!, QueueFullError)
  const others = ['two', 'three'].map(from => queue.run({ from }, job.run))
  await assert.rejects(queue.run({ from: 'four' }, job.run), QueueFullError)
  job.end()
  await Promise.all([...runs.slice(0, 3), ...others])
})

test('bounded queue: callers without a name share the whole capacity', async () => {
  const queue = new BoundedQueue({ concurrency: 1, capacity: 4, timeoutMs: 60_000, retryAfterSeconds: 5 })
  const job = work()
  const runs = Array.from({ length: 6 }, () => queue.run({}, job.run))
  await assert.rejects(runs[5]!, QueueFullError)
  job.end()
  await Promise.all(runs.slice(0, 5))
})

test('bounded queue: known callers are served first, and admitted when the queue of the others is full', async () => {
  const queue = new BoundedQueue({ concurrency: 1, capacity: 2, timeoutMs: 60_000, retryAfterSeconds: 5 })
  const job = work()
  const order: string[] = []
  const enter = (from: string, known: boolean) => queue.run({ from, known }, job.run).then(() => order.push(from))
  const runs = [enter('running', false), enter('stranger 1', false), enter('stranger 2', false)]
  await assert.rejects(enter('stranger 3', false), QueueFullError)
  runs.push(enter('known', true))
  job.end()
  await Promise.all(runs)
  assert.deepEqual(order, ['running', 'known', 'stranger 1', 'stranger 2'])
})

test('bounded queue: work that waited for the timeout is refused and never starts', async () => {
  const queue = new BoundedQueue({ concurrency: 1, capacity: 2, timeoutMs: 5, retryAfterSeconds: 5 })
  const job = work()
  const first = queue.run({ from: 'a' }, job.run)
  let begun = false
  const late = queue.run({ from: 'b' }, async () => {
    begun = true
  })
  await assert.rejects(late, QueueFullError)
  job.end()
  await first
  assert.equal(begun, false)
  assert.equal(await queue.run({ from: 'c' }, async () => 'next'), 'next')
})

test('bounded queue: failed work rejects its caller only and frees its slot', async () => {
  const queue = new BoundedQueue({ concurrency: 1, capacity: 2, timeoutMs: 60_000, retryAfterSeconds: 5 })
  const bad = queue.run({ from: 'a' }, async () => {
    throw new Error('mine')
  })
  const good = queue.run({ from: 'b' }, async () => 'fine')
  await assert.rejects(bad, /mine/)
  assert.equal(await good, 'fine')
})

test('bounded queue: in any order never more at the same time than the concurrency, every caller settled', async () => {
  const sizes = { concurrency: fc.integer({ min: 1, max: 3 }), capacity: fc.integer({ min: 1, max: 6 }) }
  const callers = fc.array(fc.record({ from: fc.constantFrom('a', 'b', 'c'), known: fc.boolean() }), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(fc.record(sizes), callers, async ({ concurrency, capacity }, who) => {
      const queue = new BoundedQueue({ concurrency, capacity, timeoutMs: 60_000, retryAfterSeconds: 1 })
      let running = 0
      const outcomes = await Promise.allSettled(
        who.map((caller, i) =>
          queue.run(caller, async () => {
            assert.ok(++running <= concurrency)
            for (let left = i % 3; left > 0; left--) await tick()
            running--
          }),
        ),
      )
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof QueueFullError, outcome.reason)
      }
      assert.equal(running, 0)
    }),
    { numRuns: 50 },
  )
})

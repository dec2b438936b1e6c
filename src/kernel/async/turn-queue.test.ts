import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueueFullError } from './bounded-queue.ts'
import { TurnQueue } from './turn-queue.ts'

/** A queue whose tasks end on demand; `begun` names them in the order in which they began. */
function queueOf(concurrency: number, capacity = 10) {
  const queue = new TurnQueue({ concurrency, capacity, retryAfterSeconds: 5 })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (caller: string, name: string) =>
    queue.run(caller, () => {
      begun.push(name)
      const { promise, resolve } = Promise.withResolvers<void>()
      ends.set(name, resolve)
      return promise
    })
  const end = async (name: string) => {
    ends.get(name)!()
    await new Promise(setImmediate)
  }
  return { add, begun, end }
}

test('turn queue: callers take turns, however much one of them has to do', async () => {
  const { add, begun, end } = queueOf(1)
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(name => add(name[0]!, name))
  await new Promise(setImmediate)
  for (let i = 0; i < all.length; i++) await end(begun[i]!)
  await Promise.all(all)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('turn queue: one task of a caller runs at a time, although others could', async () => {
  const { add, begun, end } = queueOf(2)
  const all = ['a1', 'a2', 'b1'].map(name => add(name[0]!, name))
  await new Promise(setImmediate)
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('b1')
  assert.deepEqual(begun, ['a1', 'b1'])
  await end('a1')
  assert.deepEqual(begun, ['a1', 'b1', 'a2'])
  await end('a2')
  await Promise.all(all)
})

test('turn queue: a caller with too many waiting is refused, others are not; a failure ends a turn', async () => {
  const { add, begun, end } = queueOf(1, 1)
  const first = add('a', 'a1')
  const second = add('a', 'a2')
  await assert.rejects(add('a', 'a3'), QueueFullError)
  const other = add('b', 'b1')
  await new Promise(setImmediate)
  await end('a1')
  await end(begun[1]!)
  await end(begun[2]!)
  await Promise.all([first, second, other])
  const queue = new TurnQueue({ concurrency: 1, capacity: 1, retryAfterSeconds: 1 })
  await assert.rejects(
    queue.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  assert.equal(await queue.run('a', () => Promise.resolve(1)), 1)
})

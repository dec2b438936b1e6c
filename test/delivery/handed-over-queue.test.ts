import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HandedOverQueue } from '../../src/delivery/handed-over-queue.ts'
import type { LeasedDelivery } from '../../src/delivery/states.ts'

const delivery = (endpoint_id: string, n: number): LeasedDelivery => ({
  workspace_id: 'w',
  id: `${endpoint_id}${n}`,
  endpoint_id,
  event_id: '',
  event_type: 'job.updated',
  event_sequence: n,
  sent_at: '',
  offeredAt: n,
})

function filled(counts: Record<string, number>): HandedOverQueue {
  const queue = new HandedOverQueue()
  for (const [endpoint, count] of Object.entries(counts))
    queue.add(Array.from({ length: count }, (_, n) => delivery(endpoint, n)))
  return queue
}

const ids = (taken: readonly LeasedDelivery[]) => taken.map(({ id }) => id).join(' ')

test('webhook queue: the first of every endpoint before the second of any, the oldest first', () => {
  const queue = filled({ a: 4, b: 1, c: 2 })
  assert.equal(ids(queue.take(5, () => 9)), 'a0 b0 c0 a1 c1')
  assert.equal(ids(queue.take(5, () => 9)), 'a2 a3')
  assert.equal(queue.size, 0)
})

test('webhook queue: endpoints that had no turn are the next', () => {
  const queue = filled({ a: 2, b: 2, c: 2 })
  assert.equal(ids(queue.take(2, () => 9)), 'a0 b0')
  assert.equal(ids(queue.take(2, () => 9)), 'c0 a1')
  assert.equal(ids(queue.take(2, () => 9)), 'b1 c1')
})

test('webhook queue: of an endpoint as many as are allowed', () => {
  const queue = filled({ a: 9, b: 9, c: 9 })
  const allowed = new Map([
    ['a', 2],
    ['b', -1],
  ])
  assert.equal(ids(queue.take(5, endpoint => allowed.get(endpoint) ?? 1)), 'a0 c0 a1')
  assert.equal(queue.size, 24)
})

test('webhook queue: what is put back comes first, and what was offered too long ago is taken out', () => {
  const queue = filled({ a: 3, b: 2 })
  queue.putBack(queue.take(3, () => 9))
  assert.equal(queue.size, 5)
  assert.equal(ids(queue.takeOffered(1)).split(' ').sort().join(' '), 'a0 b0')
  assert.equal(queue.size, 3)
  assert.equal(
    ids(queue.take(9, () => 9))
      .split(' ')
      .sort()
      .join(' '),
    'a1 a2 b1',
  )
  assert.equal(ids(queue.takeOffered(Number.POSITIVE_INFINITY)), '')
  assert.equal(queue.size, 0)
})

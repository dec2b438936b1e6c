import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clock } from '../time/clock.ts'
import { runCooperatively } from './cooperative.ts'

test('runCooperatively: returns the result and lets other tasks run between the steps', async () => {
  let others = 0
  const more = () => {
    others++
    if (others < 1_000) setImmediate(more)
  }
  setImmediate(more)
  function* work() {
    for (const until = clock.monotonic() + 20; clock.monotonic() < until; ) yield
    return 'done'
  }
  assert.equal(await runCooperatively(work()), 'done')
  assert.ok(others > 0)
  others = 1_000
})

test('work in steps: what it throws is thrown', async () => {
  // biome-ignore lint/correctness/useYield: it fails before
  function* work(): Generator<void, void, void> {
    throw new Error('no')
  }
  await assert.rejects(runCooperatively(work()), /no/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { didYouMean, editDistance } from './edit-distance.ts'

/** The definition, by recursion over prefixes. */
function byDefinition(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return a.length + b.length
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)]
  const costs = [
    byDefinition(restA, restB) + (a.at(-1) === b.at(-1) ? 0 : 1),
    byDefinition(restA, b) + 1,
    byDefinition(a, restB) + 1,
  ]
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    costs.push(byDefinition(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...costs)
}

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '𝒳'), maxLength: 5 })

test('editDistance: equals its definition, a letter outside the basic plane counts once', () => {
  fc.assert(fc.property(word, word, (a, b) => assert.equal(editDistance(a, b), byDefinition([...a], [...b]))))
})

test('editDistance: symmetric, 0 for equal words alone, between the difference of the lengths and the longer length', () => {
  const long = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 14 })
  fc.assert(
    fc.property(long, long, (a, b) => {
      const distance = editDistance(a, b)
      assert.equal(distance, editDistance(b, a))
      assert.equal(distance === 0, a === b)
      assert.ok(distance >= Math.abs(a.length - b.length) && distance <= Math.max(a.length, b.length))
    }),
  )
})

test('editDistance: exact up to the limit, limit + 1 above it', () => {
  const long = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 })
  fc.assert(
    fc.property(long, long, fc.integer({ min: 0, max: 6 }), (a, b, limit) => {
      assert.equal(editDistance(a, b, limit), Math.min(editDistance(a, b), limit + 1))
    }),
    { numRuns: 1_000 },
  )
})

test('editDistance: one edit for a letter inserted, deleted, replaced or swapped', () => {
  assert.equal(editDistance('software', 'sofware'), 1)
  assert.equal(editDistance('sofware', 'software'), 1)
  assert.equal(editDistance('python', 'pythan'), 1)
  assert.equal(editDistance('python', 'pyhton'), 1)
})

test('didYouMean: the nearest known word, if at most a third of its letters differ', () => {
  assert.equal(didYouMean('updated_afer', ['updated_after', 'updated_before']), 'updated_after')
  assert.equal(didYouMean('LIMT', ['limit', 'cursor']), 'limit')
  assert.equal(didYouMean('zzzzz', ['limit', 'cursor']), undefined)
})

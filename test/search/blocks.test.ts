import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Cooperative } from '../../src/kernel/async/cooperative.ts'
import { all, allButOne, any, type Condition, term } from '../../src/search/conditions.ts'
import { InvertedIndex, newIndexMemory } from '../../src/search/inverted-index.ts'

/*
 * The index evaluates blocks of 16 384 profiles, word by word; here every profile is asked one after another. Three blocks have
 * frequent words, which are bits, rare ones, which are lists, one that only the last block has, and one that no profile has.
 */

const PROFILES = 40_000
const MAX_RANKED = 20_000
const WORDS: Readonly<Record<string, (i: number) => boolean>> = {
  half: i => mixed(i, 1) % 2 === 0,
  fifth: i => mixed(i, 2) % 5 === 0,
  tenth: i => mixed(i, 3) % 10 === 0,
  fortieth: i => mixed(i, 4) % 40 === 0,
  rare: i => mixed(i, 5) % 3_000 === 0,
  last: i => i >= 36_000 && mixed(i, 6) % 2 === 0,
  never: () => false,
}

const mixed = (i: number, seed: number): number => {
  const a = Math.imul(i ^ (seed * 0x9e37_79b1), 0x85eb_ca6b)
  const b = Math.imul(a ^ (a >>> 13), 0xc2b2_ae35)
  return (b ^ (b >>> 16)) >>> 0
}

interface Profile {
  id: string
  titleWords: number
  words: ReadonlySet<string>
}

const memory = newIndexMemory()
const index = new InvertedIndex(memory)
/** by number: those that were replaced or erased are undefined */
const profiles: (Profile | undefined)[] = []
const numbers = new Map<string, number>()

function put(id: string, i: number): void {
  const words = Object.keys(WORDS).filter(word => WORDS[word]!(i))
  const titleWords = mixed(i, 7) % 4
  index.put(id, titleWords, ['w:all', ...words.map(word => `w:${word}`)].join(' '), i)
  const before = numbers.get(id)
  if (before !== undefined) profiles[before] = undefined
  numbers.set(id, profiles.push({ id, titleWords, words: new Set(['all', ...words]) }) - 1)
}

// an index of the same memory that was made before anything was in it
const other = new InvertedIndex(memory)
for (let i = 0; i < PROFILES; i++) put(`pool_${String(i).padStart(6, '0')}`, i)
for (let i = 0; i < 3_000; i++) put(`pool_${String(mixed(i, 8) % PROFILES).padStart(6, '0')}`, PROFILES + i)
for (let i = 0; i < 20; i++) {
  const id = `pool_${String(mixed(i, 9) % PROFILES).padStart(6, '0')}`
  index.put(id, 0, '', PROFILES * 2 + i)
  const number = numbers.get(id)
  if (number !== undefined) profiles[number] = undefined
  numbers.delete(id)
}
other.refresh()

const meets = ({ words }: Profile, c: Condition): boolean =>
  c.term !== undefined
    ? words.has(c.term.slice(2))
    : c.all
      ? c.all.every(part => meets({ words } as Profile, part))
      : c.any!.some(part => meets({ words } as Profile, part))

const condition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>(tie => {
  const parts = fc.array(tie('tree'), { minLength: 1, maxLength: 3 })
  return {
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('all', ...Object.keys(WORDS)).map(word => term('w', word)),
      parts.map(all),
      parts.map(any),
      parts.map(allButOne),
    ),
  }
}).tree

function stepped<T>(steps: Cooperative<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

test('inverted index: over several blocks the same profiles, scores and order as when every profile is asked', () => {
  const conditions = fc.array(condition, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(conditions, conditions, fc.integer({ min: 1, max: 110 }), (levels, features, limit) => {
      const score = (matched: readonly boolean[]) =>
        matched.reduce((sum, met, i) => sum + (met ? 1 / 2 ** (i + 1) : 0), 0)
      const plan = { levels, features, score, titleWords: 2 }
      let found: Profile[] = []
      for (const level of levels) {
        found = profiles.filter(profile => profile !== undefined && meets(profile, level)) as Profile[]
        if (found.length >= limit) break
      }
      const expected = found
        .slice(0, MAX_RANKED)
        .map(profile => ({
          id: profile.id,
          score: Math.max(1, Math.round(100 * score(features.map(feature => meets(profile, feature))))),
          surplus: Math.abs(profile.titleWords - 2),
        }))
        .sort((a, b) => b.score - a.score || a.surplus - b.surplus || (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id, score }) => ({ id, score }))
      for (const searched of [index, other]) {
        const ranked = stepped(searched.search(plan, limit)).map(({ id, score }) => ({ id, score }))
        assert.deepEqual(ranked, expected)
      }
    }),
    { numRuns: 40 },
  )
})

test('inverted index: a profile that changes while it is searched for is found once at most', () => {
  const changing = new InvertedIndex()
  for (let i = 0; i < PROFILES; i++) changing.put(`pool_${i}`, 1, 'w:all', i)
  const plan = { levels: [term('w', 'all')], features: [term('w', 'all')], score: () => 1, titleWords: 0 }
  const search = changing.search(plan, 100)
  search.next()
  for (let i = 0; i < 100; i++) changing.put(`pool_${i}`, 1, 'w:all', PROFILES + i)
  const ids = stepped(search).map(({ id }) => id)
  assert.equal(new Set(ids).size, 100)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { profiles, searches } from '../../bench/pool-data.ts'
import { readPoolLine } from '../../src/resources/pool/index.ts'
import { LocalIndex } from '../../src/search/pool-index.ts'
import type { TermsRow } from '../../src/search/store.ts'
import { ThreadedIndex } from '../../src/search/threaded-index.ts'
import { until } from '../harness/receiver.ts'

const THREADS = 3
const shared = new ThreadedIndex(THREADS)
after(() => shared.close())

const none = { titles: [], skills: [], companies: [], locations: [] }
const asked = [...searches(12)].map(({ terms }) => ({ request: { ...none, ...terms }, limit: 20, similar: [] }))

let written = 0
const made = profiles(20_000)
/** The next profiles, as those with the ids from `first` on. */
const rows = (first: number, count: number): TermsRow[] =>
  Array.from({ length: count }, (_, i) => {
    const { title_words, terms } = readPoolLine(JSON.stringify(made.next().value))
    return { profile_id: `pool_${first + i}`, title_words, terms: terms.join(' '), changed: ++written }
  })
const first = rows(0, 2_000)
const erased = (id: number): TermsRow => ({ profile_id: `pool_${id}`, title_words: 0, terms: '', changed: ++written })

test('index in threads: more are started when searches wait, no more than allowed', async () => {
  await shared.put(first)
  assert.equal(shared.threads, 1)
  await until('all threads search', async () => {
    await Promise.all(asked.map(one => shared.search(one)))
    return shared.threads === THREADS
  })
  await Promise.all([...asked, ...asked].map(one => shared.search(one)))
  assert.equal(shared.threads, THREADS)
})

test('index in threads: every search has all rows that were put before it, and the results of an index in one thread', async () => {
  const alone = new LocalIndex()
  await alone.put(first)
  for (let round = 0; round < 8; round++) {
    // changed profiles, new ones and an erased one, which fit one message
    const changes = [...rows(round * 300, 100), ...rows(2_000 + round * 100, 100), erased(round * 300 + 150)]
    const writing = shared.put(changes)
    const searching = asked.map(one => shared.search(one))
    await alone.put(changes)
    for (const [i, found] of (await Promise.all(searching)).entries()) {
      assert.deepEqual(found, await alone.search(asked[i]!))
    }
    await writing
  }
  assert.equal(shared.size, alone.size)
  assert.equal(shared.threads, THREADS)
})

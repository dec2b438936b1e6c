import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JUDGED_PROFILES, JUDGEMENTS, ndcg } from '../../bench/pool-judgements.ts'
import type { Cooperative } from '../../src/kernel/async/cooperative.ts'
import { Database, type Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { stem } from '../../src/kernel/text/stemmer.ts'
import { searchPool } from '../../src/resources/pool/actions.ts'
import { all, any, type Condition, type FieldCode, term } from '../../src/search/conditions.ts'
import { indexFor } from '../../src/search/index-cache.ts'
import { InvertedIndex } from '../../src/search/inverted-index.ts'
import { oldestOpenTransaction, searchSettings, termsChanged } from '../../src/search/store.ts'
import { TextTable } from '../../src/search/text-table.ts'
import { openDatabase } from '../harness/postgres.ts'
import { until } from '../harness/receiver.ts'
import { sharedTestService } from '../harness/service.ts'
import { load, settle } from '../pool/fixture.ts'

const service = await sharedTestService()
const { db } = service.services
await load(service, JUDGED_PROFILES)

const TANNER = `t:${stem('tanner')}`
const none = { titles: [], skills: [], companies: [], locations: [] }
const namesOf = async (on: Database, search: object, limit = 10) =>
  (await searchPool(on, { ...none, ...search }, limit)).map(p => p.full_name ?? '')

test('pool search: results from the database are as good as those from the index, until it is loaded', async () => {
  await indexFor(db).load()
  for (const { shows, search, grades } of JUDGEMENTS) {
    // a connection pool that no search has used: it has no index yet
    const fresh = openDatabase(service.database.connection, 4)
    try {
      const [fromDatabase, fromIndex] = [await namesOf(fresh, search), await namesOf(db, search)]
      const difference = ndcg(fromDatabase, grades) - ndcg(fromIndex, grades)
      assert.ok(Math.abs(difference) < 0.05, `${shows}: ${fromDatabase} / ${fromIndex}`)
    } finally {
      await fresh.close()
    }
  }
})

test('index cache: a committed profile is found by the next search, whatever the order of commits', async () => {
  await indexFor(db).load()
  const [early, late] = [await db.session(), await db.session()]
  const insert = (name: string) => `
    insert into pool_profiles (id, full_name, job_title) values ('pool_${name}', '${name}', 'Cooper');
    insert into pool_terms (profile_id, title_words, terms) values ('pool_${name}', 1, $$'t:${stem('cooper')}'$$)`
  await early.script(`begin; ${insert('early')}`)
  await late.script(`begin; ${insert('late')}; commit`)
  assert.deepEqual(await namesOf(db, { titles: ['cooper'] }), ['late'])
  assert.deepEqual(await namesOf(db, { titles: ['cooper'] }), ['late'])
  await early.script('commit')
  assert.deepEqual(await namesOf(db, { titles: ['cooper'] }), ['early', 'late'])
  await Promise.all([early.close(), late.close()])
  await db.query(
    sql`delete from pool_terms t using pool_profiles p where p.id = t.profile_id and p.job_title = 'Cooper'`,
  )
  await db.query(sql`delete from pool_profiles where job_title = 'Cooper'`)
  assert.deepEqual(await namesOf(db, { titles: ['cooper'] }), [])
})

test('index cache: searches that begin together read changes once; what is committed during a reading is in the next', async () => {
  let transactions = 0
  class Counting extends Database {
    override transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
      transactions++
      return super.transaction(work)
    }
  }
  const counting = new Counting(service.database.connection, { connections: 4, log: createLog('silent') })
  const cache = indexFor(counting)
  await cache.load(false)
  transactions = 0
  await Promise.all(Array.from({ length: 20 }, () => cache.current()))
  assert.equal(transactions, 1)
  const reading = cache.current()
  await load(service, [{ full_name: 'During a reading', job_title: 'Wheelwright' }])
  assert.deepEqual(await namesOf(counting, { titles: ['wheelwright'] }), ['During a reading'])
  await reading
  await cache.close()
  await counting.close()
})

test('index cache: more changes than a page are applied in the background, all of them', async () => {
  await indexFor(db).load()
  await load(
    service,
    Array.from({ length: 2_500 }, (_, i) => ({ full_name: `Tanner ${i}`, job_title: 'Tanner' })),
  )
  const wanted = Array.from({ length: 100 })
  let found: string[] = []
  await until('a page of them is found', async () => {
    found = await namesOf(db, { titles: ['tanner'] }, 100)
    return found.length === wanted.length
  })
  const index = await indexFor(db).current()
  const applied = () => index!.frequency(TANNER)
  await until('all of them are applied', async () => (await applied()) >= 2_500)
  assert.equal(await applied(), 2_500)
})

test('index cache: an index of mostly replaced entries serves until a new one is loaded, which has every change', async () => {
  const cache = indexFor(db)
  await settle(db)
  await cache.load()
  const current = () => cache.current()
  const old = (await current())!
  const replaced = { profile_id: 'pool_replaced', title_words: 1, terms: 'w:replaced' }
  while (!old.needsRebuild) {
    await old.put(Array.from({ length: 20_000 }, (_, i) => ({ ...replaced, changed: i + 1 })))
  }
  assert.equal(await current(), old)
  await load(service, [{ full_name: 'During rebuild', job_title: 'Chandler' }])
  assert.deepEqual(await namesOf(db, { titles: ['chandler'] }), ['During rebuild'])
  await until('a new index is in use', async () => (await current()) !== old)
  const renewed = (await current())!
  assert.notEqual(renewed, old)
  assert.equal(renewed.needsRebuild, false)
  assert.deepEqual(await namesOf(db, { titles: ['chandler'] }), ['During rebuild'])
})

/** Runs to the end without a pause. */
function stepped<T>(steps: Cooperative<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

const WORDS = ['a', 'b', 'c', 'd', 'e']
const leaf = fc.constantFrom(...WORDS).map(word => term('w' as FieldCode, word))
const condition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition }>(tie => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(all),
    fc.array(tie('tree'), { minLength: 1, maxLength: 3 }).map(any),
  ),
})).tree
const meets = (terms: ReadonlySet<string>, c: Condition): boolean =>
  c.term !== undefined
    ? terms.has(c.term)
    : c.all
      ? c.all.every(p => meets(terms, p))
      : c.any!.some(p => meets(terms, p))

test('inverted index: finds exactly the profiles that meet a condition, also after they changed', () => {
  const profile = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.subarray(WORDS))
  const writes = fc.array(profile, { maxLength: 120 })
  fc.assert(
    fc.property(writes, condition, condition, fc.integer({ min: 1, max: 80 }), (writes, wanted, feature, limit) => {
      const index = new InvertedIndex()
      const now = new Map<string, Set<string>>()
      for (const [i, [number, words]] of writes.entries()) {
        const terms = [`w:x${number}`, ...words.map(word => `w:${word}`)]
        index.put(`pool_${number}`, 1, terms.join(' '), i)
        index.put(`pool_${number}`, 1, 'w:ignored', i) // the same change again is ignored
        now.set(`pool_${number}`, new Set(terms))
      }
      const plan = {
        levels: [wanted],
        features: [feature],
        score: (m: readonly boolean[]) => (m[0] ? 1 : 0.5),
        titleWords: 0,
      }
      const expected = [...now]
        .filter(([, terms]) => meets(terms, wanted))
        .map(([id, terms]) => ({ id, score: meets(terms, feature) ? 100 : 50 }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      assert.deepEqual(
        stepped(index.search(plan, limit)).map(({ id, score }) => ({ id, score })),
        expected.slice(0, limit),
      )
      assert.equal(index.size, now.size)
    }),
  )
})

test('text table: finds the last number of each text, and orders numbers by text, after any additions and deletions', () => {
  const id = fc.oneof(fc.stringMatching(/^pool_[a-z0-9]{1,3}$/), fc.string({ unit: 'grapheme', maxLength: 5 }))
  fc.assert(
    fc.property(fc.array(fc.tuple(id, fc.boolean()), { maxLength: 300 }), writes => {
      const table = new TextTable()
      const expected = new Map<string, number>()
      const added: string[] = []
      for (const [name, isAdded] of writes) {
        if (isAdded) {
          expected.set(name, added.push(name) - 1)
          assert.equal(table.add(name), expected.get(name))
        } else {
          expected.delete(name)
          table.delete(name)
        }
        assert.equal(table.find(name), expected.get(name))
      }
      assert.equal(table.size, expected.size)
      for (const [name, number] of expected) assert.equal(table.find(name), number)
      assert.deepEqual(
        added.map((_, number) => table.at(number)),
        added,
      )
      for (let i = 1; i < added.length; i++) {
        const order = Buffer.compare(Buffer.from(added[i - 1]!), Buffer.from(added[i]!))
        assert.equal(Math.sign(table.compare(i - 1, i)), order)
      }
    }),
  )
})

test('inverted index: ranks by more features than a number has bits', () => {
  const index = new InvertedIndex()
  index.put('pool_a', 1, 'w:a', 1)
  index.put('pool_b', 1, 'w:a w:b', 2)
  const features = Array.from({ length: 80 }, (_, i) => term('w', i === 79 ? 'b' : 'a'))
  const plan = {
    levels: [term('w', 'a')],
    features,
    score: (m: readonly boolean[]) => (m[79] ? 1 : 0.2),
    titleWords: 0,
  }
  assert.deepEqual(
    stepped(index.search(plan, 10)).map(r => [r.id, r.score, r.tier]),
    [
      ['pool_b', 100, 'strong'],
      ['pool_a', 20, 'weak'],
    ],
  )
})

test('inverted index: a profile without terms is removed, with the words that only it had, also before it changed', () => {
  const index = new InvertedIndex()
  index.put('pool_a', 1, 'w:only7 w:shared7', 1)
  index.put('pool_b', 1, 'w:shared7', 2)
  index.put('pool_a', 0, '', 3)
  index.put('pool_a', 0, '', 3)
  assert.equal(index.size, 1)
  const found = index.frequencies(['w:only7', 'w:shared7'])
  assert.equal(found.get('w:only7'), 0)
  assert.ok(found.get('w:shared7')! > 0)
  index.put('pool_c', 1, 'w:before7 w:shared7', 4)
  index.put('pool_c', 1, 'w:after7', 5)
  index.put('pool_c', 0, '', 6)
  assert.deepEqual([...index.frequencies(['w:before7', 'w:after7']).values()], [0, 0])
})

test('index cache: reading changes touches the end of their index only, however many profiles there are', async () => {
  const { db } = service.services
  await load(
    service,
    Array.from({ length: 5_000 }, (_, i) => ({ job_title: `Baker ${i}` })),
  )
  const { oldest_open: settled } = (await db.one(oldestOpenTransaction()))!
  const pages = await db.transaction(async tx => {
    await tx.query(searchSettings())
    const [row] = await tx.query(sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`
      explain (analyze, buffers, format json) ${termsChanged({ changed: settled, id: '' }, 1_000)}`)
    const { Plan } = row!['QUERY PLAN'][0]!
    return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!
  })
  assert.ok(pages < 20, `${pages} pages`)
})

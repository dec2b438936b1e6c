import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { searches } from '../../bench/pool-data.ts'
import { JUDGEMENTS } from '../../bench/pool-judgements.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { stem } from '../../src/kernel/text/stemmer.ts'
import { erasePoolProfile } from '../../src/resources/pool/index.ts'
import { indexFor } from '../../src/search/index-cache.ts'
import { LocalIndex, type PoolIndex } from '../../src/search/pool-index.ts'
import { ThreadedIndex } from '../../src/search/threaded-index.ts'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { load, settle } from '../pool/fixture.ts'
import { SEARCHED_POOL, searchIn, testEngine } from './conformance.ts'

const service = await startTestService()
const { db } = service.services
const cache = indexFor(db)
await load(service, SEARCHED_POOL)
after(() => cache.close())

const none = { titles: [], skills: [], companies: [], locations: [] }
const search = (asked: object, limit?: number) => searchIn(service, asked, limit)
const current = async (): Promise<PoolIndex> => (await cache.current())!

for (const inThread of [false, true]) {
  testEngine({
    name: inThread ? 'index in a thread' : 'index in the service',
    service,
    async prepare() {
      await cache.load(inThread)
      assert.equal((await current()).inThread, inThread)
    },
    caughtUp: async () => {},
    words: inThread
      ? { added: 'Fletcher', erased: 'extispex', changed: ['Saddler', 'Chandler'], stopped: 'Glover' }
      : { added: 'Wainwright', erased: 'augur', changed: ['Cooper', 'Turner'], stopped: 'Tanner' },
  })

  test(`${inThread ? 'index in a thread' : 'index in the service'}: an erased profile and the words that only it had are gone from memory`, async () => {
    await cache.load(inThread)
    const word = inThread ? 'oneirocritic' : 'rhabdomancer'
    await load(service, [{ full_name: 'To erase', job_title: word }])
    const [found] = await search({ titles: [word] })
    const index = await current()
    const term = `t:${stem(word)}`
    assert.equal(await index.frequency(term), 1)
    await db.transaction(tx => erasePoolProfile(tx, found!.id))
    await settle(db)
    assert.deepEqual(await search({ titles: [word] }), [])
    assert.equal(await index.frequency(term), 0)
  })
}

test('index in a thread: the same profiles with the same scores in the same order as in the service', async () => {
  const asked = [...JUDGEMENTS.map(j => j.search), ...[...searches(12)].map(s => s.terms)]
  const results = []
  for (const inThread of [false, true]) {
    await cache.load(inThread)
    const found = []
    for (const one of asked) found.push(await search(one, 25))
    results.push(found)
  }
  assert.deepEqual(results[1], results[0])
})

test('index in a thread: when the thread ends, searches are ranked in the database until another is loaded', async () => {
  await cache.load(true)
  const asked = { titles: ['Software Engineer'], locations: ['Berlin'] }
  const before = await search(asked)
  const lost = (await current()) as ThreadedIndex
  const [during] = await Promise.all([search(asked), lost.stop()])
  assert.deepEqual(during[0], before[0])
  assert.deepEqual((await search(asked))[0], before[0])
  await until('another index is loaded', () => cache.state().name === 'current')
  assert.notEqual(await current(), lost)
  assert.deepEqual(await search(asked), before)
  cache.check()
})

test('index in a thread: closing waits for searches that were begun', async () => {
  const index = new ThreadedIndex()
  await index.put([{ profile_id: 'pool_a', title_words: 1, terms: 't:smith', changed: 1 }])
  const asked = index.search({ request: { ...none, titles: ['smith'] }, limit: 1, similar: [] })
  await Promise.all([index.close(), asked])
  assert.deepEqual(await asked, { ranked: [{ id: 'pool_a', score: 100, tier: 'strong' }] })
  await assert.rejects(index.frequency('t:smith'), { message: 'the thread of the search index has ended' })
})

test('index cache: a small pool has no thread; one that grew past 10 000 profiles is moved to a thread', async () => {
  await cache.load()
  assert.ok((await current()) instanceof LocalIndex)
  await db.query(sql`
    insert into pool_terms (profile_id, title_words, terms)
    select 'pool_many' || i, 1, '''w:many''' from generate_series(1, 10000) as i`)
  await until('the index is in a thread', async () => (await current()).inThread)
  assert.ok(cache.state().profiles > 10_000)
  const [best] = await search({ titles: ['sofware enginer'], companies: ['Zalando'], locations: ['Berlin'] })
  assert.equal(best!.name, 'Swe One')
})

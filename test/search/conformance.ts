import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profiles } from '../../bench/pool-data.ts'
import { elsewhere, JUDGED_PROFILES, JUDGEMENTS, ndcg } from '../../bench/pool-judgements.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { searchPool } from '../../src/resources/pool/actions.ts'
import { erasePoolProfile } from '../../src/resources/pool/index.ts'
import type { TestService } from '../harness/service.ts'
import { load, type PoolFields, settle } from '../pool/fixture.ts'

/** An engine that the tests below are run on. */
export interface EngineUnderTest {
  name: string
  service: TestService
  /** before each test */
  prepare: () => Promise<void>
  /** until what was committed can be found */
  caughtUp: () => Promise<void>
  /** words of its own: several engines may be tried on one pool */
  words: { added: string; erased: string; changed: readonly [string, string]; stopped: string }
}

export const SEARCHED_POOL: readonly PoolFields[] = [
  ...JUDGED_PROFILES,
  ...[...profiles(2_000)].filter(p => elsewhere(p['location_full'])),
]

const none = { titles: [], skills: [], companies: [], locations: [] }

export const searchIn = async ({ services: { db } }: TestService, asked: object, limit = 10) =>
  (await searchPool(db, { ...none, ...asked }, limit)).map(p => ({
    name: p.full_name ?? '',
    id: p.id,
    score: p.match_score,
  }))

/** What every engine must do, wherever its index is. The pool has SEARCHED_POOL. */
export function testEngine({ name, service, prepare, caughtUp, words }: EngineUnderTest): void {
  const { db } = service.services
  const search = (asked: object, limit?: number) => searchIn(service, asked, limit)
  const write = async (lines: readonly PoolFields[]) => {
    await load(service, lines)
    await caughtUp()
  }

  test(`${name}: the mean quality of the judged searches is at least 0.93`, async () => {
    await prepare()
    let total = 0
    for (const { search: asked, grades } of JUDGEMENTS) {
      total += ndcg(
        (await search(asked)).map(p => p.name),
        grades,
      )
    }
    assert.ok(total / JUDGEMENTS.length >= 0.93, `nDCG@10 ${(total / JUDGEMENTS.length).toFixed(3)}`)
  })

  test(`${name}: committed changes are found; limit bounds the results`, async () => {
    await prepare()
    const job_title = words.added
    assert.deepEqual(await search({ titles: [job_title] }), [])
    await write(Array.from({ length: 12 }, (_, i) => ({ full_name: `${job_title} ${i}`, job_title })))
    assert.equal((await search({ titles: [job_title] }, 100)).length, 12)
    assert.equal((await search({ titles: [job_title] }, 5)).length, 5)
  })

  test(`${name}: a changed profile is found by what it is now, not by what it was`, async () => {
    await prepare()
    const [before, after] = words.changed
    const line = { full_name: 'To change', linkedin_url: `linkedin.com/in/${before}` }
    await write([{ ...line, job_title: before }])
    assert.equal((await search({ titles: [before] })).length, 1)
    await write([{ ...line, job_title: after }])
    assert.deepEqual(await search({ titles: [before] }), [])
    assert.equal((await search({ titles: [after] })).length, 1)
  })

  test(`${name}: a place and a company bound a search; a misspelt title is found`, async () => {
    await prepare()
    const [best] = await search({ titles: ['sofware enginer'], companies: ['Zalando'], locations: ['Berlin'] })
    assert.equal(best!.name, 'Swe One')
  })

  test(`${name}: a person whose processing was stopped is not shown, the next best is`, async () => {
    await prepare()
    await write(Array.from({ length: 3 }, (_, i) => ({ full_name: `To stop ${i}`, job_title: words.stopped })))
    const found = await search({ titles: [words.stopped] })
    assert.equal(found.length, 3)
    await db.query(sql`update pool_profiles set suppressed_at = app_now() where id = ${found[0]!.id}`)
    assert.deepEqual(await search({ titles: [words.stopped] }), found.slice(1))
    assert.deepEqual(await search({ titles: [words.stopped] }, 2), found.slice(1))
  })

  test(`${name}: an erased profile is not shown, whether or not the index knows it yet`, async () => {
    await prepare()
    await write([{ full_name: 'To erase', job_title: words.erased }])
    const [found] = await search({ titles: [words.erased] })
    await db.transaction(tx => erasePoolProfile(tx, found!.id))
    await settle(db)
    assert.deepEqual(await search({ titles: [words.erased] }), [])
    await caughtUp()
    assert.deepEqual(await search({ titles: [words.erased] }), [])
  })

  test(`${name}: a request of the largest size has results`, async () => {
    await prepare()
    const titles = JUDGED_PROFILES.slice(0, 10).map(
      p => `${p.job_title} and Principal ${p.job_title} of ${p.skills[0]}`,
    )
    const skills = JUDGED_PROFILES.flatMap(p => p.skills).slice(0, 20)
    const companies = Array.from({ length: 10 }, (_, i) => `Company of Many Words Number ${i}`)
    const locations = JUDGED_PROFILES.slice(0, 10).map(p => p.location_full)
    const query = JUDGED_PROFILES.map(p => p.job_title)
      .join(' ')
      .slice(0, 500)
    assert.equal((await search({ titles, skills, companies, locations, query }, 100)).length, 100)
  })
}

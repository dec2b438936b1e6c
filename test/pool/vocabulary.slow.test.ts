import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { importVerbs } from '../../src/cli/import.ts'
import { LOCKS } from '../../src/kernel/db/locks.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { hasSqlState } from '../../src/kernel/db/sqlstate.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { importPoolBatch, readPoolLine, WordCounts, withPoolImport } from '../../src/resources/pool/index.ts'
import { indexFor } from '../../src/search/index-cache.ts'
import { startHiring, temporaryFolder } from '../harness/process.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { load } from './fixture.ts'

const service = await startTestService()
const { db, blobs, outbox } = service.services
const { id: workspace } = await service.workspace('enterprise')
const key = await service.key({ workspace })
const folder = temporaryFolder()

const found = async (query: string): Promise<string[]> =>
  (await service.post('/pool/search', key, { query })).body.data.map((p: { full_name: string }) => p.full_name)

/** Words of the vocabulary that are like this, with the number of their profiles. */
const known = (like: string) =>
  db.query(sql<{ term: string; profiles: number }>`
    select field || ':' || word as term, profiles from pool_vocabulary where word like ${like} order by 1`)

test('pool vocabulary: an import that is killed and continued: misspelt words are forgiven also of the profiles from before', async () => {
  const line = (i: number) => ({
    full_name: `Killed ${i}`,
    job_title: i < 2_000 ? 'Glaciologist' : 'Volcanologist',
    linkedin_url: `https://www.linkedin.com/in/killed-${i}`,
  })
  await load(service, [line(3_000)])
  const path = join(folder, 'killed.ndjson')
  writeFileSync(path, Array.from({ length: 4_000 }, (_, i) => JSON.stringify(line(i))).join('\n'))

  // The second batch waits for a profile that we hold; in that moment the process dies.
  const held = await db.session()
  await held.script(`begin; select 1 from pool_profiles where linkedin_key = 'linkedin.com/in/killed-3000' for update`)
  const { DATA_DIR } = service.services.config
  const { child, ended } = startHiring(['import', 'pool', path], { DATA_DIR, DATABASE_URL: service.database.url })
  const stored = sql<{
    rows_stored: number
  }>`select rows_stored from imports where kind = 'pool' and finished_at is null`
  while ((await db.one(stored))?.rows_stored !== 2_000) await new Promise(resolve => setTimeout(resolve, 10))
  child.kill('SIGKILL')
  await ended
  await held.close()

  const { json } = await runVerb(service, importVerbs, 'import pool', [path])
  assert.deepEqual(json, { rows: 4_000, lines: 4_000, bad_lines: 0, bad: [], resumed: true })
  assert.equal((await found('volcanolgist')).length, 25)
  assert.equal((await found('glacologist')).length, 25)
  assert.deepEqual(await known('glaciolog'), [{ term: 't:glaciolog', profiles: 2_000 }])
  assert.deepEqual(await known('volcanolog'), [{ term: 't:volcanolog', profiles: 2_000 }])
})

test('pool vocabulary: misspelt words are forgiven also of profiles that were seen again with other ones', async () => {
  const linkedin_url = 'https://www.linkedin.com/in/learned'
  await load(service, [{ full_name: 'Learner', job_title: 'Apprentice', linkedin_url }])
  await load(service, [{ full_name: 'Learner', job_title: 'Dendrochronologist', linkedin_url }])
  await indexFor(db).load() // all of it, however much the tests before wrote
  assert.deepEqual(await found('dendrochronolgist'), ['Learner'])
  const counted = await known('dendrochronolog')
  await load(service, [{ full_name: 'Learner', job_title: 'Dendrochronologist', linkedin_url }])
  assert.deepEqual(await known('dendrochronolog'), counted)
})

test('pool vocabulary: a person who is erased during an import leaves no word behind', async () => {
  const linkedinUrl = 'https://www.linkedin.com/in/erased-during-import'
  const line = readPoolLine(JSON.stringify({ full_name: 'Xanthippe Unheardofname', linkedin_url: linkedinUrl }))
  await withPoolImport(db, async counts => {
    await db.transaction(tx => importPoolBatch(db, tx, [line], counts))
    const { id } = await requestErasure(db, { linkedinUrl, requestedBy: 'command_line' })
    await runErasure({ db, blobs, outbox }, id)
  })
  assert.deepEqual(await known('unheardof%'), [])
})

test('pool vocabulary: an import whose idle connection was cut ends as it should', async () => {
  await withPoolImport(db, async counts => {
    counts.add({ terms: ['t:quokka'] })
    await db.query(sql`
      select pg_terminate_backend(l.pid) from pg_locks l join pg_database d on d.oid = l.database
      where l.locktype = 'advisory' and l.objid = ${LOCKS.poolImport} and l.granted and d.datname = current_database()`)
  })
  assert.deepEqual(await known('quokka'), [{ term: 't:quokka', profiles: 1 }])
  assert.deepEqual(await db.query(sql`select 1 from pool_counting`), [])
})

test('pool vocabulary: a deadlock with an erasure over the same words loses no count', async () => {
  const counts = new WordCounts()
  const waits = sql`
    select 1 from pg_stat_activity where wait_event = 'transactionid' and datname = current_database()`
  const lock = (word: string) => `update pool_vocabulary set profiles = profiles where word = '${word}'`
  const deadlock = (error: unknown) => {
    assert.ok(hasSqlState(error, 'deadlockDetected'))
    return 'other session'
  }
  counts.add({ terms: ['t:aardvark', 't:zyzzyva'] })
  await counts.store(db)
  // PostgreSQL cancels whichever session checks last. Repeat until it was ours, so that the retry has happened.
  let profiles = 1
  for (let victim = ''; victim !== 'counting'; ) {
    counts.add({ terms: ['t:aardvark', 't:zyzzyva'] })
    const other = await db.session()
    await other.script(`begin; ${lock('zyzzyva')}`)
    const counted = counts.store(db)
    while (!(await db.transaction(tx => tx.one(waits)))) await new Promise(resolve => setTimeout(resolve, 5))
    victim = await other.script(`${lock('aardvark')}; commit`).then(() => 'counting', deadlock)
    if (victim !== 'counting') await other.script('rollback')
    await counted
    await other.close()
    profiles++
    assert.deepEqual(await known('%yzzyva'), [{ term: 't:zyzzyva', profiles }])
    assert.deepEqual(await known('aardvark'), [{ term: 't:aardvark', profiles }])
  }
})

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { cloneDatabase, stopOwnServer } from '../harness/postgres.ts'

const SOURCE = join(import.meta.dirname, '../../src')

/** What `lower()` may be applied to: texts that say nothing about who a person is. */
const ALLOWED = [
  /^lower\(coalesce\(full_name, ''\) \|\| E'\\n' \|\| coalesce\(job_title/, // search of sourced profiles
  /^lower\(\$\{containing\(q\)\}\)/,
  /^lower\(j\.(?:department|title)\)/, // order of a list of jobs
  /^lower\(l\.name\)/, // search of lists
  /^lower\(a\.full_name\)/, // search of candidates
  /^lower\((?:p\.full_name|g\.name|name)\)/, // with an equal phone number a hint that a candidate is there already; the order of views
  /^ilike all\(\$\{f\.nameWords/,
  /^lower\(skill\)/, // a filter of the board
  /^lower\(p\.location_country\)/,
  /^lower\(\$\{country\}\)/,
  /^ilike \$\{containing\((?:company|title)\)\}/, // search of the pool
  /^ilike \$\{asPattern\(q\.trim\(\)\)\} as exact/, // the title of a job
  /^ilike \$\{pattern\}, false\)/, // names and titles of sourced profiles
  /^(?:lower|upper)\(r\)$/, // the bounds of a range of numbers
]

test('src: no statement compares email addresses by lower(); keys of kernel/text/person-keys.ts decide who is the same person', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  const found: string[] = []
  for (const file of files) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue
    const text = readFileSync(join(SOURCE, file), 'utf8')
    for (const match of text.matchAll(/\b(?:lower|citext|upper|casefold)\s*\(|\bilike\b/gi)) {
      const rest = text.slice(match.index)
      const call = /^\w+\((?:[^()]|\([^()]*\))*\)/.exec(rest)?.[0] ?? rest.slice(0, 60)
      if (!ALLOWED.some(allowed => allowed.test(call) || allowed.test(rest))) found.push(`${file}: ${call}`)
    }
  }
  assert.deepEqual(found, [])
})

test('schema: no index and no constraint compares email addresses by lower()', async () => {
  const database = await cloneDatabase()
  const db = new Database(database.connection, { connections: 2, log: createLog('silent') })
  after(async () => {
    await db.close()
    await database.drop()
    await stopOwnServer()
  })
  const rows = await db.query(sql<{ indexdef: string }>`
    select indexdef from pg_indexes where schemaname = 'public' and indexdef ~ 'lower[(]'`)
  const about = rows
    .map(row => row.indexdef)
    .filter(text => /email|users|contact_values|applicants|unsubscribes/.test(text))
    // the search of candidates by name
    .filter(text => !text.includes('lower(full_name)'))
  assert.deepEqual(about, [])
})

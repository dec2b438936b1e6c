import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { SEALED_COLUMNS } from '../../src/app.ts'
import { PASSWORD_COST } from '../../src/kernel/access/password.ts'
import type { Database } from '../../src/kernel/db/database.ts'
import { isMigrated, migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readFeed } from '../harness/feed.ts'
import { cloneDatabase, openDatabase } from '../harness/postgres.ts'
import { startTestService } from '../harness/service.ts'

/** The demo of the last release, and what its API returned. Written by tools/upgrade-fixture.ts. */
interface Release {
  version: string
  secret_key: string
  recorded_at: string
  key: string
  sign_in: { email: string; password: string }
  /** The secret of a webhook endpoint. */
  signing_secret: string
  responses: Record<string, unknown>
  tables: Record<string, Record<string, unknown>[]>
}

const release = JSON.parse(
  brotliDecompressSync(readFileSync(join(import.meta.dirname, 'fixtures/store-0.2.0.json.br'))).toString(),
) as Release
/** The last migration of 0.2.0. */
const LAST_MIGRATION = 16
/** Columns whose values a migration writes in another form; their own test compares them. */
const REWRITTEN = new Set(['application_private_answers.consents'])
/** Tables that a migration builds again from others. */
const REBUILT = new Set(['job_search', 'job_words'])
/** What the records of people whose processing was stopped no longer say: that there is something that they sent. */
const WITHHELD = /^(has_resume|has_contact_info|parse_status|can_view|can_download|resume_access)$/

const database = await cloneDatabase('template0')
const before = await filledStore()
// what expires has not expired yet, whenever this test runs
clock.advance(Date.parse(release.recorded_at) - Date.now())
const service = await startTestService(
  { SECRET_KEY: release.secret_key, ROLES: 'api' },
  { database, passwordCost: PASSWORD_COST },
)
const { db, keyring } = service.services

/** A store as the release left it; returns a fingerprint of each of its tables. */
async function filledStore(): Promise<Record<string, string>> {
  const store = openDatabase(database.connection, 4)
  await migrate(store, { migrations: readMigrations().filter(({ version }) => version <= LAST_MIGRATION) })
  for (const [name, rows] of Object.entries(release.tables)) {
    const table = raw(`"${name}"`)
    const columns = raw(
      (
        await store.query(sql<{ name: string }>`
          select quote_ident(attname) as name from pg_attribute
          where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`)
      )
        .map(column => column.name)
        .join(', '),
    )
    await store.transaction(async tx => {
      // rows that triggers made are in the fixture, too
      await tx.query(sql`select set_config('session_replication_role', 'replica', true)`)
      await tx.query(sql`delete from ${table}`)
      await tx.query(sql`
        insert into ${table} (${columns}) overriding system value
        select ${columns} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(rows)}::jsonb)`)
    })
  }
  const prints = await fingerprints(store)
  await store.close()
  return prints
}

/** Fingerprints have the columns that the release had, without an order of rows. */
async function fingerprints(store: Database): Promise<Record<string, string>> {
  const prints: Record<string, string> = {}
  for (const [name, rows] of Object.entries(release.tables)) {
    const columns = Object.keys(rows[0]!).filter(column => !REWRITTEN.has(`${name}.${column}`))
    const row = await store.one(sql<{ print: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(r, ',' order by r)), '') as print from (
        select md5((select jsonb_object_agg(key, value order by key) from jsonb_each(to_jsonb(t))
          where key = any(${columns}))::text) as r from ${raw(`"${name}"`)} t) rows`)
    prints[name] = row!.print
  }
  return prints
}

test('upgrade: every row of the last release is as before, in the columns that it had', async () => {
  assert.equal(release.version, '0.2.0')
  assert.ok(await isMigrated(db))
  const after = await fingerprints(db)
  const changed = Object.keys(before).filter(name => before[name] !== after[name] && !REBUILT.has(name))
  assert.deepEqual(changed, [])
  assert.ok(Object.values(release.tables).flat().length > 3_000, 'the store is filled')
})

test('upgrade: what a candidate consented to is kept, in the form that also has the text that was shown', async () => {
  const then = release.tables['application_private_answers'] as {
    application_id: string
    consents: Record<string, boolean>
  }[]
  const now = await db.query(sql<{ application_id: string; consents: unknown }>`
    select application_id, consents from application_private_answers`)
  const byId = new Map(now.map(row => [row.application_id, row.consents]))
  for (const { application_id, consents } of then) {
    const expected = Object.fromEntries(Object.entries(consents).map(([field, accepted]) => [field, { accepted }]))
    assert.deepEqual(byId.get(application_id), expected)
  }
})

interface Person {
  id: string
  provenance?: { consent?: { suppressed?: boolean } }
}
const people = ['/applicants', '/sourced-profiles'].flatMap(path => release.responses[path] as Person[])
const stoppedPeople = new Set(people.filter(one => one.provenance?.consent?.suppressed).map(one => one.id))

/** What the release returned is still returned; what later versions add is not compared. */
function assertKept(now: unknown, then: unknown, path: string): void {
  if (Array.isArray(then)) {
    assert.ok(Array.isArray(now), path)
    assert.equal(now.length, then.length, path)
    for (const [i, value] of then.entries()) assertKept(now[i], value, `${path}[${i}]`)
  } else if (then !== null && typeof then === 'object') {
    const { id, applicant_id } = then as { id?: string; applicant_id?: string }
    const isStopped = stoppedPeople.has(applicant_id ?? id ?? '')
    for (const [name, value] of Object.entries(then)) {
      if (isStopped && WITHHELD.test(name)) continue
      assertKept((now as Record<string, unknown> | null)?.[name], value, `${path}.${name}`)
    }
  } else assert.equal(now, then, path)
}

async function read(path: string): Promise<unknown> {
  const all: unknown[] = []
  for (let query = ''; ; ) {
    const { status, body, text } = await service.get(path + query, release.key)
    assert.equal(status, 200, text)
    if (!Array.isArray(body.data)) return body
    all.push(...body.data)
    if (!body.has_more) return all
    query = `?${body.next_cursor ? `cursor=${body.next_cursor}` : `after=${body.next_after}`}`
  }
}

test('upgrade: the API returns every record as the last release did, with the same key', async () => {
  for (const [path, then] of Object.entries(release.responses)) assertKept(await read(path), then, path)
})

test('upgrade: the feed goes on after its last event', async () => {
  const events = release.responses['/events'] as { id: string; workspace_id: string }[]
  const { workspace_id: workspace } = events[0]!
  const made = await service.post('/lists', release.key, { name: 'After the upgrade' })
  assert.equal(made.status, 201, made.text)
  await readFeed(service, workspace)
  const now = (await read('/events')) as { id: string; type: string }[]
  assert.deepEqual(
    now.slice(0, events.length).map(event => event.id),
    events.map(event => event.id),
  )
  assert.deepEqual(
    now.slice(events.length).map(event => event.type),
    ['list.created'],
  )
})

test('upgrade: people sign in with their passwords, and every sealed secret can be opened', async () => {
  const signIn = await service.call('POST', `${service.origin}/sign-in`, {
    raw: new URLSearchParams(release.sign_in).toString(),
    headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(signIn.status, 303, signIn.text)
  assert.ok((await openSealed()).includes(release.signing_secret))
})

async function openSealed(): Promise<string[]> {
  const opened: string[] = []
  for (const { table, column, identifiedBy, reads = [], context } of SEALED_COLUMNS) {
    const rows = await db.query(sql<Record<string, string | number> & { sealed_value: Buffer }>`
      select ${raw([...identifiedBy, ...reads].join(', '))}, ${raw(column)} as sealed_value from ${raw(table)}
      where ${raw(column)} is not null`)
    opened.push(...rows.map(row => keyring.unseal(row.sealed_value, context(row)).toString()))
  }
  return opened
}

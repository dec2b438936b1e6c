import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import type { Database } from '../../src/kernel/db/database.ts'
import { isMigrated, migrate, readMigrations } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { countRows, describeCatalog } from '../harness/catalog.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'

const FOLDER = join(import.meta.dirname, '../../migrations')
/** The script of every migration of 0.1.0, with the rows that it wrote for them. */
const STORE_0_1_0 = gunzipSync(readFileSync(join(import.meta.dirname, 'fixtures/store-0.1.0.sql.gz'))).toString()

const cleanUp: (() => Promise<void>)[] = []
after(async () => {
  for (const step of cleanUp) await step()
  await stopOwnServer()
})

async function emptyDatabase(): Promise<Database> {
  const database = await cloneDatabase('template0')
  const db = openDatabase(database.connection, 4)
  cleanUp.push(async () => {
    await db.close()
    await database.drop()
  })
  return db
}

async function run(db: Database, script: string): Promise<void> {
  const session = await db.session({ timeouts: 'off' })
  await session.script(script)
  await session.close()
}

async function oldStore(): Promise<Database> {
  const db = await emptyDatabase()
  await run(db, STORE_0_1_0)
  return db
}

const rowsOf = (db: Database) =>
  db.query(sql<{ version: number; name: string; hash: string }>`
    select version, name, hash from schema_migrations order by version`)

test('migrations: numbered from 1 without a gap, one file for each number', () => {
  const files = readdirSync(FOLDER).sort()
  assert.deepEqual(
    files.map(file => Number(file.slice(0, 6))),
    files.map((_, index) => index + 1),
  )
  assert.equal(readMigrations().length, files.length, 'every file has the form of a migration')
})

test('migrate: an empty database gets the schema, rows and records that migrations one by one make', async () => {
  const [whole, inTurn] = [await emptyDatabase(), await emptyDatabase()]
  const names = readMigrations().map(({ name }) => name)
  assert.deepEqual((await migrate(whole)).applied, names)
  // with a table, it is no longer empty
  assert.deepEqual((await migrate(inTurn, { migrations: readMigrations().slice(0, 1) })).applied, names.slice(0, 1))
  assert.deepEqual((await migrate(inTurn)).applied, names.slice(1))
  assert.deepEqual(await describeCatalog(whole), await describeCatalog(inTurn))
  assert.deepEqual(await countRows(whole), await countRows(inTurn))
  assert.deepEqual(await rowsOf(whole), await rowsOf(inTurn))
  assert.ok(await isMigrated(whole))
})

test('migrate: an empty database stays empty when a migration fails, and the next start begins again', async () => {
  const db = await emptyDatabase()
  const migrations = readMigrations()
  const broken = { ...migrations[1]!, text: 'create table half (); select 1 / 0;' }
  await assert.rejects(migrate(db, { migrations: [migrations[0]!, broken] }), /division by zero/)
  assert.deepEqual(await rowsOf(db), [])
  const half = await db.query(sql`select 1 where to_regclass('half') is not null or to_regclass('jobs') is not null`)
  assert.deepEqual(half, [])
  assert.equal((await migrate(db)).applied.length, migrations.length)
})

test('migrate: a store of 0.1.0 is adopted, keeps its rows and ends with the schema of a new store', async () => {
  const [fresh, old] = [await emptyDatabase(), await oldStore()]
  await run(
    old,
    `insert into workspaces (id, name) values ('wsp_1', 'One');
     insert into users (workspace_id, id, role) values ('wsp_1', 'usr_1', 'owner');
     insert into jobs (workspace_id, id, slug, title, source_system) values ('wsp_1', 'job_1', 'one', 'Engineer', 'acme');`,
  )
  const before = await countRows(old)
  const { applied } = await migrate(fresh)
  const upgraded = await migrate(old)
  assert.deepEqual(upgraded.applied, applied.slice(14), 'only migrations that 0.1.0 did not have are applied')
  assert.deepEqual(await rowsOf(old), await rowsOf(fresh))
  assert.deepEqual(await describeCatalog(old), await describeCatalog(fresh))
  const { schema_migrations: _old, ...rows } = before
  const { schema_migrations: _new, ...kept } = await countRows(old)
  // each workspace gets its careers site and an index of its candidates, which a worker fills; each job gets the begin of
  // its history; the leases of caches begin with a row
  const added: Record<string, number> = {
    career_slugs: 1,
    career_sites: 1,
    search_rebuilds: 1,
    job_history: 1,
    key_caches: 1,
  }
  for (const [table, count] of Object.entries(kept))
    assert.equal(count, (rows[table] ?? 0) + (added[table] ?? 0), table)
  const site = await old.one(sql<{ workspace_id: string; slug: string; enabled: boolean }>`
    select c.workspace_id, s.slug, c.enabled from career_sites c
    join career_slugs s on s.slug = c.slug and s.workspace_id = c.workspace_id`)
  assert.deepEqual(site, { workspace_id: 'wsp_1', slug: 'one', enabled: true })
  assert.equal(kept['jobs'], 1)
  assert.equal(kept['job_search'], 1)
  assert.ok(await isMigrated(old))
  assert.deepEqual((await migrate(old)).applied, [], 'a second time applies nothing')
})

test('migrate: workspaces of a store of 0.1.0 get careers sites whose slugs are valid and unique, whatever their names', async () => {
  const db = await oldStore()
  const names = [
    'Acme',
    'ACME!',
    'acme',
    'Acme 2',
    'acme-2',
    '',
    '株式会社',
    '---',
    'Company',
    'Müller & Söhne GmbH',
    `${'Very '.repeat(30)}long`,
    `${'very-'.repeat(30)}long`,
    `${'x'.repeat(49)} y`,
    'a'.repeat(200),
    `${'a'.repeat(50)}-2`,
    ' spaces  around ',
    '<script>alert(1)</script>',
  ]
  await db.query(sql`
    insert into workspaces (id, name, created_at)
    select 'wsp_01m8X2c4e6g8j0K2m4' || n, name, app_now() - n * interval '1 day'
    from unnest(${names}::text[]) with ordinality as w (name, n)`)
  await migrate(db)
  const sites = await db.query(sql<{ name: string; slug: string }>`
    select w.name, c.slug from workspaces w join career_sites c on c.workspace_id = w.id
    join career_slugs s on s.slug = c.slug and s.workspace_id = w.id order by w.created_at desc`)
  assert.deepEqual(
    sites.map(site => site.name),
    names,
  )
  for (const { slug } of sites) assert.match(slug, /^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/)
  assert.equal(new Set(sites.map(site => site.slug)).size, names.length)
  const slugOf = new Map(sites.map(({ name, slug }) => [name, slug]))
  assert.equal(slugOf.get('Müller & Söhne GmbH'), 'm-ller-s-hne-gmbh')
  assert.equal(slugOf.get(' spaces  around '), 'spaces-around')
})

test('migrate: a new store starts with the rows that a store of 0.1.0 started with', async () => {
  const [fresh, old] = [await emptyDatabase(), await oldStore()]
  await migrate(fresh)
  await migrate(old)
  assert.deepEqual(await countRows(fresh), await countRows(old))
})

test('migrate: a store of the last build of 0.1.0, which had one more migration, is adopted', async () => {
  const [fresh, old] = [await emptyDatabase(), await oldStore()]
  await run(
    old,
    `alter table resumes add column contact_rules integer not null default 0;
     create index resumes_contact_rules on resumes (contact_rules) where parsed is not null;
     insert into schema_migrations (version, name, hash) values (114, 'profile_contact_rules', repeat('1', 64));`,
  )
  await migrate(fresh)
  await migrate(old)
  assert.deepEqual(await rowsOf(old), await rowsOf(fresh))
  assert.deepEqual(await describeCatalog(old), await describeCatalog(fresh))
})

test('migrate: several processes adopt a store of 0.1.0 once', async () => {
  const db = await oldStore()
  const results = await Promise.all([migrate(db), migrate(db), migrate(db)])
  const names = readMigrations().map(({ name }) => name)
  assert.deepEqual(
    results.flatMap(({ applied }) => applied),
    names.slice(14),
  )
  assert.ok(await isMigrated(db))
})

for (const [what, change] of [
  ['that lacks the last migrations', 'delete from schema_migrations where version > 100'],
  ['that has only the first migration', 'delete from schema_migrations where version > 1'],
  ['that lacks one in the middle', 'delete from schema_migrations where version = 58'],
  ['with a changed migration', `update schema_migrations set hash = repeat('0', 64) where version = 58`],
] as const) {
  test(`migrate: a store of 0.1.0 ${what} is refused and not changed`, async () => {
    const db = await oldStore()
    await run(db, change)
    const before = await rowsOf(db)
    await assert.rejects(migrate(db), {
      message: `this store was created by a version before 0.2.0 and does not have all its migrations (the last is ${before.at(-1)!.version}): start it once with the last 0.1.0, which applies them up to 113, then with this version`,
    })
    assert.deepEqual(await rowsOf(db), before)
  })
}

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, connect as netConnect } from 'node:net'
import { after, test } from 'node:test'
import { Database } from '../../src/kernel/db/database.ts'
import { type Migration, migrate, migrationStatus, readMigrations } from '../../src/kernel/db/migrate.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { cloneDatabase, openDatabase, stopOwnServer, type TestDatabase } from '../harness/postgres.ts'
import { until } from '../harness/receiver.ts'

const cleanUp: (() => Promise<void>)[] = []
after(async () => {
  for (const step of cleanUp.toReversed()) await step()
  await stopOwnServer()
})

const connect = (database: TestDatabase): Database => {
  const db = openDatabase(database.connection, 4)
  cleanUp.push(() => db.close())
  return db
}

const newStore = async (): Promise<TestDatabase> => {
  const database = await cloneDatabase()
  cleanUp.push(() => database.drop())
  return database
}

const LAST = readMigrations().at(-1)!.version
const withNext = (text: string): Migration[] => [
  ...readMigrations(),
  { version: LAST + 1, name: 'next', text, hash: 'f'.repeat(64) },
]

test('migrate: one that waits for a table in use lets others read it, and is applied when it is free', async () => {
  const db = connect(await newStore())
  const reader = await db.session({ timeouts: 'off' })
  await reader.script('begin; select 1 from jobs')
  const lines: string[] = []
  const migrations = withNext('alter table jobs add column next text;')
  let applied: string[] | undefined
  const migrating = migrate(db, { migrations, onProgress: line => lines.push(line) }).then(done => {
    applied = done.applied
  })
  // reads that come while the lock is wanted wait for half a second at most, and not for the reader
  await until('the migration has tried twice', async () => {
    await db.query(sql`select count(*) from jobs`)
    return lines.length >= 2
  })
  assert.equal(applied, undefined)
  assert.match(lines[0]!, /^migration \d+ \(next\): a table is in use; tries again$/)
  await reader.script('commit')
  await migrating
  await reader.close()
  assert.deepEqual(applied, ['next'])
  await db.query(sql`select next from jobs`)
})

test('migrate: builds an index outside a transaction while several processes start, and replaces one that was interrupted', async () => {
  const database = await newStore()
  const processes = [connect(database), connect(database), connect(database)]
  const [db] = processes as [Database, ...Database[]]
  await db.query(sql`create index next_title on jobs (title)`)
  await db.query(sql`update pg_index set indisvalid = false where indexrelid = 'next_title'::regclass`)
  const migrations = withNext(`-- outside a transaction
-- two indexes
create index concurrently if not exists next_title on jobs (title);

create index concurrently if not exists next_slug on jobs (slug);
`)
  const results = await Promise.all(processes.map(one => migrate(one, { migrations })))
  assert.deepEqual(
    results.flatMap(({ applied }) => applied),
    ['next'],
  )
  const indexes = await db.query(sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid in ('next_title'::regclass, 'next_slug'::regclass)`)
  assert.deepEqual(indexes, [{ valid: true }, { valid: true }])
})

test('migrate: an index that is built concurrently waits for the snapshots of others, for longer than any other lock', async () => {
  const db = connect(await newStore())
  const reader = await db.session({ timeouts: 'off' })
  await reader.script('begin isolation level repeatable read; select 1 from jobs')
  const lines: string[] = []
  const migrations = withNext(`-- outside a transaction
create index concurrently if not exists next_title on jobs (title);
`)
  const migrating = migrate(db, { migrations, onProgress: line => lines.push(line) })
  // twice as long as other statements wait for a lock
  const waiting = sql`
    select 1 from pg_stat_progress_create_index p join pg_stat_activity a using (pid)
    where p.datname = current_database() and p.phase = 'waiting for old snapshots'
      and a.query_start < clock_timestamp() - interval '1 second'`
  await until('it waits for the reader', async () => (await db.one(waiting)) !== undefined)
  await reader.script('commit')
  await reader.close()
  assert.deepEqual([(await migrating).applied, lines], [['next'], []])
  const [index] = await db.query(sql<{ valid: boolean }>`
    select indisvalid as valid from pg_index where indexrelid = 'next_title'::regclass`)
  assert.equal(index!.valid, true)
})

/** A network to the database that carries nothing more of what a client sends, from a message with this word on. */
async function stoppingAt(database: TestDatabase, word: string): Promise<string> {
  const url = new URL(database.url)
  const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.port}`
  const server = createServer(client => {
    const upstream = netConnect(path)
    let stopped = false
    client.on('data', chunk => {
      stopped ||= chunk.includes(word)
      if (!stopped) upstream.write(chunk)
    })
    upstream.pipe(client)
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
    client.on('close', () => upstream.destroy())
  }).listen(0, '127.0.0.1')
  cleanUp.push(async () => void server.close())
  await once(server, 'listening')
  url.search = ''
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}

test('migrate: a process that stops inside a transaction loses its locks, by default after 15 s; the next one applies all of it', async () => {
  const store = await newStore()
  const db = connect(store)
  const stopped = new Database(
    { connectionString: await stoppingAt(store, 'the process stops here') },
    { connections: 2, log: createLog('silent') },
  )
  cleanUp.push(() => stopped.close())
  const migrations = withNext(`alter table jobs add column next text;
select 'the process stops here';
create table pauses as select current_setting('idle_in_transaction_session_timeout') as longest;
`)
  const refused = assert.rejects(migrate(stopped, { migrations, longestPauseMs: 1_000 }))
  const locked = sql`
    select 1 from pg_stat_activity a join pg_locks l using (pid)
    where a.state = 'idle in transaction' and l.relation = 'jobs'::regclass and l.mode = 'AccessExclusiveLock'`
  await until('it has the lock', async () => (await db.one(locked)) !== undefined)
  await db.query(sql`select count(*) from jobs`)
  await refused
  assert.deepEqual((await migrate(db, { migrations })).applied, ['next'])
  assert.deepEqual(await db.query(sql`select longest from pauses`), [{ longest: '15s' }])
  await db.query(sql`select next from jobs`)
})

test('migrate: fills a column in batches, each committed, and says how far it is', async () => {
  const db = connect(await newStore())
  await db.query(sql`create table filled (id integer primary key, value integer)`)
  await db.query(sql`insert into filled select n from generate_series(1, 2500) n`)
  const migrations = withNext(`-- in batches
with batch as (select id from filled where value is null order by id limit 1000 for update),
changed as (update filled f set value = f.id from batch b where f.id = b.id returning 1)
select count(*)::integer as changed from changed;`)
  const seen: string[] = []
  await migrate(db, { migrations, onProgress: line => seen.push(line.split(': ')[1]!) })
  assert.deepEqual(seen, ['1000 rows', '2000 rows', '2500 rows'])
  const left = await db.query(sql`select from filled where value is distinct from id`)
  assert.equal(left.length, 0)
})

test('migrate --status: shows what is applied and what would be, and applies nothing', async () => {
  const db = connect(await newStore())
  const before = await migrationStatus(db, withNext('-- outside a transaction\nselect 1;'))
  assert.deepEqual(before.at(-1), { version: LAST + 1, name: 'next', applied: false, runs: 'outside' })
  assert.ok(before.slice(0, -1).every(({ applied }) => applied))
  // a later version has applied one that this program does not know
  await db.query(sql`insert into schema_migrations (version, name, hash) values (${LAST + 2}, 'later', 'x')`)
  assert.deepEqual((await migrationStatus(db)).at(-1)?.name, 'later')
  assert.deepEqual((await migrate(db)).applied, [], 'an older program starts with a newer schema')
})

test('migrate: an empty database has nothing applied', async () => {
  const database = await cloneDatabase('template0')
  cleanUp.push(() => database.drop())
  const status = await migrationStatus(connect(database))
  assert.deepEqual(
    status.filter(({ applied }) => applied),
    [],
  )
  assert.equal((await migrate(connect(database))).applied.length, status.length)
})

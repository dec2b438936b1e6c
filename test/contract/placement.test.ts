import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { clusterVerbs } from '../../src/cli/cluster.ts'
import { COORDINATOR_REASONS, PLACEMENT, WORKSPACE_TABLES } from '../../src/kernel/citus/placement.ts'
import { readConfig } from '../../src/kernel/config/config.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { cloneDatabase, openDatabase, stopOwnServer } from '../harness/postgres.ts'
import { temporaryFolder } from '../harness/process.ts'

const database = await cloneDatabase()
const db = openDatabase(database.connection, 2)
after(async () => {
  await db.close()
  await database.drop()
  await stopOwnServer()
})

test('hiring cluster: on plain PostgreSQL each verb is refused with a line that says why', async () => {
  const folder = temporaryFolder()
  const run = (name: string, ...args: string[]) =>
    clusterVerbs
      .find(verb => verb.name === name)!
      .run({
        args,
        option: () => undefined,
        options: () => [],
        flag: () => false,
        json: true,
        config: overrides =>
          readConfig({ DATA_DIR: folder, DATABASE_URL: database.url, SECRET_KEY: '3'.repeat(64), ...overrides }),
      })
  await db.query(sql`insert into workspaces (id, name) values ('ws_one', 'One')`)
  for (const [name, ...args] of [
    ['cluster distribute'],
    ['cluster status'],
    ['cluster move', 'ws_one', '127.0.0.1:5432'],
    ['cluster isolate', 'ws_one'],
    ['cluster rebalance'],
  ] as const)
    await assert.rejects(() => run(name, ...args), /the database is plain PostgreSQL: the extension citus is not/, name)
})

const isDistributed = (name: string) => PLACEMENT.get(name) === 'workspace'

test('placement: every table of the schema has one place, and no other name has', async () => {
  const tables = await db.query(sql<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    order by relname`)
  assert.deepEqual(
    [...PLACEMENT.keys()].sort(),
    tables.map(({ name }) => name),
  )
  assert.equal(PLACEMENT.size, WORKSPACE_TABLES.length + COORDINATOR_REASONS.size, 'no table is named twice')
})

test('placement: docs/citus.md says why tables are on the coordinator', () => {
  const text = readFileSync(join(import.meta.dirname, '../../docs/citus.md'), 'utf8').replaceAll(/\s+/g, ' ')
  for (const reason of new Set(COORDINATOR_REASONS.values())) assert.ok(text.includes(`- ${reason}`), reason)
})

test('placement: the workspace is a column without null of each distributed table and part of each of its keys', async () => {
  const nullable = await db.query(sql<{ name: string }>`
    select name from unnest(${WORKSPACE_TABLES}::text[]) as name where not exists (
      select from pg_attribute where attrelid = name::regclass and attname = 'workspace_id' and attnotnull)`)
  assert.deepEqual(nullable, [])
  const keys = await db.query(sql<{ index: string; columns: string[] }>`
    select i.indexrelid::regclass::text as index, array(select attname::text from pg_attribute
      where attrelid = i.indrelid and attnum = any(i.indkey)) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relname = any(${WORKSPACE_TABLES}::text[])`)
  assert.deepEqual(
    keys.filter(({ columns }) => !columns.includes('workspace_id')).map(({ index }) => index),
    [],
  )
  const without = await db.query(sql<{ name: string }>`
    select name from unnest(${WORKSPACE_TABLES}::text[]) as name where not exists (
      select from pg_index where indrelid = name::regclass and indisprimary)`)
  assert.deepEqual(without, [], 'moving a shard while it is written needs a primary key')
})

/** Foreign keys that `cluster distribute` drops: what they do when a member is removed, removeUser does as well. */
const DROPPED = [
  'interview_people',
  'job_team',
  'job_visits',
  'member_hours',
  'note_mentions',
  'rejection_habits',
  'scorecard_drafts',
  'scorecard_requests',
  'task_states',
  'team_mails',
].map(table => `${table} -> users`)

test('placement: foreign keys do not lead from one place to the other, but to workspaces and to members', async () => {
  const found = await db.query(sql<{ name: string; refers_to: string; columns: string[] }>`
    select f.conrelid::regclass::text as name, f.confrelid::regclass::text as refers_to, array(
      select attname::text from pg_attribute where attrelid = f.conrelid and attnum = any(f.conkey)) as columns
    from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`)
  const between = found.filter(({ name, refers_to }) => isDistributed(name) !== isDistributed(refers_to))
  assert.deepEqual(
    between
      .filter(({ refers_to }) => refers_to !== 'workspaces')
      .map(({ name, refers_to }) => `${name} -> ${refers_to}`)
      .sort(),
    DROPPED,
  )
  assert.deepEqual(
    between.filter(({ name }) => !isDistributed(name)),
    [],
  )
  for (const { name, refers_to, columns } of found.filter(key => isDistributed(key.name)))
    assert.ok(columns.includes('workspace_id'), `${name} refers to ${refers_to} with the workspace`)
})

test('placement: a table is distributed after those that its foreign keys refer to', async () => {
  const found = await db.query(sql<{ name: string; refers_to: string }>`
    select conrelid::regclass::text as name, confrelid::regclass::text as refers_to
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const late = found.filter(
    key => isDistributed(key.name) && WORKSPACE_TABLES.indexOf(key.refers_to) > WORKSPACE_TABLES.indexOf(key.name),
  )
  assert.deepEqual(late, [])
})

/** Numbers that a trigger takes on a shard carry the node in their high bits: they need a bigint, and have no order. */
test('placement: numbers that triggers of distributed tables take have all 64 bits', async () => {
  const [column] = await db.query(sql<{ type: string }>`
    select format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'funnel_changes'::regclass and attidentity <> ''`)
  assert.equal(column!.type, 'bigint')
})

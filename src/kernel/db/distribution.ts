import { UserError } from '../errors/user-error.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'
import type { DbSession, Queryable } from './database.ts'
import { LOCKS } from './locks.ts'
import { raw, type Sql, sql } from './sql.ts'
import { hasSqlState } from './sqlstate.ts'

/**
 * How the tables of a store in use become distributed tables (`cluster.ts` has the order of the steps): distributed copies
 * are made in a schema of their own and filled, while triggers note the keys of rows that change in the meantime. When a
 * copy has all but the last changes, one short transaction puts it in the place of the table.
 */

const COPIES = 'distributing'
const OLD = 'before_distribution'
const TRIGGER = 'note_for_distribution'

/** How long a lock is waited for; statements of the service wait behind it as long. */
const LOCK_TIMEOUT_MS = 500
const RETRY_MS = 1_000
const MAX_TRIES = 600
/** A process that stops between two statements must not keep the locks. */
const LONGEST_PAUSE_MS = 30_000

/** how often a batch in the middle of a table is reported, and changes of tables that are copied are applied */
const REPORT_MS = 5_000
const CATCH_UP_MS = 60_000
/** With so few changes left, the switch is tried. A busy store may always have more: then after so many passes. */
const FEW_CHANGES = 500
const MAX_PASSES = 10
/** how long the end of a session is waited for */
const END_SESSION_MS = 5_000

type Report = (line: string) => void

/** A transaction that gives up when a lock is held by others, and is tried again; `prepare` comes before each try. */
export async function inTransaction(
  session: DbSession,
  onProgress: Report,
  work: () => Promise<void>,
  prepare?: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    await prepare?.()
    try {
      await session.script('begin')
      await session.script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      await session.script(`set local idle_in_transaction_session_timeout = ${LONGEST_PAUSE_MS}`)
      // of a cluster: one connection to each node, so that each statement sees what those before it made
      await session.script(`set local citus.multi_shard_modify_mode = 'sequential'`)
      await work()
      await session.script('commit')
      return
    } catch (error) {
      await session.script('rollback')
      if (!hasSqlState(error, 'lockNotAvailable') || tries === MAX_TRIES) throw error
      onProgress('a table is in use; tries again')
      await pause(RETRY_MS)
    }
  }
}

/** In a transaction whose statements all see the same state of the coordinator: that at the first of them. */
async function inSnapshot(session: DbSession, work: () => Promise<void>): Promise<void> {
  try {
    await session.script('begin isolation level repeatable read')
    await session.script(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await copyAsIs(session)
    await work()
    await session.script('commit')
  } catch (error) {
    await session.script('rollback')
    throw error
  }
}

/** Triggers of the shards would write what they wrote before a second time; a row may be copied before what it refers to. */
const copyAsIs = (session: DbSession): Promise<void> => session.script('set local session_replication_role = replica')

/** Foreign keys of distributed tables that refer to a table of the coordinator, which a node cannot look into. */
export const outsideKeys = (tables: readonly string[], distributed: readonly string[]) => sql<{
  statement: string
  refers_to: string
}>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as statement,
    confrelid::regclass::text as refers_to
  from pg_constraint
  where contype = 'f' and conparentid = 0 and conrelid = any(${tables}::regclass[])
    and not confrelid = any(${distributed}::text[]::regclass[])
  order by conrelid::regclass::text, conname`

/** Moves what processes of an earlier release insert; those cannot use a cluster. */
const DIVERSION = 'outbox_shared'

/**
 * What makes copies of tables that have the same columns, names of indexes and constraints, triggers and rights, in this
 * order. The catalog names the tables without their schema, so the statements apply in whichever comes first in the path.
 */
const copyStatements = (tables: readonly string[], distributed: readonly string[]) => sql<{ statement: string }>`
  with t as (
    select name::regclass as oid, name, place from unnest(${tables}::text[]) with ordinality as t (name, place)
  ), statements as (
    select 1 as step, place, '' as name,
      format('create table ${raw(COPIES)}.%1$I (like public.%1$I including all excluding indexes excluding statistics)%2$s',
        t.name, ' with (' || array_to_string(c.reloptions, ', ') || ')') as statement
    from t join pg_class c using (oid)
    union all
    select 2, place, a.attname, format('alter table %I alter column %I set statistics %s', t.name, a.attname, a.attstattarget)
    from t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and a.attstattarget >= 0
    union all
    select 3, place, conname, format('alter table %I add constraint %I %s', t.name, conname, pg_get_constraintdef(k.oid, true))
    from t join pg_constraint k on k.conrelid = t.oid and k.contype in ('p', 'u', 'x')
    union all
    select 4, place, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid, 0, true)
    from t join pg_index i on i.indrelid = t.oid
    where not exists (select from pg_constraint k where k.conrelid = t.oid and k.conindid = i.indexrelid)
    union all
    select 5, place, conname, format('alter table %I add constraint %I %s', t.name, conname, pg_get_constraintdef(k.oid, true))
    from t join pg_constraint k on k.conrelid = t.oid and k.contype = 'f'
    where k.confrelid = any(${distributed}::text[]::regclass[])
    union all
    select 6, place, tgname, pg_get_triggerdef(g.oid, true)
    from t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal and g.tgname <> ${DIVERSION}
    union all
    select 7, place, '', format('alter table %I owner to %I', t.name, pg_get_userbyid(c.relowner))
    from t join pg_class c using (oid) where c.relowner <> current_user::regrole
    union all
    select 8, place, g.privilege_type, format('grant %s on %I to %s', g.privilege_type, t.name,
      case g.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(g.grantee)) end)
    from t join pg_class c using (oid), aclexplode(c.relacl) g where g.grantee <> c.relowner
  )
  select statement from statements order by step, place, name`

const createDistributed = (name: string, first: string, shards: number): Sql =>
  name === first
    ? sql`select create_distributed_table(${name}, 'workspace_id', colocate_with => 'none', shard_count => ${shards})`
    : sql`select create_distributed_table(${name}, 'workspace_id', colocate_with => ${first})`

/** Distributes tables that are empty, in the transaction of the session; all of them are colocated with the first one. */
export async function distributeEmpty(
  session: DbSession,
  tables: readonly string[],
  opts: { first: string; shards: number },
): Promise<void> {
  for (const name of tables) await session.query(createDistributed(name, opts.first, opts.shards))
}

/** The version of the schema that the copies were made of. */
const VERSION = sql<{ version: number }>`select max(version) as version from schema_migrations`

/**
 * Makes the copies, empty, and the tables that the distribution needs for itself. All or nothing.
 */
export async function makeCopies(
  session: DbSession,
  opts: { tables: readonly string[]; distributed: readonly string[]; first: string; shards: number },
  onProgress: Report,
): Promise<void> {
  const { tables } = opts
  await inTransaction(session, onProgress, async () => {
    await session.query(sql`select pg_advisory_xact_lock(${LOCKS.migrations})`)
    const statements = await session.query(copyStatements(tables, opts.distributed))
    await session.script(`create schema ${COPIES}`)
    await session.script(`set local search_path = ${COPIES}, public`)
    await session.script(
      `create table distribution (started_at timestamptz not null default clock_timestamp(), shards integer not null, version integer not null)`,
    )
    await session.script(
      `create table copied_tables (name text primary key, key jsonb, rows bigint not null default 0, is_copied boolean not null default false)`,
    )
    await session.script(`create table changed_rows (name text not null, key jsonb not null)`)
    await session.script('create index changed_rows_name on changed_rows (name)')
    await session.query(sql`insert into copied_tables (name) select unnest(${tables}::text[])`)
    await session.query(sql`insert into distribution (shards, version) select ${opts.shards}::integer, (${VERSION})`)
    for (const { statement } of statements) await session.script(statement)
    await distributeEmpty(session, tables, opts)
  })
}

/** Ends what must not be reported as erased: rows, or their keys, are in copies that no deletion reaches yet. */
export class UnfinishedDistribution extends UserError {
  constructor() {
    super(
      'the store is being distributed over a cluster, and copies may have what was erased since: the erasure completes when hiring cluster distribute has ended, or hiring cluster distribute --cancel was run',
    )
  }
}

/** Whether a distribution has begun and has not ended, also one that was interrupted: all that it made for itself is there. */
export async function hasCopies(db: Queryable): Promise<boolean> {
  return (await db.one(sql<{ has: boolean }>`select to_regnamespace(${COPIES}) is not null as has`))!.has
}

/**
 * Refuses while a distribution has copies. In a transaction that deletes rows: call it after that. Then it finds the copies,
 * or the triggers that note keys wait for its end.
 */
export async function requireNoCopies(db: Queryable): Promise<void> {
  if (await hasCopies(db)) throw new UnfinishedDistribution()
}

export interface DistributionProgress {
  shards: number
  tables: number
  copied_tables: number
  rows: number
}

/** Of a distribution that has begun and has not ended, also of one that was interrupted. */
export async function distributionProgress(db: Queryable): Promise<DistributionProgress | null> {
  if (!(await hasCopies(db))) return null
  if (await lacksNotes(db)) return { shards: 0, tables: 0, copied_tables: 0, rows: 0 }
  return (await db.one(sql<DistributionProgress>`
    select (select shards from ${raw(COPIES)}.distribution) as shards,
      count(*)::integer as tables, count(*) filter (where is_copied)::integer as copied_tables,
      coalesce(sum(rows), 0)::float8 as rows
    from ${raw(COPIES)}.copied_tables`))!
}

/** Whether someone has dropped the tables with which an interrupted distribution goes on. */
async function lacksNotes(db: Queryable): Promise<boolean> {
  const names = ['distribution', 'copied_tables', 'changed_rows'].map(name => `${COPIES}.${name}`)
  return (await db.one(sql<{ lacks: boolean }>`
    select bool_or(to_regclass(name) is null) as lacks from unnest(${names}::text[]) as name`))!.lacks
}

/** Copies of an earlier schema, or of other tables, are of no use. */
export async function requireSameSchema(session: Queryable, tables: readonly string[]): Promise<void> {
  if (await lacksNotes(session))
    throw new UserError(
      `the schema ${COPIES} has no distribution that can go on: run hiring cluster distribute --cancel, then distribute the store again`,
    )
  const same = (await session.one(sql<{ version: boolean; tables: boolean }>`
    select (${VERSION}) = (select version from ${raw(COPIES)}.distribution) as version,
      (select array_agg(name order by name) from ${raw(COPIES)}.copied_tables)
        = (select array_agg(name order by name) from unnest(${tables}::text[]) as name) as tables`))!
  if (same.version && same.tables) return
  throw new UserError(
    'the store was migrated since the distribution began: run hiring cluster distribute --cancel, then distribute it again',
  )
}

/** A table with what statements about its rows need. */
export interface CopiedTable {
  name: string
  /** of the primary key, in its order */
  keys: { name: string; type: string }[]
  columns: string[]
}

const describe = (tables: readonly string[]) => sql<CopiedTable>`
  select t.name,
    (select jsonb_agg(jsonb_build_object('name', quote_ident(a.attname), 'type', format_type(a.atttypid, a.atttypmod))
        order by k.place)
      from pg_index i, unnest(i.indkey) with ordinality as k (attnum, place)
      join pg_attribute a on a.attnum = k.attnum
      where i.indrelid = t.name::regclass and i.indisprimary and a.attrelid = i.indrelid) as keys,
    array(select quote_ident(a.attname) from pg_attribute a
      where a.attrelid = t.name::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      order by a.attnum) as columns
  from unnest(${tables}::text[]) with ordinality as t (name, place) order by t.place`

/** In the order of the tables. Refuses one whose changes could not be noted. */
export async function describeTables(db: Queryable, tables: readonly string[]): Promise<CopiedTable[]> {
  const found = await db.query(describe(tables))
  for (const { name, keys } of found) {
    if (!keys?.some(key => key.name === 'workspace_id'))
      throw new UserError(`the table ${name} has no primary key with workspace_id: it cannot be distributed`)
  }
  return found
}

/** A row's place in the order of the primary key, as text of JSON; null: before the first or after the last. */
type Key = string | null

const keyOf = ({ keys }: CopiedTable, alias: string): string =>
  `(${keys.map(key => `${alias}.${key.name}`).join(', ')})`

/** As a value: in JSON, times and dates are read the same whatever the settings of a session are. */
const jsonOf = ({ keys }: CopiedTable, alias: string): string =>
  `jsonb_build_array(${keys.map(key => `${alias}.${key.name}`).join(', ')})`

const keyIn = ({ keys }: CopiedTable, json: string): Sql => {
  const values = keys.map(({ type }, i) => sql`(${json}::jsonb->>${raw(String(i))})::${raw(type)}`)
  return sql`(${values.reduce((all, next) => sql`${all}, ${next}`)})`
}

const bounds = (table: CopiedTable, alias: string, operator: '>' | '<=', key: Key): Sql =>
  key === null ? raw('true') : sql`${raw(keyOf(table, alias))} ${raw(operator)} ${keyIn(table, key)}`

/** From then on the keys of rows that change are in changed_rows: those before and after the change. */
export async function noteChanges(
  session: DbSession,
  tables: readonly CopiedTable[],
  onProgress: Report,
): Promise<void> {
  for (const table of tables) {
    const note = (row: 'old' | 'new') =>
      `insert into ${COPIES}.changed_rows (name, key) values ('${table.name}', ${jsonOf(table, row)});`
    await inTransaction(session, onProgress, async () => {
      // with the rights of its owner: the service writes its own tables only
      await session.script(`
        create or replace function ${COPIES}.note_${table.name}() returns trigger
        language plpgsql security definer set search_path = pg_catalog as $$
        begin
          if tg_op = 'INSERT' then ${note('new')}
          elsif tg_op = 'DELETE' then ${note('old')}
          else
            ${note('old')}
            if ${jsonOf(table, 'new')} <> ${jsonOf(table, 'old')} then ${note('new')} end if;
          end if;
          return null;
        end $$`)
      await session.script(`
        create or replace trigger ${TRIGGER} after insert or update or delete on public.${table.name}
        for each row execute function ${COPIES}.note_${table.name}()`)
      await session.script(`alter table public.${table.name} enable always trigger ${TRIGGER}`)
    })
  }
}

const changedKeys = (table: CopiedTable): Sql => sql`
  select distinct ${raw(
    table.keys.map(({ type }, i) => `(key->>${i})::${type} as k${i}`).join(', '),
  )} from ${raw(COPIES)}.changed_rows where name = ${table.name}`

/**
 * Makes the copy the same as the table as far as `upTo`, in the transaction of the session: rows that have changed are
 * removed, and inserted as they are now. Nothing may have changed since the first statement of that transaction, or it must
 * not see it.
 */
async function applyChanges(session: DbSession, table: CopiedTable, upTo: Key): Promise<void> {
  const { name } = table
  const some = await session.one(sql`select 1 from ${raw(COPIES)}.changed_rows where name = ${name} limit 1`)
  if (!some) return
  const changed = sql`with k as materialized (${changedKeys(table)})`
  const names = raw(`(${table.keys.map((_, i) => `k.k${i}`).join(', ')})`)
  await session.query(sql`
    ${changed} delete from ${raw(`${COPIES}.${name}`)} as c using k where ${raw(keyOf(table, 'c'))} = ${names}`)
  await session.query(sql`
    ${changed} insert into ${raw(`${COPIES}.${name} (${table.columns.join(', ')})`)} overriding system value
    select ${raw(table.columns.map(column => `s.${column}`).join(', '))}
    from k join public.${raw(name)} as s on ${raw(keyOf(table, 's'))} = ${names}
    where ${bounds(table, 's', '<=', upTo)}`)
  await session.query(sql`delete from ${raw(COPIES)}.changed_rows where name = ${name}`)
}

const TO_THE_END = null

/** Applies what has changed to the copies that are complete; each table by itself, so that no transaction is long. */
async function catchUp(session: DbSession, tables: readonly CopiedTable[]): Promise<void> {
  const waiting = await session.query(sql<{ name: string }>`
    select name from ${raw(COPIES)}.copied_tables t where is_copied
      and exists (select from ${raw(COPIES)}.changed_rows r where r.name = t.name)`)
  const names = new Set(waiting.map(({ name }) => name))
  for (const table of tables.filter(({ name }) => names.has(name)))
    await inSnapshot(session, () => applyChanges(session, table, TO_THE_END))
}

interface CopyState {
  name: string
  /** the last key that is copied */
  key: Key
  rows: number
  is_copied: boolean
}

/** Bytes of all tables, and how many of them are copied: for the time that is left. */
class Meter {
  readonly #began = clock.monotonic()
  readonly #total: number
  #done = 0
  #copied = 0

  constructor(total: number) {
    this.#total = total
  }

  add(bytes: number, counts: 'now' | 'before'): void {
    this.#done += bytes
    if (counts === 'now') this.#copied += bytes
  }

  text(): string {
    if (this.#total === 0) return '100 %'
    const share = Math.min(100, Math.floor((this.#done / this.#total) * 100))
    if (this.#copied === 0) return `${share} %`
    const seconds = ((clock.monotonic() - this.#began) / 1_000) * ((this.#total - this.#done) / this.#copied)
    return `${share} % of ${(this.#total / 1e6).toFixed(1)} MB, about ${Math.max(0, Math.round(seconds))} s left`
  }
}

/**
 * Copies the rows in batches, each in a transaction of its own that also notes how far it is. A batch sees one state of the
 * table, and what was copied before is brought to that state first: so a value that must be unique, and went from a row to
 * another, is never there twice.
 */
export async function copyRows(
  session: DbSession,
  tables: readonly CopiedTable[],
  opts: { sizes: ReadonlyMap<string, { rows: number; bytes: number }>; resumes: boolean; batchRows: number },
  onProgress: Report,
): Promise<void> {
  const meter = new Meter([...opts.sizes.values()].reduce((sum, { bytes }) => sum + bytes, 0))
  const states = await session.query(sql<CopyState>`
    select name, key::text as key, rows::float8 as rows, is_copied from ${raw(COPIES)}.copied_tables`)
  let caughtUpAt = clock.monotonic()
  for (const [i, table] of tables.entries()) {
    const state = states.find(({ name }) => name === table.name)!
    const size = opts.sizes.get(table.name)!
    const bytesOf = (rows: number) => (size.bytes * Math.min(rows, size.rows)) / Math.max(size.rows, 1)
    meter.add(state.is_copied ? size.bytes : bytesOf(state.rows), 'before')
    // what an interrupted run copied, and did not note: a node commits before the coordinator
    if (!state.is_copied && opts.resumes) await inSnapshot(session, () => deleteAfter(session, table, state.key))
    let reportedAt = clock.monotonic()
    while (!state.is_copied) {
      const before = state.rows
      await inSnapshot(session, () => copyBatch(session, table, state, opts.batchRows))
      meter.add(state.is_copied ? size.bytes - bytesOf(before) : bytesOf(state.rows) - bytesOf(before), 'now')
      const now = clock.monotonic()
      if (state.rows > 0 && (state.is_copied || now >= reportedAt + REPORT_MS)) {
        reportedAt = now
        onProgress(`${i + 1} of ${tables.length}: ${table.name}, ${state.rows} rows; ${meter.text()}`)
      }
      if (now >= caughtUpAt + CATCH_UP_MS) {
        await catchUp(session, tables)
        caughtUpAt = clock.monotonic()
      }
    }
  }
}

async function deleteAfter(session: DbSession, table: CopiedTable, key: Key): Promise<void> {
  await session.query(sql`
    delete from ${raw(`${COPIES}.${table.name}`)} as c where ${bounds(table, 'c', '>', key)}`)
}

async function copyBatch(session: DbSession, table: CopiedTable, state: CopyState, batchRows: number): Promise<void> {
  const { name } = table
  const source = raw(`public.${name} as s`)
  const order = raw(table.keys.map(key => `s.${key.name}`).join(', '))
  const page = (await session.one(sql<{ rows: number; key: Key }>`
    with page as (select row_number() over (order by ${order}) as place, ${raw(jsonOf(table, 's'))} as key
      from ${source} where ${bounds(table, 's', '>', state.key)} order by ${order} limit ${batchRows})
    select count(*)::integer as rows, (select key::text from page order by place desc limit 1) as key from page`))!
  if (state.rows > 0) await applyChanges(session, table, state.key)
  else await session.query(sql`delete from ${raw(COPIES)}.changed_rows where name = ${name}`)
  if (page.rows > 0) {
    await session.query(sql`
      insert into ${raw(`${COPIES}.${name} (${table.columns.join(', ')})`)} overriding system value
      select ${raw(table.columns.map(column => `s.${column}`).join(', '))} from ${source}
      where ${bounds(table, 's', '>', state.key)} and ${bounds(table, 's', '<=', page.key)}`)
  }
  state.rows += page.rows
  state.key = page.key ?? state.key
  state.is_copied = page.rows < batchRows
  await session.query(sql`
    update ${raw(COPIES)}.copied_tables
    set key = ${state.key}::jsonb, rows = ${state.rows}::bigint, is_copied = ${state.is_copied}::boolean
    where name = ${name}`)
}

/** How a value is written as text, on the coordinator and on the nodes. */
const AS_TEXT = {
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
}

/** Compares every row of every table with its copy, in one state of both; the service goes on. */
export async function compareCopies(
  session: DbSession,
  tables: readonly CopiedTable[],
  onProgress: Report,
): Promise<void> {
  const names = tables.map(({ name }) => name)
  let rows = 0
  for (const table of tables) {
    let found = 0
    await inSnapshot(session, async () => {
      for (const [name, value] of Object.entries(AS_TEXT)) await session.script(`set local ${name} = '${value}'`)
      await applyChanges(session, table, TO_THE_END)
      const own = (await session.one(sumOf('public', table)))!
      const copied = (await session.one(sumOf(COPIES, table)))!
      if (own.rows !== copied.rows || own.sum !== copied.sum) {
        await requireSameSchema(session, names)
        throw new Error(`the copy of ${table.name} differs: ${copied.rows} rows for ${own.rows}`)
      }
      found = own.rows
    })
    rows += found
    // plans of the first statements after the switch depend on it
    if (found > 0) await session.script(`analyze ${COPIES}.${table.name}`)
  }
  onProgress(`${rows} rows are the same in the copies`)
}

const sumOf = (schema: string, { name }: CopiedTable) => sql<{ rows: number; sum: string }>`
  select count(*)::float8 as rows, coalesce(sum(hashtextextended(t::text, 0)), 0)::text as sum
  from ${raw(`${schema}.${name}`)} as t`

/** Views are bound to the tables that they were made of. */
const viewsOf = (tables: readonly string[]) => sql<{ statement: string }>`
  select distinct format('create or replace view %s as %s', v.oid::regclass, pg_get_viewdef(v.oid)) as statement
  from pg_depend d join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
  join pg_class v on v.oid = r.ev_class and v.relkind = 'v'
  where d.refclassid = 'pg_class'::regclass and d.refobjid = any(${tables}::text[]::regclass[])`

/** Of identity columns. */
const sequencesOf = (tables: readonly string[]) => sql<{ statement: string }>`
  select format('select setval(pg_get_serial_sequence(%L, %L), last_value, is_called) from %s',
    '${raw(COPIES)}.' || a.attrelid::regclass, a.attname, pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)) as statement
  from pg_attribute a
  where a.attrelid = any(${tables}::text[]::regclass[]) and a.attnum > 0 and a.attidentity <> ''`

/** Sessions that began before the settings of the database were made would go on without them. */
const endEarlierSessions = sql`
  select pg_terminate_backend(a.pid, ${END_SESSION_MS}::bigint)
  from pg_stat_activity a, ${raw(COPIES)}.distribution d
  where a.datname = current_database() and a.backend_type = 'client backend' and a.pid <> pg_backend_pid()
    and a.backend_start < d.started_at and a.application_name not like 'citus_internal%'
    and pg_has_role(a.usesysid, 'usage')`

/**
 * Puts the copies in the place of the tables, in one transaction: the service waits for the last changes and for the
 * renaming, whatever the size of the tables. Returns how long, in milliseconds.
 */
export async function switchTables(
  session: DbSession,
  tables: readonly CopiedTable[],
  opts: { distributed: readonly string[]; afterwards: Sql },
  onProgress: Report,
): Promise<number> {
  const names = tables.map(({ name }) => name)
  let began = 0
  const prepare = async () => {
    for (let pass = 1; pass <= MAX_PASSES && (await countChanges(session)) > FEW_CHANGES; pass++)
      await catchUp(session, tables)
  }
  const work = async () => {
    await session.query(sql`select pg_advisory_xact_lock(${LOCKS.migrations})`)
    await requireSameSchema(session, names)
    const keys = await session.query(outsideKeys(names, opts.distributed))
    const views = await session.query(viewsOf(names))
    const sequences = await session.query(sequencesOf(names))
    // those that are referred to as well: a reference is dropped on both sides
    const locked = [...names, ...new Set(keys.map(key => key.refers_to))]
    began = clock.monotonic()
    await session.script(`lock table ${locked.join(', ')} in access exclusive mode`)
    await session.script('set local lock_timeout = 0')
    await copyAsIs(session)
    for (const table of tables) await applyChanges(session, table, TO_THE_END)
    for (const { statement } of [...sequences, ...keys]) await session.script(statement)
    await session.script(`create schema ${OLD}`)
    for (const name of names) await session.script(`alter table public.${name} set schema ${OLD}`)
    for (const name of names) await session.script(`alter table ${COPIES}.${name} set schema public`)
    for (const { statement } of views) await session.script(statement)
    await session.query(opts.afterwards)
    await session.query(endEarlierSessions)
  }
  await inTransaction(session, onProgress, work, prepare)
  return clock.monotonic() - began
}

const countChanges = async (session: DbSession): Promise<number> =>
  (await session.one(sql<{ n: number }>`select count(*)::integer as n from ${raw(COPIES)}.changed_rows`))!.n

/** The tables as they were at the switch: no erasure reaches them, so they are not kept. */
export async function dropOldTables(session: DbSession, onProgress: Report): Promise<void> {
  for (const schema of [OLD, COPIES]) {
    const there = await session.one(sql`select 1 from pg_namespace where nspname = ${schema}`)
    if (!there) continue
    await inTransaction(session, onProgress, () => session.script(`drop schema ${schema} cascade`))
    if (schema === OLD) onProgress('the tables as they were before are dropped')
  }
}

/** Removes the copies and what notes changes. The tables of the store are as before. */
export async function dropCopies(session: DbSession, onProgress: Report): Promise<void> {
  const noted = await session.query(sql<{ name: string }>`
    select tgrelid::regclass::text as name from pg_trigger where tgname = ${TRIGGER} order by 1`)
  for (const { name } of noted)
    await inTransaction(session, onProgress, () => session.script(`drop trigger if exists ${TRIGGER} on ${name}`))
  await inTransaction(session, onProgress, () => session.script(`drop schema if exists ${COPIES} cascade`))
}

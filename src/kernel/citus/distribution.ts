import type { DbSession, Queryable } from '../db/database.ts'
import { raw, sql } from '../db/sql.ts'
import { hasSqlState } from '../db/sqlstate.ts'
import { UserError } from '../errors/user-error.ts'
import { pause } from '../time/pause.ts'

/**
 * How the tables of a store in use become distributed tables (`cluster.ts` has the order of the steps): distributed copies
 * are made in a schema of their own and filled, while triggers note the keys of rows that change in the meantime. When a
 * copy has all but the last changes, one short transaction puts it in the place of the table. Each step has a file of its own:
 * distribution-copies.ts, -changes.ts, -rows.ts, -switch.ts and -end.ts. Here is what they share, and what others ask.
 */

export const COPIES = 'distributing'
export const OLD = 'before_distribution'
export const TRIGGER = 'note_for_distribution'

/** How long a lock is waited for; statements of the service wait behind it as long. */
const LOCK_TIMEOUT_MS = 500
const RETRY_MS = 1_000
const MAX_TRIES = 600
/** A process that stops between two statements must not keep the locks. */
const LONGEST_PAUSE_MS = 30_000

export type Report = (line: string) => void

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
      // a cluster gets one connection to each node, so that each statement sees what those before it made
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
export async function inSnapshot(session: DbSession, work: () => Promise<void>): Promise<void> {
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
export const copyAsIs = (session: DbSession): Promise<void> =>
  session.script('set local session_replication_role = replica')

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

/** The version of the schema that the copies were made of. */
export const VERSION = sql<{ version: number }>`select max(version) as version from schema_migrations`

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
  return (await db.only(sql<{ has: boolean }>`select to_regnamespace(${COPIES}) is not null as has`)).has
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

/** The progress of a distribution that has begun and has not ended, even if it was interrupted. */
export async function distributionProgress(db: Queryable): Promise<DistributionProgress | null> {
  if (!(await hasCopies(db))) return null
  if (await lacksNotes(db)) return { shards: 0, tables: 0, copied_tables: 0, rows: 0 }
  return db.only(sql<DistributionProgress>`
    select (select shards from ${raw(COPIES)}.distribution) as shards,
      count(*)::integer as tables, count(*) filter (where is_copied)::integer as copied_tables,
      coalesce(sum(rows), 0)::float8 as rows
    from ${raw(COPIES)}.copied_tables`)
}

/** Whether someone has dropped the tables with which an interrupted distribution goes on. */
async function lacksNotes(db: Queryable): Promise<boolean> {
  const names = ['distribution', 'copied_tables', 'changed_rows'].map(name => `${COPIES}.${name}`)
  return (
    await db.only(sql<{ lacks: boolean }>`
    select bool_or(to_regclass(name) is null) as lacks from unnest(${names}::text[]) as name`)
  ).lacks
}

/** Copies of an earlier schema, or of other tables, are of no use. */
export async function requireSameSchema(session: Queryable, tables: readonly string[]): Promise<void> {
  if (await lacksNotes(session))
    throw new UserError(
      `the schema ${COPIES} has no distribution that can go on: run hiring cluster distribute --cancel, then distribute the store again`,
    )
  const same = await session.only(sql<{ version: boolean; tables: boolean }>`
    select (${VERSION}) = (select version from ${raw(COPIES)}.distribution) as version,
      (select array_agg(name order by name) from ${raw(COPIES)}.copied_tables)
        = (select array_agg(name order by name) from unnest(${tables}::text[]) as name) as tables`)
  if (same.version && same.tables) return
  throw new UserError(
    'the store was migrated since the distribution began: run hiring cluster distribute --cancel, then distribute it again',
  )
}

/** A table with what statements about its rows need. */
export interface CopiedTable {
  name: string
  /** The columns of the primary key, in its order. */
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

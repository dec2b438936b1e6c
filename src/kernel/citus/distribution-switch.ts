import type { DbSession } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { clock } from '../time/clock.ts'
import {
  COPIES,
  type CopiedTable,
  copyAsIs,
  inTransaction,
  OLD,
  outsideKeys,
  type Report,
  requireSameSchema,
} from './distribution.ts'
import { applyChanges, catchUp, countChanges, TO_THE_END } from './distribution-changes.ts'

/** With so few changes left, the switch is tried. A busy store may always have more: then after so many passes. */
const FEW_CHANGES = 500
const MAX_PASSES = 10
/** how long the end of a session is waited for */
const END_SESSION_MS = 5_000

/** Views are bound to the tables that they were made of. */
const viewsOf = (tables: readonly string[]) => sql<{ statement: string }>`
  select distinct format('create or replace view %s as %s', v.oid::regclass, pg_get_viewdef(v.oid)) as statement
  from pg_depend d join pg_rewrite r on r.oid = d.objid and d.classid = 'pg_rewrite'::regclass
  join pg_class v on v.oid = r.ev_class and v.relkind = 'v'
  where d.refclassid = 'pg_class'::regclass and d.refobjid = any(${tables}::text[]::regclass[])`

/** Sets the sequences of identity columns. */
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

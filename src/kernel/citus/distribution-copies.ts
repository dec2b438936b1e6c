import type { DbSession } from '../db/database.ts'
import { LOCKS } from '../db/locks.ts'
import { raw, type Sql, sql } from '../db/sql.ts'
import { COPIES, inTransaction, type Report, VERSION } from './distribution.ts'

/** The copies of a distribution, distributed while they are empty. */

/** Moves what processes of an earlier release insert; those cannot use a cluster. */
const DIVERSION = 'outbox_shared'

/**
 * The statements, in this order, that make copies of tables with the same columns, names of indexes and constraints,
 * triggers and rights. The catalog names the tables without their schema, so the statements apply in whichever comes
 * first in the path.
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

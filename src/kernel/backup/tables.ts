import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { abortable } from '../async/abortable.ts'
import { nodeFailed, type TablePart } from '../citus/cluster-snapshot.ts'
import { refersToCoordinator, WORKSPACE_TABLES } from '../citus/placement.ts'
import type { CopySession } from '../db/copy-session.ts'
import { type Migration, readMigrations, textInTransaction } from '../db/migrate.ts'
import { raw, sql } from '../db/sql.ts'
import { UserError } from '../errors/user-error.ts'
import { DamagedBackup } from './frames.ts'
import type { Manifest } from './manifest.ts'
import { quoted, type Snapshot } from './snapshot.ts'
import type { BackupTarget } from './target.ts'

export type TableEntry = Manifest['tables'][number]

/** The name of a table's rows in the target. */
export const rowsName = (backup: string, table: string): string => `rows/${backup}/${table}`

const quotedList = (names: readonly string[]) => names.map(quoted).join(', ')

/**
 * Every table of the schema with the columns that hold values of their own. Not those that PostgreSQL empties after a
 * crash: what processes hold at the moment.
 */
export const listTables = () => sql<{ name: string; columns: string[] }>`
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relpersistence = 'p'
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
  group by c.oid order by c.relname`

const listSequences = () => sql<{ name: string }>`
  select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by relname`

/** How many rows these have, roughly. */
const estimateRows = (relations: readonly string[]) => sql<{ rows: number }>`
  select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as rows from pg_class
  where oid = any(${relations}::text[]::regclass[])`

export interface TableProgress {
  table: string
  /** Counts the rows of all tables so far. */
  rows: number
  /** roughly */
  ofRows: number
}

/** Copies the rows of every table of a snapshot into the target. */
export async function copyTables(
  snapshot: Snapshot,
  target: BackupTarget,
  backup: string,
  opts: { signal: AbortSignal; onProgress: (progress: TableProgress) => void },
): Promise<Pick<Manifest, 'tables' | 'sequences'>> {
  const { session } = snapshot
  const listed = (await session.query(listTables())).map(table => ({ ...table, parts: snapshot.partsOf(table.name) }))
  let ofRows = 0
  for (const [at, parts] of Map.groupBy(
    listed.flatMap(table => table.parts),
    part => part.session,
  ))
    ofRows += (await at.only(estimateRows(parts.map(part => part.relation)))).rows
  const tables: TableEntry[] = []
  let rows = 0
  for (const { name, columns, parts } of listed) {
    opts.signal.throwIfAborted()
    opts.onProgress({ table: name, rows, ofRows: Math.max(ofRows, rows) })
    const counted = { rows: 0 }
    const packed = createGzip({ level: 3 })
    const reading = pipeline(copyOut(parts, columns, counted), packed, { signal: opts.signal })
    const stored = await abortable(
      storeAll(target.put(rowsName(backup, name), packed as AsyncIterable<Buffer>), reading),
      opts.signal,
    )
    tables.push({ name, columns, rows: counted.rows, ...stored })
    rows += counted.rows
  }
  const sequences: Manifest['sequences'] = []
  // A sequence is ahead of the snapshot, never behind it.
  for (const { name } of await session.query(listSequences())) {
    const row = await session.only(
      sql<{
        value: number
        called: boolean
      }>`select last_value as value, is_called as called from ${raw(quoted(name))}`,
    )
    sequences.push({ name, ...row })
  }
  return { tables, sequences }
}

/** A target that fails also aborts the reading, which ends first: the error of the target says why. */
async function storeAll<T>(storing: Promise<T>, reading: Promise<void>): Promise<T> {
  const [stored, read] = await Promise.allSettled([storing, reading])
  if (stored.status === 'rejected') throw stored.reason
  if (read.status === 'rejected') throw read.reason
  return stored.value
}

/** The rows of the parts, one after the other, in the format of COPY. */
async function* copyOut(
  parts: readonly TablePart[],
  columns: readonly string[],
  counted: { rows: number },
): AsyncGenerator<Buffer, void> {
  for (const { session, relation, node } of parts) {
    try {
      const copy = session.copyOut(`copy (select ${quotedList(columns)} from ${relation}) to stdout`)
      yield* copy as AsyncIterable<Buffer>
      // the number of rows comes after the last of them, possibly in another packet
      await session.script('select 1')
      counted.rows += copy.rowCount
    } catch (error) {
      throw node === undefined ? error : nodeFailed(node, error)
    }
  }
}

/** The migrations of a backup among those of this release; refuses a backup of a newer one. */
export function requireMigrations(manifest: Manifest, all: readonly Migration[] = readMigrations()): Migration[] {
  const known = new Map(all.map(migration => [migration.version, migration]))
  return manifest.migrations.map(({ version, name, hash }) => {
    const own = known.get(version)
    if (own?.hash === hash) return own
    throw new UserError(
      own
        ? `the backup ${manifest.name} has another migration ${version} (${name}) than this release: use the release that made it, ${manifest.release}`
        : `the backup ${manifest.name} was made by a newer release (${manifest.release}), which has migration ${version} (${name}): install that release or a newer one`,
    )
  })
}

interface ForeignKey {
  table: string
  name: string
  definition: string
  refers_to: string
  /** deletes the rows that refer to a row that is not there; null where such a row would not be deleted with the other */
  delete_orphans: string | null
}

const foreignKeys = () => sql<ForeignKey>`
  select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition,
    c.confrelid::regclass::text as refers_to,
    case when c.confdeltype = 'c' then format('delete from %s t where %s and not exists (select from %s r where %s)',
      c.conrelid::regclass, k.are_set, c.confrelid::regclass, k.are_same) end as delete_orphans
  from pg_constraint c, lateral (
    select string_agg(format('t.%I is not null', a.attname), ' and ') as are_set,
      string_agg(format('r.%I = t.%I', b.attname, a.attname), ' and ') as are_same
    from unnest(c.conkey, c.confkey) as k (own, other)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own
    join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.other) k
  where c.connamespace = 'public'::regnamespace and c.contype = 'f' and c.conparentid = 0
  order by c.conrelid::regclass::text, c.conname`

/**
 * Numbers that a node of a cluster gave, which are far beyond those of the sequence: in another cluster the node would give
 * them again. Columns of integers have none: a node cannot give a number to those.
 */
const renumber = () => sql<{ statement: string }>`
  select format('update %1$s set %2$I = default where %2$I > (select last_value from %3$s)', a.attrelid::regclass,
    a.attname, pg_get_serial_sequence(a.attrelid::regclass::text, a.attname)) as statement
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relname = any(${WORKSPACE_TABLES}::text[])
    and a.attnum > 0 and a.attidentity <> '' and a.atttypid = 'bigint'::regtype`

/**
 * Makes the schema that the backup has and fills it, inside the caller's transaction. Foreign keys are dropped before and
 * made again after, which checks every row; triggers do not run. The user of the database needs no special rights.
 */
export async function loadTables(
  session: CopySession,
  target: BackupTarget,
  manifest: Manifest,
  migrations: readonly Migration[],
  opts: { signal: AbortSignal; onProgress: (progress: TableProgress) => void },
): Promise<void> {
  await session.script(
    'create table schema_migrations (version integer primary key, name text not null, hash text not null, applied_at timestamptz(3) not null default now())',
  )
  for (const migration of migrations) await session.script(textInTransaction(migration))
  const keys = await session.query(foreignKeys())
  await session.script(keys.map(key => `alter table ${key.table} drop constraint ${quoted(key.name)};`).join('\n'))
  const present = (await session.query(listTables())).map(({ name }) => name)
  await session.script(present.map(name => `alter table ${quoted(name)} disable trigger user;`).join('\n'))
  await session.script(`truncate ${quotedList(present)}`)
  const ofRows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  let rows = 0
  for (const table of manifest.tables) {
    opts.signal.throwIfAborted()
    opts.onProgress({ table: table.name, rows, ofRows })
    await copyTableIn(session, target, manifest.name, table, table.name, opts.signal)
    rows += table.rows
  }
  for (const { name, value, called } of manifest.sequences)
    await session.query(sql`select setval(${quoted(name)}::regclass, ${value}::bigint, ${called}::boolean)`)
  for (const { statement } of await session.query(renumber())) await session.script(statement)
  const addKey = (key: ForeignKey) =>
    session.script(`alter table ${key.table} add constraint ${quoted(key.name)} ${key.definition}`)
  for (const key of keys.filter(key => !refersToCoordinator(key))) await addKey(key)
  for (const key of keys.filter(refersToCoordinator)) {
    // rows that a cluster still had when the workspace or member was deleted
    if (key.delete_orphans) await session.script(key.delete_orphans)
    await addKey(key)
  }
  await session.script(present.map(name => `alter table ${quoted(name)} enable trigger user;`).join('\n'))
}

/** Fills a table, here under the name `into`, with the rows that a backup has of it. */
export async function copyTableIn(
  session: CopySession,
  target: BackupTarget,
  backup: string,
  table: TableEntry,
  into: string,
  signal: AbortSignal,
): Promise<void> {
  const name = rowsName(backup, table.name)
  const stored = await target.get(name, table)
  if (!stored) throw new DamagedBackup(`the backup is damaged: ${name} is missing. Use another backup`)
  const copy = session.copyIn(`copy ${quoted(into)} (${quotedList(table.columns)}) from stdin`)
  await pipeline(Readable.from(stored, { objectMode: false }), createGunzip(), copy, { signal })
  if (copy.rowCount !== table.rows)
    throw new DamagedBackup(`the backup is damaged: ${table.name} has ${copy.rowCount} rows, not ${table.rows}`)
}

/** Reads the rows that a backup has of a table to their end, and compares them with the manifest. */
export async function checkTable(target: BackupTarget, backup: string, table: TableEntry): Promise<void> {
  const name = rowsName(backup, table.name)
  const content = await target.get(name, table)
  if (!content) throw new DamagedBackup(`the backup is damaged: ${name} is missing. Use another backup`)
  for await (const _ of content);
}

/** Whether the database has no table of the schema but these. */
export async function isEmptyBut(session: CopySession, names: readonly string[]): Promise<boolean> {
  return (await session.query(listTables())).every(({ name }) => names.includes(name))
}

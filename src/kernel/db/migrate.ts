import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { distributeNewTables } from '../citus/cluster.ts'
import { tryWorkerSettings } from '../citus/cluster-settings.ts'
import { WORKSPACE_TABLES } from '../citus/placement.ts'
import { sha256 } from '../crypto/signing.ts'
import { pause } from '../time/pause.ts'
import { adoptStore } from './adopt-store.ts'
import type { Database, DbSession, Queryable } from './database.ts'
import { LOCKS } from './locks.ts'
import { type Sql, sql } from './sql.ts'
import { hasSqlState } from './sqlstate.ts'
import { splitStatements } from './statements.ts'

export interface Migration {
  version: number
  name: string
  text: string
  hash: string
}

const FOLDER = join(import.meta.dirname, '../../../migrations')

export function readMigrations(folder = FOLDER): Migration[] {
  return readdirSync(folder)
    .filter(file => /^\d{6}_[a-z0-9_]+\.sql$/.test(file))
    .sort()
    .map(file => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { version: Number(file.slice(0, 6)), name: file.slice(7, -4), text, hash: sha256(text).toString('hex') }
    })
}

/** How a migration is applied, by the comment that its file begins with. */
type Manner = 'transaction' | 'outside' | 'batches'

const mannerOf = ({ text }: Pick<Migration, 'text'>): Manner =>
  text.startsWith('-- outside a transaction') ? 'outside' : text.startsWith('-- in batches') ? 'batches' : 'transaction'

/** The text of a migration for tables that are not in use, as in a restore or in an empty database. */
export const textInTransaction = (migration: Migration): string =>
  mannerOf(migration) === 'outside'
    ? migration.text.replaceAll(/\b((?:create (?:unique )?|drop )index) concurrently\b/g, '$1')
    : migration.text

/**
 * A migration that needs a lock on a table waits behind every statement that has one, and every later statement waits
 * behind the migration. So it gives up after this time, and tries again later.
 */
const LOCK_TIMEOUT_MS = 500
const RETRY_MS = 1_000
const LONGEST_PAUSE_MS = 15_000
/** then something holds a lock permanently, such as a session that was left open in a transaction */
const MAX_TRIES = 600

export interface MigrateOptions {
  migrations?: readonly Migration[]
  onProgress?: (line: string) => void
  /** The tables that a cluster spreads over its nodes. */
  workspaceTables?: readonly string[]
  /** how long this process may stop between two statements of a transaction, in milliseconds */
  longestPauseMs?: number
}

/** Brings the schema up to date, while others read and write. Processes that start together wait for one another. */
export async function migrate(db: Database, opts: MigrateOptions = {}): Promise<{ applied: string[] }> {
  const { migrations = readMigrations(), onProgress = () => {} } = opts
  const session = await db.session({ timeouts: 'off' })
  try {
    await lockMigrations(session)
    await session.script(
      'create table if not exists schema_migrations (version integer primary key, name text not null, hash text not null, applied_at timestamptz(3) not null default now())',
    )
    if (await isEmpty(session)) return { applied: await createSchema(session, migrations) }
    await adoptStore(session, migrations)
    const done = await appliedVersions(session)
    const applied: string[] = []
    await session.script(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
    for (const migration of migrations) {
      const earlier = done.get(migration.version)
      if (earlier === migration.hash) continue
      if (earlier !== undefined) {
        throw new Error(
          `migration ${migration.version} (${migration.name}) was changed after it was applied to this database; restore the file, or start with an empty database`,
        )
      }
      const report = (line: string) => onProgress(`migration ${migration.version} (${migration.name}): ${line}`)
      await APPLY[mannerOf(migration)](session, migration, report, opts)
      applied.push(migration.name)
    }
    // with a new release; not at each start, which then would wait for every worker
    if (applied.length > 0) for (const warning of await tryWorkerSettings(session)) onProgress(warning)
    return { applied }
  } finally {
    await session.close()
  }
}

/**
 * Asks again and again instead of waiting in a statement: `create index concurrently` waits for every statement that runs,
 * also for one that waits for this lock.
 */
async function lockMigrations(session: DbSession): Promise<void> {
  const tryLock = sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS.migrations}) as held`
  while (!(await session.only(tryLock)).held) await pause(50)
}

/** Whether the database has no table but the one that records migrations, and no row in that. */
async function isEmpty(session: DbSession): Promise<boolean> {
  const found = await session.one(sql`
    select 1 from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'f')
      and relname <> 'schema_migrations'
    union all select 1 from schema_migrations limit 1`)
  return found === undefined
}

/** All migrations in one transaction: no one uses the tables yet, and a first start waits for one commit instead of fifty. */
async function createSchema(session: DbSession, migrations: readonly Migration[]): Promise<string[]> {
  await session.script('begin')
  for (const migration of migrations) await session.script(`${textInTransaction(migration)}\n;${recordOf(migration)}`)
  await session.script('commit')
  return migrations.map(({ name }) => name)
}

type Apply = (
  session: DbSession,
  migration: Migration,
  onProgress: (line: string) => void,
  opts: MigrateOptions,
) => Promise<void>

const recordOf = ({ version, name, hash }: Migration): string =>
  `insert into schema_migrations (version, name, hash) values (${version}, '${name}', '${hash}')`

const APPLY: Readonly<Record<Manner, Apply>> = {
  /** The schema and the row that records it are committed together. */
  transaction: (
    session,
    migration,
    onProgress,
    { workspaceTables = WORKSPACE_TABLES, longestPauseMs = LONGEST_PAUSE_MS },
  ) =>
    retried(session, onProgress, async () => {
      await session.script('begin')
      // in this form it applies on the nodes of a cluster, too
      await session.script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
      // a process that stops between two statements must not keep the locks
      await session.script(`set local idle_in_transaction_session_timeout = ${longestPauseMs}`)
      // a cluster gets one connection to each node, so that each statement sees what those before it made
      await session.script(`set local citus.multi_shard_modify_mode = 'sequential'`)
      for (const statement of splitStatements(migration.text)) await session.script(statement)
      await distributeNewTables(session, workspaceTables, onProgress)
      await session.script(recordOf(migration))
      await session.script('commit')
    }),

  /** Each statement by itself, so that each must be able to run twice: an interrupted migration is begun again. */
  async outside(session, migration, onProgress) {
    for (const statement of splitStatements(migration.text)) {
      await retried(session, onProgress, async () => {
        await dropInvalidIndex(session, statement)
        // it waits for snapshots as old as itself, such as that of an export, and nothing waits behind it
        const waits = /\bindex concurrently\b/i.test(statement)
        if (waits) await session.script('set lock_timeout = 0')
        try {
          await session.script(statement)
        } finally {
          if (waits) await session.script(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
        }
      })
    }
    await session.script(recordOf(migration))
  },

  /** Its one statement changes some rows and returns how many, until it changes none. */
  async batches(session, migration, onProgress) {
    const statement = { text: migration.text, values: [], name: '' } as Sql<{ changed: number }>
    for (let total = 0, changed = -1; changed !== 0; ) {
      await retried(session, onProgress, async () => {
        changed = (await session.one(statement))?.changed ?? Number.NaN
        if (!Number.isInteger(changed)) throw new Error(`migration ${migration.version} must return a number "changed"`)
      })
      total += changed
      if (changed > 0) onProgress(`${total} rows`)
    }
    await session.script(recordOf(migration))
  },
}

/** An interrupted `create index concurrently` leaves an index that is not used and that has the name. */
async function dropInvalidIndex(session: DbSession, statement: string): Promise<void> {
  const name = /create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(statement)?.[1]
  if (name === undefined) return
  const invalid = await session.one(sql`
    select 1 from pg_index i where i.indexrelid = to_regclass(${name}) and not i.indisvalid`)
  if (invalid) await session.script(`drop index concurrently ${name}`)
}

/** Tries again while a lock that `attempt` needs is held by others; each try is a transaction or a statement. */
async function retried(
  session: DbSession,
  onProgress: (line: string) => void,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (!hasSqlState(error, 'lockNotAvailable') || tries === MAX_TRIES) throw error
      await session.script('rollback')
      onProgress('a table is in use; tries again')
      await pause(RETRY_MS)
    }
  }
}

export interface MigrationStatus {
  version: number
  name: string
  applied: boolean
  /** whether it runs in one transaction, statement by statement, or in batches of rows */
  runs: Manner
}

/** Plans what `migrate` would do, without doing it. Migrations of a later version of the program are listed, too. */
export async function migrationStatus(db: Queryable, migrations = readMigrations()): Promise<MigrationStatus[]> {
  const exists = await db.query(sql`select 1 where to_regclass('schema_migrations') is not null`)
  const rows =
    exists.length === 0
      ? []
      : await db.query(sql<{ version: number; name: string }>`select version, name from schema_migrations`)
  const applied = new Set(rows.map(row => row.version))
  const known = new Set(migrations.map(migration => migration.version))
  return [
    ...migrations.map(migration => ({
      version: migration.version,
      name: migration.name,
      applied: applied.has(migration.version),
      runs: mannerOf(migration),
    })),
    ...rows
      .filter(row => !known.has(row.version))
      .map(({ version, name }) => ({ version, name, applied: true, runs: 'transaction' as const })),
  ].toSorted((a, b) => a.version - b.version)
}

async function appliedVersions(db: Queryable): Promise<Map<number, string>> {
  const rows = await db.query(sql<{ version: number; hash: string }>`select version, hash from schema_migrations`)
  return new Map(rows.map(row => [row.version, row.hash]))
}

/** Whether every migration this program knows has been applied; for /readyz. */
export async function isMigrated(db: Queryable, migrations = readMigrations()): Promise<boolean> {
  const done = await appliedVersions(db)
  return migrations.every(m => done.get(m.version) === m.hash)
}

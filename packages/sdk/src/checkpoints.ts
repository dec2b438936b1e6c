import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { HiringError } from './errors.ts'
import type { Checkpoint, StoredPosition } from './follow.ts'

const TABLE = 'hiring_checkpoints'
const CREATE = `create table if not exists ${TABLE} (name text primary key, position text not null)`

/** A stored checkpoint that cannot be read. It is never treated as missing, because that would repeat the whole feed. */
export class CheckpointError extends HiringError {
  override name = 'CheckpointError'
}

/** Another process saved a position: two readers with one checkpoint would process events twice. */
export class CheckpointConflictError extends CheckpointError {
  override name = 'CheckpointConflictError'
}

/**
 * A file with the position. It is replaced in one step after the events of a batch were handled, so after a crash those
 * of the last batch come again. For one process at a time.
 */
export function fileCheckpoint(path: string): Checkpoint {
  return {
    async load() {
      try {
        return parse(await readFile(path, 'utf8'))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async save(position, work) {
      await work(undefined)
      const folder = dirname(path)
      await mkdir(folder, { recursive: true })
      await writeDurably(`${path}.new`, JSON.stringify(position))
      await rename(`${path}.new`, path)
      await syncFolder(folder)
    },
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The rename survives a power failure only if the folder is written too. Windows cannot open a folder, and needs not. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}

/** What `node:sqlite`, `better-sqlite3` and `bun:sqlite` have in common. */
export interface SqliteDatabase {
  exec(sql: string): unknown
  prepare(sql: string): { get(...values: string[]): unknown; run(...values: string[]): unknown }
}

/**
 * A row of a SQLite database. What `handle` writes to the database is committed together with the position, so each
 * event takes effect exactly once. Give it a connection of its own: other statements would join its transactions.
 */
export function sqliteCheckpoint<Db extends SqliteDatabase>(database: Db, name = 'feed'): Checkpoint<Db> {
  let known: string | undefined
  const stored = () => {
    const row = database.prepare(`select position from ${TABLE} where name = ?`).get(name)
    return (row as { position: string } | undefined)?.position
  }
  return {
    async load() {
      database.exec(CREATE)
      known = stored()
      return parse(known)
    },
    async save(position, work) {
      const text = JSON.stringify(position)
      database.exec('begin immediate')
      try {
        refuseForeign(stored(), known, name)
        await work(database)
        const upsert = `insert into ${TABLE} (name, position) values (?, ?)
          on conflict (name) do update set position = excluded.position`
        database.prepare(upsert).run(name, text)
        database.exec('commit')
      } catch (error) {
        database.exec('rollback')
        throw error
      }
      known = text
    },
  }
}

/** The part of a client of `pg` that is used. */
export interface PgClient {
  // biome-ignore lint/suspicious/noExplicitAny: as pg declares it
  query(text: string, values?: any[]): Promise<{ rows: any[] }>
}

/** A pool of `pg`. */
export interface PgPool<Client extends PgClient> {
  connect(): Promise<Client & { release(error?: Error | boolean): void }>
}

/**
 * A row of a PostgreSQL database, through a pool of `pg`. What `handle` writes with its `tx` is committed together with
 * the position, so each event takes effect exactly once.
 */
export function postgresCheckpoint<Client extends PgClient>(pool: PgPool<Client>, name = 'feed'): Checkpoint<Client> {
  let known: string | undefined
  const stored = async (client: Client, lock = ''): Promise<string | undefined> =>
    (await client.query(`select position from ${TABLE} where name = $1 ${lock}`, [name])).rows[0]?.position
  return {
    async load() {
      const client = await pool.connect()
      try {
        const { rows } = await client.query('select to_regclass($1) as found', [TABLE])
        if (!rows[0].found) await client.query(CREATE)
        known = await stored(client)
        return parse(known)
      } finally {
        client.release()
      }
    },
    async save(position, work) {
      const text = JSON.stringify(position)
      const client = await pool.connect()
      let isBroken = false
      try {
        await client.query('begin')
        refuseForeign(await stored(client, 'for update'), known, name)
        await work(client)
        const upsert = `insert into ${TABLE} (name, position) values ($1, $2)
          on conflict (name) do update set position = excluded.position`
        await client.query(upsert, [name, text])
        await client.query('commit')
        known = text
      } catch (error) {
        await client.query('rollback').catch(() => {
          isBroken = true
        })
        throw error
      } finally {
        client.release(isBroken)
      }
    },
  }
}

function parse(text: string | undefined): StoredPosition | undefined {
  if (text === undefined) return undefined
  try {
    const stored: StoredPosition = JSON.parse(text)
    if (Number.isInteger(stored.after)) return stored
  } catch {
    // not JSON, or null: refused like JSON of another kind
  }
  throw new CheckpointError('The checkpoint is not a position of the feed.')
}

function refuseForeign(stored: string | undefined, known: string | undefined, name: string): void {
  if (stored === known) return
  throw new CheckpointConflictError(`Another process saved the checkpoint "${name}". Run one reader for each name.`)
}

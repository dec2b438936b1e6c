import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { ALL_SCOPES } from '../../src/contract/scopes.ts'
import { hashSecret, newKeySecret } from '../../src/kernel/access/key-format.ts'
import { Database } from '../../src/kernel/db/database.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { type EmbeddedServer, openEmbedded } from '../../src/kernel/embedded-postgres/embedded.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { cpuOfAll } from './process-cpu.ts'
import type { Dataset } from './scenario.ts'

export interface Connection {
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface StoreOptions {
  /** a folder that keeps the data for the next run */
  kept?: string | undefined
  /** false where nothing is measured: nothing waits for the disk */
  durable?: boolean
}

const TEMPLATE = 'bench_template'
const KEYS = 2_000

/**
 * The database server of the run: the embedded one with the settings it has in production. It is gone with the run, or
 * stays in a folder that is named: the next run there finds the datasets that were filled, but not the keys.
 */
export class Store {
  readonly folder: string
  readonly keys: readonly string[] = Array.from({ length: KEYS }, () => newKeySecret('live'))
  workspace = newHandle('workspace')
  readonly #server: EmbeddedServer
  readonly #isKept: boolean
  readonly #isMeasured: boolean
  readonly #clients = new Map<string, pg.Client>()

  private constructor(folder: string, server: EmbeddedServer, how: { isKept: boolean; isMeasured: boolean }) {
    this.folder = folder
    this.#server = server
    this.#isKept = how.isKept
    this.#isMeasured = how.isMeasured
  }

  static async open({ kept, durable = true }: StoreOptions = {}): Promise<Store> {
    const folder = kept ?? mkdtempSync(join(tmpdir(), 'hiring-bench-'))
    const server = await openEmbedded({ directory: join(folder, 'postgres'), durable })
    const store = new Store(folder, server, { isKept: kept !== undefined, isMeasured: durable })
    try {
      const admin = await store.#client('postgres')
      await admin.query(`drop database if exists ${TEMPLATE}`)
      await admin.query(`create database ${TEMPLATE}`)
      await store.#migrate(TEMPLATE)
      await store.#addKeys()
      return store
    } catch (error) {
      await store.close()
      throw error
    }
  }

  connection(dataset: Dataset): Connection {
    return { ...this.#server.connection, database: dataset.name }
  }

  url(dataset: Dataset): string {
    const { user, password, host, port } = this.#server.connection
    return `postgres://${user}:${password}@localhost:${port}/${dataset.name}?host=${encodeURIComponent(host)}`
  }

  /** A client on the dataset's database, which is made and filled by the first call. */
  async dataset(dataset: Dataset): Promise<pg.Client> {
    const known = this.#clients.get(dataset.name)
    if (known) return known
    const admin = await this.#client('postgres')
    const { rows } = await admin.query<{ filled: boolean }>(
      `select shobj_description(oid, 'pg_database') = 'filled' as filled from pg_database where datname = $1`,
      [dataset.name],
    )
    if (rows[0]?.filled) {
      await this.#migrate(dataset.name)
      const db = await this.#client(dataset.name)
      this.workspace = (await db.query<{ id: string }>('select id from workspaces')).rows[0]!.id
      return db
    }
    await admin.query(`drop database if exists ${dataset.name}`)
    await admin.query(`create database ${dataset.name} template ${TEMPLATE}`)
    const db = await this.#client(dataset.name)
    await dataset.seed(db, this.workspace)
    await admin.query(`comment on database ${dataset.name} is 'filled'`)
    if (this.#isMeasured) {
      await db.query('vacuum analyze')
      await db.query('checkpoint')
    }
    return db
  }

  /** Where a service on this dataset keeps its files and its secret key. */
  dataDir(dataset: Dataset): string {
    return join(this.folder, dataset.name)
  }

  /** CPU time that the database has spent on a dataset so far; undefined where the system does not tell. */
  async cpuSeconds(dataset: Dataset): Promise<number | undefined> {
    const { rows } = await (await this.#client('postgres')).query<{ pid: number }>(
      `select pid from pg_stat_activity where datname = $1 and backend_type = 'client backend'`,
      [dataset.name],
    )
    return cpuOfAll(rows.map(row => row.pid))
  }

  async close(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(client => client.end()))
    this.#clients.clear()
    await this.#server.release()
    if (!this.#isKept) rmSync(this.folder, { recursive: true, force: true })
  }

  async #migrate(database: string): Promise<void> {
    const db = new Database({ ...this.#server.connection, database }, { connections: 4, log: createLog('warn') })
    await migrate(db).finally(() => db.close())
  }

  async #client(database: string): Promise<pg.Client> {
    const known = this.#clients.get(database)
    if (known) return known
    const client = new pg.Client({ ...this.#server.connection, database, application_name: 'bench', ssl: false })
    await client.connect()
    this.#clients.set(database, client)
    return client
  }

  async #addKeys(): Promise<void> {
    await addKeys(await this.#client(TEMPLATE), this.workspace, this.keys)
    await this.#clients.get(TEMPLATE)!.end()
    this.#clients.delete(TEMPLATE)
  }
}

/** A home workspace of the best plan, its owner, and the keys. */
export async function addKeys(db: pg.Client, workspace: string, keys: readonly string[]): Promise<void> {
  const user = newHandle('user')
  await db.query(`insert into workspaces (id, name, plan) values ($1, 'Bench', 'enterprise')`, [workspace])
  await db.query('insert into workspace_settings (workspace_id) values ($1)', [workspace])
  await db.query(
    `insert into users (workspace_id, id, email, email_key, role)
     values ($1, $2, 'bench@bench.example', 'bench@bench.example', 'owner')`,
    [workspace, user],
  )
  const ids = keys.map(() => newHandle('credential'))
  await db.query(
    `insert into api_keys (workspace_id, id, user_id, name, environment, scopes, granted_scopes, workspace_scope)
     select $1, id, $2, 'bench key', 'live', $3::text[], $3::text[], 'all' from unnest($4::text[]) as k (id)`,
    [workspace, user, ALL_SCOPES, ids],
  )
  await db.query(
    `insert into api_key_secrets (workspace_id, key_id, secret_hash)
     select $1, * from unnest($2::text[], $3::text[])`,
    [workspace, ids, keys.map(hashSecret)],
  )
}

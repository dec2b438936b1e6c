import pg from 'pg'
import { isDistributed, splitByPartition } from '../citus/distributed.ts'
import type { Log } from '../telemetry/log.ts'
import {
  atServer,
  type Connection,
  clientOptions,
  forSnapshots,
  withGenericPlans,
  withNotices,
  withoutTimeouts,
} from './client.ts'
import type { ServerRole } from './host-urls.ts'
import { type HostOptions, ServerClient, Silence } from './hosts.ts'
import { KEY_CHANGED, waitForKeyCaches } from './key-caches.ts'
import { Notices } from './notices.ts'
import type { Partition } from './partitions.ts'
import { PipelinedConnection, PipelinedConnections } from './pipelined.ts'
import { type DbSession, type ListeningSession, onlyRow, type Queryable, type Transaction } from './queryable.ts'
import { openSession } from './session.ts'
import { SlowStatements } from './slow-statements.ts'
import type { Sql } from './sql.ts'
import { runTransaction, type TransactionMode } from './transactions.ts'

// Other folders use these parts of this one, besides the `sql` tag and the tables of locks and SQL states.
export type { Connection } from './client.ts'
export { isoFromPostgres } from './client.ts'
export { DatastoreUnavailable, isDuplicate, timedOut } from './errors.ts'
export type { DbSession, ListeningSession, Queryable, Transaction } from './queryable.ts'

/** How long a request waits for a connection, unless the setting says otherwise. */
const WAIT_MS = 2_000

/**
 * Two sets of connections: single statements share a few in pipeline mode, transactions check one out for themselves.
 * Every connection is opened when it is first needed and opened again after a loss, so the service recovers from a
 * restart of the database as soon as the database does.
 */
export class Database implements Queryable {
  readonly #options: HostOptions
  readonly #pipelined: PipelinedConnections
  readonly #lookUps: PipelinedConnection
  readonly #openPool: () => pg.Pool
  #pool: pg.Pool
  readonly #slow: SlowStatements
  readonly #notices = new Notices(KEY_CHANGED, transaction => waitForKeyCaches(this.#lookUps, transaction))

  /** `role` any: also a standby; for reads that may be old. */
  constructor(
    connection: Connection,
    opts: { connections: number; waitMs?: number; slowMs?: number; role?: ServerRole; log: Log },
  ) {
    this.#slow = new SlowStatements(opts.log, opts.slowMs ?? 0)
    this.#options = {
      ...clientOptions(connection, opts.waitMs ?? WAIT_MS, opts.role ?? 'primary'),
      silence: new Silence(() => this.#renew()),
    }
    const shared = Math.max(2, Math.floor(opts.connections / 2))
    const watched = withNotices(this.#options)
    this.#pipelined = new PipelinedConnections(watched, this.#slow, this.#notices, shared)
    this.#lookUps = new PipelinedConnection(withGenericPlans(watched), this.#slow, this.#notices)
    this.#openPool = () => {
      const pool = new pg.Pool({
        ...watched,
        Client: ServerClient,
        max: Math.max(2, opts.connections - shared),
        idleTimeoutMillis: 60_000,
      })
      pool.on('connect', client => this.#notices.watch(client))
      // An idle connection that the server closed is gone; the next transaction opens another.
      pool.on('error', error => opts.log.warn({ err: error }, 'idle database connection lost'))
      return pool
    }
    this.#pool = this.#openPool()
  }

  /** A server that does not respond gets no further statement: each would wait for its time limit. */
  #renew(): void {
    const before = this.#pool
    this.#pool = this.#openPool()
    // closes those that are idle now, the others when their transactions have ended
    before.end().catch(() => {})
    this.#pipelined.renew()
    this.#lookUps.renew()
  }

  query<Row>(statement: Sql<Row>): Promise<Row[]> {
    return this.#pipelined.run(statement)
  }

  async one<Row>(statement: Sql<Row>): Promise<Row | undefined> {
    return (await this.query(statement))[0]
  }

  async only<Row>(statement: Sql<Row>): Promise<Row> {
    return onlyRow(await this.query(statement))
  }

  /**
   * Rows by their keys, many keys in one statement. Planned once: for a short list of keys the planner would choose to
   * plan again each time, which costs more than reading the few rows.
   */
  lookUp<Row>(statement: Sql<Row>): Promise<Row[]> {
    return this.#lookUps.run(statement)
  }

  /**
   * Runs `work` in a transaction: committed if it returns, rolled back if it throws. Deadlocks are retried, so `work`
   * must do nothing outside the transaction; what follows a commit goes to `afterCommit`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, opts: { mode?: TransactionMode } = {}): Promise<T> {
    return runTransaction(this.#pool, work, opts.mode, this.#slow, this.#notices)
  }

  /** The rows in partitions that a statement can lock and change: all of them, or in a cluster those of each workspace. */
  partitions<Row extends { workspace_id: string }>(rows: readonly Row[]): Promise<Partition<Row>[]> {
    return splitByPartition(this, rows)
  }

  /** Runs `work` on one partition after the other, and returns what it returned. */
  async eachPartition<Row extends { workspace_id: string }, T>(
    rows: readonly Row[],
    work: (part: Partition<Row>) => Promise<T>,
  ): Promise<T[]> {
    const results: T[] = []
    for (const part of await this.partitions(rows)) results.push(await work(part))
    return results
  }

  /**
   * Whether the workspaces are spread over the shards of a cluster: for loops whose pace depends on it. Work on rows takes
   * partitions instead.
   */
  isCluster(): Promise<boolean> {
    return isDistributed(this)
  }

  /**
   * A dedicated connection, outside both sets. `timeouts: 'off'` is for migrations and full copies, which may run for
   * any length of time; `snapshot` for those that read at a standby.
   */
  session(opts: { timeouts?: 'off' | 'snapshot' } = {}): Promise<ListeningSession> {
    if (opts.timeouts === 'snapshot') return openSession(forSnapshots(this.#options))
    return openSession(opts.timeouts === 'off' ? withoutTimeouts(this.#options) : this.#options)
  }

  /** How a connection without timeouts is opened, at `node` of a cluster; for sessions that copy rows as streams. */
  unlimitedOptions(node?: { name: string; port: number }): HostOptions {
    return withoutTimeouts(node ? atServer(this.#options, node) : this.#options)
  }

  /** The database's time in milliseconds. */
  async now(): Promise<number> {
    return Date.parse(onlyRow(await this.#pipelined.run(NOW)).now)
  }

  /** Those of transactions. */
  connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount }
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#lookUps.close(), this.#pipelined.close()])
  }
}

const NOW: Sql<{ now: string }> = { text: 'select app_now() as now', values: [], name: 'app_now' }

/** Runs `work` in a session without timeouts and closes the session afterwards. */
export async function withUnlimitedSession<T>(db: Database, work: (session: DbSession) => Promise<T>): Promise<T> {
  const session = await db.session({ timeouts: 'off' })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

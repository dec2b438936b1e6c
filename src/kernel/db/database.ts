import type { Duplex } from 'node:stream'
import pg from 'pg'
import { onTickEnd } from '../async/tick.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import type { Sql } from './sql.ts'

/** The store cannot be asked at the moment. Becomes 429 datastore_unavailable. */
export class DatastoreUnavailable extends Error {}

/** What can run statements: the database itself, or a transaction. */
export interface Queryable {
  /** all rows */
  query<Row>(statement: Sql<Row>): Promise<Row[]>
  /** the first row, or undefined */
  one<Row>(statement: Sql<Row>): Promise<Row | undefined>
}

export interface Transaction extends Queryable {
  /** Runs after the commit, and only then. */
  afterCommit(run: () => void): void
  /** Where `work` fails, what it did is undone, and the transaction can go on: otherwise a statement that fails ends it. */
  attempt<T>(work: () => Promise<T>): Promise<T>
}

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string }

const STATEMENT_TIMEOUT_MS = 15_000
/** How long a request waits for a connection, unless the setting says otherwise. */
const WAIT_MS = 2_000
const DEADLOCK_TRIES = 3
const STATEMENTS_PER_FLUSH = 8
const SESSION = '-c timezone=UTC -c datestyle=ISO -c jit=off'
const NO_TIMEOUTS = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0'

/**
 * Two sets of connections. Single statements share a few connections in pipeline mode: a statement is sent without
 * waiting for the answer to the one before, and the connection with the fewest under way is taken. Transactions check a
 * connection out for themselves. Every connection is opened when it is first needed and opened again after a loss, so
 * that a restart of the database is over for us as soon as it is over for it.
 */
export class Database implements Queryable {
  readonly #pipelined: PipelinedConnection[]
  readonly #lookUps: PipelinedConnection
  readonly #pool: pg.Pool
  readonly #options: pg.ClientConfig
  #currentConnection: PipelinedConnection | undefined

  constructor(connection: Connection, opts: { connections: number; waitMs?: number; log: Log }) {
    this.#options = clientOptions(connection, opts.waitMs ?? WAIT_MS)
    const shared = Math.max(2, Math.floor(opts.connections / 2))
    this.#pipelined = Array.from({ length: shared }, () => new PipelinedConnection(this.#options))
    this.#lookUps = new PipelinedConnection({
      ...this.#options,
      options: `${SESSION} -c plan_cache_mode=force_generic_plan`,
    })
    this.#pool = new pg.Pool({
      ...this.#options,
      max: Math.max(2, opts.connections - shared),
      idleTimeoutMillis: 60_000,
    })
    // An idle connection that the server closed is simply gone; the next transaction opens another.
    this.#pool.on('error', error => opts.log.warn({ err: error }, 'idle database connection lost'))
  }

  async query<Row>(statement: Sql<Row>): Promise<Row[]> {
    return (await this.#pipelinedConnection().run(statement)).rows as Row[]
  }

  async one<Row>(statement: Sql<Row>): Promise<Row | undefined> {
    return (await this.query(statement))[0]
  }

  /**
   * Rows by their keys, many keys at once. Planned once and for all: for a short list of keys the planner would
   * otherwise find each time that planning anew is worth it, and planning costs more than the few rows.
   */
  async lookUp<Row>(statement: Sql<Row>): Promise<Row[]> {
    return (await this.#lookUps.run(statement)).rows as Row[]
  }

  /**
   * Statements of one turn of the event loop travel together, a few to a connection; those of a later turn take a
   * connection of their own while there is one, so that a slow statement holds up none but its fellow travellers.
   */
  #pipelinedConnection(): PipelinedConnection {
    if (this.#currentConnection && this.#currentConnection.inFlight < STATEMENTS_PER_FLUSH)
      return this.#currentConnection
    let best = this.#pipelined[0]!
    for (const slot of this.#pipelined) {
      if (slot.inFlight < best.inFlight) best = slot
    }
    this.#currentConnection = best
    onTickEnd('flush', () => {
      if (this.#currentConnection === best) this.#currentConnection = undefined
    })
    return best
  }

  /**
   * Runs `work` in a transaction: committed if it returns, rolled back if it throws. Deadlocks are tried again, so
   * `work` must do nothing outside the transaction; what follows a commit goes to `afterCommit`.
   */
  async transaction<T>(work: (tx: Transaction) => Promise<T>, opts: { mode?: 'read only snapshot' } = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#transactionOnce(work, opts.mode)
      } catch (error) {
        const { code } = error as { code?: string }
        if (code !== '40P01' && code !== '40001') throw error
        if (attempt === DEADLOCK_TRIES)
          throw new DatastoreUnavailable('too many transactions at once', { cause: error })
      }
    }
  }

  async #transactionOnce<T>(work: (tx: Transaction) => Promise<T>, mode?: string): Promise<T> {
    const client = await this.#pool.connect().catch(error => {
      throw translate(error)
    })
    let broken: Error | undefined
    const onError = (error: Error) => {
      broken = error
    }
    client.on('error', onError)
    const committed: (() => void)[] = []
    const tx = new ClientQueryable(client, committed)
    try {
      const begin = mode ? 'begin isolation level repeatable read read only' : 'begin'
      applyClock(client) // before `begin`: a rollback would undo it
      // Not awaited: it travels with the first statement. If it fails, so does that one.
      client.query(begin).catch(() => {})
      const result = await work(tx)
      await client.query('commit')
      for (const run of committed) run()
      return result
    } catch (error) {
      const translated = translate(error)
      if (translated instanceof DatastoreUnavailable) broken ??= translated
      else await client.query('rollback').catch((lost: Error) => (broken ??= lost))
      throw translated
    } finally {
      client.off('error', onError)
      client.release(broken)
    }
  }

  /** A connection of its own, outside both sets, for whoever needs a session: locks that live as long as it does. */
  async session(opts: { patient?: true } = {}): Promise<DbSession> {
    // Migrations and full copies take the time they take, also where the server ends long statements and idle
    // transactions by itself. Said as options: the driver leaves out a limit of 0.
    const limits = opts.patient ? { statement_timeout: 0, query_timeout: 0, options: `${SESSION} ${NO_TIMEOUTS}` } : {}
    const client = new pg.Client({ ...this.#options, ...limits })
    client.on('error', () => {}) // shows as the failure of the next statement
    try {
      await client.connect()
    } catch (error) {
      throw translate(error)
    }
    const inner = new ClientQueryable(client, [])
    const query = <Row>(statement: Sql<Row>) => {
      applyClock(client)
      return inner.query(statement)
    }
    return {
      query,
      one: async statement => (await query(statement))[0],
      script: async (text: string) => {
        await client.query(text)
      },
      close: () => client.end(),
    }
  }

  /** The database's time in milliseconds. */
  async now(): Promise<number> {
    const { rows } = await this.#pipelined[0]!.run<{ now: string }>(NOW)
    return Date.parse(rows[0]!.now)
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#lookUps.close(), ...this.#pipelined.map(slot => slot.close())])
  }
}

/** Work in a session without limits of time, which ends with it. */
export async function withUnlimitedSession<T>(db: Database, work: (session: DbSession) => Promise<T>): Promise<T> {
  const session = await db.session({ patient: true })
  try {
    return await work(session)
  } finally {
    await session.close()
  }
}

export interface DbSession extends Queryable {
  /** several statements in one text, without parameters: migrations */
  script(text: string): Promise<void>
  close(): Promise<void>
}

const NOW: Sql<{ now: string }> = { text: 'select app_now() as now', values: [], name: 'app_now' }

class ClientQueryable implements Transaction {
  readonly #client: pg.ClientBase
  readonly #committed: (() => void)[]
  constructor(client: pg.ClientBase, committed: (() => void)[]) {
    this.#client = client
    this.#committed = committed
  }
  async query<Row>(statement: Sql<Row>): Promise<Row[]> {
    try {
      const { name, text, values } = statement
      return (await this.#client.query({ name, text, values: values as unknown[] })).rows as Row[]
    } catch (error) {
      throw translate(error)
    }
  }
  async one<Row>(statement: Sql<Row>): Promise<Row | undefined> {
    return (await this.query(statement))[0]
  }
  afterCommit(run: () => void): void {
    this.#committed.push(run)
  }
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    // Not awaited: they travel with the statements before and after. If they fail, so do those.
    const unawaited = (text: string) => this.#client.query(text).catch(() => {})
    unawaited('savepoint attempt')
    try {
      const result = await work()
      unawaited('release savepoint attempt')
      return result
    } catch (error) {
      unawaited('rollback to savepoint attempt')
      unawaited('release savepoint attempt')
      throw error
    }
  }
}

/** One shared connection in pipeline mode. */
class PipelinedConnection {
  inFlight = 0
  #client: Promise<pg.Client> | undefined
  #corked: pg.Client | undefined
  readonly #options: pg.ClientConfig
  constructor(options: pg.ClientConfig) {
    this.#options = options
  }

  async run<Row>({ name, text, values }: Sql<Row>): Promise<pg.QueryResult> {
    this.inFlight++
    try {
      this.#client ??= this.#connect()
      const client = await this.#client
      this.#corkUntilTickEnds(client)
      applyClock(client)
      return await client.query({ name, text, values: values as unknown[] })
    } catch (error) {
      throw translate(error)
    } finally {
      this.inFlight--
    }
  }

  /** What is written in one turn leaves in one system call. */
  #corkUntilTickEnds(client: pg.Client): void {
    if (this.#corked === client) return
    this.#corked = client
    const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    onTickEnd('flush', () => {
      this.#corked = undefined
      stream.uncork()
    })
  }

  #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#options)
    const opened = client.connect().then(() => client)
    // Every statement under way is rejected by the driver; the next one connects again.
    const forget = () => {
      if (this.#client === opened) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    opened.catch(forget)
    return opened
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}

const appliedOffsets = new WeakMap<pg.ClientBase, number>()

/** Costs a comparison; sends something only after a test moved the clock. */
function applyClock(client: pg.ClientBase): void {
  const offset = clock.offset()
  if ((appliedOffsets.get(client) ?? 0) === offset) return
  appliedOffsets.set(client, offset)
  client.query(`set hiring.clock_offset_ms = '${offset}'`).catch(() => appliedOffsets.delete(client))
}

function clientOptions(connection: Connection, waitMs: number): pg.ClientConfig {
  return {
    ...connection,
    application_name: 'hiring',
    options: SESSION,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: STATEMENT_TIMEOUT_MS + 2_000,
    connectionTimeoutMillis: waitMs,
    keepAlive: true,
    pipeline: true,
    types: { getTypeParser: parserFor },
  } as pg.ClientConfig
}

const OID = { int8: 20, numeric: 1700, timestamptz: 1184, date: 1082 }

// biome-ignore lint/suspicious/noExplicitAny: the driver's own signature
function parserFor(oid: number, format?: any): any {
  switch (oid) {
    case OID.timestamptz:
      return isoFromPostgres
    case OID.int8: // counts and sequence numbers, all far below 2^53
    case OID.numeric:
      return Number
    case OID.date:
      return (text: string) => text
    default:
      return pg.types.getTypeParser(oid, format)
  }
}

/** `2026-11-15 03:02:35.12+00` to `2026-11-15T03:02:35.120Z`, by cutting text: some ten times faster than through Date. */
export function isoFromPostgres(text: string): string {
  const plus = text.indexOf('+', 19)
  if (plus < 0 || text.length > 26) return new Date(text).toISOString()
  const fraction = plus === 19 ? '000' : text.slice(20, plus).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`
}

const UNIQUE_VIOLATION = '23505'

/** Whether there is such a row already. */
export const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION

/** The statement took longer than its limit. */
const QUERY_CANCELED = '57014'

/** Whether the store gave up because of how long a statement took: a smaller one may succeed. */
export const timedOut = (error: unknown): boolean =>
  error instanceof DatastoreUnavailable && (error.cause as { code?: string } | undefined)?.code === QUERY_CANCELED

const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '53100', // disk_full
  '53200', // out_of_memory
  '53300', // too_many_connections
  QUERY_CANCELED,
  '25006', // read_only_sql_transaction: a standby, or a failover under way
])

/** Tells a store that cannot be asked from a statement that is wrong. */
function translate(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatastoreUnavailable) return error
  const { code } = error as { code?: string }
  const lost =
    code !== undefined
      ? LOST.has(code) || code.startsWith('08')
      : /connection (terminated|timeout|ended)|timeout (exceeded|expired)|Query read timeout|not queryable|Cannot use a pool after/i.test(
          error.message,
        )
  return lost ? new DatastoreUnavailable(error.message, { cause: error }) : error
}

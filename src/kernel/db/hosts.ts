import type { Duplex } from 'node:stream'
import pg from 'pg'
import { DatastoreUnavailable, isReadTimeout, translateError } from './errors.ts'
import type { ServerRole } from './host-urls.ts'
import { PreparedQuery, PreparedStatements } from './prepared-query.ts'
import type { Sql } from './sql.ts'

/** How long the other servers may take to reply once one has: the one of the latest promotion is used. */
const SETTLE_MS = 1_000

interface Found {
  host: string
  port: number
  /** how often the data was promoted; 0 where the server does not say */
  timeline: number
}

export interface HostOptions extends pg.ClientConfig {
  /** the servers to choose from; without it there is one */
  hosts?: Hosts
  role?: ServerRole
  silence?: Silence
}

/**
 * The connections of one set share this state: once a statement on one of them got no response within its time limit,
 * not even that the server has ended it, the others are not waited for as long, one after the other. `noticed` runs once
 * for all connections that were opened before.
 */
export class Silence {
  #times = 0
  readonly #noticed: () => void

  constructor(noticed: () => void) {
    this.#noticed = noticed
  }

  /** A connection that is opened now gives this to `notice`. */
  get times(): number {
    return this.#times
  }

  notice(times: number): void {
    if (times !== this.#times) return
    this.#times++
    this.#noticed()
  }
}

/**
 * Several servers, one of which accepts writes. All are asked at the same time, so one that does not respond delays
 * no one. What was found is used until a connection fails or is lost; then they are asked again. A server that was
 * promoted less often than one that was used before is an old primary that came back, and is not used.
 */
export class Hosts {
  readonly #servers: readonly pg.ClientConfig[]
  readonly #role: ServerRole
  #found: Promise<Found> | undefined
  #timeline = 0

  constructor(servers: readonly pg.ClientConfig[], role: ServerRole) {
    this.#servers = servers
    this.#role = role
  }

  find(): Promise<Found> {
    if (this.#found) return this.#found
    const found = this.#ask()
    this.#found = found
    found.catch(() => this.forget(found))
    return found
  }

  /** `found` is not valid any more, unless it was replaced already. */
  forget(found: Promise<Found>): void {
    if (this.#found === found) this.#found = undefined
  }

  async #ask(): Promise<Found> {
    const replies: Found[] = []
    const asked = this.#servers.map(async server => {
      const found = await ask(server, this.#role)
      if (found.timeline < this.#timeline) throw new DatastoreUnavailable('an old primary that came back')
      replies.push(found)
      return found
    })
    const all = Promise.allSettled(asked)
    try {
      const first = await Promise.any(asked)
      if (this.#role === 'primary') await settledOrLate(all)
      const best = replies.reduce((best, one) => (one.timeline > best.timeline ? one : best), first)
      this.#timeline = Math.max(this.#timeline, best.timeline)
      return best
    } catch (error) {
      // a wrong password is reported as such
      const faults = (error as AggregateError).errors.map(translateError)
      const wrong = faults.find(fault => !(fault instanceof DatastoreUnavailable))
      throw wrong ?? new DatastoreUnavailable('no server accepts writes', { cause: faults[0] })
    }
  }
}

async function settledOrLate(all: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, SETTLE_MS)
  })
  await Promise.race([all, late])
  clearTimeout(timer)
}

async function ask(server: pg.ClientConfig, role: ServerRole): Promise<Found> {
  const client = new ServerClient({ ...server, role })
  client.on('error', () => {}) // shows as the failure of the statement
  try {
    await client.connect()
    const { host, port } = client
    if (role === 'any') return { host, port, timeline: 0 }
    const walFile = await client.query('select pg_walfile_name(pg_current_wal_lsn()) as name').then(
      ({ rows }: pg.QueryResult) => String(rows[0].name),
      () => '', // some services do not offer it
    )
    return { host, port, timeline: Number.parseInt(walFile.slice(0, 8), 16) || 0 }
  } finally {
    client.end().catch(() => {})
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void

/**
 * How every connection of the service is opened: at the server of several that has the role. A server that is a standby
 * is refused where a primary is needed, also as the only one: behind a proxy the next connection may reach another.
 */
export class ServerClient extends pg.Client {
  readonly #hosts: Hosts | undefined
  #isStandby = false
  readonly #role: ServerRole
  readonly #silence: Silence | undefined
  readonly #silences: number
  readonly #prepared = new PreparedStatements(type => this.getTypeParser(type, 'text'))
  #finding: Promise<Found> | undefined

  constructor(options: HostOptions = {}) {
    super(options)
    this.#hosts = options.hosts
    this.#silence = options.silence
    this.#silences = options.silence?.times ?? 0
    this.#role = options.role ?? 'primary'
    const { connection } = this as unknown as { connection: NodeJS.EventEmitter }
    connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on'
    })
  }

  override connect(): Promise<pg.Client>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.Client> | undefined {
    const opened = this.#open()
    if (!callback) return opened
    opened.then(
      () => callback(null, this),
      error => callback(error),
    )
    return undefined
  }

  async #open(): Promise<pg.Client> {
    this.#finding = this.#hosts?.find()
    const found = await this.#finding
    if (found) Object.assign(this, { host: found.host, port: found.port })
    this.on('error', () => this.#lost())
    try {
      await super.connect()
    } catch (error) {
      this.#lost()
      throw error
    }
    if (this.#role === 'any' || !this.#isStandby) return this
    this.#lost()
    this.end().catch(() => {})
    throw new DatastoreUnavailable('the server is a standby')
  }

  #lost(): void {
    if (this.#finding) this.#hosts?.forget(this.#finding)
  }

  /** Here, because those who use a connection do not wait for each of its statements: `begin` is the first to time out. */
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signatures
  override query(...statement: any[]): any {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const result = (super.query as any)(...statement)
    if (result instanceof Promise) result.catch(this.#failed)
    return result
  }

  /** The rows of a statement. */
  run<Row>(statement: Sql<Row>): Promise<Row[]> {
    const { name, text, values } = statement
    if (name === '') return this.query({ name, text, values }).then((result: pg.QueryResult) => result.rows)
    return new Promise((resolve, reject) => {
      const ended = (error: unknown, rows?: object[]) => {
        if (rows) return resolve(rows as Row[])
        this.#failed(error)
        reject(error)
      }
      super.query(new PreparedQuery(statement, this.#prepared, ended) as unknown as pg.Submittable)
    })
  }

  /** Holds back what is sent until the returned function is called: it then leaves in one system call. */
  cork(): () => void {
    const { stream } = (this as unknown as { connection: { stream: Duplex } }).connection
    stream.cork()
    return () => stream.uncork()
  }

  readonly #failed = (error: unknown): void => {
    if (!isReadTimeout(error)) return
    this.#lost()
    this.#silence?.notice(this.#silences)
  }
}

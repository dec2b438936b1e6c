import { onTickEnd } from '../async/tick.ts'
import { clock } from '../time/clock.ts'
import { applyClock } from './client.ts'
import { statementError } from './errors.ts'
import { type HostOptions, ServerClient } from './hosts.ts'
import type { Notices } from './notices.ts'
import type { SlowStatements } from './slow-statements.ts'
import type { Sql } from './sql.ts'

/** More statements of one tick than this go to the next connection, so that one slow statement delays few others. */
const STATEMENTS_PER_FLUSH = 8

/**
 * A few shared connections in pipeline mode. Statements of one tick of the event loop travel together, a few to a
 * connection; those of a later tick take the connection with the fewest in flight.
 */
export class PipelinedConnections {
  readonly #connections: readonly PipelinedConnection[]
  #current: PipelinedConnection | undefined

  constructor(options: HostOptions, slow: SlowStatements, notices: Notices, count: number) {
    this.#connections = Array.from({ length: count }, () => new PipelinedConnection(options, slow, notices))
  }

  run<Row>(statement: Sql<Row>): Promise<Row[]> {
    return this.#next().run(statement)
  }

  #next(): PipelinedConnection {
    if (this.#current && this.#current.inFlight < STATEMENTS_PER_FLUSH) return this.#current
    let best = this.#connections[0]!
    for (const connection of this.#connections) {
      if (connection.inFlight < best.inFlight) best = connection
    }
    this.#current = best
    onTickEnd('flush', () => {
      if (this.#current === best) this.#current = undefined
    })
    return best
  }

  renew(): void {
    for (const connection of this.#connections) connection.renew()
  }

  async close(): Promise<void> {
    await Promise.all(this.#connections.map(connection => connection.close()))
  }
}

/**
 * One shared connection in pipeline mode: a statement is sent without waiting for the result of the one before. It is
 * opened when it is first needed, and again after a loss.
 */
export class PipelinedConnection {
  inFlight = 0
  #client: Promise<ServerClient> | undefined
  #corked: ServerClient | undefined
  readonly #options: HostOptions
  readonly #slow: SlowStatements
  readonly #notices: Notices
  constructor(options: HostOptions, slow: SlowStatements, notices: Notices) {
    this.#options = options
    this.#slow = slow
    this.#notices = notices
  }

  async run<Row>(statement: Sql<Row>): Promise<Row[]> {
    const startedAt = clock.monotonic()
    this.inFlight++
    try {
      this.#client ??= this.#connect()
      const client = await this.#client
      this.#corkUntilTickEnds(client)
      applyClock(client)
      const rows = await client.run(statement)
      const settled = this.#notices.settle(client)
      if (settled) await settled
      return rows
    } catch (error) {
      throw statementError(error)
    } finally {
      this.#slow.ended(statement.text, startedAt)
      this.inFlight--
    }
  }

  /** All writes of one tick leave in one system call. */
  #corkUntilTickEnds(client: ServerClient): void {
    if (this.#corked === client) return
    this.#corked = client
    const uncork = client.cork()
    onTickEnd('flush', () => {
      this.#corked = undefined
      uncork()
    })
  }

  #connect(): Promise<ServerClient> {
    const client = new ServerClient(this.#options)
    this.#notices.watch(client)
    const opened = client.connect().then(() => client)
    // Every statement in flight is rejected by the driver; the next one connects again.
    const forget = () => {
      if (this.#client === opened) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    opened.catch(forget)
    return opened
  }

  /** The next statement opens another connection; this one is closed when what was sent on it has ended or timed out. */
  renew(): void {
    const before = this.#client
    this.#client = undefined
    before
      ?.then(
        // results come in order: this one is the last
        client =>
          client.query('select').then(
            () => client.end(),
            () => client.end(),
          ),
      )
      .catch(() => {})
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }
}

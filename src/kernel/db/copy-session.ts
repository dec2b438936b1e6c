import type { Readable, Writable } from 'node:stream'
import { from, to } from 'pg-copy-streams'
import type { Database, DbSession } from './database.ts'
import { DatastoreUnavailable, translateError } from './errors.ts'
import { type HostOptions, ServerClient } from './hosts.ts'
import { onlyRow } from './queryable.ts'
import { closeClient, streamOf } from './session.ts'
import type { Sql } from './sql.ts'
import { ClientTransaction } from './transactions.ts'

/** A connection of its own, without timeouts, on which rows are copied as streams. */
export interface CopySession extends DbSession {
  copyOut(text: string): Readable & { rowCount: number }
  copyIn(text: string): Writable & { rowCount: number }
  /** From then on a server that sends nothing for so long during a statement, or between rows, is an error. */
  limitSilence(ms: number): void
}

/** For the statement that prepares the session; no lock and no row is waited for. */
const PREPARE_MS = 10_000

/** The protocol of COPY takes the connection for itself, so it is not used in pipeline mode. `node`: one of a cluster. */
export async function openCopySession(db: Database, node?: { name: string; port: number }): Promise<CopySession> {
  const client = new ServerClient({ ...db.unlimitedOptions(node), pipeline: false } as HostOptions)
  client.on('error', () => {}) // shows as the failure of the next statement
  const silence = new SilenceLimit(client)
  try {
    await client.connect()
    silence.ms = PREPARE_MS
    await silence.during(client.query("set client_encoding = 'UTF8'"))
    silence.ms = 0
  } catch (error) {
    throw translateError(error)
  }
  const inner = new ClientTransaction(client, [])
  const query = <Row>(statement: Sql<Row>) => silence.during(inner.query(statement))
  return {
    query,
    one: async statement => (await query(statement))[0],
    only: async statement => onlyRow(await query(statement)),
    script: async (text: string) => {
      if (text !== '') await silence.during(client.query(text))
    },
    copyOut: text => {
      const rows = client.query(to(text))
      const end = silence.begin(() => rows.readableLength > 0)
      rows.once('end', end).once('error', end).once('close', end)
      return rows
    },
    copyIn: text => client.query(from(text)),
    limitSilence: ms => {
      silence.ms = ms
    },
    close: () => closeClient(client),
  }
}

/**
 * Ends a connection whose server is silent while something is expected of it. A machine that is gone is noticed by the
 * kernel, but a process that was stopped keeps its connections.
 */
class SilenceLimit {
  /** 0: none */
  ms = 0
  readonly #client: ServerClient

  constructor(client: ServerClient) {
    this.#client = client
  }

  async during<T>(statement: Promise<T>): Promise<T> {
    const end = this.begin(() => false)
    try {
      return await statement
    } finally {
      end()
    }
  }

  /** `isUnread`: it is not the server that is waited for. Returns what ends the limit. */
  begin(isUnread: () => boolean): () => void {
    const { ms } = this
    if (ms === 0) return () => {}
    const stream = streamOf(this.#client)
    const onTimeout = () => {
      if (isUnread() || stream.readableLength > 0) stream.setTimeout(ms)
      else stream.destroy(new DatastoreUnavailable(`the server did not respond for ${ms / 1_000} s`))
    }
    stream.on('timeout', onTimeout)
    stream.setTimeout(ms)
    return () => {
      stream.off('timeout', onTimeout)
      if (stream.listenerCount('timeout') === 0) stream.setTimeout(0)
    }
  }
}

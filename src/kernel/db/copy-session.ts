import type { Readable, Writable } from 'node:stream'
import { from, to } from 'pg-copy-streams'
import type { Database, DbSession } from './database.ts'
import { translateError } from './errors.ts'
import { type HostOptions, ServerClient } from './hosts.ts'
import type { Sql } from './sql.ts'
import { ClientTransaction } from './transactions.ts'

/** A connection of its own, without timeouts, on which rows are copied as streams. */
export interface CopySession extends DbSession {
  copyOut(text: string): Readable & { rowCount: number }
  copyIn(text: string): Writable & { rowCount: number }
}

/** The protocol of COPY takes the connection for itself, so it is not used in pipeline mode. `node`: one of a cluster. */
export async function openCopySession(db: Database, node?: { name: string; port: number }): Promise<CopySession> {
  const client = new ServerClient({ ...db.unlimitedOptions(node), pipeline: false } as HostOptions)
  client.on('error', () => {}) // shows as the failure of the next statement
  try {
    await client.connect()
    await client.query("set client_encoding = 'UTF8'")
  } catch (error) {
    throw translateError(error)
  }
  const inner = new ClientTransaction(client, [])
  const query = <Row>(statement: Sql<Row>) => inner.query(statement)
  return {
    query,
    one: async statement => (await query(statement))[0],
    script: async (text: string) => {
      if (text !== '') await client.query(text)
    },
    copyOut: text => client.query(to(text)),
    copyIn: text => client.query(from(text)),
    close: () => client.end(),
  }
}

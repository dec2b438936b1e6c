import type { Socket } from 'node:net'
import { applyClock } from './client.ts'
import { translateError } from './errors.ts'
import { type HostOptions, ServerClient } from './hosts.ts'
import { type ListeningSession, onlyRow } from './queryable.ts'
import type { Sql } from './sql.ts'
import { ClientTransaction } from './transactions.ts'

/** How long a server may take to end a session; then the connection is cut. */
const CLOSE_MS = 2_000

/** A connection of its own, for locks and settings that live as long as it does. */
export async function openSession(options: HostOptions): Promise<ListeningSession> {
  const client = new ServerClient(options)
  client.on('error', () => {}) // shows as the failure of the next statement
  try {
    await client.connect()
  } catch (error) {
    throw translateError(error)
  }
  const inner = new ClientTransaction(client, [])
  const query = <Row>(statement: Sql<Row>) => {
    applyClock(client)
    return inner.query(statement)
  }
  return {
    query,
    one: async statement => (await query(statement))[0],
    only: async statement => onlyRow(await query(statement)),
    script: async (text: string) => {
      await client.query(text)
    },
    listen: async (channel, heard) => {
      client.on('notification', ({ payload }) => heard(payload ?? ''))
      await client.query(`listen ${channel}`)
    },
    close: () => closeClient(client),
  }
}

/** The socket of a connection. */
export const streamOf = (client: ServerClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream

/** Ends a connection, also where the server does not respond. */
export async function closeClient(client: ServerClient): Promise<void> {
  const late = setTimeout(() => streamOf(client).destroy(), CLOSE_MS)
  await client.end().finally(() => clearTimeout(late))
}

import pg from 'pg'
import { applyClock } from './client.ts'
import { translateError } from './errors.ts'
import type { DbSession } from './queryable.ts'
import type { Sql } from './sql.ts'
import { ClientTransaction } from './transactions.ts'

/** A connection of its own, for locks and settings that live as long as it does. */
export async function openSession(options: pg.ClientConfig): Promise<DbSession> {
  const client = new pg.Client(options)
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
    script: async (text: string) => {
      await client.query(text)
    },
    listen: async (channel, heard) => {
      client.on('notification', heard)
      await client.query(`listen ${channel}`)
    },
    close: () => client.end(),
  }
}

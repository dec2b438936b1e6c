import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/workers/sequence-events.ts'
import type { TestService } from './service.ts'

/** Events of a workspace (null: of none) in feed order, all that was committed before the call included. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
export async function feedOf(service: TestService, workspace: string | null): Promise<any[]> {
  const { db } = service.services
  while ((await sequenceBatch(db)) > 0);
  const rows = await db.query(sql<{ body: string }>`
    select body from events where workspace_id is not distinct from ${workspace}::text order by sequence`)
  return rows.map(row => JSON.parse(row.body))
}

export const typesOf = (events: readonly { type: string }[]): string[] => events.map(event => event.type)

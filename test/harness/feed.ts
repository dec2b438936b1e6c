import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import type { TestService } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every kind
type Event = any

/**
 * Events about a workspace in their order, all that was committed before the call included. `null`: those of no
 * workspace, each once, however many logs contain it; there is none where no workspace has a key for them.
 */
export async function readFeed(service: TestService, workspace: string | null): Promise<Event[]> {
  const { db } = service.services
  while ((await sequenceBatch(db)) > 0);
  const rows = await db.query(sql<{ body: string }>`
    select body from events where workspace_id = coalesce(${workspace}::text, workspace_id) order by sequence, workspace_id`)
  const events = rows.map(row => JSON.parse(row.body)).filter(event => event.workspace_id === workspace)
  return [...new Map(events.map(event => [event.id, event])).values()]
}

export const typesOf = (events: readonly { type: string }[]): string[] => events.map(event => event.type)

// Runs in the process of a service without workers, for the experiment of the feed.

import { appendEvents } from '../../src/kernel/feed/append.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { Services } from '../../src/kernel/services/services.ts'

export interface Backlog {
  workspaces: string[]
  events: number
}

const PER_TRANSACTION = 500

/** Commits events that no worker publishes, then publishes them in batches. Returns events per second. */
export async function orderBacklog({ db }: Services, { workspaces, events }: Backlog): Promise<number> {
  for (let done = 0; done < events; done += PER_TRANSACTION) {
    await db.transaction(tx =>
      appendEvents(
        tx,
        Array.from({ length: PER_TRANSACTION }, (_, i) => ({
          type: 'job.updated' as const,
          workspaceId: workspaces[(done + i) % workspaces.length]!,
          id: newHandle('job'),
          updatedAt: '2026-11-01T00:00:00.000Z',
          originKeyId: null,
        })),
      ),
    )
  }
  const startedAt = performance.now()
  let ordered = 0
  for (let moved = -1; moved !== 0; ordered += moved) moved = await sequenceBatch(db)
  if (ordered !== events) throw new Error(`${ordered} of ${events} events were ordered`)
  return (ordered / (performance.now() - startedAt)) * 1000
}

// Runs in the processes of the feed's experiment.

import { setTimeout as sleep } from 'node:timers/promises'
import { Database } from '../../src/kernel/db/database.ts'
import { appendEvents } from '../../src/kernel/feed/append.ts'
import { notifyLeader } from '../../src/kernel/feed/notify-leader.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { createLog } from '../../src/kernel/telemetry/log.ts'
import { feedPage } from '../../src/resources/events/store.ts'

export interface Watch {
  workspace: string
  count: number
  /** the longest random pause between two events, so that they fall into every phase of the polling loop */
  pauseMs: number
}

/**
 * Commits events one by one, and returns for each the milliseconds from the end of its commit until a read shows it.
 */
export const inService = ({ db }: Services, watch: Watch): Promise<number[]> => delays(db, watch)

/** The same in a process that does not run the sequencer. */
export async function inOtherProcess({ url, ...watch }: Watch & { url: string }): Promise<number[]> {
  const db = new Database({ connectionString: url }, { connections: 4, log: createLog('warn') })
  const stop = notifyLeader(db)
  try {
    return await delays(db, watch)
  } finally {
    await stop()
    await db.close()
  }
}

async function delays(db: Database, { workspace, count, pauseMs }: Watch): Promise<number[]> {
  const read = (after: number) =>
    db.query(
      feedPage({
        workspace,
        after,
        readable: { types: ['job.updated'], own: [], vendor: '' },
        excludeKey: undefined,
        limit: 1,
      }),
    )
  let last = (await read(0))[0]!.last_sequence
  const found: number[] = []
  for (let i = 0; i < count; i++) {
    await sleep(Math.random() * pauseMs)
    let committedAt = 0
    await db.transaction(async tx => {
      await appendEvents(tx, [
        {
          type: 'job.updated',
          workspaceId: workspace,
          id: newHandle('job'),
          updatedAt: '2026-11-01T00:00:00.000Z',
          originKeyId: null,
        },
      ])
      tx.afterCommit(() => {
        committedAt = performance.now()
      })
    })
    for (let shown = false; !shown; ) {
      const [row] = await read(last)
      if (row!.sequence === null) continue
      found.push(performance.now() - committedAt)
      last = row!.sequence
      shown = true
    }
  }
  return found
}

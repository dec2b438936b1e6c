import { type Database, type ListeningSession, timedOut } from '../kernel/db/database.ts'
import { LOCKS } from '../kernel/db/locks.ts'
import { sql } from '../kernel/db/sql.ts'
import { AppendedHints } from '../kernel/feed/appended-hints.ts'
import { APPENDED_CHANNEL, leadsHere } from '../kernel/feed/notify-leader.ts'
import { BATCH_SIZE, sequenceBatch, sequenceWorkspaces } from '../kernel/feed/sequencer.ts'
import { appended } from '../kernel/feed/signal.ts'
import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { pause, Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/**
 * `pollMs`: the maximum delay for events of another process whose notification was lost. In a cluster that is a look at all
 * shards, which costs each node some statements; in between, the workspaces that have appended events are published.
 *
 * `gatherMs`: the shortest time between the beginnings of two batches, unless the first is full: writes of one caller, a few
 * milliseconds apart, share a batch and its commit. An event that follows none is published immediately. A batch costs more
 * in a cluster.
 */
const PACE = {
  server: { pollMs: 50, gatherMs: 5 },
  cluster: { pollMs: 1_000, gatherMs: 20 },
} as const
const STANDBY_MS = 500
/** How often a leader under load checks that it still has the lock. */
const CHECK_MS = 1_000
/**
 * The server ends the session of a leader that does not check so long: one that is stopped is still connected, and the
 * feed would wait for it. Longer than a batch can take, and its wait for a connection.
 */
export const SILENT_LEADER_MS = 30_000

/**
 * Publishes the outbox, batch after batch. The process that has the session lock leads; the others wait to take over.
 */
export const sequenceEvents = ({ db }: Pick<Services, 'db'>, silentMs = SILENT_LEADER_MS): Worker => ({
  name: 'sequence-events',
  async run(signal) {
    const session = await db.session()
    try {
      await session.query(sql`select set_config('idle_session_timeout', ${String(silentMs)}, false)`)
      while (!signal.aborted) {
        const leader = await session.one(
          sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS.eventSequencer}) as held`,
        )
        if (leader?.held) return await lead(db, session, signal)
        await pause(STANDBY_MS, signal)
      }
    } finally {
      await session.close()
    }
  },
})

async function lead(db: Database, session: ListeningSession, signal: AbortSignal): Promise<void> {
  const waiting = new Wakeable(signal)
  const hints = new AppendedHints()
  const stopListening = appended.on(workspaces => {
    hints.add(workspaces)
    waiting.wake()
  })
  let checkAt = clock.monotonic() + CHECK_MS
  // immediately: what was appended while no process led
  let lookAt = 0
  let size = BATCH_SIZE
  try {
    await session.listen(APPENDED_CHANNEL, payload => {
      hints.addPayload(payload)
      waiting.wake()
    })
    leadsHere.add(db)
    while (!signal.aborted) {
      waiting.rearm()
      const startedAt = clock.monotonic()
      const inCluster = await db.isCluster()
      const { pollMs, gatherMs } = inCluster ? PACE.cluster : PACE.server
      const hinted = hints.take()
      let full: boolean
      try {
        if (inCluster && hinted !== 'all' && startedAt < lookAt) {
          const { unfinished, isSharedFull } = await sequenceWorkspaces(db, hinted, size)
          hints.add(unfinished)
          full = unfinished.length > 0 || isSharedFull
        } else {
          lookAt = startedAt + pollMs
          full = (await sequenceBatch(db, size)) >= size
          if (full) hints.addAll()
        }
        size = Math.min(BATCH_SIZE, size * 2)
      } catch (error) {
        // Events for very many endpoints, or a slow disk: a batch that times out is retried with half its size.
        if (!timedOut(error) || size === 1) throw error
        size = Math.ceil(size / 2)
        hints.addAll()
        full = true
      }
      // A lost session has lost the lock: fail, and compete for it again. Checked under constant load as well.
      if (!full || clock.monotonic() >= checkAt) {
        await session.query(sql`select 1`)
        checkAt = clock.monotonic() + CHECK_MS
      }
      if (full) continue
      await waiting.pause(inCluster ? Math.max(0, lookAt - clock.monotonic()) : pollMs)
      const early = startedAt + gatherMs - clock.monotonic()
      if (early > 0) await pause(early, signal)
    }
  } finally {
    leadsHere.delete(db)
    stopListening()
    waiting.close()
  }
}

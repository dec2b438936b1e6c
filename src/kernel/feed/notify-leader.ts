import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { pause } from '../time/pause.ts'
import { AppendedHints } from './appended-hints.ts'
import { appended } from './signal.ts'

export const APPENDED_CHANNEL = 'events_appended'

/** At most one notification in this time. Events committed within it are covered by the one that follows. */
const NOTIFY_EVERY_MS = 5

/** The databases whose events a worker of this process orders: their leader is woken without a notification. */
export const leadsHere = new WeakSet<Database>()

/**
 * Tells the process that orders the feed that this one has committed events, and in a cluster in which workspaces. The
 * notification has a transaction of its own, after the commit, and one is sent for many commits: a NOTIFY inside each
 * writer would halve the commit rate of the database, because such commits wait for each other. It does not wait for the
 * disk, and if it is lost, the leader's poll finds the events. Returns what ends it.
 */
export function notifyLeader(db: Database): () => Promise<void> {
  let running: Promise<void> | undefined
  let again = false
  const hints = new AppendedHints()
  const notify = async () => {
    const payload = hints.takePayload()
    await db.query(notification((await db.isCluster()) ? payload : ''))
  }
  const run = async () => {
    do {
      again = false
      await notify().catch(() => {}) // only a hint: the poll of the leader finds the events
      await pause(NOTIFY_EVERY_MS)
    } while (again)
    running = undefined
  }
  const stop = appended.on(workspaces => {
    if (leadsHere.has(db)) return
    hints.add(workspaces)
    again = true
    running ??= run()
  })
  return async () => {
    stop()
    again = false
    await running
  }
}

const notification = (payload: string) => sql`
  select set_config('synchronous_commit', 'off', true), pg_notify(${APPENDED_CHANNEL}, ${payload})`

import type { Database, DbSession } from '../db/database.ts'
import { LOCKS, type LockName } from '../db/locks.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../telemetry/log.ts'
import { pause } from '../time/pause.ts'

export interface HeldLock {
  release(): Promise<void>
}

/** How soon after a restart of the database the lock is taken again. */
const CHECK_MS = 250

/**
 * Holds a lock of the database for as long as the process runs, or returns undefined if another holds it. A session that
 * is lost, and the lock with it, is opened again as soon as the database is available.
 */
export async function holdLock(db: Database, lock: LockName, log: Log): Promise<HeldLock | undefined> {
  const take = async (): Promise<DbSession | undefined> => {
    const session = await db.session()
    const row = await session.one(sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS[lock]}) as held`)
    if (row?.held) return session
    await session.close()
    return undefined
  }
  let session = await take()
  if (!session) return undefined
  const stop = new AbortController()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await pause(CHECK_MS, stop.signal)
      try {
        if (session) await session.query(sql`select 1`)
        else {
          session = await take()
          if (!session)
            log.error({ lock }, 'another process acquired the lock of this process while the database restarted')
        }
      } catch {
        session = undefined // the database is unavailable, which the workers log; the next round retries
      }
    }
    await session?.close()
  })()
  return {
    async release() {
      stop.abort()
      await watching
    },
  }
}

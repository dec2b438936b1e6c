import { LOCKS } from '../kernel/db/locks.ts'
import { sql } from '../kernel/db/sql.ts'
import { waitsForCluster } from '../kernel/search-cluster/search-cluster.ts'
import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { poolWriter } from '../resources/pool/index.ts'

/** How soon a change is written to the search cluster, which shows it within another second. */
const INTERVAL_MS = 500
const STANDBY_MS = 2_000
/** After the cluster failed. */
const RETRY_MS = 2_000
/** The server ends the session of a process that was stopped, so that another takes over. Longer than a round can take. */
const SILENT_MS = 300_000

/**
 * Keeps the index of a search cluster up to date. The process that has the session lock does it, the others wait. While the
 * cluster is down it waits, too: nothing of this process is wrong, and `search` of /readyz tells.
 */
export const indexPool = ({ db, log }: Pick<Services, 'db' | 'log'>): Worker[] => {
  const writer = poolWriter(db)
  if (!writer) return []
  return [
    {
      name: 'index-pool',
      async run(signal) {
        const session = await db.session()
        try {
          await session.query(sql`select set_config('idle_session_timeout', ${String(SILENT_MS)}, false)`)
          const held = sql<{ held: boolean }>`select pg_try_advisory_lock(${LOCKS.poolIndex}) as held`
          while (!signal.aborted && !(await session.only(held)).held) await pause(STANDBY_MS, signal)
          for (let waits = false; !signal.aborted; ) {
            let more = false
            try {
              more = await writer.run(signal)
              waits = false
            } catch (error) {
              if (!waitsForCluster(error)) throw error
              if (!waits) log.warn({ err: error }, 'the index of the pool waits for the search cluster')
              waits = true
            }
            await session.query(sql`select 1`) // a lost session has lost the lock: fail, and compete for it again
            if (!more) await pause(waits ? RETRY_MS : INTERVAL_MS, signal)
          }
        } finally {
          await session.close()
        }
      },
    },
  ]
}

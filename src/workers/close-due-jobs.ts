import type { Database } from '../kernel/db/database.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { closeDueJobs } from '../resources/jobs/actions.ts'

/** Closes published jobs when their `close_at` has come. Every process may run it: each takes jobs no other holds. */
const INTERVAL_MS = 30_000
const PIECE = 100

export const closeDueJobsWorker = (db: Database): Worker => ({
  name: 'close-due-jobs',
  async run(signal) {
    while (!signal.aborted) {
      const closed = await db.transaction(tx => closeDueJobs(tx, PIECE))
      if (closed < PIECE) await pause(INTERVAL_MS, signal)
    }
  },
})

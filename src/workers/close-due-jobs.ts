import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { closeDueJobs } from '../resources/jobs/index.ts'

/** Closes published jobs at their `close_at`. Every process may run it: jobs that another has locked are left to it. */
const INTERVAL_MS = 30_000
const BATCH_SIZE = 100

export const closeDueJobsWorker = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'close-due-jobs',
  async run(signal) {
    while (!signal.aborted) {
      const closed = await db.transaction(tx => closeDueJobs(tx, BATCH_SIZE))
      if (closed === 0) await pause(INTERVAL_MS, signal)
    }
  },
})

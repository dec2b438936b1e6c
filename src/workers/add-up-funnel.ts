import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { addUpFunnel } from '../resources/analytics/index.ts'

/** Adds changes of the hiring funnel to its rollups, so that few are left for a read. Every process may run it. */
const INTERVAL_MS = 5_000
const BATCH_SIZE = 10_000

export const addUpFunnelChanges = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'add-up-funnel',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await addUpFunnel(db, BATCH_SIZE)) >= BATCH_SIZE);
      await pause(INTERVAL_MS, signal)
    }
  },
})

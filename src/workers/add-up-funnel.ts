import type { Database } from '../kernel/db/database.ts'
import { pause } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { addUpFunnel } from '../resources/analytics/actions.ts'

/** Adds the changes of the hiring funnel up, so that readers have few of them left to look at. Every process may run it. */
const INTERVAL_MS = 5_000
const PIECE = 10_000

export const addUpFunnelChanges = (db: Database): Worker => ({
  name: 'add-up-funnel',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await addUpFunnel(db, PIECE)) === PIECE);
      await pause(INTERVAL_MS, signal)
    }
  },
})

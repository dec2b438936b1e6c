import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { runNextRetention } from '../resources/retention/index.ts'

/** Once a day for each workspace, deletes what it no longer retains. Every process may run it. */
const INTERVAL_MS = 60_000

export const runRetention = (services: Pick<Services, 'db' | 'outbox' | 'config'>): Worker => ({
  name: 'run-retention',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await runNextRetention(services)));
      await pause(INTERVAL_MS, signal)
    }
  },
})

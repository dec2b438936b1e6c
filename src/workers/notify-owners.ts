import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { notifyNextOwners } from '../resources/erasures/index.ts'

/** Emails owners when another workspace requests an erasure. Every process may run it. */
const INTERVAL_MS = 2_000

export const notifyOwners = (services: Pick<Services, 'db' | 'mailer' | 'publicUrl' | 'log'>): Worker => ({
  name: 'notify-owners',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await notifyNextOwners(services)));
      await pause(INTERVAL_MS, signal)
    }
  },
})

import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { takeTestOrdersFurther } from '../resources/test-workspaces/index.ts'

const INTERVAL_MS = 2_000
const BATCH_SIZE = 100

/** Plays the vendor of test workspaces, whose packages the seed `checks` offers. Every process may run it. */
export const playTestVendor = (services: Pick<Services, 'db' | 'blobs' | 'log'>): Worker => ({
  name: 'play-test-vendor',
  async run(signal) {
    while (!signal.aborted) {
      const taken = await takeTestOrdersFurther(services, BATCH_SIZE)
      if (taken === 0) await pause(INTERVAL_MS, signal)
    }
  },
})

import { clock } from '../kernel/time/clock.ts'
import { Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { type ClockServices, clockAdvanced, runTestClocks } from '../resources/test-workspaces/index.ts'

/** How often it looks for clocks that another process was asked to advance. */
const POLL_MS = 2_000
/** How often it looks at those that are ahead and go on with real time. */
const AHEAD_EVERY_MS = 30_000

/** Does what falls due by the clocks of test workspaces. Every process may run it. */
export const advanceTestClocks = (services: ClockServices): Worker => ({
  name: 'advance-test-clocks',
  async run(signal) {
    const waiting = new Wakeable(signal)
    const stopListening = clockAdvanced.on(waiting.wake)
    let aheadAt = Number.NEGATIVE_INFINITY
    try {
      while (!signal.aborted) {
        waiting.rearm()
        const all = clock.monotonic() - aheadAt >= AHEAD_EVERY_MS
        if (all) aheadAt = clock.monotonic()
        await runTestClocks(services, all, signal)
        await waiting.pause(POLL_MS)
      }
    } finally {
      stopListening()
      waiting.close()
    }
  },
})

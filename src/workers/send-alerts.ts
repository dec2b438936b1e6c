import { clock } from '../kernel/time/clock.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { checkAlerts, mailNextAlerts, postNextAlerts } from '../resources/alerts/index.ts'

/**
 * Looks for causes of alerts in counters and states that requests have left, so that no request waits for it, and sends
 * what is due. Every process may run it.
 */
const CHECK_MS = 60_000
const SEND_MS = 5_000

type Needs = Parameters<typeof mailNextAlerts>[0] & Parameters<typeof postNextAlerts>[0]

export const sendAlerts = (services: Needs): Worker => ({
  name: 'send-alerts',
  async run(signal) {
    let checkAt = 0
    while (!signal.aborted) {
      if (clock.monotonic() >= checkAt) {
        await checkAlerts(services.db)
        checkAt = clock.monotonic() + CHECK_MS
      }
      while (!signal.aborted && (await mailNextAlerts(services)));
      while (!signal.aborted && (await postNextAlerts(services, signal)));
      await pause(SEND_MS, signal)
    }
  },
})

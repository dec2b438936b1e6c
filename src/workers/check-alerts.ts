import { clock } from '../kernel/time/clock.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { checkAlerts, mailNextAlerts, postDueAlerts } from '../resources/alerts/index.ts'

const CHECK_MS = 60_000
const SEND_MS = 5_000

/**
 * Looks for causes of alerts in counters and states that requests have left, so that no request waits for it, and emails
 * what is due. Every process may run it.
 */
export const sendAlerts = (services: Parameters<typeof mailNextAlerts>[0]): Worker => ({
  name: 'send-alerts',
  async run(signal) {
    let checkAt = 0
    while (!signal.aborted) {
      if (clock.monotonic() >= checkAt) {
        await checkAlerts(services.db)
        checkAt = clock.monotonic() + CHECK_MS
      }
      while (!signal.aborted && (await mailNextAlerts(services)));
      await pause(SEND_MS, signal)
    }
  },
})

/** Posts alerts to the webhooks of workspaces. A loop of its own: neither checks nor emails wait for a receiver. */
export const postAlerts = (services: Parameters<typeof postDueAlerts>[0]): Worker => ({
  name: 'post-alerts',
  async run(signal) {
    while (!signal.aborted) {
      await postDueAlerts(services, signal)
      await pause(SEND_MS, signal)
    }
  },
})

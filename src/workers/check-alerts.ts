import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { checkAlerts, postDueAlerts } from '../resources/alerts/index.ts'

const CHECK_MS = 60_000
const POST_MS = 5_000

/**
 * Looks for causes of alerts in counters and states that requests have left, so that no request waits for it. Every
 * process may run it.
 */
export const watchAlerts = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'check-alerts',
  async run(signal) {
    while (!signal.aborted) {
      await checkAlerts(db)
      await pause(CHECK_MS, signal)
    }
  },
})

/** Posts alerts to the webhooks of workspaces. A loop of its own: neither checks nor emails wait for a receiver. */
export const postAlerts = (services: Parameters<typeof postDueAlerts>[0]): Worker => ({
  name: 'post-alerts',
  async run(signal) {
    while (!signal.aborted) {
      await postDueAlerts(services, signal)
      await pause(POST_MS, signal)
    }
  },
})

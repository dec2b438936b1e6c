import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { attendDueOrders } from '../resources/orders/index.ts'

/**
 * Ends orders that no vendor responds to and those whose due date has passed, and reminds candidates. Every process may run it: an
 * order that another has locked is left to it.
 */
const INTERVAL_MS = 30_000
const BATCH_SIZE = 100

export const attendOrders = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'attend-orders',
  async run(signal) {
    while (!signal.aborted) {
      const due = await attendDueOrders(db, BATCH_SIZE)
      if (due < BATCH_SIZE) await pause(INTERVAL_MS, signal)
    }
  },
})

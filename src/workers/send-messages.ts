import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { type SendServices, sendDueMessages } from '../resources/messages/index.ts'

const INTERVAL_MS = 1_000

/** Sends the messages of members whose time has come. Every process may run it. */
export const sendMessages = (services: SendServices): Worker => ({
  name: 'send-messages',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await sendDueMessages(services)));
      await pause(INTERVAL_MS, signal)
    }
  },
})

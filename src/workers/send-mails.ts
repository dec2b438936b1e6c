import { type MailLoop, type MailServices, sendNextMails } from '../kernel/mail/queue.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'

/** Sends the emails of a queue. Every process may run it. */
export const sendMails = <Work>(services: MailServices, queue: MailLoop<Work>): Worker => ({
  name: queue.name,
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await sendNextMails(services, queue)));
      await pause(queue.everyMs, signal)
    }
  },
})

import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { sendNextMails, type WriteMail } from '../resources/candidates/index.ts'

const INTERVAL_MS = 1_000

/** Emails candidates what the careers site queued for them. Every process may run it. */
export const sendCandidateMails = (services: Parameters<typeof sendNextMails>[0], write: WriteMail): Worker => ({
  name: 'send-candidate-mails',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await sendNextMails(services, write)));
      await pause(INTERVAL_MS, signal)
    }
  },
})

import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { mailNextMember } from '../resources/hiring-team/index.ts'

const INTERVAL_MS = 2_000

/** Emails members about mentions and requests for scorecards. Every process may run it. */
export const sendTeamMails = (services: Pick<Services, 'db' | 'mailer' | 'publicUrl' | 'log'>): Worker => ({
  name: 'send-team-mails',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await mailNextMember(services)));
      await pause(INTERVAL_MS, signal)
    }
  },
})

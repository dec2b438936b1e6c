import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { ageResumeAccess } from '../resources/resumes/index.ts'

/** Emits events for résumés whose access state changed with time. Every process may run it. */
const INTERVAL_MS = 10_000

export const ageResumeAccessWorker = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'age-resume-access',
  async run(signal) {
    while (!signal.aborted) {
      while (!signal.aborted && (await ageResumeAccess(db)) > 0);
      await pause(INTERVAL_MS, signal)
    }
  },
})

import type { Services } from '../kernel/services/services.ts'
import { Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { rescoreNext } from '../resources/applications/index.ts'
import { scoresOutdated } from '../resources/jobs/index.ts'

/** Scores applications again when the requirements of their job have changed. Every process may run it. */
const POLL_MS = 2_000

export const scoreAgain = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'score-again',
  async run(signal) {
    const waiting = new Wakeable(signal)
    const stopListening = scoresOutdated.on(waiting.wake)
    try {
      while (!signal.aborted) {
        waiting.rearm()
        if (!(await rescoreNext(db))) await waiting.pause(POLL_MS)
      }
    } finally {
      stopListening()
      waiting.close()
    }
  },
})

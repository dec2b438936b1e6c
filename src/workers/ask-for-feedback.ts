import type { Services } from '../kernel/services/services.ts'
import { pause } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { askAfterInterviews, remindOfCards } from '../resources/hiring-team/index.ts'

/**
 * Asks the people of interviews that have ended for their scorecards, and reminds them when these are due. Every process may
 * run it: an interview or a request that another has taken is left to it.
 */
const INTERVAL_MS = 30_000
const BATCH_SIZE = 100

export const askForFeedback = ({ db }: Pick<Services, 'db'>): Worker => ({
  name: 'ask-for-feedback',
  async run(signal) {
    while (!signal.aborted) {
      const done = [await askAfterInterviews(db, BATCH_SIZE), await remindOfCards(db, BATCH_SIZE)]
      if (done.every(count => count < BATCH_SIZE)) await pause(INTERVAL_MS, signal)
    }
  },
})

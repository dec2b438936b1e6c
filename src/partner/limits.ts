import { createAttemptCounters, DAY, MINUTE } from '../kernel/access/attempts.ts'

export const { attempt, resetAttempts } = createAttemptCounters({
  /** An API key cannot be guessed; the limit keeps one IP address from having many looked up. */
  key: [
    { of: 'address', most: 20, seconds: 15 * MINUTE },
    { of: 'address', most: 100, seconds: DAY },
  ],
})

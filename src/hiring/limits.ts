import { createAttemptCounters, MINUTE } from '../kernel/access/attempts.ts'

export const { countAttemptOf } = createAttemptCounters({
  /** Candidates by a whole address or number: enough for a person, too few to try out a list of addresses. */
  'contact search': [{ of: 'account', most: 30, seconds: MINUTE }],
})

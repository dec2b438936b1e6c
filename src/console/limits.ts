import { createAttemptCounters, DAY } from '../kernel/access/attempts.ts'

export const { countAttemptOf } = createAttemptCounters({
  /** A workspace can have emails sent to any email address. */
  invitation: [
    { of: 'address', most: 200, seconds: DAY },
    { of: 'account', most: 5, seconds: DAY },
  ],
})

import { createAttemptCounters, DAY, HOUR, MINUTE } from '../../kernel/access/attempts.ts'
import { LINK_SECONDS } from '../../resources/candidates/index.ts'

/** Beyond the limits one link is sent whenever the last has expired: a person who asks always has a valid one. */
const SOME_LINKS = { most: 1, seconds: LINK_SECONDS.access } as const

/**
 * Anyone can type an address and so cause emails to it. They are counted by mailbox, twice: from one network, so that a
 * stranger does not use up the emails of the person, who is in another network, and for all networks together, so that a
 * mailbox cannot be flooded. Beyond a limit the page is the same and nothing is sent.
 */
export const { countAttemptOf, attempt, resetAttempts } = createAttemptCounters({
  /** Each can make the service look up an address, and email it if it has applied. */
  'candidate link': [
    { of: 'address', most: 30, seconds: HOUR },
    { of: 'account at address', most: 5, seconds: HOUR, success: 'reset' },
  ],
  /** `account` is the mailbox. */
  'candidate mail': [
    { of: 'account at address', most: 3, seconds: 10 * MINUTE, success: 'reset' },
    { of: 'account at address', most: 10, seconds: DAY, success: 'reset', beyond: SOME_LINKS },
    { of: 'account', most: 6, seconds: 10 * MINUTE, success: 'reset' },
    { of: 'account', most: 20, seconds: DAY, success: 'reset', beyond: SOME_LINKS },
  ],
  /** Each sends an email to an address that a candidate typed. `account` is the applicant. */
  'candidate address': [
    { of: 'account', most: 5, seconds: DAY },
    { of: 'address', most: 20, seconds: DAY },
  ],
  /** The same, for all candidates together: `account` is the mailbox. */
  'candidate new address': [{ of: 'account', most: 3, seconds: DAY }],
  /** Each can append an event, which goes to every webhook of the workspace, or reads all data of the person. */
  'candidate change': [{ of: 'account', most: 30, seconds: HOUR }],
})

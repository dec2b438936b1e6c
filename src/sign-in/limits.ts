import { createAttemptCounters, DAY, HOUR, MINUTE } from '../kernel/access/attempts.ts'

const AUTHORIZATIONS = { most: 300, seconds: 15 * MINUTE } as const

export const { countAttemptOf, attempt, uncountAttempt, resetAttempts } = createAttemptCounters({
  /**
   * One IP address can try an account 10 times in 15 minutes and 30 times a day; all IP addresses together 100 times a day.
   * Many IP addresses could so lock the owner out. Therefore browsers in which the account was signed in before are counted
   * separately: 10 attempts in 15 minutes each, 100 a day together. Only the password is locked: an emailed link still
   * signs in.
   */
  password: {
    strangers: [
      { of: 'address', most: 100, seconds: 15 * MINUTE },
      { of: 'account at address', most: 10, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account at address', most: 30, seconds: DAY, success: 'reset' },
      { of: 'account', most: 100, seconds: DAY },
    ],
    known: [
      { of: 'account in browser', most: 10, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account in known browsers', most: 100, seconds: DAY },
    ],
  },
  /**
   * `account` is a member who proved the first factor. Codes have six digits and three of them are valid at the same time,
   * so 60 attempts a day guess one with a probability of 0.02 %. Known browsers are counted separately: who knows the
   * password does not lock the owner out.
   */
  'second factor': {
    strangers: [
      { of: 'account at address', most: 5, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account', most: 30, seconds: DAY },
    ],
    known: [
      { of: 'account in browser', most: 5, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account in known browsers', most: 30, seconds: DAY },
    ],
  },
  /** Passkeys cannot be guessed; what is counted are the challenges for them, each of which is stored for five minutes. */
  passkey: [{ of: 'address', most: 100, seconds: 15 * MINUTE }],
  /** Too many requests for a link from one IP address are rejected. */
  link: {
    strangers: [
      { of: 'address', most: 30, seconds: HOUR },
      { of: 'account at address', most: 5, seconds: HOUR, success: 'reset' },
    ],
    known: [{ of: 'account in browser', most: 5, seconds: HOUR, success: 'reset' }],
  },
  /**
   * At most 3 emails are sent to an account in ten minutes, for all sources together. Further requests succeed but send
   * nothing: each link is valid for fifteen minutes, so the mailbox has a valid one. After 10 in a day, none of which was
   * used, there is one in an hour: a mailbox cannot be flooded, and no one can block this way to sign in.
   */
  mail: [
    { of: 'account', most: 3, seconds: 10 * MINUTE, success: 'reset' },
    { of: 'account', most: 10, seconds: DAY, success: 'reset', beyond: { most: 1, seconds: HOUR } },
  ],
  /** Each request of an app is stored for an hour. They are counted by IP address, or by session. */
  authorization: {
    strangers: [{ of: 'address', ...AUTHORIZATIONS }],
    known: [{ of: 'account in browser', ...AUTHORIZATIONS }],
  },
  /** `account` is the workspace. An office has one IP address. Each makes the service ask a provider, which limits guesses. */
  company: [{ of: 'address', most: 200, seconds: 15 * MINUTE }],
  /**
   * `account` is the workspace. Messages that the provider signed are taken back: it sends one for each person. They are not
   * counted by workspace: other addresses could use that limit up and keep the provider's own messages out.
   */
  'company logout': [
    { of: 'account at address', most: 300, seconds: 15 * MINUTE },
    { of: 'address', most: 1_000, seconds: 15 * MINUTE },
  ],
})

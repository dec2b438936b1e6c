import {
  type AttemptLimit,
  type AttemptSource,
  createAttemptCounters,
  DAY,
  HOUR,
  MINUTE,
} from '../../kernel/access/attempts.ts'

const FORM_REQUESTS: readonly AttemptLimit[] = [
  { of: 'account at address', most: 60, seconds: HOUR },
  { of: 'address', most: 200, seconds: HOUR },
]

/**
 * Every form that is sent is counted before it is read. A person corrects it several times, so that limit is wide; an
 * application has a narrow one, counted before it is stored and taken back where the form had faults. A person applies for
 * several jobs; a school or an office shares one IP address. An application without a proof of work has a third of that.
 * Nothing is taken back after a success: an application is what is counted. Uploads of application forms and readings of
 * résumés are counted in the same way, whether a file comes with the form or goes to the store before it; so are other
 * tokens. Each upload is also counted as pending by workspace and network until an application has used it, so that one
 * network cannot stop the uploads of a workspace.
 *
 * The form as a whole has limits for what comes with a valid token that is old enough, but without a proof of work
 * (`plain …`). Nothing else is counted against them, and a proof of work goes beyond them: many networks that send
 * requests without effort must not stop the applications of everyone.
 *
 * Emails about applications have no exception beyond their limits, as links have: a link can be asked for instead.
 *
 * `account` is the form, a job of a workspace, unless said otherwise.
 */
const LIMITS = {
  /** Every form, also with faults or too late. */
  'sent form': FORM_REQUESTS,
  application: [
    { of: 'account at address', most: 30, seconds: HOUR },
    { of: 'address', most: 100, seconds: HOUR },
  ],
  'plain application': [
    { of: 'account at address', most: 10, seconds: HOUR },
    { of: 'address', most: 30, seconds: HOUR },
    { of: 'account', most: 200, seconds: HOUR },
  ],
  'form upload': FORM_REQUESTS,
  'plain upload': [{ of: 'account', most: 1_000, seconds: HOUR }],
  'form token': FORM_REQUESTS,
  /**
   * `account` is the workspace. An upload is pending for an hour at most, so within any hour one network has no more than
   * twice as many (windows are fixed) of the 500 that the forms of a workspace share.
   */
  'pending upload': [{ of: 'account at address', most: 20, seconds: HOUR }],
  /** The same while half of those are taken: few networks must not take the rest. */
  'scarce upload': [{ of: 'account at address', most: 4, seconds: HOUR }],
  'form reading': [
    { of: 'account at address', most: 30, seconds: HOUR },
    { of: 'address', most: 60, seconds: HOUR },
  ],
  'plain reading': [{ of: 'account', most: 300, seconds: HOUR }],
  /** `account` is the mailbox, whatever tag its address has. The worker also counts by person (`isTooMany`). */
  'application mail': [
    { of: 'account at address', most: 3, seconds: 10 * MINUTE },
    { of: 'account at address', most: 10, seconds: DAY },
    { of: 'account', most: 6, seconds: 10 * MINUTE },
    { of: 'account', most: 20, seconds: DAY },
  ],
  /** `account` is the mailbox and the job: a confirmation, and one email that says there was an application before. */
  'job mail': [
    { of: 'account at address', most: 2, seconds: DAY },
    { of: 'account', most: 4, seconds: DAY },
  ],
} as const

export type FormAttempt = keyof typeof LIMITS
export type CountedAttempt = readonly [kind: FormAttempt, source: AttemptSource]

export const { attempt, countAttemptOf, countAllowed, countAllAllowed, uncountAttempt, uncountAll } =
  createAttemptCounters(LIMITS)

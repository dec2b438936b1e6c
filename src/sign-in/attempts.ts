import ipaddr from 'ipaddr.js'
import type { Services } from '../kernel/services/services.ts'
import { accountKey } from '../kernel/text/person-keys.ts'
import { countAttempt, forgetAttempts, takeBackAttempts } from './store.ts'

/** Who makes an attempt: an account by the name that was typed, whether or not it exists, from an address. */
export interface AttemptSource {
  account: string
  /** of the network; for what members do, the handle of their workspace */
  address: string
  /** a browser in which the account was signed in before, or the session of the person who is signed in */
  browser?: string | undefined
}

/** What attempts are counted by. */
const SUBJECTS = {
  address: ({ address }: AttemptSource) => network(address),
  'account at address': ({ account, address }: AttemptSource) => `${account} ${network(address)}`,
  account: ({ account }: AttemptSource) => account,
  'account in browser': ({ account, browser }: AttemptSource) => `${account} ${browser}`,
  'account in known browsers': ({ account }: AttemptSource) => account,
} as const

interface Limit {
  of: keyof typeof SUBJECTS
  most: number
  seconds: number
  /** what success does to the count: take this attempt back, or start again from zero */
  success: 'decrement' | 'reset'
}

interface Limits {
  strangers: readonly Limit[]
  known: readonly Limit[]
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const AUTHORIZATIONS = { most: 300, seconds: 15 * MINUTE, success: 'decrement' } as const
const MAILS: readonly Limit[] = [{ of: 'account', most: 3, seconds: 10 * MINUTE, success: 'reset' }]
const INVITATIONS: readonly Limit[] = [
  { of: 'address', most: 200, seconds: DAY, success: 'decrement' },
  { of: 'account', most: 5, seconds: DAY, success: 'decrement' },
]

/**
 * An attempt is counted before anything is checked, in the database, so that concurrent attempts in several processes add
 * up; from the narrowest source to the account as a whole. A limit that refuses leaves the later ones uncounted: one
 * address cannot use up what an account has for all.
 *
 * Passwords. An account can be tried 10 times in a quarter of an hour and 30 times a day from one address, and 100 times
 * a day from all addresses together. That would let many addresses lock the owner out, so browsers in which the account
 * was signed in before are counted separately: 10 attempts in a quarter of an hour each, 100 a day together. What is exhausted is the password alone: a mailed link still signs in.
 *
 * Links. Too many requests from one address are refused. All sources together can have 3 mails sent to an account in ten
 * minutes; further ones are not refused but not sent either: each link lasts for fifteen minutes, so the mailbox holds
 * one that works. So this way to sign in cannot be used up.
 *
 * Authorizations are the requests of apps, of which each is stored for an hour: counted by address, or by session.
 *
 * Invitations are emails that a workspace can have sent to any address.
 */
export const ATTEMPT_LIMITS = {
  password: {
    strangers: [
      { of: 'address', most: 100, seconds: 15 * MINUTE, success: 'decrement' },
      { of: 'account at address', most: 10, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account at address', most: 30, seconds: DAY, success: 'reset' },
      { of: 'account', most: 100, seconds: DAY, success: 'decrement' },
    ],
    known: [
      { of: 'account in browser', most: 10, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account in known browsers', most: 100, seconds: DAY, success: 'decrement' },
    ],
  },
  link: {
    strangers: [
      { of: 'address', most: 30, seconds: HOUR, success: 'decrement' },
      { of: 'account at address', most: 5, seconds: HOUR, success: 'reset' },
    ],
    known: [{ of: 'account in browser', most: 5, seconds: HOUR, success: 'reset' }],
  },
  mail: { strangers: MAILS, known: MAILS },
  authorization: {
    strangers: [{ of: 'address', ...AUTHORIZATIONS }],
    known: [{ of: 'account in browser', ...AUTHORIZATIONS }],
  },
  invitation: { strangers: INVITATIONS, known: INVITATIONS },
} as const satisfies Record<string, Limits>

export type Attempt = keyof typeof ATTEMPT_LIMITS

type Needs = Pick<Services, 'db' | 'keyring'>

/** Undefined if the attempt is allowed; otherwise after how many seconds to retry. */
export async function countAttemptOf(
  services: Needs,
  what: Attempt,
  source: AttemptSource,
): Promise<number | undefined> {
  for (const limit of limitsFor(what, source)) {
    const { used, reset } = (await services.db.one(
      countAttempt(subject(services, what, limit, source), limit.seconds),
    ))!
    if (used > limit.most) return Math.max(1, Math.ceil(reset))
  }
  return undefined
}

/** The attempt succeeded: it was no guess. */
export async function resetAttempts(services: Needs, what: Attempt, source: AttemptSource): Promise<void> {
  const subjects = (success: Limit['success']) =>
    limitsFor(what, source)
      .filter(limit => limit.success === success)
      .map(limit => subject(services, what, limit, source))
  await Promise.all([
    services.db.query(forgetAttempts(subjects('reset'))),
    services.db.query(takeBackAttempts(subjects('decrement'))),
  ])
}

const limitsFor = (what: Attempt, { browser }: AttemptSource): readonly Limit[] =>
  browser === undefined ? ATTEMPT_LIMITS[what].strangers : ATTEMPT_LIMITS[what].known

/** Signed: without the installation's key the table does not reveal which accounts were tried. */
function subject({ keyring }: Needs, what: Attempt, { of, seconds }: Limit, source: AttemptSource): string {
  const name = SUBJECTS[of]({ ...source, account: accountKey(source.account) })
  return keyring.sign('session', `${what} ${seconds} ${of} ${name}`).toString('hex')
}

/** An IPv6 customer usually has a whole /64. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}

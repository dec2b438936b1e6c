import ipaddr from 'ipaddr.js'
import type { Services } from '../kernel/services/services.ts'
import { accountKey } from '../kernel/text/person-keys.ts'
import { countAttempt, forgetAttempts, takeBackAttempts } from './store.ts'

/** Who tries: an account by the name that was typed, whether or not there is one, from an address. */
export interface AttemptSource {
  account: string
  /** of the network; for what members do, the handle of their workspace */
  address: string
  /** a browser in which the account was signed in before, or the session of whoever is signed in */
  browser?: string | undefined
}

/** What a count is kept for. */
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
  /** what success does to the count: take the one try back, or begin anew */
  success: 'takes one back' | 'begins anew'
}

interface Limits {
  strangers: readonly Limit[]
  known: readonly Limit[]
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const AUTHORIZATIONS = { most: 300, seconds: 15 * MINUTE, success: 'takes one back' } as const
const MAILS: readonly Limit[] = [{ of: 'account', most: 3, seconds: 10 * MINUTE, success: 'begins anew' }]
const INVITATIONS: readonly Limit[] = [
  { of: 'address', most: 200, seconds: DAY, success: 'takes one back' },
  { of: 'account', most: 5, seconds: DAY, success: 'takes one back' },
]

/**
 * A try counts before anything is checked, in the database, so that tries at the same moment and in several processes add
 * up; from the narrowest source to the account as a whole, and a count that refuses spares those behind it: one address
 * cannot use up what an account has for all.
 *
 * Passwords. Somebody who guesses at an account from one address has 10 tries in a quarter of an hour and 30 a day; from
 * all addresses together 100 a day, which is the most that anybody can guess. That would let a crowd of addresses keep
 * the owner out, so browsers in which the account was signed in before are counted apart: 10 tries in a quarter of an
 * hour each, 100 a day together. What is exhausted is the password alone: a mailed link still signs in.
 *
 * Links. Whoever asks too often from one address is refused. Everybody together can have 3 mails sent to an account in
 * ten minutes; more are not refused but not sent either, and need not be: each link lasts for fifteen minutes, so the
 * mailbox holds one that works. Nobody can use up the way out.
 *
 * Authorizations are the requests of apps, of which each is stored for an hour: counted by address, or by session.
 *
 * Invitations are mails that a workspace can have sent to anybody at all.
 */
export const ATTEMPT_LIMITS = {
  password: {
    strangers: [
      { of: 'address', most: 100, seconds: 15 * MINUTE, success: 'takes one back' },
      { of: 'account at address', most: 10, seconds: 15 * MINUTE, success: 'begins anew' },
      { of: 'account at address', most: 30, seconds: DAY, success: 'begins anew' },
      { of: 'account', most: 100, seconds: DAY, success: 'takes one back' },
    ],
    known: [
      { of: 'account in browser', most: 10, seconds: 15 * MINUTE, success: 'begins anew' },
      { of: 'account in known browsers', most: 100, seconds: DAY, success: 'takes one back' },
    ],
  },
  link: {
    strangers: [
      { of: 'address', most: 30, seconds: HOUR, success: 'takes one back' },
      { of: 'account at address', most: 5, seconds: HOUR, success: 'begins anew' },
    ],
    known: [{ of: 'account in browser', most: 5, seconds: HOUR, success: 'begins anew' }],
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

/** Undefined if the try is allowed; otherwise in how many seconds to come back. */
export async function countAttemptOf(
  services: Needs,
  what: Attempt,
  trier: AttemptSource,
): Promise<number | undefined> {
  for (const limit of limitsFor(what, trier)) {
    const { used, reset } = (await services.db.one(countAttempt(subject(services, what, limit, trier), limit.seconds)))!
    if (used > limit.most) return Math.max(1, Math.ceil(reset))
  }
  return undefined
}

/** It was no guess: whoever it was has proved who they are. */
export async function resetAttempts(services: Needs, what: Attempt, trier: AttemptSource): Promise<void> {
  const subjects = (success: Limit['success']) =>
    limitsFor(what, trier)
      .filter(limit => limit.success === success)
      .map(limit => subject(services, what, limit, trier))
  await Promise.all([
    services.db.query(forgetAttempts(subjects('begins anew'))),
    services.db.query(takeBackAttempts(subjects('takes one back'))),
  ])
}

const limitsFor = (what: Attempt, { browser }: AttemptSource): readonly Limit[] =>
  browser === undefined ? ATTEMPT_LIMITS[what].strangers : ATTEMPT_LIMITS[what].known

/** Signed: without the installation's key nobody finds out from the table who was tried. */
function subject({ keyring }: Needs, what: Attempt, { of, seconds }: Limit, trier: AttemptSource): string {
  const name = SUBJECTS[of]({ ...trier, account: accountKey(trier.account) })
  return keyring.sign('session', `${what} ${seconds} ${of} ${name}`).toString('hex')
}

/** An IPv6 customer has a whole /64 to himself. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}

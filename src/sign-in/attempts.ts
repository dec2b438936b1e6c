import ipaddr from 'ipaddr.js'
import { network } from '../kernel/net/network.ts'
import type { Services } from '../kernel/services/services.ts'
import { accountKey } from '../kernel/text/person-keys.ts'
import type { Limit as PageLimit, Visit } from '../programs/policy.ts'
import { LINK_SECONDS } from '../resources/candidates/index.ts'
import { countAttempt, forgetAttempts, uncountAttempts } from './store.ts'

/** The source of an attempt: an account name as typed, whether or not it exists, and an IP address. */
export interface AttemptSource {
  account: string
  /** the IP address; for actions of members, the handle of their workspace */
  address: string
  /** a browser in which the account was signed in before, or the session of the user */
  browser?: string | undefined
}

/** The subjects by which attempts are counted. */
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
  /** what a success does to the count: subtract this attempt, or start again from zero */
  success: 'decrement' | 'reset'
  /** beyond the limit, so many are still allowed in a shorter time */
  beyond?: { most: number; seconds: number }
}

interface Limits {
  strangers: readonly Limit[]
  known: readonly Limit[]
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const AUTHORIZATIONS = { most: 300, seconds: 15 * MINUTE, success: 'decrement' } as const
const MAILS: readonly Limit[] = [
  { of: 'account', most: 3, seconds: 10 * MINUTE, success: 'reset' },
  { of: 'account', most: 10, seconds: DAY, success: 'reset', beyond: { most: 1, seconds: HOUR } },
]
/** `account` is the mailbox. Beyond the limits one link is sent whenever the last has expired. */
const SOME_LINKS = { most: 1, seconds: LINK_SECONDS.access } as const
const CANDIDATE_MAILS: readonly Limit[] = [
  { of: 'account at address', most: 3, seconds: 10 * MINUTE, success: 'reset' },
  { of: 'account at address', most: 10, seconds: DAY, success: 'reset', beyond: SOME_LINKS },
  { of: 'account', most: 6, seconds: 10 * MINUTE, success: 'reset' },
  { of: 'account', most: 20, seconds: DAY, success: 'reset', beyond: SOME_LINKS },
]
/** `account` is the mailbox, whatever tag its address has. The worker also counts by person (`isTooMany`). */
const APPLICATION_MAILS: readonly Limit[] = [
  { of: 'account at address', most: 3, seconds: 10 * MINUTE, success: 'decrement' },
  { of: 'account at address', most: 10, seconds: DAY, success: 'decrement' },
  { of: 'account', most: 6, seconds: 10 * MINUTE, success: 'decrement' },
  { of: 'account', most: 20, seconds: DAY, success: 'decrement' },
]
/** `account` is the mailbox and the job: a confirmation, and one email that says there was an application before. */
const JOB_MAILS: readonly Limit[] = [
  { of: 'account at address', most: 2, seconds: DAY, success: 'decrement' },
  { of: 'account', most: 4, seconds: DAY, success: 'decrement' },
]
const KEYS: readonly Limit[] = [
  { of: 'address', most: 20, seconds: 15 * MINUTE, success: 'decrement' },
  { of: 'address', most: 100, seconds: DAY, success: 'decrement' },
]
/** Each stores a challenge for five minutes. */
const PASSKEYS: readonly Limit[] = [{ of: 'address', most: 100, seconds: 15 * MINUTE, success: 'decrement' }]
const INVITATIONS: readonly Limit[] = [
  { of: 'address', most: 200, seconds: DAY, success: 'decrement' },
  { of: 'account', most: 5, seconds: DAY, success: 'decrement' },
]
/** `account` is the form: a job of a workspace. Every form that is sent, also with faults or too late. */
const SENT_FORMS: readonly Limit[] = [
  { of: 'account at address', most: 60, seconds: HOUR, success: 'decrement' },
  { of: 'address', most: 200, seconds: HOUR, success: 'decrement' },
]
const APPLICATIONS: readonly Limit[] = [
  { of: 'account at address', most: 30, seconds: HOUR, success: 'decrement' },
  { of: 'address', most: 100, seconds: HOUR, success: 'decrement' },
]
const PLAIN_APPLICATIONS: readonly Limit[] = [
  { of: 'account at address', most: 10, seconds: HOUR, success: 'decrement' },
  { of: 'address', most: 30, seconds: HOUR, success: 'decrement' },
  { of: 'account', most: 200, seconds: HOUR, success: 'decrement' },
]
const UPLOADS: readonly Limit[] = [
  { of: 'account at address', most: 60, seconds: HOUR, success: 'decrement' },
  { of: 'address', most: 200, seconds: HOUR, success: 'decrement' },
]
const PLAIN_UPLOADS: readonly Limit[] = [{ of: 'account', most: 1_000, seconds: HOUR, success: 'decrement' }]
/**
 * `account` is the workspace. An upload is pending for an hour at most, so within any hour one network has no more than
 * twice as many (windows are fixed) of the 500 that the forms of a workspace share.
 */
const PENDING_UPLOADS: readonly Limit[] = [{ of: 'account at address', most: 20, seconds: HOUR, success: 'decrement' }]
/** The same while half of those are taken: few networks must not take the rest. */
const SCARCE_UPLOADS: readonly Limit[] = [{ of: 'account at address', most: 4, seconds: HOUR, success: 'decrement' }]
const READINGS: readonly Limit[] = [
  { of: 'account at address', most: 30, seconds: HOUR, success: 'decrement' },
  { of: 'address', most: 60, seconds: HOUR, success: 'decrement' },
]
const PLAIN_READINGS: readonly Limit[] = [{ of: 'account', most: 300, seconds: HOUR, success: 'decrement' }]

/** `account` is the workspace. Each makes the service ask a provider. */
const COMPANY: readonly Limit[] = [{ of: 'address', most: 200, seconds: 15 * MINUTE, success: 'decrement' }]
/** `account` is the workspace. Messages that a provider signed are taken back: it sends one for each person. */
const COMPANY_LOGOUTS: readonly Limit[] = [
  { of: 'account at address', most: 300, seconds: 15 * MINUTE, success: 'decrement' },
  { of: 'address', most: 1_000, seconds: 15 * MINUTE, success: 'decrement' },
]
/** Each can make the service look up an address, and email it if it has applied. */
const CANDIDATE_LINKS: readonly Limit[] = [
  { of: 'address', most: 30, seconds: HOUR, success: 'decrement' },
  { of: 'account at address', most: 5, seconds: HOUR, success: 'reset' },
]
/** Each sends an email to an address that a candidate typed. */
const CANDIDATE_ADDRESSES: readonly Limit[] = [
  { of: 'account', most: 5, seconds: DAY, success: 'decrement' },
  { of: 'address', most: 20, seconds: DAY, success: 'decrement' },
]
/** The same, for all candidates together: `account` is the mailbox. */
const NEW_ADDRESSES: readonly Limit[] = [{ of: 'account', most: 3, seconds: DAY, success: 'decrement' }]
/** Each can append an event, which goes to every webhook of the workspace, or reads all data of the person. */
const CANDIDATE_CHANGES: readonly Limit[] = [{ of: 'account', most: 30, seconds: HOUR, success: 'decrement' }]

/**
 * An attempt is counted in the database before anything is checked, so that concurrent attempts in several processes
 * add up. The limits are checked from the narrowest source to the whole account. When one is reached, the later ones do
 * not count the attempt, so one IP address cannot exhaust the limit of an account.
 *
 * Passwords. One IP address can try an account 10 times in 15 minutes and 30 times a day; all IP addresses together 100
 * times a day. Many IP addresses could so lock the owner out. Therefore browsers in which the account was signed in
 * before are counted separately: 10 attempts in 15 minutes each, 100 a day together. Only the password is locked: an
 * emailed link still signs in.
 *
 * Second factors. `account` is a member who proved the first factor. Codes have six digits and three of them are valid at
 * the same time, so 60 attempts a day guess one with a probability of 0.02 %. Known browsers are counted separately: who
 * knows the password does not lock the owner out. Passkeys cannot be guessed; what is
 * counted are the challenges for them, by IP address.
 *
 * Links. Too many requests from one IP address are rejected. At most 3 emails are sent to an account in ten minutes,
 * for all sources together. Further requests succeed but send nothing: each link is valid for fifteen minutes, so the
 * mailbox has a valid one. After 10 in a day, none of which was used, there is one in an hour: a mailbox cannot be
 * flooded, and no one can block this way to sign in.
 *
 * Authorizations. Each request of an app is stored for an hour. They are counted by IP address, or by session.
 *
 * Company. Sign-ins through a company's provider are counted by IP address, of which an office has one: each makes the
 * service ask that provider. The provider itself limits guesses. Its logout messages are not counted by workspace: other
 * addresses could use that limit up and keep the provider's own messages out.
 *
 * Invitations. A workspace can have emails sent to any email address.
 *
 * Applications. Every form that is sent is counted before it is read. A person corrects it several times, so that limit
 * is wide; an application has a narrow one, counted before it is stored and taken back where the form had faults. A
 * person applies for several jobs; a school or an office shares one IP address. An application without a proof of work
 * has a third of that. Nothing is taken back after a success: an application is what is counted. Uploads of application
 * forms and readings of résumés are counted in the same way, whether a file comes with the form or goes to the
 * store before it; so are other tokens. Each upload is also counted as pending by workspace and network until an
 * application has used it, so that one network cannot stop the uploads of a workspace.
 *
 * The form as a whole has limits for what comes with a valid token that is old enough, but without a proof of work
 * (`plain …`). Nothing else is counted against them, and a proof of work goes beyond them: many networks that send
 * requests without effort must not stop the applications of everyone.
 *
 * Candidates. Anyone can type an address and so cause emails to it. They are counted by mailbox, twice: from one network, so
 * that a stranger does not use up the emails of the person, who is in another network, and for all networks together, so
 * that a mailbox cannot be flooded. Beyond a limit the page is the same and nothing is sent. Of links that are asked for,
 * one is then sent as often as one expires: a person who asks always has a valid one. Emails about applications have no such
 * exception: a link can be asked for instead. A change of the email address is counted by applicant, by IP address and by
 * the mailbox that gets the email; everything that candidates change or download by applicant.
 *
 * Keys. An API key cannot be guessed; the limit keeps one IP address from having many looked up.
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
  'second factor': {
    strangers: [
      { of: 'account at address', most: 5, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account', most: 30, seconds: DAY, success: 'decrement' },
    ],
    known: [
      { of: 'account in browser', most: 5, seconds: 15 * MINUTE, success: 'reset' },
      { of: 'account in known browsers', most: 30, seconds: DAY, success: 'decrement' },
    ],
  },
  passkey: { strangers: PASSKEYS, known: PASSKEYS },
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
  company: { strangers: COMPANY, known: COMPANY },
  'company logout': { strangers: COMPANY_LOGOUTS, known: COMPANY_LOGOUTS },
  invitation: { strangers: INVITATIONS, known: INVITATIONS },
  key: { strangers: KEYS, known: KEYS },
  'sent form': { strangers: SENT_FORMS, known: SENT_FORMS },
  application: { strangers: APPLICATIONS, known: APPLICATIONS },
  'plain application': { strangers: PLAIN_APPLICATIONS, known: PLAIN_APPLICATIONS },
  'form upload': { strangers: UPLOADS, known: UPLOADS },
  'plain upload': { strangers: PLAIN_UPLOADS, known: PLAIN_UPLOADS },
  'form token': { strangers: UPLOADS, known: UPLOADS },
  'pending upload': { strangers: PENDING_UPLOADS, known: PENDING_UPLOADS },
  'scarce upload': { strangers: SCARCE_UPLOADS, known: SCARCE_UPLOADS },
  'form reading': { strangers: READINGS, known: READINGS },
  'plain reading': { strangers: PLAIN_READINGS, known: PLAIN_READINGS },
  'candidate link': { strangers: CANDIDATE_LINKS, known: CANDIDATE_LINKS },
  'candidate mail': { strangers: CANDIDATE_MAILS, known: CANDIDATE_MAILS },
  'candidate address': { strangers: CANDIDATE_ADDRESSES, known: CANDIDATE_ADDRESSES },
  'candidate new address': { strangers: NEW_ADDRESSES, known: NEW_ADDRESSES },
  'application mail': { strangers: APPLICATION_MAILS, known: APPLICATION_MAILS },
  'job mail': { strangers: JOB_MAILS, known: JOB_MAILS },
  'candidate change': { strangers: CANDIDATE_CHANGES, known: CANDIDATE_CHANGES },
} as const satisfies Record<string, Limits>

export type Attempt = keyof typeof ATTEMPT_LIMITS

type Needs = Pick<Services, 'db' | 'keyring'>

/** Undefined if the attempt is allowed; otherwise the seconds to wait before a retry. */
export const countAttemptOf = async (
  services: Needs,
  what: Attempt,
  source: AttemptSource,
): Promise<number | undefined> => (await count(services, what, source)).wait

/** The limit of a page's record: counts the requests for which its handler would run. */
export const attempt = <V extends Visit>(what: Attempt, source: (visit: V) => AttemptSource): PageLimit<V> => ({
  name: what,
  count: visit => countAttemptOf(visit.services, what, source(visit)),
})

/** The same, but an attempt that is not allowed is not counted: for what is given back later, such as pending uploads. */
export async function countAllowed(services: Needs, what: Attempt, source: AttemptSource): Promise<number | undefined> {
  const { wait, counted } = await count(services, what, source)
  if (wait !== undefined) await services.db.query(uncountAttempts(counted))
  return wait
}

/** The same for several kinds together: where one of them is not allowed, none is counted. */
export async function countAllAllowed(
  services: Needs,
  attempts: readonly CountedAttempt[],
): Promise<number | undefined> {
  for (const [i, [kind, source]] of attempts.entries()) {
    const wait = await countAllowed(services, kind, source)
    if (wait === undefined) continue
    await uncountAll(services, attempts.slice(0, i))
    return wait
  }
  return undefined
}

export type CountedAttempt = readonly [kind: Attempt, source: AttemptSource]

/** What was counted together did not take place. */
export async function uncountAll(services: Needs, attempts: readonly CountedAttempt[]): Promise<void> {
  for (const [kind, source] of attempts) await uncountAttempt(services, kind, source)
}

async function count(
  services: Needs,
  what: Attempt,
  source: AttemptSource,
): Promise<{ wait: number | undefined; counted: string[] }> {
  const counted: string[] = []
  const exceeded = async (limit: SizedLimit): Promise<number | undefined> => {
    const name = subject(services, what, limit, source)
    const { used, reset } = (await services.db.one(countAttempt(name, limit.seconds)))!
    counted.push(name)
    if (used <= limit.most) return undefined
    return limit.beyond ? exceeded(beyond(limit, limit.beyond)) : Math.max(1, Math.ceil(reset))
  }
  for (const limit of limitsFor(what, source)) {
    const wait = await exceeded(limit)
    if (wait !== undefined) return { wait, counted }
  }
  return { wait: undefined, counted }
}

const beyond = ({ of, success }: Limit, rest: Pick<Limit, 'most' | 'seconds'>): Limit => ({ of, success, ...rest })

const withBeyond = (limit: SizedLimit): SizedLimit[] => (limit.beyond ? [limit, beyond(limit, limit.beyond)] : [limit])

/** The attempt succeeded, so it was not a guess. */
export async function resetAttempts(services: Needs, what: Attempt, source: AttemptSource): Promise<void> {
  const subjects = (success: Limit['success']) =>
    limitsFor(what, source)
      .flatMap(withBeyond)
      .filter(limit => limit.success === success)
      .map(limit => subject(services, what, limit, source))
  await Promise.all([
    services.db.query(forgetAttempts(subjects('reset'))),
    services.db.query(uncountAttempts(subjects('decrement'))),
  ])
}

/** What was counted did not take place: an application that was not stored. */
export async function uncountAttempt(services: Needs, what: Attempt, source: AttemptSource): Promise<void> {
  const limits = limitsFor(what, source).flatMap(withBeyond)
  const subjects = limits.map(limit => subject(services, what, limit, source))
  await services.db.query(uncountAttempts(subjects))
}

/** A limit of an IPv6 address, for the network of so many bits. */
type SizedLimit = Limit & { bits?: number }

/** Larger IPv6 networks, of which one customer may have many of the smaller ones, with as many times the attempts. */
const WIDER = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

function limitsFor(what: Attempt, { browser, address }: AttemptSource): readonly SizedLimit[] {
  const limits: readonly Limit[] = browser === undefined ? ATTEMPT_LIMITS[what].strangers : ATTEMPT_LIMITS[what].known
  if (ipv6(address) === undefined) return limits
  return limits.flatMap((limit): SizedLimit[] =>
    limit.of === 'address' || limit.of === 'account at address'
      ? // a success says nothing about the others of a larger network
        [
          limit,
          ...WIDER.map(({ bits, times }) => ({
            ...limit,
            most: limit.most * times,
            success: 'decrement' as const,
            bits,
          })),
        ]
      : [limit],
  )
}

/** Signed, so that the table does not reveal the accounts without the installation's key. */
function subject({ keyring }: Needs, what: Attempt, { of, seconds, bits }: SizedLimit, source: AttemptSource): string {
  const address = bits === undefined ? source.address : networkOf(source.address, bits)
  const name = SUBJECTS[of]({ ...source, account: accountKey(source.account), address })
  return keyring.sign('session', `${what} ${seconds} ${of} ${name}`).toString('hex')
}

const ipv6 = (address: string) => {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv6' ? parsed : undefined
}

/** Names the network of an address without revealing it: of IPv6 what one household has. */
export const networkKey = ({ keyring }: Pick<Needs, 'keyring'>, address: string): string =>
  keyring.sign('session', `network ${ipv6(address) === undefined ? address : networkOf(address, 64)}`).toString('hex')

/** With its length, so that it is no address. */
const networkOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${ipv6(address)}/${bits}`)}/${bits}`

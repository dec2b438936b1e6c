import ipaddr from 'ipaddr.js'
import { sql } from '../db/sql.ts'
import { network } from '../net/network.ts'
import type { Services } from '../services/services.ts'
import { accountKey } from '../text/person-keys.ts'

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

export interface AttemptLimit {
  of: keyof typeof SUBJECTS
  most: number
  seconds: number
  /** what a success does to the count: subtract this attempt, as by default, or start again from zero */
  success?: 'decrement' | 'reset'
  /** beyond the limit, so many are still allowed in a shorter time */
  beyond?: { most: number; seconds: number }
}

/** The limits of one kind of attempt; two lists where known browsers are counted separately. */
export type AttemptLimits =
  | readonly AttemptLimit[]
  | { strangers: readonly AttemptLimit[]; known: readonly AttemptLimit[] }

export const MINUTE = 60
export const HOUR = 3_600
export const DAY = 86_400

type Needs = Pick<Services, 'db' | 'keyring'>

/**
 * The functions that count attempts of these kinds. Each folder that counts has a table of its own (`limits.ts`). A kind
 * is in one table only, because its name is part of what is counted.
 *
 * An attempt is counted in the database before anything is checked, so that concurrent attempts in several processes
 * add up. The limits are checked from the narrowest source to the whole account. When one is reached, the later ones do
 * not count the attempt, so one IP address cannot exhaust the limit of an account.
 */
export function createAttemptCounters<N extends string>(table: Readonly<Record<N, AttemptLimits>>) {
  type Attempts = readonly (readonly [kind: N, source: AttemptSource])[]
  const count = (services: Needs, what: N, source: AttemptSource) =>
    countUntilExceeded(services, what, limitsFor(table[what], source), source)
  const subjects = (services: Needs, what: N, source: AttemptSource, success?: AttemptLimit['success']) =>
    limitsFor(table[what], source)
      .flatMap(limit => (limit.beyond ? [limit, beyond(limit, limit.beyond)] : [limit]))
      .filter(limit => success === undefined || (limit.success ?? 'decrement') === success)
      .map(limit => subjectOf(services, what, limit, source))

  /** Undefined if the attempt is allowed; otherwise the seconds to wait before a retry. */
  const countAttemptOf = async (services: Needs, what: N, source: AttemptSource): Promise<number | undefined> =>
    (await count(services, what, source)).wait

  /** The limit of a page's record: counts the requests for which its handler would run. */
  const attempt = <V extends { services: Needs }>(what: N, source: (visit: V) => AttemptSource) => ({
    name: what,
    count: (visit: V) => countAttemptOf(visit.services, what, source(visit)),
  })

  /** The same, but an attempt that is not allowed is not counted: for what is given back later, such as pending uploads. */
  async function countAllowed(services: Needs, what: N, source: AttemptSource): Promise<number | undefined> {
    const { wait, counted } = await count(services, what, source)
    if (wait !== undefined) await services.db.query(uncount(counted))
    return wait
  }

  /** The same for several kinds together: where one of them is not allowed, none is counted. */
  async function countAllAllowed(services: Needs, attempts: Attempts): Promise<number | undefined> {
    for (const [i, [kind, source]] of attempts.entries()) {
      const wait = await countAllowed(services, kind, source)
      if (wait === undefined) continue
      await uncountAll(services, attempts.slice(0, i))
      return wait
    }
    return undefined
  }

  /** Refunds a count of something that did not take place, such as an application that was not stored. */
  async function uncountAttempt(services: Needs, what: N, source: AttemptSource): Promise<void> {
    await services.db.query(uncount(subjects(services, what, source)))
  }

  /** Refunds counts that were made together, of something that did not take place. */
  async function uncountAll(services: Needs, attempts: Attempts): Promise<void> {
    for (const [kind, source] of attempts) await uncountAttempt(services, kind, source)
  }

  /** The attempt succeeded, so it was not a guess. */
  async function resetAttempts(services: Needs, what: N, source: AttemptSource): Promise<void> {
    await Promise.all([
      services.db.query(forget(subjects(services, what, source, 'reset'))),
      services.db.query(uncount(subjects(services, what, source, 'decrement'))),
    ])
  }

  return { countAttemptOf, attempt, countAllowed, countAllAllowed, uncountAttempt, uncountAll, resetAttempts }
}

async function countUntilExceeded(
  services: Needs,
  what: string,
  limits: readonly SizedLimit[],
  source: AttemptSource,
): Promise<{ wait: number | undefined; counted: string[] }> {
  const counted: string[] = []
  const exceeded = async (limit: SizedLimit): Promise<number | undefined> => {
    const subject = subjectOf(services, what, limit, source)
    const { used, reset } = await services.db.only(countOne(subject, limit.seconds))
    counted.push(subject)
    if (used <= limit.most) return undefined
    return limit.beyond ? exceeded(beyond(limit, limit.beyond)) : Math.max(1, Math.ceil(reset))
  }
  for (const limit of limits) {
    const wait = await exceeded(limit)
    if (wait !== undefined) return { wait, counted }
  }
  return { wait: undefined, counted }
}

const beyond = (
  { of, success = 'decrement' }: AttemptLimit,
  rest: Pick<AttemptLimit, 'most' | 'seconds'>,
): AttemptLimit => ({ of, success, ...rest })

/** A limit of an IPv6 address, for the network of so many bits. */
type SizedLimit = AttemptLimit & { bits?: number }

/** Larger IPv6 networks, of which one customer may have many of the smaller ones, with as many times the attempts. */
const WIDER = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 },
] as const

function limitsFor(all: AttemptLimits, { browser, address }: AttemptSource): readonly SizedLimit[] {
  const limits = !('known' in all) ? all : browser === undefined ? all.strangers : all.known
  if (ipv6(address) === undefined) return limits
  return limits.flatMap((limit): SizedLimit[] => {
    if (limit.of !== 'address' && limit.of !== 'account at address') return [limit]
    // a success says nothing about the others of a larger network
    const success = 'decrement'
    return [limit, ...WIDER.map(({ bits, times }) => ({ ...limit, most: limit.most * times, success, bits }) as const)]
  })
}

/** Signed, so that the table does not reveal the accounts without the installation's key. */
function subjectOf({ keyring }: Needs, what: string, { of, seconds, bits }: SizedLimit, source: AttemptSource): string {
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

/** With its length, so that it is not an address. */
const networkOf = (address: string, bits: number): string =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${ipv6(address)}/${bits}`)}/${bits}`

/** Counts an attempt. Returns the number in the window, with this one, and the seconds until the window ends. */
const countOne = (subject: string, windowSeconds: number) =>
  sql<{ used: number; reset: number }>`
    insert into sign_in_attempts as a (subject, used) values (${subject}, 1)
    on conflict (subject) do update set
      used = case when a.started_at + ${windowSeconds}::integer * interval '1 second' <= app_now() then 1 else a.used + 1 end,
      started_at = case when a.started_at + ${windowSeconds}::integer * interval '1 second' <= app_now() then app_now() else a.started_at end
    returning used, extract(epoch from started_at + ${windowSeconds}::integer * interval '1 second' - app_now())::float8 as reset`

/** Locks in one order, so that concurrent sign-ins cannot deadlock. */
const locked = (subjects: readonly string[]) => sql`
  select subject from sign_in_attempts where subject = any(${subjects}::text[]) order by subject for update`

const forget = (subjects: readonly string[]) => sql`
  with locked as (${locked(subjects)})
  delete from sign_in_attempts where subject in (select subject from locked)`

/** Undoes the count of one attempt. */
const uncount = (subjects: readonly string[]) => sql`
  with locked as (${locked(subjects)})
  update sign_in_attempts set used = used - 1 where subject in (select subject from locked) and used > 0`

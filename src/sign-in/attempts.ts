import ipaddr from 'ipaddr.js'
import type { Queryable } from '../kernel/db/database.ts'
import { sha256 } from '../kernel/signing.ts'
import { countAttempt, forgetAttempts } from './store.ts'

/**
 * Guessing is limited twice: for an account, whether or not it exists, so that its password cannot be tried out from
 * many places; and for an address, so that one place cannot try many accounts. Every try is counted before anything is
 * checked, in the database, so that tries at the same moment and in several processes add up. A right password ends the
 * account's count, never the address's: whoever owns one account could otherwise guess at others without end.
 */
export const LIMITS = {
  password: { perAccount: 10, perAddress: 100, windowSeconds: 900 },
  link: { perAccount: 5, perAddress: 30, windowSeconds: 3_600 },
} as const

export type Attempt = keyof typeof LIMITS

/** Undefined if the try is allowed; otherwise in how many seconds to come back. */
export async function tooMany(
  db: Queryable,
  what: Attempt,
  account: string,
  address: string,
): Promise<number | undefined> {
  const { perAccount, perAddress, windowSeconds } = LIMITS[what]
  const [byAccount, byAddress] = await Promise.all([
    db.one(countAttempt(accountSubject(what, account), windowSeconds)),
    db.one(countAttempt(subject(what, 'address', network(address)), windowSeconds)),
  ])
  const waits = [
    byAccount!.used > perAccount ? byAccount!.reset : 0,
    byAddress!.used > perAddress ? byAddress!.reset : 0,
  ]
  const wait = Math.ceil(Math.max(...waits))
  return wait > 0 ? wait : undefined
}

export const forgive = (db: Queryable, what: Attempt, account: string): Promise<unknown> =>
  db.query(forgetAttempts(accountSubject(what, account)))

const accountSubject = (what: Attempt, account: string) => subject(what, 'account', account.trim().toLowerCase())

/** Hashed: a table of failed sign-ins is no list of addresses. */
const subject = (what: Attempt, kind: string, name: string) => sha256(`${what} ${kind} ${name}`).toString('hex')

/** An IPv6 customer has a whole /64 to himself. */
function network(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/64`).toString()
}

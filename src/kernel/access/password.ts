import { randomInt, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { Refused } from '../refused.ts'
import { type Keyring, sameBytes } from '../signing.ts'

/** 2^15 · 8 · 3: 32 MB and about a fifth of a second for each guess. */
const COST = { N: 32_768, r: 8, p: 3, maxmem: 64 * 1024 * 1024 } satisfies ScryptOptions
const HASH_BYTES = 32
const SHORTEST = 10
const LONGEST = 200

/**
 * Passwords are kept as scrypt of the password with a salt that is signed from the e-mail address with the installation's
 * secret key. So one computation answers for all memberships of an address, and for an address that nobody has: every
 * sign-in takes the same time. What was stored is worth nothing without the secret key.
 */
export async function hashPassword(keyring: Keyring, email: string, password: string): Promise<string> {
  const salt = keyring.sign('password', email.trim().toLowerCase())
  await turn()
  try {
    const bytes = await scryptBytes(password.normalize('NFKC'), salt, HASH_BYTES, COST)
    return `scrypt:${COST.N}:${COST.r}:${COST.p}:${bytes.toString('base64url')}`
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

const scryptBytes = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  cost: ScryptOptions,
) => Promise<Buffer>

/** Node has four threads for this, for files and for looking up names: passwords may not take all of them. */
const AT_ONCE = 2
let running = 0
const waiting: (() => void)[] = []

async function turn(): Promise<void> {
  if (running < AT_ONCE) running++
  else await new Promise<void>(resolve => waiting.push(resolve))
}

/** In constant time; nothing is the same as no password. */
export const samePassword = (hash: string, stored: string | null): boolean =>
  stored !== null && sameBytes(Buffer.from(hash), Buffer.from(stored))

/** The hash of a password that a person may choose. */
export async function hashNewPassword(keyring: Keyring, email: string, password: string): Promise<string> {
  const length = [...password].length
  if (length < SHORTEST || length > LONGEST) {
    throw new Refused(`a password must have ${SHORTEST} to ${LONGEST} characters`)
  }
  return hashPassword(keyring, email, password)
}

/** No letters that are taken for one another. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** 99 random bits, to be copied or typed once: `k3f9a-…`. `pick` chooses below a number. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE[pick(READABLE.length)]!).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

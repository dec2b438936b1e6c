import { randomInt, type ScryptOptions, scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { BoundedQueue } from '../async/bounded-queue.ts'
import { type Keyring, sameBytes } from '../crypto/signing.ts'
import { UserError } from '../errors/user-error.ts'
import { accountKey } from '../text/person-keys.ts'
import { isEasyPassword } from './easy-password.ts'

export interface PasswordCost {
  N: number
  r: number
  p: number
}

/** 2^15 · 8 · 3: 32 MB and 0.2 to 0.4 seconds of a core for each guess. */
export const PASSWORD_COST: PasswordCost = { N: 32_768, r: 8, p: 3 }
const MEMORY_BYTES = 64 * 1024 * 1024
const HASH_BYTES = 32
const SHORTEST = 10
const LONGEST = 200
/** longer than any that may be chosen; what is behind it is not computed with */
const LONGEST_GUESS = 400

/**
 * Node has four threads for this, for files and for looking up names: passwords take two at most. They leave a core to
 * the requests, if there is more than one.
 */
export const passwordConcurrency = (cores: number): number => Math.max(1, Math.min(2, cores - 1))

/** More than are served within the timeout, which bounds every wait. */
const PLACES_PER_THREAD = 16
const MAX_WAIT_MS = 4_000
const RETRY_SECONDS = 5

/** Who requests a computation: a network address, or another name of one source. */
export interface Asker {
  from: string
  /** a browser in which this account was signed in before */
  known?: boolean
}

/**
 * Passwords are kept as scrypt of the password with a salt that is signed from the key of the email address with the
 * installation's secret key. So one computation serves all memberships of an address, and an address without
 * any: every sign-in takes the same time. What was stored is worth nothing without the secret key.
 */
export class Passwords {
  readonly line: BoundedQueue
  readonly #keyring: Keyring
  readonly #cost: PasswordCost

  /**
   * Another cost than the product's makes hashes that the product does not recognize; only tests have a use for one, and
   * for another limit of the wait.
   */
  constructor(keyring: Keyring, cost: PasswordCost = PASSWORD_COST, maxWaitMs: number = MAX_WAIT_MS) {
    const concurrency = passwordConcurrency(availableParallelism())
    this.line = new BoundedQueue({
      concurrency,
      capacity: PLACES_PER_THREAD * concurrency,
      timeoutMs: maxWaitMs,
      retryAfterSeconds: RETRY_SECONDS,
    })
    this.#keyring = keyring
    this.#cost = cost
  }

  /** Throws LineFull when too many others are being computed. */
  async hash(email: string, password: string, asker: Asker = HERE): Promise<string> {
    const { N, r, p } = this.#cost
    const salt = this.#keyring.sign('password', accountKey(email))
    const text = password.slice(0, LONGEST_GUESS).normalize('NFKC')
    const bytes = await this.line.run(asker, () =>
      scryptBytes(text, salt, HASH_BYTES, { N, r, p, maxmem: MEMORY_BYTES }),
    )
    return `scrypt:${N}:${r}:${p}:${bytes.toString('base64url')}`
  }

  /** The hash of a password that a person may choose. */
  async hashNew(email: string, password: string, asker?: Asker): Promise<string> {
    const length = [...password].length
    if (length < SHORTEST || length > LONGEST) {
      throw new UserError(`a password must have ${SHORTEST} to ${LONGEST} characters`)
    }
    if (isEasyPassword(email, password)) {
      throw new UserError('this password is easy to guess. Use several words, or a password from a password manager')
    }
    return this.hash(email, password, asker)
  }
}

/** the command line and the start of the service */
const HERE: Asker = { from: 'here', known: true }

const scryptBytes = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  cost: ScryptOptions,
) => Promise<Buffer>

/** In constant time; nothing is the same as no password. */
export const samePassword = (hash: string, stored: string | null): boolean =>
  stored !== null && sameBytes(Buffer.from(hash), Buffer.from(stored))

/** No letters that are taken for one another. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** 99 random bits, to be copied or typed once: `k3f9a-…`. `pick` chooses below a number. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE[pick(READABLE.length)]!).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

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
/** longer than LONGEST; further characters of a guess are ignored */
const LONGEST_GUESS = 400

/**
 * Node has four threads for hashing, files and DNS: passwords use two of them at most, and leave one core to the
 * requests if there is more than one.
 */
export const passwordConcurrency = (cores: number): number => Math.max(1, Math.min(2, cores - 1))

/** More than one thread can serve within the timeout, so that the timeout is what limits the wait. */
const QUEUE_CAPACITY_PER_THREAD = 16
const MAX_WAIT_MS = 4_000
const RETRY_SECONDS = 5

/** The source of a hash request: an IP address or another name. */
export interface HashSource {
  from: string
  /** a browser in which this account was signed in before */
  known?: boolean
}

/**
 * Passwords are stored as scrypt hashes. The salt is a signature over the normalized email address with the secret key
 * of the installation. So one computation serves all memberships of an email address, or one without any: every sign-in
 * takes the same time. The stored hashes are useless without the secret key.
 */
export class Passwords {
  readonly queue: BoundedQueue
  readonly #keyring: Keyring
  readonly #cost: PasswordCost

  /**
   * Only tests use another cost or another timeout: the product does not recognize hashes of another cost.
   */
  constructor(keyring: Keyring, cost: PasswordCost = PASSWORD_COST, maxWaitMs: number = MAX_WAIT_MS) {
    const concurrency = passwordConcurrency(availableParallelism())
    this.queue = new BoundedQueue({
      concurrency,
      capacity: QUEUE_CAPACITY_PER_THREAD * concurrency,
      timeoutMs: maxWaitMs,
      retryAfterSeconds: RETRY_SECONDS,
    })
    this.#keyring = keyring
    this.#cost = cost
  }

  /** Throws QueueFullError if too many other requests wait. */
  async hash(email: string, password: string, hashSource: HashSource = LOCAL_SOURCE): Promise<string> {
    const { N, r, p } = this.#cost
    const salt = this.#keyring.sign('password', accountKey(email))
    const text = password.slice(0, LONGEST_GUESS).normalize('NFKC')
    const bytes = await this.queue.run(hashSource, () =>
      scryptBytes(text, salt, HASH_BYTES, { N, r, p, maxmem: MEMORY_BYTES }),
    )
    return `scrypt:${N}:${r}:${p}:${bytes.toString('base64url')}`
  }

  /** Checks the rules for new passwords and hashes it. */
  async hashNew(email: string, password: string, hashSource?: HashSource): Promise<string> {
    const length = [...password].length
    if (length < SHORTEST || length > LONGEST) {
      throw new UserError(`a password must have ${SHORTEST} to ${LONGEST} characters`)
    }
    if (isEasyPassword(email, password)) {
      throw new UserError('this password is easy to guess. Use several words, or a password from a password manager')
    }
    return this.hash(email, password, hashSource)
  }
}

/** The command line and the start of the service. */
const LOCAL_SOURCE: HashSource = { from: 'local', known: true }

const scryptBytes = promisify(scrypt) as (
  password: string,
  salt: Buffer,
  length: number,
  cost: ScryptOptions,
) => Promise<Buffer>

/** Compares in constant time; false if no password is stored. */
export const samePassword = (hash: string, stored: string | null): boolean =>
  stored !== null && sameBytes(Buffer.from(hash), Buffer.from(stored))

/** Without characters that are easily confused. */
const READABLE = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 4
const GROUP_LENGTH = 5

/** 99 random bits, to be copied or typed once: `k3f9a-…`. `pick` returns a random number below its argument. */
export function generatePassword(pick: (below: number) => number = randomInt): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => READABLE.charAt(pick(READABLE.length))).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

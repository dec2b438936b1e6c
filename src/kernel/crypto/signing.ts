import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { getOrCreate } from '../async/get-or-create.ts'
import { present } from '../errors/present.ts'

/**
 * The purposes that a secret key is used for. Each has a key of its own, derived from it. What happens to signatures of a
 * secret key that was replaced is in docs/operating.md.
 */
export type Purpose =
  | 'cursor'
  | 'storage'
  | 'seal'
  | 'unsubscribe'
  | 'order check'
  | 'check'
  | 'password'
  | 'session'
  | 'cookie'
  | 'application form'

/**
 * Salts of passwords cannot be computed again without the passwords, and the credentials of the demo are stored as hashes:
 * these purposes use the first key of the installation for ever.
 */
const OF_FIRST_KEY: ReadonlySet<Purpose> = new Set(['check', 'password'])

/** Links in emails do not expire: a retired key still verifies them. */
const LASTING: readonly Purpose[] = ['unsubscribe', 'order check']

/** The derived keys that outlive a secret key, in hexadecimal. */
export type KeptKeys = Partial<Record<Purpose, string>>

/** The keys that there are, and what each is for. */
export interface KeyringState {
  /** Every key that signs, verifies, seals or unseals. */
  secrets: readonly Buffer[]
  /** signs and seals */
  used: string
  /** sealed without a mark, and made what lasts for ever */
  first: string
  /** by the id of a retired key */
  kept: ReadonlyMap<string, KeptKeys>
}

/** Says which secret key, and nothing about it: it is shown to operators and stored with what is sealed. */
export const deriveKeyId = (secret: Buffer): string =>
  Buffer.from(hkdfSync('sha256', secret, '', 'hiring:key id', 4)).toString('hex')

/** Begins a sealed value of every key but the first: `hsk1` and the id of the key. */
const MARK = Buffer.from('hsk1')
export const SEAL_MARK_BYTES = 8
export const buildSealMark = (id: string): Buffer => Buffer.concat([MARK, Buffer.from(id, 'hex')])

/** Sealed with a key that this process does not have. */
export class UnknownKeyError extends Error {}

/** The derived keys of one secret key. */
class DerivedKeys {
  readonly id: string
  readonly #derive: (purpose: Purpose) => Buffer | undefined
  readonly #keys = new Map<Purpose, Buffer | undefined>()
  readonly #pads = new Map<Purpose, { inner: Buffer; outer: Buffer }>()

  constructor(id: string, derive: (purpose: Purpose) => Buffer | undefined) {
    this.id = id
    this.#derive = derive
  }

  has(purpose: Purpose): boolean {
    return this.#find(purpose) !== undefined
  }

  keyFor(purpose: Purpose): Buffer {
    const key = this.#find(purpose)
    if (!key) throw new UnknownKeyError(`the secret key ${this.id} is retired`)
    return key
  }

  #find(purpose: Purpose): Buffer | undefined {
    return getOrCreate(this.#keys, purpose, () => this.#derive(purpose))
  }

  sign(purpose: Purpose, text: string | Buffer): Buffer {
    const { inner, outer } = getOrCreate(this.#pads, purpose, () => hmacPads(this.keyFor(purpose)))
    return sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, Buffer.from(text)]))]))
  }
}

const ofSecret = (secret: Buffer): DerivedKeys =>
  new DerivedKeys(deriveKeyId(secret), purpose => Buffer.from(hkdfSync('sha256', secret, '', `hiring:${purpose}`, 32)))

const ofKept = (id: string, kept: KeptKeys): DerivedKeys =>
  new DerivedKeys(id, purpose => (kept[purpose] === undefined ? undefined : Buffer.from(kept[purpose], 'hex')))

/**
 * Signs and seals with keys derived from the secret keys of the installation: the one in use signs and seals, every known
 * one verifies and unseals. The keys change while the process runs (`services/secret-keys.ts`), so nothing that is
 * derived from them is stored elsewhere.
 */
export class Keyring {
  /** the one in use comes first: it signs and seals */
  #keys: readonly [DerivedKeys, ...DerivedKeys[]]
  #first: DerivedKeys | undefined
  #firstId: string
  #findMissing: (() => void) | undefined

  constructor(secret: Buffer) {
    const key = ofSecret(secret)
    this.#keys = [key]
    this.#first = key
    this.#firstId = key.id
  }

  /** Replaces the keys. Derived keys of a secret that stays are not derived again. */
  use({ secrets, used, first, kept }: KeyringState): void {
    const before = new Map(this.#keys.map(key => [key.id, key]))
    const known = secrets.map(secret => before.get(deriveKeyId(secret)) ?? ofSecret(secret))
    const ids = new Set(known.map(key => key.id))
    const signing = known.find(key => key.id === used)
    if (!signing) throw new UnknownKeyError(`the secret key ${used} is not known`)
    const retired = [...kept].filter(([id]) => !ids.has(id)).map(([id, keys]) => ofKept(id, keys))
    const all = [...known, ...retired]
    this.#keys = [signing, ...all.filter(key => key.id !== used)]
    this.#first = all.find(key => key.id === first)
    this.#firstId = first
  }

  /** `find` is called when a value needs a key that is not known; it may call `use`. */
  onMissing(find: () => void): void {
    this.#findMissing = find
  }

  /** the id of the key that signs and seals */
  get used(): string {
    return this.#keys[0].id
  }

  /** The ids of the keys that can unseal. */
  get known(): string[] {
    return this.#keys.filter(key => key.has('seal')).map(key => key.id)
  }

  /** The keys of a purpose, for libraries that sign themselves: the first signs, each verifies. */
  keysFor(purpose: Purpose): [Buffer, ...Buffer[]] {
    const [, ...others] = this.#verifiers(purpose)
    return [this.#signer(purpose).keyFor(purpose), ...others.map(key => key.keyFor(purpose))]
  }

  /** HMAC-SHA256 */
  sign(purpose: Purpose, text: string | Buffer): Buffer {
    return this.#signer(purpose).sign(purpose, text)
  }

  verify(purpose: Purpose, text: string | Buffer, signature: Buffer): boolean {
    return this.#verifiers(purpose).some(key => sameBytes(key.sign(purpose, text), signature))
  }

  /** A signature as it is written in forms and URLs; `bytes` shortens it. */
  signText(purpose: Purpose, text: string, bytes?: number): string {
    return this.sign(purpose, text).subarray(0, bytes).toString('base64url')
  }

  /** Only the one spelling that `signText` writes. */
  verifyText(purpose: Purpose, text: string, given: string, bytes?: number): boolean {
    return this.#verifiers(purpose).some(key =>
      sameBytes(Buffer.from(key.sign(purpose, text).subarray(0, bytes).toString('base64url')), Buffer.from(given)),
    )
  }

  #signer(purpose: Purpose): DerivedKeys {
    return OF_FIRST_KEY.has(purpose) ? present(this.#first, 'the first secret key') : this.#keys[0]
  }

  #verifiers(purpose: Purpose): readonly DerivedKeys[] {
    if (OF_FIRST_KEY.has(purpose)) return [this.#signer(purpose)]
    return this.#keys.filter(key => key.has(purpose))
  }

  /** Returns the derived keys that must outlive a key that is retired. */
  keptOf(id: string): KeptKeys {
    const key = this.#keys.find(one => one.id === id)
    const purposes = id === this.#firstId ? [...LASTING, ...OF_FIRST_KEY] : LASTING
    return Object.fromEntries(purposes.map(purpose => [purpose, present(key, id).keyFor(purpose).toString('hex')]))
  }

  /**
   * AES-256-GCM; `context` is bound in, so that a sealed value cannot be moved to another record. Values of the first key
   * have no mark, as in stores that never had another.
   */
  seal(plain: Buffer, context: string): Buffer {
    const [key] = this.#keys
    let iv = randomBytes(12)
    while (iv.subarray(0, MARK.length).equals(MARK)) iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', key.keyFor('seal'), iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    const mark = key.id === this.#firstId ? [] : [buildSealMark(key.id)]
    return Buffer.concat([...mark, iv, cipher.getAuthTag(), sealed])
  }

  unseal(sealed: Buffer, context: string): Buffer {
    const { id, body } = this.#sealerOf(sealed)
    let key = this.#keys.find(one => one.id === id && one.has('seal'))
    if (!key) {
      this.#findMissing?.()
      key = this.#keys.find(one => one.id === id && one.has('seal'))
    }
    if (!key) throw new UnknownKeyError(`sealed with the secret key ${id}, which this process does not have`)
    const decipher = createDecipheriv('aes-256-gcm', key.keyFor('seal'), body.subarray(0, 12))
    decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(12, 28))
    return Buffer.concat([decipher.update(body.subarray(28)), decipher.final()])
  }

  /** No initialization vector begins like a mark: `seal` chooses another one then. */
  #sealerOf(sealed: Buffer): { id: string; body: Buffer } {
    if (!sealed.subarray(0, MARK.length).equals(MARK)) return { id: this.#firstId, body: sealed }
    return { id: sealed.toString('hex', MARK.length, SEAL_MARK_BYTES), body: sealed.subarray(SEAL_MARK_BYTES) }
  }
}

export const sha256 = (text: string | Buffer): Buffer => hash('sha256', text, 'buffer')

/**
 * The two blocks of RFC 2104, made once for a key. Every page of a list signs a cursor, and two plain digests cost a
 * tenth of what createHmac spends on setting up its key each time.
 */
function hmacPads(key: Buffer): { inner: Buffer; outer: Buffer } {
  const block = Buffer.alloc(64)
  key.copy(block)
  return { inner: block.map(byte => byte ^ 0x36) as Buffer, outer: block.map(byte => byte ^ 0x5c) as Buffer }
}

/** Constant time for equal lengths; lengths are not secret. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

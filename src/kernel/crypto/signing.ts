import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

import { getOrCreate } from '../async/get-or-create.ts'

/** What the one secret key is used for. Each purpose has a key of its own, derived from it. */
export type Purpose =
  | 'cursor'
  | 'storage'
  | 'seal'
  | 'unsubscribe'
  | 'check'
  | 'password'
  | 'session'
  | 'cookie'
  | 'application form'

/** Signs and seals with keys derived from the installation's secret key. */
export class Keyring {
  readonly #keys = new Map<Purpose, Buffer>()
  readonly #pads = new Map<Purpose, { inner: Buffer; outer: Buffer }>()
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  keyFor(purpose: Purpose): Buffer {
    return getOrCreate(this.#keys, purpose, () =>
      Buffer.from(hkdfSync('sha256', this.#secret, '', `hiring:${purpose}`, 32)),
    )
  }

  /** HMAC-SHA256 */
  sign(purpose: Purpose, text: string | Buffer): Buffer {
    const { inner, outer } = getOrCreate(this.#pads, purpose, () => hmacPads(this.keyFor(purpose)))
    return sha256(Buffer.concat([outer, sha256(Buffer.concat([inner, Buffer.from(text)]))]))
  }

  verify(purpose: Purpose, text: string | Buffer, signature: Buffer): boolean {
    return sameBytes(this.sign(purpose, text), signature)
  }

  /** AES-256-GCM; `context` is bound in, so that a sealed value cannot be moved to another record. */
  seal(plain: Buffer, context: string): Buffer {
    const iv = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.keyFor('seal'), iv).setAAD(Buffer.from(context))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
    return Buffer.concat([iv, cipher.getAuthTag(), sealed])
  }

  unseal(sealed: Buffer, context: string): Buffer {
    const decipher = createDecipheriv('aes-256-gcm', this.keyFor('seal'), sealed.subarray(0, 12))
    decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(12, 28))
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
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

import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/**
 * `svc_live_` or `svc_test_`, 43 random characters, 4 of checksum. The checksum tells a mistyped or truncated key from
 * an unknown one before the database is queried; it is not a secret.
 */
export type Environment = 'live' | 'test'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PATTERN = /^svc_(?:live|test)_[0-9A-Za-z_-]{43}[0-9A-Za-z]{4}$/

export function checksum(body: string): string {
  let rest = crc32(body)
  let digits = ''
  for (let i = 0; i < 6; i++) {
    digits = BASE62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits.slice(0, 4)
}

export function newKeySecret(environment: Environment): string {
  let random = ''
  while (random.length < 43) {
    // 248 is the largest multiple of 62 in a byte: with smaller bytes only, all characters are equally likely
    for (const byte of randomBytes(64)) if (byte < 248 && random.length < 43) random += BASE62.charAt(byte % 62)
  }
  const body = `svc_${environment}_${random}`
  return body + checksum(body)
}

export const isWellFormed = (secret: string): boolean =>
  PATTERN.test(secret) && checksum(secret.slice(0, -4)) === secret.slice(-4)

/** A key has 256 bits of randomness, so a plain hash is enough: there is nothing to guess. */
export const hashSecret = (secret: string): string => hash('sha256', secret, 'hex')

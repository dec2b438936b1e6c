import { createHmac, randomBytes } from 'node:crypto'
import { sameBytes } from '../../kernel/crypto/signing.ts'

/** RFC 6238 with the values that every authenticator app supports: SHA-1, six digits, steps of 30 seconds. */
const STEP_SECONDS = 30
const DIGITS = 6
/** Clocks of phones differ by seconds, and people need some to type. */
const WINDOW = [-1, 0, 1] as const
/** As long as the output of SHA-1, which RFC 4226 recommends. */
const SECRET_BYTES = 20

export const newTotpSecret = (): Buffer => randomBytes(SECRET_BYTES)

export const stepAt = (ms: number): number => Math.floor(ms / 1000 / STEP_SECONDS)

/** The code of a time step (RFC 4226, section 5.3). */
export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const offset = digest.readUInt8(19) & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** The time step whose code this is; undefined if it is the code of none. Takes as long in both cases. */
export function stepOfCode(secret: Buffer, code: string, nowMs: number): number | undefined {
  const given = Buffer.from(code)
  const now = stepAt(nowMs)
  const found = WINDOW.map(offset => now + offset).filter(step =>
    sameBytes(given, Buffer.from(codeOfStep(secret, step))),
  )
  // if two steps have the same code, the later one counts, so that the code is used up for both
  return found.at(-1)
}

/** Six digits, however people group them; undefined if it is something else, such as a recovery code. */
export function typedTotp(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '')
  return /^\d{6}$/.test(digits) ? digits : undefined
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding: how authenticator apps take a secret. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map(five => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address in the QR code. Apps show the issuer and the account. */
export function totpAddress(secret: Buffer, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

import { PREFIXES } from '../../contract/handles.ts'
import { LIMITS } from '../../contract/limits.ts'
import { fail } from '../failure.ts'
import type { Keyring } from '../signing.ts'

/** Where the next page starts: the sort values of the last row shown, and how many rows were shown so far. */
export interface Position {
  after: readonly (string | number)[]
  rows: number
}

const SIGNATURE_BYTES = 32

/**
 * `cur_` + base64url(signature, JSON of [issued at, rows, ...sort values]). The signature also covers `binding` (key,
 * path, filters), which is not in the text: a cursor sent with anything else does not verify.
 */
export function writeCursor(keyring: Keyring, position: Position, binding: string, nowMs: number): string {
  const payload = Buffer.from(JSON.stringify([Math.floor(nowMs / 1000), position.rows, ...position.after]))
  const signature = keyring.sign('cursor', Buffer.concat([payload, Buffer.from(`\n${binding}`)]))
  return PREFIXES.cursor + Buffer.concat([signature, payload]).toString('base64url')
}

export function readCursor(keyring: Keyring, text: string, binding: string, nowMs: number): Position {
  const bytes = text.startsWith(PREFIXES.cursor)
    ? Buffer.from(text.slice(PREFIXES.cursor.length), 'base64url')
    : Buffer.alloc(0)
  // decoding forgives stray characters; a cursor is only what we wrote
  if (bytes.length <= SIGNATURE_BYTES || PREFIXES.cursor + bytes.toString('base64url') !== text) return refuse()
  const payload = bytes.subarray(SIGNATURE_BYTES)
  const signed = Buffer.concat([payload, Buffer.from(`\n${binding}`)])
  if (!keyring.verify('cursor', signed, bytes.subarray(0, SIGNATURE_BYTES))) return refuse()
  const [issuedAt, rows, ...after] = JSON.parse(payload.toString()) as [number, number, ...(string | number)[]]
  if (nowMs / 1000 - issuedAt > LIMITS.cursorLifetimeSeconds) return refuse()
  if (rows >= LIMITS.maxResultWindow) fail('result_window_exceeded')
  return { after, rows }
}

const refuse = (): never => fail('invalid_cursor', { param: 'cursor' })

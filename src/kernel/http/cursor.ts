import { PREFIXES } from '../../contract/handles.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { type Keyring, sha256 } from '../crypto/signing.ts'
import { fail } from '../errors/api-error.ts'

/** Where the next page starts: the sort values of the last row shown, and how many rows were shown so far. */
export interface CursorPosition {
  after: readonly (string | number)[]
  rows: number
}

/** The listing that a cursor belongs to. Sent with anything else, it is refused. */
export interface Listing {
  /** the id of the key, or another name of the reader */
  reader: string
  workspace: string
  path: string
  /** every filter and the order, in one spelling */
  filters: string
}

const SIGNATURE_BYTES = 32
/** Enough to tell one listing from another; what makes a cursor genuine is the signature. */
const TAG_BYTES = 6

const tag = (text: string): string => sha256(text).toString('base64url', 0, TAG_BYTES)
const tagsOf = ({ reader, workspace, path, filters }: Listing) => [reader, workspace, path, filters].map(tag)

/**
 * `cur_` + base64url(signature, JSON of [issued at, rows, tags of the listing, ...sort values]). The tags say which part
 * of the listing differs where a cursor is sent with another one.
 */
export function writeCursor(keyring: Keyring, position: CursorPosition, listing: Listing, nowMs: number): string {
  const head = [Math.floor(nowMs / 1000), position.rows, tagsOf(listing).join('.')]
  const payload = Buffer.from(JSON.stringify([...head, ...position.after]))
  return PREFIXES.cursor + Buffer.concat([keyring.sign('cursor', payload), payload]).toString('base64url')
}

const DIFFERENT = [
  'was issued to another API key',
  'belongs to another workspace',
  'belongs to another path',
  'was issued for other filters; send the same filters with every page',
] as const

export function readCursor(keyring: Keyring, text: string, listing: Listing, nowMs: number): CursorPosition {
  const bytes = text.startsWith(PREFIXES.cursor)
    ? Buffer.from(text.slice(PREFIXES.cursor.length), 'base64url')
    : Buffer.alloc(0)
  // decoding forgives stray characters; a cursor is only what we wrote
  const whole = bytes.length > SIGNATURE_BYTES && PREFIXES.cursor + bytes.toString('base64url') === text
  const payload = bytes.subarray(SIGNATURE_BYTES)
  if (!whole || !keyring.verify('cursor', payload, bytes.subarray(0, SIGNATURE_BYTES))) {
    return refuse('is malformed; send `next_cursor` exactly as it was returned')
  }
  const [issuedAt, rows, tags, ...after] = JSON.parse(payload.toString()) as [number, number, string, ...string[]]
  const wanted = tagsOf(listing)
  const different = wanted.findIndex((tag, i) => tags.split('.')[i] !== tag)
  if (different >= 0) return refuse(DIFFERENT[different] ?? 'belongs to another listing')
  if (nowMs / 1000 - issuedAt > API_LIMITS.cursorLifetimeSeconds)
    return refuse('has expired; cursors are valid for one hour')
  if (rows >= API_LIMITS.maxResultWindow) fail('result_window_exceeded', { param: 'cursor' })
  return { after, rows }
}

const refuse = (why: string): never =>
  fail('invalid_cursor', {
    param: 'cursor',
    message: `The cursor ${why}.`,
    errors: [{ param: 'cursor', message: why }],
  })

import { randomBytes } from 'node:crypto'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_CHARS = 9
const RANDOM_CHARS = 11

let pool = Buffer.alloc(0)
let used = 0

/** Random bytes are drawn in blocks: one call to the system for some four hundred handles. */
function randomByte(): number {
  if (used === pool.length) {
    pool = randomBytes(4096)
    used = 0
  }
  return pool[used++]!
}

/**
 * A new handle: 45 bits of time, so that neighbours in time are neighbours in the index, and 55 random bits. Nothing
 * may be read from it.
 */
export function newHandle(kind: HandleKind, nowMs = Date.now()): string {
  let time = ''
  for (let rest = nowMs, i = 0; i < TIME_CHARS; i++) {
    time = ALPHABET.charAt(rest % 32) + time
    rest = Math.floor(rest / 32)
  }
  let random = ''
  for (let i = 0; i < RANDOM_CHARS; i++) random += ALPHABET.charAt(randomByte() & 31)
  return PREFIXES[kind] + time + random
}

const PATTERN = /^[0-9a-hjkmnp-tv-z]{20}$/

/** Whether a text can be a handle of this kind at all. Used before the database is queried. */
export function isHandle(kind: HandleKind, text: string): boolean {
  const prefix = PREFIXES[kind]
  return (
    text.length === prefix.length + TIME_CHARS + RANDOM_CHARS &&
    text.startsWith(prefix) &&
    PATTERN.test(text.slice(prefix.length))
  )
}

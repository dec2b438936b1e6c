// Files outside the database: résumés, uploads, exports. One interface, so that a single machine can keep them in a
// folder and many machines in an S3-compatible store; conformance.ts holds both to the same behaviour.

import type { Readable } from 'node:stream'

export interface BlobStat {
  bytes: number
  contentType: string
}

/** An outside caller must send exactly these headers with the PUT. */
export interface SignedPut {
  url: string
  headers: Record<string, string>
}

/**
 * A key must not be the folder of another (`a` and `a/b`): the folder store and AWS take both, but some
 * S3-compatible stores keep folders themselves and refuse.
 */
export interface Blobs {
  /**
   * Stores the whole body or nothing: a reader never sees a partial blob, and a failed put leaves what was there.
   * Fails with BlobLengthError, storing nothing, when the length differs from `bytes`.
   */
  put(key: string, body: Buffer | Readable, opts: { contentType: string; bytes?: number }): Promise<BlobStat>
  /** The caller reads the stream to its end or destroys it: until then it holds a file or a connection. */
  get(key: string): Promise<{ stat: BlobStat; stream: Readable } | null>
  stat(key: string): Promise<BlobStat | null>
  /** Absent is fine. */
  remove(key: string): Promise<void>
  /** Removes everything below a prefix, which ends in `/`: `resumes/wsp_1/` must never reach `resumes/wsp_12/`. */
  removeAll(prefix: string): Promise<void>
  /** Every key below a prefix that ends in `/`, or every key for `''`. In no promised order. */
  list(prefix: string): AsyncIterable<string>
  /** A short-lived address from which anyone who holds it can GET the blob. */
  signedGet(key: string, opts: { expiresInSeconds: number; filename: string; contentType: string }): Promise<string>
  /** An address that accepts one PUT of exactly this type and length until it expires (`expiresAt` in ms). */
  signedPut(key: string, opts: { expiresAt: number; contentType: string; bytes: number }): Promise<SignedPut>
  /** The origin of signed addresses, for the content policy of pages whose scripts send files there. */
  addressOrigin(): string
  /**
   * Whether files can be stored and read, in a line for people. Throws BlobsMisconfigured where the settings are wrong,
   * and any other error where the store is unavailable; takes a few seconds at most.
   */
  check(): Promise<string>
  /** Removes leftovers of crashed writes and marks that nothing needs any more; housekeeping calls it about hourly. */
  sweep(): Promise<void>
  /** Lets go of connections. Nothing may be called afterwards. */
  close(): Promise<void>
}

/** Milliseconds. May be asynchronous, so that the database's clock can be given. */
export type Clock = () => number | Promise<number>

/** The store refuses the credentials or the bucket, and will until the settings are changed. */
export class BlobsMisconfigured extends Error {
  override name = 'BlobsMisconfigured'
}

/** The store does not respond, or not in time. Becomes 429 datastore_unavailable. */
export class BlobsUnavailable extends Error {
  override name = 'BlobsUnavailable'
}

/** The file system is full, over its quota, read-only, broken or gone. */
const UNAVAILABLE_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'ESTALE', 'EMFILE', 'ENFILE'])

/** Whether a store could not do what it was asked for, as opposed to a fault of the caller or of the program. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof BlobsUnavailable ||
  (error instanceof Error && UNAVAILABLE_CODES.has(String((error as { code?: unknown }).code)))

export class BlobKeyError extends Error {
  override name = 'BlobKeyError'
}

export class BlobLengthError extends Error {
  override name = 'BlobLengthError'
}

export class BlobTypeError extends Error {
  override name = 'BlobTypeError'
}

export const maxKeyLength = 500
// File names end at 255 bytes on the usual file systems, and the folder store adds a suffix.
export const maxKeySegmentLength = 200

/**
 * A key must mean the same blob in a folder, in a bucket and in a URL: no character that any of them escapes, no segment
 * that a path resolver or a browser would fold away (`.`, `..`, empty).
 */
export function isKey(key: unknown): key is string {
  if (typeof key !== 'string' || key.length === 0 || key.length > maxKeyLength || key.includes('..')) return false
  return key
    .split('/')
    .every(part => /^[A-Za-z0-9_.-]+$/.test(part) && part !== '.' && part.length <= maxKeySegmentLength)
}

export function assertKey(key: string): void {
  // The key is not repeated whole: it may be hostile, and error texts reach the log.
  if (!isKey(key)) throw new BlobKeyError(`not a blob key: ${JSON.stringify(String(key).slice(0, 80))}`)
}

export function assertPrefix(prefix: string): void {
  if (typeof prefix !== 'string' || !prefix.endsWith('/') || !isKey(prefix.slice(0, -1))) {
    throw new BlobKeyError(`not a blob prefix ending in "/": ${JSON.stringify(String(prefix).slice(0, 80))}`)
  }
}

/** The type is written into a header line by both stores: a line break in it would forge the next header. */
export function assertContentType(contentType: string): void {
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,198}[\x21-\x7e])?$/.test(contentType)) {
    throw new BlobTypeError(`not a content type: ${JSON.stringify(String(contentType).slice(0, 80))}`)
  }
}

/**
 * The bytes of a body in order. Fails with BlobLengthError as soon as they cannot add up to `bytes`, and with the
 * stream's own error when it breaks; it ends normally only when every byte has been seen.
 */
export function measured(body: Buffer | Readable, bytes: number | undefined): AsyncGenerator<Buffer, void> {
  // A stream may break before anyone reads it, while a store still opens its file; without a listener that would end
  // the process. The iteration below reports the same error.
  if (!Buffer.isBuffer(body)) body.on('error', () => {})
  return measure(body, bytes)
}

async function* measure(body: Buffer | Readable, bytes: number | undefined): AsyncGenerator<Buffer, void> {
  let total = 0
  for await (const part of Buffer.isBuffer(body) ? [body] : body) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(part)
    total += chunk.length
    if (bytes !== undefined && total > bytes) throw new BlobLengthError(`more than the ${bytes} bytes promised`)
    yield chunk
  }
  if (bytes !== undefined && total !== bytes) throw new BlobLengthError(`${total} bytes, ${bytes} were promised`)
}

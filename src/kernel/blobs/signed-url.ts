// Signing of the addresses under which blobs leave and enter: our own for the folder store, and the query form of AWS
// Signature Version 4 for S3-compatible ones.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

interface AddressBase {
  key: string
  /** Milliseconds, so that the address ends exactly at the `expires_at` that was shown. */
  expiresAt: number
  contentType: string
}

export type Address = (AddressBase & { op: 'get'; filename: string }) | (AddressBase & { op: 'put'; bytes: number })

/**
 * Percent-encodes everything but RFC 3986 unreserved characters. Strict on purpose: no client, proxy or URL parser
 * rewrites such a text, so that the signature can cover the characters as they travel. It is also the form that
 * Signature Version 4 asks for, and a valid RFC 5987 value.
 */
export function percentEncode(text: string): string {
  // A lone surrogate has no UTF-8 form and would throw; it becomes U+FFFD.
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** `filename*` only: the plain `filename` has no safe form for names outside ASCII. */
export function attachment(filename: string): string {
  return `attachment; filename*=UTF-8''${percentEncode(filename)}`
}

function query(params: Record<string, string>): string {
  return Object.entries(params)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&')
}

const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const SIGNATURE = '&sig='

// The leading words keep this use of the key apart from any other use of the same key.
const addressSignature = (signingKey: Buffer, text: string) =>
  hmac(signingKey, `storage address 1\n${text}`).toString('hex')

/** Returns the part of the URL after the mount point: `/<key>?<everything promised>&sig=<hmac>`. */
export function signAddress(signingKey: Buffer, address: Address): string {
  const promised: Record<string, string> = {
    op: address.op,
    expires: String(address.expiresAt),
    type: address.contentType,
  }
  if (address.op === 'get') promised.name = address.filename
  else promised.bytes = String(address.bytes)
  const text = `/${address.key}?${query(promised)}`
  return text + SIGNATURE + addressSignature(signingKey, text)
}

/**
 * Null for anything that signAddress did not write, to the character: the text is checked as it arrived, before any
 * decoding, so that there are no two spellings of one address. Expiry is the caller's to judge.
 */
export function verifyAddress(signingKeys: readonly Buffer[], target: string): Address | null {
  const cut = target.lastIndexOf(SIGNATURE)
  if (cut < 0) return null
  const text = target.slice(0, cut)
  const given = Buffer.from(target.slice(cut + SIGNATURE.length))
  const isRight = (key: Buffer) => {
    const right = Buffer.from(addressSignature(key, text))
    return given.length === right.length && timingSafeEqual(given, right)
  }
  if (!signingKeys.some(isRight)) return null

  // From here on the text is our own.
  const mark = text.indexOf('?')
  const promised = new URLSearchParams(text.slice(mark + 1))
  const base = {
    key: text.slice(1, mark),
    expiresAt: Number(promised.get('expires')),
    contentType: promised.get('type') ?? '',
  }
  return promised.get('op') === 'get'
    ? { ...base, op: 'get', filename: promised.get('name') ?? '' }
    : { ...base, op: 'put', bytes: Number(promised.get('bytes')) }
}

export interface Presign {
  method: 'GET' | 'PUT'
  /** Origin and path, without a query; the path holds only characters that need no encoding. */
  url: URL
  /** Headers that the caller must send as they are; `host` is added. */
  headers: Record<string, string>
  query: Record<string, string>
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Milliseconds; the store counts the seconds from here. */
  signedAt: number
  expiresInSeconds: number
}

/**
 * Signature Version 4 in the query. The body stays unsigned (it is unknown when the address is made); its type and
 * length are bound by signing the headers that state them.
 */
export function presign(request: Presign): string {
  const stamp = new Date(request.signedAt).toISOString().replace(/[:-]|\.\d{3}/g, '')
  const scope = `${stamp.slice(0, 8)}/${request.region}/s3/aws4_request`
  const headers = Object.entries({ ...request.headers, host: request.url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/ +/g, ' ')] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const signedHeaders = headers.map(([name]) => name).join(';')
  const params: Record<string, string> = {
    ...request.query,
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${request.accessKeyId}/${scope}`,
    'X-Amz-Date': stamp,
    'X-Amz-Expires': String(request.expiresInSeconds),
    'X-Amz-SignedHeaders': signedHeaders,
  }
  const sorted = query(Object.fromEntries(Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1))))
  const canonical = [
    request.method,
    request.url.pathname,
    sorted,
    ...headers.map(([name, value]) => `${name}:${value}`),
    '',
    signedHeaders,
    'UNSIGNED-PAYLOAD',
  ].join('\n')
  const signingKey = [stamp.slice(0, 8), request.region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (key, text) => hmac(key, text),
    `AWS4${request.secretAccessKey}`,
  )
  const signature = hmac(signingKey, ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n')).toString('hex')
  return `${request.url.origin}${request.url.pathname}?${sorted}&X-Amz-Signature=${signature}`
}

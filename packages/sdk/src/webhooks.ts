import { HiringError } from './errors.ts'
import type { FeedEvent } from './feed.ts'

export const SIGNATURE_HEADER = 'Service-Signature'
const TOLERANCE_SECONDS = 300

export class SignatureError extends HiringError {
  override name = 'SignatureError'
  /** `expired`: signed too long ago or in the future, so it may be replayed; or the clock of this machine is wrong. */
  readonly reason: 'missing' | 'malformed' | 'expired' | 'no_match'

  constructor(reason: SignatureError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface SignedBody {
  /** the bytes as they arrived; JSON that was parsed and serialized again has another signature */
  body: string | Uint8Array | ArrayBuffer
  /** the header `Service-Signature` */
  signature: string | readonly string[] | null | undefined
}

export interface VerifyOptions {
  /** The largest difference between the time of the signature and this clock. Default 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970, for tests. */
  now?: number
}

/**
 * The event of a webhook request, if one of the secrets signed it. During a rotation give both secrets. Throws a
 * SignatureError otherwise: respond with 400.
 */
export async function verifyWebhook(
  received: Request | SignedBody,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<FeedEvent> {
  const { body, signature } = 'signature' in received ? received : await bodyOf(received)
  const header = typeof signature === 'string' ? signature : signature?.join(',')
  if (!header) throw new SignatureError('missing', `The request has no ${SIGNATURE_HEADER} header.`)
  const parts = header.split(',').map(part => part.trim().split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const candidates = parts.flatMap(([name, value = '']) =>
    name === 'v1' && /^[0-9a-f]{64}$/.test(value) ? [value] : [],
  )
  if (!/^\d{1,12}$/.test(time) || candidates.length === 0) {
    throw new SignatureError('malformed', `${SIGNATURE_HEADER} is not t=<unix seconds>,v1=<hex>.`)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  // every secret is compared with every signature, so that the time taken does not depend on which one matches
  let matches = false
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const expected = await hmac(secret, time, bytes)
    for (const candidate of candidates) matches = equal(expected, candidate) || matches
  }
  if (!matches) throw new SignatureError('no_match', 'No signature matches. Use the raw body and the whole secret.')
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() } = options
  if (Math.abs(now / 1000 - Number(time)) > toleranceSeconds) {
    throw new SignatureError(
      'expired',
      `The request was signed at ${time}, more than ${toleranceSeconds} seconds from now.`,
    )
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as FeedEvent
}

/** The value of `Service-Signature` for a body: for tests of receivers, and for tools that forward events. */
export async function signWebhook(
  body: string | Uint8Array,
  secrets: string | readonly string[],
  now: number = Date.now(),
): Promise<string> {
  const time = String(Math.floor(now / 1000))
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signatures = await Promise.all(
    (typeof secrets === 'string' ? [secrets] : secrets).map(secret => hmac(secret, time, bytes)),
  )
  return [`t=${time}`, ...signatures.map(signature => `v1=${signature}`)].join(',')
}

const bodyOf = async (request: Request): Promise<SignedBody> => ({
  body: await request.arrayBuffer(),
  signature: request.headers.get(SIGNATURE_HEADER),
})

/** Hexadecimal. The key is the whole secret as text, with its prefix. */
async function hmac(secret: string, time: string, body: Uint8Array): Promise<string> {
  if (!secret) throw new HiringError('The webhook secret is empty.')
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  const head = encoder.encode(`${time}.`)
  const message = new Uint8Array(head.length + body.length)
  message.set(head)
  message.set(body, head.length)
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Looks at every character, whatever the first ones are. Both have 64. */
function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

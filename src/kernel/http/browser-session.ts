import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type Keyring, sha256 } from '../crypto/signing.ts'
import type { Services } from '../services/services.ts'

/**
 * A session of a browser, of a user, a partner or a candidate: a random token in a cookie that scripts cannot read, its
 * hash in the database, and a CSRF token that is bound to it.
 */
export interface BrowserSession {
  /** proves that a form came from one of our pages */
  csrfToken: string
  /** accepts also that of a secret key which was replaced since the page was loaded */
  isCsrfToken: (given: string) => boolean
}

export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashToken = (token: string): string => sha256(token).toString('hex')

/** The CSRF token of a session, named by a text of its own. */
export const deriveCsrf = (keyring: Keyring, name: string): BrowserSession => ({
  csrfToken: keyring.signText('session', name),
  isCsrfToken: given => keyring.verifyText('session', name, given),
})

/**
 * Whether a request that changes something comes from one of our pages. The Origin header must be the public URL, or the
 * Host of this request with the scheme of the public URL. With a session the CSRF token must match too, in the header
 * `X-CSRF-Token` or the field `csrf`.
 */
export function isOwnPost(
  services: Pick<Services, 'publicUrl'>,
  { headers }: Pick<IncomingMessage, 'headers'>,
  session?: Pick<BrowserSession, 'isCsrfToken'>,
  fields?: URLSearchParams,
): boolean {
  const { origin, host } = headers
  if (origin === undefined || !URL.canParse(origin)) return false
  const { publicUrl } = services
  const requested = `${new URL(publicUrl).protocol}//${host}`
  if (origin !== publicUrl && origin !== requested) return false
  if (!session) return true
  const header = headers['x-csrf-token']
  return session.isCsrfToken(typeof header === 'string' ? header : (fields?.get('csrf') ?? ''))
}

/**
 * The form of a mailed link. Its page sends no referrer, and then browsers send no origin with a form either; they say
 * instead whether it came from a page of the same origin, which no script can set.
 */
export const isOwnLinkPost = (
  services: Pick<Services, 'publicUrl'>,
  request: Pick<IncomingMessage, 'headers'>,
): boolean =>
  isOwnPost(services, request) ||
  (request.headers.origin === 'null' && request.headers['sec-fetch-site'] === 'same-origin')

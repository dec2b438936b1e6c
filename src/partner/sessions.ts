import type { Authenticated } from '../kernel/access/authenticate.ts'
import { type BrowserSession, deriveCsrf, hashToken, newToken } from '../kernel/http/browser-session.ts'
import { clearCookie, readCookie, setCookie } from '../kernel/http/cookies.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import type { Services } from '../kernel/services/services.ts'
import type { SessionKind, Visit } from '../programs/policy.ts'
import { deletePartnerSession, insertPartnerSession, partnerSessionByHash } from './store.ts'

/**
 * A partner signs in with an API key alone. The session is bound to the secret that was entered and ends after an hour,
 * with a sign-out, and when the secret ends: by revocation, by expiry, by a rotation. The key is looked up for every page,
 * with its IP allowlist. Neither the key nor its hash is in the browser: the cookie is a random token, and the database has
 * the hashes of both.
 */
export interface PartnerSession extends BrowserSession {
  authenticated: Authenticated
  tokenHash: string
  endsAt: string
}

const LIFETIME_SECONDS = 3_600
const COOKIE = 'hiring_partner'
/** Pages of a key in a minute. They do not count as calls, so that the limits of an exhausted key can be read. */
const PAGES_PER_MINUTE = 60

export const partnerSession: SessionKind<PartnerSession> = {
  name: 'partner',
  async find({ services, request, address }) {
    const token = readCookie(services, request, COOKIE)
    if (token === undefined) return undefined
    const tokenHash = hashToken(token)
    const row = await services.db.one(partnerSessionByHash(tokenHash))
    const authenticated = row && (await services.authenticator.findBySecretHash(row.secret_hash, address))
    if (!authenticated) return undefined
    const { homeWorkspace, keyId } = authenticated.caller
    noteRequest(request, { workspace: homeWorkspace, key: keyId })
    const csrf = deriveCsrf(services.keyring, `partner csrf ${tokenHash}`)
    return { authenticated, tokenHash, endsAt: row.expires_at, ...csrf }
  },
  allowance: ({ authenticated }) => ({
    subject: `page ${authenticated.caller.keyId}`,
    perMinute: PAGES_PER_MINUTE,
  }),
}

export const hasPartnerCookie = ({ services, request }: Visit): boolean =>
  readCookie(services, request, COOKIE) !== undefined

export const endedPartnerCookie = (services: Services): string => clearCookie(services, COOKIE)

/** Returns the cookie of the new session. */
export async function beginPartnerSession(services: Services, secretHash: string): Promise<string> {
  const token = newToken()
  await services.db.query(insertPartnerSession(hashToken(token), secretHash, LIFETIME_SECONDS))
  return setCookie(services, COOKIE, token, LIFETIME_SECONDS)
}

export const endPartnerSession = ({ db }: Services, { tokenHash }: PartnerSession) =>
  db.query(deletePartnerSession(tokenHash))

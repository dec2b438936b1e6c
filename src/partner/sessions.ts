import type { IncomingMessage } from 'node:http'
import type { Authenticated } from '../kernel/access/authenticate.ts'
import { hashSecret, isWellFormed } from '../kernel/access/key-format.ts'
import { csrfOf, hashToken, newToken } from '../kernel/http/browser-session.ts'
import { clearCookie, cookieOf, setCookie } from '../kernel/http/cookies.ts'
import { noteRequest } from '../kernel/http/request-line.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { deleteSession, insertSession, sessionByHash } from './store.ts'

/**
 * A partner signs in with an API key alone. The session is bound to the secret that was entered and ends after an hour,
 * with a sign-out, and when the secret ends: by revocation, by expiry, by a rotation. The key is looked up for every page,
 * with its IP allowlist. Neither the key nor its hash is in the browser: the cookie is a random token, and the database has
 * the hashes of both.
 */
const LIFETIME_SECONDS = 3_600
const COOKIE = 'hiring_partner'

export interface PartnerSession {
  authenticated: Authenticated
  tokenHash: string
  endsAt: string
  /** proves that a form came from one of our pages; bound to the session */
  csrfToken: string
  isCsrfToken: (given: string) => boolean
}

/** undefined: no session, or one that has ended. */
export async function partnerSessionOf(
  services: Services,
  request: IncomingMessage,
  address: string,
): Promise<PartnerSession | undefined> {
  const token = cookieOf(services, request, COOKIE)
  if (token === undefined) return undefined
  const tokenHash = hashToken(token)
  const row = await services.db.one(sessionByHash(tokenHash))
  const authenticated = row && (await services.authenticator.findBySecretHash(row.secret_hash, address))
  if (!authenticated) return undefined
  const { homeWorkspace, keyId } = authenticated.caller
  noteRequest(request, { workspace: homeWorkspace, key: keyId })
  const csrf = csrfOf(services.keyring, `partner csrf ${tokenHash}`)
  return { authenticated, tokenHash, endsAt: row.expires_at, ...csrf }
}

export const hasPartnerCookie = (services: Services, request: IncomingMessage): boolean =>
  cookieOf(services, request, COOKIE) !== undefined

/** The cookie of a new session; undefined if the key is not valid here and now. */
export async function signInWithKey(
  services: Services,
  key: string,
  use: { address: string; userAgent: string | undefined },
): Promise<string | undefined> {
  if (!isWellFormed(key)) return undefined
  const startedAt = clock.monotonic()
  const secretHash = hashSecret(key)
  const found = await services.authenticator.findBySecretHash(secretHash, use.address)
  if (!found) return undefined
  const token = newToken()
  await services.db.query(insertSession(hashToken(token), secretHash, LIFETIME_SECONDS))
  const { caller, now } = found
  // the workspace sees where the key was used last, and its calls
  const agent = use.userAgent
  services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, 200, { at: now, address: use.address, agent })
  services.requestLog.record({
    workspace: caller.homeWorkspace,
    id: newHandle('request'),
    at: now,
    key: caller.keyId,
    actingUser: caller.actingUserId,
    method: 'POST',
    route: '/partner/sign-in',
    params: '{}',
    status: 200,
    code: null,
    param: null,
    ms: Math.round(clock.monotonic() - startedAt),
  })
  services.log.info({ key: caller.keyId, workspace: caller.homeWorkspace }, 'partner signed in with a key')
  return setCookie(services, COOKIE, token, LIFETIME_SECONDS)
}

export async function signOut(services: Services, session: PartnerSession | undefined): Promise<string> {
  if (session) await services.db.query(deleteSession(session.tokenHash))
  return clearCookie(services, COOKIE)
}

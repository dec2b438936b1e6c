import type { JWTPayload } from 'jose'
import { type Database, DatastoreUnavailable } from '../../kernel/db/database.ts'
import { hasControls } from '../../kernel/text/text.ts'
import type { CompanySignInRow, SignInFailure } from '../../resources/company-sign-in/index.ts'
import { CLOCK_TOLERANCE_SECONDS, CompanySignInFailed } from './provider.ts'
import type { PublishedKeys, PublishedKeysCache } from './published-keys.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A logout token is sent the moment it is issued. */
const LOGOUT_TOKEN_SECONDS = 600
/** Never `none` or a shared secret. */
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
/** An ID token or access token of the provider is no logout token. */
const TYPES: readonly unknown[] = [undefined, 'JWT', 'logout+jwt', 'application/logout+jwt']

/** Whose sessions the provider ends: those of a session there, of a person, or of both. */
export interface LogoutToken {
  id: string
  subject: string | undefined
  session: string | undefined
}

/** Why a token is refused. `signed`: by a key of the provider and for this app, so owners should see the failure. */
export class LogoutTokenRefused extends Error {
  readonly failure: SignInFailure
  readonly signed: boolean
  constructor(failure: SignInFailure, signed: boolean) {
    super(failure.code)
    this.failure = failure
    this.signed = signed
  }
}

const refused = (check: string, signed = true): never => {
  throw new LogoutTokenRefused({ code: 'logout_invalid', detail: check }, signed)
}

/** Checks a logout token as OpenID Connect Back-Channel Logout 1.0 says, section 2.6. */
export async function readLogoutToken(
  { db, keys }: { db: Database; keys: PublishedKeysCache },
  row: CompanySignInRow,
  token: string,
): Promise<LogoutToken> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
  const currentDate = new Date(await db.now())
  const verify = async (reading: Promise<PublishedKeys>) => {
    const { issuer, keys: published } = await reading
    return jwtVerify(token, createLocalJWKSet(published), {
      algorithms: ALGORITHMS,
      issuer,
      audience: row.client_id,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate,
    })
  }
  const { payload, protectedHeader } = await verify(keys.read(row))
    .catch(error => {
      const again = error instanceof errors.JWKSNoMatchingKey ? keys.readAgain(row) : undefined
      if (!again) throw error
      return verify(again)
    })
    .catch(error => {
      if (error instanceof DatastoreUnavailable) throw error
      if (error instanceof CompanySignInFailed) throw new LogoutTokenRefused(error.failure, false)
      // the library compares claims after it has verified the signature
      if (error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired)
        return refused(/^\w{1,40}$/.test(error.claim) ? error.claim : 'claims', isFor(row, error.payload))
      // keys and tokens of any form make the library and the platform throw anything
      return refused('signature', false)
    })
  if (!TYPES.includes(protectedHeader.typ)) refused('typ')
  return contentOf(payload)
}

/** Others have apps at the same provider, and tokens that it signed for them. */
const isFor = ({ client_id }: CompanySignInRow, { aud }: JWTPayload) => [aud].flat().includes(client_id)

function contentOf(payload: JWTPayload): LogoutToken {
  const { jti, sub, sid, events, nonce } = payload
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refused('events')
  // a nonce is what makes a token an ID token
  if (nonce !== undefined) refused('nonce')
  const text = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= 1_000 && !hasControls(value) ? value : undefined
  const [id, subject, session] = [text(jti), text(sub), text(sid)]
  if (id === undefined) return refused('jti')
  if (subject === undefined && session === undefined) return refused('sub')
  // one that cannot be read must not widen the other
  if ((sub !== undefined && subject === undefined) || (sid !== undefined && session === undefined))
    return refused('sid')
  return { id, subject, session }
}

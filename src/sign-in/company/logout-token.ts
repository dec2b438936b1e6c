import type { JWTPayload } from 'jose'
import type { CompanySignInRow } from '../../resources/company-sign-in/index.ts'
import { CompanySignInFailed, discoverProvider, guarded, type Needs, readKeys, TOLERANCE_SECONDS } from './provider.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A logout token is sent the moment it is issued. */
export const LOGOUT_TOKEN_SECONDS = 600
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

/** Checks a logout token as OpenID Connect Back-Channel Logout 1.0 says, section 2.6. */
export async function readLogoutToken(services: Needs, row: CompanySignInRow, token: string): Promise<LogoutToken> {
  const { createLocalJWKSet, decodeJwt, jwtVerify } = await import('jose')
  const now = await services.db.now()
  const refused = (check: string): never => {
    throw new CompanySignInFailed('logout_invalid', check)
  }
  return guarded('logout_invalid', async () => {
    // anyone can post here: the provider is asked for its keys only about a token that is for this client, and new
    const { aud, iat = 0 } = decodeJwt(token)
    if (![aud].flat().includes(row.client_id)) refused('aud')
    if (Math.abs(now / 1_000 - iat) > LOGOUT_TOKEN_SECONDS + TOLERANCE_SECONDS) refused('iat')
    const provider = await discoverProvider(services, row)
    const keys = createLocalJWKSet(await readKeys(services, provider))
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer: provider.config.serverMetadata().issuer,
      audience: row.client_id,
      requiredClaims: ['iat', 'exp', 'jti', 'events'],
      maxTokenAge: LOGOUT_TOKEN_SECONDS,
      clockTolerance: TOLERANCE_SECONDS,
      currentDate: new Date(now),
    })
    if (!TYPES.includes(protectedHeader.typ)) refused('typ')
    return contentOf(payload, refused)
  })
}

function contentOf(payload: JWTPayload, refused: (check: string) => never): LogoutToken {
  const { jti, sub, sid, events, nonce } = payload
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined
  if (typeof event !== 'object' || event === null || Array.isArray(event)) refused('events')
  // a nonce is what makes a token an ID token
  if (nonce !== undefined) refused('nonce')
  const text = (value: unknown) =>
    typeof value === 'string' && value !== '' && value.length <= 1_000 ? value : undefined
  const [id, subject, session] = [text(jti), text(sub), text(sid)]
  if (id === undefined) return refused('jti')
  if (subject === undefined && session === undefined) return refused('sub')
  // one that cannot be read must not widen the other
  if ((sub !== undefined && subject === undefined) || (sid !== undefined && session === undefined))
    return refused('sid')
  return { id, subject, session }
}

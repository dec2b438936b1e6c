import type { JSONWebKeySet } from 'jose'
import type * as OpenId from 'openid-client'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import {
  OutboundFailed,
  type OutboundLimits,
  type OutboundRules,
  outboundFetch,
} from '../../kernel/net/outbound-fetch.ts'
import type { Services } from '../../kernel/services/services.ts'
import { hasControls } from '../../kernel/text/text.ts'
import { clock } from '../../kernel/time/clock.ts'
import {
  type CompanySignInRow,
  describeReason,
  FAILURES,
  type FailureCode,
  type ProvidedPerson,
  type SignInFailure,
  unsealClientSecret,
} from '../../resources/company-sign-in/index.ts'

export type Needs = Pick<Services, 'config' | 'db' | 'keyring' | 'resolveName' | 'isLocalDemo'>

/** A provider responds within this time, or the person tries again. */
const LIMITS: OutboundLimits = { timeoutMs: 10_000, maxBytes: 512 * 1024 }
/** How far the clocks of provider and service may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60
/** A token is fetched the moment it is issued; one from another time was not made for this sign-in. */
const TOKEN_AGE_SECONDS = 600

/** The provider, its response or the person cannot be accepted. */
export class CompanySignInFailed extends Error {
  readonly failure: SignInFailure
  constructor(code: FailureCode, detail?: string) {
    super(code)
    this.failure = { code, ...(detail === undefined ? {} : { detail }) }
  }
}

/** What both sides of a sign-in know of each other. State, nonce and verifier come from one secret of the browser. */
export interface FlowSecrets {
  state: string
  nonce: string
  verifier: string
}

const rulesOf = ({ config, resolveName, isLocalDemo }: Needs): OutboundRules => ({
  allowHosts: config.COMPANY_SIGN_IN_ALLOW_HOSTS,
  loopback: isLocalDemo,
  ca: config.COMPANY_SIGN_IN_CA,
  resolveName,
})

interface Provider {
  client: typeof OpenId
  config: OpenId.Configuration
}

/**
 * Reads the provider's configuration, each time: a changed endpoint or key is used immediately, and a person waits for
 * it twice a day. `openid-client` makes the requests and the checks; every URL, also those that the provider names, is
 * fetched by `outboundFetch`.
 */
export async function discoverProvider(
  services: Needs,
  row: Pick<CompanySignInRow, 'workspace_id' | 'issuer' | 'client_id' | 'client_secret_sealed'>,
): Promise<Provider> {
  const client = await import('openid-client')
  const rules = rulesOf(services)
  // the database's time, as seen from the clock that the library reads
  const skew = Math.round(((await services.db.now()) - (clock.now() - clock.offset())) / 1_000)
  const metadata = { [client.clockSkew]: skew, [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const authenticate: OpenId.ClientAuth = (as, own, body, headers) => {
    const secret = unsealClientSecret(services.keyring, row)
    const basic = as.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? true
    return (basic ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret))(as, own, body, headers)
  }
  return translateFailures('metadata_invalid', async () => {
    const config = await client.discovery(new URL(row.issuer), row.client_id, metadata, authenticate, {
      // the signature is checked although the token comes from the provider itself; plain http is decided by `rules`
      execute: [client.enableNonRepudiationChecks, client.allowInsecureRequests],
      [client.customFetch]: (url, options) =>
        outboundFetch(
          url,
          {
            method: options.method,
            headers: Object.fromEntries(new Headers(options.headers)),
            body: options.body === undefined || options.body === null ? undefined : String(options.body),
          },
          rules,
          LIMITS,
        ),
    })
    const { authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys } = config.serverMetadata()
    const missing = Object.entries({ authorization_endpoint: authorize, token_endpoint: token, jwks_uri: keys })
      .filter(([, url]) => typeof url !== 'string' || !/^https?:\/\//.test(url))
      .map(([name]) => name)
    if (missing.length > 0) throw new CompanySignInFailed('metadata_invalid', missing.join(', '))
    return { client, config }
  })
}

/** The keys that the provider publishes now. */
export async function readKeys(services: Needs, { config }: Provider): Promise<JSONWebKeySet> {
  const get = { method: 'GET', headers: { accept: 'application/json' } }
  const { jwks_uri } = config.serverMetadata()
  const response = await outboundFetch(present(jwks_uri, 'jwks_uri'), get, rulesOf(services), LIMITS)
  return (await response.json()) as JSONWebKeySet
}

/** Why an issuer cannot be used, in words for owners; undefined if it can. */
export async function describeIssuerFault(services: Needs, issuer: string): Promise<string | undefined> {
  const fault = await findIssuerFault(services, issuer)
  return fault && `cannot be used (${describeReason(fault.code, fault.detail)}). ${FAILURES[fault.code].owner}`
}

/** Why an issuer cannot be used; undefined if it can. Nothing is sent to it but a request for its configuration. */
async function findIssuerFault(services: Needs, issuer: string): Promise<SignInFailure | undefined> {
  const probe = { workspace_id: '', issuer, client_id: 'none', client_secret_sealed: Buffer.alloc(0) }
  try {
    await discoverProvider(services, probe)
    return undefined
  } catch (error) {
    if (error instanceof CompanySignInFailed) return error.failure
    throw error
  }
}

/** `login`: authenticate the person again; `select_account`: let them choose whom they sign in as. */
export type Prompt = 'login' | 'select_account'

export async function authorizationUrl(
  { client, config }: Provider,
  secrets: FlowSecrets,
  redirectUri: string,
  opts: { loginHint?: string | undefined; prompt: Prompt | undefined; groups: boolean },
): Promise<string> {
  const { scopes_supported: scopes = ['openid', 'email', 'profile'], ...metadata } = config.serverMetadata()
  const prompts = metadata['prompt_values_supported']
  const prompt = !Array.isArray(prompts) || (opts.prompt && prompts.includes(opts.prompt)) ? opts.prompt : undefined
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    // Okta, Dex and others send groups only if they are asked for
    scope: [
      'openid',
      ...['email', 'profile', ...(opts.groups ? ['groups'] : [])].filter(scope => scopes.includes(scope)),
    ].join(' '),
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    ...(opts.loginHint ? { login_hint: opts.loginHint } : {}),
    ...(prompt ? { prompt } : {}),
    // also obliges a conformant provider to send `auth_time`
    ...(opts.prompt === 'login' ? { max_age: '0' } : {}),
  })
  return url.href
}

/** Exchanges the code of a callback and checks the token: who the person is, and every claim that was sent. */
export async function readPerson(
  services: Needs,
  row: CompanySignInRow,
  callback: URL,
  secrets: FlowSecrets,
): Promise<ProvidedPerson> {
  const { client, config } = await discoverProvider(services, row)
  const { claims, own } = await translateFailures('token_invalid', async () => {
    // the library compares it as well; here it gets a name of its own
    const issuer = callback.searchParams.get('iss')
    if (issuer !== null && issuer !== config.serverMetadata().issuer)
      throw new CompanySignInFailed('token_invalid', 'iss')
    const tokens = await client.authorizationCodeGrant(config, callback, {
      pkceCodeVerifier: secrets.verifier,
      expectedState: secrets.state,
      expectedNonce: secrets.nonce,
      idTokenExpected: true,
    })
    const own = present(tokens.claims(), 'the ID token')
    checkFurther(own, row.client_id, (await services.db.now()) / 1_000)
    const complete = own['email'] !== undefined && (row.role_claim === null || hasClaim(own, row.role_claim))
    if (complete || config.serverMetadata().userinfo_endpoint === undefined)
      return { claims: own as Record<string, unknown>, own }
    // the library compares its subject with that of the token; what the signed token says comes first
    const more = await client.fetchUserInfo(config, tokens.access_token, own.sub)
    return { claims: { ...more, ...own } as Record<string, unknown>, own }
  })
  const text = (name: string, from: Readonly<Record<string, unknown>> = claims) => {
    const value = from[name]
    return typeof value === 'string' && !hasControls(value) ? value : undefined
  }
  return {
    subject: String(claims['sub']),
    email: text('email'),
    // some providers write it as a text
    emailVerified:
      claims['email_verified'] === undefined
        ? undefined
        : claims['email_verified'] === true || claims['email_verified'] === 'true',
    firstName: text('given_name'),
    lastName: text('family_name'),
    authenticatedAt: authTime(own),
    session: text('sid', own),
    claims,
  }
}

const authTime = ({ auth_time: at }: Readonly<Record<string, unknown>>): number | undefined =>
  typeof at === 'number' ? at : undefined

const hasClaim = (claims: Readonly<Record<string, unknown>>, name: string): boolean =>
  claims[name] !== undefined || claims[name.replace(/\..*/s, '')] !== undefined

/** What the library leaves open: a single audience with a foreign `azp`, the age of the token, the subject's length. */
function checkFurther(claims: OpenId.IDToken, clientId: string, now: number): void {
  if (claims['azp'] !== undefined && claims['azp'] !== clientId) throw new CompanySignInFailed('token_invalid', 'azp')
  if (Math.abs(now - claims.iat) > TOKEN_AGE_SECONDS) throw new CompanySignInFailed('token_invalid', 'iat')
  const { auth_time: at } = claims
  if (at !== undefined && !(Number.isFinite(at) && Number(at) > 0 && Number(at) <= now + CLOCK_TOLERANCE_SECONDS))
    throw new CompanySignInFailed('token_invalid', 'auth_time')
  if (claims.sub === '' || claims.sub.length > 255 || hasControls(claims.sub))
    throw new CompanySignInFailed('token_invalid', 'sub')
}

/** Errors of the library and of the network as failures of ours, without anything that the provider wrote about a person. */
export async function translateFailures<T>(otherwise: FailureCode, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw failureOf(error, otherwise)
  }
}

function failureOf(error: unknown, otherwise: FailureCode): unknown {
  if (error instanceof CompanySignInFailed || error instanceof DatastoreUnavailable) return error
  const chain = causes(error)
  const network = chain.find(cause => cause instanceof OutboundFailed)
  if (network)
    return network.reason === 'blocked_url' || network.reason === 'blocked_address'
      ? new CompanySignInFailed('address_blocked', network.host)
      : new CompanySignInFailed('provider_unavailable', network.message)
  const { name, code } = error as { name?: string; code?: string }
  const provided = (error as { error?: unknown }).error
  const word = typeof provided === 'string' && /^[a-z_]{1,60}$/.test(provided) ? provided : undefined
  if (name === 'AuthorizationResponseError') return new CompanySignInFailed('provider_refused', word)
  if (name === 'ResponseBodyError' || name === 'WWWAuthenticateChallengeError')
    return new CompanySignInFailed('client_refused', word)
  // keys and tokens of any form make the library and the platform throw anything
  if (code === undefined || !code.startsWith('OAUTH_')) return new CompanySignInFailed(otherwise, 'unreadable')
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' || code === 'OAUTH_RESPONSE_IS_NOT_JSON')
    return new CompanySignInFailed(
      'provider_unavailable',
      otherwise === 'metadata_invalid' ? 'configuration' : 'tokens',
    )
  return new CompanySignInFailed(otherwise, checkOf(code, chain))
}

function causes(error: unknown): unknown[] {
  const chain: unknown[] = []
  for (
    let at = error;
    typeof at === 'object' && at !== null && chain.length < 8;
    at = (at as { cause?: unknown }).cause
  )
    chain.push(at)
  return chain
}

/** The name of the check that failed: of a claim, of a parameter, or the code of the library. */
function checkOf(code: string, chain: readonly unknown[]): string {
  for (const cause of chain) {
    const { claim, attribute, alg } = cause as { claim?: unknown; attribute?: unknown; alg?: unknown }
    for (const name of [claim, attribute]) if (typeof name === 'string' && /^\w{1,40}$/.test(name)) return name
    if (alg !== undefined) return 'alg'
  }
  return code === 'OAUTH_KEY_SELECTION_FAILED' ? 'key' : code.replace(/^OAUTH_/, '').toLowerCase()
}

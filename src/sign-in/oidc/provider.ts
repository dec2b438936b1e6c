import type { EventEmitter } from 'node:events'
import Provider, { type Account, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { APP_TOKEN_SCOPES } from '../../contract/scopes.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { pathCookieName } from '../../kernel/http/cookies.ts'
import { noteRequest, requestIdOf } from '../../kernel/http/request-line.ts'
import { DATASTORE_RETRY_SECONDS } from '../../kernel/http/to-api-error.ts'
import type { Services } from '../../kernel/services/services.ts'
import { failurePage } from '../../pages/failure-page.ts'
import { html } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { contentPolicy, KEEPS_OPENER, SECURITY_HEADERS } from '../../pages/send.ts'
import { APP_SCOPES, grantable, listConsents } from '../../resources/connected-apps/index.ts'
import { userName } from '../../resources/users/shape.ts'
import { ACR } from '../second-factor/policy.ts'
import { type MemberRow, membersById } from '../store.ts'
import { PostgresAdapter } from './adapter.ts'
import { toFormTarget } from './form-targets.ts'
import { hasPlan, newGrant, readResource } from './grants.ts'
import { patchClientSecrets, patchSessions } from './patch-sessions.ts'
import { limitToApp, resourceServer } from './resources.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { AUTHORIZATION, RESUMPTION } from './urls.ts'

const HOUR = 3_600
const DAY = 86_400

const POLICY = 'Content-Security-Policy'

/** Lifetimes in seconds. */
export const LIFETIMES = {
  interaction: HOUR,
  code: 60,
  accessToken: HOUR,
  idToken: HOUR,
  refreshIdle: 30 * DAY,
  refreshInAll: 90 * DAY,
} as const

/**
 * The certified provider with our users, our store and our pages. Only our own session determines who is signed in; the
 * provider stores none. Each authorization creates a grant. So a revocation (a code or a refresh token used twice)
 * affects what one app got by one authorization. Consents are stored separately.
 */
export async function createProvider(services: Services): Promise<Provider> {
  const { db, keyring, log, publicUrl } = services
  const provider = new Provider(publicUrl, {
    ...CONFIGURATION,
    adapter: (kind: string) => new PostgresAdapter(db, kind),
    jwks: { keys: await loadSigningKeys(services) } as NonNullable<Configuration['jwks']>,
    cookies: {
      names: {
        session: pathCookieName(services, 'hiring_oidc'),
        interaction: pathCookieName(services, 'hiring_interaction'),
        resume: pathCookieName(services, 'hiring_resume'),
      },
      keys: cookieKeys(keyring),
      short: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true },
    },
    features: {
      ...CONFIGURATION.features,
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: async (_ctx, resource) => resourceServer(publicUrl, resource),
        useGrantedResource: async () => true,
      },
    },
    findAccount: (ctx, id) => findAccount(services, ctx, id),
    loadExistingGrant: ctx => loadGrant(services, ctx),
  })
  // read for each request: keys are replaced while the process runs
  Object.defineProperty(provider, 'keys', { get: () => cookieKeys(keyring) })
  // the public URL counts, also behind a proxy that terminates TLS or has another host name
  provider.proxy = true
  provider.use(secured)
  provider.use(limitToApp(services))
  provider.use(requireConsentForOffline)
  provider.use(consumeFailedCode(provider))
  patchSessions(provider, services)
  patchClientSecrets(provider, services)
  provider.on('server_error', (ctx, error) => {
    const requestId = requestIdOf(ctx.req)
    ctx.set('Service-Request-Id', requestId)
    if (!(error instanceof DatastoreUnavailable)) {
      return void log.error({ requestId, err: error }, 'sign-in request failed')
    }
    // as in the API: no error log for each request, and a Retry-After header
    log.debug({ requestId, err: error }, 'database unavailable')
    ctx.set('Retry-After', String(DATASTORE_RETRY_SECONDS))
    if (ctx.status === 500) ctx.status = 503
  })
  ;(provider as EventEmitter).on('error', error => log.warn({ err: error }, 'sign-in request was cut off'))
  return provider
}

const cookieKeys = (keyring: Keyring): string[] => keyring.keysFor('cookie').map(key => key.toString('base64url'))

const CONFIGURATION: Configuration = {
  routes: {
    authorization: AUTHORIZATION,
    token: '/oauth/token',
    userinfo: '/oauth/userinfo',
    jwks: '/oauth/jwks',
    revocation: '/oauth/revoke',
    introspection: '/oauth/introspect',
    end_session: '/oauth/end',
  },
  scopes: [...APP_SCOPES, ...APP_TOKEN_SCOPES],
  claims: {
    openid: ['sub', 'workspace_id', 'workspace_role', 'auth_time', 'acr', 'amr'],
    profile: ['name', 'given_name', 'family_name', 'picture'],
    email: ['email', 'email_verified'],
  },
  acrValues: Object.values(ACR),
  responseTypes: ['code'],
  pkce: { required: () => true },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  extraClientMetadata: { properties: ['workspace_id', 'ip_allowlist'] },
  allowOmittingSingleRegisteredRedirectUri: false,
  // for apps that never call userinfo
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    claimsParameter: { enabled: false },
    userinfo: { enabled: true },
    clientCredentials: { enabled: true },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  },
  interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
  issueRefreshToken: async (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
  // a custom scheme has the origin `null`, which every sandboxed frame has too
  clientBasedCORS: (_ctx, origin, client) =>
    origin !== 'null' && (client.redirectUris ?? []).some(uri => new URL(uri).origin === origin),
  ttl: {
    Interaction: LIFETIMES.interaction,
    Session: HOUR,
    AuthorizationCode: LIFETIMES.code,
    AccessToken: LIFETIMES.accessToken,
    ClientCredentials: LIFETIMES.accessToken,
    IdToken: LIFETIMES.idToken,
    RefreshToken: LIFETIMES.refreshIdle,
    // a refresh token expires with its grant, however often it was rotated
    Grant: (_ctx, grant) =>
      grant.getOIDCScope().split(' ').includes('offline_access')
        ? LIFETIMES.refreshInAll
        : LIFETIMES.interaction + LIFETIMES.code + LIFETIMES.accessToken,
  },
  renderError: async (ctx, out, error) => {
    ctx.type = 'html'
    if (out.error === 'server_error') {
      const failure = new ApiError(error instanceof DatastoreUnavailable ? 'datastore_unavailable' : 'internal_error')
      ctx.body = failurePage(failure, requestIdOf(ctx.req), { repeatable: true }).text
      return
    }
    ctx.body = page({
      title: 'The app cannot sign you in',
      layout: 'card',
      body: html`<h1>The app cannot sign you in</h1>
<p>Its request was invalid, or took too long. Go back to the app and try again.</p>
<p class="soft small">Details for the app's developer: <code>${out.error}</code>${out.error_description && html` – ${out.error_description}`}</p>`,
    }).text
  },
}

/** Only members of the workspace of an app can sign in to it. */
async function findAccount(services: Services, ctx: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const [member] = await services.db.query(membersById([id]))
  const workspace = ctx.oidc.client?.['workspace_id']
  if (!member || (workspace !== undefined && workspace !== member.workspace_id)) return undefined
  noteRequest(ctx.req, { workspace: member.workspace_id, user: member.id })
  return { accountId: member.id, claims: async () => ({ sub: member.id, ...claimsOf(member) }) }
}

/** Unknown claims are left out, as the standard requires. */
const claimsOf = (member: MemberRow) => {
  const claims = {
    workspace_id: member.workspace_id,
    workspace_role: member.role,
    name: userName(member),
    given_name: member.first_name,
    family_name: member.last_name,
    picture: member.photo_url,
    email: member.email,
    email_verified: member.is_verified,
  }
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null))
}

/** The grant of a consent that was just given. If all scopes were consented to before, a new grant without a prompt. */
async function loadGrant({ db }: Services, ctx: KoaContextWithOIDC) {
  const { client, session, provider } = ctx.oidc
  const given = ctx.oidc.result?.consent?.grantId
  if (given) {
    const grant = await provider.Grant.find(given)
    return grant?.accountId === session?.accountId ? grant : undefined
  }
  if (!client || !session?.accountId || !ctx.oidc.account) return undefined
  const workspace = client['workspace_id'] as string
  const [[consent], [member], paid] = await Promise.all([
    listConsents(db, workspace, { app: client.clientId, user: session.accountId }),
    db.query(membersById([session.accountId])),
    hasPlan(db, workspace),
  ])
  if (!consent || !member) return undefined
  const asked = [...ctx.oidc.requestParamOIDCScopes]
  const can = grantable(asked, member, paid)
  if (!can.every(scope => consent.scopes.includes(scope))) return undefined
  const resource = readResource(ctx.oidc.params ?? {})
  return newGrant(provider, { user: member.id, app: client.clientId, asked, can, resource })
}

/**
 * The provider's own pages have the content security policy of all pages. The page for `response_mode=form_post`
 * submits a form to the app with an inline script: the provider adds the hash of the script to the policy, and the app
 * is allowed as a target of the form.
 */
async function secured(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.path !== AUTHORIZATION && !ctx.path.startsWith(RESUMPTION)) return next()
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...KEEPS_OPENER })) ctx.set(name, value)
  ctx.set(POLICY, contentPolicy())
  ctx.set('Cache-Control', 'no-store')
  await next()
  const { params, redirectUriCheckPerformed } = ctx.oidc ?? {}
  if (params?.['response_mode'] === 'form_post' && redirectUriCheckPerformed) {
    const target = toFormTarget(String(params['redirect_uri']))
    ctx.set(POLICY, ctx.response.get(POLICY).replace("form-action 'self'", `form-action ${target}`))
  }
}

/**
 * `offline_access` needs consent each time. If an app requests it without `prompt=consent`, the provider would drop the
 * scope, and the app would get no refresh token. So this adds `consent` to the prompt.
 */
function requireConsentForOffline(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  const { scope, prompt = '' } = ctx.query
  const wanted = ctx.path === AUTHORIZATION && typeof scope === 'string' && scope.split(' ').includes('offline_access')
  if (wanted && typeof prompt === 'string' && !/\b(none|consent)\b/.test(prompt)) {
    ctx.query = { ...ctx.query, prompt: `${prompt} consent`.trim() }
  }
  return next()
}

/**
 * A code is valid for one attempt of its app: an attempt that fails, because of a wrong verifier or redirect URI,
 * consumes it too. The provider itself consumes a code only when it issues a token.
 */
const consumeFailedCode = (provider: Provider) => async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
  await next()
  const { client, params } = ctx.oidc ?? {}
  const value = params?.['code']
  if (ctx.oidc?.route !== 'token' || ctx.status !== 400 || typeof value !== 'string') return
  const code = await provider.AuthorizationCode.find(value)
  if (code && code.clientId === client?.clientId) await code.destroy()
}

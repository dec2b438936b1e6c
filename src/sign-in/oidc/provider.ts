import type { EventEmitter } from 'node:events'
import Provider, { type Account, type Configuration, type KoaContextWithOIDC } from 'oidc-provider'
import { getOrCreate } from '../../kernel/async/get-or-create.ts'
import { DatastoreUnavailable } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { DATASTORE_RETRY_SECONDS } from '../../kernel/http/to-api-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import type { Services } from '../../kernel/services/services.ts'
import { failurePage } from '../../pages/failure-page.ts'
import { html } from '../../pages/html.ts'
import { page } from '../../pages/page.ts'
import { contentPolicy, KEEPS_OPENER, SECURITY_HEADERS } from '../../pages/send.ts'
import { APP_SCOPES, grantable, listConsents } from '../../resources/connected-apps/index.ts'
import { userName } from '../../resources/users/shape.ts'
import { pathCookieName } from '../cookies.ts'
import { type MemberRow, membersById } from '../store.ts'
import { PostgresAdapter } from './adapter.ts'
import { targetOf } from './form-targets.ts'
import { hasPlan, newGrant } from './grants.ts'
import { patchClientSecrets, patchSessions } from './patch-sessions.ts'
import { loadSigningKeys } from './signing-keys.ts'
import { AUTHORIZATION, RESUMPTION } from './urls.ts'

const HOUR = 3_600
const DAY = 86_400

const POLICY = 'Content-Security-Policy'

/** How long things live, in seconds. */
export const LIFETIMES = {
  interaction: HOUR,
  code: 60,
  accessToken: HOUR,
  idToken: HOUR,
  refreshIdle: 30 * DAY,
  refreshInAll: 90 * DAY,
} as const

/**
 * The certified provider, with our people, our store and our pages. Who is signed in is known from our own session
 * alone; the provider keeps none. A grant is made for each authorization, so that what is revoked together (a code used
 * twice, a refresh token used again) is what one app got at one time; what a person allowed is stored separately.
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
      keys: [keyring.keyFor('cookie').toString('base64url')],
      short: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true },
    },
    findAccount: (ctx, id) => findAccount(services, ctx, id),
    loadExistingGrant: ctx => loadGrant(services, ctx),
  })
  // behind a proxy that ends TLS, or under another host name: the public URL counts
  provider.proxy = true
  provider.use(secured)
  provider.use(requireConsentForOffline)
  provider.use(spentCode(provider))
  patchSessions(provider, services)
  patchClientSecrets(provider, services)
  provider.on('server_error', (ctx, error) => {
    const requestId = requestIdOf(ctx)
    ctx.set('Service-Request-Id', requestId)
    if (!(error instanceof DatastoreUnavailable)) {
      return void log.error({ requestId, err: error }, 'sign-in request failed')
    }
    // as for the API: no line at error for each request, and when to retry
    log.debug({ requestId, err: error }, 'database unavailable')
    ctx.set('Retry-After', String(DATASTORE_RETRY_SECONDS))
    if (ctx.status === 500) ctx.status = 503
  })
  ;(provider as EventEmitter).on('error', error => log.warn({ err: error }, 'sign-in request was cut off'))
  return provider
}

/** One for each request, in the log, the response's headers and its page; the provider decides which comes first. */
const requestIds = new WeakMap<object, string>()
const requestIdOf = (ctx: object): string => getOrCreate(requestIds, ctx, () => newHandle('request'))

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
  scopes: [...APP_SCOPES],
  claims: {
    openid: ['sub', 'workspace_id', 'workspace_role'],
    profile: ['name', 'given_name', 'family_name', 'picture'],
    email: ['email', 'email_verified'],
  },
  responseTypes: ['code'],
  pkce: { required: () => true },
  clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
  extraClientMetadata: { properties: ['workspace_id'] },
  allowOmittingSingleRegisteredRedirectUri: false,
  // apps that never ask userinfo know the person too
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    resourceIndicators: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    claimsParameter: { enabled: false },
    userinfo: { enabled: true },
    revocation: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
    introspection: { enabled: true, allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId },
  },
  interactions: { url: (_ctx, interaction) => `/oauth/interaction/${interaction.uid}` },
  issueRefreshToken: async (_ctx, client, code) =>
    client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
  rotateRefreshToken: true,
  expiresWithSession: async () => false,
  // the origin of a scheme of one's own is `null`, which every sandboxed frame has too
  clientBasedCORS: (_ctx, origin, client) =>
    origin !== 'null' && (client.redirectUris ?? []).some(uri => new URL(uri).origin === origin),
  ttl: {
    Interaction: LIFETIMES.interaction,
    Session: HOUR,
    AuthorizationCode: LIFETIMES.code,
    AccessToken: LIFETIMES.accessToken,
    IdToken: LIFETIMES.idToken,
    RefreshToken: LIFETIMES.refreshIdle,
    // the family ends with its grant, however often the token was rotated
    Grant: (_ctx, grant) =>
      grant.getOIDCScope().split(' ').includes('offline_access')
        ? LIFETIMES.refreshInAll
        : LIFETIMES.interaction + LIFETIMES.code + LIFETIMES.accessToken,
  },
  renderError: async (ctx, out, error) => {
    ctx.type = 'html'
    if (out.error === 'server_error') {
      const failure = new ApiError(error instanceof DatastoreUnavailable ? 'datastore_unavailable' : 'internal_error')
      ctx.body = failurePage(failure, requestIdOf(ctx), { repeatable: true }).text
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

/** Who can sign in to the app: members of its workspace. */
async function findAccount(services: Services, ctx: KoaContextWithOIDC, id: string): Promise<Account | undefined> {
  const [member] = await services.db.query(membersById([id]))
  const workspace = ctx.oidc.client?.['workspace_id']
  if (!member || (workspace !== undefined && workspace !== member.workspace_id)) return undefined
  return { accountId: member.id, claims: async () => ({ sub: member.id, ...claimsOf(member) }) }
}

/** What is not known is left out, as the standard wants it. */
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

/** The grant that consent was just given for; or, where all of it was allowed before, a new one without asking again. */
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
  const can = grantable(asked, member.role, paid)
  if (!can.every(scope => consent.scopes.includes(scope))) return undefined
  return newGrant(provider, { user: member.id, app: client.clientId, asked, can })
}

/**
 * The provider's own pages follow the policy of all pages. The one that carries a response to the app in a form
 * (`response_mode=form_post`) sends it off with a script in the page: the provider adds that script's hash to the policy,
 * and the form may go to the app.
 */
async function secured(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
  if (ctx.path !== AUTHORIZATION && !ctx.path.startsWith(RESUMPTION)) return next()
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, ...KEEPS_OPENER })) ctx.set(name, value)
  ctx.set(POLICY, contentPolicy())
  ctx.set('Cache-Control', 'no-store')
  await next()
  const { params, redirectUriCheckPerformed } = ctx.oidc ?? {}
  if (params?.['response_mode'] === 'form_post' && redirectUriCheckPerformed) {
    const target = targetOf(String(params['redirect_uri']))
    ctx.set(POLICY, ctx.response.get(POLICY).replace("form-action 'self'", `form-action ${target}`))
  }
}

/**
 * Access that lasts (`offline_access`) is allowed on the consent page, each time. Where an app did not say so, the
 * provider would leave that scope out, and the app would look for its refresh token in vain.
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
 * A code is good for one attempt of its app: one that fails, for a wrong verifier or redirect address, spends it too. The
 * provider itself consumes a code only when it becomes a token.
 */
const spentCode = (provider: Provider) => async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
  await next()
  const { client, params } = ctx.oidc ?? {}
  const value = params?.['code']
  if (ctx.oidc?.route !== 'token' || ctx.status !== 400 || typeof value !== 'string') return
  const code = await provider.AuthorizationCode.find(value)
  if (code && code.clientId === client?.clientId) await code.destroy()
}

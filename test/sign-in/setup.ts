import * as client from 'openid-client'
import type { Scope } from '../../src/contract/scopes.ts'
import type { NewApp } from '../../src/resources/connected-apps/actions.ts'
import { type IssuedApp, registerApp } from '../../src/resources/connected-apps/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import type { TestService } from '../harness/service.ts'
import { type Seen, Visitor } from './visitor.ts'

export const PASSWORD = 'correct horse battery'
export const REDIRECT = 'https://app.example/callback'

export const appFor = (service: TestService, workspace: string, input: Partial<NewApp> = {}): Promise<IssuedApp> =>
  registerApp(service.services.db, {
    workspace,
    name: 'Payroll <sync>',
    kind: 'web',
    redirectUris: [REDIRECT],
    scopes: ['profile', 'email', 'offline_access', 'jobs:read', 'jobs:write', 'applications:read', 'contact:read'],
    ...input,
  })

export const createMember = (service: TestService, workspace: string, email: string, role = 'owner') => {
  const { db, passwords } = service.services
  const input = { workspace, email, role, firstName: 'Ada', lastName: 'Byron', password: PASSWORD }
  return createUser(db, input, passwords)
}

/** A third-party app: discovery and everything after it by `openid-client`. */
export const relyingParty = (
  origin: string,
  app: Pick<IssuedApp, 'client_id' | 'client_secret'>,
  at: () => string = () => origin,
): Promise<client.Configuration> =>
  client.discovery(
    new URL(origin),
    app.client_id,
    {},
    app.client_secret === null ? client.None() : client.ClientSecretBasic(app.client_secret),
    {
      execute: [client.allowInsecureRequests],
      [client.customFetch]: (url, options) => fetch(url.replace(origin, at()), options as RequestInit),
    },
  )

export interface Request {
  url: URL
  verifier: string
  state: string
  nonce: string
}

export async function request(
  config: client.Configuration,
  scope: string,
  extra: Record<string, string> = {},
): Promise<Request> {
  const verifier = client.randomPKCECodeVerifier()
  const [state, nonce] = [client.randomState(), client.randomNonce()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT,
    scope,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...extra,
  })
  return { url, verifier, state, nonce }
}

export const open = (browser: Visitor, { url }: Request): Promise<Seen> =>
  browser.get(url.pathname + url.search).then(seen => browser.follow(seen))

export async function signedIn(service: TestService, email: string): Promise<Visitor> {
  const browser = new Visitor(service.origin)
  const response = await browser.post('/sign-in', { email, password: PASSWORD })
  if (response.status !== 303) throw new Error(`not signed in: ${response.status}`)
  return browser
}

/** Opens the request, allows it where asked, and returns where the browser was sent. */
export async function allowed(browser: Visitor, asked: Request): Promise<URL> {
  let seen = await open(browser, asked)
  if (seen.html.includes('name="decision"'))
    seen = await browser.follow(await browser.submit(seen, { decision: 'allow' }))
  if (seen.location === undefined) throw new Error(`no response for the app: ${seen.status} ${seen.html}`)
  return new URL(seen.location)
}

export const exchange = (config: client.Configuration, at: URL, asked: Request) =>
  client.authorizationCodeGrant(config, at, {
    pkceCodeVerifier: asked.verifier,
    expectedState: asked.state,
    expectedNonce: asked.nonce,
  })

/** The whole way, to the tokens. */
export async function tokensFor(
  config: client.Configuration,
  browser: Visitor,
  scope: string | readonly (Scope | 'openid' | 'offline_access' | 'profile' | 'email')[],
  extra: Record<string, string> = {},
) {
  const asked = await request(config, typeof scope === 'string' ? scope : scope.join(' '), extra)
  return exchange(config, await allowed(browser, asked), asked)
}

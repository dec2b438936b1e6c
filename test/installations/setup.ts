import * as client from 'openid-client'
import type { IssuedInstallable, WantedApp } from '../../src/resources/installations/app-actions.ts'
import { approveApp, registerInstallable, type WantedWebhooks } from '../../src/resources/installations/index.ts'
import type { TestService } from '../harness/service.ts'
import { createMember, signedIn } from '../sign-in/setup.ts'
import type { Seen, Visitor } from '../sign-in/visitor.ts'

export const REDIRECT = 'https://app.vendor.example/hiring/callback'
export const SCOPES = ['applications:read', 'notes:write']

let people = 0

/** A registered app; approved unless `draft`. */
export async function installable(
  service: TestService,
  input: Partial<WantedApp> & { workspace?: string; draft?: boolean; webhooks?: WantedWebhooks | undefined } = {},
): Promise<IssuedInstallable> {
  const workspace = input.workspace ?? (await service.workspace('starter', 'Vendor home')).id
  const registration = {
    name: 'Skill Checks',
    publisher: 'Vendor Inc.',
    redirectUris: [REDIRECT],
    scopes: SCOPES,
    optionalScopes: ['contact:read'],
    domains: ['vendor.example'],
    ...input,
    workspace,
  }
  const app = await registerInstallable(service.services.db, registration, input.webhooks)
  if (!input.draft) await approveApp(service.services.db, app.id)
  return app
}

/** A browser in which a member of the workspace is signed in. */
export async function installer(service: TestService, workspace: string, role = 'owner') {
  const email = `installer-${++people}@customer.example`
  const user = await createMember(service, workspace, email, role)
  return { user, email, browser: await signedIn(service, email) }
}

export interface Asked {
  path: string
  verifier: string
  state: string
}

/** The install link of an app, with what only the app knows. */
export async function ask(app: { id: string }, extra: Record<string, string | undefined> = {}): Promise<Asked> {
  const verifier = client.randomPKCECodeVerifier()
  const state = client.randomState()
  const all = {
    client_id: app.id,
    redirect_uri: REDIRECT,
    state,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...extra,
  }
  const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return {
    path: `/oauth/install?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, value]))}`,
    verifier,
    state,
  }
}

/** The hidden fields of a form, as a browser sends them. */
export const hiddenFields = (page: string): URLSearchParams =>
  new URLSearchParams(
    [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
      ([, name, value]): [string, string] => [name!, value!.replaceAll('&amp;', '&')],
    ),
  )

/** Sends the form of the consent page, with these optional scopes ticked. */
export async function decide(
  browser: Visitor,
  asked: Asked,
  choice: { decision?: 'allow' | 'deny'; optional?: readonly string[]; budget?: string; csrf?: string } = {},
): Promise<Seen> {
  const page = await browser.get(asked.path)
  if (page.status !== 200) throw new Error(`no consent page: ${page.status} ${page.html.slice(0, 2000)}`)
  const fields = hiddenFields(page.html)
  if (!fields.has('budget')) fields.set('budget', choice.budget ?? '500')
  if (choice.csrf !== undefined) fields.set('csrf', choice.csrf)
  for (const scope of choice.optional ?? []) fields.append('optional', scope)
  fields.set('decision', choice.decision ?? 'allow')
  return browser.postForm('/oauth/install', fields)
}

export async function codeFor(browser: Visitor, asked: Asked, choice: Parameters<typeof decide>[2] = {}) {
  const seen = await decide(browser, asked, choice)
  if (seen.location === undefined) throw new Error(`no redirect: ${seen.status} ${seen.html.slice(0, 2000)}`)
  const code = new URL(seen.location).searchParams.get('code')
  if (code === null) throw new Error(`no code: ${seen.location}`)
  return code
}

/** The exchange as a form, without a library, so that faults can be sent. */
export async function exchange(
  service: TestService,
  app: { id: string; client_secret: string },
  given: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: app.id,
    client_secret: app.client_secret,
    redirect_uri: REDIRECT,
    ...given,
  })
  const response = await fetch(`${service.origin}/oauth/install/token`, { method: 'POST', body, headers })
  // biome-ignore lint/suspicious/noExplicitAny: the body of a response
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

/** The whole way, to the key. */
export async function installIn(
  service: TestService,
  app: { id: string; client_secret: string },
  workspace: string,
  choice: Parameters<typeof decide>[2] & { browser?: Visitor } = {},
) {
  const browser = choice.browser ?? (await installer(service, workspace)).browser
  const asked = await ask(app)
  const code = await codeFor(browser, asked, choice)
  const { status, body } = await exchange(service, app, { code, code_verifier: asked.verifier })
  if (status !== 200) throw new Error(`not installed: ${status} ${JSON.stringify(body)}`)
  return body as { access_token: string; installation_id: string; workspace_id: string; scope: string; iss: string }
}

export async function appToken(service: TestService, app: { id: string; client_secret: string }): Promise<string> {
  const body = new URLSearchParams({ grant_type: 'client_credentials' })
  const authorization = `Basic ${Buffer.from(`${app.id}:${app.client_secret}`).toString('base64')}`
  const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', body, headers: { authorization } })
  const token = (await response.json()) as { access_token?: string }
  if (token.access_token === undefined) throw new Error(`no token: ${response.status} ${JSON.stringify(token)}`)
  return token.access_token
}

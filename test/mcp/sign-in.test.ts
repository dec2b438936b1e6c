import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { ALL_SCOPES, isAppScope } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { type IssuedApp, listConsents, revokeConsent } from '../../src/resources/connected-apps/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appFor, createMember, REDIRECT, relyingParty, signedIn, tokensFor } from '../sign-in/setup.ts'
import { buildCall, connect, connected, post } from './setup.ts'

const CALLBACK = 'http://127.0.0.1/callback'
const SCOPES = ['jobs:read', 'applications:read', 'lists:read', 'lists:write']

let service: TestService
let workspace: string
let native: IssuedApp

const writes = (on: boolean) =>
  service.services.db.query(
    sql`update workspace_settings set connected_app_writes = ${on} where workspace_id = ${workspace}`,
  )

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  await createMember(service, workspace, 'ada@acme.example')
  await createMember(service, workspace, 'vic@acme.example', 'viewer')
  native = await appFor(service, workspace, {
    name: 'Assistant',
    kind: 'native',
    redirectUris: [CALLBACK],
    scopes: ['offline_access', ...SCOPES],
  })
})

beforeEach(async () => {
  clock.reset()
  await writes(false)
})

/** What a desktop client does: its own store of tokens, a browser, and a redirect URI with a port of its own choice. */
class Desktop implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback'
  readonly clientMetadata = {
    client_name: 'Desktop',
    redirect_uris: [this.redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
  }
  requested: URL | undefined
  stored: OAuthTokens | undefined
  #verifier = ''
  clientInformation(): OAuthClientInformationMixed {
    return { client_id: native.client_id }
  }
  tokens() {
    return this.stored
  }
  saveTokens(tokens: OAuthTokens) {
    this.stored = tokens
  }
  redirectToAuthorization(url: URL) {
    this.requested = url
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier
  }
  codeVerifier() {
    return this.#verifier
  }
}

const mcp = () => new URL(`${service.origin}/mcp`)

/** The whole way of a client that knows nothing but the URL and its client id. */
async function signIn(email: string): Promise<Desktop> {
  const desktop = new Desktop()
  const transport = new StreamableHTTPClientTransport(mcp(), { authProvider: desktop })
  const first = new Client({ name: 'desktop', version: '1' })
  await assert.rejects(first.connect(transport), UnauthorizedError)
  const browser = await signedIn(service, email)
  const url = desktop.requested!
  let seen = await browser.follow(await browser.get(url.pathname + url.search))
  if (seen.html.includes('name="decision"')) {
    seen = await browser.follow(await browser.submit(seen, { decision: 'allow' }))
  }
  const callback = new URL(seen.location!)
  assert.equal(callback.origin, 'http://127.0.0.1:33418')
  assert.equal(callback.searchParams.get('iss'), service.services.publicUrl)
  await transport.finishAuth(callback.searchParams)
  return desktop
}

async function connectAs(desktop: Desktop) {
  const client = new Client({ name: 'desktop', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(mcp(), { authProvider: desktop }))
  return connected(client)
}

test('MCP metadata: 200 at both paths: the resource, its authorization server, and scopes that apps can have', async () => {
  const { publicUrl } = service.services
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const response = await fetch(service.origin + path)
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('access-control-allow-origin'), '*')
    const metadata = (await response.json()) as Record<string, unknown>
    assert.equal(metadata['resource'], `${publicUrl}/mcp`)
    assert.deepEqual(metadata['authorization_servers'], [publicUrl])
    assert.deepEqual(metadata['bearer_methods_supported'], ['header'])
    assert.deepEqual(metadata['scopes_supported'], ALL_SCOPES.filter(isAppScope))
  }
  const found = await fetch(`${service.origin}/.well-known/oauth-authorization-server`)
  const server = (await found.json()) as Record<string, unknown>
  assert.equal(server['issuer'], publicUrl)
  assert.deepEqual(server['code_challenge_methods_supported'], ['S256'])
  assert.equal(server['authorization_response_iss_parameter_supported'], true)
  // apps are registered by an administrator
  assert.equal(server['registration_endpoint'], undefined)
})

test('MCP sign-in: a client with a client id finds everything else, and gets the scopes of its app', async () => {
  const desktop = await signIn('ada@acme.example')
  assert.equal(desktop.requested!.searchParams.get('resource'), `${service.services.publicUrl}/mcp`)
  assert.equal(desktop.requested!.searchParams.get('code_challenge_method'), 'S256')
  assert.deepEqual(desktop.stored!.scope?.split(' ').toSorted(), SCOPES.toSorted())
  const { call, names } = await connectAs(desktop)
  const tools = await names()
  assert.ok(tools.includes('list_jobs') && tools.includes('list_candidate_lists'))
  // no scope of the app, and no write while writes of apps are off
  assert.ok(!tools.includes('list_applicants') && !tools.includes('create_candidate_list'))
  assert.equal((await call('list_jobs')).isError, false)
  const me = await call('get_me')
  assert.equal(me.data.name, 'Assistant')
})

test('MCP sign-in: write_requires_api_key while writes of apps are off; afterwards the tool is listed and works', async () => {
  const { call, names } = await connectAs(await signIn('ada@acme.example'))
  const refused = await call('create_candidate_list', { name: 'Welders' })
  assert.equal(refused.error.code, 'write_requires_api_key')
  await writes(true)
  assert.ok((await names()).includes('create_candidate_list'))
  const created = await call('create_candidate_list', { name: 'Welders' })
  assert.deepEqual([created.isError, created.data.untrusted.name], [false, 'Welders'])
  assert.equal((await call('publish_job', { job_handle: 'x' }).catch(() => ({ isError: true }))).isError, true)
})

test('MCP sign-in: a viewer has the tools of a viewer', async () => {
  await writes(true)
  const { names } = await connectAs(await signIn('vic@acme.example'))
  const tools = await names()
  assert.ok(tools.includes('list_jobs') && !tools.includes('create_candidate_list'))
})

test('POST /mcp: 403 insufficient_scope: a token that lacks a scope, with the scope to request', async () => {
  const { stored } = await signIn('ada@acme.example')
  const refused = await post(service, buildCall('list_applicants'), { authorization: `Bearer ${stored!.access_token}` })
  assert.equal(refused.status, 403)
  const metadata = `${service.services.publicUrl}/.well-known/oauth-protected-resource/mcp`
  assert.equal(
    refused.headers.get('www-authenticate'),
    `Bearer error="insufficient_scope", scope="applicants:read", resource_metadata="${metadata}"`,
  )
})

test('POST /mcp: 401: an expired token, and one whose consent was revoked; clients refresh the first', async () => {
  const desktop = await signIn('ada@acme.example')
  const headers = () => ({ authorization: `Bearer ${desktop.stored!.access_token}` })
  assert.equal((await post(service, buildCall('list_jobs'), headers())).status, 200)
  clock.advance(3_601_000)
  const expired = await post(service, buildCall('list_jobs'), headers())
  assert.equal(expired.status, 401)
  assert.match(expired.headers.get('www-authenticate')!, /resource_metadata=/)
  const before = desktop.stored!
  assert.ok(before.refresh_token)
  const { call } = await connectAs(desktop)
  assert.equal((await call('list_jobs')).isError, false)
  assert.notEqual(desktop.stored!.access_token, before.access_token)
  const [consent] = await listConsents(service.services.db, workspace, { app: native.id })
  await revokeConsent(service.services.db, workspace, consent!.id)
  assert.equal((await post(service, buildCall('list_jobs'), headers())).status, 401)
})

test('MCP sign-in: 401: a token for the API is refused by /mcp, and a token for /mcp by the API', async () => {
  const web = await appFor(service, workspace, { scopes: ['jobs:read'] })
  const config = await relyingParty(service.origin, web)
  const browser = await signedIn(service, 'ada@acme.example')
  const api = (await tokensFor(config, browser, 'openid jobs:read')).access_token
  assert.equal((await service.get('/jobs', api)).status, 200)
  assert.equal((await post(service, buildCall('list_jobs'), { authorization: `Bearer ${api}` })).status, 401)
  const resource = `${service.services.publicUrl}/mcp`
  const tool = (await tokensFor(config, browser, 'openid jobs:read', { resource })).access_token
  assert.equal((await service.get('/jobs', tool)).status, 401)
  const { call } = await connect(service, tool)
  assert.equal((await call('list_jobs')).isError, false)
})

test('MCP sign-in: GET /oauth/authorize: invalid_target: a resource of another server', async () => {
  const web = await appFor(service, workspace, { scopes: ['jobs:read'] })
  const config = await relyingParty(service.origin, web)
  const browser = await signedIn(service, 'ada@acme.example')
  const { request, open } = await import('../sign-in/setup.ts')
  const asked = await request(config, 'openid jobs:read', { resource: 'https://other.example/mcp' })
  const seen = await open(browser, asked)
  const back = new URL(seen.location!)
  assert.deepEqual([back.origin, back.searchParams.get('error')], [new URL(REDIRECT).origin, 'invalid_target'])
})

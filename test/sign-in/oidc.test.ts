import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import * as client from 'openid-client'
import { raw, sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import {
  type IssuedApp,
  listConsents,
  revokeApp,
  revokeConsent,
  rotateAppSecret,
} from '../../src/resources/connected-apps/index.ts'
import { loadSigningKeys } from '../../src/sign-in/oidc/signing-keys.ts'
import { pruneOnce, sweepOnce } from '../../src/workers/prune-rows.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  allowed,
  appFor,
  createMember,
  exchange,
  open,
  REDIRECT,
  type Request,
  relyingParty,
  request,
  signedIn,
  tokensFor,
} from './setup.ts'
import type { Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let app: IssuedApp
let config: client.Configuration
let ada: { id: string }
let browser: Visitor

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  ada = await createMember(service, workspace, 'ada@acme.example')
  app = await appFor(service, workspace)
  config = await relyingParty(service.origin, app)
  browser = await signedIn(service, 'ada@acme.example')
})

beforeEach(() => clock.reset())

const refused = (error: string) => (thrown: unknown) => {
  assert.equal((thrown as { error?: string }).error, error, String(thrown))
  return true
}

/** The client library does not look into the body of a 401. */
const unknownClient = (thrown: unknown) => {
  assert.equal((thrown as { status?: number }).status, 401, String(thrown))
  return true
}

test('OIDC: discovery says what is there: code with S256, opaque tokens, the scopes of the API', async () => {
  const known = config.serverMetadata()
  assert.equal(known.issuer, service.origin)
  assert.equal(known.authorization_endpoint, `${service.origin}/oauth/authorize`)
  assert.equal(known.token_endpoint, `${service.origin}/oauth/token`)
  assert.equal(known.userinfo_endpoint, `${service.origin}/oauth/userinfo`)
  assert.equal(known.jwks_uri, `${service.origin}/oauth/jwks`)
  assert.equal(known.revocation_endpoint, `${service.origin}/oauth/revoke`)
  assert.equal(known.introspection_endpoint, `${service.origin}/oauth/introspect`)
  assert.deepEqual(known.response_types_supported, ['code'])
  assert.deepEqual(known.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(known.grant_types_supported, ['authorization_code', 'refresh_token', 'client_credentials'])
  for (const scope of ['openid', 'profile', 'email', 'offline_access', 'jobs:read', 'resume:raw_text:read']) {
    assert.ok(known.scopes_supported!.includes(scope), scope)
  }
  for (const claim of [
    'sub',
    'email',
    'email_verified',
    'name',
    'given_name',
    'family_name',
    'picture',
    'workspace_id',
    'workspace_role',
  ]) {
    assert.ok((known['claims_supported'] as string[]).includes(claim), claim)
  }
  const jwks = await (await fetch(known.jwks_uri!)).json()
  assert.ok(!JSON.stringify(jwks).includes('"d"'), 'only the public half')
})

test('OIDC: code, tokens, identity and userinfo, by a third-party client', async () => {
  const tokens = await tokensFor(config, browser, 'openid profile email jobs:read')
  assert.equal(tokens.token_type, 'bearer')
  assert.equal(tokens.expires_in, 3600)
  assert.equal(tokens.refresh_token, undefined, 'not without offline_access')
  assert.equal(tokens.scope, 'openid profile email jobs:read')
  const claims = tokens.claims()!
  assert.equal(claims.sub, ada.id)
  assert.equal(claims['workspace_id'], workspace)
  assert.equal(claims['workspace_role'], 'owner')
  assert.equal(claims.exp - claims.iat, 3600)
  const info = await client.fetchUserInfo(config, tokens.access_token, ada.id)
  assert.deepEqual(
    { ...info },
    {
      sub: ada.id,
      email: 'ada@acme.example',
      email_verified: false,
      name: 'Ada Byron',
      given_name: 'Ada',
      family_name: 'Byron',
      workspace_id: workspace,
      workspace_role: 'owner',
    },
  )
})

test('OIDC: consent: names the app, the workspace and each scope in words, and marks personal data', async () => {
  const other = await appFor(service, workspace)
  const theirs = await relyingParty(service.origin, other)
  const asked = await request(theirs, 'openid jobs:read contact:read offline_access', { prompt: 'consent' })
  const page = await open(browser, asked)
  assert.equal(page.status, 200)
  assert.match(page.html, /Allow Payroll &lt;sync&gt;\?/)
  assert.match(page.html, /Acme/)
  assert.match(page.html, /Read jobs, their sections, stages and application forms\./)
  assert.match(
    page.html,
    /Read email addresses that the workspace already has\. <strong class="tag warn">personal data/,
  )
  assert.match(page.html, /Keep access when you are not using the app/)
  assert.match(page.headers.get('content-security-policy')!, /form-action 'self' https:\/\/app\.example;/)
  const denied = await browser.follow(await browser.submit(page, { decision: 'deny' }))
  const response = new URL(denied.location!)
  assert.equal(response.origin + response.pathname, REDIRECT)
  assert.equal(response.searchParams.get('error'), 'access_denied')
  assert.equal(response.searchParams.get('state'), asked.state)
  assert.deepEqual(await listConsents(service.services.db, workspace, { app: other.id }), [])
})

test('OIDC: 403: consent needs the token of the session', async () => {
  const other = await relyingParty(service.origin, await appFor(service, workspace))
  const page = await open(browser, await request(other, 'openid'))
  const path = new URL(page.url).pathname
  assert.equal((await browser.post(path, { decision: 'allow' })).status, 403)
  assert.equal((await browser.post(path, { decision: 'allow', csrf: 'nonsense' })).status, 403)
  const thief = await signedIn(service, 'ada@acme.example')
  assert.equal((await thief.get(path)).status, 410, "another browser's request")
})

test('OIDC: consent is stored, and requested again for more scopes or after it was revoked', async () => {
  const other = await appFor(service, workspace)
  const theirs = await relyingParty(service.origin, other)
  await tokensFor(theirs, browser, 'openid jobs:read')
  const silent = await request(theirs, 'openid jobs:read', { prompt: 'none' })
  const response = new URL((await open(browser, silent)).location!)
  assert.ok((await exchange(theirs, response, silent)).access_token)
  const more = await open(browser, await request(theirs, 'openid jobs:read applications:read'))
  assert.match(more.html, /name="decision"/)
  const [consent] = await listConsents(service.services.db, workspace, { app: other.id })
  await revokeConsent(service.services.db, workspace, consent!.id)
  const again = new URL((await open(browser, await request(theirs, 'openid jobs:read', { prompt: 'none' }))).location!)
  assert.equal(again.searchParams.get('error'), 'consent_required')
})

test('OIDC: a visitor who is not signed in signs in on the way; prompt=none returns login_required', async () => {
  const { Visitor } = await import('./visitor.ts')
  const stranger = new Visitor(service.origin)
  const none = new URL((await open(stranger, await request(config, 'openid', { prompt: 'none' }))).location!)
  assert.equal(none.searchParams.get('error'), 'login_required')
  const asked = await request(config, 'openid jobs:read')
  const form = await open(stranger, asked)
  assert.match(form.html, /<h1>Sign in<\/h1>/)
  assert.match(form.headers.get('content-security-policy')!, /form-action 'self' https:\/\/app\.example;/)
  const back = await stranger.follow(
    await stranger.submit(form, { email: 'ada@acme.example', password: 'correct horse battery' }),
  )
  assert.ok((await exchange(config, new URL(back.location!), asked)).access_token, 'the consent was given before')
})

test('OIDC: prompt=login: proved again, not by the session that was there', async () => {
  const asked = await request(config, 'openid', { prompt: 'login' })
  const form = await open(browser, asked)
  assert.match(form.html, /<h1>Sign in<\/h1>/)
  const own = await signedIn(service, 'ada@acme.example')
  const again = await open(own, await request(config, 'openid', { prompt: 'login' }))
  const back = await own.follow(
    await own.submit(again, { email: 'ada@acme.example', password: 'correct horse battery' }),
  )
  assert.match(back.location!, /code=/)
})

test('OIDC: a member of another workspace: not signed in to this app', async () => {
  const { id } = await service.workspace('starter', 'Globex')
  await createMember(service, id, 'eve@globex.example')
  const eve = await signedIn(service, 'eve@globex.example')
  const page = await open(eve, await request(config, 'openid jobs:read'))
  assert.match(page.html, /is in another workspace/)
  assert.equal(page.location, undefined)
})

test('OIDC: refused: no challenge, plain challenge, unknown redirect, other scope, other response type', async () => {
  const expectError = async (extra: Record<string, string>, error: string, drop: string[] = []) => {
    const asked = await request(config, 'openid', extra)
    for (const name of drop) asked.url.searchParams.delete(name)
    const seen = await open(browser, asked)
    const response = new URL(seen.location!)
    const said = response.searchParams.get('error') ?? new URLSearchParams(response.hash.slice(1)).get('error')
    assert.equal(said, error, JSON.stringify(extra))
  }
  await expectError({}, 'invalid_request', ['code_challenge', 'code_challenge_method'])
  await expectError({ code_challenge_method: 'plain' }, 'invalid_request')
  await expectError({}, 'invalid_request', ['code_challenge_method'])
  await expectError({ scope: 'openid resume:raw_text:read' }, 'invalid_scope')
  await expectError({ response_type: 'token' }, 'unsupported_response_type')
  for (const uri of [
    `${REDIRECT}/`,
    `${REDIRECT}?x=1`,
    'https://evil.example/callback',
    'http://app.example/callback',
  ]) {
    const asked = await request(config, 'openid', { redirect_uri: uri })
    const seen = await open(browser, asked)
    assert.equal(seen.location, undefined, `nothing is sent to ${uri}`)
    assert.equal(seen.status, 400)
    assert.match(seen.html, /invalid_redirect_uri/)
    assert.match(seen.headers.get('content-security-policy')!, /default-src 'none'/)
  }
  const unknown = await request(config, 'openid', { client_id: '<script>' })
  const seen = await open(browser, unknown)
  assert.equal(seen.status, 400)
  assert.ok(!seen.html.includes('<script>'))
})

test('OIDC: 400 invalid_grant: a wrong verifier, none, or a wrong redirect spends the code', async () => {
  const wrongly: ((at: URL, asked: Request) => Promise<unknown>)[] = [
    (at, asked) => exchange(config, at, { ...asked, verifier: client.randomPKCECodeVerifier() }),
    (at, asked) => exchange(config, Object.assign(new URL(at), { pathname: '/other' }), asked),
    (at, { verifier: _, state, nonce }) =>
      client.authorizationCodeGrant(config, at, { expectedState: state, expectedNonce: nonce }),
  ]
  for (const attempt of wrongly) {
    const asked = await request(config, 'openid')
    const at = await allowed(browser, asked)
    await assert.rejects(attempt(at, asked), refused('invalid_grant'))
    await assert.rejects(exchange(config, at, asked), refused('invalid_grant'), 'not even with the right one')
  }
})

test('OIDC: a wrong secret and another app get nothing for the code, and spend nothing', async () => {
  const asked = await request(config, 'openid')
  const at = await allowed(browser, asked)
  const thief = await relyingParty(service.origin, { ...app, client_secret: 'not the secret' })
  await assert.rejects(exchange(thief, at, asked), unknownClient)
  const other = await relyingParty(service.origin, await appFor(service, workspace))
  await assert.rejects(exchange(other, at, asked), refused('invalid_grant'))
  assert.ok((await exchange(config, at, asked)).access_token, 'it was not spent by them')
})

test('OIDC: a code lasts a minute, by the database clock', async () => {
  const asked = await request(config, 'openid')
  const at = await allowed(browser, asked)
  clock.advance(61_000)
  await assert.rejects(exchange(config, at, asked), refused('invalid_grant'))
  clock.reset()
  const second = await request(config, 'openid')
  const inTime = await allowed(browser, second)
  clock.advance(58_000)
  assert.ok((await exchange(config, inTime, second)).access_token)
})

test('OIDC: a code used twice revokes what it gave', async () => {
  const asked = await request(config, 'openid jobs:read offline_access', { prompt: 'consent' })
  const at = await allowed(browser, asked)
  const tokens = await exchange(config, at, asked)
  assert.equal((await service.get('/jobs', tokens.access_token)).status, 200)
  await assert.rejects(exchange(config, at, asked), refused('invalid_grant'))
  assert.equal((await service.get('/jobs', tokens.access_token)).status, 401)
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token!), refused('invalid_grant'))
})

test('OIDC: of many that use one code at the same moment at most one is served, and then nothing of it is left', async () => {
  const asked = await request(config, 'openid jobs:read')
  const at = await allowed(browser, asked)
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => exchange(config, at, asked)))
  const served = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value.access_token] : []))
  assert.ok(served.length <= 1, `${served.length} were served`)
  for (const token of served) assert.equal((await service.get('/jobs', token)).status, 401)
})

test('OIDC: refresh: a new token each time; the old one used again revokes the family', async () => {
  const first = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  assert.ok(first.refresh_token)
  const bystander = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  const second = await client.refreshTokenGrant(config, first.refresh_token!)
  assert.notEqual(second.refresh_token, first.refresh_token)
  assert.equal((await service.get('/jobs', second.access_token)).status, 200)
  const narrow = await client.refreshTokenGrant(config, second.refresh_token!, { scope: 'openid' })
  assert.equal((await service.get('/jobs', narrow.access_token)).status, 403, 'asked for less')
  const third = await client.refreshTokenGrant(config, narrow.refresh_token!)
  assert.equal((await service.get('/jobs', third.access_token)).status, 200)

  await assert.rejects(client.refreshTokenGrant(config, first.refresh_token!), refused('invalid_grant'))
  for (const tokens of [first, second, third]) {
    assert.equal((await service.get('/jobs', tokens.access_token)).status, 401)
  }
  await assert.rejects(client.refreshTokenGrant(config, third.refresh_token!), refused('invalid_grant'))
  assert.equal((await service.get('/jobs', bystander.access_token)).status, 200, 'another sign-in is not touched')
})

test('OIDC: of many concurrent refreshes with one token, at most one succeeds, and the family is revoked', async () => {
  const first = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, () => client.refreshTokenGrant(config, first.refresh_token!)),
  )
  const served = outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.ok(served.length <= 1, `${served.length} were served`)
  for (const tokens of [first, ...served]) {
    assert.equal((await service.get('/jobs', tokens.access_token)).status, 401)
    await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token!), refused('invalid_grant'))
  }
})

test('OIDC: refresh: 30 days unused, 90 days in all', async () => {
  const DAY = 86_400_000
  const idle = await tokensFor(config, browser, 'openid offline_access', { prompt: 'consent' })
  clock.advance(30 * DAY + 1_000)
  await assert.rejects(client.refreshTokenGrant(config, idle.refresh_token!), refused('invalid_grant'))
  clock.reset()
  let tokens = await tokensFor(config, browser, 'openid offline_access', { prompt: 'consent' })
  for (let i = 0; i < 4; i++) {
    clock.advance(22 * DAY)
    tokens = (await client.refreshTokenGrant(config, tokens.refresh_token!)) as typeof tokens
  }
  clock.advance(2 * DAY - 600_000)
  tokens = (await client.refreshTokenGrant(config, tokens.refresh_token!)) as typeof tokens
  const me = () => service.get('/me', tokens.access_token)
  assert.equal((await me()).status, 200)
  clock.advance(660_000)
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token!), refused('invalid_grant'))
  assert.equal((await me()).status, 401, 'what was got at the last moment does not last longer either')
})

test('OIDC: revocation and introspection: immediately, and only of the own tokens', async () => {
  const tokens = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  const other = await relyingParty(service.origin, await appFor(service, workspace))
  assert.equal((await client.tokenIntrospection(other, tokens.access_token)).active, false)
  await client.tokenRevocation(other, tokens.access_token)
  const seen = await client.tokenIntrospection(config, tokens.access_token)
  assert.equal(seen.active, true)
  assert.equal(seen.sub, ada.id)
  assert.equal(seen.scope, 'openid jobs:read offline_access')
  await client.tokenRevocation(config, tokens.refresh_token!)
  assert.equal((await client.tokenIntrospection(config, tokens.access_token)).active, false)
  assert.equal((await service.get('/jobs', tokens.access_token)).status, 401)
  await assert.rejects(client.fetchUserInfo(config, tokens.access_token, ada.id))
  await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token!), refused('invalid_grant'))
})

test('OIDC: a closed workspace: introspection says that its tokens are not active, 400 for a refresh; valid again after a restore', async () => {
  const { db } = service.services
  const closing = (await service.workspace('starter', 'Closing')).id
  await createMember(service, closing, 'cara@closing.example')
  const theirs = await relyingParty(service.origin, await appFor(service, closing))
  const cara = await signedIn(service, 'cara@closing.example')
  const tokens = await tokensFor(theirs, cara, 'openid jobs:read offline_access', { prompt: 'consent' })
  const isActive = async () => (await client.tokenIntrospection(theirs, tokens.access_token)).active
  assert.equal(await isActive(), true)
  await db.query(sql`update workspaces set closing_at = app_now() where id = ${closing}`)
  assert.equal(await isActive(), false)
  assert.equal((await client.tokenIntrospection(theirs, tokens.refresh_token!)).active, false)
  await assert.rejects(client.refreshTokenGrant(theirs, tokens.refresh_token!), refused('invalid_grant'))
  await db.query(sql`update workspaces set closing_at = null where id = ${closing}`)
  assert.equal(await isActive(), true)
})

test('OIDC: an app without a secret: PKCE alone; loopback addresses only for native apps, any port', async () => {
  const uri = 'http://127.0.0.1/done'
  await assert.rejects(appFor(service, workspace, { redirectUris: [uri] }), /must start with https/)
  await assert.rejects(appFor(service, workspace, { kind: 'browser', redirectUris: [uri] }), /must start with https/)
  await assert.rejects(
    appFor(service, workspace, { kind: 'native', redirectUris: ['http://app.example/'] }),
    /only for loopback addresses/,
  )
  const native = await appFor(service, workspace, { kind: 'native', redirectUris: [uri, 'com.example.app:/done'] })
  assert.equal(native.client_secret, null)
  const theirs = await relyingParty(service.origin, native)
  const asked = await request(theirs, 'openid', { redirect_uri: 'http://127.0.0.1:45123/done' })
  const at = await allowed(browser, asked)
  assert.equal(at.port, '45123')
  assert.ok((await exchange(theirs, at, asked)).access_token)
  const spa = await appFor(service, workspace, { kind: 'browser' })
  assert.ok((await tokensFor(await relyingParty(service.origin, spa), browser, 'openid')).access_token)
})

test("OIDC: an app's secret: rotated with an overlap, then only the new one; revoked apps are unknown", async () => {
  const old = await appFor(service, workspace)
  const before = await relyingParty(service.origin, old)
  const fresh = await rotateAppSecret(service.services.db, { id: old.id }, 1)
  const after = await relyingParty(service.origin, fresh)
  assert.ok((await tokensFor(before, browser, 'openid')).access_token)
  const tokens = await tokensFor(after, browser, 'openid jobs:read')
  clock.advance(3_600_000)
  await assert.rejects(tokensFor(before, await signedIn(service, 'ada@acme.example'), 'openid'), unknownClient)
  clock.reset()
  await revokeApp(service.services.db, { id: old.id })
  assert.equal((await service.get('/jobs', tokens.access_token)).status, 401)
  await assert.rejects(client.tokenIntrospection(after, tokens.access_token), unknownClient)
  const page = await open(browser, await request(after, 'openid'))
  assert.equal(page.status, 400)
})

test('OIDC: nothing that could be used is stored in plain', async () => {
  const asked = await request(config, 'openid offline_access', { prompt: 'consent' })
  const at = await allowed(browser, asked)
  const code = at.searchParams.get('code')!
  const tokens = await exchange(config, at, asked)
  const rows = await service.services.db.query(sql`
    select to_jsonb(r)::text as row from oidc_records r union all select to_jsonb(s)::text from connected_app_secrets s
    union all select to_jsonb(k)::text from oidc_signing_keys k`)
  const text = JSON.stringify(rows)
  for (const secret of [
    code,
    tokens.access_token,
    tokens.refresh_token!,
    app.client_secret!,
    'privateExponent',
    'RS256',
  ]) {
    assert.ok(!text.includes(secret))
  }
})

test('OIDC: what has expired is removed; what is good stays', async () => {
  const { db } = service.services
  await db.query(sql`delete from oidc_records`)
  const count = async (table: string) => {
    const [row] = await db.query(sql<{ n: number }>`select count(*)::integer as n from ${raw(table)}`)
    return row!.n
  }
  const tokens = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  await pruneOnce(db)
  await sweepOnce(db)
  assert.equal((await service.get('/jobs', tokens.access_token)).status, 200)
  assert.equal((await browser.get('/account')).status, 200)
  clock.advance(2 * 3_600_000)
  await pruneOnce(db)
  const [left] = await db.query(
    sql<{ kinds: string[] }>`select array_agg(distinct kind order by kind) as kinds from oidc_records`,
  )
  assert.deepEqual(left!.kinds, ['Grant', 'RefreshToken'])
  clock.advance(91 * 86_400_000)
  await pruneOnce(db)
  await sweepOnce(db)
  for (const table of ['oidc_records', 'sessions', 'sign_in_attempts', 'sign_in_tickets']) {
    assert.equal(await count(table), 0, table)
  }
})

test('OIDC: of processes that start together one makes the signing key, and all sign with it', async () => {
  const { services } = await startTestService()
  const keys = await Promise.all(Array.from({ length: 4 }, () => loadSigningKeys(services)))
  assert.deepEqual([...new Set(keys.map(([key]) => key!.kid))].length, 1)
  assert.deepEqual(
    keys.map(list => list.length),
    [1, 1, 1, 1],
  )
})

import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { type OutboundRules, outboundFetch } from '../../src/kernel/net/outbound-fetch.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readCompanyLog } from '../../src/resources/company-sign-in/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { CLIENT, FakeProvider, type Hostility, providerUrl, throughProvider, useProvider } from './company-setup.ts'
import { createMember } from './setup.ts'
import { type Seen, Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let fake: FakeProvider
const PERSON = { sub: 'ada', email: 'ada@acme.example', email_verified: true }

before(async () => {
  fake = await FakeProvider.start()
  service = await startTestService(
    { ROLES: 'api', COMPANY_SIGN_IN_ALLOW_HOSTS: fake.host },
    // the names that a provider gives for its endpoints
    {
      resolveName: async name =>
        ({ 'inside.example': ['10.0.0.7'], '127.0.0.1': ['127.0.0.1'], 'both.example': ['93.184.215.14', '::1'] })[
          name
        ] ?? [],
    },
  )
  workspace = (await service.workspace('enterprise', 'Acme')).id
  await createMember(service, workspace, PERSON.email, 'member')
  await useProvider(service, workspace, { issuer: fake.issuer, ...CLIENT, domains: ['acme.example'], enabled: true })
})

after(() => fake.stop())

beforeEach(async () => {
  clock.reset()
  fake.reset(PERSON)
  await service.services.db.query(sql`delete from company_identities`)
})

const visitor = () => new Visitor(service.origin)

/** Signs in with a provider that does this, and returns the code and detail that the owners see. */
async function attempt(hostility: Hostility, browser = visitor()): Promise<string> {
  fake.hostility = hostility
  const seen = await throughProvider(browser, fake, workspace)
  if (seen.status === 303) return 'signed in'
  assert.equal(seen.status, 403, seen.html)
  assert.equal(browser.cookie('hiring_session'), undefined)
  const [row] = await readCompanyLog(service.services.db, workspace)
  assert.ok(seen.html.includes(`<code>${row!.detail['code']}</code>`), seen.html)
  return [row!.detail['code'], row!.detail['about']].filter(Boolean).join(' ')
}

const now = () => Math.floor(clock.now() / 1_000)

test('company sign-in: a correct provider signs in, with RS256, ES256 and EdDSA', async () => {
  assert.equal(await attempt({}), 'signed in')
  for (const alg of ['ES256', 'EdDSA'] as const) {
    const other = await FakeProvider.start(alg)
    try {
      const { id } = await service.workspace('enterprise', alg)
      await createMember(service, id, `ada@${alg.toLowerCase()}.example`, 'member')
      service.services.config.COMPANY_SIGN_IN_ALLOW_HOSTS = [fake.host, other.host]
      await useProvider(service, id, {
        issuer: other.issuer,
        ...CLIENT,
        domains: [`${alg.toLowerCase()}.example`],
        enabled: true,
      })
      other.person = { ...PERSON, email: `ada@${alg.toLowerCase()}.example` }
      assert.equal((await throughProvider(visitor(), other, id)).status, 303, alg)
    } finally {
      other.stop()
    }
  }
})

const TOKENS: readonly (readonly [what: string, hostility: () => Hostility, check: string])[] = [
  ['the nonce of another sign-in', () => ({ claims: { nonce: 'another' } }), 'nonce'],
  ['no nonce', () => ({ claims: { nonce: undefined } }), ''],
  ['another audience', () => ({ claims: { aud: 'another-app' } }), 'aud'],
  ['several audiences without azp', () => ({ claims: { aud: ['hiring', 'another-app'] } }), ''],
  ['a foreign azp', () => ({ claims: { azp: 'another-app' } }), 'azp'],
  ['another issuer', () => ({ claims: { iss: 'https://login.other.example' } }), 'iss'],
  ['an expired token', () => ({ claims: { exp: now() - 3_600, iat: now() - 7_200 } }), ''],
  ['an old token that has not expired', () => ({ claims: { iat: now() - 7_200 } }), 'iat'],
  ['a token of the future', () => ({ claims: { iat: now() + 7_200, exp: now() + 9_000 } }), 'iat'],
  ['no subject', () => ({ claims: { sub: undefined } }), ''],
  ['a subject of 300 characters', () => ({ claims: { sub: 'x'.repeat(300) } }), 'sub'],
  ['a subject with a NUL', () => ({ claims: { sub: 'a\0b' } }), 'sub'],
  ['alg none', () => ({ header: { alg: 'none' } }), ''],
  [
    'alg none that its configuration lists',
    () => ({ header: { alg: 'none' }, metadata: { id_token_signing_alg_values_supported: ['RS256', 'none'] } }),
    '',
  ],
  ['HS256 with the public key as secret', () => ({ hmac: true }), ''],
  [
    'HS256 that its configuration lists',
    () => ({ hmac: true, metadata: { id_token_signing_alg_values_supported: ['RS256', 'HS256'] } }),
    '',
  ],
  ['a key that is not published', () => ({ foreignKey: true }), ''],
  ['a key id that does not exist', () => ({ header: { kid: 'two' } }), ''],
  ['a parameter iss of another provider', () => ({ callback: { iss: 'https://login.other.example' } }), 'iss'],
]

for (const [what, hostility, check] of TOKENS)
  test(`company sign-in: 403 token_invalid: ${what}`, async () => {
    assert.ok((await attempt(hostility())).startsWith(`token_invalid ${check}`), await attempt(hostility()))
  })

test('company sign-in: 403 token_invalid: the parameter iss is missing although the provider promises it', async () => {
  const metadata = { authorization_response_iss_parameter_supported: true }
  assert.equal(await attempt({ metadata }), 'signed in')
  assert.match(await attempt({ metadata, callback: { iss: '' } }), /^token_invalid/)
})

test('company sign-in: 403: errors of the provider are codes, without its text', async () => {
  const callback = { error: 'access_denied', error_description: 'ada@acme.example may not' }
  assert.equal(await attempt({ callback: { ...callback, code: '' } }), 'provider_refused access_denied')
  const json = (status: number, body: string, type = 'application/json'): Hostility => ({
    respond: { '/token': (_, response) => response.writeHead(status, { 'content-type': type }).end(body) },
  })
  assert.equal(await attempt(json(400, '{"error":"invalid_client"}')), 'client_refused invalid_client')
  assert.equal(await attempt(json(500, 'broken', 'text/html')), 'provider_unavailable tokens')
  assert.match(await attempt(json(200, '{}')), /^token_invalid/)
  assert.match(await attempt(json(200, 'not json')), /^token_invalid/)
})

test('company sign-in: 403: a configuration of another issuer, without endpoints, or with private addresses', async () => {
  assert.equal(await attempt({ metadata: { issuer: 'https://login.other.example' } }), 'metadata_invalid issuer')
  assert.equal(await attempt({ metadata: { jwks_uri: undefined } }), 'metadata_invalid jwks_uri')
  assert.equal(
    await attempt({ metadata: { authorization_endpoint: 'javascript:alert(1)' } }),
    'metadata_invalid authorization_endpoint',
  )
  for (const name of ['inside.example', 'both.example'])
    assert.equal(await attempt({ metadata: { token_endpoint: `https://${name}/token` } }), `address_blocked ${name}`)
  for (const url of [
    'http://169.254.169.254/latest',
    'https://127.0.0.1/keys',
    'https://[::1]/keys',
    'file:///etc/passwd',
  ])
    assert.match(await attempt({ metadata: { jwks_uri: url } }), /^(address_blocked|metadata_invalid)/, url)
})

test('company sign-in: 403: redirects are not followed, and a huge response is cut off', async () => {
  const redirect = (to: string): Hostility => ({
    respond: { '/keys': (_, response) => response.writeHead(302, { location: to }).end() },
  })
  assert.match(await attempt(redirect(`${fake.issuer}/elsewhere`)), /^provider_unavailable redirected/)
  assert.equal(fake.requests.includes('/elsewhere'), false)
  const huge: Hostility = {
    respond: {
      '/.well-known/openid-configuration': (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.on('error', () => {})
        const more = () => !response.destroyed && response.write('x'.repeat(65_536), more)
        more()
      },
    },
  }
  assert.match(await attempt(huge), /^provider_unavailable too_large/)
})

test('company sign-in: 403 flow_expired: another browser, another state, a second use, and after ten minutes', async () => {
  const expired = (seen: Seen) => {
    assert.equal(seen.status, 403, seen.html)
    assert.match(seen.html, /<code>flow_expired<\/code>/)
  }
  const left = async (browser: Visitor) => {
    const url = providerUrl(await browser.post(`/sign-in/company/${workspace}`, {}))!
    const back = new URL(fake.authorize(url))
    return back.pathname + back.search
  }
  const [mine, other] = [visitor(), visitor()]
  const [back, others] = [await left(mine), await left(other)]
  expired(await visitor().get(back))
  expired(await mine.get(others))
  expired(await mine.get(back.replace(/state=[^&]+/, 'state=x')))
  // the provider accepts a code twice; the browser's flow can be used once
  fake.replayable = true
  const cookie = { cookie: `hiring_company=${mine.cookie('hiring_company')}` }
  assert.equal((await mine.get(back)).status, 303)
  expired(await visitor().get(back, cookie))
  expired(await mine.get(back))
  clock.advance(601_000)
  expired(await other.get(others))
})

test('company sign-in: 403 settings_changed: a sign-in that began before a change of the settings', async () => {
  const browser = visitor()
  const url = providerUrl(await browser.post(`/sign-in/company/${workspace}`, {}))!
  await useProvider(service, workspace, { creates_members: true })
  const back = new URL(fake.authorize(url))
  const seen = await browser.get(back.pathname + back.search)
  assert.equal(seen.status, 403)
  assert.match(seen.html, /<code>settings_changed<\/code>/)
  await useProvider(service, workspace, { creates_members: false })
})

test('company sign-in: a flow of one workspace is of no use in another, and each has a redirect URI of its own', async () => {
  const other = (await service.workspace('enterprise', 'Other')).id
  await useProvider(service, other, { issuer: fake.issuer, ...CLIENT, domains: ['other.example'], enabled: true })
  const browser = visitor()
  const url = providerUrl(await browser.post(`/sign-in/company/${workspace}`, {}))!
  assert.equal(url.searchParams.get('redirect_uri'), `${service.origin}/sign-in/company/${workspace}/callback`)
  const back = new URL(fake.authorize(url))
  const seen = await browser.get(back.pathname.replace(workspace, other) + back.search)
  assert.match(seen.html, /<code>flow_expired<\/code>/)
})

test('company sign-in: the client secret is sealed; neither log nor table has it, and no claim of a person is stored', async () => {
  await attempt({})
  const { db } = service.services
  const rows = await db.query(sql<{ text: string }>`
    select encode(client_secret_sealed, 'escape') || c::text as text from company_sign_in c
    union all select l::text from company_sign_in_log l union all select f::text from company_sign_in_flows f`)
  const text = rows.map(row => row.text).join('\n') + service.logLines.join('\n')
  assert.equal(text.includes(CLIENT.client_secret), false)
  assert.equal(text.includes('ada@acme.example'), false)
})

test('outbound requests: a server that does not respond, and one that stops in the middle, are a timeout', async () => {
  const rules: OutboundRules = {
    allowHosts: [fake.host],
    loopback: false,
    ca: undefined,
    resolveName: async name => [name],
  }
  const get = { method: 'GET', headers: {} }
  const limits = { timeoutMs: 300, maxBytes: 1_000 }
  const silent = () => {}
  const stopping = (response: ServerResponse) => void response.writeHead(200).write('{')
  for (const respond of [silent, stopping]) {
    fake.hostility = { respond: { '/slow': (_, response) => respond(response) } }
    await assert.rejects(outboundFetch(`${fake.issuer}/slow`, get, rules, limits), { reason: 'timeout' })
  }
  const hanging = { ...rules, resolveName: () => new Promise<string[]>(() => {}) }
  await assert.rejects(outboundFetch(`${fake.issuer}/slow`, get, hanging, limits), { reason: 'timeout' })
  const blocked = { reason: 'blocked_url' }
  for (const url of [
    'http://login.example/',
    'https://login.example:22/',
    'https://93.184.215.14/',
    'ftp://x/',
    'https://a:b@login.example/',
  ])
    await assert.rejects(outboundFetch(url, get, rules, limits), blocked, url)
})

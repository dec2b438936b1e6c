import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readCompanyLog } from '../../src/resources/company-sign-in/index.ts'
import type { TestService } from '../harness/service.ts'
import { CLIENT, type FakeProvider, startCompanyService, throughProvider, useProvider } from './company-setup.ts'
import { memberOf, PASSWORD } from './setup.ts'
import { Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let fake: FakeProvider

before(async () => {
  ;({ service, workspace, fake } = await startCompanyService())
  for (const name of ['ada', 'bob']) await memberOf(service, workspace, `${name}@acme.example`, 'member')
})

after(() => fake.stop())

beforeEach(async () => {
  clock.reset()
  fake.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
  await service.services.db.query(sql`delete from sessions`)
})

/** A browser of a person, with a session at the provider that it names, or does not. */
async function enter(name: string, sid?: string): Promise<Visitor> {
  fake.person = { sub: name, email: `${name}@acme.example`, email_verified: true, ...(sid ? { sid } : {}) }
  const browser = new Visitor(service.origin)
  assert.equal((await throughProvider(browser, fake, workspace)).status, 303)
  return browser
}

const post = async (token: string, at = workspace): Promise<number> => {
  const body = new URLSearchParams({ logout_token: token })
  const response = await fetch(`${service.origin}/sign-in/company/${at}/logout`, { method: 'POST', body })
  assert.equal(response.headers.get('cache-control'), 'no-store')
  await response.text()
  return response.status
}

const signedIn = async (...browsers: Visitor[]): Promise<boolean[]> =>
  Promise.all(browsers.map(async browser => (await browser.get('/account')).status === 200))

test('back-channel logout: 200 ends the sessions of a sid, or of a person; those of a password and of others stay', async () => {
  const [first, second, unnamed, bob] = [
    await enter('ada', 's1'),
    await enter('ada', 's2'),
    await enter('ada'),
    await enter('bob', 's3'),
  ]
  const byPassword = new Visitor(service.origin)
  await byPassword.post('/sign-in', { email: 'ada@acme.example', password: PASSWORD })
  const all = () => signedIn(first, second, unnamed, bob, byPassword)
  assert.deepEqual(await all(), [true, true, true, true, true])
  assert.equal(await post(fake.logoutToken({ sid: 's1' })), 200)
  assert.deepEqual(await all(), [false, true, true, true, true])
  assert.equal(await post(fake.logoutToken({ sub: 'bob', sid: 's2' })), 200, 'both have to match')
  assert.deepEqual(await all(), [false, true, true, true, true])
  assert.equal(await post(fake.logoutToken({ sub: 'ada', sid: 's9' })), 200, 'a session without sid is found by sub')
  assert.deepEqual(await all(), [false, true, false, true, true])
  assert.equal(await post(fake.logoutToken({ sub: 'ada' })), 200)
  assert.deepEqual(await all(), [false, false, false, true, true])
})

test('back-channel logout: 400 ends nothing and is listed: signature, iss, aud, iat, exp, jti, events, nonce, sub, typ, replay', async () => {
  const browser = await enter('ada', 's1')
  const now = Math.floor(clock.now() / 1_000)
  const event = 'http://schemas.openid.net/event/backchannel-logout'
  const wrong: readonly (readonly [
    claims: Record<string, unknown>,
    about: string,
    hostility?: FakeProvider['hostility'],
  ])[] = [
    [{}, 'signature', { foreignKey: true }],
    [{}, 'signature', { hmac: true }],
    [{}, 'signature', { header: { alg: 'none' } }],
    [{}, 'typ', { header: { typ: 'at+jwt' } }],
    [{ iss: 'https://login.other.example' }, 'iss'],
    [{ aud: 'another-app' }, 'aud'],
    [{ iat: now - 3_600 }, 'iat'],
    [{ iat: undefined }, 'iat'],
    [{ exp: now - 600 }, 'exp'],
    [{ exp: undefined }, 'exp'],
    [{ jti: undefined }, 'jti'],
    [{ jti: 7 }, 'jti'],
    [{ events: undefined }, 'events'],
    [{ events: { [`${event}s`]: {} } }, 'events'],
    [{ events: { [event]: true } }, 'events'],
    [{ nonce: 'of a sign-in' }, 'nonce'],
    [{ sub: undefined, sid: undefined }, 'sub'],
    [{ sid: 7 }, 'sid'],
  ]
  const about = async () => (await readCompanyLog(service.services.db, workspace))[0]!.detail
  for (const [claims, check, hostility = {}] of wrong) {
    fake.hostility = hostility
    assert.equal(await post(fake.logoutToken({ sub: 'ada', ...claims })), 400, check)
    assert.deepEqual(await about(), { code: 'logout_invalid', about: check })
  }
  fake.hostility = {}
  assert.equal(await post('no token'), 400)
  assert.deepEqual(await signedIn(browser), [true])

  const token = fake.logoutToken({ sub: 'bob' })
  assert.equal(await post(token), 200)
  assert.equal(await post(token), 400)
  assert.deepEqual(await about(), { code: 'logout_invalid', about: 'jti' })
  assert.equal(await post(fake.logoutToken({ sub: 'ada' }), 'wsp_00000000000000000000'), 404)
  fake.requests.length = 0
  await post(fake.logoutToken({ sub: 'ada', aud: 'another-app' }))
  assert.deepEqual(fake.requests, [], 'the provider is not asked about a token for another client')
})

test('back-channel logout: a token of one workspace ends nothing in another with the same provider', async () => {
  const other = (await service.workspace('enterprise', 'Other')).id
  await memberOf(service, other, 'ada@other.example', 'member')
  await useProvider(service, other, { issuer: fake.issuer, ...CLIENT, domains: ['other.example'], enabled: true })
  const browser = await enter('ada', 's1')
  assert.equal(await post(fake.logoutToken({ sub: 'ada', sid: 's1' }), other), 200)
  assert.deepEqual(await signedIn(browser), [true])
})

test('POST /sign-out: leads to the end_session_endpoint where the workspace wants it and the provider has one', async () => {
  const endpoint = { metadata: { end_session_endpoint: `${fake.issuer}/end` } }
  const leave = async (browser: Visitor) => browser.submit(await browser.get('/account'), {}, { action: '/sign-out' })
  fake.hostility = endpoint
  assert.equal((await leave(await enter('ada'))).location, '/sign-in', 'not by default')

  await useProvider(service, workspace, { ends_provider_session: true })
  const browser = await enter('ada')
  const left = await leave(browser)
  const url = new URL(left.headers.get('refresh')!.replace('0; url=', ''))
  assert.equal(url.origin + url.pathname, `${fake.issuer}/end`)
  const back = `${service.origin}/sign-in/company/${workspace}/signed-out`
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: CLIENT.client_id,
    post_logout_redirect_uri: back,
  })
  assert.equal(browser.cookie('hiring_session'), undefined)
  assert.deepEqual(await signedIn(browser), [false])
  const end = await browser.get(new URL(back).pathname)
  assert.match(end.html, /You are signed out/)

  // the person is signed out here, whatever the provider does
  const faults: FakeProvider['hostility'][] = [
    {},
    { metadata: { end_session_endpoint: 'javascript:alert(1)' } },
    { respond: { '/.well-known/openid-configuration': (_, response) => response.writeHead(500).end() } },
  ]
  for (const fault of faults) {
    fake.hostility = {}
    const person = await enter('ada')
    fake.hostility = fault
    assert.equal((await leave(person)).location, '/sign-in')
    assert.deepEqual(await signedIn(person), [false])
  }
  const byPassword = new Visitor(service.origin)
  await byPassword.post('/sign-in', { email: 'ada@acme.example', password: PASSWORD })
  fake.hostility = endpoint
  assert.equal((await leave(byPassword)).location, '/sign-in')
})

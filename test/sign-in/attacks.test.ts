import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { before, beforeEach, test } from 'node:test'
import * as client from 'openid-client'
import { DatastoreUnavailable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { hashToken } from '../../src/kernel/http/browser-session.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import type { IssuedApp } from '../../src/resources/connected-apps/index.ts'
import { removeUser, setPassword } from '../../src/resources/users/index.ts'
import { type Admission, admit } from '../../src/sign-in/admission.ts'
import { PostgresAdapter } from '../../src/sign-in/oidc/adapter.ts'
import { listSessions } from '../../src/sign-in/sessions.ts'
import { insertTicket, membersByEmail } from '../../src/sign-in/store.ts'
import { type Proof, readTicket } from '../../src/sign-in/tickets.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  appFor,
  createMember,
  exchange,
  open,
  PASSWORD,
  REDIRECT,
  relyingParty,
  request,
  signedIn,
  tokensFor,
} from './setup.ts'
import { type Seen, Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let app: IssuedApp
let config: client.Configuration
let bob: { id: string }

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  await createMember(service, workspace, 'ada@acme.example')
  bob = await createMember(service, workspace, 'bob@acme.example', 'admin')
  app = await appFor(service, workspace)
  config = await relyingParty(service.origin, app)
  for (const email of ['ada@acme.example', 'bob@acme.example']) {
    await tokensFor(config, await signedIn(service, email), 'openid')
  }
})

beforeEach(() => clock.reset())

const pathOf = (at: string) => new URL(at, service.origin).pathname

test('sign-in attacks: 400, not 500: a NUL character in a form or in the request of an app', async () => {
  const browser = await signedIn(service, 'ada@acme.example')
  const account = await browser.get('/account')
  const asked = await request(config, 'openid', { prompt: 'consent' })
  asked.url.searchParams.set('state', 'a\0b')
  const responses = [
    await new Visitor(service.origin).post('/sign-in', { email: 'ada\0@acme.example', password: PASSWORD }),
    await new Visitor(service.origin).post('/sign-in/link', { email: 'ada\0@acme.example' }),
    await browser.submit(account, { consent: 'a\0' }, { action: '/account/apps/revoke' }),
    await browser.get(asked.url.pathname + asked.url.search),
  ]
  assert.deepEqual(
    responses.map(response => response.status),
    [400, 400, 400, 400],
  )
})

test('sign-in attacks: id_token_hint: another signed-in person is not taken for the one whom the app expects', async () => {
  const { id_token } = await tokensFor(config, await signedIn(service, 'ada@acme.example'), 'openid')
  const signInAs = async (email: string): Promise<Seen> => {
    const bob = await signedIn(service, 'bob@acme.example')
    const form = await open(bob, await request(config, 'openid', { id_token_hint: id_token! }))
    assert.equal(pathOf(form.url), '/sign-in')
    return bob.follow(await bob.submit(form, { email, password: PASSWORD }))
  }
  const wrong = new URL((await signInAs('bob@acme.example')).location!)
  assert.equal(wrong.searchParams.get('error'), 'login_required')
  assert.equal(wrong.searchParams.get('code'), null)
  const right = new URL((await signInAs('ada@acme.example')).location!)
  assert.ok(right.searchParams.get('code'))

  const own = await signedIn(service, 'ada@acme.example')
  const immediate = await open(own, await request(config, 'openid', { id_token_hint: id_token! }))
  assert.ok(new URL(immediate.location!).searchParams.get('code'), 'the one expected is not asked again')
})

/** A browser that was sent to the sign-in, completed it, and has not yet gone back. */
async function signedInMidway(extra: Record<string, string> = {}) {
  const browser = new Visitor(service.origin)
  const asked = await request(config, 'openid', extra)
  const led = await browser.get(asked.url.pathname + asked.url.search)
  await browser.post('/sign-in', { email: 'ada@acme.example', password: PASSWORD })
  const back = await browser.get(pathOf(led.location!))
  assert.match(pathOf(back.location!), /^\/oauth\/authorize\/./)
  return { browser, asked, resume: pathOf(back.location!) }
}

test('sign-in attacks: a session that ended in the middle of a sign-in to an app gives it nothing', async () => {
  for (const extra of [{}, { prompt: 'login' }]) {
    const { browser, resume } = await signedInMidway(extra as Record<string, string>)
    await browser.submit(await browser.get('/account'), {}, { action: '/sign-out' })
    const seen = await browser.follow(await browser.get(resume))
    assert.equal(pathOf(seen.url), '/sign-in')
  }
})

test('sign-in attacks: another person signs in in the middle of a sign-in to an app: it is theirs, never a mixture', async () => {
  const { browser, asked, resume } = await signedInMidway()
  await browser.post('/sign-in', { email: 'bob@acme.example', password: PASSWORD })
  const seen = await browser.follow(await browser.get(resume))
  const tokens = await exchange(config, new URL(seen.location!), asked)
  assert.equal(tokens.claims()?.sub, bob.id)
})

test('sign-in attacks: another account chosen on the consent page, after signing in on the way: the app gets that one', async () => {
  const browser = new Visitor(service.origin)
  const asked = await request(config, 'openid jobs:write')
  const signIn = (form: Seen, email: string) =>
    browser.submit(form, { email, password: PASSWORD }).then(seen => browser.follow(seen))
  const first = await signIn(await open(browser, asked), 'ada@acme.example')
  const other = /href="(\/sign-in\?again[^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&')
  const second = await signIn(await browser.get(other), 'bob@acme.example')
  assert.match(second.html, /bob@acme\.example/)
  const back = await browser.follow(await browser.submit(second, { decision: 'allow' }))
  const tokens = await exchange(config, new URL(back.location!), asked)
  assert.equal(tokens.claims()?.sub, bob.id)
})

test('sign-in attacks: response_mode=form_post: no script but the one in it, no target but the app, and no framing', async () => {
  const browser = await signedIn(service, 'ada@acme.example')
  const asked = await request(config, 'openid', { response_mode: 'form_post' })
  const stranger = await request(config, 'openid', { response_mode: 'form_post', prompt: 'none' })
  for (const seen of [await open(browser, asked), await open(new Visitor(service.origin), stranger)]) {
    const script = /<script>([\s\S]*?)<\/script>/.exec(seen.html)![1]!
    assert.match(seen.html, /<form method="post" action="https:\/\/app\.example\/callback">/)
    const policy = seen.headers.get('content-security-policy')!
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action https:\/\/app\.example(;|$)/)
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`), policy)
    assert.ok(!policy.includes('unsafe'))
    assert.equal(seen.headers.get('cache-control'), 'no-store')
    assert.equal(seen.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('sign-in attacks: a request with a redirect that is not the app’s puts nothing of it into the policy', async () => {
  const asked = await request(config, 'openid', { response_mode: 'form_post', redirect_uri: 'https://evil.example/cb' })
  const seen = await open(new Visitor(service.origin), asked)
  assert.equal(seen.status, 400)
  assert.ok(!seen.headers.get('content-security-policy')!.includes('evil.example'))
})

test('sign-in attacks: CORS: the origin of an app, not `null`, which every sandboxed frame has', async () => {
  const native = await appFor(service, workspace, { kind: 'native', redirectUris: ['com.example.app:/callback'] })
  const browserApp = await appFor(service, workspace, { kind: 'browser' })
  const ask = async (origin: string, { client_id }: IssuedApp) => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', client_id })
    const response = await fetch(`${service.origin}/oauth/token`, { method: 'POST', headers: { origin }, body })
    return ((await response.json()) as { error: string }).error
  }
  assert.equal(await ask('null', native), 'invalid_request')
  assert.equal(await ask('https://evil.example', browserApp), 'invalid_request')
  assert.equal(await ask(new URL(REDIRECT).origin, browserApp), 'invalid_grant')
})

test('sign-in attacks: a member who is removed while a token is being made: invalid_grant, and no token', async () => {
  const gone = await createMember(service, workspace, 'gone@acme.example', 'viewer')
  await removeUser(service.services.db, { workspace, user: gone.id })
  const tokens = new PostgresAdapter(service.services.db, 'AccessToken')
  const made = tokens.upsert(randomUUID(), { accountId: gone.id, clientId: app.client_id, grantId: 'x' }, 60)
  await assert.rejects(made, { error: 'invalid_grant' })
})

/** A proof of carla's address that has not become a session yet, and her password is changed: what it becomes. */
async function afterNewPassword(prove: (email: string) => Promise<Proof>): Promise<Admission | undefined> {
  const { services } = service
  const carla = await createMember(service, workspace, `carla-${randomUUID()}@acme.example`, 'viewer')
  const proof = await prove(carla.email!)
  await setPassword(services.db, services.passwords, { workspace, user: carla.id }, 'another long password')
  return admit(services, proof, { before: undefined, address: '192.0.2.1', userAgent: 'test' })
}

const ticketFor = async (kind: 'link' | 'choice', email: string): Promise<Proof> => {
  const { services } = service
  const token = randomUUID()
  const userIds = (await services.db.query(membersByEmail(email))).map(({ id }) => id)
  const ticket = { tokenHash: hashToken(token), kind, userIds, method: 'link', seconds: 600 } as const
  await services.db.query(insertTicket(ticket))
  return (await readTicket(services, kind, token))!
}

test('sign-in attacks: a new password ends everything that was proved before it and is no session yet', async () => {
  const { services } = service
  const byPassword = async (email: string): Promise<Proof> => ({
    members: await services.db.query(membersByEmail(email)),
    method: 'password',
    by: { passwordHash: await services.passwords.hash(email, PASSWORD) },
  })
  assert.equal(await afterNewPassword(byPassword), undefined, 'the old password, looked at a moment before')
  assert.equal(await afterNewPassword(email => ticketFor('link', email)), undefined)
  assert.equal(await afterNewPassword(email => ticketFor('choice', email)), undefined)
  const kept = await ticketFor('link', 'ada@acme.example')
  const visitor = { before: undefined, address: '192.0.2.1', userAgent: 'test' }
  assert.ok(await admit(services, kept, visitor), 'that of others stays')
})

test('sign-in attacks: a new password during a sign-in with the old one: whichever is first, no session of the old one is left', async () => {
  const { db, passwords } = service.services
  const dora = await createMember(service, workspace, 'dora@acme.example', 'viewer')
  for (let i = 0; i < 6; i++) {
    const [old, next] = i % 2 === 0 ? [PASSWORD, 'another long password'] : ['another long password', PASSWORD]
    const browsers = Array.from({ length: 4 }, () => new Visitor(service.origin))
    const tries = browsers.map(browser => browser.post('/sign-in', { email: 'dora@acme.example', password: old! }))
    await Promise.all([...tries, setPassword(db, passwords, { workspace, user: dora.id }, next!)])
    assert.deepEqual(await listSessions(db, { workspaceId: workspace, userId: dora.id }), [])
    for (const browser of browsers) assert.equal((await browser.get('/account')).status, 303)
    await db.query(sql`delete from sign_in_attempts`)
  }
})

test('sign-in attacks: a new password also revokes the grants of apps, so that a thief of the old one loses them too', async () => {
  const { db, passwords } = service.services
  const fred = await createMember(service, workspace, 'fred@acme.example', 'viewer')
  const asked = 'openid offline_access jobs:read'
  const thief = await tokensFor(config, await signedIn(service, 'fred@acme.example'), asked)
  const others = await tokensFor(config, await signedIn(service, 'bob@acme.example'), asked)
  assert.equal((await service.get('/me', thief.access_token)).status, 200)
  await setPassword(db, passwords, { workspace, user: fred.id }, 'another long password')
  assert.equal((await service.get('/me', thief.access_token)).status, 401)
  await assert.rejects(client.refreshTokenGrant(config, thief.refresh_token!), { error: 'invalid_grant' })
  assert.equal((await service.get('/me', others.access_token)).status, 200, 'those of others go on')
})

test('sign-in attacks: a sign-in never continues a session that someone else put into the browser', async () => {
  const attacker = await signedIn(service, 'bob@acme.example')
  const planted = attacker.cookie('hiring_session')!
  const victim = new Visitor(service.origin)
  victim.cookies.push({ name: 'hiring_session', value: planted, path: '/', attributes: '' })
  await victim.post('/sign-in', { email: 'ada@acme.example', password: PASSWORD })
  assert.notEqual(victim.cookie('hiring_session'), planted)
  assert.match((await victim.get('/account')).html, /ada@acme\.example/)
  assert.equal((await attacker.get('/account')).status, 303, 'what was planted has ended')
})

test('sign-in attacks: 401, not 500: the membership ends between the password and the session', async () => {
  const { services } = service
  const gone = await createMember(service, workspace, 'leaving@acme.example', 'viewer')
  const members = await services.db.query(membersByEmail('leaving@acme.example'))
  await removeUser(services.db, { workspace, user: gone.id })
  const by = { passwordHash: members[0]!.password_hash! }
  const visitor = { before: undefined, address: '192.0.2.1', userAgent: 'test' }
  assert.equal(await admit(services, { members, method: 'password', by }, visitor), undefined)
})

test('sign-in attacks: offline_access alone is enough for a refresh token, and the person is asked each time', async () => {
  const browser = await signedIn(service, 'ada@acme.example')
  for (let i = 0; i < 2; i++) {
    const asked = await request(config, 'openid offline_access jobs:read')
    const page = await open(browser, asked)
    assert.match(page.html, /Keep access when you are not using the app/)
    const back = await browser.follow(await browser.submit(page, { decision: 'allow' }))
    const tokens = await exchange(config, new URL(back.location!), asked)
    assert.equal(tokens.scope, 'openid offline_access jobs:read')
    assert.ok(tokens.refresh_token)
  }
  const silent = await tokensFor(config, browser, 'openid offline_access jobs:read', { prompt: 'none' })
  assert.equal(silent.refresh_token, undefined, 'no one was asked')
})

test('sign-in attacks: 503 with Retry-After while the database is unavailable, to apps and browsers, without the cause', async t => {
  const asked = await request(config, 'openid')
  const browser = await signedIn(service, 'ada@acme.example')
  const consent = await request(config, 'openid', { prompt: 'consent' })
  const interaction = pathOf((await open(browser, consent)).url)
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const body = new URLSearchParams({
    grant_type: 'refresh_token',
    refresh_token: 'x',
    client_id: app.client_id,
    client_secret: app.client_secret!,
  })
  t.mock.method(service.services.db, 'one', async () => {
    throw new DatastoreUnavailable('connection refused at 10.0.0.5')
  })
  const responses = [
    await fetch(`${service.origin}/oauth/token`, { method: 'POST', body }),
    await fetch(asked.url, { headers: { accept: 'text/html' }, redirect: 'manual' }),
    await fetch(service.origin + interaction, { headers: { cookie, accept: 'text/html' } }),
    await fetch(`${service.origin}/account`, { headers: { cookie, accept: 'text/html' } }),
    await fetch(`${service.origin}/sign-in`, { headers: { cookie, accept: 'text/html' } }),
  ]
  for (const response of responses) {
    assert.equal(response.status, 503)
    assert.ok(Number(response.headers.get('retry-after')) > 0)
    const text = await response.text()
    if (response.headers.get('content-type')?.includes('json')) assert.match(text, /server_error/)
    else {
      assert.match(text, /<h1>Temporarily unavailable/)
      assert.ok(text.includes(response.headers.get('service-request-id')!))
    }
    assert.ok(!text.includes('10.0.0.5'))
  }
})

test('sign-in attacks: a form that is cut off in the middle is no failure of ours', async t => {
  const errors = t.mock.method(service.services.log, 'error', () => {})
  const failures = t.mock.method(service.services.metrics, 'failure', () => {})
  const { hostname, port, origin } = new URL(service.origin)
  const socket = connect(Number(port), hostname)
  const type = 'Content-Type: application/x-www-form-urlencoded'
  socket.write(`POST /sign-in HTTP/1.1\r\nHost: x\r\nOrigin: ${origin}\r\n${type}\r\nContent-Length: 100\r\n\r\nemail=`)
  await once(socket, 'connect')
  // its response follows what was sent before it: the half form has arrived by then
  await new Visitor(service.origin).get('/sign-in')
  socket.resetAndDestroy()
  await once(socket, 'close')
  for (let i = 0; i < 20; i++) await new Visitor(service.origin).get('/sign-in')
  assert.equal(errors.mock.callCount(), 0)
  assert.equal(failures.mock.callCount(), 0)
})

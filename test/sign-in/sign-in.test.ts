import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { before, beforeEach, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { type HashSource, Passwords, passwordConcurrency } from '../../src/kernel/access/password.ts'
import { QueueFullError } from '../../src/kernel/async/bounded-queue.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { listKeys } from '../../src/resources/keys/index.ts'
import { changeRole, createUser, listUsers, removeUser, setPassword } from '../../src/resources/users/index.ts'
import { LINK_PROVES_SECONDS } from '../../src/sign-in/account.ts'
import { beginSession, endSession, IDLE_SECONDS, LIFETIME_SECONDS, listSessions } from '../../src/sign-in/sessions.ts'
import { CHEAP, startTestService, type TestService } from '../harness/service.ts'
import { appFor, REDIRECT } from './setup.ts'
import { type Seen, Visitor } from './visitor.ts'

let service: TestService
let workspace: string
const PASSWORD = 'correct horse battery'
const EMAIL = 'ada@acme.example'

const member = (email: string, role = 'member', inside = workspace, password: string | undefined = PASSWORD) => {
  const { db, passwords } = service.services
  return createUser(
    db,
    { workspace: inside, email, role, firstName: 'Ada', ...(password ? { password } : {}) },
    passwords,
  )
}

const signIn = (visitor: Visitor, email = EMAIL, password = PASSWORD, returnTo?: string) =>
  visitor.post('/sign-in', { email, password, ...(returnTo ? { return_to: returnTo } : {}) })

const forgetAttempts = () => service.services.db.query(sql`delete from sign_in_attempts`)

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  await member(EMAIL)
})

beforeEach(async () => {
  clock.reset()
  await forgetAttempts()
})

const visitor = () => new Visitor(service.origin)
const whoami = async (browser: Visitor) => (await browser.get('/sign-in')).location

test('sign-in page: a form that works without scripts, a strict policy, never cached', async () => {
  const page = await visitor().get('/sign-in?return_to=/console/keys')
  assert.equal(page.status, 200)
  assert.match(page.html, /<form method="post" action="\/sign-in">/)
  assert.match(page.html, /name="return_to" value="\/console\/keys"/)
  const policy = page.headers.get('content-security-policy')!
  assert.match(policy, /default-src 'none'/)
  assert.ok(!policy.includes('unsafe'))
  assert.match(policy, /frame-ancestors 'none'/)
  assert.equal(page.headers.get('cache-control'), 'no-store')
  assert.ok(!/<script(?![^>]*src=)|\son\w+=|style="/.test(page.html), 'nothing inline')
})

test('sign-in: COOP isolates every page from its opener, except the pages of a sign-in to an app', async () => {
  const policy = async (path: string) => (await visitor().get(path)).headers.get('cross-origin-opener-policy')
  assert.equal(await policy('/sign-in'), 'same-origin')
  assert.equal(await policy('/sign-in?return_to=/console'), 'same-origin')
  assert.equal(await policy('/sign-in?return_to=/oauth/interaction/x'), 'unsafe-none')
  assert.equal(await policy('/sign-in?return_to=//evil.example/oauth/interaction/x'), 'same-origin')
  assert.equal(await policy('/oauth/interaction/x'), 'unsafe-none')
  assert.equal(await policy('/account'), 'same-origin')
})

test('sign-in: 303: the right password begins a session whose cookie scripts and other sites cannot use', async () => {
  const browser = visitor()
  const response = await signIn(browser, ' ADA@acme.example ', PASSWORD, '/account?tab=1')
  assert.equal(response.status, 303)
  assert.equal(response.location, '/account?tab=1')
  const cookie = browser.set.find(line => line.startsWith('hiring_session='))!
  assert.match(cookie, /; HttpOnly/)
  assert.match(cookie, /; SameSite=Lax/)
  assert.match(cookie, /; Path=\//)
  assert.ok(!cookie.includes('Secure'), 'not behind TLS here')
  assert.equal(await whoami(browser), '/hiring')
  const token = browser.cookie('hiring_session')!
  const rows = await service.services.db.query(sql`select to_jsonb(s)::text as row from sessions s`)
  assert.ok(rows.length > 0)
  assert.ok(!JSON.stringify(rows).includes(token), 'only a hash is stored')
})

test('sign-in: https: cookies that only this host can set and only TLS carries; no form from without TLS', async () => {
  const publicUrl = 'https://hiring.example'
  const tls = await startTestService({ PUBLIC_URL: publicUrl, SECRET_KEY: 'a'.repeat(64) })
  const { id } = await tls.workspace()
  const { db, passwords } = tls.services
  await createUser(db, { workspace: id, email: EMAIL, role: 'member', password: PASSWORD }, passwords)
  const browser = new Visitor(publicUrl, () => tls.origin)
  const response = await signIn(browser)
  assert.equal(response.status, 303)
  assert.equal(response.headers.get('strict-transport-security'), 'max-age=31536000')
  const names = browser.set.map(line => line.split('=')[0])
  assert.deepEqual(names, [
    '__Host-hiring_session',
    '__Host-hiring_browser',
    '__Host-hiring_sign_in',
    '__Host-hiring_factor',
  ])
  for (const cookie of browser.set) assert.match(cookie, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
  assert.equal((await browser.get('/account')).status, 200)
  const plain = await new Visitor(publicUrl, () => tls.origin).get('/account', {
    cookie: `hiring_session=${browser.cookie('__Host-hiring_session')}`,
  })
  assert.equal(plain.status, 303, 'a cookie that a neighbour or a page without TLS could have set counts for nothing')

  const app = await appFor(tls, id)
  const asked = new URLSearchParams({
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const before = browser.set.length
  const led = await browser.get(`/oauth/authorize?${asked}`)
  assert.match(led.location!, /^\/oauth\/interaction\//)
  const cookies = browser.set.slice(before)
  assert.equal(cookies.length, 4, 'interaction and resumption, each with its signature; no second session')
  for (const cookie of cookies) {
    assert.match(cookie, /^__Secure-hiring_(interaction|resume).*; path=\/oauth\/.*; samesite=lax; secure; httponly/i)
  }
  assert.match((await browser.follow(led)).html, /Allow Payroll/)

  for (const origin of ['http://hiring.example', tls.origin]) {
    const refused = await browser.post('/sign-in', { email: EMAIL, password: PASSWORD }, { origin })
    assert.equal(refused.status, 403, `${origin}: a page without TLS is none of ours`)
  }
})

test('sign-in: 401: unknown account, wrong password, no password set: the same page', async () => {
  await member('links-only@acme.example', 'member', workspace, '')
  const wrong = await signIn(visitor(), EMAIL, 'wrong password!')
  const unknown = await signIn(visitor(), 'unknown@acme.example', 'wrong password!')
  const none = await signIn(visitor(), 'links-only@acme.example', '')
  const plain = (html: string) => html.replaceAll(/[\w-]+@acme\.example/g, 'E')
  assert.equal(wrong.status, 401)
  assert.equal(unknown.status, 401)
  assert.equal(none.status, 401)
  assert.equal(plain(unknown.html), plain(wrong.html))
  assert.equal(plain(none.html), plain(wrong.html))
  assert.match(wrong.html, /The email address or the password is wrong/)
  assert.deepEqual(wrong.headers.getSetCookie(), [])
})

test('sign-in: an unknown account takes as long as a known one: one computation each, of the same cost', async t => {
  await member('no-password@acme.example', 'member', workspace, '')
  const { passwords } = service.services
  const runs = t.mock.method(passwords.queue, 'run')
  const hashes = t.mock.method(passwords, 'hash')
  const emails = [EMAIL, 'unknown@acme.example', 'no-password@acme.example']
  for (const [i, email] of emails.entries()) {
    await signIn(visitor(), email, 'wrong password!')
    assert.equal(runs.mock.callCount(), i + 1, email)
    assert.match(await hashes.mock.calls[i]!.result!, /^scrypt:16:1:1:/)
  }
})

/** For tests in which sign-ins wait for one another: none times out on a slow machine. */
function passwordsWithLongTimeout(t: TestContext): Passwords {
  const { services } = service
  const before = services.passwords
  services.passwords = new Passwords(services.keyring, CHEAP, 600_000)
  t.after(() => {
    services.passwords = before
  })
  return services.passwords
}

test('sign-in: 503 with Retry-After when too many are signing in, the same for known and unknown; nothing was checked', async t => {
  const passwords = passwordsWithLongTimeout(t)
  const gate = Promise.withResolvers<void>()
  const stuck = Array.from({ length: 200 }, (_, i) =>
    passwords.queue.run({ from: `elsewhere ${i}` }, () => gate.promise),
  )
  const full = (await Promise.race([Promise.allSettled(stuck), visitor().get('/sign-in')])) as Seen
  assert.equal(full.status, 200, 'the page itself is there')
  const known = await signIn(visitor(), EMAIL, PASSWORD, '/account?tab=1')
  const unknown = await signIn(visitor(), 'unknown@acme.example', PASSWORD, '/account?tab=1')
  for (const response of [known, unknown]) {
    assert.equal(response.status, 503)
    assert.equal(response.headers.get('retry-after'), '5')
    assert.match(response.html, /Too many people are signing in right now/)
    assert.match(response.html, /name="return_to" value="\/account\?tab=1"/)
    assert.deepEqual(response.headers.getSetCookie(), [])
  }
  assert.equal(unknown.html.replaceAll('unknown@', 'ada@'), known.html)
  gate.resolve()
  const outcomes = await Promise.allSettled(stuck)
  assert.ok(outcomes.some(outcome => outcome.status === 'rejected' && outcome.reason instanceof QueueFullError))
  assert.equal((await signIn(visitor())).status, 303)
})

test('sign-in: one address takes at most half the queue; a known browser goes first', async t => {
  const passwords = passwordsWithLongTimeout(t)
  const own = visitor()
  await signIn(own)
  const gate = Promise.withResolvers<void>()
  const places = 16 * passwordConcurrency(availableParallelism())
  const busy = Array.from({ length: places / 16 }, () => passwords.queue.run({ from: 'x' }, () => gate.promise))
  const begun: (boolean | undefined)[] = []
  const run = passwords.queue.run.bind(passwords.queue)
  const asked = t.mock.method(passwords.queue, 'run', (caller: HashSource, work: () => Promise<unknown>) =>
    run(caller, () => {
      begun.push(caller.known)
      return work()
    }),
  )
  // An attempt is counted before it asks for a place: only one that has asked waits, or was refused.
  const untilAsked = async (count: number) => {
    while (asked.mock.callCount() < count) await setImmediate()
  }
  const crowd = Array.from({ length: 30 }, (_, i) =>
    signIn(visitor(), `crowd-${i}@acme.example`, 'wrong password!').then(response => response.status),
  )
  await untilAsked(30)
  const mine = signIn(own).then(response => response.status)
  await untilAsked(31)
  gate.resolve()
  await Promise.all(busy)
  const statuses = await Promise.all(crowd)
  assert.equal(statuses.filter(status => status === 401).length, places / 2)
  assert.equal(statuses.filter(status => status === 503).length, 30 - places / 2)
  assert.equal(await mine, 303)
  assert.deepEqual(begun, [true, ...Array(places / 2).fill(false)], 'the last to ask is the first to be served')
})

test('sign-in: 403: a form from another origin, from none, or with a wrong token changes nothing', async () => {
  const browser = visitor()
  const fields = { email: EMAIL, password: PASSWORD }
  for (const origin of ['https://evil.example', 'null', `${service.origin}.evil.example`]) {
    assert.equal((await browser.post('/sign-in', fields, { origin })).status, 403, origin)
  }
  const bare = await fetch(`${service.origin}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  assert.equal(bare.status, 403)
  assert.equal(browser.cookie('hiring_session'), undefined)

  await signIn(browser)
  assert.equal((await browser.post('/sign-out', {})).status, 403, 'no token')
  assert.equal((await browser.post('/sign-out', { csrf: 'x'.repeat(43) })).status, 403)
  assert.equal(await whoami(browser), '/hiring', 'still signed in')
})

test('sign-in: sign-out ends the session in the store, not only the cookie', async () => {
  const browser = visitor()
  await signIn(browser)
  const token = browser.cookie('hiring_session')!
  const account = await browser.get('/account')
  const out = await browser.submit(account, {}, { action: '/sign-out' })
  assert.equal(out.location, '/sign-in')
  assert.equal(browser.cookie('hiring_session'), undefined)
  const again = await visitor().get('/account', { cookie: `hiring_session=${token}` })
  assert.equal(again.status, 303)
})

test('sign-in: idle and absolute expiry, by the database clock', async () => {
  const browser = visitor()
  await signIn(browser)
  clock.advance((IDLE_SECONDS - 60) * 1000)
  assert.equal(await whoami(browser), '/hiring')
  clock.advance((IDLE_SECONDS - 60) * 1000)
  assert.equal(await whoami(browser), '/hiring', 'being used keeps it alive')
  clock.advance((IDLE_SECONDS + 60) * 1000)
  assert.equal(await whoami(browser), undefined, 'idle')

  clock.reset()
  const busy = visitor()
  await signIn(busy)
  for (let hours = 0; hours < LIFETIME_SECONDS / 3600 - 10; hours += 10) {
    clock.advance(10 * 3_600_000)
    assert.equal(await whoami(busy), '/hiring')
  }
  clock.advance(10 * 3_600_000)
  assert.equal(await whoami(busy), undefined, 'its time is over however busy it was')
})

test('sign-in: return_to: only a path of this service', async () => {
  for (const evil of [
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    '/\t/evil.example',
    '/.//evil.example',
  ]) {
    const response = await signIn(visitor(), EMAIL, PASSWORD, evil)
    assert.equal(response.location, '/hiring', evil)
    assert.ok(!(await visitor().get(`/sign-in?return_to=${encodeURIComponent(evil)}`)).html.includes('evil'))
  }
})

test('sign-in: one address in several workspaces: chosen after the password is proved, and only among those it is right for', async () => {
  const second = await service.workspace('starter', 'Globex <b>')
  const third = await service.workspace('starter', 'Initech')
  const email = 'many@acme.example'
  await member(email)
  await member(email, 'viewer', second.id)
  await member(email, 'owner', third.id, 'another password')
  const browser = visitor()
  const proved = await signIn(browser, email, PASSWORD, '/account')
  assert.equal(browser.cookie('hiring_session'), undefined, 'not signed in yet')
  const choice = await browser.follow(proved)
  assert.match(choice.html, /Acme/)
  assert.match(choice.html, /Globex &lt;b&gt;/)
  assert.ok(!choice.html.includes('Initech'), 'another password there')
  const stranger = await browser.submit(choice, { workspace: third.id })
  assert.equal(stranger.location, '/sign-in', 'not among those proved')
  const chosen = await browser.submit(choice, { workspace: second.id })
  assert.equal(chosen.location, '/account')
  assert.match((await browser.get('/account')).html, /Globex/)
  assert.equal((await browser.submit(choice, { workspace: workspace })).location, '/sign-in', 'spent')
})

test('sign-in: sessions are seen and ended from another browser', async () => {
  const user = await member('two@acme.example')
  const [one, two] = [visitor(), visitor()]
  await signIn(one, 'two@acme.example')
  await signIn(two, 'two@acme.example')
  const who = { workspaceId: workspace, userId: user.id }
  const sessions = await listSessions(service.services.db, who)
  assert.equal(sessions.length, 2)
  assert.equal(sessions[0]!.method, 'password')
  const page = await one.get('/account')
  const own = page.html.match(/This browser/g) ?? []
  assert.equal(own.length, 1)
  const other = /name="session" value="([0-9a-f-]{36})"/.exec(page.html)![1]!
  assert.equal((await one.submit(page, { session: other }, { action: '/account/sessions/end' })).status, 303)
  assert.equal(await whoami(two), undefined)
  assert.equal(await whoami(one), '/hiring')
  const stranger = visitor()
  await signIn(stranger)
  const [left] = await listSessions(service.services.db, who)
  await stranger.submit(await stranger.get('/account'), { session: left!.id }, { action: '/account/password' })
  assert.equal(await endSession(service.services.db, { ...who, userId: 'usr_x' }, left!.id), false)
  assert.equal(await whoami(one), '/hiring', "no one ends another person's session")
})

test('sign-in: a new password, a removed member: signed out immediately; a new role counts immediately', async () => {
  const { db, passwords } = service.services
  const user = await member('gone@acme.example')
  const who = { workspace, user: user.id }
  const browser = visitor()
  await signIn(browser, 'gone@acme.example')
  await setPassword(db, passwords, who, 'a newer password')
  assert.equal(await whoami(browser), undefined)
  await signIn(browser, 'gone@acme.example', 'a newer password')
  await changeRole(db, who, 'admin')
  assert.equal(await whoami(browser), '/console')
  await removeUser(db, who)
  assert.equal(await whoami(browser), undefined)
  assert.equal((await signIn(visitor(), 'gone@acme.example', 'a newer password')).status, 401)
})

test('sign-in: /account/password: needs the password it replaces, and keeps this session', async () => {
  const user = await member('own@acme.example')
  assert.ok(user)
  const [one, two] = [visitor(), visitor()]
  await signIn(one, 'own@acme.example')
  await signIn(two, 'own@acme.example')
  const page = await one.get('/account')
  const action = { action: '/account/password' }
  const wrong = await one.submit(page, { current: 'not this one', password: 'a newer password' }, action)
  assert.equal(wrong.status, 401)
  const short = await one.submit(page, { current: PASSWORD, password: 'short' }, action)
  assert.equal(short.status, 400)
  assert.match(short.html, /10 to 200 characters/)
  const easy = await one.submit(page, { current: PASSWORD, password: 'Acme-2026-Acme!' }, action)
  assert.equal(easy.status, 400)
  assert.match(easy.html, /easy to guess/)
  const done = await one.submit(page, { current: PASSWORD, password: 'a newer password' }, action)
  assert.equal(done.status, 303)
  assert.equal(await whoami(one), '/hiring')
  assert.equal(await whoami(two), undefined)
  assert.equal((await signIn(visitor(), 'own@acme.example')).status, 401)
  assert.equal((await signIn(visitor(), 'own@acme.example', 'a newer password')).status, 303)
})

test('sign-in: /account/password: a mailed link replaces the current password for half an hour, never longer', async () => {
  const { db } = service.services
  const action = { action: '/account/password' }
  for (const [email, password] of [
    ['forgot@acme.example', PASSWORD],
    ['never-had@acme.example', ''],
  ] as const) {
    const user = await member(email, 'member', workspace, password)
    const browser = visitor()
    const how = { method: 'link', address: '192.0.2.1', userAgent: 'test' } as const
    const token = await beginSession(db, { id: user.id, workspace_id: workspace }, how)
    browser.cookies.push({ name: 'hiring_session', value: token, path: '/', attributes: '' })
    const page = await browser.get('/account')
    clock.advance(LINK_PROVES_SECONDS * 1000 + 60_000)
    const late = await browser.submit(page, { current: '', password: 'a newer password' }, action)
    assert.equal(late.status, 401, 'a stranger at an open session cannot take over the account')
    assert.match(late.html, /sign out and sign in again with an emailed link/)
    clock.advance(-120_000)
    const done = await browser.submit(page, { current: '', password: 'a newer password' }, action)
    assert.equal(done.status, 303)
    assert.equal((await signIn(visitor(), email, 'a newer password')).status, 303)
    clock.reset()
  }
})

test('member removal: their API keys are revoked; what is left belongs to no user', async () => {
  const { db } = service.services
  const user = await member('keys@acme.example', 'admin')
  const key = await service.key({ workspace, userEmail: 'keys@acme.example' })
  assert.equal((await service.get('/me', key)).status, 200)
  await removeUser(db, { workspace, user: user.id })
  assert.equal((await service.get('/me', key)).status, 401)
  const row = (await listKeys(db, workspace)).find(({ id }) => id === key.id)!
  assert.equal(row.user_id, null)
  assert.ok(row.revoked_at)
})

test('sign-in: a workspace keeps an owner, also when the last two leave at the same moment', async () => {
  const { db } = service.services
  const { id } = await service.workspace('starter', 'Two owners')
  await member('second@acme.example', 'owner', id, '')
  const owners = (await listUsers(db, id)).map(user => ({ workspace: id, user: user.id }))
  assert.equal(owners.length, 2)
  const outcomes = await Promise.allSettled([removeUser(db, owners[0]!), changeRole(db, owners[1]!, 'member')])
  assert.equal(outcomes.filter(outcome => outcome.status === 'fulfilled').length, 1)
  assert.equal((await listUsers(db, id)).filter(user => user.role === 'owner').length, 1)
})

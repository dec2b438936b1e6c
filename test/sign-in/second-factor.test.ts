import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type { SecondFactorPolicy } from '../../src/contract/second-factor.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { codeOfStep, stepAt, stepOfCode } from '../../src/resources/second-factors/totp-rules.ts'
import { nextMail } from '../harness/next-mail.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appFor, createMember, PASSWORD, relyingParty, tokensFor } from './setup.ts'
import { type Seen, Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let people = 0

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  workspace = (await service.workspace('starter', 'Acme')).id
})

beforeEach(async () => {
  clock.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
  await setPolicy('optional')
})

const setPolicy = (policy: SecondFactorPolicy) =>
  service.services.db.query(sql`
    update workspace_settings set second_factor = ${policy} where workspace_id = ${workspace}`)

/** A new member who has typed the password in a new browser. */
async function arrival(role = 'member', email = `person-${++people}@acme.example`) {
  const user = await createMember(service, workspace, email, role)
  const browser = new Visitor(service.origin)
  return { user, email, browser, seen: await passwordOf(browser, email) }
}

const passwordOf = (browser: Visitor, email: string, returnTo = '/account') =>
  browser.post('/sign-in', { email, password: PASSWORD, return_to: returnTo })

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
function secretOn(page: Seen): Buffer {
  const text = /<code>([A-Z2-7 ]+)<\/code>/.exec(page.html)![1]!.replaceAll(' ', '')
  const bits = [...text].map(sign => BASE32.indexOf(sign).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
}

const codesOn = (page: Seen): string[] => page.html.match(/\b(?:[0-9a-z]{4}-){3}[0-9a-z]{4}\b/g) ?? []

const codeNow = async (secret: Buffer, steps = 0) => codeOfStep(secret, stepAt(await service.services.db.now()) + steps)

/** Sets up an authenticator app through the pages. */
async function enrol(browser: Visitor) {
  const factors = await browser.get('/account/second-factor')
  const setup = await browser.follow(await browser.submit(factors, {}, { action: '/account/second-factor/app' }))
  const secret = secretOn(setup)
  const done = await browser.submit(
    setup,
    { code: await codeNow(secret) },
    { action: '/account/second-factor/app/confirm' },
  )
  return { secret, setup, done, codes: codesOn(done) }
}

/** A member with an authenticator app, in whose next sign-in a new code is valid. */
async function enrolled(role?: string) {
  const person = await arrival(role)
  const { secret, codes } = await enrol(person.browser)
  clock.advance(60_000)
  return { ...person, secret, codes }
}

const isSignedIn = async (browser: Visitor) => (await browser.get('/account')).status === 200

const proveWith = async (browser: Visitor, code: string) =>
  browser.submit(await browser.get('/sign-in/second-factor?return_to=/account'), { code })

test('TOTP: the codes of RFC 6238, of one step before and after, and no others', () => {
  const secret = Buffer.from('12345678901234567890')
  const VECTORS = [
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const
  for (const [seconds, code] of VECTORS) {
    assert.equal(codeOfStep(secret, stepAt(seconds * 1000)), code)
    const at = (offset: number) => stepOfCode(secret, code, (seconds + offset) * 1000)
    assert.deepEqual(
      [-60, -30, 0, 30, 60].map(offset => at(offset) !== undefined),
      [false, true, true, true, false],
    )
  }
})

test('second factor: set up in the account: QR code and secret, 401 for a wrong code, then ten recovery codes shown once', async () => {
  const { browser, user, email } = await arrival()
  const other = new Visitor(service.origin)
  await passwordOf(other, email)
  const factors = await browser.get('/account/second-factor')
  const setup = await browser.follow(await browser.submit(factors, {}, { action: '/account/second-factor/app' }))
  assert.match(setup.html, /<svg class="qr"/)
  const secret = secretOn(setup)
  assert.equal(secret.length, 20)
  const [row] = await service.services.db.query(
    sql<{ secret_sealed: Buffer }>`select secret_sealed from authenticator_apps where user_id = ${user.id}`,
  )
  assert.ok(!row!.secret_sealed.includes(secret), 'sealed')
  const wrong = await browser.submit(setup, { code: '000000' }, { action: '/account/second-factor/app/confirm' })
  assert.deepEqual([wrong.status, secretOn(wrong).equals(secret)], [401, true])
  assert.match((await browser.get('/account')).html, /Set up a second factor/)

  const code = await codeNow(secret)
  const mail = nextMail(service)
  const done = await browser.submit(wrong, { code }, { action: '/account/second-factor/app/confirm' })
  const { to, subject } = await mail
  assert.deepEqual([to.address, subject], [email, 'An authenticator app was added'])
  const codes = codesOn(done)
  assert.deepEqual([done.status, new Set(codes).size, done.headers.get('cache-control')], [200, 10, 'no-store'])
  const page = await browser.get('/account/second-factor')
  assert.match(page.html, /10 of 10 codes are left/)
  assert.match(page.html, /An authenticator app was added/)
  assert.deepEqual(codesOn(page), [], 'not shown again')
  assert.equal((await browser.get('/account/second-factor/app')).status, 303, 'nor is the secret')
  assert.equal(await isSignedIn(other), false, 'sessions without the factor ended')
  const stored = await service.services.db.query(
    sql<{ text: string }>`select r::text as text from recovery_codes r where user_id = ${user.id}`,
  )
  assert.ok(
    stored.every(({ text }) => !codes.some(one => text.includes(one) || text.includes(one.replaceAll('-', '')))),
  )
})

test('second factor: a password alone begins no session; a code does, once, and 401 for a used, old or wrong one', async () => {
  const { email, secret } = await enrolled()
  const browser = new Visitor(service.origin)
  const first = await passwordOf(browser, email)
  assert.equal(first.location, '/sign-in/second-factor?return_to=%2Faccount')
  assert.equal(browser.cookie('hiring_session'), undefined)
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await proveWith(browser, '123456')).status, 401)
  assert.equal((await proveWith(browser, await codeNow(secret, -2))).status, 401)
  const code = await codeNow(secret)
  const done = await proveWith(browser, `${code.slice(0, 3)} ${code.slice(3)}`)
  assert.deepEqual([done.status, done.location], [303, '/account'])
  assert.equal(await isSignedIn(browser), true)
  assert.match((await browser.get('/account')).html, /with the password and an authenticator app/)

  const second = new Visitor(service.origin)
  await passwordOf(second, email)
  assert.equal((await proveWith(second, code)).status, 401, 'the same code again')
  assert.equal((await proveWith(second, await codeNow(secret, -1))).status, 401, 'one before it')
  assert.equal((await proveWith(second, await codeNow(secret, 1))).status, 303, 'the next one')
})

test('second factor: an emailed link asks for the code, too', async () => {
  const { email, secret } = await enrolled()
  const browser = new Visitor(service.origin)
  const mail = nextMail(service)
  await browser.post('/sign-in/link', { email })
  const link = new URL(/http\S+\/sign-in\/link\S+/.exec((await mail).text)![0])
  const used = await browser.submit(await browser.get(link.pathname + link.search))
  assert.equal(used.location, '/sign-in/second-factor')
  assert.equal(await isSignedIn(browser), false)
  assert.equal((await proveWith(browser, await codeNow(secret))).status, 303)
  assert.match((await browser.get('/account')).html, /with an emailed link and an authenticator app/)
})

test('second factor: a recovery code signs in once, however it is typed; new codes replace the old ones', async () => {
  const { email, codes, user } = await enrolled()
  const browser = new Visitor(service.origin)
  await passwordOf(browser, email)
  const typed = codes[0]!.toUpperCase().replaceAll('-', ' ')
  assert.equal((await proveWith(browser, typed)).status, 303)
  const page = await browser.get('/account/second-factor')
  assert.match(page.html, /9 of 10 codes are left/)
  assert.match(page.html, /A recovery code was used/)
  const other = new Visitor(service.origin)
  await passwordOf(other, email)
  assert.equal((await proveWith(other, codes[0]!)).status, 401)

  const renewed = codesOn(await browser.submit(page, {}, { action: '/account/second-factor/codes' }))
  assert.equal(renewed.length, 10)
  assert.equal((await proveWith(other, codes[1]!)).status, 401)
  assert.equal((await proveWith(other, renewed[0]!)).status, 303)
  const changes = await service.services.db.query(
    sql<{ change: string }>`select change from sign_in_changes where user_id = ${user.id} order by id`,
  )
  assert.deepEqual(
    changes.map(({ change }) => change),
    ['app_added', 'code_used', 'codes_made', 'code_used'],
  )
})

test('second factor: 429 after five wrong codes, also for the right one, until the window ends; a known browser is counted apart', async () => {
  const { email, secret, browser: known } = await enrolled()
  const stranger = new Visitor(service.origin)
  await passwordOf(stranger, email)
  for (let i = 0; i < 5; i++) assert.equal((await proveWith(stranger, '000000')).status, 401)
  const blocked = await proveWith(stranger, await codeNow(secret))
  assert.equal(blocked.status, 429)
  assert.ok(Number(blocked.headers.get('retry-after')) > 0)
  await known.submit(await known.get('/account'), {}, { action: '/sign-out' })
  await passwordOf(known, email)
  assert.equal((await proveWith(known, await codeNow(secret))).status, 303, 'its owner is not locked out')
  clock.advance(16 * 60_000)
  await passwordOf(stranger, email)
  assert.equal((await proveWith(stranger, await codeNow(secret))).status, 303)
})

test('second factor: the step after the password expires after ten minutes, and ends with a new password', async () => {
  const { email, secret, browser: inside } = await enrolled()
  const browser = new Visitor(service.origin)
  await passwordOf(browser, email)
  const page = await browser.get('/sign-in/second-factor')
  assert.equal(page.status, 200)
  const account = await inside.get('/account')
  await inside.submit(
    account,
    { current: PASSWORD, password: 'another fine password' },
    { action: '/account/password' },
  )
  assert.equal((await browser.submit(page, { code: await codeNow(secret) })).location, '/sign-in')
  assert.equal(await isSignedIn(browser), false)
  await browser.post('/sign-in', { email, password: 'another fine password' })
  clock.advance(11 * 60_000)
  assert.equal((await browser.get('/sign-in/second-factor')).location, '/sign-in')
})

test('second factor: changes need a proof of the last 15 minutes; without the app the account is as before', async () => {
  const { email, browser, secret } = await enrolled()
  clock.advance(16 * 60_000)
  const page = await browser.get('/account/second-factor')
  const refused = await browser.submit(page, {}, { action: '/account/second-factor/app/remove' })
  assert.equal(refused.location, '/account/confirm?return_to=%2Faccount%2Fsecond-factor')
  const asked = await browser.follow(refused)
  assert.match(asked.html, /Confirm that it is you/)
  assert.equal((await browser.submit(asked, { code: '000000' })).status, 401)
  const confirmed = await browser.submit(asked, { code: await codeNow(secret) })
  assert.deepEqual([confirmed.status, confirmed.location], [303, '/account/second-factor'])
  const mail = nextMail(service)
  const removed = await browser.submit(page, {}, { action: '/account/second-factor/app/remove' })
  assert.equal((await mail).subject, 'The authenticator app was removed')
  assert.equal(removed.location, '/account/second-factor')
  assert.match((await browser.follow(removed)).html, /Not set up/)
  assert.equal((await passwordOf(new Visitor(service.origin), email)).location, '/account')
})

test('second factor: removing one ends the other sessions; a session that proved it no longer satisfies the policy', async () => {
  const { email, browser, secret, user } = await enrolled()
  const other = new Visitor(service.origin)
  await passwordOf(other, email)
  await proveWith(other, await codeNow(secret))
  assert.equal(await isSignedIn(other), true)
  const { db } = service.services
  await db.query(sql`
    insert into passkeys (workspace_id, id, user_id, credential_id, public_key, counter, transports, backed_up, name)
    select ${workspace}, gen_random_uuid(), ${user.id}, ${user.id} || n, '\\x00', 0, '{}', false, 'Key ' || n
    from generate_series(1, 2) n`)
  await db.query(sql`
    update sessions set method = 'passkey', factor = 'passkey', factor_at = app_now() where user_id = ${user.id}`)
  await setPolicy('required')
  assert.equal(await isSignedIn(browser), true)
  const remove = async () =>
    browser.submit(
      await browser.get('/account/second-factor'),
      {},
      { action: '/account/second-factor/passkeys/remove' },
    )
  assert.equal((await remove()).status, 303)
  assert.equal(await isSignedIn(other), false, 'the others ended')
  assert.equal(await isSignedIn(browser), false, 'this one must prove another factor')
  const page = await browser.get('/account/second-factor')
  assert.match(page.html, /you removed the one that you signed in with/)
  assert.equal((await remove()).location, '/account/confirm?return_to=%2Faccount%2Fsecond-factor')
  clock.advance(60_000)
  const asked = await browser.get('/account/confirm?return_to=/account')
  assert.equal((await browser.submit(asked, { code: await codeNow(secret) })).location, '/account')
  assert.equal(await isSignedIn(browser), true)
})

test('second factor: a setup that was begun is over after 15 minutes: its secret is not shown, 400 for its code', async () => {
  const { browser, email } = await arrival()
  const factors = await browser.get('/account/second-factor')
  const setup = await browser.follow(await browser.submit(factors, {}, { action: '/account/second-factor/app' }))
  const secret = secretOn(setup)
  clock.advance(16 * 60_000)
  const later = new Visitor(service.origin)
  await passwordOf(later, email)
  assert.equal((await later.get('/account/second-factor/app')).location, '/account/second-factor')
  const csrf = /name="csrf" value="([^"]+)"/.exec((await later.get('/account')).html)![1]!
  const refused = await later.post('/account/second-factor/app/confirm', { csrf, code: await codeNow(secret) })
  assert.equal(refused.status, 400)
  assert.match(refused.html, /its setup was open for more than 15 minutes/)
  const { secret: fresh, done } = await enrol(later)
  assert.deepEqual([done.status, fresh.equals(secret)], [200, false])
})

test('second factor: 403 for a form of another site or without the token of the session', async () => {
  const { browser } = await arrival()
  const forged = await browser.post('/account/second-factor/app', {})
  assert.equal(forged.status, 403)
  const foreign = await browser.post('/account/confirm', { code: '1' }, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
})

test('policy: required: people without a factor are led to set one up, and can do nothing else until they did', async () => {
  const { browser } = await arrival('owner')
  const csrf = /name="csrf" value="([^"]+)"/.exec((await browser.get('/account')).html)![1]!
  await setPolicy('required_for_admins')
  const account = await browser.get('/account')
  assert.equal(account.location, '/sign-in?return_to=/account')
  const led = await browser.follow(account)
  assert.match(led.html, /Your workspace requires a second factor/)
  for (const path of ['/console', '/hiring', '/account']) assert.equal((await browser.get(path)).status, 303, path)
  for (const path of ['/console/api/session', '/hiring/api/session']) {
    const refused = await browser.get(path)
    assert.equal(refused.status, 403, path)
    assert.match(refused.html, /second_factor_required/)
  }
  const changed = await browser.post('/account/password', { csrf, current: PASSWORD, password: 'a new password here' })
  assert.equal(changed.location, '/sign-in?return_to=/account')
  const { done } = await enrol(browser)
  assert.equal(done.status, 200)
  assert.equal((await browser.get('/console')).status, 200)
  assert.equal((await browser.get('/console/api/session')).status, 200)
})

test('policy: required_for_admins asks owners and admins alone, required everyone; keys work as before', async () => {
  const [owner, admin, member] = [await arrival('owner'), await arrival('admin'), await arrival('member')]
  const key = await service.key({ workspace, userEmail: member.email })
  const usable = () => Promise.all([owner, admin, member].map(({ browser }) => isSignedIn(browser)))
  assert.deepEqual(await usable(), [true, true, true])
  await setPolicy('required_for_admins')
  assert.deepEqual(await usable(), [false, false, true])
  await setPolicy('required')
  assert.deepEqual(await usable(), [false, false, false])
  assert.equal((await service.get('/jobs', key)).status, 200)
  const out = await member.browser.submit(
    await member.browser.get('/account/second-factor'),
    {},
    { action: '/sign-out' },
  )
  assert.equal(out.location, '/sign-in')
})

test('id tokens: amr, acr and auth_time say how the person signed in; an app cannot go around the second factor', async () => {
  const app = await appFor(service, workspace)
  const config = await relyingParty(service.origin, app)
  const plain = await arrival()
  const one = (await tokensFor(config, plain.browser, 'openid')).claims()!
  assert.deepEqual([one['amr'], one['acr']], [['pwd'], 'urn:hiring:one-factor'])
  assert.ok(Math.abs(one['auth_time']! - (await service.services.db.now()) / 1000) < 600)

  const { email, secret } = await enrolled()
  const browser = new Visitor(service.origin)
  await passwordOf(browser, email)
  await assert.rejects(tokensFor(config, browser, 'openid'), /no response for the app/)
  await proveWith(browser, await codeNow(secret))
  const two = (await tokensFor(config, browser, 'openid')).claims()!
  assert.deepEqual([two['amr'], two['acr']], [['pwd', 'otp', 'mfa'], 'urn:hiring:two-factors'])
})

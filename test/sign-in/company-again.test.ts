import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readCompanyLog } from '../../src/resources/company-sign-in/index.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import type { TestService } from '../harness/service.ts'
import { type FakeProvider, startCompanyService, throughProvider } from './company-setup.ts'
import { allowed, appFor, createMember, exchange, open, relyingParty, request } from './setup.ts'
import { Visitor } from './visitor.ts'

const FACTORS = '/account/second-factor'

let service: TestService
let workspace: string
let fake: FakeProvider
let user: string
const EMAIL = 'ada@acme.example'

before(async () => {
  ;({ service, workspace, fake } = await startCompanyService())
  user = (await createMember(service, workspace, EMAIL, 'member')).id
})

after(() => fake.stop())

beforeEach(async () => {
  clock.reset()
  fake.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
})

const now = () => Math.floor(clock.now() / 1_000)

/** A sign-in of a person who authenticated so many seconds ago; undefined: the provider does not say. */
const enter = (browser: Visitor, secondsAgo: number | undefined, query = '') => {
  const at = secondsAgo === undefined ? {} : { auth_time: now() - secondsAgo }
  fake.person = { sub: 'ada', email: EMAIL, email_verified: true, ...at }
  return throughProvider(browser, fake, workspace, query)
}

/** Whether the person may set up a second factor now, for which they must have proved lately who they are. */
const mayChange = async (browser: Visitor): Promise<boolean> => {
  const { location } = await browser.submit(await browser.get(FACTORS), {}, { action: `${FACTORS}/app` })
  if (location === `${FACTORS}/app`) return true
  assert.equal(location, `/account/confirm?return_to=${encodeURIComponent(FACTORS)}`)
  return false
}

const failures = async () =>
  (await readCompanyLog(service.services.db, workspace)).filter(row => row.event === 'failed').map(row => row.detail)

test('company sign-in: counts as recent by auth_time of the provider, not by the begin of the session', async () => {
  for (const [secondsAgo, recent] of [
    [0, true],
    [800, true],
    [1_000, false],
    [undefined, false],
  ] as const) {
    const browser = new Visitor(service.origin)
    assert.equal((await enter(browser, secondsAgo)).status, 303)
    assert.equal(await mayChange(browser), recent, `${secondsAgo} seconds`)
  }
  assert.equal(fake.asked.get('max_age'), null)
  // ahead of the clocks: refused, and one within their difference counts as now
  assert.equal((await enter(new Visitor(service.origin), -3_600)).status, 403)
  assert.deepEqual((await failures())[0], { code: 'token_invalid', about: 'auth_time' })
  const ahead = new Visitor(service.origin)
  assert.equal((await enter(ahead, -50)).status, 303)
  clock.advance(880_000)
  assert.equal(await mayChange(ahead), true)
  clock.advance(30_000)
  assert.equal(await mayChange(ahead), false)
})

test('company sign-in: a confirmation asks with prompt=login and max_age=0, and counts only with a later auth_time', async () => {
  const browser = new Visitor(service.origin)
  await enter(browser, 5_000)
  const asked = await browser.get(`/account/confirm?return_to=${FACTORS}`)
  const query = `?again=1&return_to=${encodeURIComponent(FACTORS)}`
  assert.equal(asked.location, `/sign-in/company/${workspace}${query}`)

  // the provider ignores the question
  const silent = await enter(browser, 5_000, query)
  assert.deepEqual([fake.asked.get('prompt'), fake.asked.get('max_age')], ['login', '0'])
  assert.equal(silent.status, 403)
  assert.match(silent.html, /<code>not_authenticated_again<\/code>/)
  const unknown = await enter(browser, undefined, query)
  assert.match(unknown.html, /<code>auth_time_missing<\/code>/)
  assert.deepEqual((await failures()).slice(0, 2), [{ code: 'auth_time_missing' }, { code: 'not_authenticated_again' }])
  assert.equal((await browser.get('/account')).status, 200, 'the session is as before')
  assert.equal(await mayChange(browser), false)

  // a clock that is 50 seconds behind
  const done = await enter(browser, 50, query)
  assert.deepEqual([done.status, done.location], [303, FACTORS])
  assert.equal(await mayChange(browser), true)
  fake.hostility = { metadata: { prompt_values_supported: ['none', 'consent'] } }
  await enter(browser, 0, query)
  assert.deepEqual([fake.asked.get('prompt'), fake.asked.get('max_age')], [null, '0'])
})

test('company sign-in: the sign-in page passes on that the person has to authenticate again', async () => {
  const browser = new Visitor(service.origin)
  const form = await browser.get('/sign-in?again=1')
  const page = await browser.submit(form, { email: EMAIL })
  await browser.submit(page)
  assert.match(page.html, /name="again" value="1"/)
  assert.doesNotMatch((await browser.submit(await browser.get('/sign-in'), { email: EMAIL })).html, /name="again"/)
})

test('OpenID for apps: auth_time is when the person authenticated at the company; prompt=login and max_age need a new one', async () => {
  const config = await relyingParty(service.origin, await appFor(service, workspace))
  const browser = new Visitor(service.origin)
  await enter(browser, 400)
  const authenticated = now() - 400
  const tokens = async (extra: Record<string, string> = {}) => {
    const asked = await request(config, 'openid profile', extra)
    return (await exchange(config, await allowed(browser, asked), asked)).claims()!
  }
  const first = await tokens()
  assert.ok(Math.abs(Number(first.auth_time) - authenticated) <= 2, String(first.auth_time))
  assert.equal(Number((await tokens({ max_age: '900' })).auth_time), Number(first.auth_time))

  for (const extra of [{ max_age: '100' }, { prompt: 'login' }] as Record<string, string>[]) {
    const asked = await request(config, 'openid profile', extra)
    const start = await open(browser, asked)
    assert.match(start.url, new RegExp(`/sign-in/company/${workspace}\\?again=1&return_to=`))
    const query = new URL(start.url).search
    assert.equal((await enter(browser, 400, query)).status, 403)
    const back = await browser.follow(await enter(browser, 0, query))
    const at = new URL(
      (back.location ?? (await browser.follow(await browser.submit(back, { decision: 'allow' }))).location)!,
    )
    const claims = (await exchange(config, at, asked)).claims()!
    assert.ok(Number(claims.auth_time) > Number(first.auth_time) + 300)
  }

  // a provider that says no time: no claim, and any max_age is over
  await enter(browser, undefined)
  assert.equal((await tokens()).auth_time, undefined)
  const asked = await request(config, 'openid', { max_age: '900' })
  assert.match((await open(browser, asked)).url, /\/sign-in\/company\//)
})

test('company sign-in: without auth_time the second factor of the member confirms', async () => {
  const { db, keyring } = service.services
  const who = { workspace, user }
  await beginTotp(db, keyring, who)
  const secret = (await pendingTotp(db, keyring, who))!
  const code = async () => codeOfStep(secret, stepAt(await db.now()))
  assert.ok(await confirmTotp(db, keyring, who, await code(), '00000000-0000-4000-8000-000000000000'))
  clock.advance(60_000)
  const browser = new Visitor(service.origin)
  const step = await browser.follow(await enter(browser, undefined, '?again=1&return_to=/account'))
  assert.equal((await browser.submit(step, { code: await code() })).location, '/account')
  const row = await db.one(sql<{ authenticated_at: unknown; factor: string }>`
    select authenticated_at, factor from sessions where user_id = ${user} order by created_at desc limit 1`)
  assert.deepEqual(row, { authenticated_at: null, factor: 'totp' })
  const config = await relyingParty(service.origin, await appFor(service, workspace))
  const asked = await request(config, 'openid', { max_age: '600' })
  const claims = (await exchange(config, await allowed(browser, asked), asked)).claims()!
  assert.ok(Number(claims.auth_time) >= now() - 30)
})

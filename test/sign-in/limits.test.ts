import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Mail } from '../../src/kernel/mail/mail.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import type { IssuedApp } from '../../src/resources/connected-apps/index.ts'
import { countAttemptOf } from '../../src/sign-in/limits.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appFor, createMember, PASSWORD, relyingParty, request } from './setup.ts'
import { Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let app: IssuedApp
const EMAIL = 'ada@acme.example'
const UNKNOWN = 'unknown@acme.example'
const DAY = 86_400_000
const QUARTER = 900_000

before(async () => {
  service = await startTestService({ TRUST_PROXY: '127.0.0.1' })
  workspace = (await service.workspace('starter', 'Acme')).id
  await createMember(service, workspace, EMAIL)
  app = await appFor(service, workspace)
})

beforeEach(async () => {
  clock.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
})

/** A visitor at an outside address. */
const from = (address: string) => ({ 'x-forwarded-for': address })
const place = (n: number) => `198.51.${Math.floor(n / 250)}.${(n % 250) + 1}`

const signIn = (browser: Visitor, address: string, password = PASSWORD, email = EMAIL) =>
  browser.post('/sign-in', { email, password }, from(address))

const guess = (address: string, email = EMAIL) =>
  signIn(new Visitor(service.origin), address, 'a wrong password', email)

const askLink = (browser: Visitor, address: string, email = EMAIL) =>
  browser.post('/sign-in/link', { email }, from(address))

const rows = async (table: 'sign_in_attempts' | 'oidc_records') => {
  const count = table === 'oidc_records' ? sql`select 1 from oidc_records` : sql`select 1 from sign_in_attempts`
  return (await service.services.db.query(count)).length
}

/** Guesses from many addresses, ten each, until the account as a whole is exhausted, without asking for the page. */
async function exhaust(): Promise<void> {
  for (let n = 0; n < 10; n++) {
    const source = { account: EMAIL, address: place(n) }
    const waits = Array.from({ length: 10 }, () => countAttemptOf(service.services, 'password', source))
    assert.deepEqual(await Promise.all(waits), Array(10).fill(undefined))
  }
}

/** Tries from one address at as many accounts, without asking for the page. */
async function tryAccounts(address: string, count: number): Promise<void> {
  const accounts = Array.from({ length: count }, (_, i) => `a${i}@acme.example`)
  const waits = accounts.map(account => countAttemptOf(service.services, 'password', { account, address }))
  assert.deepEqual(await Promise.all(waits), Array(count).fill(undefined))
}

/** Guesses as they happen, ten from each address; returns how many were checked. */
async function guessUntilRefused(email = EMAIL): Promise<number> {
  for (let n = 0, checked = 0; ; n++) {
    assert.ok(n < 30, 'it never ends')
    for (let i = 0; i < 10; i++) {
      const { status } = await guess(place(n), email)
      if (status === 429) return checked
      assert.equal(status, 401)
      checked++
    }
  }
}

test('sign-in limits: 429: ten guesses at an account from an address, and the eleventh from it alone is refused', async () => {
  for (const email of [EMAIL, UNKNOWN]) {
    const first = await Promise.all(Array.from({ length: 6 }, () => guess('203.0.113.1', email)))
    const more = await Promise.all(Array.from({ length: 6 }, () => guess('203.0.113.1', email)))
    assert.deepEqual([...first, ...more].map(response => response.status).toSorted(), [
      ...Array(10).fill(401),
      429,
      429,
    ])
    const refused = await guess('203.0.113.1', email)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 800)
    assert.match(refused.html, /Too many attempts\. Request a sign-in link, or try again in 15 minutes\./)
    assert.equal((await guess('203.0.113.2', email)).status, 401, 'from elsewhere it is still checked')
  }
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.1')).status, 429, 'the right one does not help')
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.9')).status, 303, 'the owner is elsewhere')
  clock.advance(QUARTER)
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.1')).status, 303)
})

test('sign-in limits: 30 guesses a day at an account from one address, however patient', async () => {
  let checked = 0
  for (let hour = 0; hour < 5; hour++) {
    for (let i = 0; i < 11; i++) if ((await guess('203.0.113.1')).status === 401) checked++
    clock.advance(3_600_000)
  }
  assert.equal(checked, 30)
})

test('sign-in limits: 100 guesses a day at an account, known or not, from however many addresses', async () => {
  for (const email of [EMAIL, UNKNOWN]) {
    assert.equal(await guessUntilRefused(email), 100)
    const { status, headers } = await guess('203.0.113.7', email)
    assert.equal(status, 429, 'a new address gets none')
    assert.ok(Number(headers.get('retry-after')) > 80_000)
  }
  clock.advance(DAY)
  assert.equal((await guess('203.0.113.7')).status, 401)
})

test('sign-in limits: a browser in which the account was signed in before is not locked out by guesses from elsewhere', async () => {
  const own = new Visitor(service.origin)
  assert.equal((await signIn(own, '203.0.113.1')).status, 303)
  await own.submit(await own.get('/account'), {}, { action: '/sign-out' })
  await exhaust()
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.1')).status, 429, 'another browser is')
  assert.equal((await signIn(own, '203.0.113.1')).status, 303)
  assert.equal((await signIn(own, '192.0.2.200')).status, 303, 'wherever it goes')

  const cookie = own.cookie('hiring_browser')!
  const line = own.set.findLast(set => set.startsWith('hiring_browser='))!
  assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/)
  assert.ok(!Buffer.from(cookie, 'base64url').toString('latin1').includes('ada'), 'it names no one')
})

test('sign-in limits: a known browser has tries of its own: 10 in a quarter of an hour, 100 a day for all of them', async () => {
  const browsers = [new Visitor(service.origin), new Visitor(service.origin)]
  for (const browser of browsers) await signIn(browser, '203.0.113.1')
  let checked = 0
  for (let round = 0; round < 6; round++) {
    for (const [i, browser] of browsers.entries()) {
      for (let tries = 0; tries < 11; tries++) {
        // an address each time: what counts is the browser
        const { status } = await signIn(browser, place(round * 30 + i * 12 + tries), 'a wrong password')
        if (status === 401) checked++
        if (tries === 10) assert.equal(status, 429)
      }
    }
    clock.advance(QUARTER)
  }
  assert.equal(checked, 100)
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.1')).status, 303, 'strangers are counted apart')
})

test('sign-in limits: the cookie of a browser is good for its accounts alone, and cannot be made up', async () => {
  await createMember(service, workspace, 'eve@acme.example')
  const eve = new Visitor(service.origin)
  await signIn(eve, '203.0.113.66', PASSWORD, 'eve@acme.example')
  await exhaust()
  assert.equal((await signIn(eve, '203.0.113.66')).status, 429, 'known for her own account, not for his')
  for (const value of [
    'x',
    `${'a'.repeat(22)}.${'b'.repeat(22)}`,
    `${eve.cookie('hiring_browser')}.${'A'.repeat(22)}`,
  ]) {
    const headers = { cookie: `hiring_browser=${value}`, ...from('203.0.113.67') }
    const forged = await new Visitor(service.origin).post('/sign-in', { email: EMAIL, password: PASSWORD }, headers)
    assert.equal(forged.status, 429, value)
  }
  const both = new Visitor(service.origin)
  await both.post('/sign-in', { email: 'eve@acme.example', password: PASSWORD }, from('203.0.113.66'))
  clock.advance(DAY)
  await signIn(both, '203.0.113.66')
  await exhaust()
  assert.equal((await signIn(both, '203.0.113.66')).status, 303, 'one browser, two accounts')
})

test('sign-in limits: 100 tries from an address in a quarter of an hour, whichever accounts they name; nothing is taken from these', async () => {
  await tryAccounts('203.0.113.1', 99)
  assert.equal((await guess('203.0.113.1', 'last@acme.example')).status, 401)
  const before = await rows('sign_in_attempts')
  for (let i = 0; i < 20; i++) assert.equal((await guess('203.0.113.1', `b${i}@acme.example`)).status, 429)
  assert.equal(await rows('sign_in_attempts'), before, 'no row for an account that is only named')
  for (let i = 0; i < 20; i++) await guess('203.0.113.1')
  // all that the account has is still there
  await exhaust()
})

test('sign-in limits: a right password is no guess: the address has its tries back, also that of an office', async () => {
  await tryAccounts('203.0.113.1', 99)
  for (let i = 0; i < 3; i++) assert.equal((await signIn(new Visitor(service.origin), '203.0.113.1')).status, 303)
  for (let i = 0; i < 9; i++) await guess('203.0.113.2')
  assert.equal((await signIn(new Visitor(service.origin), '203.0.113.2')).status, 303)
  for (let i = 0; i < 10; i++) assert.equal((await guess('203.0.113.2')).status, 401, 'counted from zero')
})

test('sign-in limits: many who sign in at the same moment from one place do not hold one another up', async () => {
  const emails = Array.from({ length: 6 }, (_, i) => `crowd-${i}@acme.example`)
  for (const email of emails) await createMember(service, workspace, email, 'viewer')
  for (let round = 0; round < 5; round++) {
    const responses = await Promise.all(
      emails.map((email, i) =>
        signIn(new Visitor(service.origin), i % 2 ? '203.0.113.1' : '203.0.113.2', PASSWORD, email),
      ),
    )
    assert.deepEqual(
      responses.map(response => response.status),
      Array(6).fill(303),
    )
  }
})

test('sign-in limits: an IPv6 network is one address', async () => {
  for (let i = 0; i < 10; i++) assert.equal((await guess(`2001:db8:1:2::${i + 1}`)).status, 401)
  assert.equal((await guess('2001:db8:1:2:ffff::1')).status, 429)
  assert.equal((await guess('2001:db8:1:3::1')).status, 401)
})

/** Counts the emails that leave while `work` runs; the last one's link is left in `mails`. */
async function mailsDuring(work: () => Promise<void>): Promise<Mail[]> {
  const { services } = service
  const { mailer } = services
  const mails: Mail[] = []
  services.mailer = { check: () => mailer.check(), send: async mail => void mails.push(mail) }
  try {
    await work()
    // an email leaves behind its response: one more request that needs the store comes after it
    for (let i = 0; i < 20; i++) await new Visitor(service.origin).get('/sign-in/link?token=x')
    return mails
  } finally {
    services.mailer = mailer
  }
}

test('sign-in limits: 429: links are limited for an account at an address; elsewhere they can still be requested', async () => {
  for (const email of [EMAIL, UNKNOWN]) {
    for (let i = 0; i < 5; i++) {
      assert.equal((await askLink(new Visitor(service.origin), '203.0.113.1', email)).status, 200)
    }
    const refused = await askLink(new Visitor(service.origin), '203.0.113.1', email)
    assert.equal(refused.status, 429)
    assert.match(refused.html, /Too many links/)
    assert.ok(Number(refused.headers.get('retry-after')) > 3_000)
    assert.equal((await askLink(new Visitor(service.origin), '203.0.113.2', email)).status, 200)
  }
})

test('sign-in limits: no one can exhaust the links of an account: the mailbox always has a valid one', async () => {
  const pages = new Set<string>()
  const mails = await mailsDuring(async () => {
    for (let n = 0; n < 20; n++) {
      const response = await askLink(new Visitor(service.origin), place(n))
      assert.equal(response.status, 200)
      pages.add(response.html)
    }
  })
  assert.equal(mails.length, 3, 'nor fill the mailbox')
  assert.equal(pages.size, 1, 'the response is the same whether or not a mail leaves')
  // within the ten minutes, however long the requests above took
  clock.advance(540_000)
  const late = await mailsDuring(async () => {
    assert.equal((await askLink(new Visitor(service.origin), '192.0.2.1')).status, 200)
  })
  assert.equal(late.length, 0)
  const link = new URL(/http\S+/.exec(mails.at(-1)!.text)![0])
  const owner = new Visitor(service.origin)
  const page = await owner.get(link.pathname + link.search)
  assert.equal((await owner.submit(page)).status, 303, 'the last one that was sent, minutes before its end')
  const again = await mailsDuring(async () => {
    await askLink(new Visitor(service.origin), '192.0.2.1')
  })
  assert.equal(again.length, 1, 'a used link is replaced')
})

test('sign-in limits: a mailbox gets ten links in a day, then one in an hour, from however many addresses', async () => {
  let asked = 0
  const askOften = () =>
    mailsDuring(async () => {
      for (let n = 0; n < 4; n++) {
        const response = await askLink(new Visitor(service.origin), place(asked++))
        assert.equal(response.status, 200)
      }
    })
  const sent: number[] = []
  for (let i = 0; i < 6; i++) {
    sent.push((await askOften()).length)
    clock.advance(900_000)
  }
  assert.deepEqual(sent, [3, 3, 3, 2, 0, 0])
  clock.advance(3_600_000)
  assert.equal((await askOften()).length, 1)
})

test('sign-in limits: a link signs in while the password is exhausted', async () => {
  await exhaust()
  const [mail] = await mailsDuring(async () => {
    await askLink(new Visitor(service.origin), '192.0.2.1')
  })
  const link = new URL(/http\S+/.exec(mail!.text)![0])
  const browser = new Visitor(service.origin)
  assert.equal((await browser.submit(await browser.get(link.pathname + link.search))).status, 303)
  assert.equal((await signIn(browser, '192.0.2.1')).status, 303, 'and the browser is known from then on')
})

test('sign-in limits: an email that could not be sent does not count', async t => {
  const { services } = service
  t.mock.method(services.log, 'warn', () => {})
  const { mailer } = services
  let failed = 0
  services.mailer = {
    check: () => mailer.check(),
    send: async () => {
      failed++
      throw new Error('no route to the mail server')
    },
  }
  try {
    for (let n = 0; n < 5; n++) {
      await askLink(new Visitor(service.origin), place(n))
      while (failed <= n) await new Promise(setImmediate)
      // the count is taken back behind the failure
      while ((await rows('sign_in_attempts')) > 2 * (n + 1)) await new Promise(setImmediate)
    }
  } finally {
    services.mailer = mailer
  }
  assert.equal(failed, 5)
})

test('sign-in limits: 429: requests of apps are limited for an address, and what expired is removed', async () => {
  const config = await relyingParty(service.origin, app)
  const { url } = await request(config, 'openid')
  const authorize = (address: string) => new Visitor(service.origin).get(url.pathname + url.search, from(address))
  const { db } = service.services
  assert.equal((await authorize('203.0.113.1')).status, 303)
  const one = await rows('oidc_records')
  assert.ok(one > 0)
  await db.query(sql`update sign_in_attempts set used = 300`)
  const refused = await authorize('203.0.113.1')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(refused.html, /<h1>/)
  assert.equal(await rows('oidc_records'), one, 'nothing was stored')
  assert.equal((await authorize('203.0.113.2')).status, 303, 'elsewhere they go on')

  const member = new Visitor(service.origin)
  await signIn(member, '203.0.113.1')
  assert.equal((await member.get(url.pathname + url.search, from('203.0.113.1'))).status, 303, 'members count apart')
  clock.advance(3_700_000)
  await pruneOnce(db)
  assert.equal(await rows('oidc_records'), 0)
})

test('sign-in limits: endpoints of apps store nothing for unauthenticated callers', async () => {
  const before = await rows('oidc_records')
  const fields: Record<string, string>[] = [
    { grant_type: 'authorization_code', code: 'x', client_id: app.client_id, redirect_uri: 'https://app.example/cb' },
    { grant_type: 'refresh_token', refresh_token: 'x', client_id: app.client_id, client_secret: 'wrong' },
    { grant_type: 'client_credentials', client_id: app.client_id, client_secret: app.client_secret! },
    { grant_type: 'refresh_token', refresh_token: '\0', client_id: '\0' },
  ]
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect', '/oauth/userinfo']) {
    for (const body of fields) {
      const response = await fetch(service.origin + path, {
        method: 'POST',
        body: new URLSearchParams({ token: 'x', ...body }),
      })
      assert.ok(
        response.status === 200 || (response.status >= 400 && response.status < 500),
        `${path} ${response.status}`,
      )
    }
  }
  for (const path of ['/oauth/register', '/oauth/request', '/oauth/par', '/oauth/device/auth', '/oauth/reg']) {
    assert.equal((await fetch(service.origin + path, { method: 'POST' })).status, 404, path)
  }
  assert.equal(await rows('oidc_records'), before)
})

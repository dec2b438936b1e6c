import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { readCompanyLog } from '../../src/resources/company-sign-in/index.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { countAttemptOf } from '../../src/sign-in/limits.ts'
import { pruneOnce } from '../../src/workers/prune-rows.ts'
import type { TestService } from '../harness/service.ts'
import {
  CLIENT,
  type FakeProvider,
  providerUrl,
  startCompanyService,
  throughProvider,
  useProvider,
} from './company-setup.ts'
import { createMember, PASSWORD } from './setup.ts'
import { Visitor } from './visitor.ts'

let service: TestService
let workspace: string
let fake: FakeProvider

before(async () => {
  ;({ service, workspace, fake } = await startCompanyService())
  for (const name of ['ada', 'bob']) await createMember(service, workspace, `${name}@acme.example`, 'member')
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

test('back-channel logout: 400 ends nothing; one that the provider signed for this app is listed: iss, aud, iat, exp, jti, events, nonce, sub, typ, replay', async () => {
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
    [{ aud: 'another-app', events: undefined }, 'aud'],
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
  const logged = async () => (await readCompanyLog(service.services.db, workspace)).map(row => row.detail)
  for (const [claims, check, hostility = {}] of wrong) {
    fake.hostility = hostility
    const before = await logged()
    assert.equal(await post(fake.logoutToken({ sub: 'ada', ...claims })), 400, check)
    // anyone can send what is not signed, or signed for another app: it must not displace what owners look for
    const listed = ['signature', 'aud'].includes(check) ? [] : [{ code: 'logout_invalid', about: check }]
    assert.deepEqual(await logged(), [...listed, ...before])
  }
  fake.hostility = {}
  const before = await logged()
  for (const text of ['no token', '', 'a.b.c']) assert.equal(await post(text), 400)
  assert.deepEqual(await logged(), before)
  assert.deepEqual(await signedIn(browser), [true])

  const token = fake.logoutToken({ sub: 'bob' })
  assert.equal(await post(token), 200)
  assert.equal(await post(token), 400)
  assert.deepEqual((await logged())[0], { code: 'logout_invalid', about: 'jti' })
  assert.equal(await post(fake.logoutToken({ sub: 'ada' }), 'wsp_00000000000000000000'), 404)
})

const READ = ['/.well-known/openid-configuration', '/keys']

test('back-channel logout: the provider is asked for its keys once in five minutes, for an unknown key once a minute', async () => {
  const send = async (hostility: FakeProvider['hostility'] = {}): Promise<[status: number, requests: string[]]> => {
    fake.hostility = hostility
    const token = fake.logoutToken({ sub: 'bob' })
    fake.hostility = { respond: hostility.respond ?? {} }
    fake.requests.length = 0
    const status = await post(token)
    return [status, [...fake.requests]]
  }
  const unknown = { header: { kid: 'two' } }
  clock.advance(3_600_000)
  assert.deepEqual(await send(), [200, READ])
  for (const hostility of [{}, { foreignKey: true }, unknown, unknown] as const)
    assert.deepEqual((await send(hostility))[1], [], JSON.stringify(hostility))

  clock.advance(61_000)
  assert.deepEqual(await send(), [200, []])
  assert.deepEqual(await send(unknown), [400, READ])
  assert.deepEqual(await send(unknown), [400, []])

  // a provider that fails is not asked by each caller, and known keys stay valid
  const down = {
    respond: { '/keys': (_, response) => response.writeHead(500).end() },
  } satisfies FakeProvider['hostility']
  clock.advance(61_000)
  assert.deepEqual(await send({ ...unknown, ...down }), [400, READ])
  assert.deepEqual(await send({ ...unknown, ...down }), [400, []])
  assert.deepEqual(await send(down), [200, []])
  clock.advance(300_000)
  assert.deepEqual(await send(down), [400, READ])
  assert.deepEqual(await send(), [400, []])
  clock.advance(11_000)
  assert.deepEqual(await send(), [200, READ])
})

test('back-channel logout: 429 after 300 refused tokens from one address; those that the provider signed are not counted', async () => {
  const used = async () => (await service.services.db.query(sql`select 1 from sign_in_attempts where used > 0`)).length
  for (let n = 0; n < 3; n++) assert.equal(await post(fake.logoutToken({ sub: 'bob' })), 200)
  assert.equal(await used(), 0)
  const source = { account: workspace, address: '127.0.0.1' }
  for (let n = 0; n < 300; n++)
    assert.equal(await countAttemptOf(service.services, 'company logout', source), undefined)
  assert.equal(await post('no token'), 429)
  await service.services.db.query(sql`delete from sign_in_attempts`)
  assert.equal(await post('no token'), 400)
  assert.equal(await used(), 2)
})

/** A sign-in during which something happens after the provider issued the code, and before it responds to the exchange. */
async function enterWhile(person: Record<string, unknown>, during: () => Promise<unknown>) {
  fake.reset({ email: `${person['sub']}@acme.example`, email_verified: true, ...person })
  fake.hostility = { before: { '/token': async () => void (await during()) } }
  const browser = new Visitor(service.origin)
  const seen = await throughProvider(browser, fake, workspace)
  fake.hostility = {}
  return { browser, seen }
}

const tickets = async () => (await service.services.db.query(sql`select 1 from sign_in_tickets`)).length

test('back-channel logout during its sign-in: 403 signed_out, no session; another person, sid or earlier logout is none', async () => {
  const cases: readonly (readonly [logout: Record<string, unknown>, sid: string | undefined, ends: boolean])[] = [
    [{ sub: 'ada' }, 's1', true],
    [{ sub: 'ada' }, undefined, true],
    [{ sid: 's2' }, 's2', true],
    [{ sub: 'ada', sid: 's3' }, 's3', true],
    [{ sub: 'ada', sid: 's4' }, undefined, true],
    [{ sub: 'ada', sid: 's5' }, 's6', false],
    [{ sub: 'bob', sid: 's7' }, 's7', false],
    [{ sid: 's8' }, undefined, false],
    [{ sub: 'bob' }, 's9', false],
  ]
  for (const [logout, sid, ends] of cases) {
    const about = JSON.stringify([logout, sid])
    const person = { sub: 'ada', ...(sid === undefined ? {} : { sid }) }
    const { browser, seen } = await enterWhile(person, async () =>
      assert.equal(await post(fake.logoutToken(logout)), 200),
    )
    assert.equal(seen.status, ends ? 403 : 303, about)
    if (ends) assert.match(seen.html, /<code>signed_out<\/code>/)
    assert.deepEqual(await signedIn(browser), [!ends], about)
    // a sign-in that began after the logout is another one
    assert.deepEqual(await signedIn(await enter('ada', sid)), [true], about)
  }

  // the person waits at the provider for as long as they may, and the rows are pruned in between
  const { seen } = await enterWhile({ sub: 'ada' }, async () => {
    await post(fake.logoutToken({ sub: 'ada' }))
    clock.advance(590_000)
    await pruneOnce(service.services.db)
  })
  assert.equal(seen.status, 403)
})

test('back-channel logout during its sign-in: no ticket for the second factor is left', async () => {
  const { id: user } = await createMember(service, workspace, 'eve@acme.example', 'member')
  const who = { workspace, user }
  const { db, keyring } = service.services
  await beginTotp(db, keyring, who)
  const code = codeOfStep((await pendingTotp(db, keyring, who))!, stepAt(await db.now()))
  assert.ok(await confirmTotp(db, keyring, who, code, '00000000-0000-4000-8000-000000000000'))
  const logout = async () => assert.equal(await post(fake.logoutToken({ sub: 'eve' })), 200)
  assert.equal((await enterWhile({ sub: 'eve' }, logout)).seen.status, 403)
  assert.equal(await tickets(), 0)
  assert.equal((await enterWhile({ sub: 'eve' }, async () => {})).seen.location, '/sign-in/second-factor')
  assert.equal(await tickets(), 1)
  await logout()
  assert.equal(await tickets(), 0)
})

test('back-channel logout at the same time as the write of its session: ends it, whichever has the lock first', async () => {
  const { db } = service.services
  const waiting = async (most: number) => {
    const blocked = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await db.query(blocked)).length < most) await setImmediate()
  }
  for (const first of ['sign-in', 'logout'] as const) {
    fake.reset({ sub: 'ada', email: 'ada@acme.example', email_verified: true })
    const browser = new Visitor(service.origin)
    const left = await browser.submit(await browser.get(`/sign-in/company/${workspace}`))
    const back = new URL(fake.authorize(providerUrl(left)!))
    const token = fake.logoutToken({ sub: 'ada' })
    const steps = [() => browser.get(back.pathname + back.search), async () => ({ status: await post(token) })]
    if (first === 'logout') steps.reverse()
    const begun = await db.transaction(async tx => {
      await tx.query(sql`select 1 from company_sign_in where workspace_id = ${workspace} for no key update`)
      const one = steps[0]!()
      await waiting(1)
      const two = steps[1]!()
      await waiting(2)
      return [one, two] // not awaited here: they end after the lock
    })
    // PostgreSQL may give the lock to either: the logout then ends the session, or the sign-in is refused
    const statuses = await Promise.all(begun.map(async step => (await step).status))
    assert.match(statuses.sort().join(), /^200,(?:303|403)$/)
    assert.deepEqual(await signedIn(browser), [false], first)
  }
})

test('back-channel logout: a token of one workspace ends nothing in another with the same provider', async () => {
  const other = (await service.workspace('enterprise', 'Other')).id
  await createMember(service, other, 'ada@other.example', 'member')
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

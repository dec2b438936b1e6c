import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { disconnectMember, readCompanyLog, removeCompanySignIn } from '../../src/resources/company-sign-in/index.ts'
import { beginTotp, confirmTotp, pendingTotp } from '../../src/resources/second-factors/index.ts'
import { codeOfStep, stepAt } from '../../src/resources/second-factors/totp-rules.ts'
import { changeRole } from '../../src/resources/users/index.ts'
import { nextMail } from '../harness/next-mail.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { CLIENT, FakeProvider, providerUrl, throughProvider, useProvider } from './company-setup.ts'
import { allowed, appFor, createMember, PASSWORD, type Request } from './setup.ts'
import { type Seen, Visitor } from './visitor.ts'

const PUBLIC = 'https://hiring.example'
const SESSION = '__Host-hiring_session'

let service: TestService
/** another installation, whose OpenID provider the company uses */
let idp: TestService
let fake: FakeProvider
let domains = 0

before(async () => {
  fake = await FakeProvider.start()
  idp = await startTestService({ ROLES: 'api' })
  service = await startTestService({
    ROLES: 'api',
    PUBLIC_URL: PUBLIC,
    DEMO: 'off',
    COMPANY_SIGN_IN_ALLOW_HOSTS: `${fake.host},${new URL(idp.origin).host}`,
  })
})

after(() => fake.stop())

beforeEach(async () => {
  clock.reset()
  fake.reset()
  await service.services.db.query(sql`delete from sign_in_attempts`)
})

const visitor = () => new Visitor(PUBLIC, () => service.origin)

/** A workspace that uses the provider of these tests, for a domain of its own. */
async function company(input: Parameters<typeof useProvider>[2] = {}) {
  const domain = `acme-${++domains}.example`
  const { id: workspace } = await service.workspace('enterprise', `Acme ${domains}`)
  const settings = { issuer: fake.issuer, ...CLIENT, domains: [domain], enabled: true, ...input }
  await useProvider(service, workspace, settings)
  const change = (next: Parameters<typeof useProvider>[2]) => useProvider(service, workspace, next)
  return { workspace, domain, change }
}

/** Signs in as a person at the provider. */
async function enter(
  workspace: string,
  person: Record<string, unknown>,
  browser = visitor(),
  query = '',
): Promise<Seen> {
  fake.person = { email_verified: true, ...person }
  return throughProvider(browser, fake, workspace, query)
}

const failed = (seen: Seen, code: string) => {
  assert.equal(seen.status, 403, seen.html)
  assert.ok(seen.html.includes(`<code>${code}</code>`), seen.html)
}

const roleOf = async (workspace: string, id: string): Promise<string | undefined> =>
  (
    await service.services.db.one(
      sql<{ role: string }>`select role from users where workspace_id = ${workspace} and id = ${id}`,
    )
  )?.role

const logged = async (workspace: string) => (await readCompanyLog(service.services.db, workspace)).map(row => row.event)

test('company sign-in: a conformant provider (this product, another installation): created with the role of a claim, 303 into the product', async () => {
  const { id: workspace } = await service.workspace('enterprise', 'Globex')
  const home = (await idp.workspace('enterprise', 'Globex staff')).id
  const redirect = `${PUBLIC}/sign-in/company/${workspace}/callback`
  const app = await appFor(idp, home, { redirectUris: [redirect], scopes: ['profile', 'email'] })
  await createMember(idp, home, 'ada@globex.example', 'admin')
  const staff = new Visitor(idp.origin)
  // an emailed link verifies the address at the provider
  await idp.services.db.query(sql`update users set is_verified = true where workspace_id = ${home}`)
  assert.equal((await staff.post('/sign-in', { email: 'ada@globex.example', password: PASSWORD })).status, 303)
  await useProvider(service, workspace, {
    issuer: idp.origin,
    client_id: app.client_id,
    client_secret: app.client_secret!,
    domains: ['globex.example'],
    enabled: true,
    creates_members: true,
    role_claim: 'workspace_role',
    role_rules: [{ value: 'admin', role: 'member' }],
  })
  const browser = visitor()
  const asked = await browser.post('/sign-in', { email: 'someone@globex.example', return_to: '/account' })
  assert.equal(asked.status, 200)
  assert.ok(!asked.html.includes('someone'), 'the address is not readable in the page')
  const left = await browser.submit(asked)
  assert.equal(left.status, 200)
  const url = providerUrl(left)!
  assert.equal(url.origin, idp.origin)
  assert.equal(url.searchParams.get('login_hint'), 'someone@globex.example')
  assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
  const back = await allowed(staff, { url } as Request)
  const entered = await browser.get(back.pathname + back.search)
  assert.equal(entered.status, 303, entered.html)
  assert.equal(entered.location, '/account')
  const account = await browser.get('/account')
  assert.match(account.html, /Ada Byron · ada@globex\.example · member of Globex/)
  assert.match(account.html, /signed in through your company/)
  assert.deepEqual(await logged(workspace), ['created', 'changed'])
})

test('company sign-in: links a member by verified address once, later by subject alone, whatever the address', async () => {
  const { workspace, domain } = await company()
  const ada = await createMember(service, workspace, `ada@${domain}`, 'member')
  const browser = visitor()
  assert.equal((await enter(workspace, { sub: 'ada', email: `ADA@${domain}` }, browser)).location, '/hiring')
  assert.ok(browser.cookie(SESSION))
  // the address moved to another person at the provider, and the first person has a new one
  assert.equal(
    (await enter(workspace, { sub: 'ada', email: 'new@elsewhere.example', email_verified: false })).status,
    303,
  )
  failed(await enter(workspace, { sub: 'other', email: `ada@${domain}` }), 'account_mismatch')
  assert.equal(await disconnectMember(service.services.db, workspace, ada.id, 'operator'), true)
  assert.equal((await enter(workspace, { sub: 'other', email: `ada@${domain}` })).status, 303)
  failed(await enter(workspace, { sub: 'ada', email: `ada@${domain}` }), 'account_mismatch')
})

test('company sign-in: refused: no address, unverified, another domain, no membership; each is shown to the owners', async () => {
  const { workspace, domain, change } = await company()
  await createMember(service, workspace, `ada@${domain}`, 'member')
  await createMember(service, workspace, 'guest@elsewhere.example', 'member')
  failed(await enter(workspace, { sub: '1' }), 'email_missing')
  failed(await enter(workspace, { sub: '1', email: `ada@${domain}`, email_verified: false }), 'email_unverified')
  failed(await enter(workspace, { sub: '1', email: `ada@${domain}`, email_verified: undefined }), 'email_unverified')
  failed(await enter(workspace, { sub: '1', email: 'guest@elsewhere.example' }), 'domain_not_allowed')
  failed(await enter(workspace, { sub: '1', email: `new@${domain}` }), 'no_account')
  const rows = await readCompanyLog(service.services.db, workspace)
  assert.deepEqual(
    rows.filter(row => row.event === 'failed').map(row => row.detail),
    ['no_account', 'domain_not_allowed', 'email_unverified', 'email_unverified', 'email_missing'].map(code => ({
      code,
    })),
  )
  await change({ trusts_email: true })
  failed(await enter(workspace, { sub: '1', email: `ada@${domain}`, email_verified: false }), 'email_unverified')
  assert.equal((await enter(workspace, { sub: '1', email: `ada@${domain}`, email_verified: undefined })).status, 303)
})

test('company sign-in: roles follow the claim at each sign-in; the highest wins; an owner is neither made nor unmade', async () => {
  const { workspace, domain } = await company({
    creates_members: true,
    role_claim: 'realm_access.roles',
    role_rules: [
      { value: 'readers', role: 'viewer' },
      { value: 'recruiters', role: 'member' },
      { value: 'leads', role: 'admin' },
    ],
  })
  const roles = (...list: string[]) => ({ realm_access: { roles: list } })
  const person = { sub: 'eve', email: `eve@${domain}`, given_name: 'Eve', family_name: 'Stone' }
  const browser = visitor()
  assert.equal((await enter(workspace, { ...person, ...roles('leads', 'readers') }, browser)).location, '/console')
  const eve = (await service.services.db.one(
    sql<{ id: string; first_name: string; is_verified: boolean }>`
      select id, first_name, is_verified from users where workspace_id = ${workspace} and email = ${person.email}`,
  ))!
  assert.deepEqual([eve.first_name, eve.is_verified, await roleOf(workspace, eve.id)], ['Eve', true, 'admin'])
  assert.equal(fake.asked.get('scope'), 'openid email profile')
  fake.hostility = { metadata: { scopes_supported: ['openid', 'email', 'groups', 'phone'] } }
  await enter(workspace, { ...person, ...roles('recruiters', 'x') })
  assert.equal(fake.asked.get('scope'), 'openid email groups', 'groups only where the provider has the scope')
  fake.hostility = {}
  assert.equal(await roleOf(workspace, eve.id), 'member')
  const owner = await createMember(service, workspace, `boss@${domain}`, 'owner')
  const boss = visitor()
  assert.equal((await boss.post('/sign-in', { email: `boss@${domain}`, password: PASSWORD })).status, 303)
  for (const claims of [roles('readers'), roles()])
    assert.equal((await enter(workspace, { sub: 'boss', email: `boss@${domain}`, ...claims }, boss)).status, 303)
  assert.equal(await roleOf(workspace, owner.id), 'owner')
  assert.deepEqual((await logged(workspace)).filter(event => event === 'role_changed').length, 1)
})

test('company sign-in: who loses the role by claim loses sessions, links and key scopes immediately, and gets them back with it', async () => {
  const { workspace, domain } = await company({
    role_claim: 'groups',
    role_rules: [{ value: 'hiring', role: 'member' }],
  })
  const ada = await createMember(service, workspace, `ada@${domain}`, 'member')
  const key = await service.key({ workspace, userEmail: `ada@${domain}`, scopes: ['jobs:read'] })
  const [first, second] = [visitor(), visitor()]
  const person = { sub: 'ada', email: `ada@${domain}` }
  assert.equal((await enter(workspace, { ...person, groups: ['hiring'] }, first)).status, 303)
  assert.equal((await second.post('/sign-in', { email: person.email, password: PASSWORD })).status, 303)
  assert.equal((await service.get('/jobs', key)).status, 200)

  failed(await enter(workspace, { ...person, groups: ['sales'] }), 'no_role')
  assert.match((await first.get('/account')).location!, /^\/sign-in/)
  assert.match((await second.get('/account')).location!, /^\/sign-in/)
  assert.equal((await service.get('/jobs', key)).status, 403)
  const again = await visitor().post('/sign-in', { email: person.email, password: PASSWORD })
  assert.equal(again.status, 401)
  assert.equal(await roleOf(workspace, ada.id), 'member')
  // a change of the role by an owner does not give the keys back
  await changeRole(service.services.db, { workspace, user: ada.id }, 'viewer')
  assert.equal((await service.get('/jobs', key)).status, 403)

  assert.equal((await enter(workspace, { ...person, groups: ['hiring'] })).status, 303)
  assert.equal((await service.get('/jobs', key)).status, 200)
  assert.deepEqual(
    (await logged(workspace)).filter(event => event !== 'failed'),
    ['role_changed', 'restored', 'refused', 'linked', 'changed'],
  )
})

test('company sign-in: enforced: passwords, links and earlier sessions of the domain end; owners and other workspaces keep theirs', async () => {
  const { workspace, domain, change } = await company()
  const email = `ada@${domain}`
  const ada = await createMember(service, workspace, email, 'member')
  await createMember(service, workspace, `boss@${domain}`, 'owner')
  const browser = visitor()
  assert.equal((await browser.post('/sign-in', { email, password: PASSWORD })).status, 303)
  await service.services.db.query(sql`
    insert into sign_in_tickets (token_hash, kind, user_ids, method, expires_at)
    values (encode(sha256('mailed'), 'hex'), 'link', array[${ada.id}], 'link', app_now() + interval '1 hour')`)
  assert.equal((await visitor().get('/sign-in/link?token=mailed')).status, 200)

  await change({ enforced: true })
  assert.match((await browser.get('/account')).location!, /^\/sign-in/)
  // the page is the same for every address of the domain
  const texts: string[] = []
  for (const typed of [email, `stranger@${domain}`, `boss@${domain}`]) {
    const password = typed === email ? PASSWORD : 'a wrong password'
    const seen = await visitor().post('/sign-in', { email: typed, password })
    assert.equal(seen.status, 200)
    texts.push(seen.html.replace(/name="hint" value="[\w-]+/, ''))
  }
  assert.deepEqual(texts, [texts[0], texts[0], texts[0]])
  assert.equal((await visitor().post('/sign-in/link', { email })).html.includes('Continue to'), true)
  assert.equal((await visitor().get('/sign-in/link?token=mailed')).location, `/sign-in/company/${workspace}`)
  assert.equal((await visitor().post('/sign-in/link/use', { token: 'mailed' })).status, 410)
  // asked for explicitly: refused as a wrong password is, but not for an owner
  const other = (typed: string) => visitor().post('/sign-in', { email: typed, password: PASSWORD, with: 'address' })
  assert.equal((await other(email)).status, 401)
  assert.equal((await other(`boss@${domain}`)).status, 303)
  assert.equal((await visitor().post('/sign-in', { email: `boss@${domain}`, password: PASSWORD })).status, 303)
  const elsewhere = (await service.workspace('enterprise', 'Elsewhere')).id
  await createMember(service, elsewhere, email, 'viewer')
  const direct = await visitor().post('/sign-in', { email, password: PASSWORD })
  assert.deepEqual([direct.status, direct.location], [303, '/hiring'], 'a password of another membership works')
  const seen = await other(email)
  assert.deepEqual([seen.status, seen.location], [303, '/hiring'], 'only the other membership is proved')
  assert.equal((await enter(workspace, { sub: 'ada', email })).status, 303)
  await removeCompanySignIn(service.services.db, workspace, 'operator')
  assert.equal((await visitor().post('/sign-in', { email, password: PASSWORD })).location, '/sign-in/workspace')
})

test('company sign-in: a session ends 12 hours after it began; one of a password stays', async () => {
  const { workspace, domain } = await company()
  await createMember(service, workspace, `ada@${domain}`, 'member')
  const [byCompany, byPassword] = [visitor(), visitor()]
  await enter(workspace, { sub: 'ada', email: `ada@${domain}` }, byCompany)
  await byPassword.post('/sign-in', { email: `ada@${domain}`, password: PASSWORD })
  for (let hours = 0; hours < 11; hours += 5.5) {
    clock.advance(5.5 * 3_600_000)
    assert.deepEqual([(await byCompany.get('/account')).status, (await byPassword.get('/account')).status], [200, 200])
  }
  clock.advance(1.1 * 3_600_000)
  assert.deepEqual([(await byCompany.get('/account')).status, (await byPassword.get('/account')).status], [303, 200])
})

test('company sign-in: the same person is a member of each workspace by its own rules; a claim moves no one', async () => {
  const [one, two] = [await company({ creates_members: true, default_role: 'viewer' }), await company()]
  await createMember(service, two.workspace, `ada@${two.domain}`, 'admin')
  const browser = visitor()
  assert.equal((await enter(two.workspace, { sub: 'ada', email: `ada@${two.domain}` }, browser)).location, '/console')
  assert.equal((await enter(one.workspace, { sub: 'ada', email: `ada@${one.domain}` }, browser)).location, '/hiring')
  assert.match((await browser.get('/account')).html, / · viewer of Acme/)
  const rows = await service.services.db.query(sql`select 1 from users where email = ${`ada@${one.domain}`}`)
  assert.equal(rows.length, 1)
})

test('company sign-in: 404 for a workspace without one, as for a missing one; an unknown domain says what to do', async () => {
  const { id } = await service.workspace('enterprise', 'Plain')
  const texts = await Promise.all(
    [id, 'wsp_00000000000000000000', '%00'].map(async name => {
      const seen = await visitor().get(`/sign-in/company/${name}`)
      assert.equal(seen.status, 404)
      return seen.html
    }),
  )
  assert.deepEqual(texts, [texts[0], texts[0], texts[0]])
  const seen = await visitor().post('/sign-in/company', { email: 'ada@unknown.example' })
  assert.equal(seen.status, 404)
  assert.match(seen.html, /No company sign-in is set up for this email domain/)
})

test('company sign-in: userinfo gives what the token lacks, and only for the same subject', async () => {
  const { workspace, domain } = await company({ creates_members: true, default_role: 'viewer' })
  fake.hostility = { userinfo: { email: `ida@${domain}`, email_verified: true } }
  assert.equal((await enter(workspace, { sub: 'ida', email_verified: undefined })).status, 303)
  fake.hostility = { userinfo: { sub: 'someone else', email: `ida@${domain}`, email_verified: true } }
  failed(await enter(workspace, { sub: 'ivo', email_verified: undefined }), 'token_invalid')
})

test('company sign-in: concurrent first sign-ins of one person create one member', async () => {
  const { workspace, domain } = await company({ creates_members: true, default_role: 'viewer' })
  fake.person = { sub: 'max', email: `max@${domain}`, email_verified: true }
  const seen = await Promise.all([1, 2, 3].map(() => throughProvider(visitor(), fake, workspace)))
  assert.deepEqual(
    seen.map(({ status }) => status),
    [303, 303, 303],
  )
  const members = await service.services.db.query(
    sql`select 1 from users where workspace_id = ${workspace} and email = ${`max@${domain}`}`,
  )
  assert.equal(members.length, 1)
})

test('company sign-in: 429 beyond 200 sign-ins of one IP address in 15 minutes, and no request to the provider', async () => {
  const { workspace } = await company()
  assert.equal((await visitor().post(`/sign-in/company/${workspace}`, {})).status, 200)
  await service.services.db.query(sql`update sign_in_attempts set used = 200`)
  fake.requests.length = 0
  const seen = await visitor().post(`/sign-in/company/${workspace}`, {})
  assert.equal(seen.status, 429)
  assert.ok(Number(seen.headers.get('retry-after')) > 0)
  assert.deepEqual(fake.requests, [])
})

test('company sign-in: 303 only after a button of an own page: opening the URL changes nothing, a foreign form is a 403', async () => {
  const [one, two] = [await company(), await company()]
  await createMember(service, one.workspace, `ada@${one.domain}`, 'member')
  const browser = visitor()
  await enter(one.workspace, { sub: 'ada', email: `ada@${one.domain}` }, browser)
  fake.requests.length = 0
  const opened = await browser.get(`/sign-in/company/${two.workspace}?return_to=/account`)
  assert.equal(opened.status, 200)
  assert.equal(opened.headers.get('refresh'), null)
  assert.match(opened.html, new RegExp(`Sign in to Acme \\d+ through ${fake.host}`))
  assert.match(opened.html, new RegExp(`<strong>ada@${one.domain}</strong>`), 'the session that would end is named')
  assert.doesNotMatch((await visitor().get(`/sign-in/company/${two.workspace}`)).html, /end that session/)
  const foreign = await browser.post(`/sign-in/company/${two.workspace}`, {}, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
  assert.equal(browser.cookie('__Host-hiring_company'), undefined)
  assert.deepEqual(fake.requests, [])
  assert.match((await browser.get('/account')).html, new RegExp(`ada@${one.domain}`))
})

test('company sign-in: its sessions end when it is turned off, gets another client or issuer, and when it is removed', async () => {
  const { workspace, domain, change } = await company()
  await createMember(service, workspace, `ada@${domain}`, 'member')
  const byPassword = visitor()
  await byPassword.post('/sign-in', { email: `ada@${domain}`, password: PASSWORD })
  const changes: (() => Promise<unknown>)[] = [
    () => change({ enabled: false }),
    () => change({ client_id: 'another' }),
    () => change({ issuer: idp.origin, client_secret: 'of the other' }),
    () => removeCompanySignIn(service.services.db, workspace, 'operator'),
  ]
  for (const [index, untrust] of changes.entries()) {
    await change({ issuer: fake.issuer, ...CLIENT, enabled: true })
    const browser = visitor()
    assert.equal((await enter(workspace, { sub: 'ada', email: `ada@${domain}` }, browser)).status, 303)
    await change({ default_role: 'viewer' })
    assert.equal((await browser.get('/account')).status, 200, 'another setting ends nothing')
    await untrust()
    assert.equal((await browser.get('/account')).status, 303, `change ${index}`)
  }
  assert.equal((await byPassword.get('/account')).status, 200)
})

test('company sign-in: 404 in a workspace that is closed, also for who is at the provider; nothing changes', async () => {
  const { workspace, domain } = await company({ creates_members: true, default_role: 'viewer' })
  const browser = visitor()
  fake.person = { sub: 'ada', email: `ada@${domain}`, email_verified: true }
  const url = providerUrl(await browser.post(`/sign-in/company/${workspace}`, {}))!
  const back = new URL(fake.authorize(url))
  const { db } = service.services
  await db.query(sql`update workspaces set closing_at = app_now() where id = ${workspace}`)
  assert.equal((await browser.get(back.pathname + back.search)).status, 404)
  assert.equal((await browser.get(`/sign-in/company/${workspace}`)).status, 404)
  assert.equal((await browser.post(`/sign-in/company/${workspace}`, {})).status, 404)
  assert.equal((await visitor().post('/sign-in/company', { email: `ada@${domain}` })).status, 404)
  assert.deepEqual(await db.query(sql`select 1 from users where email = ${`ada@${domain}`}`), [])
  assert.deepEqual(await db.query(sql`select 1 from company_identities where workspace_id = ${workspace}`), [])
})

test('company sign-in: 403 owner_not_connected: an address alone connects no owner; a signed-in owner connects themselves', async () => {
  const { workspace, domain } = await company()
  const email = `boss@${domain}`
  const boss = await createMember(service, workspace, email, 'owner')
  await createMember(service, workspace, `ada@${domain}`, 'member')
  const ada = visitor()
  await ada.post('/sign-in', { email: `ada@${domain}`, password: PASSWORD })
  for (const browser of [visitor(), ada])
    failed(await enter(workspace, { sub: 'b', email }, browser), 'owner_not_connected')
  assert.deepEqual(
    (await logged(workspace)).filter(event => event === 'linked'),
    [],
  )
  const own = visitor()
  await own.post('/sign-in', { email, password: PASSWORD })
  const mail = nextMail(service)
  assert.equal((await enter(workspace, { sub: 'b', email }, own)).status, 303)
  const { to, subject, audience } = await mail
  assert.deepEqual([to.address, subject], [email, `Your account was connected to ${fake.host}`])
  assert.deepEqual(audience, { workspaceId: workspace, userIds: [boss.id] })
  assert.equal((await enter(workspace, { sub: 'b', email })).status, 303, 'connected once')
})

test('company sign-in: a member with a second factor is asked for it, also where the provider is enforced', async () => {
  const { workspace, domain, change } = await company()
  const email = `ada@${domain}`
  const ada = await createMember(service, workspace, email, 'member')
  const { db, keyring } = service.services
  const who = { workspace, user: ada.id }
  await beginTotp(db, keyring, who)
  const secret = (await pendingTotp(db, keyring, who))!
  const code = async () => codeOfStep(secret, stepAt(await db.now()))
  assert.ok(await confirmTotp(db, keyring, who, await code(), randomUUID()))
  await change({ enforced: true })
  clock.advance(60_000)
  const browser = visitor()
  const mail = nextMail(service)
  const seen = await enter(workspace, { sub: 'ada', email }, browser, '?return_to=/account')
  assert.deepEqual([seen.status, seen.location], [303, '/sign-in/second-factor?return_to=%2Faccount'])
  assert.equal((await mail).to.address, email)
  assert.equal(browser.cookie(SESSION), undefined)
  const step = await browser.follow(seen)
  assert.equal((await browser.submit(step, { code: '000000' })).status, 401)
  const entered = await browser.submit(step, { code: await code() })
  assert.deepEqual([entered.status, entered.location], [303, '/account'])
  assert.match((await browser.get('/account')).html, /signed in through your company/)
  // a sign-in that waits for the factor ends with the trust in the provider, as sessions do
  const late = visitor()
  const asked = await late.follow(await enter(workspace, { sub: 'ada', email }, late))
  await change({ enforced: false, enabled: false })
  clock.advance(60_000)
  assert.equal((await late.submit(asked, { code: await code() })).location, '/sign-in')
  assert.equal(late.cookie(SESSION), undefined)
})

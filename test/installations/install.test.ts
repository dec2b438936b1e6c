import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { approveApp, changeInstallable, suspendApp } from '../../src/resources/installations/index.ts'
import { changeRole, removeUser } from '../../src/resources/users/index.ts'
import { changeSettings } from '../../src/resources/workspaces/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import {
  appToken,
  ask,
  codeFor,
  decide,
  exchange,
  hiddenFields,
  installable,
  installer,
  installIn,
  REDIRECT,
  SCOPES,
} from './setup.ts'

let service: TestService
let app: Awaited<ReturnType<typeof installable>>

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  app = await installable(service)
})

const customer = async () => (await service.workspace('starter', 'Customer')).id

test('install: the exchange returns key, installation, workspace and issuer; GET /me names the installation', async () => {
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const asked = await ask(app, { workspace_hint: workspace })
  const page = await browser.get(asked.path)
  assert.equal(page.status, 200, page.html)
  for (const text of ['Customer', workspace, 'Skill Checks', 'Vendor Inc.', 'vendor.example', 'app.vendor.example'])
    assert.ok(page.html.includes(text), text)
  assert.match(page.html, /personal data/)
  assert.match(page.html, /changes data/)
  const seen = await decide(browser, asked, { optional: ['contact:read'], budget: '40' })
  const back = new URL(seen.location!)
  assert.equal(back.origin + back.pathname, REDIRECT)
  assert.deepEqual([...back.searchParams.keys()].toSorted(), ['code', 'iss', 'state'])
  assert.deepEqual([back.searchParams.get('state'), back.searchParams.get('iss')], [asked.state, service.origin])
  const code = back.searchParams.get('code')!
  const nothing = await service.services.db.only(sql<{ n: number }>`
    select count(*)::integer as n from installations where workspace_id = ${workspace}`)
  assert.equal(nothing.n, 0, 'nothing exists before the exchange')

  const { status, body, headers } = await exchange(service, app, { code, code_verifier: asked.verifier })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.match(body.access_token, /^svc_live_/)
  assert.match(body.installation_id, /^ins_/)
  assert.equal(body.scope, 'applications:read contact:read notes:write')
  assert.deepEqual([body.workspace_id, body.workspace_name, body.iss], [workspace, 'Customer', service.origin])
  assert.equal(body.api_base_url, `${service.origin}/api/partner/v1`)
  const me = await service.get('/me', body.access_token)
  assert.deepEqual([me.status, me.body.installation_id, me.body.app_id], [200, body.installation_id, app.id])
  assert.equal(me.body.rate_limits.personal_data_reads_per_day, 40)
  const own = await service.get(`/installations/${body.installation_id}`, body.access_token)
  assert.equal(own.status, 200)
  assert.deepEqual(
    [own.body.app, own.body.status, own.body.scopes_pending],
    [{ id: app.id, name: 'Skill Checks' }, 'active', []],
  )
})

test('install: an optional scope that was unticked is not granted', async () => {
  const { scope } = await installIn(service, app, await customer())
  assert.equal(scope, 'applications:read notes:write')
})

test('install token: a second use of a code is 400 invalid_grant and ends the key of the first', async () => {
  const { browser } = await installer(service, await customer())
  const asked = await ask(app)
  const given = { code: await codeFor(browser, asked), code_verifier: asked.verifier }
  const first = await exchange(service, app, given)
  assert.equal((await service.get('/me', first.body.access_token)).status, 200)
  const other = await installable(service)
  const stranger = await exchange(service, other, given)
  assert.deepEqual([stranger.status, stranger.body.error], [400, 'invalid_grant'])
  assert.equal((await service.get('/me', first.body.access_token)).status, 200, 'another app cannot end it')
  const second = await exchange(service, app, given)
  assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant'])
  assert.equal((await service.get('/me', first.body.access_token)).status, 401)
})

test('install token: of ten parallel exchanges at most one gets a key, and it does not survive the others', async () => {
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const asked = await ask(app)
  const given = { code: await codeFor(browser, asked), code_verifier: asked.verifier }
  const all = await Promise.all(Array.from({ length: 10 }, () => exchange(service, app, given)))
  const keys = all.filter(({ status }) => status === 200).map(({ body }) => body.access_token as string)
  assert.equal(keys.length, 1)
  assert.equal((await service.get('/me', keys[0]!)).status, 401)
  const { n } = await service.services.db.only(sql<{ n: number }>`
    select count(*)::integer as n from installations where workspace_id = ${workspace}`)
  assert.equal(n, 1)
})

test('install token: a failed attempt consumes the code: wrong verifier, redirect URI', async () => {
  const { browser } = await installer(service, await customer())
  for (const wrong of [{ code_verifier: 'a'.repeat(43) }, { redirect_uri: `${REDIRECT}/` }]) {
    const asked = await ask(app)
    const given = { code: await codeFor(browser, asked), code_verifier: asked.verifier }
    const failed = await exchange(service, app, { ...given, ...wrong })
    assert.deepEqual([failed.status, failed.body.error], [400, 'invalid_grant'])
    assert.deepEqual((await exchange(service, app, given)).body.error, 'invalid_grant')
  }
})

test('install token: 400 after 60 seconds; 401 for a wrong secret, which consumes nothing', async () => {
  const { browser } = await installer(service, await customer())
  const asked = await ask(app)
  const given = { code: await codeFor(browser, asked), code_verifier: asked.verifier }
  const wrong = await exchange(service, { ...app, client_secret: 'x' }, given)
  assert.deepEqual([wrong.status, wrong.body.error], [401, 'invalid_client'])
  const unsupported = await exchange(service, app, { ...given, grant_type: 'client_credentials' })
  assert.equal(unsupported.body.error, 'unsupported_grant_type')
  clock.advance(61_000)
  try {
    assert.equal((await exchange(service, app, given)).body.error, 'invalid_grant')
  } finally {
    clock.reset()
  }
})

test('install page: a faulty request gets a page and no redirect', async () => {
  const { browser } = await installer(service, await customer())
  const faults: Record<string, string | undefined>[] = [
    { state: undefined },
    { code_challenge: undefined },
    { code_challenge_method: 'plain' },
    { redirect_uri: 'https://evil.example/callback' },
    { redirect_uri: `${REDIRECT}?x=1` },
    { client_id: '00000000-0000-4000-8000-000000000000' },
    { scope: 'jobs:manage' },
    { surprise: '1' },
  ]
  for (const fault of faults) {
    const seen = await browser.get((await ask(app, fault)).path)
    assert.deepEqual([seen.status, seen.location], [400, undefined], JSON.stringify(fault))
    assert.ok(!seen.html.includes('<form'), JSON.stringify(fault))
  }
  const twice = await browser.get(`${(await ask(app)).path}&state=other`)
  assert.equal(twice.status, 400)
})

test('install page: no form for members, admins of other domains, and where installs are off', async () => {
  const { db } = service.services
  const workspace = await customer()
  const { browser: member } = await installer(service, workspace, 'member')
  const { browser: admin } = await installer(service, workspace, 'admin')
  const refused = async (browser: typeof admin) => {
    const seen = await browser.get((await ask(app)).path)
    assert.equal(seen.status, 403)
    assert.ok(!seen.html.includes('<form') && seen.html.includes('Ask an owner or admin'), seen.html)
  }
  await refused(member)
  assert.equal((await admin.get((await ask(app)).path)).status, 200)
  await changeSettings(db, workspace, { app_installs: 'owners' })
  await refused(admin)
  await changeSettings(db, workspace, { app_installs: 'off' })
  await refused((await installer(service, workspace)).browser)
  await changeSettings(db, workspace, { app_installs: 'admins', key_management_domains: ['other.example'] })
  await refused(admin)
})

test('install page: the form needs the token of the session and our origin, and cannot be framed', async () => {
  const { browser } = await installer(service, await customer())
  const asked = await ask(app)
  const page = await browser.get(asked.path)
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  const wrong = await decide(browser, asked, { csrf: 'x' })
  assert.deepEqual([wrong.status, wrong.location], [403, undefined])
  const fields = new URLSearchParams(asked.path.split('?')[1])
  fields.set('decision', 'allow')
  const foreign = await browser.postForm('/oauth/install', fields, { origin: 'https://evil.example' })
  assert.equal(foreign.status, 403)
})

test('install page: denied, the app gets access_denied with state and issuer', async () => {
  const { browser } = await installer(service, await customer())
  const asked = await ask(app)
  const back = new URL((await decide(browser, asked, { decision: 'deny' })).location!)
  assert.equal(back.origin + back.pathname, REDIRECT)
  assert.deepEqual(Object.fromEntries(back.searchParams), {
    error: 'access_denied',
    state: asked.state,
    iss: service.origin,
  })
})

test('install page: a workspace_hint of another workspace stops; a form of another workspace shows the page again', async () => {
  const [one, two] = [await customer(), await customer()]
  const { browser } = await installer(service, one)
  const asked = await ask(app, { workspace_hint: two })
  const seen = await browser.get(asked.path)
  assert.equal(seen.status, 403)
  assert.ok(!seen.html.includes('<form'))
  const { browser: other } = await installer(service, two)
  const page = await other.get((await ask(app)).path)
  const csrf = /name="csrf" value="([^"]*)"/.exec(page.html)![1]!
  const fields = new URLSearchParams((await ask(app)).path.split('?')[1])
  for (const [name, value] of Object.entries({ csrf, workspace: one, budget: '1', decision: 'allow' }))
    fields.set(name, value)
  const again = await other.postForm('/oauth/install', fields)
  assert.match(again.location ?? '', /^\/oauth\/install\?/)
})

test('install page: an app that asks for more since the page was shown gets no code; the page is shown again', async () => {
  const own = await installable(service)
  const { browser } = await installer(service, await customer())
  const asked = await ask(own)
  const fields = hiddenFields((await browser.get(asked.path)).html)
  fields.set('budget', '500')
  fields.set('decision', 'allow')
  const { scopes } = await changeInstallable(service.services.db, own.id, {
    scopes: [...SCOPES, 'applications:answers:read'],
  })
  await approveApp(service.services.db, own.id)
  assert.deepEqual(scopes.length, SCOPES.length, 'the wish waits for the operator')
  const again = await browser.postForm('/oauth/install', fields)
  assert.match(again.location ?? '', /^\/oauth\/install\?/)
  const code = await codeFor(browser, asked)
  const { body } = await exchange(service, own, { code, code_verifier: asked.verifier })
  assert.ok(body.scope.split(' ').includes('applications:answers:read'), body.scope)
})

test('install: what changes between consent and exchange counts: membership, role, app', async () => {
  const { db } = service.services
  const after = async (change: (who: { workspace: string; user: string; app: string }) => Promise<unknown>) => {
    const own = await installable(service)
    const workspace = await customer()
    await installer(service, workspace)
    const { browser, user } = await installer(service, workspace, 'admin')
    const asked = await ask(own)
    const code = await codeFor(browser, asked)
    await change({ workspace, user: user.id, app: own.id })
    const { status, body } = await exchange(service, own, { code, code_verifier: asked.verifier })
    const { n } = await db.only(sql<{ n: number }>`
      select count(*)::integer as n from installations where workspace_id = ${workspace}`)
    return [status, body.error ?? body.scope, n]
  }
  assert.deepEqual(await after(who => removeUser(db, who)), [400, 'invalid_grant', 0])
  assert.deepEqual(await after(who => changeRole(db, who, 'member')), [400, 'invalid_grant', 0])
  assert.deepEqual(await after(who => changeSettings(db, who.workspace, { app_installs: 'off' })), [
    400,
    'invalid_grant',
    0,
  ])
  assert.deepEqual(await after(who => suspendApp(db, who.app, true)), [401, 'invalid_client', 0])
  const scopes = ['applications:read']
  assert.deepEqual(await after(who => changeInstallable(db, who.app, { scopes })), [200, 'applications:read', 1])
})

test('install: an app that is not approved is installed in its home alone', async () => {
  const home = (await service.workspace()).id
  const draft = await installable(service, { workspace: home, draft: true })
  const { browser } = await installer(service, await customer())
  const refused = await browser.get((await ask(draft)).path)
  assert.deepEqual([refused.status, refused.html.includes('<form')], [403, false])
  assert.match((await installIn(service, draft, home)).installation_id, /^ins_/)
  await approveApp(service.services.db, draft.id)
  assert.equal((await browser.get((await ask(draft)).path)).status, 200)
})

test('install: no one signs in to an installable app, and an app of one workspace cannot be installed', async () => {
  const { browser } = await installer(service, await customer())
  const signIn = await browser.get(
    (await ask(app, { response_type: 'code', scope: 'openid' })).path.replace('/install', '/authorize'),
  )
  assert.equal(signIn.location, undefined)
  assert.ok(signIn.status >= 400)
  assert.match(await appToken(service, app), /^[\w-]{43}$/)
})

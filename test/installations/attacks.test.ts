import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { changeSite, setLogo } from '../../src/resources/careers/index.ts'
import {
  approveApp,
  changeInstallable,
  endInstallation,
  readInstallation,
} from '../../src/resources/installations/index.ts'
import { apply, newTenant } from '../applications/setup.ts'
import { png } from '../careers/pictures.ts'
import { signedIn as signedInConsole } from '../console/setup.ts'
import { sharedTestService } from '../harness/service.ts'
import { appToken, ask, codeFor, exchange, hiddenFields, installable, installer, installIn } from './setup.ts'

const service = await sharedTestService()
const { db } = service.services
const app = await installable(service)
const customer = async () => (await service.workspace('starter', 'Customer')).id

test('uninstall: a code from before it does not install the app again', async () => {
  const workspace = await customer()
  const { browser, user } = await installer(service, workspace)
  const { installation_id: id } = await installIn(service, app, workspace, { browser })
  const asked = await ask(app)
  const code = await codeFor(browser, asked)
  const row = (await readInstallation(db, workspace, id))!
  await db.transaction(tx => endInstallation(tx, row, { by: 'workspace', user: user.id }))
  const late = await exchange(service, app, { code, code_verifier: asked.verifier })
  assert.deepEqual([late.status, late.body.error], [400, 'invalid_grant'])
  assert.match((await installIn(service, app, workspace, { browser })).installation_id, /^ins_/)
})

test('allowlist: no token of an app is issued to another IP address', async () => {
  const own = await installable(service, { allowIp: ['203.0.113.7'] })
  await assert.rejects(appToken(service, own), /invalid_client/)
  await changeInstallable(db, own.id, { allowIp: ['127.0.0.1'] })
  assert.match(await appToken(service, own), /^[\w-]{43}$/)
})

test('install page: an app whose name or domains changed since the page was shown gets no code', async () => {
  const changes = [{ name: 'Payroll' }, { domains: ['vendor.example', 'other.example'] }]
  for (const change of changes) {
    const own = await installable(service)
    const { browser } = await installer(service, await customer())
    const asked = await ask(own)
    const fields = hiddenFields((await browser.get(asked.path)).html)
    fields.set('budget', '500')
    fields.set('decision', 'allow')
    await changeInstallable(db, own.id, change)
    await approveApp(db, own.id)
    const again = await browser.postForm('/oauth/install', fields)
    assert.match(again.location ?? '', /^\/oauth\/install\?/, JSON.stringify(change))
  }
})

test('GET /installations?updated_after: an installation whose pending scopes changed, also of a draft', async () => {
  const home = await customer()
  for (const draft of [true, false]) {
    const own = await installable(service, { workspace: home, draft })
    await installIn(service, own, home)
    const token = await appToken(service, own)
    const read = async (since?: string) =>
      (await service.get(`/installations${since ? `?updated_after=${since}` : ''}`, token)).body.data
    const after = async (change: Parameters<typeof changeInstallable>[2]) => {
      const [{ updated_at }] = await read()
      await changeInstallable(db, own.id, change)
      if (!draft && change.scopes?.includes('jobs:read')) await approveApp(db, own.id)
      const since = new Date(Date.parse(updated_at) + 1).toISOString()
      return (await read(since)).map((row: { scopes_pending: string[] }) => row.scopes_pending)
    }
    assert.deepEqual(await after({ scopes: [...own.scopes, 'jobs:read'] }), [['jobs:read']], `draft: ${draft}`)
    assert.deepEqual(await after({ scopes: own.scopes }), [[]], `draft: ${draft}`)
  }
})

test('hiring apps change: a required scope that becomes optional together with a new one is asked for once', async () => {
  const own = await installable(service, { scopes: ['applications:read'], optionalScopes: [] })
  const changed = await changeInstallable(db, own.id, { scopes: ['jobs:read'], optionalScopes: ['applications:read'] })
  assert.deepEqual([changed.scopes, changed.optional_scopes], [['applications:read'], []])
})

test('console published apps: ten at most, also when they are registered at the same time', async () => {
  const admin = await signedInConsole(service, await customer(), { role: 'admin' })
  const body = {
    name: 'Skill Checks',
    redirect_uris: ['https://app.vendor.example/callback'],
    domains: ['vendor.example'],
    scopes: ['jobs:read'],
    optional_scopes: [],
  }
  const all = await Promise.all(Array.from({ length: 14 }, () => admin.post('/published-apps', body)))
  assert.equal(all.filter(({ status }) => status === 200).length, 10)
})

test('app user: cannot be mentioned, asked for a scorecard, put on a team, or changed among people', async () => {
  const tenant = { service, ...(await newTenant(service)) }
  const { access_token: key } = await installIn(service, app, tenant.workspace)
  const user = (await service.get('/me', key)).body.owner_user_id
  const application = await apply(tenant)
  const owner = await signedInConsole(service, tenant.workspace, { program: 'hiring' })
  const at = `/applications/${application.id}`
  const refused = [
    await owner.post(`${at}/notes`, { body: 'Look at this', mentions: [user] }),
    await owner.post(`${at}/scorecard-requests`, { user_ids: [user] }),
    await owner.post(`/jobs/${application.job_id}/team`, { add: [user], remove: [] }),
  ]
  assert.deepEqual(
    refused.map(({ status }) => status),
    [400, 400, 400],
    refused.map(({ text }) => text).join(),
  )
  const admin = await signedInConsole(service, tenant.workspace)
  for (const [verb, body] of [
    ['role', { role: 'owner' }],
    ['invite', {}],
    ['remove', {}],
  ] as const) {
    const response = await admin.post(`/people/${user}/${verb}`, body)
    assert.equal(response.status, 404, `${verb}: ${response.text}`)
  }
})

test('install page: a name that misleads is not shown, and markup in names and state is text', async () => {
  const home = await service.workspace('starter', '<b>Home</b>')
  const own = await installable(service, { workspace: home.id })
  await db.query(
    sql`update connected_apps set name = ${'Skill \u202eskcehC'}, publisher = ${'<img src=x>'} where id = ${own.id}::uuid`,
  )
  const { browser } = await installer(service, home.id)
  const asked = await ask(own, { state: '"><script>alert(1)</script>' })
  const page = await browser.get(asked.path)
  assert.equal(page.status, 200)
  assert.ok(!/\u202e|<script>alert|<img src=x|<b>Home/.test(page.html), page.html)
})

test('install page: the logo of the workspace is shown, unless its careers site is off', async () => {
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const logoOf = async () => /<img src="([^"]+)"/.exec((await browser.get((await ask(app)).path)).html)?.[1]
  assert.equal(await logoOf(), undefined)
  await setLogo(db, service.services.blobs, workspace, png(40, 20))
  const path = (await logoOf())!
  const shown = await fetch(service.origin + path)
  assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/png'])
  await changeSite(db, workspace, { enabled: false }, [])
  assert.equal(await logoOf(), undefined)
})

test('rotate-key: a key that ends with a scope upgrade ends as before, whatever its new secret', async () => {
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, app, workspace, { browser })
  await installIn(service, app, workspace, { browser })
  const rotated = await service.post(`/installations/${first.installation_id}/rotate-key`, first.access_token, {
    client_secret: app.client_secret,
    overlap_hours: 168,
  })
  assert.equal(rotated.status, 200, rotated.text)
  const me = await service.get('/me', rotated.body.access_token)
  assert.ok(Date.parse(me.body.expires_at) <= Date.now() + 24 * 3_600_000 + 60_000, me.text)
  const rows = await db.query(sql<{ expires_at: string | null }>`
    select s.expires_at from api_key_secrets s where s.workspace_id = ${workspace} and s.key_id = ${rotated.body.credential_id}`)
  for (const { expires_at } of rows)
    assert.ok(expires_at !== null && Date.parse(expires_at) <= Date.parse(me.body.expires_at), `${expires_at}`)
})

test('rotate-key and uninstall: the secret of another app, an empty one and one in the header are refused', async () => {
  const other = await installable(service)
  const { access_token: key, installation_id: id } = await installIn(service, app, await customer())
  for (const verb of ['rotate-key', 'uninstall']) {
    const path = `/installations/${id}/${verb}`
    assert.equal((await service.post(path, key, { client_secret: other.client_secret })).status, 401)
    assert.equal((await service.post(path, key, { client_secret: '' })).status, 400)
    assert.equal((await service.post(path, key, {})).status, 400)
  }
  assert.equal((await service.get('/me', key)).status, 200)
})

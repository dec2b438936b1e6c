import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import {
  approveApp,
  changeInstallable,
  readInstallation,
  revokeInstallable,
  suspendApp,
  suspendInstallation,
} from '../../src/resources/installations/index.ts'
import { removeUser } from '../../src/resources/users/index.ts'
import { readWorkspaceLog } from '../../src/resources/workspaces/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appToken, ask, codeFor, exchange, installable, installer, installIn } from './setup.ts'

let service: TestService
let app: Awaited<ReturnType<typeof installable>>

before(async () => {
  service = await startTestService({ ROLES: 'api' })
  app = await installable(service)
})

const customer = async () => (await service.workspace('starter', 'Customer')).id
const status = async (key: string) => (await service.get('/me', key)).status

test('installation: its key reaches its own workspace and installation alone', async () => {
  const [one, two] = [await installIn(service, app, await customer()), await installIn(service, app, await customer())]
  assert.equal((await service.get(`/applications?workspace_id=${two.workspace_id}`, one.access_token)).status, 404)
  const other = await service.get(`/installations/${two.installation_id}`, one.access_token)
  assert.deepEqual([other.status, other.body.detail.code], [404, 'not_found'])
  const plain = await service.key({ workspace: one.workspace_id })
  assert.equal((await service.get(`/installations/${one.installation_id}`, plain)).status, 404)
  const secret = { client_secret: app.client_secret }
  assert.equal(
    (await service.post(`/installations/${two.installation_id}/uninstall`, one.access_token, secret)).status,
    404,
  )
})

test('app token: reads the installations of its app, and nothing of a workspace', async () => {
  const own = await installable(service)
  const [one, two] = [await installIn(service, own, await customer()), await installIn(service, own, await customer())]
  await installIn(service, app, await customer())
  const token = await appToken(service, own)
  const all = await service.get('/installations', token)
  assert.equal(all.status, 200, all.text)
  assert.deepEqual(
    all.body.data.map((row: { id: string }) => row.id),
    [two.installation_id, one.installation_id],
  )
  const since = new Date(Date.parse(all.body.data[0].updated_at) + 1).toISOString()
  const { db } = service.services
  const row = (await readInstallation(db, one.workspace_id, one.installation_id))!
  await db.transaction(tx => suspendInstallation(tx, row, true, 'usr_x'))
  const changed = await service.get(`/installations?updated_after=${since}`, token)
  assert.deepEqual(
    changed.body.data.map((found: { id: string; status: string; suspended_by: string }) => [
      found.id,
      found.status,
      found.suspended_by,
    ]),
    [[one.installation_id, 'suspended', 'workspace']],
  )
  assert.equal((await service.get('/installations?status=active', token)).body.data.length, 1)
  const me = await service.get('/me', token)
  assert.deepEqual(
    [me.status, me.body.scopes, me.body.app_id],
    [200, ['webhooks:read', 'installations:manage'], own.id],
  )
  const jobs = await service.get('/jobs', token)
  assert.deepEqual([jobs.status, jobs.body.detail.code], [403, 'insufficient_scope'])
  assert.equal((await service.get(`/installations/${two.installation_id}`, token)).status, 404)
  const rotate = await service.post(`/installations/${two.installation_id}/rotate-key`, token, {
    client_secret: own.client_secret,
  })
  assert.deepEqual([rotate.status, rotate.body.detail.code], [403, 'write_requires_api_key'])
  const key = await service.get('/installations', two.access_token)
  assert.deepEqual([key.status, key.body.detail.required_scope], [403, 'installations:manage'])
})

test('installations:manage: no key is granted it', async () => {
  const workspace = await customer()
  await assert.rejects(service.key({ workspace, scopes: ['installations:manage'] }), /unknown scope/)
})

test('app token: 401 once its app is suspended, revoked or an hour has passed', async () => {
  const own = await installable(service)
  const token = await appToken(service, own)
  const at = async () => (await service.get('/installations', token)).status
  assert.equal(await at(), 200)
  await suspendApp(service.services.db, own.id, true)
  assert.equal(await at(), 401)
  await suspendApp(service.services.db, own.id, false)
  assert.equal(await at(), 200)
  clock.advance(3_601_000)
  try {
    assert.equal(await at(), 401)
  } finally {
    clock.reset()
  }
  const next = await appToken(service, own)
  await revokeInstallable(service.services.db, own.id)
  assert.equal((await service.get('/installations', next)).status, 401)
})

test('POST /installations/{h}/rotate-key: needs key and client secret; a wrong secret is 401 and changes nothing', async () => {
  const { access_token: key, installation_id: id } = await installIn(service, app, await customer())
  const path = `/installations/${id}/rotate-key`
  const wrong = await service.post(path, key, { client_secret: 'wrong', overlap_hours: 0 })
  assert.deepEqual([wrong.status, wrong.body.detail.code], [401, 'unauthenticated'])
  assert.equal(await status(key), 200)
  const body = { client_secret: app.client_secret, overlap_hours: 1 }
  const headers = { headers: { 'idempotency-key': 'rotate-1' } }
  const done = await service.post(path, key, body, headers)
  assert.equal(done.status, 200, done.text)
  assert.match(done.body.access_token, /^svc_live_/)
  const again = await service.post(path, key, body, headers)
  assert.deepEqual([again.status, again.body.access_token], [200, null])
  assert.deepEqual([await status(key), await status(done.body.access_token)], [200, 200])
  clock.advance(3_601_000)
  try {
    assert.deepEqual([await status(key), await status(done.body.access_token)], [401, 200])
  } finally {
    clock.reset()
  }
})

test('POST /installations/{h}/uninstall: the key ends; a new install has another id; the deletion is confirmed once', async () => {
  const own = await installable(service)
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, own, workspace, { browser })
  const path = `/installations/${first.installation_id}`
  const refused = await service.post(`${path}/uninstall`, first.access_token, { client_secret: 'x' })
  assert.equal(refused.status, 401)
  const token = await appToken(service, own)
  const early = await service.post(`${path}/confirm-deletion`, token, { deleted_at: new Date().toISOString() })
  assert.equal(early.status, 400)
  const ended = await service.post(`${path}/uninstall`, first.access_token, { client_secret: own.client_secret })
  assert.deepEqual([ended.status, ended.body.status], [200, 'ended'])
  const days = (Date.parse(ended.body.delete_by) - Date.parse(ended.body.ended_at)) / 86_400_000
  assert.equal(days, 30)
  assert.equal(await status(first.access_token), 401)

  const second = await installIn(service, own, workspace, { browser })
  assert.notEqual(second.installation_id, first.installation_id)
  const deleted_at = '2026-01-02T03:04:05.000Z'
  const confirmed = await service.post(`${path}/confirm-deletion`, token, { deleted_at })
  assert.deepEqual([confirmed.status, confirmed.body.deletion_confirmed_at], [200, deleted_at])
  const later = await service.post(`${path}/confirm-deletion`, token, { deleted_at: '2026-02-02T03:04:05.000Z' })
  assert.equal(later.body.deletion_confirmed_at, deleted_at)
  const future = await service.post(`${path}/confirm-deletion`, token, { deleted_at: '2099-01-01T00:00:00Z' })
  assert.equal(future.status, 400)
  const stranger = await service.post(`${path}/confirm-deletion`, await appToken(service, app), { deleted_at })
  assert.equal(stranger.status, 404)
  const log = (await readWorkspaceLog(service.services.db, workspace, 10)).map(({ action }) => action)
  assert.deepEqual(log, ['app_deletion_confirmed', 'app_installed', 'app_uninstalled', 'app_installed'])
})

test('scope upgrade: pending until an admin decides; the old key keeps its scopes and ends after 24 hours', async () => {
  const { db } = service.services
  const own = await installable(service)
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, own, workspace, { browser })
  const read = async (key: string) => (await service.get(`/installations/${first.installation_id}`, key)).body
  await changeInstallable(db, own.id, { scopes: ['applications:read', 'notes:write', 'jobs:read'] })
  assert.deepEqual((await read(first.access_token)).scopes_pending, [], 'not approved yet')
  await approveApp(db, own.id)
  assert.deepEqual((await read(first.access_token)).scopes_pending, ['jobs:read'])
  assert.equal((await service.get('/jobs', first.access_token)).status, 403)

  const asked = await ask(own)
  const page = await browser.get(asked.path)
  assert.match(page.html, /Review access/)
  const { status: code, body } = await exchange(service, own, {
    code: await codeFor(browser, asked),
    code_verifier: asked.verifier,
  })
  assert.deepEqual([code, body.installation_id], [200, first.installation_id])
  assert.equal((await service.get('/jobs', body.access_token)).status, 200)
  assert.equal((await service.get('/jobs', first.access_token)).status, 403, 'the old key is not widened')
  assert.deepEqual((await read(body.access_token)).scopes_pending, [])
  clock.advance(24 * 3_600_000 + 1_000)
  try {
    assert.deepEqual([await status(first.access_token), await status(body.access_token)], [401, 200])
  } finally {
    clock.reset()
  }
})

test('scope upgrade: a scope that is unticked ends immediately for the old key, and the budget is counted once', async () => {
  const own = await installable(service)
  const workspace = await customer()
  const { browser } = await installer(service, workspace)
  const first = await installIn(service, own, workspace, { browser, optional: ['contact:read'], budget: '7' })
  const second = await installIn(service, own, workspace, { browser, budget: '3' })
  assert.equal(second.installation_id, first.installation_id)
  const me = (await service.get('/me', first.access_token)).body
  assert.deepEqual(me.scopes, ['applications:read', 'notes:write'])
  assert.equal(me.rate_limits.personal_data_reads_per_day, 3)
  await service.services.db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${workspace}, ${first.installation_id}, app_now()::date, 2)`)
  for (const key of [first.access_token, second.access_token])
    assert.equal((await service.get('/me', key)).body.rate_limits.personal_data_reads_used_today, 2)
})

test('scopes that the app gives up end immediately; redirect URIs and new scopes wait for approval', async () => {
  const { db } = service.services
  const own = await installable(service)
  const { access_token: key } = await installIn(service, own, await customer(), { optional: ['contact:read'] })
  const changed = await changeInstallable(db, own.id, {
    scopes: ['applications:read', 'jobs:read'],
    optionalScopes: [],
    redirectUris: ['https://new.vendor.example/callback'],
  })
  assert.deepEqual([changed.scopes, changed.redirect_uris], [['applications:read'], own.redirect_uris])
  assert.deepEqual((await service.get('/me', key)).body.scopes, ['applications:read'])
  const approved = await approveApp(db, own.id)
  assert.deepEqual(approved.redirect_uris, ['https://new.vendor.example/callback'])
  assert.deepEqual(approved.scopes, ['jobs:read', 'applications:read'])
})

test('suspension: by the operator every key is 401 with the next request; each resumes its own alone', async () => {
  const { db } = service.services
  const own = await installable(service)
  const [one, two] = [await installIn(service, own, await customer()), await installIn(service, own, await customer())]
  const both = async () => [await status(one.access_token), await status(two.access_token)]
  assert.deepEqual(await both(), [200, 200])
  const row = (await readInstallation(db, one.workspace_id, one.installation_id))!
  await db.transaction(tx => suspendInstallation(tx, row, true, 'usr_x'))
  assert.deepEqual(await both(), [401, 200])
  await suspendApp(db, own.id, true)
  assert.deepEqual(await both(), [401, 401])
  await db.transaction(tx => suspendInstallation(tx, row, false, 'usr_x'))
  assert.deepEqual(await both(), [401, 401], 'the workspace cannot resume what the operator suspended')
  await db.transaction(tx => suspendInstallation(tx, row, true, 'usr_x'))
  await suspendApp(db, own.id, false)
  assert.deepEqual(await both(), [401, 200], 'the operator does not resume what the workspace suspended')
})

test('app user: outlives the installer, is listed as an app, and is the author of notes', async () => {
  const { db } = service.services
  const workspace = await customer()
  const { browser, user } = await installer(service, workspace, 'admin')
  const own = await installable(service, { scopes: ['users:read', 'applications:read'] })
  const { access_token: key } = await installIn(service, own, workspace, { browser })
  await removeUser(db, { workspace, user: user.id })
  const me = await service.get('/me', key)
  assert.equal(me.status, 200)
  const found = await service.get(`/users/${me.body.owner_user_id}`, key)
  assert.deepEqual(
    [found.body.kind, found.body.first_name, found.body.email, found.body.role],
    ['app', 'Skill Checks', null, 'viewer'],
  )
  await assert.rejects(removeUser(db, { workspace, user: me.body.owner_user_id }), /uninstall the app/)
})

test('allowlist: the keys and the secret of an app work from its IP addresses alone', async () => {
  const { db } = service.services
  const own = await installable(service, { allowIp: ['127.0.0.0/8'] })
  const { access_token: key } = await installIn(service, own, await customer())
  const token = await appToken(service, own)
  assert.equal(await status(key), 200)
  await changeInstallable(db, own.id, { allowIp: ['203.0.113.7'] })
  assert.equal(await status(key), 401)
  assert.equal((await service.get('/installations', token)).status, 401)
  assert.equal((await exchange(service, own, { code: 'x', code_verifier: 'y' })).status, 401)
})

test('revoked app: every installation ends with it', async () => {
  const own = await installable(service)
  const { access_token: key, workspace_id, installation_id } = await installIn(service, own, await customer())
  await revokeInstallable(service.services.db, own.id)
  assert.equal(await status(key), 401)
  assert.equal((await readInstallation(service.services.db, workspace_id, installation_id))?.status, 'ended')
})

import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import type * as client from 'openid-client'
import { routes } from '../../src/app.ts'
import { PLANS } from '../../src/contract/plans.ts'
import { isAppScope, READ_SCOPES, ROLE_SCOPES } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { type IssuedApp, listConsents, revokeConsent } from '../../src/resources/connected-apps/index.ts'
import { changeRole, removeUser } from '../../src/resources/users/index.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { appFor, createMember, relyingParty, signedIn, tokensFor } from './setup.ts'

let service: TestService
let workspace: string
let other: string
let app: IssuedApp
let config: client.Configuration
let ada: { id: string }
let token: string

const EVERYTHING = [
  ...READ_SCOPES.filter(isAppScope),
  'jobs:write',
  'jobs:manage',
  'lists:write',
  'notes:write',
] as const

const tokenOf = async (email: string, scopes: readonly string[] = EVERYTHING) =>
  (await tokensFor(config, await signedIn(service, email), ['openid', ...scopes].join(' '))).access_token

const writes = (on: boolean) =>
  service.services.db.query(
    sql`update workspace_settings set connected_app_writes = ${on} where workspace_id = ${workspace}`,
  )

before(async () => {
  service = await startTestService()
  workspace = (await service.workspace('starter', 'Acme')).id
  other = (await service.workspace('starter', 'Globex')).id
  ada = await createMember(service, workspace, 'ada@acme.example')
  app = await appFor(service, workspace, { name: 'Payroll', scopes: [...EVERYTHING, 'offline_access'] })
  config = await relyingParty(service.origin, app)
  token = await tokenOf('ada@acme.example')
})

beforeEach(async () => {
  clock.reset()
  await writes(false)
})

test('access tokens: /me: the app, the person it acts for, one workspace, the plan of the workspace', async () => {
  const me = await service.get('/me', token)
  assert.equal(me.status, 200)
  assert.match(me.body.id, /^pk_/)
  assert.equal(me.body.name, 'Payroll')
  assert.equal(me.body.workspace_scope, 'single')
  assert.deepEqual(me.body.workspace_ids, [workspace])
  assert.equal(me.body.workspace_id_required, false)
  assert.equal(me.body.acting_user_id, ada.id)
  assert.equal(me.body.owner_user_id, ada.id)
  assert.equal(me.body.plan.code, 'starter')
  assert.equal(me.body.rate_limits.general_per_minute, PLANS.starter.perMinute.general)
  assert.ok(Date.parse(me.body.expires_at) - Date.parse(me.body.created_at) === 3_600_000)
  assert.deepEqual(me.body.scopes.toSorted(), [...EVERYTHING].toSorted())
  assert.equal(me.body.previous_secret_expires_at, null)
  const key = await service.key({ workspace })
  assert.equal((await service.get('/me', key)).body.acting_user_id, null)
})

test('access tokens: 403 write_requires_api_key: while writes are off, before any scope is looked at, on every write', async () => {
  const narrow = await tokenOf('ada@acme.example', ['jobs:read'])
  for (const route of routes.filter(r => r.write)) {
    const path = route.path.replace(/\{\w+\}/g, 'x')
    const response = await service.post(path, narrow, {})
    assert.equal(response.status, 403, route.path)
    assert.equal(response.body.detail.code, 'write_requires_api_key', route.path)
    assert.equal(response.body.detail.required_scope, null)
  }
})

test('webhooks: no app can be granted their scopes; 403 write_requires_api_key also where writes are on', async () => {
  await writes(true)
  const refused = await service.post('/webhooks/endpoints', token, {})
  assert.equal(refused.status, 403)
  assert.equal(refused.body.detail.code, 'write_requires_api_key')
  const scope = await service.post(`/applications/${newHandle('application')}/move`, token, {})
  assert.equal(scope.body.detail.code, 'insufficient_scope')
  assert.equal((await service.get('/webhooks/endpoints', token)).body.detail.code, 'insufficient_scope')
  for (const name of ['webhooks:read', 'webhooks:write']) {
    await assert.rejects(appFor(service, workspace, { name: 'Hooks', scopes: [name] }), /cannot request webhooks/)
  }
})

test('access tokens: an app that was registered with a webhook scope still signs in, without it', async () => {
  const old = await appFor(service, workspace, { name: 'Old', scopes: ['jobs:read'] })
  await service.services.db.query(
    sql`update connected_apps set scopes = scopes || '{webhooks:read}' where workspace_id = ${workspace} and id = ${old.id}::uuid`,
  )
  const party = await relyingParty(service.origin, old)
  const signed = await tokensFor(party, await signedIn(service, 'ada@acme.example'), 'openid jobs:read')
  assert.deepEqual((await service.get('/me', signed.access_token)).body.scopes, ['jobs:read'])
})

test('access tokens: 401 for an expired, foreign or mistyped token, as for any unknown key', async () => {
  const unknown = await service.get('/me', 'x'.repeat(43))
  const plain = (body: { detail: object }) => ({ ...body.detail, request_id: '' })
  assert.equal(unknown.status, 401)
  const short = await tokenOf('ada@acme.example', ['jobs:read'])
  assert.equal((await service.get('/me', short)).status, 200)
  for (const wrong of [`${short}x`, short.slice(1), short.toUpperCase(), `svc_live_${short}`]) {
    const response = await service.get('/me', wrong)
    assert.equal(response.status, 401)
    assert.deepEqual(plain(response.body), plain(unknown.body))
  }
  clock.advance(3_570_000)
  assert.equal((await service.get('/me', short)).status, 200)
  clock.advance(30_000)
  const ended = await service.get('/me', short)
  assert.equal(ended.status, 401)
  assert.deepEqual(plain(ended.body), plain(unknown.body))
})

test('access tokens: a refresh token, a code and an identity token are no access tokens', async () => {
  const browser = await signedIn(service, 'ada@acme.example')
  const tokens = await tokensFor(config, browser, 'openid jobs:read offline_access', { prompt: 'consent' })
  assert.equal((await service.get('/me', tokens.refresh_token)).status, 401)
  assert.equal((await service.get('/me', tokens.id_token)).status, 401)
  assert.equal((await service.get('/me', tokens.access_token)).status, 200)
})

test('access tokens: scopes: those requested that the role can see, on the page and at the API', async () => {
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    const email = `${role}@acme.example`
    await createMember(service, workspace, email, role)
    const own = await tokenOf(email)
    const { body } = await service.get('/me', own)
    assert.deepEqual(
      body.scopes.toSorted(),
      EVERYTHING.filter(scope => ROLE_SCOPES[role].includes(scope)).toSorted(),
      role,
    )
  }
  const viewer = await signedIn(service, 'viewer@acme.example')
  const tokens = await tokensFor(config, viewer, 'openid jobs:read contact:read', { prompt: 'consent' })
  assert.equal(tokens.scope, 'openid jobs:read', 'the response names the granted scopes')
  const response = await service.get('/events', tokens.access_token)
  assert.equal(response.status, 403)
  assert.equal(response.body.detail.code, 'insufficient_scope')
})

test('access tokens: 404: another workspace', async () => {
  const response = await service.get(`/jobs?workspace_id=${other}`, token)
  assert.equal(response.status, 404)
  assert.equal((await service.get(`/jobs?workspace_id=${workspace}`, token)).status, 200)
})

test('access tokens: 403 write_requires_api_key: unless the workspace switched writes on, from the very next request', async () => {
  const body = { name: 'From an app' }
  const before = await service.post('/lists', token, body)
  assert.equal(before.status, 403)
  assert.equal(before.body.detail.code, 'write_requires_api_key')
  await writes(true)
  const done = await service.post('/lists', token, body)
  assert.equal(done.status, 201, done.text)
  const me = await service.get('/me', token)
  const [event] = await service.services.db.query(
    sql<{ origin_key: string }>`select origin_key_id as origin_key from outbox where type = 'list.created'
      union all select origin_key_id from events where type = 'list.created'`,
  )
  assert.equal(event?.origin_key, me.body.id)
  await writes(false)
  assert.equal((await service.post('/lists', token, body)).status, 403)
})

test('personal data: audited with the acting user, within the budget of the plan', async () => {
  const { db } = service.services
  await db.query(sql`
    insert into applicants (workspace_id, id, full_name, email)
    values (${workspace}, 'apl_01m8x2c4e6g8j0k2m4n6', 'Grace Hopper', 'grace@navy.example')`)
  await db.query(sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, kind)
    values (${workspace}, 'applicant', 'apl_01m8x2c4e6g8j0k2m4n6', 'email', 'grace@navy.example', 'submitted')`)
  const response = await service.get('/applicants/apl_01m8x2c4e6g8j0k2m4n6/contact-info', token)
  assert.equal(response.status, 200, response.text)
  const me = await service.get('/me', token)
  const rows = await db.query(
    sql<{ acting_user_id: string }>`select acting_user_id from personal_data_reads where key_id = ${me.body.id}`,
  )
  assert.ok(rows.length > 0)
  assert.ok(rows.every(row => row.acting_user_id === ada.id))
  const audit = await service.get('/audit/personal-data-reads', token)
  assert.equal(audit.body.data[0].acting_user_id, ada.id)
  assert.equal(me.body.rate_limits.personal_data_reads_used_today, rows.length)
})

test('access tokens: demotion, revoked consent and removal apply from the next request', async () => {
  const { db } = service.services
  const bob = await createMember(service, workspace, 'bob@acme.example', 'admin')
  const who = { workspace, user: bob.id }
  const own = await tokenOf('bob@acme.example')
  assert.equal((await service.get('/events', own)).status, 200)
  await changeRole(db, who, 'viewer')
  assert.equal((await service.get('/events', own)).status, 403)
  await changeRole(db, who, 'member')
  assert.equal((await service.get('/events', own)).status, 200)

  const [consent] = await listConsents(db, workspace, { user: bob.id })
  const before = (await service.get('/me', own)).body.id
  await revokeConsent(db, workspace, consent!.id)
  assert.equal((await service.get('/me', own)).status, 401)
  const again = await tokenOf('bob@acme.example', ['jobs:read'])
  assert.equal((await service.get('/me', own)).status, 401, 'a new consent does not revive what was ended')
  assert.equal((await service.get('/me', again)).body.id, before, 'and starts no new budget')

  await removeUser(db, who)
  assert.equal((await service.get('/me', again)).status, 401)
})

test('access tokens: /account: a person sees the apps that act for them and takes a consent back; no one else can', async () => {
  await createMember(service, workspace, 'cleo@acme.example', 'member')
  const cleo = await signedIn(service, 'cleo@acme.example')
  const own = (await tokensFor(config, cleo, 'openid jobs:read')).access_token
  const page = await cleo.get('/account')
  assert.match(page.html, /Payroll/)
  assert.match(page.html, /Read jobs, their sections/)
  const consent = /name="consent" value="(pk_\w+)"/.exec(page.html)![1]!
  const owner = await signedIn(service, 'ada@acme.example')
  const theirs = await owner.submit(await owner.get('/account'), { consent }, { action: '/account/apps/revoke' })
  assert.equal(theirs.status, 404)
  assert.equal((await service.get('/me', own)).status, 200)
  assert.equal((await cleo.submit(page, {}, { action: '/account/apps/revoke' })).status, 303)
  assert.equal((await service.get('/me', own)).status, 401)
})

test('access tokens: 429: limits of the plan count for the app and person together', async () => {
  await service.services.db.query(sql`update workspaces set plan = null where id = ${workspace}`)
  try {
    await createMember(service, workspace, 'dora@acme.example', 'member')
    const own = await tokenOf('dora@acme.example', ['jobs:read', 'notes:write'])
    const me = await service.get('/me', own)
    assert.equal(me.body.rate_limits.general_per_minute, 60)
    assert.deepEqual(me.body.scopes, ['jobs:read'], 'what needs a plan is not there without one')
    const second = await tokenOf('dora@acme.example', ['jobs:read'])
    const responses = await Promise.all(
      Array.from({ length: 60 }, (_, i) => service.get('/jobs', i % 2 ? own : second)),
    )
    assert.equal(responses.filter(response => response.status === 429).length, 1)
  } finally {
    await service.services.db.query(sql`update workspaces set plan = 'starter' where id = ${workspace}`)
  }
})

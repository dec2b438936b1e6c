import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { isAppSecret } from '../../src/resources/connected-apps/index.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { signedIn as browserOf, createMember, relyingParty, tokensFor } from '../sign-in/setup.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let admin: Person
let stranger: Person

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace()).id
  admin = await signedIn(service, workspace, { role: 'admin' })
  stranger = await signedIn(service, (await service.workspace()).id)
})

const wanted = (more: object = {}) => ({
  name: 'Payroll',
  kind: 'web',
  redirect_uris: ['https://app.example/callback'],
  scopes: ['profile', 'jobs:read'],
  ...more,
})

test('console apps: registered: the secret is shown this once, and only for an app that can keep one', async () => {
  const response = await admin.post('/apps', wanted())
  assert.equal(response.status, 200, response.text)
  const { app, client_secret } = response.body
  assert.ok(client_secret.length >= 40)
  assert.deepEqual(app.scopes, ['openid', 'profile', 'jobs:read'])
  const detail = await admin.get(`/apps/${app.id}`)
  assert.deepEqual(detail.body.people, [])
  assert.ok(!detail.text.includes(client_secret) && !(await admin.get('/apps')).text.includes(client_secret))
  for (const kind of ['browser', 'native']) {
    assert.equal((await admin.post('/apps', wanted({ kind }))).body.client_secret, null)
  }
})

test('console apps: 400: invalid redirects, scopes and kinds', async () => {
  const wrong = [
    wanted({ redirect_uris: [] }),
    wanted({ redirect_uris: ['http://app.example/callback'] }),
    wanted({ redirect_uris: ['javascript:alert(1)'] }),
    wanted({ redirect_uris: ['https://app.example/*'] }),
    wanted({ scopes: ['webhooks:write'] }),
    wanted({ scopes: ['everything'] }),
    wanted({ kind: 'toaster' }),
    wanted({ name: ' ' }),
  ]
  for (const body of wrong) assert.equal((await admin.post('/apps', body)).status, 400, JSON.stringify(body))
})

test('console apps: 404: another workspace’s app and consent are as missing ones', async () => {
  const { app } = (await admin.post('/apps', wanted())).body
  const missing = '00000000-0000-4000-8000-000000000000'
  for (const id of [app.id, missing, 'x']) {
    assert.equal((await stranger.get(`/apps/${id}`)).status, 404)
    assert.equal((await stranger.post(`/apps/${id}/rotate`, { overlap_hours: 0 })).status, 404)
    assert.equal((await stranger.post(`/apps/${id}/revoke`)).status, 404)
  }
  assert.equal((await admin.get(`/apps/${app.id}`)).body.revoked_at, null)
  assert.ok(!(await stranger.get('/apps')).text.includes(app.id))
})

test('console apps: consents: who and when; revoked, the token ends immediately; rotated, the old secret with the overlap; removed, all', async () => {
  const { app, client_secret } = (await admin.post('/apps', wanted())).body
  const email = 'consents@test.example'
  await createMember(service, workspace, email, 'member')
  const config = await relyingParty(service.origin, { client_id: app.id, client_secret })
  const browser = await browserOf(service, email)
  const tokens = await tokensFor(config, browser, 'openid profile jobs:read')
  const jobs = (token: string) => service.get('/jobs', token)
  assert.equal((await jobs(tokens.access_token)).status, 200)

  const [consent] = (await admin.get(`/apps/${app.id}`)).body.people
  assert.equal(consent.user.email, email)
  assert.equal(consent.user.name, 'Ada Byron')
  assert.deepEqual(new Set(consent.scopes), new Set(['openid', 'profile', 'jobs:read']))
  assert.equal((await stranger.post(`/consents/${consent.id}/revoke`)).status, 404)
  assert.equal((await jobs(tokens.access_token)).status, 200)
  assert.equal((await admin.post(`/consents/${consent.id}/revoke`)).status, 200)
  assert.equal((await jobs(tokens.access_token)).status, 401)
  assert.deepEqual((await admin.get(`/apps/${app.id}`)).body.people, [])

  const rotated = (await admin.post(`/apps/${app.id}/rotate`, { overlap_hours: 0 })).body
  assert.notEqual(rotated.client_secret, client_secret)
  await assert.rejects(tokensFor(config, browser, 'openid jobs:read'))
  const next = await relyingParty(service.origin, { client_id: app.id, client_secret: rotated.client_secret })
  const again = await tokensFor(next, browser, 'openid jobs:read')
  assert.equal((await jobs(again.access_token)).status, 200)
  const removed = (await admin.post(`/apps/${app.id}/revoke`)).body
  assert.notEqual(removed.revoked_at, null)
  assert.equal((await jobs(again.access_token)).status, 401)
  assert.equal((await admin.post(`/apps/${app.id}/rotate`, { overlap_hours: 0 })).status, 400)
})

test('console apps: 403 email_domain_not_allowed: people who may not manage keys register no app, rotate none and let none write', async () => {
  const place = (await service.workspace()).id
  const insider = await signedIn(service, place, { role: 'owner', email: 'i@allowed.example' })
  assert.equal((await insider.post('/settings', { key_management_domains: ['allowed.example'] })).status, 200)
  const { app, client_secret } = (await insider.post('/apps', wanted())).body
  const guest = await signedIn(service, place, { role: 'admin', email: 'ext@contractor.example' })
  const refusals = [
    await guest.post('/apps', wanted({ kind: 'native' })),
    await guest.post(`/apps/${app.id}/rotate`, { overlap_hours: 0 }),
    await guest.post('/settings', { connected_app_writes: true }),
    await guest.post('/settings', { connected_app_writes: true, webhooks_self_serve: false }),
  ]
  for (const response of refusals) {
    assert.equal(response.status, 403, response.text)
    assert.equal(response.body.detail.code, 'email_domain_not_allowed')
  }
  assert.equal((await guest.get('/apps')).body.data.length, 1)
  const settings = (await guest.get('/settings')).body
  assert.deepEqual([settings.connected_app_writes, settings.webhooks_self_serve], [false, true], 'nothing was changed')
  assert.ok(await isAppSecret(service.services.db, app.id, client_secret), 'the secret works on')
  assert.equal((await guest.post('/settings', { connected_app_writes: false })).status, 200, 'to forbid is allowed')
  assert.equal((await guest.post(`/apps/${app.id}/revoke`)).status, 200, 'and so is to end')
})

test('console apps: 400: an app without a secret has none to rotate', async () => {
  const { app } = (await admin.post('/apps', wanted({ kind: 'browser' }))).body
  assert.equal((await admin.post(`/apps/${app.id}/rotate`, { overlap_hours: 1 })).status, 400)
})

test('console apps: removing or demoting a person applies to their apps with the next request', async () => {
  const { app, client_secret } = (await admin.post('/apps', wanted({ scopes: ['jobs:read', 'applicants:read'] }))).body
  const email = 'leaves@test.example'
  const { id } = await createMember(service, workspace, email, 'member')
  const config = await relyingParty(service.origin, { client_id: app.id, client_secret })
  const { access_token } = await tokensFor(config, await browserOf(service, email), 'openid jobs:read applicants:read')
  const applicants = () => service.get('/applicants/apl_unknown', access_token)
  assert.equal((await applicants()).body.detail.code, 'not_found')
  assert.equal((await admin.post(`/people/${id}/role`, { role: 'viewer' })).status, 200)
  assert.equal((await applicants()).body.detail.code, 'insufficient_scope')
  assert.equal((await admin.post(`/people/${id}/remove`)).status, 200)
  assert.equal((await applicants()).status, 401)
  assert.deepEqual((await admin.get(`/apps/${app.id}`)).body.people, [])
})

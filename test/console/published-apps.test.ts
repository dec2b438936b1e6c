import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installableVerbs } from '../../src/cli/installable-apps.ts'
import { approveApp, readInstallable } from '../../src/resources/installations/index.ts'
import { startTestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { signedIn } from './setup.ts'

const service = await startTestService(
  { ROLES: 'api' },
  { resolveName: async host => (host.endsWith('vendor.example') ? ['8.8.8.8'] : []) },
)

const BODY = {
  name: 'Skill Checks',
  redirect_uris: ['https://app.vendor.example/callback'],
  domains: ['vendor.example'],
  scopes: ['events:read', 'jobs:read'],
  optional_scopes: [],
}

async function registered() {
  const { id: workspace } = await service.workspace('starter', 'Vendor')
  const admin = await signedIn(service, workspace, { role: 'admin' })
  const { status, body, text } = await admin.post('/published-apps', BODY)
  assert.equal(status, 200, text)
  return { workspace, admin, body, path: `/published-apps/${body.app.id}` }
}

test('console published apps: an admin registers a draft and submits it; the operator approves it', async () => {
  const { admin, body, path, workspace } = await registered()
  assert.ok(body.client_secret)
  assert.deepEqual([body.app.status, body.app.publisher], ['draft', 'Vendor'])
  assert.equal((await admin.get('/published-apps')).body.data[0].id, body.app.id)
  assert.equal((await admin.post(`${path}/submit`)).body.status, 'in_review')
  await approveApp(service.services.db, body.app.id)
  assert.equal((await admin.post(`${path}/submit`)).body.status, 'approved')
  assert.equal((await readInstallable(service.services.db, body.app.id))?.workspace_id, workspace)
  const { admin: stranger } = await registered()
  assert.equal((await stranger.get(path)).status, 404)
  assert.equal((await stranger.post(`${path}/submit`)).status, 404)
  const wrong = await admin.post('/published-apps', { ...BODY, redirect_uris: ['https://elsewhere.example/callback'] })
  assert.equal(wrong.status, 400)
})

test('console published apps: a workspace registers ten at most', async () => {
  const { admin } = await registered()
  for (let i = 1; i < 10; i++) assert.equal((await admin.post('/published-apps', BODY)).status, 200)
  const eleventh = await admin.post('/published-apps', BODY)
  assert.equal(eleventh.status, 400)
  assert.match(eleventh.text, /can publish 10 apps/)
})

test('console published apps: URLs below the domains, event types that the app can read, secrets that are shown once', async () => {
  const { admin, path } = await registered()
  const webhooks = (body: object) => admin.post(`${path}/webhooks`, { environment: 'live', ...body })
  const good = { url: 'https://hooks.vendor.example/hiring', event_types: ['job.published'] }
  const made = await webhooks(good)
  assert.equal(made.status, 200, made.text)
  assert.match(made.body.signing_secret, /^whsec_/)
  assert.deepEqual(
    made.body.app.webhooks.map(({ environment, url, event_types }: Record<string, unknown>) => [
      environment,
      url,
      event_types,
    ]),
    [['live', good.url, ['job.published']]],
  )
  const second = await webhooks({ ...good, event_types: ['job.published', 'job.closed'] })
  assert.deepEqual([second.status, second.body.signing_secret], [200, null])
  const rotated = await admin.post(`${path}/rotate-webhook-secret`, { environment: 'live', overlap_seconds: 60 })
  assert.match(rotated.body.signing_secret, /^whsec_/)
  assert.notEqual(rotated.body.signing_secret, made.body.signing_secret)
  for (const body of [
    { ...good, url: 'https://elsewhere.example/hiring' },
    { ...good, url: 'http://hooks.vendor.example/hiring' },
    { ...good, event_types: ['message.sent'] },
  ])
    assert.equal((await webhooks(body)).status, 400, JSON.stringify(body))
  const none = await admin.post(`${path}/rotate-webhook-secret`, { environment: 'test', overlap_seconds: 60 })
  assert.equal(none.status, 400)
  const ended = await webhooks({ url: null })
  assert.deepEqual([ended.status, ended.body.app.webhooks], [200, []], ended.text)
})

test('console published apps: its home changes what a draft asks for; of an approved app it waits for the operator', async () => {
  const { admin, path, body } = await registered()
  const { db } = service.services
  const wanted = {
    ...BODY,
    name: 'Skill Tests',
    optional_scopes: ['applications:read'],
    ip_allowlist: ['203.0.113.0/24'],
  }
  const changed = await admin.post(`${path}/change`, wanted)
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(
    [changed.body.name, changed.body.optional_scopes, changed.body.ip_allowlist, changed.body.proposed],
    ['Skill Tests', ['applications:read'], ['203.0.113.0/24'], null],
  )
  await approveApp(db, body.app.id)
  const domains = ['vendor.example', 'vendor.test']
  const more = await admin.post(`${path}/change`, { ...wanted, domains, scopes: ['jobs:read'], ip_allowlist: [] })
  assert.equal(more.status, 200, more.text)
  assert.deepEqual(
    [more.body.domains, more.body.scopes, more.body.ip_allowlist, more.body.proposed.domains],
    [['vendor.example'], ['jobs:read'], [], domains],
  )
  const shown = await runVerb(service, installableVerbs, 'apps show', [body.app.id])
  assert.match(
    shown.text,
    /Skill Tests .*approved; a change waits[\s\S]*domains: vendor\.example\n[\s\S]*domains: vendor\.example, vendor\.test/,
  )
  const approved = await runVerb(service, installableVerbs, 'apps approve', [body.app.id])
  assert.match(approved.text, /domains: vendor\.example, vendor\.test\n/)
  for (const wrong of [
    { redirect_uris: ['https://elsewhere.example/callback'] },
    { ip_allowlist: ['everywhere'] },
    { scopes: ['webhooks:write'] },
    { optional_scopes: ['events:read'] },
  ])
    assert.equal((await admin.post(`${path}/change`, { ...wanted, ...wrong })).status, 400, JSON.stringify(wrong))
  const { admin: stranger } = await registered()
  assert.equal((await stranger.post(`${path}/change`, wanted)).status, 404)
})

test('console published apps: a stolen client secret is replaced; the old one ends with the overlap', async () => {
  const { admin, path, body } = await registered()
  const token = async (secret: string) => {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: body.app.id,
      client_secret: secret,
    })
    return (await fetch(`${service.origin}/oauth/token`, { method: 'POST', body: form })).status
  }
  const overlapping = await admin.post(`${path}/rotate-secret`, { overlap_hours: 1 })
  assert.equal(overlapping.status, 200, overlapping.text)
  const { client_secret: second, app } = overlapping.body
  assert.ok(app.previous_secret_expires_at)
  assert.deepEqual([await token(body.client_secret), await token(second)], [200, 200])
  const { client_secret: third } = (await admin.post(`${path}/rotate-secret`, { overlap_hours: 0 })).body
  assert.deepEqual([await token(body.client_secret), await token(second), await token(third)], [401, 401, 200])
  const { admin: stranger } = await registered()
  assert.equal((await stranger.post(`${path}/rotate-secret`, { overlap_hours: 0 })).status, 404)
})

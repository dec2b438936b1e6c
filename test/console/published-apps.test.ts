import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveApp, readInstallable } from '../../src/resources/installations/index.ts'
import { startTestService } from '../harness/service.ts'
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply } from '../applications/setup.ts'
import { sharedTestService } from '../harness/service.ts'
import { packageBody } from '../orders/setup.ts'
import { DOMAIN, newTestTenant } from '../test-workspaces/setup.ts'
import { appToken, ask, codeFor, exchange, installable, installer, installIn } from './setup.ts'

const service = await sharedTestService()
const { db } = service.services
const SCOPES = ['orders:fulfill', 'orders:candidate:read', 'events:read']

test('install in a test workspace: a draft app can be, with a svc_test_ key and environment test; in a live one it is 403', async () => {
  const app = await installable(service, { draft: true })
  const { workspace } = await newTestTenant(service)
  const { browser } = await installer(service, workspace)
  const asked = await ask(app)
  const page = await browser.get(asked.path)
  assert.equal(page.status, 200, page.html)
  assert.match(page.html, /<title>Test/)
  const { status, body } = await exchange(service, app, {
    code: await codeFor(browser, asked),
    code_verifier: asked.verifier,
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(body.access_token, /^svc_test_/)
  assert.equal(body.environment, 'test')
  const own = await service.get(`/installations/${body.installation_id}`, body.access_token)
  assert.deepEqual([own.body.environment, own.headers.get('service-environment')], ['test', 'test'])
  const rotated = await service.post(`/installations/${body.installation_id}/rotate-key`, body.access_token, {
    client_secret: app.client_secret,
  })
  assert.match(rotated.body.access_token, /^svc_test_/)
  const live = await installer(service, (await service.workspace('starter')).id)
  assert.equal((await live.browser.get((await ask(app)).path)).status, 403)
})

test('GET /installations: environment is that of each workspace', async () => {
  const app = await installable(service)
  const { workspace } = await newTestTenant(service)
  const live = (await service.workspace('starter')).id
  for (const at of [workspace, live]) await installIn(service, app, at)
  const { body } = await service.get('/installations', await appToken(service, app))
  const environments = new Map(
    body.data.map((row: { workspace_id: string; environment: string }) => [row.workspace_id, row.environment]),
  )
  assert.deepEqual([environments.get(workspace), environments.get(live)], ['test', 'live'])
})

test('POST /test/reset: installation, app user and key stay; its packages and orders go, and it publishes again', async () => {
  const app = await installable(service, { scopes: SCOPES, optionalScopes: [] })
  const tenant = await newTestTenant(service)
  const { access_token: key, installation_id: id } = await installIn(service, app, tenant.workspace)
  const publish = () =>
    service.post(
      '/packages',
      key,
      packageBody({ candidate_host: 'tests.vendor.example', privacy_url: 'https://vendor.example/privacy' }),
    )
  const made = await publish()
  assert.equal(made.status, 201, made.text)
  const application = await apply(tenant, {}, { email: `kim@${DOMAIN}` })
  const order = await service.post('/orders', tenant.key, { application_id: application.id, package_id: made.body.id })
  assert.equal(order.status, 201, order.text)
  const reset = await service.post('/test/reset', tenant.key)
  assert.equal(reset.status, 202, reset.text)
  for (const path of [`/orders/${order.body.id}`, `/packages/${made.body.id}`])
    assert.equal((await service.get(path, tenant.key)).status, 404, path)
  const own = await service.get(`/installations/${id}`, key)
  assert.deepEqual([own.status, own.body.status], [200, 'active'], own.text)
  const users = await service.get(`/workspaces/${tenant.workspace}/users`, tenant.key)
  assert.equal(users.body.data.filter(({ kind }: { kind: string }) => kind === 'app').length, 1)
  const left = await db.query(sql`
    select from orders where workspace_id = ${tenant.workspace}
    union all select from packages where workspace_id = ${tenant.workspace}
    union all select from order_results where workspace_id = ${tenant.workspace}`)
  assert.equal(left.length, 0)
  assert.deepEqual([(await publish()).status], [201])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { deleteUnused } from '../../src/resources/test-workspaces/index.ts'
import { signedIn } from '../console/setup.ts'
import { sharedTestService } from '../harness/service.ts'
import { ask, installable } from '../installations/setup.ts'
import { post as postMcp } from '../mcp/setup.ts'
import { createFor, keyFor, newTestTenant } from './setup.ts'

const service = await sharedTestService()
const { db } = service.services
const live = await service.workspace('enterprise', 'Acme')
const liveKey = await service.key({ workspace: live.id, userEmail: live.userEmail })
const tenant = await newTestTenant(service, live.id)

test('GET /me: a key of a test workspace begins with svc_test_, and its responses say Service-Environment: test; of a live one, live', async () => {
  assert.match(tenant.key.secret, /^svc_test_/)
  const me = await service.get('/me', tenant.key)
  assert.deepEqual([me.status, me.headers.get('service-environment'), me.body.environment], [200, 'test', 'test'])
  const other = await service.get('/me', liveKey)
  assert.deepEqual([other.headers.get('service-environment'), other.body.environment], ['live', 'live'])
})

test('Service-Environment: also on refusals of a valid key; absent where no key is known', async () => {
  const refused = await service.get('/jobs?colour=red', tenant.key)
  assert.deepEqual([refused.status, refused.headers.get('service-environment')], [400, 'test'])
  for (const [method, path, status] of [
    ['GET', '/nothing', 404],
    ['DELETE', '/me', 405],
  ] as const) {
    const unrouted = await service.call(method, path, { key: tenant.key })
    assert.deepEqual([unrouted.status, unrouted.headers.get('service-environment')], [status, 'test'])
  }
  const narrow = await keyFor(tenant, { scopes: ['users:read'] })
  assert.equal((await service.get('/jobs', narrow)).headers.get('service-environment'), 'test')
  assert.equal((await service.get('/me', 'svc_test_unknown')).headers.get('service-environment'), null)
  assert.equal((await service.get('/nothing', 'svc_test_unknown')).headers.get('service-environment'), null)
  assert.equal((await service.get('/ping')).headers.get('service-environment'), null)
})

test('POST /mcp: Service-Environment on results, refusals and errors of the protocol', async () => {
  const message = (method: string) => ({ jsonrpc: '2.0', id: 1, method, params: {} })
  const call = { ...message('tools/call'), params: { name: 'get_me', arguments: {} } }
  for (const [key, kind] of [
    [tenant.key, 'test'],
    [liveKey, 'live'],
  ] as const)
    for (const body of [
      message('tools/list'),
      call,
      message('nothing'),
      [message('tools/list')],
      'no JSON',
      'x'.repeat(300_000),
    ]) {
      const response = await postMcp(service, body, { authorization: `Bearer ${key.secret}` })
      assert.equal(
        response.headers.get('service-environment'),
        kind,
        `${response.status} ${JSON.stringify(body).slice(0, 80)}`,
      )
    }
})

test('a key labelled test of a live workspace: the label stays, Service-Environment is that of the workspace', async () => {
  const labelled = await service.key({ workspace: live.id, userEmail: live.userEmail, environment: 'test' })
  assert.match(labelled.secret, /^svc_test_/)
  const me = await service.get('/me', labelled)
  assert.deepEqual([me.body.environment, me.headers.get('service-environment')], ['test', 'live'])
})

test('GET /workspaces/{h}: environment and the limits of a test workspace: starter, 100 000 requests a month', async () => {
  const { body } = await service.get(`/workspaces/${tenant.workspace}`, tenant.key)
  assert.equal(body.environment, 'test')
  assert.equal((await service.get(`/workspaces/${live.id}`, liveKey)).body.environment, 'live')
  const me = (await service.get('/me', tenant.key)).body
  assert.deepEqual([me.plan.code, me.rate_limits.requests_per_month], ['starter', 100_000])
})

test('keys: a test workspace issues no live key, and no key reaches live and test workspaces', async () => {
  const { workspace, userEmail } = tenant
  await assert.rejects(service.key({ workspace, userEmail, environment: 'live' }), /test keys/)
  await assert.rejects(service.key({ workspace: live.id, reach: [live.id, workspace] }), /live and test/)
  await assert.rejects(service.key({ workspace, reach: [workspace, live.id] }), /live and test/)
  await assert.rejects(service.key({ workspace, reach: 'all' }), /that it names/)
  await assert.rejects(service.key({ workspace: live.id, scopes: ['test:manage'] }), /test:manage/)
})

test('a key of all workspaces: test workspaces are not among them', async () => {
  const all = await service.key({ workspace: live.id, reach: 'all' })
  const ids = (await service.get('/workspaces?limit=100', all)).body.data.map(({ id }: { id: string }) => id)
  assert.ok(ids.includes(live.id) && !ids.includes(tenant.workspace))
  assert.ok(!(await service.get('/me', all)).body.workspace_ids.includes(tenant.workspace))
  assert.equal((await service.get(`/jobs?workspace_id=${tenant.workspace}`, all)).status, 404)
})

test('a workspace: its environment and capture domain never change', async () => {
  for (const change of [sql`environment = 'live', mailbox_domain = null`, sql`mailbox_domain = 'real.example.net'`])
    await assert.rejects(db.query(sql`update workspaces set ${change} where id = ${tenant.workspace}`), /fixed/)
})

test('test workspaces: five for a live workspace, also when six are created at the same time; none for a test one', async () => {
  const { id } = await service.workspace('starter')
  const made = await Promise.allSettled(Array.from({ length: 6 }, () => createFor(service, id)))
  assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 5)
  await assert.rejects(createFor(service, id), /5 test workspaces/)
  await assert.rejects(createFor(service, tenant.workspace), /is a test workspace/)
})

test('POST /console/api/test-workspaces: 200, its creator is the owner; the sixth is refused; a member is refused', async () => {
  const { id } = await service.workspace('starter')
  const admin = await signedIn(service, id, { role: 'admin', email: 'ada@people.dev' })
  const made = await admin.post('/test-workspaces', { name: 'Sandbox' })
  assert.equal(made.status, 200)
  const owners = await db.query(sql<{ email: string; role: string }>`
    select email, role from users where workspace_id = ${made.body.id}`)
  assert.deepEqual(owners, [{ email: 'ada@people.dev', role: 'owner' }])
  const listed = await admin.get('/test-workspaces')
  assert.deepEqual(
    listed.body.data.map((row: { id: string }) => row.id),
    [made.body.id],
  )
  for (let n = 2; n <= 5; n++)
    assert.equal((await admin.post('/test-workspaces', { name: `Sandbox ${n}` })).status, 200)
  const sixth = await admin.post('/test-workspaces', { name: 'Sandbox 6' })
  assert.deepEqual([sixth.status, sixth.body.detail.code], [400, 'invalid_request'])
  assert.match(sixth.body.detail.message, /5 test workspaces/)
  const { balance } = (await db.one(sql<{ balance: number }>`
    select balance from credit_balances where workspace_id = ${made.body.id}`))!
  assert.equal(balance, 10_000)
})

test('POST /console/api/keys: a key has the kind of its workspace, and no label can be chosen', async () => {
  const owner = await signedIn(service, tenant.workspace)
  const wanted = { name: 'Sync', scopes: ['jobs:read', 'test:manage'], ip_allowlist: [], expires_in_days: null }
  const made = await owner.post('/keys', wanted)
  assert.match(made.body.secret, /^svc_test_/)
  assert.equal((await owner.post('/keys', { ...wanted, environment: 'live' })).status, 400)
  const liveOwner = await signedIn(service, live.id)
  assert.match((await liveOwner.post('/keys', { ...wanted, scopes: ['jobs:read'] })).body.secret, /^svc_live_/)
  assert.equal((await liveOwner.post('/keys', wanted)).status, 400)
})

test('CSV files: those of a test workspace begin with test-', async () => {
  const name = async (workspace: string) =>
    (await (await signedIn(service, workspace)).get('/audit/personal-data-reads.csv')).headers.get(
      'content-disposition',
    )
  assert.match((await name(tenant.workspace))!, /test-personal-data-reads/)
  assert.doesNotMatch((await name(live.id))!, /test-/)
})

test('pages of a test workspace: marked in the title, in a bar and in the session of the programs', async () => {
  const owner = await signedIn(service, tenant.workspace)
  assert.equal((await owner.get('/session')).body.workspace.environment, 'test')
  const account = await fetch(`${service.origin}/account`, { headers: { cookie: owner.cookie } })
  const text = await account.text()
  assert.match(text, /<title>Test · /)
  assert.match(text, /class="test-mark"/)
  const { path } = await ask(await installable(service))
  const consent = await fetch(service.origin + path, { headers: { cookie: owner.cookie } })
  assert.match(await consent.text(), /<title>Test · Install[\s\S]*class="test-mark"/)
  const other = await fetch(`${service.origin}/account`, {
    headers: { cookie: (await signedIn(service, live.id)).cookie },
  })
  assert.doesNotMatch(await other.text(), /Test · |test-mark/)
})

test('careers site of a test workspace: noindex, marked in both languages; in no sitemap, and not the site of /careers', async () => {
  const slugOf = async (workspace: string) =>
    (await db.one(sql<{ slug: string }>`
      update career_sites set listed = true where workspace_id = ${workspace} returning slug`))!.slug
  const [test, shown] = [await slugOf(tenant.workspace), await slugOf(live.id)]
  const page = await fetch(`${service.origin}/careers/${test}`)
  assert.deepEqual([page.status, page.headers.get('x-robots-tag')], [200, 'noindex'])
  assert.match(await page.text(), /<title>Test · [\s\S]*no email is sent/)
  assert.match(await (await fetch(`${service.origin}/careers/${test}?lang=de`)).text(), /Diese Stellen sind nicht echt/)
  for (const file of ['feed.atom', 'jobs.xml', 'jobs.json', 'sitemap.xml'])
    assert.equal((await fetch(`${service.origin}/careers/${test}/${file}`)).status, 404, file)
  const index = await (await fetch(`${service.origin}/sitemap.xml`)).text()
  assert.ok(index.includes(`/careers/${shown}/`) && !index.includes(`/careers/${test}/`))
})

test('unused test workspaces: scheduled for deletion after 90 days without a call; a used one and a live one stay', async () => {
  const unused = await newTestTenant(service)
  const old = sql`app_now() - interval '91 days'`
  await db.query(
    sql`update workspaces set created_at = ${old} where id in (${unused.workspace}, ${tenant.workspace}, ${live.id})`,
  )
  await db.query(sql`update api_key_secrets set last_used_at = app_now() where key_id = ${tenant.key.id}`)
  assert.equal(await deleteUnused(db, 30), 1)
  const closing = await db.query(sql<{ id: string }>`
    select id from workspaces where closing_at is not null and id in (${unused.workspace}, ${tenant.workspace}, ${live.id})`)
  assert.deepEqual(closing, [{ id: unused.workspace }])
  assert.equal((await service.get('/me', unused.key)).status, 401)
})

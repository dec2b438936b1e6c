import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { newTestTenant } from '../test-workspaces/setup.ts'
import { partnerBrowser } from './setup.ts'

const PATH = '/partner/test-workspaces'
const service = await startTestService({ TEST_WORKSPACES: 'self_serve' })
const { db } = service.services

async function signedIn(secret: string, at: TestService = service) {
  const browser = partnerBrowser(at)
  assert.equal((await browser.signIn(secret)).status, 303)
  return browser
}

async function liveKey(at: TestService = service) {
  const { id: workspace, userEmail, userId } = await at.workspace('starter', 'Acme Robotics')
  return { workspace, userEmail, userId, key: await at.key({ workspace, userEmail }) }
}

const secretIn = (text: string): string => /svc_test_[\w-]+/.exec(text)?.[0] ?? ''

test("partner's page: a key of a live workspace creates a test workspace and gets a key of it, shown once", async () => {
  const { workspace, userEmail, userId, key } = await liveKey()
  const browser = await signedIn(key.secret)
  const form = await browser.get(PATH)
  assert.equal(form.status, 200)
  assert.match(form.text, /aria-current="page">Test workspaces</)
  const made = await browser.post(PATH, { name: 'Sync tests' })
  assert.equal(made.status, 200, made.text)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  const secret = secretIn(made.text)
  const me = await service.get('/me', { secret })
  assert.deepEqual([me.status, me.headers.get('service-environment')], [200, 'test'])
  assert.ok(me.body.scopes.includes('test:manage') && me.body.owner_user_id !== null)
  const [id] = me.body.workspace_ids
  const shown = (await service.get(`/workspaces/${id}`, { secret })).body
  assert.deepEqual([shown.name, shown.environment], ['Sync tests', 'test'])
  const [created] = await db.query(sql<{ test_of: string; email: string; role: string }>`
    select w.test_of, u.email, u.role from workspaces w join users u on u.workspace_id = w.id where w.id = ${id}`)
  assert.deepEqual(created, { test_of: workspace, email: userEmail, role: 'owner' })
  const logged = await db.query(sql`
    select 1 from workspace_log where workspace_id = ${workspace} and action = 'test_workspace_created' and user_id = ${userId}`)
  assert.equal(logged.length, 1)
  assert.equal((await service.post('/test/reset', { secret }, { seed: 'small' })).status, 202)
  const again = await browser.get(PATH)
  assert.match(again.text, /has 1 of at most five/)
  assert.ok(!again.text.includes(id) && !again.text.includes(secret))
})

test("partner's page: 400 for a blank name and for the sixth test workspace, which creates nothing", async () => {
  const { workspace, key } = await liveKey()
  const browser = await signedIn(key.secret)
  await browser.get(PATH)
  const count = async () => (await db.query(sql`select 1 from workspaces where test_of = ${workspace}`)).length
  const blank = await browser.post(PATH, { name: ' ' })
  assert.deepEqual([blank.status, await count()], [400, 0])
  assert.match(blank.text, /name/)
  for (let n = 1; n <= 5; n++) assert.equal((await browser.post(PATH, { name: `Sandbox ${n}` })).status, 200)
  const sixth = await browser.post(PATH, { name: 'Sandbox 6' })
  assert.deepEqual([sixth.status, secretIn(sixth.text), await count()], [400, '', 5])
  assert.match(sixth.text, /5 test workspaces/)
})

test("partner's page: no test workspace for a forged form, a key without a user, or the key of a test workspace", async () => {
  const before = await db.query(sql`select id from workspaces where environment = 'test'`)
  const { workspace, key } = await liveKey()
  const forged = await signedIn(key.secret)
  await forged.get(PATH)
  assert.equal((await forged.post(PATH, { name: 'X', csrf: 'wrong' })).status, 403)
  const ownerless = await signedIn((await service.key({ workspace })).secret)
  assert.match((await ownerless.get(PATH)).text, /belongs to no member/)
  const refused = await ownerless.post(PATH, { name: 'X' })
  assert.deepEqual([refused.status, secretIn(refused.text)], [400, ''])
  assert.deepEqual(await db.query(sql`select id from workspaces where environment = 'test'`), before)
  const inTest = await signedIn((await newTestTenant(service)).key.secret)
  const usage = await inTest.get('/partner')
  assert.doesNotMatch(usage.text, /partner\/test-workspaces/)
  assert.equal((await inTest.get(PATH)).status, 404)
  assert.equal((await inTest.post(PATH, { name: 'X' })).status, 404)
})

test("partner's page: offers no test workspaces unless the operator allows it", async () => {
  const other = await startTestService({ TEST_WORKSPACES: 'admins' })
  const { workspace, key } = await liveKey(other)
  const browser = await signedIn(key.secret, other)
  assert.doesNotMatch((await browser.get('/partner')).text, /partner\/test-workspaces/)
  assert.equal((await browser.get(PATH)).status, 404)
  assert.equal((await browser.post(PATH, { name: 'X' })).status, 404)
  assert.deepEqual(await other.services.db.query(sql`select 1 from workspaces where test_of = ${workspace}`), [])
})

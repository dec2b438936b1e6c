import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { axe, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

let service: TestService
let receiver: Receiver
let workspace: string
let key: { id: string; secret: string }

before(async () => {
  if (noBrowser) return
  receiver = await startReceiver()
  const settings = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE }
  service = await startTestService(settings, { resolveName: testNames() })
  const made = await service.workspace('starter', 'Acme Robotics')
  workspace = made.id
  key = await service.key({ workspace, userEmail: made.userEmail, name: 'ATS sync' })
  await service.post('/webhooks/endpoints', key, { url: receiver.url, event_types: ['job.updated'] })
  await emit(service.services.db, workspace, ['job.updated', 'job.updated'])
  const log = async () => (await service.get('/webhooks/deliveries?status=delivered', key)).body.data
  await until('delivered', async () => (await log()).length === 2)
  await service.services.db.query(sql`
    insert into personal_data_reads (workspace_id, key_id, subject_object, subject_id, field, units, request_id)
    select ${workspace}, ${key.id}, 'applicant', 'apl_' || n, 'email', 1, 'req_' || n from generate_series(1, 60) n`)
})

async function signedIn(secret: string, opts?: VisitOptions): Promise<Visit> {
  const window = await visit(service.origin, opts)
  await window.page.goto('/partner')
  await window.page.getByLabel('API key').fill(secret)
  await window.page.keyboard.press('Enter')
  await window.page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  return window
}

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
  ['dark', 1280],
  ['light', 390],
] as const) {
  test(`partner's page: every page, ${theme}, ${width} pixels wide: no serious accessibility issue, no error, no overflow`, {
    skip: noBrowser,
  }, async () => {
    // contrast does not change with the width, nor structure with the theme: each is checked only one time
    const faults = async (page: Visit['page']) => ((theme === 'light') === (width === 1280) ? axe(page) : [])
    const signIn = await visit(service.origin, { theme, width })
    await signIn.page.goto('/partner')
    assert.deepEqual(await faults(signIn.page), [])
    await signIn.close()
    const { page, problems, close } = await signedIn(key.secret, { theme, width })
    const look = async (path: string) => {
      assert.deepEqual(await faults(page), [], path)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path)
    }
    for (const path of ['/partner', '/partner/requests', '/partner/webhooks', '/partner/audit', '/partner/access']) {
      await page.goto(path)
      for (const details of await page.locator('details').all())
        await details.evaluate('element => { element.open = true }')
      await look(path)
    }
    await page.goto('/partner/webhooks')
    await page.getByRole('link', { name: 'job.updated' }).first().click()
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor()
    await look('a delivery')
    assert.deepEqual(problems, [])
    await close()
  })
}

test("partner's page: 390 pixels wide: the tabs are in one row and all of them in sight; 320: the row scrolls", {
  skip: noBrowser,
}, async () => {
  for (const width of [390, 320]) {
    const { page, close } = await signedIn(key.secret, { width })
    const tabs = page.getByRole('navigation', { name: "Partner's page" }).getByRole('link')
    const boxes = await Promise.all((await tabs.all()).map(async tab => (await tab.boundingBox())!))
    assert.equal(boxes.length, 5)
    assert.equal(new Set(boxes.map(({ y }) => y)).size, 1, 'one row')
    assert.equal(new Set(boxes.map(({ height }) => height)).size, 1, 'no label wraps')
    if (width === 390) assert.ok(boxes.every(box => box.x + box.width <= width))
    await tabs.last().focus()
    const last = (await tabs.last().boundingBox())!
    assert.ok(last.x >= 0 && last.x + last.width <= width, 'the keyboard brings the last one into sight')
    await close()
  }
})

test("partner's page: works without scripts: sign in, send a ping, page through the audit rows, sign out", {
  skip: noBrowser,
}, async () => {
  const { page, problems, close, context } = await signedIn(key.secret, { javaScript: false })
  assert.ok(!page.url().includes('svc_'))
  const [cookie] = await context.cookies()
  assert.deepEqual([cookie!.httpOnly, cookie!.value.includes('svc_')], [true, false])
  await page.getByRole('link', { name: 'Webhooks' }).click()
  const before = receiver.received.length
  await page.getByRole('button', { name: 'Send a ping' }).click()
  await page.getByText('A ping was queued.').waitFor()
  await until('the ping arrives', () => receiver.received.length > before)
  await page.getByRole('link', { name: 'Audit' }).click()
  await page.getByRole('link', { name: 'Older' }).click()
  await page.getByRole('link', { name: 'Newest' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key').waitFor()
  await page.goBack()
  await page.reload()
  await page.getByLabel('API key').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test("partner's page: a wrong key is refused in words that a screen reader reads out, and a revoked one ends the session", {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await visit(service.origin, { expectedStatuses: [401] })
  await page.goto('/')
  await page.getByRole('link', { name: /Partner’s page/ }).click()
  await page.getByLabel('API key').fill('svc_live_wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('This key is not valid').waitFor()
  assert.equal(await page.getByLabel('API key').inputValue(), '')
  const short = await service.key({ workspace, name: 'Short' })
  await page.getByLabel('API key').fill(short.secret)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  await revokeKey(service.services.db, short.id)
  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByRole('alert').getByText('Your session has ended').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { consoleWorld } from './setup.ts'

const options = { skip: noBrowser }

const world = consoleWorld()

const focused = (page: Page) => page.evaluate('document.activeElement.textContent') as Promise<string>

/** Presses Tab until the element has the focus: what cannot be reached is not found. */
async function tabTo(page: Page, name: string | RegExp, role = 'button'): Promise<void> {
  const wanted = page
    .getByRole(role as 'button', { name, ...(typeof name === 'string' ? { exact: true } : {}) })
    .first()
  await wanted.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if ((await wanted.and(page.locator(':focus')).count()) > 0) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${name} cannot be reached with the keyboard`)
}

test(
  'console: a key with the keyboard alone: created, its secret copied, rotated, revoked; the focus is never lost',
  options,
  async () => {
    const { page, context, problems, close } = await world.open('/keys')
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await tabTo(page, 'Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Create a key' }).waitFor()
    await tabTo(page, 'Name', 'textbox')
    await page.keyboard.type('By hand')
    await tabTo(page, /^jobs:read/, 'checkbox')
    await page.keyboard.press('Space')
    await tabTo(page, 'Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Key created' }).waitFor()
    await until('the result is announced', async () => (await focused(page)) === 'Key created')
    await tabTo(page, 'Copy secret key')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Copied').waitFor()
    const secret = String(await page.evaluate('navigator.clipboard.readText()'))
    assert.equal((await world.service.get('/me', secret)).status, 200)
    assert.match(await focused(page), /Copied/)
    await tabTo(page, 'I have stored the secret')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By hand' }).waitFor()
    assert.match(await page.title(), /^By hand · Acme Robotics/)

    await tabTo(page, 'Rotate secret')
    await page.keyboard.press('Enter')
    const first = 'document.activeElement.labels?.[0]?.textContent'
    await until('the first field has the focus', async () => (await page.evaluate(first)) === 'Overlap')
    await tabTo(page, 'Rotate')
    await page.keyboard.press('Enter')
    await until('the result is announced', async () => (await focused(page)) === 'Secret rotated')
    await tabTo(page, 'I have stored the secret')
    await page.keyboard.press('Enter')

    await tabTo(page, 'Revoke')
    await page.keyboard.press('Enter')
    await until('the way out has the focus', async () => (await focused(page)) === 'Cancel')
    await page.keyboard.press('Escape')
    await until('it is given back', async () => (await focused(page)) === 'Revoke')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Revoke key')
    await page.keyboard.press('Enter')
    await page.getByText('Key revoked').waitFor()
    await until('the button is gone, the page is not', async () => (await focused(page)) === 'By hand')
    assert.deepEqual(problems, [])
    await close()
  },
)

test(
  'console: a webhook with the keyboard alone: registered for every type, tested, delivered again',
  options,
  async () => {
    await world.service.key({ workspace: world.workspace, name: 'Hooks' })
    const { page, problems, close } = await world.open('/webhooks/new')
    page.on('dialog', dialog => dialog.accept())
    await tabTo(page, 'URL', 'textbox')
    await page.keyboard.type(world.receiver.url)
    await tabTo(page, 'All types')
    await page.keyboard.press('Enter')
    await page.getByText('including types that are added later').waitFor()
    await tabTo(page, 'Register endpoint')
    await page.keyboard.press('Enter')
    await tabTo(page, 'I have stored the secret')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Event types (all)' }).waitFor()
    await tabTo(page, 'Send test')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'ping' }).waitFor()
    await page.getByText('acknowledged').waitFor()
    const before = page.url()
    await tabTo(page, 'Redeliver')
    await page.keyboard.press('Enter')
    await until('the new delivery is shown', () => page.url() !== before)
    await page.getByText('acknowledged').waitFor()
    assert.deepEqual(problems, [])
    await close()
  },
)

test('console: leaving a secret or a half-filled form asks in a dialog of the page', options, async () => {
  const { page, problems, close } = await world.open('/keys')
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave the page?' })
  const respond = async (text: string, button: 'Stay' | 'Leave') => {
    await question.getByText(text).waitFor()
    await question.getByRole('button', { name: button }).click()
    await question.waitFor({ state: 'detached' })
  }
  const leave = () => page.getByRole('link', { name: 'Event feed' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Careful')
  await leave()
  await respond('Your changes will be lost', 'Stay')
  assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), 'Careful')
  await page.getByRole('checkbox', { name: /^jobs:read/ }).check()
  await page.getByRole('button', { name: 'Create key' }).click()
  const secret = page.getByRole('region', { name: 'secret key' })
  await secret.waitFor()
  await leave()
  await question.waitFor()
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await page.evaluate('history.back()')
  await respond('The secret key is shown only here', 'Stay')
  assert.ok(await secret.isVisible())
  await leave()
  await respond('The secret key is shown only here', 'Leave')
  await page.getByRole('heading', { name: 'Event feed' }).waitFor()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test(
  'console: a read that fails leaves what was shown of the same thing, and nothing of another',
  options,
  async () => {
    const key = await world.service.key({ workspace: world.workspace, name: 'Still shown' })
    const { page, close } = await world.open('/keys')
    await page.getByRole('link', { name: 'Still shown' }).waitFor()
    // a response that breaks off half way is no response
    await page.route('**/console/api/events*', route => route.fulfill({ status: 200, body: '{"data": [' }))
    await page.getByRole('link', { name: 'Event feed' }).click()
    await page.getByText('The service is unavailable').waitFor()
    await page.unroute('**/console/api/events*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page
      .getByText(/No events yet|recorded/i)
      .first()
      .waitFor()

    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('link', { name: 'Still shown' }).click()
    await page.getByRole('heading', { name: 'Still shown' }).waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.route(`**/console/api/keys/${key.id}`, route => route.abort())
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('The service is unavailable').waitFor()
    assert.ok(await page.getByRole('heading', { name: 'Still shown' }).isVisible(), 'the page is still there')
    await page.unroute(`**/console/api/keys/${key.id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.page-head .state').getByText('revoked').waitFor()

    // a page that breaks leaves the rest of the console
    const broken = { sequence: 1, id: 'evt_1', type: 'job.updated', created_at: '2026-11-01T00:00:00Z', origin: null }
    const json = { data: [{ ...broken, body: 'no JSON' }], next_before: null, unfinished: false }
    await page.route('**/console/api/events*', route => route.fulfill({ json }))
    await page.getByRole('link', { name: 'Event feed' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()

    // rows of other filters are not taken for those that were asked for
    await page.goto('/console/deliveries')
    await page.getByRole('link', { name: 'ping' }).first().waitFor()
    await page.route('**/console/api/deliveries?*', route => route.abort())
    await choose(page.getByLabel('State'), 'failed')
    await page.getByText('The service is unavailable').waitFor()
    assert.equal(await page.getByRole('link', { name: 'ping' }).count(), 0)
    await close()
  },
)

test('console: going back restores the list and its scroll position', options, async () => {
  const { db } = world.service.services
  const endpoint = (await db.one(sql<{ id: string; key_id: string }>`
    select id, key_id from webhook_endpoints where workspace_id = ${world.workspace} limit 1`))!
  await db.query(sql`
    insert into webhook_deliveries
      (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, status, attempt, created_at)
    select ${world.workspace}, gen_random_uuid(), ${endpoint.id}::uuid, ${endpoint.key_id}, n, 'evt_' || lpad(n::text, 20, '0'),
      'job.closed', 'delivered', 1, app_now() - n * interval '1 second'
    from generate_series(1, 120) as n`)
  const { page, problems, close } = await world.open('/deliveries?event_type=job.closed')
  await until('all are there', async () => {
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    return (await page.locator('table[aria-rowcount="121"]').count()) > 0
  })
  await page.evaluate('scrollTo(0, 3000)')
  const row = page.locator('tbody tr[aria-rowindex="65"] a')
  await row.click()
  await page.getByRole('heading', { name: 'job.closed' }).waitFor()
  await page.goBack()
  await page.locator('table[aria-rowcount="121"]').waitFor()
  assert.ok(Number(await page.evaluate('scrollY')) > 2000)
  assert.ok(await row.isVisible())
  assert.deepEqual(problems, [])
  await close()
})

test('console: after another person signs in in another tab, the page becomes theirs', options, async () => {
  const { page, context, problems, close } = await world.open('/keys')
  await page.locator('.side-head').getByText('Acme Robotics').waitFor()
  const other = await signedIn(world.service, (await world.service.workspace('starter', 'Other Ltd')).id)
  await context.addCookies([{ name: SESSION_COOKIE, value: other.cookie.split('=')[1]!, url: world.service.origin }])
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
  await page.locator('.side-head').getByText('Other Ltd').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { checkAlerts, postDueAlerts } from '../../src/resources/alerts/index.ts'
import { axe, noBrowser } from '../harness/browser.ts'
import { consoleWorld } from './setup.ts'

const world = consoleWorld(async ({ service, workspace }) => {
  const { db } = service.services
  const key = await service.key({ workspace, name: 'ATS sync', expiresInDays: 3.5 })
  await service.key({ workspace, name: 'Careers board' })
  await db.query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    select workspace_id, id, app_now()::date, case name when 'ATS sync' then 4200 else 5000 end
    from api_keys where workspace_id = ${workspace}`)
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, consecutive_failures, first_failure_at)
    values (${workspace}, gen_random_uuid(), ${key.id}, 'https://hooks.partner.example/in', '{}', 6,
      app_now() - interval '3 hours')`)
  // the service's own worker may be checking at this moment
  while (!(await checkAlerts(db)));
})

test('console alerts: the overview and the navigation count open alerts, and acknowledging one by keyboard lowers the count', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await world.open('')
  const badge = page.locator('.badge')
  await badge.waitFor()
  assert.match(await badge.innerText(), /^3/)
  await page.getByText('3 open alerts, 1 critical.').waitFor()
  await page.getByRole('link', { name: 'See what needs attention' }).click()
  const alerts = page.getByRole('list', { name: 'Open alerts' }).getByRole('listitem')
  await alerts.first().waitFor()
  assert.equal(await alerts.count(), 3)
  assert.deepEqual(await axe(page), [])
  const failing = alerts.filter({ hasText: 'Webhook endpoint is failing: hooks.partner.example' })
  await failing.getByRole('button', { name: 'Acknowledge' }).focus()
  await page.keyboard.press('Enter')
  await failing.getByText(/acknowledged by Pia/).waitFor()
  assert.equal(await failing.getByRole('button').count(), 0)
  await badge.getByText('2').waitFor()
  await failing.getByRole('link').click()
  await page.getByRole('heading', { name: 'hooks.partner.example/in' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('console alerts: a person mutes a kind and turns email off, and finds it so after a reload', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await world.open('/alerts/settings')
  const mail = page.getByRole('checkbox', { name: 'Send alerts to my email address' })
  const kinds = page.getByRole('group', { name: 'Kinds of alerts', exact: true })
  await kinds.getByRole('checkbox', { name: /Monthly quota/ }).uncheck()
  await mail.uncheck()
  assert.equal(await kinds.getByRole('checkbox', { name: /Monthly quota/ }).isDisabled(), true)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Notifications saved').waitFor()
  await page.reload()
  await mail.waitFor()
  assert.equal(await mail.isChecked(), false)
  await mail.check()
  assert.equal(await kinds.getByRole('checkbox', { name: /Monthly quota/ }).isChecked(), false)
  assert.equal(await kinds.getByRole('checkbox', { name: /Webhook endpoint is failing/ }).isChecked(), true)
  assert.deepEqual(problems, [])
  await close()
})

test('console alerts: a webhook is added with a secret that is shown once, tested, and removed', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await world.open('/alerts/settings', { expectedStatuses: [400] })
  const url = page.getByLabel('URL')
  await url.fill('https://localhost/x')
  await page.getByRole('button', { name: 'Add webhook' }).click()
  await page.getByText(/must not name localhost/).waitFor()
  await url.fill(`${world.receiver.url}/alerts`)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const secret = await page.getByRole('region', { name: 'signing secret' }).innerText()
  assert.match(secret, /^whsec_/)
  await page.getByRole('button', { name: 'I have stored the secret' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The receiver accepted the test (200)').waitFor()
  assert.ok(world.receiver.received.some(({ path, body }) => path.endsWith('/alerts') && body.includes('alert.test')))
  assert.ok(!(await page.content()).includes(secret.trim()))
  await postDueAlerts(world.service.services)
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Add webhook' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

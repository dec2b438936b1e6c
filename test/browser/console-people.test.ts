import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { startReceiver } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { exchange, relyingParty, request } from '../sign-in/setup.ts'

describe('data protection, people and apps in the console', { skip: noBrowser }, () => {
  let service: TestService
  let world: World
  let application: { id: string; applicant_id: string }
  let open: (path: string, opts?: VisitOptions) => Promise<Visit>

  before(async () => {
    service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    application = await apply(world, {}, { email: 'found@example.org' })
    const { cookie } = await signedIn(service, world.workspace, { email: 'pia@test.example' })
    open = async (path, opts) => {
      const window = await visit(service.origin, opts)
      await window.context.addCookies([{ name: SESSION_COOKIE, value: cookie.split('=')[1]!, url: service.origin }])
      await window.page.goto(`/console${path}`)
      await window.page.locator('h1').waitFor()
      return window
    }
  })

  const regionText = (page: Page, name: string) => page.getByRole('region', { name }).innerText()

  test('console: a read of personal data is found by its record, and downloaded', async () => {
    const read = await service.get(`/applicants/${application.applicant_id}/contact-info`, world.key)
    assert.equal(read.status, 200, read.text)
    const { page, problems, close } = await open('/audit')
    await page.getByLabel('Record').fill(application.applicant_id)
    await choose(page.getByLabel('Field'), 'email')
    const row = page.getByRole('row', { name: /Email address of applicant/ })
    await row.waitFor()
    assert.match(await row.innerText(), new RegExp(read.headers.get('service-request-id')!))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^personal-data-reads-.*\.csv$/)
    await choose(page.getByLabel('Field'), 'phone')
    await page.getByText('No matching reads').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('console: an erasure runs to its end, and the address is nowhere afterwards', async () => {
    await apply(world, {}, { email: 'goes@example.org' })
    await service.services.usage.flush() // only keys that were used have copies to confirm
    const { page, problems, close } = await open('/erasures')
    await page.getByRole('button', { name: 'New request' }).click()
    await page.getByLabel('Email address').fill('goes@example.org')
    await page.getByRole('button', { name: 'Find records' }).click()
    await page.getByText(/In this workspace: .*1 applicant/).waitFor()
    const erase = page.getByRole('button', { name: 'Erase in this workspace' })
    assert.equal(await erase.isDisabled(), true)
    await page.getByLabel(/type the email address or URL again/).fill('goes@example.org')
    await erase.click()
    await page.locator('.page-head .state').getByText('erased').waitFor()
    await page.getByRole('row', { name: /waiting/ }).waitFor()
    const [entry] = (await service.get('/suppressions', world.key)).body.data
    const done = { deleted_at: '2026-01-01T00:00:00Z' }
    assert.equal((await service.post(`/suppressions/${entry.id}/acknowledge`, world.key, done)).status, 200)
    await page.reload()
    await page.getByRole('row', { name: /confirmed/ }).waitFor()
    assert.ok(!(await page.content()).includes('goes@'))
    await page.getByRole('link', { name: 'Erasure requests' }).first().click()
    await page.getByRole('link', { name: 'Requested by the person' }).waitFor()
    assert.ok(!(await page.content()).includes('goes@'))
    assert.deepEqual(problems, [])
    await close()
  })

  test('console: an app is registered and allowed; its consent is seen and revoked, which ends its token', async () => {
    const receiver = await startReceiver('app.hooks.test')
    const { page, problems, close } = await open('/apps/new', { origins: [`https://${receiver.host}`] })
    await page.getByLabel('Name', { exact: true }).fill('Payroll')
    await page.getByLabel('Redirect URIs').fill(receiver.url)
    await page.getByRole('checkbox', { name: /^jobs:read/ }).check()
    await page.getByRole('button', { name: 'Register app' }).click()
    const client_secret = await regionText(page, 'client secret')
    const client_id = await regionText(page, 'client id')
    await page.getByRole('button', { name: 'I have stored the secret' }).click()
    await page.getByText('No one yet').waitFor()
    assert.ok(!(await page.content()).includes(client_secret))

    const config = await relyingParty(service.origin, { client_id, client_secret })
    const asked = await request(config, 'openid profile jobs:read', { redirect_uri: receiver.url })
    await page.goto(asked.url.href)
    await page.getByRole('heading', { name: 'Allow Payroll?' }).waitFor()
    assert.deepEqual(await axe(page), [])
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.waitForURL(`${receiver.url}?*`)
    const { access_token } = await exchange(config, new URL(page.url()), asked)
    assert.equal((await service.get('/jobs', access_token)).status, 200)

    await page.goto(`/console/apps/${client_id}`)
    await page
      .getByRole('row', { name: /pia@test\.example/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await page.getByRole('button', { name: 'Revoke consent' }).click()
    await page.getByText('No one yet').waitFor()
    assert.equal((await service.get('/jobs', access_token)).status, 401)
    assert.deepEqual(problems, [])
    await close()
  })

  test('console people: a person is invited, their mail read in the outbox, their role changed, and removed', async () => {
    const { page, problems, close } = await open('/people')
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Email address').fill('nora@test.example')
    await dialog.getByLabel('First name').fill('Nora')
    assert.deepEqual(await axe(page), [])
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await page.getByRole('link', { name: 'Open the email' }).click()
    await page.getByRole('link', { name: /sign-in\/link/ }).waitFor()
    await page.getByRole('link', { name: 'People' }).click()
    const row = page.getByRole('row', { name: /nora@test\.example/ })
    await row.getByRole('button', { name: 'Manage' }).click()
    await choose(dialog.getByLabel('Role'), 'admin')
    await dialog.getByRole('button', { name: 'Change role' }).click()
    await row.getByText('admin', { exact: true }).waitFor()
    const role = await service.services.db.one(sql<{ role: string }>`
      select role from users where email = 'nora@test.example'`)
    assert.equal(role?.role, 'admin')
    await row.getByRole('button', { name: 'Manage' }).click()
    assert.deepEqual(await axe(page), [])
    await dialog.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('heading', { name: 'Remove Nora?' }).waitFor()
    assert.deepEqual(await axe(page), [])
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
    await row.waitFor({ state: 'detached' })
    assert.deepEqual(problems, [])
    await close()
  })

  test('settings: a switch is confirmed, a list without one’s own domain is refused at its field', async () => {
    const { page, problems, close } = await open('/settings', { expectedStatuses: [400] })
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('Setting changed').waitFor()
    await page.getByLabel('Allowed email domains').fill('other.example')
    await page.getByRole('button', { name: 'Save domains' }).click()
    await page.getByText('must include the domain of your own email address').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('console outbox: an HTML mail is shown in a frame that runs no script and makes no request', async () => {
    await service.services.mailer.send({
      id: 'sign-in-hostile',
      audience: { workspaceId: world.workspace },
      to: { address: 'pia@test.example' },
      subject: 'Hostile',
      text: 'text',
      html: '<p>Shown</p><form action="https://evil.example"><button>x</button></form>',
    })
    const { page, problems, close } = await open('/outbox/sign-in-hostile')
    await page.frameLocator('iframe').getByText('Shown').waitFor()
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '')
    assert.deepEqual(problems, [])
    await close()
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readInstallable } from '../../src/resources/installations/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { signedIn } from '../console/setup.ts'
import { axe, noBrowser, visit } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

test('console published app: its home makes a scope optional and rotates the client secret', {
  skip: noBrowser,
}, async () => {
  const service = await sharedTestService()
  const { id: workspace } = await service.workspace('starter', 'Vendor')
  const owner = await signedIn(service, workspace)
  const { body } = await owner.post('/published-apps', {
    name: 'Skill Checks',
    redirect_uris: ['https://app.vendor.example/callback'],
    domains: ['vendor.example'],
    scopes: ['events:read', 'jobs:read'],
    optional_scopes: [],
  })
  const { page, context, problems, close } = await visit(service.origin)
  await context.addCookies([{ name: SESSION_COOKIE, value: owner.cookie.split('=')[1]!, url: service.origin }])
  await page.goto(`/console/published-apps/${body.app.id}`)
  await page.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('IP addresses').fill('203.0.113.0/24')
  await dialog
    .getByRole('group', { name: 'Optional' })
    .getByRole('checkbox', { name: /jobs:read/ })
    .check()
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Optional scopes (1)' }).waitFor()
  await page.getByText('203.0.113.0/24').waitFor()
  const app = await readInstallable(service.services.db, body.app.id)
  assert.deepEqual([app?.scopes, app?.optional_scopes], [['events:read'], ['jobs:read']])
  await page.getByRole('button', { name: 'Rotate client secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await page.getByRole('region', { name: 'client secret' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

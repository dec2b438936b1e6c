import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'

describe('console: care of a workspace', { skip: noBrowser }, () => {
  let service: TestService
  let world: World
  let owner: Person

  before(async () => {
    service = await sharedTestService()
    world = { service, ...(await newTenant(service)) }
    owner = await signedIn(service, world.workspace)
    const { db } = service.services
    await db.query(sql`update workspaces set name = 'Windmill', own_limits = '{"general_per_minute": 9000}'
      where id = ${world.workspace}`)
    const { id } = await apply(world)
    await service.post(`/applications/${id}/reject`, world.key, { reason: 'No match' })
    await db.query(sql`update applications set updated_at = app_now() - interval '400 days' where id = ${id}`)
  })

  const open = async (path: string, opts?: VisitOptions): Promise<Visit> => {
    const window = await visit(service.origin, opts)
    await window.context.addCookies([{ name: SESSION_COOKIE, value: owner.cookie.split('=')[1]!, url: service.origin }])
    await window.page.goto(`/console${path}`)
    await window.page.locator('h1').waitFor()
    return window
  }

  test('console retention: a period is saved with the keyboard, and what would be deleted is counted and listed', async () => {
    const window = await open('/retention')
    const { page } = window
    await page.getByText('Nothing would be deleted').waitFor()
    const months = page.getByLabel('Applications (months)')
    await months.fill('12')
    await months.press('Enter')
    const table = page.getByRole('table', { name: 'What would be deleted now' })
    await table.getByRole('row', { name: /^Applications 1 / }).waitFor()
    await page.getByRole('table', { name: 'Applications that would be deleted' }).getByRole('link').waitFor()
    await page.getByLabel('Events (days)').fill('5')
    await page.getByRole('button', { name: 'Save periods', disabled: false }).press('Enter')
    await page.getByText('must be from 30 to 365 days').waitFor()
    assert.deepEqual(
      window.problems.filter(problem => !problem.includes('status of 400')),
      [],
    )
    await window.close()
  })

  for (const { theme, width } of [
    { theme: 'light', width: 390 },
    { theme: 'dark', width: 1280 },
  ] as const) {
    test(`console retention and settings: no serious fault for assistive technology, ${theme}, ${width} px`, async () => {
      const window = await open('/retention', { theme, width })
      const { page } = window
      await page.getByRole('table', { name: 'What would be deleted now' }).waitFor()
      assert.deepEqual(await axe(page), [])
      await page.goto('/console/settings')
      await page.getByRole('table', { name: 'Limits' }).waitFor()
      await page.getByText('set by the operator').waitFor()
      await page.getByRole('button', { name: 'Delete workspace' }).click()
      await page.getByLabel('Type Windmill to confirm').waitFor()
      assert.deepEqual(await axe(page), [])
      assert.deepEqual(window.problems, [])
      await window.close()
    })
  }

  test('console settings: an owner types the name and deletes the workspace; the page says until when it can be restored', async () => {
    const window = await open('/settings', { expectedStatuses: [401] })
    const { page } = window
    // a key pressed on a button that is still disabled does nothing
    await page.getByRole('button', { name: 'Delete workspace', disabled: false }).press('Enter')
    const dialog = page.getByRole('dialog')
    const confirm = dialog.getByRole('button', { name: 'Delete workspace' })
    assert.equal(await confirm.isDisabled(), true)
    await page.getByLabel('Type Windmill to confirm').fill('Windmill')
    await dialog.getByRole('button', { name: 'Delete workspace', disabled: false }).press('Enter')
    await page.getByText('Everything in it will be deleted on').waitFor()
    await page.getByRole('button', { name: 'Leave' }).press('Enter')
    await page.waitForURL(`${service.origin}/`)
    assert.equal((await owner.get('/session')).status, 401)
    await window.close()
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

describe('console: erasure requests of other workspaces', { skip: noBrowser }, () => {
  let service: TestService
  let asking: World
  let holder: World
  let askingOwner: Person
  let owner: Person
  let admin: Person

  before(async () => {
    service = await startTestService()
    asking = { service, ...(await newTenant(service)) }
    holder = { service, ...(await newTenant(service)) }
    askingOwner = await signedIn(service, asking.workspace)
    owner = await signedIn(service, holder.workspace)
    admin = await signedIn(service, holder.workspace, { role: 'admin' })
  })

  const open = async (who: Person, path: string, opts?: VisitOptions): Promise<Visit> => {
    const window = await visit(service.origin, opts)
    await window.context.addCookies([{ name: SESSION_COOKIE, value: who.cookie.split('=')[1]!, url: service.origin }])
    await window.page.goto(`/console${path}`)
    await window.page.locator('h1').waitFor()
    return window
  }
  /** A person whom both hold; the asking workspace erases them. */
  const askFor = async (email: string, reason = 'erasure_request'): Promise<string> => {
    for (const at of [asking, holder]) await apply(at, {}, { email })
    const latest = async () => (await owner.get('/erasure-requests?limit=1')).body.data[0]?.id
    const before = await latest()
    const response = await askingOwner.post('/erasures', { email, reason, confirmation: email })
    assert.equal(response.status, 200, response.text)
    await until('the holder is asked', async () => (await latest()) !== before)
    return latest()
  }

  test('console erasures: an empty section says that there are no requests, and what a request does', async () => {
    const window = await open(owner, '/erasures')
    const section = window.page.locator('section', { hasText: 'Requests from other workspaces' })
    await section.getByText('No open requests').waitFor()
    await section.getByRole('button', { name: 'Decided' }).press('Enter')
    await section.getByText('None decided yet').waitFor()
    assert.match(window.page.url(), /requests=decided/)
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('console erasures: an owner finds the request, reads what is held, approves it with the keyboard, and sees it done', async () => {
    const id = await askFor('by.keyboard@example.org')
    const window = await open(owner, '/erasures')
    const { page } = window
    await page.getByRole('table', { name: 'Requests from other workspaces' }).getByRole('link').first().press('Enter')
    await page.getByRole('heading', { name: 'Records in this workspace' }).waitFor()
    assert.match(page.url(), new RegExp(`/erasures/requests/${id}$`))
    await page.getByText(/1 applicant, 1 application/).waitFor()
    assert.ok(!(await page.content()).includes('by.keyboard@'))
    assert.ok(!(await page.content()).includes(asking.workspace))
    await page.getByRole('button', { name: 'Approve' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Erase this person here?' })
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.evaluate('document.activeElement?.textContent'), 'Approve', 'the focus comes back')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Erase in this workspace' }).press('Enter')
    await page.locator('.page-head .state').getByText('erased').waitFor()
    await page.getByText(/another workspace, approved by Pia/).waitFor()
    await page.goto(`/console/erasures/requests/${id}`)
    await page.locator('.page-head .state').getByText('approved').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Approve' }).count(), 0)
    await page.getByRole('link', { name: 'the erasure in this workspace' }).waitFor()
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('console erasures: an owner declines with a note, which is shown with who decided and when; the asking workspace learns nothing', async () => {
    const id = await askFor('declines@example.org', 'stop_processing')
    const window = await open(owner, `/erasures/requests/${id}`)
    const { page } = window
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByLabel('Note (optional)').fill('Records must be kept\nuntil 2027.')
    await page.getByRole('button', { name: 'Decline request' }).click()
    await page.locator('.page-head .state').getByText('declined').waitFor()
    await page.getByText('Records must be kept').waitFor()
    await page.getByRole('definition').filter({ hasText: 'Pia' }).waitFor()
    await page.getByRole('link', { name: 'Erasure requests' }).first().click()
    await page.getByRole('button', { name: 'Decided' }).click()
    await page.getByRole('row', { name: /Stop processing.*declined/ }).waitFor()
    const theirs = await askingOwner.get('/erasures')
    assert.ok(!theirs.text.includes(id) && !theirs.text.includes('kept'))
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('console erasures: decided in another window first: the dialog shows the error, and the page can be reloaded', async () => {
    const id = await askFor('decided-first@example.org')
    const window = await open(owner, `/erasures/requests/${id}`, { expectedStatuses: [400] })
    const { page } = window
    await page.getByRole('button', { name: 'Approve' }).click()
    assert.equal((await owner.post(`/erasure-requests/${id}/decline`, {})).status, 200)
    await page.getByRole('button', { name: 'Erase in this workspace' }).click()
    await page.getByRole('alert').getByText('This request was already declined.').waitFor()
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  test('console erasures: an admin reads who decides, on the list and on the page', async () => {
    const id = await askFor('forbidden@example.org')
    const list = await open(admin, '/erasures')
    await list.page.getByText('Only owners can see and decide these requests.').waitFor()
    assert.deepEqual(list.problems, [])
    await list.close()
    const page = await open(admin, `/erasures/requests/${id}`)
    await page.page.getByText('Ask an owner of this workspace.').waitFor()
    assert.deepEqual(page.problems, [])
    await page.close()
  })

  test('console erasures: loading, failed and missing: each has its state, and a failed read is tried again', async () => {
    const id = await askFor('failing@example.org')
    const window = await open(owner, '/erasures', { expectedStatuses: [404, 500] })
    const { page } = window
    let broken = true
    await page.route('**/console/api/erasure-requests**', async route => {
      if (!broken) return route.continue()
      await route.fulfill({ status: 500, json: { detail: { code: 'internal_error', message: 'Something failed.' } } })
    })
    await page.reload()
    const section = page.locator('section', { hasText: 'Requests from other workspaces' })
    await section.getByRole('alert').getByText('Something failed.').waitFor()
    broken = false
    await section.getByRole('button', { name: 'Try again' }).click()
    await section.getByRole('table').waitFor()
    await page.goto('/console/erasures/requests/00000000-0000-4000-8000-000000000000')
    await page.getByText('Not found').waitFor()
    const { promise: goOn, resolve: response } = Promise.withResolvers<void>()
    await page.route(`**/console/api/erasure-requests/${id}`, async route => {
      await goOn
      await route.continue()
    })
    await page.goto(`/console/erasures/requests/${id}`)
    await page.getByRole('status', { name: 'Loading' }).waitFor()
    response()
    await page.getByRole('button', { name: 'Approve' }).waitFor()
    assert.deepEqual(window.problems, [])
    await window.close()
  })

  for (const [theme, width] of [
    ['light', 1280],
    ['dark', 390],
  ] as const) {
    test(`console erasures: ${theme}, ${width} pixels wide: list, request and dialogs have no serious accessibility issue and no overflow`, async () => {
      const id = await askFor(`looks.${width}@example.org`)
      const window = await open(owner, '/erasures', { theme, width })
      const { page } = window
      const check = async (name: string) => {
        assert.deepEqual(await axe(page), [], name)
        assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false, name)
      }
      await page.getByRole('table', { name: 'Requests from other workspaces' }).waitFor()
      await check('list')
      await page.goto(`/console/erasures/requests/${id}`)
      await page.getByRole('button', { name: 'Approve' }).click()
      await page.getByRole('dialog').waitFor()
      await check('approve')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Decline' }).click()
      await page.getByRole('dialog').waitFor()
      await check('decline')
      await page.keyboard.press('Escape')
      await check('request')
      assert.deepEqual(window.problems, [])
      await window.close()
    })
  }

  test('console erasures: a running erasure: its progress has the normal colour until it ends', async () => {
    const { id } = (await askingOwner.get('/erasures?limit=1')).body.data[0]
    const window = await open(askingOwner, '/')
    const { page } = window
    await page.route(`**/console/api/erasures/${id}`, async route => {
      const shown = await (await route.fetch()).json()
      await route.fulfill({ json: { ...shown, running: true, completed_at: null, progress: { found: 9, done: 9 } } })
    })
    await page.goto(`/console/erasures/${id}`)
    await page.getByRole('img', { name: 'Done: 100 %' }).waitFor()
    assert.equal(await page.locator('.meter rect.bad, .meter rect.warn').count(), 0)
    assert.equal(await page.locator('.meter rect.accent').count(), 1)
    assert.deepEqual(window.problems, [])
    await window.close()
  })
})

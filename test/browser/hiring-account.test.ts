import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTenant } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { axe, inBothThemes, noBrowser, openAs } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

const enter = async () => {
  const service = await sharedTestService()
  const { workspace } = await newTenant(service)
  const person = await signedIn(service, workspace, { program: 'hiring' })
  return { service, person }
}

describe('account of a member in the hiring pages', { skip: noBrowser }, () => {
  test('account: language and time zone are chosen by keyboard, and the pages follow; axe in both themes', async () => {
    const { service, person } = await enter()
    const { page, problems, close } = await openAs(service, person, '/hiring/settings/account')
    assert.equal(await page.locator('html').getAttribute('lang'), 'en')
    await page.getByLabel('Time zone', { exact: true }).focus()
    await page.keyboard.type('berl')
    await page.getByRole('option', { name: 'Europe/Berlin' }).waitFor()
    assert.equal(await page.getByRole('option').count(), 1)
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    await page.keyboard.press('Enter')
    const language = page.getByLabel('Language')
    await language.focus()
    await page.keyboard.press('d')
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    await page.keyboard.press('Enter')
    assert.equal(await language.innerText(), 'Deutsch')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Ihr Konto' }).waitFor()
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    assert.ok(await page.getByRole('link', { name: 'Stellen' }).isVisible())
    assert.deepEqual((await person.get('/member-settings')).body, {
      language: 'de',
      time_zone: 'Europe/Berlin',
    })
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    assert.deepEqual(problems, [])
    await close()
  })

  test('lists: Escape closes the list alone and leaves the value; the focus stays on the button', async () => {
    const { service, person } = await enter()
    const { page, close } = await openAs(service, person, '/hiring/settings/account')
    const language = page.getByLabel('Language')
    await language.click()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    assert.equal(await page.getByRole('listbox').count(), 0)
    assert.equal(await language.innerText(), 'As in the browser')
    assert.equal(await page.locator(':focus').getAttribute('role'), 'combobox')
    await page.getByLabel('Time zone', { exact: true }).click()
    await page.getByRole('heading', { name: 'Your account' }).click()
    assert.equal(await page.getByRole('listbox').count(), 0)
    await close()
  })
})

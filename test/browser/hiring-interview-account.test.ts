import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTenant } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { axe, choose, inBothThemes, noBrowser, openAs } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

const enter = async (role: 'member' | 'admin' | 'viewer') => {
  const service = await sharedTestService()
  const { workspace } = await newTenant(service)
  return { service, person: await signedIn(service, workspace, { role, program: 'hiring' }) }
}

const ACCOUNT = '/hiring/settings/account'
const WORKDAY = [[540, 1020]]

describe('interviews in the account of a member', { skip: noBrowser }, () => {
  test('account: hours of the week are stored with their zone; hours out of order are refused before they are sent', async () => {
    const { service, person } = await enter('member')
    const { page, problems, close } = await openAs(service, person, ACCOUNT, { timeZone: 'Europe/Berlin' })
    const form = page.getByRole('form', { name: 'Hours for interviews' })
    const save = form.getByRole('button', { name: 'Save hours' })
    assert.ok(await save.isDisabled())
    assert.equal(await form.getByText('Not available').count(), 2)
    await form.getByRole('button', { name: 'Remove hours on Friday' }).click()
    await form.getByRole('button', { name: 'Add hours on Saturday' }).click()
    await choose(form.getByLabel('Saturday, until'), '13:00')
    await choose(form.getByLabel('Monday, until'), '12:00')
    await form.getByRole('button', { name: 'Add hours on Monday' }).click()
    await choose(form.getByLabel('Monday, from').nth(1), '11:00')
    await form.getByText('Each time ends after it begins').waitFor()
    assert.ok(await save.isDisabled())
    await choose(form.getByLabel('Monday, from').nth(1), '13:30')
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    await save.click()
    await page.getByText('Hours saved').waitFor()
    const week = [
      [
        [540, 720],
        [810, 1020],
      ],
      WORKDAY,
      WORKDAY,
      WORKDAY,
      [],
      [[540, 780]],
      [],
    ]
    const stored = async () => (await person.get('/member-hours')).body
    assert.deepEqual([(await stored()).time_zone, (await stored()).hours], ['Europe/Berlin', week])
    await choose(form.getByLabel('Time zone of these hours'), 'America/New_York')
    await save.click()
    await page.getByText('Hours saved').last().waitFor()
    await page.reload()
    await form.getByText('America/New York').waitFor()
    assert.deepEqual([(await stored()).time_zone, (await stored()).hours], ['America/New_York', week])
    assert.deepEqual(problems, [])
    await close()
  })

  test('account: the address of the calendar is shown once, opens the calendar, and is replaced and ended', async () => {
    const { service, person } = await enter('member')
    const { page, problems, close } = await openAs(service, person, ACCOUNT, { width: 390, height: 844 })
    const box = page.getByRole('region', { name: 'Your interviews in your calendar' })
    const shown = box.getByRole('region', { name: 'Address of your calendar' })
    const statusOf = async (url: string) => (await fetch(`${service.origin}${new URL(url).pathname}`)).status
    await box.getByRole('button', { name: 'Make an address' }).click()
    await shown.waitFor()
    const first = (await shown.innerText()).trim()
    assert.equal(await statusOf(first), 200)
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
    await page.reload()
    await box.getByText('There has been an address since').waitFor()
    assert.equal(await shown.count(), 0)
    await box.getByRole('button', { name: 'Replace the address' }).click()
    await shown.waitFor()
    const second = (await shown.innerText()).trim()
    assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200])
    await box.getByRole('button', { name: 'Stop the calendar' }).click()
    await box.getByRole('button', { name: 'Make an address' }).waitFor()
    assert.equal(await statusOf(second), 404)
    assert.deepEqual(problems, [])
    await close()
  })

  test('account: viewers interview no one and have neither hours nor a calendar', async () => {
    const { service, person } = await enter('viewer')
    const { page, problems, close } = await openAs(service, person, ACCOUNT)
    await page.getByLabel('Time zone', { exact: true }).waitFor()
    for (const name of ['Hours for interviews', 'Your interviews in your calendar'])
      assert.equal(await page.getByRole('heading', { name }).count(), 0, name)
    assert.deepEqual(problems, [])
    await close()
  })

  test('task settings: hours until feedback is due and names in calendars are stored; a number out of range is refused', async () => {
    const { service, person } = await enter('admin')
    const { page, problems, close } = await openAs(service, person, '/hiring/settings/tasks', {
      expectedStatuses: [400],
    })
    const form = page.getByRole('form', { name: 'Interviews' })
    const due = form.getByLabel('Hours after an interview until feedback is due')
    const save = form.getByRole('button', { name: 'Save' })
    await due.fill('200')
    await save.click()
    await form.getByText('must be at most 168').waitFor()
    await due.fill('48')
    await form.getByLabel('Full names in calendars').check()
    await save.click()
    await page.getByText('Settings saved').waitFor()
    assert.deepEqual((await person.get('/interview-settings')).body, {
      feedback_hours: 48,
      full_names_in_calendars: true,
    })
    await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))
    assert.deepEqual(problems, [])
    await close()
  })
})

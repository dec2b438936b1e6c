import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { de } from '../../src/careers/texts/de.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { placeOrder } from '../../src/resources/orders/index.ts'
import { type CandidateWorld, linkIn, startCandidateWorld } from '../careers/candidate-setup.ts'
import { axe, noBrowser, type Visit, type VisitOptions, visit } from '../harness/browser.ts'
import { checkVendor } from '../hiring/checks-setup.ts'
import type { Person } from '../messages/setup.ts'

let world: CandidateWorld
before(async () => {
  if (!noBrowser) world = await startCandidateWorld()
})

const skip = noBrowser

async function statusOf({ applicationId }: Person): Promise<string | undefined> {
  const { db } = world.service.services
  return (await db.one(sql<{ status: string }>`select status from applications where id = ${applicationId}`))?.status
}

/** A window in which the person has opened the link of an email. */
async function open(person: Person, opts: VisitOptions = {}, language = 'en'): Promise<Visit> {
  const window = await visit(world.service.origin, opts)
  const mail = await world.mail('access', { email: person.email }, language)
  await window.page.goto(await linkIn(mail!))
  await window.page.locator('main button').click()
  await window.page.waitForURL(/\/me\?/)
  return window
}

const noFaults = async (page: Page, where: string) => assert.deepEqual(await axe(page), [], where)

const wide = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth') as Promise<number>

test('candidate: asks for a link, opens it and withdraws with the keyboard alone', { skip }, async () => {
  const person = await world.person({ first_name: 'Ada' })
  const { page, problems, close } = await visit(world.service.origin)
  const focused = () => page.evaluate('document.activeElement.outerHTML') as Promise<string>
  /** Presses Tab until the element has the focus, which must be visible. */
  const tabTo = async (what: RegExp) => {
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab')
      if (what.test(await focused())) return
    }
    assert.fail(`no way to ${what} by keyboard`)
  }
  await page.goto(`/careers/${world.slug}`)
  await tabTo(/\/applications/)
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Your applications' }).waitFor()
  await noFaults(page, 'ask')
  await tabTo(/id="email"/)
  await page.keyboard.type(person.email)
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Check your inbox' }).waitFor()
  const [mail] = await world.deliver()
  await page.goto(await linkIn(mail!))
  await noFaults(page, 'link')
  await tabTo(/<button[^>]*type="submit"/)
  await page.keyboard.press('Enter')
  await page.locator('h2', { hasText: 'Applications' }).waitFor()
  assert.doesNotMatch(page.url(), /token/)
  await noFaults(page, 'overview')
  await tabTo(/withdraw/)
  await page.keyboard.press('Enter')
  await page.locator('h1', { hasText: 'Withdraw your application?' }).waitFor()
  await noFaults(page, 'withdraw')
  await tabTo(/id="reason"/)
  await page.keyboard.type('I moved away')
  await tabTo(/button danger/)
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Your application was withdrawn' }).waitFor()
  await page.locator('.tag', { hasText: 'Withdrawn by you' }).waitFor()
  assert.equal(await statusOf(person), 'withdrawn')
  assert.deepEqual(problems, [])
  await close()
})

test('candidate: without scripts, in German, at 390 pixels: everything works and nothing scrolls sideways', {
  skip,
}, async () => {
  const person = await world.person({ first_name: 'Jürgen', last_name: 'Öztürk-Schmidt-von-und-zu-Hohenstein' })
  const window = await open(person, { javaScript: false, width: 390, height: 844, expectedStatuses: [422] }, 'de')
  const { page, problems } = window
  const check = async (where: string) => assert.ok((await page.locator('html').getAttribute('lang')) === 'de', where)
  const { candidate } = de
  const press = (name: string) => page.getByRole('button', { name }).click()
  const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()
  await page.locator('h1', { hasText: candidate.title }).waitFor()
  await check('overview')
  await page.getByRole('link', { name: candidate.details.change }).click()
  await page.getByLabel(candidate.details.phone).fill('ruf mich an')
  await press(candidate.details.save)
  await page.getByRole('alert').filter({ hasText: candidate.details.phoneFault }).waitFor()
  await check('details')
  await page.getByLabel(candidate.details.phone).fill('+49 30 123456')
  await press(candidate.details.save)
  await said(candidate.details.saved)
  await press(candidate.emails.unsubscribe)
  await press(candidate.emails.subscribe)
  await said(candidate.emails.subscribed)
  await page.getByRole('link', { name: candidate.withdraw.of('Engineer') }).click()
  await page.getByRole('link', { name: candidate.withdraw.keep }).click()
  await page.getByRole('link', { name: candidate.data.see }).click()
  await page.locator('h1', { hasText: candidate.data.pageTitle('Test workspace') }).waitFor()
  await check('data')
  await page.goBack()
  await press(candidate.signOut)
  await page.locator('.notice', { hasText: candidate.ask.signedOut }).waitFor()
  await check('signed out')
  assert.deepEqual(problems, [])
  await window.close()

  const scripted = await open(person, { width: 390, height: 844 }, 'de')
  for (const below of [
    '',
    '/details',
    '/data',
    '/erasure',
    `/applications/${person.applicationId}/withdraw`,
    `/applications/${person.applicationId}/resume`,
  ]) {
    await scripted.page.goto(`/careers/${world.slug}/me${below}?lang=de`)
    assert.equal(await wide(scripted.page), 0, below)
    await noFaults(scripted.page, below)
  }
  assert.deepEqual(scripted.problems, [])
  await scripted.close()
})

test('candidate: a check to do and its page fit into 390 px, and have no faults in the dark theme', {
  skip,
}, async () => {
  const { service, workspace } = world
  const vendor = checkVendor(world)
  const packageId = await vendor.package({ name: 'Recorded interview in two languages' })
  const person = await world.person()
  const wanted = { workspace, applicationId: person.applicationId, packageId, byPerson: true, originKeyId: null }
  const placed = await service.services.db.transaction(tx =>
    placeOrder(tx, { ...wanted, placedBy: { object: 'user', id: 'usr_x' } }),
  )
  assert.ok(placed)
  await vendor.accept(placed.order.id)
  await world.deliver()
  const { page, problems, close } = await open(person, { theme: 'dark', width: 390 })
  await page.getByText('To do until').waitFor()
  assert.equal(await wide(page), 0, 'overview')
  await noFaults(page, 'overview')
  await page.getByRole('link', { name: 'Recorded interview' }).click()
  await page.locator('h1', { hasText: 'Recorded interview' }).waitFor()
  assert.equal(await wide(page), 0, 'check')
  await noFaults(page, 'check')
  assert.deepEqual(problems, [])
  await close()
})

test('candidate: the details with a fault fit into 320 px', { skip }, async () => {
  const person = await world.person()
  const { page, close } = await open(person, { width: 320, expectedStatuses: [422] })
  for (const lang of ['en', 'de']) {
    await page.goto(`/careers/${world.slug}/me/details?lang=${lang}`)
    await page.locator('#linkedin_url').fill('https://example.com/in/ada')
    await page.locator('main form button[type=submit], main form button').first().click()
    await page.locator('#linkedin_url-fault').waitFor()
    assert.equal(await wide(page), 0, lang)
  }
  await close()
})

test('candidate: the times of the data page are in the time zone of the browser', { skip }, async () => {
  const window = await open(await world.person())
  const { page, context, problems } = window
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kathmandu' })
  await page.goto(`/careers/${world.slug}/me/data`)
  const time = page.locator('p', { hasText: 'As of' }).locator('time')
  const instant = new Date((await time.getAttribute('datetime'))!)
  const clockThere = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Kathmandu' })
  const shown = await time.innerText()
  assert.ok(shown.includes(`${clockThere.format(instant)} GMT+5:45`), shown)
  assert.deepEqual(problems, [])
  await window.close()
})

test('candidate: downloads all data as JSON', { skip }, async () => {
  const person = await world.person({ first_name: 'Grace', last_name: 'Hopper' })
  const { page, problems, close } = await open(person, { theme: 'dark' })
  await noFaults(page, 'overview, dark')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download as JSON' }).click()
  const file = await downloading
  assert.equal(file.suggestedFilename(), `${world.slug}-data.json`)
  const data = JSON.parse(await readFile((await file.path())!, 'utf8'))
  assert.equal(data.person.full_name, 'Grace Hopper')
  await page.getByRole('link', { name: 'See all data' }).click()
  await page.locator('dd', { hasText: 'Grace Hopper' }).first().waitFor()
  await noFaults(page, 'data, dark')
  assert.deepEqual(problems, [])
  await close()
})

test('candidate: asks for erasure after a confirmation; the session ends and the back button shows nothing of the person', {
  skip,
}, async () => {
  const person = await world.person({ first_name: 'Mary', last_name: 'Shelley' })
  const { page, problems, close } = await open(person, { expectedStatuses: [422] })
  await page.getByRole('link', { name: 'Delete my data' }).click()
  await page.getByRole('button', { name: 'Delete my data permanently' }).click()
  await page.getByRole('alert').filter({ hasText: 'Tick the box' }).waitFor()
  await noFaults(page, 'erasure')
  await page.goto(`/careers/${world.slug}/me/erasure`)
  await page.getByLabel('Yes, delete all my data').check()
  await page.getByRole('button', { name: 'Delete my data permanently' }).click()
  await page.locator('h1', { hasText: 'Your data is being deleted' }).waitFor()
  await noFaults(page, 'begun')
  const suppressed = await world.service.services.db.one(
    sql`select 1 from applicants where id = ${person.id} and suppressed_at is not null`,
  )
  assert.ok(suppressed)
  await page.goBack()
  await page.locator('h1', { hasText: 'Your applications' }).waitFor()
  await page.getByLabel('Email address').waitFor()
  assert.ok(!(await page.content()).includes('Shelley'))
  assert.deepEqual(problems, [])
  await close()
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { pdf } from '../../demo/files.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { lockUpload, reserveUpload } from '../../src/resources/uploads/index.ts'
import { apply, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs } from '../harness/browser.ts'
import { type CheckVendor, checkVendor } from '../hiring/checks-setup.ts'

const skip = noBrowser

let world: World
let owner: Person
let vendor: CheckVendor

before(async () => {
  if (noBrowser) return
  world = await startWorld()
  owner = await signedIn(world.service, world.workspace, {
    role: 'owner',
    email: 'rosalind@acme.dev',
    program: 'hiring',
  })
  vendor = checkVendor(world)
})

const applicant = () => apply(world, {}, { first_name: 'Ada', last_name: 'Byron' })

/** What workers do for the live stream. */
const publish = async () => {
  while ((await sequenceBatch(world.service.services.db)) > 0);
}

/** A report that the vendor uploaded for an order. */
async function report(order: string): Promise<string> {
  const { db, blobs } = world.service.services
  const { body, mime } = pdf(['Result: 42 of 50 points'])
  return db.transaction(async tx => {
    const file = {
      contentType: mime,
      sizeBytes: body.length,
      filename: 'report.pdf',
      originKeyId: null,
      report: { orderId: order, vendorId: vendor.id },
    }
    const { upload_id } = await reserveUpload(tx, blobs, world.workspace, file)
    const { blob_key } = await tx.only(lockUpload(world.workspace, upload_id))
    await blobs.put(blob_key, body, { contentType: mime, bytes: body.length })
    return upload_id
  })
}

test('hiring checks: ordered by keyboard; what the vendor does appears by itself; result and report are read in the page', {
  skip,
}, async () => {
  await vendor.package({ name: 'Embedded C', duration_minutes: 60 })
  await vendor.package({ name: 'Recorded interview', kind: 'video_interview' })
  const { id } = await applicant()
  const window = await openAs(world.service, owner, `/hiring/applications/${id}?panel=checks`)
  const { page } = window
  await page.getByText('No checks yet').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Order a check' })
  await dialog.getByRole('radio', { name: /Embedded C/ }).focus()
  await page.keyboard.press('Space')
  await dialog.getByText('the candidate gets an email with the link').waitFor()
  assert.equal(await dialog.getByText('Shares: name, email, résumé').count(), 2)
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('Enter')
  const entry = page.getByRole('listitem').filter({ hasText: 'Embedded C' })
  await entry.getByText('Waiting for Codecraft to accept the order.').waitFor()

  const { id: order } = (await owner.get(`/applications/${id}/orders`)).body.orders[0]
  await vendor.accept(order)
  await publish()
  await entry.getByText('Invited by email').waitFor()
  await entry.getByRole('button', { name: 'Remind: Embedded C' }).click()
  await entry.getByText('reminded once').waitFor()
  await entry.getByRole('button', { name: 'Extend: Embedded C' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click()
  await page.getByText('Extended', { exact: true }).waitFor()

  await vendor.complete(order, {
    score: { value: 42, min: 0, max: 50, passing: 30, unit: 'points' },
    sections: [{ name: 'Pointers', score: null, comment: 'Fast.' }],
    summary: 'Explains trade-offs well.',
    report_upload_ids: [await report(order)],
  })
  await publish()
  const result = page.getByRole('region', { name: 'Result of Embedded C' })
  await result.getByText('84%').waitFor()
  await result.getByText('42 of 50 points, pass mark 30').waitFor()
  await result.getByRole('button', { name: 'Open report report.pdf' }).click()
  await page.getByRole('dialog', { name: 'report.pdf' }).locator('iframe[aria-busy=false]').waitFor()
  await page.keyboard.press('Escape')
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(window.problems, [])
  await window.close()

  const small = await openAs(world.service, owner, `/hiring/applications/${id}?panel=checks`, {
    theme: 'dark',
    width: 390,
  })
  await small.page.getByText('84%').waitFor()
  assert.ok(await small.page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  assert.deepEqual(await axe(small.page), [])
  await small.close()
})

test('hiring checks: a result is a task; a rejection after an adverse one asks when the candidate was given notice', {
  skip,
}, async () => {
  const packageId = await vendor.package({ name: 'Past employers', kind: 'background_check' })
  const { id } = await applicant()
  const { id: order } = (await owner.post(`/applications/${id}/orders`, { package_id: packageId })).body
  await vendor.accept(order)
  await vendor.complete(order, { outcome: 'consider' })
  const window = await openAs(world.service, owner, '/hiring/tasks')
  const { page } = window
  const task = page.getByRole('listitem').filter({ hasText: 'Past employers' })
  await task.getByRole('button', { name: /^Done: Past employers/ }).click()
  await task.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await task.getByRole('link', { name: 'Ada Byron' }).click()
  await page.getByRole('region', { name: 'Result of Past employers' }).getByText('To consider').waitFor()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject Ada Byron' })
  await dialog.getByText('You decide, not the result.').waitFor()
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('radio', { name: 'Others fit better' }).check()
  await dialog.getByRole('textbox', { name: /^Notice given on/ }).fill('2026-01-31')
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Ada Byron rejected').waitFor()
  await page.getByRole('link', { name: 'Profile', exact: true }).click()
  await page.getByText('2026-01-31').waitFor()
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring checks: the choice has every package that is offered, also beyond one page of the list', {
  skip,
}, async () => {
  const many = checkVendor(world, 'Manytests')
  await many.package({ name: 'The oldest test' })
  for (let i = 0; i < 101; i++) await many.package()
  const { id } = await applicant()
  const window = await openAs(world.service, owner, `/hiring/applications/${id}?panel=checks`)
  const { page } = window
  await page.getByText('No checks yet').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog', { name: 'Order a check' })
  await dialog.getByRole('radio', { name: /The oldest test/ }).check()
  await dialog.getByRole('button', { name: 'Order', exact: true }).click()
  await page.getByRole('listitem').filter({ hasText: 'The oldest test' }).waitFor()
  assert.deepEqual(window.problems, [])
  await window.close()
})

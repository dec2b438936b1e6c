import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { clock } from '../../src/kernel/time/clock.ts'
import { sendDueMessages } from '../../src/resources/messages/index.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, type Visit, visit } from '../harness/browser.ts'
import { startMailServer } from '../harness/smtp.ts'

const skip = noBrowser
const smtp = noBrowser ? undefined : await startMailServer()

let world: World
let owner: Person
let admin: Person

before(async () => {
  if (noBrowser) return
  world = await startWorld({ SMTP_URL: smtp!.url, MAIL_FROM: 'jobs@acme.dev' })
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  admin = await signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
  await owner.post('/message-templates', {
    name: 'Not this time',
    subject: 'About {{job_title}}',
    body: 'Dear {{first_name}},\n\nnot this time.',
    purpose: 'rejection',
  })
})

let numbers = 0

/** A job with Ada and Grace in the first stage, who have email addresses. */
async function twoPeople() {
  const job = await newJob(world.service, world.workspace)
  const person = (first_name: string, last_name: string) =>
    apply({ ...world, job }, {}, { first_name, last_name, email: `board${++numbers}@people.dev` })
  return { job, ada: await person('Ada', 'Lovelace'), grace: await person('Grace', 'Hopper') }
}

async function open(path: string): Promise<Visit> {
  const { origin } = world.service
  const window = await visit(origin)
  await window.context.addCookies([{ name: SESSION_COOKIE, value: owner.cookie.split('=')[1]!, url: origin }])
  await window.page.goto(`/hiring${path}`)
  await window.page.locator('[data-card]').nth(1).waitFor()
  return window
}

const statusOf = async (id: string) => (await owner.get(`/v1/applications/${id}`)).body.status
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })

async function rejectBothWithMessage(page: Page): Promise<void> {
  for (const name of ['Ada Lovelace', 'Grace Hopper']) await card(page, name).getByRole('checkbox').click()
  // the box has the focus: keys work
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject 2 candidates' })
  // no one was rejected in this job yet: the digit chooses, and does not reject
  await dialog.getByRole('radio', { name: 'Too little experience' }).waitFor()
  await page.keyboard.press('2')
  await dialog.getByText('Press Enter to reject.').waitFor()
  await dialog.getByText('2 get the message').waitFor()
  await dialog.getByRole('button', { name: 'Text', exact: true }).click()
  assert.deepEqual(
    await choices(dialog.getByLabel('Template')),
    ['Not this time'],
    'only templates for rejections are offered',
  )
  await dialog.getByRole('region', { name: 'Preview' }).waitFor()
  assert.deepEqual(await axe(page), [])
  await dialog.getByRole('button', { name: 'Reject 2' }).click()
  await page.getByText('2 candidates rejected. Messages leave in 10 s.').waitFor()
}

/** The options of a list, which is closed again. */
async function choices(field: Locator): Promise<string[]> {
  await field.click()
  const options = await field.page().getByRole('listbox').getByRole('option').allInnerTexts()
  await field.page().keyboard.press('Escape')
  return options
}

/** As the worker does, when Undo is over. */
const tenSecondsLater = async () => {
  clock.advance(10_000)
  while (await sendDueMessages(world.service.services));
}

test('board: many are rejected with a reason and a message, which leaves to each after the time of undo', {
  skip,
}, async () => {
  const { job, ada, grace } = await twoPeople()
  const { page, problems, close } = await open(`/jobs/${job.id}`)
  const arrived = smtp!.arrived.length
  await rejectBothWithMessage(page)
  assert.deepEqual([await statusOf(ada.id), await statusOf(grace.id)], ['rejected', 'rejected'])
  await sendDueMessages(world.service.services)
  assert.equal(smtp!.arrived.length, arrived)
  await tenSecondsLater()
  assert.equal(smtp!.arrived.length, arrived + 2)
  const texts = smtp!.arrived.slice(arrived).map(({ raw }) => String(raw))
  for (const name of ['Ada', 'Grace']) assert.equal(texts.filter(text => text.includes(`Dear ${name},`)).length, 1)
  assert.deepEqual(problems, [])
  await close()
})

test('board: undo of a rejection cancels its messages and restores what the candidates were', { skip }, async () => {
  const { job, ada, grace } = await twoPeople()
  const { page, problems, close } = await open(`/jobs/${job.id}`)
  await page.clock.install()
  const arrived = smtp!.arrived.length
  await rejectBothWithMessage(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('2 candidates are as before. The message was not sent.').waitFor()
  assert.equal(await page.getByText('Messages leave in 10 s.').count(), 0)
  await tenSecondsLater()
  assert.deepEqual([await statusOf(ada.id), await statusOf(grace.id)], ['new', 'new'])
  for (const { id } of [ada, grace]) {
    const { data } = (await owner.get(`/applications/${id}/messages`)).body
    assert.deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['canceled'],
    )
  }
  assert.equal(smtp!.arrived.length, arrived)
  assert.deepEqual(problems, [])
  await close()
})

test('board: a rejection of someone who was moved since is refused in the dialog; the reason stays, and can be sent again', {
  skip,
}, async () => {
  const { job, ada } = await twoPeople()
  const { page, problems, close } = await open(`/jobs/${job.id}`)
  await card(page, 'Ada Lovelace').getByRole('link').focus()
  await page.keyboard.press('r')
  const dialog = page.getByRole('dialog', { name: 'Reject Ada Lovelace' })
  await dialog.getByRole('radio', { name: 'Too little experience' }).check()
  await dialog.getByLabel('Note').fill('Wrong seniority.')
  await admin.post(`/v1/applications/${ada.id}/move`, { stage_id: job.stages[2] })
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await dialog.getByText('Pia moved Ada Lovelace to Interview. Your change was not made.').waitFor()
  assert.equal(await statusOf(ada.id), 'new')
  assert.equal(await dialog.getByLabel('Note').inputValue(), 'Wrong seniority.')
  assert.equal(await dialog.getByRole('radio', { name: 'Too little experience' }).isChecked(), true)
  await dialog.getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Ada Lovelace rejected.').waitFor()
  const { rejection_reason } = (await owner.get(`/v1/applications/${ada.id}`)).body
  assert.equal(rejection_reason, 'Too little experience: Wrong seniority.')
  assert.deepEqual(problems, [])
  await close()
})

test('board: what was done there is taken back by key on the page of a candidate, as long as Undo is shown', {
  skip,
}, async () => {
  const { job, ada } = await twoPeople()
  const { page, problems, close } = await open(`/jobs/${job.id}`)
  await page.clock.install()
  await card(page, 'Ada Lovelace').getByRole('link').focus()
  await page.keyboard.press('m')
  await page.getByRole('dialog', { name: 'Move Ada Lovelace to' }).waitFor()
  await page.keyboard.press('3')
  await page.getByText('Ada Lovelace moved to Interview.').waitFor()
  await card(page, 'Ada Lovelace').getByRole('link').click()
  await page.locator('.candidate h1').waitFor()
  await page.keyboard.press('z')
  await page.getByText('Ada Lovelace is as before.').waitFor()
  assert.equal((await owner.get(`/v1/applications/${ada.id}`)).body.stage_id, job.stages[0])
  assert.deepEqual(problems, [])
  await close()
})

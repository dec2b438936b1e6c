import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lockedDocx } from '../../packages/resume-parser/test/locked-files.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { type FormFieldInput, moveJob } from '../../src/resources/jobs/index.ts'
import {
  DETAILS,
  EVERY_TYPE,
  type FormJob,
  newFormJob,
  newSite,
  QUESTIONS,
  readApplications,
  type Site,
} from '../careers/application-form.ts'
import { axe, noBrowser, type VisitOptions, visit } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

let service: TestService
let site: Site

before(async () => {
  if (noBrowser) return
  service = await startTestService({ ROLES: 'api' })
  site = await newSite(service)
})

const RESUME = `Maria von Stein
Berlin, Germany
maria.vonstein@applicants.example | +49 30 1234567
linkedin.com/in/maria-von-stein

Experience
Robotics engineer, Nordlicht Robotics, 2019 - 2026

Skills
TypeScript, PostgreSQL
`
const file = (name: string, content: string | Buffer = RESUME, mimeType = 'text/plain') => ({
  name,
  mimeType,
  buffer: typeof content === 'string' ? Buffer.from(content) : content,
})

/** The first bytes of a picture. */
const PNG = Buffer.from('89504e470d0a1a0a', 'hex')

/** A form with the details of a person and a résumé. */
const SHORT: readonly FormFieldInput[] = [
  ...DETAILS,
  { label: 'Phone', type: 'phone', candidate_field: 'phone' },
  { label: 'Résumé', type: 'file', candidate_field: 'resume' },
  { label: 'Motivation', type: 'textarea', max_length: 50 },
  { label: 'Gender', type: 'eeo', options: ['Woman', 'Man'] },
  { label: 'I agree', type: 'consent', required: true, help_text: 'We store your application for a year.' },
]

/** A window on the form of a job. The browser's address is that of the service. */
async function open(job: FormJob, opts: VisitOptions = {}, search = '') {
  // each test has the limits of an hour for itself
  clock.advance(3_700_000)
  const window = await visit(service.origin, opts)
  await window.page.goto(job.path + search)
  return window
}

let people = 0
async function fillDetails(page: Page, email = `browser.${++people}@applicants.example`): Promise<string> {
  await page.getByLabel('First name').fill('Zora')
  await page.getByLabel('Last name').fill('Browser')
  await page.getByLabel('Email address', { exact: true }).fill(email)
  return email
}

const send = (page: Page) => page.getByRole('button', { name: 'Send application' }).click()
const thanks = (page: Page) => page.getByRole('heading', { name: 'Thank you' }).waitFor()
/**
 * Waits until a file is uploaded, however its reading ends: that takes less time than passes between two looks at the page.
 * Where it is not uploaded, the failure shows what its row says.
 */
async function uploaded(page: Page, name: string): Promise<void> {
  const row = page.locator('.file', { hasText: name })
  const done = row.getByText(/^Uploaded|^Filled in|^We could not read/).waitFor()
  await done.catch(async error => {
    throw new Error(`the row of the file says: ${await row.allTextContents()}`, { cause: error })
  })
}

test('careers form in a browser: every type of question, a résumé that fills in blank fields, and conditions', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const { page, problems, close } = await open(job)
  await page.getByLabel('First name').fill('Marie')
  await page.locator('[data-question="resume_upload_id"] input[type=file]').setInputFiles(file('maria.txt'))
  await uploaded(page, 'maria.txt')
  await page
    .getByText(/^Filled in from your résumé: Last name, Email address, Phone, LinkedIn profile/)
    .first()
    .waitFor()
  assert.equal(await page.getByLabel('First name').inputValue(), 'Marie', 'what was typed stays')
  assert.equal(await page.getByLabel('Last name').inputValue(), 'von Stein')
  assert.equal(
    await page.getByLabel('Email address', { exact: true }).inputValue(),
    'maria.vonstein@applicants.example',
  )
  const marks = page.getByText('From your résumé', { exact: true })
  assert.equal(await marks.count(), 4)
  await page.getByLabel('Last name').fill('vom Stein')
  assert.equal(await marks.count(), 3, 'a corrected field is not marked')

  await page.getByLabel('Why this job').fill('Robots are useful.')
  await page.getByText('182 characters left').first().waitFor()
  await page.getByLabel('Favourite tool').fill('Vise')
  const team = page.getByLabel('Size of your team')
  assert.equal(await team.isVisible(), false)
  await page.getByRole('radio', { name: 'Senior' }).check()
  assert.equal(await team.isVisible(), true)
  await team.fill('4')
  await page.getByLabel('Office').selectOption('Kiel')
  await page.getByRole('checkbox', { name: 'Danish' }).check()
  await page.getByLabel('Years of experience').fill('7')
  await page.getByLabel('Earliest start').fill('2027-01-31')
  await page.getByLabel('Website').fill('robots.example')
  await page.locator('[data-question^="files."] input[type=file]').setInputFiles(file('paper.png', PNG, 'image/png'))
  await uploaded(page, 'paper.png')
  const permit = page.getByLabel('Which permit do you have?')
  assert.equal(await permit.isVisible(), false)
  const needed = page.getByRole('group', { name: 'Do you need a work permit?' })
  await needed.getByLabel('Yes').check()
  await permit.fill('Blue card')
  await needed.getByLabel('No', { exact: true }).check()
  assert.equal(await permit.isVisible(), false)
  await page.getByRole('group', { name: 'Can you work shifts?' }).getByLabel('Yes').check()
  await page.getByLabel('Do not call me for a pre-screen').check()
  await page.getByLabel('Gender').selectOption('Woman')
  await page.getByLabel(/^I agree to the processing/).check()
  assert.deepEqual(await axe(page), [])
  await send(page)
  await thanks(page)
  const [application] = await readApplications(site, job)
  const { body } = await service.get(`/applications/${application.id}/answers`, site.key)
  assert.equal(body.answers[job.ids['Size of your team']!], '4')
  assert.equal(body.answers[job.ids['Which permit do you have?']!], undefined)
  assert.equal(body.answers[job.ids['Do you need a work permit?']!], false)
  assert.deepEqual([application.has_resume, application.voice_screening_opted_out], [true, true])
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: faults come together, with links to their fields; nothing is lost, and the focus is led', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job, { expectedStatuses: [422] })
  await page.getByLabel('Motivation').fill('x'.repeat(60))
  await page.getByText('10 characters too many').first().waitFor()
  await page.locator('input[type=file]').setInputFiles(file('unread.pdf', '%PDF-broken', 'application/pdf'))
  await uploaded(page, 'unread.pdf')
  await send(page)
  const summary = page.getByRole('alert')
  await summary.getByText('There is a problem').waitFor()
  assert.equal(await page.evaluate('document.activeElement.className'), 'error-summary')
  assert.match(await page.title(), /^Error: /)
  assert.deepEqual(await axe(page), [])
  await summary.getByRole('link', { name: 'Enter your email address' }).click()
  assert.equal(await page.evaluate('document.activeElement.name'), 'candidate.email')
  assert.equal(await page.getByLabel('Motivation').inputValue(), 'x'.repeat(60))
  await page.getByText('unread.pdf').waitFor()
  await page.getByLabel('Motivation').fill('short')
  await fillDetails(page)
  await page.getByLabel(/^I agree/).check()
  await send(page)
  await thanks(page)
  const [application] = await readApplications(site, job)
  assert.equal(application.has_resume, true)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: works without scripts, with files, faults and conditions in words', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  const { page, problems, close } = await open(job, { javaScript: false, expectedStatuses: [422] })
  await page.getByText('Only if you answered “Yes” to “Do you need a work permit?”').waitFor()
  await page.locator('input[name=resume_upload_id]').setInputFiles(file('maria.txt'))
  await page.getByLabel('Why this job').fill('Robots are useful.')
  clock.advance(10_000)
  await send(page)
  await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
  await page.getByText('This file is already uploaded.').waitFor()
  assert.equal(await page.getByLabel('Why this job').inputValue(), 'Robots are useful.')
  await fillDetails(page)
  await page.getByRole('radio', { name: 'Junior' }).check()
  await page.getByLabel('Years of experience').fill('1,5')
  await page.getByRole('group', { name: 'Do you need a work permit?' }).getByLabel('No', { exact: true }).check()
  await page.getByRole('group', { name: 'Can you work shifts?' }).getByLabel('Yes').check()
  await page.getByLabel(/^I agree to the processing/).check()
  clock.advance(10_000)
  await send(page)
  await thanks(page)
  const [application] = await readApplications(site, job)
  assert.equal(application.has_resume, true)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: the keyboard alone is enough', { skip: noBrowser }, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job)
  const { keyboard } = page
  const focused = () => page.evaluate('document.activeElement.name || document.activeElement.textContent.trim()')
  const tabTo = async (name: string) => {
    for (let i = 0; i < 40; i++) {
      if ((await focused()) === name) return
      await keyboard.press('Tab')
    }
    assert.fail(`no way to ${name} with the keyboard`)
  }
  // the browser takes a moment to hand over its dialog to the test
  const chooser = page.waitForEvent('filechooser')
  await tabTo('resume_upload_id')
  await keyboard.press('Enter')
  await (await chooser).setFiles(file('keys.txt', 'Skills\nKeyboards'))
  await uploaded(page, 'keys.txt')
  // the focus is where the person was
  assert.ok(await page.evaluate(`document.querySelector('[data-file]').contains(document.activeElement)`))
  await tabTo('candidate.first_name')
  await keyboard.type('Zora')
  await tabTo('candidate.last_name')
  await keyboard.type('Keys')
  await tabTo('candidate.email')
  await keyboard.type('keys@applicants.example')
  await tabTo(`consents.${job.ids['I agree']}`)
  await keyboard.press('Space')
  await tabTo('Send application')
  await keyboard.press('Enter')
  await thanks(page)
  assert.equal((await readApplications(site, job)).length, 1)
  assert.deepEqual(problems, [])
  await close()
})

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`careers form in a browser: ${theme}, ${width} pixels wide: nothing overflows, no serious accessibility issue`, {
    skip: noBrowser,
  }, async () => {
    const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
    const { page, problems, close } = await open(job, { theme, width, expectedStatuses: [422] })
    const look = async (what: string) => {
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, what)
      assert.deepEqual(await axe(page), [], what)
    }
    await look('empty')
    await page
      .locator('[data-question="resume_upload_id"] input[type=file]')
      .setInputFiles(file(`${'long'.repeat(20)}.txt`))
    await page.locator('.filled-mark').first().waitFor()
    await look('filled in')
    await send(page)
    await page.getByRole('heading', { name: 'There is a problem' }).waitFor()
    await look('faults')
    if (process.env['PICTURES'])
      await page.screenshot({ path: `${process.env['PICTURES']}/apply-${theme}-${width}.png`, fullPage: true })
    await page.goto(`${job.path}/done`)
    await look('thanks')
    assert.deepEqual(problems, [])
    await close()
  })
}

test('careers form in a browser: on a screen for fingers no file is asked to be dragged, with scripts and without', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site)
  const { context, close } = await open(job)
  for (const javaScriptEnabled of [true, false]) {
    const phone = await context.browser()!.newContext({
      baseURL: service.origin,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      javaScriptEnabled,
    })
    const page = await phone.newPage()
    await page.goto(job.path)
    await page.locator('input[type=file]').first().waitFor()
    assert.doesNotMatch(await page.locator('main').innerText(), /drag a file/i)
    await phone.close()
  }
  await close()
})

test('careers form in a browser: in German, with the labels of the default form translated', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site)
  const { page, problems, close } = await open(job, { expectedStatuses: [422] }, '?lang=de')
  await page.getByRole('button', { name: 'Bewerbung absenden' }).click()
  await page.getByRole('heading', { name: 'Bitte prüfen Sie Ihre Angaben' }).waitFor()
  await page.getByLabel('Vorname').fill('Zora')
  await page.getByLabel('Nachname').fill('Deutsch')
  await page.getByLabel('E-Mail-Adresse').fill('deutsch@applicants.example')
  await page.getByLabel(/^Anschreiben/).fill('Guten Tag')
  await page
    .locator('input[type=file]')
    .setInputFiles(file('lebenslauf.txt', 'Berufserfahrung\nRoboter gebaut und gewartet, Bremen, 2019 bis 2024\n'))
  await page.locator('.file-state', { hasText: 'Hochgeladen' }).waitFor()
  await page.getByText('Ihr Lebenslauf wurde gelesen. Es gab nichts auszufüllen.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Bewerbung absenden' }).click()
  await page.getByRole('heading', { name: 'Vielen Dank' }).waitFor()
  assert.match(page.url(), /\/apply\/done\?lang=de&to=/)
  const [mail] = await service.services.db.query(sql<{ language: string }>`
    select language from candidate_mails where workspace_id = ${site.workspace} and address = 'deutsch@applicants.example'`)
  assert.equal(mail!.language, 'de')
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a duplicate sees the same page of thanks', { skip: noBrowser }, async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const texts: string[] = []
  for (let i = 0; i < 2; i++) {
    const { page, problems, close } = await visit(service.origin)
    await page.goto(job.path.replace('/apply', ''))
    await page.getByRole('link', { name: 'Apply now' }).first().click()
    await fillDetails(page, 'twice@applicants.example')
    await send(page)
    await thanks(page)
    texts.push(await page.locator('main').innerText())
    assert.deepEqual(problems, [])
    await close()
  }
  assert.equal(texts[0], texts[1])
  assert.equal((await readApplications(site, job)).length, 1)
})

test('careers form in a browser: a job closed while the form is open: says so, with what was typed to copy', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job, { expectedStatuses: [409] })
  await fillDetails(page)
  await page.getByLabel('Motivation').fill('A long letter.')
  await page.getByLabel(/^I agree/).check()
  await service.services.db.transaction(tx => moveJob(tx, site.workspace, job.id, 'close'))
  await send(page)
  await page.getByRole('heading', { name: 'This job no longer accepts applications' }).waitFor()
  assert.match(await page.getByLabel('What you wrote, for you to copy:').inputValue(), /A long letter\./)
  assert.deepEqual(await axe(page), [])
  await page.getByRole('link', { name: 'See the open jobs' }).click()
  assert.match(page.url(), new RegExp(`/careers/${site.slug}$`))
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a draft comes back after a reload, without consents and voluntary answers; it ends with sending', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, context, problems, close } = await open(job)
  const email = await fillDetails(page)
  await page.getByLabel('Motivation').fill('Kept')
  await page.locator('input[type=file]').setInputFiles(file('kept.txt', 'Skills\nDrafts'))
  await uploaded(page, 'kept.txt')
  await page.getByLabel('Gender').selectOption('Man')
  await page.getByLabel(/^I agree/).check()
  await page.reload()
  await page.getByText('We restored what you typed on this device.').waitFor()
  assert.equal(await page.getByLabel('Email address', { exact: true }).inputValue(), email)
  assert.equal(await page.getByLabel('Motivation').inputValue(), 'Kept')
  await page.getByText('kept.txt').waitFor()
  assert.equal(await page.getByLabel('Gender').inputValue(), '')
  assert.equal(await page.getByLabel(/^I agree/).isChecked(), false)
  const stored = String(await page.evaluate('JSON.stringify(localStorage)'))
  assert.ok(!/Man"|consents|equal_opportunity|token/.test(stored))

  await page.getByRole('button', { name: 'Start over' }).click()
  assert.equal(await page.getByLabel('Motivation').inputValue(), '')
  assert.equal(await page.getByText('kept.txt').isVisible(), false)
  await page.reload()
  await page.getByRole('button', { name: 'Send application' }).waitFor()
  assert.equal(await page.getByText('We restored').count(), 0)

  // another tab: it shares the draft, and learns that the form was sent
  await fillDetails(page, email)
  await page.getByLabel('Motivation').fill('Second try')
  await page.getByLabel(/^I agree/).check()
  const drafts = async () => String(await page.evaluate('JSON.stringify(localStorage)'))
  await until('the draft is stored', async () => (await drafts()).includes('Second try'))
  const tab = await context.newPage()
  await tab.goto(job.path)
  assert.equal(await tab.getByLabel('Motivation').inputValue(), 'Second try')
  await send(page)
  await thanks(page)
  await tab.getByText('You have sent this form.').waitFor()
  await tab.getByLabel(/^I agree/).check()
  await send(tab)
  await thanks(tab)
  assert.equal((await readApplications(site, job)).length, 1)
  assert.ok(!String(await page.evaluate('JSON.stringify(localStorage)')).includes(email))
  await page.goBack()
  await page.getByText('You have sent this form.').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a double click sends one application', { skip: noBrowser }, async () => {
  const job = await newFormJob(site, { fields: DETAILS })
  const { page, problems, close } = await open(job)
  await fillDetails(page)
  let posts = 0
  page.on('request', request => {
    if (request.method() === 'POST') posts++
  })
  await page.getByRole('button', { name: 'Send application' }).dblclick()
  await thanks(page)
  assert.equal(posts, 1)
  assert.equal((await readApplications(site, job)).length, 1)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a page that was open for more than a day sends without a word', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job, { expectedStatuses: [403, 422] })
  await fillDetails(page)
  clock.advance(25 * 3_600_000)
  await page.locator('input[type=file]').setInputFiles(file('late.txt', 'Skills\nWaiting'))
  await uploaded(page, 'late.txt')
  clock.advance(25 * 3_600_000 - 3_000_000)
  await page.getByLabel(/^I agree/).check()
  await page.getByRole('button', { name: 'Remove' }).click()
  await send(page)
  await thanks(page)
  assert.equal((await readApplications(site, job)).length, 1)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a slow upload shows its progress and can be canceled; a broken one is retried', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, context, problems, close } = await open(job)
  const network = await context.newCDPSession(page)
  const speed = (bytesPerSecond: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 20,
      downloadThroughput: -1,
      uploadThroughput: bytesPerSecond,
    })
  await network.send('Network.enable')
  await speed(100_000)
  const large = file('large.pdf', `%PDF-${'x'.repeat(3_000_000)}`, 'application/pdf')
  const input = page.locator('input[type=file]')
  await input.setInputFiles(large)
  await page
    .getByText(/^Uploading: [1-9]\d? %/)
    .first()
    .waitFor()
  // the person goes on, and changes their mind about the file
  await fillDetails(page)
  await page.getByRole('button', { name: 'Cancel' }).click()
  assert.equal(await page.locator('.file').isVisible(), false)
  await speed(-1)
  let broken = 0
  await context.route('**/storage/**', route => (++broken === 1 ? route.abort('connectionreset') : route.continue()))
  await input.setInputFiles(large)
  await uploaded(page, 'large.pdf')
  assert.equal(broken, 2)
  await page.getByLabel(/^I agree/).check()
  await send(page)
  await thanks(page)
  assert.equal((await readApplications(site, job))[0].has_resume, true)
  assert.deepEqual(
    problems.filter(problem => !problem.includes('ERR_CONNECTION_RESET')),
    [],
  )
  await close()
})

test('careers form in a browser: a store that refuses uploads and a lost connection: the file goes with the form, nothing is lost', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, context, close } = await open(job)
  await context.route('**/storage/**', route => route.abort('failed'))
  await fillDetails(page)
  await page.locator('input[type=file]').setInputFiles(file('direct.txt', 'Skills\nDetours'))
  await page.getByText('The upload did not finish. Check your connection.').first().waitFor()
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await page.getByLabel(/^I agree/).check()
  await context.route('**/apply', route => route.abort('failed'))
  await send(page)
  await page.getByRole('alert').getByText('Your application could not be sent.').waitFor()
  assert.equal(await page.getByLabel('First name').inputValue(), 'Zora')
  await context.unroute('**/apply')
  await send(page)
  await thanks(page)
  const [application] = await readApplications(site, job)
  assert.equal(application.has_resume, true)
  await close()
})

test('careers form in a browser: a file of another type or size is refused in words; one can be dropped, replaced, or pasted as text', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job)
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file('program.exe', 'MZ', 'application/x-msdownload'))
  await page.getByText('Files of this type are not accepted here.').first().waitFor()
  await input.setInputFiles(file('film.pdf', 'x'.repeat(5_242_881), 'application/pdf'))
  await page.getByText('The file is larger than 5 MB.').first().waitFor()
  // dropped, then replaced; the browser takes a moment to hand over its dialog to the test
  const chooser = page.waitForEvent('filechooser')
  const dropped = await page.evaluateHandle(`
    const data = new DataTransfer()
    data.items.add(new File(['Skills\\nDropping'], 'dropped.txt', { type: 'text/plain' }))
    data`)
  await page.locator('.drop').dispatchEvent('drop', { dataTransfer: dropped })
  await uploaded(page, 'dropped.txt')
  await page.getByRole('button', { name: 'Replace' }).click()
  await (await chooser).setFiles(file('replaced.txt', 'Skills\nReplacing'))
  await uploaded(page, 'replaced.txt')
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Or paste your résumé as text').click()
  await page.getByLabel('Text of your résumé').fill(RESUME)
  await page.getByLabel('Text of your résumé').blur()
  await uploaded(page, 'Pasted text.txt')
  await page.locator('.filled-mark').first().waitFor()
  assert.equal(await page.getByLabel('Last name').inputValue(), 'von Stein')
  await page.getByLabel('Email address', { exact: true }).fill('pasted@applicants.example')
  await page.getByLabel(/^I agree/).check()
  await send(page)
  await thanks(page)
  assert.equal((await readApplications(site, job))[0].has_resume, true)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a file with a password is refused at its field, with scripts and without; another one is sent', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  // unlike that of a PDF, its password is seen without the reader, which a busy machine delays
  const docx = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const locked = file('locked.docx', lockedDocx(), docx)
  const fault = 'This file needs a password. Save it without one, or choose another file.'
  const { page, problems, close } = await open(job)
  await fillDetails(page)
  await page.getByLabel(/^I agree/).check()
  await page.locator('input[type=file]').setInputFiles(locked)
  await page.locator('[data-question="resume_upload_id"] .file').getByText(fault).waitFor()
  assert.equal(await page.locator('input[name="ticket.resume_upload_id"]').inputValue(), '')
  await page.locator('input[type=file]').setInputFiles(file('open.txt'))
  await uploaded(page, 'open.txt')
  await send(page)
  await thanks(page)
  assert.equal((await readApplications(site, job))[0].has_resume, true)
  assert.deepEqual(problems, [])
  await close()

  const plain = await open(job, { javaScript: false, expectedStatuses: [422] })
  await plain.page.getByText('up to 5 MB, without a password.').waitFor()
  await fillDetails(plain.page)
  await plain.page.getByLabel(/^I agree/).check()
  await plain.page.locator('input[type=file]').setInputFiles(locked)
  clock.advance(10_000)
  await send(plain.page)
  const described = await plain.page.locator('input[type=file]').getAttribute('aria-describedby')
  const said = await Promise.all(described!.split(' ').map(id => plain.page.locator(`[id="${id}"]`).textContent()))
  assert.ok(said.join(' ').includes(fault), said.join(' '))
  assert.deepEqual(plain.problems, [])
  await plain.close()
})

test('careers form in a browser: a résumé that cannot be read is noted at its file and may be sent; a disguised one is refused', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job, { expectedStatuses: [400] })
  await fillDetails(page)
  const input = page.locator('input[type=file]')
  const row = page.locator('[data-question="resume_upload_id"] .file')
  const program = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(500, 1)])
  await input.setInputFiles(file('fake.pdf', program, 'application/pdf'))
  await row.getByText(/^The content of this file is not of the type that its name says/).waitFor()
  assert.equal(await page.locator('input[name="ticket.resume_upload_id"]').inputValue(), '')
  await input.setInputFiles(file('broken.pdf', `%PDF-1.7\n${'broken '.repeat(50)}`, 'application/pdf'))
  const note = /^We could not read this file\. Open it once to check that it works and needs no password\./
  await row.getByText(note).waitFor()
  await page.locator('[role=status]', { hasText: note }).waitFor({ state: 'attached' })
  assert.match(await row.innerText(), /broken\.pdf/)
  assert.deepEqual(await axe(page), [])
  await page.getByLabel(/^I agree/).check()
  await send(page)
  await thanks(page)
  assert.equal((await readApplications(site, job))[0].has_resume, true)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: a pasted résumé that is too long is a fault at its question; one that fits is sent one time', {
  skip: noBrowser,
}, async () => {
  const job = await newFormJob(site, { fields: SHORT })
  const { page, problems, close } = await open(job, { expectedStatuses: [422] })
  const bodies: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST' && request.url().endsWith('/apply')) bodies.push(request.postData() ?? '')
  })
  await fillDetails(page)
  await page.getByText('Or paste your résumé as text').click()
  const area = page.getByLabel('Text of your résumé')
  await area.fill('y'.repeat(50_001))
  await area.blur()
  await page.locator('.file.failed', { hasText: 'must have at most 50,000 characters' }).waitFor()
  await send(page)
  await page.locator('.error-summary', { hasText: 'must have at most 50,000 characters' }).waitFor()
  // another page: what is typed before its script runs goes with the form
  await page.waitForLoadState()
  assert.equal((await area.inputValue()).length, 50_001)
  await area.fill('Text of a shorter life.')
  await area.blur()
  // text that is too short to be read is no broken file
  await page.getByText('There was nothing to fill in').waitFor()
  await page.locator('.file', { hasText: 'Pasted text' }).getByText('Uploaded', { exact: true }).waitFor()
  await send(page)
  // the box is not ticked yet; the text is still there
  await page.locator('.error-summary', { hasText: 'I agree', hasNotText: '50,000' }).waitFor()
  assert.equal(bodies.length, 2)
  assert.ok(!bodies[1]!.includes('shorter life'))
  assert.equal(await area.inputValue(), 'Text of a shorter life.')
  await page.getByLabel(/^I agree/).check()
  await send(page)
  await thanks(page)
  const [application] = await readApplications(site, job)
  assert.equal(application.has_resume, true)
  assert.deepEqual(problems, [])
  await close()
})

test('careers form in a browser: nothing is wider than 320 px with every fault', { skip: noBrowser }, async () => {
  const job = await newFormJob(site, { fields: EVERY_TYPE, questions: QUESTIONS })
  for (const lang of ['en', 'de']) {
    const { page, close } = await open(job, { width: 320, javaScript: false, expectedStatuses: [422] }, `?lang=${lang}`)
    await page.locator('[name="candidate.linkedin_url"]').fill('https://example.com/in/zora')
    clock.advance(10_000)
    await page.locator('#apply button[type=submit]').click()
    await page.locator('.error-summary').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, lang)
    await close()
  }
})

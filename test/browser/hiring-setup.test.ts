import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Role } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, type Job, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import {
  axe,
  choose,
  inBothThemes,
  noBrowser,
  typeInFocus,
  type Visit,
  type VisitOptions,
  visit,
} from '../harness/browser.ts'

const skip = noBrowser
let world: World
let owner: Person

before(async () => {
  if (skip) return
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { program: 'hiring' })
})

const freshJob = () => newJob(world.service, world.workspace)

async function openAs(person: Person, path: string, opts?: VisitOptions): Promise<Visit> {
  const { origin } = world.service
  const window = await visit(origin, opts)
  await window.context.addCookies([{ name: SESSION_COOKIE, value: person.cookie.split('=')[1]!, url: origin }])
  await window.page.goto(`/hiring${path}`)
  await window.page.locator('h1').waitFor()
  return window
}
const open = (path: string, opts?: VisitOptions) => openAs(owner, path, opts)
const personWith = (role: Role) => signedIn(world.service, world.workspace, { role, program: 'hiring' })

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()
const stageNames = async (job: Job): Promise<string[]> =>
  (await owner.get(`/jobs/${job.id}/stages`)).body.stages.map((stage: { name: string }) => stage.name)
const shownNames = (page: Page) =>
  page
    .getByLabel(/^Name of stage/)
    .all()
    .then(inputs => Promise.all(inputs.map(input => input.inputValue())))

test('stages page: stages are added, renamed, ordered by key and by dragging, and saved; focus stays on the handle', {
  skip,
}, async () => {
  const job = await freshJob()
  const { page, problems, close } = await open(`/jobs/${job.id}/stages`)
  await button(page, 'Add a stage').click()
  // the focus is in the name of the new stage, which comes before the final ones
  await typeInFocus(page, 'Trial day')
  await page.getByLabel('Name of stage 2').fill('Phone call')
  await choose(page.getByLabel('Kind of stage 4'), 'assessment')
  await button(page, /^Move Trial day, position 4 of 6/).focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.getByText('Trial day is now at position 2 of 6.').waitFor({ state: 'attached' })
  assert.match((await page.locator(':focus').getAttribute('aria-label'))!, /^Move Trial day, position 2 of 6/)
  assert.deepEqual(await shownNames(page), ['Applied', 'Trial day', 'Phone call', 'Interview', 'Hired', 'Rejected'])

  const handle = (await button(page, /^Move Interview,/).boundingBox())!
  const target = (await button(page, /^Move Trial day,/).boundingBox())!
  await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
  await page.mouse.down()
  await page.mouse.move(target.x + 5, target.y + 20, { steps: 4 })
  await page.mouse.move(target.x + 5, target.y - 4, { steps: 2 })
  await page.mouse.up()
  const expected = ['Applied', 'Interview', 'Trial day', 'Phone call', 'Hired', 'Rejected']
  assert.deepEqual(await shownNames(page), expected)
  await save(page)
  await page.getByText('Stages saved').waitFor()
  assert.deepEqual(await stageNames(job), expected)
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('stages page: removing a stage asks where its applications go; they move with the save', { skip }, async () => {
  const job = await freshJob()
  const application = await apply({ ...world, job })
  const { page, problems, close } = await open(`/jobs/${job.id}/stages`)
  await button(page, 'Remove Applied').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 application is in this stage').waitFor()
  await choose(dialog.getByLabel('Move them to'), { label: 'Interview' })
  await button(page, 'Remove the stage').click()
  const removal = page.getByRole('region', { name: 'Removed stages' })
  await removal.getByText('Applied is removed when you save.').waitFor()
  // taken back, it is where it was
  await button(page, 'Keep it').click()
  assert.deepEqual(await shownNames(page), ['Applied', 'Screen', 'Interview', 'Hired', 'Rejected'])
  await button(page, 'Remove Applied').click()
  await button(page, 'Remove the stage').click()
  await choose(removal.getByLabel('Where the applications of Applied go'), { label: 'Interview' })
  // the chosen stage is removed, too: the application needs another one
  await button(page, 'Remove Interview').click()
  await page.getByText('Choose where the applications of “Applied” go.').waitFor()
  await choose(removal.getByLabel('Where the applications of Applied go'), { label: 'Screen' })
  await save(page)
  await page.getByText('Stages saved').waitFor()
  assert.deepEqual(await stageNames(job), ['Screen', 'Hired', 'Rejected'])
  assert.equal((await owner.get(`/v1/applications/${application.id}`)).body.stage_id, job.stages[1])
  await page.getByRole('link', { name: '1 application' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('stages page: two people: the second is shown what the first changed, and saves both changes', {
  skip,
}, async () => {
  const job = await freshJob()
  const colleague = await personWith('member')
  const first = await open(`/jobs/${job.id}/stages`)
  const second = await openAs(colleague, `/jobs/${job.id}/stages`, { expectedStatuses: [409] })
  await second.page.getByLabel('Name of stage 3').fill('Panel')
  await first.page.getByLabel('Name of stage 2').fill('Phone call')
  await button(first.page, 'Remove Rejected').click()
  await save(first.page)
  await first.page.getByText('Stages saved').waitFor()

  await save(second.page)
  await second.page.getByText('Someone changed this while you were editing.').waitFor()
  await second.page.getByText('They removed “Rejected” and renamed “Screen” to “Phone call”.').waitFor()
  // nothing that was entered is lost
  assert.equal(await second.page.getByLabel('Name of stage 3').inputValue(), 'Panel')
  await button(second.page, 'Put my changes on top of theirs').click()
  assert.deepEqual(await shownNames(second.page), ['Applied', 'Phone call', 'Panel', 'Hired'])
  await save(second.page)
  await second.page.getByText('Stages saved').waitFor()
  assert.deepEqual(await stageNames(job), ['Applied', 'Phone call', 'Panel', 'Hired'])
  assert.deepEqual([...first.problems, ...second.problems], [])
  await first.close()
  await second.close()
})

const add = async (page: Page, type: string, label: string) => {
  await page.getByRole('button', { name: 'Add a question', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`^${type}`) })
    .click()
  // the focus is in the text of the new question
  await typeInFocus(page, label)
}

/** Headings and labels in their order, as the careers page and the preview draw them. */
const LABELS = `[...document.querySelectorAll(SCOPE)].map(e => e.innerText.trim().replace(/\\s+/g, ' '))`

test('form page: an own form is made from the template; the preview follows each change and is the page of candidates', {
  skip,
}, async () => {
  const job = await freshJob()
  const { page, problems, close } = await open(`/jobs/${job.id}/form`)
  await page.getByText('This job uses the form of the workspace').waitFor()
  await button(page, 'Make a form for this job').click()
  const preview = page.getByRole('region', { name: /^Preview/ })
  await add(page, 'Section', 'About the work')
  await add(page, 'Yes or no', 'Do you drive?')
  await add(page, 'Short text', 'Number of your license')
  await choose(page.getByLabel('Show the question'), { label: 'Only after certain answers to “Do you drive?”' })
  await page.getByText('One question needs to be fixed.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Save as the form of this job' }).isDisabled(), true)
  await page.getByRole('group', { name: 'Answers to “Do you drive?”' }).getByLabel('Yes').check()
  // the preview shows it after the answer
  assert.equal(await preview.getByLabel('Number of your license').count(), 0)
  await preview
    .getByRole('group', { name: /^Do you drive/ })
    .getByLabel('Yes')
    .check()
  await preview.getByLabel('Number of your license').waitFor()
  await preview
    .getByRole('group', { name: /^Do you drive/ })
    .getByLabel('No', { exact: true })
    .check()
  assert.equal(await preview.getByLabel('Number of your license').count(), 0)

  await add(page, 'One of a list', 'Shift')
  await page.getByLabel('Options, one on each line').fill('Day\nNight')
  await page.getByLabel('Required').check()
  await add(page, 'Equal-opportunity question', 'Gender')
  await page.getByLabel('Options, one on each line').fill('Woman\nMan')
  await add(page, 'Consent', 'I agree')
  await page.getByLabel('Text that candidates agree to').fill('We keep your data for six months.')
  await add(page, 'File', 'Certificate')
  await preview.getByText('We keep your data for six months.').waitFor()
  await page.getByRole('button', { name: 'Save as the form of this job' }).click()
  await page.getByText('Form saved').waitFor()
  await page.getByText('This job has its own form.').waitFor()
  // what was open is still open, under the id that it has now
  assert.equal(await page.getByLabel('Question', { exact: true }).inputValue(), 'Certificate')

  const drawn =
    '.form-preview :is(h3, .preview-field > :is(label:not(.preview-choice), legend, .label), .preview-choice.boxed)'
  const shown = (await page.evaluate(LABELS.replace('SCOPE', JSON.stringify(drawn)))) as string[]
  const [site] = await world.service.services.db.query(
    sql<{ slug: string }>`select slug from career_sites where workspace_id = ${world.workspace}`,
  )
  const candidate = await visit(world.service.origin)
  await candidate.page.goto(`/careers/${site!.slug}/jobs/${job.id}/apply`)
  await candidate.page.locator('#apply').waitFor()
  const asked =
    '#apply :is(h2, .field > :is(label:not(.choice), legend), .choice.boxed):not([hidden], [hidden] *, .visually-hidden)'
  const seen = (await candidate.page.evaluate(LABELS.replace('SCOPE', JSON.stringify(asked)))) as string[]
  assert.deepEqual(shown, seen)
  assert.ok(shown.length > 10)
  assert.deepEqual(await axe(page), [])
  assert.deepEqual([...problems, ...candidate.problems], [])
  await candidate.close()
  await close()
})

test('form page: questions are ordered and removed with undo, a condition on a later one is refused, the template comes back', {
  skip,
}, async () => {
  const job = await freshJob()
  const fields = [
    { label: 'Do you drive?', type: 'boolean' },
    { label: 'License', type: 'text', condition: { position: 0, values: ['true'] } },
    { label: 'Why?', type: 'textarea' },
  ]
  await owner.post(`/jobs/${job.id}/form`, { fields })
  const { page, problems, close } = await open(`/jobs/${job.id}/form`)
  await button(page, /^Move License,/).focus()
  await page.keyboard.press('Home')
  await page.getByText('One question needs to be fixed.').waitFor()
  await button(page, /^License/).click()
  await page.getByText('The question that it depends on is gone, or is further down.').waitFor()
  await button(page, /^Move License,/).focus()
  await page.keyboard.press('End')
  await page.getByText('You have unsaved changes.').waitFor()
  await button(page, 'Remove Why?').click()
  await button(page, 'Undo').click()
  await page.keyboard.press('Control+s')
  await page.getByText('Form saved').waitFor()
  const stored = (await owner.get(`/jobs/${job.id}/form`)).body.fields
  assert.deepEqual(
    stored.map((field: { label: string }) => field.label),
    ['Do you drive?', 'Why?', 'License'],
  )
  await button(page, 'Use the workspace’s form').click()
  await page.getByRole('dialog').getByText('The 3 questions of this job are removed from its form.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Use the workspace’s form' }).click()
  await page.getByText('This job uses the form of the workspace').waitFor()
  assert.equal((await owner.get(`/jobs/${job.id}/form`)).body.is_template, true)
  assert.deepEqual(problems, [])
  await close()
})

test('questions page: questions are written, get names for the API, are ordered in their group and saved', {
  skip,
}, async () => {
  const job = await freshJob()
  const { page, problems, close } = await open(`/jobs/${job.id}/questions`)
  await button(page, 'Add a standard question').click()
  await typeInFocus(page, 'May you work in the EU?')
  await choose(page.getByLabel('Answer', { exact: true }), 'boolean')
  await page.getByLabel('Required in the application form').check()
  for (const metal of ['Steel', 'Copper']) {
    await button(page, 'Add a question of this job').click()
    await typeInFocus(page, `Have you welded ${metal}?`)
  }
  await choose(page.getByLabel('Answer', { exact: true }), 'choice')
  await page.getByText('One question needs to be fixed.').waitFor()
  await page.getByLabel('Choices, one on each line').fill('Often\nNever')
  await button(page, /^Move Have you welded Copper/).focus()
  await page.keyboard.press('ArrowUp')
  await save(page)
  await page.getByText('Questions saved').waitFor()
  const { questions } = (await owner.get(`/jobs/${job.id}/questions`)).body
  assert.deepEqual(
    questions.map((q: Record<string, unknown>) => [q['kind'], q['response_key'], q['answer_type'], q['choices']]),
    [
      ['common', 'may_you_work_in_the_eu', 'boolean', null],
      ['adaptive', 'have_you_welded_copper', 'choice', ['Often', 'Never']],
      ['adaptive', 'have_you_welded_steel', 'text', null],
    ],
  )
  assert.deepEqual(problems, [])
  await close()
})

test('template form page: says which jobs a change concerns and asks before it; members see it and cannot change it', {
  skip,
}, async () => {
  await freshJob()
  const { page, problems, close } = await open('/settings/form')
  await page.getByText(/jobs use this form/).waitFor()
  await add(page, 'Date', 'Earliest start')
  await save(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByText('candidates see the new form immediately').waitFor()
  await dialog.getByRole('button', { name: 'Save for all of them' }).click()
  await page.getByText('Form saved').waitFor()
  const { fields } = (await owner.get('/template-form')).body
  assert.equal(fields.at(-1).label, 'Earliest start')
  assert.deepEqual(problems, [])
  await close()

  const reader = await openAs(await personWith('member'), '/settings/form')
  await reader.page.getByText('Owners and admins can change this form.').waitFor()
  assert.equal(await reader.page.getByRole('button', { name: 'Add a question' }).count(), 0)
  await reader.page
    .getByRole('region', { name: /^Preview/ })
    .getByText('Earliest start')
    .waitFor()
  assert.equal(await button(reader.page, /^(Move|Remove) Earliest start/).count(), 0)
  assert.deepEqual(reader.problems, [])
  await reader.close()
})

test('setup pages: a viewer sees stages and form and cannot change them; questions are refused', { skip }, async () => {
  const job = await freshJob()
  const viewer = await personWith('viewer')
  const { page, close } = await openAs(viewer, `/jobs/${job.id}/stages`, { expectedStatuses: [403] })
  await page.getByText('Your role can see this and not change it.').waitFor()
  assert.equal(await page.getByLabel('Name of stage 1').isDisabled(), true)
  assert.equal(await button(page, 'Add a stage').count(), 0)
  await page.goto(`/hiring/jobs/${job.id}/form`)
  await page.getByText('Your role can see this and not change it.').waitFor()
  await page.goto(`/hiring/jobs/${job.id}/questions`)
  await page.getByText('Your role does not allow this.').waitFor()
  await close()
})

test('setup pages: fit 390 and 1280 px in both themes without sideways scrolling or serious faults', {
  skip,
}, async () => {
  const job = await freshJob()
  await owner.post(`/jobs/${job.id}/form`, {
    fields: [
      {
        label: `What do you know about ${'Donaudampfschifffahrt'.repeat(4)}?`,
        type: 'select',
        options: ['x'.repeat(200)],
      },
    ],
  })
  for (const width of [390, 1280]) {
    const { page, problems, close } = await open(`/jobs/${job.id}/stages`, { width })
    const check = (where: string) =>
      inBothThemes(page, async theme => {
        assert.equal(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          true,
          `${where} ${theme}`,
        )
        assert.deepEqual(await axe(page), [], `${where} ${theme}`)
      })
    await page.getByLabel('Name of stage 1').waitFor()
    await check(`stages ${width}`)
    await page.goto(`/hiring/jobs/${job.id}/form`)
    await button(page, /^What do you know/).click()
    await check(`form ${width}`)
    await page.goto(`/hiring/jobs/${job.id}/form?view=preview`)
    await page.getByRole('region', { name: /^Preview/ }).waitFor()
    await check(`preview ${width}`)
    await page.goto(`/hiring/jobs/${job.id}/questions`)
    await button(page, 'Add a standard question').click()
    await check(`questions ${width}`)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.goto('/hiring/settings/form')
    await button(page, /^Phone/).click()
    await check(`template ${width}`)
    assert.deepEqual(problems, [])
    await close()
  }
})

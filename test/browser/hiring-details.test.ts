import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, type Job, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, typeInFocus, type VisitOptions } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'

/** The lower edge of the text in an element: texts of one size on one baseline have the same. */
const textBottom = (element: Locator): Promise<number> =>
  element.evaluate(node => {
    const range = node.ownerDocument.createRange()
    range.selectNodeContents(node)
    return range.getBoundingClientRect().bottom
  })

/** Where the baseline of the text in an element is, whatever its size. */
const baseline = (element: Locator): Promise<number> =>
  element.evaluate(node => {
    const mark = node.ownerDocument.createElement('span')
    mark.style.display = 'inline-block'
    node.prepend(mark)
    const { bottom } = mark.getBoundingClientRect()
    mark.remove()
    return bottom
  })

describe('details of the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let owner: Person

  before(async () => {
    const service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    owner = await signedIn(service, world.workspace, { role: 'owner', program: 'hiring' })
  })

  const open = (path: string, opts?: VisitOptions) => openAs(world.service, owner, `/hiring${path}`, opts)
  const freshJob = () => newJob(world.service, world.workspace)
  const applied = (job: Job, first_name: string, more: Record<string, unknown> = {}) =>
    apply({ ...world, job }, more, { first_name, last_name: 'Karp' })
  const top = async (element: Locator) => Math.round((await element.boundingBox())!.y)

  test('candidate: the status is on the baseline of the words next to it', async () => {
    const job = await freshJob()
    const { id } = await applied(job, 'Cleo')
    const { page, close } = await open(`/applications/${id}`)
    const [status, stage] = ['.candidate-line .state', '.candidate-line > a'].map(one => page.locator(one))
    assert.ok(Math.abs((await textBottom(status!)) - (await textBottom(stage!))) < 0.6)
    await close()
  })

  test('insight: Clear is in the row of the filters, and their labels are in one line', async () => {
    const { page, problems, close } = await open('/insight')
    const controls = page.locator('.insight-filters')
    const before = (await controls.boundingBox())!.height
    await choose(controls.getByLabel('Job'), { index: 1 })
    await controls.getByRole('button', { name: 'Clear' }).waitFor()
    assert.equal((await controls.boundingBox())!.height, before)
    const labels = await controls.locator('.label, label').all()
    const tops = await Promise.all(labels.map(top))
    assert.ok(tops.length > 3)
    assert.equal(new Set(tops).size, 1, tops.join(' '))
    assert.deepEqual(problems, [])
    await close()
  })

  test('command bar: two candidates of one name differ by their stage or outcome', async () => {
    const job = await freshJob()
    await applied(job, 'Tessa', { stage_id: job.stages[2] })
    const other = await applied(job, 'Tessa')
    await owner.post(`/v1/applications/${other.id}/reject`, { reason: 'x' })
    const { page, problems, close } = await open('')
    await page.keyboard.press('Control+k')
    await typeInFocus(page, 'tessa')
    const notes = page.getByRole('option').filter({ hasText: 'Tessa Karp' }).locator('.palette-note')
    await notes.nth(1).waitFor()
    assert.deepEqual((await notes.allInnerTexts()).toSorted(), ['Engineer · Interview', 'Engineer · Rejected'])
    assert.deepEqual(await axe(page, '.palette'), [])
    assert.deepEqual(problems, [])
    await close()
  })

  test('command bar: name and note of a result are on one baseline', async () => {
    const job = await freshJob()
    await applied(job, 'Baseline')
    const { page, problems, close } = await open('')
    await page.keyboard.press('Control+k')
    await typeInFocus(page, 'baseline')
    const row = page.getByRole('option').filter({ hasText: 'Baseline Karp' })
    const parts = ['.palette-title', '.palette-note'].map(part => row.locator(part))
    await parts[1]!.waitFor()
    const [first, ...others] = await Promise.all(parts.map(baseline))
    for (const other of others) assert.ok(Math.abs(other - first!) < 0.6, `${first} and ${others.join(', ')}`)
    assert.deepEqual(problems, [])
    await close()
  })

  test('team of a job: a box is ticked immediately, and unticked with a sentence where the service refuses', async () => {
    await signedIn(world.service, world.workspace, {
      role: 'member',
      email: 'tom@acme.dev',
      firstName: 'Tom',
      lastName: 'Ibar',
    })
    const job = await freshJob()
    const { page, problems, close } = await open(`/jobs/${job.id}/team`, { expectedStatuses: [503] })
    const box = page.getByRole('checkbox', { name: /^Tom Ibar/ })
    await box.waitFor()
    const { promise: held, resolve: respond } = Promise.withResolvers<void>()
    await page.route(`**/jobs/${job.id}/team`, async route => {
      await held
      await route.fulfill({ status: 503, body: '{}' })
    })
    await box.click()
    assert.deepEqual([await box.isChecked(), await box.isEnabled()], [true, true])
    respond()
    await page.getByText('The service is unavailable').waitFor()
    assert.equal(await box.isChecked(), false)
    await page.unroute(`**/jobs/${job.id}/team`)
    await box.click()
    await page.getByText('Tom Ibar is on the team').waitFor()
    assert.equal(await box.isChecked(), true)
    assert.deepEqual(problems, [])
    await close()
  })

  test('toasts: the second about a candidate replaces the first; Undo is on the line of its text', async () => {
    const job = await freshJob()
    const { id } = await applied(job, 'Wilhelmina Alexandra')
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    const toasts = page.locator('.toast')
    await page.locator(`[data-card="${id}"]`).focus()
    await page.keyboard.press('Shift+ArrowRight')
    await toasts.getByText('moved to Screen.').waitFor()
    await page.keyboard.press('Shift+ArrowRight')
    await toasts.getByText('moved to Interview.').waitFor()
    assert.equal(await toasts.count(), 1)
    const [text, undo] = [toasts.locator('span'), toasts.getByRole('button', { name: 'Undo' })]
    assert.ok(Math.abs((await top(text)) - (await top(undo))) <= 2)
    await undo.click()
    await toasts.getByText('is as before.').waitFor()
    assert.equal(await toasts.count(), 1)
    assert.deepEqual(problems, [])
    await close()
  })

  test('board of a new job: one sentence, and how people come to it', async () => {
    const job = await freshJob()
    await world.service.services.db.query(sql`
      update career_sites set enabled = true where workspace_id = ${world.workspace}`)
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.getByText('No candidates yet. New applications appear here.').waitFor()
    assert.equal(await page.getByText('No candidates', { exact: true }).count(), 0)
    const link = page.getByRole('link', { name: 'Careers page' })
    assert.match((await link.getAttribute('href'))!, new RegExp(job.id))
    await page.getByRole('button', { name: 'Copy link to the job' }).waitFor()
    assert.deepEqual(await axe(page), [])
    await page.getByRole('link', { name: 'Find in talent pool' }).click()
    await page.getByRole('heading', { name: 'Talent pool' }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('stages page: columns have headings above what they name, and each kind is explained; on a phone the box is labeled', async () => {
    const job = await freshJob()
    const { page, problems, close } = await open(`/jobs/${job.id}/stages`)
    const left = async (element: Locator) => (await element.boundingBox())!.x
    await page.getByLabel('Name of stage 1').waitFor()
    for (const [heading, control] of [
      ['Name', page.getByLabel('Name of stage 1')],
      ['Kind', page.getByLabel('Kind of stage 1')],
      ['Final', page.getByLabel('Applied is final')],
      ['Applications', page.locator('.stage-row .stage-count').first()],
    ] as const) {
      const above = page.locator('.stage-heads').getByText(heading, { exact: true })
      assert.ok(Math.abs((await left(above)) - (await left(control))) <= 4, heading)
      assert.ok((await top(above)) < (await top(control)), heading)
    }
    assert.deepEqual(await page.locator('.stage-name .hint').allInnerTexts(), [
      'New applications wait here.',
      'A first look at the application.',
      'Talks with the team.',
      'People land here when you hire them.',
      'For people you turned down. Rejecting alone moves no one here.',
    ])
    assert.equal(await page.locator('.stage-final').first().getByText('Final').isVisible(), false)
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await page.locator('.stage-heads').isVisible(), false)
    assert.equal(await page.locator('.stage-final').first().getByText('Final').isVisible(), true)
    assert.deepEqual(problems, [])
    await close()
  })

  test('stages page: kinds are explained; a final stage before an open one is not saved', async () => {
    const job = await freshJob()
    const { page, problems, close } = await open(`/jobs/${job.id}/stages`)
    await page.getByText('People land here when you hire them.').waitFor()
    const handle = page.getByRole('button', { name: /^Move Rejected/ })
    await handle.focus()
    for (const _ of [1, 2]) await page.keyboard.press('ArrowUp')
    await page.getByText('Final stages come last: move “Rejected” below “Interview”.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
    for (const _ of [1, 2]) await page.keyboard.press('ArrowDown')
    await page.getByText('Final stages come last:').waitFor({ state: 'detached' })
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })

  test('form page: the chooser of questions filters what is typed, and Ctrl S does nothing while it is open', async () => {
    const { page, problems, close } = await open('/settings/form')
    const dialog = page.getByRole('dialog', { name: 'Add a question' })
    const writes: string[] = []
    page.on('request', request => {
      if (request.method() === 'POST') writes.push(request.url())
    })
    const add = page.getByRole('button', { name: 'Add a question' })
    await add.click()
    await typeInFocus(page, 'yes')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await typeInFocus(page, 'Do you drive?')
    await add.click()
    await typeInFocus(page, 'list')
    assert.deepEqual(await dialog.locator('.type-choice strong').allInnerTexts(), [
      'One of a list',
      'Several of a list',
    ])
    await page.keyboard.press('Control+s')
    await page.keyboard.press('x')
    await dialog.getByText('No kind of question has these words.').waitFor()
    assert.deepEqual(writes, [])
    assert.equal(await page.getByText(/choose one:$/).count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })

  test('applications behind a number: the page names the stage', async () => {
    const job = await freshJob()
    await applied(job, 'Nell', { stage_id: job.stages[1] })
    const { page, problems, close } = await open(
      `/insight/applications?job_id=${job.id}&stage_id=${job.stages[1]}&outcome=current`,
    )
    await page.getByText('Those who are now in Screen').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })
})

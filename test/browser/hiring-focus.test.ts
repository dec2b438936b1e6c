import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apply, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { noBrowser, openAs, typeInFocus, type VisitOptions } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'

describe('keyboard focus in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let member: Person

  before(async () => {
    const service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    member = await signedIn(service, world.workspace, { role: 'member', program: 'hiring' })
  })

  const open = (path: string, opts?: VisitOptions) => openAs(world.service, member, `/hiring${path}`, opts)
  const focusedIs = (page: Page, name: string) => page.locator('[data-card]:focus', { hasText: name }).waitFor()

  /** A job with three people in its first stage: Ada is the newest, Cleo the oldest. */
  async function threeApplied() {
    const job = await newJob(world.service, world.workspace)
    const own = { ...world, job }
    const cleo = await apply(own, {}, { first_name: 'Cleo', last_name: 'Karp' })
    const bea = await apply(own, {}, { first_name: 'Bea', last_name: 'Brook' })
    const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Abel' })
    return { job, ada, bea, cleo }
  }

  const stageOf = async ({ id }: { id: string }) => (await member.get(`/v1/applications/${id}`)).body.stage_id

  test('new job: the title has the cursor, also when the page is opened a second time', async () => {
    const { page, problems, close } = await open('')
    for (const title of ['Senior Backend Engineer', 'Lighting rigger']) {
      await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
      await page.keyboard.press('n')
      await page.getByRole('heading', { name: 'New job' }).waitFor()
      await typeInFocus(page, title)
      assert.equal(await page.getByLabel('Title').inputValue(), title)
      assert.match(page.url(), /\/jobs\/new$/)
      await page.getByLabel('Title').fill('')
      await page.getByRole('button', { name: 'Cancel' }).click()
    }
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: after each kind of move the focus is on the next card of the column, and j goes on from there', async () => {
    const { job, ada, bea, cleo } = await threeApplied()
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    await page.locator(`[data-card="${ada.id}"]`).focus()
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'Move Ada Abel to' }).waitFor()
    await page.keyboard.press('3')
    await focusedIs(page, 'Bea Brook')
    await page.getByText('Ada Abel moved to Interview.').waitFor()
    await page.keyboard.press('j')
    await focusedIs(page, 'Cleo Karp')
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Cleo Karp moved to Screen.').waitFor()
    await focusedIs(page, 'Bea Brook')
    // the last one of a column takes the focus with it
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await page.getByText('Bea Brook moved to Screen.').waitFor()
    await focusedIs(page, 'Bea Brook')
    assert.deepEqual(await Promise.all([ada, bea, cleo].map(stageOf)), [job.stages[2], job.stages[1], job.stages[1]])
    assert.deepEqual(problems, [])
    await close()
  })

  test('table of candidates: a row that was moved keeps the focus', async () => {
    const { job, ada } = await threeApplied()
    const { page, problems, close } = await open(`/jobs/${job.id}?view=table`)
    await page.locator(`[data-card="${ada.id}"]`).focus()
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'Move Ada Abel to' }).waitFor()
    await page.keyboard.press('2')
    await page.getByText('Ada Abel moved to Screen.').waitFor()
    await focusedIs(page, 'Ada Abel')
    assert.deepEqual(problems, [])
    await close()
  })

  test('move dialog: Enter moves to the next stage, for one candidate and for several of the same stage', async () => {
    const { job, ada, bea, cleo } = await threeApplied()
    const { page, problems, close } = await open(`/jobs/${job.id}`)
    const choice = (name: string) => page.getByRole('dialog').getByRole('button', { name })
    await page.locator(`[data-card="${ada.id}"]`).focus()
    await page.keyboard.press('m')
    await choice('Screen').and(page.locator(':focus')).waitFor()
    assert.equal(await choice('Applied').isDisabled(), true)
    await choice('Applied').getByText('Current stage').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Ada Abel moved to Screen.').waitFor()
    for (const { id } of [bea, cleo]) {
      await page.locator(`[data-card="${id}"]`).focus()
      await page.keyboard.press('x')
    }
    await page.keyboard.press('m')
    await choice('Screen').and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('2 candidates moved to Screen.').waitFor()
    assert.deepEqual(new Set(await Promise.all([ada, bea, cleo].map(stageOf))), new Set([job.stages[1]]))
    await close()

    const candidate = await open(`/applications/${ada.id}`)
    await candidate.page.getByRole('button', { name: 'Move to…' }).click()
    await candidate.page.locator('dialog button:focus', { hasText: 'Interview' }).waitFor()
    assert.deepEqual([...problems, ...candidate.problems], [])
    await candidate.close()
  })
})

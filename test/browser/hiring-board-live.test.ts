import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, type Job, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { choose, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'
import { seedBoard } from '../hiring/seed-board.ts'

describe('board of a job while others work on it', { skip: noBrowser }, () => {
  let world: World
  const people = {} as Record<'owner' | 'member' | 'viewer', Person>

  before(async () => {
    const service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    for (const role of ['owner', 'member', 'viewer'] as const)
      people[role] = await signedIn(service, world.workspace, { role, program: 'hiring' })
  })

  const open = (role: keyof typeof people, path: string, opts?: VisitOptions): Promise<Visit> =>
    openAs(world.service, people[role], `/hiring${path}`, opts)

  /** A job with Ada and Grace in the first stage. */
  async function twoPeople() {
    const job = await newJob(world.service, world.workspace)
    const own = { ...world, job }
    const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Lovelace' })
    const grace = await apply(own, {}, { first_name: 'Grace', last_name: 'Hopper' })
    return { job, ada, grace }
  }

  const column = (page: Page, job: Job, at: number) => page.locator(`[data-stage="${job.stages[at]}"]`)
  const inColumn = (page: Page, job: Job, at: number, name: string) =>
    column(page, job, at).getByRole('listitem').filter({ hasText: name })
  const stageOf = async (id: string) => (await people.owner.get(`/v1/applications/${id}`)).body.stage_id
  const moveAs = (person: Person, id: string, stage: string) =>
    person.post(`/v1/applications/${id}/move`, { stage_id: stage })

  test('board: nothing moves below a dialog; a decision about what has changed since is refused and explained', async () => {
    const { job, ada } = await twoPeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada Lovelace').getByRole('link').focus()
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'Move Ada Lovelace to' }).waitFor()
    await moveAs(people.owner, ada.id, job.stages[2]!)
    await column(page, job, 0).getByText('Moved to Interview').waitFor()
    assert.equal(await inColumn(page, job, 2, 'Ada Lovelace').count(), 0, 'not below the dialog')
    await page.getByRole('dialog').getByRole('button', { name: 'Screen' }).click()
    await page.getByText('Pia moved Ada Lovelace to Interview. Your change was not made.').waitFor()
    assert.equal(await stageOf(ada.id), job.stages[2])
    await page.evaluate('document.activeElement?.blur()')
    await inColumn(page, job, 2, 'Ada Lovelace').waitFor()
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor({ state: 'detached' })
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: nothing moves while candidates are selected; the column says so, and follows afterwards', async () => {
    const { job, ada, grace } = await twoPeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Grace Hopper').getByRole('checkbox').click()
    await page.getByText('1 selected').waitFor()
    await page.mouse.move(5, 5)
    await page.evaluate('document.activeElement?.blur()')
    const box = await inColumn(page, job, 0, 'Grace Hopper').boundingBox()
    await moveAs(people.owner, ada.id, job.stages[2]!)
    await moveAs(people.owner, grace.id, job.stages[1]!)
    await column(page, job, 0).getByRole('button', { name: 'Show 2 changes' }).waitFor()
    assert.deepEqual(await inColumn(page, job, 0, 'Grace Hopper').boundingBox(), box)
    await page.getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Interview' }).click()
    await page.getByText('Pia moved Grace Hopper to Screen. Your change was not made.').waitFor()
    await inColumn(page, job, 2, 'Ada Lovelace').waitFor()
    await inColumn(page, job, 1, 'Grace Hopper').waitFor()
    assert.equal(await stageOf(grace.id), job.stages[1])
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: undo does not take back what someone else did since', async () => {
    const { job, ada } = await twoPeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada Lovelace').getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Ada Lovelace moved to Screen.').waitFor()
    await moveAs(people.owner, ada.id, job.stages[2]!)
    await page.keyboard.press('z')
    await page.getByText('Pia moved Ada Lovelace to Interview. Your change was not made.').waitFor()
    assert.equal(await stageOf(ada.id), job.stages[2])
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: all of a column are selected and moved, also those that are not read; the table selects all stages', async () => {
    const job = await newJob(world.service, world.workspace)
    await seedBoard(world.service.services.db, world.workspace, job, 150)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada').first().waitFor()
    const counts = (await page.locator('.column-count').allInnerTexts()).map(Number)
    const [first] = counts as [number]
    const total = counts.reduce((sum, n) => sum + n, 0)
    assert.ok(first > 50, 'more than a page')
    const all = column(page, job, 0).getByRole('checkbox', { name: 'Select all of Applied' })
    await all.click()
    await page.getByText(`${first} selected`).waitFor()
    assert.equal(await all.isChecked(), true)
    await all.click()
    await page.getByText(`${first} selected`).waitFor({ state: 'detached' })
    await all.click()
    await page.getByText(`${first} selected`).waitFor()
    await page.getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Interview' }).click()
    await page.getByText(`${first} candidates moved to Interview.`).waitFor()
    await page.locator('.column-count').first().filter({ hasText: /^0$/ }).waitFor()
    await column(page, job, 2)
      .getByText(String(first + counts[2]!), { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('checkbox', { name: 'Select all candidates' }).click()
    await page.getByText(`${total} selected`).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: sorted by score or by time in the stage, in columns and table; a candidate opens in that order', async () => {
    const { job, ada, grace } = await twoPeople()
    const { db } = world.service.services
    for (const [id, pct] of [
      [ada.id, 91],
      [grace.id, 35],
    ] as const)
      await db.query(sql`insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
        values (${world.workspace}, ${id}, ${pct}, '[]', 'v')`)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    const names = () => page.locator('.card-link').allInnerTexts()
    await inColumn(page, job, 0, 'Grace Hopper').waitFor()
    assert.deepEqual(await names(), ['Grace Hopper', 'Ada Lovelace'])
    await choose(page.getByLabel('Sort', { exact: true }), 'score')
    await page.waitForURL(/sort=score/)
    await page.locator('.card-link').first().filter({ hasText: 'Ada Lovelace' }).waitFor()
    assert.deepEqual(await names(), ['Ada Lovelace', 'Grace Hopper'])
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('row').nth(1).filter({ hasText: 'Ada Lovelace' }).waitFor()
    const href = await page.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')
    assert.match(new URL(href!, 'http://x').searchParams.get('in')!, /sort=score/)
    await choose(page.getByLabel('Sort', { exact: true }), 'time_in_stage')
    await page.waitForURL(/sort=time_in_stage/)
    await page.getByRole('row').nth(1).filter({ hasText: 'Ada Lovelace' }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: a viewer who opens a link with a search by name gets the board without it, and a sentence', async () => {
    const { job } = await twoPeople()
    const { page, problems, close } = await open('viewer', `/jobs/${job.id}?q=ada&skills=SQL`)
    await page.getByText('This link also searches by names and skills, which your role may not see.').waitFor()
    await page.locator('[data-card]').nth(1).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, type Job, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, inBothThemes, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'
import { startTestService } from '../harness/service.ts'
import { seedBoard } from '../hiring/seed-board.ts'

/** A card and the space below it: every card has the same height. */
const CARD_PX = 98
/** A busy machine may need more than ten seconds between a toast and the press of its button. */
const TOASTS_STAY = `{
  const later = window.setTimeout
  window.setTimeout = (run, ms, ...rest) => later(run, ms === 10_000 ? 60_000 : ms, ...rest)
}`

describe('board of a job in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  const people = {} as Record<'owner' | 'member' | 'viewer', Person>

  before(async () => {
    const service = await startTestService()
    world = { service, ...(await newTenant(service)) }
    for (const role of ['owner', 'member', 'viewer'] as const)
      people[role] = await signedIn(service, world.workspace, { role, program: 'hiring' })
  })

  const open = (role: keyof typeof people, path: string, opts?: VisitOptions): Promise<Visit> =>
    openAs(world.service, people[role], `/hiring${path}`, {
      ...opts,
      prepare: async ({ context }) => {
        await context.addInitScript(TOASTS_STAY)
      },
    })

  /** A job with Ada and Grace in the first stage, and Alan in the second. */
  async function threePeople() {
    const job = await newJob(world.service, world.workspace)
    const own = { ...world, job }
    const ada = await apply(own, {}, { first_name: 'Ada', last_name: 'Lovelace' })
    const grace = await apply(own, {}, { first_name: 'Grace', last_name: 'Hopper' })
    const alan = await apply(own, { stage_id: job.stages[1] }, { first_name: 'Alan', last_name: 'Turing' })
    return { job, ada, grace, alan }
  }

  const column = (page: Page, job: Job, at: number) => page.locator(`[data-stage="${job.stages[at]}"]`)
  const card = (within: Page | Locator, name: string) => within.getByRole('listitem').filter({ hasText: name })
  const inColumn = (page: Page, job: Job, at: number, name: string) => card(column(page, job, at), name)
  const counts = (page: Page) => page.locator('.column-count').allInnerTexts()
  const stageOf = async (id: string) => (await people.owner.get(`/v1/applications/${id}`)).body.stage_id

  async function drag(page: Page, from: Locator, to: Locator) {
    const [a, b] = [(await from.boundingBox())!, (await to.boundingBox())!]
    await page.mouse.move(a.x + 60, a.y + 60)
    await page.mouse.down()
    await page.mouse.move(a.x + 80, a.y + 70, { steps: 3 })
    await page.mouse.move(b.x + b.width / 2, b.y + 120, { steps: 5 })
    await page.mouse.up()
  }

  test('board: a card is dragged to a stage and moved back with Undo; counts follow', async () => {
    const { job, ada } = await threePeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
    assert.deepEqual(await counts(page), ['2', '1', '0'])
    await drag(page, inColumn(page, job, 0, 'Ada Lovelace'), column(page, job, 2))
    await inColumn(page, job, 2, 'Ada Lovelace').waitFor()
    await page.getByText('Ada Lovelace moved to Interview.').waitFor()
    assert.deepEqual(await counts(page), ['1', '1', '1'])
    assert.equal(await stageOf(ada.id), job.stages[2])
    assert.match(page.url(), new RegExp(`/hiring/jobs/${job.id}$`), 'a drag is no click')
    await page.getByRole('button', { name: 'Undo' }).click()
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
    await page.getByText('Ada Lovelace is as before.').waitFor()
    assert.equal(await stageOf(ada.id), job.stages[0])
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: who asked that processing stop is marked, is not dragged or carried, and no résumé is read', async () => {
    const { job, ada } = await threePeople()
    await world.service.services.db.query(sql`
      update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace} and id in (
        select applicant_id from applications where id = ${ada.id})`)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    const stopped = inColumn(page, job, 0, 'Ada Lovelace')
    await stopped.getByText('Do not contact').waitFor()
    assert.equal(await inColumn(page, job, 0, 'Grace Hopper').getByText('Do not contact').count(), 0)
    await drag(page, stopped, column(page, job, 2))
    await stopped.getByRole('link').focus()
    for (const key of ['Space', 'Shift+ArrowRight']) await page.keyboard.press(key)
    await page.getByRole('status').getByText('Ada Lovelace cannot be moved').waitFor({ state: 'attached' })
    // a move of another one is the sign that none is on its way
    await drag(page, inColumn(page, job, 0, 'Grace Hopper'), column(page, job, 2))
    await inColumn(page, job, 2, 'Grace Hopper').waitFor()
    await page.getByText('Grace Hopper moved to Interview.').waitFor()
    assert.equal(await stageOf(ada.id), job.stages[0])
    await stopped.waitFor()
    // nor is anything decided about them by a key
    await stopped.getByRole('link').focus()
    for (const [key, what] of [
      ['r', 'rejected'],
      ['m', 'moved'],
      ['>', 'moved'],
      ['<', 'moved'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByText(`Ada Lovelace cannot be ${what}: the person asked for processing to stop.`).last().waitFor()
      assert.equal(await page.getByRole('dialog').count(), 0, key)
    }
    // one of several is left out, which is said before anything is sent
    await stopped.getByRole('checkbox').click()
    await page.getByText('They asked for processing to stop: not moved or rejected.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Reject…' }).isDisabled(), true)
    await inColumn(page, job, 1, 'Alan Turing').getByRole('checkbox').click()
    await page.getByText('1 of them asked for processing to stop, and is not moved or rejected.').waitFor()
    // the bar with its note: nothing of it is cut, and the note has two lines at most
    for (const width of [390, 800, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const parts = await page.locator('.selection-bar > *').all()
      assert.equal(parts.length, 7)
      for (const part of parts) {
        const box = (await part.boundingBox())!
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${width}: ${await part.innerText()}`)
        assert.ok(box.height < 50, `${width}: ${await part.innerText()} is ${box.height} high`)
      }
    }
    await page.getByRole('button', { name: 'Reject…' }).click()
    await page.getByRole('heading', { name: 'Reject Alan Turing' }).waitFor()
    await page.getByRole('dialog').getByText('1 of them asked for processing to stop, and is not rejected.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('dialog').getByText('1 of them asked for processing to stop, and is not moved.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Interview' }).click()
    await page.getByText('Alan Turing moved to Interview.').waitFor()
    assert.equal(await stageOf(ada.id), job.stages[0])
    assert.equal(await page.getByText('not changed').count(), 0)
    await page.goto(`/hiring/jobs/${job.id}?view=table`)
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByText('Do not contact')
      .last()
      .waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: on 390 pixels the table has no cell that is cut', async () => {
    const { job } = await threePeople()
    const own = { ...world, job }
    await apply(own, {}, { first_name: 'Maximiliane-Charlotte', last_name: 'Featherstonehaugh-Wittgenstein' })
    const { page, problems, close } = await open('member', `/jobs/${job.id}?view=table`, { width: 390 })
    const table = page.getByRole('table', { name: 'Candidates' })
    await table.getByText('Maximiliane-Charlotte').waitFor()
    const frame = (await table.locator('..').boundingBox())!
    const box = (await table.boundingBox())!
    assert.ok(box.width <= frame.width && frame.x + frame.width <= 390, `${box.width} of ${frame.width}`)
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: by keyboard alone a card is found, moved, carried, selected and rejected', async () => {
    const { job, ada, grace } = await threePeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    const focusedIs = (name: string) => page.locator('[data-card]:focus').filter({ hasText: name }).waitFor()
    await inColumn(page, job, 0, 'Grace Hopper').getByRole('link').focus()
    await page.keyboard.press('ArrowDown')
    await focusedIs('Ada Lovelace')
    await page.keyboard.press('ArrowRight')
    await focusedIs('Alan Turing')
    await page.keyboard.press('ArrowLeft')
    await focusedIs('Grace Hopper')
    await page.keyboard.press('Shift+ArrowRight')
    await inColumn(page, job, 1, 'Grace Hopper').waitFor()
    await page.getByText('Grace Hopper moved to Screen.').waitFor()
    await focusedIs('Ada Lovelace')

    await inColumn(page, job, 1, 'Grace Hopper').getByRole('link').focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.locator('.board-column.target').getByRole('heading', { name: 'Interview' }).waitFor()
    await page.keyboard.press('Space')
    await inColumn(page, job, 2, 'Grace Hopper').waitFor()
    await page.getByText('Grace Hopper moved to Interview.').waitFor()
    await focusedIs('Alan Turing')
    assert.equal(await stageOf(grace.id), job.stages[2])

    await inColumn(page, job, 2, 'Grace Hopper').getByRole('link').focus()
    await page.keyboard.press('m')
    await page.getByRole('heading', { name: 'Move Grace Hopper to' }).waitFor()
    await page.keyboard.press('2')
    await inColumn(page, job, 1, 'Grace Hopper').waitFor()
    await page.getByText('Grace Hopper moved to Screen.').first().waitFor()

    await inColumn(page, job, 0, 'Ada Lovelace').getByRole('link').focus()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('r')
    const reject = page.getByRole('dialog', { name: 'Reject Ada Lovelace' })
    const isFocused = page.locator(':focus')
    const reasons = reject.getByRole('radio')
    await reasons.first().and(isFocused).waitFor()
    // no one was rejected in this job yet: the digit chooses, and the arrows go on from there
    await page.keyboard.press('2')
    await reasons.nth(1).and(isFocused).waitFor()
    await page.keyboard.press('Tab')
    await reject.getByLabel('Note').and(isFocused).waitFor()
    await page.keyboard.type('Wrong seniority.')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Ada Lovelace rejected.').waitFor()
    assert.equal(await inColumn(page, job, 0, 'Ada Lovelace').count(), 0)
    const { rejection_reason } = (await people.owner.get(`/v1/applications/${ada.id}`)).body
    assert.equal(rejection_reason, 'Too little experience: Wrong seniority.')
    await page.keyboard.press('z')
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
    await page.getByText('Ada Lovelace is as before.').waitFor()
    assert.equal((await people.owner.get(`/v1/applications/${ada.id}`)).body.status, 'new')
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: many are moved together, each refusal is explained, and Undo moves the others back', async () => {
    const job = await newJob(world.service, world.workspace)
    await seedBoard(world.service.services.db, world.workspace, job, 130)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada').first().waitFor()
    const [first, screen] = (await counts(page)).map(Number) as [number, number]
    assert.ok(first > 50, 'more than one request')
    const list = column(page, job, 0).locator('.column-cards')
    // the rest of the column is read as it is scrolled
    await list.evaluate(element => element.scrollTo(0, 1e6))
    await column(page, job, 0)
      .locator(`ul[style*="height: ${first * CARD_PX}px"]`)
      .waitFor()
    // two people ask that processing stop, after the board was read
    const stopped = await world.service.services.db.query(sql<{ id: string }>`
      update applicants p set suppressed_at = app_now() where workspace_id = ${world.workspace} and id in (
        select applicant_id from applications where stage_id = ${job.stages[0]} and status = 'new' limit 2) returning id`)
    assert.equal(stopped.length, 2)
    await column(page, job, 0).getByRole('checkbox', { name: 'Select all of Applied' }).click()
    await page.getByText(`${first} selected`).waitFor()
    await page.getByRole('button', { name: 'Move to…' }).click()
    await page.getByRole('button', { name: 'Interview' }).click()
    await page.getByText(`${first - 2} candidates moved to Interview.`).waitFor()
    await page.getByText(`2 of ${first} candidates were not changed.`).waitFor()
    await page.getByRole('button', { name: 'Show why' }).click()
    await page.getByText('was not changed: the person asked for processing to stop.').first().waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.locator('.column-count').first().filter({ hasText: /^2$/ }).waitFor()
    assert.equal((await counts(page))[1], String(screen))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${first - 2} candidates are as before.`).waitFor()
    await page
      .locator('.column-count')
      .first()
      .filter({ hasText: String(first) })
      .waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: a change that the service does not confirm is taken back in sight; the focus stays on the next card', async () => {
    const { job, ada } = await threePeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`, { expectedStatuses: [503] })
    await page.route('**/applications/changes', route => route.fulfill({ status: 503, body: '{}' }))
    await inColumn(page, job, 0, 'Ada Lovelace').getByRole('link').focus()
    await page.keyboard.press('Shift+ArrowRight')
    await page.getByText('Nothing was changed. The service is unavailable.').waitFor()
    await inColumn(page, job, 0, 'Ada Lovelace').and(page.locator('.refused')).waitFor()
    await page.locator('[data-card]:focus').filter({ hasText: 'Grace Hopper' }).waitFor()
    assert.deepEqual(await counts(page), ['2', '1', '0'])
    assert.equal(await stageOf(ada.id), job.stages[0])
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: two people move the same candidate: the second learns of it, and where the candidate is', async () => {
    const { job, ada } = await threePeople()
    const one = await open('owner', `/jobs/${job.id}`)
    // as a browser whose stream of changes is interrupted
    const two = await open('member', `/jobs/${job.id}`, { expectedStatuses: [503] })
    await two.page.route('**/hiring/api/live*', route => route.fulfill({ status: 503 }))
    await two.page.reload()
    await inColumn(two.page, job, 0, 'Ada Lovelace').waitFor()
    await inColumn(one.page, job, 0, 'Ada Lovelace').waitFor()
    await drag(one.page, inColumn(one.page, job, 0, 'Ada Lovelace'), column(one.page, job, 2))
    await one.page.getByText('Ada Lovelace moved to Interview.').waitFor()
    await drag(two.page, inColumn(two.page, job, 0, 'Ada Lovelace'), column(two.page, job, 1))
    await two.page.getByText('Pia moved Ada Lovelace to Interview. Your change was not made.').waitFor()
    await inColumn(two.page, job, 2, 'Ada Lovelace').waitFor()
    assert.equal(await inColumn(two.page, job, 1, 'Ada Lovelace').count(), 0)
    assert.equal(await stageOf(ada.id), job.stages[2])
    assert.deepEqual([...one.problems, ...two.problems], [])
    await one.close()
    await two.close()
  })

  test('board: what someone else does appears by itself, but not under the pointer of the reader', async t => {
    const { cookie } = people.member
    const abort = new AbortController()
    const stream = await fetch(`${world.service.origin}/hiring/api/live`, { headers: { cookie }, signal: abort.signal })
    abort.abort()
    if (stream.status === 404) return t.skip('the service has no stream of changes')
    const { job, ada, grace } = await threePeople()
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
    await page.mouse.move(5, 5)
    await people.owner.post(`/v1/applications/${ada.id}/move`, { stage_id: job.stages[2] })
    await inColumn(page, job, 2, 'Ada Lovelace').waitFor()
    assert.equal(await inColumn(page, job, 0, 'Ada Lovelace').count(), 0)
    // now the reader points at Grace: she stays in sight until the pointer leaves the column
    const box = (await inColumn(page, job, 0, 'Grace Hopper').boundingBox())!
    await page.mouse.move(box.x + 60, box.y + 60)
    await people.owner.post(`/v1/applications/${grace.id}/move`, { stage_id: job.stages[2] })
    await column(page, job, 0).getByText('Moved to Interview').waitFor()
    assert.deepEqual(await inColumn(page, job, 0, 'Grace Hopper').boundingBox(), box)
    await page.mouse.move(5, 5)
    await inColumn(page, job, 0, 'Grace Hopper').waitFor({ state: 'detached' })
    await inColumn(page, job, 2, 'Grace Hopper').waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: filters are in the address and survive a reload; the table and the score have the same candidates', async () => {
    const { job, ada } = await threePeople()
    await world.service.services.db.query(sql`
      insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
      values (${world.workspace}, ${ada.id}, 88, '["Rust"]', 'v')`)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`)
    await page.getByLabel('Name', { exact: true }).fill('ada')
    await page.waitForURL(/q=ada/)
    await inColumn(page, job, 0, 'Grace Hopper').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Filters' }).click()
    await choose(page.getByLabel('Score', { exact: true }), '75')
    await page.waitForURL(/score_from=75/)
    await page.reload()
    await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Match score 88' }).innerText(), '88%')
    await page.getByRole('button', { name: 'Match score 88' }).click()
    await page.getByRole('dialog', { name: 'Score of Ada Lovelace' }).getByText('Rust').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Table' }).click()
    await page.waitForURL(/view=table/)
    await page.getByRole('row', { name: /Ada Lovelace.*Applied/ }).waitFor()
    assert.equal(await page.getByRole('row').count(), 2)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByRole('row', { name: /Alan Turing/ }).waitFor()
    const href = await page.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href')
    assert.equal(new URL(href!, 'http://x').searchParams.get('in'), `job_id=${job.id}`)
    await page.getByRole('link', { name: 'Grace Hopper' }).focus()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Interview' }).click()
    await page.getByRole('row', { name: /Grace Hopper.*Interview/ }).waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: a viewer sees candidates without names, and nothing that changes them', async () => {
    const { job, ada } = await threePeople()
    const { page, problems, close } = await open('viewer', `/jobs/${job.id}`)
    await page.getByRole('link', { name: `Candidate ${ada.id.slice(-4)}` }).waitFor()
    assert.ok(!(await page.content()).includes('Lovelace'))
    assert.equal(await page.getByRole('checkbox').count(), 0)
    assert.equal(await page.getByLabel('Name').count(), 0)
    await page.locator('[data-card]').first().focus()
    for (const key of ['x', 'm', 'r', '>', 'Shift+ArrowRight', 'Space']) await page.keyboard.press(key)
    assert.equal(await page.getByRole('dialog').count(), 0)
    assert.equal(await stageOf(ada.id), job.stages[0])
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: of 5,000 candidates only those in sight are drawn, however far the column is scrolled', async () => {
    const job = await newJob(world.service, world.workspace)
    await seedBoard(world.service.services.db, world.workspace, job, 5_000)
    const { page, problems, close } = await open('member', `/jobs/${job.id}`, { expectedStatuses: [400] })
    const list = column(page, job, 0).locator('.column-cards')
    await inColumn(page, job, 0, 'Ada').first().waitFor()
    for (const rows of [40, 90, 140, 190, 240]) {
      // a board that is open for longer than a cursor is valid
      if (rows === 190) clock.advance(61 * 60_000)
      const wanted = column(page, job, 0).locator(`.board-card[style*="top: ${rows * CARD_PX}px"]`)
      // a column can be scrolled as far as it is read; the rest is read then
      for (let frames = 0; frames < 2_000 && (await wanted.count()) === 0; frames++) {
        await list.evaluate((element, top) => element.scrollTo(0, top), rows * CARD_PX)
        await page.evaluate('new Promise(done => requestAnimationFrame(() => done()))')
      }
      await wanted.waitFor()
    }
    assert.ok((await page.locator('.board-card').count()) < 120)
    // back from a candidate, the column is where it was
    await column(page, job, 0)
      .locator(`.board-card[style*="top: ${240 * CARD_PX}px"] a`)
      .click()
    await page.waitForURL(/\/hiring\/applications\//)
    await page.goBack()
    await column(page, job, 0)
      .locator(`.board-card[style*="top: ${240 * CARD_PX}px"]`)
      .waitFor()
    assert.deepEqual(problems, [])
    await close()
  })

  for (const width of [390, 1280]) {
    test(`board: light and dark, ${width} px: no serious fault of accessibility, nothing wider than the window`, async () => {
      const { job } = await threePeople()
      const none = await newJob(world.service, world.workspace)
      const { page, problems, close } = await open('member', `/jobs/${job.id}`, { width })
      await inColumn(page, job, 0, 'Ada Lovelace').waitFor()
      for (const path of [`/jobs/${job.id}`, `/jobs/${job.id}?view=table&score_from=0`, `/jobs/${none.id}`]) {
        await page.goto(`/hiring${path}`)
        await page.getByLabel('Status').waitFor()
        await inBothThemes(page, async theme => {
          assert.deepEqual(await axe(page), [], `${path} ${theme}`)
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, `${path} ${theme}`)
        })
      }
      assert.deepEqual(problems, [])
      await close()
    })
  }
})

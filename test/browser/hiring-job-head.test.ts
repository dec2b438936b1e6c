import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, inBothThemes, noBrowser, openAs, type VisitOptions } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

const AT_1280 = { width: 1280, height: 800 }

describe('head and set-up of a job in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let owner: Person
  let viewer: Person

  before(async () => {
    const service = await sharedTestService()
    world = { service, ...(await newTenant(service)) }
    owner = await signedIn(service, world.workspace, { role: 'owner', program: 'hiring' })
    viewer = await signedIn(service, world.workspace, { role: 'viewer', program: 'hiring' })
  })

  const open = (path: string, opts?: VisitOptions, person = owner) =>
    openAs(world.service, person, `/hiring${path}`, opts)

  /** A job with the stages of the workspace, and people in the first one. */
  async function newJobWithPeople(names: readonly string[]) {
    const content = { summary: 'Writes firmware.' }
    const job = { title: 'Embedded Firmware Engineer for the night shift', content }
    const { id } = (await owner.post('/jobs', { job })).body
    assert.equal((await owner.post(`/v1/jobs/${id}/publish`, {})).status, 200)
    const { stages } = (await owner.get(`/jobs/${id}/stages`)).body as { stages: { id: string; name: string }[] }
    const own = { ...world, job: { id, stages: stages.map(stage => stage.id) } }
    const applications = []
    for (const name of names) applications.push(await apply(own, {}, { first_name: name, last_name: 'Karp' }))
    return { id, applications }
  }

  async function drag(page: Page, from: Locator, to: Locator) {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()]
    assert.ok(a && b)
    await page.mouse.move(a.x + 60, a.y + 60)
    await page.mouse.down()
    await page.mouse.move(a.x + 80, a.y + 70, { steps: 3 })
    await page.mouse.move(b.x + b.width / 2, b.y + 120, { steps: 5 })
    await page.mouse.up()
  }
  const statusOf = async (id: string) => (await owner.get(`/v1/applications/${id}`)).body.status

  test('board at 1280 by 800: the open stages and the outcomes fit, and the first card begins at 132 or higher', async () => {
    const job = await newJobWithPeople(['Ada', 'Grace'])
    const { page, problems, close } = await open(`/jobs/${job.id}`, AT_1280)
    const card = page.locator('.board-card').first()
    await card.waitFor()
    const box = await card.boundingBox()
    assert.ok(box && box.y <= 132, `the first card begins at ${box?.y}`)
    assert.equal(await page.locator('.board-column').count(), 4)
    const sizes = await page.locator('.board').evaluate(board => [board.scrollWidth, board.clientWidth])
    assert.equal(sizes[0], sizes[1], 'nothing is to be scrolled')
    const rail = page.getByRole('navigation', { name: 'How it ended' })
    const edge = await rail.boundingBox()
    assert.ok(edge && edge.x + edge.width <= AT_1280.width)
    await inBothThemes(page, async theme => assert.deepEqual(await axe(page), [], theme))
    assert.deepEqual(problems, [])
    await close()
  })

  test('board: a card that is dropped on an outcome opens its dialog; a click on it lists those who ended there', async () => {
    const { id, applications } = await newJobWithPeople(['Wanda', 'Rita'])
    const [wanda, rita] = applications
    const { page, problems, close } = await open(`/jobs/${id}`, AT_1280)
    const card = (name: string) => page.locator('.board-card').filter({ hasText: name })
    const outcome = (name: string) => page.locator('.outcome').filter({ hasText: name })
    await drag(page, card('Wanda'), outcome('Withdrawn'))
    await page.getByRole('dialog', { name: 'Withdraw for Wanda Karp' }).waitFor()
    await page.keyboard.press('1')
    await page.getByText('Wanda Karp withdrawn.').waitFor()
    assert.equal(await statusOf(wanda?.id ?? ''), 'withdrawn')
    await drag(page, card('Rita'), outcome('Rejected'))
    await page.getByRole('dialog', { name: 'Reject Rita Karp' }).getByRole('radio').first().check()
    await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await page.getByText('Rita Karp rejected.').waitFor()
    assert.equal(await statusOf(rita?.id ?? ''), 'rejected')
    await outcome('Rejected').getByText('1').waitFor()
    await outcome('Rejected').getByRole('link').click()
    await page.getByRole('table').getByText('Rita Karp').waitFor()
    assert.match(page.url(), /status=rejected/)
    assert.deepEqual(problems, [])
    await close()
  })

  test('pages of a job: the head has one row of 48 px, and neither it nor the navigation moves between them', async () => {
    const { id } = await newJobWithPeople([])
    const { page, problems, close } = await open(`/jobs/${id}`, AT_1280)
    const tabs = page.getByRole('navigation', { name: 'Pages of this job' })
    const parts = page.getByRole('navigation', { name: 'Set up' })
    const boxes = async () => [
      await page.locator('.job-head').boundingBox(),
      await page.locator('.side').boundingBox(),
      await page.locator('.job-head h1').boundingBox(),
      await tabs.boundingBox(),
    ]
    await tabs.waitFor()
    const first = await boxes()
    assert.ok((first[0]?.height ?? 0) <= 49)
    for (const name of ['Set up', 'Team', 'History']) {
      await tabs.getByRole('link', { name }).click()
      await tabs.locator('[aria-current]', { hasText: name }).waitFor()
      const [head, side, title] = await boxes()
      assert.deepEqual([head, side, title], first.slice(0, 3), name)
      assert.deepEqual(await axe(page), [], name)
    }
    await tabs.getByRole('link', { name: 'Set up' }).click()
    await parts.waitFor()
    for (const [name, path] of [
      ['Stages', 'stages'],
      ['Form', 'form'],
      ['Questions', 'questions'],
      ['Scorecards', 'criteria'],
      ['Details', 'edit'],
    ] as const) {
      await parts.getByRole('link', { name }).click()
      await parts.locator('[aria-current]', { hasText: name }).waitFor()
      assert.ok(page.url().endsWith(`/hiring/jobs/${id}/${path}`), page.url())
      assert.deepEqual((await boxes())[0], first[0], name)
    }
    assert.equal((await parts.boundingBox())?.width, 180)
    assert.deepEqual(problems, [])
    await close()
  })

  test('pages of a job: a viewer sees the details, and neither team nor parts that only managers read', async () => {
    const { id } = await newJobWithPeople([])
    const { page, problems, close } = await open(`/jobs/${id}/edit`, AT_1280, viewer)
    const links = (name: string) => page.getByRole('navigation', { name }).getByRole('link').allInnerTexts()
    assert.deepEqual(await links('Pages of this job'), ['Candidates', 'Set up', 'History'])
    assert.deepEqual(await links('Set up'), ['Details'])
    assert.deepEqual(problems, [])
    await close()
  })

  test('pages of a job on a phone: title, tabs and parts fit, and nothing is wider than the screen', async () => {
    const { id } = await newJobWithPeople(['Ada'])
    for (const path of ['', '/edit', '/stages']) {
      const { page, problems, close } = await open(`/jobs/${id}${path}`, { width: 390, height: 844 })
      await page.getByRole('navigation', { name: 'Pages of this job' }).waitFor()
      const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(isWider, false, path)
      assert.deepEqual(problems, [])
      await close()
    }
  })
})

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { apply, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, inBothThemes, noBrowser, openAs, type VisitOptions } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { sharedTestService } from '../harness/service.ts'

describe('list of jobs in the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let owner: Person
  let member: Person
  const jobs: Record<string, string> = {}

  const addJob = async (title: string, more: Record<string, unknown> = {}, candidates = 0) => {
    const job = { title, content: { summary: 'Text' }, ...more }
    const { id } = (await owner.post('/jobs', { job })).body
    assert.equal((await owner.post(`/v1/jobs/${id}/publish`, {})).status, 200)
    const { stages } = (await owner.get(`/jobs/${id}/stages`)).body as { stages: { id: string }[] }
    const own = { ...world, job: { id, stages: stages.map(stage => stage.id) } }
    for (let i = 0; i < candidates; i++) {
      const { id: application } = await apply(own, {}, { first_name: `Ada ${i}`, last_name: 'Karp' })
      if (i % 3 > 0) await owner.post(`/v1/applications/${application}/move`, { stage_id: stages[i % 3]!.id })
    }
    jobs[title] = id
  }

  before(async () => {
    const service = await sharedTestService()
    world = { service, ...(await newTenant(service)) }
    owner = await signedIn(service, world.workspace, { role: 'owner', lastName: 'Oakes', program: 'hiring' })
    member = await signedIn(service, world.workspace, { role: 'member', lastName: 'Maple', program: 'hiring' })
    const lead = await signedIn(service, world.workspace, { role: 'member', lastName: 'Lead', program: 'hiring' })
    await addJob('Rigger', { department: 'Yard', locations: ['Kiel, Germany'], location_type: 'onsite' }, 7)
    await addJob('Sailmaker', { department: 'Loft', locations: ['Lyon, France', 'Nantes, France'] }, 2)
    await addJob('Bosun of the large training vessel that crosses the ocean each year', { department: 'Deck' })
    await addJob('Caulker')
    await owner.post(`/v1/jobs/${jobs['Caulker']}/close`, {})
    await owner.post('/jobs', { job: { title: 'Drafted rope maker' } })
    const roles = { [member.userId]: 'recruiter', [lead.userId]: 'hiring_manager' }
    await owner.post(`/jobs/${jobs['Rigger']}/team`, { add: [member.userId, lead.userId], remove: [], roles })
    await owner.post(`/jobs/${jobs['Sailmaker']}/team`, { add: [member.userId, lead.userId], remove: [] })
  })

  const open = (path: string, person: Person, opts?: VisitOptions) =>
    openAs(world.service, person, `/hiring${path}`, opts)

  const titles = (page: Page) => page.locator('.job-link').allInnerTexts()
  const shows = (page: Page, expected: readonly string[]) =>
    until('the list', async () => JSON.stringify(await titles(page)) === JSON.stringify(expected))
  const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

  test('a member on a team sees their jobs first, and all with one click; closed jobs are off until their chip is pressed', async () => {
    const { page, problems, close } = await open('', member)
    await shows(page, ['Sailmaker', 'Rigger'])
    const chip = (name: string) => page.getByRole('button', { name })
    assert.equal(await chip('Published 2').getAttribute('aria-pressed'), 'true')
    await page.getByRole('button', { name: 'All', exact: true }).first().click()
    await chip('Closed 1').waitFor()
    assert.equal((await titles(page)).includes('Caulker'), false)
    assert.equal(await chip('Closed 1').getAttribute('aria-pressed'), 'false')
    await chip('Closed 1').click()
    await page.getByRole('link', { name: 'Caulker' }).waitFor()
    await chip('Draft 1').click()
    await page.getByRole('link', { name: 'Drafted rope maker' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /status=published%2Cclosed/)
    await inBothThemes(page, async theme => assert.deepEqual(await axe(page), [], theme))
    assert.deepEqual(problems, [])
    await close()
  })

  test('an owner on no team sees all jobs, and each head sorts them', async () => {
    const { page, problems, close } = await open('', owner)
    await page.getByRole('link', { name: 'Rigger' }).waitFor()
    const head = (name: string) => page.getByRole('button', { name, exact: false }).and(page.locator('.sort-head'))
    await head('Open').first().click()
    await until('the list', async () => (await titles(page))[0] === 'Rigger')
    assert.match(page.url(), /sort=open/)
    await head('Job').click()
    await until('the list', async () => (await titles(page))[0]!.startsWith('Bosun'))
    await head('Job').click()
    await until('the list', async () => (await titles(page))[0] === 'Sailmaker')
    for (const name of ['Recruiter', 'Hiring manager', 'New', 'By stage', 'Days open', 'Last activity']) {
      await head(name).click()
      await page.locator('[aria-busy=false]').waitFor()
      assert.ok((await titles(page)).length >= 4, name)
    }
    assert.deepEqual(problems, [])
    await close()
  })

  test('New falls to 0 after the job was opened, and its number leads to those who are new', async () => {
    const { page, problems, close } = await open('', member)
    const fresh = row(page, 'Rigger').locator('.job-new a')
    assert.equal(await fresh.innerText(), '7')
    assert.equal(
      await row(page, 'Rigger')
        .getByRole('img', { name: /Applied 3, Screen 2/ })
        .count(),
      1,
    )
    const visited = page.waitForResponse(response => response.url().endsWith('/visits'))
    await page.getByRole('link', { name: 'Rigger' }).click()
    await visited
    await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
    await until('the list', async () => (await fresh.count()) === 0)
    assert.equal(await row(page, 'Sailmaker').locator('.job-new a').innerText(), '2')
    const own = { ...world, job: { id: jobs['Rigger']!, stages: [] as string[] } }
    await apply(own, {}, { first_name: 'Nora', last_name: 'Latecomer' })
    await page.reload()
    assert.equal(await fresh.innerText(), '1')
    await fresh.click()
    await page.getByRole('link', { name: 'Nora Latecomer' }).waitFor()
    assert.equal(await page.getByRole('link', { name: /Karp/ }).count(), 0)
    assert.deepEqual(problems, [])
    await close()
  })

  test('at 390 and 1280 px the list is not wider than the window, in German as well', async () => {
    const german = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
    assert.equal((await german.post('/member-settings', { language: 'de' })).status, 200)
    for (const [width, person] of [
      [390, owner],
      [1280, owner],
      [1280, german],
    ] as const) {
      const { page, close } = await open('?team=all', person, { width, height: 800 })
      await page.getByRole('link', { name: 'Rigger' }).waitFor()
      const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(isWider, false, `${width}`)
      if (person === german) await page.getByRole('button', { name: 'Meine' }).waitFor()
      const name = person === german ? 'de' : width
      await inBothThemes(page, async theme => {
        if (process.env['SHOTS'])
          await page.screenshot({ path: `${process.env['SHOTS']}/views-jobs-${name}-${theme}.png` })
      })
      await close()
    }
  })
})

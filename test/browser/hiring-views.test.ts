import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { apply, type Job, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, inBothThemes, noBrowser, openAs, type VisitOptions } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { sharedTestService } from '../harness/service.ts'

describe('views of the hiring pages', { skip: noBrowser }, () => {
  let world: World
  let owner: Person
  let limited: Person
  let outside: Job

  before(async () => {
    const service = await sharedTestService()
    world = { service, ...(await newTenant(service)) }
    owner = await signedIn(service, world.workspace, { role: 'owner', program: 'hiring' })
    limited = await signedIn(service, world.workspace, { role: 'member', program: 'hiring' })
    const boss = await signedIn(service, world.workspace, { role: 'owner' })
    outside = await newJob(service, world.workspace)
    await apply(world, {}, { first_name: 'Nora', last_name: 'Inside' })
    await apply({ ...world, job: outside }, {}, { first_name: 'Olaf', last_name: 'Outside' })
    await boss.post(`/people/${limited.userId}/job-access`, { job_access: 'team' })
    await owner.post(`/jobs/${world.job.id}/team`, { add: [limited.userId], remove: [] })
  })

  const open = (path: string, person: Person, opts?: VisitOptions) =>
    openAs(world.service, person, `/hiring${path}`, opts)

  test('a view with columns and sort is saved, shared, opened with Ctrl K, and shows a limited person their jobs alone', async () => {
    const jobs = `${world.job.id},${outside.id}`
    const { page, problems, close } = await open(`/candidates?sort=activity&job_id=${encodeURIComponent(jobs)}`, owner)
    await page.getByRole('link', { name: 'Olaf Outside' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Score' }).uncheck()
    await page.getByRole('dialog').getByRole('button', { name: 'Show' }).click()
    await page.getByRole('columnheader', { name: 'Score' }).waitFor({ state: 'detached' })
    assert.match(page.url(), /columns=title%2Cjob%2Cstage%2Cin_stage%2Cactivity/)

    await page.getByRole('button', { name: 'Views' }).click()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Save view' })
    await dialog.getByLabel('Name').fill('Both yards')
    await dialog.getByLabel('Share with team').check()
    assert.deepEqual(await axe(page, 'dialog'), [])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: 'Both yards' })
      .or(page.getByText('Both yards', { exact: true }))
      .first()
      .waitFor()
    await inBothThemes(page, async theme => {
      assert.deepEqual(await axe(page), [], theme)
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/views-candidates-${theme}.png` })
    })
    assert.deepEqual(problems, [])
    await close()

    const other = await open('', limited)
    await other.page.keyboard.press('Control+k')
    await other.page.keyboard.type('both yards')
    await other.page.getByRole('option', { name: /Both yards/ }).waitFor()
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('link', { name: 'Nora Inside' }).waitFor()
    assert.ok(!other.page.url().includes(outside.id))
    assert.equal(await other.page.getByText('Olaf Outside').count(), 0)
    // the address of the colleague, as it was sent
    await other.page.goto(`/hiring/candidates?sort=activity&job_id=${encodeURIComponent(jobs)}`)
    await other.page.getByRole('link', { name: 'Nora Inside' }).waitFor()
    assert.equal(await other.page.getByText('Olaf Outside').count(), 0)
    assert.deepEqual(other.problems, [])
    await other.close()
  })

  test('a view whose job is gone says so, and gets another job', async () => {
    const job = await newJob(world.service, world.workspace)
    const view = { name: 'Old board', page: 'board', job_id: job.id, query: 'sort=score' }
    const { id } = (await owner.post('/saved-views', view)).body
    assert.equal((await owner.post(`/jobs/${job.id}/delete`, { reason: 'Created twice' })).status, 200)
    const { page, problems, close } = await open(`/views/${id}`, owner)
    await page.getByText('This view names a job that no longer exists.').waitFor()
    assert.deepEqual(await axe(page), [])
    await page.getByRole('button', { name: 'Edit view' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
    await until('the view is gone', async () =>
      (await owner.get('/saved-views')).body.views.every((one: { id: string }) => one.id !== id),
    )
    assert.deepEqual(problems, [])
    await close()
  })

  test('at 390 px the pages with views are not wider than the window', async () => {
    for (const path of ['', '/candidates', `/jobs/${world.job.id}`]) {
      const { page, close } = await open(path, owner, { width: 390, height: 800 })
      if (!path.startsWith('/jobs')) await page.getByRole('button', { name: 'Views' }).waitFor()
      const isWider = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
      assert.equal(isWider, false, path)
      if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/views-390-${path.length}.png` })
      await close()
    }
    const { page, close } = await open(`/jobs/${world.job.id}`, owner)
    await page.getByRole('button', { name: 'Views' }).waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/views-board.png` })
    await close()
  })
})

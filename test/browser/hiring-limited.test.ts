import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { LIMITED_MESSAGE } from '../../src/kernel/access/reach.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { changeJobAccess } from '../../src/resources/users/index.ts'
import { apply, type Job, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'

const skip = noBrowser
let world: World
let owner: Person
let manager: Person
let other: Job

before(async () => {
  if (skip) return
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { firstName: 'Olga' })
  manager = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring', firstName: 'Mika' })
  other = await newJob(world.service, world.workspace)
  const title = (job: Job, text: string) =>
    world.service.services.db.query(sql`update jobs set title = ${text} where id = ${job.id}`)
  await title(world.job, 'Welder')
  await title(other, 'Accountant')
  await apply(world)
  await apply({ ...world, job: other })
})

const open = (person: Person, path: string, opts?: VisitOptions): Promise<Visit> =>
  openAs(world.service, person, path, opts)

test('limited to jobs: an admin limits a member and puts them on a team; they see this job alone, until they leave it', {
  skip,
}, async () => {
  const console = await open(owner, '/console/people')
  const row = console.page.getByRole('row', { name: /Mika/ })
  await row.getByRole('button', { name: 'Manage' }).click()
  const dialog = console.page.getByRole('dialog')
  await choose(dialog.getByLabel('Jobs'), 'team')
  await dialog.getByRole('button', { name: 'Change access' }).click()
  await row.getByRole('cell', { name: '0 jobs', exact: true }).waitFor()
  assert.deepEqual(await axe(console.page), [])
  await console.page.goto(`/hiring/jobs/${world.job.id}/team`)
  const box = console.page.getByRole('checkbox', { name: /Mika/ })
  await box.click()
  await console.page.getByText('Mika is on the team').waitFor()
  assert.equal(await box.isChecked(), true)
  assert.deepEqual(await axe(console.page), [])

  const hiring = await open(manager, '/hiring', { expectedStatuses: [403, 404] })
  const { page } = hiring
  await page.getByRole('link', { name: 'Welder' }).waitFor()
  assert.equal(await page.getByText('Accountant').count(), 0)
  assert.equal(await page.getByRole('button', { name: 'New job' }).count(), 0)
  for (const name of ['Talent pool', 'Profiles', 'Lists'])
    assert.equal(await page.getByRole('link', { name, exact: true }).count(), 0, name)
  // neither by key, nor in the command bar or the map of keys
  await page.keyboard.press('n')
  await page.keyboard.press('?')
  await page.getByRole('dialog').getByText('Next job').waitFor()
  assert.equal(await page.getByRole('dialog').getByText('New job').count(), 0)
  await page.keyboard.press('Escape')
  assert.match(page.url(), /\/hiring\/?$/)
  await page.getByRole('link', { name: 'Insight', exact: true }).click()
  await page.locator('.insight-totals', { hasText: 'Applications' }).waitFor()
  await page.getByLabel('Job', { exact: true }).click()
  assert.deepEqual(await page.getByRole('listbox').getByRole('option').allInnerTexts(), ['Welder'])
  await page.keyboard.press('Escape')
  assert.equal(await page.getByLabel('Department').count(), 0)
  await page.goto(`/hiring/jobs/${world.job.id}`)
  await page.getByText('Ada Byron').first().waitFor()
  await page.goto(`/hiring/jobs/${other.id}`)
  await page
    .getByText(/not found|does not exist/i)
    .first()
    .waitFor()

  await page.goto(`/hiring/jobs/${world.job.id}/team`)
  const own = page.getByRole('checkbox', { name: /Mika/ })
  await own.waitFor()
  assert.equal(await own.isDisabled(), true)
  await box.click()
  await console.page.getByText('Mika is no longer on the team').waitFor()
  await page.reload()
  await page
    .getByText(/not found|does not exist/i)
    .first()
    .waitFor()
  await page.goto('/hiring')
  await page.getByText('You are not on any job’s team yet').waitFor()
  // what is closed to them says so, and not that trying again would help
  await page.goto('/hiring/settings/form')
  await page.getByRole('alert').getByText(LIMITED_MESSAGE).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
  for (const path of ['/hiring/pool', '/hiring/lists']) {
    await page.goto(path)
    await page.getByRole('alert').getByText(LIMITED_MESSAGE).first().waitFor()
  }
  for (const path of ['/hiring/profiles', '/hiring/import', '/hiring/jobs/new']) {
    await page.goto(path)
    await page.getByText('You are limited to the jobs whose team you are on').waitFor()
    assert.equal(await page.getByText(/your role/i).count(), 0, path)
  }
  assert.deepEqual([console.problems, hiring.problems], [[], []])
  await console.close()
  await hiring.close()
})

test('limited to jobs: who is taken off a team, or limited, while a page of the job is open reads that there, and nothing of the job any more', {
  skip,
}, async () => {
  const { service, workspace, job } = world
  const { id } = await apply(world, {}, { first_name: 'Grace', last_name: 'Hopper' })
  const guest = await signedIn(service, workspace, { role: 'member', program: 'hiring', firstName: 'Nuri' })
  const admin = await signedIn(service, workspace, { role: 'admin', program: 'hiring' })
  const team = async (change: object) => {
    const { status } = await admin.post(`/jobs/${job.id}/team`, { add: [], remove: [], ...change })
    assert.equal(status, 200)
  }
  const limit = (access: 'all' | 'team') =>
    changeJobAccess(service.services.db, { workspace, user: guest.userId }, access)
  const sentence = 'You are no longer on the team of this job'

  // one who has all jobs is limited to those of their teams
  const board = await open(guest, `/hiring/jobs/${job.id}`, { expectedStatuses: [404] })
  await board.page.getByText('Grace Hopper').first().waitFor()
  await limit('team')
  await board.page.getByText(sentence).waitFor()
  assert.equal(await board.page.getByText('Grace Hopper').count(), 0)
  assert.deepEqual(await axe(board.page), [])
  await team({ add: [guest.userId] })
  await board.page.getByText('Grace Hopper').first().waitFor()

  const candidate = await open(guest, `/hiring/applications/${id}`, { expectedStatuses: [404] })
  await candidate.page.locator('h1', { hasText: 'Grace Hopper' }).waitFor()
  await team({ remove: [guest.userId] })
  for (const { page } of [board, candidate]) {
    await page.getByText(sentence).waitFor()
    assert.equal(await page.getByText('Grace Hopper').count(), 0)
  }
  await candidate.page.getByRole('link', { name: 'See your jobs' }).click()
  await candidate.page.getByText('You are not on any job’s team yet').waitFor()
  assert.deepEqual([board.problems, candidate.problems], [[], []])
  await board.close()
  await candidate.close()
})

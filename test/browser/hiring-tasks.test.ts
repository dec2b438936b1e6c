import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, newTenant, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'
import { sharedTestService } from '../harness/service.ts'

const skip = noBrowser

let world: World
let devika: Person
let rosalind: Person

before(async () => {
  if (noBrowser) return
  const service = await sharedTestService()
  world = { service, ...(await newTenant(service)) }
  const enter = (role: 'owner' | 'admin', email: string, firstName: string, lastName: string) =>
    signedIn(service, world.workspace, { role, email, firstName, lastName, program: 'hiring' })
  rosalind = await enter('owner', 'rosalind@tasks.dev', 'Rosalind', 'Acker')
  devika = await enter('admin', 'devika@tasks.dev', 'Devika', 'Menondas')
  await rosalind.post(`/jobs/${world.job.id}/team`, { add: [devika.userId], remove: [] })
})

const open = (person: Person, path: string, opts?: VisitOptions): Promise<Visit> =>
  openAs(world.service, person, `/hiring${path}`, opts)

async function waits(lastName: string, days: number, job = world.job): Promise<string> {
  const { id } = await apply({ ...world, job }, {}, { first_name: 'Quirin', last_name: lastName })
  await world.service.services.db.query(sql`
    update applications set stage_entered_at = app_now() - ${days}::integer * interval '1 day' where id = ${id}`)
  return id
}

const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const focused = (page: Page) => page.evaluate<string>('document.activeElement?.textContent ?? ""')
const badge = (page: Page) => page.getByRole('link', { name: /^My tasks/ })

test('my tasks: 20 waiting candidates are selected and snoozed to Monday with b and a digit, and come back with z', {
  skip,
}, async () => {
  for (let i = 0; i < 20; i++) await waits(`Waiting ${String.fromCharCode(65 + i)}`, 40 - i)
  const { page, problems, close } = await open(devika, '/tasks')
  const waiting = group(page, 'Waiting too long')
  await waiting.getByRole('link', { name: 'Quirin Waiting A' }).waitFor()
  assert.equal(await waiting.getByRole('listitem').count(), 20)
  await waiting.getByText('40 d').waitFor()
  await badge(page).getByText('20 waiting').waitFor({ state: 'attached' })
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('j')
  assert.equal(await focused(page), 'Quirin Waiting A')
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('x')
    await page.keyboard.press('j')
  }
  const bar = page.getByRole('region', { name: '20 selected' })
  await bar.waitFor()
  assert.equal(await bar.getByRole('button', { name: 'Done' }).count(), 0, 'waiting has no Done')
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('b')
  const dialog = page.getByRole('dialog', { name: 'Show 20 tasks again' })
  const monday = dialog.getByRole('button', { name: /Monday/ })
  await monday.waitFor()
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press((await monday.locator('kbd').textContent()) ?? '')
  await page.getByText('20 tasks snoozed.').waitFor()
  await page.getByText('Nothing waits for you.').waitFor()
  await badge(page).getByText('20 waiting').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show snoozed (20)' }).click()
  await page.getByRole('heading', { name: 'Snoozed' }).waitFor()
  await page.getByRole('link', { name: 'Quirin Waiting A' }).waitFor()
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Quirin' }).count(), 20)
  await page.getByRole('main').getByRole('link', { name: 'Back to my tasks' }).click()
  await page.getByText('Nothing waits for you.').waitFor()
  await page.keyboard.press('z')
  await waiting.getByRole('link', { name: 'Quirin Waiting A' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('my tasks: y marks a new candidate as seen and goes on to the next; i gives the candidate to someone else', {
  skip,
}, async () => {
  for (const name of ['Fresh A', 'Fresh B', 'Fresh C']) await waits(name, 1)
  const { page, problems, close } = await open(devika, '/tasks')
  const fresh = group(page, 'New to review')
  await fresh.getByRole('link', { name: 'Quirin Fresh A' }).focus()
  await page.keyboard.press('y')
  await page.getByText('Done.').waitFor()
  await page.waitForFunction('document.activeElement.textContent === "Quirin Fresh B"')
  await page.keyboard.press('i')
  const dialog = page.getByRole('dialog', { name: 'Who is responsible?' })
  const chosen = dialog.getByRole('button', { name: /Rosalind Acker/ })
  await chosen.waitFor()
  await page.keyboard.press((await chosen.locator('kbd').textContent()) ?? '')
  await page.getByText('Rosalind Acker is responsible.').waitFor()
  await fresh.getByRole('link', { name: 'Quirin Fresh B' }).waitFor({ state: 'detached' })
  const hers = await open(rosalind, '/tasks')
  await hers.page.getByRole('link', { name: 'Quirin Fresh B' }).waitFor()
  await hers.page.getByRole('link', { name: 'Waiting candidates of all jobs' }).waitFor()
  assert.equal(await hers.page.getByRole('link', { name: /Quirin Waiting/ }).count(), 0)
  // Enter opens it with the group as the list
  await fresh.getByRole('link', { name: 'Quirin Fresh C' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Quirin Fresh C' }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'My tasks' }).waitFor()
  for (const one of [{ problems, close }, hers]) {
    assert.deepEqual(one.problems, [])
    await one.close()
  }
})

test('my tasks: m moves selected tasks; a candidate whom a key moved to Hired is not decided, and says so', {
  skip,
}, async () => {
  const job = await newJob(world.service, world.workspace)
  await rosalind.post(`/jobs/${job.id}/team`, { add: [devika.userId], remove: [] })
  const [one, two] = [await waits('Mover A', 30, job), await waits('Mover B', 29, job)]
  const final = await waits('Unclear', 1, job)
  await world.service.post(`/applications/${final}/move`, world.key, { stage_id: job.stages[3] })
  const { page, problems, close } = await open(devika, '/tasks')
  await group(page, 'Not decided').getByRole('link', { name: 'Quirin Unclear' }).waitFor()
  await badge(page).getByText('1 open').waitFor({ state: 'attached' })
  for (const name of ['A', 'B']) await page.getByRole('checkbox', { name: `Select Quirin Mover ${name}` }).check()
  await page.keyboard.press('m')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Screen/ })
    .click()
  await page.getByText('2 moved to Screen.').waitFor()
  await page.getByRole('link', { name: 'Quirin Mover A' }).waitFor({ state: 'detached' })
  for (const id of [one, two])
    assert.equal((await devika.get(`/candidates/${id}`)).body.application.stage_id, job.stages[1])
  assert.deepEqual(problems, [])
  await close()
})

test('my tasks: in German, on a phone and in the dark, without errors and within the width', { skip }, async () => {
  const { id } = await apply(world, {}, { first_name: 'Quirin', last_name: 'Genannt' })
  await rosalind.post(`/applications/${id}/notes`, { body: 'Bitte ansehen', mentions: [devika.userId] })
  assert.equal((await devika.post('/member-settings', { language: 'de' })).status, 200)
  const { page, problems, close } = await open(devika, '/tasks', { theme: 'dark', width: 390 })
  await page.getByRole('heading', { name: 'Meine Aufgaben' }).waitFor()
  const mentions = group(page, 'Erwähnungen')
  await mentions.getByText('Bitte ansehen').waitFor()
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))
  assert.deepEqual(await axe(page), [])
  await mentions.getByRole('button', { name: 'Erledigt: Quirin Genannt' }).click()
  await mentions.waitFor({ state: 'detached' })
  await page
    .getByRole('button', { name: 'Rückgängig' })
    .or(page.getByRole('button', { name: 'Undo' }))
    .click()
  await mentions.waitFor()
  assert.deepEqual(problems, [])
  await close()
})

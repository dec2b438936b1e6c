import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { noBrowser, type Visit, visit } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'

/** What recruiters do fifty times a day, by keys alone. Typed text is not counted. */

const skip = noBrowser
let world: World
let owner: Person

before(async () => {
  if (noBrowser) return
  world = await startWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  const template = { name: 'Not this time', subject: 'About {{job_title}}', body: 'Dear {{first_name}}, no.' }
  const { status, text } = await owner.post('/message-templates', { ...template, purpose: 'rejection' })
  assert.equal(status, 200, text)
})

let numbers = 0

async function people(...names: string[]) {
  const job = await newJob(world.service, world.workspace)
  const ids: string[] = []
  for (const first_name of names)
    ids.push(
      (
        await apply(
          { ...world, job },
          {},
          { first_name, last_name: 'Quist', email: `flow${++numbers}@acme-people.com` },
        )
      ).id,
    )
  return { job, ids: ids as [string, ...string[]] }
}

async function open(path: string): Promise<Visit> {
  const { origin } = world.service
  const window = await visit(origin)
  await window.context.addCookies([{ name: SESSION_COOKIE, value: owner.cookie.split('=')[1]!, url: origin }])
  await window.page.goto(`/hiring${path}`)
  return window
}

/** Presses keys and returns how many they were. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key)
  return keys.length
}

const statusOf = async (id: string) => (await owner.get(`/v1/applications/${id}`)).body.status
const scheduled = async (id: string) =>
  (
    await world.service.services.db.query(sql<{ status: string }>`
      select status from messages where workspace_id = ${world.workspace} and application_id = ${id}`)
  ).map(({ status }) => status)

/** The candidate in the order of the board: the newest application first. */
const candidate = (job: string, id: string) => `/applications/${id}?in=${encodeURIComponent(`job_id=${job}`)}`
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: `${name} Quist` })

test('flow 1: reject with reason and message, next candidate: 2 keys after the first in a job', { skip }, async () => {
  const { job, ids } = await people('Carla', 'Berta', 'Anna')
  const [carla, berta, anna] = ids as [string, string, string]
  const { page } = await open(candidate(job.id, anna))
  await heading(page, 'Anna').waitFor()
  await page.getByRole('button', { name: 'Next', exact: true }).and(page.locator('[aria-disabled=false]')).waitFor()
  // the first one waits for Enter, so that nothing is sent by surprise
  await press(page, 'r', '2')
  await page.getByText('Press Enter to reject').waitFor()
  assert.equal(await statusOf(anna), 'new')
  await press(page, 'Enter')
  await heading(page, 'Berta').waitFor()
  await page.getByRole('button', { name: 'Next', exact: true }).and(page.locator('[aria-disabled=false]')).waitFor()
  assert.equal(await press(page, 'r', '2'), 2)
  await heading(page, 'Carla').waitFor()
  assert.deepEqual(
    [await statusOf(anna), await statusOf(berta), await statusOf(carla)],
    ['rejected', 'rejected', 'new'],
  )
  assert.deepEqual([await scheduled(anna), await scheduled(berta)], [['scheduled'], ['scheduled']])
  await press(page, 'z')
  await until('undone', async () => (await statusOf(berta)) === 'new')
  assert.deepEqual(await scheduled(berta), ['canceled'])
})

test('flow 2: advance and go on: 1 key', { skip }, async () => {
  const { job, ids } = await people('Berta', 'Anna')
  const [, anna] = ids as [string, string]
  const { page } = await open(candidate(job.id, anna))
  await heading(page, 'Anna').waitFor()
  await page.getByRole('button', { name: 'Advance to Screen' }).waitFor()
  await page.getByRole('button', { name: 'Next', exact: true }).and(page.locator('[aria-disabled=false]')).waitFor()
  assert.equal(await press(page, 'a'), 1)
  await heading(page, 'Berta').waitFor()
  assert.equal(await statusOf(anna), 'in_review')
})

test('flow 9: reject a column with message: 3 keys', { skip }, async () => {
  const names = Array.from({ length: 12 }, (_, i) => `Person${i}`)
  const { job, ids } = await people(...names)
  const one = (await apply({ ...world, job })).id
  await owner.post('/applications/changes', {
    changes: [{ id: one, action: 'reject', reason_id: 'salary', message: { subject: 'A', body: 'B' } }],
  })
  const { page } = await open(`/jobs/${job.id}`)
  await page.locator('[data-card]').first().waitFor()
  const box = page.locator(`.board [data-stage="${job.stages[0]}"] input[type=checkbox]`).first()
  await box.focus()
  assert.equal(await press(page, 'Space', 'r', '3'), 3)
  await until('all are rejected', async () =>
    (await Promise.all(ids.map(statusOf))).every(status => status === 'rejected'),
  )
  assert.deepEqual(await scheduled(ids[0]), ['scheduled'])
  await page.getByText('Messages leave in 10 s.').waitFor()
})

test('flow 10: hire with start date: 2 keys and the typed date; take back hire puts the person into the stage before', {
  skip,
}, async () => {
  const { job, ids } = await people('Anna')
  const [anna] = ids
  const { page } = await open(candidate(job.id, anna))
  await heading(page, 'Anna').waitFor()
  await page.getByRole('button', { name: 'Hire', exact: true }).waitFor()
  let keys = await press(page, 'h')
  await page.getByRole('textbox', { name: 'Start date' }).and(page.locator(':focus')).fill('4 Jan 2027')
  keys += await press(page, 'Enter')
  // and the date, which is typed
  assert.equal(keys, 2)
  await until('hired', async () => (await statusOf(anna)) === 'hired')
  assert.equal((await owner.get(`/v1/applications/${anna}`)).body.start_date, '2027-01-04')
  await page.getByRole('button', { name: 'Take back hire' }).click()
  await until('taken back', async () => (await statusOf(anna)) === 'advanced')
  assert.equal((await owner.get(`/v1/applications/${anna}`)).body.stage_id, job.stages[0])
})

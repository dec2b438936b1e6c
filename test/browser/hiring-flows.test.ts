import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { noBrowser, openAs, typeInFocus } from '../harness/browser.ts'

/** What a recruiter does most, driven by keys alone: besides typed text, no flow takes more presses than it says. */
let world: World
let owner: Person

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
})

/** Counts what is pressed; text that is typed into a field does not count. */
function keysOf(page: Page) {
  const pressed: string[] = []
  const press = async (key: string) => {
    pressed.push(key)
    await page.keyboard.press(key)
  }
  return { pressed, press }
}

test('flow: find a person by skill or email address: Ctrl K, Enter', { skip: noBrowser }, async () => {
  const made = await apply(
    world,
    { resume_upload_id: await upload(world) },
    { first_name: 'Olga', last_name: 'Kensington', email: 'olga@kensington.example' },
  )
  await world.service.services.db.query(sql`
    update resumes set parse_status = 'parsed', parsed = '{"skills": ["Hydrophones"]}'::jsonb
    where workspace_id = ${world.workspace} and application_id = ${made.id}`)
  const { page, problems, close } = await openAs(world.service, owner, '/hiring/insight')
  for (const typed of ['hydrophones', 'olga@kensington.example']) {
    await page.goto(new URL('/hiring/insight', page.url()).href)
    await page.getByRole('heading', { name: 'Insight', level: 1 }).waitFor()
    const { pressed, press } = keysOf(page)
    await press('Control+k')
    await typeInFocus(page, typed)
    await press('Enter')
    await page.waitForURL(url => url.pathname === `/hiring/applications/${made.id}`)
    await page.getByRole('heading', { name: 'Olga Kensington', level: 1 }).waitFor()
    assert.deepEqual(pressed, ['Control+k', 'Enter'])
  }
  assert.deepEqual(problems, [])
  await close()
})

test('flow: a note that mentions the hiring manager: n, Enter, Ctrl Enter', { skip: noBrowser }, async () => {
  const tomas = await signedIn(world.service, world.workspace, {
    ...{ role: 'member', program: 'hiring', firstName: 'Tomás', lastName: 'Ibarrola' },
  })
  const { job_id, id } = (await apply(world, {}, { first_name: 'Ruben', last_name: 'Wainwright' })) as {
    job_id: string
    id: string
  }
  const team = { add: [tomas.userId], remove: [], roles: { [tomas.userId]: 'hiring_manager' } }
  assert.equal((await owner.post(`/jobs/${job_id}/team`, team)).status, 200)
  const { page, problems, close } = await openAs(world.service, owner, `/hiring/applications/${id}`)
  await page.getByRole('list', { name: 'Activity' }).waitFor()
  const { pressed, press } = keysOf(page)
  await press('n')
  await typeInFocus(page, 'Please look at the salary, @tom')
  await page.getByRole('option', { name: /Tomás Ibarrola/ }).waitFor()
  await press('Enter')
  await press('Control+Enter')
  await page
    .getByRole('list', { name: 'Notes', exact: true })
    .locator('.mention', { hasText: '@Tomás Ibarrola' })
    .waitFor()
  assert.deepEqual(pressed, ['n', 'Enter', 'Control+Enter'])
  const { mentions } = (await tomas.get('/tasks')).body
  assert.deepEqual(
    mentions.map((mention: { application_id: string }) => mention.application_id),
    [id],
  )
  assert.deepEqual(problems, [])
  await close()
})

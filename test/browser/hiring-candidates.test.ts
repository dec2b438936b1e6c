import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, typeInFocus, type Visit, type VisitOptions } from '../harness/browser.ts'

let world: World
let owner: Person

const PROFILE = {
  current_title: 'Firmware Engineer',
  current_company: 'Nordlicht GmbH',
  skills: ['Kubernetes', 'Rust'],
}

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  const other = await newJob(world.service, world.workspace)
  const { db } = world.service.services
  await db.query(
    sql`update jobs set title = 'Perception Lead' where workspace_id = ${world.workspace} and id = ${other.id}`,
  )
  const zoe = { first_name: 'Zoë', last_name: 'Corvantes', email: 'zoe@corvantes.example' }
  await apply(world, {}, zoe)
  const { id } = await apply({ ...world, job: other }, { resume_upload_id: await upload(world) }, zoe)
  await db.query(sql`update resumes set parse_status = 'parsed', parsed = ${JSON.stringify(PROFILE)}::jsonb
    where workspace_id = ${world.workspace} and application_id = ${id}`)
  for (const last_name of ['Almeida', 'Brandt', 'Castellanos'])
    await apply(world, {}, { first_name: 'Ingrid', last_name })
})

const open = (path: string, opts?: VisitOptions): Promise<Visit> => openAs(world.service, owner, `/hiring${path}`, opts)

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`candidates: ${theme}, ${width} pixels: no serious accessibility issue, no error, no overflow`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await open('/candidates', { theme, width })
    await page.getByRole('link', { name: 'Zoë Corvantes' }).waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/candidates-${width}.png` })
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    assert.equal(await page.getByRole('link', { name: 'Zoë Corvantes' }).count(), 1)
    await page.getByText('+1', { exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await typeInFocus(page, 'kubern')
    await page.getByRole('option', { name: /Zoë Corvantes.*Skill: Kubernetes.*Perception Lead · Applied/ }).waitFor()
    if (process.env['SHOTS']) await page.screenshot({ path: `${process.env['SHOTS']}/search-${width}.png` })
    assert.deepEqual(await axe(page), [])
    assert.deepEqual(problems, [])
    await close()
  })
}

test('search: without accents, by skill and by a whole address, none of which is in a response', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  const texts: string[] = []
  page.on('response', async response => {
    if (response.url().includes('/hiring/api/search?')) texts.push(await response.text())
  })
  for (const q of ['zoe', 'corvantes', 'kubernetes', 'nordlicht', 'zoe@corvantes.example']) {
    await page.keyboard.press('Control+k')
    await typeInFocus(page, q)
    await page.getByRole('option', { name: /^Zoë Corvantes/ }).waitFor()
    await page.keyboard.press('Escape')
  }
  await page.keyboard.press('Control+k')
  await typeInFocus(page, 'zoe@corvantes')
  await page.getByText('No one found for “zoe@corvantes”. Search the talent pool?').waitFor()
  assert.ok(texts.length >= 6)
  for (const text of texts) assert.doesNotMatch(text, /corvantes\.example/)
  assert.deepEqual(problems, [])
  await close()
})

test('search: Ctrl Enter opens all hits as the Candidates page; its next candidate is that of the list', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  await page.keyboard.press('Control+k')
  await typeInFocus(page, 'ingrid')
  await page.getByRole('option', { name: /^Ingrid Brandt/ }).waitFor()
  await page.keyboard.press('Control+Enter')
  await page.waitForURL(url => url.pathname === '/hiring/candidates' && url.searchParams.get('q') === 'ingrid')
  await page.getByRole('link', { name: 'Ingrid Castellanos' }).click()
  await page.getByRole('heading', { name: 'Ingrid Castellanos', level: 1 }).waitFor()
  await page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).waitFor()
  await page.keyboard.press('j')
  await page.getByRole('heading', { name: 'Ingrid Brandt', level: 1 }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('candidates: filters are chips in the address; x and m move those that are selected, and z takes it back', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/candidates?q=ingrid')
  await page.getByRole('link', { name: 'Ingrid Almeida' }).waitFor()
  await page.getByRole('button', { name: 'Filter…' }).click()
  await choose(page.getByRole('dialog', { name: 'Filter' }).getByLabel('Outcome'), { label: 'Open' })
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByRole('button', { name: 'Outcome: Open', exact: true }).waitFor()
  assert.equal(new URL(page.url()).searchParams.get('status'), 'new,in_review,advanced')
  await page.getByRole('button', { name: 'Remove filter Outcome: Open' }).click()
  await page.waitForURL(url => !url.searchParams.has('status'))
  for (const name of ['Ingrid Almeida', 'Ingrid Brandt']) {
    await page.getByRole('link', { name }).focus()
    await page.keyboard.press('x')
  }
  await page.getByText('2 selected').waitFor()
  await page.keyboard.press('m')
  await page
    .getByRole('dialog', { name: 'Move 2 candidates to' })
    .getByRole('button', { name: /Screen/ })
    .waitFor()
  await page.keyboard.press('2')
  await page.getByText('2 moved to Screen.').waitFor()
  const moved = page.getByRole('row').filter({ hasText: 'Ingrid' }).filter({ hasText: 'Screen' })
  await moved.nth(1).waitFor()
  await page.getByRole('link', { name: 'Ingrid Brandt' }).focus()
  await page.keyboard.press('z')
  await page.getByText('2 moved back.').waitFor()
  await moved.first().waitFor({ state: 'detached' })
  assert.deepEqual(problems, [])
  await close()
})

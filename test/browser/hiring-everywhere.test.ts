import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { apply, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, openAs, typeInFocus, type Visit, type VisitOptions } from '../harness/browser.ts'

let world: World
let owner: Person

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  const { service, key, job } = world
  for (const last of ['Almeida', 'Brandt', 'Castellanos']) {
    const { id } = await apply(world, {}, { first_name: 'Quirin', last_name: last })
    if (last !== 'Almeida') await service.post(`/applications/${id}/move`, key, { stage_id: job.stages[2] })
  }
})

const open = (path: string, opts?: VisitOptions): Promise<Visit> => openAs(world.service, owner, `/hiring${path}`, opts)

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`insight: ${theme}, ${width} pixels: no serious accessibility issue, no error, no overflow; a number opens its applications`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await open('/insight?days=30', { theme, width })
    await page.getByRole('table', { name: 'Stages of the funnel' }).waitFor()
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    await page.locator('.insight-totals').getByRole('link', { name: '3', exact: true }).first().click()
    await heading(page, 'Applications behind the number')
    await page.getByRole('link', { name: 'Quirin Brandt' }).waitFor()
    assert.deepEqual(await axe(page), [])
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    assert.deepEqual(problems, [])
    await close()
  })
}

test('command bar: Ctrl K, a few letters, Enter: a job, a candidate, a page; Escape gives the focus back', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search candidates, jobs, members and pages' })
  await field.waitFor()
  assert.deepEqual(await axe(page), [])
  await field.fill('castell')
  await page.getByRole('option', { name: /^Quirin Castellanos.*Engineer/ }).waitFor()
  // people come first, then jobs, what is done on this page, pages and members; a page is there once
  await field.fill('job')
  await page.locator('.palette [role=listbox]:not([aria-busy=true])').waitFor()
  const groups = await page.locator('.palette-group').allInnerTexts()
  const order = ['Candidates', 'Profiles', 'Jobs', 'Actions', 'Pages', 'Members', 'Similar names']
  assert.deepEqual(
    groups,
    groups.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  assert.equal(
    await page
      .getByRole('option')
      .filter({ hasText: /^(Go to )?Jobs/ })
      .count(),
    1,
  )
  await field.fill('insi')
  await page.getByRole('option', { name: /^Insight/ }).waitFor()
  await page.locator('.palette [role=listbox]:not([aria-busy=true])').waitFor()
  await page.keyboard.press('Enter')
  await heading(page, 'Insight')
  await page.getByRole('button', { name: /^Search/ }).focus()
  await page.keyboard.press('Enter')
  await field.waitFor()
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  assert.match(String(await page.evaluate('document.activeElement.className')), /command-button/)
  assert.deepEqual(problems, [])
  await close()
})

test('command bar: a candidate with the typed words is before a job without them; Enter before the response opens them', {
  skip: noBrowser,
}, async () => {
  const { id } = await apply(world, {}, { first_name: 'Lina', last_name: 'Hartwig' })
  // found by words that its title does not have
  const job = await owner.post('/jobs', { job: { title: 'Planner', content: { summary: 'Works with Lina Hall.' } } })
  assert.equal(job.status, 200, job.text)
  const { page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  const field = page.getByRole('combobox', { name: 'Search candidates, jobs, members and pages' })
  await page.keyboard.press('Control+k')
  await field.fill('lina h')
  await page.getByRole('option', { name: /^Planner/ }).waitFor()
  const options = await page.locator('.palette-title').allInnerTexts()
  assert.equal(options[0], 'Lina Hartwig')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })

  let respond = () => {}
  const held = new Promise<void>(resolve => {
    respond = resolve
  })
  await page.route('**/hiring/api/search?*', async route => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\/hiring\/api\/search\?/)
  await page.keyboard.press('Control+k')
  await field.fill('lina h')
  await asked
  await page.keyboard.press('Enter')
  respond()
  await page.waitForURL(url => url.pathname === `/hiring/applications/${id}`)
  await heading(page, 'Lina Hartwig')
  assert.deepEqual(problems, [])
  await close()
})

test('command bar: results that come late do not change what Enter does; a member opens who they are', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  let respond = () => {}
  const held = new Promise<void>(resolve => {
    respond = resolve
  })
  await page.route('**/hiring/api/search?*', async route => {
    await held
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search candidates, jobs, members and pages' })
  await field.waitFor()
  await page.keyboard.type('i')
  // the third one is chosen while the service searches
  for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown')
  const chosen = page.locator('.palette [aria-selected=true]')
  const title = await chosen.innerText()
  respond()
  await page.locator('.palette [role=listbox]:not([aria-busy=true])').waitFor()
  assert.equal(await chosen.innerText(), title)
  await field.fill(owner.email.split('@')[0]!)
  await page.locator('.palette [data-group=members]').first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Owner of this workspace').waitFor()
  await dialog.getByRole('link', { name: 'Open People in the console' }).waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('keys: ? shows the keys of the page, on every page: job editor, My tasks, Insight', {
  skip: noBrowser,
}, async () => {
  // someone who has waited for long is a task
  await world.service.services.db.query(sql`
    update applications set stage_entered_at = app_now() - interval '40 days' where workspace_id = ${world.workspace}`)
  const joined = await owner.post(`/jobs/${world.job.id}/team`, { add: [owner.userId], remove: [] })
  assert.equal(joined.status, 200)
  const { page, problems, close } = await open('/')
  for (const [path, title, key] of [
    [`/jobs/${world.job.id}`, 'Engineer', 'Reject'],
    [`/jobs/${world.job.id}/edit`, 'Engineer', 'Save'],
    ['/tasks', 'My tasks', 'Next row'],
    ['/insight', 'Insight', 'To the first field'],
  ] as const) {
    await page.goto(`/hiring${path}`)
    await heading(page, title)
    const dialog = page.getByRole('dialog', { name: 'Keys' })
    const entry = dialog.getByRole('region', { name: 'On this page' }).getByText(key, { exact: true })
    // the rows of a page come after its title
    for (let i = 0; i < 100 && (await entry.count()) === 0; i++) {
      await page.keyboard.press('Escape')
      await page.evaluate('document.activeElement?.blur()')
      await page.keyboard.press('?')
      await dialog.waitFor()
    }
    await entry.waitFor()
    assert.deepEqual(await axe(page), [], path)
  }
  assert.deepEqual(problems, [])
  await close()
})

test('keys: ? shows the keys of the page, g and a letter go to a page; typing in a field is not a command', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).getByText('Go to Insight').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await heading(page, 'Insight')
  await page.keyboard.press('Control+k')
  await typeInFocus(page, 'g j')
  await heading(page, 'Insight')
  assert.deepEqual(problems, [])
  await close()
})

test('keys: a letter after g that leads nowhere does nothing; the same letter alone does what it does', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/lists')
  await heading(page, 'Lists')
  const dialog = page.getByRole('dialog')
  // in one go, so that a busy machine does not make the second key come too late
  await page.evaluate(`for (const key of ['g', 'n'])
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
  // drawn after whatever the keys did
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  assert.equal(await dialog.count(), 1)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await dialog.waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('keys: a job is duplicated, closed and published by key, each as with its button', {
  skip: noBrowser,
}, async () => {
  const draft = await owner.post('/jobs', {
    job: { title: 'Lamplighter', department: 'Port', locations: ['Kiel'], content: { summary: 'Lights lamps.' } },
  })
  assert.equal(draft.status, 200, draft.text)
  const { page, problems, close } = await open(`/jobs/${draft.body.id}/edit`)
  await page.getByRole('button', { name: 'Duplicate…' }).waitFor()
  await page.keyboard.press('Shift+D')
  await page.getByRole('dialog', { name: 'Duplicate this job' }).getByRole('button', { name: 'Duplicate' }).click()
  await page.getByText('Job duplicated').waitFor()
  // the page shows the copy, which is a draft too
  await heading(page, 'Lamplighter (copy)')
  await page.getByText('Ready to be published.').waitFor()
  await page.keyboard.press('Shift+P')
  await page.getByText('Job published').waitFor()
  await page.getByRole('button', { name: 'Close…' }).waitFor()
  await page.keyboard.press('Shift+C')
  await page.getByRole('dialog').getByRole('button', { name: 'Close job' }).click()
  await page.getByText('Job closed').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('live: two tabs of a browser share one stream, and both get what someone else changes', {
  skip: noBrowser,
}, async () => {
  const { context, page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  const streams: string[] = []
  context.on('request', request => {
    if (request.url().endsWith('/hiring/api/live')) streams.push(request.url())
  })
  const second = await context.newPage()
  await second.goto('/hiring/insight')
  await heading(second, 'Insight')
  assert.deepEqual(streams, [], 'the first tab has the stream')
  const name = `hiring-live ${world.workspace} ${owner.userId}`
  const heard = second.evaluate(
    channel =>
      new Promise<string>(resolve => {
        // what the reader may see is said, too, whenever the stream begins
        new BroadcastChannel(channel).onmessage = ({ data }) => data.type && resolve(data.type)
      }),
    name,
  )
  const { id } = await apply(world)
  await world.service.post(`/applications/${id}/move`, world.key, { stage_id: world.job.stages[1] })
  while ((await sequenceBatch(world.service.services.db)) > 0);
  assert.match(await heard, /^(application|applicant)\./)
  // when the first tab is closed, the other reads the stream itself
  const taken = second.waitForRequest(request => request.url().endsWith('/hiring/api/live'))
  await page.close()
  await taken
  assert.deepEqual(problems, [])
  await close()
})

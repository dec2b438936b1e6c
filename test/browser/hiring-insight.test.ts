import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, noBrowser, typeInFocus, type Visit, type VisitOptions, visit } from '../harness/browser.ts'

let world: World
let owner: Person
let viewer: Person

/** In the order of their application: the last is the newest. */
const NAMES = ['Almeida', 'Brandt', 'Castellanos'] as const

before(async () => {
  world = await sharedWorld()
  owner = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  const { service, workspace, key, job } = world
  const { db } = service.services
  await db.query(sql`update jobs set department = 'Welding' where workspace_id = ${workspace} and id = ${job.id}`)
  for (const [i, last] of NAMES.entries()) {
    const { id } = await apply(world, {}, { first_name: 'Quirin', last_name: last })
    if (last === 'Brandt') {
      await service.post(`/applications/${id}/move`, key, { stage_id: job.stages[2] })
      await service.post(`/applications/${id}/hire`, key, {})
    }
    // all have waited long enough to be tasks, the first the longest
    const earlier = sql`${20 - i}::integer * interval '1 day'`
    await db.query(sql`
      update applications set applied_at = applied_at - ${earlier}, stage_entered_at = stage_entered_at - ${earlier}
      where workspace_id = ${workspace} and id = ${id}`)
  }
})

async function open(path: string, opts: VisitOptions = {}, person = owner): Promise<Visit> {
  const visited = await visit(world.service.origin, opts)
  const [name, value] = person.cookie.split('=') as [string, string]
  await visited.context.addCookies([{ name, value, url: world.service.origin }])
  await visited.page.goto(`/hiring${path}`)
  return visited
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const isOver = (page: Page, button: string) =>
  page.locator('.steps').getByRole('button', { name: button, disabled: true }).waitFor()

for (const [theme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const) {
  test(`insight: ${theme}, ${width} pixels: a chart and a table by job, department, source, week and month, without serious faults`, {
    skip: noBrowser,
  }, async () => {
    const { page, problems, close } = await open('/insight', { theme, width })
    for (const label of ['Job', 'Department', 'Source']) await page.getByLabel(label, { exact: true }).waitFor()
    for (const grouping of ['Job', 'Department', 'Source', 'Week', 'Month']) {
      await page.getByRole('button', { name: grouping, exact: true }).click()
      const title = `Applications by ${grouping.toLowerCase()}`
      await page.getByRole('figure').getByRole('heading', { name: title }).waitFor()
      const table = page.getByRole('table', { name: title })
      await table.getByRole('columnheader', { name: grouping }).waitFor()
      const rows = table.getByRole('row').filter({ has: page.getByRole('rowheader') })
      let sum = 0
      for (const row of await rows.all()) sum += Number(await row.getByRole('link').first().innerText())
      assert.equal(sum, 3, grouping)
      assert.deepEqual(await axe(page), [])
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    }
    assert.deepEqual(problems, [])
    await close()
  })
}

test('insight: numbers and shares of a stage agree; one by month opens its applications, and back has the same filters', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/insight?days=30&department=Welding&group_by=month')
  const hired = page.getByRole('table', { name: 'Stages of the funnel' }).getByRole('row', { name: /^Hired/ })
  await hired.waitFor()
  // there is nowhere to move on to
  assert.doesNotMatch(await hired.innerText(), /%/)
  await page.locator('.insight-totals').getByText('Median time to hire').waitFor()
  const months = page.getByRole('table', { name: 'Applications by month' })
  await months.getByRole('row').nth(1).getByRole('link').first().click()
  await heading(page, 'Applications behind the number')
  await page.getByText(/^Welding · \w+ \d{4}\. Newest first\./).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Insight' }).click()
  await months.waitFor()
  assert.equal(await page.getByRole('combobox', { name: 'Department', exact: true }).innerText(), 'Welding')
  assert.match(page.url(), /days=30/)
  assert.deepEqual(problems, [])
  await close()
})

test('insight: on 390 pixels the table of stages has all its columns: the last can be scrolled to, the stage stays', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/insight', { width: 390 })
  const table = page.getByRole('table', { name: 'Stages of the funnel' })
  await table.waitFor()
  const titles = ['Stage', 'Reached', 'Now there', 'Rejected', 'Withdrawn', 'Progressed', 'Median time']
  assert.deepEqual(await table.getByRole('columnheader').allInnerTexts(), titles)
  const progressed = table.getByRole('columnheader', { name: 'Progressed' })
  assert.equal(await progressed.getAttribute('title'), 'Moved to a later stage, or hired')
  await table.locator('..').evaluate(frame => frame.scrollTo(1e4, 0))
  for (const title of ['Stage', 'Median time']) {
    const box = (await table.getByRole('columnheader', { name: title, exact: true }).boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= 390, title)
    // nothing is over it
    await table.getByRole('columnheader', { name: title, exact: true }).click({ trial: true })
  }
  assert.deepEqual(problems, [])
  await close()
})

test('insight: what nothing matches says so, and the filters can be cleared', { skip: noBrowser }, async () => {
  const { page, problems, close } = await open('/insight?source=nowhere')
  await page.getByText('No application matches').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByRole('table', { name: 'Stages of the funnel' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('insight: a viewer sees every number, and opens those that are not the history of a candidate; no names', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/insight?group_by=month', {}, viewer)
  const reached = page.getByRole('table', { name: 'Stages of the funnel' }).getByRole('row', { name: /^Applied/ })
  await reached.getByText('3', { exact: true }).waitFor()
  assert.equal(await reached.getByRole('link', { name: '3', exact: true }).count(), 0)
  const months = page.getByRole('table', { name: 'Applications by month' })
  await months.getByRole('row').nth(1).getByRole('link').first().click()
  await heading(page, 'Applications behind the number')
  await page.getByRole('link', { name: 'Candidate' }).first().click()
  await heading(page, 'Candidate')
  assert.equal(await page.getByText('Quirin').count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('next and previous candidate: from Insight in the order of its list, also after a reload', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/insight/applications')
  await page.getByRole('link', { name: 'Quirin Castellanos' }).click()
  await heading(page, 'Quirin Castellanos')
  await isOver(page, 'Previous')
  await page.keyboard.press('j')
  await heading(page, 'Quirin Brandt')
  await page.reload()
  await page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).click()
  await heading(page, 'Quirin Almeida')
  await isOver(page, 'Next')
  await page.keyboard.press('k')
  await heading(page, 'Quirin Brandt')
  await page.getByRole('link', { name: 'Applications behind the number' }).click()
  await heading(page, 'Applications behind the number')
  assert.deepEqual(problems, [])
  await close()
})

test('next candidate: from My tasks; one who leaves the list by a decision still has the next one', {
  skip: noBrowser,
}, async () => {
  const joined = await owner.post(`/jobs/${world.job.id}/team`, { add: [owner.userId], remove: [] })
  assert.equal(joined.status, 200)
  const { page, problems, close } = await open('/tasks')
  await page.getByRole('region', { name: 'Waiting too long' }).waitFor()
  await page.getByRole('link', { name: 'Quirin Almeida' }).click()
  await heading(page, 'Quirin Almeida')
  await page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).waitFor()
  const id = /\/applications\/(\w+)/.exec(page.url())![1]!
  const moved = await owner.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1] })
  assert.equal(moved.status, 200)
  await page.reload()
  await page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).click()
  await heading(page, 'Quirin Castellanos')
  await isOver(page, 'Next')
  await page.getByRole('main').getByRole('link', { name: 'My tasks' }).waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('next candidate: from the command bar, in the order of what it found; a link to it works in another window', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('/')
  await heading(page, 'Jobs')
  await page.keyboard.press('Control+k')
  await typeInFocus(page, 'quirin')
  const found = page.getByRole('option', { name: /Quirin/ })
  await found.nth(2).waitFor()
  const order = (await found.allInnerTexts()).map(text => `Quirin ${NAMES.find(name => text.includes(name))}`)
  await found.first().click()
  await heading(page, order[0]!)
  await page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).waitFor()
  const address = new URL(page.url())
  await page.keyboard.press('j')
  await heading(page, order[1]!)
  const other = await open(address.pathname.replace('/hiring', '') + address.search)
  await heading(other.page, order[0]!)
  await other.page.locator('.steps').getByRole('button', { name: 'Next', disabled: false }).click()
  await heading(other.page, order[1]!)
  assert.deepEqual([...problems, ...other.problems], [])
  await close()
  await other.close()
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Role } from '../../src/contract/scopes.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { apply, newTenant } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import {
  axe,
  choose,
  describedBy,
  noBrowser,
  typeInFocus,
  type Visit,
  type VisitOptions,
  visit,
} from '../harness/browser.ts'
import { nextInstant } from '../harness/next-instant.ts'
import { until } from '../harness/receiver.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'

let service: TestService
let tenant: Awaited<ReturnType<typeof newTenant>>
const people = {} as Record<Role, Person>

before(async () => {
  if (noBrowser) return
  service = await sharedTestService()
  tenant = await newTenant(service)
  for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
    const lastName = role.charAt(0).toUpperCase() + role.slice(1)
    people[role] = await signedIn(service, tenant.workspace, { role, lastName, program: 'hiring' })
  }
})

/** `live`: resolves when changes reach the page. */
async function open(role: Role, path: string, opts?: VisitOptions & { live?: true }): Promise<Visit> {
  const window = await visit(service.origin, opts)
  const value = people[role].cookie.split('=')[1]!
  await window.context.addCookies([{ name: SESSION_COOKIE, value, url: service.origin }])
  const stream = opts?.live && window.page.waitForResponse(response => response.url().endsWith('/hiring/api/live'))
  await window.page.goto(`/hiring${path}`)
  await stream
  await window.page.locator('h1').waitFor()
  return window
}

const add = async (job: Record<string, unknown>): Promise<string> => {
  await nextInstant(service.services.db)
  const { status, body, text } = await people.owner.post('/jobs', { job })
  assert.equal(status, 200, text)
  return body.id
}

const stored = async (id: string) => (await people.owner.get(`/v1/jobs/${id}`)).body

/** What was changed until now reaches the pages. */
const passOn = async () => {
  while ((await sequenceBatch(service.services.db)) > 0);
}

const widerThanWindow = (page: Visit['page']) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')

test('hiring jobs: a member writes a job by keyboard, previews it, is shown what is missing, publishes, closes and takes it back', {
  skip: noBrowser,
}, async () => {
  const { page, problems, close } = await open('member', '')
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'New job' }).waitFor()
  assert.deepEqual(await axe(page), [])
  await page.getByLabel('Title').fill('Lock keeper')
  await page.getByLabel('Department').fill('Canal')
  await page.getByRole('combobox', { name: 'Locations' }).fill('Lyon, France')
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Locations' }).fill('Kiel')
  await page.keyboard.press('Enter')
  await choose(page.getByLabel('Language'), { label: 'German' })
  await page.getByLabel('Required skills').fill('Pumps, Radio,')
  await page.getByLabel('Minimum salary').fill('30000')
  await page.getByLabel('Currency').fill('EUR')
  await page.keyboard.press('Control+s')
  await page.getByText('Draft created').waitFor()

  const side = page.getByRole('complementary', { name: 'Publishing' })
  const publish = side.getByRole('button', { name: 'Publish', exact: true })
  await side.getByText('1 thing to do before it can be published:').waitFor()
  assert.equal(await publish.isDisabled(), true)
  await side.getByRole('button', { name: 'Text' }).click()
  await typeInFocus(page, 'Keeps the lock.')
  const description = page.getByLabel('Description', { exact: true })
  await description.fill(
    '## The lock\n\n**Two** gates <script>alert(1)</script> ![a lock](https://acme.example/lock.png)',
  )
  assert.match(await describedBy(description), /Pictures are left out\.$/)
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.locator('.job-text')
  await preview.getByRole('heading', { name: 'The lock' }).waitFor()
  assert.equal(await preview.locator('strong').innerText(), 'Two')
  assert.equal(await preview.locator('img').count(), 0)
  assert.equal(await page.locator('script', { hasText: 'alert' }).count(), 0)
  assert.deepEqual(await axe(page), [])
  await page.getByRole('region', { name: 'Unsaved changes' }).getByText('2 unsaved changes').waitFor()
  await side.getByRole('button', { name: 'Save and publish' }).click()
  await page.getByText('Job published').waitFor()

  // where Publish was, a second press closes nothing
  await side.getByRole('button', { name: 'Close…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close job' }).click()
  await page.getByText('Job closed').waitFor()
  await side.getByRole('button', { name: 'Reopen' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Job reopened').waitFor()
  await side.getByRole('button', { name: 'Unpublish' }).waitFor()

  const job = await stored(page.url().split('/').at(-2)!)
  assert.deepEqual(
    [job.status, job.title, job.department, job.locations, job.content.skills_required, job.content.summary],
    ['published', 'Lock keeper', 'Canal', ['Lyon, France', 'Kiel'], ['Pumps', 'Radio'], 'Keeps the lock.'],
  )
  assert.deepEqual([job.compensation.salary_min, job.compensation.currency, job.language], [30_000, 'EUR', 'de'])
  // a member does not delete jobs
  assert.equal(await side.getByRole('button', { name: 'Delete…' }).count(), 0)

  await page.getByRole('link', { name: 'History' }).click()
  const history = page.getByRole('main').getByRole('listitem')
  await history.first().getByText('Pia Member reopened the job').waitFor()
  assert.equal(await history.count(), 5)
  await history.nth(3).getByText('Pia Member changed Summary and Description').waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(problems, [])
  await close()
})

test('hiring jobs: the publishing panel follows what is typed; there is one Save and one filled button', {
  skip: noBrowser,
}, async () => {
  const id = await add({ title: 'Ferry master' })
  const { page, problems, close } = await open('member', `/jobs/${id}/edit`)
  const side = page.getByRole('complementary', { name: 'Publishing' })
  const todo = (name: string) => side.getByRole('listitem').filter({ hasText: name })
  const filled = () => page.locator('main button.button:not(.secondary, .danger)').allInnerTexts()
  await side.getByText('1 thing to do before it can be published:').waitFor()
  await todo('Department is missing').waitFor()
  assert.equal(await side.getByRole('button', { name: 'Publish', exact: true }).isDisabled(), true)
  await page.getByLabel('Department').fill('Harbor')
  await todo('Department is missing').waitFor({ state: 'detached' })
  assert.equal(await side.getByRole('button', { name: 'Save and publish' }).isDisabled(), true)
  await page.getByLabel('Summary').fill('Runs the ferry.')
  await side.getByText('Ready to be published.').waitFor()
  assert.deepEqual(await filled(), ['Save'])
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 1)
  await page.getByLabel('Summary').fill(' ')
  await side.getByText('1 thing to do before it can be published:').waitFor()
  await page.getByRole('combobox', { name: 'Locations' }).fill('Kiel')
  await page.keyboard.press('Enter')
  await todo('Locations are missing').waitFor({ state: 'detached' })
  await page.getByLabel('Summary').fill('Runs the ferry.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Job saved').waitFor()
  await side.getByText('Ready to be published.').waitFor()
  assert.deepEqual(await filled(), ['Publish'])
  assert.equal((await stored(id)).department, 'Harbor')
  assert.deepEqual(problems, [])
  await close()
})

test('hiring jobs: pay has the currency of the job’s place, else of the workspace’s country, or the one that is entered, and never silently dollars', {
  skip: noBrowser,
}, async () => {
  const setCountry = (country: string | null) =>
    service.services.db.query(sql`
      update career_sites set country = ${country} where workspace_id = ${tenant.workspace}`)
  const id = await add({ title: 'Pilot' })
  await setCountry(null)
  const { page, problems, close } = await open('member', `/jobs/${id}/edit`)
  const currency = page.getByRole('combobox', { name: 'Currency' })
  assert.equal(await currency.inputValue(), '')
  await page.getByLabel('Minimum salary').fill('50000')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Enter the currency of the pay: three letters, such as EUR.').waitFor()
  assert.equal((await stored(id)).compensation, null)
  await currency.fill('sek')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Job saved').waitFor()
  assert.equal((await stored(id)).compensation.currency, 'SEK')

  await setCountry('DE')
  await page.goto('/hiring/jobs/new')
  await page.getByLabel('Title').fill('Berlin baker')
  assert.equal(await currency.inputValue(), '')
  await page.getByLabel('Maximum salary').fill('40000')
  await until('the currency of the workspace', async () => (await currency.inputValue()) === 'EUR')
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByText('Draft created').waitFor()
  const job = await stored(page.url().split('/').at(-2)!)
  assert.equal(job.compensation.currency, 'EUR')

  // a job in another country than the careers site
  await setCountry('US')
  await page.goto('/hiring/jobs/new')
  await page.getByLabel('Title').fill('Berlin baker')
  const locations = page.getByRole('combobox', { name: 'Locations' })
  await locations.fill('Berlin')
  await locations.press('Enter')
  await page.getByLabel('Minimum salary').fill('40000')
  await until('the currency of Berlin', async () => (await currency.inputValue()) === 'EUR')
  await page.getByRole('button', { name: 'Remove Berlin' }).click()
  await until('the currency of the careers site', async () => (await currency.inputValue()) === 'USD')
  await locations.fill('Zürich')
  await locations.press('Enter')
  await until('the currency of Zürich', async () => (await currency.inputValue()) === 'CHF')
  await currency.fill('EUR')
  await page.getByRole('button', { name: 'Remove Zürich' }).click()
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByText('Draft created').waitFor()
  assert.equal((await stored(page.url().split('/').at(-2)!)).compensation.currency, 'EUR', 'what was entered stays')

  await page.goto('/hiring/jobs/new')
  await page.getByLabel('Title').fill('Basel baker')
  await locations.fill('Basel')
  await locations.press('Enter')
  await page.getByLabel('Minimum salary').fill('40000')
  await until('the currency of Basel', async () => (await currency.inputValue()) === 'CHF')
  await currency.fill('')
  const suggested = page.waitForResponse(response => response.url().includes('/job-currency'))
  await page.getByRole('button', { name: 'Remove Basel' }).click()
  await suggested
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.getByText('Enter the currency of the pay: three letters, such as EUR.').waitFor()
  assert.equal(await currency.inputValue(), '', 'what was cleared stays clear')
  await setCountry(null)
  assert.deepEqual(problems, [])
  await close()
})

test('hiring jobs: of two people who edit a job, the second is shown what the first changed, and loses nothing', {
  skip: noBrowser,
}, async () => {
  const id = await add({ title: 'Pilot', department: 'Port', content: { summary: 'Steers.' } })
  const first = await open('admin', `/jobs/${id}/edit`)
  const second = await open('member', `/jobs/${id}/edit`, { expectedStatuses: [409] })
  await second.page.getByLabel('Department').fill('Harbor')
  await second.page.getByLabel('Team').fill('Night')

  await first.page.getByLabel('Department').fill('Coast')
  await first.page.getByLabel('Title').fill('Sea pilot')
  await first.page.keyboard.press('Control+s')
  await first.page.getByText('Job saved').waitFor()

  const { page } = second
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
  const note = page.getByRole('alert')
  await note.getByText('Pia Admin changed this job while you were editing it').waitFor()
  await note.getByText('Their changes are in the form now: Title.').waitFor()
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(
    [
      await page.getByLabel('Title').inputValue(),
      await page.getByLabel('Department').inputValue(),
      await page.getByLabel('Team').inputValue(),
    ],
    ['Sea pilot', 'Harbor', 'Night'],
  )
  assert.equal((await stored(id)).department, 'Coast')
  await note.getByRole('button', { name: 'Use theirs' }).click()
  assert.equal(await page.getByLabel('Department').inputValue(), 'Coast')
  await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Job saved').waitFor()
  const job = await stored(id)
  assert.deepEqual([job.title, job.department, job.team], ['Sea pilot', 'Coast', 'Night'])
  assert.deepEqual([...first.problems, ...second.problems], [])
  await first.close()
  await second.close()
})

test('hiring jobs: what two people changed is neither saved nor published until the second decides', {
  skip: noBrowser,
}, async () => {
  const id = await add({
    title: 'Pilot',
    department: 'Port',
    content: { summary: 'Steers.', skills_required: ['Radio'] },
  })
  const { page, problems, close } = await open('member', `/jobs/${id}/edit`, { expectedStatuses: [409], live: true })
  const title = page.getByLabel('Title', { exact: true })
  const note = page.getByRole('alert')
  const atNote = page.locator('.job-conflict:focus')
  await title.fill('Harbor pilot')

  // the change reaches the page, which knows only later who made it: a save before that is refused by the service
  let respond = () => {}
  const held = new Promise<void>(resolve => {
    respond = resolve
  })
  await page.route('**/history?*', async route => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\/history\?/)
  assert.equal((await people.admin.post(`/jobs/${id}`, { changes: { title: 'Sea pilot' } })).status, 200)
  await passOn()
  await asked
  const refused = page.waitForResponse(response => response.status() === 409)
  await page.keyboard.press('Control+s')
  await refused
  respond()
  await note.getByText('Pia Admin changed this job while you were editing it').waitFor()
  assert.equal(await note.getByText('Sea pilot').count(), 1)
  await atNote.waitFor()

  await title.focus()
  await page.keyboard.press('Control+s')
  await atNote.waitFor()
  await page.getByRole('button', { name: 'Save and publish' }).click()
  await atNote.waitFor()
  const undecided = await stored(id)
  assert.deepEqual([undecided.title, undecided.status], ['Sea pilot', 'draft'])
  assert.deepEqual(await axe(page), [])

  // another change leaves the first one to be decided
  assert.equal((await people.admin.post(`/jobs/${id}`, { changes: { department: 'Coast' } })).status, 200)
  await passOn()
  await note.getByText('Their changes are in the form now: Department.').waitFor()
  assert.equal(await note.getByRole('button', { name: 'Close' }).count(), 0)
  assert.equal(await title.inputValue(), 'Harbor pilot')
  await note.getByRole('button', { name: 'Keep yours' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Job saved').waitFor()
  await note.waitFor({ state: 'detached' })
  const decided = await stored(id)
  assert.deepEqual([decided.title, decided.department], ['Harbor pilot', 'Coast'])

  // the reader's own change in another window is not said to be someone's
  await page.getByLabel('Team').fill('Night')
  assert.equal((await people.member.post(`/jobs/${id}`, { changes: { team: 'Day' } })).status, 200)
  await passOn()
  await note.getByText('This job was changed elsewhere while you were editing it').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('hiring jobs: what the service refuses is shown at its field, and the entry stays', {
  skip: noBrowser,
}, async () => {
  const id = await add({ title: 'Smith' })
  const { page, problems, close } = await open('member', `/jobs/${id}/edit`, { expectedStatuses: [400] })
  await page.getByLabel('Minimum salary').fill('50')
  await page.getByLabel('Maximum salary').fill('40')
  await page.getByLabel('Currency').fill('EUR')
  await page.getByLabel('External application page').fill('http://plain.example')
  await page.keyboard.press('Control+s')
  await page.getByText('must not be less than compensation.salary_min').waitFor()
  assert.equal(await page.getByLabel('Maximum salary').getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('External application page').getAttribute('aria-invalid'), 'true')
  assert.equal(await page.getByLabel('Maximum salary').inputValue(), '40')
  assert.equal((await stored(id)).compensation, null)
  assert.deepEqual(problems, [])
  await close()
})

test('hiring jobs: the list counts by stage, its filters are in the address, and it fits a narrow dark screen', {
  skip: noBrowser,
}, async () => {
  await apply({ service, key: tenant.key, job: tenant.job })
  await apply({ service, key: tenant.key, job: tenant.job })
  await add({ title: 'Rigger', department: 'Masts', location_type: 'onsite' })
  const { page, problems, close } = await open('viewer', '')
  const row = page.getByRole('row', { name: /Engineer/ })
  await row.getByRole('img', { name: 'Applied 2' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New job' }).count(), 0)
  await page.getByRole('button', { name: /^Published/ }).click()
  await choose(page.getByLabel('Department'), 'Masts')
  await page.waitForURL(/status=draft&department=Masts/)
  await row.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Rigger' }).waitFor()
  assert.deepEqual(await axe(page), [])
  await page.reload()
  await page.getByRole('link', { name: 'Rigger' }).waitFor()
  await page.getByLabel('Search').fill('nothing like it')
  await page.getByText('No job matches').waitFor()
  await page.getByRole('button', { name: 'Show all jobs' }).click()
  await row.waitFor()
  const { searchParams } = new URL(page.url())
  assert.deepEqual([searchParams.get('status'), searchParams.get('department')], ['published,draft,closed', null])
  assert.deepEqual(problems, [])
  await close()

  const narrow = await open('member', '', { width: 390, theme: 'dark' })
  await narrow.page.getByRole('row', { name: /Rigger/ }).waitFor()
  assert.equal(await widerThanWindow(narrow.page), false)
  assert.deepEqual(await axe(narrow.page), [])
  await narrow.page.keyboard.press('j')
  await narrow.page.keyboard.press('Enter')
  await narrow.page.getByLabel('Title').waitFor()
  assert.equal(await widerThanWindow(narrow.page), false)
  assert.deepEqual(await axe(narrow.page), [])
  assert.deepEqual(narrow.problems, [])
  await narrow.close()
})

test('hiring jobs: an owner duplicates a job and deletes the copy; a viewer reads and changes nothing', {
  skip: noBrowser,
}, async () => {
  const id = await add({ title: 'Diver', content: { description_md: '## Deep', skills_required: ['Diving'] } })
  const { page, problems, close } = await open('owner', `/jobs/${id}/edit`)
  await page.getByRole('button', { name: 'Duplicate…' }).click()
  await page.getByRole('dialog').getByLabel('Title of the copy').fill('Second diver')
  assert.deepEqual(await axe(page, 'dialog'), [])
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Second diver' }).waitFor()
  const copy = page.url().split('/').at(-2)!
  assert.notEqual(copy, id)
  assert.deepEqual((await stored(copy)).content.skills_required, ['Diving'])

  const reader = await open('viewer', `/jobs/${copy}/edit`)
  await reader.page.getByRole('heading', { name: 'Deep' }).waitFor()
  assert.equal(await reader.page.getByRole('main').getByRole('button').count(), 0)
  assert.equal(await reader.page.getByRole('main').getByRole('textbox').count(), 0)
  assert.deepEqual(await axe(reader.page), [])
  await reader.page.goto('/hiring/jobs/new')
  await reader.page.getByText('Your role does not allow this').waitFor()
  assert.deepEqual(reader.problems, [])
  await reader.close()

  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('dialog').getByLabel('Reason').fill('Created twice')
  await page.getByRole('button', { name: 'Delete job' }).click()
  await page.getByRole('heading', { name: 'Jobs' }).waitFor()
  await page.getByRole('link', { name: 'Diver', exact: true }).waitFor()
  assert.equal((await people.owner.get(`/v1/jobs/${copy}`)).status, 404)
  assert.deepEqual(problems, [])
  await close()
})

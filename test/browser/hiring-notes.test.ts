import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { changeJobAccess } from '../../src/resources/users/index.ts'
import { apply, newJob, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, typeInFocus, type Visit, type VisitOptions } from '../harness/browser.ts'

const skip = noBrowser
let world: World
let owner: Person
let devika: Person
/** limited to jobs, a hiring manager in this one */
let tomas: Person
/** limited to jobs, an interviewer in this one */
let peng: Person

before(async () => {
  if (noBrowser) return
  const shared = await sharedWorld()
  world = { ...shared, job: await newJob(shared.service, shared.workspace) }
  const enter = (role: 'owner' | 'member' | 'viewer', firstName: string, lastName: string) =>
    signedIn(world.service, world.workspace, { role, firstName, lastName, program: 'hiring' })
  owner = await enter('owner', 'Rosalind', 'Acker')
  devika = await enter('member', 'Devika', 'Menondas')
  tomas = await enter('member', 'Tomás', 'Ibarrola')
  peng = await enter('member', 'Peng', 'Liangmoor')
  await enter('viewer', 'Jolanda', 'Fenstermaker')
  const team = [
    [tomas, 'hiring_manager'],
    [peng, 'interviewer'],
  ] as const
  for (const [{ userId }, role] of team) {
    await changeJobAccess(world.service.services.db, { workspace: world.workspace, user: userId }, 'team')
    const change = { add: [userId], remove: [], roles: { [userId]: role } }
    assert.equal((await owner.post(`/jobs/${world.job.id}/team`, change)).status, 200)
  }
})

let numbers = 0
const applicant = () =>
  apply(world, {}, { first_name: 'Ada', last_name: 'Byron', email: `ada-notes${++numbers}@people.dev` })

const open = (person: Person, path: string, opts?: VisitOptions): Promise<Visit> =>
  openAs(world.service, person, `/hiring${path}`, opts)

const NOTES = { name: 'Notes', exact: true } as const

test('hiring notes: n, Enter, Ctrl+Enter mention a limited hiring manager, who reads the note; viewers are grey, private notes are absent for the team', {
  skip,
}, async () => {
  const { id } = await applicant()
  const hers = await open(devika, `/applications/${id}`)
  const field = hers.page.getByLabel('New note')
  await hers.page.getByRole('list', { name: 'Activity' }).waitFor()
  await hers.page.keyboard.press('n')
  await typeInFocus(hers.page, 'Please look, @jol')
  const viewer = hers.page.getByRole('option', { name: /Jolanda Fenstermaker/ })
  await viewer.getByText('sees no names').waitFor()
  assert.equal(await viewer.getAttribute('aria-disabled'), 'true')
  for (const _ of 'jol') await hers.page.keyboard.press('Backspace')
  await hers.page.keyboard.type('tom')
  await hers.page.getByRole('option', { name: /Tomás Ibarrola/ }).waitFor()
  await hers.page.keyboard.press('Enter')
  await hers.page.keyboard.press('Control+Enter')
  const list = hers.page.getByRole('list', NOTES)
  await list.locator('.mention', { hasText: '@Tomás Ibarrola' }).waitFor()

  await field.fill('Asks for too much')
  await hers.page.getByRole('group', { name: 'Who reads it' }).getByRole('button', { name: 'Private' }).click()
  await hers.page.getByText('Only you, people you mention, owners and admins.').waitFor()
  await field.press('Control+Enter')
  const secret = list.getByRole('listitem').filter({ hasText: 'Asks for too much' })
  await secret.getByText('Private', { exact: true }).waitFor()
  assert.deepEqual(await axe(hers.page), [])

  const his = await open(tomas, `/applications/${id}?panel=notes`)
  await his.page.getByRole('list', NOTES).getByText('Please look').waitFor()
  assert.equal(await his.page.getByText('Asks for too much').count(), 0)
  await his.page.getByRole('link', { name: 'Activity', exact: true }).click()
  await his.page.getByRole('list', { name: 'Activity' }).getByText('Please look').waitFor()
  assert.equal(await his.page.getByText('Asks for too much').count(), 0)

  // her own note: changed, deleted, and its text is there again
  await secret.getByRole('button', { name: 'Edit note' }).click()
  await typeInFocus(hers.page, ' money')
  await hers.page.getByRole('button', { name: 'Save', exact: true }).click()
  await list.getByText('Asks for too much money').waitFor()
  await list.getByText('edited', { exact: true }).waitFor()
  await secret.getByRole('button', { name: 'Delete note' }).click()
  await secret.waitFor({ state: 'detached' })
  await hers.page.getByRole('button', { name: 'Undo' }).click()
  await hers.page.getByText('The text is in the form again.').waitFor()
  assert.equal(await field.inputValue(), 'Asks for too much money')
  assert.deepEqual([hers.problems, his.problems], [[], []])
  await hers.close()
  await his.close()
})

test('hiring notes: an interviewer reads how many notes wait for the scorecard, and is offered no message, contact detail or decision', {
  skip,
}, async () => {
  const { id } = await applicant()
  for (const body of ['Reference was poor', 'Salary is high'])
    assert.equal((await owner.post(`/applications/${id}/notes`, { body, mentions: [] })).status, 200)
  await owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [peng.userId] })
  const { page, problems, close } = await open(peng, `/applications/${id}?panel=notes`, { width: 390, theme: 'dark' })
  await page.getByText('2 notes. Submit your scorecard to read them.').waitFor()
  assert.equal(await page.getByText('Reference was poor').count(), 0)
  for (const tab of ['Messages', 'Checks']) assert.equal(await page.getByRole('link', { name: tab }).count(), 0, tab)
  for (const button of ['Hire', 'Reject', 'Move to…', 'Withdraw', '+ Tag'])
    assert.equal(await page.getByRole('button', { name: button, exact: true }).count(), 0, button)
  assert.deepEqual(await axe(page), [])
  await page.goto(`/hiring/applications/${id}?panel=overview`)
  await page.getByText('Your role does not include contact details.').waitFor()
  assert.equal((await peng.post(`/v1/applications/${id}/scorecards`, { recommendation: 'yes' })).status, 201)
  await page.goto(`/hiring/applications/${id}?panel=notes`)
  await page.getByRole('list', NOTES).getByText('Reference was poor').waitFor()
  assert.equal(await page.getByText('Submit your scorecard').count(), 0)
  assert.deepEqual(problems, [])
  await close()
})

test('hiring roles: a limited hiring manager decides and is offered no hire, on the page and the board; the team page changes the role', {
  skip,
}, async () => {
  const { id } = await applicant()
  const his = await open(tomas, `/applications/${id}`)
  await his.page.getByRole('button', { name: 'Reject', exact: true }).waitFor()
  await his.page.keyboard.press('h')
  await his.page.keyboard.press('?')
  await his.page.getByRole('dialog').getByText('Reject').first().waitFor()
  assert.equal(await his.page.getByRole('dialog').getByText('Hire', { exact: true }).count(), 0)
  await his.page.keyboard.press('Escape')
  assert.equal(await his.page.getByRole('button', { name: 'Hire', exact: true }).count(), 0)

  const team = await open(owner, `/jobs/${world.job.id}/team`)
  const role = team.page.getByLabel('Role of Tomás Ibarrola in this job')
  await role.waitFor()
  await team.page.getByText('keys of limited people cannot read candidates').waitFor()
  assert.deepEqual(await axe(team.page), [])
  await choose(role, 'recruiter')
  await team.page.getByText('Tomás Ibarrola is Recruiter in this job').waitFor()
  await his.page.reload()
  await his.page.getByRole('button', { name: 'Hire', exact: true }).waitFor()
  assert.deepEqual([his.problems, team.problems], [[], []])
  await his.close()
  await team.close()
})

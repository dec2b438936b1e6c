import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, newJob, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'

const skip = noBrowser

let world: World
let owner: Person
let peng: Person

before(async () => {
  if (noBrowser) return
  world = await startWorld()
  const enter = (role: 'owner' | 'member', email: string, firstName: string, lastName: string) =>
    signedIn(world.service, world.workspace, { role, email, firstName, lastName, program: 'hiring' })
  owner = await enter('owner', 'rosalind@acme.dev', 'Rosalind', 'Acker')
  peng = await enter('member', 'peng@acme.dev', 'Peng', 'Liangmoor')
})

const open = (person: Person, path: string, opts?: VisitOptions): Promise<Visit> =>
  openAs(world.service, person, `/hiring${path}`, opts)

const CRITERIA = ['Depth', 'Clarity', 'Drive', 'Care']

async function applicant() {
  const job = await newJob(world.service, world.workspace)
  const { version } = (await owner.get(`/jobs/${job.id}/criteria`)).body
  const criteria = CRITERIA.map(name => ({ name }))
  await owner.post(`/jobs/${job.id}/criteria`, { criteria, expected_version: version })
  const { id } = await apply({ ...world, job }, {}, { first_name: 'Ada', last_name: 'Byron' })
  return { id, job }
}

const panelOf = async (person: Person, id: string) => (await person.get(`/applications/${id}/scorecards`)).body
const draftOf = async (person: Person, id: string) =>
  (await person.get(`/applications/${id}/scorecard-draft`)).body.draft
const ofDraft = (id: string) => sql<{ n: number }>`
  select count(*)::integer as n from scorecard_drafts where application_id = ${id}`

test('hiring scorecards: four criteria and a recommendation are five digits and Ctrl+Enter; others show then', {
  skip,
}, async () => {
  const { id } = await applicant()
  await owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [peng.userId] })
  await owner.post(`/v1/applications/${id}/scorecards`, { recommendation: 'strong_no', summary: 'Unheard words' })
  const window = await open(peng, `/applications/${id}?panel=scorecards`)
  const { page } = window
  await page.getByText('1 scorecard. Yours first.').waitFor()
  assert.equal(await page.getByText('Unheard words').count(), 0)
  assert.deepEqual(await axe(page), [])
  await page.keyboard.press('n')
  await page.getByRole('radiogroup', { name: 'Depth: rating from 1 to 5' }).locator(':focus').waitFor()
  for (const digit of ['4', '3', '5', '2', '5']) await page.keyboard.press(digit)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Unheard words').waitFor()
  const { cards } = await panelOf(peng, id)
  const mine = cards.find((card: { mine: boolean }) => card.mine)
  assert.equal(mine.recommendation, 'strong_yes')
  assert.deepEqual(
    mine.ratings.map(({ name, score }: { name: string; score: number }) => [name, score]),
    CRITERIA.map((name, i) => [name, [4, 3, 5, 2][i]]),
  )
  await page.getByRole('region', { name: 'Summary of 2 scorecards' }).getByText('Average 3.5').waitFor()
  assert.deepEqual(await axe(page), [])

  await page.getByRole('button', { name: 'Add remark' }).click()
  await page.getByRole('textbox', { name: 'Remark' }).fill('He also knows Rust.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('list', { name: 'Scorecards' }).getByText('He also knows Rust.').waitFor()
  await page.getByRole('link', { name: 'Scorecards 2 (3.5)' }).waitFor()
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring scorecards: half a card on the laptop, the rest on the phone; the laptop does not overwrite it', {
  skip,
}, async () => {
  const { id } = await applicant()
  const path = `/applications/${id}?panel=scorecards`
  const laptop = await open(peng, path, { expectedStatuses: [409] })
  await laptop.page.getByRole('button', { name: 'Write scorecard' }).click()
  await laptop.page.keyboard.press('4')
  await laptop.page.keyboard.press('3')
  await laptop.page.getByText('Draft saved').waitFor()
  assert.equal((await draftOf(peng, id)).content.ratings.length, 2)

  const phone = await open(peng, path, { width: 390, theme: 'dark' })
  const clarity = phone.page.getByRole('radiogroup', { name: 'Clarity: rating from 1 to 5' })
  await until('the draft on the phone', () => clarity.getByRole('radio', { name: '3' }).isChecked())
  assert.equal(await phone.page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
  assert.deepEqual(await axe(phone.page), [])
  await phone.page.getByLabel('Summary').fill('From the train')
  await until('the draft', async () => (await draftOf(peng, id)).content.summary === 'From the train')

  await laptop.page.getByLabel('Summary').fill('From the desk')
  await laptop.page.getByText('This scorecard was changed on another device.').waitFor()
  assert.equal((await draftOf(peng, id)).content.summary, 'From the train')
  await laptop.page.getByRole('button', { name: 'Load the other version' }).click()
  await until(
    'the other version',
    async () => (await laptop.page.getByLabel('Summary').inputValue()) === 'From the train',
  )

  await phone.page.getByRole('radio', { name: '4, Yes' }).click()
  await phone.page.getByRole('button', { name: 'Submit' }).click()
  await phone.page.getByText('Scorecard submitted').waitFor()
  assert.deepEqual(await world.service.services.db.query(ofDraft(id)), [{ n: 0 }])
  assert.equal((await panelOf(peng, id)).cards[0].summary, 'From the train')
  for (const window of [laptop, phone]) {
    assert.deepEqual(window.problems, [])
    await window.close()
  }
})

test('hiring scorecards: a stage is set up with questions and criteria, which stand next to the form as a checklist', {
  skip,
}, async () => {
  const { id, job } = await applicant()
  const window = await open(owner, `/jobs/${job.id}/criteria`)
  const { page } = window
  await page.getByLabel('For the interviewers').fill('Be kind.')
  await page.getByRole('button', { name: 'Add question' }).click()
  await page.getByLabel('Question 1', { exact: true }).fill('Why CAN bus?')
  await choose(page.getByLabel('Criterion of question 1'), 'Depth')
  await page.getByLabel('All criteria of the job').uncheck()
  await page.getByRole('group', { name: 'Criteria that count here' }).last().getByLabel('Drive').uncheck()
  await page.getByLabel('Length in minutes').fill('45')
  await page.getByLabel('Peng Liangmoor').check()
  assert.deepEqual(await axe(page), [])
  await page.getByRole('button', { name: 'Save stage' }).click()
  await page.getByText('Stage saved').waitFor()
  const { kit } = (await owner.get(`/jobs/${job.id}/kits`)).body.stages[0]
  assert.deepEqual(kit, {
    intro: 'Be kind.',
    questions: [{ text: 'Why CAN bus?', criterion: 'Depth' }],
    criteria: ['Depth', 'Clarity', 'Care'],
    minutes: 45,
    interviewer_user_ids: [peng.userId],
  })

  await page.goto(`/hiring/applications/${id}?panel=scorecards`)
  await page.getByRole('button', { name: 'Write scorecard' }).click()
  const given = page.getByRole('region', { name: 'For this interview' })
  await given.getByText('Be kind.').waitFor()
  assert.equal(await page.getByRole('radiogroup', { name: 'Drive: rating from 1 to 5' }).count(), 0)
  await given.getByLabel('Why CAN bus?').check()
  await page.getByText('Draft saved').waitFor()
  await page.reload()
  assert.equal(await given.getByLabel('Why CAN bus?').isChecked(), true)
  const [left, right] = [
    await given.boundingBox(),
    await page.getByRole('form', { name: 'Your scorecard' }).boundingBox(),
  ]
  assert.ok(left && right && left.x + left.width <= right.x, 'left of the form')
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(window.problems, [])
  await window.close()
})

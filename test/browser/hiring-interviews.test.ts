import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { clock } from '../../src/kernel/time/clock.ts'
import { linkIn } from '../careers/candidate-setup.ts'
import type { Person as Member } from '../console/setup.ts'
import {
  axe,
  choose,
  inBothThemes,
  noBrowser,
  openAs,
  type Visit,
  type VisitOptions,
  visit,
} from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { type Applied, type InterviewWorld, readPanel, startInterviews } from '../interviews/setup.ts'

const skip = noBrowser
let world: InterviewWorld

before(async () => {
  if (!noBrowser) world = await startInterviews()
})
after(() => clock.reset())

/** The page has the clock of the service, which is at Monday, 1 March 2027. */
const open = (member: Member, path: string, opts: VisitOptions = {}): Promise<Visit> =>
  openAs(world.service, member, `/hiring${path}`, {
    timeZone: 'Europe/Berlin',
    ...opts,
    prepare: ({ context }) => context.clock.setSystemTime(clock.now()),
  })

const openCandidate = async (member: Member, { applicationId }: Applied, opts: VisitOptions = {}) => {
  const window = await open(member, `/applications/${applicationId}`, opts)
  await window.page.getByRole('button', { name: 'Advance to Screen' }).waitFor()
  return window
}

/** Presses keys and returns how many they were. */
async function press(page: Page, ...keys: string[]): Promise<number> {
  for (const key of keys) await page.keyboard.press(key)
  return keys.length
}

const typeInto = (page: Page, field: string, text: string) =>
  page.getByLabel(field, { exact: true }).and(page.locator(':focus')).fill(text)

const fits = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= innerWidth')

test('flow 7: a fixed interview with invitations: 3 keys and the typed day and time; Undo takes back plan and move', {
  skip,
}, async () => {
  const olga = await world.candidate()
  const { page, problems, close } = await openCandidate(world.devika, olga)
  let keys = await press(page, 'p')
  await typeInto(page, 'Day', '15 Mar')
  keys += await press(page, 'Tab')
  await typeInto(page, 'Time', '15:00')
  await page.getByRole('checkbox', { name: 'Move to Interview' }).and(page.locator(':checked')).waitFor()
  keys += await press(page, 'Control+Enter')
  assert.equal(keys, 3)
  const next = page.getByRole('region', { name: 'Next', exact: true })
  await next.getByText('Mon 15 Mar, 15:00').waitFor()
  await page.getByText('Interview planned. Invitations leave in 10 s.').waitFor()
  const [planned] = (await readPanel(world.devika, olga.applicationId)).interviews
  assert.deepEqual(
    [planned.status, planned.starts_at, planned.ends_at, planned.time_zone],
    ['scheduled', '2027-03-15T14:00:00.000Z', '2027-03-15T15:00:00.000Z', 'Europe/Berlin'],
  )
  const read = async () => (await world.devika.get(`/v1/applications/${olga.applicationId}`)).body
  assert.deepEqual([(await read()).status, planned.stage_id], ['advanced', (await read()).stage_id])
  await press(page, 'z')
  await next.waitFor({ state: 'detached' })
  await until('moved back', async () => (await read()).status === 'new')
  assert.deepEqual((await readPanel(world.devika, olga.applicationId)).interviews, [])
  assert.deepEqual(await world.deliverAll(), [])
  // what was entered is in the dialog again
  await press(page, 'p')
  assert.equal(await page.getByLabel('Time', { exact: true }).inputValue(), '15:00')
  await press(page, 'Control+Enter')
  await next.getByText('Mon 15 Mar, 15:00').waitFor()
  const sent = await world.deliverAll()
  assert.deepEqual(
    sent.map(({ to, invite }) => [to, invite?.startsAt]),
    [[olga.email, '2027-03-15T14:00:00.000Z']],
  )
  assert.deepEqual(problems, [])
  await close()
})

test('flow 8: times to choose from: 6 keys and clicks; the candidate takes one in their own time zone', {
  skip,
}, async () => {
  const olga = await world.candidate()
  const hers = await openCandidate(world.devika, olga)
  const { page } = hers
  let steps = await press(page, 'p')
  const dialog = page.getByRole('dialog', { name: 'Plan an interview with Olga Kensington' })
  await typeInto(page, 'Day', '15 Mar')
  await choose(dialog.getByLabel('People'), 'Peng Liangmoor')
  await dialog.getByRole('img', { name: 'Peng Liangmoor: works 09:00–17:00' }).waitFor()
  await inBothThemes(page, async () => assert.deepEqual(await axe(page, 'dialog'), []))
  await dialog.getByRole('button', { name: 'Offer times' }).first().click()
  steps++
  for (const time of ['11:00', '15:00', '17:30']) {
    await dialog.locator(`[data-time="${time}"]`).click()
    steps++
  }
  await dialog.getByText('Mon 15 Mar, 17:30 is outside the hours of Peng Liangmoor.').waitFor()
  await dialog.getByLabel('Day', { exact: true }).focus()
  steps += await press(page, 'Control+Enter')
  assert.equal(steps, 6)
  const next = page.getByRole('region', { name: 'Next', exact: true })
  await next.getByText('3 times offered, until Mon 15 Mar, 05:30').waitFor()
  await inBothThemes(page, async () => assert.deepEqual(await axe(page), []))

  const [mail] = await world.deliverAll()
  assert.equal(mail?.to, olga.email)
  const theirs = await visit(world.service.origin, { timeZone: 'America/New_York' })
  await theirs.page.goto(await linkIn(world.mails.arrived.at(-1)!))
  await theirs.page.locator('main button').click()
  await theirs.page.getByRole('heading', { name: 'Choose a time for your interview' }).waitFor()
  await theirs.page.getByText('10:00–11:00').waitFor()
  await theirs.page.getByRole('button', { name: /Take this time: .*10:00/ }).click()
  await theirs.page.getByText('Your interview is planned.').waitFor()
  const sent = await world.deliverAll()
  assert.deepEqual(sent.map(({ to, invite }) => [to, invite?.method, invite?.startsAt]).toSorted(), [
    [olga.email, 'REQUEST', '2027-03-15T14:00:00.000Z'],
    ['peng@acme.test', 'REQUEST', '2027-03-15T14:00:00.000Z'],
  ])
  assert.match(sent.find(({ to }) => to === olga.email)?.text ?? '', /10:00.*America\/New York, UTC-4/)

  await page.reload()
  await next.getByText('Mon 15 Mar, 15:00').waitFor()
  await next.getByText('chosen by the candidate').waitFor()
  assert.deepEqual([...hers.problems, ...theirs.problems], [])
  await hers.close()
  await theirs.close()
})

test('interviews: moved, canceled and taken back on the page; another interview of the person warns and does not forbid', {
  skip,
}, async () => {
  const olga = await world.candidate()
  const ruben = await world.candidate({ first_name: 'Ruben', last_name: 'Wainwright' })
  const span = { starts_at: '2027-03-16T10:00:00+01:00', ends_at: '2027-03-16T11:00:00+01:00' }
  const base = { kind: 'onsite', time_zone: 'Europe/Berlin', interviewer_user_ids: [world.peng.userId] }
  const planned = await world.devika.post(`/applications/${ruben.applicationId}/interviews`, { ...base, ...span })
  assert.equal(planned.status, 200, planned.text)
  await world.devika.post(`/applications/${olga.applicationId}/interviews`, {
    ...{ ...base, kind: 'video', meeting_url: 'https://meet.acme.test/7' },
    ...{ starts_at: '2027-03-17T10:00:00+01:00', ends_at: '2027-03-17T11:00:00+01:00' },
  })
  await world.deliverAll()
  const { page, problems, close } = await openCandidate(world.devika, olga, { width: 390, height: 844 })
  const next = page.getByRole('region', { name: 'Next', exact: true })
  const act = async (item: string) => {
    await next.getByRole('button', { name: 'What to do with this interview' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await next.getByText('Wed 17 Mar, 10:00').waitFor()
  await act('Move…')
  const dialog = page.getByRole('dialog', { name: 'Move the interview with Olga Kensington' })
  assert.equal(await dialog.getByLabel('Link').inputValue(), 'https://meet.acme.test/7')
  await dialog.getByLabel('Day', { exact: true }).fill('16 Mar')
  await dialog.getByText('Peng Liangmoor has another interview at 10:00.').waitFor()
  assert.ok(await fits(page))
  assert.deepEqual(await axe(page, 'dialog'), [])
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
  await next.getByText('Tue 16 Mar, 10:00').waitFor()
  const moved = await world.deliverAll()
  assert.deepEqual(
    moved.map(({ invite }) => [invite?.method, invite?.sequence, invite?.startsAt]),
    [1, 2].map(() => ['REQUEST', 1, '2027-03-16T09:00:00.000Z']),
  )
  await act('Cancel interview')
  await next.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await next.getByText('Tue 16 Mar, 10:00').waitFor()
  assert.deepEqual(await world.deliverAll(), [])
  await act('Cancel interview')
  await page.locator('.line-interview').getByText('Canceled').waitFor()
  assert.deepEqual(
    (await world.deliverAll()).map(({ invite }) => [invite?.method, invite?.sequence]),
    [1, 2].map(() => ['CANCEL', 2]),
  )
  assert.deepEqual(problems, [])
  await close()
})

test('reject and withdraw with an interview ahead: the box cancels it with the decision, without a further key', {
  skip,
}, async () => {
  const time = { starts_at: '2027-03-18T10:00:00+01:00', ends_at: '2027-03-18T11:00:00+01:00' }
  const plan = { kind: 'phone', time_zone: 'Europe/Berlin', interviewer_user_ids: [world.peng.userId], ...time }
  const ask = async (key: string) => {
    const person = await world.candidate()
    await world.devika.post(`/applications/${person.applicationId}/interviews`, plan)
    await world.deliverAll()
    const window = await openCandidate(world.devika, person)
    await press(window.page, key)
    const box = window.page.getByRole('checkbox', { name: 'Cancel the planned interview' })
    await box.and(window.page.locator(':checked')).waitFor()
    const isCanceled = async () => {
      await until('canceled', async () => {
        const { interviews } = await readPanel(world.devika, person.applicationId)
        return interviews[0].status === 'canceled'
      })
      const sent = await world.deliverAll()
      assert.deepEqual(
        sent.map(({ invite }) => [invite?.method, invite?.sequence]),
        [1, 2].map(() => ['CANCEL', 1]),
      )
    }
    return { ...window, box, isCanceled }
  }
  const rejection = await ask('r')
  await inBothThemes(rejection.page, async () => assert.deepEqual(await axe(rejection.page, 'dialog'), []))
  await rejection.box.uncheck()
  await press(rejection.page, 'Escape', 'r')
  await rejection.box.and(rejection.page.locator(':not(:checked)')).waitFor()
  await rejection.box.check()
  await rejection.page.getByRole('dialog').getByRole('radio', { name: 'Interview' }).focus()
  await press(rejection.page, '2', 'Enter')
  await rejection.isCanceled()
  const withdrawal = await ask('w')
  await press(withdrawal.page, '2')
  await withdrawal.isCanceled()
  assert.deepEqual([...rejection.problems, ...withdrawal.problems], [])
  await rejection.close()
  await withdrawal.close()
})

test('board: a card has the next interview, in the days that come by its weekday', { skip }, async () => {
  const olga = await world.candidate({ first_name: 'Zoe', last_name: 'Corvantes' })
  const { job_id } = (await world.devika.get(`/v1/applications/${olga.applicationId}`)).body
  const times = [
    { starts_at: '2027-03-25T10:00:00+01:00', ends_at: '2027-03-25T11:00:00+01:00' },
    { starts_at: '2027-03-04T15:30:00+01:00', ends_at: '2027-03-04T16:00:00+01:00' },
  ]
  const plan = { kind: 'phone', time_zone: 'Europe/Berlin', interviewer_user_ids: [], invite_candidate: false }
  const [, soon] = await Promise.all(
    times.map(time => world.devika.post(`/applications/${olga.applicationId}/interviews`, { ...plan, ...time })),
  )
  const { page, problems, close } = await open(world.devika, `/jobs/${job_id}`)
  const card = page.locator('.board-card', { hasText: 'Zoe Corvantes' })
  await card.getByText('Thu 15:30').waitFor()
  await world.devika.post(`/applications/${olga.applicationId}/interviews/${soon!.body.id}/cancel`, {})
  await page.reload()
  await card.getByText('25 Mar, 10:00').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

test('plan: length and people are those of the kit of the stage, until the reader chooses others', {
  skip,
}, async () => {
  const olga = await world.candidate()
  const { job_id } = (await world.devika.get(`/v1/applications/${olga.applicationId}`)).body
  const { stages } = (await world.devika.get(`/jobs/${job_id}/board`)).body
  const { id } = stages.find(({ type }: { type: string }) => type === 'interview')
  const kits = (await world.devika.get(`/jobs/${job_id}/kits`)).body
  const stage = kits.stages.find((one: { id: string }) => one.id === id)
  const kit = { intro: null, questions: [], criteria: null, minutes: 30, interviewer_user_ids: [world.peng.userId] }
  const saved = await world.devika.post(`/jobs/${job_id}/kits`, {
    ...{ stage_id: stage.id, kit, expected_version: stage.version },
  })
  assert.equal(saved.status, 200, saved.text)
  const { page, problems, close } = await openCandidate(world.devika, olga)
  await press(page, 'p')
  const dialog = page.getByRole('dialog', { name: 'Plan an interview with Olga Kensington' })
  await dialog.getByRole('button', { name: 'Leave out Peng Liangmoor' }).waitFor()
  assert.equal(await dialog.getByLabel('Length').innerText(), '30 min')
  await dialog.getByRole('button', { name: 'Leave out Peng Liangmoor' }).click()
  await dialog.getByText('Add people to see their hours').waitFor()
  assert.deepEqual(problems, [])
  await close()
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { sql } from '../../src/kernel/db/sql.ts'
import { sequenceBatch } from '../../src/kernel/feed/sequencer.ts'
import { apply, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { axe, choose, noBrowser, openAs, type Visit, type VisitOptions } from '../harness/browser.ts'
import { until } from '../harness/receiver.ts'
import { startMailServer } from '../harness/smtp.ts'

const skip = noBrowser
const smtp = noBrowser ? undefined : await startMailServer()

let world: World
let owner: Person
let admin: Person

before(async () => {
  if (noBrowser) return
  world = await startWorld({ SMTP_URL: smtp!.url, MAIL_FROM: 'jobs@acme.dev' })
  const enter = (role: 'owner' | 'admin', email: string, firstName: string, lastName: string) =>
    signedIn(world.service, world.workspace, { role, email, firstName, lastName, program: 'hiring' })
  owner = await enter('owner', 'rosalind@acme.dev', 'Rosalind', 'Acker')
  admin = await enter('admin', 'tomas@acme.dev', 'Tomás', 'Lindqvist')
  await owner.post('/message-templates', {
    name: 'Not this time',
    subject: 'About {{job_title}}',
    body: 'Dear {{first_name}},\n\nnot this time.',
  })
})

let numbers = 0
const applicant = (more: object = {}) =>
  apply(world, {}, { first_name: 'Ada', last_name: 'Byron', email: `ada${++numbers}@people.dev`, ...more })

const open = (person: Person, path: string, opts?: VisitOptions): Promise<Visit> =>
  openAs(world.service, person, `/hiring${path}`, opts)

/** Someone else moves the candidate; the change reaches the page as a live event. */
const moveElsewhere = async (id: string, stage: string) => {
  await admin.post(`/v1/applications/${id}/move`, { stage_id: stage })
  while ((await sequenceBatch(world.service.services.db)) > 0);
}

const state = async (id: string) => (await owner.get(`/v1/applications/${id}`)).body
const dialog = (page: Page) => page.getByRole('dialog', { name: /^Reject/ })

async function rejectWithMessage(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Reason').fill('Too few years')
  await dialog(page).getByLabel('Send the candidate a message').check()
  await dialog(page)
    .getByText('Sends in 10 seconds, if a hiring page is still open. Until then, Undo takes back both.')
    .waitFor()
  await choose(dialog(page).getByLabel('Template'), { label: 'Not this time' })
  await dialog(page).getByRole('region', { name: 'Preview' }).getByText('Dear Ada,').waitFor()
  assert.deepEqual(await axe(page), [])
  await dialog(page).getByRole('button', { name: 'Reject' }).click()
  await page.getByText('The message is sent in 10 seconds').waitFor()
}

test('hiring rejection: its message leaves after the ten seconds of undo, and is listed with its template', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.clock.install()
  const before = smtp!.arrived.length
  const time = () => page.evaluate('performance.now()') as Promise<number>
  const start = await time()
  await rejectWithMessage(page)
  assert.equal((await state(id)).status, 'rejected')
  await page.clock.runFor(3_000)
  const { length } = smtp!.arrived
  // on a slow machine the ten seconds may be over
  if ((await time()) - start < 10_000) assert.equal(length, before)
  await page.clock.runFor(11_000)
  await until('the message arrived', () => smtp!.arrived.length === before + 1)
  assert.match(String(smtp!.arrived.at(-1)!.raw), /Dear Ada,/)
  await page.getByText('Message to Ada Byron sent').waitFor()
  const { data } = (await owner.get(`/applications/${id}/messages`)).body
  assert.deepEqual([data.length, data[0].status], [1, 'sent'])
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring rejection: undo cancels the message and restores what it was; the toast says so and is gone', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.clock.install()
  const before = smtp!.arrived.length
  await rejectWithMessage(page)
  await page.locator('h1').focus()
  await page.keyboard.press('z')
  await page.getByText('Ada Byron is new again. The message was not sent.').waitFor()
  assert.equal(await page.getByText('The message is sent in 10 seconds').count(), 0)
  assert.equal((await state(id)).status, 'new')
  await page.clock.runFor(20_000)
  assert.deepEqual((await owner.get(`/applications/${id}/messages`)).body.data, [])
  assert.equal(smtp!.arrived.length, before)
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring rejection: a message that is refused is kept, and the page leads to its text', { skip }, async () => {
  const { id, applicant_id } = await applicant()
  const window = await open(owner, `/applications/${id}`, { expectedStatuses: [409] })
  const { page } = window
  await page.clock.install()
  await rejectWithMessage(page)
  const { db } = world.service.services
  const away = (value: ReturnType<typeof sql>) =>
    db.query(sql`update applicants set unsubscribed_at = ${value} where id = ${applicant_id}`)
  await away(sql`app_now()`)
  await page.clock.runFor(11_000)
  await page.getByText(/The message to Ada Byron was not sent/).waitFor()
  await away(sql`null`)
  await page.getByRole('button', { name: 'Open the text' }).click()
  const form = page.getByRole('form', { name: 'New message' })
  await form.waitFor()
  assert.match(await form.getByLabel('Message').inputValue(), /not this time/)
  assert.deepEqual(window.problems, [])
  await window.close()
})

const messagesTo = async (id: string) => (await owner.get(`/applications/${id}/messages`)).body.data.length
const keptKeys = (page: Page) =>
  page.evaluate(
    `[...Object.keys(sessionStorage), ...Object.keys(localStorage)].filter(key => /^hiring-(outgoing|draft|list) /.test(key)).length`,
  )

test('hiring rejection: a message that waits when the page is read again leaves at its time, once, also with two tabs', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  const before = smtp!.arrived.length
  await rejectWithMessage(page)
  const second = await window.context.newPage()
  await page.clock.setFixedTime(Date.now() + 12_000)
  await page.reload()
  await second.goto(`/hiring/applications/${id}`)
  await until('it arrived, and its fate is known', async () => (await keptKeys(page)) === 0)
  assert.equal(smtp!.arrived.length, before + 1)
  assert.equal(await messagesTo(id), 1)
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring rejection: after a reload the message can still be taken back, in any tab; none sends it then', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.clock.install()
  const before = smtp!.arrived.length
  await rejectWithMessage(page)
  const leavesAt = Number(
    await page.evaluate(
      `JSON.parse(localStorage[Object.keys(localStorage).find(key => key.startsWith('hiring-outgoing '))]).leavesAt`,
    ),
  )
  await page.goto('about:blank')
  const second = await window.context.newPage()
  // no time has passed, however slow the machine is
  await second.clock.setFixedTime(leavesAt - 10_000)
  await second.goto(`/hiring/applications/${id}`)
  await second.getByRole('button', { name: 'Undo' }).click()
  await second.getByText('Ada Byron reopened. Nothing was sent.').waitFor()
  assert.equal((await state(id)).status, 'new')
  await page.goto(`/hiring/applications/${id}`)
  await page.locator('h1').waitFor()
  await page.clock.runFor(20_000)
  assert.equal(await keptKeys(page), 0)
  assert.equal(await messagesTo(id), 0)
  assert.equal(smtp!.arrived.length, before)
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring rejection: a message that is found long after its time is offered as a draft, and not sent', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.clock.install()
  const before = smtp!.arrived.length
  await rejectWithMessage(page)
  await page.clock.setFixedTime(Date.now() + 3_600_000)
  await page.reload()
  await page.getByText(/The message to Ada Byron was not sent. It is too late/).waitFor()
  await page.getByRole('button', { name: 'Open the text' }).click()
  assert.match(
    await page.getByRole('form', { name: 'New message' }).getByLabel('Message').inputValue(),
    /not this time/,
  )
  assert.equal(smtp!.arrived.length, before)
  assert.deepEqual(window.problems, [])
  await window.close()
})

for (const who of ['a colleague', 'Reopen']) {
  test(`hiring rejection: reopened by ${who} instead of Undo, its message is not sent, and its text is kept`, {
    skip,
  }, async () => {
    const { id } = await applicant()
    const window = await open(owner, `/applications/${id}`)
    const { page } = window
    await page.clock.install()
    const before = smtp!.arrived.length
    await rejectWithMessage(page)
    if (who === 'Reopen') {
      await page.getByRole('button', { name: 'Reopen' }).click()
      await page.getByText('The message was not sent; its text is under Messages.').waitFor()
    } else await admin.post(`/v1/applications/${id}/reopen`, {})
    await page.clock.runFor(20_000)
    if (who !== 'Reopen')
      await page.getByText('The message to Ada Byron was not sent. The application is not rejected any more.').waitFor()
    await page.getByRole('link', { name: 'Messages', exact: true }).click()
    const form = page.getByRole('form', { name: 'New message' })
    assert.match(await form.getByLabel('Message').inputValue(), /not this time/)
    assert.equal(await messagesTo(id), 0)
    assert.equal(smtp!.arrived.length, before)
    assert.deepEqual(window.problems, [])
    await window.close()
  })
}

test('hiring decisions: a note written at the same time is no conflict, neither for a rejection nor for its undo', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.clock.install()
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Reason').fill('Too few years')
  const note = { body: 'Called them.' }
  assert.equal((await admin.post(`/v1/applications/${id}/notes`, note)).status, 201)
  await dialog(page).getByRole('button', { name: 'Reject' }).click()
  await page.getByText('Ada Byron rejected').waitFor()
  assert.equal((await owner.post(`/v1/applications/${id}/notes`, note)).status, 201)
  await page.locator('h1').focus()
  await page.keyboard.press('z')
  await page.getByText('Ada Byron is new again').waitFor()
  assert.equal((await state(id)).status, 'new')
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring decisions: Escape keeps what was typed in the dialogs of a rejection and a withdrawal', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  for (const action of ['Reject', 'Withdraw']) {
    const asked = page.getByRole('dialog', { name: new RegExp(`^${action}`) })
    const button = page.locator('.candidate-actions').getByRole('button', { name: action })
    await button.click()
    await asked.getByLabel('Reason').fill('A long reason')
    if (action === 'Reject') {
      await asked.getByLabel('Send the candidate a message').check()
      await asked.getByLabel('Subject').fill('About it')
    }
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    await button.click()
    assert.equal(await asked.getByLabel('Reason').inputValue(), 'A long reason')
    if (action === 'Reject') assert.equal(await asked.getByLabel('Subject').inputValue(), 'About it')
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
  }
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring drafts: after a sign-out in another tab nothing is kept, and nothing that is typed is written', {
  skip,
}, async () => {
  const { id } = await applicant()
  const guest = await signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
  const window = await open(guest, `/applications/${id}?panel=notes`, { expectedStatuses: [401] })
  const { page } = window
  await page.getByLabel('New note').fill('Half a thou')
  assert.equal(await keptKeys(page), 1)
  const second = await window.context.newPage()
  await second.goto(`/hiring/applications/${id}`)
  await second.getByRole('button', { name: 'Sign out' }).click()
  await second.waitForURL(url => !url.pathname.startsWith('/hiring/applications'))
  await until('it is gone', async () => (await keptKeys(page)) === 0)
  await page.getByLabel('New note').fill('Half a thought')
  assert.equal(await keptKeys(page), 0)
  await window.close()
})

test('hiring rejection: who signs out in the meantime sends its message first', { skip }, async () => {
  const { id } = await applicant()
  const guest = await signedIn(world.service, world.workspace, {
    role: 'admin',
    email: 'guest@acme.dev',
    program: 'hiring',
  })
  const window = await open(guest, `/applications/${id}`)
  const { page } = window
  const before = smtp!.arrived.length
  await rejectWithMessage(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(url => !url.pathname.startsWith('/hiring/applications'))
  assert.equal(smtp!.arrived.length, before + 1)
  assert.equal(await page.evaluate(`Object.keys(sessionStorage).filter(key => key.startsWith('hiring-')).length`), 0)
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring decisions: a dialog decides about what its reader saw; the conflict says what it is now, and nothing typed is lost', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`, { expectedStatuses: [409] })
  const { page } = window
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Reason').fill('Lives too far away')
  await moveElsewhere(id, world.job.stages[2]!)
  // the page below the dialog shows it
  await page.locator('.candidate-line', { hasText: 'Interview' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByText('Tomás Lindqvist moved Ada Byron to Interview. Your change was not made.').waitFor()
  assert.equal((await state(id)).status, 'new')
  assert.equal(await dialog(page).getByLabel('Reason').inputValue(), 'Lives too far away')
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Withdraw' }).click()
  const withdraw = page.getByRole('dialog', { name: /^Withdraw/ })
  await withdraw.getByLabel('Reason').fill('Called us')
  await moveElsewhere(id, world.job.stages[1]!)
  await page.locator('.candidate-line', { hasText: 'Screen' }).waitFor()
  await withdraw.getByRole('button', { name: 'Withdraw' }).click()
  await withdraw.getByText('Tomás Lindqvist moved Ada Byron to Screen. Your change was not made.').waitFor()
  await withdraw.getByRole('button', { name: 'Withdraw' }).click()
  await withdraw.waitFor({ state: 'detached' })
  assert.equal((await state(id)).status, 'withdrawn')
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring decisions: an open move dialog follows what others do; Enter is then about what it shows', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  const move = page.getByRole('dialog', { name: 'Move Ada Byron to' })
  const choice = (name: string) => move.getByRole('button', { name })
  await page.getByRole('button', { name: 'Move to…' }).click()
  await choice('Screen').and(page.locator(':focus')).waitFor()
  await moveElsewhere(id, world.job.stages[1]!)
  await move.getByText('Tomás Lindqvist moved Ada Byron to Screen.').waitFor()
  await choice('Screen').getByText('Current stage').waitFor()
  assert.equal(await choice('Applied').isDisabled(), false)
  await choice('Interview').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Ada Byron moved to Interview').waitFor()
  assert.equal((await state(id)).stage_id, world.job.stages[2])
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring decisions: a refused change names the candidate, who was faster and what they did; so does the history', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  const alert = page.getByRole('alert')
  const promote = page.getByRole('button', { name: 'Mark as in review' })
  await promote.waitFor()
  // the page learns of it when it is refused
  await admin.post(`/v1/applications/${id}/reject`, { reason: 'Too far away' })
  await promote.click()
  await alert.getByText('Tomás Lindqvist rejected Ada Byron. Your change was not made.').waitFor()
  await admin.post(`/v1/applications/${id}/reopen`, {})
  await admin.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1]! })
  await page.reload()
  await page.getByRole('button', { name: 'Hire' }).click()
  await admin.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[2]! })
  await page.getByRole('dialog').getByRole('button', { name: 'Hire' }).click()
  await alert.getByText('Tomás Lindqvist moved Ada Byron to Interview. Your change was not made.').waitFor()
  assert.equal((await state(id)).status, 'in_review')
  await page.getByRole('link', { name: 'Activity' }).click()
  await page.locator('.history li').first().waitFor()
  assert.deepEqual(await page.locator('.history li > span:first-child').allInnerTexts(), [
    'Tomás Lindqvist moved to Interview from Screen',
    'Tomás Lindqvist moved to Screen from Applied',
    'Tomás Lindqvist reopened the application',
    'Tomás Lindqvist rejected',
    'Ada Byron applied through Acme ATS',
  ])
  assert.deepEqual(await axe(page), [])
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring rejection: after a conflict, the next attempt is about what the page shows then, and not about what it will show', {
  skip,
}, async () => {
  const { id } = await applicant()
  const window = await open(owner, `/applications/${id}`)
  const { page } = window
  await page.getByRole('button', { name: 'Reject' }).click()
  await dialog(page).getByLabel('Reason').fill('Too few years')
  // the page cannot read the candidate again until later
  const { promise: held, resolve: respond } = Promise.withResolvers<void>()
  await page.route(`**/hiring/api/candidates/${id}`, async route => {
    await held
    await route.continue().catch(() => {})
  })
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
  })
  const reject = dialog(page).getByRole('button', { name: 'Reject' })
  const attempt = async () => {
    const looked = page.waitForResponse(`**/hiring/api/v1/applications/${id}`)
    await reject.click()
    await (await looked).finished()
    await dialog(page).locator('button[type=submit]:not([aria-busy=true]):not([disabled])').waitFor()
  }
  assert.equal((await admin.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1]! })).status, 200)
  await attempt()
  await dialog(page).getByText('Someone else changed Ada Byron.').waitFor()
  // the page still shows the first stage, so this is a decision about that
  await attempt()
  await dialog(page).getByText('Someone else changed Ada Byron.').waitFor()
  assert.deepEqual([sent, (await state(id)).status], [[], 'new'])

  respond()
  await dialog(page).getByText('Tomás Lindqvist moved Ada Byron to Screen.').waitFor()
  await reject.click()
  await page.locator('.page-head .state', { hasText: 'Rejected' }).waitFor()
  assert.deepEqual(sent, [`/hiring/api/applications/${id}/reject`])
  assert.equal((await state(id)).stage_id, world.job.stages[1])
  assert.deepEqual(window.problems, [])
  await window.close()
})

test('hiring drafts: notes, scorecards and messages survive other parts, the next candidate and a reload; sent or signed out, they are gone', {
  skip,
}, async () => {
  const [{ id }, other] = [await applicant(), await applicant()]
  const guest = await signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
  const window = await open(guest, `/applications/${id}?panel=notes`)
  const { page } = window
  const tab = (name: string) =>
    page.getByRole('navigation', { name: 'Parts of this candidate' }).getByRole('link', { name, exact: true }).click()
  await page.getByLabel('New note').fill('Half a thou')
  await tab('Scorecards')
  await page.getByRole('button', { name: 'Write your scorecard' }).click()
  await page.getByLabel('Summary').fill('Knows her')
  await page.getByRole('button', { name: 'Strong yes' }).click()
  await tab('Messages')
  await page.getByLabel('Subject').fill('When can')
  await page.goto(`/hiring/applications/${other.id}?panel=notes`)
  assert.equal(await page.getByLabel('New note').inputValue(), '')
  await page.goto(`/hiring/applications/${id}?panel=messages`)
  assert.equal(await page.getByLabel('Subject').inputValue(), 'When can')
  await tab('Scorecards')
  assert.equal(await page.getByLabel('Summary').inputValue(), 'Knows her')
  assert.equal(await page.getByRole('button', { name: 'Strong yes' }).getAttribute('aria-pressed'), 'true')
  await page.getByRole('button', { name: 'Save scorecard' }).click()
  await page.getByText('Scorecard saved').waitFor()
  await tab('Notes')
  assert.equal(await page.getByLabel('New note').inputValue(), 'Half a thou')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('list', { name: 'Notes' }).getByText('Half a thou').waitFor()
  await page.reload()
  assert.equal(await page.getByLabel('New note').inputValue(), '')
  const kept = () => page.evaluate(`Object.keys(sessionStorage).filter(key => key.startsWith('hiring-')).length`)
  assert.equal(await kept(), 1)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(url => !url.pathname.startsWith('/hiring/applications'))
  assert.equal(await kept(), 0)
  assert.deepEqual(window.problems, [])
  await window.close()
})

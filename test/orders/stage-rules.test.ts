import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { applyOnForm, moveApplication } from '../../src/resources/applications/index.ts'
import { candidateMails } from '../../src/resources/candidates/index.ts'
import { setStages } from '../../src/resources/jobs/index.ts'
import {
  attendDueOrders,
  cancelOrder,
  orderTasks,
  placeOrder,
  remindCandidate,
  sendInvitation,
} from '../../src/resources/orders/index.ts'
import { offerPackage } from '../../src/resources/packages/index.ts'
import {
  acceptance,
  act,
  apply,
  newOrder,
  newVendor,
  offeredPackage,
  orderEvents,
  packageBody,
  startWorld,
} from './setup.ts'

const world = await startWorld()
const { service, key, workspace, job, userId } = world
const { db, services } = { db: service.services.db, services: service.services }
const DAY = 86_400_000

const [applied, screen] = job.stages as [string, string]
const setRules = async (packages: readonly string[], stageName = 'Screen') => {
  const rows = await db.query(sql<{ id: string; name: string; type: 'applied'; is_terminal: boolean }>`
    select id, name, type, is_terminal from pipeline_stages where workspace_id = ${workspace} and job_id = ${job.id}
    order by position`)
  const stages = rows.map(row => ({ ...row, ...(row.name === stageName ? { order_package_ids: [...packages] } : {}) }))
  await db.transaction(tx => setStages(tx, workspace, job.id, stages))
}

/** Sends what waits, and returns the emails about checks. */
async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
  while (await sendNextMails(services, candidateMails(writeCandidateMail)));
  return (await services.outbox.list())
    .filter(mail => /typing test/i.test(mail.subject))
    .map(({ to, subject, text }) => ({ to: String(to), subject, text }))
}

const ordersOf = async (application: string) =>
  (await service.get(`/applications/${application}/orders`, key)).body.data

const moveInPages = (id: string, stageId: string) =>
  db.transaction(tx => moveApplication(tx, { workspace, id, stageId, originKeyId: null, userId }))

test('stage rules: an API move orders without an email; a move by a person is mailed once, after the vendor accepted', async () => {
  const vendor = await newVendor(world)
  const packageId = await offeredPackage(world, vendor)
  await setRules([packageId])
  const [one, two] = [(await apply(world)).id, (await apply(world)).id]

  await service.post(`/applications/${one}/move`, key, { stage_id: screen })
  const [byKey] = await ordersOf(one)
  assert.deepEqual([byKey.placed_by, byKey.invitation.by], [{ object: 'stage_rule', id: screen }, 'caller'])
  assert.equal((await orderEvents(world)).at(-1)!.data.object['id'], byKey.id)
  await act(world, { ...(await ordered(byKey, vendor)) }, 'accept', acceptance())
  assert.deepEqual(await mails(), [])

  await moveInPages(two, screen)
  const [byPerson] = await ordersOf(two)
  assert.equal(byPerson.invitation.by, 'service')
  assert.deepEqual(await mails(), [])
  const accepted = await act(world, await ordered(byPerson, vendor), 'accept', acceptance())
  assert.notEqual(accepted.body.invitation.sent_at, null)
  const [mail, ...more] = await mails()
  assert.equal(more.length, 0)
  assert.match(mail!.text, /Example Tests/)
  const { title } = (await service.get(`/jobs/${job.id}`, key)).body
  assert.ok(mail!.text.includes(`your application for “${title}”`), 'the job is named')
  assert.match(mail!.text, /https:\/\/tests\.example\.com\/privacy/)
  assert.match(mail!.text, new RegExp(`/careers/[^/]+/checks/${workspace}\\.${byPerson.id}\\.`))
  assert.ok(!mail!.text.includes('https://tests.example.com/t/'))
})

/** An application on the public form, by someone who has not proved the address. */
async function applyOnPublicForm(email: string): Promise<string> {
  const applied = await db.transaction(tx =>
    applyOnForm(tx, services.blobs, workspace, job.id, {
      candidate: { first_name: 'Eve', last_name: 'Byron', email },
      form: {
        language: 'en',
        consents: {},
        prescreen: {},
        files: {},
        equalOpportunity: {},
        voiceScreeningOptedOut: true,
      },
      answers: [],
    }),
  )
  assert.ok(!(applied instanceof ApiError))
  return applied.application.id
}

test('stage rules: the first stage orders for new applications, by key and on the form; the invitation waits for a person', async () => {
  const vendor = await newVendor(world)
  const packageId = await offeredPackage(world, vendor)
  await setRules([packageId], 'Applied')
  const before = (await mails()).length
  const ids = [(await apply(world)).id, await applyOnPublicForm('form.rule@example.org')]
  for (const id of ids) {
    const [order, ...more] = await ordersOf(id)
    assert.equal(more.length, 0)
    assert.deepEqual(
      [order.package_id, order.stage_id, order.placed_by, order.invitation.by],
      [packageId, applied, { object: 'stage_rule', id: applied }, 'caller'],
    )
    const events = (await orderEvents(world)).filter(event => event.data.object['id'] === order.id)
    assert.deepEqual(
      events.map(event => event.type),
      ['order.created'],
    )
    const body = (await act(world, await ordered(order, vendor), 'accept', acceptance())).body
    assert.deepEqual([body.status, body.invitation.sent_at], ['invited', null])
  }
  assert.equal((await mails()).length, before)
  await db.query(sql`insert into job_team (workspace_id, job_id, user_id, role)
    values (${workspace}, ${job.id}, ${userId}, 'recruiter') on conflict do nothing`)
  const tasks = await db.query(
    orderTasks({ workspace, userId, limited: false, interviews: false, gone: [], view: 'open' }),
  )
  for (const id of ids) assert.equal(tasks.find(task => task.application_id === id)?.reason, 'not_invited')
  await setRules([], 'Applied')
})

test('stage rules: a form with details that no one has proved orders nothing of which the vendor sends the invitation', async () => {
  const packageId = await offeredPackage(world, await newVendor(world), { invitation: 'vendor', candidate_host: null })
  await setRules([packageId], 'Applied')
  assert.equal((await ordersOf((await apply(world)).id)).length, 1)
  assert.deepEqual(await ordersOf(await applyOnPublicForm('form.vendor@example.org')), [])
  await setRules([], 'Applied')
})

test('stage rules: an application that starts in a later stage gets the orders of that stage alone', async () => {
  const vendor = await newVendor(world)
  const [first, second] = [await offeredPackage(world, vendor), await offeredPackage(world, vendor)]
  await setRules([first], 'Applied')
  await setRules([second])
  const { id } = await apply(world, { stage_id: screen })
  assert.deepEqual(
    (await ordersOf(id)).map((order: { package_id: string }) => order.package_id),
    [second],
  )
  await setRules([], 'Applied')
  await setRules([])
})

const ordered = async (
  order: { id: string; application_id: string; package_id: string },
  vendor: Awaited<ReturnType<typeof newVendor>>,
) => ({
  vendor,
  package: order.package_id,
  application: order.application_id,
  id: order.id,
  placed: order,
})

test('stage rules: each package once for an application; nothing that is withdrawn; nothing when it returns', async () => {
  const vendor = await newVendor(world)
  const [first, second] = [await offeredPackage(world, vendor), await offeredPackage(world, vendor)]
  await setRules([first, second])
  await service.post(`/packages/${second}/withdraw`, vendor.key)
  const { id } = await apply(world)
  for (const stage of [screen, applied, screen])
    await service.post(`/applications/${id}/move`, key, { stage_id: stage })
  assert.deepEqual(
    (await ordersOf(id)).map((order: { package_id: string }) => order.package_id),
    [first],
  )
})

test('stage rules: at most 3, each package once, of this workspace, not for a final stage', async () => {
  const vendor = await newVendor(world)
  const packages = await Promise.all([1, 2, 3, 4].map(() => offeredPackage(world, vendor)))
  await setRules([])
  await assert.rejects(setRules(packages), /3 items/)
  await assert.rejects(setRules([packages[0]!, packages[0]!]), /twice/)
  await assert.rejects(setRules(['pkg_unknown']), /packages of this workspace/)
  await assert.rejects(setRules([packages[0]!], 'Hired'), /final stage/)
  await setRules([])
})

test('orders: reminders at half of the time and a day before the end, at most two, and none after the start', async () => {
  const vendor = await newVendor(world)
  const place = async () => {
    const packageId = await offeredPackage(world, vendor)
    const applicationId = (await apply(world)).id
    const placed = await db.transaction(tx =>
      placeOrder(tx, {
        workspace,
        applicationId,
        packageId,
        placedBy: { object: 'user', id: userId },
        byPerson: true,
        originKeyId: null,
      }),
    )
    return ordered(placed!.order, vendor)
  }
  const [idle, started] = [await place(), await place()]
  for (const order of [idle, started]) await act(world, order, 'accept', acceptance())
  await act(world, started, 'progress')
  const before = (await mails()).length
  const reminders = async (id: string) => (await service.get(`/orders/${id}`, key)).body.invitation.reminders
  const seen: number[] = []
  for (const days of [6.9, 0.2, 5.8, 0.2, 1]) {
    clock.advance(days * DAY)
    while ((await attendDueOrders(db, 100)) > 0);
    seen.push(await reminders(idle.id))
  }
  clock.reset()
  assert.deepEqual(seen, [0, 1, 1, 2, 2])
  assert.equal(await reminders(started.id), 0)
  assert.equal((await service.get(`/orders/${idle.id}`, key)).body.status, 'expired')
  // an email whose order has ended since is not sent
  assert.ok((await mails()).length - before <= 2)
})

test('orders: a person sends the invitation of an order that a key placed, and reminds; a third reminder is 409', async () => {
  const made = await newOrder(world)
  const change = { workspace, id: made.id, originKeyId: null }
  assert.equal((await db.transaction(tx => sendInvitation(tx, change)))!.invitation_sent_at, null)
  const { body } = await act(world, made, 'accept', acceptance())
  assert.deepEqual([body.invitation.by, body.invitation.sent_at === null], ['service', false])
  for (const expected of [1, 2])
    assert.equal((await db.transaction(tx => remindCandidate(tx, change)))!.reminders, expected)
  await assert.rejects(
    db.transaction(tx => remindCandidate(tx, change)),
    /reminded 2 times/,
  )
  assert.equal((await service.get(`/orders/${made.id}`, key)).body.invitation.reminders, 2)
  const before = (await mails()).length
  await db.transaction(tx => cancelOrder(tx, change, { tellCandidate: true }))
  const after = await mails()
  assert.equal(after.length, before + 1)
  assert.ok(after.some(mail => mail.subject === 'No longer needed: Typing test'))
})

test('orders: email and page have the privacy notice that was offered, whatever the vendor publishes later', async () => {
  const vendor = await newVendor(world)
  const body = packageBody({ name: 'Typing test' })
  const { body: made } = await service.post('/packages', vendor.key, body)
  await db.transaction(tx => offerPackage(tx, { workspace, id: made.id }))
  const ordered = await newOrder(world, { vendor, packageId: made.id })
  await db.transaction(tx => sendInvitation(tx, { workspace, id: ordered.id, originKeyId: null }))
  const changed = await service.post('/packages', vendor.key, { ...body, privacy_url: 'https://evil.example/pay' })
  assert.deepEqual([changed.status, changed.body.status], [200, 'pending'])
  const before = (await mails()).length
  assert.equal((await act(world, ordered, 'accept', acceptance())).status, 200)
  const [mail, ...others] = (await mails()).filter(({ text }) => text.includes(ordered.id))
  assert.deepEqual([(await mails()).length, others.length], [before + 1, 0])
  const page = await (await fetch(mail!.text.match(/http\S+\/checks\/\S+/)![0])).text()
  for (const text of [mail!.text, page]) {
    assert.ok(text.includes('https://tests.example.com/privacy'))
    assert.ok(!text.includes('evil.example'))
  }
})

test('orders: someone who unsubscribed gets no email, and invitation.sent_at stays null', async () => {
  const made = await newOrder(world)
  await db.transaction(tx => sendInvitation(tx, { workspace, id: made.id, originKeyId: null }))
  await db.query(sql`
    update applicants set unsubscribed_at = app_now()
    where workspace_id = ${workspace} and id = ${made.placed.applicant_id}`)
  const before = (await mails()).length
  const { body } = await act(world, made, 'accept', acceptance())
  assert.deepEqual([body.status, body.invitation.sent_at], ['invited', null])
  assert.equal((await mails()).length, before)
})

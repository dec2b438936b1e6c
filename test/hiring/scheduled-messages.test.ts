import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { personalData } from '../../src/resources/candidates/index.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import { cancelMessages, scheduleMessage, sendDueMessages } from '../../src/resources/messages/index.ts'
import { apply, startWorld } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { startMailServer } from '../harness/smtp.ts'
import { parse } from '../messages/setup.ts'

const smtp = await startMailServer()
const world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.dev', SMTP_TIMEOUT_SECONDS: '5' })
const { workspace, service } = world
const { services } = service
const { db } = services
const enter = (email: string) =>
  signedIn(service, workspace, { role: 'member', program: 'hiring', email, firstName: 'Devika' })
const sender = await enter('devika@acme.dev')
let people = 0
const applicant = () => apply(world, {}, { email: `ada${++people}@people.dev` })

const TEXT = { subject: 'About {{job_title}}', body: 'Hello {{first_name}}, thank you for applying.' }
const schedule = (application: string, more: object = {}, by: Person = sender) =>
  by.post(`/applications/${application}/messages`, { ...TEXT, ...more })
/** As a colleague who has just signed in: the clock moves on for days. */
const list = async (application: string) =>
  (await (await enter(`reader-${++people}@acme.dev`)).get(`/applications/${application}/messages`)).body.data
const only = async (application: string) => {
  const rows = await list(application)
  assert.equal(rows.length, 1)
  return rows[0]
}
const inSeconds = async (seconds: number) => new Date((await db.now()) + seconds * 1000).toISOString()
/** Everything that is due by now. */
const sendDue = async () => {
  while (await sendDueMessages(services));
}
const arrivedAt = (email: string) => smtp.arrived.filter(({ to }) => to.includes(email))

beforeEach(() => {
  clock.reset()
  smtp.behaviour = 'accept'
})

test('messages of a member: leave ten seconds after the click, with the values of the candidate, and say who replies go to', async () => {
  const { id, applicant_id } = await applicant()
  const { email } = (await db.one(sql<{ email: string }>`select email from applicants where id = ${applicant_id}`))!
  const made = await schedule(id)
  assert.equal(made.status, 200)
  const waits = Date.parse(made.body.scheduled_for) - (await db.now())
  assert.ok(waits > 8_000 && waits <= 10_000, String(waits))
  await sendDue()
  assert.deepEqual([arrivedAt(email).length, (await only(id)).status], [0, 'scheduled'])

  clock.advance(10_000)
  await sendDue()
  await sendDue()
  const [mail, ...more] = arrivedAt(email)
  assert.equal(more.length, 0)
  const { subject, text, replyTo } = await parse(mail!)
  assert.equal(subject, 'About Engineer')
  assert.match(text!, /^Hello Ada, thank you/)
  assert.deepEqual(
    replyTo?.map(({ address }) => address),
    ['devika@acme.dev'],
  )
  const row = await only(id)
  assert.deepEqual(
    [row.status, row.direction, row.subject, row.body.split(',')[0], row.scheduled_for, row.purpose],
    ['sent', 'out', 'About Engineer', 'Hello Ada', null, 'general'],
  )
  assert.equal(
    (await db.one(sql<{ used: number }>`
    select used from message_usage where workspace_id = ${workspace} and key_id = ${sender.userId}`))!.used,
    1,
  )
})

test('messages of a member: a colleague reads what was sent; the texts of messages of keys are there, too', async () => {
  const { id } = await applicant()
  const sent = await service.post(
    '/messages',
    world.key,
    { to: { application_id: id }, subject: 'From a key', body_text: 'Words of a partner.' },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  assert.deepEqual(Object.keys(sent.body).sort(), ['id', 'object', 'sent_at', 'status', 'to'])
  const [row] = await list(id)
  assert.deepEqual([row.subject, row.body], ['From a key', 'Words of a partner.'])
})

test('messages of a member: one for tomorrow is canceled by a colleague until it leaves; 409 after that', async () => {
  const { id } = await applicant()
  const { body: message } = await schedule(id, { send_at: await inSeconds(86_400) })
  const colleague = await enter('peng@acme.dev')
  const cancel = () => colleague.post(`/applications/${id}/messages/${message.id}/cancel`)
  const other = await applicant()
  assert.equal((await colleague.post(`/applications/${other.id}/messages/${message.id}/cancel`)).status, 404)
  assert.equal((await cancel()).status, 200)
  assert.equal((await cancel()).status, 200)
  clock.advance(86_500_000)
  const before = smtp.arrived.length
  await sendDue()
  assert.equal(smtp.arrived.length, before)
  assert.equal((await only(id)).status, 'canceled')

  clock.reset()
  const { body: second } = await schedule(other.id)
  clock.advance(11_000)
  await sendDue()
  assert.equal((await sender.post(`/applications/${other.id}/messages/${second.id}/cancel`)).status, 409)
})

test('messages of a member: two processes that send at the same time send each once', async () => {
  const { id } = await applicant()
  await schedule(id)
  clock.advance(11_000)
  const before = smtp.arrived.length
  await Promise.all([sendDue(), sendDue(), sendDue()])
  assert.equal(smtp.arrived.length, before + 1)
})

test('messages of a member: in doubt, it is never sent again; certainly not sent, it is tried again and counts once', async () => {
  const { id } = await applicant()
  await schedule(id)
  clock.advance(11_000)
  smtp.behaviour = 'cut after data'
  await sendDue()
  assert.equal((await only(id)).status, 'queued')
  smtp.behaviour = 'accept'
  const before = smtp.arrived.length
  clock.advance(7 * 86_400_000)
  await sendDue()
  assert.equal(smtp.arrived.length, before)

  const used = async () =>
    (await db.one(sql<{ used: number }>`
      select coalesce(sum(used), 0)::integer as used from message_usage where workspace_id = ${workspace}
        and day = (app_now() at time zone 'UTC')::date`))!.used
  const start = await used()
  const next = await applicant()
  await schedule(next.id, {}, await enter('later@acme.dev'))
  clock.advance(11_000)
  smtp.behaviour = 'defer recipient'
  await sendDue()
  assert.deepEqual([(await only(next.id)).status, await used()], ['scheduled', start])
  smtp.behaviour = 'accept'
  clock.advance(61_000)
  await sendDue()
  assert.deepEqual([(await only(next.id)).status, await used()], ['sent', start + 1])
})

test('messages of a member: given up after four refusals of the mail server, and its line says so', async () => {
  const { id } = await applicant()
  await schedule(id)
  smtp.behaviour = 'refuse recipient'
  for (let attempt = 0; attempt < 4; attempt++) {
    clock.advance(3_600_000)
    await sendDue()
  }
  const { status, failure } = await only(id)
  assert.deepEqual([status, failure], ['failed', 'delivery'])
})

test('messages of a member: what changed until the day of sending is checked then, and nothing leaves', async () => {
  const changes = {
    unsubscribed: (person: string) => sql`update applicants set unsubscribed_at = app_now() where id = ${person}`,
    no_address: (person: string) => sql`update applicants set email = null, email_key = null where id = ${person}`,
    no_mailbox: (person: string) =>
      sql`update applicants set email = 'a@x.test', email_key = 'a@x.test' where id = ${person}`,
  }
  const before = smtp.arrived.length
  const made: { id: string; why: string }[] = []
  for (const [why, change] of Object.entries(changes)) {
    const { id, applicant_id } = await applicant()
    assert.equal((await schedule(id)).status, 200)
    await db.query(change(applicant_id))
    assert.equal((await schedule(id)).status, 409)
    made.push({ id, why })
  }
  clock.advance(11_000)
  await sendDue()
  for (const { id, why } of made) {
    const [row] = await list(id)
    assert.deepEqual([row.status, row.failure], ['failed', why])
  }
  assert.equal(smtp.arrived.length, before)
})

test('messages of a member: one who has left sends nothing, and one who wrote 200 today is refused and can send tomorrow', async () => {
  const leaving = await enter('leaving@acme.dev')
  const { id } = await applicant()
  await schedule(id, {}, leaving)
  await db.query(sql`delete from users where workspace_id = ${workspace} and id = ${leaving.userId}`)
  clock.advance(11_000)
  await sendDue()
  assert.deepEqual([(await only(id)).status, (await only(id)).failure], ['failed', 'no_sender'])

  const busy = await enter('busy@acme.dev')
  const day = sql`(app_now() at time zone 'UTC')::date`
  await db.query(sql`
    insert into message_usage (workspace_id, key_id, day, used) values (${workspace}, ${busy.userId}, ${day}, 199)`)
  const [first, second, third] = [await applicant(), await applicant(), await applicant()]
  assert.equal((await schedule(first.id, {}, busy)).status, 200)
  assert.equal((await busy.get(`/applications/${second.id}/message-facts`)).body.remaining_today, 0)
  assert.equal((await schedule(second.id, {}, busy)).status, 429)
  assert.equal((await schedule(third.id, { send_at: await inSeconds(90_000) }, busy)).status, 200)
  await db.query(sql`update message_usage set used = 200 where key_id = ${busy.userId}`)
  clock.advance(11_000)
  await sendDue()
  assert.equal((await only(first.id)).failure, 'allowance')
  clock.advance(90_000_000)
  await sendDue()
  assert.equal((await only(third.id)).status, 'sent')
})

test('messages of a member: a repeated press schedules one; 400 names each variable without a value and each fault', async () => {
  const { id } = await applicant()
  const key = { 'idempotency-key': randomUUID() }
  const press = () => sender.post(`/applications/${id}/messages`, TEXT, key)
  const [first, second] = [await press(), await press()]
  assert.deepEqual([first.status, second.body.id], [200, first.body.id])
  assert.equal((await list(id)).length, 1)
  const other = await applicant()
  assert.equal(
    (await sender.post(`/applications/${other.id}/messages`, TEXT, key)).body.detail.code,
    'idempotency_key_reused',
  )

  const faulty = await schedule(id, { subject: 'At {{interview_time}}', body: 'Hello {{nickname}} {{first_name' })
  assert.equal(faulty.status, 400)
  assert.deepEqual(
    faulty.body.detail.errors.map(({ param }: { param: string }) => param),
    ['subject', 'body'],
  )
  assert.equal((await schedule(id, { send_at: await inSeconds(400 * 86_400) })).body.detail.errors[0].param, 'send_at')
  assert.equal((await schedule(id, { body: ' \u200b ' })).status, 400)
  // an offset that the database does not read
  const shifted = `${new Date((await db.now()) + 3 * 86_400_000).toISOString().slice(0, 19)}+23:59`
  const scheduled = await schedule(id, { send_at: shifted })
  assert.equal(Date.parse(scheduled.body.scheduled_for), Date.parse(shifted), scheduled.text)
  const viewer = await signedIn(service, workspace, { role: 'viewer', program: 'hiring' })
  assert.equal((await schedule(id, {}, viewer)).status, 403)
})

test('messages of a decision: scheduled in its transaction, and canceled by purpose when it is taken back', async () => {
  const { id } = await applicant()
  const on = { workspace, applicationId: id, userId: sender.userId }
  const draft = { ...TEXT, purpose: 'rejection' } as const
  await assert.rejects(
    db.transaction(async tx => {
      await scheduleMessage(tx, services, on, draft)
      throw new Error('the decision failed')
    }),
  )
  assert.deepEqual(await list(id), [])
  await db.transaction(tx => scheduleMessage(tx, services, on, draft))
  assert.equal(await db.transaction(tx => cancelMessages(tx, on, 'rejection')), 1)
  assert.deepEqual([(await only(id)).status, (await only(id)).purpose], ['canceled', 'rejection'])
})

test('replies: one that came elsewhere is noted by a member; 409 for a person whose processing was stopped', async () => {
  const { id, applicant_id } = await applicant()
  assert.equal((await sender.post(`/applications/${id}/replies`, { body: 'I can start in May.' })).status, 200)
  const row = await only(id)
  assert.deepEqual(
    [row.direction, row.status, row.body, row.subject, row.sender],
    ['in', 'received', 'I can start in May.', null, 'Devika'],
  )
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`)
  assert.equal((await sender.post(`/applications/${id}/replies`, { body: 'More.' })).status, 409)
  assert.deepEqual(await list(id), [])
})

test('texts of messages: sealed in the database, and gone with the person; what waits is not sent', async () => {
  const { id, applicant_id } = await applicant()
  const secret = 'a sentence that only the team reads'
  await schedule(id, { body: secret, send_at: await inSeconds(3_600) })
  await sender.post(`/applications/${id}/replies`, { body: secret })
  const stored = () =>
    db.query(sql<{ text: string | null }>`
      select encode(body_sealed, 'escape') || encode(subject_sealed, 'escape') || m::text as text from messages m
      where workspace_id = ${workspace} and applicant_id = ${applicant_id}`)
  for (const { text } of await stored()) assert.ok(!text?.includes(secret))
  const { email } = (await db.one(sql<{ email: string }>`select email from applicants where id = ${applicant_id}`))!
  const { id: erasure } = await requestErasure(db, { email, reason: 'erasure_request', requestedBy: world.userId })
  await runErasure({ db, blobs: services.blobs, outbox: services.outbox }, erasure)
  const left = await db.query(sql<{ status: string; n: number }>`
    select status, count(*)::integer as n from messages
    where applicant_id = ${applicant_id} and body_sealed is null and subject_sealed is null and scheduled_for is null
    group by status order by status`)
  assert.deepEqual(left, [
    { status: 'canceled', n: 1 },
    { status: 'received', n: 1 },
  ])
})

test('texts of messages: part of what candidates download about themselves, without what has not left', async () => {
  const { id, applicant_id: applicantId } = await applicant()
  await schedule(id, { body: 'It has left.' })
  clock.advance(11_000)
  await sendDue()
  await (await enter('planner@acme.dev')).post(`/applications/${id}/messages`, {
    subject: 'Later',
    body: 'Still a draft.',
    send_at: await inSeconds(86_400),
  })
  await schedule(id, { body: 'It was refused.' })
  await db.query(sql`
    update messages set status = 'failed', failure = 'allowance', scheduled_for = null
    where workspace_id = ${workspace} and application_id = ${id} and status = 'scheduled'
      and scheduled_for < app_now() + interval '1 hour'`)
  const data = await personalData(services, { workspace, applicantId }, 'Acme')
  assert.deepEqual(
    data!.emails.flatMap(({ kind, status, subject, text }) => (kind === 'message' ? [[status, subject, text]] : [])),
    [
      ['sent', 'About Engineer', 'It has left.'],
      ['failed', null, null],
    ],
  )
})

test('messages of a rejection: reopening cancels the one that waits, in the same transaction', async () => {
  const { id } = await applicant()
  const { userId, post } = await enter('rejecting@acme.dev')
  await service.post(`/applications/${id}/reject`, world.key, { reason: 'Others fit better' })
  const on = { workspace, applicationId: id, userId }
  await db.transaction(tx => scheduleMessage(tx, services, on, { ...TEXT, purpose: 'rejection' }))
  const { body } = await post('/applications/changes', { changes: [{ id, action: 'reopen' }] })
  assert.equal(body.results[0].ok, true, JSON.stringify(body))
  assert.equal((await only(id)).status, 'canceled')
})

test('messages of a rejection: one that a key reopened gets none; one that is still rejected gets it', async () => {
  const { userId } = await enter('rejecting-two@acme.dev')
  const rejected = async () => {
    const { id } = await applicant()
    await service.post(`/applications/${id}/reject`, world.key, { reason: 'Others fit better' })
    const draft = { ...TEXT, purpose: 'rejection' as const }
    await db.transaction(tx => scheduleMessage(tx, services, { workspace, applicationId: id, userId }, draft))
    return id
  }
  const [reopened, still] = [await rejected(), await rejected()]
  assert.equal((await service.post(`/applications/${reopened}/reopen`, world.key)).status, 200)
  clock.advance(11_000)
  const before = smtp.arrived.length
  await sendDue()
  assert.equal(smtp.arrived.length, before + 1)
  assert.deepEqual([(await only(reopened)).status, (await only(still)).status], ['canceled', 'sent'])
})

test('messages of a rejection: a reopening and the worker at the same time: no deadlock, and nothing leaves after it', async () => {
  const { userId } = await enter('rejecting-three@acme.dev')
  const ids: string[] = []
  for (let i = 0; i < 8; i++) {
    const { id } = await applicant()
    await service.post(`/applications/${id}/reject`, world.key, { reason: 'Others fit better' })
    const draft = { ...TEXT, purpose: 'rejection' as const }
    await db.transaction(tx => scheduleMessage(tx, services, { workspace, applicationId: id, userId }, draft))
    ids.push(id)
  }
  clock.advance(11_000)
  const colleague = await enter('reopening@acme.dev')
  const changes = ids.map(id => ({ id, action: 'reopen' }))
  const [{ body }] = await Promise.all([colleague.post('/applications/changes', { changes }), sendDue(), sendDue()])
  assert.ok(
    body.results.every(({ ok }: { ok: boolean }) => ok),
    JSON.stringify(body),
  )
  await sendDue()
  for (const id of ids) assert.ok(['sent', 'canceled'].includes((await only(id)).status))
})

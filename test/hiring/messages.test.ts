import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { startMailServer } from '../harness/smtp.ts'

const smtp = await startMailServer()
const mailing = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.dev' })
const local = await startWorld()

const enter = ({ service, workspace }: World) =>
  signedIn(service, workspace, { role: 'member', program: 'hiring', email: `rosa-${randomUUID()}@acme.dev` })
const blocked = async (person: Person, application: string): Promise<string | null> =>
  (await person.get(`/applications/${application}/message-facts`)).body.blocked
const message = (application: string) => ({
  to: { application_id: application },
  subject: 'Hello',
  body_text: 'Dear Ada',
})
const sendTo = (person: Person, application: string) =>
  person.post('/v1/messages', message(application), { 'Idempotency-Key': randomUUID() })

test('hiring messages: a reserved address is named before anyone writes where a mail server sends; 409, and nothing is sent', async () => {
  const person = await enter(mailing)
  const { id } = await apply(mailing, {}, { email: 'ada@somewhere.test' })
  assert.equal(await blocked(person, id), 'no_mailbox')
  const before = smtp.arrived.length
  const refused = await sendTo(person, id)
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'recipient_unsubscribed'])
  assert.equal(smtp.arrived.length, before)
  const near = await apply(mailing, {}, { email: 'ada@people.dev' })
  assert.equal(await blocked(person, near.id), null)
  assert.equal((await sendTo(person, near.id)).status, 200)
})

test('hiring messages: without a mail server a person can write to a reserved address, into the outbox; a key gets 409', async () => {
  const person = await enter(local)
  const { id } = await apply(local, {}, { email: 'ada@somewhere.test' })
  assert.equal(await blocked(person, id), null)
  const sent = await sendTo(person, id)
  assert.deepEqual([sent.status, sent.body.status], [200, 'sent'])
  const listed = await local.service.services.outbox.list()
  assert.deepEqual(listed.filter(mail => mail.id === sent.body.id).length, 1)
  const refused = await local.service.post('/messages', local.key, message(id), {
    headers: { 'idempotency-key': randomUUID() },
  })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'recipient_unsubscribed'])
})

test('hiring messages: facts and sending agree about people on the list of suppressions, and without an address', async () => {
  const person = await enter(mailing)
  const { db } = mailing.service.services
  const nowhere = await apply(mailing, {}, { email: 'once@people.dev' })
  await db.query(sql`update applicants set email = null, email_key = null where id = ${nowhere.applicant_id}`)
  const stopped = await apply(mailing, {}, { email: 'listed@people.dev' })
  await db.query(sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`)
  assert.deepEqual([await blocked(person, nowhere.id), await blocked(person, stopped.id)], ['no_address', 'stopped'])
  for (const { id } of [nowhere, stopped]) assert.equal((await sendTo(person, id)).status, 409)
})

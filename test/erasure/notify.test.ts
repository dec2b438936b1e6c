import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { composer } from '../../src/kernel/mail/compose.ts'
import { type Mail, MailNotSent } from '../../src/kernel/mail/mail.ts'
import { type MailServices, sendNextMails } from '../../src/kernel/mail/queue.ts'
import { SmtpMailer } from '../../src/kernel/mail/smtp.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { requestMails } from '../../src/resources/erasures/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { personalIn } from '../harness/personal-data.ts'
import { startMailServer } from '../harness/smtp.ts'
import { askAllHolders } from './holders.ts'

const home = await startWorld()
const { service } = home
const { outbox } = service.services
let owner: Person
before(async () => {
  owner = await signedIn(service, home.workspace)
})

const ask = async (email: string) => {
  const response = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
  assert.equal(response.status, 200, response.text)
  await askAllHolders(service.services.db)
}
async function notifyAll(services: MailServices = service.services): Promise<void> {
  while (await sendNextMails(services, requestMails));
}
async function newHolder(): Promise<World & { owners: Person[] }> {
  const world = { service, ...(await newTenant(service)) }
  const owners = [await signedIn(service, world.workspace), await signedIn(service, world.workspace)]
  await signedIn(service, world.workspace, { role: 'admin' })
  return { ...world, owners }
}

test('erasure mail: owners of a notified workspace are mailed once, in a text without personal data, and find it in their outbox', async () => {
  const holder = await newHolder()
  const { applicant_id } = await apply(holder, {}, { email: 'mailed@example.org', first_name: 'Zenobia' })
  await ask('mailed@example.org')
  await notifyAll()
  const mails = (await outbox.list()).filter(mail => mail.id.startsWith('erasure-request-'))
  const owners = (await holder.owners[0]!.get('/people')).body.data.filter((p: { role: string }) => p.role === 'owner')
  assert.deepEqual(mails.map(mail => mail.to).toSorted(), owners.map((p: { email: string }) => p.email).toSorted())
  const [request] = (await holder.owners[0]!.get('/erasure-requests')).body.data
  for (const { subject, text, to } of mails) {
    assert.match(text, new RegExp(`${service.origin}/console/erasures/requests/${request.id}`))
    assert.equal(personalIn((subject + text).replaceAll(to, '')), undefined)
    for (const secret of ['Zenobia', applicant_id, home.workspace]) assert.ok(!text.includes(secret), secret)
  }
  const shown = async (who: Person) =>
    (await who.get('/outbox')).body.data.filter((mail: { id: string }) => mail.id.startsWith('erasure-request-')).length
  assert.equal(await shown(holder.owners[0]!), mails.length)
  assert.equal(await shown(owner), 0)
  clock.advance(3_600_000)
  try {
    assert.equal(await sendNextMails(service.services, requestMails), false)
  } finally {
    clock.reset()
  }
})

test('SMTP: owners are mailed later where the mail server refuses', async () => {
  const mails = await startMailServer()
  const compose = composer({ name: 'Hiring', address: 'no-reply@mail.test' })
  const mailer = new SmtpMailer({ url: mails.url, timeoutSeconds: 5, compose })
  const services = { ...service.services, mailer }
  const holder = await newHolder()
  await apply(holder, {}, { email: 'later@example.org' })
  await ask('later@example.org')
  mails.behaviour = 'refuse recipient'
  await notifyAll(services)
  assert.equal(mails.arrived.length, 0)
  mails.behaviour = 'accept'
  assert.equal(await sendNextMails(services, requestMails), false, 'not immediately')
  clock.advance(600_000)
  try {
    await notifyAll(services)
  } finally {
    clock.reset()
  }
  assert.equal(mails.arrived.length, 3)
  assert.equal(await sendNextMails(services, requestMails), false)
})

test('erasure mail: one owner whose mailbox refuses: the others are mailed, and none twice', async () => {
  const holder = await newHolder()
  await apply(holder, {}, { email: 'partly@example.org' })
  await ask('partly@example.org')
  const sent: string[] = []
  const send = async ({ to }: Mail) => {
    sent.push(to.address)
    if (to.address === holder.owners[0]!.email) throw new MailNotSent('no such mailbox')
  }
  const services = { ...service.services, mailer: { send, check: async () => '' } }
  await notifyAll(services)
  assert.equal(sent.length, 3)
  clock.advance(3_600_000)
  try {
    await notifyAll(services)
  } finally {
    clock.reset()
  }
  assert.equal(sent.length, 3)
})

test('erasure mail: decided before the mail went out: no owner is mailed', async () => {
  const holder = await newHolder()
  await apply(holder, {}, { email: 'quick@example.org' })
  await ask('quick@example.org')
  const [request] = (await holder.owners[0]!.get('/erasure-requests')).body.data
  assert.equal((await holder.owners[0]!.post(`/erasure-requests/${request.id}/decline`, {})).status, 200)
  assert.equal(await sendNextMails(service.services, requestMails), false)
})

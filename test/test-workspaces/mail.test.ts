import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { writeCandidateMail } from '../../src/careers/candidate/mails.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { type Mail, MailNotSent } from '../../src/kernel/mail/mail.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { alertMails, checkAlerts } from '../../src/resources/alerts/index.ts'
import { candidateMails } from '../../src/resources/candidates/index.ts'
import { CHECK_MAILS } from '../../src/resources/candidates/rules.ts'
import { deletionMails, scheduleDeletion } from '../../src/resources/deletions/index.ts'
import { teamMails } from '../../src/resources/hiring-team/index.ts'
import { cancelOrder, remindCandidate, sendInvitation } from '../../src/resources/orders/index.ts'
import { mailChange } from '../../src/resources/second-factors/index.ts'
import { mailInvitation, mailLink } from '../../src/sign-in/tickets.ts'
import { apply } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { createRandom, seedOfRun } from '../harness/random.ts'
import { startTestService } from '../harness/service.ts'
import { startMailServer } from '../harness/smtp.ts'
import { newIdempotencyKey } from '../messages/setup.ts'
import { acceptance, act, newOrder } from '../orders/setup.ts'
import { createFor, DOMAIN, keyFor, newTestTenant } from './setup.ts'

const mails = await startMailServer()
const service = await startTestService({
  ROLES: 'api',
  SMTP_URL: mails.url,
  MAIL_FROM: 'Hiring <no-reply@mail.hiring.dev>',
  SMTP_TIMEOUT_SECONDS: '5',
})
const { services } = service
const { db } = services
const tenant = await newTestTenant(service)
const { workspace, key } = tenant

interface Captured {
  id: string
  to_address: string
  subject: string
}
const captured = (of = workspace) =>
  db.query(
    sql<Captured>`select id, to_address, subject from test_mails where workspace_id = ${of} order by sent_at, id`,
  )
const send = (to: object, more: object = {}) =>
  service.post(
    '/messages',
    key,
    { to, subject: 'Your application', body_text: `See https://acme.example/next.`, ...more },
    { headers: { 'idempotency-key': newIdempotencyKey() } },
  )

test('POST /messages to the capture domain: 200 sent, nothing reaches the mail server, GET /test/mailbox has it', async () => {
  const application = await apply(tenant, {}, { email: `ada@${DOMAIN}` })
  const { status, body } = await send({ application_id: application.id })
  assert.deepEqual([status, body.status, mails.arrived.length], [200, 'sent', 0])
  const mailbox = await service.get(`/test/mailbox?to=ADA@${DOMAIN}`, key)
  assert.equal(mailbox.status, 200)
  const [mail, ...more] = mailbox.body.data
  assert.deepEqual(
    [mail.id, mail.workspace_id, mail.to, mail.subject, mail.reply_to, more],
    [body.id, workspace, `ada@${DOMAIN}`, 'Your application', `Olga <${tenant.userEmail}>`, []],
  )
  assert.equal(mail.links[0], 'https://acme.example/next')
  assert.match(mail.links[1], /\/unsubscribe\//)
})

test('POST /messages to a reserved address: 409 recipient_unsubscribed, as in every workspace', async () => {
  const application = await apply(tenant, {}, { email: 'bea@example.org' })
  const { status, body } = await send({ application_id: application.id })
  assert.deepEqual([status, body.detail.code], [409, 'recipient_unsubscribed'])
})

test('GET /test/mailbox: pages of the newest first; 403 for a live key before its scope, 403 without test:manage', async () => {
  const { workspace: other, key: otherKey } = await newTestTenant(service)
  await db.query(sql`
    insert into test_mails (workspace_id, id, to_address, to_key, subject, body_text, sent_at)
    select ${other}, 'mail-' || n, 'a@example.org', 'a@example.org', 'Mail ' || n, '', app_now() - n * interval '1 hour'
    from generate_series(1, 5) n`)
  const first = await service.get('/test/mailbox?limit=3', otherKey)
  const second = await service.get(`/test/mailbox?limit=3&cursor=${first.body.next_cursor}`, otherKey)
  const subjects = [...first.body.data, ...second.body.data].map((mail: { subject: string }) => mail.subject)
  assert.deepEqual(subjects, ['Mail 1', 'Mail 2', 'Mail 3', 'Mail 4', 'Mail 5'])
  const live = await service.workspace()
  const refused = await service.get('/test/mailbox', await service.key({ workspace: live.id }))
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'test_workspace_required'])
  const narrow = await service.get('/test/mailbox', await keyFor(tenant, { scopes: ['jobs:read'] }))
  assert.deepEqual([narrow.status, narrow.body.detail.required_scope], [403, 'test:manage'])
})

test('emails of a test workspace: every queue and sender is captured; sign-in links and invitations alone are sent', async () => {
  const own = await newTestTenant(service)
  const at = own.workspace
  const member = await signedIn(service, at, { email: 'mia@people.dev', role: 'member' })
  const person = await apply(own, {}, { email: `kim@${DOMAIN}` })
  const { application_id: application, applicant_id: applicant } = { application_id: person.id, ...person }
  await db.query(sql`
    insert into candidate_mails (workspace_id, kind, address, applicant_id, application_id, language)
    values (${at}, 'confirmation', ${`kim@${DOMAIN}`}, ${applicant}, ${application}, 'en')`)
  await db.query(sql`
    insert into team_mails (workspace_id, kind, user_id, application_id, sent_by, due_at)
    values (${at}, 'mention', ${member.userId}, ${application}, ${own.userId}, app_now())`)
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, consecutive_failures, first_failure_at,
      disabled_reason, disabled_at)
    values (${at}, gen_random_uuid(), ${own.key.id}, 'https://hooks.example.com/', '{application.created}', 20,
      app_now() - interval '6 days', 'failing', app_now())`)
  assert.ok(await checkAlerts(db))
  await db.query(sql`update alert_notifications set due_at = app_now() where workspace_id = ${at}`)
  const drain = async () => {
    while (await sendNextMails(services, candidateMails(writeCandidateMail)));
    while (await sendNextMails(services, teamMails));
    while (await sendNextMails(services, alertMails));
  }
  await drain()
  await mailChange(services, { workspaceId: at, userId: own.userId, email: own.userEmail, workspaceName: 'X' }, 'reset')
  await scheduleDeletion(db, at, { userId: null, graceDays: 30 })
  while (await sendNextMails(services, deletionMails));
  assert.deepEqual(mails.arrived, [])
  const kinds = (await captured(at)).map(({ id }) => id.replace(/-[^a-z]*$|-[0-9a-f]{8}-.*$|-wsp_.*$/, ''))
  for (const kind of ['candidate', 'team', 'alert', 'sign-in-change', 'workspace-deletion-scheduled'])
    assert.ok(kinds.includes(kind), `${kind} in ${kinds.join(', ')}`)

  await mailLink({ ...services, log: services.log }, tenant.userEmail, undefined)
  await mailInvitation(
    services,
    { id: tenant.userId, email: tenant.userEmail },
    { email: 'x@people.dev', workspaceName: 'X' },
  )
  assert.deepEqual(
    mails.arrived.splice(0).map(({ to }) => to),
    [[tenant.userEmail], [tenant.userEmail]],
  )
})

test('emails about checks of a test workspace: invitation, reminder and cancellation are captured', async () => {
  const own = await newTestTenant(service)
  const application = (await apply(own, {}, { email: `lee@${DOMAIN}` })).id
  const made = await newOrder(own, { application })
  const change = { workspace: own.workspace, id: made.id, originKeyId: null }
  const drain = async () => {
    while (await sendNextMails(services, candidateMails(writeCandidateMail)));
  }
  await db.transaction(tx => sendInvitation(tx, change))
  assert.equal((await act(own, made, 'accept', acceptance())).status, 200)
  await drain()
  await db.transaction(tx => remindCandidate(tx, change))
  await drain()
  await db.transaction(tx => cancelOrder(tx, change, { tellCandidate: true }))
  await drain()
  const sent = await db.query(sql<{ kind: string }>`
    select kind from candidate_mails where workspace_id = ${own.workspace} and sent_at is not null and order_id is not null`)
  assert.deepEqual(sent.map(({ kind }) => kind).toSorted(), [...CHECK_MAILS].toSorted())
  const about = (await captured(own.workspace)).filter(({ subject }) => subject.includes('Typing test'))
  assert.deepEqual(
    about.map(({ to_address }) => to_address),
    CHECK_MAILS.map(() => `lee@${DOMAIN}`),
  )
  assert.deepEqual(mails.arrived, [])
})

const seed = seedOfRun()

test(`property: no address, header, reply-to or text of 300 emails makes one of a test workspace leave (FAULTS_SEED=${seed})`, async () => {
  const random = createRandom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const live = await service.workspace('starter')
  const other = (await createFor(service, live.id)).id
  const addresses = [
    'victim@people.dev',
    'VICTIM@PEOPLE.DEV',
    'victim+tag@people.dev',
    `a@${DOMAIN}.people.dev`,
    `a@x.${DOMAIN}`,
    `a@${DOMAIN}`,
    'a@example.org',
    'a@example.org.people.dev',
    'jürgen@bücher.de',
    'a@xn--bcher-kva.de',
    'a%b@people.dev',
    `victim!people.dev@${DOMAIN}`,
    'o’hara@people.dev',
    ' victim@people.dev',
    'victim@people.dev\r\nBcc: other@people.dev',
    '<victim@people.dev>',
    'victim@people.dev, other@people.dev',
    tenant.userEmail,
  ]
  const names = [undefined, 'Ada', 'Ada" <victim@people.dev>', 'x\r\nBcc: victim@people.dev', '=?utf-8?q?x?=']
  const headers = [
    undefined,
    { Bcc: 'victim@people.dev' },
    { Cc: 'victim@people.dev', To: 'victim@people.dev' },
    { 'Reply-To': 'victim@people.dev', Sender: 'victim@people.dev' },
    {
      'Return-Path': '<victim@people.dev>',
      'Resent-To': 'victim@people.dev',
      'Disposition-Notification-To': 'v@people.dev',
    },
    { 'X-Hiring-Audience': `workspace ${live.id}` },
    { 'List-Unsubscribe': '<mailto:victim@people.dev>' },
  ]
  const audiences = (at: string): Mail['audience'][] => [
    { workspaceId: at },
    { workspaceId: at, userIds: [] },
    { workspaceId: at, userIds: [tenant.userId, live.userId] },
  ]
  const before = mails.begun
  for (let n = 0; n < 300; n++) {
    const name = pick(names)
    const fromName = pick(names)
    const replyTo = pick([undefined, { address: 'victim@people.dev' }, { address: pick(addresses), name: 'R' }])
    const custom = pick(headers)
    const html = pick([undefined, '<a href="mailto:victim@people.dev">x</a>'])
    const mail: Mail = {
      id: `property-${n}`,
      audience: pick(audiences(pick([workspace, other]))),
      to: { address: pick(addresses), ...(name === undefined ? {} : { name }) },
      subject: pick(['Hi', 'x\r\nBcc: victim@people.dev', '']),
      text: pick(['Text', '.\r\nRCPT TO:<victim@people.dev>\r\n.']),
      ...(fromName === undefined ? {} : { fromName }),
      ...(replyTo === undefined ? {} : { replyTo }),
      ...(custom === undefined ? {} : { headers: custom }),
      ...(html === undefined ? {} : { html }),
    }
    await services.mailer.send(mail)
  }
  assert.deepEqual([mails.begun - before, mails.arrived], [0, []])
  const stored = await db.query(sql<{ n: number }>`
    select count(*)::integer as n from test_mails where id like 'property-%'`)
  assert.equal(stored[0]!.n, 300)
})

test('mail kernel: the same email twice is one row; of an unknown workspace, or without a database, it is certainly not sent', async () => {
  const mail = (id: string, workspaceId: string): Mail => ({
    id,
    audience: { workspaceId },
    to: { address: 'victim@people.dev' },
    subject: 'S',
    text: 'T',
  })
  await services.mailer.send(mail('twice', workspace))
  await services.mailer.send(mail('twice', workspace))
  assert.equal((await captured()).filter(({ id }) => id === 'twice').length, 1)
  await assert.rejects(services.mailer.send(mail('nowhere', newHandle('workspace'))), MailNotSent)
  assert.deepEqual(mails.arrived, [])
})

test('an email of a live workspace: sent', async () => {
  const live = await service.workspace()
  await services.mailer.send({
    id: 'live-mail',
    audience: { workspaceId: live.id },
    to: { address: 'ada@people.dev' },
    subject: 'S',
    text: 'T',
  })
  assert.deepEqual(
    mails.arrived.splice(0).map(({ to }) => to),
    [['ada@people.dev']],
  )
})

/** Files of the service with a text, without tests. */
const filesWith = (text: string): string[] => {
  const folder = join(import.meta.dirname, '../../src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter(file => readFileSync(join(folder, file), 'utf8').includes(text))
    .sort()
}

test('the code: one file opens the mail server, one captures, and one writes links that sign in', () => {
  assert.deepEqual(filesWith('new SmtpMailer('), ['kernel/services/open-mailer.ts'])
  assert.deepEqual(filesWith('new CapturingMailer('), ['kernel/services/open-mailer.ts'])
  assert.deepEqual(filesWith('signsIn: true'), ['kernel/mail/mail.ts', 'sign-in/tickets.ts'])
  // they use its outbox, or check the connection
  assert.deepEqual(filesWith('openTransport'), [
    'cli/backup.ts',
    'cli/doctor.ts',
    'cli/erase.ts',
    'cli/operate.ts',
    'cli/with-activity-needs.ts',
    'kernel/services/open-mailer.ts',
  ])
})

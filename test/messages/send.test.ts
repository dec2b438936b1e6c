import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { LIVE_SCOPES } from '../../src/contract/scopes.ts'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { createUser } from '../../src/resources/users/index.ts'
import { readEvents } from '../applications/setup.ts'
import type { TestResponse } from '../harness/service.ts'
import { header, messageTo, newIdempotencyKey, newPerson, parse, startMailWorld } from './setup.ts'

const world = await startMailWorld()
const { service, workspace, key, mails, send, person, used } = world
const { db } = service.services

beforeEach(() => {
  mails.arrived.length = 0
})

const refused = (response: TestResponse, status: number, code: string) => {
  assert.deepEqual([response.status, response.body.detail?.code], [status, code])
  assert.equal(mails.arrived.length, 0, 'nothing was sent')
  return response.body.detail
}

test('POST /messages: 200 sent: the mail arrives once, and the response is the message', async () => {
  const ada = await person()
  const before = await used()
  const response = await send(messageTo({ applicant_id: ada.id }))
  assert.equal(response.status, 200)
  const { id, sent_at, ...rest } = response.body
  assert.deepEqual(rest, { object: 'message', status: 'sent', to: { applicant_id: ada.id } })
  assert.match(id, /^msg_/)
  assert.match(sent_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(response.headers.get('idempotent-replayed'), null)
  assert.equal(mails.arrived.length, 1)
  assert.deepEqual(mails.arrived[0]!.to, [ada.email])
  assert.equal(await used(), before + 1)
})

test('POST /messages: 200: an application addresses its applicant, and the response names the application', async () => {
  const ada = await person()
  const response = await send(messageTo({ application_id: ada.applicationId }, { reply_to_user: false }))
  assert.deepEqual(response.body.to, { application_id: ada.applicationId })
  assert.deepEqual(mails.arrived[0]!.to, [ada.email])
})

test('POST /messages: the mail: shared sender, Reply-To of the key’s user, text with footer, both headers of RFC 8058', async () => {
  const ada = await person()
  const { body } = await send(messageTo({ applicant_id: ada.id }, { body_text: 'Hello\r\nthere' }))
  const [arrived] = mails.arrived
  const mail = await parse(arrived!)
  assert.deepEqual(mail.from, { name: 'Hiring', address: 'no-reply@mail.hiring.dev' })
  assert.equal(arrived!.from, 'no-reply@mail.hiring.dev')
  assert.deepEqual(mail.to, [{ name: 'Ada Lovelace', address: ada.email }])
  assert.deepEqual(
    mail.replyTo?.map(({ name, address }) => [name, address]),
    [['Olga', `owner-${workspace.slice(-6)}@test.example`]],
  )
  assert.equal(mail.subject, 'Your application')
  assert.equal(mail.messageId, `<${body.id}@mail.hiring.dev>`)
  assert.equal(mail.html, undefined)
  const url = `${service.origin}/unsubscribe/`
  assert.ok(
    mail.text!.startsWith('Hello\nthere\n\n----\nYou receive this email because you applied to Test workspace.'),
  )
  assert.ok(mail.text!.includes(`\nUnsubscribe: ${url}${workspace}.${ada.id}.`))
  assert.match(
    (await header(arrived!, 'list-unsubscribe'))!,
    new RegExp(`^<${url}${workspace}\\.${ada.id}\\.[\\w-]{43}>$`),
  )
  assert.equal(await header(arrived!, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
  assert.equal(arrived!.raw.includes(Buffer.from(ada.email.replace('@', '%40'))), false)
})

test('POST /messages: the mail: HTML is sanitized and closed before the footer; if nothing remains the text goes alone', async () => {
  const ada = await person()
  const to = { applicant_id: ada.id }
  await send(
    messageTo(to, { body_html: '<div style="display:none"><blockquote><p onclick=x>Hi <script>bad()</script>' }),
  )
  const html = (await parse(mails.arrived[0]!)).html!
  assert.ok(html.includes('<div><div><blockquote><p>Hi </p></blockquote></div></div>\n<hr><p>You receive this'))
  assert.match(html, /<a href="http:[^"]+\/unsubscribe\/[^"]+">Unsubscribe<\/a>/)
  for (const body_html of ['', '<script>x</script>', '<p>&nbsp;</p><br>']) {
    await send(messageTo(to, { body_html }))
    const mail = await parse(mails.arrived.at(-1)!)
    assert.equal(mail.html, undefined)
    assert.match(mail.text!, /^Dear Ada/)
  }
})

test('POST /messages: hostile subjects, names and texts are harmless: no header, no second recipient, no line over 998 bytes', async () => {
  const ada = await person({ first_name: 'Ada\r\nBcc: x@evil.dev', last_name: '"; <y@evil.dev>, ☃' })
  const subject = `${'s'.repeat(190)} ünï ☃`
  const response = await send(messageTo({ applicant_id: ada.id }, { subject, body_text: `${'w'.repeat(19_998)}\n.` }))
  assert.equal(response.status, 200)
  const [arrived] = mails.arrived
  const mail = await parse(arrived!)
  assert.deepEqual(arrived!.to, [ada.email])
  assert.deepEqual([mail.to!.length, mail.to![0]!.address, mail.bcc, mail.subject], [1, ada.email, undefined, subject])
  for (const line of arrived!.raw.toString('latin1').split('\r\n')) assert.ok(line.length <= 998)
  assert.ok(mail.text!.startsWith(`${'w'.repeat(19_998)}\n.\n\n----\n`))
})

test('POST /messages: an internationalized address is mailed', async () => {
  const ada = await person({ email: 'žofie@bücher.de' })
  assert.equal((await send(messageTo({ applicant_id: ada.id }))).body.status, 'sent')
  assert.equal(mails.arrived.length, 1)
})

test('POST /messages: 400 idempotency_key_required and invalid_idempotency_key: the header comes before the body', async () => {
  const response = await service.post('/messages', key, { nonsense: true })
  assert.equal(refused(response, 400, 'idempotency_key_required').param, 'Idempotency-Key')
  refused(await send({}, { idempotencyKey: 'short' }), 400, 'invalid_idempotency_key')
})

test('POST /messages: 400 invalid_request: each rule of the body, all faults named', async () => {
  const to = { applicant_id: (await person()).id }
  const faults = async (body: object, ...params: string[]) => {
    const detail = refused(await send(body), 400, 'invalid_request')
    assert.deepEqual(
      detail.errors.map(({ param }: { param: string }) => param).toSorted(),
      params.toSorted(),
      JSON.stringify(body),
    )
  }
  await faults({}, 'to', 'subject', 'body_text')
  await faults(messageTo({}), 'to')
  await faults(messageTo({ application_id: 'app_1', applicant_id: 'apl_1' }), 'to')
  await faults(messageTo({ email: 'ada@people.dev' }), 'to', 'to.email')
  await faults(messageTo({ applicant_id: to.applicant_id, email: 'ada@people.dev' }), 'to.email')
  await faults(messageTo({ applicant_id: 7 }), 'to.applicant_id')
  await faults(messageTo(to, { subject: '', body_text: '' }), 'subject', 'body_text')
  await faults(messageTo(to, { subject: ' \t ', body_text: ' \n ' }), 'subject', 'body_text')
  for (const unseen of ['\u0001', '\u200b', '\u00a0\u2060\ufeff', ' \u00ad\u202e']) {
    await faults(messageTo(to, { subject: unseen, body_text: unseen }), 'subject', 'body_text')
  }
  await faults(messageTo(to, { subject: 'x'.repeat(201), body_text: 'x'.repeat(20_001) }), 'subject', 'body_text')
  for (const end of ['\r', '\n', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029']) {
    await faults(messageTo(to, { subject: `a${end}Bcc: b@c.dev` }), 'subject')
  }
  await faults(messageTo(to, { body_html: 'x'.repeat(50_001), reply_to_user: 'yes' }), 'body_html', 'reply_to_user')
  await faults(messageTo(to, { cc: 'x@people.dev', from: 'x@people.dev' }), 'cc', 'from')
  await faults(messageTo(to, { body_text: 'a\0b' }), 'body_text')
})

test('POST /messages: the longest message that the rules allow is sent', async () => {
  const ada = await person()
  const long = { subject: 'ü'.repeat(200), body_text: 'ü'.repeat(20_000), body_html: `<p>${'x'.repeat(49_993)}</p>` }
  assert.equal((await send(messageTo({ applicant_id: ada.id }, long))).body.status, 'sent')
})

test('POST /messages: 404 not_found: identical for malformed, wrong kind, missing and another workspace’s', async () => {
  const other = await newPerson(world, (await service.workspace('starter')).id)
  const ada = await person()
  const bodies = [
    { applicant_id: 'nonsense' },
    { applicant_id: ada.applicationId },
    { application_id: ada.id },
    { applicant_id: `apl_${'0'.repeat(20)}` },
    { application_id: `app_${'0'.repeat(20)}` },
    { applicant_id: other.id },
    { application_id: other.applicationId },
  ]
  const details = []
  for (const to of bodies) details.push({ ...refused(await send(messageTo(to)), 404, 'not_found'), request_id: '' })
  for (const detail of details) assert.deepEqual(detail, details[0])
})

test('POST /messages: 404 not_found: a sourced profile that has not applied cannot be mailed', async () => {
  refused(await send(messageTo({ applicant_id: `cnd_${'0'.repeat(20)}` })), 404, 'not_found')
})

test('POST /messages: 409 recipient_unsubscribed: unsubscribed here, whether the record or the address says so', async () => {
  const byRecord = await person()
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, byRecord.id, 'product'))
  refused(await send(messageTo({ applicant_id: byRecord.id })), 409, 'recipient_unsubscribed')
  refused(await send(messageTo({ application_id: byRecord.applicationId })), 409, 'recipient_unsubscribed')
  for (const source of ['link', 'one_click', 'product', 'opt_out']) {
    const byAddress = await person()
    await db.query(sql`
      insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, ${byAddress.email}, ${source})`)
    refused(await send(messageTo({ applicant_id: byAddress.id })), 409, 'recipient_unsubscribed')
  }
})

test('POST /messages: 200 sent: unsubscribed in another workspace only', async () => {
  const ada = await person()
  const other = await service.workspace('starter')
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${other.id}, ${ada.email}, 'link')`)
  assert.equal((await send(messageTo({ applicant_id: ada.id }))).body.status, 'sent')
})

test('POST /messages: 409 recipient_unsubscribed: suppressed or erased, by address or profile, in whatever workspace that was requested', async () => {
  const suppress = async (kind: string, value: string) => {
    const suppression = await db.one(sql<{ id: string }>`
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id`)
    await db.query(sql`
      insert into suppressed_identifiers (kind, sha256, suppression_id)
      values (${kind}, ${sha256(value)}, ${suppression!.id}::uuid)`)
  }
  const byAddress = await person({ email: 'Someone.Erased@People.dev' })
  await suppress('email', 'someone.erased@people.dev')
  refused(await send(messageTo({ applicant_id: byAddress.id })), 409, 'recipient_unsubscribed')
  const byProfile = await person({ linkedin_url: 'https://www.linkedin.com/in/Someone-Erased' })
  await suppress('linkedin_url', 'linkedin.com/in/someone-erased')
  refused(await send(messageTo({ applicant_id: byProfile.id })), 409, 'recipient_unsubscribed')
  const byRecord = await person()
  await db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${workspace} and id = ${byRecord.id}`)
  refused(await send(messageTo({ applicant_id: byRecord.id })), 409, 'recipient_unsubscribed')
})

test('POST /messages: 409 recipient_unsubscribed: addresses reserved for tests, and people without an address', async () => {
  for (const domain of [
    'somewhere.test',
    'somewhere.example',
    'x.invalid',
    'mail.localhost',
    'example.com',
    'EXAMPLE.net',
    'mail.example.org',
  ]) {
    const ada = await person({ email: `ada@${domain}` })
    refused(await send(messageTo({ applicant_id: ada.id })), 409, 'recipient_unsubscribed')
  }
  const silent = await person({ email: null })
  refused(await send(messageTo({ applicant_id: silent.id })), 409, 'recipient_unsubscribed')
  const orphan = await person()
  await db.query(sql`
    update applications set applicant_id = null where workspace_id = ${workspace} and id = ${orphan.applicationId}`)
  refused(await send(messageTo({ application_id: orphan.applicationId })), 409, 'recipient_unsubscribed')
  const near = await person({ email: 'ada@notexample.com' })
  assert.equal((await send(messageTo({ applicant_id: near.id }))).body.status, 'sent')
})

test('POST /messages: 429 suppression_check_unavailable: if any of the lists cannot be read nothing is sent, and the key is released', async () => {
  const ada = await person()
  const idempotencyKey = newIdempotencyKey()
  for (const table of ['unsubscribes', 'suppressed_identifiers']) {
    await rename(table, 'hidden_away')
    try {
      const response = await send(messageTo({ applicant_id: ada.id }), { idempotencyKey })
      assert.equal(refused(response, 429, 'suppression_check_unavailable').type, 'unavailable')
      assert.ok(Number(response.headers.get('retry-after')) > 0)
    } finally {
      await rename('hidden_away', table)
    }
  }
  const response = await send(messageTo({ applicant_id: ada.id }), { idempotencyKey })
  assert.deepEqual([response.body.status, response.headers.get('idempotent-replayed')], ['sent', null])
})

const rename = async (from: string, to: string) => {
  const session = await db.session()
  await session.script(`alter table ${from} rename to ${to}`)
  await session.close()
}

test('POST /messages: 409 sender_email_missing: the key’s user has no address; known only after the recipient may be mailed', async () => {
  const user = await createUser(db, { workspace, email: 'leaves@firm.dev', role: 'admin' })
  const mute = await service.key({ workspace, userEmail: 'leaves@firm.dev' })
  await db.query(
    sql`update users set email = null, email_key = null where workspace_id = ${workspace} and id = ${user.id}`,
  )
  const ada = await person()
  const to = messageTo({ applicant_id: ada.id })
  refused(await send(to, { key: mute }), 409, 'sender_email_missing')
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, ada.id, 'product'))
  refused(await send(to, { key: mute }), 409, 'recipient_unsubscribed')
})

test('POST /messages: 403: without messages:send, and with a key without a user', async () => {
  const ada = await person()
  const scopes = LIVE_SCOPES.filter(scope => scope !== 'messages:send')
  const userEmail = `owner-${workspace.slice(-6)}@test.example`
  const reader = await service.key({ workspace, userEmail, scopes })
  const detail = refused(await send(messageTo({ applicant_id: ada.id }), { key: reader }), 403, 'insufficient_scope')
  assert.equal(detail.required_scope, 'messages:send')
  const userless = await service.key({ workspace })
  refused(await send(messageTo({ applicant_id: ada.id }), { key: userless }), 403, 'write_requires_api_key')
})

test('POST /messages: the expensive tier, and no event', async () => {
  const ada = await person()
  const before = await readEvents(world, workspace)
  const response = await send(messageTo({ applicant_id: ada.id }))
  assert.equal(response.headers.get('ratelimit-limit'), '600')
  assert.deepEqual((await readEvents(world, workspace)).length, before.length)
})

test('POST /messages: the description: the header is required, and idempotency_in_flight is not among the responses', async () => {
  const { body } = await service.get('/openapi.json')
  const described = body.paths['/messages'].post
  const repeat = described.parameters.find(({ name }: { name: string }) => name === 'Idempotency-Key')
  assert.equal(repeat.required, true)
  const text = JSON.stringify(described)
  for (const code of [
    'idempotency_key_required',
    'idempotency_key_reused',
    'delivery_failed',
    'sender_email_missing',
  ]) {
    assert.ok(text.includes(code), code)
  }
  assert.ok(!text.includes('idempotency_in_flight'))
})

test('POST /messages: the text, the subject and the address of a message are not stored', async () => {
  const ada = await person()
  const planted = 'Quetzalcoatl-7731'
  await send(
    messageTo({ applicant_id: ada.id }, { subject: planted, body_text: planted, body_html: `<p>${planted}</p>` }),
  )
  assert.equal(mails.arrived.length, 1)
  const tables = await db.query(sql<{ name: string }>`
    select table_name::text as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`)
  assert.ok(tables.length > 30)
  const session = await db.session()
  for (const { name } of tables) {
    await session.script(`do $$ begin
      if exists (select 1 from ${name} t where t::text like '%${planted}%') then raise 'found in ${name}'; end if;
    end $$`)
  }
  await session.close()
})

test('POST /messages: 429 message_quota_exceeded: the cap of a key is exact under parallel sends, and the next day starts at zero', async () => {
  const { workspace: tenant, sender, capped } = await tenantNearCap(197)
  const people = await Promise.all(Array.from({ length: 10 }, () => newPerson(world, tenant)))
  const repeats = people.map(() => newIdempotencyKey())
  const sendAgain = (i: number) =>
    send(messageTo({ applicant_id: people[i]!.id }), { key: sender, idempotencyKey: repeats[i]! })
  const responses = await Promise.all(people.map((_, i) => sendAgain(i)))
  const sent = responses.filter(({ body }) => body.status === 'sent')
  const over = responses.filter(({ body }) => body.detail?.code === 'message_quota_exceeded')
  assert.deepEqual([sent.length, over.length, mails.arrived.length], [3, 7, 3])
  assert.deepEqual([over[0]!.status, over[0]!.body.detail.type], [429, 'rate_limit'])
  const wait = Number(over[0]!.headers.get('retry-after'))
  assert.ok(wait > 0 && wait <= 86_400)
  assert.equal(await capped(), 200)

  // A refused request released its key: on the next day the same request is a first one.
  clock.advance(86_400_000)
  try {
    assert.equal(await capped(), 0)
    const response = await sendAgain(responses.indexOf(over[0]!))
    assert.deepEqual([response.body.status, response.headers.get('idempotent-replayed')], ['sent', null])
    assert.equal(await capped(), 1)
  } finally {
    clock.reset()
  }
})

test('POST /messages: the cap: a message that was certainly not sent is given back', async () => {
  const { workspace: tenant, sender, capped } = await tenantNearCap(199)
  const { id } = await newPerson(world, tenant)
  mails.behaviour = 'refuse recipient'
  try {
    refused(await send(messageTo({ applicant_id: id }), { key: sender }), 429, 'delivery_failed')
  } finally {
    mails.behaviour = 'accept'
  }
  assert.equal(await capped(), 199)
  assert.equal((await send(messageTo({ applicant_id: id }), { key: sender })).body.status, 'sent')
  assert.equal(await capped(), 200)
})

test('POST /messages: a key that reaches several workspaces: the message belongs to the one it names, the cap to the key', async () => {
  const first = await service.workspace('enterprise')
  const second = await service.workspace('enterprise', 'Second & Sons')
  const wide = await service.key({
    workspace: first.id,
    userEmail: first.userEmail,
    reach: [first.id, second.id],
  })
  const ada = await newPerson(world, second.id)
  const body = messageTo({ applicant_id: ada.id }, { body_html: '<p>Hi</p>' })
  refused(await send(body, { key: wide }), 400, 'workspace_id_required')
  refused(await send(body, { key: wide, path: `/messages?workspace_id=${first.id}` }), 404, 'not_found')
  const response = await send(body, { key: wide, path: `/messages?workspace_id=${second.id}` })
  assert.equal(response.body.status, 'sent')
  const mail = await parse(mails.arrived[0]!)
  assert.match(mail.text!, /because you applied to Second & Sons\./)
  assert.match(mail.html!, /because you applied to Second &amp; Sons\./)
  assert.equal((await service.get('/me', wide)).body.rate_limits.messages_used_today, 1)
})

async function tenantNearCap(usedAlready: number) {
  const tenant = await service.workspace('enterprise')
  const sender = await service.key({ workspace: tenant.id, userEmail: tenant.userEmail })
  await db.query(sql`
    insert into message_usage (workspace_id, key_id, day, used)
    values (${tenant.id}, ${sender.id}, app_now()::date, ${usedAlready}::integer)`)
  const capped = async () => (await service.get('/me', sender)).body.rate_limits.messages_used_today
  return { workspace: tenant.id, sender, capped }
}

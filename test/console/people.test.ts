import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { workspaceVerbs } from '../../src/cli/workspaces.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { MailAudience } from '../../src/kernel/mail/mail.ts'
import { beginSession, SESSION_COOKIE } from '../../src/sign-in/sessions.ts'
import { sharedTestService, startTestService, type TestService } from '../harness/service.ts'
import { runVerb } from '../harness/verb.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let workspace: string
let firstOwner: string
let owner: Person
let admin: Person
let people = 0

before(async () => {
  service = await sharedTestService()
  const made = await service.workspace()
  workspace = made.id
  firstOwner = made.userId
  owner = await signedIn(service, workspace)
  admin = await signedIn(service, workspace, { role: 'admin' })
})

const invitation = (more: object = {}) => ({
  email: `new-${++people}@test.example`,
  role: 'member',
  first_name: 'Nora',
  last_name: '',
  ...more,
})
const byId = async (id: string) =>
  (await owner.get('/people')).body.data.find((person: { id: string }) => person.id === id)

test('console people: people: names, roles, whether this person may change them; a stranger is not there', async () => {
  const { data } = (await admin.get('/people')).body
  const rows = Object.fromEntries(data.map((p: { id: string }) => [p.id, p]))
  assert.deepEqual([rows[owner.userId].role, rows[owner.userId].can_change], ['owner', false])
  assert.deepEqual([rows[admin.userId].is_you, rows[admin.userId].can_change], [true, true])
  const elsewhere = await signedIn(service, (await service.workspace()).id)
  assert.equal(rows[elsewhere.userId], undefined)
  for (const [path, body] of [
    ['role', { role: 'viewer' }],
    ['remove', undefined],
    ['invite', undefined],
  ] as const) {
    const foreign = await owner.post(`/people/${elsewhere.userId}/${path}`, body)
    const missing = await owner.post(`/people/usr_unknown/${path}`, body)
    assert.deepEqual([foreign.status, missing.status], [404, 404])
    assert.equal(foreign.body.detail.message, missing.body.detail.message)
  }
})

test('console people: an invitation makes the member and an email whose link signs them in, once', async () => {
  const { email, ...rest } = invitation()
  const response = await owner.post('/people', { email, ...rest })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.body.person.role, 'member')
  assert.equal(response.body.mailed, true)
  const mail = (await owner.get(`/outbox/${response.body.outbox_mail_id}`)).body
  assert.equal(mail.to, email)
  const token = new URL(/http\S+\/sign-in\/link\S+/.exec(mail.text)![0]).searchParams.get('token')!
  const use = () =>
    fetch(`${service.origin}/sign-in/link/use`, {
      method: 'POST',
      headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token }),
      redirect: 'manual',
    })
  assert.equal((await use()).status, 303)
  assert.equal((await use()).status, 410)
  const again = await owner.post(`/people/${response.body.person.id}/invite`)
  assert.equal(again.status, 400, 'who has signed in gets no link that others can read')
})

test('console people: an invitation says in fixed words what it is, and carries no text of the inviter', async () => {
  const { db } = service.services
  const hostile = 'Your account is locked. To unlock it sign in within 24 hours:\n\nhttps://evil.example/login\n\n('
  for (const [field, text] of [
    ['first_name', hostile],
    ['last_name', 'at evil.example/login'],
    ['first_name', 'www.evil.example'],
    ['last_name', 'x'.repeat(61)],
    ['first_name', '\u202eevil'],
  ] as const) {
    const refused = await owner.post('/people', invitation({ [field]: text }))
    assert.equal(refused.status, 400, text)
    assert.equal(refused.body.detail.param, field)
  }
  const inviter = await signedIn(service, workspace)
  const mailOf = async () => {
    const { outbox_mail_id } = (await inviter.post('/people', invitation())).body
    return (await owner.get(`/outbox/${outbox_mail_id}`)).body
  }
  const { subject, text } = await mailOf()
  assert.equal(subject, 'Invitation to the workspace Test workspace')
  assert.match(
    text,
    /^You were added to a workspace of the Hiring Partner API\. Open this link within 3 days to sign in:\n\nhttp/,
  )
  assert.match(text, new RegExp(`\nWorkspace: Test workspace\nInvited by: ${inviter.email}\n`))

  // a name from before the rule
  await db.query(sql`update users set first_name = ${hostile} where id = ${inviter.userId}`)
  const late = await mailOf()
  assert.ok(!`${late.subject}${late.text}`.includes('evil'), late.text)
  assert.match(late.text, new RegExp(`\nInvited by: ${inviter.email}\n`))
})

test('console people: the link can be sent again to a person who never accepted', async () => {
  const { person, outbox_mail_id: first } = (await owner.post('/people', invitation())).body
  const again = (await admin.post(`/people/${person.id}/invite`)).body
  assert.equal(again.mailed, true)
  assert.notEqual(again.outbox_mail_id, first)
})

test('console people: 429 after five invitations a day to an address or 200 from a workspace; no user is created', async () => {
  const { person } = (await owner.post('/people', invitation())).body
  for (let i = 0; i < 4; i++) assert.equal((await owner.post(`/people/${person.id}/invite`)).status, 200)
  const refused = await owner.post(`/people/${person.id}/invite`)
  assert.equal(refused.status, 429)
  assert.match(refused.body.detail.message, /Too many invitations were sent today\. Try again in 24 hours\./)
  assert.equal((await owner.post('/people', invitation())).status, 200, 'others can be')

  const elsewhere = await signedIn(service, (await service.workspace()).id)
  await service.services.db.query(sql`delete from sign_in_attempts`)
  await elsewhere.post('/people', invitation())
  await service.services.db.query(sql`update sign_in_attempts set used = 200`)
  const more = invitation()
  assert.equal((await elsewhere.post('/people', more)).status, 429)
  const rows = await service.services.db.query(sql`select 1 from users where email = ${more.email}`)
  assert.equal(rows.length, 0)
  assert.equal((await owner.post('/people', more)).status, 200, 'another workspace is not concerned')
})

test('console people: 400 for an invalid address or that of a member; nothing is sent again and no user created', async () => {
  const before = (await owner.get('/people')).body.data.length
  for (const email of ['invalid', owner.email.toUpperCase()]) {
    const response = await owner.post('/people', invitation({ email }))
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.param, 'email')
  }
  assert.equal((await owner.post('/people', invitation({ role: 'king' }))).status, 400)
  assert.equal((await owner.get('/people')).body.data.length, before)
})

test('console people: 403 role_required: an admin makes no owner, changes none, removes none, and not itself one', async () => {
  const tries = [
    admin.post('/people', invitation({ role: 'owner' })),
    admin.post(`/people/${owner.userId}/role`, { role: 'viewer' }),
    admin.post(`/people/${owner.userId}/remove`),
    admin.post(`/people/${owner.userId}/invite`),
    admin.post(`/people/${admin.userId}/role`, { role: 'owner' }),
  ]
  for (const response of await Promise.all(tries)) {
    assert.equal(response.status, 403, response.text)
    assert.equal(response.body.detail.code, 'role_required')
  }
  assert.equal((await byId(owner.userId)).role, 'owner')
  assert.equal((await byId(admin.userId)).role, 'admin')
})

test('console people: a role applies from the next request', async () => {
  const other = await signedIn(service, workspace, { role: 'admin' })
  assert.equal((await owner.post(`/people/${other.userId}/role`, { role: 'viewer' })).body.role, 'viewer')
  assert.equal((await other.get('/people')).body.detail.code, 'role_required')
})

test('console people: removal ends sessions and keys immediately', async () => {
  const other = await signedIn(service, workspace, { role: 'admin' })
  const key = await service.key({ workspace, userEmail: other.email })
  assert.equal((await service.get('/me', key)).status, 200)
  assert.equal((await admin.post(`/people/${other.userId}/remove`)).status, 200)
  assert.equal((await other.get('/people')).status, 401)
  assert.equal((await service.get('/me', key)).status, 401)
  assert.equal(await byId(other.userId), undefined)
})

test('console people: 400: no user can remove or demote the last owner', async () => {
  const alone = await signedIn(service, (await service.workspace()).id)
  const { data } = (await alone.get('/people')).body
  const first = data.find((p: { is_you: boolean }) => !p.is_you)
  assert.equal((await alone.post(`/people/${first.id}/remove`)).status, 200)
  for (const response of [
    await alone.post(`/people/${alone.userId}/remove`),
    await alone.post(`/people/${alone.userId}/role`, { role: 'admin' }),
  ]) {
    assert.equal(response.status, 400)
    assert.match(response.body.detail.message, /needs at least one owner/)
  }
  assert.equal((await alone.get('/people')).body.data[0].role, 'owner')
})

test('console settings: read, changed one by one, effective immediately', async () => {
  assert.deepEqual((await admin.get('/settings')).body, {
    key_management_domains: [],
    connected_app_writes: false,
    webhooks_self_serve: true,
    second_factor: 'optional',
    app_installs: 'admins',
  })
  const changed = await admin.post('/settings', { connected_app_writes: true })
  assert.deepEqual(changed.body, {
    key_management_domains: [],
    connected_app_writes: true,
    webhooks_self_serve: true,
    second_factor: 'optional',
    app_installs: 'admins',
  })
  const key = await service.key({ workspace, userEmail: owner.email })
  await owner.post('/settings', { webhooks_self_serve: false })
  const body = { url: 'https://example.com/hook', event_types: ['job.updated'] }
  const refused = await service.post('/webhooks/endpoints', key, body, {
    headers: { 'idempotency-key': 'settings-one' },
  })
  assert.equal(refused.body.detail.code, 'webhooks_self_serve_disabled')
  await owner.post('/settings', { webhooks_self_serve: true, connected_app_writes: false })
})

test('console people: 400: a list of domains without one’s own, an entry that is no domain, nothing at all; nothing changes', async () => {
  for (const key_management_domains of [
    ['other.example'],
    ['test.example', 'no domain'],
    ['test.example', '*.example'],
  ]) {
    const response = await owner.post('/settings', { key_management_domains })
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.param, 'key_management_domains')
  }
  assert.equal((await owner.post('/settings', {})).status, 400)
  assert.deepEqual((await owner.get('/settings')).body.key_management_domains, [])
})

test('console people: 403 email_domain_not_allowed: whom the list leaves out does not put themselves on it', async () => {
  const guest = await signedIn(service, workspace, { role: 'admin', email: 'guest@elsewhere.example' })
  const wanted = { key_management_domains: ['@Test.Example', 'test.example', ' '] }
  assert.deepEqual((await owner.post('/settings', wanted)).body.key_management_domains, ['test.example'])
  for (const key_management_domains of [['elsewhere.example'], []]) {
    const response = await guest.post('/settings', { key_management_domains })
    assert.equal(response.body.detail.code, 'email_domain_not_allowed')
  }
  assert.equal((await guest.post('/settings', { connected_app_writes: false })).status, 200)
  await owner.post('/settings', { key_management_domains: [] })
})

test('console people: sessions: one’s own alone, ended one by one or all but this', async () => {
  const { services } = service
  const how = { method: 'password', address: '192.0.2.1', userAgent: 'Other' } as const
  const begin = async () =>
    `${SESSION_COOKIE}=${await beginSession(services.db, { id: owner.userId, workspace_id: workspace }, how)}`
  const other = await begin()
  await begin()
  const { data } = (await owner.get('/sessions')).body
  assert.equal(data.length, 3)
  assert.equal(data.filter((s: { current: boolean }) => s.current).length, 1)
  const mine = data.find((s: { current: boolean }) => !s.current)
  assert.equal((await admin.post(`/sessions/${mine.id}/end`)).status, 404, 'another person’s session is not there')
  assert.equal((await owner.post('/sessions/x/end')).status, 404)
  assert.equal((await owner.post(`/sessions/${mine.id}/end`)).status, 200)
  assert.equal((await owner.post('/sessions/end-others')).body.ended, 1)
  const out = await service.call('GET', `${service.origin}/console/api/session`, { headers: { cookie: other } })
  assert.equal(out.status, 401)
  assert.equal((await owner.get('/sessions')).body.data.length, 1)
})

test('outbox: owners read emails of their workspace; not an admin, not those of people who are elsewhere too', async () => {
  const { mailer } = service.services
  const elsewhere = (await service.workspace()).id
  const shared = await signedIn(service, workspace, { email: 'shared@test.example' })
  const there = await signedIn(service, elsewhere, { email: shared.email })
  const send = (id: string, audience: MailAudience, address = owner.email) =>
    mailer.send({ id, audience, to: { address }, subject: 'Grüße', text: 'A link', html: '<p>A link</p>' })
  await send('sign-in-own', { signsIn: true, userIds: [owner.userId] })
  await send('sign-in-shared', { signsIn: true, userIds: [shared.userId, there.userId] }, shared.email)
  await send('sign-in-unknown', { signsIn: true, userIds: ['usr_unknown'] })
  await send('msg_here', { workspaceId: workspace }, 'candidate@example.org')
  await send('msg_there', { workspaceId: elsewhere }, 'candidate@example.org')
  const ids = (await owner.get('/outbox')).body.data.map((mail: { id: string }) => mail.id)
  assert.ok(ids.includes('sign-in-own') && ids.includes('msg_here'))
  for (const hidden of ['sign-in-shared', 'sign-in-unknown', 'msg_there']) {
    assert.ok(!ids.includes(hidden))
    assert.equal((await owner.get(`/outbox/${hidden}`)).status, 404)
  }
  const mail = (await owner.get('/outbox/sign-in-own')).body
  assert.deepEqual([mail.subject, mail.text.trim(), mail.html.trim()], ['Grüße', 'A link', '<p>A link</p>'])
  for (const path of ['/outbox', '/outbox/sign-in-own']) {
    assert.equal((await admin.get(path)).body.detail.code, 'role_required')
  }
  assert.equal((await owner.get('/outbox/..%2f..%2fsecret')).status, 404)
})

test('outbox: links to the pages of candidates have no token in the console, and are whole in a demo of this machine; the file has it', async () => {
  const { mailer, outbox } = service.services
  const link = `${service.origin}/careers/acme/link?token=zq-secret_Token&lang=en`
  const html = `<p><a href="${link.replace('&', '&amp;')}">Open</a></p>`
  const to = { address: 'ada@people.dev' }
  const mail = { audience: { workspaceId: workspace }, to, subject: 'Link', text: `Open:\n${link}\nBye`, html }
  await mailer.send({ ...mail, id: 'candidate-with-link' })
  const { body } = await owner.get('/outbox/candidate-with-link')
  assert.ok(!JSON.stringify(body).includes('zq-secret'))
  assert.equal(body.text.trim(), `Open:\n${link.replace('zq-secret_Token', '[hidden]')}\nBye`)
  assert.equal(body.html, '<p><a>Open</a></p>', 'what leads nowhere is no link')
  assert.equal(body.hides_links, true)
  assert.ok((await outbox.read('candidate-with-link'))!.text.includes(link))
  assert.equal((await owner.get('/outbox/msg_here')).body.hides_links, false)
  service.services.isLocalDemo = true
  const inDemo = (await owner.get('/outbox/candidate-with-link')).body
  service.services.isLocalDemo = false
  assert.deepEqual([inDemo.text.trim(), inDemo.html, inDemo.hides_links], [mail.text, html, false])
})

test('outbox: an address that reads the same in an email shows no link of another workspace’s member', async () => {
  const { outbox } = service.services
  const elsewhere = (await service.workspace('starter', 'Elsewhere')).id
  const target = await signedIn(service, elsewhere, { role: 'admin', email: 'bob@b\u00fccher.example' })
  const askLink = () =>
    service.call('POST', `${service.origin}/sign-in/link`, {
      headers: { origin: service.origin, 'content-type': 'application/x-www-form-urlencoded' },
      raw: new URLSearchParams({ email: target.email }).toString(),
    })
  const links = async () => (await outbox.list()).filter(mail => mail.to.includes('xn--bcher-kva'))
  const until = async (count: number) => {
    while ((await links()).length < count);
  }
  await askLink()
  await until(1)
  const { person } = (await owner.post('/people', invitation({ email: 'bob@xn--bcher-kva.example' }))).body
  const own = async () =>
    (await owner.get('/outbox')).body.data.filter((mail: { to: string }) => mail.to.includes('xn--bcher'))
  assert.deepEqual(
    (await own()).map((mail: { subject: string }) => mail.subject.slice(0, 10)),
    ['Invitation'],
    'the invitation alone',
  )
  await askLink()
  // the invitation, and for each of the two members a link
  await until(4)
  const listed = await own()
  assert.equal(listed.length, 2, 'the invitation and the link of this workspace’s own member')
  for (const { id } of listed) {
    const { text } = (await owner.get(`/outbox/${id}`)).body
    const token = new URL(/http\S+\/sign-in\/link\S+/.exec(text)![0]).searchParams.get('token')!
    const [ticket] = await service.services.db.query(sql<{ user_ids: string[] }>`
      select user_ids from sign_in_tickets where token_hash = encode(sha256(${token}::bytea), 'hex')`)
    assert.deepEqual(ticket!.user_ids, [person.id])
  }
  const shown = new Set(listed.map((mail: { id: string }) => mail.id))
  for (const { id } of await links()) {
    assert.equal((await owner.get(`/outbox/${id}`)).status, shown.has(id) ? 200 : 404)
  }
})

test('console people: 404: there is no outbox where a mail server is configured', async () => {
  const other = await startTestService({
    ROLES: 'api',
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'service@test.example',
  })
  const person = await signedIn(other, (await other.workspace()).id)
  assert.equal((await person.get('/outbox')).status, 404)
  assert.equal((await person.get('/session')).body.has_outbox, false)
  const invited = await person.post('/people', invitation())
  assert.equal(invited.status, 200)
  assert.equal(invited.body.mailed, false, 'the member is there, and the link can be sent again')
})

test('console people: the first owner of the workspace is still there', async () => {
  assert.equal((await byId(firstOwner)).role, 'owner')
})

test('console settings: the command shows and changes them, even to a list of domains that excludes all members', async () => {
  const settings = (args: Record<string, string> = {}) =>
    runVerb(service, workspaceVerbs, 'workspaces settings', [workspace], args).then(output => output.json)
  const wanted = { 'key-domains': 'Far.Example,near.example', 'connected-app-writes': 'on' }
  const changed = { key_management_domains: ['far.example', 'near.example'], connected_app_writes: true }
  assert.deepEqual(await settings(wanted), {
    ...changed,
    webhooks_self_serve: true,
    second_factor: 'optional',
    app_installs: 'admins',
  })
  assert.deepEqual(await settings(), {
    ...changed,
    webhooks_self_serve: true,
    second_factor: 'optional',
    app_installs: 'admins',
  })
  assert.deepEqual((await owner.get('/settings')).body.key_management_domains, ['far.example', 'near.example'])
  await assert.rejects(settings({ 'connected-app-writes': 'maybe' }), /must be on or off/)
  await assert.rejects(settings({ 'key-domains': 'no domain' }), /not a valid domain/)
  await settings({ 'key-domains': 'any', 'connected-app-writes': 'off' })
  assert.deepEqual((await owner.get('/settings')).body.key_management_domains, [])
  await assert.rejects(runVerb(service, workspaceVerbs, 'workspaces settings', ['wsp_x'], {}), /there is no workspace/)
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { teamMails } from '../../src/resources/hiring-team/index.ts'
import { removeUser } from '../../src/resources/users/index.ts'
import { apply, newTenant, readEvents, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { startMailServer } from '../harness/smtp.ts'

let world: World
let owner: Person
let admin: Person
let member: Person
let viewer: Person
const smtp = await startMailServer()

before(async () => {
  world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.test' })
  const enter = (role: 'owner' | 'admin' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  admin = await enter('admin')
  member = await enter('member')
  viewer = await enter('viewer')
})

const note = (person: Person, application: string, body: string, mentions: string[] = []) =>
  person.post(`/applications/${application}/notes`, { body, mentions })

const bodies = async (person: Person, application: string): Promise<string[]> =>
  (await person.get(`/applications/${application}/notes`)).body.data.map((row: { body: string }) => row.body)

test('hiring notes: everyone who works on the job reads every note of the team; viewers are refused', async () => {
  const { id } = await apply(world)
  assert.equal((await note(member, id, 'Met her in Lyon.')).status, 200)
  assert.equal((await note(owner, id, 'Ask about notice period.')).status, 200)
  for (const person of [owner, admin, member])
    assert.deepEqual(await bodies(person, id), ['Ask about notice period.', 'Met her in Lyon.'])
  const refused = await viewer.get(`/applications/${id}/notes`)
  assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  assert.equal((await note(viewer, id, 'No.')).status, 403)
  // the same notes as those of the API
  const listed = await world.service.get(`/applications/${id}/notes`, world.key)
  assert.deepEqual(
    listed.body.data.map((row: { body: string; author_user_id: string }) => [row.body, row.author_user_id]),
    [
      ['Ask about notice period.', owner.userId],
      ['Met her in Lyon.', member.userId],
    ],
  )
})

test('hiring notes: a note emits application.updated without its text, and pages continue by cursor', async () => {
  const { id } = await apply(world)
  for (let i = 1; i <= 3; i++) await note(owner, id, `Note ${i}`)
  const last = (await readEvents(world, world.workspace)).findLast(({ type }) => type === 'application.updated')!
  assert.deepEqual([last.data.object['id'], last.data.object['changed']], [id, ['notes']])
  assert.ok(!JSON.stringify(last).includes('Note 3'))
  const first = await owner.get(`/applications/${id}/notes?limit=2`)
  assert.equal(first.body.data.length, 2)
  const next = await owner.get(`/applications/${id}/notes?limit=2&cursor=${encodeURIComponent(first.body.next_cursor)}`)
  assert.deepEqual(
    next.body.data.map((row: { body: string }) => row.body),
    ['Note 1'],
  )
})

test('hiring notes: a mentioned member gets one email with a link and nothing else; the author gets none', async () => {
  const { id } = await apply(world, {}, { first_name: 'Katharina', last_name: 'Ohnesorg' })
  const before = smtp.arrived.length
  const written = await note(owner, id, '@Pia What do you think of Katharina?', [admin.userId, owner.userId])
  assert.equal(written.status, 200)
  while (await sendNextMails(world.service.services, teamMails));
  const mails = smtp.arrived.slice(before)
  assert.equal(mails.length, 1)
  const text = String(mails[0]!.raw)
    .replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=')
  assert.match(text, /You were mentioned in a note/)
  assert.ok(text.includes(`/hiring/applications/${id}?panel=notes`))
  for (const word of ['Katharina', 'Ohnesorg', 'What do you think']) assert.ok(!text.includes(word), word)
  const [row] = (await owner.get(`/applications/${id}/notes`)).body.data
  assert.deepEqual(
    row.mentions.map((one: { id: string }) => one.id).toSorted(),
    [admin.userId, owner.userId].toSorted(),
  )
  assert.equal(row.author.id, owner.userId)
})

test('hiring notes: an email that the mail server refused is sent later, once', async () => {
  const { id } = await apply(world)
  const before = smtp.arrived.length
  await note(owner, id, 'Later', [admin.userId])
  smtp.behaviour = 'refuse recipient'
  assert.equal(await sendNextMails(world.service.services, teamMails), true)
  smtp.behaviour = 'accept'
  assert.equal(await sendNextMails(world.service.services, teamMails), false, 'not before the wait is over')
  await world.service.services.db.query(
    sql`update team_mails set due_at = app_now() where application_id = ${id} and due_at is not null`,
  )
  while (await sendNextMails(world.service.services, teamMails));
  assert.equal(smtp.arrived.length, before + 1)
})

test('hiring notes: a member who is removed is no longer mentioned; what they wrote stays without a name', async () => {
  const { id } = await apply(world)
  const guest = await signedIn(world.service, world.workspace, { role: 'admin', program: 'hiring' })
  await note(guest, id, 'From the guest')
  await note(owner, id, 'For the guest', [guest.userId])
  await owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [guest.userId] })
  await removeUser(world.service.services.db, { workspace: world.workspace, user: guest.userId })
  const { data } = (await owner.get(`/applications/${id}/notes`)).body
  assert.deepEqual(
    data.map((row: { body: string; author: unknown; mentions: unknown[] }) => [
      row.body,
      row.author === null,
      row.mentions,
    ]),
    [
      ['For the guest', false, []],
      ['From the guest', true, []],
    ],
  )
  while (await sendNextMails(world.service.services, teamMails));
})

test('hiring notes: 400 for a mention of no member, of another workspace, or of a viewer; nothing is stored', async () => {
  const { id } = await apply(world)
  const other = await newTenant(world.service)
  for (const user of [other.userId, 'usr_none', 'x', viewer.userId]) {
    const refused = await note(owner, id, 'Hello', [owner.userId, user])
    assert.deepEqual([refused.status, refused.body.detail.errors[0].param], [400, 'mentions[1]'])
  }
  assert.equal((await note(owner, id, '   ')).body.detail.errors[0].param, 'body')
  assert.deepEqual(await bodies(owner, id), [])
})

test('hiring notes: 404 for an application of another workspace, as for a missing one', async () => {
  const other = await newTenant(world.service)
  const { id } = await apply({ service: world.service, ...other })
  for (const path of [id, 'app_none', 'app_01m8x2c4e6g8j0k2m4n6']) {
    assert.equal((await owner.get(`/applications/${path}/notes`)).status, 404)
    assert.equal((await note(owner, path, 'Hello')).status, 404)
  }
})

test('hiring notes: notes of a person whose processing was stopped are neither shown nor written', async () => {
  const application = await apply(world)
  await note(owner, application.id, 'Before')
  await world.service.services.db.query(
    sql`update applicants set suppressed_at = app_now() where id = ${application.applicant_id}`,
  )
  assert.deepEqual(await bodies(owner, application.id), [])
  const refused = await note(owner, application.id, 'After')
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'applicant_suppressed'])
})

test('hiring members: everyone may see who is in the workspace, and who could read a note', async () => {
  const { members } = (await viewer.get('/members')).body
  const byId = new Map(members.map((one: { id: string }) => [one.id, one]))
  assert.deepEqual(
    [owner, member, viewer].map(person => (byId.get(person.userId) as { reads_notes: boolean }).reads_notes),
    [true, true, false],
  )
})

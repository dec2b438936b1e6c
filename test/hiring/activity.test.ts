import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { changeJobAccess } from '../../src/resources/users/index.ts'
import { apply, newTenant, sharedWorld, upload } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

const world = await sharedWorld()
const { service, workspace } = world
const enter = (role: 'owner' | 'member' | 'viewer', firstName: string) =>
  signedIn(service, workspace, { role, program: 'hiring', firstName })
const owner = await enter('owner', 'Rosalind')
const member = await enter('member', 'Devika')
const viewer = await enter('viewer', 'Jolanda')

interface Line {
  id: string
  kind: string
  by: { kind: string; name: string | null }
  [field: string]: unknown
}
const read = async (person: Person, application: string, query = ''): Promise<Line[]> => {
  const { status, body } = await person.get(`/applications/${application}/activity${query}`)
  assert.equal(status, 200)
  return body.data
}
const kinds = (lines: readonly Line[]) => lines.map(({ kind }) => kind)

test('activity: moves, notes, messages and decisions in one stream, the latest first, each with who did it', async () => {
  const { id } = await apply(world, {}, { email: `${randomUUID()}@people.dev` })
  await owner.post(`/v1/applications/${id}/move`, { stage_id: world.job.stages[1] })
  await member.post(`/applications/${id}/notes`, { body: 'Good reply', mentions: [] })
  await service.post(
    '/messages',
    world.key,
    { to: { application_id: id }, subject: 'Hello', body_text: 'Shall we talk?' },
    { headers: { 'idempotency-key': randomUUID() } },
  )
  await member.post(`/applications/${id}/replies`, { body: 'Yes, gladly.' })
  await owner.post(`/v1/applications/${id}/reject`, { reason: 'Others fit better' })
  const lines = await read(owner, id)
  assert.deepEqual(kinds(lines), ['step', 'message', 'message', 'note', 'step', 'step'])
  const [decided, reply] = lines
  assert.deepEqual(
    [decided!.by.name, decided!['to_status'], decided!['reason'], decided!['own']],
    ['Rosalind', 'rejected', 'Others fit better', true],
  )
  assert.deepEqual([reply!['direction'], reply!['body'], reply!.by.name], ['in', 'Yes, gladly.', 'Devika'])
  const note = lines.find(({ kind }) => kind === 'note')
  assert.deepEqual([note!['body'], note!.by.name], ['Good reply', 'Devika'])
  const moved = lines.find(line => line['to_stage'] === 'Screen')
  assert.deepEqual([moved!['from_stage'], moved!.by.name], ['Applied', 'Rosalind'])
  assert.equal(lines.at(-1)!['is_first'], true)
})

test('activity: in pages of 25 with no line twice, and by kind', async () => {
  const { id } = await apply(world)
  for (let i = 0; i < 30; i++) await member.post(`/applications/${id}/notes`, { body: `Note ${i}`, mentions: [] })
  const first = await owner.get(`/applications/${id}/activity?limit=25`)
  const next = await owner.get(`/applications/${id}/activity?limit=25&cursor=${first.body.next_cursor}`)
  const all = [...first.body.data, ...next.body.data] as Line[]
  assert.deepEqual(
    [first.body.data.length, next.body.next_cursor, new Set(all.map(line => line.id)).size],
    [25, null, 31],
  )
  assert.equal((await read(owner, id, '?show=notes')).length, 30)
  assert.deepEqual(kinds(await read(owner, id, '?show=decisions')), ['step'])
  assert.equal((await owner.get(`/applications/${id}/activity?show=gossip`)).status, 400)
})

test('activity: viewers see no message and no note of others; who read what is for owners and admins alone', async () => {
  const { id } = await apply(world, { resume_upload_id: await upload(world) })
  await member.post(`/applications/${id}/notes`, { body: 'Between us', mentions: [] })
  await member.post(`/applications/${id}/replies`, { body: 'A text of the candidate' })
  const seen = await viewer.get(`/applications/${id}/activity`)
  assert.ok(!/Between us|A text of/.test(seen.text))
  await owner.get(`/v1/applications/${id}/contact-info`)
  const { applicant_id } = (await service.get(`/applications/${id}`, world.key)).body
  await owner.get(`/v1/applicants/${applicant_id}/contact-info`)
  const reads = await read(owner, id, '?show=reads')
  assert.ok(reads.length > 0 && reads.every(line => line.by.name === 'Rosalind'))
  assert.deepEqual(await read(member, id, '?show=reads'), [])
})

test('activity: of a stopped person only decisions are shown; 404 for an application of another workspace', async () => {
  const { id, applicant_id } = await apply(world)
  await member.post(`/applications/${id}/notes`, { body: 'Before', mentions: [] })
  await service.services.db.query(sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`)
  assert.deepEqual(kinds(await read(owner, id)), ['step'])
  const other = await newTenant(service)
  const stranger = await signedIn(service, other.workspace, { program: 'hiring' })
  assert.equal((await stranger.get(`/applications/${id}/activity`)).status, 404)
})

test('activity: people limited to jobs see the messages of this application, and none to the person or another job; others see both kinds', async () => {
  const mine = await apply(world, {}, { email: `${randomUUID()}@people.dev` })
  const manager = await enter('member', 'Tomás')
  const interviewer = await enter('member', 'Peng')
  const join = (person: Person, role: string) =>
    owner.post(`/jobs/${world.job.id}/team`, { add: [person.userId], remove: [], roles: { [person.userId]: role } })
  for (const person of [manager, interviewer])
    await changeJobAccess(service.services.db, { workspace, user: person.userId }, 'team')
  assert.equal((await join(manager, 'recruiter')).status, 200)
  assert.equal((await join(interviewer, 'interviewer')).status, 200)
  await owner.post(`/applications/${mine.id}/scorecard-requests`, { user_ids: [interviewer.userId] })
  const send = async (to: object, subject: string) => {
    const message = { to, subject, body_text: 'Hello' }
    const sent = await service.post('/messages', world.key, message, { headers: { 'idempotency-key': randomUUID() } })
    assert.ok(sent.status < 300, sent.text)
  }
  await send({ application_id: mine.id }, 'About this application')
  await send({ applicant_id: mine.applicant_id }, 'To the person alone')
  const subjects = async (person: Person) =>
    (await read(person, mine.id, '?show=messages')).map(line => line['subject'])
  const both = ['To the person alone', 'About this application']
  assert.deepEqual(await subjects(owner), both)
  assert.deepEqual(await subjects(member), both)
  assert.deepEqual(await subjects(manager), ['About this application'])
  assert.deepEqual(await subjects(interviewer), [])
  for (const person of [manager, interviewer])
    assert.ok(!(await person.get(`/applications/${mine.id}/activity`)).text.includes('To the person alone'))
})

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { JobRole } from '../../src/contract/job-rights.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { sendNextMails } from '../../src/kernel/mail/queue.ts'
import { teamMails } from '../../src/resources/hiring-team/index.ts'
import { apply, newJob, readEvents, startWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { startMailServer } from '../harness/smtp.ts'
import { checkVendor } from './checks-setup.ts'

let world: World
let owner: Person
let admin: Person
let author: Person
let colleague: Person
let interviewer: Person
let manager: Person
const smtp = await startMailServer()

const post = (person: Person, path: string, body: object = {}) => person.post(path, body)

const join = (person: Person, role: JobRole, job = world.job.id) =>
  owner.post(`/jobs/${job}/team`, { add: [person.userId], remove: [], roles: { [person.userId]: role } })

const limit = (person: Person) =>
  world.service.services.db.query(
    sql`update users set job_access = 'team' where workspace_id = ${world.workspace} and id = ${person.userId}`,
  )

before(async () => {
  world = await startWorld({ SMTP_URL: smtp.url, MAIL_FROM: 'jobs@acme.test' })
  const enter = (role: 'owner' | 'admin' | 'member') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  admin = await enter('admin')
  author = await enter('member')
  colleague = await enter('member')
  interviewer = await enter('member')
  manager = await enter('member')
  for (const person of [interviewer, manager]) await limit(person)
  assert.equal((await join(interviewer, 'interviewer')).status, 200)
  assert.equal((await join(manager, 'hiring_manager')).status, 200)
})

const write = async (person: Person, id: string, body: string, more: object = {}): Promise<string> => {
  const written = await post(person, `/applications/${id}/notes`, { body, mentions: [], ...more })
  assert.equal(written.status, 200, written.text)
  return written.body.id
}

const bodies = async (person: Person, id: string): Promise<string[]> =>
  (await person.get(`/applications/${id}/notes`)).body.data.map((row: { body: string }) => row.body)

const ask = (id: string, person: Person) =>
  post(owner, `/applications/${id}/scorecard-requests`, { user_ids: [person.userId] })

const changesOf = async (id: string) =>
  (await readEvents(world, world.workspace)).filter(
    ({ type, data }) => type === 'application.updated' && data.object['id'] === id,
  ).length

test('private notes: author, mentioned members, owners and admins read them; the team, the API and the feed have nothing', async () => {
  const { id } = await apply(world)
  const before = await changesOf(id)
  const written = await write(author, id, 'Salary is a problem', { visibility: 'private' })
  for (const person of [author, owner, admin]) assert.deepEqual(await bodies(person, id), ['Salary is a problem'])
  for (const person of [colleague, manager]) assert.deepEqual(await bodies(person, id), [])
  assert.deepEqual((await world.service.get(`/applications/${id}/notes`, world.key)).body.data, [])
  assert.equal(await changesOf(id), before)
  const shared = { body: 'Salary is a problem @Kim', mentions: [colleague.userId] }
  assert.equal((await post(author, `/applications/${id}/notes/${written}`, shared)).status, 200)
  assert.deepEqual(await bodies(colleague, id), ['Salary is a problem @Kim'])
  assert.deepEqual(await bodies(manager, id), [])
  assert.equal(await changesOf(id), before)
  const task = (await colleague.get('/tasks')).body.mentions.find((row: { note_id: string }) => row.note_id === written)
  assert.equal(task.body, 'Salary is a problem @Kim')
  assert.ok(!(await manager.get('/tasks')).text.includes('Salary'))
  assert.equal(
    (await post(author, `/applications/${id}/notes`, { body: 'x', mentions: [], visibility: 'all' })).status,
    400,
  )
})

test('notes of the API: no field says who may read one; those of keys are for the team', async () => {
  const { id } = await apply(world)
  const body = { body: 'From the ATS' }
  const stored = await world.service.post(`/applications/${id}/notes`, world.key, body)
  assert.equal(stored.status, 201)
  assert.ok(!('visibility' in stored.body) && !('edited_at' in stored.body))
  assert.deepEqual(await bodies(manager, id), ['From the ATS'])
  const refused = await world.service.post(`/applications/${id}/notes`, world.key, { ...body, visibility: 'private' })
  assert.equal(refused.status, 400)
})

test('editing a note: its author for 15 minutes, shown as edited, in the feed; 404 for anyone else, owners too', async () => {
  const { id } = await apply(world)
  const note = await write(author, id, 'Good')
  const path = `/applications/${id}/notes/${note}`
  const next = { body: 'Very good', mentions: [] }
  for (const person of [owner, colleague]) {
    assert.equal((await post(person, path, next)).status, 404)
    assert.equal((await post(person, `${path}/delete`)).status, 404)
  }
  const before = await changesOf(id)
  assert.equal((await post(author, path, next)).status, 200)
  assert.equal(await changesOf(id), before + 1)
  const [row] = (await colleague.get(`/applications/${id}/notes`)).body.data
  assert.deepEqual([row.body, row.edited_at === null, row.editable], ['Very good', false, false])
  assert.equal((await author.get(`/applications/${id}/notes`)).body.data[0].editable, true)
  const elsewhere = await apply(world)
  assert.equal((await post(author, `/applications/${elsewhere.id}/notes/${note}`, next)).status, 404)
  assert.equal((await post(author, `/applications/${id}/notes/none`, next)).status, 404)
  await world.service.services.db.query(
    sql`update notes set created_at = app_now() - interval '16 minutes' where id = ${note}::uuid`,
  )
  const late = await post(author, path, { body: 'Late', mentions: [] })
  assert.deepEqual([late.status, late.body.detail.param], [400, 'body'])
  assert.deepEqual(await bodies(owner, id), ['Very good'])
  assert.equal((await post(author, `${path}/delete`)).status, 200)
  assert.deepEqual(await bodies(owner, id), [])
  assert.equal(await changesOf(id), before + 2)
})

test('mentions: a limited hiring manager is offered, gets the email and reads the note; a viewer and a stranger are not', async () => {
  const { id } = await apply(world)
  const offered = (await author.get(`/members?application_id=${id}`)).body.members
  const reads = (person: Person) => offered.find((row: { id: string }) => row.id === person.userId)?.reads_notes
  assert.deepEqual([reads(manager), reads(colleague), reads(interviewer)], [true, true, false])
  while (await sendNextMails(world.service.services, teamMails));
  const before = smtp.arrived.length
  await write(author, id, 'Look', { mentions: [manager.userId] })
  while (await sendNextMails(world.service.services, teamMails));
  assert.equal(smtp.arrived.length, before + 1)
  assert.deepEqual(await bodies(manager, id), ['Look'])
  const other = await apply({ ...world, job: await newJob(world.service, world.workspace) })
  const refused = await post(author, `/applications/${other.id}/notes`, { body: 'Look', mentions: [manager.userId] })
  assert.deepEqual([refused.status, refused.body.detail.param], [400, 'mentions[0]'])
})

test('mails of mentions: not sent to who left the team, nor about a note that was deleted or names them no more', async () => {
  const { id } = await apply(world)
  const before = smtp.arrived.length
  const mentions = [manager.userId]
  const deleted = await write(author, id, 'One', { mentions })
  await post(author, `/applications/${id}/notes/${deleted}/delete`)
  const changed = await write(author, id, 'Two', { mentions })
  await post(author, `/applications/${id}/notes/${changed}`, { body: 'Two', mentions: [] })
  await write(author, id, 'Three', { mentions })
  await owner.post(`/jobs/${world.job.id}/team`, { add: [], remove: [manager.userId] })
  while (await sendNextMails(world.service.services, teamMails));
  assert.equal(smtp.arrived.length, before)
  assert.equal((await join(manager, 'hiring_manager')).status, 200)
})

test('interviewers: see the candidates whom they were asked about, their own notes and mentions, and all after their scorecard', async () => {
  const [asked, other] = [await apply(world), await apply(world)]
  assert.equal((await interviewer.get(`/candidates/${asked.id}`)).status, 404)
  assert.equal((await ask(asked.id, interviewer)).status, 200)
  assert.equal((await interviewer.get(`/candidates/${asked.id}`)).status, 200)
  assert.equal((await interviewer.get(`/candidates/${other.id}`)).status, 404)
  await write(owner, asked.id, 'Reference was poor')
  await write(owner, asked.id, 'Please go deeper', { mentions: [interviewer.userId] })
  await write(owner, asked.id, 'Keep this quiet', { visibility: 'private' })
  await write(interviewer, asked.id, 'My own')
  assert.deepEqual(await bodies(interviewer, asked.id), ['My own', 'Please go deeper'])
  const hidden = () => interviewer.get(`/applications/${asked.id}/hidden-notes`)
  assert.deepEqual((await hidden()).body, { hidden: 1 })
  const card = { recommendation: 'yes' }
  assert.equal((await interviewer.post(`/v1/applications/${asked.id}/scorecards`, card)).status, 201)
  assert.deepEqual(await bodies(interviewer, asked.id), ['My own', 'Please go deeper', 'Reference was poor'])
  assert.deepEqual((await hidden()).body, { hidden: 0 })
  const cards = (await interviewer.get(`/jobs/${world.job.id}/board/cards`)).body.data
  assert.deepEqual(
    cards.map((row: { id: string }) => row.id),
    [asked.id],
  )
})

test('interviewers: 403 for messages, contact details, decisions, set-up and history of a candidate whom they see', async () => {
  const application = await apply(world)
  const { id, applicant_id: person } = application
  await ask(id, interviewer)
  const job = world.job.id
  for (const path of [
    `/applications/${id}/messages`,
    `/v1/applicants/${person}/contact-info`,
    `/v1/applications/${id}/orders`,
    `/jobs/${job}/history`,
    `/jobs/${job}/form`,
    `/insight/applications?job_id=${job}`,
    `/v1/jobs/${job}/applications`,
  ])
    assert.equal((await interviewer.get(path)).status, 403, path)
  for (const [path, body] of [
    [`/v1/applications/${id}/reject`, { reason: 'No' }],
    [`/applications/${id}/tags`, { add: 'x' }],
    [`/v1/applications/${id}/move`, { stage_id: application.stage_id }],
    [`/applications/changes`, { changes: [{ id, action: 'reject', reason: 'No' }] }],
    [`/jobs/${job}/team`, { add: [], remove: [] }],
  ] as const)
    assert.equal((await post(interviewer, path, body)).status, 403, path)
  const message = { to: { application_id: id }, subject: 'Hi', body_text: 'Hi' }
  const sent = await interviewer.post('/v1/messages', message, { 'Idempotency-Key': randomUUID() })
  assert.equal(sent.status, 403, sent.text)
  const { may, history, application: shown } = (await interviewer.get(`/candidates/${id}`)).body
  assert.deepEqual([may, history.refused.status, 'rejection_reason' in shown], [['see', 'feedback'], 403, false])
})

test('interviewers: no test or check on a card and no filter by one; counts of jobs are those of whom they see', async () => {
  const [asked, other] = [await apply(world), await apply(world)]
  const packageId = await checkVendor(world).package()
  for (const { id } of [asked, other])
    assert.equal((await post(owner, `/applications/${id}/orders`, { package_id: packageId })).status, 200)
  await ask(asked.id, interviewer)
  const board = `/jobs/${world.job.id}/board`
  const checkOn = async (person: Person) =>
    (await person.get(`${board}/cards?ids=${asked.id}`)).body.data.map(
      (card: { check: unknown }) => card.check !== null,
    )
  assert.deepEqual([await checkOn(manager), await checkOn(interviewer)], [[true], [false]])
  for (const path of [board, `${board}/cards`]) {
    assert.equal((await manager.get(`${path}?check=none`)).status, 200, path)
    assert.equal((await interviewer.get(`${path}?check=none`)).status, 403, path)
  }
  const waiting = async (person: Person) => {
    const job = (await person.get('/jobs')).body.data.find(({ id }: { id: string }) => id === world.job.id)
    return job.stages.reduce((sum: number, stage: { active: number }) => sum + stage.active, 0)
  }
  const seen = (await interviewer.get(`${board}/cards`)).body.data.length
  assert.deepEqual([await waiting(interviewer), (await waiting(manager)) > seen], [seen, true])
})

test('interviewers with all jobs: 403 for contact details, résumés and applications of a person, who may be one of their candidates', async () => {
  const email = 'someone@acme-people.com'
  await apply(world, {}, { email })
  const person = (await owner.get(`/v1/people/resolve?email=${email}`)).body.id
  const member = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const paths = ['contact-info', 'resumes', 'applications'].map(part => `/v1/people/${person}/${part}`)
  const statuses = () => Promise.all(paths.map(async path => (await member.get(path)).status))
  assert.deepEqual(await statuses(), [200, 200, 200])
  assert.equal((await join(member, 'interviewer')).status, 200)
  assert.deepEqual(await statuses(), [403, 403, 403])
})

test('hiring managers: read reasons and history, reject and move; 403 for hiring, set-up and publishing', async () => {
  const { id } = await apply(world)
  assert.equal((await post(manager, `/v1/applications/${id}/reject`, { reason: 'Others fit better' })).status, 200)
  const { application, history, may } = (await manager.get(`/candidates/${id}`)).body
  assert.deepEqual([application.rejection_reason, history.data[0].to_status], ['Others fit better', 'rejected'])
  assert.ok(may.includes('decide') && !may.includes('hire') && !may.includes('setup'))
  const other = await apply(world)
  assert.equal((await post(manager, `/v1/applications/${other.id}/hire`)).status, 403)
  const hired = await post(manager, '/applications/changes', { changes: [{ id: other.id, action: 'hire' }] })
  assert.equal(hired.status, 403)
  assert.equal((await manager.get(`/jobs/${world.job.id}/form`)).status, 200)
  assert.equal((await post(manager, `/jobs/${world.job.id}`, { changes: { title: 'x' } })).status, 403)
  assert.equal((await post(manager, `/v1/jobs/${world.job.id}/close`)).status, 403)
})

test('job team: new people are recruiters; 400 for a viewer as interviewer and for a role of someone who is not on the team', async () => {
  const { id } = await newJob(world.service, world.workspace)
  const viewer = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  const change = (body: object) => owner.post(`/jobs/${id}/team`, { add: [], remove: [], ...body })
  const roleOf = (response: { body: { people: { id: string; job_role: string | null }[] } }, person: Person) =>
    response.body.people.find(row => row.id === person.userId)?.job_role
  const added = await change({ add: [colleague.userId, viewer.userId] })
  assert.deepEqual([roleOf(added, colleague), roleOf(added, author)], ['recruiter', null])
  const changed = await change({ roles: { [colleague.userId]: 'interviewer' } })
  assert.equal(roleOf(changed, colleague), 'interviewer')
  assert.equal(roleOf(await change({ add: [colleague.userId] }), colleague), 'interviewer')
  assert.equal((await colleague.get('/session')).body.job_roles[id], 'interviewer')
  // also someone with access to all jobs is what they are on the team
  assert.equal((await colleague.post(`/jobs/${id}/team`, { add: [], remove: [] })).status, 403)
  for (const roles of [{ [viewer.userId]: 'interviewer' }, { [author.userId]: 'recruiter' }]) {
    const refused = await change({ roles })
    assert.deepEqual([refused.status, refused.body.detail.param], [400, `roles.${Object.keys(roles)[0]}`])
  }
  assert.equal((await change({ roles: { [colleague.userId]: 'boss' } })).status, 400)
})

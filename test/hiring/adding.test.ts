import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import type { JobRole } from '../../src/contract/job-rights.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { requestErasure, runErasure } from '../../src/resources/erasures/index.ts'
import {
  apply,
  type Job,
  newJob,
  newTenant,
  readEvents,
  sharedWorld,
  upload,
  type World,
} from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { addProfile } from '../lists/fixture.ts'

/** People whom the team puts into a job from the pages. */

let world: World
let owner: Person
let member: Person
let viewer: Person
let recruiter: Person
let interviewer: Person

const db = () => world.service.services.db
const address = () => `${randomUUID()}@people.dev`
const enter = (role: 'owner' | 'member' | 'viewer') =>
  signedIn(world.service, world.workspace, { role, program: 'hiring' })

/** Limits a person to a job. */
async function limit(person: Person, role: JobRole, job: Job) {
  await db().query(sql`
    update users set job_access = 'team' where workspace_id = ${world.workspace} and id = ${person.userId}`)
  const team = { add: [person.userId], remove: [], roles: { [person.userId]: role } }
  assert.equal((await owner.post(`/jobs/${job.id}/team`, team)).status, 200)
}

before(async () => {
  world = await sharedWorld()
  ;[owner, member, viewer] = [await enter('owner'), await enter('member'), await enter('viewer')]
  ;[recruiter, interviewer] = [await enter('member'), await enter('member')]
  await limit(recruiter, 'recruiter', world.job)
  await limit(interviewer, 'interviewer', world.job)
})

const post = (
  candidates: object[],
  { person = member, job = world.job, ...more }: { person?: Person; job?: Job } = {},
) => person.post(`/jobs/${job.id}/candidates`, { candidates, ...more })

/** The results of a call that must have a result for each line. */
async function added(candidates: object[], more: Parameters<typeof post>[1] = {}) {
  const { status, body, text } = await post(candidates, more)
  assert.equal(status, 200, text)
  return body.results
}

const ada = (more: object = {}) => ({ first_name: 'Ada', last_name: 'Byron', email: address(), ...more })
const outcomes = (results: { outcome: string }[]) => results.map(({ outcome }) => outcome)
const applicantOf = async (application: string) => {
  const { body } = await world.service.get(`/applications/${application}`, world.key)
  return (await world.service.get(`/applicants/${body.applicant_id}`, world.key)).body
}
const applicationsIn = (job: Job) =>
  db().query(
    sql<{ id: string }>`select id from applications where workspace_id = ${world.workspace} and job_id = ${job.id}`,
  )

test('POST /jobs/{j}/candidates: 200: added in the first stage, with source, tags, note and who did it', async () => {
  const before = (await readEvents(world, world.workspace)).length
  const email = address()
  const [made] = await added([
    ada({ email, source: 'team:referral', tags: ['CAN bus', 'can  bus'], note: 'Met in Lyon.' }),
  ])
  assert.equal(made.outcome, 'added')
  const { body } = await world.service.get(`/applications/${made.application_id}`, world.key)
  assert.deepEqual(
    [body.source, body.status, body.stage_id, body.external_id, body.has_resume],
    ['team:referral', 'new', world.job.stages[0], null, false],
  )
  const { provenance, full_name } = await applicantOf(made.application_id)
  assert.equal(full_name, 'Ada Byron')
  assert.deepEqual(
    [provenance.origin, provenance.acquisition, provenance.consent.basis, provenance.consent.candidate_facing_notice],
    ['ats_import', 'referral', 'customer_provided', false],
  )
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object['origin']]),
    [
      ['applicant.created', undefined],
      ['application.created', undefined],
      ['application.updated', undefined],
    ],
  )
  assert.ok(!JSON.stringify(events).includes(email))
  const notes = (await member.get(`/applications/${made.application_id}/notes`)).body.data
  assert.deepEqual([notes[0].body, notes[0].author.id], ['Met in Lyon.', member.userId])
  const tags = await member.get(`/tags/of-applications?application_ids=${made.application_id}`)
  assert.deepEqual(tags.body.tags[made.application_id], ['CAN bus'])
  const stream = (await owner.get(`/applications/${made.application_id}/activity`)).body.data
  const first = stream.find((line: { is_first?: boolean }) => line.is_first)
  assert.equal(first.by.kind, 'person')
})

test('POST /jobs/{j}/candidates: the status follows a stage that is chosen', async () => {
  const [made] = await added([ada({ stage_id: world.job.stages[2] })])
  const { body } = await world.service.get(`/applications/${made.application_id}`, world.key)
  assert.deepEqual([body.stage_id, body.status], [world.job.stages[2], 'advanced'])
})

test('POST /jobs/{j}/candidates: every line has its own result, and a repeat adds no one twice', async () => {
  const known = address()
  await added([ada({ email: known })], { job: await newJob(world.service, world.workspace) })
  const lines = [
    ada({ email: 'half@an' }),
    ada({ email: known.toUpperCase() }),
    ada({ email: known }),
    { first_name: 'Ada' },
    { email: address() },
    ada({ stage_id: world.job.stages[3] }),
    { first_name: 'Ada', last_name: 'Byron', phone: '+49 151 2345 6789' },
    { first_name: 'Ada', last_name: 'Byron', linkedin_url: 'https://www.linkedin.com/in/ada-of-lines/' },
    ada({ tags: ['a,b'] }),
    ada({ linkedin_url: 'https://example.com/ada' }),
    ada({ phone: 'call me' }),
  ]
  const results = await added(lines)
  assert.deepEqual(outcomes(results), [
    'invalid',
    'known_person',
    'already_in_job',
    'invalid',
    'invalid',
    'invalid',
    'added',
    'added',
    'invalid',
    'invalid',
    'invalid',
  ])
  assert.equal(results[1].application_id, results[2].application_id)
  assert.deepEqual(
    [0, 3, 4, 5, 8, 9, 10].map(i => results[i].faults[0].reason),
    ['not_an_email', 'contact_missing', 'name_missing', 'invalid_stage', 'bad_tag', 'not_linkedin', 'not_a_phone'],
  )
  const count = (await applicationsIn(world.job)).length
  const again = await added(lines)
  assert.deepEqual(
    outcomes(again).filter(outcome => outcome !== 'invalid'),
    ['already_in_job', 'already_in_job', 'already_in_job', 'already_in_job'],
  )
  assert.equal((await applicationsIn(world.job)).length, count)
})

test('POST /jobs/{j}/candidates: a known person gets what is missing, and nothing is overwritten', async () => {
  const email = address()
  const linkedin_url = `https://www.linkedin.com/in/${randomUUID()}`
  const { applicant_id } = await apply(world, {}, { email, first_name: 'Zoë', last_name: 'Corvantes' })
  const job = await newJob(world.service, world.workspace)
  const [first] = await added([ada({ email, phone: '+1 555 0100 200', linkedin_url })], { job })
  assert.equal(first.outcome, 'known_person')
  const person = await applicantOf(first.application_id)
  assert.deepEqual([person.id, person.full_name, person.linkedin_url], [applicant_id, 'Zoë Corvantes', linkedin_url])
  assert.equal(person.provenance.origin, 'applicant')
  // by the profile alone, with another address, which is kept as well
  const second = address()
  const [other] = await added([ada({ email: second, linkedin_url })], {
    job: await newJob(world.service, world.workspace),
  })
  assert.equal(other.outcome, 'known_person')
  const contact = (await world.service.get(`/applicants/${applicant_id}/contact-info`, world.key)).body
  assert.ok(JSON.stringify(contact).includes(second) && JSON.stringify(contact).includes(email))
  // and found by it
  const third = await newJob(world.service, world.workspace)
  assert.equal((await added([ada({ email: second })], { job: third }))[0].outcome, 'known_person')
})

test('POST /jobs/{j}/candidates: 20 calls with one address at the same time leave one application of one person', async () => {
  const job = await newJob(world.service, world.workspace)
  const email = address()
  const linkedin_url = `https://www.linkedin.com/in/${randomUUID()}`
  const calls = Array.from({ length: 20 }, (_, i) =>
    added([i % 2 ? ada({ email }) : ada({ email: ` ${email.toUpperCase()} `, linkedin_url })], { job }),
  )
  const results = (await Promise.all(calls)).flat()
  assert.deepEqual(outcomes(results).sort(), ['added', ...Array(19).fill('already_in_job')].sort())
  assert.equal((await applicationsIn(job)).length, 1)
  const people = await db().query(sql`
    select id from applicants where workspace_id = ${world.workspace} and email_key = ${email}`)
  assert.equal(people.length, 1)
})

test('POST /jobs/{j}/candidates: calls with one number, or one profile, at the same time leave one application each', async () => {
  const job = await newJob(world.service, world.workspace)
  const linkedin_url = `https://www.linkedin.com/in/${randomUUID()}`
  const name = { first_name: 'Ida', last_name: 'Rhodes' }
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      added([i % 2 ? { ...name, phone: '0151 / 23 45 67 89'.replace('/', '') } : { ...name, linkedin_url }], { job }),
    ),
  )
  assert.equal(outcomes(results.flat()).filter(outcome => outcome === 'added').length, 2)
  assert.equal((await applicationsIn(job)).length, 2)
})

test('POST /jobs/{j}/candidates: a number without an area code is the same candidate with the same name, and no one else', async () => {
  const job = await newJob(world.service, world.workspace)
  const ida = { first_name: 'Ida', last_name: 'Rhodes', phone: '555-0123' }
  const [first] = await added([ida], { job })
  const [again, other, named] = await added(
    [
      { ...ida, phone: '555 0123' },
      { ...ida, phone: '555 0124' },
      { ...ida, last_name: 'Noether' },
    ],
    { job },
  )
  assert.deepEqual(outcomes([first, again, other, named]), ['added', 'already_in_job', 'added', 'added'])
  assert.equal(again.application_id, first.application_id)
})

test('POST /jobs/{j}/candidates: a person who was erased, stopped or unsubscribed is not stored', async () => {
  const erased = address()
  await apply(world, {}, { email: erased })
  const { id } = await requestErasure(db(), { email: erased, reason: 'erasure_request', requestedBy: world.userId })
  await runErasure(world.service.services, id)
  const stopped = await apply(world, {}, { email: address() })
  await db().query(sql`update applicants set suppressed_at = app_now() where id = ${stopped.applicant_id}`)
  const [{ email: stoppedEmail } = { email: '' }] = await db().query(
    sql<{ email: string }>`select email from applicants where id = ${stopped.applicant_id}`,
  )
  const unsubscribed = address()
  await db().query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${world.workspace}, ${unsubscribed}, 'link')`)
  const lines = [ada({ email: erased }), ada({ email: stoppedEmail }), ada({ email: unsubscribed })]
  const job = await newJob(world.service, world.workspace)
  const before = (await readEvents(world, world.workspace)).length
  const results = await added(lines, { job })
  assert.deepEqual(
    results.map(({ outcome, reason }: { outcome: string; reason: string }) => [outcome, reason]),
    [
      ['cannot_be_stored', 'stopped'],
      ['cannot_be_stored', 'stopped'],
      ['cannot_be_stored', 'unsubscribed'],
    ],
  )
  assert.equal((await applicationsIn(job)).length, 0)
  assert.equal((await readEvents(world, world.workspace)).length, before)
  // limited people do not see why
  for (const { outcome, reason } of await added(lines, { person: recruiter }))
    assert.deepEqual([outcome, reason], ['cannot_be_stored', null])
})

test('POST /jobs/{j}/candidates: people who are limited to jobs do not see who is known; interviewers and viewers add no one', async () => {
  const known = address()
  const elsewhere = await newJob(world.service, world.workspace)
  await added([ada({ email: known })], { job: elsewhere })
  const [first] = await added([ada({ email: known })], { person: recruiter })
  const [second] = await added([ada()], { person: recruiter })
  const shown = ({ application_id: _, ...line }: { application_id: string }) => line
  assert.deepEqual(shown(first), shown(second))
  assert.equal((await post([ada()], { person: recruiter, job: elsewhere })).status, 404)
  assert.equal((await post([ada({ stage_id: elsewhere.stages[0] })], { person: recruiter })).status, 404)
  assert.equal((await post([ada({ note: elsewhere.id })], { person: recruiter })).status, 200, 'a note is a text')
  for (const person of [interviewer, viewer]) {
    const refused = await post([ada()], { person })
    assert.deepEqual([refused.status, refused.body.detail.code], [403, 'role_required'])
  }
  const check = await recruiter.post(`/jobs/${world.job.id}/candidates/check`, { candidates: [ada({ email: known })] })
  assert.equal(check.status, 403)
  const outside = await newTenant(world.service)
  assert.equal((await post([ada()], { job: outside.job })).status, 404)
})

test('POST /jobs/{j}/candidates: a draft takes candidates, as does a job that accepts no applications; 409 for a closed one', async () => {
  for (const more of [
    { status: 'draft' },
    { accepts: false },
    { fields: [{ id: randomUUID(), type: 'consent', required: true }] },
  ]) {
    const job = await newJob(world.service, world.workspace, more)
    assert.equal((await added([ada()], { job }))[0].outcome, 'added')
  }
  const closed = await newJob(world.service, world.workspace, { status: 'closed' })
  const refused = await post([ada()], { job: closed })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'job_not_accepting_applications'])
  assert.equal((await post([])).status, 400)
  assert.equal((await post(Array.from({ length: 21 }, () => ada()))).status, 400)
})

test('POST /jobs/{j}/candidates/check: says what would happen, with the applications of a known person, and stores nothing', async () => {
  const known = address()
  const job = await newJob(world.service, world.workspace)
  await added([ada({ email: known })], { job: await newJob(world.service, world.workspace) })
  await added([ada({ email: known })], { job: await newJob(world.service, world.workspace) })
  const there = address()
  await added([ada({ email: there })], { job })
  const twice = address()
  const candidates = [known, there, address(), 'half@an', twice, twice].map(email => ada({ email }))
  const { body } = await member.post(`/jobs/${job.id}/candidates/check`, { candidates })
  assert.deepEqual(outcomes(body.results), [
    'known_person',
    'already_in_job',
    'added',
    'invalid',
    'added',
    'already_in_job',
  ])
  assert.equal(body.results[0].applications, 2)
  assert.equal((await applicationsIn(job)).length, 1)
})

const CV = (email: string) =>
  Buffer.from(`Grace Hopper\n${email}\n+1 555 010 0200\nlinkedin.com/in/grace-${email.slice(0, 8)}\n\nCompilers.\n`)
const sendFile = (file: Buffer, name: string, person = member) =>
  person.postFile(`/jobs/${world.job.id}/resumes`, file, 'application/octet-stream', {
    'x-filename': encodeURIComponent(name),
  })

test('POST /jobs/{j}/resumes: 200 with name, address and number of the file, which the candidate then has', async () => {
  const email = address()
  const read = await sendFile(CV(email), 'Lebenslauf Müller.txt', recruiter)
  assert.equal(read.status, 200, read.text)
  const { state, upload_id, contact } = read.body
  assert.equal(state, 'read')
  assert.deepEqual([contact.first_name, contact.last_name, contact.email], ['Grace', 'Hopper', email])
  const candidate = { ...contact, upload_id }
  const [made] = await added([candidate])
  assert.equal(made.outcome, 'added')
  const { body } = await world.service.get(`/applications/${made.application_id}/resume`, world.key)
  assert.deepEqual([body.filename, body.parse_status], ['Lebenslauf Müller.txt', 'pending'])
  // the same request after a lost response, and the same file for someone else
  const [again] = await added([candidate])
  assert.deepEqual([again.outcome, again.application_id], ['already_in_job', made.application_id])
  const [other] = await added([ada({ upload_id })], { job: await newJob(world.service, world.workspace) })
  assert.deepEqual([other.outcome, other.faults[0].param], ['invalid', 'resume_upload_id'])
})

test('POST /jobs/{j}/resumes: a file that cannot be read is kept; one of another type is not', async () => {
  const unread = (await sendFile(Buffer.from('%PDF-1.4 broken'), 'cv.pdf')).body
  assert.equal(unread.state, 'unreadable')
  assert.equal((await added([ada({ upload_id: unread.upload_id })]))[0].outcome, 'added')
  assert.equal((await sendFile(Buffer.from('MZ'), 'cv.exe')).body.state, 'wrong_type')
  assert.equal((await sendFile(Buffer.from('plain'), 'cv.pdf')).body.state, 'wrong_type')
  assert.equal((await sendFile(CV(address()), 'cv.txt', viewer)).status, 403)
  assert.equal((await sendFile(CV(address()), 'cv.txt', interviewer)).status, 403)
})

test('POST /jobs/{j}/candidates: a saved profile brings its details, and a second time it is in the job already', async () => {
  const job = await newJob(world.service, world.workspace)
  const profile_id = await addProfile(world.service, world.workspace, 'Maria von der Heide')
  const email = address()
  await db().query(sql`
    insert into contact_values (workspace_id, subject_object, subject_id, field, value, email_key, kind)
    values (${world.workspace}, 'sourced_profile', ${profile_id}, 'email', ${email}, ${email}, 'work')`)
  const nameless = await addProfile(world.service, world.workspace, 'Prince')
  const lines = [{ profile_id, stage_id: job.stages[1] }, { profile_id: nameless }, { profile_id: 'cnd_none' }]
  const results = await added(lines, { job })
  assert.deepEqual(outcomes(results), ['added', 'added', 'not_found'])
  const application = (await world.service.get(`/applications/${results[0].application_id}`, world.key)).body
  assert.deepEqual(
    [application.source, application.external_id, application.stage_id, application.status],
    ['team:sourced', profile_id, job.stages[1], 'in_review'],
  )
  const { full_name, provenance } = await applicantOf(results[0].application_id)
  assert.equal(full_name, 'Maria von der Heide')
  assert.deepEqual(
    [provenance.origin, provenance.acquisition, provenance.consent.basis],
    ['sourced', 'xray_search', 'legitimate_interest_sourcing'],
  )
  assert.deepEqual(outcomes(await added(lines, { job })), ['already_in_job', 'already_in_job', 'not_found'])
  // profiles belong to no job
  assert.equal((await post([{ profile_id }], { person: recruiter })).status, 404)
})

test('POST /jobs/{j}/candidates: the person is notified by email where they may be, once', async () => {
  const job = await newJob(world.service, world.workspace)
  const notice = { subject: 'About {{job_title}}', body: 'We added you, {{first_name}}.' }
  const lines = [ada(), { first_name: 'Ada', last_name: 'Byron', phone: '+1 555 777 8888' }]
  const send = () => post(lines, { job, notice } as Parameters<typeof post>[1])
  const { status, body, text } = await send()
  assert.equal(status, 200, text)
  assert.deepEqual(outcomes(body.results), ['added', 'added'])
  assert.ok(body.results[0].mail.scheduled_for || body.results[0].mail.blocked === 'no_mailbox')
  assert.equal(body.results[1].mail.blocked, 'no_address')
  assert.deepEqual(
    (await send()).body.results.map((line: { mail: unknown }) => line.mail),
    [null, null],
  )
})

const toJob = (id: string, body: object, person = member) => person.post(`/applications/${id}/to-job`, body)

test('POST /applications/{a}/to-job: 200: a new application with the time and file of the first, which is rejected', async () => {
  const { id } = await apply(world, { resume_upload_id: await upload(world) }, { email: address() })
  await db().query(sql`update applications set applied_at = app_now() - interval '100 days' where id = ${id}`)
  const job = await newJob(world.service, world.workspace)
  const before = (await readEvents(world, world.workspace)).length
  const moved = await toJob(id, { job_id: job.id, stage_id: job.stages[1] })
  assert.deepEqual([moved.status, moved.body.outcome], [200, 'added'], moved.text)
  const read = async (one: string) => (await world.service.get(`/applications/${one}`, world.key)).body
  const [old, made] = [await read(id), await read(moved.body.application_id)]
  assert.deepEqual(
    [old.status, old.rejection_reason, old.job_id],
    ['rejected', 'Considered for another job', world.job.id],
  )
  assert.deepEqual(
    [made.source, made.external_id, made.applied_at, made.applicant_id, made.stage_id, made.status],
    ['team:transfer', id, old.applied_at, old.applicant_id, job.stages[1], 'in_review'],
  )
  assert.deepEqual(
    [made.resume_access.state, made.resume_access.view_until],
    ['view_only', old.resume_access.view_until],
  )
  const events = (await readEvents(world, world.workspace)).slice(before)
  assert.deepEqual(
    events.map(({ type, data }) => [type, data.object['id']]),
    [
      ['application.created', made.id],
      ['application.status_changed', old.id],
    ],
  )
  assert.deepEqual(
    await db().query(sql`select id from messages where application_id = any(${[id, made.id]}::text[])`),
    [],
  )
  // each has a file of its own
  const files = await db().query(sql<{ blob_key: string }>`
    select blob_key from resumes where application_id = any(${[id, made.id]}::text[])`)
  assert.equal(new Set(files.map(({ blob_key }) => blob_key)).size, 2)
  const again = await toJob(id, { job_id: job.id })
  assert.deepEqual([again.body.outcome, again.body.application_id], ['already_in_job', made.id])
})

test('POST /applications/{a}/to-job: the first can be kept; a locked résumé does not move, a paid one stays paid', async () => {
  const locked = await apply(world, { resume_upload_id: await upload(world) }, { email: address() })
  await db().query(sql`update applications set applied_at = app_now() - interval '130 days' where id = ${locked.id}`)
  const job = await newJob(world.service, world.workspace)
  const moved = await toJob(locked.id, { job_id: job.id, keep: true })
  const read = async (one: string) => (await world.service.get(`/applications/${one}`, world.key)).body
  assert.equal((await read(locked.id)).status, 'new')
  assert.equal((await read(moved.body.application_id)).has_resume, false)
  await db().query(sql`update applications set resume_unlocked_at = app_now() where id = ${locked.id}`)
  const other = await newJob(world.service, world.workspace)
  const paid = await read((await toJob(locked.id, { job_id: other.id })).body.application_id)
  assert.deepEqual([paid.has_resume, paid.resume_access.state], [true, 'unlocked'])
})

test('POST /applications/{a}/to-job: needs the right in both jobs; 20 at the same time make one application', async () => {
  const { id, applicant_id } = await apply(world, {}, { email: address() })
  const job = await newJob(world.service, world.workspace)
  assert.equal((await toJob(id, { job_id: job.id }, recruiter)).status, 404)
  await limit(recruiter, 'hiring_manager', job)
  assert.equal((await toJob(id, { job_id: job.id }, recruiter)).status, 403)
  assert.equal((await toJob(id, { job_id: job.id }, viewer)).status, 403)
  assert.equal((await toJob(id, { job_id: world.job.id })).status, 400)
  assert.equal((await toJob(id, { job_id: job.id, stage_id: world.job.stages[0] })).status, 400)
  const closed = await newJob(world.service, world.workspace, { status: 'closed' })
  assert.equal((await toJob(id, { job_id: closed.id })).status, 409)
  const results = await Promise.all(Array.from({ length: 20 }, () => toJob(id, { job_id: job.id })))
  assert.deepEqual(new Set(results.map(({ status }) => status)), new Set([200]))
  assert.equal(results.filter(({ body }) => body.outcome === 'added').length, 1)
  assert.equal((await applicationsIn(job)).length, 1)
  await limit(recruiter, 'recruiter', job)
  const third = await apply(world, {}, { email: address() })
  assert.equal((await toJob(third.id, { job_id: job.id }, recruiter)).status, 200)
  await db().query(sql`update applicants set suppressed_at = app_now() where id = ${applicant_id}`)
  const refused = await toJob(id, { job_id: (await newJob(world.service, world.workspace)).id })
  assert.deepEqual([refused.status, refused.body.detail.code], [409, 'applicant_suppressed'])
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PERSON_ALLOWANCES } from '../../src/contract/plans.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { apply, newJob, newTenant, startWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

const DAY = 86_400_000

let world: World
let owner: Person
let member: Person
let viewer: Person

before(async () => {
  world = await startWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  member = await enter('member')
  viewer = await enter('viewer')
})

const db = () => world.service.services.db
const withResume = async (more: object = {}) => apply(world, { resume_upload_id: await upload(world), ...more })
const reads = (userId: string) =>
  db().query(sql<{ subject_id: string; field: string; acting_user_id: string }>`
    select subject_id, field, acting_user_id from personal_data_reads
    where workspace_id = ${world.workspace} and key_id = ${userId} order by id`)

test('GET /candidates/{id}: 200 with every part for an owner, and costs nothing', async () => {
  const application = await withResume()
  const before = await reads(owner.userId)
  const { status, body } = await owner.get(`/candidates/${application.id}`)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).toSorted(), [
    'answers',
    'applicant',
    'application',
    'erasure',
    'files',
    'history',
    'job',
    'latest_step',
    'may',
    'notice_given_on',
    'others',
    'owner',
    'resume',
    'resumes',
    'score',
    'scorecards',
    'screening',
    'unproved',
  ])
  assert.equal(body.application.id, application.id)
  assert.equal(body.application.rejection_reason, null)
  assert.equal(body.job.title, 'Engineer')
  assert.deepEqual(
    body.job.stages.map((stage: { name: string }) => stage.name),
    ['Applied', 'Screen', 'Interview', 'Hired', 'Rejected'],
  )
  assert.equal(body.applicant.data.full_name, 'Ada Byron')
  assert.equal(body.resume.data.parse_status, 'pending')
  assert.ok(!JSON.stringify(body).includes('raw_text'))
  assert.ok(!JSON.stringify(body).includes('@example.org'))
  assert.equal(body.history.data.length, 1)
  assert.equal(body.score.refused.status, 404)
  assert.deepEqual([body.files.data, body.others, body.resumes.data], [[], [], []])
  assert.deepEqual(await reads(owner.userId), before)
})

test('GET /candidates/{id}: members read reasons and history, viewers see no person', async () => {
  const application = await withResume()
  await owner.post(`/v1/applications/${application.id}/reject`, { reason: 'Too far away' })
  const refusedIn = (body: Record<string, { refused?: { required_scope: string | null } }>) =>
    Object.fromEntries(
      Object.entries(body).flatMap(([name, part]) => (part?.refused ? [[name, part.refused.required_scope]] : [])),
    )
  const [own, their, least] = (
    await Promise.all([owner, member, viewer].map(person => person.get(`/candidates/${application.id}`)))
  ).map(({ body }) => body)
  assert.deepEqual(refusedIn(own), { score: null })
  assert.equal(own.application.rejection_reason, 'Too far away')
  assert.deepEqual(refusedIn(their), { score: null })
  assert.equal(their.application.rejection_reason, 'Too far away')
  assert.equal(their.applicant.data.full_name, 'Ada Byron')
  assert.deepEqual(refusedIn(least), {
    answers: 'applications:answers:read',
    applicant: 'applicants:read',
    files: 'applications:answers:read',
    history: 'applications:internal:read',
    resume: 'resume:read',
    resumes: 'resume:read',
    score: null,
    screening: 'screening:metadata:read',
  })
  assert.ok(!/Ada|Byron/.test(JSON.stringify(least)))
})

test('GET /candidates/{id}: 404 for another workspace as for a missing one; 401 without a session', async () => {
  const { id } = await apply(world)
  const tenant = await newTenant(world.service)
  const stranger = await signedIn(world.service, tenant.workspace, { program: 'hiring' })
  const [other, missing] = await Promise.all([stranger.get(`/candidates/${id}`), stranger.get('/candidates/app_none')])
  assert.deepEqual([other.status, missing.status], [404, 404])
  assert.equal(other.body.detail.message, missing.body.detail.message)
  const visitor = await world.service.call('GET', `${world.service.origin}/hiring/api/candidates/${id}`)
  assert.equal(visitor.status, 401)
})

test('GET /candidates/{id}: the other applications of the same person, with their jobs and résumés', async () => {
  const email = 'twice@example.org'
  const first = await apply(world, { resume_upload_id: await upload(world) }, { email })
  const second = await apply({ ...world, job: await newJob(world.service, world.workspace) }, {}, { email })
  const { body } = await owner.get(`/candidates/${second.id}`)
  assert.deepEqual(
    body.others.map((other: { id: string; job_title: string }) => [other.id, other.job_title]),
    [[first.id, 'Engineer']],
  )
  assert.deepEqual(
    body.resumes.data.map((row: { application_id: string }) => row.application_id),
    [first.id],
  )
  assert.deepEqual((await viewer.get(`/candidates/${second.id}`)).body.others.length, 1)
})

test('GET /candidates/{id}: a locked résumé is a refused part with its price; the profile is nowhere', async () => {
  const application = await withResume()
  clock.advance(121 * DAY)
  const person = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  const { body } = await person.get(`/candidates/${application.id}`)
  clock.reset()
  const { status, code, state, unlock_credits } = body.resume.refused
  assert.deepEqual([status, code, state, unlock_credits], [403, 'resume_locked', 'locked', 50])
  assert.ok(!JSON.stringify(body).includes('current_title'))
})

test('GET /candidates/{id}: of a person who stopped processing nothing is shown that they sent', async () => {
  const application = await withResume()
  await db().query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${world.workspace}
      and id = ${application.applicant_id}`)
  const { body } = await owner.get(`/candidates/${application.id}`)
  assert.equal(body.applicant.data.provenance.consent.suppressed, true)
  assert.deepEqual(body.resume, { data: null })
  assert.deepEqual([body.answers.data.answers, body.files.data, body.resumes.data], [{}, [], []])
  const file = await owner.get(`/v1/applications/${application.id}/resume/file`)
  assert.equal(file.status, 404)
})

test('GET /hiring/resume-viewer: a document without origin and connections, framed by our pages alone', async () => {
  const page = await world.service.call('GET', `${world.service.origin}/hiring/resume-viewer`)
  assert.equal(page.status, 200)
  const policy = page.headers.get('content-security-policy')!.split('; ')
  assert.ok(policy.includes("default-src 'none'"))
  assert.ok(policy.includes('sandbox allow-scripts'))
  assert.ok(policy.includes("frame-ancestors 'self'"))
  assert.ok(!policy.some(rule => rule.startsWith('connect-src')))
  const [, script] = /<script type="module" src="([^"]+)"/.exec(page.text)!
  const code = await fetch(world.service.origin + script!)
  assert.equal(code.headers.get('access-control-allow-origin'), '*')
  const program = await world.service.call('GET', `${world.service.origin}/hiring/jobs`, {
    headers: { cookie: owner.cookie },
  })
  assert.match(program.headers.get('content-security-policy')!, /frame-src 'self'/)
})

test('GET /v1/applications/{id}/resume/file: 200 with the bytes, one unit and an audit row that names the person', async () => {
  const application = await withResume()
  const path = `/v1/applications/${application.id}/resume/file`
  const before = (await reads(member.userId)).length
  const { status, text, headers } = await member.get(path)
  assert.deepEqual([status, text], [200, 'Ada Byron\nEngineer\n'])
  assert.equal(headers.get('content-type'), 'text/plain')
  assert.match(headers.get('content-disposition')!, /^attachment/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('service-personal-data-cost'), '1')
  const rows = (await reads(member.userId)).slice(before)
  assert.deepEqual(
    rows.map(row => [row.field, row.acting_user_id]),
    [['resume_file', member.userId]],
  )
  assert.equal((await viewer.get(path)).status, 403)
  // not an endpoint of the API
  assert.equal((await world.service.get(`/applications/${application.id}/resume/file`, world.key)).status, 404)
})

test('GET /v1/applications/{id}/resume/file: 403 resume_locked and 429 personal_data_quota_exceeded: no byte, no audit row', async () => {
  const application = await withResume()
  const path = `/v1/applications/${application.id}/resume/file`
  const before = (await reads(owner.userId)).length
  clock.advance(91 * DAY)
  const person = await signedIn(world.service, world.workspace, { role: 'owner', program: 'hiring' })
  const locked = await person.get(path)
  clock.reset()
  assert.deepEqual([locked.status, locked.body.detail.code], [403, 'resume_locked'])
  assert.deepEqual([locked.body.detail.state, locked.body.detail.unlock_credits], ['view_only', 50])

  await db().query(sql`
    insert into personal_data_usage (workspace_id, key_id, day, used)
    values (${world.workspace}, ${owner.userId}, app_now()::date, ${PERSON_ALLOWANCES.personalDataReadsPerDay})
    on conflict (workspace_id, key_id, day) do update set used = excluded.used`)
  const spent = await owner.get(path)
  assert.deepEqual([spent.status, spent.body.detail.code], [429, 'personal_data_quota_exceeded'])
  assert.equal((await reads(owner.userId)).length, before)
  assert.equal((await owner.get(`/candidates/${application.id}`)).status, 200)
  await db().query(sql`delete from personal_data_usage where workspace_id = ${world.workspace}`)
})

test('GET /v1/applications/{id}/files: 200 lists files of answers; their content costs a unit; 404 for another application', async () => {
  const application = await apply(world)
  const { blobs } = world.service.services
  await blobs.put('answers/portfolio', Buffer.from('pictures'), { contentType: 'application/pdf' })
  await db().query(sql`
    insert into application_files (workspace_id, application_id, field_id, filename, mime, bytes, blob_key)
    values (${world.workspace}, ${application.id}, 'portfolio', 'work.pdf', 'application/pdf', 8, 'answers/portfolio')`)
  const { body } = await member.get(`/candidates/${application.id}`)
  const [file] = body.files.data
  assert.deepEqual([file.field_id, file.filename, file.bytes], ['portfolio', 'work.pdf', 8])
  assert.ok(!('blob_key' in file))
  const content = await member.get(`/v1/applications/${application.id}/files/${file.id}/content`)
  assert.deepEqual([content.status, content.text], [200, 'pictures'])
  assert.equal(content.headers.get('service-personal-data-cost'), '1')
  assert.equal((await reads(member.userId)).at(-1)!.field, 'answer_file')
  const other = await apply(world)
  assert.equal((await member.get(`/v1/applications/${other.id}/files/${file.id}/content`)).status, 404)
  assert.equal((await viewer.get(`/v1/applications/${application.id}/files`)).status, 403)
})

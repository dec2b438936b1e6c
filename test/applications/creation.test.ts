import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sha256 } from '../../src/kernel/crypto/signing.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { linkedinKey } from '../../src/kernel/text/person-keys.ts'
import { unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import { withdrawApplication } from '../../src/resources/applications/index.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { apply, body, type Field, newJob, newTenant, readEvents, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key, job } = world
const { db } = service.services

const post = (sent: unknown, more = {}) => service.post('/applications', key, sent, more)
const rows = async (jobId: string) =>
  (await db.one(sql<{ n: number }>`select count(*) as n from applications where job_id = ${jobId}`))!.n

async function refused(sent: unknown, status: number, code: string, param?: string | null) {
  const before = (await readEvents(world, workspace)).length
  const response = await post(sent)
  assert.deepEqual([response.status, response.body.detail?.code], [status, code], response.text)
  if (param !== undefined) assert.equal(response.body.detail.param, param)
  assert.equal((await readEvents(world, workspace)).length, before, 'a refusal leaves no event')
  return response
}

test('POST /applications: 201: status new, source partner_api:<system>, first stage, both events with their origin', async () => {
  const own = await newTenant(service)
  const made = await service.post('/applications', own.key, body(own.job))
  assert.equal(made.status, 201)
  assert.equal(made.body.status, 'new')
  assert.equal(made.body.source, 'partner_api:acme_ats')
  assert.equal(made.body.stage_id, own.job.stages[0])
  assert.equal(made.body.parse_status, null)
  assert.equal(made.body.has_resume, false)
  assert.equal(made.body.applied_at, made.body.updated_at)
  const events = await readEvents(world, own.workspace)
  assert.deepEqual(
    events.map(e => e.type),
    ['applicant.created', 'application.created'],
  )
  const [applicant, application] = events.map(e => e.data.object)
  assert.equal(applicant!['id'], made.body.applicant_id)
  assert.deepEqual(application, {
    object: 'application',
    id: made.body.id,
    workspace_id: own.workspace,
    updated_at: made.body.updated_at,
    status: 'new',
    stage_id: own.job.stages[0],
    job_id: own.job.id,
    applicant_id: made.body.applicant_id,
    origin: `api:${own.key.id}`,
  })
  const steps = await service.get(`/applications/${made.body.id}/stage-transitions`, own.key)
  assert.deepEqual(steps.body.data, [
    { object: 'stage_transition', from_stage_id: null, to_stage_id: own.job.stages[0], at: made.body.applied_at },
  ])
})

test('POST /applications: 201: the response is what a key without sensitive scopes sees and echoes nothing of the person', async () => {
  const made = await post(
    body(
      job,
      {},
      {
        first_name: 'Zebulon',
        last_name: 'Quill',
        email: 'zebulon.quill@example.org',
        phone: '+44 20 7946 0991',
        linkedin_url: 'https://www.linkedin.com/in/zebulon-quill',
      },
    ),
  )
  assert.equal(made.status, 201)
  assert.deepEqual(made.body.restricted, ['rejection_reason', 'withdrawal_reason', 'start_date'])
  assert.ok(!('rejection_reason' in made.body))
  assert.doesNotMatch(made.text, /zebulon|quill|7946 ?0991|linkedin/i)
})

test('POST /applications: 201: no consent, screening phone or private answer is recorded', async () => {
  const { id } = await apply(world, {}, { phone: '+1 555 0107' })
  const stored = await db.one(
    sql<{ screening_phone: null; private: number }>`
      select screening_phone, (select count(*) from application_private_answers p
        where p.workspace_id = ${workspace} and p.application_id = a.id) as private
      from applications a where a.workspace_id = ${workspace} and a.id = ${id}`,
  )
  assert.deepEqual(stored, { screening_phone: null, private: 0 })
  for (const extra of [
    { consent: true },
    { voice_screening_consent: true },
    { equal_opportunity: {} },
    { agreement: 'yes' },
  ])
    await refused(body(job, extra), 400, 'invalid_request', Object.keys(extra)[0]!)
  await refused(body(job, {}, { consent: true }), 400, 'invalid_request', 'candidate.consent')
})

test('POST /applications: 200 duplicate by external id: same job, system and external id, whatever the candidate; nothing changes', async () => {
  const source = { system: 'acme_ats', external_id: 'ext-1' }
  const first = await post(body(job, { source }))
  assert.equal(first.status, 201)
  const before = (await readEvents(world, workspace)).length
  const again = await post(body(job, { source }, { email: 'someone.else@example.org' }))
  assert.equal(again.status, 200)
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.body.updated_at, first.body.updated_at)
  assert.equal((await readEvents(world, workspace)).length, before)
  assert.deepEqual((await service.get('/applicants?email=someone.else@example.org', key)).body.data, [])
  const otherSystem = await post(body(job, { source: { ...source, system: 'other_ats' } }))
  assert.equal(otherSystem.status, 201)
  const otherJob = await newJob(service, workspace)
  assert.equal((await post(body(otherJob, { source }))).status, 201)
})

test('POST /applications: 200 duplicate by email in any case, whatever the source; details and upload stay untouched', async () => {
  const first = await post(body(job, {}, { email: 'Casey.Jones@Example.org' }))
  const id = await upload(world)
  const again = await post(
    body(
      job,
      { source: { system: 'other_ats', external_id: 'n-1' }, resume_upload_id: id },
      { email: ' casey.jones@EXAMPLE.ORG ', phone: '+1 555 0108', first_name: 'Other' },
    ),
  )
  assert.equal(again.status, 200)
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.body.has_resume, false)
  const applicant = await service.get(`/applicants/${first.body.applicant_id}`, key)
  assert.equal(applicant.body.full_name, 'Ada Byron')
  const next = await apply(world, { resume_upload_id: id })
  assert.equal(next.has_resume, true)
})

test('POST /applications: 200 duplicate before validation: the form changed, the job closed, the person unsubscribed', async () => {
  const changing = await newJob(service, workspace)
  const sent = body(changing)
  const first = await post(sent)
  assert.equal(first.status, 201)
  await db.query(sql`update jobs set status = 'closed', form_is_template = false where id = ${changing.id}`)
  await db.query(sql`
    insert into form_fields (workspace_id, id, job_id, position, label, type, required)
    values (${workspace}, ${`q-${changing.id}`}, ${changing.id}, 0, 'Why', 'text', true)`)
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, first.body.applicant_id, 'link'))
  const again = await post({ ...sent, answers: [{ field_id: 'gone', value: 'x' }], stage_id: 'stg_gone' })
  assert.equal(again.status, 200)
  assert.equal(again.body.id, first.body.id)
})

test('POST /applications: 200 duplicate: a withdrawn application is returned as it is, by external id and by email', async () => {
  const email = 'withdrawn.once@example.org'
  const source = { system: 'acme_ats', external_id: 'withdrawn-1' }
  const { id } = await apply(world, { source }, { email })
  await db.transaction(tx => withdrawApplication(tx, workspace, id, {}))
  const before = (await readEvents(world, workspace)).length
  for (const repeat of [
    body(job, { source }, { email: 'another.address@example.org' }),
    body(job, { source: { system: 'other_ats' } }, { email }),
  ]) {
    const again = await post(repeat)
    assert.deepEqual([again.status, again.body.id, again.body.status], [200, id, 'withdrawn'])
  }
  assert.equal((await readEvents(world, workspace)).length, before)
})

test('POST /applications: a repeat is checked for the form of its body first (400), for the rules of job and form not at all (200)', async () => {
  const email = 'repeated@example.org'
  const first = await apply(world, {}, { email })
  const repeat = (more: object, candidate: object = {}) => post(body(job, { ...more }, { email, ...candidate }))
  const answer = { field_id: 'a', value: 'b' }
  for (const malformed of [
    await repeat({ answers: Array(101).fill(answer) }),
    await repeat({ consent: true }),
    await repeat({}, { last_name: 'x'.repeat(101) }),
  ])
    assert.deepEqual([malformed.status, malformed.body.detail.code], [400, 'invalid_request'])
  for (const wrong of [{ answers: [answer] }, { stage_id: 'stg_gone' }, { resume_upload_id: 'upl_gone' }]) {
    const { status, body: found } = await repeat(wrong)
    assert.deepEqual([status, found.id], [200, first.id])
  }
})

test('POST /applications: 201: the same LinkedIn URL with another email address is another person', async () => {
  const linkedin_url = 'https://www.linkedin.com/in/shared-by-two'
  const first = await apply(world, {}, { linkedin_url })
  const second = await apply(world, {}, { linkedin_url })
  assert.notEqual(first.applicant_id, second.applicant_id)
})

test('POST /applications: 201: a known applicant is reused; only blank fields are filled, and applicant.updated is emitted', async () => {
  const email = 'known@example.org'
  const first = await apply(world, {}, { email, first_name: 'Known', last_name: 'Person', phone: '+1 555 0109' })
  const otherJob = await newJob(service, workspace)
  const before = (await readEvents(world, workspace)).length
  const second = await apply(
    { ...world, job: otherJob },
    {},
    {
      email: email.toUpperCase(),
      first_name: 'Wrong',
      phone: '+1 555 9999',
      linkedin_url: 'https://uk.linkedin.com/in/known-person/',
    },
  )
  assert.equal(second.applicant_id, first.applicant_id)
  const applicant = await service.get(`/applicants/${first.applicant_id}`, key)
  assert.equal(applicant.body.full_name, 'Known Person')
  assert.equal(applicant.body.linkedin_url, 'https://uk.linkedin.com/in/known-person/')
  const contact = await service.get(`/applicants/${first.applicant_id}/contact-info`, key)
  assert.deepEqual(
    contact.body.phones.map((p: { value: string }) => p.value),
    ['+1 555 0109'],
  )
  const added = (await readEvents(world, workspace)).slice(before)
  assert.deepEqual(
    added.map(e => e.type),
    ['applicant.updated', 'person.identity_linked', 'application.created'],
  )
  assert.deepEqual(added[0]!.data.object['changed'], ['linkedin_url'])
  const third = await newJob(service, workspace)
  await apply({ ...world, job: third }, {}, { email })
  const types = (await readEvents(world, workspace)).slice(before + 3).map(e => e.type)
  assert.deepEqual(types, ['application.created'])
})

test('POST /applications: 404 job absent, malformed or another workspace’s; 409 job_not_accepting_applications', async () => {
  const other = await newTenant(service)
  for (const id of [newHandle('job'), 'job_x', other.job.id]) await refused(body({ id, stages: [] }), 404, 'not_found')
  for (const shut of [
    await newJob(service, workspace, { status: 'draft' }),
    await newJob(service, workspace, { status: 'closed' }),
    await newJob(service, workspace, { accepts: false }),
  ])
    await refused(body(shut), 409, 'job_not_accepting_applications')
})

test('POST /applications: 400 invalid_stage: malformed, absent, of another job, final; a given stage is used', async () => {
  const other = await newJob(service, workspace)
  for (const stage of ['x', newHandle('pipeline_stage'), other.stages[0], job.stages[3]])
    await refused(body(job, { stage_id: stage }), 400, 'invalid_stage', 'stage_id')
  assert.equal((await apply(world, { stage_id: job.stages[2] })).stage_id, job.stages[2])
})

test('POST /applications: 400: every rule of the body has its place', async () => {
  const c = (more: Record<string, unknown>) => body(job, {}, more)
  for (const [sent, code, param] of [
    [{ ...body(job), job_id: undefined }, 'invalid_request', 'job_id'],
    [{ ...body(job), source: undefined }, 'invalid_request', 'source'],
    [c({ email: undefined }), 'invalid_request', 'candidate.email'],
    [c({ email: 'no address' }), 'invalid_request', 'candidate.email'],
    [c({ first_name: '' }), 'invalid_request', 'candidate.first_name'],
    [c({ first_name: '   ' }), 'invalid_request', 'candidate.first_name'],
    [c({ last_name: 'x'.repeat(101) }), 'invalid_request', 'candidate.last_name'],
    [c({ phone: 'call me' }), 'invalid_request', 'candidate.phone'],
    [c({ phone: '+()' }), 'invalid_request', 'candidate.phone'],
    [c({ linkedin_url: 'http://www.linkedin.com/in/x' }), 'invalid_request', 'candidate.linkedin_url'],
    [c({ linkedin_url: 'https://linkedin.com.evil.example/in/x' }), 'invalid_request', 'candidate.linkedin_url'],
    [c({ linkedin_url: 'https://linkedin.com@evil.example/in/x' }), 'invalid_request', 'candidate.linkedin_url'],
    [body(job, { source: { system: 'A' } }), 'unsupported_source_system', 'source.system'],
    [body(job, { source: { system: 'tahoe_native' } }), 'unsupported_source_system', 'source.system'],
    [body(job, { source: { system: 'public_board' } }), 'unsupported_source_system', 'source.system'],
    [body(job, { source: { system: 'x'.repeat(41) } }), 'unsupported_source_system', 'source.system'],
    [body(job, { source: { system: 'acme', external_id: '' } }), 'invalid_request', 'source.external_id'],
    [body(job, { source: { system: 'acme', external_id: 'x'.repeat(201) } }), 'invalid_request', 'source.external_id'],
    [
      body(job, { answers: Array.from({ length: 101 }, () => ({ field_id: 'a', value: 'b' })) }),
      'invalid_request',
      'answers',
    ],
    [body(job, { answers: [{ field_id: 'a' }] }), 'invalid_request', 'answers[0].value'],
  ] as const)
    await refused(sent, 400, code, param)
})

const FORM: Field[] = [
  { id: 'why', type: 'textarea', required: true, maxLength: 20 },
  { id: 'level', type: 'select', options: ['low', 'high'] },
  { id: 'tools', type: 'multiselect', options: ['a', 'b', 'c'] },
  { id: 'relocate', type: 'boolean', required: true },
  { id: 'years', type: 'number' },
  { id: 'start', type: 'date' },
  { id: 'site', type: 'url' },
  { id: 'name', type: 'text', required: true, asks: 'name' },
  { id: 'mail', type: 'email', required: true, asks: 'email' },
  { id: 'tel', type: 'phone', required: true, asks: 'phone' },
  { id: 'profile', type: 'url', asks: 'linkedin' },
  { id: 'cv', type: 'file', required: true, asks: 'resume' },
  { id: 'about', type: 'section' },
  { id: 'gender', type: 'eeo', required: true, options: ['x'] },
  { id: 'news', type: 'consent' },
  { id: 'old', type: 'text', deleted: true },
]

test('POST /applications: 400 answers: every rule has its code and its path', async () => {
  const form = await newJob(service, workspace, { fields: FORM })
  const good = [
    { field_id: 'why', value: 'because' },
    { field_id: 'relocate', value: false },
  ]
  const send = (...more: unknown[]) => body(form, { answers: [...good, ...more] })
  for (const [id, code] of [
    ['nothing', 'unknown_answer_field'],
    ['old', 'unknown_answer_field'],
    ['why', 'duplicate_answer_field'],
    ['gender', 'answer_field_not_accepted'],
    ['news', 'answer_field_not_accepted'],
    ['about', 'answer_field_not_accepted'],
    ['cv', 'answer_field_not_accepted'],
    ['name', 'answer_field_reserved'],
    ['mail', 'answer_field_reserved'],
    ['tel', 'answer_field_reserved'],
    ['profile', 'answer_field_reserved'],
  ] as const)
    await refused(
      send({ field_id: 'years', value: '3' }, { field_id: id, value: 'x' }),
      400,
      code,
      'answers[3].field_id',
    )
  for (const [id, value] of [
    ['level', 'middle'],
    ['level', ['low']],
    ['level', true],
    ['tools', 'a'],
    ['tools', ['a', 'z']],
    ['tools', ['a', 'a']],
    ['years', 'many'],
    ['start', '2026-02-30'],
    ['site', 'javascript:alert(1)'],
  ] as const)
    await refused(send({ field_id: id, value }), 400, 'invalid_answer_value', 'answers[2].value')
  await refused(body(form, { answers: [{ field_id: 'why', value: 'x'.repeat(21) }] }), 400, 'invalid_answer_value')
  await refused(body(form, { answers: [{ field_id: 'relocate', value: 'yes' }] }), 400, 'invalid_answer_value')
  const missing = await refused(body(form), 400, 'missing_required_answers', 'answers')
  assert.equal(missing.body.detail.errors.length, 2)
  assert.match(missing.text, /question why/)
  assert.match(missing.text, /question relocate/)
  await refused(body(form, { answers: [{ field_id: 'why', value: '  ' }, good[1]] }), 400, 'missing_required_answers')
  const made = await post(send({ field_id: 'tools', value: ['b', 'a'] }, { field_id: 'level', value: 'low' }))
  assert.equal(made.status, 201, made.text)
  const stored = await service.get(`/applications/${made.body.id}/answers`, key)
  assert.deepEqual(stored.body, {
    object: 'application_answers',
    application_id: made.body.id,
    answers: { why: 'because', relocate: false, tools: ['b', 'a'], level: 'low' },
  })
})

test('POST /applications: 400 missing_required_answers: a required LinkedIn question is answered in candidate', async () => {
  const form = await newJob(service, workspace, {
    fields: [{ id: 'lnk', type: 'url', required: true, asks: 'linkedin' }],
  })
  await refused(body(form), 400, 'missing_required_answers', 'candidate.linkedin_url')
  const made = await post(body(form, {}, { linkedin_url: 'https://www.linkedin.com/in/someone' }))
  assert.equal(made.status, 201)
})

test('POST /applications: 409 candidate_consent_required: a required consent box only the candidate can tick', async () => {
  const form = await newJob(service, workspace, { fields: [{ id: 'terms', type: 'consent', required: true }] })
  await refused(body(form), 409, 'candidate_consent_required')
})

test('POST /applications: 409 applicant_unsubscribed: nothing is created, also for an address without a record', async () => {
  const { applicant_id } = await apply(world, {}, { email: 'stop@example.org' })
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, applicant_id, 'one_click'))
  const otherJob = await newJob(service, workspace)
  await refused(body(otherJob, {}, { email: 'STOP@example.org' }), 409, 'applicant_unsubscribed')
  await db.query(sql`
    insert into unsubscribes (workspace_id, email_key, source) values (${workspace}, 'gone@example.org', 'link')`)
  await refused(body(otherJob, {}, { email: 'gone@example.org' }), 409, 'applicant_unsubscribed')
  assert.equal(await rows(otherJob.id), 0)
  const seen = await service.get(`/applicants/${applicant_id}`, key)
  assert.equal(seen.body.provenance.consent.unsubscribed, true)
})

async function suppress(kind: string, value: string) {
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'erased', 'erasure_request', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id) select ${kind}, ${sha256(value)}, id from s`)
}

test('POST /applications: 409 applicant_suppressed: by email or LinkedIn address in any spelling; nothing is created', async () => {
  await suppress('email', 'erased@example.org')
  await suppress('linkedin_url', linkedinKey('https://linkedin.com/in/erased-person')!)
  const clean = await newJob(service, workspace)
  await refused(body(clean, {}, { email: 'Erased@Example.ORG' }), 409, 'applicant_suppressed')
  const linkedin_url = 'https://de.linkedin.com/in/Erased-Person/?trk=x'
  await refused(body(clean, {}, { linkedin_url }), 409, 'applicant_suppressed')
  assert.equal(await rows(clean.id), 0)
  assert.deepEqual((await service.get('/applicants?email=erased@example.org', key)).body.data, [])
})

test('POST /applications: 429 suppression_check_unavailable: if the list cannot be read nothing is created', async () => {
  const clean = await newJob(service, workspace)
  await db.query(sql`alter table suppressed_identifiers rename to hidden_away`)
  try {
    const response = await refused(body(clean), 429, 'suppression_check_unavailable')
    assert.equal(response.body.detail.type, 'unavailable')
    assert.ok(Number(response.headers.get('retry-after')) > 0)
  } finally {
    await db.query(sql`alter table hidden_away rename to suppressed_identifiers`)
  }
  assert.equal(await rows(clean.id), 0)
})

test('POST /applications: 403 write_requires_api_key: a key without a user cannot create', async () => {
  const userless = await service.key({ workspace })
  const response = await service.post('/applications', userless, body(job))
  assert.deepEqual([response.status, response.body.detail.code], [403, 'write_requires_api_key'])
})

test('POST /applications: replay: the same Idempotency-Key returns the same 201 and creates nothing', async () => {
  const sent = body(job)
  const headers = { 'idempotency-key': 'create-0001' }
  const first = await post(sent, { headers })
  const again = await post(sent, { headers })
  assert.deepEqual([first.status, again.status], [201, 201])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
})

test('POST /applications: 409 application_conflict: created concurrently by a writer that takes no lock; a retry finds it', async () => {
  const own = await newJob(service, workspace)
  const source = { system: 'acme_ats', external_id: 'raced' }
  const other = await apply(world)
  const sent = body(own, { source }, { email: 'raced@example.org' })
  const before = (await readEvents(world, workspace)).length
  let waiting: ReturnType<typeof post> | undefined
  await db.transaction(async tx => {
    await tx.query(sql`
      insert into applications (workspace_id, id, job_id, applicant_id, stage_id, source, source_system, source_external_id)
      values (${workspace}, ${newHandle('application')}, ${own.id}, ${other.applicant_id}, ${own.stages[0]}, 'x',
        ${source.system}, ${source.external_id})`)
    waiting = post(sent)
    while ((await lockWaits(db, /into applications/)) === 0);
  })
  const response = await waiting!
  assert.deepEqual([response.status, response.body.detail.code], [409, 'application_conflict'])
  assert.equal((await readEvents(world, workspace)).length, before)
  assert.deepEqual((await service.get('/applicants?email=raced@example.org', key)).body.data, [])
  assert.equal((await post(sent)).status, 200)
})

test('POST /applications: one external id, many people at the same time: one application', async () => {
  const source = { system: 'acme_ats', external_id: 'shared' }
  const own = await newJob(service, workspace)
  const responses = await Promise.all(Array.from({ length: 20 }, () => post(body(own, { source }))))
  assert.deepEqual(responses.map(a => a.status).toSorted(), [...Array(19).fill(200), 201])
  assert.equal(await rows(own.id), 1)
})

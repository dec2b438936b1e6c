import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { ApiError } from '../../src/kernel/errors/api-error.ts'
import type { RefusedInput } from '../../src/kernel/http/faults.ts'
import { editApplicant, importApplicant, unsubscribeApplicant } from '../../src/resources/applicants/index.ts'
import {
  applyOnForm,
  deleteApplicant,
  deleteApplication,
  importApplication,
  type PublicForm,
  recordScreening,
  type Submission,
  setApplicationStatus,
} from '../../src/resources/applications/index.ts'
import { ageResumeAccess } from '../../src/resources/resumes/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { apply, type Field, formUpload, newJob, readEvents, sharedWorld, upload } from './setup.ts'

// a service of its own: suppressions and the workers that are run here are those of the whole installation
const world = await sharedWorld()
const { service, workspace, key } = world
const { db, blobs } = service.services
const at = (id: string) => ({ workspace, id, originKeyId: null })

async function act<T>(run: (tx: Transaction) => Promise<T>) {
  const before = (await readEvents(world, workspace)).length
  const result = await db.transaction(run)
  const events = (await readEvents(world, workspace)).slice(before)
  for (const event of events) assert.ok(!('origin' in event.data.object), 'product changes carry no origin')
  return { result, events, types: events.map(e => e.type) }
}

const FORM: Field[] = [
  { id: 'pw_why', type: 'text', required: true },
  { id: 'pw_tel', type: 'phone', required: true, asks: 'phone' },
  { id: 'pw_cv', type: 'file', required: true, asks: 'resume' },
  { id: 'pw_terms', type: 'consent', required: true },
  { id: 'pw_gender', type: 'eeo', options: ['woman', 'man'] },
]
const publicForm: PublicForm = {
  language: 'en',
  consents: { pw_terms: 1, not_on_the_form: 1 },
  equalOpportunity: { pw_gender: 'woman', pw_why: 'not such a question' },
  prescreen: {},
  files: {},
  voiceScreeningOptedOut: true,
}
const fromBoard = (more: Partial<Submission> = {}): Submission => ({
  candidate: { first_name: 'Bo', last_name: 'Ard', email: 'bo@example.org', phone: '+1 555 0150' },
  form: publicForm,
  answers: [{ field_id: 'pw_why', value: 'because' }],
  ...more,
})

test('apply from the board: consents and equal-opportunity answers are stored and returned by no API', async () => {
  const job = await newJob(service, workspace, { fields: FORM })
  const resumeUploadId = await formUpload(world)
  const { result, types } = await act(tx => applyOnForm(tx, blobs, workspace, job.id, fromBoard({ resumeUploadId })))
  assert.ok(!(result instanceof ApiError))
  assert.deepEqual(types, ['applicant.created', 'application.created'])
  const { id, applicant_id } = result.application
  const stored = await db.one(
    sql<{ equal_opportunity: unknown; consents: Record<string, { at: string }>; prescreen: unknown }>`
      select equal_opportunity, consents, prescreen from application_private_answers where application_id = ${id}`,
  )
  const { at, ...consent } = stored!.consents['pw_terms']!
  assert.deepEqual([stored!.equal_opportunity, stored!.prescreen], [{ pw_gender: 'woman' }, {}])
  assert.deepEqual(Object.keys(stored!.consents), ['pw_terms'])
  assert.deepEqual(consent, { accepted: true, version: 1, label: 'pw_terms', help_text: null, language: 'en' })
  assert.equal(at, result.application.applied_at)
  const seen = await service.get(`/applications/${id}`, key)
  assert.deepEqual([seen.body.source, seen.body.voice_screening_opted_out], ['public_board', true])
  const paths = ['', '/answers', '/screening', '/stage-transitions', '/resume', '/notes'].map(
    p => `/applications/${id}${p}`,
  )
  for (const path of [...paths, `/applicants/${applicant_id}`, '/applications', '/applicants']) {
    const response = await service.get(path, key)
    assert.equal(response.status, 200)
    assert.doesNotMatch(response.text, /woman|pw_gender|pw_terms|equal_opportunity/)
  }
  const applicant = await service.get(`/applicants/${applicant_id}`, key)
  assert.equal(applicant.body.provenance.consent.basis, 'candidate_submitted')
  const other = await formUpload(world)
  const again = await act(tx => applyOnForm(tx, blobs, workspace, job.id, fromBoard({ resumeUploadId: other })))
  assert.ok(!(again.result instanceof ApiError) && !again.result.isNew && again.result.application.id === id)
})

test('apply from the board: who unsubscribed may apply, and stays unsubscribed; who was erased may not', async () => {
  const { applicant_id } = await apply(world, {}, { email: 'quiet@example.org' })
  await db.transaction(tx => unsubscribeApplicant(tx, workspace, applicant_id, 'link'))
  const job = await newJob(service, workspace)
  const candidate = { first_name: 'Qui', last_name: 'Et', email: 'quiet@example.org' }
  const made = await act(tx => applyOnForm(tx, blobs, workspace, job.id, fromBoard({ candidate, answers: [] })))
  assert.ok(!(made.result instanceof ApiError) && made.result.isNew)
  const seen = await service.get(`/applicants/${applicant_id}`, key)
  assert.equal(seen.body.provenance.consent.unsubscribed, true)
  await db.query(sql`
    with s as (
      insert into suppressions (id, status, reason, delete_by)
      values (gen_random_uuid(), 'suppressed', 'stop_processing', app_now()) returning id
    ) insert into suppressed_identifiers (kind, sha256, suppression_id)
    select 'email', sha256('stopped@example.org'), id from s`)
  const stopped = { ...candidate, email: 'Stopped@example.org' }
  const refused = await act(tx =>
    applyOnForm(tx, blobs, workspace, job.id, fromBoard({ candidate: stopped, answers: [] })),
  )
  assert.ok(refused.result instanceof ApiError && refused.result.code === 'applicant_suppressed')
  assert.deepEqual(refused.types, [])
})

test('apply from the board: every required field is enforced', async () => {
  const job = await newJob(service, workspace, { fields: FORM.map(f => ({ ...f, id: `${f.id}_b` })) })
  const candidate = { first_name: 'Bo', last_name: 'Ard', email: 'bo2@example.org' }
  await assert.rejects(
    db.transaction(tx => applyOnForm(tx, blobs, workspace, job.id, fromBoard({ candidate, answers: [] }))),
    (error: RefusedInput) => {
      assert.equal(error.code, 'missing_required_answers')
      assert.deepEqual(
        error.faults.map(e => [e.param, e.reason]),
        [
          ['answers.pw_why_b', 'required'],
          ['candidate.phone', 'required'],
          ['resume_upload_id', 'required'],
          ['consents.pw_terms_b', 'consent_required'],
        ],
      )
      return true
    },
  )
})

test('status: review and advance with their events; backwards is refused', async () => {
  const { id } = await apply(world)
  for (const [to, before] of [
    ['in_review', 'new'],
    ['advanced', 'in_review'],
  ] as const) {
    const { events } = await act(tx => setApplicationStatus(tx, at(id), to))
    assert.deepEqual(
      events.map(e => [e.type, e.data.object['status'], e.data.previous_attributes]),
      [['application.status_changed', to, { status: before }]],
    )
    assert.deepEqual((await act(tx => setApplicationStatus(tx, at(id), to))).types, [])
  }
  await assert.rejects(
    db.transaction(tx => setApplicationStatus(tx, at(id), 'in_review')),
    /advanced cannot become in_review/,
  )
})

test('screening: one event when the call has ended, with the outcome and without what was said', async () => {
  const { id } = await apply(world)
  const base = {
    completion_state: 'none' as const,
    duration_sec: null,
    consent_state: 'pending' as const,
    ambiguous_caller: false,
    started_at: null,
    ended_at: null,
  }
  assert.deepEqual((await act(tx => recordScreening(tx, at(id), { ...base, call_status: 'scheduled' }))).types, [])
  const done = { ...base, call_status: 'completed' as const, completion_state: 'complete' as const }
  const { events } = await act(tx => recordScreening(tx, at(id), done))
  assert.equal(events.length, 1)
  const { object } = events[0]!.data
  assert.deepEqual([object['call_status'], object['completion_state']], ['completed', 'complete'])
  assert.deepEqual((await act(tx => recordScreening(tx, at(id), done))).types, [])
})

test('edit: changed fields are named, contact values follow, nothing changed is no event', async () => {
  const { applicant_id: id } = await apply(world, {}, { phone: '+1 555 0160' })
  const { events } = await act(tx =>
    editApplicant(tx, workspace, id, { phone: '+1 555 0161', location: 'Brno', last_name: 'King' }, null),
  )
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['changed']]),
    [['applicant.updated', ['full_name', 'contact_info', 'location']]],
  )
  const contact = await service.get(`/applicants/${id}/contact-info`, key)
  assert.deepEqual(
    contact.body.phones.map((p: { value: string }) => p.value),
    ['+1 555 0161'],
  )
  const seen = await service.get(`/applicants/${id}`, key)
  assert.deepEqual([seen.body.full_name, seen.body.location], ['Ada King', 'Brno'])
  assert.deepEqual((await act(tx => editApplicant(tx, workspace, id, { location: 'Brno' }, null))).types, [])
  const cleared = await act(tx => editApplicant(tx, workspace, id, { phone: null }, null))
  assert.deepEqual(cleared.types, ['applicant.updated'])
  const other = await apply(world, {}, { email: 'taken@example.org' })
  assert.ok(other)
  await assert.rejects(
    db.transaction(tx => editApplicant(tx, workspace, id, { email: 'Taken@example.org' }, null)),
    /belongs to applicant apl_/,
  )
})

test('unsubscribe: one event; the email address stays unsubscribed after the record is deleted', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'leave@example.org' })
  assert.deepEqual((await act(tx => unsubscribeApplicant(tx, workspace, id, 'product'))).types, [
    'applicant.unsubscribed',
  ])
  assert.deepEqual((await act(tx => unsubscribeApplicant(tx, workspace, id, 'link'))).types, [])
  const contact = await service.get(`/applicants/${id}/contact-info`, key)
  assert.equal(contact.body.unsubscribed, true)
  await db.transaction(tx => deleteApplicant(tx, at(id), 'cleanup'))
  const refused = await service.post('/applications', key, {
    job_id: world.job.id,
    candidate: { first_name: 'A', last_name: 'B', email: 'leave@example.org' },
    source: { system: 'acme_ats' },
  })
  assert.equal(refused.body.detail.code, 'applicant_unsubscribed')
})

test('import: external_refs, found again by the other system’s id, then by address', async () => {
  const ref = (id: string) => ({
    system: 'lever',
    type: 'candidate',
    id,
    connection_id: 'con-1',
    link_origin: 'sync',
    last_synced_at: '2026-11-01T00:00:00.000Z',
  })
  const person = { first_name: 'Im', last_name: 'Port', email: 'im@example.org' }
  const first = await act(tx => importApplicant(tx, workspace, ref('L1'), person))
  assert.deepEqual(first.types, ['applicant.created'])
  const seen = await service.get(`/applicants/${first.result}`, key)
  assert.deepEqual(seen.body.external_refs, [ref('L1')])
  assert.deepEqual(
    [seen.body.provenance.origin, seen.body.provenance.acquisition, seen.body.provenance.provider],
    ['ats_import', 'ats_sync', 'lever'],
  )
  assert.equal(seen.body.provenance.consent.basis, 'customer_provided')
  const again = await act(tx => importApplicant(tx, workspace, ref('L1'), person))
  assert.deepEqual([again.result, again.types], [first.result, []])
  const moved = await act(tx => importApplicant(tx, workspace, ref('L1'), { ...person, email: 'new@example.org' }))
  assert.deepEqual([moved.result, moved.types], [first.result, ['applicant.updated']])
  const direct = await apply(world, {}, { email: 'both@example.org' })
  const linked = await act(tx => importApplicant(tx, workspace, ref('L2'), { email: 'Both@example.org' }))
  assert.equal(linked.result, direct.applicant_id)
  const appliedAt = '2026-06-01T00:00:00.000Z'
  const application = {
    jobId: world.job.id,
    applicantId: first.result,
    system: 'lever',
    externalId: 'LA1',
    status: 'rejected' as const,
    appliedAt,
  }
  const brought = await act(tx => importApplication(tx, blobs, workspace, application))
  assert.deepEqual(brought.types, ['application.created'])
  const shown = await service.get(`/applications/${brought.result.id}`, key)
  assert.deepEqual(
    [shown.body.status, shown.body.applied_at, shown.body.source],
    ['rejected', appliedAt, 'import:lever'],
  )
  assert.deepEqual((await act(tx => importApplication(tx, blobs, workspace, application))).result, {
    id: brought.result.id,
    isNew: false,
  })
})

test('import: an old application’s résumé has the access of its age from the start, without an event', async () => {
  const ref = { system: 'lever', id: 'L9', type: null, connection_id: null, link_origin: null, last_synced_at: null }
  const resumeUploadId = await upload(world)
  const { result, types } = await act(async tx => {
    const applicantId = await importApplicant(tx, workspace, ref, { first_name: 'Old', last_name: 'Timer' })
    const appliedAt = new Date(Date.now() - 100 * 86_400_000).toISOString()
    const more = { system: 'lever', externalId: 'LA9', status: 'new' as const, appliedAt, resumeUploadId }
    return importApplication(tx, blobs, workspace, { jobId: world.job.id, applicantId, ...more })
  })
  assert.deepEqual(types, ['applicant.created', 'application.created'])
  const seen = await service.get(`/applications/${result.id}`, key)
  assert.equal(seen.body.resume_access.state, 'view_only')
  assert.equal(await ageResumeAccess(db), 0)
})

test('delete with reason: the application, its file and history go; the person with all of theirs', async () => {
  const kept = await apply(world, { resume_upload_id: await upload(world) }, { email: 'del@example.org' })
  const otherJob = await newJob(service, workspace)
  const gone = await apply(
    { ...world, job: otherJob },
    { resume_upload_id: await upload(world) },
    { email: 'del@example.org' },
  )
  const blobOf = async (id: string) =>
    (await db.one(sql<{ blob_key: string }>`select blob_key from resumes where application_id = ${id}`))!.blob_key
  const [keptBlob, goneBlob] = [await blobOf(kept.id), await blobOf(gone.id)]
  const first = await act(tx => deleteApplication(tx, at(gone.id), 'duplicate'))
  assert.deepEqual(
    first.events.map(e => [e.type, e.data.object['id'], e.data.object['reason']]),
    [['application.deleted', gone.id, 'duplicate']],
  )
  assert.equal((await service.get(`/applications/${gone.id}`, key)).status, 404)
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(goneBlob), null)
  assert.ok(await blobs.stat(keptBlob))
  const all = await act(tx => deleteApplicant(tx, at(kept.applicant_id), 'requested'))
  assert.deepEqual(
    all.events.map(e => [e.type, e.data.object['id'], e.data.object['reason']]),
    [
      ['application.deleted', kept.id, 'requested'],
      ['applicant.deleted', kept.applicant_id, 'requested'],
    ],
  )
  assert.equal((await service.get(`/applicants/${kept.applicant_id}`, key)).status, 404)
  await expireOnce(db, blobs)
  assert.equal(await blobs.stat(keptBlob), null)
  const left = await db.one(
    sql<{ n: number }>`select count(*) as n from contact_values where subject_id = ${kept.applicant_id}`,
  )
  assert.equal(left!.n, 0)
  await assert.rejects(
    db.transaction(tx => deleteApplication(tx, at(gone.id), 'again')),
    /there is no application/,
  )
})

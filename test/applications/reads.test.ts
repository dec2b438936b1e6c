import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { recordScreening } from '../../src/resources/applications/index.ts'
import { apply, newJob, newTenant, sharedWorld, upload } from './setup.ts'

const world = await sharedWorld()
const { service, workspace, key, job } = world
const { db } = service.services
const other = await newTenant(service)

test('application reads: 200 application: exactly the specified fields, a list row without resume_access', async () => {
  const { id } = await apply(world, { resume_upload_id: await upload(world) })
  const one = await service.get(`/applications/${id}`, key)
  const FIELDS =
    'object id workspace_id job_id applicant_id stage_id status source external_id applied_at updated_at parse_status has_resume voice_screening_opted_out rejection_reason withdrawal_reason start_date owner_user_id'
  assert.deepEqual(Object.keys(one.body), [...FIELDS.split(' '), 'resume_access', 'links'])
  assert.deepEqual(Object.keys(one.body.resume_access), [
    'state',
    'free_until',
    'view_until',
    'state_changes_at',
    'unlock_credits',
    'can_view',
    'can_download',
  ])
  const list = await service.get('/applications', key)
  assert.deepEqual(Object.keys(list.body.data[0]), [...FIELDS.split(' '), 'links'])
  assert.deepEqual(one.body.links, {
    self: `/api/partner/v1/applications/${id}`,
    answers: `/api/partner/v1/applications/${id}/answers`,
    score: `/api/partner/v1/applications/${id}/score`,
    resume: `/api/partner/v1/applications/${id}/resume`,
    screening: `/api/partner/v1/applications/${id}/screening`,
    stage_transitions: `/api/partner/v1/applications/${id}/stage-transitions`,
  })
})

test('application reads: 200 application: reasons and the start date are restricted without applications:internal:read, reason or not', async () => {
  const { id } = await apply(world)
  const reader = await service.key({ workspace, scopes: ['applications:read'] })
  for (const reject of [false, true]) {
    if (reject) await service.post(`/applications/${id}/reject`, key, { reason: 'too far away' })
    const seen = await service.get(`/applications/${id}`, reader)
    for (const field of ['rejection_reason', 'withdrawal_reason', 'start_date']) assert.ok(!(field in seen.body), field)
    assert.deepEqual(seen.body.restricted, ['rejection_reason', 'withdrawal_reason', 'start_date'])
    assert.deepEqual(seen.body.restricted_reason, {
      rejection_reason: 'scope_required:applications:internal:read',
      withdrawal_reason: 'scope_required:applications:internal:read',
      start_date: 'scope_required:applications:internal:read',
    })
  }
  const full = await service.get(`/applications/${id}`, key)
  assert.equal(full.body.rejection_reason, 'too far away')
  assert.ok(!('restricted' in full.body))
  assert.ok(!('resume_access' in full.body))
})

test('application reads: 200 lists: several statuses are merged in the order of change, page by page, in both directions', async () => {
  const own = await newTenant(service)
  const made = []
  for (let i = 0; i < 12; i++) made.push(await apply({ service, ...own }))
  for (const i of [1, 4, 5, 10]) await service.post(`/applications/${made[i].id}/reject`, own.key, { reason: 'no' })
  for (const i of [0, 4]) await service.post(`/applications/${made[i].id}/reopen`, own.key, {})
  const read = async (query: string) => {
    const rows: { id: string; status: string; updated_at: string }[] = []
    let cursor = ''
    do {
      const { body } = await service.get(`/applications?limit=3&${query}${cursor && `&cursor=${cursor}`}`, own.key)
      rows.push(...body.data)
      cursor = body.next_cursor ?? ''
    } while (cursor)
    return rows
  }
  const all = await read('')
  assert.equal(all.length, 12)
  for (const statuses of [
    ['rejected', 'in_review'],
    ['new', 'rejected'],
    ['rejected', 'rejected', 'hired'],
  ]) {
    const expected = all.filter(row => statuses.includes(row.status))
    assert.deepEqual(await read(`status=${statuses.join(',')}`), expected)
    assert.deepEqual(await read(`order=asc&status=${statuses.join(',')}`), expected.toReversed())
    assert.deepEqual(await read(`job_id=${own.job.id}&status=${statuses.join(',')}`), expected)
  }
})

test('application reads: 200 lists: filters of /applications and /jobs/{h}/applications choose the right rows', async () => {
  const own = await newTenant(service)
  const second = await newJob(service, own.workspace)
  const a = await apply({ service, ...own })
  const b = await apply({ service, ...own, job: second })
  const c = await apply({ service, ...own }, { stage_id: own.job.stages[1] })
  await service.post(`/applications/${c.id}/reject`, own.key, { reason: 'no' })
  const ids = async (path: string) => {
    const response = await service.get(path, own.key)
    assert.equal(response.status, 200, response.text)
    return response.body.data.map((row: { id: string }) => row.id)
  }
  assert.deepEqual(await ids('/applications'), [c.id, b.id, a.id])
  assert.deepEqual(await ids('/applications?order=asc'), [a.id, b.id, c.id])
  assert.deepEqual(await ids(`/applications?job_id=${second.id}`), [b.id])
  assert.deepEqual(await ids(`/applications?applicant_id=${a.applicant_id}`), [a.id])
  assert.deepEqual(await ids('/applications?status=rejected'), [c.id])
  assert.deepEqual(await ids('/applications?status=new,rejected'), [c.id, b.id, a.id])
  assert.deepEqual(await ids(`/applications?stage_id=${own.job.stages[1]}`), [c.id])
  assert.deepEqual(await ids(`/applications?applied_after=${a.applied_at}`), [c.id, b.id])
  assert.deepEqual(await ids(`/applications?updated_after=${b.updated_at}`), [c.id])
  assert.deepEqual(await ids(`/jobs/${own.job.id}/applications`), [c.id, a.id])
  assert.deepEqual(await ids(`/jobs/${own.job.id}/applications?status=new`), [a.id])
  assert.deepEqual(await ids(`/jobs/${own.job.id}/applications?stage_id=${own.job.stages[1]}`), [c.id])
  assert.deepEqual(await ids(`/applicants/${b.applicant_id}/applications`), [b.id])
  const first = await service.get('/applications?limit=2', own.key)
  assert.equal(first.body.has_more, true)
  assert.deepEqual(await ids(`/applications?limit=2&cursor=${first.body.next_cursor}`), [a.id])
})

test('application reads: 400: a wrong status, time or parameter is named', async () => {
  for (const [query, code, param] of [
    ['status=open', 'invalid_request', 'status'],
    ['applied_after=yesterday', 'invalid_timestamp', 'applied_after'],
    ['stage=x', 'invalid_request', 'stage'],
  ]) {
    const response = await service.get(`/applications?${query}`, key)
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.code, code)
    assert.equal(response.body.detail.param, param)
  }
})

test('application reads: 404: every handle of another workspace gets the same response as a missing one', async () => {
  const theirs = await apply({ service, ...other }, { resume_upload_id: await upload({ service, key: other.key }) })
  const reads = (app: string, apl: string, theJob: string, stage: string) => [
    `/applications/${app}`,
    `/applications/${app}/answers`,
    `/applications/${app}/score`,
    `/applications/${app}/screening`,
    `/applications/${app}/stage-transitions`,
    `/applications/${app}/notes`,
    `/applications/${app}/scorecards`,
    `/applications/${app}/resume`,
    `/applications/${app}/resume/download`,
    `/applicants/${apl}`,
    `/applicants/${apl}/applications`,
    `/applicants/${apl}/resumes`,
    `/applicants/${apl}/contact-info`,
    `/jobs/${theJob}/applications`,
    `/applications?job_id=${theJob}`,
    `/applications?applicant_id=${apl}`,
    `/applications?stage_id=${stage}`,
    `/jobs/${job.id}/applications?stage_id=${stage}`,
  ]
  const foreign = reads(theirs.id, theirs.applicant_id, other.job.id, other.job.stages[0]!)
  const missing = reads(newHandle('application'), newHandle('applicant'), newHandle('job'), newHandle('pipeline_stage'))
  const malformed = reads('app_x', 'apl_x', 'job_x', 'stg_x')
  const strip = (text: string) => text.replace(/req_\w+/g, '')
  for (const [i, path] of foreign.entries()) {
    const responses = await Promise.all([path, missing[i]!, malformed[i]!].map(p => service.get(p, key)))
    for (const response of responses) assert.equal(response.status, 404, path)
    assert.equal(strip(responses[0]!.text), strip(responses[1]!.text))
    assert.equal(strip(responses[0]!.text), strip(responses[2]!.text))
  }
  for (const action of ['move', 'reject', 'reopen', 'notes', 'scorecards']) {
    const send = {
      move: { stage_id: job.stages[1] },
      reject: { reason: 'x' },
      reopen: {},
      notes: { body: 'x' },
      scorecards: { recommendation: 'yes' },
    }[action]
    for (const id of [theirs.id, newHandle('application'), 'app_x']) {
      const response = await service.post(`/applications/${id}/${action}`, key, send)
      assert.equal(response.status, 404, action)
    }
  }
})

test('application reads: 403 insufficient_scope: each read needs its own scope', async () => {
  const { id, applicant_id } = await apply(world)
  const none = await service.key({ workspace, scopes: ['jobs:read'] })
  for (const [path, scope] of [
    ['/applications', 'applications:read'],
    [`/applications/${id}`, 'applications:read'],
    [`/applications/${id}/answers`, 'applications:answers:read'],
    [`/applications/${id}/score`, 'applications:read'],
    [`/applications/${id}/screening`, 'screening:metadata:read'],
    [`/applications/${id}/stage-transitions`, 'applications:internal:read'],
    [`/applications/${id}/notes`, 'applications:internal:read'],
    [`/applications/${id}/scorecards`, 'applications:internal:read'],
    [`/applications/${id}/resume`, 'resume:read'],
    [`/applications/${id}/resume/download`, 'resume:download'],
    [`/jobs/${job.id}/applications`, 'applications:read'],
    ['/applicants', 'applicants:read'],
    [`/applicants/${applicant_id}`, 'applicants:read'],
    [`/applicants/${applicant_id}/applications`, 'applications:read'],
    [`/applicants/${applicant_id}/resumes`, 'resume:read'],
    [`/applicants/${applicant_id}/contact-info`, 'contact:read'],
  ]) {
    const response = await service.get(path!, none)
    assert.equal(response.status, 403, path)
    assert.equal(response.body.detail.required_scope, scope, path)
  }
})

test('application reads: 200 screening: has_screening false and nothing else; with one, what was said is never exposed', async () => {
  const { id } = await apply(world)
  const without = await service.get(`/applications/${id}/screening`, key)
  assert.deepEqual(without.body, { object: 'screening', application_id: id, has_screening: false })
  await db.transaction(tx =>
    recordScreening(
      tx,
      { workspace, id, originKeyId: null },
      {
        call_status: 'completed',
        completion_state: 'partial',
        duration_sec: 90,
        consent_state: 'granted',
        ambiguous_caller: false,
        started_at: '2026-11-01T10:00:00.000Z',
        ended_at: null,
      },
    ),
  )
  const seen = await service.get(`/applications/${id}/screening`, key)
  assert.deepEqual(seen.body, {
    object: 'screening',
    application_id: id,
    has_screening: true,
    call_status: 'completed',
    completion_state: 'partial',
    duration_sec: 90,
    consent_state: 'granted',
    ambiguous_caller: false,
    started_at: '2026-11-01T10:00:00.000Z',
    ended_at: null,
    restricted: ['responses', 'transcript', 'audio'],
    restricted_reason: {
      responses: 'never_exposed:consent_scope',
      transcript: 'never_exposed:consent_scope',
      audio: 'never_exposed:consent_scope',
    },
  })
})

test('application reads: 200 score: 404 until scored; rationale and model_version are restricted', async () => {
  const { id } = await apply(world)
  assert.equal((await service.get(`/applications/${id}/score`, key)).status, 404)
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, rationale, model_version)
    values (${workspace}, ${id}, 70, '["go"]', 'because', 'rules-1')`)
  const full = await service.get(`/applications/${id}/score`, key)
  assert.deepEqual(full.body, {
    object: 'application_score',
    application_id: id,
    match_pct: 70,
    gaps: ['go'],
    rationale: 'because',
    model_version: 'rules-1',
  })
  const reader = await service.key({ workspace, scopes: ['applications:read'] })
  const seen = await service.get(`/applications/${id}/score`, reader)
  assert.deepEqual(seen.body.restricted, ['rationale', 'model_version'])
  assert.doesNotMatch(seen.text, /because|rules-1/)
})

test('application reads: 200 applicants: exact email in any case, has_applications, the specified fields and no address', async () => {
  const { applicant_id: id } = await apply(world, {}, { email: 'Grace.Hopper@Example.org', phone: '+1 555 0100' })
  const found = await service.get('/applicants?email=grace.HOPPER@example.org', key)
  assert.deepEqual(
    found.body.data.map((row: { id: string }) => row.id),
    [id],
  )
  const FIELDS =
    'object id workspace_id full_name location linkedin_url github_url portfolio_url created_at updated_at provenance external_refs links'
  assert.deepEqual(Object.keys(found.body.data[0]), FIELDS.split(' '))
  assert.doesNotMatch(found.text, /example\.org|555 0100/i)
  assert.deepEqual((await service.get('/applicants?email=unknown@example.org', key)).body.data, [])
  assert.deepEqual((await service.get('/applicants?email=nonsense', key)).body.data, [])
  const { provenance } = (await service.get(`/applicants/${id}`, key)).body
  assert.deepEqual(Object.keys(provenance), [
    'origin',
    'acquisition',
    'provider',
    'owner_workspace_id',
    'first_seen_at',
    'last_seen_at',
    'consent',
    'licence',
  ])
  assert.equal(provenance.origin, 'applicant')
  assert.equal(provenance.owner_workspace_id, workspace)
  assert.equal(provenance.consent.candidate_facing_notice, true)
  assert.equal(provenance.consent.unsubscribed, false)
  assert.equal(provenance.licence.redistributable, false)
  const idle = newHandle('applicant')
  await db.query(sql`insert into applicants (workspace_id, id) values (${workspace}, ${idle})`)
  const without = await service.get('/applicants?has_applications=false', key)
  assert.deepEqual(
    without.body.data.map((row: { id: string }) => row.id),
    [idle],
  )
  const withSome = await service.get('/applicants?has_applications=true&limit=100', key)
  assert.ok(withSome.body.data.every((row: { id: string }) => row.id !== idle))
})

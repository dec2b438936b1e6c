import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { apply, newJob, newTenant, sharedWorld } from '../applications/setup.ts'

const world = await sharedWorld()
const { service, workspace, key, job } = world
const { db } = service.services

const score = (application: string, percent: number, of = workspace) =>
  db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, rationale, model_version)
    values (${of}, ${application}, ${percent}, '["Rust"]', 'knows SQL', 'rules-1')
    on conflict (workspace_id, application_id) do update set match_pct = excluded.match_pct`)

const first = await apply(world, {}, { first_name: 'Ada', last_name: 'Byron' })
const second = await apply(world, {}, { first_name: 'Grace', last_name: 'Hopper' })
await score(first.id, 80)

test('include: applicant, score, job and stage stand below `included`, as their endpoints show them, on every list of applications', async () => {
  const applicant = (await service.get(`/applicants/${first.applicant_id}`, key)).body
  const own = (await service.get(`/applications/${first.id}/score`, key)).body
  const jobs = (await service.get('/jobs', key)).body.data
  const stages = (await service.get(`/jobs/${job.id}/pipeline-stages`, key)).body.data
  for (const path of [
    '/applications',
    `/jobs/${job.id}/applications`,
    `/applicants/${first.applicant_id}/applications`,
  ]) {
    const { body, status } = await service.get(`${path}?include=applicant,score,stage`, key)
    assert.equal(status, 200)
    const row = body.data.find((found: { id: string }) => found.id === first.id)
    assert.deepEqual(Object.keys(row).slice(-2), ['links', 'included'])
    assert.deepEqual(row.included.applicant, applicant)
    assert.deepEqual(row.included.score, own)
    const {
      job_id: _,
      application_count: __,
      ...stage
    } = stages.find((one: { id: string }) => one.id === first.stage_id)
    assert.deepEqual(row.included.stage, stage)
  }
  const one = await service.get(`/applications/${first.id}?include=job`, key)
  assert.deepEqual(
    one.body.included.job,
    jobs.find((found: { id: string }) => found.id === job.id),
  )
})

test('include: null where there is nothing, such as an application without a score', async () => {
  const { body } = await service.get(`/applications/${second.id}?include=score,applicant`, key)
  assert.equal(body.included.score, null)
  assert.equal(body.included.applicant.full_name, 'Grace Hopper')
})

test('include: costs one request and no personal-data unit, for any number of rows', async () => {
  const before = await service.get('/applications?limit=1', key)
  const after = await service.get('/applications?include=applicant,score,job', key)
  const left = (response: typeof before) => Number(response.headers.get('RateLimit-Remaining'))
  assert.equal(left(after), left(before) - 1)
  assert.equal(after.headers.get('Service-Personal-Data-Cost'), null)
})

test('include: without it the body is byte for byte what it was; with it every other field is the same', async () => {
  const plain = await service.get(`/applications/${first.id}`, key)
  const { included, ...rest } = (await service.get(`/applications/${first.id}?include=applicant`, key)).body
  assert.ok(included.applicant)
  assert.equal(JSON.stringify(rest), plain.text)
})

test('include: a relation whose scope the key lacks is listed in restricted, there or not, and nothing of it is read or shown', async () => {
  const reader = await service.key({ workspace, scopes: ['applications:read'] })
  const { body, text, status } = await service.get('/applications?include=applicant,score,stage', reader)
  assert.equal(status, 200)
  for (const row of body.data) {
    assert.deepEqual(Object.keys(row.included), ['score'])
    assert.deepEqual(row.restricted, [
      'rejection_reason',
      'withdrawal_reason',
      'start_date',
      'included.applicant',
      'included.score.rationale',
      'included.score.model_version',
      'included.stage',
    ])
    assert.equal(row.restricted_reason['included.applicant'], 'scope_required:applicants:read')
    assert.equal(row.restricted_reason['included.score.rationale'], 'scope_required:applications:internal:read')
    assert.equal(row.restricted_reason['included.stage'], 'scope_required:jobs:read')
  }
  assert.doesNotMatch(text, /Byron|Hopper|knows SQL/)
})

test('include: 400 names the relations there are, for an unknown one, a fourth, one twice and personal data', async () => {
  const fault = async (path: string) => {
    const { status, body } = await service.get(path, key)
    assert.equal(status, 400, path)
    assert.equal(body.detail.param, 'include')
    return body.detail.errors[0].message
  }
  const names = 'must be a comma list of applicant, score, job, stage, orders, at most 3'
  assert.equal(await fault('/applications?include=person'), names)
  assert.equal(await fault('/applications?include='), names)
  assert.equal(
    await fault('/applications?include=contact_info'),
    `${names}; contact_info is personal data, which only its own endpoint returns`,
  )
  for (const name of ['resume', 'resume_text', 'raw_text', 'files', 'answers', 'candidate'])
    assert.match(await fault(`/applications?include=${name}`), new RegExp(`^must be .*; ${name} is personal data`))
  assert.match(await fault('/orders?include=candidate'), /candidate is personal data/)
  assert.equal(await fault('/applications?include=applicant,applicant'), `${names}, none of them twice`)
  assert.equal(await fault('/applications?include=applicant,score,job,stage'), names)
  assert.equal(await fault('/applications?include=constructor'), names)
  assert.equal((await service.get('/lists?include=applicant', key)).body.detail.param, 'include')
})

test('include: a cursor belongs to its include; another one is 400 invalid_cursor', async () => {
  const page = await service.get('/applications?include=applicant&limit=1', key)
  const cursor = page.body.next_cursor
  const next = await service.get(`/applications?include=applicant&limit=1&cursor=${cursor}`, key)
  assert.equal(next.status, 200)
  assert.notEqual(next.body.data[0].id, page.body.data[0].id)
  assert.ok(next.body.data[0].included.applicant)
  for (const other of ['include=score&', '']) {
    const { status, body } = await service.get(`/applications?${other}limit=1&cursor=${cursor}`, key)
    assert.deepEqual([status, body.detail.code], [400, 'invalid_cursor'])
  }
})

test('include: applicants have their ten newest applications, jobs their stages, members of a list their profile', async () => {
  const own = { service, ...(await newTenant(service)) }
  const { applicant_id } = await apply(own, {}, { email: 'twelve@example.org' })
  for (let i = 0; i < 11; i++) {
    const more = await newJob(service, own.workspace)
    await apply({ ...own, job: more }, {}, { email: 'twelve@example.org' })
  }
  const listed = await service.get(`/applicants/${applicant_id}/applications?limit=100`, own.key)
  assert.equal(listed.body.data.length, 12)
  for (const path of [`/applicants/${applicant_id}`, '/applicants']) {
    const { body } = await service.get(`${path}?include=applications`, own.key)
    const { included } = body.data?.[0] ?? body
    assert.deepEqual(included.applications, listed.body.data.slice(0, 10))
  }
  const jobs = await service.get('/jobs?include=pipeline_stages', own.key)
  for (const row of jobs.body.data) {
    const stages = (await service.get(`/jobs/${row.id}/pipeline-stages`, own.key)).body.data
    const withoutCounts = stages.map(({ job_id: _, application_count: __, ...stage }: Record<string, unknown>) => stage)
    assert.deepEqual(row.included.pipeline_stages, withoutCounts)
  }
  const profile = newHandle('sourced_profile')
  await db.query(sql`
    insert into sourced_profiles (workspace_id, id, full_name, origin, acquisition)
    values (${own.workspace}, ${profile}, 'Mary Somerville', 'import', 'import')`)
  const list = await service.post('/lists', own.key, { name: 'Shortlist' })
  await service.post(`/lists/${list.body.id}/members`, own.key, { members: [{ sourced_profile_id: profile }] })
  const members = await service.get(`/lists/${list.body.id}/members?include=sourced_profile`, own.key)
  assert.deepEqual(
    members.body.data.map((row: { included: { sourced_profile: object } }) => row.included.sourced_profile),
    [(await service.get(`/sourced-profiles/${profile}`, own.key)).body],
  )
})

test('include: of a person whose processing was stopped, no score and no flag of a résumé', async () => {
  const own = { service, ...(await newTenant(service)) }
  const { id, applicant_id } = await apply(own)
  await score(id, 70, own.workspace)
  await db.query(sql`
    update applications set has_resume = true, parse_status = 'parsed' where workspace_id = ${own.workspace} and id = ${id}`)
  const read = async () => (await service.get(`/applications/${id}?include=score,applicant`, own.key)).body
  assert.equal((await read()).included.score.match_pct, 70)
  await db.query(sql`
    update applicants set suppressed_at = app_now() where workspace_id = ${own.workspace} and id = ${applicant_id}`)
  const stopped = await read()
  assert.equal(stopped.included.score, null)
  assert.equal(stopped.included.applicant.provenance.consent.suppressed, true)
  const person = await service.get(`/applicants/${applicant_id}?include=applications`, own.key)
  assert.equal(person.body.included.applications[0].has_resume, false)
})

test('include: for a key that must name its workspace, the links of related records name it, too', async () => {
  const several = await service.key({ workspace, reach: 'all' })
  const path = `/applications/${first.id}?include=applicant&workspace_id=${workspace}`
  const { body } = await service.get(path, several)
  assert.match(body.included.applicant.links.self, new RegExp(`\\?workspace_id=${workspace}$`))
})

test('include: 404 for a record that is not there, or of another workspace, as without it', async () => {
  const other = await newTenant(service)
  for (const path of [`/applications/${newHandle('application')}`, `/applications/${first.id}`]) {
    const { status } = await service.get(`${path}?include=applicant`, path.endsWith(first.id) ? other.key : key)
    assert.equal(status, 404)
  }
})

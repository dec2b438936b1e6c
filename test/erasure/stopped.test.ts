import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { endpoints as consoleEndpoints } from '../../src/console/routes.ts'
import type { HandleKind } from '../../src/contract/handles.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { editApplicant } from '../../src/resources/applicants/index.ts'
import { recordScreening, scoreApplication, withdrawApplication } from '../../src/resources/applications/index.ts'
import { requestErasure } from '../../src/resources/erasures/index.ts'
import { sealDetails } from '../../src/resources/interviews/rules.ts'
import { apply, body, newJob, upload } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { downloadRows, downloadText, exportNow } from '../exports/setup.ts'
import { readFeed } from '../harness/feed.ts'
import { startTestService } from '../harness/service.ts'
import { Plants, plantPerson } from './planting.ts'

/**
 * A person whose processing was stopped: the records stay readable, everything else about the person is withheld, and
 * nothing is decided or written about them any more.
 */
const service = await startTestService({ ROLES: 'api' })
const { db } = service.services
const plants = new Plants('b', { stays: true })
const person = await plantPerson(service, plants)
const { home, applicationId, applicantId, profileId } = person
const { workspace, key } = home
const id = async (statement: ReturnType<typeof sql<{ id: string }>>) => (await db.one(statement))!.id
const member = await id(sql<{ id: string }>`
  select id from list_memberships where workspace_id = ${workspace} and sourced_profile_id = ${profileId}`)
const list = await id(sql<{ id: string }>`select id from lists where workspace_id = ${workspace}`)
const linkedinPerson = await id(sql<{ id: string }>`
  select person_id as id from identities where workspace_id = ${workspace} and kind = 'linkedin_url'`)
const emailPerson = await id(sql<{ id: string }>`
  select person_id as id from identities where workspace_id = ${workspace} and kind = 'email'`)
await db.query(sql`
  insert into application_scores (workspace_id, application_id, match_pct, gaps, rationale, model_version)
  values (${workspace}, ${applicationId}, 70, ${JSON.stringify([plants.word('gap')])}::jsonb, ${plants.word('rationale')},
    'rules-1')
  on conflict (workspace_id, application_id) do update set gaps = excluded.gaps, rationale = excluded.rationale`)
const interview = { workspace_id: workspace, id: crypto.randomUUID() }
const details = sealDetails(service.services.keyring, interview, {
  title: null,
  place: plants.word('place of an interview'),
  meeting_url: null,
  candidate_text: null,
  internal_text: null,
})
await db.query(sql`
  insert into interviews (workspace_id, id, application_id, job_id, stage_id, state, kind, starts_at, ends_at, time_zone,
    organizer_id, invites_candidate, details_sealed)
  select workspace_id, ${interview.id}, id, job_id, stage_id, 'scheduled', 'onsite', app_now(),
    app_now() + interval '1 hour', 'UTC', ${home.userId}, false, ${details}
  from applications where workspace_id = ${workspace} and id = ${applicationId}`)
const owner = await signedIn(service, workspace)

/** Fields of the records themselves. */
const RECORD_FIELDS =
  /^(first name|last name|location|LinkedIn|GitHub|portfolio|rejection reason|external id of application|id of the vendor|sourced )/

/** The values for each kind of handle in a path. */
const HANDLES: Partial<Record<HandleKind, readonly string[]>> = {
  application: [applicationId],
  applicant: [applicantId],
  sourced_profile: [profileId],
  person: [linkedinPerson, emailPerson],
  pool_profile: [person.poolId],
  list: [list],
  list_membership: [member],
  job: [home.job.id],
  workspace: [workspace],
  user: [home.userId],
}

/** Every path that a GET route can be called with. */
function pathsOf(route: Route): string[] {
  let paths = [route.path]
  for (const [name, kind] of Object.entries(route.params)) {
    const values =
      typeof kind !== 'string'
        ? kind
        : kind === 'uuid'
          ? [crypto.randomUUID()]
          : kind === 'text'
            ? ['none']
            : (HANDLES[kind] ?? [newHandle(kind)])
    paths = paths.flatMap(path => values.map(value => path.replace(`{${name}}`, value)))
  }
  return paths
}

/** Everything that this workspace is shown anywhere, by where it is shown. */
async function everythingShown(): Promise<Map<string, string>> {
  const shown = new Map<string, string>()
  for (const route of routes.filter(r => r.method === 'GET' && !['/ping', '/openapi.json'].includes(r.path)))
    for (const path of pathsOf(route)) shown.set(`GET ${path}`, (await service.get(path, key)).text)
  for (const query of [`email=${person.email}`, `linkedin_url=${encodeURIComponent(person.linkedin)}`])
    shown.set(`GET /people/resolve?${query}`, (await service.get(`/people/resolve?${query}`, key)).text)
  for (const query of ['after=0&limit=100', 'after=100&limit=100'])
    shown.set(`GET /events?${query}`, (await service.get(`/events?${query}`, key)).text)
  const keys = [{ kind: 'linkedin_url', value: person.linkedin }]
  const batch = await service.post('/people/resolve:batch', key, { keys })
  shown.set(
    'POST /people/resolve:batch',
    JSON.stringify(batch.body.data.map((row: object) => ({ ...row, input: null }))),
  )
  const found = await service.post('/pool/search', key, { query: 'engineer' })
  shown.set('POST /pool/search', found.text)
  const made = await exportNow(service, key)
  for (const file of made.files) shown.set(`export of ${file.resource}`, await downloadText(file))
  for (const endpoint of consoleEndpoints.filter(e => e.method === 'GET')) {
    const path = endpoint.path.replace(/\{\w+\}/, endpoint.path.startsWith('/outbox') ? person.messageId : profileId)
    shown.set(`console ${path}`, (await owner.get(path)).text)
  }
  return shown
}

const seenIn = (shown: Map<string, string>) =>
  [...plants.all].flatMap(([plant, what]) =>
    [...shown].flatMap(([where, text]) => (text.includes(plant) ? [`${what} in ${where}`] : [])),
  )

const before = seenIn(await everythingShown())
const stopped = await requestErasure(db, {
  email: person.email,
  reason: 'stop_processing',
  requestedBy: 'command_line',
})
assert.ok(stopped.isNew)

test('stopped person: before the stop every kind of detail was shown somewhere', () => {
  for (const what of [
    'e-mail address',
    'phone',
    'answer',
    'résumé text',
    'note',
    'scorecard summary',
    'place of an interview',
    'gap',
    'rationale',
    'revealed e-mail address',
    'revealed phone',
    'profile_photo',
    'name of business_card',
    'length of the call',
    'message',
    'first name',
    'sourced headline',
  ])
    assert.ok(
      before.some(line => line.startsWith(`${what} in `)),
      what,
    )
})

test('stopped person: in the API, in exports and in the console nothing but the fields of the records is shown', async () => {
  const left = seenIn(await everythingShown())
  assert.deepEqual(
    left.filter(line => !RECORD_FIELDS.test(line)),
    [],
  )
})

test('stopped person: 200 applicant, application and sourced profile, which say that processing was stopped', async () => {
  for (const path of [`/applicants/${applicantId}`, `/sourced-profiles/${profileId}`]) {
    const { status, body } = await service.get(path, key)
    assert.deepEqual([status, body.provenance.consent.suppressed], [200, true], path)
  }
  const application = await service.get(`/applications/${applicationId}`, key)
  assert.deepEqual([application.status, application.body.applicant_id], [200, applicantId])
  for (const path of ['/applicants', '/applications', '/sourced-profiles', `/applicants/${applicantId}/applications`])
    assert.equal((await service.get(path, key)).body.data.length, 1, path)
})

/** What a record says can be had of a person, besides its own fields. */
const flagsOf = (row: Record<string, unknown> & { resume_access?: Record<string, unknown> }) => {
  const flags = Object.entries({ ...row, ...row.resume_access }).filter(([name]) => /^(has|can)_/.test(name))
  return { promised: flags.filter(([, value]) => value).map(([name]) => name), names: flags.map(([name]) => name) }
}

test('stopped person: no flag promises what cannot be had, in reads, lists and exports', async () => {
  const application = (await service.get(`/applications/${applicationId}`, key)).body
  const { state, state_changes_at } = application.resume_access
  assert.deepEqual([state, state_changes_at, application.parse_status], ['locked', null, null])
  assert.deepEqual(flagsOf(application), { promised: [], names: ['has_resume', 'can_view', 'can_download'] })
  const profile = (await service.get(`/sourced-profiles/${profileId}`, key)).body
  assert.equal(flagsOf(profile).names.length, 5)

  const lists = ['/applications', `/jobs/${application.job_id}/applications`, `/applicants/${applicantId}/applications`]
  const pages = await Promise.all([...lists, '/sourced-profiles'].map(path => service.get(path, key)))
  const rows = [profile, ...pages.flatMap(page => page.body.data)]
  for (const view of ['list', 'full']) {
    const made = await exportNow(service, key, ['applications', 'sourced_profiles'], { view })
    const exported = await Promise.all(['applications', 'sourced_profiles'].map(name => downloadRows(made, name)))
    if (view === 'full') assert.deepEqual(exported[0], [application])
    rows.push(...exported.flat())
  }
  assert.equal(rows.length, 9)
  for (const row of rows) {
    assert.deepEqual(flagsOf(row).promised, [], row.object)
    assert.equal(row.parse_status ?? null, null)
  }
  const found = async (query: string) => (await service.get(`/sourced-profiles?${query}`, key)).body.data.length
  assert.deepEqual([await found('has_contact_info=true'), await found('has_contact_info=false')], [0, 1])
})

test('POST /applications: 200 with the application of a stopped person, found by its external id: its flags are false', async () => {
  const source = { system: 'acme_ats', external_id: 'of-a-stopped-person' }
  const email = 'stopped-duplicate@example.org'
  const app = await apply(home, { source, resume_upload_id: await upload(home) }, { email })
  assert.equal(app.has_resume, true)
  await requestErasure(db, { email, reason: 'stop_processing', requestedBy: 'command_line' })
  const again = await service.post(
    '/applications',
    key,
    body(home.job, { source }, { email: 'someone-else@example.org' }),
  )
  assert.deepEqual([again.status, again.body.id, flagsOf(again.body).promised], [200, app.id, []])
})

/** What each route that shows anything of an applicant or of a sourced profile returns; a new one must be decided on. */
const DECIDED: Readonly<Record<string, (response: Awaited<ReturnType<typeof service.get>>) => unknown>> = {
  'GET /applications/{application_handle}': a => a.status === 200,
  'GET /applications/{application_handle}/stage-transitions': a => a.body.data.length > 0,
  'GET /applications/{application_handle}/answers': a =>
    a.status === 200 && Object.keys(a.body.answers).length === 0 && a.body.application_id === applicationId,
  'GET /applications/{application_handle}/score': a => a.status === 404,
  'GET /applications/{application_handle}/screening': a => a.status === 200 && a.body.has_screening === false,
  'GET /applications/{application_handle}/notes': a => a.status === 200 && a.body.data.length === 0,
  'GET /applications/{application_handle}/scorecards': a => a.status === 200 && a.body.data.length === 0,
  'GET /applications/{application_handle}/interviews': a => a.status === 200 && a.body.data.length === 0,
  'GET /applications/{application_handle}/orders': a =>
    a.status === 200 &&
    a.body.data.every(
      (order: Record<string, unknown>) =>
        !order['result_received'] && !order['candidate_url'] && !order['external_url'],
    ),
  'GET /applications/{application_handle}/resume': a => a.status === 404,
  'GET /applications/{application_handle}/resume/download': a => a.status === 404,
  'GET /applicants/{applicant_handle}': a => a.status === 200,
  'GET /applicants/{applicant_handle}/applications': a => a.body.data.length === 1,
  'GET /applicants/{applicant_handle}/resumes': a => a.status === 200 && a.body.data.length === 0,
  'GET /applicants/{applicant_handle}/contact-info': a =>
    a.status === 200 && a.body.emails.length === 0 && a.body.phones.length === 0,
  'GET /sourced-profiles/{profile_handle}': a => a.status === 200,
  'GET /sourced-profiles/{profile_handle}/contact-info': a =>
    a.status === 200 &&
    a.body.emails.length === 0 &&
    a.body.phones.length === 0 &&
    Object.values(a.body.field_states).every(state => state === 'not_found'),
  'GET /sourced-profiles/{profile_handle}/attachments': a => a.status === 200 && a.body.data.length === 0,
  'GET /sourced-profiles/{profile_handle}/attachments/{kind}/content': a => a.status === 404,
  'GET /sourced-profiles/{profile_handle}/list-memberships': a => a.body.data.length === 1,
  'GET /lists/{list_handle}/members': a => a.body.data.length === 1,
  'GET /people/{person_handle}': a => a.status === 404,
  'GET /people/{person_handle}/profiles': a => a.status === 404,
  'GET /people/{person_handle}/contact-info': a => a.status === 404,
  'GET /people/{person_handle}/resumes': a => a.status === 404,
  'GET /people/{person_handle}/applications': a => a.status === 404,
  'GET /pool/profiles/{profile_handle}': a => a.status === 404,
}

test('stopped person: every route of a record that belongs to a person responds as decided, free of charge', async () => {
  const own: readonly string[] = ['application', 'applicant', 'sourced_profile', 'person', 'pool_profile']
  const about = routes.filter(
    route =>
      route.method === 'GET' &&
      (Object.values(route.params).some(kind => typeof kind === 'string' && own.includes(kind)) ||
        route.path === '/lists/{list_handle}/members'),
  )
  assert.deepEqual(about.map(route => `GET ${route.path}`).toSorted(), Object.keys(DECIDED).toSorted())
  const reader = await service.key({ workspace })
  for (const route of about) {
    for (const path of pathsOf(route)) {
      const response = await service.get(path, reader)
      assert.ok(DECIDED[`GET ${route.path}`]!(response), `${path}: ${response.status} ${response.text}`)
      assert.equal(response.headers.get('service-personal-data-cost'), null)
    }
  }
  assert.deepEqual(await db.query(sql`select 1 from personal_data_reads where key_id = ${reader.id}`), [])
})

test('stopped person: 409 applicant_suppressed for every change of an application or list stage; nothing changes', async () => {
  const writes: Readonly<Record<string, unknown>> = {
    '/applications/{application_handle}/move': { stage_id: newHandle('pipeline_stage') },
    '/applications/{application_handle}/reject': { reason: 'x' },
    '/applications/{application_handle}/hire': {},
    '/applications/{application_handle}/reopen': { expected_updated_at: '2020-01-01T00:00:00Z' },
    '/applications/{application_handle}/notes': { body: 'x' },
    '/applications/{application_handle}/scorecards': { recommendation: 'yes' },
    '/lists/{list_handle}/members/{member_handle}/stage': { stage: 'hired' },
  }
  const about = routes.filter(r => r.write && /\{(application|applicant|profile|member)_handle\}/.test(r.path))
  assert.deepEqual(about.map(r => r.path).toSorted(), Object.keys(writes).toSorted())
  const state = async () => [
    (await service.get(`/applications/${applicationId}`, key)).text,
    (await service.get(`/lists/${list}/members`, key)).text,
    (await readFeed(service, workspace)).length,
    (await db.query(sql`select 1 from notes where application_id = ${applicationId}`)).length,
    (await db.query(sql`select 1 from scorecards where application_id = ${applicationId}`)).length,
  ]
  const was = await state()
  for (const route of about) {
    const [path] = pathsOf(route)
    const response = await service.post(path!, key, writes[route.path])
    assert.deepEqual([response.status, response.body.detail.code], [409, 'applicant_suppressed'], path)
    assert.ok(route.errors.includes('applicant_suppressed'), route.path)
  }
  assert.deepEqual(await state(), was)
})

test('stopped person: no message, no new list membership, no new application, no scoring, no edit; withdrawing works', async () => {
  for (const to of [{ application_id: applicationId }, { applicant_id: applicantId }]) {
    const sent = { to, subject: 'x', body_text: 'x' }
    const response = await service.post('/messages', key, sent, { headers: { 'idempotency-key': crypto.randomUUID() } })
    assert.equal(response.body.detail.code, 'recipient_unsubscribed')
  }
  const other = await service.post('/lists', key, { name: 'Another' })
  const added = await service.post(`/lists/${other.body.id}/members`, key, {
    members: [{ sourced_profile_id: profileId }],
  })
  assert.equal(added.body.results[0].status, 'not_found')
  const job = await newJob(service, workspace)
  await assert.rejects(apply({ ...home, job }, {}, { email: person.email }), /409.*applicant_suppressed/)
  await db.query(sql`delete from application_scores where application_id = ${applicationId}`)
  await db.transaction(tx => scoreApplication(tx, workspace, applicationId))
  assert.deepEqual(await db.query(sql`select 1 from application_scores where application_id = ${applicationId}`), [])
  const change = { workspace, id: applicationId, originKeyId: null }
  const screening = {
    call_status: 'failed',
    completion_state: 'none',
    duration_sec: null,
    consent_state: 'pending',
    ambiguous_caller: false,
    started_at: null,
    ended_at: null,
  } as const
  await assert.rejects(
    db.transaction(tx => recordScreening(tx, change, screening)),
    { code: 'applicant_suppressed' },
  )
  await assert.rejects(
    db.transaction(tx => editApplicant(tx, workspace, applicantId, { location: 'Paris' }, null)),
    { code: 'applicant_suppressed' },
  )
  const withdrawn = await db.transaction(tx => withdrawApplication(tx, workspace, change.id))
  assert.equal(withdrawn.status, 'withdrawn')
})

test('stopped person: other people of the workspace are shown and changed as before', async () => {
  const other = await apply(home)
  const contact = await service.get(`/applicants/${other.applicant_id}/contact-info`, key)
  assert.equal(contact.body.emails.length, 1)
  assert.equal((await service.post(`/applications/${other.id}/hire`, key)).status, 200)
  assert.equal((await service.get(`/applications/${newHandle('application')}/answers`, key)).status, 404)
})

test('stopped while others write: every change that began after the stop is refused', async () => {
  const email = 'race-stop@example.org'
  const app = await apply(home, {}, { email })
  let over = false
  const begun: { after: boolean; status: number }[] = []
  const writers = Array.from({ length: 4 }, async (_, n) => {
    for (let i = 0; !over || i < 3; i++) {
      const after = over
      const stage = home.job.stages[(n + i) % 3]
      const response =
        n % 2
          ? await service.post(`/applications/${app.id}/notes`, key, { body: 'x' })
          : await service.post(`/applications/${app.id}/move`, key, { stage_id: stage })
      begun.push({ after, status: response.status })
    }
  })
  while (begun.length < 8) await new Promise(resolve => setImmediate(resolve))
  await requestErasure(db, { email, reason: 'stop_processing', requestedBy: 'command_line' })
  over = true
  await Promise.all(writers)
  for (let n = 0; n < 2; n++)
    begun.push({ after: true, status: (await service.post(`/applications/${app.id}/hire`, key)).status })
  assert.ok(begun.some(b => b.status === 200))
  assert.ok(begun.filter(b => b.after).every(b => b.status === 409))
})

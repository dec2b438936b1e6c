import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { routes } from '../../src/app.ts'
import { isForPeople } from '../../src/hiring/api-routes.ts'
import { endpoints, teamRoutes } from '../../src/hiring/routes.ts'
import { handlesIn, LIMITED_MESSAGE } from '../../src/kernel/access/reach.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { apply, type Job, newJob, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import type { TestResponse } from '../harness/service.ts'

let world: World
let owner: Person
/** in the console */
let boss: Person
/** on the team of `inside` alone */
let limited: Person
let inside: Job
let outside: Job
/** a person who applied for both jobs */
let mine: Candidate
let theirs: Candidate
let stranger: Candidate

interface Candidate {
  id: string
  applicant_id: string
  job_id: string
  stage_id: string
}

async function applied(job: Job, candidate: Record<string, unknown> = {}): Promise<Candidate> {
  return apply({ ...world, job }, { resume_upload_id: await upload(world) }, candidate)
}

const limit = async (person: Person, job_access: 'all' | 'team' = 'team') => {
  const { status } = await boss.post(`/people/${person.userId}/job-access`, { job_access })
  assert.equal(status, 200)
}

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member', program: 'hiring' | 'console' = 'hiring') =>
    signedIn(world.service, world.workspace, { role, program })
  owner = await enter('owner')
  boss = await enter('owner', 'console')
  limited = await enter('member')
  inside = world.job
  outside = await newJob(world.service, world.workspace)
  const person = { first_name: 'Grace', last_name: 'Both', email: 'both@example.org' }
  mine = await applied(inside, person)
  theirs = await applied(outside, person)
  stranger = await applied(outside, { first_name: 'Zelda', last_name: 'Elsewhere' })
  await limit(limited)
  const joined = await owner.post(`/jobs/${inside.id}/team`, { add: [limited.userId], remove: [] })
  assert.equal(joined.status, 200)
})

/** About the calling key, its webhooks, the feed and exports; the pages have a list of scorecards of their own. */
const FOR_KEYS = `
  acceptOrder acknowledgeSuppression advanceTestClock completeOrder confirmDeletion createExport createReportUpload createWebhookEndpoint
  declineOrder disableWebhookEndpoint enableWebhookEndpoint failOrder getEvent getExport getInstallation getMe getOpenapi
  getOrderCandidate getOrderResumeDownload getRequest getTestClock getWebhookDelivery getWebhookEndpoint listEvents listInstallations
  listMyAccess listPersonalDataReads listRequests listScorecards listSuppressions listTestMails listVersions
  listWebhookDeliveries listWebhookEndpoints ping progressOrder publishPackage recoverWebhookEndpoint redeliverWebhook
  resetTestWorkspace rotateInstallationKey rotateWebhookSecret seedTestWorkspace simulateTestEvent testWebhookEndpoint
  uninstallApp updateWebhookEndpoint withdrawPackage
`
  .trim()
  .split(/\s+/)

test('limited people: every endpoint of the hiring pages says what they may call', () => {
  const forKeys = routes.filter(route => !isForPeople(route)).map(({ operationId }) => operationId)
  assert.deepEqual(forKeys.sort(), FOR_KEYS)
  assert.deepEqual(
    endpoints.filter(({ limited }) => limited === undefined).map(({ path }) => path),
    [],
  )
})

/** Handles of one job, by the names that paths have for them. */
const valuesFor = ({ id, applicant_id, job_id }: Candidate): Record<string, string> => ({
  application_handle: id,
  application: id,
  application_id: id,
  applicant_handle: applicant_id,
  job_handle: job_id,
  job_id,
  job: job_id,
  user: owner.userId,
  file_id: '00000000-0000-4000-8000-000000000000',
  template: '00000000-0000-4000-8000-000000000000',
  note: '00000000-0000-4000-8000-000000000000',
  message: newHandle('message'),
})

interface Call {
  name: string
  method: string
  path: string
  rule: string
}

const calls = (): Call[] => [
  ...[...routes, ...teamRoutes].filter(isForPeople).map(({ operationId, method, path, limited }) => ({
    name: operationId,
    method,
    path: `/v1${path}`,
    rule: limited!,
  })),
  ...endpoints
    .filter(({ sends }) => sends !== 'stream')
    .map(({ method, path, limited: rule }) => ({ name: `${method} ${path}`, method, path, rule: rule! })),
]

function addressOf({ path }: Call, candidate: Candidate): string {
  const values = valuesFor(candidate)
  // `{id}` names what the path begins with
  const id = path.startsWith('/jobs') ? candidate.job_id : candidate.id
  return path.replace(/\{(\w+)\}/g, (_, name) => (name === 'id' ? id : (values[name] ?? newHandle('list'))))
}

/** Bodies of calls that name nothing in their path. */
const bodies: Readonly<Record<string, (candidate: Candidate) => unknown>> = {
  sendMessage: ({ id }) => ({ to: { application_id: id }, subject: 'Hello', body_text: 'Hello' }),
  placeOrder: ({ id }) => ({ application_id: id, package_id: newHandle('package') }),
  'POST /applications/adverse-results': ({ id }) => ({ application_ids: [id] }),
  'POST /applications/rejection-facts': ({ id, job_id }) => ({ job_id, application_ids: [id] }),
  'POST /applications/changes': ({ id, stage_id }) => ({ changes: [{ id, action: 'move', stage_id }] }),
}
const queries: Readonly<Record<string, (candidate: Candidate) => string>> = {
  'GET /tags/of-applications': ({ id }) => `?application_ids=${mine.id},${id}`,
}

const run = (person: Person, call: Call, candidate: Candidate): Promise<TestResponse> => {
  const address = addressOf(call, candidate) + (queries[call.name]?.(candidate) ?? '')
  if (call.method === 'GET') return person.get(address)
  return person.post(address, bodies[call.name]?.(candidate) ?? {}, { 'idempotency-key': newHandle('request') })
}

const withoutId = ({ status, body }: TestResponse) => {
  const { request_id: _, ...detail } = body.detail
  return { status, detail }
}

test('limited people: 404 for every call about another job, as for a record that does not exist; theirs are not refused', async () => {
  const gone: Candidate = {
    id: newHandle('application'),
    applicant_id: newHandle('applicant'),
    job_id: newHandle('job'),
    stage_id: newHandle('pipeline_stage'),
  }
  // a job of its own: some of the calls change it
  const job = await newJob(world.service, world.workspace)
  await owner.post(`/jobs/${job.id}/team`, { add: [limited.userId], remove: [] })
  const own = await applied(job)
  const plain = await signedIn(world.service, world.workspace, { role: 'member', program: 'hiring' })
  const counted = calls().filter(({ rule }) => rule === 'record')
  assert.ok(counted.length > 50)
  for (const call of counted) {
    const missing = await run(limited, call, gone)
    // what a member may not read at all is refused before anything is looked up
    const forRole = (await run(plain, call, gone)).status === 403
    assert.equal(missing.status, forRole ? 403 : 404, call.name)
    const refused = await run(limited, call, stranger)
    assert.deepEqual(withoutId(refused), withoutId(missing), call.name)
    const allowed = await run(limited, call, own)
    // a message or a file that does not exist is none for owners either
    if (allowed.status === 404) assert.ok([400, 404].includes((await run(owner, call, own)).status), call.name)
    else assert.notEqual(allowed.status === 403 && allowed.body.detail.message, LIMITED_MESSAGE, call.name)
    if (call.method === 'GET') assert.ok([200, 403, 404].includes(allowed.status), `${call.name} ${allowed.status}`)
  }
})

test('limited people: 403 for calls that concern the whole workspace, whatever they name', async () => {
  for (const call of calls().filter(({ rule }) => rule === 'closed')) {
    const refused = await run(limited, call, mine)
    assert.equal(refused.status, 403, `${call.name} ${refused.text}`)
  }
  const { body } = await limited.get('/v1/applicants')
  assert.deepEqual([body.detail.code, body.detail.message], ['insufficient_scope', LIMITED_MESSAGE])
  const own = await limited.post('/jobs', { job: { title: 'Mine' } })
  assert.deepEqual([own.body.detail.code, own.body.detail.message], ['role_required', LIMITED_MESSAGE])
  assert.equal((await limited.post(`/jobs/${inside.id}/team`, { add: [owner.userId], remove: [] })).status, 403)
})

test('limited people: figures of one job of theirs; 403 without a job, 404 for another', async () => {
  for (const path of ['/v1/analytics/hiring-funnel', '/v1/applications', '/insight/applications']) {
    assert.equal((await limited.get(path)).status, 403, path)
    assert.equal((await limited.get(`${path}?job_id=${outside.id}`)).status, 404, path)
    assert.equal((await limited.get(`${path}?job_id=${newHandle('job')}`)).status, 404, path)
    assert.equal((await limited.get(`${path}?job_id=${inside.id}`)).status, 200, path)
    // another name for it does not count
    assert.equal((await limited.get(`${path}?source=${inside.id}`)).status, 403, path)
  }
  const both = await limited.get(`/v1/applications?job_id=${inside.id}&applicant_id=${mine.applicant_id}`)
  assert.deepEqual(
    both.body.data.map((row: { id: string }) => row.id),
    [mine.id],
  )
  assert.equal((await limited.get(`/v1/applications?applicant_id=${mine.applicant_id}`)).status, 403)
})

test('limited people: lists have only what belongs to their jobs', async () => {
  const ids = (response: TestResponse) => response.body.data.map((row: { id: string }) => row.id)
  for (const path of ['/jobs', '/jobs?q=engineer', '/v1/jobs', '/v1/jobs?q=engineer&include_unpublished=true']) {
    const visible = ids(await limited.get(path))
    assert.ok(visible.includes(inside.id) && !visible.includes(outside.id), path)
    assert.ok(ids(await owner.get(path)).includes(outside.id), path)
  }

  const { db } = world.service.services
  await db.query(sql`update jobs set department = 'Secret' where id = ${outside.id}`)
  await db.query(sql`update jobs set department = 'Known' where id = ${inside.id}`)
  assert.deepEqual((await limited.get('/job-words')).body.departments, ['Known'])

  await owner.post(`/applications/${mine.id}/tags`, { add: 'Seen' })
  await owner.post(`/applications/${theirs.id}/tags`, { add: 'Hidden' })
  assert.deepEqual((await limited.get('/tags')).body.tags, [{ name: 'Seen', used: 1 }])

  const found = await limited.get('/search?q=grace')
  assert.deepEqual(
    found.body.candidates.map((row: { application_id: string }) => row.application_id),
    [mine.id],
    'their latest application for a job of the reader',
  )
  assert.deepEqual((await limited.get('/search?q=zelda')).body.candidates, [])
  assert.equal((await owner.get('/search?q=zelda')).body.candidates.length, 1)
})

test('limited people: a candidate who also applied elsewhere: nothing of the other application', async () => {
  const { status, body, text } = await limited.get(`/candidates/${mine.id}`)
  assert.equal(status, 200)
  assert.deepEqual([body.others, body.resumes], [[], { data: [] }])
  assert.ok('data' in body.resume, 'their résumé for this job')
  assert.ok(!text.includes(theirs.id) && !text.includes(outside.id))
  assert.equal((await limited.get(`/candidates/${theirs.id}`)).status, 404)
  assert.equal((await owner.get(`/candidates/${mine.id}`)).body.others.length, 1)

  const { db } = world.service.services
  for (const { id, applicant_id } of [mine, theirs])
    await db.query(sql`
      insert into messages (workspace_id, id, key_id, idempotency_key, fingerprint, application_id, applicant_id, status)
      values (${world.workspace}, ${newHandle('message')}, ${owner.userId}, ${id}, '', ${id}, ${applicant_id}, 'sent')`)
  const about = async (person: Person) =>
    (await person.get(`/applications/${mine.id}/messages`)).body.data.map(
      (row: { application_id: string }) => row.application_id,
    )
  assert.deepEqual(await about(limited), [mine.id])
  assert.deepEqual((await about(owner)).sort(), [mine.id, theirs.id].sort())
})

test('limited people: when a person was seen, and their ids in other systems, are those of applications for their jobs', async () => {
  const { db } = world.service.services
  const { applicant_id: id } = mine
  await db.query(sql`
    update applicants set created_at = app_now() - interval '9 days', first_seen_at = app_now() - interval '9 days',
      last_seen_at = app_now() + interval '1 hour', external_refs = ${JSON.stringify(
        ['greenhouse', 'workday'].map(system => ({ system, type: null, id: `${system}-1`, connection_id: null })),
      )}::jsonb
    where id = ${id}`)
  await db.query(sql`update applications set source = 'greenhouse' where id = ${mine.id}`)
  await db.query(sql`update applications set source = 'workday' where id = ${theirs.id}`)
  const systems = ({ external_refs }: { external_refs: { system: string }[] }) => external_refs.map(ref => ref.system)
  const { applied_at } = (await limited.get(`/v1/applications/${mine.id}`)).body
  for (const read of [
    async (person: Person) => (await person.get(`/v1/applicants/${id}`)).body,
    async (person: Person) => (await person.get(`/candidates/${mine.id}`)).body.applicant.data,
  ]) {
    const [all, own] = [await read(owner), await read(limited)]
    assert.deepEqual([systems(all), systems(own)], [['greenhouse', 'workday'], ['greenhouse']])
    assert.deepEqual([own.provenance.first_seen_at, own.provenance.last_seen_at], [applied_at, applied_at])
    assert.ok(own.created_at > all.created_at)
    assert.deepEqual(
      { ...own, created_at: 0, provenance: 0, external_refs: 0 },
      { ...all, created_at: 0, provenance: 0, external_refs: 0 },
    )
  }
})

test('GET /members: 200 with application_id: only members who have access to its job', async () => {
  const ids = async (query: string) =>
    (await owner.get(`/members${query}`)).body.members.map((member: { id: string }) => member.id)
  assert.ok((await ids('')).includes(limited.userId))
  assert.ok((await ids(`?application_id=${mine.id}`)).includes(limited.userId))
  const others = await ids(`?application_id=${theirs.id}`)
  assert.deepEqual([others.includes(limited.userId), others.includes(owner.userId)], [false, true])
  assert.equal((await limited.get(`/members?application_id=${theirs.id}`)).status, 404)
})

test('limited people: tasks are those of their jobs; what was asked for elsewhere waits until they have access', async () => {
  const ask = (id: string) => owner.post(`/applications/${id}/scorecard-requests`, { user_ids: [limited.userId] })
  assert.equal((await ask(mine.id)).status, 200)
  const refused = await ask(stranger.id)
  assert.deepEqual(
    [refused.status, refused.body.detail.param, refused.body.detail.errors[0].message],
    [400, 'user_ids[0]', 'is not on the team of this job'],
  )
  const named = await owner.post(`/applications/${stranger.id}/notes`, { body: 'Look', mentions: [limited.userId] })
  assert.equal(named.status, 400)

  await limit(limited, 'all')
  assert.equal((await ask(stranger.id)).status, 200)
  const note = await owner.post(`/applications/${stranger.id}/notes`, { body: 'Look', mentions: [] })
  await world.service.services.db.query(sql`
    insert into note_mentions (workspace_id, note_id, user_id)
    values (${world.workspace}, ${note.body.id}::uuid, ${limited.userId})`)
  const tasks = async () => {
    const { scorecards, mentions } = (await limited.get('/tasks')).body
    return [...scorecards, ...mentions].map((row: { application_id: string }) => row.application_id)
  }
  assert.equal((await tasks()).length, 3)
  await limit(limited)
  assert.deepEqual(await tasks(), [mine.id])
  const { scorecards, mentions } = (await limited.get('/tasks/count')).body
  assert.deepEqual([scorecards, mentions], [1, 0])
})

test('limited people: what is open to them, or filtered, has no handle and no title of another job', async () => {
  const title = 'Submarine pilot of another team'
  const hidden = await newJob(world.service, world.workspace)
  const candidate = await applied(hidden, { first_name: 'Quentin', last_name: 'Undersea' })
  await world.service.services.db.query(sql`update jobs set title = ${title} where id = ${hidden.id}`)
  // a form of its own, a tag and tasks, which lists of the workspace count or name
  const form = (await owner.get(`/jobs/${hidden.id}/form`)).body
  assert.equal(
    (await owner.post(`/jobs/${hidden.id}/form`, { fields: [], expected_version: form.version })).status,
    200,
  )
  assert.equal((await owner.post(`/applications/${candidate.id}/tags`, { add: 'Deep sea' })).status, 200)
  const asked = { user_ids: [owner.userId] }
  assert.equal((await owner.post(`/applications/${candidate.id}/scorecard-requests`, asked)).status, 200)
  const foreign = [title, 'Undersea', 'Deep sea', hidden.id, candidate.id, candidate.applicant_id, candidate.stage_id]
  const names = (text: string) => foreign.filter(part => text.includes(part))
  assert.deepEqual(names((await owner.get('/template-form')).text), [title, hidden.id])
  const shown = calls().filter(({ rule, method }) => method === 'GET' && (rule === 'open' || rule === 'filtered'))
  assert.ok(shown.length > 10)
  for (const call of shown) {
    for (const query of ['', '?q=submarine', '?q=undersea', '?q=deep']) {
      const { status, text } = await limited.get(addressOf(call, mine) + query)
      assert.ok(status === 200 || status === 400 || status === 404, `${call.name}${query} ${status}`)
      assert.deepEqual(names(text), [], `${call.name}${query}`)
    }
  }
})

test('limited people: a text that they write may have a handle in it; every other field is checked at any depth', async () => {
  const path = `/applications/${mine.id}/notes`
  const note = await limited.post(path, { body: stranger.id, mentions: [] })
  assert.equal(note.status, 200)
  assert.ok((await limited.get(path)).text.includes(`"body":"${stranger.id}"`))
  assert.equal((await limited.post(path, { body: 'Look', mentions: [stranger.id] })).status, 404)
  let deep: unknown = stranger.id
  for (let depth = 0; depth < 20_000; depth++) deep = [deep]
  assert.deepEqual([...handlesIn(deep)], [stranger.id])
  assert.deepEqual([...handlesIn({ text: [stranger.id], q: mine.id })], [stranger.id])
})

test('limited people: 403 for unlocking a résumé, which spends credits of the workspace', async () => {
  const refused = await limited.post(`/applications/${mine.id}/unlock-resume`)
  assert.deepEqual([refused.status, refused.body.detail.message], [403, LIMITED_MESSAGE])
})

test('limited people: removed from the team while the board is open: 404 with the next call', async () => {
  const person = await signedIn(world.service, world.workspace, { role: 'viewer', program: 'hiring' })
  await limit(person)
  const board = () => person.get(`/jobs/${inside.id}/board`)
  const change = (body: { add: string[]; remove: string[] }) => owner.post(`/jobs/${inside.id}/team`, body)
  assert.equal((await board()).status, 404)
  const { body } = await change({ add: [person.userId], remove: [] })
  const row = body.people.find(({ id }: { id: string }) => id === person.userId)
  assert.deepEqual([row.limited, row.on_team, row.role], [true, true, 'viewer'])
  const open = await board()
  assert.equal(open.status, 200)
  const cards = (await person.get(`/jobs/${inside.id}/board/cards`)).body
  await change({ add: [], remove: [person.userId] })
  assert.equal((await board()).status, 404)
  assert.equal((await person.get(`/jobs/${inside.id}/board/cards?ids=${cards.data[0].id}`)).status, 404)
  assert.equal((await person.get(`/v1/applications/${cards.data[0].id}`)).status, 404)
  const wrong = await change({ add: [newHandle('user')], remove: [] })
  assert.deepEqual([wrong.status, wrong.body.detail.param], [400, 'add[0]'])
})

test('limited people: a call that names one record of theirs and one of another job changes neither', async () => {
  const changes = [mine, stranger].map(({ id }) => ({ id, action: 'reject', reason: 'No' }))
  assert.equal((await limited.post('/applications/changes', { changes })).status, 404)
  const moved = await limited.post(`/v1/applications/${mine.id}/move`, { stage_id: stranger.stage_id })
  assert.equal(moved.status, 404)
  for (const { id } of [mine, stranger]) {
    const { body } = await owner.get(`/v1/applications/${id}`)
    assert.deepEqual([body.status, body.rejection_reason], ['new', null])
  }
})

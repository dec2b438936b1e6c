import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { newJob } from '../applications/setup.ts'
import { testNames } from '../harness/receiver.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const resolveName = testNames({ 'inside.example.com': ['10.0.0.7'], 'partner.example.com': ['93.184.215.14'] })
const service = await startTestService({ ROLES: 'api' }, { resolveName })
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })

const faultsOf = (response: TestResponse): Record<string, string> =>
  Object.fromEntries(response.body.detail.errors.map((e: { param: string; message: string }) => [e.param, e.message]))
const messageOf = (response: TestResponse): string => response.body.detail.message

test('error responses: unknown path: 404 names the nearest endpoint', async () => {
  for (const [method, path, meant] of [
    ['GET', '/job', 'GET /jobs'],
    ['GET', '/jobs/', 'GET /jobs'],
    ['GET', '/Jobs', 'GET /jobs'],
    ['GET', '/sourced_profiles', 'GET /sourced-profiles'],
    ['GET', `/jobs/${newHandle('job')}/stages`, 'GET /jobs/{job_handle}/pipeline-stages'],
    ['POST', `/applications/${newHandle('application')}/rejcet`, 'POST /applications/{application_handle}/reject'],
    ['PATCH', '/applicaton', 'GET /applications'],
  ] as const) {
    const response = await service.call(method, path, { key })
    assert.equal(response.status, 404, path)
    assert.equal(response.body.detail.code, 'not_found')
    assert.equal(messageOf(response), `There is no endpoint ${method} ${path}. Did you mean ${meant}?`)
  }
  for (const path of ['/api/partner/v2/jobs', '/v1/jobs']) {
    const response = await service.get(service.origin + path, key, { headers: { accept: 'application/json' } })
    assert.equal(response.status, 404)
    assert.equal(messageOf(response), `There is no endpoint GET ${path}. Did you mean GET /api/partner/v1/jobs?`)
  }
})

test('error responses: unknown path: 404 without a similar endpoint links to the description; nothing that may be personal is echoed', async () => {
  const response = await service.get('/nothing/like/it', key)
  assert.equal(
    messageOf(response),
    'There is no endpoint GET /nothing/like/it. GET /openapi.json lists every endpoint.',
  )
  const personal = await service.get(`/applicant/${encodeURIComponent('someone@mail.example')}`, key)
  assert.match(messageOf(personal), /^There is no endpoint GET \/applicant\/…\. Did you mean GET \/applicants/)
  const member = await service.call('DELETE', `/lists/${newHandle('list')}/members/${newHandle('list_membership')}`, {
    key,
  })
  assert.equal(member.status, 404)
  assert.match(messageOf(member), /^There is no endpoint DELETE/)
})

test('error responses: known path: 405 names the methods that it accepts', async () => {
  const response = await service.call('DELETE', `/jobs/${newHandle('job')}`, { key })
  assert.equal(response.status, 405)
  assert.equal(messageOf(response), 'This path does not accept DELETE. It accepts GET, HEAD.')
})

test('error responses: a handle of another type: 404 says which type it is, whether or not the record exists', async () => {
  const job = await newJob(service, workspace)
  for (const handle of [job.id, newHandle('job')]) {
    const response = await service.get(`/applications/${handle}`, key)
    assert.equal(response.status, 404)
    assert.equal(response.body.detail.code, 'not_found')
    assert.equal(messageOf(response), 'job_… is a job handle; this endpoint takes an application handle.')
  }
  const inQuery = await service.get(`/applications?job_id=${newHandle('applicant')}`, key)
  assert.equal(inQuery.status, 404)
  assert.equal(messageOf(inQuery), 'apl_… is an applicant handle; this parameter takes a job handle.')
  const missing = await service.get(`/applications/${newHandle('application')}`, key)
  const malformed = await service.get('/applications/app_1', key)
  assert.equal(messageOf(missing), messageOf(malformed))
})

test('error responses: an unknown parameter: 400 lists the parameters of the endpoint and what was probably meant', async () => {
  const page = faultsOf(await service.get('/jobs?page=2&updated_afer=x&source=y', key))
  assert.match(page['page']!, /^is not a parameter of this endpoint; use cursor\. It takes status, .*limit, cursor/)
  assert.match(page['updated_afer']!, /; did you mean updated_after\? It takes /)
  assert.match(page['source']!, /^is not a parameter of this endpoint\. It takes /)
  assert.match(faultsOf(await service.get('/events?cursor=x', key))['cursor']!, /; use after\. It takes after, type/)
  assert.match(faultsOf(await service.get('/ping?x=1'))['x']!, /it has none$/)
})

test('error responses: an unknown field: 400 lists the fields of the object and what was probably meant', async () => {
  const search = faultsOf(await service.post('/pool/search', key, { q: 'welder', limt: 5, x: 1 }))
  assert.match(search['q']!, /^is not a field of this request; use query\. It takes query, .*limit/)
  assert.equal(search['limt'], 'is not a field of this request; did you mean limit?')
  assert.equal(search['x'], 'is not a field of this request')
  const list = faultsOf(await service.post('/lists', key, { nmae: 'x' }))
  assert.match(list['nmae']!, /; did you mean name\? It takes name/)
  const nested = faultsOf(
    await service.post('/jobs', key, { title: 'Welder', source: { sytem: 'x', external_id: '1' } }),
  )
  assert.match(nested['source.sytem']!, /; did you mean system\? source takes system, external_id/)
  const other = faultsOf(await service.get('/jobs?query=welder', key))
  assert.match(other['query']!, /; use q\. It takes /)
})

test('error responses: an empty handle in a path: 404 names the parameter that is empty', async () => {
  const close = await service.post('/jobs//close', key, {})
  assert.deepEqual([close.status, close.body.detail.code], [404, 'not_found'])
  assert.equal(
    messageOf(close),
    'There is no endpoint POST /jobs//close. The job_handle of POST /jobs/{job_handle}/close is empty.',
  )
  const test = await service.post('/webhooks/endpoints//test', key)
  assert.match(messageOf(test), /The endpoint_id of POST \/webhooks\/endpoints\/\{endpoint_id\}\/test is empty\.$/)
})

test('error responses: a refused cursor: 400 invalid_cursor says whether it is malformed, expired, or of another key, path or filters', async () => {
  for (let i = 0; i < 3; i++) await service.post('/lists', key, { name: `list ${i}` })
  const cursor: string = (await service.get('/lists?limit=1', key)).body.next_cursor
  const other = await service.key({ workspace })
  const said = async (path: string, by = key) => {
    const response = await service.get(path, by)
    assert.equal(response.body.detail.code, 'invalid_cursor', response.text)
    assert.equal(response.body.detail.param, 'cursor')
    return faultsOf(response)['cursor']!
  }
  assert.match(await said(`/lists?cursor=${cursor}x`), /malformed/)
  assert.match(await said('/lists?cursor=abc'), /malformed/)
  assert.match(await said(`/lists?cursor=${cursor}`, other), /another API key/)
  assert.match(await said(`/projects?cursor=${cursor}`), /another path/)
  assert.match(await said(`/lists?cursor=${cursor}&order=asc`), /other filters/)
  clock.advance(3_700_000)
  assert.match(await said(`/lists?cursor=${cursor}`), /expired/)
  clock.reset()
})

test('error responses: GET: 400 lists every invalid parameter, whatever its code', async () => {
  const response = await service.get('/jobs?limit=0&cursor=bad&status=draft&updated_after=yesterday&wrong=1', key)
  assert.equal(response.status, 400)
  assert.deepEqual(Object.keys(faultsOf(response)).toSorted(), ['cursor', 'limit', 'status', 'updated_after', 'wrong'])
  const first = response.body.detail.errors[0]
  assert.equal(response.body.detail.param, first.param)
  assert.equal(response.body.detail.code, 'invalid_request')
  const several = await service.key({ workspace, reach: 'all' })
  const unnamed = await service.get('/jobs?limit=0&page=1', several)
  assert.equal(unnamed.body.detail.code, 'workspace_id_required')
  assert.deepEqual(Object.keys(faultsOf(unnamed)), ['workspace_id', 'limit', 'page'])
  const resolve = await service.get('/people/resolve?email=jobs@mail.example&linkedin_url=nonsense', key)
  assert.deepEqual(Object.keys(faultsOf(resolve)).toSorted(), ['email', 'linkedin_url'])
  const funnel = await service.get(
    '/analytics/hiring-funnel?applied_after=2026-02-01T00:00:00Z&applied_before=2026-01-01T00:00:00Z&group_by=x',
    key,
  )
  assert.deepEqual(Object.keys(faultsOf(funnel)).toSorted(), ['applied_before', 'group_by'])
})

test('error responses: every 400 of a single fault has its row in errors, whatever its code', async () => {
  const job = await newJob(service, workspace)
  const jobs = await service.key({ workspace, userEmail, scopes: ['webhooks:write', 'events:read', 'jobs:read'] })
  const several = await service.key({ workspace, reach: 'all' })
  const draft = { title: 'x', source: { system: 'tahoe_x', external_id: 'a' } }
  const hook = { url: 'https://partner.example.com/x', event_types: ['job.published'] }
  const calls: [string, Promise<TestResponse>][] = [
    ['invalid_cursor', service.get('/jobs?cursor=x', key)],
    ['invalid_timestamp', service.get('/jobs?updated_after=x', key)],
    ['workspace_id_required', service.get('/jobs', several)],
    ['unpublished_requires_opt_in', service.get('/jobs?status=draft', key)],
    ['unknown_event_type', service.get('/events?type=job.publishd', key)],
    ['not_an_identity', service.get('/people/resolve?email=jobs@mail.example', key)],
    ['unsupported_source_system', service.post('/jobs', key, draft)],
    ['invalid_idempotency_key', service.post('/lists', key, { name: 'x' }, { headers: { 'idempotency-key': 'x' } })],
    ['idempotency_key_required', service.post('/messages', key, { to: {}, subject: 's', body_text: 't' })],
    ['invalid_upload', service.post('/uploads', key, { content_type: 'image/png', size_bytes: 1 })],
    ['invalid_event_type', service.post('/webhooks/endpoints', key, { ...hook, event_types: ['x'] })],
    [
      'event_type_not_permitted',
      service.post('/webhooks/endpoints', jobs, { ...hook, event_types: ['application.created'] }),
    ],
    ['webhook_url_not_allowed', service.post('/webhooks/endpoints', key, { ...hook, url: 'http://x.example.com' })],
    ['upload_not_found', service.post('/applications', key, apply(job.id, { resume_upload_id: 'upl_x' }))],
    ['invalid_stage', service.post('/applications', key, apply(job.id, { stage_id: 'stg_x' }))],
  ]
  for (const [code, call] of calls) {
    const { status, body } = await call
    assert.equal(status, 400, code)
    assert.equal(body.detail.code, code)
    assert.equal(body.detail.errors[0].param, body.detail.param, code)
    assert.ok(body.detail.errors[0].message, code)
  }
})

let people = 0
const apply = (job_id: string, more: object = {}) => ({
  job_id,
  candidate: { first_name: 'A', last_name: 'B', email: `c${++people}@mail.example` },
  source: { system: 'partner_ats' },
  ...more,
})

const FIELDS = [
  { id: 'cover_letter', type: 'textarea' },
  { id: 'notice', type: 'select', options: ['now', 'later'], required: true },
  { id: 'relocate', type: 'boolean' },
  { id: 'consent', type: 'consent' },
]

test('POST /applications: 400 lists every invalid answer, with the valid field ids, and all other faults', async () => {
  const job = await newJob(service, workspace, { fields: FIELDS })
  const answers = [
    { field_id: 'coverletter', value: 'x' },
    { field_id: 'notice', value: 'never' },
    { field_id: 'relocate', value: 'yes' },
    { field_id: 'relocate', value: true },
    { field_id: 'consent', value: true },
  ]
  const response = await service.post('/applications', key, apply(job.id, { answers }))
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'unknown_answer_field')
  const faults = faultsOf(response)
  assert.equal(
    faults['answers[0].field_id'],
    'is not a question of this form; did you mean cover_letter? Its questions are cover_letter, notice, relocate',
  )
  assert.deepEqual(Object.keys(faults), [
    'answers[0].field_id',
    'answers[1].value',
    'answers[2].value',
    'answers[3].field_id',
    'answers[4].field_id',
  ])

  const rules = await service.post('/applications', key, {
    ...apply(job.id, { stage_id: job.stages[4], resume_upload_id: newHandle('upload'), answers: [answers[0]] }),
    candidate: { first_name: ' ', last_name: 'B', email: 'c@mail.example', linkedin_url: 'https://mail.example/in/x' },
  })
  assert.deepEqual(Object.keys(faultsOf(rules)), [
    'candidate.first_name',
    'candidate.linkedin_url',
    'stage_id',
    'answers[0].field_id',
    'answers',
    'resume_upload_id',
  ])
  assert.equal(rules.body.detail.code, 'invalid_request')
})

test('POST /applications: 400 lists faults of shape, rules and form together', async () => {
  const job = await newJob(service, workspace, { fields: FIELDS.map(field => ({ ...field, id: `${field.id}_2` })) })
  const response = await service.post('/applications', key, {
    job_id: job.id,
    candidate: { first_name: ' ', email: 'invalid', phone: 'abc' },
    source: { system: 'Tahoe!', more: 1 },
    stage_id: job.stages[4],
    answers: [{ field_id: 'notice_2', value: 'never' }, { field_id: 'x', value: 'y' }, { value: 'z' }],
  })
  assert.deepEqual(Object.keys(faultsOf(response)).toSorted(), [
    'answers[0].value',
    'answers[1].field_id',
    'answers[2].field_id',
    'candidate.email',
    'candidate.first_name',
    'candidate.last_name',
    'candidate.phone',
    'source.more',
    'source.system',
    'stage_id',
  ])
})

test('POST /applications/{h}/move and scorecards: 400 lists the stage along with the faults of the shape', async () => {
  const job = await newJob(service, workspace)
  const { id } = (await service.post('/applications', key, apply(job.id))).body
  const stage_id = newHandle('pipeline_stage')
  const moved = await service.post(`/applications/${id}/move`, key, { stage_id, expected_updated_at: 'now' })
  assert.deepEqual(Object.keys(faultsOf(moved)), ['expected_updated_at', 'stage_id'])
  const card = { stage_id, interviewed_at: 'today', report_url: 'https://user@x.example/' }
  const scored = await service.post(`/applications/${id}/scorecards`, key, card)
  assert.deepEqual(Object.keys(faultsOf(scored)).toSorted(), [
    'interviewed_at',
    'recommendation',
    'report_url',
    'stage_id',
  ])
  const reason = await service.post(`/applications/${id}/reject`, key, { reason: ' ', expected_updated_at: 'x' })
  assert.deepEqual(Object.keys(faultsOf(reason)).toSorted(), ['expected_updated_at', 'reason'])
})

test('POST /webhooks/endpoints: 400 lists every wrong event type with the nearest name, and the URL', async () => {
  const refused = (body: object) => service.post('/webhooks/endpoints', key, body)
  const event_types = ['application.creatd', '*', 'job.published', 'jobs.closed']
  const response = await refused({ url: 'http://partner.example.com', event_types })
  assert.deepEqual(faultsOf(response), {
    url: 'must start with https://',
    'event_types[0]': 'application.creatd is not an event type; did you mean application.created?',
    'event_types[1]': '* is not an event type; GET /openapi.json lists them under webhooks',
    'event_types[3]': 'jobs.closed is not an event type; did you mean job.closed?',
  })
  const shape = await refused({ url: 'http://partner.example.com', event_types: ['job.publishd'], name: 'x' })
  assert.deepEqual(Object.keys(faultsOf(shape)).toSorted(), ['event_types[0]', 'name', 'url'])
})

test('POST /webhooks/endpoints: 400 distinguishes a name that does not resolve from a private address, localhost, scheme and port', async () => {
  const said = async (url: string) => {
    const response = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
    assert.equal(response.body.detail.code, 'webhook_url_not_allowed')
    return faultsOf(response)['url']!
  }
  assert.match(await said('https://missing.example.com/x'), /does not resolve/)
  assert.match(await said('https://inside.example.com/x'), /resolves to a private IP address.*WEBHOOK_ALLOW_HOSTS/)
  assert.match(await said('https://localhost/x'), /localhost.*WEBHOOK_ALLOW_HOSTS/)
  assert.match(await said('https://localhost:3000/x'), /localhost.*WEBHOOK_ALLOW_HOSTS/)
  assert.match(await said('https://hooks.localhost:8443/x'), /localhost.*WEBHOOK_ALLOW_HOSTS/)
  assert.match(await said('http://partner.example.com/x'), /must start with https/)
  assert.match(await said('https://partner.example.com:444/x'), /port 443 or 8443/)
})

test('POST /jobs: 409 invalid_job_transition names the call that works from the current status', async () => {
  const push = { title: 't', content: { summary: 's' }, source: { system: 'partner_ats', external_id: 'closing' } }
  const { id } = (await service.post('/jobs', key, { ...push, publish: true })).body
  await service.post(`/jobs/${id}/close`, key)
  const response = await service.post('/jobs', key, { ...push, publish: true })
  assert.equal(response.status, 409)
  assert.equal(messageOf(response), `A closed job cannot be published. Reopen it first: POST /jobs/${id}/reopen.`)
})

test('error responses: headers, query and body of a write are refused together', async () => {
  const response = await service.post('/lists?x=1', key, { name: ' ' }, { headers: { 'idempotency-key': 'short' } })
  assert.equal(response.body.detail.code, 'invalid_idempotency_key')
  assert.deepEqual(Object.keys(faultsOf(response)), ['Idempotency-Key', 'x', 'name'])
  const members = await service.post(`/lists/${newHandle('list')}/members`, key, { members: [{}, { x: 1 }, 5] })
  assert.deepEqual(Object.keys(faultsOf(members)).toSorted(), [
    'members[0]',
    'members[1]',
    'members[1].x',
    'members[2]',
  ])
})

test('error responses: leap second: accepted in queries and bodies as the end of the second before', async () => {
  assert.equal((await service.get('/jobs?updated_after=2026-06-30T23:59:60Z', key)).status, 200)
  assert.equal((await service.get('/jobs?updated_after=2016-12-31T15:59:60.5-08:00', key)).status, 200)
  for (const bad of ['2026-06-30T12:00:60Z', '2026-06-30T23:59:61Z']) {
    assert.equal((await service.get(`/jobs?updated_after=${bad}`, key)).body.detail.code, 'invalid_timestamp', bad)
  }
  const job = await newJob(service, workspace)
  const stale = await service.post(`/jobs/${job.id}/close`, key, { expected_updated_at: '2016-12-31T23:59:60Z' })
  assert.equal(stale.body.detail.code, 'stale_resource')
})

const NO_URLS = [
  'https://[',
  'https://',
  'https:// x',
  'https://x\u0015y',
  'https://user:secret@x.example/',
  'https://@x.example/',
  'https://javascript:alert(1)@x',
  'https:x.example',
  'https:///x',
  'https://x..example.org/',
  'https://.example.org/',
  'https://x.example/a b',
  'https://x.example/\\',
  'http://x.example/',
  'ftp://x.example/',
  'x',
  '',
]

test('POST /jobs: 400 for an invalid URL, with the field; a valid one is stored as sent', async () => {
  const source = { system: 'partner_ats', external_id: 'urls' }
  for (const url of NO_URLS) {
    const urls = { canonical_url: url, company_logo_url: url }
    const response = await service.post('/jobs', key, { title: 't', source: { ...source, ...urls } })
    assert.equal(response.status, 400, url)
    assert.deepEqual(Object.keys(faultsOf(response)), ['source.canonical_url', 'source.company_logo_url'], url)
    assert.match(messageOf(response), /^source\.canonical_url: must (be a full URL that begins|start) with https/)
  }
  for (const canonical_url of [
    'https://x.example',
    'https://x.example:8443/a?b=c&d=%20#e',
    'https://xn--exmple-cua.example/',
    'https://[2606:2800:21f::1]/x',
  ]) {
    const response = await service.post('/jobs', key, { title: 't', source: { ...source, canonical_url } })
    assert.ok(response.status < 300, response.text)
    assert.equal(response.body.source.canonical_url, canonical_url)
  }
  const canonical_url = 'https://exämple.example/stellen/münchen?q=[a]|b'
  const escaped = await service.post('/jobs', key, { title: 't', source: { ...source, canonical_url } })
  const ascii = 'https://xn--exmple-cua.example/stellen/m%C3%BCnchen?q=%5Ba%5D%7Cb'
  assert.equal(escaped.body.source.canonical_url, ascii)
  const repeated = await service.post('/jobs', key, { title: 't', source: { ...source, canonical_url } })
  assert.equal(repeated.body.updated_at, escaped.body.updated_at, 'the same URL is no change')
})

test('reference and OpenAPI: every URL of a body says that it is returned in ASCII', async () => {
  const { body } = await service.get('/openapi.json', key)
  const page = async (path: string) => (await service.get(service.origin + path, key)).text
  for (const [schema, field, path] of [
    ['push_job_source', 'canonical_url', '/docs/reference/jobs'],
    ['push_job_source', 'company_logo_url', '/docs/reference/jobs'],
    ['create_scorecard_request', 'report_url', '/docs/reference/applications'],
  ] as const) {
    assert.match(body.components.schemas[schema].properties[field].description, /returned in ASCII/, field)
    assert.match(await page(path), new RegExp(`${field}.{0,600}returned in ASCII`, 's'), field)
  }
  assert.match(await page('/docs/guides/pushing-jobs'), /xn--exmple-cua\.example/)
})

test('error responses: delivery_failed: the error reference does not promise a retry with the same key', async () => {
  const page = await service.get(`${service.origin}/docs/errors`)
  const entry = /<section class="entry" id="delivery_failed">.*?<\/section>/s.exec(page.text)![0]
  assert.match(entry, /Only with a new <code>Idempotency-Key<\/code>/)
  assert.doesNotMatch(entry, /<dd>Yes/)
})

test('lists: every GET that returns one takes limit and cursor', () => {
  for (const route of routes) {
    const isList = ['page', 'all', 'log'].includes(route.output.kind)
    if (route.method !== 'GET' || !isList) continue
    assert.ok('limit' in route.query, route.path)
    // the logs are read on by number
    assert.ok('cursor' in route.query || route.output.kind === 'log', route.path)
  }
})

test('error responses: short lists: limit and cursor are honoured, row by row; users stay in one page', async () => {
  const job = await newJob(service, workspace)
  const walk = async (path: string, by: typeof key | undefined) => {
    const rows: unknown[] = []
    let cursor: string | null = null
    do {
      const page: TestResponse = await service.get(`${path}?limit=2${cursor ? `&cursor=${cursor}` : ''}`, by)
      assert.equal(page.status, 200, page.text)
      assert.ok(page.body.data.length <= 2)
      assert.equal(page.body.has_more, page.body.next_cursor !== null)
      rows.push(...page.body.data)
      cursor = page.body.next_cursor
    } while (cursor)
    return rows
  }
  const stages = `/jobs/${job.id}/pipeline-stages`
  assert.deepEqual(await walk(stages, key), (await service.get(stages, key)).body.data)
  assert.equal((await walk(stages, key)).length, 5)
  assert.deepEqual(await walk('/me/access', key), (await service.get('/me/access?limit=100', key)).body.data)
  assert.equal((await walk('/versions', undefined)).length, 1)

  const users = `/workspaces/${workspace}/users`
  const { body } = await service.get(`${users}?limit=1`, key)
  assert.deepEqual([body.has_more, body.next_cursor], [false, null])
  assert.equal((await service.get(`${users}?limit=0`, key)).body.detail.param, 'limit')
  assert.equal((await service.get(`${users}?cursor=x`, key)).body.detail.code, 'invalid_cursor')
  const cursor = (await service.get(`${stages}?limit=2`, key)).body.next_cursor
  const elsewhere = await newJob(service, workspace)
  const other = await service.get(`/jobs/${elsewhere.id}/pipeline-stages?cursor=${cursor}`, key)
  assert.equal(other.body.detail.code, 'invalid_cursor')
})

test('error responses: GET: of very many unknown parameters a hundred are reported, and no more are looked at', async () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `a${i}`)
  const response = await service.get(`/jobs?${names.map(name => `${name}=1`).join('&')}`, key)
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.errors.length, 100)
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { routes } from '../../src/app.ts'
import { ROLES, type Role } from '../../src/contract/scopes.ts'
import { hiringRoutes } from '../../src/hiring/routes.ts'
import { getOrCreate } from '../../src/kernel/async/get-or-create.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, sharedWorld, upload, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'
import type { TestResponse } from '../harness/service.ts'
import { addProfile } from '../lists/fixture.ts'
import { act, newOrder } from '../orders/setup.ts'
import { load } from '../pool/fixture.ts'

/*
 * Every endpoint of the hiring pages as each role. A new endpoint needs a row that says who may call it. A GET names
 * records that are there, and has the status 200. Every other call has an empty body and names records that are not there,
 * so that nothing changes: 400 or 404. Other roles get 403 before a record or the body is looked at.
 */

type Rows = Readonly<Record<string, readonly Role[]>>

const everyone = ROLES
const writers = ['owner', 'admin', 'member'] as const
const managers = ['owner', 'admin'] as const

const OWN: Rows = {
  'GET /candidates/{id}': everyone,
  'GET /session': everyone,
  'GET /search': everyone,
  'GET /search/state': everyone,
  'GET /candidates': everyone,
  'GET /insight/applications': everyone,
  'GET /jobs/{job_id}/board': everyone,
  'GET /jobs/{job_id}/board/cards': everyone,
  'GET /jobs/{job_id}/board/neighbors/{application_id}': everyone,
  'GET /jobs/{job_id}/board/selection': writers,
  'POST /applications/changes': writers,
  'GET /jobs': everyone,
  'GET /job-words': everyone,
  'POST /jobs': writers,
  'POST /jobs/{id}': writers,
  'POST /jobs/{id}/duplicate': writers,
  'POST /jobs/{id}/delete': managers,
  'GET /jobs/{id}/history': everyone,
  'GET /jobs/{id}/description': everyone,
  'POST /markdown-preview': writers,
  'POST /job-currency': writers,
  'GET /jobs/{job_id}/stages': everyone,
  'POST /jobs/{job_id}/stages': writers,
  'GET /jobs/{job_id}/form': everyone,
  'POST /jobs/{job_id}/form': writers,
  'POST /jobs/{job_id}/form/use-template': writers,
  'GET /jobs/{job_id}/questions': writers,
  'POST /jobs/{job_id}/questions': writers,
  'GET /template-form': everyone,
  'POST /template-form': managers,
  'POST /jobs/{job}/candidates': writers,
  'POST /jobs/{job}/candidates/check': writers,
  'POST /jobs/{job}/resumes': writers,
  'POST /applications/{application}/to-job': writers,
  'GET /decision-reasons': writers,
  'POST /decision-reasons': managers,
  'POST /applications/rejection-facts': writers,
  'POST /applications/adverse-results': writers,
  'GET /applications/{application}/orders': writers,
  'POST /applications/{application}/orders': writers,
  'POST /applications/{application}/orders/{order}/invite': writers,
  'POST /applications/{application}/orders/{order}/remind': writers,
  'POST /applications/{application}/orders/{order}/extend': writers,
  'POST /applications/{application}/orders/{order}/cancel': writers,
  'POST /applications/{application}/orders/{order}/repeat': writers,
  'POST /applications/{application}/orders/{order}/reviewed': writers,
  'POST /jobs/{job_id}/orders': writers,
  'POST /jobs/{job_id}/orders/preview': writers,
  'GET /credits': managers,
  'GET /credits/entries': managers,
  'POST /applications/{id}/unlock-resume': writers,
  'GET /members': everyone,
  'GET /applications/{application}/notes': writers,
  'POST /applications/{application}/notes': writers,
  'POST /applications/{application}/notes/{note}': writers,
  'POST /applications/{application}/notes/{note}/delete': writers,
  'GET /applications/{application}/hidden-notes': writers,
  'GET /applications/{application}/activity': everyone,
  'POST /applications/{application}/messages': writers,
  'POST /applications/{application}/messages/{message}/cancel': writers,
  'POST /applications/{application}/replies': writers,
  'GET /member-settings': everyone,
  'POST /member-settings': everyone,
  'GET /applications/{application}/interviews': writers,
  'GET /applications/{application}/availability': writers,
  'POST /applications/{application}/interviews': writers,
  'POST /applications/{application}/interviews/{interview}': writers,
  'POST /applications/{application}/interviews/{interview}/cancel': writers,
  'POST /applications/{application}/interviews/{interview}/forget': writers,
  'POST /applications/{application}/interviews/{interview}/restore': writers,
  'POST /applications/{application}/interviews/{interview}/no-show': writers,
  'POST /applications/{application}/interviews/{interview}/answer-done': writers,
  'POST /applications/{application}/cancel-interviews': writers,
  'GET /member-hours': everyone,
  'POST /member-hours': everyone,
  'POST /calendar-address': everyone,
  'POST /calendar-address/end': everyone,
  'GET /interview-settings': managers,
  'POST /interview-settings': managers,
  'GET /job-counts': everyone,
  'POST /jobs/{job}/visits': everyone,
  'GET /saved-views': everyone,
  'POST /saved-views': everyone,
  'POST /saved-views/{view}': everyone,
  'POST /saved-views/{view}/delete': everyone,
  'GET /applicants/{applicant}/erasure': ['owner'],
  'POST /applicants/{applicant}/erase': ['owner'],
  'POST /applicants/{applicant}/stop': ['owner'],
  'POST /applicants/{applicant}/erase/undo': ['owner'],
  'GET /applicants/{applicant}/send-data': managers,
  'POST /applicants/{applicant}/send-data': managers,
  'POST /applicants/{applicant}/send-data/undo': managers,
  'GET /applicants/{applicant}/data.zip': ['owner'],
  'GET /applications/{application}/scorecards': writers,
  'POST /applications/{application}/scorecards/{scorecard}/remarks': writers,
  'GET /applications/{application}/scorecard-draft': writers,
  'POST /applications/{application}/scorecard-draft': writers,
  'POST /applications/{application}/scorecard-requests': writers,
  'POST /applications/{application}/scorecard-requests/{user}/withdraw': writers,
  'GET /jobs/{job}/team': everyone,
  'POST /jobs/{job}/team': writers,
  'GET /jobs/{job}/criteria': everyone,
  'POST /jobs/{job}/criteria': writers,
  'GET /jobs/{job}/kits': everyone,
  'POST /jobs/{job}/kits': writers,
  'GET /applications/{application}/interview-defaults': writers,
  'GET /tags': everyone,
  'GET /tags/of-applications': everyone,
  'POST /applications/{application}/tags': writers,
  'POST /applications/{application}/owner': writers,
  'GET /message-templates': writers,
  'POST /message-templates': managers,
  'POST /message-templates/{template}': managers,
  'POST /message-templates/{template}/delete': managers,
  'GET /applications/{application}/messages': writers,
  'GET /applications/{application}/message-facts': writers,
  'GET /tasks': writers,
  'GET /tasks/count': writers,
  'POST /tasks/states': writers,
  'GET /hiring-settings': managers,
  'POST /hiring-settings': managers,
  'GET /sourcing/projects': everyone,
  'POST /sourcing/projects': writers,
  'POST /sourcing/projects/{project_id}': writers,
  'GET /sourcing/lists': everyone,
  'GET /sourcing/lists/{list_id}': everyone,
  'GET /sourcing/lists/{list_id}/members': everyone,
  'POST /sourcing/lists/{list_id}': writers,
  'POST /sourcing/lists/{list_id}/delete': writers,
  'POST /sourcing/lists/{list_id}/remove': writers,
  'POST /sourcing/lists/{list_id}/restore': writers,
  'POST /sourcing/lists/{list_id}/stage': writers,
  'GET /sourcing/profiles/{profile_id}/lists': everyone,
  'POST /sourcing/pool/saved': writers,
  'POST /sourcing/pool/save': writers,
  'GET /sourcing/lists/{list_id}/members.csv': writers,
  'GET /sourcing/profiles.csv': writers,
  'GET /sourcing/pool.csv': writers,
  'GET /import/candidates/columns.csv': writers,
  'POST /import/candidates/check': writers,
  'POST /import/candidates': writers,
  'GET /sourcing/import/columns.csv': writers,
  'POST /sourcing/import/check': writers,
  'POST /sourcing/import': writers,
  'POST /sourcing/lists/{list_id}/import': writers,
  'POST /sourcing/profiles/{profile_id}/reveal': writers,
}

/** The API, called as the person who is signed in. */
const API: Rows = {
  'GET /v1/workspaces': everyone,
  'GET /v1/workspaces/{workspace_handle}': everyone,
  'GET /v1/workspaces/{workspace_handle}/users': everyone,
  'GET /v1/users/{user_handle}': everyone,
  'GET /v1/jobs': everyone,
  'GET /v1/jobs/{job_handle}': everyone,
  'GET /v1/jobs/by-slug/{slug}': everyone,
  'GET /v1/jobs/{job_handle}/sections': everyone,
  'GET /v1/jobs/{job_handle}/pipeline-stages': everyone,
  'GET /v1/jobs/{job_handle}/application-form': everyone,
  'GET /v1/jobs/{job_handle}/prescreen-questions': writers,
  'GET /v1/jobs/{job_handle}/publish-readiness': everyone,
  'POST /v1/jobs': writers,
  'POST /v1/jobs/{job_handle}/publish': writers,
  'POST /v1/jobs/{job_handle}/unpublish': writers,
  'POST /v1/jobs/{job_handle}/close': writers,
  'POST /v1/jobs/{job_handle}/reopen': writers,
  'GET /v1/projects': everyone,
  'GET /v1/projects/{project_handle}': everyone,
  'GET /v1/projects/{project_handle}/lists': everyone,
  'GET /v1/lists': everyone,
  'GET /v1/lists/{list_handle}': everyone,
  'GET /v1/lists/{list_handle}/members': everyone,
  'GET /v1/sourced-profiles/{profile_handle}/list-memberships': everyone,
  'POST /v1/lists': writers,
  'POST /v1/lists/{list_handle}/members': writers,
  'POST /v1/lists/{list_handle}/members/{member_handle}/stage': writers,
  'GET /v1/sourced-profiles': writers,
  'GET /v1/sourced-profiles/{profile_handle}': writers,
  'GET /v1/sourced-profiles/{profile_handle}/attachments': writers,
  'GET /v1/sourced-profiles/{profile_handle}/attachments/{kind}/content': writers,
  'GET /v1/people/resolve': writers,
  'POST /v1/people/resolve:batch': writers,
  'GET /v1/people/{person_handle}': writers,
  'GET /v1/people/{person_handle}/profiles': writers,
  'GET /v1/pool/profiles': everyone,
  'GET /v1/pool/profiles/{profile_handle}': everyone,
  'POST /v1/pool/search': writers,
  'GET /v1/applications': everyone,
  'GET /v1/jobs/{job_handle}/applications': everyone,
  'GET /v1/applicants/{applicant_handle}/applications': everyone,
  'GET /v1/people/{person_handle}/applications': everyone,
  'GET /v1/applications/{application_handle}': everyone,
  'GET /v1/applications/{application_handle}/answers': writers,
  'GET /v1/applications/{application_handle}/score': everyone,
  'GET /v1/applications/{application_handle}/screening': writers,
  'GET /v1/applications/{application_handle}/stage-transitions': managers,
  'GET /v1/applications/{application_handle}/notes': managers,
  'GET /v1/applications/{application_handle}/interviews': everyone,
  'POST /v1/applications': writers,
  'POST /v1/applications/{application_handle}/move': writers,
  'POST /v1/applications/{application_handle}/reject': writers,
  'POST /v1/applications/{application_handle}/hire': writers,
  'POST /v1/applications/{application_handle}/reopen': writers,
  'POST /v1/applications/{application_handle}/notes': writers,
  'POST /v1/applications/{application_handle}/scorecards': writers,
  'POST /v1/uploads': writers,
  'GET /v1/applications/{application_handle}/resume': writers,
  'GET /v1/applications/{application_handle}/resume/download': writers,
  'GET /v1/applicants/{applicant_handle}/resumes': writers,
  'GET /v1/people/{person_handle}/resumes': writers,
  'GET /v1/applicants': writers,
  'GET /v1/applicants/{applicant_handle}': writers,
  'GET /v1/applicants/{applicant_handle}/contact-info': writers,
  'GET /v1/sourced-profiles/{profile_handle}/contact-info': writers,
  'GET /v1/people/{person_handle}/contact-info': writers,
  'GET /v1/packages': writers,
  'GET /v1/packages/{package_handle}': writers,
  'GET /v1/orders': writers,
  'GET /v1/orders/{order_handle}': writers,
  'GET /v1/orders/{order_handle}/result': writers,
  'GET /v1/orders/{order_handle}/reports/{report_id}/content': writers,
  'GET /v1/applications/{application_handle}/orders': writers,
  'POST /v1/orders': writers,
  'POST /v1/orders/{order_handle}/cancel': writers,
  'POST /v1/orders/{order_handle}/extend': writers,
  'POST /v1/orders/{order_handle}/repeat': writers,
  'POST /v1/messages': writers,
  'GET /v1/analytics/hiring-funnel': everyone,
  'GET /v1/applications/{application_handle}/resume/file': writers,
  'GET /v1/applications/{application_handle}/files': writers,
  'GET /v1/applications/{application_handle}/files/{file_id}/content': writers,
}

/** A stream, which does not end: live.test.ts has it. */
const STREAM = 'GET /live'

let world: World
const people = {} as Record<Role, Person>
/** Handles of records that are there, by the beginning of a path and the name of a part of it. */
let records: readonly (readonly [beginning: string, part: RegExp, value: string])[]

/** What a response could show of the candidate, and of a sourced profile. */
const NAME = 'Zephyrine'
const EMAIL = 'zephyrine.quill@example.org'
const PHONE = '+442071838750'
const SKILL = 'Oxyacetylene'
const RAW_TEXT = 'Born in a lighthouse'
const NOTE = 'Asked for a parrot'
const REASON = 'Prefers the sea'
const PROFILE = 'Ottoline'
const NO_REPORT = '00000000-0000-4000-8000-000000000000'

before(async () => {
  world = await sharedWorld()
  const { service, workspace, job, key } = world
  served = hiringRoutes(service.services, routes)
    .filter(({ path }) => path.startsWith('/hiring/api/') && !path.endsWith('*'))
    .flatMap(({ methods, path }) => methods.map(method => `${method} ${path.slice('/hiring/api'.length)}`))
  const { db } = service.services
  for (const role of ROLES) people[role] = await signedIn(service, workspace, { role, program: 'hiring' })
  const { owner } = people
  const candidate = { first_name: NAME, last_name: 'Quill', email: EMAIL, phone: PHONE }
  const application = await apply(world, { resume_upload_id: await upload(world) }, candidate)
  const parsed = JSON.stringify({ skills: [SKILL], current_title: `${SKILL} welder` })
  await db.query(sql`
    update resumes set parse_status = 'parsed', parsed = ${parsed}::jsonb, raw_text = ${RAW_TEXT}, parsed_at = app_now()
    where application_id = ${application.id}`)
  await db.query(sql`
    insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
    values (${workspace}, ${application.id}, 70, '[]', 'test')`)
  await owner.post(`/applications/${application.id}/notes`, { body: NOTE, mentions: [] })
  await owner.post(`/v1/applications/${application.id}/scorecards`, { recommendation: 'no', summary: NOTE })
  const order = await newOrder(world, { application: application.id })
  const completed = await act(world, order, 'complete', { external_id: 'A-1', outcome: 'recommended' })
  assert.equal(completed.status, 200, completed.text)
  await owner.post(`/v1/applications/${application.id}/reject`, { reason: REASON })
  const list = (await owner.post('/v1/lists', { name: 'Welders' })).body
  const profile = await addProfile(service, workspace, PROFILE)
  await owner.post(`/v1/lists/${list.id}/members`, { members: [{ sourced_profile_id: profile }] })
  await load(service, [{ full_name: 'Pool Person', job_title: 'Welder' }])
  const [pooled] = (await owner.get('/v1/pool/profiles')).body.data
  const found = await owner.get(`/v1/people/resolve?email=${encodeURIComponent(EMAIL)}`)
  assert.equal(found.status, 200)
  const { slug } = (await service.get(`/jobs/${job.id}`, key)).body
  records = [
    ['/v1/pool', /^profile_handle$/, pooled.id],
    ['', /^profile_(id|handle)$/, profile],
    ['/jobs', /^(id|job|job_id)$/, job.id],
    ['/v1', /^job_handle$/, job.id],
    ['/v1', /^slug$/, slug],
    ['', /^(id|application|application_id|application_handle)$/, application.id],
    ['', /^applicant(_handle)?$/, application.applicant_id],
    ['/v1', /^person_handle$/, found.body.id],
    ['', /^list_(id|handle)$/, list.id],
    ['', /^project_(id|handle)$/, list.project_id],
    ['/v1', /^user_handle$/, owner.userId],
    ['/v1', /^workspace_handle$/, workspace],
    ['', /^order(_handle)?$/, order.id],
    ['/v1', /^package_handle$/, order.package],
    ['/v1', /^report_id$/, NO_REPORT],
    ['/v1', /^kind$/, 'photo'],
    ['/v1', /^file_id$/, 'none'],
  ]
})

const ALL: Rows = { ...OWN, ...API }

/** Method and path of every endpoint, as the routes of the service have them. */
let served: readonly string[]
/** Those that are called here: all but the stream. */
const called = () => served.filter(endpoint => endpoint in ALL)

/** What a GET needs besides the records of its path. */
const QUERIES: Readonly<Record<string, string>> = {
  'GET /jobs/{job_id}/board/cards': '?status=rejected',
  'GET /search': '?q=zephyrine',
  'GET /v1/people/resolve': `?email=${encodeURIComponent(EMAIL)}`,
}

/** There is no such file for anyone. */
const WITHOUT_FILE = [
  'GET /v1/orders/{order_handle}/reports/{report_id}/content',
  'GET /v1/applications/{application_handle}/files/{file_id}/content',
  'GET /v1/sourced-profiles/{profile_handle}/attachments/{kind}/content',
]

function call(person: Pick<Person, 'get' | 'post'>, endpoint: string): Promise<TestResponse> {
  const [method, path] = endpoint.split(' ') as [string, string]
  if (method !== 'GET') return person.post(path.replaceAll(/\{\w+\}/g, 'none'), {})
  return person.get(withRecords(path) + (QUERIES[endpoint] ?? ''))
}

/** The path with handles of records that are there; `other` for those that this test does not make. */
const withRecords = (path: string, other?: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, part) => {
    const record = records.find(([beginning, name]) => path.startsWith(beginning) && name.test(part))
    return record?.[2] ?? other ?? assert.fail(`no record for {${part}} of ${path}`)
  })

/** Found through the applicant's details, which viewers do not read: for them there is no such person. */
const MISSING_FOR_VIEWERS = 'GET /v1/people/{person_handle}/applications'

/** Changes of what the person alone has, which an empty body can make. */
const OWN_ROWS = ['POST /member-settings', 'POST /calendar-address', 'POST /calendar-address/end']

const allowed = (endpoint: string, role: Role): number[] => {
  if (OWN_ROWS.includes(endpoint)) return [200]
  if (!endpoint.startsWith('GET ')) return [400, 404]
  const isMissing = WITHOUT_FILE.includes(endpoint) || (endpoint === MISSING_FOR_VIEWERS && role === 'viewer')
  return [isMissing ? 404 : 200]
}

/** The responses to a role, by endpoint: every endpoint is called once. */
const responses = new Map<Role, Promise<Map<string, TestResponse>>>()

const responsesTo = (role: Role): Promise<Map<string, TestResponse>> =>
  getOrCreate(responses, role, async () => {
    const found = new Map<string, TestResponse>()
    for (const endpoint of called()) found.set(endpoint, await call(people[role], endpoint))
    return found
  })

test('hiring API: every endpoint has a row here that says who may call it', () => {
  assert.deepEqual(
    served.filter(endpoint => endpoint !== STREAM && !(endpoint in ALL)),
    [],
  )
})

for (const role of ROLES) {
  test(`hiring API as ${role}: the endpoints of the role respond, all others are 403`, async () => {
    const wrong = [...(await responsesTo(role))].flatMap(([endpoint, { status }]) => {
      const expected = ALL[endpoint]!.includes(role) ? allowed(endpoint, role) : [403]
      return expected.includes(status) ? [] : [`${endpoint}: ${status} instead of ${expected.join(' or ')}`]
    })
    assert.deepEqual(wrong, [])
  })
}

/** Endpoints whose response to the role contains the text. */
const showing = async (role: Role, text: string): Promise<string[]> =>
  [...(await responsesTo(role))].filter(([, response]) => response.text.includes(text)).map(([endpoint]) => endpoint)

test('hiring API as viewer: no response has a name, an address, a number, a skill, a note or a reason', async () => {
  for (const text of [NAME, EMAIL, PHONE, SKILL, RAW_TEXT, NOTE, REASON, PROFILE]) {
    assert.deepEqual(await showing('viewer', text), [], text)
  }
})

test('hiring API as member: phone numbers and full texts of résumés are in no response', async () => {
  for (const text of [PHONE, RAW_TEXT]) assert.deepEqual(await showing('member', text), [], text)
})

test('hiring API as member: what others wrote is on the pages of the candidate, and in no response of the API', async () => {
  for (const text of [NOTE, REASON]) {
    const where = await showing('member', text)
    assert.ok(where.length > 0, text)
    assert.deepEqual(
      where.filter(endpoint => endpoint.includes(' /v1/')),
      [],
      text,
    )
  }
})

test('hiring API as owner: each of these texts is in some response, so that the tests above look for what is there', async () => {
  for (const text of [NAME, EMAIL, PHONE, SKILL, RAW_TEXT, NOTE, REASON, PROFILE]) {
    assert.ok((await showing('owner', text)).length > 0, text)
  }
})

test('hiring API without a session: 401 for every endpoint', async () => {
  const { origin, call: send } = world.service
  const visitor = {
    get: (path: string) => send('GET', `${origin}/hiring/api${path}`),
    post: (path: string, body: unknown) => send('POST', `${origin}/hiring/api${path}`, { body, headers: { origin } }),
  }
  for (const endpoint of called()) {
    const { status, body } = await call(visitor, endpoint)
    assert.deepEqual([status, body.detail.code], [401, 'sign_in_required'], endpoint)
  }
})

test('hiring API: 403 csrf_token_invalid for every endpoint that is no read, without the token of our pages', async () => {
  const { owner } = people
  const forged = {
    ...owner,
    post: (path: string, body: unknown) => owner.post(path, body, { 'x-csrf-token': 'other' }),
  }
  for (const endpoint of called().filter(one => !one.startsWith('GET '))) {
    const { status, body } = await call(forged, endpoint)
    assert.deepEqual([status, body.detail.code], [403, 'csrf_token_invalid'], endpoint)
  }
})

test('hiring API as the owner of another workspace: 404 for the records of this one, and nothing of them in any response', async () => {
  const { id } = await world.service.workspace('enterprise')
  const stranger = await signedIn(world.service, id, { program: 'hiring' })
  for (const endpoint of called()) {
    const [method, path] = endpoint.split(' ') as [string, string]
    const isRead = method === 'GET'
    const response = isRead ? await call(stranger, endpoint) : await stranger.post(withRecords(path, 'none'), {})
    for (const text of [NAME, EMAIL, PHONE, SKILL, RAW_TEXT, NOTE, REASON, PROFILE]) {
      assert.ok(!response.text.includes(text), `${endpoint}: ${text}`)
    }
    // the pool is everyone's
    if (isRead && path.includes('{') && !path.includes('/pool')) assert.equal(response.status, 404, endpoint)
    if (!isRead && !OWN_ROWS.includes(endpoint))
      assert.ok([400, 404].includes(response.status), `${endpoint}: ${response.status}`)
  }
})

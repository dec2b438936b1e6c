import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { PERSON_ALLOWANCES } from '../../src/contract/plans.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { apply, readEvents, sharedWorld, type World } from '../applications/setup.ts'
import { type Person, signedIn } from '../console/setup.ts'

let world: World
let owner: Person
let member: Person
let viewer: Person

before(async () => {
  world = await sharedWorld()
  const enter = (role: 'owner' | 'member' | 'viewer') =>
    signedIn(world.service, world.workspace, { role, program: 'hiring' })
  owner = await enter('owner')
  member = await enter('member')
  viewer = await enter('viewer')
})

const page = (path: string, cookie?: string) =>
  world.service.call('GET', world.service.origin + path, { headers: cookie ? { cookie } : {} })

test('hiring pages: 303 to the sign-in for a visitor; one document for every role', async () => {
  const response = await page('/hiring/jobs?status=draft')
  assert.equal(response.status, 303)
  assert.equal(
    response.headers.get('location'),
    `/sign-in?return_to=${encodeURIComponent('/hiring/jobs?status=draft')}`,
  )
  for (const person of [owner, member, viewer]) {
    const shown = await page('/hiring/anything', person.cookie)
    assert.equal(shown.status, 200)
    assert.ok(!shown.text.includes(person.email))
    assert.match(shown.headers.get('content-security-policy')!, /script-src 'self'/)
  }
})

test('hiring API: 401 without a session, whatever key is sent', async () => {
  for (const path of ['/v1/jobs', '/session', '/none']) {
    const { status, body } = await world.service.call('GET', `${world.service.origin}/hiring/api${path}`, {
      key: world.key,
    })
    assert.equal(status, 401, path)
    assert.equal(body.detail.code, 'sign_in_required')
  }
})

test('hiring API: a role reads what DECISIONS grants it; what it may not read is not in the response', async () => {
  const application = await apply(world)
  const [own, their, least] = await Promise.all(
    [owner, member, viewer].map(person => person.get(`/v1/applications/${application.id}`)),
  )
  assert.deepEqual([own!.status, their!.status, least!.status], [200, 200, 200])
  assert.ok(!('restricted' in own!.body))
  assert.ok(their!.body.restricted.includes('rejection_reason'))
  assert.equal((await viewer.get(`/v1/applications/${application.id}/answers`)).status, 403)
  const refused = await viewer.post(`/v1/applications/${application.id}/notes`, { body: 'No.' })
  assert.equal(refused.status, 403)
  assert.equal(refused.body.detail.code, 'insufficient_scope')
  assert.match(refused.body.detail.message, /Your role does not allow this/)
})

test('hiring API: 403 csrf_token_invalid: a change without the token of our pages, or from another origin', async () => {
  const application = await apply(world)
  const path = `/v1/applications/${application.id}/notes`
  for (const headers of [{ 'x-csrf-token': 'other' }, { origin: 'https://elsewhere.example' }] as Record<
    string,
    string
  >[]) {
    const { status, body } = await member.post(path, { body: 'Hello' }, headers)
    assert.equal(status, 403)
    assert.equal(body.detail.code, 'csrf_token_invalid')
  }
  assert.equal((await owner.get(path)).body.data.length, 0)
})

test('hiring API: a change made in the pages: its event has no origin, and its author is the person', async () => {
  const application = await apply(world)
  const noted = await member.post(`/v1/applications/${application.id}/notes`, { body: 'Met her in Lyon.' })
  assert.equal(noted.status, 201)
  assert.equal(noted.body.author_user_id, member.userId)
  const events = await readEvents(world, world.workspace)
  const last = events.findLast(event => event.type === 'application.updated')!
  assert.equal(last.data.object.id, application.id)
  assert.ok(!('origin' in last.data.object))
})

test('hiring API: a contact value costs the person a unit and writes an audit row that names the person', async () => {
  const application = await apply(world)
  const path = `/v1/applicants/${application.applicant_id}/contact-info`
  const shown = await member.get(path)
  assert.equal(shown.status, 200)
  assert.equal(shown.headers.get('service-personal-data-cost'), '1')
  assert.equal(
    shown.headers.get('service-personal-data-remaining'),
    String(PERSON_ALLOWANCES.personalDataReadsPerDay - 1),
  )
  assert.equal(shown.headers.get('cache-control'), 'no-store')
  const rows = await world.service.services.db.query(
    sql`select key_id, acting_user_id, field from personal_data_reads where subject_id = ${application.applicant_id}`,
  )
  assert.deepEqual(rows, [{ key_id: member.userId, acting_user_id: member.userId, field: 'email' }])
  assert.equal((await viewer.get(path)).status, 403)
})

test('hiring API: 404 for another workspace, for endpoints about keys, for the feed and for exports', async () => {
  const other = await world.service.workspace()
  const stranger = await signedIn(world.service, other.id, { program: 'hiring' })
  const application = await apply(world)
  assert.equal((await stranger.get(`/v1/applications/${application.id}`)).status, 404)
  assert.equal((await stranger.get(`/v1/jobs?workspace_id=${world.workspace}`)).status, 404)
  for (const path of ['/v1/me', '/v1/webhooks/endpoints', '/v1/events', '/v1/requests', '/none']) {
    assert.equal((await owner.get(path)).status, 404, path)
  }
  assert.equal((await owner.post('/v1/exports', { resources: ['jobs'] })).status, 404)
})

test('hiring API: calls of people are not in the request log and do not count against the quota', async () => {
  const { db } = world.service.services
  await owner.get('/v1/jobs')
  const [logged] = await db.query(
    sql<{ n: number }>`select count(*)::integer as n from request_log where key_id = ${owner.userId}`,
  )
  assert.equal(logged!.n, 0)
  await world.service.services.usage.flush()
  const before = await db.query(sql`select * from monthly_usage where workspace_id = ${world.workspace}`)
  for (let i = 0; i < 5; i++) await owner.get('/v1/jobs')
  await world.service.services.usage.flush()
  assert.deepEqual(await db.query(sql`select * from monthly_usage where workspace_id = ${world.workspace}`), before)
})

test('sign-in: members and viewers arrive at the hiring pages, owners and admins at the console', async () => {
  const { chooseLandingPage } = await import('../../src/sign-in/landing-page.ts')
  assert.deepEqual(
    (['owner', 'admin', 'member', 'viewer'] as const).map(role => chooseLandingPage({ role })),
    ['/console', '/console', '/hiring', '/hiring'],
  )
})

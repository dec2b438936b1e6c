import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { apply, newTenant, startWorld, type World } from '../applications/setup.ts'
import { buildCall, connect, post } from './setup.ts'

let world: World
let application: { id: string; applicant_id: string }

before(async () => {
  world = await startWorld()
  application = await apply(world)
})

const keyWith = (scopes: readonly string[], more: { userEmail?: string } = {}) =>
  world.service.key({ workspace: world.workspace, scopes: [...scopes] as never, ...more })

const userEmail = async () =>
  (await world.service.services.db.one(sql<{ email: string }>`select email from users where id = ${world.userId}`))!
    .email

for (const mode of ['auto', 'legacy'] as const) {
  test(`POST /mcp: 200: clients of the ${mode === 'auto' ? '2026' : '2025'} protocol list tools and read records`, async () => {
    const { client, call, names } = await connect(world.service, world.key, { mode })
    assert.equal(client.getProtocolEra(), mode === 'auto' ? 'modern' : 'legacy')
    assert.equal(client.getServerVersion()?.name, 'hiring-partner-api')
    // some clients show a model no more of them
    assert.match(client.getInstructions()!.slice(0, 512), /Never follow instructions[\s\S]*Ask your user before/)
    assert.ok((await names()).includes('move_application'))
    const { data, text, meta } = await call('get_application', { application_handle: application.id })
    assert.deepEqual([data.id, data.status], [application.id, 'new'])
    assert.match(text, new RegExp(`"id":"${application.id}"`))
    assert.match(String(meta['hiring/request_id']), /^req_/)
  })
}

test('POST /mcp: 200: tools/list has only what the key can use, in one order', async () => {
  const narrow = await connect(world.service, await keyWith(['jobs:read', 'lists:read', 'lists:write']))
  const names = await narrow.names()
  assert.ok(names.includes('list_jobs') && names.includes('get_me'))
  // a key without a user cannot write
  assert.deepEqual(
    names.filter(name => /application|create|push|move/.test(name)),
    ['get_application_form'],
  )
  assert.deepEqual(names, await narrow.names())
  const writing = await connect(
    world.service,
    await keyWith(['lists:read', 'lists:write'], { userEmail: await userEmail() }),
  )
  assert.ok((await writing.names()).includes('create_candidate_list'))
})

/** What a model reads before its first call. A tool for a further endpoint takes 1,200 to 2,500 bytes. */
const LARGEST_LIST = 125_000

test('POST /mcp: 200: tools/list with every scope is small enough to be read by a model', async () => {
  const { client } = await connect(world.service, world.key)
  const { tools } = await client.listTools()
  const bytes = Buffer.byteLength(JSON.stringify(tools))
  assert.ok(tools.length > 80 && bytes <= LARGEST_LIST, `${tools.length} tools, ${bytes} bytes`)
})

test('POST /mcp: 200: ?groups and ?read_only leave tools out, also from calls; 400: an unknown group', async () => {
  const jobs = await connect(world.service, world.key, { search: '?groups=jobs&read_only=true' })
  const names = await jobs.names()
  assert.ok(names.includes('list_jobs') && !names.includes('publish_job') && !names.includes('list_applications'))
  const refused = await jobs.call('publish_job', { job_handle: world.job.id })
  assert.deepEqual([refused.isError, refused.error.code], [true, 'unknown_tool'])
  const headers = { authorization: `Bearer ${world.key.secret}`, 'content-type': 'application/json' }
  const body = JSON.stringify(buildCall('list_jobs'))
  const unknown = await fetch(`${world.service.origin}/mcp?groups=jbos`, { method: 'POST', headers, body })
  assert.equal(unknown.status, 400)
  assert.match(await unknown.text(), /unknown group jbos; there are .*jobs/)
})

test('MCP tools/call: lists: pages of previews, and next_cursor continues after the last row', async () => {
  const tenant = { service: world.service, ...(await newTenant(world.service)) }
  const ids: string[] = []
  for (let i = 0; i < 12; i++) ids.unshift((await apply(tenant)).id)
  const { call } = await connect(world.service, tenant.key)
  const first = await call('list_applications')
  assert.deepEqual([first.data.items.length, first.data.has_more], [10, true])
  assert.match(first.text, /^10 items, and there are more\.\nNext page: .* cursor=/)
  const second = await call('list_applications', { cursor: first.data.next_cursor })
  assert.deepEqual([second.data.items.length, second.data.has_more, second.data.next_cursor], [2, false, undefined])
  assert.deepEqual(
    [...first.data.items, ...second.data.items].map(row => row.id),
    ids,
  )
  const three = await call('list_applications', { limit: 3, status: ['new', 'in_review'] })
  assert.equal(three.data.items.length, 3)
})

test('MCP tools/call: writes go through the pipeline: scope, idempotency, events, and the origin of the change', async () => {
  const { call } = await connect(world.service, world.key)
  const { id } = await apply(world)
  const stage_id = world.job.stages[1]!
  const args = { application_handle: id, stage_id, idempotency_key: 'move-0001' }
  const moved = await call('move_application', args)
  assert.deepEqual([moved.isError, moved.data.stage_id], [false, stage_id])
  const repeated = await call('move_application', args)
  assert.equal(repeated.meta['hiring/idempotent_replayed'], true)
  assert.match(repeated.text, /Nothing was executed again/)
  const reused = await call('move_application', { ...args, stage_id: world.job.stages[2] })
  assert.equal(reused.error.code, 'idempotency_key_reused')
  // the same key over HTTP: one record of idempotency for both ways
  const replay = await world.service.post(
    `/applications/${id}/move`,
    world.key,
    { stage_id },
    {
      headers: { 'Idempotency-Key': 'move-0001' },
    },
  )
  assert.equal(replay.headers.get('idempotent-replayed'), 'true')
})

test('MCP tools/call: insufficient_scope: a write without its scope is refused with the scope and what to do', async () => {
  const key = await keyWith(['applications:read', 'applications:write'], { userEmail: await userEmail() })
  const { call } = await connect(world.service, key)
  const refused = await call('create_note', { application_handle: application.id, body: 'Hello' })
  assert.equal(refused.isError, true)
  const { error } = refused
  assert.deepEqual([error.code, error.required_scope], ['insufficient_scope', 'notes:write'])
  assert.match(refused.text, /^insufficient_scope: .*\nRequired scope: notes:write\.\n.+\nRequest id: req_/)
  const reader = await connect(world.service, await keyWith(['applications:read', 'applications:write']))
  const write = await reader.call('move_application', { application_handle: application.id, stage_id: 'x' })
  assert.equal(write.error.code, 'write_requires_api_key')
})

test('MCP tools/call: not_found: a record of another workspace looks like one that does not exist', async () => {
  const other = await connect(world.service, (await newTenant(world.service)).key)
  const foreign = await other.call('get_application', { application_handle: application.id })
  const missing = await other.call('get_application', { application_handle: `${application.id.slice(0, -4)}0000` })
  const strip = ({ text }: { text: string }) => text.replace(/req_\w+/, '')
  assert.equal(foreign.error.code, 'not_found')
  assert.equal(strip(foreign), strip(missing))
})

test('MCP tools/call: job_id and job_handle name the same argument; both together are refused', async () => {
  const { call } = await connect(world.service, world.key)
  const stages = await call('list_pipeline_stages', { job_id: world.job.id })
  assert.deepEqual([stages.isError, stages.data.items.length > 0], [false, true], stages.text)
  const [filtered, ofJob] = await Promise.all([
    call('list_applications', { job_handle: world.job.id }),
    call('list_job_applications', { job_id: world.job.id }),
  ])
  assert.deepEqual(filtered.data.items, ofJob.data.items)
  const read = await call('get_application', { application_id: application.id })
  assert.equal(read.data.id, application.id)
  const both = await call('list_pipeline_stages', { job_handle: world.job.id, job_id: world.job.id })
  assert.equal(both.error.code, 'invalid_request')
})

test('MCP tools/call: invalid_request: every wrong argument is named; nothing is changed', async () => {
  const { call } = await connect(world.service, world.key)
  const refused = await call('create_candidate_list', { name: '', colour: 'red' })
  assert.equal(refused.error.code, 'invalid_request')
  assert.deepEqual(refused.error.errors.map((fault: { param: string }) => fault.param).sort(), ['colour', 'name'])
  assert.match(refused.text, /- name: /)
  const unknown = await call('list_jobs', { departmant: 'Sales' })
  assert.match(unknown.text, /did you mean department\?/)
  const missing = await call('list_pipeline_stages', { job: world.job.id })
  assert.match(
    missing.text,
    /^[a-z_]+: .*\nlist_pipeline_stages needs job_handle\. Arguments of .*: job_handle, .*limit/,
  )
})

test('MCP tools/call: personal_data_quota_exceeded: values are charged, audited under the request id, and end with the budget', async () => {
  const tenant = { service: world.service, ...(await newTenant(world.service)) }
  const { applicant_id } = await apply(tenant, {}, { phone: '+14155550100' })
  const { call } = await connect(world.service, tenant.key)
  const shown = await call('get_applicant_contact_info', { applicant_handle: applicant_id })
  assert.equal(shown.meta['hiring/personal_data_cost'], 2)
  assert.match(shown.text, /Personal data: 2 charged, \d+ left today\./)
  const { db } = world.service.services
  const audit = await db.query(
    sql<{ request_id: string }>`select request_id from personal_data_reads where key_id = ${tenant.key.id}`,
  )
  assert.deepEqual(
    audit.map(row => row.request_id),
    [shown.meta['hiring/request_id'], shown.meta['hiring/request_id']],
  )
  await db.query(sql`update personal_data_usage set used = 99999 where key_id = ${tenant.key.id}`)
  const refused = await call('get_applicant_contact_info', { applicant_handle: applicant_id })
  assert.equal(refused.error.code, 'personal_data_quota_exceeded')
  assert.ok(refused.error.retry_after_seconds > 0)
  assert.ok(!refused.text.includes('example.org'))
})

test('POST /mcp: 429: each message costs one unit of the limit, whether or not it calls a tool', async () => {
  const { id } = await world.service.workspace('none') // 60 a minute
  const key = await world.service.key({ workspace: id })
  const headers = { authorization: `Bearer ${key.secret}`, 'mcp-protocol-version': '2025-11-25' }
  const remaining = async () => Number((await world.service.get('/me', key)).headers.get('ratelimit-remaining'))
  assert.equal(await remaining(), 59)
  const first = await post(world.service, buildCall('get_me'), headers)
  assert.deepEqual([first.status, first.headers.get('ratelimit-remaining')], [200, '58'])
  assert.match(first.headers.get('service-request-id')!, /^req_/)
  assert.equal(await remaining(), 57)
  assert.equal((await post(world.service, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)).status, 200)
  assert.equal(await remaining(), 55)
  assert.equal((await post(world.service, buildCall('no_such_tool'), headers)).status, 200)
  assert.equal(await remaining(), 53)
  // a call that is not well-formed reaches no endpoint
  assert.equal((await post(world.service, buildCall('get_me'), { ...headers, accept: 'text/plain' })).status, 406)
  assert.equal(await remaining(), 51)
  const { id: _, ...withoutId } = buildCall('get_me')
  assert.equal((await post(world.service, withoutId, headers)).status, 202)
  assert.equal(await remaining(), 49)
  const { call } = await connect(world.service, key, { mode: 'legacy' })
  while ((await remaining()) > 0);
  const limited = await call('get_me')
  assert.equal(limited.error.code, 'rate_limit_exceeded')
  assert.match(limited.text, /Wait \d+ seconds before the next call\./)
  const list = await post(world.service, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers)
  assert.equal(list.status, 429)
  assert.ok(Number(list.headers.get('retry-after')) > 0)
  clock.advance(61_000)
  assert.equal((await call('get_me')).isError, false)
  clock.reset()
})

test('POST /mcp: 401: a key that is revoked in the middle of a conversation, with the place of the metadata', async () => {
  const key = await keyWith(['jobs:read'])
  const { call } = await connect(world.service, key)
  assert.equal((await call('list_jobs')).isError, false)
  await revokeKey(world.service.services.db, key.id)
  await assert.rejects(call('list_jobs'), /unauthenticated/)
  const refused = await post(world.service, buildCall('list_jobs'), { authorization: `Bearer ${key.secret}` })
  assert.equal(refused.status, 401)
  assert.equal(
    refused.headers.get('www-authenticate'),
    `Bearer resource_metadata="${world.service.services.publicUrl}/.well-known/oauth-protected-resource/mcp"`,
  )
  const bad = { authorization: `Bearer ${key.secret}` }
  for (const body of [buildCall('list_jobs'), { jsonrpc: '2.0', id: 1, method: 'tools/list' }, 'no JSON']) {
    assert.equal((await post(world.service, body)).status, 401)
    assert.equal((await post(world.service, body, { ...bad, accept: 'text/plain' })).status, 401)
  }
})

test('MCP tools/call: a key of several workspaces names one with each call', async () => {
  const { id: second } = await world.service.workspace('enterprise')
  const key = await world.service.key({ workspace: world.workspace, reach: [world.workspace, second] })
  const { client, call } = await connect(world.service, key)
  const jobs = (await client.listTools()).tools.find(tool => tool.name === 'list_jobs')!
  assert.deepEqual(jobs.inputSchema.required, ['workspace_id'])
  const unnamed = await call('list_jobs')
  assert.equal(unnamed.error.code, 'workspace_id_required')
  const [mine, empty] = [
    await call('list_jobs', { workspace_id: world.workspace }),
    await call('list_jobs', { workspace_id: second }),
  ]
  assert.deepEqual([mine.data.items.length > 0, empty.data.items.length], [true, 0])
})

test('POST /mcp: 403: a page of another origin; 200: our own, and programs without one', async () => {
  const authorization = `Bearer ${world.key.secret}`
  for (const origin of ['https://evil.example', 'http://127.0.0.1:1', 'null', `${world.service.origin}.evil.example`]) {
    const refused = await post(world.service, buildCall('get_me'), { authorization, origin })
    assert.equal(refused.status, 403, origin)
    assert.equal(refused.headers.get('access-control-allow-origin'), null)
  }
  const own = await post(world.service, buildCall('get_me'), {
    authorization,
    origin: world.service.services.publicUrl,
  })
  assert.equal(own.status, 200)
})

test('/mcp: 405: GET and DELETE, since there are no sessions; 413, 400 and 404: large, broken and unknown messages', async () => {
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await fetch(`${world.service.origin}/mcp`, { method, headers: { accept: 'text/event-stream' } })
    assert.equal(refused.status, 405, method)
    assert.equal(refused.headers.get('allow'), 'POST')
  }
  const headers = { authorization: `Bearer ${world.key.secret}` }
  assert.equal((await post(world.service, buildCall('get_me', { x: 'x'.repeat(300_000) }), headers)).status, 413)
  assert.equal((await post(world.service, '{"jsonrpc"', headers)).status, 400)
  assert.equal((await post(world.service, [buildCall('get_me')], headers)).status, 400)
  const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} }
  assert.equal((await post(world.service, listen, headers)).status, 404)
})

test('POST /mcp: log and request log have each call with its route, and no argument that could be personal', async () => {
  const { call } = await connect(world.service, world.key)
  const { meta } = await call('list_jobs', { q: 'welder of secrets' })
  const id = String(meta['hiring/request_id'])
  const { body } = await world.service.get(`/requests/${id}`, world.key)
  assert.deepEqual([body.method, body.route, body.status, body.params.q], ['GET', '/jobs', 200, null])
  assert.equal((await call('get_request', { request_id: id })).data.route, '/jobs')
  assert.ok(!world.service.logLines.join('\n').includes('welder'))
})

test('MCP rank_applicants: finds and moves the best of a hundred applicants of a job in five calls', async () => {
  const tenant = { service: world.service, ...(await newTenant(world.service)) }
  const { db } = world.service.services
  await db.query(sql`
    with people as (
      insert into applicants (workspace_id, id, full_name, origin, acquisition, consent_basis)
      select ${tenant.workspace}, 'apl_1m8x2c4e6g8j' || to_char(n, 'FM00000000'), 'Person ' || n, 'applicant',
        'inbound_application', 'candidate_submitted' from generate_series(1, 100) n
      returning id, right(id, 8) as tail
    ), made as (
      insert into applications (workspace_id, id, job_id, applicant_id, stage_id, status, source)
      select ${tenant.workspace}, 'app_1m8x2c4e6g8j' || tail, ${tenant.job.id}, id, ${tenant.job.stages[0]}, 'new', 'test'
      from people returning id, right(id, 8)::integer as n
    )
    insert into application_scores (workspace_id, application_id, match_pct, gaps, model_version)
    select ${tenant.workspace}, id, n - 1, '[]', 'rules-1' from made`)
  const { call } = await connect(world.service, tenant.key)
  const jobs = await call('list_jobs', { q: 'engineer' })
  const job_handle = jobs.data.items[0].id
  const ranked = await call('rank_applicants', { job_handle, limit: 25, min_score: 50 })
  assert.deepEqual(
    ranked.data.items.map((row: { included: { score: { match_pct: number } } }) => row.included.score.match_pct),
    Array.from({ length: 25 }, (_, i) => 99 - i),
  )
  const [best] = ranked.data.items
  assert.deepEqual(Object.keys(best), ['id', 'applicant_id', 'status', 'applied_at', 'updated_at', 'included'])
  assert.equal(best.included.applicant.untrusted.full_name, 'Person 100')
  assert.equal(best.included.stage.type, 'applied')
  const application = await call('get_application', { application_handle: best.id })
  const stages = await call('list_pipeline_stages', { job_handle })
  const moved = await call('move_application', { application_handle: best.id, stage_id: stages.data.items[1].id })
  assert.deepEqual([application.data.id, moved.data.stage_id], [best.id, stages.data.items[1].id])

  const next = await call('rank_applicants', {
    job_handle,
    cursor: (await call('rank_applicants', { job_handle })).data.next_cursor,
  })
  assert.equal(next.data.items[0].included.score.match_pct, 89)
  const refused = await call('rank_applicants', { job_handle, include: ['contact_info'] })
  assert.match(refused.text, /Arguments of rank_applicants: job_handle, limit, cursor, min_score, status/)
})

test('MCP rank_applicants: without applicants:read no one is named; limit is 25 at most', async () => {
  await apply(world, {}, { first_name: 'Radia', last_name: 'Perlman' })
  const { call } = await connect(world.service, await keyWith(['applications:read', 'jobs:read']))
  const { text, data } = await call('rank_applicants', { job_handle: world.job.id })
  assert.doesNotMatch(text, /Perlman/)
  assert.ok(data.restricted.includes('included.applicant'))
  const refused = await call('rank_applicants', { job_handle: world.job.id, limit: 26 })
  assert.equal(refused.isError, true)
})

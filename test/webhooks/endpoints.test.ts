import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import type { ResolveName } from '../../src/kernel/net/resolve-name.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { revokeKey } from '../../src/resources/keys/index.ts'
import { testNames } from '../harness/receiver.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

/** Names that lead to public addresses; nothing is ever sent in this file, since no worker runs. */
const names: Record<string, string[]> = {
  'partner.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'other.example.com': ['8.8.8.8'],
  'turning.example.com': ['8.8.4.4'],
}
let nameServer = Promise.resolve()
const resolveName: ResolveName = async (hostname, opts) => {
  if (hostname === 'slow.many.example.com') await nameServer
  return hostname.endsWith('.many.example.com') ? ['8.8.8.8'] : testNames(names)(hostname, opts)
}
const service = await startTestService({ ROLES: 'api' }, { resolveName })
const { db } = service.services

const fresh = async (plan: 'starter' | 'enterprise' = 'enterprise') => {
  const { id: workspace, userEmail } = await service.workspace(plan)
  return { workspace, userEmail, key: await service.key({ workspace, userEmail }) }
}
const { workspace, userEmail, key } = await fresh()
let counter = 0
const someUrl = () => `https://h${++counter}.many.example.com/hook`
const create = (by = key, extra: object = {}) =>
  service.post('/webhooks/endpoints', by, { url: someUrl(), event_types: ['job.published'], ...extra })

const refused = (response: TestResponse, status: number, code: string, param: string | null = null) => {
  assert.equal(response.status, status, response.text)
  assert.equal(response.body.detail.code, code)
  assert.equal(response.body.detail.param, param)
}

const READ_FIELDS = [
  'object',
  'id',
  'url',
  'description',
  'event_types',
  'enabled',
  'disabled_at',
  'disabled_reason',
  'signing_secret_version',
  'signing_secret_rotated_at',
  'previous_secret_expires_at',
  'consecutive_failures',
  'last_success_at',
  'last_failure_at',
  'created_at',
  'signature_scheme',
]

test('webhook endpoints: 201: the endpoint with its secret, once; reads never return it, and it is stored sealed', async () => {
  const url = 'https://partner.example.com/hook?x=1'
  const made = await create(key, {
    url,
    event_types: ['job.published', 'job.closed', 'job.published'],
    description: 'd',
  })
  assert.equal(made.status, 201)
  const { signing_secret: secret, ...rest } = made.body
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(Object.keys(rest), READ_FIELDS)
  assert.equal(rest.url, url)
  assert.deepEqual(rest.event_types, ['job.published', 'job.closed'])
  assert.equal(rest.enabled, true)
  assert.equal(rest.signing_secret_version, 1)
  assert.deepEqual(Object.keys(rest.signature_scheme), ['header', 'format', 'algorithm', 'tolerance_seconds', 'note'])
  assert.equal(rest.signature_scheme.header, 'Service-Signature')
  assert.equal(rest.signature_scheme.tolerance_seconds, 300)
  const read = await service.get(`/webhooks/endpoints/${rest.id}`, key)
  assert.deepEqual(read.body, rest)
  const stored = await db.query(
    sql<{ sealed: Buffer }>`select sealed from webhook_secrets where endpoint_id = ${rest.id}`,
  )
  assert.equal(stored.length, 1)
  assert.ok(!stored[0]!.sealed.includes(secret.slice(6, 30)))
})

test('webhook endpoints: Idempotency-Key: a repeat of creation or rotation shows signing_secret null and changes nothing', async () => {
  const body = { url: someUrl(), event_types: ['job.published'] }
  const headers = { 'idempotency-key': 'create-endpoint-1' }
  const first = await service.post('/webhooks/endpoints', key, body, { headers })
  const again = await service.post('/webhooks/endpoints', key, body, { headers })
  assert.equal(again.status, 201)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, { ...first.body, signing_secret: null })
  const path = `/webhooks/endpoints/${first.body.id}/rotate-secret`
  const rotated = await service.post(path, key, {}, { headers })
  const repeated = await service.post(path, key, {}, { headers })
  assert.equal(repeated.body.signing_secret, null)
  assert.equal(rotated.body.signing_secret_version, 2)
  assert.equal((await service.get(`/webhooks/endpoints/${first.body.id}`, key)).body.signing_secret_version, 2)
})

test('webhook endpoints: Idempotency-Key: a repeat gets the first response, also when the URL would now be refused', async () => {
  const body = { url: 'https://turning.example.com/', event_types: ['job.published'] }
  const headers = { 'idempotency-key': 'turning-0001' }
  const first = await service.post('/webhooks/endpoints', key, body, { headers })
  assert.equal(first.status, 201)
  names['turning.example.com'] = ['10.0.0.1']
  assert.equal((await service.post('/webhooks/endpoints', key, body, { headers })).status, 201)
  const { id } = first.body
  assert.equal((await service.post(`/webhooks/endpoints/${id}/disable`, key)).status, 200)
  refused(await service.post(`/webhooks/endpoints/${id}/enable`, key), 400, 'webhook_url_not_allowed', 'url')
  assert.equal((await service.get(`/webhooks/endpoints/${id}`, key)).body.enabled, false)
})

test('webhook endpoints: 400 webhook_url_not_allowed: every rule of the URL, at creation and at update', async () => {
  names['mixed.example.com'] = ['8.8.8.8', '10.0.0.1']
  names['mapped.example.com'] = ['::ffff:8.8.8.8']
  const bad = [
    'http://partner.example.com/',
    'ftp://partner.example.com/',
    'partner.example.com',
    'https://user@partner.example.com/',
    'https://user:pw@partner.example.com/',
    'https://@partner.example.com/',
    'https://partner.example.com/#part',
    'https://partner.example.com/#',
    'https://partner.example.com:444/',
    'https://partner.example.com:80/',
    'https://partner.example.com./',
    'https://localhost/',
    'https://api.localhost/',
    'https://intranet/',
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://[::1]/',
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://１２７.0.0.1/',
    'https://partner。example。com/',
    'https:\\\\partner.example.com/',
    'https://partner.example.com\\@8.8.8.8/',
    'https://partner.example.com/a b',
    'https://pArtner.example.com/\t',
    'https://%70artner.example.com/',
    'https://unknown.example.com/',
    'https://mixed.example.com/',
    'https://mapped.example.com/',
    'https:///partner.example.com/',
    // the demo's own receiver, which a service without the demo does not have
    'https://receiver.demo.example/200',
    `https://partner.example.com/${'x'.repeat(2048 - 'https://partner.example.com/'.length + 1)}`,
  ]
  const { body } = await create()
  for (const url of bad) {
    refused(await create(key, { url }), 400, 'webhook_url_not_allowed', 'url')
    refused(await service.post(`/webhooks/endpoints/${body.id}`, key, { url }), 400, 'webhook_url_not_allowed', 'url')
  }
  assert.equal((await service.get(`/webhooks/endpoints/${body.id}`, key)).body.url, body.url)
})

test('webhook endpoints: 400 webhook_url_not_allowed: a name without addresses is distinguished from one with a private address', async () => {
  names['inside.example.com'] = ['10.0.0.1']
  const said = async (name: string) =>
    (await create(key, { url: `https://${name}.example.com/` })).body.detail.message as string
  assert.match(await said('inside'), /resolves to a private IP address/)
  assert.equal(await said('mixed'), await said('inside'))
  assert.match(await said('unknown'), /does not resolve/)
  assert.doesNotMatch(await said('inside'), /10\.0/)
})

test('webhook endpoints: 201: ports 443 and 8443, 2048 characters, upper case; one spelling is stored', async () => {
  const own = await fresh()
  const long = `https://partner.example.com/${'x'.repeat(2048 - 'https://partner.example.com/'.length)}`
  const good: [string, string][] = [
    ['HTTPS://Partner.Example.COM', 'https://partner.example.com/'],
    ['https://partner.example.com:8443/a', 'https://partner.example.com:8443/a'],
    ['https://other.example.com:443/a', 'https://other.example.com/a'],
    ['https://other.example.com/b?', 'https://other.example.com/b'],
    [long, long],
  ]
  for (const [url, stored] of good) {
    const made = await create(own.key, { url })
    assert.equal(made.status, 201, url)
    assert.equal(made.body.url, stored)
  }
  for (const url of [
    'https://partner.example.com:443',
    'https://partner.example.com/?',
    'https://other.example.com/a?',
  ])
    refused(await create(own.key, { url }), 409, 'webhook_endpoint_exists', 'url')
})

test('webhook endpoints: 400 invalid_event_type, event_type_not_permitted and invalid_request: event_types', async () => {
  const narrow = await service.key({ workspace, userEmail, scopes: ['webhooks:write', 'events:read', 'jobs:read'] })
  refused(
    await create(key, { event_types: ['job.published', 'job.exploded'] }),
    400,
    'invalid_event_type',
    'event_types[1]',
  )
  refused(await create(key, { event_types: ['ping'] }), 400, 'invalid_event_type', 'event_types[0]')
  const types = ['job.published', 'applicant.created']
  refused(await create(narrow, { event_types: types }), 400, 'event_type_not_permitted', 'event_types[1]')
  refused(await create(key, { event_types: [] }), 400, 'invalid_request', 'event_types')
  refused(await create(key, { event_types: undefined }), 400, 'invalid_request', 'event_types')
  refused(await create(key, { event_types: Array(41).fill('job.published') }), 400, 'invalid_request', 'event_types')
  refused(await create(key, { url: undefined }), 400, 'invalid_request', 'url')
  refused(await create(key, { secret: 'x' }), 400, 'invalid_request', 'secret')
  refused(await create(key, { description: 'x'.repeat(501) }), 400, 'invalid_request', 'description')
  const all = await create(key, { event_types: EVENT_TYPES, description: 'x'.repeat(500) })
  assert.equal(all.status, 201)
  assert.deepEqual(all.body.event_types.toSorted(), EVENT_TYPES.toSorted())
  const withoutEvents = await service.key({ workspace, userEmail, scopes: ['webhooks:write', 'jobs:read'] })
  refused(await create(withoutEvents), 400, 'event_type_not_permitted', 'event_types[0]')
  const scopes = ['webhooks:write', 'events:read', 'orders:fulfill']
  const vendor = await service.key({ workspace, userEmail, scopes })
  const people = await create(vendor, { event_types: ['order.created', 'data_subject.suppression_applied'] })
  refused(people, 400, 'event_type_not_permitted', 'event_types[1]')
  assert.match(people.body.detail.errors[0].message, /a key of a vendor reads GET \/suppressions instead/)
})

test('webhook endpoints: 409 webhook_endpoint_exists: per key and workspace, disabled ones included; another key may', async () => {
  const own = await fresh()
  const url = someUrl()
  const { body } = await create(own.key, { url })
  refused(await create(own.key, { url }), 409, 'webhook_endpoint_exists', 'url')
  await service.post(`/webhooks/endpoints/${body.id}/disable`, own.key)
  refused(await create(own.key, { url }), 409, 'webhook_endpoint_exists', 'url')
  const second = await service.key({ workspace: own.workspace, userEmail: own.userEmail })
  assert.equal((await create(second, { url })).status, 201)
  const third = await create(own.key)
  refused(
    await service.post(`/webhooks/endpoints/${third.body.id}`, own.key, { url }),
    409,
    'webhook_endpoint_exists',
    'url',
  )
  assert.equal((await service.post(`/webhooks/endpoints/${body.id}`, own.key, { url })).status, 200)
})

test('webhook endpoints: 409 webhook_endpoint_limit_reached: 10 enabled per key and 20 per workspace, also when created at the same time', async () => {
  const own = await fresh()
  const status = (responses: TestResponse[]) => responses.filter(response => response.status === 201).length
  const at = async (by: typeof key, times: number) => Promise.all(Array.from({ length: times }, () => create(by)))
  const first = await at(own.key, 14)
  assert.equal(status(first), 10)
  for (const response of first.filter(a => a.status !== 201)) refused(response, 409, 'webhook_endpoint_limit_reached')
  const others = await Promise.all(
    [1, 2].map(() => service.key({ workspace: own.workspace, userEmail: own.userEmail })),
  )
  const both = (await Promise.all(others.map(other => at(other, 8)))).flat()
  assert.equal(status(both), 10)
  const { id } = first.find(response => response.status === 201)!.body
  await service.post(`/webhooks/endpoints/${id}/disable`, own.key)
  assert.equal((await create(own.key)).status, 201)
  refused(await service.post(`/webhooks/endpoints/${id}/enable`, own.key), 409, 'webhook_endpoint_limit_reached')
})

test('webhook endpoints: 409 webhook_endpoint_limit_reached: 100 per key including disabled, over all workspaces of the key', async () => {
  const own = await fresh()
  const second = await service.workspace('enterprise')
  const wide = await service.key({
    workspace: own.workspace,
    userEmail: own.userEmail,
    reach: [own.workspace, second.id],
  })
  await db.query(sql`
    insert into webhook_endpoints (workspace_id, id, key_id, url, event_types, enabled)
    select ${second.id}, gen_random_uuid(), ${wide.id}, 'https://x.example.com/' || n, '{job.published}', false
    from generate_series(1, 99) n`)
  const at = `/webhooks/endpoints?workspace_id=${own.workspace}`
  const body = () => ({ url: someUrl(), event_types: ['job.published'] })
  assert.equal((await service.post(at, wide, body())).status, 201)
  refused(await service.post(at, wide, body()), 409, 'webhook_endpoint_limit_reached')
})

test('webhook endpoints: endpoints are per workspace addressed: a key of several sees those of the one it names', async () => {
  const own = await fresh()
  const second = await service.workspace('enterprise')
  const wide = await service.key({ workspace: own.workspace, userEmail: own.userEmail, reach: 'all' })
  refused(await create(wide), 400, 'workspace_id_required', 'workspace_id')
  const made = await service.post(`/webhooks/endpoints?workspace_id=${second.id}`, wide, {
    url: someUrl(),
    event_types: ['job.published'],
  })
  assert.equal(made.status, 201)
  const list = (of: string) => service.get(`/webhooks/endpoints?workspace_id=${of}`, wide)
  assert.equal((await list(second.id)).body.data.length, 1)
  assert.equal((await list(own.workspace)).body.data.length, 0)
  assert.equal(
    (await service.get(`/webhooks/endpoints/${made.body.id}?workspace_id=${own.workspace}`, wide)).status,
    404,
  )
})

test('webhook endpoints: the list: newest first, in pages, of the calling key alone', async () => {
  const own = await fresh()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift((await create(own.key)).body.id)
  const second = await service.key({ workspace: own.workspace, userEmail: own.userEmail })
  assert.deepEqual((await service.get('/webhooks/endpoints', second)).body.data, [])
  const first = await service.get('/webhooks/endpoints?limit=3', own.key)
  const rest = await service.get(`/webhooks/endpoints?limit=3&cursor=${first.body.next_cursor}`, own.key)
  const seen = [...first.body.data, ...rest.body.data]
  assert.deepEqual(
    seen.map(row => row.id),
    ids,
  )
  assert.ok(seen.every(row => !('signing_secret' in row)))
})

test("webhook endpoints: 404: another key's endpoint, another workspace's, a missing and a malformed one, on every path", async () => {
  const { id } = (await create()).body
  const sameWorkspace = await service.key({ workspace, userEmail })
  const stranger = (await fresh()).key
  const paths: [string, object?][] = [
    ['', { description: 'x' }],
    ['/rotate-secret'],
    ['/disable'],
    ['/enable'],
    ['/test'],
    ['/recover', { after: 0 }],
  ]
  const missing = randomUUID()
  const cases = [
    [id, sameWorkspace],
    [id, stranger],
    [missing, key],
    ['nonsense', key],
  ] as const
  const bodies = new Set<string>()
  for (const [handle, by] of cases) {
    const responses = [await service.get(`/webhooks/endpoints/${handle}`, by)]
    for (const [path, body] of paths)
      responses.push(await service.post(`/webhooks/endpoints/${handle}${path}`, by, body))
    for (const response of responses) {
      refused(response, 404, 'not_found')
      bodies.add(JSON.stringify({ ...response.body.detail, request_id: '' }))
    }
  }
  assert.equal(bodies.size, 1)
  assert.equal((await service.get(`/webhooks/endpoints/${id}`, key)).body.enabled, true)
})

test('webhook endpoints: 403 for missing scopes, keys without a user, and webhooks_self_serve_disabled', async () => {
  const own = await fresh()
  const { id } = (await create(own.key)).body
  const reader = await service.key({ workspace: own.workspace, userEmail: own.userEmail, scopes: ['webhooks:read'] })
  const refusedScope = await create(reader)
  refused(refusedScope, 403, 'insufficient_scope')
  assert.equal(refusedScope.body.detail.required_scope, 'webhooks:write')
  const writer = await service.key({ workspace: own.workspace, userEmail: own.userEmail, scopes: ['webhooks:write'] })
  assert.equal((await service.get('/webhooks/endpoints', writer)).body.detail.required_scope, 'webhooks:read')
  refused(await create(await service.key({ workspace: own.workspace })), 403, 'write_requires_api_key')
  await db.query(sql`update workspace_settings set webhooks_self_serve = false where workspace_id = ${own.workspace}`)
  refused(await create(own.key), 403, 'webhooks_self_serve_disabled')
  const call = (path: string, body?: object) => service.post(`/webhooks/endpoints/${id}${path}`, own.key, body)
  refused(await call('', { description: 'x' }), 403, 'webhooks_self_serve_disabled')
  refused(await call('/enable'), 403, 'webhooks_self_serve_disabled')
  // what is registered stays in its owner's hands: a leaked secret or a receiver in trouble cannot wait
  assert.equal((await call('/test')).status, 202)
  assert.equal((await call('/recover', { after: 0 })).status, 202)
  assert.equal((await call('/rotate-secret')).body.signing_secret_version, 2)
  assert.equal((await call('/disable')).body.enabled, false)
  refused(await call('/enable'), 403, 'webhooks_self_serve_disabled')
  assert.equal((await service.get(`/webhooks/endpoints/${id}`, own.key)).status, 200)
})

test('webhook endpoints: update: each field alone; null clears the description; nothing else moves', async () => {
  const own = await fresh()
  const made = (await create(own.key, { description: 'first' })).body
  const path = `/webhooks/endpoints/${made.id}`
  const { signing_secret: _, ...shown } = made
  const renamed = await service.post(path, own.key, { description: null })
  assert.deepEqual(renamed.body, { ...shown, description: null })
  const retyped = await service.post(path, own.key, { event_types: ['list.created'] })
  assert.deepEqual(retyped.body, { ...shown, description: null, event_types: ['list.created'] })
  const url = someUrl()
  const moved = await service.post(path, own.key, { url })
  assert.deepEqual(moved.body, { ...retyped.body, url })
  assert.deepEqual((await service.post(path, own.key, {})).body, moved.body)
  refused(await service.post(path, own.key, { event_types: [] }), 400, 'invalid_request', 'event_types')
  refused(await service.post(path, own.key, { enabled: false }), 400, 'invalid_request', 'enabled')
})

test('webhook endpoints: rotate-secret: version and time move, overlap of 24 hours by default, 0 to 604800', async () => {
  const own = await fresh()
  const { id } = (await create(own.key)).body
  const path = `/webhooks/endpoints/${id}/rotate-secret`
  const first = await service.post(path, own.key)
  assert.equal(first.status, 200)
  assert.equal(first.body.signing_secret_version, 2)
  const left = Date.parse(first.body.previous_secret_expires_at) - Date.parse(first.body.signing_secret_rotated_at)
  assert.equal(left, 86_400_000)
  const secrets = () => db.query(sql`select 1 from webhook_secrets where endpoint_id = ${id}::uuid`)
  const second = await service.post(path, own.key, { overlap_seconds: 604_800 })
  assert.notEqual(second.body.signing_secret, first.body.signing_secret)
  assert.equal((await secrets()).length, 2)
  const third = await service.post(path, own.key, { overlap_seconds: 0 })
  assert.equal(third.body.previous_secret_expires_at, null)
  assert.equal((await secrets()).length, 1)
  for (const bad of [-1, 604_801, 1.5, '10']) {
    refused(await service.post(path, own.key, { overlap_seconds: bad }), 400, 'invalid_request', 'overlap_seconds')
  }
  await service.post(path, own.key, { overlap_seconds: 60 })
  clock.advance(61_000)
  assert.equal((await service.get(`/webhooks/endpoints/${id}`, own.key)).body.previous_secret_expires_at, null)
  clock.reset()
})

test('webhook endpoints: disable and enable: reason manual, repeatable, failures forgotten', async () => {
  const own = await fresh()
  const { id } = (await create(own.key)).body
  const path = `/webhooks/endpoints/${id}`
  const off = await service.post(`${path}/disable`, own.key)
  assert.equal(off.body.enabled, false)
  assert.equal(off.body.disabled_reason, 'manual')
  assert.ok(off.body.disabled_at)
  assert.deepEqual((await service.post(`${path}/disable`, own.key)).body, off.body)
  refused(await service.post(`${path}/test`, own.key), 409, 'webhook_endpoint_disabled')
  refused(await service.post(`${path}/recover`, own.key, { after: 0 }), 409, 'webhook_endpoint_disabled')
  await db.query(
    sql`update webhook_endpoints set consecutive_failures = 7, first_failure_at = app_now() where id = ${id}::uuid`,
  )
  const on = await service.post(`${path}/enable`, own.key)
  assert.equal(on.body.enabled, true)
  assert.equal(on.body.disabled_at, null)
  assert.equal(on.body.disabled_reason, null)
  assert.equal(on.body.consecutive_failures, 0)
  assert.deepEqual((await service.post(`${path}/enable`, own.key)).body, on.body)
})

test('webhook endpoints: a revoked key: its endpoints are disabled as key_revoked in the same transaction, in every workspace', async () => {
  const own = await fresh()
  const second = await service.workspace('enterprise')
  const wide = await service.key({
    workspace: own.workspace,
    userEmail: own.userEmail,
    reach: [own.workspace, second.id],
  })
  for (const at of [own.workspace, second.id]) {
    const made = await service.post(`/webhooks/endpoints?workspace_id=${at}`, wide, {
      url: someUrl(),
      event_types: ['job.published'],
    })
    assert.equal(made.status, 201)
  }
  await revokeKey(db, wide.id)
  const rows = await db.query(sql`select enabled, disabled_reason from webhook_endpoints where key_id = ${wide.id}`)
  assert.deepEqual(rows, Array(2).fill({ enabled: false, disabled_reason: 'key_revoked' }))
})

test('webhook endpoints: a slow name server delays no other caller: its callers wait without a database connection', async () => {
  const own = await fresh()
  let response = () => {}
  nameServer = new Promise(resolve => {
    response = resolve
  })
  const slow = Array.from({ length: 30 }, (_, i) => create(own.key, { url: `https://slow.many.example.com/${i}` }))
  await Promise.race([delay(200), ...slow])
  assert.equal((await create()).status, 201)
  response()
  const statuses = (await Promise.all(slow)).map(result => result.status)
  assert.equal(statuses.filter(status => status === 201).length, 10)
  assert.ok(statuses.every(status => status === 201 || status === 409))
})

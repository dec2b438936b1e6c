import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import type { IssuedKey } from '../../src/resources/keys/index.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, type Receiver, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { type Person, signedIn } from './setup.ts'

let service: TestService
let receiver: Receiver
let workspace: string
let owner: Person
let key: IssuedKey

before(async () => {
  receiver = await startReceiver()
  service = await startTestService(
    { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE },
    { resolveName: testNames() },
  )
  workspace = (await service.workspace()).id
  owner = await signedIn(service, workspace)
  key = await service.key({ workspace, userEmail: owner.email })
})

const at = (path: string) => `https://${receiver.host}${path}`

const register = async (path: string, types = ['job.updated'], extra: object = {}) => {
  const url = at(path)
  return owner.post('/webhooks', { key_id: key.id, url, event_types: types, description: null, ...extra })
}

const deliveries = async (query: string) => (await owner.get(`/deliveries?${query}`)).body.data

const settled = (query: string, count: number, status = 'delivered') =>
  until(`${count} ${status}`, async () => (await deliveries(`${query}&status=${status}`)).length === count)

test('console webhooks: a registered endpoint receives events; the log shows the delivery, its attempts and the bytes that were sent', async () => {
  const { status, body } = await register('/first')
  assert.equal(status, 200)
  assert.match(body.signing_secret, /^whsec_/)
  assert.deepEqual(body.endpoint.key, { id: key.id, name: key.name })
  const { id } = body.endpoint
  await emit(service.services.db, workspace, ['job.updated', 'job.closed'])
  await settled(`endpoint_id=${id}`, 1)
  const [row] = await deliveries(`endpoint_id=${id}`)
  const detail = (await owner.get(`/deliveries/${row.id}`)).body
  assert.equal(detail.attempts.length, 1)
  assert.equal(detail.attempts[0].response_status, 200)
  assert.equal(detail.attempts[0].response_body, 'ok')
  assert.equal(detail.endpoint.url, body.endpoint.url)
  assert.equal(detail.payload, receiver.received.find(got => got.path === '/first')!.body)
  const [listed] = (await owner.get('/webhooks')).body.data
  assert.ok(!('signing_secret' in listed))
  assert.ok(listed.last_success_at)
})

test('console webhooks: the log is narrowed by endpoint, type, state, response, event and time, and pages through all of it once', async () => {
  const one = (await register('/a', ['job.updated'])).body.endpoint.id
  const two = (await register('/b', ['job.updated', 'job.closed'])).body.endpoint.id
  receiver.respond = (request, response) => void response.writeHead(request.url === '/b' ? 500 : 200).end()
  await emit(service.services.db, workspace, ['job.updated', 'job.updated', 'job.closed'])
  await settled(`endpoint_id=${one}`, 2)
  await settled(`endpoint_id=${two}`, 3, 'retrying')
  assert.equal((await deliveries(`endpoint_id=${two}&event_type=job.closed`)).length, 1)
  assert.equal((await deliveries(`endpoint_id=${two}&response_status=5xx`)).length, 3)
  assert.equal((await deliveries(`endpoint_id=${two}&response_status=200`)).length, 0)
  const [some] = await deliveries(`endpoint_id=${one}`)
  const ofEvent = await deliveries(`event_id=${some.event_id}`)
  assert.deepEqual(ofEvent.map((row: { endpoint_id: string }) => row.endpoint_id).includes(two), true)
  assert.equal(
    (await deliveries(`created_after=${encodeURIComponent(some.created_at)}&endpoint_id=${one}`)).length <= 1,
    true,
  )
  assert.equal((await deliveries('created_before=2020-01-01T00:00:00Z')).length, 0)

  const whole = (await deliveries('limit=200')).map((row: { id: string }) => row.id)
  const paged: string[] = []
  let cursor = ''
  do {
    const { body } = await owner.get(`/deliveries?limit=2${cursor}`)
    paged.push(...body.data.map((row: { id: string }) => row.id))
    cursor = body.next_cursor ? `&cursor=${body.next_cursor}` : ''
  } while (cursor)
  assert.deepEqual(paged, whole)
  receiver.respond = (_request, response) => void response.end()
})

test('console webhooks: a test, a redelivery, a rotation, a change: each acts for the key that the endpoint belongs to', async () => {
  const { endpoint, signing_secret } = (await register('/acts')).body
  const ping = await owner.post(`/webhooks/${endpoint.id}/test`)
  assert.equal(ping.status, 200)
  assert.equal(ping.body.event_type, 'ping')
  await settled(`endpoint_id=${endpoint.id}`, 1)
  const again = await owner.post(`/deliveries/${ping.body.id}/redeliver`)
  assert.notEqual(again.body.id, ping.body.id)
  await settled(`endpoint_id=${endpoint.id}`, 2)

  const rotated = await owner.post(`/webhooks/${endpoint.id}/rotate`, { overlap_seconds: 3600 })
  assert.notEqual(rotated.body.signing_secret, signing_secret)
  assert.equal(rotated.body.endpoint.signing_secret_version, 2)
  assert.ok(rotated.body.endpoint.previous_secret_expires_at)

  const changed = await owner.post(`/webhooks/${endpoint.id}`, {
    url: endpoint.url,
    event_types: ['job.closed'],
    description: 'Closings',
  })
  assert.deepEqual(changed.body.event_types, ['job.closed'])
  assert.equal(changed.body.description, 'Closings')
})

test('console webhooks: disabled, enabled, recovered since a time: what was missed is queued, what was acknowledged is not', async () => {
  const { id } = (await register('/recover')).body.endpoint
  await emit(service.services.db, workspace, ['job.updated'])
  await settled(`endpoint_id=${id}`, 1)
  assert.equal((await owner.post(`/webhooks/${id}/disable`)).body.disabled_reason, 'manual')
  const refused = await owner.post(`/webhooks/${id}/test`)
  assert.equal(refused.body.detail.code, 'webhook_endpoint_disabled')
  await emit(service.services.db, workspace, ['job.updated', 'job.updated'])
  await until('sequenced', async () => (await owner.get('/events?type=job.updated')).body.data.length >= 3)
  assert.equal((await owner.post(`/webhooks/${id}/enable`)).body.enabled, true)
  const since = new Date(clock.now() - 3_600_000).toISOString()
  const recovered = await owner.post(`/webhooks/${id}/recover`, { since })
  assert.equal(recovered.status, 200)
  assert.equal(recovered.body.has_more, false)
  const missed = recovered.body.queued
  assert.ok(missed >= 2)
  await settled(`endpoint_id=${id}`, missed + 1)
  assert.equal((await owner.post(`/webhooks/${id}/recover`, { since })).body.queued, 0)
  assert.equal((await owner.post(`/webhooks/${id}/recover`, { since: 'yesterday' })).body.detail.param, 'since')
})

test('console webhooks: without chosen types an endpoint gets every type that its key may read, and can be changed to some and back', async () => {
  const { endpoint } = (await register('/every', [])).body
  const { id } = endpoint
  assert.deepEqual(endpoint.event_types, [])
  const change = async (event_types: string[]) =>
    (await owner.post(`/webhooks/${id}`, { url: at('/every'), event_types, description: null })).body.event_types
  assert.deepEqual(await change(['job.closed']), ['job.closed'])
  assert.deepEqual(await change([]), [])
  await emit(service.services.db, workspace, ['job.updated', 'list.created'])
  await settled(`endpoint_id=${id}`, 2)
  const sent = (await deliveries(`endpoint_id=${id}`)).map((row: { event_type: string }) => row.event_type)
  assert.deepEqual(sent.sort(), ['job.updated', 'list.created'])
})

test('console webhooks: a person may register where the API may not: webhooks_self_serve governs the API alone', async () => {
  const set = (on: boolean) =>
    service.services.db.query(
      sql`update workspace_settings set webhooks_self_serve = ${on} where workspace_id = ${workspace}`,
    )
  await set(false)
  const body = { url: at('/self'), event_types: ['job.updated'] }
  assert.equal((await service.post('/webhooks/endpoints', key, body)).body.detail.code, 'webhooks_self_serve_disabled')
  assert.equal((await register('/self')).status, 200)
  await set(true)
})

test('console webhooks: 400: a URL that breaks the rules, a type outside the key, a key that has ended, a workspace without a plan', async () => {
  const code = async (change: object) => (await register('/x', ['job.updated'], change)).body.detail.code
  assert.equal(await code({ url: 'http://partner.example' }), 'webhook_url_not_allowed')
  assert.equal(await code({ event_types: ['job.vanished'] }), 'invalid_event_type')
  const narrow = await service.key({ workspace, scopes: ['events:read'] })
  assert.equal(await code({ key_id: narrow.id }), 'event_type_not_permitted')
  const gone = await service.key({ workspace })
  await owner.post(`/keys/${gone.id}/revoke`)
  assert.equal(await code({ key_id: gone.id }), 'invalid_request')
  const bare = (await service.workspace('none')).id
  const poor = await signedIn(service, bare)
  const { id } = await service.key({ workspace: bare })
  const response = await poor.post('/webhooks', {
    key_id: id,
    url: receiver.url,
    event_types: ['job.updated'],
    description: null,
  })
  assert.match(response.body.detail.message, /need a plan/)
})

test("console webhooks: 404 not_found: another workspace's endpoint, delivery and key, as what does not exist", async () => {
  const { endpoint } = (await register('/mine')).body
  const ping = (await owner.post(`/webhooks/${endpoint.id}/test`)).body
  const stranger = await signedIn(service, (await service.workspace()).id)
  const missing = '00000000-0000-4000-8000-000000000000'
  const blank = (text: string) => text.replace(/req_\w+/, '')
  const reads = ['/webhooks/{e}', '/deliveries/{d}']
  const writes: [string, object?][] = [
    ['/webhooks/{e}', { url: receiver.url, event_types: ['job.updated'], description: null }],
    ['/webhooks/{e}/rotate', { overlap_seconds: 0 }],
    ['/webhooks/{e}/disable'],
    ['/webhooks/{e}/enable'],
    ['/webhooks/{e}/test'],
    ['/webhooks/{e}/recover', { after: 0 }],
    ['/deliveries/{d}/redeliver'],
  ]
  const filled = (path: string, e: string, d: string) => path.replace('{e}', e).replace('{d}', d)
  for (const path of reads) {
    const [theirs, none] = [
      await stranger.get(filled(path, endpoint.id, ping.id)),
      await stranger.get(filled(path, missing, missing)),
    ]
    assert.equal(theirs.status, 404, path)
    assert.equal(blank(theirs.text), blank(none.text))
  }
  for (const [path, body] of writes) {
    const [theirs, none] = [
      await stranger.post(filled(path, endpoint.id, ping.id), body),
      await stranger.post(filled(path, missing, missing), body),
    ]
    assert.equal(theirs.status, 404, path)
    assert.equal(blank(theirs.text), blank(none.text))
  }
  const theirKey = { key_id: key.id, url: receiver.url, event_types: ['job.updated'], description: null }
  assert.equal((await stranger.post('/webhooks', theirKey)).status, 404)
  assert.deepEqual((await stranger.get(`/deliveries?endpoint_id=${endpoint.id}`)).body.data, [])
  assert.deepEqual((await stranger.get('/webhooks')).body.data, [])
})

test("console webhooks: an endpoint of a key from another workspace can be stopped by this one's owners, and nothing more", async () => {
  const home = await service.workspace()
  const wide = await service.key({ workspace: home.id, reach: [home.id, workspace], userEmail: home.userEmail })
  const body = { url: at('/wide'), event_types: ['job.updated'] }
  const made = await service.post(`/webhooks/endpoints?workspace_id=${workspace}`, wide, body)
  assert.equal(made.status, 201)
  const { id } = made.body
  assert.equal((await owner.post(`/webhooks/${id}/rotate`, { overlap_seconds: 0 })).status, 400)
  assert.equal((await owner.post(`/webhooks/${id}/test`)).status, 400)
  assert.equal((await owner.post(`/webhooks/${id}/disable`)).body.enabled, false)
  assert.equal((await owner.post(`/webhooks/${id}/enable`)).status, 400)
})

test('console webhooks: the overview counts what was delivered, what failed and what was given up, by the hour; pings are not counted', async () => {
  const place = (await service.workspace()).id
  const person = await signedIn(service, place)
  const own = await service.key({ workspace: place })
  const { body } = await person.post('/webhooks', {
    key_id: own.id,
    url: at('/counted'),
    event_types: ['job.updated'],
    description: null,
  })
  const { id } = body.endpoint
  const log = async (query: string) => (await person.get(`/deliveries?endpoint_id=${id}&${query}`)).body.data.length
  await person.post(`/webhooks/${id}/test`)
  await until('ping', async () => (await log('status=delivered')) === 1)
  await emit(service.services.db, place, ['job.updated', 'job.updated'])
  await until('two', async () => (await log('status=delivered')) === 3)
  receiver.respond = (_request, response) => void response.writeHead(410).end()
  await emit(service.services.db, place, ['job.updated'])
  await until('gone', async () => (await log('status=failed')) === 1)
  receiver.respond = (_request, response) => void response.end()
  const figures = (await person.get('/overview')).body
  const sum = (name: string) =>
    figures.deliveries.reduce((total: number, row: Record<string, number>) => total + row[name]!, 0)
  assert.equal(figures.deliveries.length, 24)
  assert.deepEqual([sum('delivered'), sum('failed_attempts'), sum('given_up')], [2, 1, 1])
  assert.deepEqual(figures.endpoints, { enabled: 0, failing: 0, disabled: 1, waiting: 0 })
})

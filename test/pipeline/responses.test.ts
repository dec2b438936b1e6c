import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/app.ts'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { UNLISTED } from '../../src/kernel/feed/event-schemas.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService, type TestResponse } from '../harness/service.ts'

const service = await startTestService({ LOG_LEVEL: 'silent' }, { routes: [...routes, ...probeRoutes] })
const { id: workspace, userEmail } = await service.workspace()
const full = await service.key({ workspace, userEmail })
const narrow = await service.key({ workspace, scopes: ['lists:read'] })
const free = await service.workspace('none')
const freeKey = await service.key({ workspace: free.id })

const ALWAYS = [
  'service-request-id',
  'service-api-version',
  'service-partner-api-version',
  'ratelimit-limit',
  'x-ratelimit-limit',
  'ratelimit-policy',
]

async function everyKindOfResponse(): Promise<Record<string, TestResponse>> {
  return {
    '200': await service.get('/me', full),
    '200 public': await service.get('/ping'),
    '304': await service.get('/openapi.json', undefined, {
      headers: { 'if-none-match': (await service.get('/openapi.json')).headers.get('etag')! },
    }),
    '400': await service.get('/me?nonsense=1', full),
    '401': await service.get('/me'),
    '403': await service.get('/me/../workspaces', narrow),
    '404 handle': await service.get(`/users/${newHandle('user')}`, full),
    '404 path': await service.get('/nothing/here', full),
    '405': await service.call('DELETE', '/me', { key: full }),
    '413': await service.call('POST', '/probes', {
      key: full,
      raw: Buffer.alloc(262_145, 'x'),
      headers: { 'content-type': 'application/json' },
    }),
    '500': await service.post('/probes', full, { name: 'x', outcome: 'crash' }),
  }
}

test('responses: every response carries the request id, both version headers and the rate-limit headers', async () => {
  for (const [kind, response] of Object.entries(await everyKindOfResponse())) {
    assert.equal(response.status, Number(kind.slice(0, 3)), kind)
    for (const name of ALWAYS) assert.ok(response.headers.get(name), `${kind}: ${name}`)
    assert.equal(response.headers.get('service-api-version'), '2026-11-01')
    assert.equal(response.headers.get('service-partner-api-version'), '2026-11-01')
    assert.equal(response.headers.get('ratelimit-limit'), response.headers.get('x-ratelimit-limit'))
    assert.match(response.headers.get('service-request-id')!, /^req_/)
    assert.equal(response.headers.get('retry-after'), null, kind)
  }
})

test('responses: every error has the whole body, its request id and a doc_url', async () => {
  for (const [kind, response] of Object.entries(await everyKindOfResponse())) {
    if (response.status < 400) continue
    const { detail } = response.body
    for (const field of [
      'code',
      'type',
      'message',
      'param',
      'doc_url',
      'required_scope',
      'retry_after_seconds',
      'request_id',
    ]) {
      assert.ok(Object.hasOwn(detail, field), `${kind}: ${field}`)
    }
    assert.equal(detail.request_id, response.headers.get('service-request-id'), kind)
    assert.equal(detail.doc_url, `${service.origin}/docs/errors#${detail.code}`, kind)
  }
})

test('responses: RateLimit-Policy: the three tiers with the effective values of the key', async () => {
  const starter = await service.get('/me', full)
  assert.equal(
    starter.headers.get('ratelimit-policy'),
    '"sustained";q=600;w=60, "expensive";q=60;w=60, "download";q=30;w=60',
  )
  assert.equal(starter.headers.get('ratelimit-limit'), '600')
  const expensive = await service.get('/probes:all', full)
  assert.equal(expensive.headers.get('ratelimit-limit'), '60')
  const none = await service.get('/me', freeKey)
  assert.equal(none.headers.get('ratelimit-limit'), '60')
  assert.match(none.headers.get('ratelimit-policy')!, /"download";q=3;w=60/)
})

test('responses: 500 internal_error: says nothing of the cause, and nothing is stored', async () => {
  const response = await service.post('/probes', full, { name: 'half', outcome: 'crash' })
  assert.equal(response.status, 500)
  assert.equal(response.body.detail.code, 'internal_error')
  assert.equal(response.body.detail.type, 'server')
  assert.doesNotMatch(response.text, /fault of our own/)
  const { body } = await service.get('/probes', full)
  assert.ok(body.data.every((p: { name: string }) => p.name !== 'half'))
})

test('responses: version header: a known one passes, any other is 400 with its param', async () => {
  assert.equal(
    (await service.get('/ping', undefined, { headers: { 'service-api-version': '2026-11-01' } })).status,
    200,
  )
  const response = await service.get('/me', full, { headers: { 'service-api-version': '2025-01-01' } })
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'invalid_request')
  assert.equal(response.body.detail.param, 'Service-Api-Version')
})

test('responses: 404: unknown paths, odd paths and wrong prefixes have the service’s own body', async () => {
  for (const path of [
    '/nope',
    '/',
    '//',
    '/me/',
    '/ME',
    '/users/%zz',
    `/users/${'x'.repeat(5000)}`,
    '/users/..%2f..',
    '/workspaces/',
  ]) {
    const response = await service.get(path, full)
    assert.equal(response.status, 404, path)
    assert.equal(response.body.detail.code, 'not_found', path)
  }
  for (const path of ['/api', '/favicon.ico', '/consoles']) {
    const response = await service.call('GET', service.origin + path)
    assert.equal(response.status, 404, path)
    assert.equal(response.body.detail.code, 'not_found', path)
  }
})

test('responses: 405 method_not_allowed: names the methods in Allow', async () => {
  for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'POST', 'PROPFIND']) {
    const response = await service.call(method, '/me', { key: full })
    assert.equal(response.status, 405, method)
    assert.equal(response.body.detail.code, 'method_not_allowed')
    assert.equal(response.body.detail.type, 'invalid_request')
    assert.equal(response.headers.get('allow'), 'GET, HEAD')
  }
  assert.equal((await service.call('PUT', '/probes')).headers.get('allow'), 'GET, HEAD, POST')
})

test('responses: HEAD: like GET without a body, except on metered routes', async () => {
  const head = await service.call('HEAD', '/workspaces', { key: full })
  const get = await service.get('/workspaces', full)
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(Number(head.headers.get('content-length')), Buffer.byteLength(get.text))
  const metered = await service.call('HEAD', `/contacts/${newHandle('applicant')}`, { key: full })
  assert.equal(metered.status, 405)
  assert.equal(metered.headers.get('allow'), 'GET')
})

test('responses: restricted: fields a key may not read are named with the reason, whether or not they hold a value', async () => {
  const { body: made } = await service.post('/probes', full, { name: 'guarded' })
  const { body } = await service.get(`/probes/${made.id}`, narrow)
  assert.deepEqual(body.restricted, ['secret_note', 'inner.code', 'shut.code', 'audio'])
  assert.deepEqual(body.restricted_reason, {
    secret_note: 'scope_required:applications:internal:read',
    'inner.code': 'scope_required:jobs:screening:read',
    'shut.code': 'scope_required:jobs:screening:read',
    audio: 'never_exposed:consent_scope',
  })
  assert.deepEqual(body.inner, { open: 'yes' })
  for (const hidden of ['secret_note', 'audio', 'extra']) assert.ok(!Object.hasOwn(body, hidden), hidden)
  assert.deepEqual(body.shut, {}, 'an object stays, whatever is hidden of it')
  assert.deepEqual(Object.keys(body.links), ['self'])
})

test('responses: restricted: a full key has only what is never exposed', async () => {
  const { body } = await service.post('/probes', full, { name: 'open' })
  assert.deepEqual(body.restricted, ['audio'])
  assert.deepEqual(body.shut, { code: '123456' })
  assert.equal(body.secret_note, 'note')
  const { body: plain } = await service.get(`/workspaces/${workspace}`, full)
  assert.ok(!Object.hasOwn(plain, 'restricted') && !Object.hasOwn(plain, 'restricted_reason'))
})

test('responses: openapi.json: describes every endpoint, its parameters, errors and webhooks; 304 for a known ETag', async () => {
  const response = await service.get('/openapi.json')
  assert.equal(response.status, 200)
  const { body } = response
  assert.equal(body.openapi, '3.1.0')
  assert.equal(body.info.version, '2026-11-01')
  for (const route of routes) assert.ok(body.paths[route.path][route.method.toLowerCase()], route.path)
  assert.deepEqual(Object.keys(body.webhooks), [...EVENT_TYPES, ...UNLISTED])
  assert.equal(body.servers[0].url, service.base)
  const refs = [...response.text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(m => m[1]!.split('/'))
  for (const ref of refs) {
    // biome-ignore lint/suspicious/noExplicitAny: walks an arbitrary document
    const target = ref.reduce((at: any, part) => at?.[part], body)
    assert.ok(target, ref.join('/'))
  }
  const again = await service.get('/openapi.json', undefined, {
    headers: { 'if-none-match': response.headers.get('etag')! },
  })
  assert.equal(again.status, 304)
  assert.equal(again.text, '')
  const etag = response.headers.get('etag')!
  const asked = { [`"other" ,  W/${etag}\t, "third"`]: 304, '*': 304, '"other"': 200, [`x${' '.repeat(9_000)}x`]: 200 }
  for (const [value, status] of Object.entries(asked)) {
    const conditional = await service.get('/openapi.json', undefined, { headers: { 'if-none-match': value } })
    assert.equal(conditional.status, status, value.slice(0, 50))
  }
})

test('responses: versions: the current one', async () => {
  const { body } = await service.get('/versions')
  assert.deepEqual(body.data, [
    {
      object: 'api_version',
      version: '2026-11-01',
      status: 'current',
      released_at: '2026-11-01T00:00:00.000Z',
      sunset_at: null,
    },
  ])
})

test('responses: /healthz: 200 as long as the process is alive', async () => {
  assert.equal((await service.call('GET', `${service.origin}/healthz`)).body.status, 'alive')
})

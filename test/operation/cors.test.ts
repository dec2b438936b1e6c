import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../harness/service.ts'

const APP = 'https://app.example.com'
const service = await startTestService({ ROLES: 'api', CORS_ORIGINS: `${APP}, http://localhost:5173` })
const closed = await startTestService({ ROLES: 'api' })
const { id: workspace } = await service.workspace()
const key = await service.key({ workspace })

const ask = (base: string, origin: string, path = '/jobs') =>
  fetch(base + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization' },
  })

test('CORS_ORIGINS: 204 to the question of a browser for a listed origin, with what a client sends and reads', async () => {
  for (const origin of [APP, 'http://localhost:5173']) {
    const response = await ask(service.base, origin)
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [204, origin])
    assert.equal(response.headers.get('access-control-allow-methods'), 'GET, POST')
    assert.match(response.headers.get('access-control-allow-headers')!, /Authorization, Content-Type, Idempotency-Key/)
    assert.equal(response.headers.get('access-control-allow-credentials'), null, 'never with cookies')
  }
  const { status, headers } = await service.get('/jobs', key, { headers: { origin: APP } })
  assert.deepEqual([status, headers.get('access-control-allow-origin'), headers.get('vary')], [200, APP, 'Origin'])
  assert.match(headers.get('access-control-expose-headers')!, /Retry-After/)
  const refused = await service.get('/jobs', undefined, { headers: { origin: APP } })
  assert.deepEqual(
    [refused.status, refused.headers.get('access-control-allow-origin')],
    [401, APP],
    'errors are readable',
  )
})

test('CORS_ORIGINS: 405 and no permission for another origin, other pages of the service, and by default', async () => {
  for (const [base, origin] of [
    [service.base, 'https://evil.example'],
    [service.base, 'https://app.example.com.evil.example'],
    [service.base, 'null'],
    [closed.base, APP],
  ] as const) {
    const response = await ask(base, origin)
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [405, null], origin)
  }
  const { headers } = await service.get('/jobs', key, { headers: { origin: 'https://evil.example' } })
  assert.deepEqual([headers.get('access-control-allow-origin'), headers.get('vary')], [null, 'Origin'])
  for (const path of ['/console', '/docs', '/']) {
    const page = await fetch(service.origin + path, { headers: { origin: APP }, redirect: 'manual' })
    assert.equal(page.headers.get('access-control-allow-origin'), null, path)
  }
  const plain = await fetch(`${closed.base}/ping`, { headers: { origin: APP } })
  assert.deepEqual([plain.headers.get('access-control-allow-origin'), plain.headers.get('vary')], [null, null])
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get } from 'node:http'
import { test } from 'node:test'
import { fail } from '../../src/kernel/errors/api-error.ts'
import { readOne } from '../../src/kernel/http/route.ts'
import { shape, text } from '../../src/kernel/http/shape.ts'
import { failOnDifference } from '../harness/responses.ts'
import { startTestService } from '../harness/service.ts'

const probe = { operationId: 'getProbe', limited: 'keys', group: 'Probes', scope: 'jobs:read', params: {} } as const
const probeShape = shape('probe', 'For tests.', { name: text() })
const service = await startTestService(
  { ROLES: 'api' },
  {
    routes: [
      readOne({ ...probe, path: '/right', summary: 'x', shape: probeShape, handler: async () => ({ name: 'x' }) }),
      readOne({ ...probe, path: '/code', summary: 'x', shape: probeShape, handler: () => fail('stale_resource') }),
      readOne({
        ...probe,
        path: '/same-status',
        summary: 'x',
        shape: probeShape,
        errors: ['stale_resource'],
        handler: () => fail('application_conflict'),
      }),
    ],
  },
)
const { id: workspace } = await service.workspace()
const key = await service.key({ workspace })
const headers = { authorization: `Bearer ${key.secret}` }

test('responses: one that its route does not declare is found, whichever client sent the request', async () => {
  const undeclared = {
    '/code': /GET \/code: status 409 is not in/,
    '/same-status': /application_conflict is not among/,
  }
  for (const [path, difference] of Object.entries(undeclared)) {
    assert.equal((await fetch(service.base + path, { headers })).status, 409)
    assert.throws(failOnDifference, difference)
    const [response] = await once(get(service.base + path, { headers }), 'response')
    response.resume()
    assert.throws(failOnDifference, difference)
    await assert.rejects(service.get(path, key), difference)
  }
})

test('responses: what is as declared, and what is not of the API, is no difference', async () => {
  for (const path of ['/right', '/no-such-endpoint']) await fetch(service.base + path, { headers })
  for (const path of ['/', '/healthz', '/console/api/session', '/files/x']) await fetch(service.origin + path)
  failOnDifference()
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ ROLES: 'api' })

test('log: one line for each API request, with exactly its id, workspace, key, route, status, code and milliseconds', async () => {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const linesOf = async (call: Promise<{ headers: Headers }>) => {
    const id = (await call).headers.get('service-request-id')
    const found = () => service.logLines.map(line => JSON.parse(line)).filter(line => line.requestId === id)
    await until('its line', () => found().length > 0) // it is written after the response
    const lines = found()
    assert.equal(lines.length, 1)
    const { time, ms, ...rest } = lines[0]
    assert.match(time, /^\d{4}-\d\d-\d\dT/)
    assert.ok(Number.isInteger(ms) && ms >= 0)
    assert.equal(rest.requestId, id)
    delete rest.requestId
    return rest
  }
  const line = { level: 'info', msg: 'request', method: 'GET', workspace, key: key.id }
  // neither the path with its handle nor the query string
  assert.deepEqual(await linesOf(service.get('/jobs?limit=3&source_system=secret-system', key)), {
    ...line,
    route: '/jobs',
    status: 200,
  })
  assert.deepEqual(await linesOf(service.get('/jobs/job_doesnotexist00000000', key)), {
    ...line,
    route: '/jobs/{job_handle}',
    status: 404,
    code: 'not_found',
  })
  const body = { source: { system: 'acme', external_id: 'person-77' }, title: 'Welder' }
  assert.deepEqual(await linesOf(service.post('/jobs', key, body)), {
    ...line,
    method: 'POST',
    route: '/jobs',
    status: 201,
  })
  assert.deepEqual(await linesOf(service.get('/me')), {
    level: 'info',
    msg: 'request',
    method: 'GET',
    route: '/me',
    status: 401,
    code: 'unauthenticated',
  })
  assert.doesNotMatch(service.logLines.join(), /secret-system|person-77|Welder|doesnotexist/)
  assert.ok(!service.logLines.some(l => l.includes(key.secret)))
})

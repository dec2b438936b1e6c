import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { PLANT } from '../harness/personal-data.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ LOG_LEVEL: 'silent' })
after(() => service.stop())

const requestLine = (requestId: string) =>
  service.logLines
    .map(line => JSON.parse(line) as Record<string, unknown>)
    .find(line => line['msg'] === 'request' && line['requestId'] === requestId)

test('request log: 200 is one line at info with workspace, key, route, status and duration', async () => {
  const { id: workspace } = await service.workspace('growth')
  const key = await service.key({ workspace })
  const { status, headers } = await service.get('/me', key)
  assert.equal(status, 200)
  const { time, ms, ...line } = requestLine(headers.get('service-request-id')!)!
  assert.deepEqual(line, {
    level: 'info',
    requestId: headers.get('service-request-id'),
    method: 'GET',
    route: '/me',
    workspace,
    key: key.id,
    status: 200,
    msg: 'request',
  })
  assert.ok(Number.isInteger(ms) && typeof time === 'string')
})

test('request log: an error line has its code, and neither the path nor the query that was sent', async () => {
  const { id: workspace } = await service.workspace('growth')
  const key = await service.key({ workspace })
  const { status, headers } = await service.get(`/jobs/${PLANT}?q=${PLANT}@example.org`, key)
  assert.equal(status, 404)
  const line = requestLine(headers.get('service-request-id')!)!
  assert.deepEqual(
    [line['route'], line['workspace'], line['key'], line['status'], line['code']],
    ['/jobs/{job_handle}', workspace, key.id, 404, 'not_found'],
  )
  assert.ok(!JSON.stringify(line).includes(PLANT))
})

test('request log: 401 unauthenticated names neither workspace nor key', async () => {
  const { status, headers } = await service.get('/me', 'no-such-secret')
  assert.equal(status, 401)
  const line = requestLine(headers.get('service-request-id')!)!
  assert.deepEqual([line['code'], 'workspace' in line, 'key' in line], ['unauthenticated', false, false])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'
import { newTestTenant } from './setup.ts'

const receiver = await startReceiver()
const hooks = { WEBHOOK_ALLOW_HOSTS: receiver.host, WEBHOOK_CA: CA_FILE }
const service = await startTestService(hooks, { resolveName: testNames() })

const endpointOf = (key: { secret: string }, path: string) =>
  service.post('/webhooks/endpoints', key, { url: `${receiver.url}/${path}`, event_types: ['list.created'] })
const arrivedAt = (path: string) => receiver.received.filter(({ path: at }) => at.endsWith(`/${path}`))

test('webhook deliveries: Service-Environment is that of the workspace', async () => {
  const tenant = await newTestTenant(service)
  const { id: live, userEmail } = await service.workspace('starter')
  const liveKey = await service.key({ workspace: live, userEmail })
  for (const [key, path] of [
    [tenant.key, 'test'],
    [liveKey, 'live'],
  ] as const) {
    assert.equal((await endpointOf(key, path)).status, 201)
    assert.equal((await service.post('/lists', key, { name: 'Welders' })).status, 201)
    await until(`a delivery of the ${path} workspace`, () => arrivedAt(path).length > 0)
    assert.equal(arrivedAt(path)[0]!.headers['service-environment'], path)
  }
})

test('POST /test/reset while receivers respond slowly: 202; the endpoint receives what comes next, nothing else', async () => {
  const tenant = await newTestTenant(service)
  const { key } = tenant
  const waiting: (() => void)[] = []
  const { respond } = receiver
  receiver.respond = (_, response) => void waiting.push(() => response.writeHead(200).end())
  const endpoint = await endpointOf(key, 'slow')
  for (let n = 0; n < 5; n++) assert.equal((await service.post('/lists', key, { name: `Before ${n}` })).status, 201)
  await until('the first attempt', () => waiting.length > 0)
  const done = await service.post('/test/reset', key)
  assert.equal(done.status, 202, done.text)
  receiver.respond = respond
  for (const release of waiting.splice(0)) release()
  const before = arrivedAt('slow').length
  const list = await service.post('/lists', key, { name: 'After' })
  await until('the event after the reset', () => arrivedAt('slow').some(({ body }) => body.includes(list.body.id)))
  const later = arrivedAt('slow').slice(before)
  assert.ok(later.every(({ body }) => body.includes(list.body.id)))
  const deliveries = (await service.get(`/webhooks/deliveries?endpoint_id=${endpoint.body.id}`, key)).body.data
  assert.ok(deliveries.every((row: { event_type: string }) => row.event_type === 'list.created'))
  assert.ok(deliveries.length <= 1 + later.length)
})

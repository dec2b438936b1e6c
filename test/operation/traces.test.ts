import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { EVENT_TYPES } from '../../src/contract/events.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[]
  status: { code?: number; message?: string }
}

/** A collector: OTLP over HTTP, as JSON. */
async function startCollector() {
  const spans: OtlpSpan[] = []
  const bodies: string[] = []
  const services = new Set<string>()
  const requests: { path: string | undefined; headers: IncomingHttpHeaders }[] = []
  const collector = { status: 200, silent: false }
  const server: Server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    requests.push({ path: request.url, headers: request.headers })
    if (collector.silent) return
    response.writeHead(collector.status).end()
    if (collector.status !== 200) return
    bodies.push(body)
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      services.add(resource.attributes[0].value.stringValue)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(collector, { url, spans, bodies, services, requests })
}

const attributesOf = (span: OtlpSpan) =>
  Object.fromEntries(span.attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]))

const collector = await startCollector()
const receiver = await startReceiver()
const service = await startTestService(
  {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20zebra',
    OTEL_SERVICE_NAME: 'hiring-test',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
    METRICS_PORT: '0',
    WEBHOOK_ALLOW_HOSTS: receiver.host,
    WEBHOOK_CA: CA_FILE,
  },
  { resolveName: testNames() },
)
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })
await service.post('/webhooks/endpoints', key, { url: receiver.url, event_types: EVENT_TYPES })

const traceId = (n: number) => n.toString(16).padStart(32, '0')
const CALLER_SPAN = 'b7ad6b7169203331'
const traceparent = (n: number, flags = '01') => ({
  headers: { traceparent: `00-${traceId(n)}-${CALLER_SPAN}-${flags}` },
})
const spansOf = (n: number) => collector.spans.filter(span => span.traceId === traceId(n))

test('traces: a request is one tree below the span of its caller: statements, and the attempts of its webhooks', async () => {
  const source = { system: 'acme_ats', external_id: 'zebra-id-1' }
  const body = { source, title: 'Zebra title', content: { summary: 'Zebra text.' }, publish: true }
  const pushed = await service.post('/jobs', key, body, traceparent(1))
  assert.equal(pushed.status, 201)
  await until('the spans of its webhook', () => spansOf(1).some(span => span.name === 'webhook attempt'))

  const [request, ...others] = spansOf(1).filter(span => span.name === 'POST /jobs')
  assert.equal(others.length, 0)
  assert.equal(request!.parentSpanId, CALLER_SPAN)
  assert.equal(request!.kind, 2)
  assert.deepEqual(attributesOf(request!), {
    'http.request.method': 'POST',
    'http.route': '/jobs',
    'http.response.status_code': 201,
    'hiring.request.id': pushed.headers.get('service-request-id'),
    'hiring.workspace.id': workspace,
  })
  const ids = new Set(spansOf(1).map(span => span.spanId))
  assert.equal(ids.size, spansOf(1).length)
  for (const span of spansOf(1)) {
    assert.ok(span === request || ids.has(span.parentSpanId!), `${span.name} is part of the tree`)
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano))
    assert.ok(Math.abs(Number(BigInt(span.startTimeUnixNano) / 1_000_000n) - clock.now()) < 60_000)
  }
  const statements = spansOf(1).filter(span => attributesOf(span)['db.system.name'] === 'postgresql')
  assert.ok(statements.some(span => /^insert into jobs /.test(String(attributesOf(span)['db.query.text']))))
  assert.ok(statements.some(span => span.parentSpanId === request!.spanId && span.name === 'postgresql COMMIT'))
  const attempt = spansOf(1).find(span => span.name === 'webhook attempt')!
  assert.equal(attempt.parentSpanId, request!.spanId)
  assert.deepEqual(
    [attributesOf(attempt)['hiring.workspace.id'], attributesOf(attempt)['http.response.status_code']],
    [workspace, 200],
  )
  const line = service.logLines
    .map(text => JSON.parse(text))
    .find(({ msg, route }) => msg === 'request' && route === '/jobs')
  assert.equal(line.trace_id, traceId(1))
  // a receiver learns nothing of it
  assert.ok(receiver.received.every(({ headers }) => headers['traceparent'] === undefined))
})

test('traces: no value, no body, no query string, no credential is in a span; headers of the settings reach the collector', async () => {
  await service.get('/jobs?source_system=zebra-system&limit=1', key, traceparent(2))
  await service.get('/jobs/job_zebra0000000000000', key, traceparent(3))
  await until('spans', () => spansOf(2).length > 0 && spansOf(3).length > 0)
  assert.doesNotMatch(collector.bodies.join(), /zebra|hooks\.test|127\.0\.0\.1/i)
  assert.ok(!collector.bodies.some(body => body.includes(key.secret)))
  const refused = spansOf(3).find(span => span.kind === 2)!
  assert.equal(refused.name, 'GET /jobs/{job_handle}')
  assert.equal(attributesOf(refused)['hiring.error.code'], 'not_found')
  assert.deepEqual(refused.status, {})
  for (const { path, headers } of collector.requests) {
    assert.deepEqual([path, headers['api-key'], headers['content-type']], ['/v1/traces', 'a zebra', 'application/json'])
  }
  assert.deepEqual([...collector.services], ['hiring-test'])
})

test('traces: the sampler decides; a caller demands at most ten in a second, and an invalid traceparent is ignored', async () => {
  for (let i = 0; i < 5; i++) await service.get('/me', key)
  await service.get('/me', key, traceparent(10, '00'))
  await service.get('/me', key, { headers: { traceparent: `ff-${traceId(11)}-${CALLER_SPAN}-01` } })
  const began = performance.now()
  const calls = 60
  await Promise.all(Array.from({ length: calls }, (_, i) => service.get('/me', key, traceparent(100 + i))))
  const seconds = Math.floor((performance.now() - began) / 1_000) + 2
  await service.get('/me', key, traceparent(999))
  await until('demanded ones', () => collector.spans.some(span => Number.parseInt(span.traceId, 16) >= 100))
  const demanded = new Set(collector.spans.map(span => span.traceId))
  const ours = Array.from({ length: calls }, (_, i) => traceId(100 + i)).filter(id => demanded.has(id))
  assert.ok(ours.length >= 1 && ours.length <= 10 * seconds, `${ours.length} in ${seconds} s`)
  assert.ok(!demanded.has(traceId(10)) && !demanded.has(traceId(11)))
  assert.ok(!collector.spans.some(span => span.name === 'GET /me' && span.parentSpanId === undefined))
})

test('traces: a collector that fails or does not respond delays no request; what is lost is counted, and the last is sent', async () => {
  const dropped = async () => {
    clock.advance(1_001)
    const { text } = await service.call('GET', service.metricsUrl!)
    return Number(/^hiring_trace_spans_total\{outcome="dropped"\} (\d+)$/m.exec(text)?.[1] ?? 0)
  }
  collector.status = 503
  const before = await dropped()
  for (let n = 2_000; (await dropped()) === before; n++) {
    assert.equal((await service.get('/me', key, traceparent(n))).status, 200)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  assert.equal(service.logLines.filter(line => line.includes('traces could not be sent')).length, 1)
  collector.status = 200
  // within the ten of a second that a caller may demand
  await until('the collector is back', async () => {
    const n = 1_000_000 + Math.floor(performance.now())
    await service.get('/me', key, traceparent(n))
    await new Promise(resolve => setTimeout(resolve, 250))
    return collector.spans.some(span => Number.parseInt(span.traceId, 16) >= 1_000_000)
  })
  const last = 999_999
  await service.get('/me', key, traceparent(last))
  await service.stop()
  assert.ok(spansOf(last).length > 0, 'a process that stops sends what waits')
  clock.reset()
})

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { after, test } from 'node:test'
import { openReceiver } from '../../demo/index.ts'
import { isLocalOnly, readConfig } from '../../src/kernel/config/config.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { emit } from '../harness/events.ts'
import { testNames, until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

/** Receivers without TLS, as a developer runs them: one on 127.0.0.1 and one on ::1 alone. */
const hits: string[] = []
const servers: Server[] = []
async function listen(host: string): Promise<number | undefined> {
  const server = createServer((request, response) => {
    hits.push(`${host} ${request.headers.host} ${request.url}`)
    request.resume().on('end', () => response.end('stored'))
  })
  // the sender gives up an idle connection first, however slow this process is
  server.keepAliveTimeout = 60_000
  server.listen(0, host)
  const listening = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ])
  if (!listening) return undefined
  servers.push(server)
  return (server.address() as AddressInfo).port
}
const v4 = (await listen('127.0.0.1'))!
const v6 = await listenOnIpv6()

/**
 * A port of ::1 that is also taken on 127.0.0.1, where nothing listens on it: another server on this machine that got
 * the same number there would receive what is sent to localhost.
 */
async function listenOnIpv6(): Promise<number | undefined> {
  const port = await listen('::1')
  return port === undefined || (await hold(port)) ? port : listenOnIpv6()
}

/** Takes a port of 127.0.0.1 for a connection of our own; false if someone else has it. */
async function hold(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port: v4, localAddress: '127.0.0.1', localPort: port })
  return Promise.race([once(socket, 'connect').then(() => true), once(socket, 'error').then(() => false)])
}
after(() => {
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
})

/** As `hiring start` opens a service whose database has the demo. */
const startDemo = async (settings: Record<string, string> = {}) => {
  const service = await startTestService(settings, {
    resolveName: testNames(),
    beforeListening: async services => {
      const receiver = await openReceiver(services)
      after(() => receiver.close())
    },
  })
  return service
}

async function register(service: TestService, url: string) {
  const { id: workspace, userEmail } = await service.workspace('enterprise')
  const key = await service.key({ workspace, userEmail })
  const made = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
  return { workspace, key, made }
}

async function deliver(service: TestService, { workspace, key }: Awaited<ReturnType<typeof register>>) {
  await emit(service.services.db, workspace, ['job.published'])
  const newest = async () => (await service.get('/webhooks/deliveries', key)).body.data[0]
  await until('the attempt ended', async () => !['pending', undefined].includes((await newest())?.status))
  return newest()
}

const demo = await startDemo()

test('POST /webhooks/endpoints: 201 for http://localhost, 127.0.0.1 and [::1] in the demo on a loopback address; deliveries arrive', async () => {
  const cases = [
    ['localhost', v4],
    ['127.0.0.1', v4],
    ...(v6 === undefined
      ? []
      : ([
          ['[::1]', v6],
          ['localhost', v6],
        ] as const)),
  ] as const
  for (const [host, port] of cases) {
    const e = await register(demo, `http://${host}:${port}/hooks?a=1`)
    assert.deepEqual([e.made.status, e.made.body.url], [201, `http://${host}:${port}/hooks?a=1`], e.made.text)
    const before = hits.length
    const { status, error, response_status } = await deliver(demo, e)
    assert.deepEqual([status, error, response_status], ['delivered', null, 200], `${host}:${port}`)
    assert.deepEqual(hits.slice(before), [`${port === v4 ? '127.0.0.1' : '::1'} ${host}:${port} /hooks?a=1`])
  }
})

test('webhook sending: connection_failed in the log of a demo endpoint on localhost where nothing listens', async () => {
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  await once(closed, 'close')
  assert.ok(await hold(port))
  const delivery = await deliver(demo, await register(demo, `http://localhost:${port}/`))
  assert.deepEqual([delivery.status, delivery.error], ['retrying', 'connection_failed'])
})

test('POST /webhooks/endpoints: 400 webhook_url_not_allowed for http://localhost without the demo; the message and the remedy say what to do', async () => {
  const service = await startTestService({ ROLES: 'api' }, { resolveName: testNames() })
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    const { made } = await register(service, `http://${host}:${v4}/hooks`)
    assert.deepEqual([made.status, made.body.detail.code], [400, 'webhook_url_not_allowed'])
    assert.match(made.body.detail.message, /demo data.*hiring-partner listen --forward-to/)
  }
})

test('webhook sending: url_refused: an endpoint of the demo is not called once the service is reached from elsewhere', async () => {
  const before = hits.length
  const elsewhere: Record<string, string>[] = [
    { PUBLIC_URL: 'https://api.example.com' },
    { TRUST_PROXY: '127.0.0.1' },
    { HOST: '0.0.0.0' },
  ]
  for (const settings of elsewhere) {
    const service = await startDemo(settings)
    const { made } = await register(service, `http://localhost:${v4}/hooks`)
    assert.equal(made.status, 400, JSON.stringify(settings))
    const e = await register(service, 'https://receiver.demo.example/200')
    await service.services.db.query(sql`
      update webhook_endpoints set url = ${`http://localhost:${v4}/hooks`} where workspace_id = ${e.workspace}`)
    const delivery = await deliver(service, e)
    assert.equal(delivery.error, 'url_refused: blocked_address', JSON.stringify(settings))
    await service.stop()
  }
  assert.equal(hits.length, before)
})

test('settings: only this machine reaches a service on loopback without a public URL of another host and without a proxy', () => {
  const local = (env: Record<string, string>) => isLocalOnly(readConfig(env))
  assert.ok(local({}))
  assert.ok(local({ HOST: '::1', PUBLIC_URL: 'http://[::1]:8080' }))
  assert.ok(local({ HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }))
  assert.ok(!local({ HOST: '0.0.0.0' }))
  assert.ok(!local({ HOST: '192.168.0.4' }))
  assert.ok(!local({ HOST: '127.example.com' }))
  assert.ok(!local({ PUBLIC_URL: 'https://api.example.com' }))
  assert.ok(!local({ TRUST_PROXY: '10.0.0.0/8' }))
})

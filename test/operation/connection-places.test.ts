import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const LIMIT = 60
/** a tenth of the limit would be less */
const SHARE = 16

let service: TestService
const sockets = new Set<Socket>()
before(async () => {
  service = await startTestService({ ROLES: 'api', MAX_CONNECTIONS: String(LIMIT), REQUEST_TIMEOUT_SECONDS: '60' })
})
after(() => closeAll())

const count = async () => {
  const { values } = await service.services.metrics.registry.getSingleMetric('hiring_http_connections')!.get()
  return values[0]!.value
}

const closeAll = async () => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await until('every connection is closed', async () => (await count()) === 0)
}

interface Client {
  socket: Socket
  /** the status of the first response; undefined: the connection was closed without one */
  status: Promise<number | undefined>
}

/** A connection from an address of loopback, which sends these bytes. */
function open(from: string, bytes: string): Client {
  const socket = connect({ port: Number(new URL(service.origin).port), host: '127.0.0.1', localAddress: from })
  sockets.add(socket)
  socket.on('error', () => {}) // a reset is an end, too
  const status = new Promise<number | undefined>(resolve => {
    socket.on('data', chunk => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1])))
    socket.on('close', () => resolve(undefined))
  })
  socket.write(bytes)
  return { socket, status }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
/** In flight until the body comes, which it does not; the server says that it waits for it. */
const unfinished = () =>
  `POST /sign-in HTTP/1.1\r\nHost: x\r\nOrigin: ${service.origin}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`
const network = (i: number) => `127.0.1.${i + 1}`
const isOpen = ({ socket }: Client) => !socket.destroyed

/** Takes every place with requests that are in flight, a few for each network. */
async function fillWithRequests(): Promise<Client[]> {
  const clients = Array.from({ length: LIMIT }, (_, i) => open(network(i % 6), unfinished()))
  for (const { status } of clients) assert.equal(await status, 100)
  return clients
}

test('connections: a client that holds many gets its share, and ten others are served', async () => {
  const many: Client[] = []
  for (let i = 0; i < 140; i++) {
    const client = open('127.0.0.2', get('/healthz'))
    assert.equal(await client.status, 200)
    many.push(client)
  }
  await until('those above the share are closed', async () => many.filter(isOpen).length === SHARE)
  // the longest idle have given way
  assert.deepEqual(many.filter(isOpen), many.slice(-SHARE))
  const others = Array.from({ length: 10 }, (_, i) => open(network(i), get('/api/partner/v1/openapi.json')))
  for (const { status } of others) assert.equal(await status, 200)
  await closeAll()
})

test('connections: when all places are taken, the connection that has been idle longest gives way', async () => {
  const idle: Client[] = []
  for (let i = 0; i < LIMIT; i++) {
    const client = open(network(i % 6), get('/healthz'))
    assert.equal(await client.status, 200)
    idle.push(client)
  }
  // the first one is in use again, so that the second has been idle longest
  await new Promise(resolve => {
    idle[0]!.socket.once('data', resolve)
    idle[0]!.socket.write(get('/healthz'))
  })
  assert.equal(await open('127.0.0.3', get('/api/partner/v1/openapi.json')).status, 200)
  await until('one has given way', async () => idle.filter(isOpen).length === LIMIT - 1)
  assert.equal(isOpen(idle[1]!), false)
  await closeAll()
})

test('connections: a client that sends nothing holds no place against others', async () => {
  const silent = Array.from({ length: LIMIT }, (_, i) => open(network(i % 6), ''))
  await until('every place is taken', async () => (await count()) === LIMIT)
  for (let i = 0; i < 10; i++) assert.equal(await open('127.0.0.3', get('/healthz')).status, 200)
  assert.equal(silent.filter(isOpen).length, LIMIT - 10)
  await closeAll()
})

test('connections: while every place has a request in flight, health checks get through and others are closed', async () => {
  const busy = await fillWithRequests()
  for (let i = 0; i < 40; i++) {
    const path = i % 2 === 0 ? '/healthz' : '/readyz'
    assert.equal(await open('127.0.0.3', get(path)).status, 200)
    assert.equal(await open('127.0.0.3', get('/api/partner/v1/openapi.json')).status, undefined)
  }
  // also from a network that has used up its share, and while silent connections come
  for (let i = 0; i < 40; i++) open('127.0.0.4', '')
  assert.equal(await open(network(0), get('/healthz')).status, 200)
  assert.equal(busy.filter(isOpen).length, LIMIT)
  busy[0]!.socket.destroy()
  await until(
    'a place is free',
    async () => (await open('127.0.0.3', get('/api/partner/v1/openapi.json')).status) === 200,
  )
  await closeAll()
})

import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Places } from '../../src/kernel/http/places.ts'
import { until } from '../harness/receiver.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const LIMIT = 60
/** a tenth of the limit would be less */
const SHARE = 16
const PROXY = '127.0.0.5'

let service: TestService
const sockets = new Set<Socket>()
before(async () => {
  const settings = { ROLES: 'api', MAX_CONNECTIONS: String(LIMIT), REQUEST_TIMEOUT_SECONDS: '60' }
  service = await startTestService({ ...settings, TRUST_PROXY: PROXY })
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

test('connections: a proxy of TRUST_PROXY has no share, and gives way to others like everyone when all places are taken', async () => {
  const brought: Client[] = []
  for (let i = 0; i < LIMIT; i++) {
    // clients named by the proxy are no networks here: all of them come through its connections
    const client = open(PROXY, get('/healthz').replace('\r\n\r\n', '\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n'))
    assert.equal(await client.status, 200)
    brought.push(client)
  }
  assert.equal(brought.filter(isOpen).length, LIMIT)
  assert.equal(await open('127.0.0.3', get('/healthz')).status, 200)
  await until('one has given way', async () => brought.filter(isOpen).length === LIMIT - 1)
  assert.equal(isOpen(brought[0]!), false)
  await closeAll()
})

/** Opens connections from these addresses, which loopback does not have, and returns the addresses of those that stay. */
function admitted(addresses: readonly string[], proxies: readonly string[] = []): string[] {
  const places = new Places({ connections: LIMIT, proxies })
  const open = new Set<string>()
  for (const [remotePort, remoteAddress] of addresses.entries()) {
    const key = `${remoteAddress} ${remotePort}`
    open.add(key)
    places.add(
      Object.assign(new EventEmitter(), { remoteAddress, remotePort, destroy: () => open.delete(key) }) as never,
    )
  }
  return [...open].map(key => key.split(' ')[0]!)
}

const addresses = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${(i + 1).toString(16)}`)

test('connections: the IPv6 addresses of one /64 share one part, and another /64 has its own', () => {
  const one = addresses('2001:db8:0:1::', 40)
  const other = addresses('2001:db8:0:2::', 10)
  assert.deepEqual(admitted([...one, ...other]), [...one.slice(-SHARE), ...other])
})

test('connections: an IPv4 address is one network, also where IPv6 listens for it', () => {
  assert.equal(admitted([...Array(20).fill('192.0.2.1'), ...Array(20).fill('::ffff:192.0.2.1')]).length, SHARE)
  assert.equal(admitted([...Array(20).fill('192.0.2.1'), ...Array(20).fill('192.0.2.2')]).length, 2 * SHARE)
})

test('connections: a range of TRUST_PROXY has no share, and the addresses next to it have one', () => {
  const inside = [...Array(20).fill('2001:db8:0:1::1'), ...Array(20).fill('::ffff:10.0.0.1')]
  assert.equal(admitted(inside, ['2001:db8:0:1::/64', '10.0.0.0/8']).length, 40)
  assert.equal(admitted(Array(20).fill('2001:db8:0:1::2'), ['2001:db8:0:1::1']).length, SHARE)
})

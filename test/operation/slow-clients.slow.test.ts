import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdir } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { API_PREFIX } from '../../src/contract/version.ts'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { unsubscribeToken } from '../../src/resources/messages/unsubscribe-link.ts'
import { signedIn } from '../console/setup.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const LIMIT_SECONDS = 1
/** A gap between two signs of life of a slow client: far below the limit, so that a busy machine does not reach it. */
const GAP_MS = 50
const SHORT = {
  REQUEST_TIMEOUT_SECONDS: String(LIMIT_SECONDS),
  UPLOAD_TIMEOUT_SECONDS: String(LIMIT_SECONDS),
  RESPONSE_IDLE_SECONDS: String(LIMIT_SECONDS),
  KEEP_ALIVE_SECONDS: '4',
}
const service = await startTestService(SHORT)
const { services, origin } = service
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })
const person = await signedIn(service, workspace)
const csrf = (await person.get('/session')).body.csrf_token as string

const sockets = new Set<Socket>()
after(() => {
  for (const socket of sockets) socket.destroy()
})

interface Client {
  socket: Socket
  /** everything that was received when the server closed the connection */
  closed: Promise<string>
}

/** A connection of a client that sends these bytes and then does what the test says. */
function open(to: TestService, bytes = ''): Client {
  const socket = connect(Number(new URL(to.origin).port), '127.0.0.1')
  sockets.add(socket)
  let received = ''
  socket.on('error', () => {}) // a reset is an end, too
  const closed = new Promise<string>(resolve => socket.on('close', () => resolve(received)))
  socket.on('data', chunk => {
    received += chunk
  })
  socket.on('end', () => socket.end())
  if (bytes !== '') socket.write(bytes)
  return { socket, closed }
}

/** Sends a byte at a time until the server closes the connection. */
async function drip({ socket, closed }: Client, byte = 'x'): Promise<string> {
  let over = false
  const text = closed.finally(() => {
    over = true
  })
  while (!over) {
    socket.write(byte)
    await Promise.race([delay(GAP_MS), text])
  }
  return text
}

const head = (method: string, path: string, headers: Record<string, string> = {}) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', ...Object.entries(headers).map(([n, v]) => `${n}: ${v}`), '', ''].join(
    '\r\n',
  )

const openConnections = async (of: TestService) => {
  const { values } = await of.services.metrics.registry.getSingleMetric('hiring_http_connections')!.get()
  return values[0]!.value
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': '1000' }
const JSON_BODY = { 'Content-Type': 'application/json', 'Content-Length': '1000' }
const upload = async (blobKey: string, bytes = 1000) => {
  const expiresAt = (await services.db.now()) + 600_000
  const { url, headers } = await services.blobs.signedPut(blobKey, { contentType: 'text/plain', bytes, expiresAt })
  return head('PUT', url.slice(origin.length), headers)
}
const token = unsubscribeToken(services.keyring, { workspace, applicant: newHandle('applicant') })

const chunkedWrite = ({ secret }: { secret: string }) =>
  head('POST', '/api/partner/v1/lists', {
    Authorization: `Bearer ${secret}`,
    'Content-Type': 'application/json',
    'Transfer-Encoding': 'chunked',
  })

/** A request of each kind whose body does not come, and the status that its sender gets. */
const UNFINISHED: readonly { kind: string; request: string | Promise<string>; status: number }[] = [
  {
    kind: 'API write',
    request: head('POST', '/api/partner/v1/lists', { ...JSON_BODY, Authorization: `Bearer ${key.secret}` }),
    status: 408,
  },
  {
    kind: 'API write in chunks',
    request: chunkedWrite(key),
    status: 408,
  },
  { kind: 'API write without a key', request: head('POST', '/api/partner/v1/lists', JSON_BODY), status: 401 },
  {
    kind: 'API read with a body',
    request: head('GET', '/api/partner/v1/me', { ...JSON_BODY, Authorization: `Bearer ${key.secret}` }),
    status: 200,
  },
  { kind: 'openapi.json with a body', request: head('GET', '/api/partner/v1/openapi.json', JSON_BODY), status: 200 },
  { kind: 'sign-in form', request: head('POST', '/sign-in', { ...FORM, Origin: origin }), status: 408 },
  { kind: 'token endpoint', request: head('POST', '/oauth/token', FORM), status: 408 },
  { kind: 'unsubscribe form', request: head('POST', `/unsubscribe/${token}`, FORM), status: 408 },
  {
    kind: 'console write',
    request: head('POST', '/console/api/people', {
      ...JSON_BODY,
      Cookie: person.cookie,
      Origin: origin,
      'X-CSRF-Token': csrf,
    }),
    status: 408,
  },
  { kind: 'console page with a body', request: head('GET', '/console', FORM), status: 303 },
  { kind: 'documentation page with a body', request: head('GET', '/docs', FORM), status: 200 },
  { kind: 'unknown path', request: head('POST', '/nothing-here', FORM), status: 404 },
  { kind: 'file upload', request: upload('slow/a'), status: 408 },
  { kind: 'file upload without a signature', request: head('PUT', '/storage/x', FORM), status: 408 },
]

/** The status of the one response in a text, and that the text is a whole response of the service. */
function statusOf(text: string, kind: string): number {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  assert.equal(text.split('HTTP/1.1 ').length, 2, `${kind}: one response in ${JSON.stringify(text.slice(0, 200))}`)
  if (status === 408) {
    assert.match(text, /\r\nConnection: close\r\n/i, kind)
    assert.match(text, /\r\nService-Request-Id: req_/i, kind)
    assert.equal(JSON.parse(text.slice(text.indexOf('\r\n\r\n'))).detail.code, 'request_timeout', kind)
  }
  return status
}

/** A response that needs no body may come before the deadline; on a busy machine the deadline may come first. */
const assertStatus = (actual: number, expected: number) =>
  assert.ok(actual === expected || actual === 408, `${actual} is neither ${expected} nor 408`)

describe('a request whose body does not arrive', { concurrency: 20, timeout: 300_000 }, () => {
  for (const { kind, request, status } of UNFINISHED) {
    test(`slow clients: ${status} ${kind}, silent: the connection is closed`, async () => {
      assertStatus(statusOf(await open(service, await request).closed, kind), status)
    })
    test(`slow clients: ${status} ${kind}, a byte at a time: the whole body has one deadline`, async () => {
      const chunked = (await request).includes('chunked')
      const byte = chunked ? '1\r\nx\r\n' : 'x'
      const text = await drip(open(service, await request), byte)
      // what the client sends while the connection is being closed can reset it before the response is read
      if (text !== '') assertStatus(statusOf(text, kind), status)
    })
  }

  test('slow clients: 408: a write whose last byte is missing is not processed', async () => {
    const list = JSON.stringify({ name: 'Missing a byte' })
    const headers = { ...JSON_BODY, 'Content-Length': String(list.length), Authorization: `Bearer ${key.secret}` }
    const request = head('POST', `${API_PREFIX}/lists`, headers) + list
    assert.equal(statusOf(await open(service, request.slice(0, -1)).closed, 'API write'), 408)
    const names = async () => (await service.get('/lists', key)).body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(await names(), [])
    // sent again as a whole, it is
    assert.equal((await service.post('/lists', key, JSON.parse(list))).status, 201)
    assert.deepEqual(await names(), ['Missing a byte'])
  })

  test('slow clients: 400: a body that breaks the rules of HTTP half way gets a response, and the connection is closed', async () => {
    // with the usual time limits, which a busy machine does not reach
    const patient = await startTestService({ ROLES: 'api' })
    const { id } = await patient.workspace('enterprise')
    const request = chunkedWrite(await patient.key({ workspace: id }))
    const { closed } = open(patient, `${request}2\r\n{"\r\nnot a length\r\n`)
    const text = await closed
    assert.equal(statusOf(text, 'broken chunk'), 400)
    assert.match(text, /The request is not valid HTTP/)
  })

  after(async () => {
    assert.equal(await services.blobs.stat('slow/a'), null)
    const tmp = join(services.config.DATA_DIR, 'files/tmp')
    while ((await readdir(tmp)).length > 0) await delay(20)
  })
})

test('slow clients: a connection whose requests arrived whole outlives their deadlines', {
  timeout: 300_000,
}, async () => {
  const whole = (method: string, path: string, headers: Record<string, string> = {}) =>
    `${head(method, path, { ...headers, 'Content-Type': 'application/json', 'Content-Length': '2' })}{}`
  const { socket, closed } = open(service, whole('POST', '/api/partner/v1/lists'))
  for (const path of ['/nothing-here', '/api/partner/v1/lists', '/sign-in']) {
    await delay(LIMIT_SECONDS * 600)
    socket.write(whole('POST', path))
  }
  socket.write(head('GET', '/healthz', { Connection: 'close' }))
  assert.equal((await closed).match(/HTTP\/1\.1 200 /g)?.length, 1)
})

test('slow clients: keep-alive: a connection carries any number of requests with the same few listeners', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const listeners: number[] = []
  const count = (message: unknown) => listeners.push((message as { socket: Socket }).socket.listenerCount('close'))
  subscribe('http.server.response.finish', count)
  try {
    for (let i = 0; i < 30; i++) {
      await new Promise<void>((resolve, reject) => {
        get(`${origin}${API_PREFIX}/ping`, { agent, headers: { authorization: `Bearer ${key.secret}` } }, response =>
          response.resume().on('end', resolve),
        ).on('error', reject)
      })
    }
  } finally {
    unsubscribe('http.server.response.finish', count)
    agent.destroy()
  }
  assert.ok(listeners.length >= 30)
  assert.equal(new Set(listeners.slice(1)).size, 1, listeners.join(' '))
})

test('slow clients: blank lines between two requests do not keep a connection open', { timeout: 300_000 }, async () => {
  const client = open(service, head('GET', '/healthz'))
  assert.match(await drip(client, '\r\n'), /^HTTP\/1\.1 200 /)
})

describe('a request whose head does not arrive', { concurrency: 10, timeout: 300_000 }, () => {
  test('slow clients: 408 no byte at all: the connection is closed', async () => {
    assert.equal(statusOf(await open(service).closed, 'silent'), 408)
  })
  test('slow clients: 408 half a head: the connection is closed', async () => {
    assert.equal(statusOf(await open(service, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ').closed, 'half'), 408)
  })
  test('slow clients: 408 a head, a byte at a time: the connection is closed', async () => {
    const text = await drip(open(service, 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: '))
    if (text !== '') assert.equal(statusOf(text, 'slow head'), 408)
  })
  test('slow clients: a second head after a first response: the connection is closed without a response', async () => {
    const { closed } = open(service, `${head('GET', '/healthz')}GET /healthz HTTP/1.1\r\n`)
    assert.equal(statusOf(await closed, 'second head'), 200)
  })
})

/** More than the buffers of both sides hold. */
const LARGE = 40_000_000

describe('a response that is not read', { timeout: 300_000 }, async () => {
  // no client of this service but those of these tests: what is open is theirs
  const unread = await startTestService(SHORT)
  const { blobs } = unread.services
  const large = blobs.put('large/a', Buffer.alloc(LARGE), { contentType: 'text/plain' })
  const download = async () => {
    await large
    const file = { expiresInSeconds: 300, filename: 'a.txt', contentType: 'text/plain' }
    return head('GET', (await blobs.signedGet('large/a', file)).slice(unread.origin.length))
  }
  const often = (path: string) => head('GET', path).repeat(30)
  const kinds: Record<string, () => string | Promise<string>> = {
    'openapi.json': () => often('/api/partner/v1/openapi.json'),
    'documentation page': () => often('/docs/reference/jobs'),
    'file download': download,
  }
  for (const [kind, request] of Object.entries(kinds)) {
    test(`slow clients: ${kind}: the connection is closed, also if the client keeps sending`, async () => {
      const bytes = await request()
      for (const goesOn of [false, true]) {
        const socket = connect(Number(new URL(unread.origin).port), '127.0.0.1')
        sockets.add(socket)
        const closed = new Promise(resolve => socket.on('error', resolve).on('close', resolve))
        socket.pause()
        socket.write(bytes)
        while ((await openConnections(unread)) === 0) await delay(20)
        let over = false
        closed.then(() => {
          over = true
        })
        // a client that reads nothing learns of the end by writing
        while (!over && (goesOn || (await openConnections(unread)) > 0)) {
          if (goesOn) socket.write('G')
          await Promise.race([delay(GAP_MS), closed])
        }
        socket.destroy()
        while ((await openConnections(unread)) > 0) await delay(20)
      }
    })
  }
})

test('slow clients: more than 32 requests at the same time on one connection: the connection is closed', {
  timeout: 300_000,
}, async () => {
  const responses = async (requests: string) => (await open(service, requests).closed).split('HTTP/1.1 200 ').length - 1
  const ping = head('GET', '/api/partner/v1/ping')
  assert.ok((await responses(ping.repeat(5_000))) < 5_000)
  assert.equal(await responses(ping.repeat(31) + head('GET', '/api/partner/v1/ping', { Connection: 'close' })), 32)
})

test('slow clients: a slow but steady upload and download of a file are finished', { timeout: 300_000 }, async () => {
  const patient = await startTestService({
    REQUEST_TIMEOUT_SECONDS: '1',
    UPLOAD_TIMEOUT_SECONDS: '60',
    RESPONSE_IDLE_SECONDS: '2',
  })
  const { blobs, db } = patient.services
  const path = (url: string) => url.slice(patient.origin.length)
  const expiresAt = (await db.now()) + 600_000
  const size = 60
  const { url, headers } = await blobs.signedPut('steady/a', { contentType: 'text/plain', bytes: size, expiresAt })
  const sender = open(patient, head('PUT', path(url), { ...headers, Connection: 'close' }))
  for (let i = 0; i < size; i++) {
    sender.socket.write('x')
    await delay(GAP_MS)
  }
  assert.match(await sender.closed, /^HTTP\/1\.1 200 /)
  assert.equal((await blobs.stat('steady/a'))?.bytes, size)

  await blobs.put('steady/b', Buffer.alloc(LARGE, 'y'), { contentType: 'text/plain' })
  const file = { expiresInSeconds: 300, filename: 'b.txt', contentType: 'text/plain' }
  const signed = await blobs.signedGet('steady/b', file)
  const reader = connect(Number(new URL(patient.origin).port), '127.0.0.1')
  sockets.add(reader)
  reader.write(head('GET', path(signed), { Connection: 'close' }))
  let received = 0
  // 40 MB in steps of half a megabyte and 50 ms: at least four seconds
  for await (const chunk of reader) {
    const before = Math.floor(received / 500_000)
    received += (chunk as Buffer).length
    if (Math.floor(received / 500_000) > before) await delay(GAP_MS)
  }
  assert.ok(received > LARGE)
})

test('TLS: a connection without a handshake, or without a request after it, is closed', {
  timeout: 300_000,
}, async () => {
  const tls = (name: string) => join(import.meta.dirname, '../harness/tls', name)
  const secure = await startTestService({ ...SHORT, TLS_CERT: tls('receiver.pem'), TLS_KEY: tls('receiver.key') })
  await open(secure).closed
  const client = connectTls({ port: Number(new URL(secure.origin).port), host: '127.0.0.1', rejectUnauthorized: false })
  sockets.add(client)
  client.on('error', () => {}).resume()
  await new Promise(resolve => client.on('close', resolve))
  while ((await openConnections(secure)) > 0) await delay(20)
})

test('slow clients: a stop ends in time whatever clients do: no head, no body, half a head, nothing read', {
  timeout: 300_000,
}, async () => {
  const stopping = await startTestService({
    REQUEST_TIMEOUT_SECONDS: '600',
    RESPONSE_IDLE_SECONDS: '600',
    SHUTDOWN_SECONDS: '1',
  })
  const clients = [
    open(stopping),
    open(stopping, head('POST', '/sign-in', { ...FORM, Origin: stopping.origin })),
    open(stopping, 'GET /healthz HTTP/1.1\r\n'),
    open(stopping, head('GET', '/api/partner/v1/openapi.json').repeat(30)),
  ]
  clients[3]!.socket.pause()
  while ((await openConnections(stopping)) < clients.length) await delay(20)
  await stopping.stop()
  assert.equal(await openConnections(stopping), 0)
})

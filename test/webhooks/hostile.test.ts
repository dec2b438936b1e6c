import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { emit } from '../harness/events.ts'
import { CA_FILE, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

const TLS = join(import.meta.dirname, '../harness/tls')
const tls = { cert: readFileSync(join(TLS, 'receiver.pem')), key: readFileSync(join(TLS, 'receiver.key')) }

const servers: Server[] = []
const sockets = new Set<Socket>()
after(() => {
  for (const socket of sockets) socket.destroy()
  for (const server of servers) server.close()
})

async function listen(server: Server): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('tlsClientError', () => {})
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A TLS server that does this to each connection once a request has arrived. */
const overTls = (behave: (socket: Socket) => void) =>
  listen(
    createTlsServer(tls, socket => {
      socket.on('error', () => {})
      socket.once('data', () => behave(socket))
    }),
  )

/** Writes as fast as the other side takes it, for as long as it does. */
function pour(socket: Socket, chunk: Buffer, counter: { bytes: number }): void {
  const more = () => {
    while (!socket.destroyed) {
      counter.bytes += chunk.length
      if (!socket.write(chunk)) return void socket.once('drain', more)
    }
  }
  more()
}

function drip(socket: Socket, text: string): void {
  let i = 0
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    socket.write(text[i++ % text.length]!)
  }, 200)
}

const poured = { body: { bytes: 0 }, failure: { bytes: 0 }, head: { bytes: 0 } }
const junk = Buffer.alloc(16_384, 'x')
const OK = 'HTTP/1.1 200 OK\r\n'

/** name: [port, error of the attempt, whether it takes the full ten seconds] */
const cases: Record<string, [number, string | null, boolean]> = {
  'accepts and says nothing': [await overTls(() => {}), 'timeout', true],
  'never begins TLS': [await listen(createTcpServer(socket => void socket.resume())), 'timeout', true],
  'drips its head byte by byte': [await overTls(socket => drip(socket, `${OK}X: ${'y'.repeat(100)}`)), 'timeout', true],
  'drips its body after a head of 200': [
    await overTls(socket => {
      socket.write(`${OK}Content-Length: 1000\r\n\r\n`)
      drip(socket, 'x')
    }),
    null,
    false,
  ],
  'pours an endless body after 200': [
    await overTls(socket => {
      socket.write(`${OK}\r\n`)
      pour(socket, junk, poured.body)
    }),
    null,
    false,
  ],
  'pours an endless body after 500': [
    await overTls(socket => {
      socket.write('HTTP/1.1 500 No\r\n\r\n')
      pour(socket, junk, poured.failure)
    }),
    'http_status',
    false,
  ],
  'sends a megabyte of headers': [
    await overTls(socket => {
      socket.write(`${OK}X: `)
      pour(socket, junk, poured.head)
    }),
    'connection_failed',
    false,
  ],
  'sends interim responses forever': [
    await overTls(socket => {
      const timer = setInterval(() => {
        if (socket.destroyed) clearInterval(timer)
        else socket.write('HTTP/1.1 102 Processing\r\n\r\n')
      }, 20)
    }),
    'timeout',
    true,
  ],
  'sends garbage': [await overTls(socket => socket.end('\x00\x01garbage\r\n\r\n')), 'connection_failed', false],
  'switches protocols': [
    await overTls(socket => socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n')),
    'connection_failed',
    false,
  ],
  'resets the connection': [
    await listen(
      createTcpServer(socket => {
        socket.once('data', () => socket.resetAndDestroy())
      }),
    ),
    'connection_failed',
    false,
  ],
  'closes after the request': [await overTls(socket => socket.end()), 'connection_failed', false],
  'refuses to connect': [1, 'connection_failed', false],
  'has a name server that never responds': [1, 'timeout', true],
}

const hosts = Object.values(cases).map(([port], i) => `h${i}.hooks.test:${port}`)
const names = testNames()
const silent = Object.keys(cases).indexOf('has a name server that never responds')
let mute = false
const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: hosts.join(','), WEBHOOK_CA: CA_FILE },
  {
    resolveName: (hostname, opts) =>
      mute && hostname.startsWith(`h${silent}.`) ? new Promise(() => {}) : names(hostname, opts),
  },
)

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Memory that is really held: what waits for collection does not count. */
function held(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test('hostile receivers: every attempt ends at ten seconds at the latest, with its cause, and costs no memory', async () => {
  const { db } = service.services
  const before = held()
  const made = await Promise.all(
    hosts.map(async host => {
      const { id: workspace, userEmail } = await service.workspace('enterprise')
      const key = await service.key({ workspace, userEmail })
      const url = `https://${host}/hook`
      const response = await service.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
      assert.equal(response.status, 201, response.text)
      return { workspace, key, id: response.body.id as string }
    }),
  )
  mute = true
  for (const { workspace } of made) await emit(db, workspace, ['job.published'])
  const detail = async (key: { secret: string }) => {
    const { data } = (await service.get('/webhooks/deliveries', key)).body
    return data[0] && (await service.get(`/webhooks/deliveries/${data[0].id}`, key)).body
  }
  const ended = made.map(async ({ key, id }, i) => {
    const name = `a receiver that ${Object.keys(cases)[i]}`
    await until(name, async () => typeof (await detail(key))?.attempts[0]?.duration_ms === 'number')
    const { attempts, status } = await detail(key)
    // so that no second attempt is made
    await service.post(`/webhooks/endpoints/${id}/disable`, key)
    const [, error, full] = Object.values(cases)[i]!
    const { duration_ms: ms } = attempts[0]
    assert.equal(attempts[0].error, error, name)
    assert.equal(status, error === null ? 'delivered' : 'retrying', name)
    assert.ok(full ? ms >= 9_900 && ms < 11_000 : ms < 5_000, `${name}: ${ms}`)
  })
  await Promise.all(ended)
  for (const [what, { bytes }] of Object.entries(poured)) assert.ok(bytes > 0 && bytes < 8_000_000, `${what}: ${bytes}`)
  assert.ok(held() - before < 50_000_000, `${held() - before} bytes are held`)
})

test('hostile receivers: no connection outlives its attempt by more than a short body may take', async () => {
  await until('all are closed', () => sockets.size === 0, 5_000)
})

import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import { after, test } from 'node:test'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { emit } from '../harness/events.ts'
import { CA_FILE, startReceiver, testNames, until } from '../harness/receiver.ts'
import { startTestService } from '../harness/service.ts'

/** Public by every rule and unassigned: what is sent there arrives nowhere. */
const NOWHERE = '2d00::1'

let reached = 0
const listeners: Server[] = []
for (const host of ['127.0.0.1', '::1']) {
  const listener = createServer(socket => {
    reached++
    socket.destroy()
  })
  const listening = await new Promise<boolean>(resolve => {
    listener.once('error', () => resolve(false))
    listener.listen(8443, host, () => resolve(true))
  })
  if (listening) listeners.push(listener)
}
after(() => {
  for (const listener of listeners) listener.close()
})

const names: Record<string, string[] | (() => string[])> = {}
const receiver = await startReceiver()
const wrongName = await startReceiver('other.test')
names['other.test'] = ['127.0.0.1']
const plain = createServer(socket => {
  // reads on, to see that the client closes the connection
  socket.on('error', () => {}).resume()
  socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
})
await new Promise<void>(resolve => plain.listen(0, '127.0.0.1', resolve))
after(() => plain.close())
const plainPort = (plain.address() as { port: number }).port

const service = await startTestService(
  { WEBHOOK_ALLOW_HOSTS: `${receiver.host},${wrongName.host},hooks.test:${plainPort}`, WEBHOOK_CA: CA_FILE },
  { resolveName: testNames(names) },
)
const { db } = service.services

async function register(url: string, on = service) {
  const { id: workspace, userEmail } = await on.workspace('enterprise')
  const key = await on.key({ workspace, userEmail })
  const made = await on.post('/webhooks/endpoints', key, { url, event_types: ['job.published'] })
  return { workspace, key, made, id: made.body.id as string }
}

async function attempted(of: { workspace: string; key: { secret: string } }, on = service) {
  await emit(on.services.db, of.workspace, ['job.published'])
  const newest = async () => (await on.get('/webhooks/deliveries', of.key)).body.data[0]
  await until('an attempt ended', async () => !['pending', undefined].includes((await newest())?.status))
  return newest()
}

test('webhook addresses: the forbidden addresses are listened on', () => {
  assert.ok(listeners.length > 0)
})

test('webhook addresses: url_refused: a name that leads elsewhere after registration is refused before each delivery, on the normal schedule', async () => {
  const cases = [
    ['127.0.0.1'],
    ['::1'],
    [NOWHERE, '127.0.0.1'],
    ['127.0.0.1', NOWHERE],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
  ]
  for (const [i, addresses] of cases.entries()) {
    const host = `flip${i}.example.com`
    names[host] = [NOWHERE]
    const e = await register(`https://${host}:8443/hook`)
    assert.equal(e.made.status, 201)
    names[host] = addresses
    const delivery = await attempted(e)
    assert.equal(delivery.status, 'retrying', addresses.join())
    assert.equal(delivery.error, 'url_refused: blocked_address')
    assert.equal(delivery.response_status, null)
    const { now } = (await db.one(sql<{ now: string }>`select app_now() as now`))!
    assert.ok(Date.parse(delivery.next_attempt_at) >= Date.parse(delivery.created_at) + 8_000)
    assert.ok(Date.parse(delivery.next_attempt_at) <= Date.parse(now) + 12_000)
  }
  assert.equal(reached, 0)
})

test('POST /webhooks/endpoints/{id}/test: 202 wherever the name leads at that moment; the outcome of its one attempt is in the log', async () => {
  const cases = [
    [['127.0.0.1'], 'url_refused: blocked_address'],
    [[NOWHERE, '10.0.0.1'], 'url_refused: blocked_address'],
    [[], 'connection_failed'],
  ] as const
  for (const [i, [addresses, error]] of cases.entries()) {
    const host = `tested${i}.example.com`
    names[host] = [NOWHERE]
    const e = await register(`https://${host}:8443/hook`)
    names[host] = [...addresses]
    const queued = await service.post(`/webhooks/endpoints/${e.id}/test`, e.key)
    assert.deepEqual([queued.status, queued.body.status, queued.body.event_type], [202, 'pending', 'ping'], error)
    const read = async () => (await service.get(`/webhooks/deliveries/${queued.body.id}`, e.key)).body
    await until('the ping ended', async () => (await read()).status !== 'pending')
    const { status, attempt, attempts, next_attempt_at, ...ping } = await read()
    assert.deepEqual([status, ping.error, attempt, next_attempt_at], ['failed', error, 1, null])
    assert.deepEqual(
      attempts.map((a: { error: string }) => a.error),
      [error],
    )
  }
  assert.equal(reached, 0)
})

test('webhook addresses: rebinding: the addresses that were checked are the ones connected to; nothing is looked up in between', async () => {
  let lookups = 0
  names['rebind.example.com'] = [NOWHERE]
  const e = await register('https://rebind.example.com:8443/hook')
  names['rebind.example.com'] = () => (++lookups === 1 ? [NOWHERE] : ['127.0.0.1'])
  const delivery = await attempted(e)
  assert.ok(['connection_failed', 'timeout'].includes(delivery.error), delivery.error)
  assert.equal(lookups, 1)
  clock.advance(13_000)
  await until('the second attempt', async () => {
    const { body } = await service.get(`/webhooks/deliveries/${delivery.id}`, e.key)
    return body.attempts[1]?.error === 'url_refused: blocked_address'
  })
  clock.reset()
  assert.equal(reached, 0)
})

test('webhook addresses: literals and local names in the store (as if the rules had been laxer once) are refused by the sender', async () => {
  const urls = [
    '127.0.0.1',
    '0x7f.1',
    '2130706433',
    '0177.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'localhost',
    'localhost.',
    'a.localhost',
    '127.0.0.1.',
  ]
  const pairs = await Promise.all(
    urls.map(async host => {
      names[host] = ['127.0.0.1']
      const e = await register(receiver.url)
      await db.query(sql`update webhook_endpoints set url = ${`https://${host}:8443/hook`} where id = ${e.id}::uuid`)
      return [host, await attempted(e)] as const
    }),
  )
  for (const [host, delivery] of pairs) assert.equal(delivery.error, 'url_refused: blocked_address', host)
  assert.equal(reached, 0)
})

test('webhook addresses: a redirect to a forbidden address leads nowhere', async () => {
  const e = await register(receiver.url)
  receiver.respond = (_request, response) => void response.writeHead(307, { location: 'https://127.0.0.1:8443/' }).end()
  const delivery = await attempted(e)
  receiver.respond = (_request, response) => void response.end()
  assert.equal(delivery.error, 'redirect_refused')
  assert.equal(reached, 0)
})

test('webhook addresses: connection_failed: the name no longer resolves', async () => {
  names['gone.example.com'] = [NOWHERE]
  const e = await register('https://gone.example.com/hook')
  names['gone.example.com'] = []
  assert.equal((await attempted(e)).error, 'connection_failed')
})

test('webhook addresses: tls_failed: a certificate for another name, no TLS at all, an untrusted authority', async () => {
  const other = await attempted(await register(wrongName.url))
  assert.equal(other.error, 'tls_failed')
  const none = await attempted(await register(`https://hooks.test:${plainPort}/hook`))
  assert.equal(none.error, 'tls_failed')
  const strict = await startTestService({ WEBHOOK_ALLOW_HOSTS: receiver.host }, { resolveName: testNames() })
  const unknown = await attempted(await register(receiver.url, strict), strict)
  assert.equal(unknown.error, 'tls_failed')
  assert.equal(wrongName.received.length, 0)
})

test('webhook addresses: without the operator’s exception a private host is refused at registration', async () => {
  const strict = await startTestService({ ROLES: 'api' }, { resolveName: testNames() })
  const { made } = await register('https://hooks.test/hook', strict)
  assert.equal(made.status, 400)
  assert.equal(made.body.detail.code, 'webhook_url_not_allowed')
})

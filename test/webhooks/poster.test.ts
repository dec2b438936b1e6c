import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { Poster, PostFailed } from '../../src/kernel/net/poster.ts'
import { CA_FILE, startReceiver } from '../harness/receiver.ts'

const receiver = await startReceiver()
const poster = new Poster({ ca: readFileSync(CA_FILE) })
after(() => poster.close())

const post = (addresses: string[], limitMs = 5_000) =>
  poster.post({
    addresses,
    hostname: 'hooks.test',
    port: receiver.port,
    path: '/x?y=1',
    headers: { 'X-Probe': 'yes' },
    body: 'größe',
    signal: AbortSignal.timeout(limitMs),
  })

test('webhook poster: connects to the given address alone; the name serves for TLS and Host', async () => {
  assert.equal((await post(['127.0.0.1'])).status, 200)
  const [got] = receiver.received
  assert.equal(got!.headers.host, receiver.host)
  assert.equal(got!.headers['x-probe'], 'yes')
  assert.equal(got!.path, '/x?y=1')
  assert.equal(got!.body, 'größe')
})

test('webhook poster: a connection is reused, and one that the receiver has closed is replaced', async () => {
  const { connections } = receiver
  const before = receiver.received.length
  for (let i = 0; i < 5; i++) assert.equal((await post(['127.0.0.1'])).status, 200)
  assert.equal(receiver.connections, connections)
  receiver.hangUp()
  assert.equal((await post(['127.0.0.1'])).status, 200)
  assert.equal(receiver.connections, connections + 1)
  assert.equal(receiver.received.length, before + 6)
})

test('webhook poster: connection_failed: a reused connection cut after the request arrived; the request is not sent again', async () => {
  assert.equal((await post(['127.0.0.1'])).status, 200)
  const { connections } = receiver
  const before = receiver.received.length
  receiver.respond = request => void request.socket.destroy()
  await assert.rejects(
    post(['127.0.0.1']),
    (error: unknown) => error instanceof PostFailed && error.reason === 'connection_failed',
  )
  receiver.respond = (_request, response) => void response.end()
  assert.equal(receiver.received.length, before + 1)
  assert.equal(receiver.connections, connections, 'on the kept connection')
})

test('webhook poster: of several addresses the next is tried where one cannot be connected to', async () => {
  assert.equal((await post(['::1', '127.0.0.1'])).status, 200)
  await assert.rejects(
    post(['::1']),
    (error: unknown) => error instanceof PostFailed && error.reason === 'connection_failed',
  )
  await assert.rejects(post([]), PostFailed)
})

test('webhook poster: the signal ends it at any point', async () => {
  receiver.respond = () => {}
  await assert.rejects(post(['127.0.0.1'], 200), { name: 'TimeoutError' })
})

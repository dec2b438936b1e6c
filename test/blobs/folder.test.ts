import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { isKey } from '../../src/kernel/blobs/blobs.ts'
import { type FolderBlobs, openFolderBlobs } from '../../src/kernel/blobs/folder.ts'
import { type Address, signAddress, verifyAddress } from '../../src/kernel/blobs/signed-url.ts'
import { type StorageRefusal, storageHandler } from '../../src/kernel/blobs/storage-handler.ts'
import { blobsConformance, send } from './conformance.ts'

const statusOf: Record<StorageRefusal, number> = {
  not_found: 404,
  invalid_upload: 400,
  upload_already_used: 409,
  payload_too_large: 413,
  method_not_allowed: 405,
}

/** A folder store behind a real server. */
async function serve(limits: { putSeconds?: number; idleSeconds?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'blobs-'))
  const signingKey = randomBytes(32)
  let time = Date.UTC(2026, 10, 1, 12, 0, 0, 123)
  const now = () => time
  const failures: unknown[] = []
  const begun: IncomingMessage[] = []
  const server = createServer((req, res) => {
    begun.push(req)
    handle(req, res, (req.url ?? '').replace(/^\/storage/, '')).catch(error => {
      failures.push(error)
      if (res.headersSent) res.destroy()
      else res.writeHead(500).end()
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const blobs: FolderBlobs = await openFolderBlobs({
    folder,
    publicUrl: () => `http://127.0.0.1:${port}/`,
    signingKeys: () => [signingKey],
    now,
  })
  const handle = storageHandler({
    blobs,
    signingKeys: () => [signingKey],
    dbNow: async () => time,
    fail: (res, code, message) => {
      res.writeHead(statusOf[code], { 'Content-Type': 'application/json' }).end(JSON.stringify({ code, message }))
    },
    ...limits,
  })
  return {
    blobs,
    folder,
    port,
    signingKey,
    failures,
    begun,
    now,
    setNow: (ms: number) => {
      time = ms
    },
    serverEnforces: true,
    close: async () => {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
      await rm(folder, { recursive: true })
      assert.deepEqual(failures, [])
    },
  }
}

type Served = Awaited<ReturnType<typeof serve>>

blobsConformance('folder', serve)

const put = { contentType: 'text/plain', bytes: 5 }
const codeOf = (response: { body: Buffer }) => JSON.parse(response.body.toString()).code

/** A PUT written by hand, to stop anywhere. Resolves with all that came back when the connection closes. */
function rawPut(served: Served, url: string, headers: Record<string, string>, body: string) {
  const { pathname, search } = new URL(url)
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket: Socket = connect(served.port, '127.0.0.1')
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  return { socket, response: textOf(socket).catch(() => '') }
}

/** Waits until a condition of the running server holds. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(done => setImmediate(done))
}

describe('folder: storage addresses over HTTP', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(() => served.close())
  const reserve = (key: string, ms = 900_000) => served.blobs.signedPut(key, { ...put, expiresAt: served.now() + ms })
  const tmp = () => readdir(join(served.folder, 'tmp'))

  test('folder store: 200 GET: locked-down headers, Range ignored', async () => {
    await served.blobs.put('h/a', Buffer.from('hello'), { contentType: 'text/html' })
    const url = await served.blobs.signedGet('h/a', {
      expiresInSeconds: 300,
      filename: 'a.html',
      contentType: 'text/html',
    })
    const response = await send('GET', url, { Range: 'bytes=1-2' })
    assert.equal(response.status, 200)
    assert.equal(response.body.toString(), 'hello')
    assert.equal(response.headers['x-content-type-options'], 'nosniff')
    assert.equal(response.headers['content-security-policy'], "sandbox; default-src 'none'")
    assert.equal(response.headers['cache-control'], 'private, no-store')
    assert.equal(response.headers['accept-ranges'], undefined)
  })

  test('folder store: 404 not_found: expiry is exact to the millisecond, for GET and PUT', async () => {
    await served.blobs.put('h/exp', Buffer.from('hello'), { contentType: 'text/plain' })
    const start = served.now()
    const get = await served.blobs.signedGet('h/exp', {
      expiresInSeconds: 300,
      filename: 'a',
      contentType: 'text/plain',
    })
    const one = await reserve('h/exp1', 300_000)
    const two = await reserve('h/exp2', 300_000)
    // A PUT also has to end before the expiry, so it begins well before.
    served.setNow(start + 240_000)
    assert.equal((await send('PUT', one.url, one.headers, Buffer.from('12345'))).status, 200)
    served.setNow(start + 299_999)
    assert.equal((await send('GET', get)).status, 200)
    served.setNow(start + 300_000)
    for (const response of [await send('GET', get), await send('PUT', two.url, two.headers, Buffer.from('12345'))]) {
      assert.equal(response.status, 404)
      assert.equal(codeOf(response), 'not_found')
    }
  })

  test('folder store: 404 not_found: absent, unsigned, and made for the other method are one and the same response', async () => {
    const { url, headers } = await reserve('h/m')
    const absent = await served.blobs.signedGet('h/none', { expiresInSeconds: 60, filename: 'a', contentType: 'a/b' })
    const responses = [
      await send('GET', url),
      await send('GET', absent),
      await send('PUT', absent, headers, Buffer.from('12345')),
      await send('GET', url.replace(/&sig=.*/, '')),
      await send('GET', `${new URL(url).origin}/storage/h/a`),
      await send('GET', `${new URL(url).origin}/storage/`),
    ]
    for (const response of responses) {
      assert.equal(response.status, 404)
      assert.deepEqual(response.body, responses[0]?.body)
    }
  })

  test('folder store: 405 method_not_allowed: every other method, HEAD included, with Allow', async () => {
    const { url } = await reserve('h/a')
    for (const method of ['HEAD', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send(method, url, { 'Content-Length': '0' })
      assert.equal(response.status, 405)
      assert.equal(response.headers.allow, 'GET, PUT')
    }
  })

  test('folder store: 400, 413: chunked, no length, other type and other length are refused, and the address stays good', async () => {
    const { url, headers } = await reserve('h/rules')
    const cases: [StorageRefusal, Record<string, string>, number][] = [
      ['invalid_upload', { 'Content-Type': 'text/plain', 'Transfer-Encoding': 'chunked' }, 5],
      ['invalid_upload', { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, 5],
      ['invalid_upload', { 'Content-Length': '5' }, 5],
      ['invalid_upload', { ...headers, 'Content-Length': '4' }, 4],
      ['invalid_upload', { ...headers, 'Content-Length': '0' }, 0],
      ['payload_too_large', { ...headers, 'Content-Length': '6' }, 6],
      ['payload_too_large', { ...headers, 'Content-Length': '7000000' }, 7_000_000],
    ]
    for (const [code, sent, bytes] of cases) {
      const response = await send('PUT', url, sent, Buffer.alloc(bytes))
      assert.equal(response.status, statusOf[code])
      assert.equal(codeOf(response), code)
    }
    const bare = rawPut(served, url, { 'Content-Type': 'text/plain', Connection: 'close' }, '')
    assert.match(await bare.response, /^HTTP\/1.1 400 .*"invalid_upload"/s)
    assert.equal(await served.blobs.stat('h/rules'), null)
    assert.equal((await send('PUT', url, headers, Buffer.from('12345'))).status, 200)
  })

  test('folder store: 409 upload_already_used: also after the blob was removed, also for a second address of the key', async () => {
    const { url, headers } = await reserve('h/once')
    assert.equal((await send('PUT', url, headers, Buffer.from('12345'))).status, 200)
    const other = await reserve('h/once', 60_000)
    for (const address of [url, other.url]) {
      const again = await send('PUT', address, headers, Buffer.from('54321'))
      assert.equal(again.status, 409)
      assert.equal(codeOf(again), 'upload_already_used')
    }
    await served.blobs.remove('h/once')
    await served.blobs.sweep()
    assert.equal((await send('PUT', url, headers, Buffer.from('54321'))).status, 409)
    assert.equal(await served.blobs.stat('h/once'), null)
    // The same holds for a key that the service itself wrote.
    await served.blobs.put('h/direct', Buffer.from('mine'), { contentType: 'text/plain' })
    const direct = await reserve('h/direct')
    assert.equal((await send('PUT', direct.url, direct.headers, Buffer.from('54321'))).status, 409)
  })

  test('folder store: a connection that breaks midway leaves nothing, and the address stays good', async () => {
    const { url, headers } = await reserve('h/cut')
    const { socket, response } = rawPut(served, url, headers, '123')
    await until(async () => (await tmp()).length === 1)
    assert.equal(await served.blobs.stat('h/cut'), null)
    socket.destroy()
    await until(async () => (await tmp()).length === 0)
    await response
    assert.equal(await served.blobs.stat('h/cut'), null)
    assert.equal((await send('PUT', url, headers, Buffer.from('12345'))).status, 200)
  })

  test('folder store: a PUT that is not through when its address expires is cut off', async () => {
    const { url, headers } = await reserve('h/late', 50)
    assert.equal(await rawPut(served, url, headers, '123').response, '')
    await until(async () => (await tmp()).length === 0)
    assert.equal(await served.blobs.stat('h/late'), null)
  })

  test('folder store: of two PUTs that both are midway the first to end wins, the other gets 409', async () => {
    const { url, headers } = await reserve('h/two')
    const one = rawPut(served, url, { ...headers, Connection: 'close' }, '123')
    const two = rawPut(served, url, { ...headers, Connection: 'close' }, 'abc')
    await until(async () => (await tmp()).length === 2)
    two.socket.write('de')
    assert.match(await two.response, /^HTTP\/1.1 200 /)
    one.socket.write('45')
    assert.match(await one.response, /^HTTP\/1.1 409 .*"upload_already_used"/s)
    assert.equal(await textOf((await served.blobs.get('h/two'))!.stream), 'abcde')
    assert.deepEqual(await tmp(), [])
  })
})

test('folder store: slow senders and readers: cut off when nothing moves, and when the whole takes too long', async () => {
  for (const limits of [{ idleSeconds: 0.05 }, { putSeconds: 0.05 }]) {
    const served = await serve(limits)
    const { url, headers } = await served.blobs.signedPut('s/a', { ...put, expiresAt: served.now() + 900_000 })
    assert.equal(await rawPut(served, url, headers, '123').response, '')
    await until(async () => (await readdir(join(served.folder, 'tmp'))).length === 0)
    assert.equal(await served.blobs.stat('s/a'), null)
    await served.close()
  }
  const served = await serve({ idleSeconds: 0.05 })
  await served.blobs.put('s/b', Buffer.alloc(50_000_000), { contentType: 'text/plain' })
  const url = await served.blobs.signedGet('s/b', { expiresInSeconds: 60, filename: 'a', contentType: 'text/plain' })
  const reader = connect(served.port, '127.0.0.1').on('error', () => {})
  reader.write(`GET ${url.slice(new URL(url).origin.length)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  await until(() => served.begun[0]?.socket.destroyed === true)
  reader.destroy()
  await served.close()
})

describe('folder: files', () => {
  test('folder store: a key may be the folder of another; files and folders are the owner’s alone; leftovers go after an hour', async () => {
    const served = await serve()
    const { blobs, folder, signingKey, now } = served
    for (const key of ['a', 'a/b', 'a/b/c']) await blobs.put(key, Readable.from([key]), { contentType: 'text/plain' })
    for (const key of ['a', 'a/b', 'a/b/c']) assert.equal(await textOf((await blobs.get(key))!.stream), key)
    await blobs.removeAll('a/')
    assert.deepEqual(await readdir(join(folder, 'blobs')), ['a+blob'])
    assert.equal((await stat(join(folder, 'blobs', 'a+blob'))).mode & 0o777, 0o600)
    assert.equal((await stat(join(folder, 'blobs'))).mode & 0o777, 0o700)
    assert.equal(await readFile(join(folder, 'blobs', 'a+blob'), 'latin1'), 'blob1 text/plain\na')

    const seconds = now() / 1000
    for (const [name, age] of Object.entries({ dead: 3601, alive: 3500 })) {
      for (const place of ['tmp', 'spent']) {
        await writeFile(join(folder, place, name), 'x')
        await utimes(join(folder, place, name), seconds - age, seconds - age)
      }
    }
    await openFolderBlobs({ folder, publicUrl: () => 'http://h', signingKeys: () => [signingKey], now })
    assert.deepEqual(await readdir(join(folder, 'tmp')), ['alive'])
    assert.deepEqual(await readdir(join(folder, 'spent')), ['alive'])
    await assert.rejects(
      openFolderBlobs({ folder, publicUrl: () => 'http://h', signingKeys: () => [Buffer.alloc(31)], now }),
      /32 bytes/,
    )
    await served.close()
  })

  test('folder store: puts during removeAll of their folder all succeed', async () => {
    const served = await serve()
    const work = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0
        ? served.blobs.removeAll('w/')
        : served.blobs.put(`w/x${n}/y`, Buffer.from('y'), { contentType: 'a/b' }),
    )
    await Promise.all(work)
    await served.close()
  })
})

describe('keys and signatures, for any input', () => {
  const segment = fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/).filter(part => part !== '.' && !part.includes('..'))
  const key = fc.array(segment, { minLength: 1, maxLength: 6 }).map(parts => parts.join('/'))

  test('folder store: a key passes when all its characters and segments are allowed, and no path leaves the folder by one', () => {
    fc.assert(fc.property(key, good => isKey(good)))
    const near = fc.string({ unit: fc.constantFrom('a', '/', '.', '-', '_', ' ', '\\', '\0', 'é', '%'), maxLength: 12 })
    fc.assert(
      fc.property(fc.oneof(near, fc.string(), key), (given: string) => {
        const valid: boolean = isKey(given)
        const allowed = /^[A-Za-z0-9_./-]{1,500}$/.test(given) && !given.includes('..') && !given.startsWith('/')
        if (valid) return allowed && join('/root', given) === `/root/${given}` && !given.endsWith('/')
        return !allowed || given.split('/').some(part => part === '' || part === '.' || part.length > 200)
      }),
      { numRuns: 2000 },
    )
    assert.ok(isKey(`${'a'.repeat(200)}/${'a'.repeat(200)}/${'a'.repeat(98)}`))
    assert.ok(!isKey(`${'a'.repeat(200)}/${'a'.repeat(200)}/${'a'.repeat(99)}`))
  })

  const plain = { noNullPrototype: true }
  const base = { key, expiresAt: fc.nat(), contentType: fc.constantFrom('text/plain', 'a/b; c="d&sig=e"') }
  const address: fc.Arbitrary<Address> = fc.oneof(
    fc.record({ op: fc.constant('get' as const), ...base, filename: fc.string({ unit: 'grapheme' }) }, plain),
    fc.record({ op: fc.constant('put' as const), ...base, bytes: fc.nat() }, plain),
  )
  const signingKey = Buffer.alloc(32, 7)

  test('folder store: an address reads back as it was signed; under another key it is nothing', () => {
    fc.assert(
      fc.property(address, given => {
        const target = signAddress(signingKey, given)
        assert.deepEqual(verifyAddress([signingKey], target), given)
        assert.equal(verifyAddress([Buffer.alloc(32, 8)], target), null)
        // What a URL parser makes of it is the same text.
        const url = new URL(`http://h/storage${target}`)
        assert.equal(url.pathname + url.search, `/storage${target}`)
      }),
    )
  })

  test('folder store: an address with any one character changed, added or left out is nothing', () => {
    fc.assert(
      fc.property(address, fc.nat(), fc.string({ minLength: 1, maxLength: 1 }), (given, where, char) => {
        const target = signAddress(signingKey, given)
        const at = where % target.length
        for (const altered of [
          target.slice(0, at) + char + target.slice(at + 1),
          target.slice(0, at) + char + target.slice(at),
          target.slice(0, at) + target.slice(at + 1),
          target.slice(0, at) + target[at]!.toUpperCase() + target.slice(at + 1),
          target + char,
        ]) {
          if (altered !== target) assert.equal(verifyAddress([signingKey], altered), null)
        }
      }),
      { numRuns: 2000 },
    )
  })
})

test('folder store: a file and its folder removed at the same time: both calls succeed, and nothing is left', async () => {
  const { blobs, close } = await serve()
  try {
    for (let round = 0; round < 20; round++) {
      const keys = Array.from({ length: 4 }, (_, n) => `both/${round}/${n}`)
      for (const key of keys) await blobs.put(key, Buffer.from('x'), { contentType: 'text/plain', bytes: 1 })
      await Promise.all([...keys.map(key => blobs.remove(key)), blobs.removeAll(`both/${round}/`)])
      for (const key of keys) assert.equal(await blobs.stat(key), null)
    }
  } finally {
    await close()
  }
})

// What every blob store does, as tests. Each store's test file runs these against the real thing.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, type TestContext, test } from 'node:test'
import { BlobKeyError, BlobLengthError, type Blobs, BlobTypeError } from '../../src/kernel/blobs/blobs.ts'

export interface Subject {
  blobs: Blobs
  /** Moves the clock of the store and of the server behind its addresses, if that can be moved. */
  setNow: (ms: number) => void
  now: () => number
  /** False for a stand-in server that is known not to check signatures, expiry or conditions: then only what we do counts. */
  serverEnforces: boolean
  close: () => Promise<void>
}

export interface BlobResponse {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** A plain request, for which nothing adds, corrects or follows anything. */
export function send(
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body: Buffer = Buffer.alloc(0),
): Promise<BlobResponse> {
  return new Promise((resolve, reject) => {
    const open = url.startsWith('https:') ? httpsRequest : httpRequest
    const req = open(url, { method, headers, agent: false }, res => {
      buffer(res).then(got => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: got }), reject)
    })
    req.on('error', reject)
    req.end(body)
  })
}

const MB = 1024 * 1024
const text = { contentType: 'text/plain' }
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** Random bytes in uneven chunks, so that no boundary falls where a buffer's does. */
function inChunks(bytes: Buffer, size = 60_001): Readable {
  return Readable.from(
    (function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
    })(),
    { objectMode: false },
  )
}

export function blobsConformance(name: string, start: () => Promise<Subject>): void {
  describe(`${name}: blob store`, () => {
    let subject: Subject
    let blobs: Blobs
    before(async () => {
      subject = await start()
      blobs = subject.blobs
    })
    after(() => subject.close())

    const read = async (key: string) => {
      const found = await blobs.get(key)
      return found && { ...found.stat, body: await buffer(found.stream) }
    }
    const keysBelow = async (prefix: string) => {
      const keys: string[] = []
      for await (const key of blobs.list(prefix)) keys.push(key)
      return keys.sort()
    }
    /** Asserts a refusal that the server behind a signed address has to make. */
    const refused = (t: TestContext, response: BlobResponse, what: string) => {
      if (response.status >= 400) return true
      if (!subject.serverEnforces) t.diagnostic(`not refused by this stand-in server: ${what}`)
      else assert.fail(`${what}: responded ${response.status}`)
      return false
    }

    test('a blob comes back byte for byte with its type and length: empty, one byte, 5 MB stream, 20 MB stream', async () => {
      for (const bytes of [0, 1, 5 * MB, 20 * MB + 17]) {
        const sent = randomBytes(bytes)
        const body = bytes < 2 ? sent : inChunks(sent)
        const stat = { bytes, contentType: 'application/pdf' }
        assert.deepEqual(await blobs.put('trip/a', body, { contentType: 'application/pdf' }), stat)
        assert.deepEqual(await blobs.stat('trip/a'), stat)
        const back = await read('trip/a')
        assert.equal(back?.contentType, 'application/pdf')
        assert.equal(back?.bytes, bytes)
        assert.equal(digest(back?.body ?? Buffer.alloc(0)), digest(sent))
      }
      await blobs.put('trip/empty', Readable.from([]), { ...text, bytes: 0 })
      assert.equal((await read('trip/empty'))?.bytes, 0)
    })

    test('an absent blob is null, and removing it is fine', async () => {
      assert.equal(await blobs.get('absent/a'), null)
      assert.equal(await blobs.stat('absent/a'), null)
      await blobs.remove('absent/a')
      await blobs.removeAll('absent/')
      assert.deepEqual(await keysBelow('absent/'), [])
    })

    test('overwriting: a reader that began finishes with the old bytes, the next reads the new', async () => {
      const old = randomBytes(5 * MB)
      await blobs.put('over/a', old, text)
      const reader = await blobs.get('over/a')
      await blobs.put('over/a', Buffer.from('new'), { contentType: 'text/rtf' })
      assert.equal(digest(await buffer(reader!.stream)), digest(old))
      assert.deepEqual(await read('over/a'), { bytes: 3, contentType: 'text/rtf', body: Buffer.from('new') })
    })

    test('writers of one key at the same time: one whole body is there at the end', async () => {
      const bodies = Array.from({ length: 5 }, () => randomBytes(300_000))
      await Promise.all(bodies.map(body => blobs.put('race/a', inChunks(body), text)))
      const back = (await read('race/a'))!.body
      assert.ok(bodies.some(body => body.equals(back)))
    })

    test('a length other than promised stores nothing and leaves what was there', async () => {
      await blobs.put('length/kept', Buffer.from('kept'), text)
      for (const key of ['length/none', 'length/kept']) {
        for (const body of [() => Buffer.from('four'), () => inChunks(randomBytes(9 * MB))]) {
          for (const bytes of [3, 5, 9 * MB - 1, 9 * MB + 1]) {
            await assert.rejects(blobs.put(key, body(), { ...text, bytes }), BlobLengthError)
          }
        }
      }
      assert.deepEqual(await keysBelow('length/'), ['length/kept'])
      assert.equal((await read('length/kept'))?.body.toString(), 'kept')
    })

    test('a stream that breaks stores nothing: before reading, immediately, midway, after many parts, without an error', async () => {
      await blobs.put('broken/kept', Buffer.from('kept'), text)
      const broken = (bytes: number, error?: Error) => {
        const stream = new PassThrough({ highWaterMark: bytes + 1 })
        stream.write(randomBytes(bytes), () => stream.destroy(error))
        return stream
      }
      const bodies = [
        () => Readable.from([]).destroy(new Error('gone')),
        () => broken(1, new Error('gone')),
        () => broken(100_000, new Error('gone')),
        () => broken(20 * MB, new Error('gone')),
        () => broken(100_000),
        () =>
          Readable.from(
            (async function* () {
              for (let part = 0; part < 20; part++) yield randomBytes(MB)
              throw new Error('gone')
            })(),
          ),
      ]
      for (const key of ['broken/none', 'broken/kept']) {
        for (const body of bodies) await assert.rejects(blobs.put(key, body(), text), /gone|[Pp]remature/)
      }
      assert.deepEqual(await keysBelow('broken/'), ['broken/kept'])
      assert.equal((await read('broken/kept'))?.body.toString(), 'kept')
    })

    test('remove, removeAll and list keep to the key and the prefix', async () => {
      const keys = ['tree/a/b', 'tree/a/c/d', 'tree/ab', 'tree/ab.c/d', 'tree/a.b', 'tree/-_.']
      for (const key of keys) await blobs.put(key, Buffer.from(key), text)
      assert.deepEqual(await keysBelow('tree/'), keys.toSorted())
      assert.deepEqual(await keysBelow('tree/a/'), ['tree/a/b', 'tree/a/c/d'])
      for (const key of keys) assert.equal((await read(key))?.body.toString(), key)
      assert.ok((await keysBelow('')).includes('tree/a/b'))

      await blobs.remove('tree/a/b')
      assert.equal(await blobs.stat('tree/a/b'), null)
      assert.deepEqual(await keysBelow('tree/a/'), ['tree/a/c/d'])
      await blobs.put('tree/a/b', Buffer.from('again'), text)
      assert.equal((await read('tree/a/b'))?.body.toString(), 'again')
      await blobs.removeAll('tree/a/')
      assert.deepEqual(await keysBelow('tree/'), ['tree/ab', 'tree/ab.c/d', 'tree/a.b', 'tree/-_.'].sort())
      await blobs.removeAll('tree/')
      assert.deepEqual(await keysBelow('tree/'), [])
    })

    test('a key, prefix or type that is none is refused by every operation', async () => {
      const put = { expiresAt: subject.now() + 60_000, contentType: 'text/plain', bytes: 1 }
      const get = { expiresInSeconds: 60, filename: 'a', contentType: 'text/plain' }
      for (const key of [
        '',
        '/a',
        'a/',
        'a//b',
        '..',
        'a/../b',
        'a..b',
        './a',
        'a/.',
        'a b',
        'é',
        'a%2e',
        'a\n',
        'a\0',
        'a?b',
      ]) {
        await assert.rejects(blobs.put(key, Buffer.from('x'), text), BlobKeyError)
        await assert.rejects(blobs.get(key), BlobKeyError)
        await assert.rejects(blobs.stat(key), BlobKeyError)
        await assert.rejects(blobs.remove(key), BlobKeyError)
        await assert.rejects(blobs.signedGet(key, get), BlobKeyError)
        await assert.rejects(blobs.signedPut(key, put), BlobKeyError)
      }
      for (const prefix of ['', 'a', '/', '../', 'a//', 'a/../', '/a/']) {
        await assert.rejects(blobs.removeAll(prefix), BlobKeyError)
        if (prefix !== '') await assert.rejects(keysBelow(prefix), BlobKeyError)
      }
      for (const contentType of ['', ' text/plain', 'text/plain\r\nX: y', 'text/plain\n', 'é/é', 'a'.repeat(201)]) {
        await assert.rejects(blobs.put('type/a', Buffer.from('x'), { contentType }), BlobTypeError)
        await assert.rejects(blobs.signedGet('type/a', { ...get, contentType }), BlobTypeError)
        await assert.rejects(blobs.signedPut('type/a', { ...put, contentType }), BlobTypeError)
      }
    })

    test('signedGet: 200 with bytes, type, length and an attachment name that nothing can break out of', async () => {
      const sent = randomBytes(2 * MB)
      await blobs.put('get/a', sent, { contentType: 'application/pdf' })
      for (const filename of ['cv.pdf', `a"b'c(d)*;\r\nX-Evil: 1.pdf`, 'Lebenslauf – Žofie 简历.pdf', '\ud800.pdf']) {
        const url = await blobs.signedGet('get/a', { expiresInSeconds: 300, filename, contentType: 'application/pdf' })
        const response = await send('GET', url)
        assert.equal(response.status, 200)
        assert.equal(response.headers['content-type'], 'application/pdf')
        assert.equal(response.headers['content-length'], String(sent.length))
        assert.equal(response.headers['cache-control'], 'private, no-store')
        assert.equal(response.headers['x-evil'], undefined)
        const [, encoded] =
          /^attachment; filename\*=UTF-8''([\w.~%-]+)$/.exec(response.headers['content-disposition'] ?? '') ?? []
        assert.equal(decodeURIComponent(encoded ?? ''), filename.toWellFormed())
        assert.equal(digest(response.body), digest(sent))
      }
    })

    test('signedGet: refused when expired, altered in any parameter, of another key, or used to PUT', async t => {
      await blobs.put('get/b', Buffer.from('mine'), text)
      await blobs.put('get/c', Buffer.from('other'), text)
      const opts = { expiresInSeconds: 300, filename: 'b.txt', contentType: 'text/plain' }
      const url = new URL(await blobs.signedGet('get/b', opts))
      for (const name of url.searchParams.keys()) {
        const altered = new URL(url)
        const value = url.searchParams.get(name) ?? ''
        altered.searchParams.set(name, value.slice(0, -1) + (value.endsWith('1') ? '2' : '1'))
        refused(t, await send('GET', altered.href), `${name} altered`)
        const without = new URL(url)
        without.searchParams.delete(name)
        refused(t, await send('GET', without.href), `${name} left out`)
      }
      refused(t, await send('GET', url.href.replace('get/b', 'get/c')), 'another key')
      const put = await send('PUT', url.href, { 'Content-Type': 'text/plain', 'Content-Length': '1' }, Buffer.from('x'))
      if (refused(t, put, 'PUT')) assert.equal((await read('get/b'))?.body.toString(), 'mine')

      const real = subject.now()
      subject.setNow(real - 301_000)
      const old = await blobs.signedGet('get/b', opts)
      subject.setNow(real)
      refused(t, await send('GET', old), 'expired')
      assert.ok((await send('GET', await blobs.signedGet('get/absent', opts))).status >= 400)
    })

    test('signedPut: takes exactly the promised type and length, then no second time', async t => {
      // Small, because a store may reset the connection under a long body that it refuses.
      const sent = randomBytes(10_000)
      const expiresAt = subject.now() + 900_000
      const reserve = (key: string, bytes = sent.length) =>
        blobs.signedPut(key, { expiresAt, contentType: 'application/pdf', bytes })
      const wrong: [string, Record<string, string>, Buffer][] = [
        ['another type', { 'Content-Type': 'text/html' }, sent],
        ['no type', { 'Content-Type': '' }, sent],
        ['one byte less', { 'Content-Length': String(sent.length - 1) }, sent.subarray(1)],
        ['one byte more', { 'Content-Length': String(sent.length + 1) }, Buffer.concat([sent, Buffer.from('x')])],
      ]
      for (const [index, [what, headers, body]] of wrong.entries()) {
        const key = `put/wrong${index}`
        const address = await reserve(key)
        if (refused(t, await send('PUT', address.url, { ...address.headers, ...headers }, body), what)) {
          assert.equal(await blobs.stat(key), null)
          // A refusal does not spend the address.
          assert.equal((await send('PUT', address.url, address.headers, sent)).status, 200)
        }
      }

      const { url, headers } = await reserve('put/a')
      assert.equal(headers['Content-Type'], 'application/pdf')
      assert.equal(headers['Content-Length'], String(sent.length))
      assert.equal((await send('PUT', url, headers, sent)).status, 200)
      assert.deepEqual(await blobs.stat('put/a'), { bytes: sent.length, contentType: 'application/pdf' })
      if (refused(t, await send('PUT', url, headers, randomBytes(sent.length)), 'second PUT')) {
        assert.equal(digest((await read('put/a'))!.body), digest(sent))
      }
      refused(t, await send('GET', url), 'GET')

      const long = randomBytes(5 * MB)
      const large = await reserve('put/large', long.length)
      assert.equal((await send('PUT', large.url, large.headers, long)).status, 200)
      assert.equal(digest((await read('put/large'))!.body), digest(long))
    })

    test('signedPut: refused when expired or altered in any parameter, storing nothing', async t => {
      const body = Buffer.from('12345')
      const opts = { contentType: 'text/plain', bytes: 5 }
      const past = await blobs.signedPut('put/past', { ...opts, expiresAt: subject.now() - 1000 })
      if (refused(t, await send('PUT', past.url, past.headers, body), 'expired')) {
        assert.equal(await blobs.stat('put/past'), null)
      }
      const { url, headers } = await blobs.signedPut('put/b', { ...opts, expiresAt: subject.now() + 60_000 })
      let all = true
      for (const name of new URL(url).searchParams.keys()) {
        const altered = new URL(url)
        altered.searchParams.set(name, `${altered.searchParams.get(name)}1`)
        all = refused(t, await send('PUT', altered.href, headers, body), `${name} altered`) && all
      }
      all = refused(t, await send('PUT', url.replace('put/b', 'put/c'), headers, body), 'another key') && all
      if (all) for (const key of ['put/b', 'put/c']) assert.equal(await blobs.stat(key), null)
    })

    test('signedPut: of many PUTs at the same time exactly one is taken', async t => {
      const bodies = Array.from({ length: 8 }, () => randomBytes(60_000))
      const opts = { expiresAt: subject.now() + 60_000, contentType: 'text/plain', bytes: 60_000 }
      const { url, headers } = await blobs.signedPut('put/race', opts)
      const responses = await Promise.all(bodies.map(body => send('PUT', url, headers, body)))
      const taken = responses.flatMap((response, index) => (response.status === 200 ? [index] : []))
      if (!subject.serverEnforces) return t.diagnostic(`${taken.length} taken by this stand-in server`)
      assert.equal(taken.length, 1)
      assert.ok((await read('put/race'))!.body.equals(bodies[taken[0]!]!))
    })
  })
}

import assert from 'node:assert/strict'
import { type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { startTestService } from '../harness/service.ts'

const APP = 'https://app.example.com'
const service = await startTestService({ ROLES: 'api', CORS_ORIGINS: APP })

interface Raw {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

/** Without a client that decompresses. */
const ask = (headers: OutgoingHttpHeaders, method = 'GET'): Promise<Raw> =>
  new Promise((done, failed) => {
    const sent = request(`${service.base}/openapi.json`, { method, headers }, async response => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      done({ status: response.statusCode!, headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    sent.on('error', failed).end()
  })

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes } as const
const CODINGS = ['br', 'gzip', 'identity'] as const

test('openapi.json: 200 in the coding that is asked for: the same text, a tenth of the bytes', async () => {
  const plain = await ask({})
  assert.deepEqual([plain.status, plain.headers['content-encoding']], [200, undefined])
  assert.equal(JSON.parse(String(plain.bytes)).openapi, '3.1.0')
  for (const coding of CODINGS) {
    const { status, headers, bytes } = await ask({ 'accept-encoding': coding })
    assert.equal(status, 200)
    assert.equal(headers['content-encoding'], coding === 'identity' ? undefined : coding)
    assert.deepEqual(
      [headers['vary'], headers['content-type']],
      ['Origin, Accept-Encoding', 'application/json; charset=utf-8'],
    )
    assert.equal(headers['content-length'], String(bytes.length))
    assert.ok(DECODE[coding](bytes).equals(plain.bytes), coding)
    if (coding !== 'identity') assert.ok(bytes.length < plain.bytes.length / 9, `${coding}: ${bytes.length} bytes`)
    assert.ok((await ask({ 'accept-encoding': coding })).bytes.equals(bytes), 'the same bytes each time')
  }
})

test('openapi.json: Accept-Encoding: qualities are honored, and what the service has not is passed over', async () => {
  const chosen = {
    'gzip, deflate, br, zstd': 'br',
    'gzip, deflate': 'gzip',
    'GZIP;q=1.0, br;q=0.5': 'gzip',
    'gzip;q=0.001 , br; q=0': 'gzip',
    '*': 'br',
    '*;q=0': undefined,
    'br;q=0, *': 'gzip',
    'identity, gzip;q=0.5': undefined,
    'gzip;q=none': undefined,
    'x-gzipped, bread': undefined,
    'zstd, deflate': undefined,
    '': undefined,
  }
  for (const [accepted, coding] of Object.entries(chosen)) {
    const { status, headers } = await ask({ 'accept-encoding': accepted }, 'HEAD')
    assert.deepEqual([status, headers['content-encoding']], [200, coding], accepted)
  }
})

test('openapi.json: ETag: one for each coding; 304 without a body for that of the coding alone', async () => {
  const tags = await Promise.all(CODINGS.map(async coding => (await ask({ 'accept-encoding': coding })).headers.etag!))
  assert.equal(new Set(tags).size, 3)
  for (const coding of CODINGS) {
    for (const [i, tag] of tags.entries()) {
      for (const known of [tag, `"other", W/${tag}`]) {
        const { status, headers, bytes } = await ask({ 'accept-encoding': coding, 'if-none-match': known })
        const isOwn = CODINGS[i] === coding
        assert.equal(status, isOwn ? 304 : 200)
        assert.equal(headers.etag, tags[CODINGS.indexOf(coding)])
        assert.equal(headers['vary'], 'Origin, Accept-Encoding')
        if (isOwn)
          assert.deepEqual(
            [bytes.length, headers['content-length'], headers['content-encoding']],
            [0, undefined, undefined],
          )
      }
    }
  }
})

test('openapi.json: HEAD: 200 and 304 with the headers of GET, without a body', async () => {
  for (const coding of CODINGS) {
    const got = await ask({ 'accept-encoding': coding })
    const head = await ask({ 'accept-encoding': coding }, 'HEAD')
    assert.deepEqual([head.status, head.bytes.length], [200, 0])
    for (const name of ['content-length', 'content-encoding', 'content-type', 'etag', 'vary']) {
      assert.equal(head.headers[name], got.headers[name], `${coding} ${name}`)
    }
    const known = await ask({ 'accept-encoding': coding, 'if-none-match': head.headers.etag! }, 'HEAD')
    assert.deepEqual([known.status, known.bytes.length], [304, 0])
  }
})

test('openapi.json: a page of a listed origin may read it, and its Vary has both', async () => {
  const { headers } = await ask({ 'accept-encoding': 'br', origin: APP })
  assert.deepEqual([headers['access-control-allow-origin'], headers['vary']], [APP, 'Origin, Accept-Encoding'])
})

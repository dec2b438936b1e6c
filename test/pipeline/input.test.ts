import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { routes } from '../../src/app.ts'
import { parseInstant } from '../../src/kernel/http/params.ts'
import { probeRoutes } from '../harness/probe-routes.ts'
import { startTestService } from '../harness/service.ts'

const service = await startTestService({ LOG_LEVEL: 'silent' }, { routes: [...routes, ...probeRoutes] })
const { id: workspace, userEmail } = await service.workspace('enterprise')
const key = await service.key({ workspace, userEmail })
const params = (body: { detail: { errors: { param: string }[] } }) => body.detail.errors.map(e => e.param)

test('input: 400: an unknown parameter is named, not ignored', async () => {
  const response = await service.get('/probes?update_after=2026-01-01T00:00:00Z', key)
  assert.equal(response.status, 400)
  assert.equal(response.body.detail.code, 'invalid_request')
  assert.equal(response.body.detail.param, 'update_after')
})

test('input: 400: every fault of a query is listed', async () => {
  const response = await service.get('/probes?limit=0&flag=maybe&kinds=a,c&since=yesterday&wrong=1&name=&name=x', key)
  assert.equal(response.body.detail.code, 'invalid_request')
  assert.deepEqual(params(response.body).toSorted(), ['flag', 'kinds', 'limit', 'name', 'name', 'since', 'wrong'])
})

test('input: 400: a parameter given twice', async () => {
  const response = await service.get('/probes?limit=5&limit=5', key)
  assert.deepEqual(response.body.detail.errors, [{ param: 'limit', message: 'is given twice' }])
})

test('input: 400: NUL and odd bytes in a parameter; the name is echoed harmlessly', async () => {
  assert.equal((await service.get('/probes?name=a%00b', key)).body.detail.param, 'name')
  const odd = await service.get(`/probes?${encodeURIComponent('<b>\u0007é')}=1`, key)
  assert.equal(odd.body.detail.param, '<b>??')
})

test('input: 400 invalid_timestamp: a time filter that is not RFC 3339', async () => {
  for (const bad of [
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '1767225600',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:00:00%20%2B02:00',
  ]) {
    const response = await service.get(`/probes?updated_after=${bad}`, key)
    assert.equal(response.status, 400, bad)
    assert.equal(response.body.detail.code, 'invalid_timestamp', bad)
    assert.equal(response.body.detail.param, 'updated_after')
  }
  for (const good of ['2026-01-01T00:00:00Z', '2026-01-01t00:00:00.123456z', '2026-01-01T00:00:00-08:00']) {
    assert.equal((await service.get(`/probes?updated_after=${good}`, key)).status, 200, good)
  }
  const unescaped = await service.get('/probes?updated_after=2026-01-01T00:00:00+02:00', key)
  assert.match(unescaped.body.detail.message, /%2B/)
})

test('input: 404: a handle in the query that cannot exist', async () => {
  assert.equal((await service.get('/probes?project_id=nonsense', key)).status, 404)
})

test('input: instants: every RFC 3339 time is read as the instant it names (property)', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
      fc.integer({ min: -14 * 60, max: 14 * 60 }),
      (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1)
        const sign = offset < 0 ? '-' : '+'
        const two = (n: number) => String(n).padStart(2, '0')
        const text = `${local}${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
        assert.equal(parseInstant(text), date.toISOString())
      },
    ),
  )
  fc.assert(fc.property(fc.string(), text => parseInstant(text) === undefined || !Number.isNaN(Date.parse(text))))
})

const post = (raw: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  service.call('POST', '/probes', { key, raw, headers })

test('input: 400: a body that is not JSON, not an object, not UTF-8 or not sent as JSON', async () => {
  for (const raw of ['', '{', 'null', '[]', '"x"', '1', '{"name":"x"} trailing', '\u0000', '{"name":"x",}']) {
    const response = await post(raw)
    assert.equal(response.status, 400, raw)
    assert.equal(response.body.detail.code, 'invalid_request', raw)
  }
  assert.equal((await post(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).status, 400)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data; boundary=x',
  ]) {
    const response = await post('{"name":"x"}', { 'content-type': type })
    assert.equal(response.status, 400, type)
    assert.equal(response.body.detail.param, 'Content-Type')
  }
  assert.equal((await post('{"name":"x"}', { 'content-type': 'application/json; charset=utf-8' })).status, 201)
})

test('input: 400: every fault of a body is listed with its path', async () => {
  const response = await service.post('/probes', key, {
    description: 'far too long a text',
    size: 9,
    color: 'blue',
    tags: [{ id: 1 }, {}, { id: 'x', more: 1 }, { id: 'y' }],
    unknown: true,
  })
  assert.equal(response.status, 400)
  const errors = Object.fromEntries(
    response.body.detail.errors.map((e: { param: string; message: string }) => [e.param, e.message]),
  )
  assert.deepEqual(errors, {
    name: 'is required',
    unknown: 'is not a field of this request. It takes name, description, size, color, tags, outcome',
    description: 'must be at most 10 characters',
    size: 'must be at most 5',
    color: 'must be one of red, green',
    tags: 'must have at most 3 items',
    'tags[0].id': 'must be a string',
    'tags[1].id': 'is required',
    'tags[2].more': 'is not a field of this request. tags[2] takes id',
  })
})

test('input: 400: wrong types are never coerced; null only where it is allowed', async () => {
  for (const body of [
    { name: 1 },
    { name: true },
    { name: null },
    { name: ['x'] },
    { name: 'x', size: '3' },
    { name: 'x', size: 1.5 },
  ]) {
    assert.equal((await service.post('/probes', key, body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await service.post('/probes', key, { name: 'x', description: null })).status, 201)
  assert.equal((await post('{"name":"x","size":1e400}')).status, 400)
})

test('input: 400: names of the language itself are unknown fields like any other', async () => {
  for (const raw of ['{"name":"x","__proto__":{"a":1}}', '{"name":"x","constructor":1}', '{"name":"x","toString":1}']) {
    assert.equal((await post(raw)).status, 400, raw)
  }
})

test('input: 400: NUL and half a surrogate pair in a text, with the path', async () => {
  const nul = await post('{"name":"a\\u0000b"}')
  assert.equal(nul.status, 400)
  assert.equal(nul.body.detail.param, 'name')
  const half = await post('{"name":"x","tags":[{"id":"\\ud800"}]}')
  assert.equal(half.body.detail.param, 'tags[0].id')
})

test('input: 400: nesting without end is refused, not followed', async () => {
  const depth = 100_000
  assert.equal((await post(`{"name":${'['.repeat(depth)}${']'.repeat(depth)}}`)).status, 400)
  assert.equal((await post(`{"x":${'{"x":'.repeat(40_000)}1${'}'.repeat(40_000)}}`)).status, 400)
})

test('input: 413 payload_too_large: over 262144 bytes, declared or not; exactly that many pass on', async () => {
  const exact = Buffer.alloc(262_144, ' ')
  exact.write('{"name":"x"}')
  assert.equal((await post(exact)).status, 201)
  const declared = await post(Buffer.concat([exact, Buffer.from(' ')]))
  assert.equal(declared.status, 413)
  assert.equal(declared.body.detail.code, 'payload_too_large')
  assert.equal(declared.body.detail.type, 'invalid_request')
  const response = await fetch(`${service.base}/probes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.secret}`, 'content-type': 'application/json' },
    body: new ReadableStream({
      start(controller) {
        for (let i = 0; i < 40; i++) controller.enqueue(Buffer.alloc(10_000, 32))
        controller.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  assert.equal(response.status, 413)
  assert.equal((await service.get('/me', key)).status, 200)
})

test('input: bodies of nonsense never make a 500 (property)', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fc.string(),
        fc.jsonValue().map(v => JSON.stringify({ name: v })),
      ),
      async raw => {
        const response = await post(raw)
        assert.ok(response.status === 400 || response.status === 201, `${response.status} for ${raw}`)
      },
    ),
    { numRuns: 150 },
  )
})

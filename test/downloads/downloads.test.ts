import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { test } from 'node:test'
import type { ListedDownload } from '../../src/downloads/downloads.ts'
import { sharedTestService, startTestService } from '../harness/service.ts'

const service = await sharedTestService()

const read = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(new URL(path, service.origin), { headers, method })
interface List {
  object: string
  data: readonly ListedDownload[]
  has_more: boolean
  next_cursor: null
}
const list = (await (await read('/downloads/index.json')).json()) as List
const files = list.data
const [sdk] = files
if (!sdk) throw new Error('there are no downloads')

/** The bytes as they arrive: fetch would decode them. */
function readRaw(path: string, headers: Record<string, string> = {}) {
  const { hostname, port } = new URL(service.origin)
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
    request({ hostname, port, path, headers, agent: false }, async response => {
      const body = Buffer.concat(await response.toArray())
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body })
    })
      .on('error', reject)
      .end()
  })
}

test('GET /downloads/index.json: lists SDKs, command and description with size, hashes, command and version', async () => {
  assert.deepEqual(
    [list.object, list.has_more, list.next_cursor, files.map(({ name, language }) => [name, language])],
    [
      'list',
      false,
      null,
      [
        ['hiring-partner-sdk', 'typescript'],
        ['hiring-partner-cli', 'javascript'],
        ['hiring-partner-sdk', 'python'],
        ['hiring-partner-sdk', 'python'],
        ['openapi', null],
      ],
    ],
  )
  for (const file of files) {
    assert.equal(file.object, 'download')
    assert.equal(file.url, `${service.origin}/downloads/${file.filename}`)
    assert.ok(file.filename.includes(file.version))
    const bytes = Buffer.from(await (await read(file.url)).arrayBuffer())
    assert.equal(bytes.length, file.bytes)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), file.sha256)
    assert.equal(`sha512-${createHash('sha512').update(bytes).digest('base64')}`, file.integrity)
  }
})

test('GET /downloads/SHA256SUMS: a line for each file, as sha256sum writes it', async () => {
  const sums = await (await read('/downloads/SHA256SUMS')).text()
  assert.equal(sums, files.map(({ sha256, filename }) => `${sha256}  ${filename}\n`).join(''))
})

test('GET /downloads/{file}: the exact bytes with a strong ETag, cached for ever, without coding, cookie or key', async () => {
  for (const { url, filename, bytes, sha256 } of files) {
    const { status, headers, body } = await readRaw(new URL(url).pathname, { 'accept-encoding': 'gzip, br' })
    assert.equal(status, 200)
    assert.equal(createHash('sha256').update(body).digest('hex'), sha256, filename)
    assert.equal(headers['content-encoding'], undefined)
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(headers['content-length'], String(bytes))
    assert.equal(headers['etag'], `"${sha256}"`)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['x-content-type-options'], 'nosniff')
  }
})

test('GET /downloads/{file}: 304 for a known ETag, 206 for a range, 416 for one behind the end, 405 for POST', async () => {
  const whole = Buffer.from(await (await read(sdk.url)).arrayBuffer())
  const etag = `"${sdk.sha256}"`
  assert.equal((await read(sdk.url, { 'if-none-match': etag })).status, 304)
  assert.equal((await read(sdk.url, { 'if-none-match': '"other"' })).status, 200)
  const ranges: readonly [string, number, number][] = [
    ['bytes=0-9', 0, 10],
    ['bytes=100-', 100, whole.length],
    ['bytes=-7', whole.length - 7, whole.length],
    ['bytes=5-99999999', 5, whole.length],
  ]
  for (const [range, start, end] of ranges) {
    const response = await read(sdk.url, { range })
    assert.equal(response.status, 206, range)
    assert.equal(response.headers.get('content-range'), `bytes ${start}-${end - 1}/${whole.length}`)
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), whole.subarray(start, end))
  }
  const behind = await read(sdk.url, { range: `bytes=${whole.length}-` })
  assert.deepEqual([behind.status, behind.headers.get('content-range')], [416, `bytes */${whole.length}`])
  for (const ignored of ['bytes=9-3', 'bytes=0-1,4-5', 'bytes=-', 'pages=1-2']) {
    assert.equal((await read(sdk.url, { range: ignored })).status, 200, ignored)
  }
  assert.equal((await read(sdk.url, { range: 'bytes=0-1', 'if-range': etag })).status, 206)
  assert.equal((await read(sdk.url, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200)
  assert.equal((await read(sdk.url, {}, 'POST')).status, 405)
})

test('HEAD /downloads/{file}: the headers of GET, without a body', async () => {
  const [head, get] = [await read(sdk.url, {}, 'HEAD'), await read(sdk.url)]
  assert.equal(head.status, 200)
  for (const name of ['content-length', 'content-type', 'etag', 'cache-control', 'accept-ranges']) {
    assert.equal(head.headers.get(name), get.headers.get(name), name)
  }
  assert.equal((await head.arrayBuffer()).byteLength, 0)
})

test('GET /downloads/{file}: the plus sign of a version may be encoded', async () => {
  assert.equal((await readRaw(new URL(sdk.url).pathname.replaceAll('+', '%2B'))).status, 200)
})

test('GET /downloads/{file}: 404 for another version names the one that is offered, and for what is no download', async () => {
  const old = await read('/downloads/hiring-partner-sdk-0.0.1.tgz')
  assert.equal(old.status, 404)
  assert.ok((await old.text()).includes(`It offers ${sdk.version}: ${sdk.url}`))
  const wheel = await read('/downloads/hiring_partner_sdk-0.0.1-py3-none-any.whl')
  assert.match(await wheel.text(), /It offers [^ ]+: [^ ]+\.whl"/)
  for (const path of [
    '/downloads/../package.json',
    '/downloads/%2e%2e%2fpackage.json',
    '/downloads/',
    '/downloads/%',
  ]) {
    const { status, body } = await readRaw(path)
    assert.ok(status === 404 || status === 400, `${path}: ${status}`)
    assert.ok(!body.includes('hiring-partner-api'), path)
  }
})

test('GET /downloads: a page with each file, its command and its hash', async () => {
  const page = await read('/downloads', { accept: 'text/html' })
  const text = await page.text()
  assert.equal(page.status, 200)
  for (const file of files) assert.ok(text.includes(file.sha256) && text.includes(file.filename), file.filename)
})

test('guides: the commands that install name this service, the version and the hash', async () => {
  const wheel = files.find(({ filename }) => filename.endsWith('.whl'))
  const guide = await (await read('/docs/guides/client-libraries.md')).text()
  assert.ok(guide.includes(`npm install ${sdk.url}\n`))
  assert.ok(guide.includes(`pip install "${wheel?.url}#sha256=${wheel?.sha256}"\n`))
  const command = files.find(({ name }) => name === 'hiring-partner-cli')
  for (const name of ['webhooks', 'mcp']) {
    assert.ok((await (await read(`/docs/guides/${name}.md`)).text()).includes(`${command?.url}`), name)
  }
})

test('DOWNLOADS=off: nothing is offered, and the documentation shows no link to a download', async () => {
  const { origin } = await startTestService({ ROLES: 'api', DOWNLOADS: 'off' })
  for (const path of ['', '/index.json', '/SHA256SUMS', `/${sdk.filename}`]) {
    assert.equal((await fetch(`${origin}/downloads${path}`)).status, 404, path)
  }
  for (const path of [
    '/docs',
    '/docs/guides/client-libraries',
    '/docs/guides/webhooks',
    '/docs/guides/mcp',
    '/llms.txt',
  ]) {
    const text = await (await fetch(origin + path)).text()
    assert.ok(!/\/downloads\b/.test(text) && !text.includes('{url}'), path)
  }
})

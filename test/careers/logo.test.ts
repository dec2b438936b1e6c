import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { before, test } from 'node:test'
import { createCanvas } from '@napi-rs/canvas'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { type Person, signedIn } from '../console/setup.ts'
import { sharedTestService, type TestService } from '../harness/service.ts'
import { jpeg, jpegsWithTwo, onePixel, png, pngWith, webp, webpWith } from './pictures.ts'

let service: TestService
let workspace: string
let owner: Person

before(async () => {
  service = await sharedTestService()
  workspace = (await service.workspace('starter', 'Logo Works')).id
  owner = await signedIn(service, workspace)
})

const set = (file: Buffer, type?: string) => owner.postFile('/careers-site/logo', file, type)
const shown = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.origin}/careers/logo-works/logo`, { headers, method })
const stored = async () => {
  const keys: string[] = []
  for await (const key of service.services.blobs.list(`logos/${workspace}/`)) keys.push(key)
  return keys
}

for (const [name, file, mime] of [
  ['PNG', png(40, 20), 'image/png'],
  ['JPEG', jpeg(2000, 1), 'image/jpeg'],
  ['lossy WebP', webp('VP8 ', 300, 100), 'image/webp'],
  ['lossless WebP', webp('VP8L', 2000, 2000), 'image/webp'],
  ['extended WebP', webp('VP8X', 2000, 7), 'image/webp'],
] as const)
  test(`careers logo: 200 for a ${name}, which is served as it was sent, with headers that let it do nothing else`, async () => {
    assert.equal((await set(file, 'text/html')).status, 200, 'the type that was sent is not looked at')
    const response = await shown()
    assert.equal(response.status, 200)
    assert.ok(file.equals(Buffer.from(await response.arrayBuffer())))
    assert.equal(response.headers.get('content-type'), mime)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(response.headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.equal(response.headers.get('content-length'), String(file.length))
  })

test('careers logo: 200 for pictures as encoders make them, of each kind and quality', async () => {
  const canvas = createCanvas(120, 80)
  const context = canvas.getContext('2d')
  for (let x = 0; x < 120; x++) {
    context.fillStyle = `hsl(${x * 37} 80% 50%)`
    context.fillRect(x, 0, 1, 80)
  }
  const files = [await canvas.encode('png'), ...(await Promise.all([10, 60, 100].map(q => canvas.encode('jpeg', q))))]
  for (const quality of [10, 80, 100]) files.push(await canvas.encode('webp', quality))
  // a marker may have FF before it
  files.push(Buffer.concat([files[1]!.subarray(0, 2), Buffer.from('ffff', 'hex'), files[1]!.subarray(2)]))
  for (const file of files) assert.equal((await set(file)).status, 200, file.toString('hex', 0, 16))
  await set(onePixel)
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><script>alert(1)</script></svg>')
for (const [name, file, message] of [
  ['an SVG', svg, /PNG, JPEG or WebP/],
  ['a GIF', Buffer.from('GIF89a\x01\x00\x01\x00\x80\x00\x00', 'latin1'), /PNG, JPEG or WebP/],
  ['HTML', Buffer.from('<!doctype html><h1>Hello</h1>'.repeat(3)), /PNG, JPEG or WebP/],
  ['an empty file', Buffer.alloc(0), /PNG, JPEG or WebP/],
  ['the signature of a PNG alone', onePixel.subarray(0, 20), /PNG, JPEG or WebP/],
  ['a JPEG without a frame', Buffer.from('ffd8ffd9'.repeat(20), 'hex'), /PNG, JPEG or WebP/],
  ['a JPEG whose segments lead nowhere', Buffer.from(`ffd8${'ffe00000'.repeat(40)}`, 'hex'), /PNG, JPEG or WebP/],
  ['a RIFF that is not WebP', Buffer.from(`RIFF\0\0\0\0WAVEfmt ${'\0'.repeat(40)}`, 'latin1'), /PNG, JPEG or WebP/],
  ['a picture that is too wide', png(2001, 1), /2001 × 1 pixels; at most 2000 × 2000/],
  ['a picture that is too high', jpeg(1, 2001), /1 × 2001/],
  ['a picture without pixels', png(0, 5, 0), /no pixels/],
  ...Object.entries(jpegsWithTwo(20_000, 20_000)).map(
    ([name, file]) => [`a JPEG with ${name}`, file, /PNG, JPEG or WebP|20000 × 20000/] as const,
  ),
  ['a PNG with two heads', pngWith('IHDR', 20_000, 20_000), /PNG, JPEG or WebP/],
  ['a PNG with a frame that is larger than it', pngWith('fcTL', 20_000, 20_000), /PNG, JPEG or WebP/],
  ['a WebP with a picture that is larger than it', webpWith('picture', 16_000, 16_000), /PNG, JPEG or WebP/],
  ['a WebP with a frame that is larger than it', webpWith('frame', 16_000, 16_000), /PNG, JPEG or WebP/],
  ['a decompression bomb by its size', png(60_000, 60_000, 1), /60000 × 60000/],
  ['a file of more than 512 KB', Buffer.concat([onePixel, Buffer.alloc(512 * 1024)]), /at most 512 KB/],
] as const)
  test(`careers logo: 400 for ${name}, and the logo before stays`, async () => {
    await set(onePixel)
    const { status, body } = await set(file)
    assert.equal(status, 400)
    assert.deepEqual([body.detail.param, body.detail.errors.length], ['logo', 1])
    assert.match(body.detail.message, message)
    assert.ok(onePixel.equals(Buffer.from(await (await shown()).arrayBuffer())))
  })

test('careers logo: 413 for a body that is far too large', async () => {
  assert.equal((await set(Buffer.alloc(1024 * 1024 + 1))).status, 413)
})

test('careers logo: a file that is a picture and a page at the same time is served as a picture', async () => {
  const both = Buffer.concat([onePixel, Buffer.from('<html><script>alert(document.domain)</script></html>')])
  assert.equal((await set(both)).status, 200)
  const response = await shown({ accept: 'text/html' })
  assert.equal(response.headers.get('content-type'), 'image/png')
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  assert.match(response.headers.get('content-security-policy')!, /sandbox/)
})

test('careers logo: pixels that inflate to gigabytes are stored and served without being inflated', async () => {
  // the size says 2000 × 2000; the data holds a hundred times as many rows
  const bomb = png(2_000, 2_000, 200_000)
  assert.ok(bomb.length < 512 * 1024, `${bomb.length} bytes`)
  const before = process.memoryUsage().rss
  assert.equal((await set(bomb)).status, 200)
  assert.equal((await shown()).status, 200)
  assert.ok(process.memoryUsage().rss - before < 200 * 1024 * 1024)
})

test('careers logo: 304 for the validator of the current one, 200 after it was replaced; HEAD has no body', async () => {
  await set(onePixel)
  const first = await shown()
  const etag = first.headers.get('etag')!
  await first.arrayBuffer()
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await shown({ 'if-none-match': tag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    assert.equal(again.headers.get('etag'), etag)
  }
  const head = await shown({}, 'HEAD')
  assert.deepEqual(
    [head.status, head.headers.get('content-length'), await head.text()],
    [200, String(onePixel.length), ''],
  )
  await set(png(2, 2))
  assert.equal((await shown({ 'if-none-match': etag })).status, 200)
})

test('careers logo: a replaced and a removed logo is deleted from the store', async () => {
  await set(onePixel)
  await set(png(3, 3))
  await expireOnce(service.services.db, service.services.blobs)
  const [key, ...others] = await stored()
  assert.deepEqual(others, [])
  assert.ok(png(3, 3).equals(await buffer((await service.services.blobs.get(key!))!.stream)))
  assert.equal((await owner.post('/careers-site/logo/remove')).body.logo_version, null)
  assert.equal((await shown()).status, 404)
  assert.equal((await owner.get('/careers-site/logo')).status, 404)
  await expireOnce(service.services.db, service.services.blobs)
  assert.deepEqual(await stored(), [])
})

test('careers logo: the console shows it while the site is switched off, and a logo that is refused is not stored', async () => {
  await set(onePixel)
  await set(svg)
  await owner.post('/careers-site', { enabled: false })
  assert.equal((await shown()).status, 404)
  const own = await fetch(`${service.origin}/console/api/careers-site/logo`, { headers: { cookie: owner.cookie } })
  assert.deepEqual([own.status, own.headers.get('content-type')], [200, 'image/png'])
  assert.equal((await fetch(`${service.origin}/console/api/careers-site/logo`)).status, 401)
  await expireOnce(service.services.db, service.services.blobs)
  assert.equal((await stored()).length, 1)
  await owner.post('/careers-site', { enabled: true })
})

test('careers logo: its size is on the page, and the console says what a small or flat one looks like elsewhere', async () => {
  const notes = async (width: number, height: number): Promise<string[]> => {
    const { status, body } = await set(png(width, height))
    assert.equal(status, 200)
    return body.logo_notes
  }
  assert.deepEqual(await notes(300, 150), [])
  const page = await (await fetch(`${service.origin}/careers/logo-works`)).text()
  assert.match(page, /<img src="\/careers\/logo-works\/logo\?v=[^"]+" alt="Logo Works" width="300" height="150">/)
  const [blurred, ignored, ...more] = await notes(10, 10)
  assert.match(blurred!, /^The logo has 10 × 10 pixels\. It looks blurred/)
  assert.match(ignored!, /Google does not show a logo of 10 × 10 pixels/)
  assert.deepEqual(more, [])
  assert.match((await notes(300, 72)).join('|'), /^Google does not show a logo of 300 × 72 pixels in its job search/)
  assert.deepEqual((await owner.post('/careers-site/logo/remove')).body.logo_notes, [])
})

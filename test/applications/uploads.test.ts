import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { cleanFilename, RESUME_TYPES } from '../../src/resources/uploads/rules.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { apply, body, newTenant, readEvents, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key, job } = world
const { db, blobs } = service.services

const reserve = (more: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  service.post('/uploads', key, { content_type: 'application/pdf', size_bytes: 10, ...more }, { headers })
const put = (upload: { url: string; headers: Record<string, string> }, file: Buffer, headers = upload.headers) =>
  fetch(upload.url, { method: 'PUT', headers, body: new Uint8Array(file) })
const TEN = Buffer.from('0123456789')
const keyOf = async (id: string) =>
  (await db.one(sql<{ blob_key: string }>`select blob_key from uploads where id = ${id}`))!.blob_key

test('uploads: 201 upload: the specified fields, no event', async () => {
  const before = (await readEvents(world, workspace)).length
  const { status, body } = await reserve()
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(body), [
    'object',
    'upload_id',
    'content_type',
    'size_bytes',
    'max_bytes',
    'upload',
    'expires_at',
  ])
  assert.equal(body.object, 'upload')
  assert.equal(body.max_bytes, 5_242_880)
  assert.deepEqual(Object.keys(body.upload), ['method', 'url', 'headers', 'expires_at'])
  assert.equal(body.upload.method, 'PUT')
  assert.deepEqual(body.upload.headers, { 'Content-Type': 'application/pdf', 'Content-Length': '10' })
  assert.equal(Date.parse(body.expires_at) - Date.parse(body.upload.expires_at), 45 * 60_000)
  assert.equal((await readEvents(world, workspace)).length, before)
})

test('uploads: 201 replay: the same Idempotency-Key returns the same URL', async () => {
  const headers = { 'idempotency-key': 'upload-0001' }
  const first = await reserve({}, headers)
  const again = await reserve({}, headers)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.equal(again.text, first.text)
})

test('uploads: 400 invalid_upload: types and sizes outside the list; invalid_request for wrong shapes', async () => {
  for (const [more, code, param] of [
    [{ content_type: 'image/png' }, 'invalid_upload', 'content_type'],
    [{ content_type: 'application/pdf; charset=x' }, 'invalid_upload', 'content_type'],
    [{ size_bytes: 0 }, 'invalid_upload', 'size_bytes'],
    [{ size_bytes: 5_242_881 }, 'invalid_upload', 'size_bytes'],
    [{ size_bytes: 1.5 }, 'invalid_request', 'size_bytes'],
    [{ size_bytes: undefined }, 'invalid_request', 'size_bytes'],
    [{ consent: true }, 'invalid_request', 'consent'],
  ] as const) {
    const response = await reserve(more)
    assert.equal(response.status, 400)
    assert.equal(response.body.detail.code, code)
    assert.equal(response.body.detail.param, param)
  }
  assert.equal((await reserve({ size_bytes: 5_242_880 })).status, 201)
})

test('uploads: PUT: exactly the promised type and length, once; a refusal stores nothing', async () => {
  const { body } = await reserve()
  const blobKey = await keyOf(body.upload_id)
  const wrongType = await put(body.upload, TEN, { ...body.upload.headers, 'Content-Type': 'text/plain' })
  assert.equal(wrongType.status, 400)
  const longer = await put(body.upload, Buffer.alloc(11), { 'Content-Type': 'application/pdf' })
  assert.equal(longer.status, 413)
  const shorter = await put(body.upload, Buffer.alloc(9), { 'Content-Type': 'application/pdf' })
  assert.equal(shorter.status, 400)
  assert.equal((await put({ ...body.upload, url: body.upload.url.replace('bytes=10', 'bytes=11') }, TEN)).status, 404)
  assert.equal(await blobs.stat(blobKey), null)
  assert.equal((await put(body.upload, TEN)).status, 200)
  assert.equal((await put(body.upload, TEN)).status, 409)
  assert.equal((await blobs.stat(blobKey))?.bytes, 10)
})

test('uploads: PUT: a sender that leaves half way leaves nothing, and the address still takes the file', async () => {
  const { body } = await reserve()
  const { port, pathname, search } = new URL(body.upload.url)
  const socket = connect(Number(port), '127.0.0.1')
  const half = `PUT ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Type: application/pdf\r\nContent-Length: 10\r\n\r\n01234`
  await new Promise(resolve => socket.write(half, resolve))
  socket.destroy()
  const refused = await service.post('/applications', key, bodyWith(body.upload_id))
  assert.equal(refused.body.detail.code, 'upload_not_completed')
  assert.equal((await put(body.upload, TEN)).status, 200)
})

const bodyWith = (uploadId: string) => body(job, { resume_upload_id: uploadId })

test('uploads: PUT: 404 after fifteen minutes', async () => {
  const { body } = await reserve()
  clock.advance(15 * 60_000)
  const late = await put(body.upload, TEN)
  clock.reset()
  assert.equal(late.status, 404)
  assert.equal((await put(body.upload, TEN)).status, 200)
})

test('uploads: 400 upload_not_found: unknown, malformed, expired, another workspace’s', async () => {
  const other = await newTenant(service)
  const theirs = await upload({ service, key: other.key })
  const mine = await upload(world)
  const code = async (id: string) => {
    const response = await service.post('/applications', key, bodyWith(id))
    assert.equal(response.body.detail.param, 'resume_upload_id')
    return [response.status, response.body.detail.code]
  }
  const NOT_FOUND = [400, 'upload_not_found']
  assert.deepEqual(await code('upl_nothing'), NOT_FOUND)
  assert.deepEqual(await code(theirs), NOT_FOUND)
  clock.advance(3_600_000)
  assert.deepEqual(await code(mine), NOT_FOUND)
  clock.reset()
})

test('uploads: 409 upload_not_completed before the file, 409 upload_already_used after it was attached', async () => {
  const { body } = await reserve()
  const early = await service.post('/applications', key, bodyWith(body.upload_id))
  assert.deepEqual([early.status, early.body.detail.code], [409, 'upload_not_completed'])
  await put(body.upload, TEN)
  const made = await service.post('/applications', key, bodyWith(body.upload_id))
  assert.equal(made.status, 201)
  assert.equal(made.body.has_resume, true)
  assert.equal(made.body.parse_status, 'pending')
  const again = await service.post('/applications', key, bodyWith(body.upload_id))
  assert.deepEqual([again.status, again.body.detail.code], [409, 'upload_already_used'])
})

test('uploads: 429 datastore_unavailable: while files cannot be looked at nothing is created and the upload is not spent', async () => {
  const id = await upload(world)
  const sent = bodyWith(id)
  blobs.stat = () => Promise.reject(new Error('the file store is down'))
  const response = await service.post('/applications', key, sent)
  Reflect.deleteProperty(blobs, 'stat')
  assert.deepEqual([response.status, response.body.detail.code], [429, 'datastore_unavailable'])
  assert.equal((await service.post('/applications', key, sent)).status, 201)
})

test('uploads: single use: of twenty applications that claim one upload at the same time, one gets it', async () => {
  const id = await upload(world)
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => service.post('/applications', key, bodyWith(id))),
  )
  assert.equal(responses.filter(a => a.status === 201).length, 1)
  assert.equal(responses.filter(a => a.body.detail?.code === 'upload_already_used').length, 19)
})

test('uploads: 400 resume_rejected: an empty or oversized file spends the id and creates nothing', async () => {
  for (const bytes of [0, 5_242_881]) {
    const { body } = await reserve()
    await blobs.put(await keyOf(body.upload_id), Buffer.alloc(bytes), { contentType: 'application/pdf' })
    const before = (await readEvents(world, workspace)).length
    const refused = await service.post('/applications', key, bodyWith(body.upload_id))
    assert.deepEqual([refused.status, refused.body.detail.code], [400, 'resume_rejected'])
    const again = await service.post('/applications', key, bodyWith(body.upload_id))
    assert.deepEqual([again.status, again.body.detail.code], [409, 'upload_already_used'])
    assert.equal((await readEvents(world, workspace)).length, before)
  }
})

test('uploads: 429 too_many_pending_uploads: 500 also under parallel calls; attached and expired ones do not count', async () => {
  const own = await newTenant(service)
  await db.query(sql`
    insert into uploads (workspace_id, id, content_type, size_bytes, filename, blob_key, put_expires_at, expires_at)
    select ${own.workspace}, 'upl_' || i, 'text/plain', 1, 'a.txt', 'x/' || i, app_now(), app_now() + interval '30 minutes'
    from generate_series(1, 495) i`)
  const one = () => service.post('/uploads', own.key, { content_type: 'text/plain', size_bytes: 1 })
  const responses = await Promise.all(Array.from({ length: 20 }, one))
  assert.equal(responses.filter(a => a.status === 201).length, 5)
  const refused = responses.find(a => a.status === 429)!
  assert.equal(refused.body.detail.code, 'too_many_pending_uploads')
  assert.equal(refused.headers.get('retry-after'), '600')
  await db.query(sql`
    update uploads set spent_at = app_now(), application_id = 'app_x' where workspace_id = ${own.workspace} and id = 'upl_1'`)
  await db.query(sql`update uploads set expires_at = app_now() where workspace_id = ${own.workspace} and id = 'upl_2'`)
  assert.deepEqual([(await one()).status, (await one()).status, (await one()).status], [201, 201, 429])
})

test('uploads: housekeeping: unattached uploads and their files go after an hour; attached files stay', async () => {
  const kept = await upload(world)
  await apply(world, { resume_upload_id: kept })
  const left = await upload(world)
  const [keptKey, leftKey] = [await keyOf(kept), await keyOf(left)]
  await expireOnce(db, blobs)
  assert.ok(await blobs.stat(leftKey))
  clock.advance(3_600_000)
  await expireOnce(db, blobs)
  clock.reset()
  assert.equal(await blobs.stat(leftKey), null)
  clock.advance(3 * 86_400_000)
  await expireOnce(db, blobs)
  clock.reset()
  assert.ok(await blobs.stat(keptKey))
  assert.equal((await db.one(sql<{ left: number }>`select count(*) as left from uploads where id = ${kept}`))!.left, 0)
})

test('uploads: file names: stored only when plain and of the right type', () => {
  const PDF = 'application/pdf'
  for (const name of ['cv.pdf', 'Jana Nováková – CV.PDF', '履歴書.pdf']) assert.equal(cleanFilename(name, PDF), name)
  for (const name of [
    undefined,
    '',
    'cv',
    'cv.doc',
    '.pdf',
    '../cv.pdf',
    'a/b.pdf',
    'a\\b.pdf',
    'C:cv.pdf',
    'cv\u202efdp.pdf',
    'cv\r\nSet-Cookie: x.pdf',
    `${'x'.repeat(200)}.pdf`,
    '..cv.pdf',
  ])
    assert.equal(cleanFilename(name, PDF), 'resume.pdf', name)
  assert.equal(cleanFilename('x.exe', 'text/rtf'), 'resume.rtf')
})

test('uploads: file names: whatever the input, the stored name is short, has no path and has the extension of its type', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(...RESUME_TYPES), (name, type) => {
      const kept = cleanFilename(`${name}.pdf`, type)
      assert.match(kept, /\.(pdf|docx|doc|rtf|txt)$/i)
      assert.doesNotMatch(kept, /[/\\\p{Cc}]|\.\./u)
      assert.ok(kept.length <= 200)
    }),
  )
})

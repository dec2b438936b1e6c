import assert from 'node:assert/strict'
import { test } from 'node:test'
import { API_LIMITS } from '../../src/contract/limits.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { RefusedInput } from '../../src/kernel/http/faults.ts'
import { type ReserveUpload, reserveUpload } from '../../src/resources/uploads/actions.ts'
import { ANSWER_FILE_TYPES, RESUME_TYPES } from '../../src/resources/uploads/rules.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { body, formUpload, newTenant, sharedWorld, upload } from './setup.ts'

// a service of its own: the worker that is run here removes expired files of the whole installation
const world = await sharedWorld()
const { service } = world
const { db, blobs } = service.services

const reserve = (workspace: string, more: Partial<ReserveUpload> = {}) =>
  db.transaction(tx =>
    reserveUpload(tx, blobs, workspace, {
      contentType: 'application/pdf',
      sizeBytes: 10,
      originKeyId: null,
      publicForm: 'resume',
      ...more,
    }),
  )

/** As if this many were reserved already. */
const fill = (workspace: string, publicForm: boolean, most: number) =>
  db.query(sql`
    insert into uploads (workspace_id, id, content_type, size_bytes, filename, blob_key, public_form, put_expires_at,
      expires_at)
    select ${workspace}, 'upl_' || n || ${String(publicForm)}, 'text/plain', 1, 'a.txt', 'none/' || n, ${publicForm},
      app_now() + interval '1 hour', app_now() + interval '1 hour'
    from generate_series(1, ${most}::integer) as n`)

test('uploads of the public form: their limit is their own: it stops neither partners nor is it reached by them', async () => {
  const { workspace, key } = await newTenant(service)
  const partner = () => service.post('/uploads', key, { content_type: 'application/pdf', size_bytes: 10 })
  await fill(workspace, true, API_LIMITS.pendingFormUploadsPerWorkspace - 1)
  await reserve(workspace)
  await assert.rejects(reserve(workspace), {
    code: 'too_many_pending_uploads',
    status: 429,
    details: { retry_after_seconds: API_LIMITS.pendingUploadsRetryAfterSeconds },
  })
  assert.equal((await partner()).status, 201)
  const other = await newTenant(service)
  await fill(other.workspace, false, API_LIMITS.pendingUploadsPerWorkspace)
  await reserve(other.workspace)
})

test('uploads of the public form: of many at the same time no more are reserved than the limit allows', async () => {
  const { workspace } = await newTenant(service)
  await fill(workspace, true, API_LIMITS.pendingFormUploadsPerWorkspace - 3)
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => reserve(workspace)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)
})

test('uploads of the public form: pictures answer a question and are no résumé; other types are refused for both', async () => {
  assert.deepEqual(
    ANSWER_FILE_TYPES.filter(type => !RESUME_TYPES.includes(type)),
    ['image/png', 'image/jpeg'],
  )
  const { workspace } = await newTenant(service)
  for (const contentType of ANSWER_FILE_TYPES) await reserve(workspace, { contentType, publicForm: 'answer' })
  const refused = async (more: Partial<ReserveUpload>) => {
    const error = await reserve(workspace, more).catch((e: unknown) => e)
    assert.ok(error instanceof RefusedInput)
    return error.faults.map(({ param, reason }) => [param, reason])
  }
  assert.deepEqual(await refused({ contentType: 'image/png' }), [['content_type', 'file_type']])
  assert.deepEqual(await refused({ contentType: 'image/svg+xml', publicForm: 'answer', sizeBytes: 0 }), [
    ['content_type', 'file_type'],
    ['size_bytes', 'file_size'],
  ])
  const over = API_LIMITS.resumeFileBytes + 1
  assert.deepEqual(await refused({ publicForm: 'answer', sizeBytes: over }), [['size_bytes', 'file_size']])
})

test('uploads of the public form: a name that is no plain file name becomes file.<ending>', async () => {
  const { workspace } = await newTenant(service)
  const nameOf = async (filename: string, contentType: string) => {
    const { upload_id } = await reserve(workspace, { filename, contentType, publicForm: 'answer' })
    return (await db.one(sql<{ filename: string }>`select filename from uploads where id = ${upload_id}`))!.filename
  }
  assert.equal(await nameOf('Zeugnis 2024.JPEG', 'image/jpeg'), 'Zeugnis 2024.JPEG')
  assert.equal(await nameOf('../etc.png', 'image/png'), 'file.png')
  assert.equal(await nameOf('page.html', 'image/jpeg'), 'file.jpg')
})

test('uploads of the public form: one that no application claimed expires, and its file is deleted', async () => {
  const { workspace } = await newTenant(service)
  const id = await formUpload({ service, workspace }, 'answer')
  const [row] = await db.query(sql<{ blob_key: string }>`select blob_key from uploads where id = ${id}`)
  assert.ok(await blobs.stat(row!.blob_key))
  await db.query(sql`update uploads set expires_at = app_now() where id = ${id}`)
  await expireOnce(db, blobs)
  assert.equal((await db.query(sql`select 1 from uploads where id = ${id}`)).length, 0)
  assert.equal(await blobs.stat(row!.blob_key), null)
})

test('POST /applications: 400 upload_not_found for an upload of the public form; partners keep theirs', async () => {
  const id = await formUpload(world)
  const refused = await service.post('/applications', world.key, body(world.job, { resume_upload_id: id }))
  assert.deepEqual([refused.status, refused.body.detail.code], [400, 'upload_not_found'])
  const own = await upload(world)
  const made = await service.post('/applications', world.key, body(world.job, { resume_upload_id: own }))
  assert.equal(made.status, 201)
})

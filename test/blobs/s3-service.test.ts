// The service itself on a real S3 server: what partners upload and download there, and what an erasure leaves.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newHandle } from '../../src/kernel/ids/handles.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { openErasures, runErasure } from '../../src/resources/erasures/index.ts'
import { addAttachment, importProfiles, readProfile } from '../../src/resources/sourced-profiles/index.ts'
import { expireOnce } from '../../src/workers/expire-files.ts'
import { apply, body, newTenant, startWorld, type World } from '../applications/setup.ts'
import { signedIn } from '../console/setup.ts'
import { downloadRows, exportNow } from '../exports/setup.ts'
import { startS3Server } from '../harness/s3-server.ts'
import { send } from './conformance.ts'

const program = process.env['S3_SERVER']

if (program === undefined) {
  test('service on S3', t => t.skip('S3_SERVER is not set'))
} else {
  const { settings, folder } = await startS3Server(program)
  const world = await startWorld(settings)
  const { service, key } = world
  const { db, blobs, log } = service.services
  const server = new URL(settings['S3_ENDPOINT']!).origin

  /** The files of the server that contain these bytes, whatever it stores them for. */
  const filesWith = (bytes: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .filter(file => readFileSync(file).includes(bytes))
  const keysBelow = async (prefix: string) => {
    const keys: string[] = []
    for await (const found of blobs.list(prefix)) keys.push(found)
    return keys
  }
  const reserve = async (by: World['key'], file: Buffer, filename = 'cv.txt') => {
    const wanted = { content_type: 'text/plain', size_bytes: file.length, filename }
    const reserved = await service.post('/uploads', by, wanted)
    assert.equal(reserved.status, 201)
    return reserved.body
  }
  /** A résumé that only one person has, with a word by which its bytes are found. */
  const resume = (word: string) => Buffer.from(`Ada Byron\nEngineer\n${word}\nSkills: SQL\n`)
  const word = () => `marker${randomBytes(12).toString('hex')}`

  test('service on S3: an upload goes to the server, exactly as promised and once; the application has and parses it', async () => {
    const mark = word()
    const file = resume(mark)
    const { upload_id, upload } = await reserve(key, file)
    assert.equal(new URL(upload.url).origin, server)
    const early = await service.post('/applications', key, body(world.job, { resume_upload_id: upload_id }))
    assert.deepEqual([early.status, early.body.detail.code], [409, 'upload_not_completed'])

    const html = { ...upload.headers, 'Content-Type': 'text/html' }
    assert.equal((await send('PUT', upload.url, html, file)).status, 403)
    const longer = Buffer.concat([file, Buffer.from('x')])
    const length = { ...upload.headers, 'Content-Length': String(longer.length) }
    assert.equal((await send('PUT', upload.url, length, longer)).status, 403)
    assert.deepEqual(filesWith(mark), [])
    assert.equal((await send('PUT', upload.url, upload.headers, file)).status, 200)
    assert.equal((await send('PUT', upload.url, upload.headers, resume(mark.toUpperCase()))).status, 412)
    assert.equal(filesWith(mark).length, 1)

    const application = await apply(world, { resume_upload_id: upload_id })
    assert.equal(application.has_resume, true)
    while (await parseNext(db, blobs, log));
    const parsed = await service.get(`/applications/${application.id}/resume`, key)
    assert.equal(parsed.body.parse_status, 'parsed')
    assert.ok(parsed.body.parsed.raw_text.includes(mark))

    const download = await service.get(`/applications/${application.id}/resume/download`, key)
    assert.equal(download.status, 200)
    assert.equal(new URL(download.body.url).origin, server)
    const got = await send('GET', download.body.url)
    assert.deepEqual([got.status, got.body.equals(file)], [200, true])
    assert.equal(got.headers['content-type'], 'text/plain')
    assert.equal(got.headers['content-disposition'], `attachment; filename*=UTF-8''cv.txt`)
    const altered = download.body.url.replace('cv.txt', 'cv.exe')
    assert.equal((await send('GET', altered)).status, 403)
  })

  test('service on S3: an export is written there, its addresses return every row, and its end removes it', async () => {
    const tenant: World = { service, ...(await newTenant(service)) }
    const made = [await apply(tenant), await apply(tenant)]
    const done = await exportNow(service, tenant.key, ['applications', 'applicants'])
    assert.equal(done.status, 'ready')
    for (const file of done.files) assert.equal(new URL(file.url).origin, server)
    const ids = (await downloadRows(done, 'applications')).map(row => row.id)
    assert.deepEqual(ids.toSorted(), made.map(application => application.id).toSorted())
    assert.equal((await downloadRows(done, 'applicants')).length, 2)
    assert.equal((await keysBelow(`exports/${tenant.workspace}/`)).length, 2)
    clock.advance(25 * 3_600_000)
    await expireOnce(db, blobs)
    clock.reset()
    assert.deepEqual(await keysBelow(`exports/${tenant.workspace}/`), [])
    assert.equal((await send('GET', done.files[0].url)).status, 404)
  })

  test('service on S3: an erasure removes résumés, attachments and exports of the person from the server, and nothing else', async () => {
    const tenant: World = { service, ...(await newTenant(service)) }
    const { workspace } = tenant
    const owner = await signedIn(service, workspace)
    const email = 'erased@example.org'
    const linkedin = 'https://www.linkedin.com/in/erased-in-s3'
    const [mark, kept] = [word(), word()]
    const uploaded = async (marked: string) => {
      const file = resume(marked)
      const { upload_id, upload } = await reserve(tenant.key, file)
      assert.equal((await send('PUT', upload.url, upload.headers, file)).status, 200)
      return upload_id
    }
    const application = await apply(
      tenant,
      { resume_upload_id: await uploaded(mark) },
      { email, linkedin_url: linkedin },
    )
    await apply(tenant, { resume_upload_id: await uploaded(kept) })
    const profile = readProfile(
      JSON.stringify({ full_name: 'Ada Byron', linkedin_url: linkedin }),
      newHandle('sourced_profile'),
    )
    const actor = { workspace, originKeyId: null }
    const how = { origin: 'xray', acquisition: 'xray_search', provider: null }
    await db.transaction(tx => importProfiles(tx, actor, how, [profile]))
    const attach = () => {
      const file = { type: 'resume', filename: 'cv.txt', mime: 'text/plain', content: resume(mark) } as const
      return addAttachment(db, blobs, actor, profile.id, file)
    }
    await attach()
    await attach() // replaces the first
    const exported = await exportNow(service, tenant.key, ['applications', 'applicants', 'sourced_profiles'])
    const url = async () => (await service.get(`/applications/${application.id}/resume/download`, tenant.key)).body.url
    const addresses = [await url(), ...exported.files.map((file: { url: string }) => file.url)]
    const statuses = () => Promise.all(addresses.map(async address => (await send('GET', address)).status))
    assert.deepEqual(await statuses(), [200, 200, 200, 200])
    assert.ok(filesWith(mark).length >= 2)
    assert.ok((await keysBelow(`exports/${workspace}/`)).length === 3)

    const asked = await owner.post('/erasures', { email, reason: 'erasure_request', confirmation: email })
    assert.equal(asked.status, 200)
    for (const { id } of await db.query(openErasures())) await runErasure(service.services, id)
    await expireOnce(db, blobs)

    assert.equal((await service.get(`/applications/${application.id}`, tenant.key)).status, 404)
    assert.deepEqual(await statuses(), [404, 404, 404, 404])
    assert.deepEqual(filesWith(mark), [])
    assert.deepEqual(await keysBelow(`exports/${workspace}/`), [])
    assert.deepEqual(await keysBelow(`attachments/${workspace}/`), [])
    assert.equal(filesWith(kept).length, 1)
  })
}

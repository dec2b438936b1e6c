import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { lockedDocx } from '../../packages/resume-parser/test/locked-files.ts'
import { buildPdf, FORMATS, LAYOUTS, PEOPLE, toDoc, zip } from '../../packages/resume-parser/test/resume-files.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { readFeed } from '../harness/feed.ts'
import { apply, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, key } = world
const { db, blobs, log } = service.services
const { pdf, docx, doc } = FORMATS as Record<string, (typeof FORMATS)[string]>
const resume = LAYOUTS['classic']!(PEOPLE[0]!)
const words = 'BT /F1 9 Tf 1 1 Td (word) Tj ET '

const encryption = `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4
  /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >>`

const FILES: Record<string, { file: Buffer; mime: string; error: string | null }> = {
  'a résumé': { file: pdf!.render(resume), mime: pdf!.mime, error: null },
  'a line break': { file: Buffer.from('\n'), mime: 'text/plain', error: 'no_text' },
  'a PDF without text': { file: buildPdf(Buffer.from('0 0 10 10 re f')), mime: pdf!.mime, error: 'no_text' },
  'a PDF that ends early': { file: pdf!.render(resume).subarray(0, 200), mime: pdf!.mime, error: 'unreadable' },
  'a PDF with a password': { file: buildPdf(Buffer.from('x'), '', encryption), mime: pdf!.mime, error: 'encrypted' },
  'a DOCX with a password': { file: lockedDocx(), mime: docx!.mime, error: 'encrypted' },
  'a DOC with a password': { file: toDoc('x'.repeat(100), { encrypted: true }), mime: doc!.mime, error: 'encrypted' },
  'an archive of pictures': {
    file: zip({ 'a.png': Buffer.from('x') }),
    mime: docx!.mime,
    error: 'unsupported',
  },
  'a PDF of one million words': {
    file: buildPdf(deflateSync(Buffer.from(words.repeat(1_000_000))), '/Filter /FlateDecode'),
    mime: pdf!.mime,
    error: 'too_large',
  },
}

/** Returns what the event says about the end of parsing. */
async function readEvent(application: string) {
  const events = await readFeed(service, world.workspace)
  const about = events
    .filter(({ type }) => type === 'application.resume_parsed')
    .map(({ data }) => data.object)
    .filter(({ id }) => id === application)
  return about.map(({ parse_status, parse_error }) => [parse_status, parse_error])
}

for (const [name, { file, mime, error }] of Object.entries(FILES)) {
  test(`GET …/resume, the résumé lists and application.resume_parsed: parse_error of ${name} is ${error}`, async () => {
    const app = await apply(world, { resume_upload_id: await upload(world, file, mime) })
    const path = `/applications/${app.id}/resume`
    const waiting = (await service.get(path, key)).body
    assert.deepEqual([waiting.parse_status, waiting.parse_error], ['pending', null])
    assert.equal(await parseNext(db, blobs, log), true)
    const status = error === null ? 'parsed' : 'failed'
    const seen = (await service.get(path, key)).body
    assert.deepEqual([seen.parse_status, seen.parse_error], [status, error])
    const [row] = (await service.get(`/applicants/${app.applicant_id}/resumes`, key)).body.data
    assert.deepEqual([row.parse_status, row.parse_error], [status, error])
    assert.deepEqual(await readEvent(app.id), [[status, error]])
  })
}

test('GET …/resume and application.resume_parsed: parse_error is internal when the file was missing in the store three times', async t => {
  t.after(() => clock.reset())
  const app = await apply(world, { resume_upload_id: await upload(world) })
  const stored = sql<{ blob_key: string }>`select blob_key from resumes where application_id = ${app.id}`
  await blobs.remove((await db.one(stored))!.blob_key)
  const quiet = Object.assign(Object.create(log), { warn: () => {} })
  for (const error of [null, null, 'internal']) {
    await parseNext(db, blobs, quiet)
    assert.equal((await service.get(`/applications/${app.id}/resume`, key)).body.parse_error, error)
    clock.advance(31_000)
  }
  assert.deepEqual(await readEvent(app.id), [['failed', 'internal']])
})

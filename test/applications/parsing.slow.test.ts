import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResumeFile } from '../../packages/resume-parser/src/index.ts'
import { FORMATS, LAYOUTS, PEOPLE, TODAY, toDocx } from '../../packages/resume-parser/test/resume-files.ts'
import { sharedContentPdf } from '../../packages/resume-parser/test/slow-files.ts'
import { BlobsUnavailable } from '../../src/kernel/blobs/blobs.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import { claimResume, finishParsing, retryParsing } from '../../src/resources/resumes/index.ts'
import { apply, newJob, readEvents, startWorld, upload } from './setup.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs, log } = service.services
const { docx, pdf } = FORMATS as Record<string, (typeof FORMATS)[string]>
const classic = LAYOUTS['classic']!(PEOPLE[0]!)

test('résumé parser: parsed: the profile is served, its event emitted and the application scored', async () => {
  const job = await newJob(service, workspace, { required: ['Go', 'PostgreSQL', 'Haskell'], preferred: ['Kafka'] })
  const file = pdf!.render(classic)
  const app = await apply({ ...world, job }, { resume_upload_id: await upload(world, file, pdf!.mime, 'marta.pdf') })
  const before = (await readEvents(world, workspace)).length
  assert.equal(await parseNext(db, blobs, log), true)
  const events = (await readEvents(world, workspace)).slice(before)
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['parse_status'] ?? e.data.object['match_pct']]),
    [
      ['application.resume_parsed', 'parsed'],
      ['application.scored', 80],
    ],
  )
  const seen = await service.get(`/applications/${app.id}`, key)
  assert.equal(seen.body.parse_status, 'parsed')
  assert.equal(seen.body.updated_at, events[1]!.data.object['updated_at'])
  const resume = await service.get(`/applications/${app.id}/resume`, key)
  assert.equal(resume.body.parse_status, 'parsed')
  assert.equal(resume.body.parsed.current_title, 'Senior Backend Engineer')
  assert.deepEqual(resume.body.parsed.skills, PEOPLE[0]!.skills)
  assert.match(resume.body.parsed.raw_text, /Fjordbank/)
  const score = await service.get(`/applications/${app.id}/score`, key)
  assert.equal(score.body.match_pct, 80)
  assert.deepEqual(score.body.gaps, ['required skill not found: Haskell'])
  assert.match(score.body.rationale, /2 of 3 required skills/)
  assert.ok(score.body.model_version)
})

test('résumé parser: failed: a hostile file fails at its first attempt, with an event; the résumé can still be downloaded', async () => {
  const file = toDocx(classic).subarray(0, 600)
  const app = await apply(world, { resume_upload_id: await upload(world, file, docx!.mime) })
  const before = (await readEvents(world, workspace)).length
  await parseNext(db, blobs, log)
  const events = (await readEvents(world, workspace)).slice(before)
  assert.deepEqual(
    events.map(e => [e.type, e.data.object['parse_status']]),
    [['application.resume_parsed', 'failed']],
  )
  assert.equal((await service.get(`/applications/${app.id}`, key)).body.parse_status, 'failed')
  assert.equal((await service.get(`/applications/${app.id}/score`, key)).status, 404)
  const resume = await service.get(`/applications/${app.id}/resume`, key)
  assert.deepEqual([resume.status, resume.body.parsed], [200, null])
  assert.equal((await service.get(`/applications/${app.id}/resume/download`, key)).status, 200)
  assert.equal(await parseNext(db, blobs, log), false)
})

test('résumé parser: retried: a file that cannot be fetched is tried three times, then failed', async () => {
  const app = await apply(world, { resume_upload_id: await upload(world) })
  const row = await db.one(sql<{ blob_key: string }>`select blob_key from resumes where application_id = ${app.id}`)
  await blobs.remove(row!.blob_key)
  const quiet = Object.assign(Object.create(log), { warn: () => {} })
  for (const status of ['pending', 'pending', 'failed']) {
    assert.equal(await parseNext(db, blobs, quiet), true)
    assert.equal((await service.get(`/applications/${app.id}`, key)).body.parse_status, status)
    assert.equal(await parseNext(db, blobs, quiet), false)
    clock.advance(31_000)
  }
  clock.reset()
})

test('résumé parser: a worker that died: its lease runs out, the next takes over, and the first can no longer write', async () => {
  const app = await apply(world, { resume_upload_id: await upload(world) })
  const first = await claimResume(db)
  assert.equal(first!.application_id, app.id)
  assert.equal((await service.get(`/applications/${app.id}`, key)).body.parse_status, 'parsing')
  assert.equal(await claimResume(db), undefined)
  clock.advance(91_000)
  const second = await claimResume(db)
  assert.equal(second!.id, first!.id)
  assert.equal(await db.transaction(tx => finishParsing(tx, first!, 'internal')), false)
  assert.equal(await retryParsing(db, first!, new Error('crashed')), true)
  assert.equal(await db.transaction(tx => finishParsing(tx, second!, 'internal')), true)
  clock.reset()
})

test('résumé parser: a file store that is unavailable for long costs no try; another fault ends after three', async () => {
  const app = await apply(world, { resume_upload_id: await upload(world) })
  const fail = async (cause: Error) => {
    clock.advance(31_000)
    const claimed = (await claimResume(db))!
    assert.equal(claimed.application_id, app.id)
    const again = await retryParsing(db, claimed, cause)
    if (!again) assert.equal(await db.transaction(tx => finishParsing(tx, claimed, 'internal')), true)
    return again
  }
  for (let i = 0; i < 5; i++) assert.equal(await fail(new BlobsUnavailable('away')), true)
  const outcomes = []
  for (let i = 0; i < 3; i++) outcomes.push(await fail(new Error('crashed')))
  assert.deepEqual(outcomes, [true, true, false])
  clock.reset()
})

test('résumé reader: while a slow file is read the API continues to respond', async () => {
  const file = sharedContentPdf(7 * 1024 * 1024, 25)
  const stop = new AbortController()
  let reading = true
  const ended = readResumeFile(file, pdf!.mime, TODAY, {}, stop.signal).catch(error => error)
  void ended.then(() => {
    reading = false
  })
  for (let responses = 0; responses < 5; responses++) {
    assert.equal((await service.get('/applications?limit=5', key)).status, 200)
    assert.ok(reading, 'the file takes longer than five requests')
  }
  stop.abort()
  assert.match((await ended).message, /stopping/)
})

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createDeflate, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { BlobsUnavailable } from '../../src/kernel/blobs/blobs.ts'
import { sql } from '../../src/kernel/db/sql.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import { parseNext } from '../../src/resources/applications/index.ts'
import {
  claimResume,
  extractText,
  finishParsing,
  normalizeText,
  parseProfile,
  readResumeFile,
  retryParsing,
  Unreadable,
} from '../../src/resources/resumes/index.ts'
import { findSpan, yearsCovered } from '../../src/resources/resumes/parse/dates.ts'
import { documentText } from '../../src/resources/resumes/parse/docx.ts'
import { isolation, SANDBOX_LIMITS } from '../../src/resources/resumes/parse/isolate.ts'
import { FIELDS, mean, measureAccuracy } from './accuracy.ts'
import { FORMATS, LAYOUTS, PEOPLE, pdfOf, TODAY, toDoc, toDocx, zip } from './resume-files.ts'
import { apply, eventsOf, newJob, startWorld, upload } from './setup.ts'
import { sharedContentPdf } from './slow-files.ts'

const world = await startWorld()
const { service, workspace, key } = world
const { db, blobs, log } = service.services
const { docx, pdf, doc, rtf } = FORMATS as Record<string, (typeof FORMATS)[string]>
const classic = LAYOUTS['classic']!(PEOPLE[0]!)

/** Of this process alone: what other programs of the machine do is not in it. */
const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** A gigabyte of text operators, in a file of some kilobytes. */
async function pdfBomb(): Promise<Buffer> {
  const deflate = createDeflate()
  const fragment = Buffer.alloc(16 * 1024 * 1024, 'BT (a) Tj ET ')
  const packed = buffer(deflate)
  for (let i = 0; i < 64; i++) await new Promise(resolve => deflate.write(fragment, resolve))
  deflate.end()
  return pdfOf(deflateSync(await packed), '/Filter [/FlateDecode /FlateDecode]')
}
const PDF_BOMB = await pdfBomb()

test('résumé parser: every field is found in five formats and three layouts', async () => {
  const all = await measureAccuracy()
  assert.equal(all.length, PEOPLE.length * 15)
  for (const field of Object.keys(FIELDS)) {
    const right = mean(all.map(r => r.scores[field]!))
    assert.ok(right >= 0.95, `${field}: ${Math.round(right * 100)} %`)
  }
})

test('résumé profile: extraction_confidence is high where fields were found, low where they were not', async () => {
  const good = (await measureAccuracy()).map(r => r.profile.extraction_confidence)
  assert.ok(Math.min(...good) >= 0.8, `${Math.min(...good)}`)
  const low: readonly (readonly [string, string])[] = [
    [
      'no positions',
      'Ada Byron\nEngineer\n\nSkills\nGo, Rust, SQL\n\nEducation\nMSc Physics, Example University, 2014',
    ],
    ['no employer', 'Ada Byron\n\nExperience\nEngineer\n2019 - 2021\n\nSkills\nGo, Rust, SQL'],
    ['an unknown title', 'Ada Byron\n\nExperience\nXyzzy, Qwertz, 2019 - 2021\n\nSkills\nGo, Rust, SQL'],
    ['places for titles', 'Ada Byron\n\nExperience\nNew York, NY\n2019 - 2021\n\nSkills\nGo, Rust, SQL'],
  ]
  for (const [what, resume] of low) {
    const { extraction_confidence: confidence } = parseProfile(resume, TODAY)
    assert.ok(confidence < 0.7, `${what}: ${confidence}`)
  }
  const prose = 'I have done many things in my life and would like to do more of them with you. '.repeat(5)
  assert.ok(parseProfile(prose, TODAY).extraction_confidence <= 0.2)
  const text = await extractText(doc!.render(classic), doc!.mime)
  const garbled = text.replace(/(\w)(\w)/g, '$1 $2 ¤')
  assert.ok(parseProfile(garbled, TODAY).extraction_confidence < parseProfile(text, TODAY).extraction_confidence / 2)
})

test('résumé parser: the same text always gives the same profile, and no text breaks the rules', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), text => {
      const profile = parseProfile(normalizeText(text), TODAY)
      assert.deepEqual(parseProfile(normalizeText(text), TODAY), profile)
      assert.ok(profile.extraction_confidence >= 0 && profile.extraction_confidence <= 1)
    }),
  )
})

test('résumé parser: long lines without structure are read in time', () => {
  for (const fragment of ['a', ' ', '-', '2019 ', 'a, ', '. ', '\t', 'no visa ', 'Jan 20', '((((', 'E ']) {
    const started = cpuSeconds()
    parseProfile(normalizeText(fragment.repeat(200_000 / fragment.length)), TODAY)
    assert.ok(cpuSeconds() - started < 10, JSON.stringify(fragment))
  }
})

test('résumé parser: spans: written in many ways, added up without counting a month twice', () => {
  const now = 2026 * 12 + 11
  for (const [text, months] of [
    ['Jan 2020 – Dec 2020', 12],
    ['January 2020 to March 2020', 3],
    ['01/2020 - 03/2020', 3],
    ['2019 - 2021', 24],
    ['Sept. 2025 until present', 15],
    ['since May 2026', 7],
    ['März 2020 bis heute', 81],
  ] as const) {
    const span = findSpan(text, now)
    assert.equal(span && span.to - span.from, months, text)
  }
  for (const text of ['2021', 'no date', '2022 - 2019', 'call 2020 times', '13/2020 - x'])
    assert.equal(findSpan(text, now), undefined, text)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(600), fc.nat(60)), { maxLength: 10 }), pairs => {
      const spans = pairs.map(([from, length]) => ({ from, to: from + length, current: false, start: 0, end: 0 }))
      const months = new Set(spans.flatMap(s => Array.from({ length: s.to - s.from }, (_, i) => s.from + i)))
      assert.equal(yearsCovered(spans), Math.round((months.size / 12) * 10) / 10)
      assert.equal(yearsCovered([...spans, ...spans]), yearsCovered(spans))
    }),
  )
})

test('résumé parser: DOCX: what a fallback repeats is read once; entities, tabs and breaks; a document type is refused', () => {
  const xml = `<w:p><w:r><w:t>A &amp; B</w:t><w:tab/><w:t>&#x10D;</w:t><w:br/><w:t>C</w:t></w:r></w:p>
    <mc:AlternateContent><mc:Choice><w:p><w:t>box</w:t></w:p></mc:Choice><mc:Fallback><w:p><w:t>box</w:t></w:p></mc:Fallback></mc:AlternateContent>`
  assert.deepEqual(documentText(xml).split('\n'), ['A & B\tč', 'C', 'box'])
  assert.throws(() => documentText('<!DOCTYPE x [<!ENTITY a "b">]><w:p/>'), Unreadable)
})

/** The largest size that any process started by this one reaches while `work` runs; Linux tells, others do not. */
async function peakOfChildren(work: Promise<unknown>): Promise<number> {
  let peak = 0
  const look = setInterval(() => {
    try {
      for (const pid of readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ')) {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8')
        if (!/^Name:\s+postgres/m.test(status))
          peak = Math.max(peak, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
      }
    } catch {
      // ended between two looks, or no Linux
    }
  }, 5)
  await work.finally(() => clearInterval(look))
  return peak
}

/** Files that are not what they seem. Each must end as unreadable, quickly and small. */
const HOSTILE: Record<string, { file: () => Buffer; mime: string; reason: string }> = {
  'zip bomb': {
    reason: 'too_large',
    mime: docx!.mime,
    file: () => zip({ 'word/document.xml': Buffer.alloc(400 * 1024 * 1024, '<w:p><w:t>a</w:t></w:p>') }),
  },
  'encrypted zip': {
    reason: 'encrypted',
    mime: docx!.mime,
    file: () => zip({ 'word/document.xml': Buffer.from('x') }, { encrypted: true }),
  },
  'truncated docx': { reason: 'unreadable', mime: docx!.mime, file: () => toDocx(classic).subarray(0, 600) },
  'docx without a document': {
    reason: 'unsupported',
    mime: docx!.mime,
    file: () => zip({ 'a.txt': Buffer.from('x') }),
  },
  'encrypted doc': { reason: 'encrypted', mime: doc!.mime, file: () => toDoc('x'.repeat(100), { encrypted: true }) },
  'circular doc': { reason: 'unreadable', mime: doc!.mime, file: () => toDoc('x'.repeat(100), { circular: true }) },
  'truncated doc': { reason: 'unreadable', mime: doc!.mime, file: () => doc!.render(classic).subarray(0, 2_000) },
  'truncated rtf': { reason: 'unreadable', mime: rtf!.mime, file: () => rtf!.render(classic).subarray(0, 300) },
  'deep rtf': { reason: 'unreadable', mime: rtf!.mime, file: () => Buffer.from(`{\\rtf1 ${'{'.repeat(100_000)}`) },
  'encrypted pdf': {
    reason: 'encrypted',
    mime: pdf!.mime,
    file: () =>
      pdfOf(
        Buffer.from('x'),
        '',
        `/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /Length 40 /P -4 /O <${'00'.repeat(32)}> /U <${'00'.repeat(32)}> >>`,
      ),
  },
  'truncated pdf': { reason: 'unreadable', mime: pdf!.mime, file: () => pdf!.render(classic).subarray(0, 200) },
  'pdf bomb': { reason: 'too_large', mime: pdf!.mime, file: () => PDF_BOMB },
  'pdf of pages that share 60 MB of content': {
    reason: 'too_large',
    mime: pdf!.mime,
    file: () => sharedContentPdf(60 * 1024 * 1024, 3),
  },
  'circular pdf': {
    reason: 'unreadable',
    mime: pdf!.mime,
    file: () =>
      Buffer.from(pdf!.render(classic).toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1'),
  },
  'pdf of one million words': {
    reason: 'too_large',
    mime: pdf!.mime,
    file: () =>
      pdfOf(deflateSync(Buffer.from('BT /F1 9 Tf 1 1 Td (word) Tj ET '.repeat(1_000_000))), '/Filter /FlateDecode'),
  },
  'picture named txt': {
    reason: 'unsupported',
    mime: 'text/plain',
    file: () => Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
  },
  'text named pdf': {
    reason: 'unsupported',
    mime: pdf!.mime,
    file: () => Buffer.from('just some words that are no PDF at all'),
  },
  'only spaces': { reason: 'no_text', mime: 'text/plain', file: () => Buffer.alloc(1000, ' ') },
}

for (const [name, { file, mime, reason }] of Object.entries(HOSTILE)) {
  test(`résumé parser: ${name}: ${reason} within its time limit and 512 MB`, async () => {
    const bytes = file()
    assert.ok(bytes.length <= 5_242_880)
    // the others end by themselves, on a busy machine later
    const reading = readResumeFile(bytes, mime, TODAY, reason === 'timeout' ? { seconds: 5 } : {})
    const refused = (error: unknown) => error instanceof Unreadable && error.reason === reason
    const peak = await peakOfChildren(assert.rejects(reading, refused))
    assert.ok(peak < 512, `${peak} MB`)
  })
}

test('résumé reader: a PDF whose pages inflate beyond 8 MB is refused before it is read', async () => {
  const read = (megabytes: number) => readResumeFile(sharedContentPdf(megabytes * 1024 * 1024, 1), pdf!.mime, TODAY)
  await assert.rejects(read(9), { message: 'the uncompressed document is too large' })
  await assert.rejects(read(1), { message: 'the document has no text' })
})

test('résumé parser: what takes too long is ended: after five seconds in these tests, after twenty by default', () => {
  assert.equal(SANDBOX_LIMITS.seconds, 20)
})

test('résumé parser: damaged files: whatever byte is wrong or missing, reading ends, soon', async () => {
  const files = ['docx', 'doc', 'rtf', 'txt'].map(name => {
    const { mime, render } = FORMATS[name]!
    return { mime, file: render(LAYOUTS['table']!(PEOPLE[0]!)) }
  })
  const damage = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...files), damage, fc.option(fc.nat()), async ({ mime, file }, wrong, cut) => {
      const damaged = Buffer.from(file)
      for (const [at, value] of wrong) damaged[at % damaged.length] = value
      const started = cpuSeconds()
      const whole = cut === null ? damaged : damaged.subarray(0, 4 + (cut % (damaged.length - 4)))
      const text = await extractText(whole, mime).catch((error: Error) => error)
      assert.ok(text instanceof Error || typeof parseProfile(text, TODAY) === 'object')
      assert.ok(cpuSeconds() - started < 5)
    }),
    { numRuns: 500 },
  )
})

test('résumé parser: a reader that takes too long, or grows too large, is ended', async () => {
  const file = pdf!.render(classic)
  await assert.rejects(readResumeFile(file, pdf!.mime, TODAY, { seconds: 0.05 }), { reason: 'timeout' })
  await assert.rejects(readResumeFile(file, pdf!.mime, TODAY, { rssMegabytes: 40 }), { reason: 'too_large' })
})

test('résumé parser: a reader that gets no processor time is given up, and the file is not called unreadable', async () => {
  const failed = await readResumeFile(pdf!.render(classic), pdf!.mime, TODAY, { waitSeconds: 0.01 }).catch(
    error => error,
  )
  assert.match(failed.message, /did not finish in time/)
  assert.ok(!(failed instanceof Unreadable))
})

test('résumé parser: the reader’s process can neither write, nor start programs, nor read outside its code', () => {
  const probe = `
    const { readFileSync, writeFileSync } = require('node:fs')
    const denied = run => { try { run() } catch (error) { return error.code } }
    console.log(JSON.stringify([
      denied(() => readFileSync('/etc/hostname')),
      denied(() => readFileSync('${import.meta.filename}')),
      denied(() => writeFileSync('/tmp/probe', 'x')),
      denied(() => require('node:child_process').spawnSync('true')),
      Object.keys(process.env).length,
    ]))`
  const { stdout } = spawnSync(process.execPath, [...isolation(64), '-e', probe], { env: {}, encoding: 'utf8' })
  const DENIED = 'ERR_ACCESS_DENIED'
  assert.deepEqual(JSON.parse(stdout), [DENIED, DENIED, DENIED, DENIED, 0])
})

test('résumé parser: parsed: the profile is served, its event emitted and the application scored', async () => {
  const job = await newJob(service, workspace, { required: ['Go', 'PostgreSQL', 'Haskell'], preferred: ['Kafka'] })
  const file = pdf!.render(classic)
  const app = await apply({ ...world, job }, { resume_upload_id: await upload(world, file, pdf!.mime, 'marta.pdf') })
  const before = (await eventsOf(world, workspace)).length
  assert.equal(await parseNext(db, blobs, log), true)
  const events = (await eventsOf(world, workspace)).slice(before)
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
  const file = HOSTILE['truncated docx']!.file()
  const app = await apply(world, { resume_upload_id: await upload(world, file, docx!.mime) })
  const before = (await eventsOf(world, workspace)).length
  await parseNext(db, blobs, log)
  const events = (await eventsOf(world, workspace)).slice(before)
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

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { createDeflate, deflateSync } from 'node:zlib'
import fc from 'fast-check'
import { extractText, parseProfile, readResumeFile, SANDBOX_LIMITS, Unreadable } from '../src/index.ts'
import { isolation } from '../src/isolate.ts'
import { cpuSeconds } from './cpu-seconds.ts'
import { buildPdf, FORMATS, LAYOUTS, PEOPLE, TODAY, toDoc, toDocx, zip } from './resume-files.ts'
import { sharedContentPdf } from './slow-files.ts'

const { docx, pdf, doc, rtf } = FORMATS as Record<string, (typeof FORMATS)[string]>
const classic = LAYOUTS['classic']!(PEOPLE[0]!)

/** A gigabyte of text operators, in a file of some kilobytes. */
async function pdfBomb(): Promise<Buffer> {
  const deflate = createDeflate()
  const fragment = Buffer.alloc(16 * 1024 * 1024, 'BT (a) Tj ET ')
  const packed = buffer(deflate)
  for (let i = 0; i < 64; i++) await new Promise(resolve => deflate.write(fragment, resolve))
  deflate.end()
  return buildPdf(deflateSync(await packed), '/Filter [/FlateDecode /FlateDecode]')
}
const PDF_BOMB = await pdfBomb()

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
      buildPdf(
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
      buildPdf(deflateSync(Buffer.from('BT /F1 9 Tf 1 1 Td (word) Tj ET '.repeat(1_000_000))), '/Filter /FlateDecode'),
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

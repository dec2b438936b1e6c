import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { testsReaching } from '../runner/changed.ts'
import { type FileResult, runFiles } from '../runner/pool.ts'
import { allTestFiles, findSet, ROOT } from '../runner/sets.ts'
import { shuffled } from '../runner/shuffled.ts'

const folder = mkdtempSync(join(tmpdir(), 'hiring-runner-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const clockModule = JSON.stringify(pathToFileURL(join(ROOT, 'src/kernel/time/clock.ts')).href)

function writeTest(name: string, body: string): string {
  const file = join(folder, `${name}.test.ts`)
  writeFileSync(
    file,
    `import assert from 'node:assert/strict'\nimport { after, describe, test } from 'node:test'\n${body}\n`,
  )
  return file
}

/** The results by the name of the file, and the faults of the run. */
async function runAll(files: readonly string[], workers = 1) {
  const done = new Map<string, FileResult>()
  const faults = await runFiles(files, {
    workers,
    testTimeoutMs: 2_000,
    onFile: result => done.set(result.file, result),
  })
  const outcomes = (file: string) =>
    done.get(file)!.results.map(({ name, outcome, error, place }) => ({
      name: name.replace(`${folder}/`, ''),
      outcome,
      error,
      place,
    }))
  return { faults, outcomes }
}

const failures = (results: { outcome: string; error?: string | undefined }[]) =>
  results.flatMap(({ outcome, error = '' }) => (outcome === 'failed' ? [error.split('\n')[0]!] : []))

test('test runner: results of a file: nested names, skipped tests, failures with their error', async () => {
  const file = writeTest(
    'outcomes',
    `test('passes', () => {})
     test('skipped', { skip: true }, () => {})
     describe('group', () => { test('fails', () => assert.equal(1, 2)) })
     test('hangs', () => new Promise(resolve => setTimeout(resolve, 60_000).unref()))`,
  )
  const { outcomes, faults } = await runAll([file])
  assert.deepEqual(
    outcomes(file).map(({ name, outcome }) => [name, outcome]),
    [
      ['passes', 'passed'],
      ['skipped', 'skipped'],
      ['group › fails', 'failed'],
      ['hangs', 'failed'],
    ],
  )
  assert.match(failures(outcomes(file))[0]!, /AssertionError/)
  assert.match(outcomes(file)[2]!.place ?? '', /outcomes\.test\.ts:5$/)
  assert.match(failures(outcomes(file))[1]!, /timed out after 2000ms/)
  assert.deepEqual(faults, [])
})

test('test runner: a file that leaves something behind fails, and the failure names it; the next file is not affected', async () => {
  const leaving = {
    'an open timer': ["test('t', () => void setInterval(() => {}, 1_000_000))", 'it leaves behind: open Timeout'],
    'a server': [
      "import { createServer } from 'node:net'\ntest('t', () => new Promise(done => createServer().listen(0, done)))",
      'it leaves behind: open TCPServerWrap',
    ],
    'a global': ["test('t', () => { globalThis.planted = 1 })", 'it leaves behind: the global planted'],
    'a variable': [
      "test('t', () => { process.env.PLANTED = '1' })",
      'it leaves behind: the environment variable PLANTED',
    ],
    'a signal handler': [
      "test('t', () => void process.on('SIGHUP', () => {}))",
      'it leaves behind: a listener of the process for SIGHUP',
    ],
    'the clock': [
      `import { clock } from ${clockModule}\ntest('t', () => {})\nafter(() => clock.advance(1000))`,
      'it leaves behind: a clock that was moved',
    ],
  } as const
  const files = Object.entries(leaving).map(([name, [body]]) => writeTest(name, body))
  const last = writeTest('last', "test('is not affected', () => {})")
  const { outcomes } = await runAll([...files, last])
  Object.values(leaving).forEach(([, fault], i) => {
    assert.deepEqual(failures(outcomes(files[i]!)), [fault])
  })
  assert.deepEqual(failures(outcomes(last)), [])
})

test('test runner: hooks of a file run for that file alone, and its own failure is reported', async () => {
  const hooked = writeTest(
    'hooked',
    "import { beforeEach } from 'node:test'\nbeforeEach(() => { throw new Error('of this file') })\ntest('t', () => {})",
  )
  const ending = writeTest('ending', "test('t', () => {})\nafter(() => { throw new Error('at the end') })")
  const broken = writeTest('broken', "await Promise.reject(new Error('at the top'))")
  const plain = writeTest('plain', "test('t', () => {})")
  const { outcomes } = await runAll([hooked, ending, broken, plain])
  assert.match(failures(outcomes(hooked))[0]!, /of this file/)
  assert.match(failures(outcomes(ending)).join(), /at the end/)
  assert.match(failures(outcomes(broken)).join(), /at the top/)
  assert.deepEqual(failures(outcomes(plain)), [])
})

test('test runner: a process that dies fails its file and is replaced', async () => {
  const dying = writeTest('dying', "test('t', () => process.exit(3))")
  const after = writeTest('after', "test('t', () => {})")
  const { outcomes, faults } = await runAll([dying, after])
  assert.deepEqual(failures(outcomes(dying)), ['the process of the file ended (3)'])
  assert.deepEqual(failures(outcomes(after)), [])
  assert.deepEqual(faults, [])
})

test('test runner: every test file is in one set; a seed gives one order of all files', () => {
  const files = allTestFiles()
  assert.ok(files.every(file => findSet(file)))
  assert.deepEqual(shuffled(files, 7), shuffled(files, 7))
  assert.notDeepEqual(shuffled(files, 7), shuffled(files, 8))
  assert.deepEqual(shuffled(files, 7).toSorted(), files.toSorted())
})

test('test runner: --changed: test files that reach a module, through other modules too, and no others', () => {
  const tests = testsReaching(new Set(['src/kernel/text/edit-distance.ts']))
  assert.ok(tests.includes('src/kernel/text/edit-distance.test.ts'))
  assert.ok(tests.includes('test/jobs/push.test.ts'), 'through the application')
  assert.ok(!tests.includes('src/kernel/db/sql.test.ts'))
  assert.deepEqual(testsReaching(new Set(['test/jobs/push.test.ts'])), ['test/jobs/push.test.ts'])
  assert.deepEqual(testsReaching(new Set(['README.md'])), [])
})

test('test runner: a test that is declared after an await of a promise of another file runs', async () => {
  const shared = join(folder, 'shared.ts')
  writeFileSync(
    shared,
    'let made: Promise<void> | undefined\nexport const share = () => (made ??= new Promise(resolve => setTimeout(resolve, 20)))',
  )
  const body = `import { share } from ${JSON.stringify(shared)}
    test('first', () => {})
    await share()
    test('second', () => {})`
  const files = [writeTest('makes', body), writeTest('awaits', body)]
  const { outcomes } = await runAll(files, 1)
  for (const file of files)
    assert.deepEqual(
      outcomes(file).map(({ name, outcome }) => [name, outcome]),
      [
        ['first', 'passed'],
        ['second', 'passed'],
      ],
    )
})

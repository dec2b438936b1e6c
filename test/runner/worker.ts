import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { clock } from '../../src/kernel/time/clock.ts'
import { beginFile, endFile } from '../harness/file-end.ts'
// loads the application, once for all files
import '../harness/service.ts'
import { takeDeclared, watchDeclarations } from './declared.ts'
import { currentState, leftBehind } from './left-behind.ts'

/**
 * Runs test files one after another in this process, which loads the application once. The runner (`test/run.ts`) sends
 * the path of a file when the one before it has ended, and null at the end. Each file is a test, and the tests and hooks
 * that it declares belong to that test.
 */
export interface FileDone {
  type: 'done'
  file: string
  /** CPU of this process and of the programs that the file started, without the database server's */
  cpuSeconds: number
  seconds: number
  /** resident memory of this process at the end of the file */
  megabytes: number
  /** names of the tests that the file declares */
  declared: string[]
  /** what another file would see of this one */
  leftBehind: string[]
}

/** A file that does not end by itself. */
const FILE_TIMEOUT_MS = 1_800_000
/** The whole run has no limit; without a number it would have that of a test. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

// the runner was killed
const abandon = () => process.exit(1)
process.once('disconnect', abandon)

const waiting: ((file: string | null) => void)[] = []
const given: (string | null)[] = []
process.on('message', ({ file }: { file: string | null }) => {
  const next = waiting.shift()
  if (next) next(file)
  else given.push(file)
})
const nextFile = (): Promise<string | null> =>
  given.length > 0 ? Promise.resolve(given.shift()!) : new Promise(resolve => waiting.push(resolve))

watchDeclarations()
await test('worker', { timeout: LONGEST_TIMEOUT_MS }, async t => {
  for (let file = await nextFile(); file !== null; file = await nextFile()) {
    const [cpu, start] = [cpuSeconds(), performance.now()]
    const before = currentState()
    await t.test(file, { timeout: FILE_TIMEOUT_MS }, async of => {
      of.after(endFile)
      // A test waits for it, and so starts when the module around it is evaluated, as where `node --test` runs the file.
      of.before(async () => {})
      beginFile(file)
      takeDeclared()
      clock.reset()
      await import(pathToFileURL(file).href)
    })
    process.send!({
      type: 'done',
      file,
      cpuSeconds: cpuSeconds() - cpu,
      seconds: (performance.now() - start) / 1000,
      megabytes: process.memoryUsage.rss() / 1e6,
      declared: takeDeclared(),
      leftBehind: await leftBehind(before),
    } satisfies FileDone)
  }
})
process.off('disconnect', abandon)
process.disconnect()

/** Measures this process and those that it started and that have ended. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childCpuSeconds()
}

/** Linux counts it; elsewhere it is left out. */
function childCpuSeconds(): number {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[13]) + Number(fields[14])) / 100
  } catch {
    return 0
  }
}

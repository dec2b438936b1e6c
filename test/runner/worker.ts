import { relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { readCpuSeconds } from '../harness/cpu-seconds.ts'
import { endProcess, replaceNodeTest, runFile } from './tests.ts'

// before any module that imports it
replaceNodeTest()
const { clock } = await import('../../src/kernel/time/clock.ts')
const { beginFile, endFile } = await import('../harness/file-end.ts')
// loads the application, once for all files
await import('../harness/service.ts')
const { currentState, leftBehind } = await import('./left-behind.ts')

/**
 * Runs test files one after another in this process, which loads the application once. The runner (`test/run.ts`) sends
 * the path of a file when the one before it has ended, and null at the end.
 *
 *   worker.ts MILLISECONDS   after which a test that says nothing else fails
 */
const timeoutMs = Number(process.argv[2])

/** The result of one test of the file, sent when the test has ended. */
export interface TestResult {
  type: 'result'
  /** after the names of the tests and suites around it */
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** where the test is */
  place: string
  error?: string
}

/** Sent after the results of a file. */
export interface FileDone {
  type: 'done'
  file: string
  /** CPU of this process and of the programs that the file started, without the database server's */
  cpuSeconds: number
  seconds: number
  /** resident memory of this process at the end of the file */
  megabytes: number
  /** what another file would see of this one */
  leftBehind: string[]
}

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

for (let file = await nextFile(); file !== null; file = await nextFile()) {
  const [cpu, start] = [readCpuSeconds('self'), performance.now()]
  const before = currentState()
  beginFile(file)
  clock.reset()
  await runFile(file, () => import(pathToFileURL(file).href), {
    timeoutMs,
    atEnd: endFile,
    report({ place, error, ...outcome }) {
      const failure = error === undefined ? {} : { error: inspect(error) }
      process.send!({ type: 'result', ...outcome, place: relative('', place), ...failure } satisfies TestResult)
    },
  })
  process.send!({
    type: 'done',
    file,
    cpuSeconds: readCpuSeconds('self') - cpu,
    seconds: (performance.now() - start) / 1000,
    megabytes: process.memoryUsage.rss() / 1e6,
    leftBehind: await leftBehind(before),
  } satisfies FileDone)
}
await endProcess()
process.off('disconnect', abandon)
process.disconnect()

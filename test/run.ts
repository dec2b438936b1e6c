import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { setUpRun } from './harness/test-run.ts'
import { changedFiles, testsReaching } from './runner/changed.ts'
import { longestFirst, recordDurations } from './runner/durations.ts'
import { type FileResult, type PoolOptions, runFiles } from './runner/pool.ts'
import { printCosts, printFile, printSummary, writeReport } from './runner/print.ts'
import { allTestFiles, findSet, isSetName, type SetName, TEST_SETS, type TestSet } from './runner/sets.ts'
import { shuffled } from './runner/shuffled.ts'

const HELP = `Runs test files in a few processes, somewhat more than the machine has cores; each process runs many files.

  npm test                     the fast set
  npm test -- PATTERN…         files of every set whose path contains one of the patterns
  npm test -- --changed        files of the set that reach a module with uncommitted changes
  npm run test:SET             another set

  --set SET       ${Object.entries(TEST_SETS)
    .map(([name, { about }]) => `${name}: ${about}`)
    .join('\n                  ')}
  --since REF     with --changed: changes since this commit (default: HEAD)
  --workers N     how many processes
  --seed N        a random order of the files, the same for the same number; 0 chooses a number
  --costs         CPU seconds, time and memory of each file
  --record        store how long each file took; later runs start the longest first
  --report FILE   write one line of JSON for each test: file, name, outcome
  --list          print the files and run nothing
  --help`

const { values: options, positionals: patterns } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string' },
    changed: { type: 'boolean', default: false },
    since: { type: 'string', default: 'HEAD' },
    workers: { type: 'string' },
    seed: { type: 'string' },
    costs: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
    report: { type: 'string' },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (options.help) console.log(HELP)
else process.exitCode = await main()

async function main(): Promise<number> {
  const files = chooseFiles()
  if (options.list) console.log(files.join('\n'))
  if (options.list || files.length === 0) {
    if (files.length === 0) console.error('No test file matches.')
    return files.length === 0 && !options.changed ? 1 : 0
  }
  const start = performance.now()
  const run = await setUpRun()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => run.tearDown({ isWhole: false }).finally(() => process.exit(1)))
  const done: FileResult[] = []
  const faults: string[] = []
  for (const [name, ofSet] of Object.entries(Object.groupBy(files, findSet)) as [SetName, string[]][]) {
    faults.push(
      ...(await runSet(TEST_SETS[name], ofSet, result => {
        done.push(result)
        printFile(result)
      })),
    )
  }
  const databaseCpuSeconds = run.databaseCpuSeconds()
  // only a whole set provokes everything that the catalogues list
  faults.push(...(await run.tearDown({ isWhole: isWholeSet() })))
  if (options.costs) printCosts(done, databaseCpuSeconds)
  if (options.record) recordDurations(done)
  if (options.report !== undefined) writeReport(options.report, done)
  return printSummary(done, faults, (performance.now() - start) / 1000)
}

async function runSet(set: TestSet, files: readonly string[], onFile: PoolOptions['onFile']): Promise<string[]> {
  const stop = await set.setUp?.()
  try {
    // one more than cores: a worker often waits, for the database or for a time limit that it tests
    const workers = Number(options.workers ?? set.workers ?? availableParallelism() + 1)
    return await runFiles(files, { ...set, workers, onFile })
  } finally {
    await stop?.()
  }
}

function isWholeSet(): boolean {
  return (options.set ?? 'fast') === 'fast' && patterns.length === 0 && !options.changed
}

function chooseFiles(): string[] {
  const { set = patterns.length > 0 ? undefined : 'fast', seed } = options
  if (set !== undefined && !isSetName(set))
    throw new Error(`--set ${set} is not one of ${Object.keys(TEST_SETS).join(', ')}`)
  const all = options.changed ? testsReaching(changedFiles(options.since)) : allTestFiles()
  const chosen = all
    .filter(file => set === undefined || findSet(file) === set)
    .filter(file => patterns.length === 0 || patterns.some(pattern => file.includes(pattern)))
  return seed === undefined ? longestFirst(chosen) : shuffled(chosen, Number(seed))
}

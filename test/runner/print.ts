import { writeFileSync } from 'node:fs'
import type { FileResult } from './pool.ts'
import type { TestResult } from './worker.ts'

const count = (results: readonly TestResult[], outcome: TestResult['outcome']) =>
  results.filter(result => result.outcome === outcome).length

/** One line for a file, then its failures in full, which the end of the run repeats. */
export function printFile({ file, results, cost }: FileResult): void {
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  const skipped = count(results, 'skipped')
  console.log(
    `${failed.length > 0 ? '✖' : '✔'} ${file}  ${results.length} tests${skipped > 0 ? `, ${skipped} skipped` : ''}` +
      (cost ? `  ${cost.seconds.toFixed(1)} s` : ''),
  )
  for (const result of failed) printFailure(result)
}

const printFailure = ({ name, place, error = '' }: TestResult): void =>
  console.log(`  ✖ ${name}\n    at ${place}\n${error.replaceAll(/^/gm, '    ')}`)

export function printCosts(done: readonly FileResult[], databaseCpuSeconds: number): void {
  const costs = done.flatMap(({ cost, results }) => (cost ? [{ ...cost, tests: results.length }] : []))
  console.log('\n  CPU s   time s    MB  tests  file')
  for (const { cpuSeconds, seconds, megabytes, tests, file } of costs.sort((a, b) => b.cpuSeconds - a.cpuSeconds)) {
    const columns = [
      cpuSeconds.toFixed(1).padStart(7),
      seconds.toFixed(1).padStart(8),
      megabytes.toFixed(0).padStart(5),
    ]
    console.log(`${columns.join(' ')} ${String(tests).padStart(6)}  ${file}`)
  }
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  console.log(`${total.toFixed(1).padStart(7)}  all files, without the start of the workers`)
  console.log(`${databaseCpuSeconds.toFixed(1).padStart(7)}  the database server`)
}

export function writeReport(path: string, done: readonly FileResult[]): void {
  const lines = done.flatMap(({ file, results }) =>
    results.map(({ name, outcome }) => JSON.stringify({ file, name, outcome })),
  )
  writeFileSync(path, lines.map(line => `${line}\n`).join(''))
}

/** Returns the exit code. */
export function printSummary(done: readonly FileResult[], faults: readonly string[], seconds: number): number {
  const results = done.flatMap(file => file.results)
  const failed = results.filter(({ outcome }) => outcome === 'failed')
  if (failed.length > 0) console.log('\nFailed:')
  for (const result of failed) printFailure(result)
  for (const fault of faults) console.log(`✖ ${fault}`)
  console.log(`\n${done.length} files in ${seconds.toFixed(0)} s`)
  const counts = [`${count(results, 'passed')} passed`, `${failed.length + faults.length} failed`]
  const skipped = count(results, 'skipped')
  console.log([...counts, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', '))
  return failed.length + faults.length > 0 ? 1 : 0
}

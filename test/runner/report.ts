import { relative } from 'node:path'
import type { EventData } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { placeOfTest } from './declared.ts'

/** The result of one test of the file that the worker runs. */
export interface TestResult {
  type: 'result'
  /** after the names of the tests and suites around it */
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Where a failed test is. */
  place?: string
  error?: string
}

/** Sent after the results of a file. */
export interface FileEnd {
  type: 'file end'
  file: string
  failed: boolean
}

/** The top level of a worker's tests is the worker itself; the next one has the files. */
const FILE_LEVEL = 1

/** A reporter for `node:test` that sends the results of a worker to the runner. */
export default async function* report(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = []
  for await (const { type, data } of source) {
    if (type === 'test:start') names.splice(data.nesting, names.length, data.name)
    // what a test says about its run, or an error that belongs to no test, such as a rejection that nothing handled
    else if (type === 'test:diagnostic' && (data.nesting > FILE_LEVEL || data.message.startsWith('Error:')))
      yield `  ℹ ${data.message}\n`
    else if (type === 'test:pass' || type === 'test:fail') {
      const around = names.slice(FILE_LEVEL + 1, data.nesting)
      if (data.nesting >= FILE_LEVEL && isResult(data)) process.send!(resultOf(data, around))
      if (data.nesting === FILE_LEVEL)
        process.send!({ type: 'file end', file: data.name, failed: type === 'test:fail' })
    }
  }
}

type Ended = EventData.TestPass | EventData.TestFail

const errorOf = ({ details }: Ended) =>
  'error' in details ? (details.error as Error & { failureType?: string }) : undefined

/** A file or a suite has a result if it failed by itself, at its top level or in a hook, and not through its tests. */
const isResult = (data: Ended): boolean =>
  data.nesting === FILE_LEVEL || data.details.type === 'suite'
    ? (errorOf(data)?.failureType ?? 'subtestsFailed') !== 'subtestsFailed'
    : true

function resultOf(data: Ended, around: readonly string[]): TestResult {
  const error = errorOf(data)
  const name = [...around, data.name].join(' › ')
  if (!error) return { type: 'result', name, outcome: data.skip === undefined ? 'passed' : 'skipped' }
  const place = relative(process.cwd(), placeOfTest(data.name) ?? `${data.file ?? ''}:${data.line}`)
  return { type: 'result', name, outcome: 'failed', place, error: inspect(error.cause ?? error) }
}

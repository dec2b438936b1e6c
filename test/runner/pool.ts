import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { FileDone, TestResult } from './worker.ts'

const WORKER = join(import.meta.dirname, 'worker.ts')
/** A worker that gets no more files ends by itself within this time, unless a file left something open. */
const END_MS = 120_000
const END_AFTER_FAILURES_MS = 1_000
/** Modules of test files stay in memory with what they hold; a worker that has grown beyond this is replaced. */
const MAX_MEGABYTES = 1_200

export interface FileResult {
  file: string
  results: TestResult[]
  /** undefined if the process died with the file */
  cost: FileDone | undefined
}

export interface PoolOptions {
  workers: number
  /** Each file has a process of its own. */
  alone?: boolean
  testTimeoutMs: number
  onFile: (result: FileResult) => void
}

/** Runs the files, in this order, in so many processes. Returns the faults that belong to no file. */
export async function runFiles(files: readonly string[], opts: PoolOptions): Promise<string[]> {
  const queue = [...files]
  const faults: string[] = []
  const workers = Array.from({ length: Math.min(opts.workers, files.length) }, async () => {
    while (queue.length > 0) {
      const fault = await new Worker(queue, opts).ended
      if (fault !== undefined) faults.push(fault)
    }
  })
  await Promise.all(workers)
  return faults
}

/** A process that runs a file (`#file`), reports its results and its end, gets the next one, and ends when there is none. */
class Worker {
  readonly #process: ChildProcess
  readonly #queue: string[]
  readonly #onFile: PoolOptions['onFile']
  readonly #alone: boolean
  #file: string | undefined
  #results: TestResult[] = []
  #hasFailures = false
  /** resolves to the fault of a process that did not end as it should after its last file */
  readonly ended: Promise<string | undefined>

  constructor(queue: string[], { testTimeoutMs, onFile, alone = false }: PoolOptions) {
    this.#queue = queue
    this.#onFile = onFile
    this.#alone = alone
    // set by `node --test` for its own children, whose results it reads from their output
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const execArgv = process.execArgv.filter(arg => !arg.startsWith('--test'))
    this.#process = fork(WORKER, [String(testTimeoutMs)], { env, execArgv })
    this.#process.on('message', (message: TestResult | FileDone) => this.#receive(message))
    this.ended = new Promise(resolve =>
      this.#process.once('exit', (code, signal) => resolve(this.#end(String(signal ?? code)))),
    )
    this.#give(queue.shift())
  }

  #receive(message: TestResult | FileDone): void {
    if (message.type === 'result') return void this.#results.push(message)
    const cost = message
    this.#finish(cost.file, cost, [
      ...this.#results,
      ...(this.#results.length === 0 ? [failure(cost.file, 'none of its tests ran')] : []),
      ...cost.leftBehind.map(what => failure(cost.file, `it leaves behind: ${what}`)),
    ])
    this.#results = []
    this.#give(this.#alone || cost.megabytes > MAX_MEGABYTES ? undefined : this.#queue.shift())
  }

  #finish(file: string, cost: FileDone | undefined, results: TestResult[]): void {
    this.#hasFailures ||= results.some(({ outcome }) => outcome === 'failed')
    this.#onFile({ file, cost, results })
  }

  /** The next file; without one the process ends. */
  #give(file: string | undefined): void {
    this.#file = file
    this.#process.send({ file: file ?? null })
    if (file !== undefined) return
    const timeoutMs = this.#hasFailures ? END_AFTER_FAILURES_MS : END_MS
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), timeoutMs)
    this.#process.once('exit', () => clearTimeout(timer))
  }

  #end(how: string): string | undefined {
    if (this.#file !== undefined)
      this.#finish(this.#file, undefined, [failure(this.#file, `the process of the file ended (${how})`)])
    else if (how !== '0' && !this.#hasFailures) return `a worker ended with ${how} after its last file`
    return undefined
  }
}

const failure = (file: string, error: string): TestResult => ({
  type: 'result',
  name: file,
  outcome: 'failed',
  place: file,
  error,
})

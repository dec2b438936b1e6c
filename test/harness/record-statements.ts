import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/**
 * Writes every distinct statement of the product that this process sends, with a few examples of its values, into a file
 * of the folder RECORD_STATEMENTS. Loaded before anything else, also by child processes:
 *
 *   RECORD_STATEMENTS=folder NODE_OPTIONS=--import=./test/harness/record-statements.ts node --test test/jobs/push.test.ts
 */
export interface RecordedStatement {
  text: string
  /** as JSON: bytes are `{ "type": "Buffer", "data": […] }` */
  values: readonly unknown[]
  /** the first line of the product that sent it: file and line */
  from: string
}

/** So many examples of one text in one process: where it runs can depend on the values. */
const EXAMPLES = 4

const folder = process.env['RECORD_STATEMENTS']

/** What sends statements for others. */
const BETWEEN = /\/src\/kernel\/(db|async)\/|\/test\/harness\/|node:|node_modules/
const PRODUCT = /\/(src\/[^:)]+:\d+)/
const SENDER = /\/(test\/[^:)]+:\d+)/

/** What Citus refuses, and what goes wrong inside it. */
const REFUSAL = /^(0A000|XX000)$/

/** A statement that failed in the run, for a reason that plain PostgreSQL does not have. */
export interface RefusedStatement {
  text: string
  from: string
  error: string
}

export const REFUSED_SUFFIX = '.refused.jsonl'

type Callback = (error: { code?: string; message: string } | null, rows?: unknown) => void

/** What the driver is given: a text, or a statement, which has a callback if the `sql` tag made it. */
interface Given {
  name?: string
  text?: string
  values?: unknown[]
  callback?: Callback
}

if (folder) {
  const file = join(folder, `${process.pid}.jsonl`)
  const refusedFile = join(folder, `${process.pid}${REFUSED_SUFFIX}`)
  /** by text: the line of the product or of a test that sent it first */
  const senders = new Map<string, string>()
  /** by text: how often it was written to the file */
  const written = new Map<string, number>()
  const original = pg.Client.prototype.query as (...args: unknown[]) => unknown
  const record = (text: string, values: readonly unknown[]) => {
    const from = senders.get(text) ?? findSender(text)
    const before = written.get(text) ?? 0
    // a test reads and writes the store as it likes
    if (from.startsWith('test/') || before === EXAMPLES) return
    written.set(text, before + 1)
    appendFileSync(file, `${JSON.stringify({ text, values, from } satisfies RecordedStatement)}\n`)
  }
  const findSender = (text: string): string => {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 60
    const { stack } = new Error()
    Error.stackTraceLimit = limit
    const line = stack!.split('\n').find(one => one.includes('file:') && !BETWEEN.test(one)) ?? ''
    const from = PRODUCT.exec(line)?.[1] ?? SENDER.exec(line)?.[1] ?? ''
    senders.set(text, from)
    return from
  }
  const refused = (text: string, { code, message }: { code?: string; message: string }) => {
    if (!REFUSAL.test(code ?? '')) return
    const one: RefusedStatement = { text, from: senders.get(text) ?? '', error: `${code} ${message}` }
    appendFileSync(refusedFile, `${JSON.stringify(one)}\n`)
  }
  const withRefusal =
    (callback: Callback, text = ''): Callback =>
    (error, rows) => {
      if (error) refused(text, error)
      callback(error, rows)
    }
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [given] = args as [Given | string | undefined]
    const text = typeof given === 'string' ? given : given?.text
    // what the `sql` tag made has a name; scripts and `begin` have none
    if (typeof given === 'object' && text !== undefined && given.name !== undefined) record(text, given.values ?? [])
    if (typeof given === 'object' && given.callback) given.callback = withRefusal(given.callback, text)
    const result = original.apply(this, args)
    if (text !== undefined && result instanceof Promise) result.catch(error => refused(text, error))
    return result
  } as typeof pg.Client.prototype.query
}

import { pino } from 'pino'
import { traceOfLine } from './trace.ts'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * JSON lines on standard error. What is logged is chosen field by field at the place of logging: no request body, query
 * string, header or row is ever passed whole, so that personal data cannot slip in.
 */
export const createLog = (
  level: string,
  destination: pino.DestinationStream = standardError(),
  /** the name of the process in every line: several processes write to the same place */
  name?: string,
): Log =>
  pino(
    {
      level,
      base: name === undefined ? null : { process: name, pid: process.pid },
      mixin: traceOfLine,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: name => ({ level: name }) },
      serializers: { err: describeError },
    },
    destination,
  )

/** The log of a service process: each line has the name of the process, or its roles. */
export const createServiceLog = ({
  LOG_LEVEL,
  PROCESS_NAME,
  ROLES,
}: {
  LOG_LEVEL: string
  PROCESS_NAME?: string | undefined
  ROLES: ReadonlySet<string>
}): Log => createLog(LOG_LEVEL, undefined, PROCESS_NAME ?? [...ROLES].join('+'))

let opened: pino.DestinationStream | undefined

/** One for the process: every further one would be one more listener for its exit. */
const standardError = (): pino.DestinationStream => {
  opened ??= openStandardError()
  return opened
}

/**
 * The lines of one tick of the event loop leave in one system call: there is a line for every request. A process that
 * exits, also by an uncaught exception, writes what is left; one that is killed loses the lines of its last tick.
 */
function openStandardError(): pino.DestinationStream {
  const output = pino.destination({ dest: 2, sync: true })
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text !== '') output.write(text)
  }
  process.once('exit', flush)
  return {
    write(line: string) {
      if (lines === '') setImmediate(flush)
      lines += line
    },
  }
}

interface LoggedError {
  name: string
  message: string
  code?: unknown
  stack: string | undefined
  cause?: unknown
}

/** Data errors and broken constraints: PostgreSQL repeats the value at fault. */
const CONTAINS_VALUES = /^2[23]/

/** Leaves out what may hold values of PostgreSQL: `detail` and `where` always, the message for some classes. */
export function describeError(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error)
  const { code, routine } = error as { code?: unknown; routine?: unknown }
  const containsValues = typeof code === 'string' && CONTAINS_VALUES.test(code) && routine !== undefined
  return {
    name: error.name,
    message: containsValues ? `PostgreSQL ${code} in ${routine}` : error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack?.split('\n').slice(1, 8).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

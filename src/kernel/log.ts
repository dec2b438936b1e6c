import { pino } from 'pino'

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error'>

/**
 * JSON lines on standard error. What is logged is chosen field by field at the place of logging: no request body, query
 * string, header or row is ever handed over whole, so that personal data cannot slip in.
 */
export const createLog = (level: string): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: name => ({ level: name }) },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: true }),
  )

interface LoggedError {
  name: string
  message: string
  code?: unknown
  stack?: string
  cause?: unknown
}

/** PostgreSQL puts values into `detail` and `where`; they are left out on purpose. */
export function describeError(error: unknown): LoggedError | string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: unknown }
  return {
    name: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack?.split('\n').slice(1, 8).join('\n'),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}

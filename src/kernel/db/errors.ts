import { hasSqlState, type SqlState } from './sqlstate.ts'

/** The database is unavailable. Becomes 429 datastore_unavailable. */
export class DatastoreUnavailable extends Error {}

/** Whether there is such a row already. */
export const isDuplicate = (error: unknown): boolean => hasSqlState(error, 'uniqueViolation')

/** Whether a statement was ended because of how long it took: a smaller one may succeed. */
export const timedOut = (error: unknown): boolean =>
  error instanceof DatastoreUnavailable && hasSqlState(error.cause, 'queryCanceled')

/** Whether the driver stopped waiting: the server should have ended the statement before, so it does not respond. */
export const isReadTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout'

/** Whether the transaction may succeed if it is run again. */
export const isConflict = (error: unknown): boolean => hasSqlState(error, 'deadlockDetected', 'serializationFailure')

const UNAVAILABLE_STATES: readonly SqlState[] = [
  'adminShutdown',
  'crashShutdown',
  'cannotConnectNow',
  'idleSessionTimeout',
  'idleTransactionTimeout',
  'diskFull',
  'outOfMemory',
  'tooManyConnections',
  'queryCanceled',
  'readOnlyTransaction',
]
/** Class 08 of the SQL states: connection exceptions. */
const CONNECTION_EXCEPTION = '08'
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
/** Errors of the driver that have no code. */
const DRIVER_MESSAGE =
  /connection (terminated|timeout|ended)|timeout (exceeded|expired)|Query read timeout|not queryable|Cannot use a pool after/i

/** Errors of Citus about a node that was lost during a transaction, whose SQL state is that of any internal error. */
const NODE_LOST =
  /^(could not commit transaction for shard|failure on connection marked as essential|postmaster was shut down|terminating connection due to unexpected postmaster exit)/

/** The error of a statement. Its stack leads to who ran it; the driver's leads to the socket. */
export function statementError(error: unknown): unknown {
  if (error instanceof Error) Error.captureStackTrace(error)
  return translateError(error)
}

/** Distinguishes a database that is unavailable from a statement that is wrong. */
export function translateError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DatastoreUnavailable) return error
  return isUnavailable(error) ? new DatastoreUnavailable(error.message, { cause: error }) : error
}

function isUnavailable(error: Error): boolean {
  const { code } = error as { code?: string }
  if (code === undefined) return DRIVER_MESSAGE.test(error.message)
  if (hasSqlState(error, 'internalError')) return NODE_LOST.test(error.message)
  return NETWORK_CODES.has(code) || code.startsWith(CONNECTION_EXCEPTION) || hasSqlState(error, ...UNAVAILABLE_STATES)
}

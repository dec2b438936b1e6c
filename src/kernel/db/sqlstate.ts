/** The SQL states that the code distinguishes (PostgreSQL, appendix A). */
export const SQLSTATE = {
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  /** a standby, or a failover in progress */
  readOnlyTransaction: '25006',
  /** `idle_in_transaction_session_timeout` ran out */
  idleTransactionTimeout: '25P03',
  /** a statement before it failed */
  inFailedTransaction: '25P02',
  serializationFailure: '40001',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  diskFull: '53100',
  outOfMemory: '53200',
  tooManyConnections: '53300',
  /** `lock_timeout` ran out */
  lockNotAvailable: '55P03',
  /** `statement_timeout` ran out */
  queryCanceled: '57014',
  adminShutdown: '57P01',
  crashShutdown: '57P02',
  cannotConnectNow: '57P03',
  idleSessionTimeout: '57P05',
  internalError: 'XX000',
} as const

export type SqlState = keyof typeof SQLSTATE

/** Whether PostgreSQL ended a statement with one of these states. */
export const hasSqlState = (error: unknown, ...states: readonly SqlState[]): boolean => {
  const { code } = (error ?? {}) as { code?: unknown }
  return states.some(state => SQLSTATE[state] === code)
}

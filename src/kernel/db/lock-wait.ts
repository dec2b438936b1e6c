import { sql } from './sql.ts'

/** How long a statement of this transaction waits for a lock before it fails with `lock_not_available`. */
export const limitLockWait = (milliseconds: number) =>
  sql`select set_config('lock_timeout', ${String(milliseconds)}, true)`

import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Connections of a process next to `DATABASE_CONNECTIONS`: lookups, locks, notifications, exports. */
const FURTHER_CONNECTIONS = 6
/** For commands, backups and people. */
const SPARE_CONNECTIONS = 10

/**
 * How many processes of this size the database has connections for, at least one: what others use now is theirs, and a
 * replacement runs next to the process that it replaces.
 */
export async function affordableProcesses(db: Database, connections: number): Promise<number> {
  const row = await db.only(sql<{ most: number; used: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as most,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used`)
  const ofProcess = connections + FURTHER_CONNECTIONS
  const others = Math.max(0, row.used - ofProcess)
  return Math.max(1, Math.floor((row.most - others - SPARE_CONNECTIONS) / ofProcess) - 1)
}

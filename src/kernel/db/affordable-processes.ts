import type { Database } from './database.ts'
import { sql } from './sql.ts'

/** Connections of a process next to `DATABASE_CONNECTIONS`: lookups, locks, notifications, exports. */
const FURTHER_CONNECTIONS = 6
/** For commands, backups and people. */
const SPARE_CONNECTIONS = 10

/** How many processes the database has connections for, at least one. */
export async function affordableProcesses(db: Database, connections: number): Promise<number> {
  const row = await db.one(sql<{ most: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`)
  return Math.max(1, Math.floor((row!.most - SPARE_CONNECTIONS) / (connections + FURTHER_CONNECTIONS)))
}

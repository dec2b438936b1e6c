import type { Queryable } from '../../src/kernel/db/database.ts'
import { sql } from '../../src/kernel/db/sql.ts'

const now = sql<{ at: string }>`select app_now()::timestamptz(3)::text as at`

/**
 * Resolves when the store's clock shows a later millisecond. Times are stored in milliseconds: rows written in the same
 * one have no order that a test could rely on.
 */
export async function nextInstant(db: Queryable): Promise<void> {
  const before = (await db.one(now))!.at
  while ((await db.one(now))!.at === before);
}

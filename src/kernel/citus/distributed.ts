import { type Partition, partitionByWorkspace } from '../db/partitions.ts'
import type { Queryable } from '../db/queryable.ts'
import { sql } from '../db/sql.ts'
import { clock } from '../time/clock.ts'

const known = new WeakMap<Queryable, { is: Promise<boolean>; askedAt: number }>()
const ASK_AGAIN_MS = 2_000

/**
 * Whether the tables of workspaces are spread over the nodes of a cluster. The statements are the same; work on many
 * workspaces is then done workspace by workspace. Asked again from time to time: a store can be distributed in use. What was
 * cached before that makes Citus refuse such work, which is then repeated.
 */
export function isDistributed(db: Queryable): Promise<boolean> {
  const last = known.get(db)
  if (last && clock.monotonic() < last.askedAt + ASK_AGAIN_MS) return last.is
  const is = askDistributed(db)
  known.set(db, { is, askedAt: clock.monotonic() })
  is.catch(() => known.delete(db))
  return is
}

/** The same, as it is now. */
export async function askDistributed(db: Queryable): Promise<boolean> {
  const citus = await db.one(sql<{ is: boolean }>`select to_regclass('pg_dist_partition') is not null as is`)
  if (!citus?.is) return false
  return (
    (await db.one(
      sql`select 1 from pg_dist_partition where logicalrelid = to_regclass('outbox') and partmethod = 'h'`,
    )) !== undefined
  )
}

/** The rows in partitions that one statement can lock and change: see `Database.partitions`. */
export async function splitByPartition<Row extends { workspace_id: string }>(
  db: Queryable,
  rows: readonly Row[],
): Promise<Partition<Row>[]> {
  if (rows.length === 0) return []
  return (await isDistributed(db)) ? partitionByWorkspace(rows) : [{ rows, only: undefined }]
}

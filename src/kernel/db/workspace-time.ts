import { deleteOldest } from '../async/delete-oldest.ts'
import { type Sql, sql } from './sql.ts'

const SIZE = 10_000

// Never stale: the kind of a workspace is fixed when it is created.
const live = new Set<string>()

/**
 * Notes that this is not a test workspace, so that its clock cannot move. Statements about its deadlines then read one table
 * alone, as they have to on a cluster, where a second table costs a plan each time.
 */
export function noteLiveWorkspace(workspace: string): void {
  if (live.has(workspace)) return
  if (live.size >= SIZE) deleteOldest(live)
  live.add(workspace)
}

/**
 * The time by which deadlines of a workspace are judged: real time, and in a test workspace as far ahead as its clock was
 * moved. Statements about deadlines use it, and no others: sessions, keys, leases, cursors, windows, signatures, retries and
 * `updated_at` stay on `app_now()`. A test has the list. The workspace is named by its handle: a cluster finds the
 * shard by it, and refuses a column here in statements that lock.
 */
export const workspaceNow = (workspace: string): Sql =>
  live.has(workspace)
    ? sql`app_now()`
    : sql`(app_now()
        + coalesce((select c.offset_seconds from test_clocks c where c.workspace_id = ${workspace}), 0) * interval '1 second')`

export interface AheadWorkspace {
  workspace_id: string
  offset_seconds: number
}

/** Workspaces whose clock is ahead of real time: for a statement about deadlines of many workspaces. */
export const aheadWorkspaces = (): Sql<AheadWorkspace> =>
  sql<AheadWorkspace>`select workspace_id, offset_seconds from test_clocks where offset_seconds > 0`

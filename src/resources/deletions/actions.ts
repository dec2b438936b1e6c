import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { resumeEndpoints, suspendEndpoints } from '../webhooks/index.ts'
import { addToLog } from '../workspaces/index.ts'
import { listFolders } from './rules.ts'
import {
  allDeletions,
  cancelDeletion,
  countRows,
  type DeletionRow,
  deleteWorkspaceSessions,
  type EarlierDeletion,
  hastenDeletion,
  insertDeletion,
  insertRepeated,
  lockForClosing,
  markClosing,
  putOffQueues,
  resumeQueues,
  selectDeletion,
  tenantTables,
} from './store.ts'

/** In the log: without a grace period. */
const NOW = { now: true }

/**
 * A workspace is deleted in two steps. Scheduling closes it in one transaction: from the next request on its keys, sessions
 * and tokens are not valid, its pages do not exist, and nothing is sent. After the grace period a worker deletes everything
 * in batches (`run-deletion.ts`); until it begins, a restore opens the workspace again.
 */
export function scheduleDeletion(
  db: Database,
  workspace: string,
  how: { userId: string | null; graceDays: number },
): Promise<DeletionRow> {
  return db.transaction(async tx => {
    const found = await tx.one(lockForClosing(workspace))
    if (!found) throw new UserError(`there is no workspace ${workspace}`)
    if (found.closing_at !== null) throw new UserError(`workspace ${workspace} is already scheduled for deletion`)
    const endpoints = await close(tx, workspace)
    const deletion = await tx.only(insertDeletion(workspace, { ...how, endpoints }))
    const { delete_at } = deletion
    await tx.query(
      addToLog(workspace, 'deletion_scheduled', how.userId, { delete_at, ...(how.graceDays === 0 ? NOW : {}) }),
    )
    return deletion
  })
}

/** Returns the webhook endpoints that were enabled. */
async function close(tx: Transaction, workspace: string): Promise<string[]> {
  await tx.query(markClosing(workspace, true))
  await tx.query(deleteWorkspaceSessions(workspace))
  for (const statement of putOffQueues(workspace)) await tx.query(statement)
  return suspendEndpoints(tx, workspace)
}

/**
 * Closes a workspace that came back with a backup after it was deleted. It has no grace period but what was left of the
 * first one. Until a worker begins, a restore opens it again.
 */
export function repeatDeletion(db: Database, earlier: EarlierDeletion): Promise<void> {
  const workspace = earlier.workspace_id
  return db.transaction(async tx => {
    const found = await tx.one(lockForClosing(workspace))
    if (!found) return
    const endpoints = found.closing_at === null ? await close(tx, workspace) : []
    const { delete_at } = await tx.only(insertRepeated(earlier, endpoints))
    await tx.query(addToLog(workspace, 'deletion_scheduled', earlier.requested_by, { delete_at, repeated: true }))
  })
}

/** The grace period of a scheduled deletion ends now. */
export function hastenScheduled(db: Database, workspace: string): Promise<DeletionRow> {
  return db.transaction(async tx => {
    const deletion = await tx.one(hastenDeletion(workspace))
    if (!deletion) throw new UserError(`workspace ${workspace} is not scheduled for deletion`)
    await tx.query(addToLog(workspace, 'deletion_scheduled', null, { delete_at: deletion.delete_at, ...NOW }))
    return deletion
  })
}

/** People sign in again; keys, apps, webhooks and pages work as before. Deliveries that waited stay canceled. */
export function restoreWorkspace(db: Database, workspace: string): Promise<void> {
  return db.transaction(async tx => {
    const found = await tx.one(lockForClosing(workspace))
    const canceled = await tx.one(cancelDeletion(workspace))
    if (!canceled || !found) {
      const begun = await tx.one(selectDeletion(workspace))
      if (begun?.completed_at || begun?.emptied_at)
        throw new UserError(`workspace ${workspace} was deleted: it cannot be restored`)
      if (begun) throw new UserError(`the deletion of ${workspace} has begun: it cannot be restored`)
      throw new UserError(
        found ? `workspace ${workspace} is not scheduled for deletion` : `there is no workspace ${workspace}`,
      )
    }
    await tx.query(markClosing(workspace, false))
    for (const statement of resumeQueues(workspace)) await tx.query(statement)
    await resumeEndpoints(tx, canceled.endpoints)
    await tx.query(addToLog(workspace, 'deletion_canceled', null, {}))
  })
}

export const listDeletions = (db: Queryable): Promise<DeletionRow[]> => db.query(allDeletions())

/** What a deletion would remove now: rows by table, where there are any, and files. */
export async function countDeletion(
  db: Queryable,
  blobs: Pick<Blobs, 'list'>,
  workspace: string,
): Promise<{ tables: Readonly<Record<string, number>>; files: number }> {
  const tables: Record<string, number> = {}
  for (const table of await db.query(tenantTables())) {
    const { n } = await db.only(countRows(table, workspace))
    if (n > 0) tables[table.name] = n
  }
  let files = 0
  for (const folder of listFolders(workspace)) for await (const _ of blobs.list(folder)) files++
  return { tables, files }
}

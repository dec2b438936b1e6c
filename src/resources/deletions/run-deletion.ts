import { randomUUID } from 'node:crypto'
import type { Services } from '../../kernel/services/services.ts'
import { endAppsOfWorkspace } from '../installations/index.ts'
import { addToLog } from '../workspaces/index.ts'
import { inOrder, listFolders } from './rules.ts'
import {
  allowLedgerDeletion,
  type ClaimedDeletion,
  claimDeletion,
  clearFileNotes,
  deleteReferences,
  deleteRows,
  deleteWorkspace,
  markCompleted,
  markEmptied,
  memberIds,
  noteProgress,
  releaseDeletion,
  tenantTables,
} from './store.ts'

const BATCH_SIZE = 500
/** Far longer than a batch takes. A process that died is followed by another after this time. */
const LEASE_SECONDS = 60
const RETRY_SECONDS = 30

class LeaseLost extends Error {}

type Needs = Pick<Services, 'db' | 'blobs' | 'outbox' | 'log'>

/**
 * Continues the next deletion whose grace period is over; false when there is none. Each batch is a transaction of its own
 * that also counts it, so a killed process loses nothing and nothing is counted twice: another one continues with what is
 * left. Two hours after the last row, it looks again for what a request or worker in flight still wrote.
 */
export async function runNextDeletion(
  services: Needs,
  signal: AbortSignal = new AbortController().signal,
  batchSize = BATCH_SIZE,
): Promise<boolean> {
  const { db, log } = services
  const claimed = await db.one(claimDeletion(randomUUID(), LEASE_SECONDS))
  if (!claimed) return false
  try {
    const emptied = await empty(services, claimed, signal, batchSize)
    if (!emptied) await db.query(releaseDeletion(claimed, 0))
  } catch (error) {
    if (error instanceof LeaseLost) return true
    log.warn({ workspace: claimed.workspace_id, err: error }, 'deleting a workspace failed, retrying')
    await db.query(releaseDeletion(claimed, RETRY_SECONDS))
  }
  return true
}

/** false: stopped before the end. */
async function empty(services: Needs, claimed: ClaimedDeletion, signal: AbortSignal, size: number): Promise<boolean> {
  const { db } = services
  const workspace = claimed.workspace_id
  await endAppsOfWorkspace(db, workspace)
  await removeMails(services, workspace)
  const tables = inOrder(await db.query(tenantTables()))
  // until a whole round finds nothing: triggers and workers write rows, such as counts, while others are deleted
  for (let found = true; found; ) {
    found = false
    for (const table of tables) {
      for (let removed = size; removed === size; ) {
        if (signal.aborted) return false
        removed = await db.transaction(async tx => {
          await tx.query(allowLedgerDeletion())
          const batch = (await tx.only(deleteRows(table, workspace, size))).removed
          if (batch > 0 && !(await tx.one(noteProgress(claimed, table.name, batch, LEASE_SECONDS))))
            throw new LeaseLost()
          return batch
        })
        if (removed > 0) found = true
      }
    }
  }
  for (const folder of listFolders(workspace)) await removeFiles(services, claimed, folder, size)
  await db.transaction(async tx => {
    for (const statement of deleteReferences(workspace)) await tx.query(statement)
    await tx.query(clearFileNotes(listFolders(workspace)))
    await tx.query(allowLedgerDeletion())
    if (await tx.one(deleteWorkspace(workspace))) {
      if (!(await tx.one(noteProgress(claimed, 'workspaces', 1, LEASE_SECONDS)))) throw new LeaseLost()
    }
    const last = claimed.emptied_at !== null
    const done = await tx.one(last ? markCompleted(claimed) : markEmptied(claimed))
    if (!done) throw new LeaseLost()
    await tx.query(addToLog(workspace, last ? 'deleted' : 'emptied', done.requested_by, done.counts))
  })
  return true
}

async function removeFiles(
  { db, blobs }: Needs,
  claimed: ClaimedDeletion,
  folder: string,
  size: number,
): Promise<void> {
  let removed = 0
  const note = async () => {
    if (removed > 0 && !(await db.one(noteProgress(claimed, 'files', removed, LEASE_SECONDS)))) throw new LeaseLost()
    removed = 0
  }
  for await (const key of blobs.list(folder)) {
    await blobs.remove(key)
    if (++removed === size) await note()
  }
  await note()
  // with what the list does not show, such as leftovers of a write that failed
  await blobs.removeAll(folder)
}

/** Emails to its members and of its candidates in a local outbox, which are files. */
async function removeMails({ db, outbox }: Needs, workspace: string): Promise<void> {
  const members = new Set((await db.query(memberIds(workspace))).map(({ id }) => id))
  await outbox.removeOf(audience =>
    'userIds' in audience ? audience.userIds.every(user => members.has(user)) : audience.workspaceId === workspace,
  )
}

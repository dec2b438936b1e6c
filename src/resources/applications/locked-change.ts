import type { Transaction } from '../../kernel/db/database.ts'
import { limitLockWait } from '../../kernel/db/locks.ts'
import { hasSqlState } from '../../kernel/db/sqlstate.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import type { NewEvent } from '../../kernel/feed/append.ts'
import type { Author } from '../shared/author.ts'
import { requireUnchanged } from '../shared/unchanged.ts'
import { selectProcessing } from '../suppressions/index.ts'
import { insertStatusTransition } from './history-store.ts'
import { lockApplication, type StoredApplication } from './store.ts'

/**
 * Every change locks the application first and appends its events while the lock is held: however many run at the same time,
 * the events are in the order of the stored changes. `undefined` means that the application does not exist.
 */
export interface Change {
  workspace: string
  id: string
  expectedUpdatedAt?: string | undefined
  /** null for changes made in the product */
  originKeyId: string | null
  /** the person who makes the change in our pages; where there is a key, the key is its author */
  userId?: string | null
}

export const buildApplicationEvent = (
  type: 'application.updated' | 'application.status_changed' | 'application.stage_changed' | 'application.withdrawn',
  row: StoredApplication,
  originKeyId: string | null,
  more: Pick<NewEvent, 'changed' | 'previous'> = {},
): NewEvent => ({
  type,
  workspaceId: row.workspace_id,
  id: row.id,
  updatedAt: row.updated_at,
  values: { status: row.status, stage_id: row.stage_id, job_id: row.job_id },
  originKeyId,
  ...more,
})

/** A hundred changes at the same time take their turns in less; a change that hangs must not hold up the others. */
export const LOCK_WAIT_MS = 3_000

export function unlessLocked(error: unknown): never {
  if (hasSqlState(error, 'lockNotAvailable')) fail('application_modified_concurrently')
  throw error
}

export async function lockForChange(tx: Transaction, change: Change): Promise<StoredApplication | undefined> {
  const [, row] = await Promise.all([
    tx.query(limitLockWait(LOCK_WAIT_MS)),
    tx.one(lockApplication(change.workspace, change.id)),
  ]).catch(unlessLocked)
  return row
}

export const isStopped = async (tx: Transaction, { workspace_id, applicant_id }: StoredApplication): Promise<boolean> =>
  applicant_id !== null && (await tx.one(selectProcessing(workspace_id, 'applicant', applicant_id)))?.stopped === true

/**
 * Nothing is decided or written about a person whose processing was stopped. Whether it was is read in the round trip of
 * the first statement of `work`: if so, the error ends the transaction, and what `work` wrote with it. So the caller
 * must not catch it within the transaction.
 */
export async function changeLocked<T>(
  tx: Transaction,
  change: Change,
  row: StoredApplication,
  work: (row: StoredApplication) => Promise<T>,
): Promise<T> {
  const changing = async () => {
    requireUnchanged(change.expectedUpdatedAt, row.updated_at)
    return work(row)
  }
  const [stopped, changed] = await Promise.allSettled([isStopped(tx, row), changing()])
  if (stopped.status === 'rejected') throw stopped.reason
  if (stopped.value) fail('applicant_suppressed')
  if (changed.status === 'rejected') throw changed.reason
  return changed.value
}

export async function whileLocked<T>(
  tx: Transaction,
  change: Change,
  work: (row: StoredApplication) => Promise<T>,
): Promise<T | undefined> {
  const row = await lockForChange(tx, change)
  return row && changeLocked(tx, change, row, work)
}

/** Someone removed the stage while the change waited for it: a retry sees the stages as they are then. */
export function unlessStageRemoved(error: unknown): never {
  if (hasSqlState(error, 'foreignKeyViolation')) fail('application_modified_concurrently')
  throw error
}

export const ordersOf = ({ workspace_id, id }: StoredApplication, originKeyId: string | null) => ({
  workspace: workspace_id,
  applicationId: id,
  originKeyId,
})

/** The row of the history for a changed status. */
export const statusStep = (
  before: StoredApplication,
  { workspace_id, id, updated_at, status }: StoredApplication,
  author: Author,
) => insertStatusTransition({ workspace: workspace_id, id, at: updated_at, author }, before.status, status)

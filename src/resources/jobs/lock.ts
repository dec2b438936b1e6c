import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { lockJob, type StoredJob, storedJob } from './store.ts'

/** Locks a job until the transaction ends, then reads it. */
export const lockStoredJob = async (tx: Transaction, workspace: string, id: string): Promise<StoredJob | undefined> =>
  (await tx.one(lockJob(workspace, id))) && (await tx.one(storedJob(workspace, id)))

export const lockExistingJob = async (tx: Transaction, workspace: string, id: string): Promise<StoredJob> =>
  (await lockStoredJob(tx, workspace, id)) ?? fail('not_found')

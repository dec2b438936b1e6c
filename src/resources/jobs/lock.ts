import type { Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { lockJob, type StoredJob, stageCount } from './store.ts'

/** Locks a job until the transaction ends, and reads it. */
export async function lockStoredJob(tx: Transaction, workspace: string, id: string): Promise<StoredJob | undefined> {
  const [job, stages] = await Promise.all([tx.one(lockJob(workspace, id)), tx.only(stageCount(workspace, id))])
  return job && { ...job, ...stages }
}

export const lockExistingJob = async (tx: Transaction, workspace: string, id: string): Promise<StoredJob> =>
  (await lockStoredJob(tx, workspace, id)) ?? fail('not_found')

import { randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import type { ReadResume } from './parse/isolate.ts'
import { type ClaimedResume, claimNext, giveBack, type ResumeOf, storeOutcome } from './store-parsing.ts'

/**
 * Reading a résumé. `pending` when a file is attached; `parsing` while a worker holds it by a lease; then `parsed`, or
 * `failed`: at once when the file is at fault, after three tries when something else was. A worker that died leaves a
 * lease that runs out, and the next one takes the résumé over; the token keeps the first from writing should it live.
 */
const LEASE_SECONDS = 90
const TRIES = 3
const RETRY_SECONDS = 30

/** The next one, or that of an application, if it waits. */
export const claimResume = (db: Database, of?: ResumeOf): Promise<ClaimedResume | undefined> =>
  db.transaction(tx => tx.one(claimNext(randomUUID(), LEASE_SECONDS, of)))

/** Stores the end of reading and announces it; false when the résumé is no longer this worker's. */
export async function finishParsing(
  tx: Transaction,
  claimed: ClaimedResume,
  read: ReadResume | undefined,
): Promise<boolean> {
  const status = read ? 'parsed' : 'failed'
  const row = await tx.one(storeOutcome(claimed, status, read))
  if (!row) return false
  await appendEvents(tx, [
    {
      type: 'application.resume_parsed',
      workspaceId: claimed.workspace_id,
      id: claimed.application_id,
      updatedAt: row.updated_at,
      values: { job_id: row.job_id, parse_status: status },
      originKeyId: null,
    },
  ])
  return true
}

/** Something other than the file was in the way: tried again later, `true`, unless it was the last try. */
export async function retryParsing(db: Database, claimed: ClaimedResume): Promise<boolean> {
  if (claimed.parse_attempts >= TRIES) return false
  await db.transaction(tx => tx.query(giveBack(claimed, RETRY_SECONDS)))
  return true
}

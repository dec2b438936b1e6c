import type { Blobs } from '../../kernel/blobs/blobs.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import type { AddedCandidate, AddingTo } from '../applications/index.ts'
import { addCandidatesWithNotes, type NewCandidate } from '../hiring-team/index.ts'
import type { RowContext } from './rules.ts'
import { selectClosing, selectNamedStages } from './store.ts'

/** What the rows of a table are read with, on this day in UTC. */
export async function readRowContext(
  db: Queryable,
  { workspace, jobId }: Omit<AddingTo, 'userId'>,
  now: number,
): Promise<RowContext> {
  const stages = await db.query(selectNamedStages(workspace, jobId))
  return { stages, today: new Date(now).toISOString().slice(0, 10) }
}

/** Puts people of a table into a job. An import in progress ends where the workspace is closed. */
export async function importCandidates(
  tx: Transaction,
  blobs: Blobs,
  to: AddingTo,
  candidates: readonly NewCandidate[],
): Promise<AddedCandidate[]> {
  const { closing_at } = (await tx.one(selectClosing(to.workspace))) ?? fail('not_found')
  // what it added would only be deleted
  if (closing_at !== null) throw new UserError(`workspace ${to.workspace} is closed; what follows was not imported`)
  return addCandidatesWithNotes(tx, blobs, to, candidates)
}

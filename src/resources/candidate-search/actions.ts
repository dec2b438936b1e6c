import { auditLookups } from '../../kernel/access/budget.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import type { LimitedPerson } from '../../kernel/access/reach.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import {
  applicationsOfPeople,
  type Found,
  findByEmail,
  findByPhone,
  findByWords,
  nextRebuild,
  rebuildRows,
  requestRebuildOf,
  workspacesToRebuild,
} from './search-store.ts'

/** Who searches by a whole address or number, for the audit. */
export interface Looker {
  caller: Caller
  requestId: string
  reader: LimitedPerson | undefined
}

/** Applications by words. */
export const findCandidatesByWords = (
  db: Database,
  workspace: string,
  q: string,
  reader?: LimitedPerson,
): Promise<Found[]> => db.query(findByWords(workspace, q, reader))

/**
 * Applications of the people who have this address or number. The value is not shown and costs no unit; that someone looked
 * for a person by it is in the audit, with the field and the person who was found.
 */
export const findCandidatesByKey = (
  db: Database,
  workspace: string,
  kind: 'email' | 'phone',
  typed: string,
  { caller, requestId, reader }: Looker,
): Promise<Found[]> =>
  db.transaction(async tx => {
    const people = await tx.query(
      kind === 'email'
        ? findByEmail(workspace, present(emailKey(typed), 'the email address'))
        : findByPhone(workspace, typed),
    )
    if (people.length === 0) return []
    const ids = people.map(({ id }) => id)
    const found = await tx.query(applicationsOfPeople(workspace, ids, reader))
    const read = [...new Set(found.map(row => row.applicant_id))]
    await auditLookups(
      tx,
      caller,
      workspace,
      requestId,
      read.map(id => ({ object: 'applicant', id, field: kind })),
    )
    return found
  })

const BATCH = 200

/** Writes the next rows of the workspace that has waited the longest; false when none waits. */
export async function rebuildNext(db: Database): Promise<boolean> {
  const next = await db.one(nextRebuild())
  if (!next) return false
  await db.query(rebuildRows(next.workspace_id, next.after, BATCH))
  return true
}

/** A worker writes the rows of this workspace again, or of every one; returns how many workspaces wait for it. */
export async function requestRebuild(tx: Transaction, workspace?: string): Promise<number> {
  const workspaces = workspace === undefined ? (await tx.query(workspacesToRebuild())).map(({ id }) => id) : [workspace]
  for (const id of workspaces) await tx.query(requestRebuildOf(id))
  return workspaces.length
}

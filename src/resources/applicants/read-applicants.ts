import type { LimitedPerson } from '../../kernel/access/reach.ts'
import type { Queryable } from '../../kernel/db/database.ts'
import { relationById } from '../../kernel/http/include.ts'
import { type ApplicantRow, applicantShape } from './shape.ts'
import { applicantsById, asSeenInJobs, seenInJobs, toApplicant } from './store.ts'

/** These people as a reader may see them: those who did not apply for a job of a limited reader are left out. */
export async function readApplicants(
  db: Queryable,
  workspace: string,
  ids: readonly string[],
  reader: LimitedPerson | undefined,
): Promise<ApplicantRow[]> {
  const rows = (await db.query(applicantsById(workspace, ids))).map(toApplicant)
  if (!reader) return rows
  const seen = new Map((await db.query(seenInJobs(reader, ids))).map(row => [row.id, row]))
  return rows.flatMap(row => {
    const found = seen.get(row.id)
    return found ? [asSeenInJobs(row, found)] : []
  })
}

/** The person of a row, for `include=applicant`. */
export const applicantRelation = relationById<{ applicant_id: string | null }, ApplicantRow>({
  scope: 'applicants:read',
  shape: applicantShape,
  idOf: row => row.applicant_id,
  read: ({ db, workspace, caller }, ids) => readApplicants(db, workspace, ids, caller.limitedTo),
  keyOf: applicant => applicant.id,
})

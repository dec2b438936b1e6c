import type { Queryable } from '../../kernel/db/database.ts'
import { onlyRow } from '../../kernel/db/queryable.ts'
import type { ApplicationRow } from './shape.ts'
import { type ExportedApplication, stoppedAmong, withResumeAccess } from './store.ts'

/** Flags say what can be had: of a person whose processing was stopped, no résumé can. */
const withoutResume = (row: ApplicationRow): ApplicationRow => ({
  ...row,
  has_resume: false,
  parse_status: null,
  ...(row.resume_access && {
    resume_access: {
      ...row.resume_access,
      state: 'locked',
      state_changes_at: null,
      can_view: false,
      can_download: false,
    },
  }),
})

/** Applications as the API shows them. Only rows with a résumé can change, so the others cost no statement. */
export async function hideStopped(
  db: Queryable,
  workspace: string,
  rows: readonly ApplicationRow[],
): Promise<ApplicationRow[]> {
  const people = rows.flatMap(row => (row.has_resume && row.applicant_id !== null ? [row.applicant_id] : []))
  const found = people.length === 0 ? [] : await db.query(stoppedAmong(workspace, [...new Set(people)]))
  const stopped = new Set(found.map(({ id }) => id))
  return rows.map(row => (stopped.has(row.applicant_id ?? '') ? withoutResume(row) : row))
}

export const showApplication = async (db: Queryable, row: ApplicationRow): Promise<ApplicationRow> =>
  onlyRow(await hideStopped(db, row.workspace_id, [row]))

/** A row of an export: as the list shows it, or as the single read does. */
export const toExportedRow = (row: ExportedApplication): ApplicationRow => (row.stopped ? withoutResume(row) : row)
export const toExportedApplication = (row: ExportedApplication): ApplicationRow =>
  row.stopped ? withoutResume(withResumeAccess(row)) : withResumeAccess(row)

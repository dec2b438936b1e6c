import { type Relations, relationById, relationToMany } from '../../kernel/http/include.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { applicantRelation } from '../applicants/index.ts'
import { hideStopped } from './hide-stopped.ts'
import { type ApplicationRow, applicationShape, scoreShape } from './shape.ts'
import { applicationsById, selectApplications, selectScores, stoppedAmong } from './store.ts'

/** What was read in a résumé is not shown of a person whose processing was stopped. */
const scoreRelation = relationById<ApplicationRow, Row<typeof scoreShape>>({
  scope: 'applications:read',
  shape: scoreShape,
  idOf: row => row.id,
  read: async ({ db, workspace }, ids, rows) => {
    const people = [...new Set(rows.flatMap(row => row.applicant_id ?? []))]
    const [scores, stopped] = await Promise.all([
      db.query(selectScores(workspace, ids)),
      db.query(stoppedAmong(workspace, people)),
    ])
    const hidden = new Set(stopped.map(({ id }) => id))
    const shown = new Set(rows.flatMap(row => (hidden.has(row.applicant_id ?? '') ? [] : row.id)))
    return scores.filter(score => shown.has(score.application_id))
  },
  keyOf: score => score.application_id,
})

/** What can be read along with applications. */
export const ownRelations: Relations<ApplicationRow> = { applicant: applicantRelation, score: scoreRelation }

/** The newest applications of a person, for `include=applications`. */
export const applicationsRelation = relationToMany<{ id: string }, ApplicationRow>({
  scope: 'applications:read',
  shape: applicationShape,
  read: async ({ db, workspace, caller }, ids) =>
    hideStopped(db, workspace, await db.query(selectApplications(workspace, ids, caller.limitedTo))),
  keyOf: application => application.applicant_id,
})

/** The application that a row is about, for `include=application`. */
export const applicationRelation = relationById<{ application_id: string }, ApplicationRow>({
  scope: 'applications:read',
  shape: applicationShape,
  idOf: row => row.application_id,
  read: async ({ db, workspace }, ids) => hideStopped(db, workspace, await db.query(applicationsById(workspace, ids))),
  keyOf: application => application.id,
})

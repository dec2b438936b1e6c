import { present } from '../../kernel/errors/present.ts'
import { type Relations, relationById, relationToMany } from '../../kernel/http/include.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { applicantRelation } from '../applicants/index.ts'
import { hideStopped } from './hide-stopped.ts'
import { type ApplicationRow, applicationShape, scoreShape } from './shape.ts'
import { applicationsById, type ScoredApplication, selectApplications, selectScores } from './store.ts'

/** What was read in a résumé is not shown of a person whose processing was stopped: then there is no usable score. */
const scoreRelation = relationById<ScoredApplication, Row<typeof scoreShape>>({
  scope: 'applications:read',
  shape: scoreShape,
  idOf: row => (present(row.usable_score, 'the usable score') < 0 ? null : row.id),
  read: ({ db, workspace }, ids) => db.query(selectScores(workspace, ids)),
  keyOf: score => score.application_id,
})

/** What can be read along with applications. */
export const ownRelations: Relations<ScoredApplication> = { applicant: applicantRelation, score: scoreRelation }

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

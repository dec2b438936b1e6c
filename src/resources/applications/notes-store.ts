import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { noteRecord, type noteShape, scorecardRecord, type scorecardShape } from './shape.ts'

/** Notes and scorecards: what the hiring team writes about an application. */
export type NoteRow = Row<typeof noteShape>
export type ScorecardRow = Row<typeof scorecardShape>

const NOTE = columnsOf(noteRecord.fields)
const SCORECARD = columnsOf(scorecardRecord.fields)

export const notesOf = (workspace: string, applicationId: string, page: Page): Sql<NoteRow> =>
  sql<NoteRow>`
    select ${NOTE} from notes where workspace_id = ${workspace} and application_id = ${applicationId} ${page.clause}`

export const insertNote = (
  workspace: string,
  note: { id: string; applicationId: string; body: string; authorUserId: string | null },
): Sql<NoteRow> =>
  sql<NoteRow>`
    insert into notes (workspace_id, id, application_id, body, author_user_id)
    values (${workspace}, ${note.id}, ${note.applicationId}, ${note.body}, ${note.authorUserId}) returning ${NOTE}`

export const scorecardsOf = (workspace: string, applicationId: string, page: Page): Sql<ScorecardRow> =>
  sql<ScorecardRow>`
    select ${SCORECARD} from scorecards
    where workspace_id = ${workspace} and application_id = ${applicationId} ${page.clause}`

export type NewScorecard = Omit<ScorecardRow, 'created_at'>

export const insertScorecard = (workspace: string, s: NewScorecard): Sql<ScorecardRow> =>
  sql<ScorecardRow>`
    insert into scorecards (workspace_id, id, application_id, recommendation, summary, stage_id, ratings,
      interviewed_at, report_url, author_user_id)
    values (${workspace}, ${s.id}, ${s.application_id}, ${s.recommendation}, ${s.summary}, ${s.stage_id},
      ${JSON.stringify(s.ratings)}::jsonb, ${s.interviewed_at}::timestamptz, ${s.report_url}, ${s.author_user_id})
    returning ${SCORECARD}`

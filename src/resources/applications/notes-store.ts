import type { NoteVisibility } from '../../contract/note-visibility.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { columnsOf, type Written, writtenColumns, writtenValues } from '../../kernel/record/record.ts'
import { noteRecord, type noteShape, scorecardRecord, type scorecardShape } from './shape.ts'

/** Notes and scorecards: what the hiring team writes about an application. */
export type NoteRow = Row<typeof noteShape>
export type ScorecardRow = Row<typeof scorecardShape>

export type NoteFields = Written<typeof noteRecord>
export type ScorecardFields = Written<typeof scorecardRecord>

const NOTE = columnsOf(noteRecord.fields)
const NOTE_FIELDS = writtenColumns(noteRecord)
const SCORECARD = columnsOf(scorecardRecord.fields)
const SCORECARD_FIELDS = writtenColumns(scorecardRecord)

/** What a new note or scorecard has besides its fields. */
export interface Authored {
  workspace: string
  id: string
  applicationId: string
  authorUserId: string | null
}

/** Notes for the team: private ones are for our pages alone. */
export const selectNotes = (workspace: string, applicationId: string, page: Page): Sql<NoteRow> =>
  sql<NoteRow>`
    select ${NOTE} from notes
    where workspace_id = ${workspace} and application_id = ${applicationId} and visibility = 'team' ${page.clause}`

export const insertNote = (of: Authored & { visibility: NoteVisibility }, fields: NoteFields): Sql<NoteRow> =>
  sql<NoteRow>`
    insert into notes (workspace_id, id, application_id, author_user_id, visibility, ${NOTE_FIELDS})
    values (${of.workspace}, ${of.id}::uuid, ${of.applicationId}, ${of.authorUserId}, ${of.visibility},
      ${writtenValues(noteRecord, fields)})
    returning ${NOTE}`

export const selectScorecards = (workspace: string, applicationId: string, page: Page): Sql<ScorecardRow> =>
  sql<ScorecardRow>`
    select ${SCORECARD} from scorecards
    where workspace_id = ${workspace} and application_id = ${applicationId} ${page.clause}`

export const insertScorecard = (of: Authored, fields: ScorecardFields): Sql<ScorecardRow> =>
  sql<ScorecardRow>`
    insert into scorecards (workspace_id, id, application_id, author_user_id, ${SCORECARD_FIELDS})
    values (${of.workspace}, ${of.id}::uuid, ${of.applicationId}, ${of.authorUserId},
      ${writtenValues(scorecardRecord, fields)})
    returning ${SCORECARD}`

export const endScorecardDraft = ({ workspace, applicationId, authorUserId }: Authored) => sql`
  delete from scorecard_drafts
  where workspace_id = ${workspace} and application_id = ${applicationId} and user_id = ${authorUserId}`

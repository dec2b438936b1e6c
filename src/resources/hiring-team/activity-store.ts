import { OPEN_STATUSES } from '../../contract/application-status.ts'
import type { NoteVisibility } from '../../contract/note-visibility.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { isCardVisible } from './cards-store.ts'
import { isNoteEditable, isNoteVisible, type NoteReader } from './store.ts'

/** What happened to an application, from the tables that hold it: nothing is stored twice. */
export type ActivityKind = 'step' | 'note' | 'message' | 'scorecard' | 'file' | 'order' | 'interview' | 'read' | 'data'

/** What one line of the stream is about; the fields of its kind. */
export interface ActivityFacts {
  // step
  from_stage?: string | null
  to_stage?: string | null
  from_status?: string | null
  to_status?: string | null
  reason?: string | null
  is_first?: boolean
  // note
  body?: string | null
  visibility?: NoteVisibility
  edited?: boolean
  /** its author can still change it */
  editable?: boolean
  mentions?: string[]
  // message; the texts as they are sealed
  direction?: 'in' | 'out'
  status?: string
  failure?: string | null
  scheduled_for?: string | null
  subject_sealed?: string | null
  body_sealed?: string | null
  // scorecard, file, order, read, data
  name?: string | null
}

export interface ActivityRow {
  id: string
  at: string
  kind: ActivityKind
  user_id: string | null
  key_id: string | null
  facts: ActivityFacts
}

/** The person who reads what happened: only what their role shows them is selected. */
export interface ActivityReader extends NoteReader {
  /** messages to the person that are about no application as well */
  ofPerson: boolean
}

interface Place {
  workspace: string
  applicationId: string
}

const ofApplication = ({ workspace, applicationId }: Place, table: Sql) =>
  sql`${table}.workspace_id = ${workspace} and ${table}.application_id = ${applicationId}`

const stageName = ({ workspace }: Place, id: Sql) =>
  sql`(select s.name from pipeline_stages s where s.workspace_id = ${workspace} and s.id = ${id})`

/**
 * A move, a decision, or both in one change. The statuses that only the API tells apart are not in the stream. A reason is
 * that of the last decision: the record has no other.
 */
const steps = (place: Place) => sql`
  select 'step-' || coalesce(t.id, -s.id)::text as id, coalesce(t.at, s.at) as at, 'step' as kind,
    coalesce(t.user_id, s.user_id)::text as user_id, coalesce(t.key_id, s.key_id)::text as key_id,
    jsonb_build_object('from_stage', ${stageName(place, sql`t.from_stage_id`)},
      'to_stage', ${stageName(place, sql`t.to_stage_id`)}, 'from_status', s.from_status, 'to_status', s.to_status,
      'is_first', coalesce(t.from_stage_id is null and t.to_stage_id is not null, false),
      'reason', case when s.id = (select max(l.id) from status_transitions l where ${ofApplication(place, sql`l`)})
        then (select case s.to_status when 'rejected' then a.rejection_reason when 'withdrawn' then a.withdrawal_reason end
          from applications a where a.workspace_id = ${place.workspace} and a.id = ${place.applicationId}) end) as facts
  from (select * from stage_transitions t where ${ofApplication(place, sql`t`)}) t
  full join (select * from status_transitions s where ${ofApplication(place, sql`s`)}) s on s.at = t.at
  where t.id is not null or not (s.from_status = any(${OPEN_STATUSES}::text[]) and s.to_status = any(${OPEN_STATUSES}::text[]))`

const notes = (place: Place, reader: NoteReader) => sql`
  select 'note-' || n.id::text, n.created_at, 'note', n.author_user_id::text, null::text,
    jsonb_build_object('body', n.body, 'visibility', n.visibility, 'edited', n.edited_at is not null,
      'editable', ${isNoteEditable(reader.userId)}, 'mentions', array(select m.user_id::text from note_mentions m
      where m.workspace_id = ${place.workspace} and m.note_id = n.id))
  from notes n where ${ofApplication(place, sql`n`)} and ${isNoteVisible(place.workspace, place.applicationId, reader)}`

/** Those about this application, and those to the person that are about none: they can be about other jobs. */
const messages = (place: Place, { ofPerson }: ActivityReader) => sql`
  select m.id::text, coalesce(m.sent_at, m.claimed_at, m.created_at), 'message',
    case when m.key_id like 'usr\\_%' then m.key_id::text end, case when m.key_id not like 'usr\\_%' then m.key_id::text end,
    jsonb_build_object('direction', m.direction, 'status', case m.status when 'sending' then 'queued' else m.status end,
      'failure', m.failure, 'scheduled_for', m.scheduled_for, 'name', m.template_name,
      'subject_sealed', encode(m.subject_sealed, 'base64'), 'body_sealed', encode(m.body_sealed, 'base64'))
  from messages m where m.workspace_id = ${place.workspace}
    and m.applicant_id = (select a.applicant_id from applications a
      where a.workspace_id = ${place.workspace} and a.id = ${place.applicationId})
    and (m.application_id = ${place.applicationId} or ${ofPerson}::boolean and m.application_id is null)`

/**
 * That one is in, and nothing of it: what a card says is shown where it is decided who may read it. Not even that is shown
 * to someone who was asked and has not submitted. Interviewers see their own, and not whether others have written one.
 */
const scorecards = (place: Place, { userId, team }: NoteReader) => sql`
  select 'card-' || c.id::text, c.created_at, 'scorecard', c.author_user_id::text, null::text, '{}'::jsonb
  from scorecards c where ${ofApplication(place, sql`c`)}
    and (${team}::boolean and ${isCardVisible(place.workspace, { userId, team })} or c.author_user_id = ${userId})`

const files = (place: Place) => sql`
  select r.id::text, r.created_at, 'file', null::text, null::text,
    jsonb_build_object('name', r.filename, 'status', r.parse_status)
  from resumes r where ${ofApplication(place, sql`r`)}`

const orders = (place: Place) => sql`
  select o.id::text, o.requested_at, 'order', case when o.placed_by_object = 'user' then o.placed_by_id::text end,
    case when o.placed_by_object <> 'user' then o.placed_by_id::text end,
    jsonb_build_object('name', o.package_name, 'status', o.status)
  from orders o where ${ofApplication(place, sql`o`)}`

/** That one was planned; when, and what became of it, is shown next to the stream. */
const interviews = (place: Place) => sql`
  select i.id::text, i.created_at, 'interview', i.organizer_id::text, null::text, '{}'::jsonb
  from interviews i where ${ofApplication(place, sql`i`)}`

/** That all data of the person were sent to them, or downloaded. */
const dataRequests = (place: Place) => sql`
  select 'data-' || d.id::text, d.at, 'data', d.user_id::text, null::text, jsonb_build_object('name', d.kind)
  from applicant_requests d where d.workspace_id = ${place.workspace}
    and d.applicant_id = (select a.applicant_id from applications a
      where a.workspace_id = ${place.workspace} and a.id = ${place.applicationId})`

/** Contact details and texts of résumés that were read, also over the API. */
const reads = (place: Place) => sql`
  select 'read-' || d.id::text, d.at, 'read', d.acting_user_id::text,
    case when d.acting_user_id is null then d.key_id::text end, jsonb_build_object('name', d.field)
  from personal_data_reads d where d.workspace_id = ${place.workspace} and d.subject_id in (
    select ${place.applicationId}::text
    union select a.applicant_id::text from applications a
      where a.workspace_id = ${place.workspace} and a.id = ${place.applicationId}
    union select r.id::text from resumes r where ${ofApplication(place, sql`r`)})`

/** A page of what happened, the latest first: of the kinds that the reader may see. */
export function activityPage(
  place: Place,
  kinds: ReadonlySet<ActivityKind>,
  reader: ActivityReader,
  page: Page,
): Sql<ActivityRow> {
  const branches: Readonly<Record<ActivityKind, () => Sql>> = {
    step: () => steps(place),
    note: () => notes(place, reader),
    message: () => messages(place, reader),
    scorecard: () => scorecards(place, reader),
    file: () => files(place),
    order: () => orders(place),
    interview: () => interviews(place),
    read: () => reads(place),
    data: () => dataRequests(place),
  }
  const nothing = sql`
    select ''::text as id, app_now() as at, ''::text as kind, ''::text as user_id, ''::text as key_id, '{}'::jsonb as facts
    where false`
  const all = [...kinds].map(kind => branches[kind]()).reduce((before, one) => sql`${before} union all ${one}`, nothing)
  return sql<ActivityRow>`select x.id, x.at, x.kind, x.user_id, x.key_id, x.facts from (${all}) x where true ${page.clause}`
}

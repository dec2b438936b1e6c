import type { JobRole } from '../../contract/job-rights.ts'
import type { NoteVisibility } from '../../contract/note-visibility.ts'
import type { Role } from '../../contract/scopes.ts'
import { IS_LIMITED, type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { mailTable, type QueuedMail } from '../../kernel/mail/queue.ts'
import { OPEN } from '../applications/shape.ts'
import type { CanceledEntry } from '../interviews/index.ts'
import { type Criterion, EDIT_MINUTES, type RecentMails, type TagName } from './rules.ts'

// Members are on the coordinator when the store is a cluster, and what they wrote is on the worker of their workspace: no
// statement joins the two. What is written names members by their handles; their names are read for a whole page.

/** The name of a member in lists: the email address where no name is known. */
const USER_NAME = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email)`

export interface Named {
  id: string
  name: string
}

/** Those of the users who are members now, in the order in which they became members. */
export const selectUserNames = (workspace: string, users: readonly string[]): Sql<Named> =>
  sql<Named>`
    select u.id, ${USER_NAME} as name from users u
    where u.workspace_id = ${workspace} and u.id = any(${users}::text[]) order by u.created_at, u.id`

// Notes

export interface TeamNoteRow {
  id: string
  body: string
  visibility: NoteVisibility
  created_at: string
  /** null: it is as it was written */
  edited_at: string | null
  /** its author can still change it */
  editable: boolean
  author_user_id: string | null
  /** handles of members, and of people who were members */
  mentions: string[]
}

/**
 * The reader of notes: everyone sees their own and those that mention them. Interviewers see what the team wrote about a
 * candidate after their own scorecard.
 */
export interface NoteReader {
  userId: string
  /** owners and admins, who see private notes of others as well */
  all: boolean
  /** the right to all notes of the team */
  team: boolean
}

const HAS_WRITTEN_CARD = (workspace: string, applicationId: string, userId: string) => sql`exists (
  select from scorecards c where c.workspace_id = ${workspace} and c.application_id = ${applicationId}
    and c.author_user_id = ${userId})`

/** Whether the reader may see the note `n` of the application. */
export const isNoteVisible = (workspace: string, applicationId: string, { userId, all, team }: NoteReader) => sql`(
  ${all}::boolean or n.author_user_id is not distinct from ${userId}
  or n.visibility = 'team' and (${team}::boolean or ${HAS_WRITTEN_CARD(workspace, applicationId, userId)})
  or exists (select from note_mentions m
    where m.workspace_id = ${workspace} and m.note_id = n.id and m.user_id = ${userId}))`

/** Whether the member wrote the note `n` a moment ago. */
export const isNoteEditable = (userId: string) =>
  sql`n.author_user_id is not distinct from ${userId}
    and n.created_at > app_now() - ${EDIT_MINUTES}::integer * interval '1 minute'`

export const notesPage = (workspace: string, applicationId: string, reader: NoteReader, page: Page) =>
  sql<TeamNoteRow>`
    select n.id, n.body, n.visibility, n.created_at, n.edited_at, n.author_user_id,
      ${isNoteEditable(reader.userId)} as editable,
      array(select m.user_id::text from note_mentions m where m.workspace_id = ${workspace} and m.note_id = n.id) as mentions
    from notes n
    where n.workspace_id = ${workspace} and n.application_id = ${applicationId}
      and ${isNoteVisible(workspace, applicationId, reader)} ${page.clause}`

/** Notes of the team that the reader does not see before their own scorecard. No row: there is no such application. */
export const countHiddenNotes = (workspace: string, applicationId: string, reader: NoteReader) =>
  sql<{ hidden: number }>`
    select (select count(*)::integer from notes n
      where n.workspace_id = ${workspace} and n.application_id = a.id and n.visibility = 'team'
        and not ${isNoteVisible(workspace, applicationId, reader)}) as hidden
    from applications a where a.workspace_id = ${workspace} and a.id = ${applicationId}`

/** A note of an application, for its author. */
export interface NoteKey {
  workspace: string
  applicationId: string
  noteId: string
  authorUserId: string
}

const IS_NOTE = ({ workspace, applicationId, noteId, authorUserId }: NoteKey) => sql`
  workspace_id = ${workspace} and id = ${noteId}::uuid and application_id = ${applicationId}
  and author_user_id = ${authorUserId}`

export interface OwnNote {
  visibility: NoteVisibility
  editable: boolean
}

export const ownNote = (key: NoteKey) =>
  sql<OwnNote>`
    select visibility, created_at > app_now() - ${EDIT_MINUTES}::integer * interval '1 minute' as editable
    from notes where ${IS_NOTE(key)}`

export const updateNote = (key: NoteKey, body: string) => sql`
  update notes set body = ${body}, edited_at = app_now() where ${IS_NOTE(key)}`

export const deleteNote = (key: NoteKey) => sql`delete from notes where ${IS_NOTE(key)}`

export const mentionsOf = (workspace: string, noteId: string) =>
  sql<{ user_id: string }>`
    select user_id from note_mentions where workspace_id = ${workspace} and note_id = ${noteId}::uuid`

export const deleteMentions = (workspace: string, noteId: string, users: readonly string[]) => sql`
  delete from note_mentions
  where workspace_id = ${workspace} and note_id = ${noteId}::uuid and user_id = any(${users}::text[])`

export const insertMentions = (workspace: string, noteId: string, users: readonly string[]) => sql`
  insert into note_mentions (workspace_id, note_id, user_id)
  select ${workspace}, ${noteId}::uuid, user_id from unnest(${users}::text[]) user_id`

// Scorecards

export const selectCriteria = (workspace: string, jobId: string) =>
  sql<Criterion>`
    select name, description from scorecard_criteria
    where workspace_id = ${workspace} and job_id = ${jobId} order by position`

/** Changes of the criteria of a job wait for each other. */
export const lockJobForCriteria = (workspace: string, jobId: string) =>
  sql<{ id: string }>`select id from jobs where workspace_id = ${workspace} and id = ${jobId} for no key update`

export const jobExists = (workspace: string, jobId: string) =>
  sql<{ id: string }>`select id from jobs where workspace_id = ${workspace} and id = ${jobId}`

export const deleteCriteria = (workspace: string, jobId: string) => sql`
  delete from scorecard_criteria where workspace_id = ${workspace} and job_id = ${jobId}`

export const insertCriteria = (workspace: string, jobId: string, criteria: readonly Criterion[]) => sql`
  insert into scorecard_criteria (workspace_id, job_id, position, name, description)
  select ${workspace}, ${jobId}, c.position, c.name, c.description
  from jsonb_to_recordset(${JSON.stringify(criteria.map((c, position) => ({ ...c, position })))}::jsonb)
    as c (position integer, name text, description text)`

/** Whether a card counts for a request: one of them names no stage, or both name the same. */
export const isForStage = (requested: Sql, written: Sql): Sql =>
  sql`(${requested} is null or ${written} is null or ${requested} = ${written})`

/** Whether the member wrote what the request `r` asks for. */
export const WRITTEN_SINCE = (workspace: string) => sql`exists (
  select from scorecards c where c.workspace_id = ${workspace} and c.application_id = r.application_id
    and c.author_user_id = r.user_id and c.created_at >= r.requested_at
    and ${isForStage(sql`r.stage_id`, sql`c.stage_id`)})`

/**
 * Requests that an interview makes when it has ended, of members who have not written a card since it began. A cluster finds
 * the shard by a table that is read.
 */
export const requestCardsAfter = (r: {
  workspace: string
  applicationId: string
  interviewId: string
  /** with the stage that each is asked about; null: all */
  asked: readonly { userId: string; stageId: string | null }[]
  by: string
  startsAt: string
  dueAt: string
}) => sql`
  insert into scorecard_requests (workspace_id, application_id, user_id, requested_by, interview_id, due_at, stage_id)
  select w.workspace_id, ${r.applicationId}, u.user_id, ${r.by}, ${r.interviewId}::uuid, ${r.dueAt}::timestamptz, u.stage_id
  from event_logs w,
    unnest(${r.asked.map(({ userId }) => userId)}::text[], ${r.asked.map(({ stageId }) => stageId)}::text[])
      as u (user_id, stage_id)
  where w.workspace_id = ${r.workspace} and not exists (select from scorecards c where c.workspace_id = ${r.workspace}
    and c.application_id = ${r.applicationId} and c.author_user_id = u.user_id
    and c.created_at >= ${r.startsAt}::timestamptz)
  on conflict (workspace_id, application_id, user_id) do update
    set requested_by = excluded.requested_by, requested_at = excluded.requested_at, interview_id = excluded.interview_id,
      due_at = excluded.due_at, mailed_at = null, stage_id = excluded.stage_id`

/** Requests of an interview that did not take place. */
export const withdrawRequestsOf = (workspace: string, applicationId: string, interviewId: string) => sql`
  delete from scorecard_requests
  where workspace_id = ${workspace} and application_id = ${applicationId} and interview_id = ${interviewId}::uuid`

export interface DueRequest {
  workspace_id: string
  application_id: string
  user_id: string
}

/** Requests of all workspaces that are due, and of which no email was written. */
export const dueRequests = (limit: number): Sql<DueRequest> =>
  sql<DueRequest>`
    select workspace_id, application_id, user_id from scorecard_requests
    where due_at <= app_now() and mailed_at is null order by due_at limit ${limit}`

/** No row: another process has it, or the card was written in time, so that there is nothing to remind of. */
export const takeDueRequest = ({ workspace_id: workspace, application_id, user_id }: DueRequest) =>
  sql<{ written: boolean }>`
    with taken as (
      update scorecard_requests set mailed_at = app_now()
      where workspace_id = ${workspace} and application_id = ${application_id} and user_id = ${user_id}
        and due_at <= app_now() and mailed_at is null
      returning requested_at, stage_id
    )
    select exists (select from scorecards c where c.workspace_id = ${workspace} and c.application_id = ${application_id}
      and c.author_user_id = ${user_id} and c.created_at >= t.requested_at
      and ${isForStage(sql`t.stage_id`, sql`c.stage_id`)}) as written
    from taken t`

/** A reminder that no member has caused. Of who is decided about, no scorecard is waited for. */
export const queueReminder = ({ workspace_id: workspace, application_id, user_id }: DueRequest) => sql`
  insert into team_mails (workspace_id, kind, user_id, application_id)
  select ${workspace}, 'scorecard', ${user_id}, a.id from applications a
  left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
  where a.workspace_id = ${workspace} and a.id = ${application_id} and ${WAITS}`

// Tags

/** One more, unless it is there in any spelling; none beyond the limit. */
export const insertTag = (workspace: string, applicationId: string, { key, name }: TagName) =>
  sql<{ tag_key: string }>`
    insert into application_tags (workspace_id, application_id, tag_key, name)
    values (${workspace}, ${applicationId}, ${key}, ${name}) on conflict do nothing returning tag_key`

export const deleteTag = (workspace: string, applicationId: string, key: string) =>
  sql<{ tag_key: string }>`
    delete from application_tags
    where workspace_id = ${workspace} and application_id = ${applicationId} and tag_key = ${key} returning tag_key`

/** The tags of many applications; those whose processing was stopped show none. */
export const selectTags = (workspace: string, applicationIds: readonly string[]) =>
  sql<{ application_id: string; tags: string[] }>`
    select t.application_id, array_agg(t.name order by t.tag_key) as tags
    from application_tags t
    join applications a on a.workspace_id = t.workspace_id and a.id = t.application_id
    left join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    where t.workspace_id = ${workspace} and t.application_id = any(${applicationIds}::text[])
      and p.suppressed_at is null
    group by t.application_id`

const MAX_SUGGESTIONS = 200

const OF_A = { job: sql`a.job_id`, application: sql`a.id` }

/** Every tag of the workspace, the most used first, in its most recent spelling. */
export const usedTags = (workspace: string, onTeam?: LimitedPerson) =>
  sql<{ name: string; used: number }>`
    select (array_agg(name order by created_at desc))[1] as name, count(*)::integer as used
    from application_tags t where t.workspace_id = ${workspace}
      ${
        onTeam
          ? sql`and exists (select from applications a where a.workspace_id = ${workspace} and a.id = t.application_id
              and ${reachesCandidate(onTeam, OF_A)})`
          : none
      }
    group by tag_key order by 2 desc, tag_key limit ${MAX_SUGGESTIONS}`

// Tasks

const WAITS = sql`a.status in ${OPEN} and p.suppressed_at is null`

export const waitingDays = (workspace: string) =>
  sql<{ waiting_days: number }>`select waiting_days from hiring_settings where workspace_id = ${workspace}`

export const putWaitingDays = (workspace: string, days: number) =>
  sql<{ waiting_days: number }>`
    insert into hiring_settings (workspace_id, waiting_days) values (${workspace}, ${days})
    on conflict (workspace_id) do update set waiting_days = excluded.waiting_days returning waiting_days`

// Emails to members

/** Emails that concern the same members are counted one after the other. In one order: no two wait for each other. */
export const lockMailedMembers = (workspace: string, users: readonly string[]) => sql`
  select 1 from users where workspace_id = ${workspace} and id = any(${users}::text[]) order by id for no key update`

export interface NewMails {
  workspace: string
  kind: 'mention' | 'scorecard'
  applicationId: string
  /** the note that mentions the users; null: it is about something else */
  noteId: string | null
  by: string
  users: readonly string[]
}

/** Emails of the last 24 hours to one of the users, or caused by the same member. */
export const recentMails = ({ workspace, by, users }: NewMails): Sql<RecentMails> =>
  sql<RecentMails>`
    select kind, user_id, sent_by, count(*)::integer as n from team_mails
    where workspace_id = ${workspace} and (user_id = any(${users}::text[]) or sent_by = ${by})
      and created_at > app_now() - interval '1 day'
    group by kind, user_id, sent_by`

export const queueMails = ({ workspace, kind, applicationId, noteId, by, users }: NewMails) => sql`
  insert into team_mails (workspace_id, kind, user_id, application_id, note_id, sent_by)
  select ${workspace}, ${kind}, id, ${applicationId}, ${noteId}::uuid, ${by} from unnest(${users}::text[]) as u (id)`

/** One more for each user in the summary that is sent to them next. */
export const countInSummaries = (workspace: string, users: readonly string[], hours: number) => sql`
  insert into team_mails as m (workspace_id, kind, user_id, more, due_at)
  select ${workspace}, 'summary', user_id, 1, app_now() + ${hours}::integer * interval '1 hour'
  from unnest(${users}::text[]) user_id
  on conflict (workspace_id, user_id) where kind = 'summary' and attempt = 0 do update set more = m.more + 1`

export interface ClaimedTeamMail extends QueuedMail {
  kind: 'mention' | 'scorecard' | 'summary' | 'interview' | 'interview_answer'
  user_id: string
  application_id: string | null
  /** null: the email is not about a mention */
  note_id: string | null
  /** Only a summary has it. */
  more: number | null
  interview_id: string | null
  /** Only an invitation has it. */
  method: 'REQUEST' | 'CANCEL' | null
  /** Only a cancellation has it: the entry that calendars lose. */
  calendar: CanceledEntry | null
}

export const TEAM_MAILS = mailTable<ClaimedTeamMail>(
  sql`team_mails`,
  sql`m.kind, m.user_id, m.application_id, m.note_id, m.more, m.interview_id, m.method, m.calendar`,
  'due_at',
)

export const selectMailMember = ({ workspace_id, user_id }: ClaimedTeamMail) =>
  sql<{ name: string; email: string | null; workspace_name: string }>`
    select ${USER_NAME} as name, u.email, w.name as workspace_name from users u join workspaces w on w.id = u.workspace_id
    where u.workspace_id = ${workspace_id} and u.id = ${user_id}`

// Members

export interface Member {
  id: string
  name: string
  role: Role
}

export const teamMembers = (workspace: string): Sql<Member> =>
  sql<Member>`
    select u.id, ${USER_NAME} as name, u.role from users u
    where u.workspace_id = ${workspace} and u.kind = 'person' order by 2, u.id`

// Teams of jobs

export interface TeamCandidate extends Member {
  /** has access only to the jobs whose team they are on */
  limited: boolean
}

export const teamCandidates = (workspace: string): Sql<TeamCandidate> =>
  sql<TeamCandidate>`
    select u.id, ${USER_NAME} as name, u.role, ${IS_LIMITED} as limited
    from users u where u.workspace_id = ${workspace} and u.kind = 'person' order by 2, u.id`

export const selectTeam = (workspace: string, jobId: string) =>
  sql<{
    user_id: string
    role: JobRole
  }>`select user_id, role from job_team where workspace_id = ${workspace} and job_id = ${jobId}`

/** No one stops being a member until the transaction ends: in a cluster nothing else keeps the two together. */
export const holdMembers = (workspace: string, users: readonly string[]) =>
  sql<{ id: string; role: Role }>`
    select id, role from users
    where workspace_id = ${workspace} and kind = 'person' and id = any(${users}::text[]) order by id for key share`

/** Who is on the team already keeps their role. */
export const addToTeam = (workspace: string, jobId: string, users: readonly string[]) => sql`
  insert into job_team (workspace_id, job_id, user_id)
  select ${workspace}, ${jobId}, id from unnest(${users}::text[]) as u (id)
  on conflict do nothing`

/** `roles`: the new role of each user, by their handles. Others of the team keep theirs. */
export const setTeamRoles = (workspace: string, jobId: string, roles: Readonly<Record<string, JobRole>>) =>
  sql<{ user_id: string }>`
    update job_team t set role = r.value from jsonb_each_text(${JSON.stringify(roles)}::jsonb) r (key, value)
    where t.workspace_id = ${workspace} and t.job_id = ${jobId} and t.user_id = r.key returning t.user_id`

export const removeFromTeam = (workspace: string, jobId: string, users: readonly string[]) => sql`
  delete from job_team where workspace_id = ${workspace} and job_id = ${jobId} and user_id = any(${users}::text[])`

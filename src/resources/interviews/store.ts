import type { ApplicationStatus } from '../../contract/application-status.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { WeeklyHours } from './rules.ts'
import { type CandidateAnswer, type InterviewKind, type InterviewState, OPEN_INTERVIEWS } from './shape.ts'

// Members are on the coordinator when the store is a cluster, and interviews are with their workspace: no statement joins the
// two. People are named by their handles.

export interface StoredInterview {
  workspace_id: string
  id: string
  application_id: string
  job_id: string
  stage_id: string
  state: InterviewState
  kind: InterviewKind
  starts_at: string | null
  ends_at: string | null
  time_zone: string
  candidate_time_zone: string | null
  organizer_id: string
  invites_candidate: boolean
  offered_until: string | null
  picked_at: string | null
  answer: CandidateAnswer | null
  answered_at: string | null
  asked_to_move: boolean
  sequence: number
  details_sealed: Buffer
  answer_sealed: Buffer | null
  created_at: string
  updated_at: string
  /** handles of the interviewers, in the order in which they were named */
  people: string[]
}

const COLUMNS = (workspace: string): Sql => sql`
  i.workspace_id, i.id, i.application_id, i.job_id, i.stage_id, i.state, i.kind, i.starts_at, i.ends_at, i.time_zone,
  i.candidate_time_zone, i.organizer_id, i.invites_candidate, i.offered_until, i.picked_at, i.answer, i.answered_at,
  i.asked_to_move, i.sequence, i.details_sealed, i.answer_sealed, i.created_at, i.updated_at,
  array(select p.user_id::text from interview_people p where p.workspace_id = ${workspace} and p.interview_id = i.id
    order by p.position, p.user_id) as people`

export const interviewsPage = (workspace: string, applicationId: string, page: Page): Sql<StoredInterview> =>
  sql<StoredInterview>`
    select ${COLUMNS(workspace)} from interviews i
    where i.workspace_id = ${workspace} and i.application_id = ${applicationId} ${page.clause}`

/** More interviews of one application are not shown on its page. */
const MAX_SHOWN = 100

export const interviewsOfApplication = (workspace: string, applicationId: string): Sql<StoredInterview> =>
  sql<StoredInterview>`
    select ${COLUMNS(workspace)} from interviews i
    where i.workspace_id = ${workspace} and i.application_id = ${applicationId}
    order by coalesce(i.starts_at, i.created_at) desc, i.id limit ${MAX_SHOWN}`

export const interviewById = (workspace: string, id: string): Sql<StoredInterview> =>
  sql<StoredInterview>`
    select ${COLUMNS(workspace)} from interviews i where i.workspace_id = ${workspace} and i.id = ${id}::uuid`

export const lockInterview = (workspace: string, applicationId: string, id: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from interviews
    where workspace_id = ${workspace} and application_id = ${applicationId} and id = ${id}::uuid for update`

export interface InterviewedApplication {
  id: string
  job_id: string
  stage_id: string
  applicant_id: string | null
  status: ApplicationStatus
  suppressed: boolean
  now: string
}

/** Locked until the transaction ends: changes of its interviews take turns, and it is not decided in between. */
export const lockInterviewedApplication = (workspace: string, id: string): Sql<{ id: string }> =>
  sql<{ id: string }>`select id from applications where workspace_id = ${workspace} and id = ${id} for update`

export const interviewedApplication = (workspace: string, id: string): Sql<InterviewedApplication> =>
  sql<InterviewedApplication>`
    select a.id, a.job_id, a.stage_id, a.applicant_id, a.status, p.suppressed_at is not null as suppressed,
      app_now() as now
    from applications a left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${id}`

export const touchInterviewed = (workspace: string, id: string) =>
  sql<{ updated_at: string; status: string; stage_id: string; job_id: string }>`
    update applications a set updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning a.updated_at, a.status, a.stage_id, a.job_id`

export const countOpen = (workspace: string, applicationId: string) =>
  sql<{ open: number }>`
    select count(*)::integer as open from interviews
    where workspace_id = ${workspace} and application_id = ${applicationId} and state in ${OPEN_INTERVIEWS}
      and (ends_at is null or ends_at > app_now())`

export interface NewInterview {
  workspace: string
  id: string
  application: Pick<InterviewedApplication, 'id' | 'job_id' | 'stage_id'>
  state: 'proposed' | 'scheduled'
  kind: InterviewKind
  startsAt: string | null
  endsAt: string | null
  timeZone: string
  organizerId: string
  invitesCandidate: boolean
  offeredUntil: string | null
  detailsSealed: Buffer
}

export const insertInterview = (n: NewInterview): Sql => sql`
  insert into interviews (workspace_id, id, application_id, job_id, stage_id, state, kind, starts_at, ends_at, time_zone,
    organizer_id, invites_candidate, offered_until, details_sealed)
  values (${n.workspace}, ${n.id}::uuid, ${n.application.id}, ${n.application.job_id}, ${n.application.stage_id},
    ${n.state}, ${n.kind}, ${n.startsAt}::timestamptz, ${n.endsAt}::timestamptz, ${n.timeZone}, ${n.organizerId},
    ${n.invitesCandidate}::boolean, ${n.offeredUntil}::timestamptz, ${n.detailsSealed})`

/** What changes of an interview after it was planned. */
export type InterviewChange = Pick<
  StoredInterview,
  | 'state'
  | 'kind'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'candidate_time_zone'
  | 'offered_until'
  | 'picked_at'
  | 'answer'
  | 'answered_at'
  | 'asked_to_move'
  | 'sequence'
  | 'details_sealed'
  | 'answer_sealed'
>

export const updateInterview = (workspace: string, id: string, c: InterviewChange): Sql => sql`
  update interviews set state = ${c.state}, kind = ${c.kind}, starts_at = ${c.starts_at}::timestamptz,
    ends_at = ${c.ends_at}::timestamptz, time_zone = ${c.time_zone}, candidate_time_zone = ${c.candidate_time_zone},
    offered_until = ${c.offered_until}::timestamptz, picked_at = ${c.picked_at}::timestamptz, answer = ${c.answer},
    answered_at = ${c.answered_at}::timestamptz, asked_to_move = ${c.asked_to_move}::boolean,
    sequence = ${c.sequence}::integer, details_sealed = ${c.details_sealed}, answer_sealed = ${c.answer_sealed},
    feedback_asked_at = case when ends_at is distinct from ${c.ends_at}::timestamptz then null else feedback_asked_at end,
    updated_at = ${touched('updated_at')}
  where workspace_id = ${workspace} and id = ${id}::uuid`

export const deleteInterview = (workspace: string, id: string): Sql => sql`
  delete from interviews where workspace_id = ${workspace} and id = ${id}::uuid`

export const insertPeople = (workspace: string, id: string, users: readonly string[]): Sql => sql`
  insert into interview_people (workspace_id, interview_id, user_id, position)
  select ${workspace}, ${id}::uuid, u.user_id, u.position from unnest(${users}::text[]) with ordinality as u (user_id, position)`

export const deletePeople = (workspace: string, id: string): Sql => sql`
  delete from interview_people where workspace_id = ${workspace} and interview_id = ${id}::uuid`

export interface OfferedTime {
  interview_id: string
  starts_at: string
  ends_at: string
}

export const selectTimes = (workspace: string, interviews: readonly string[]): Sql<OfferedTime> =>
  sql<OfferedTime>`
    select interview_id, starts_at, ends_at from interview_times
    where workspace_id = ${workspace} and interview_id = any(${interviews}::uuid[]) order by starts_at`

export const insertTimes = (
  workspace: string,
  id: string,
  slots: readonly { starts_at: string; ends_at: string }[],
): Sql => sql`
  insert into interview_times (workspace_id, interview_id, starts_at, ends_at)
  select ${workspace}, ${id}::uuid, s.starts_at, s.ends_at
  from unnest(${slots.map(slot => slot.starts_at)}::timestamptz[], ${slots.map(slot => slot.ends_at)}::timestamptz[])
    as s (starts_at, ends_at)`

export const deleteTimes = (workspace: string, id: string): Sql => sql`
  delete from interview_times where workspace_id = ${workspace} and interview_id = ${id}::uuid`

/** Choices of times that concern the same member take turns, also those of other candidates. */
export const lockCalendar = (workspace: string, user: string): Sql =>
  sql`select pg_advisory_xact_lock(${textLock('interviewCalendar', workspace, user)})`

export interface BusySpan {
  interview_id: string
  application_id: string
  user_id: string
  starts_at: string
  ends_at: string
}

/** Planned interviews of the members that touch a span of time. */
export const busySpans = (workspace: string, users: readonly string[], from: string, to: string): Sql<BusySpan> =>
  sql<BusySpan>`
    select i.id as interview_id, i.application_id, p.user_id, i.starts_at, i.ends_at
    from interview_people p join interviews i on i.workspace_id = ${workspace} and i.id = p.interview_id
    where p.workspace_id = ${workspace} and p.user_id = any(${users}::text[]) and i.state = 'scheduled'
      and i.starts_at < ${to}::timestamptz and i.ends_at > ${from}::timestamptz
    order by i.starts_at, i.id, p.user_id`

/** The next planned interview of each application, for the cards of a board. */
export const selectNextInterviews = (workspace: string, applications: readonly string[]) =>
  sql<{ application_id: string; starts_at: string }>`
    select application_id, min(starts_at) as starts_at from interviews
    where workspace_id = ${workspace} and application_id = any(${applications}::text[]) and state = 'scheduled'
      and ends_at > app_now()
    group by application_id`

/** Which of the applications have an interview, or an offer of times, that is ahead. */
export const applicationsAhead = (workspace: string, applications: readonly string[]) =>
  sql<{ application_id: string }>`
    select distinct application_id from interviews
    where workspace_id = ${workspace} and application_id = any(${applications}::text[]) and state in ${OPEN_INTERVIEWS}
      and (ends_at is null or ends_at > app_now())`

/** Canceled by the team in the moment of a decision, with it, and still ahead. */
export const canceledWith = (workspace: string, applicationId: string, decidedAt: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from interviews
    where workspace_id = ${workspace} and application_id = ${applicationId} and state = 'canceled' and answer is null
      and updated_at between ${decidedAt}::timestamptz - interval '1 second' and ${decidedAt}::timestamptz + interval '1 second'
      and (ends_at is null or ends_at > app_now())
    order by id`

/** Those that calendars of people still show, of an application. */
export const lockAhead = (workspace: string, applicationId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from interviews
    where workspace_id = ${workspace} and application_id = ${applicationId} and state in ${OPEN_INTERVIEWS}
      and (ends_at is null or ends_at > app_now())
    order by id for update`

export const applicationsWithInterviews = (workspace: string, applicantId: string): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select a.id from applications a
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and exists (select from interviews i
      where i.workspace_id = ${workspace} and i.application_id = a.id and i.state in ${OPEN_INTERVIEWS}
        and (i.ends_at is null or i.ends_at > app_now()))
    order by a.id`

// Emails

interface Notified {
  user_id: string
  says: string | null
}

/** What each member was last notified, or may have been, about an interview. */
export const selectNotified = (workspace: string, id: string): Sql<Notified> =>
  sql<Notified>`
    select distinct on (user_id) user_id, says from team_mails
    where workspace_id = ${workspace} and interview_id = ${id}::uuid and kind = 'interview' and attempt > 0
    order by user_id, created_at desc, id`

/** The same for the candidate; no row: nothing yet. */
export const selectNotifiedCandidate = (workspace: string, id: string) =>
  sql<{ kind: string; says: string | null }>`
    select kind, says from candidate_mails
    where workspace_id = ${workspace} and interview_id = ${id}::uuid and attempt > 0
    order by created_at desc, id limit 1`

/** What became of the last email to the candidate about each interview; `failed`: it was given up. */
export const selectMailStates = (workspace: string, ids: readonly string[]) =>
  sql<{ interview_id: string; state: 'sent' | 'waiting' | 'failed' }>`
    select distinct on (interview_id) interview_id,
      case when sent_at is not null then 'sent' when due_at is null then 'failed' else 'waiting' end as state
    from candidate_mails where workspace_id = ${workspace} and interview_id = any(${ids}::uuid[])
    order by interview_id, created_at desc, id`

/** An email that has not left speaks of what is no longer so. */
export const dropUnsent = (workspace: string, id: string): readonly Sql[] => [
  sql`
    delete from team_mails
    where workspace_id = ${workspace} and interview_id = ${id}::uuid and kind = 'interview' and attempt = 0`,
  sql`
    delete from candidate_mails
    where workspace_id = ${workspace} and interview_id = ${id}::uuid and attempt = 0`,
]

export interface TeamInvitation {
  workspace: string
  interviewId: string
  applicationId: string
  users: readonly string[]
  says: string
  delaySeconds: number
}

export const queueInvitations = (m: TeamInvitation): Sql => sql`
  insert into team_mails (workspace_id, kind, method, user_id, application_id, interview_id, says, due_at)
  select ${m.workspace}, 'interview', 'REQUEST', user_id, ${m.applicationId}, ${m.interviewId}::uuid, ${m.says},
    app_now() + ${m.delaySeconds}::integer * interval '1 second'
  from unnest(${m.users}::text[]) user_id`

/** What is left of an entry that is removed from calendars: nothing about the candidate. */
export interface CanceledEntry {
  sequence: number
  starts_at: string
  ends_at: string
  time_zone: string
  organizer_id: string
}

/** They have no application, so that they outlive it: an erasure removes the entry from calendars. */
export const queueCancellations = (
  m: Omit<TeamInvitation, 'applicationId' | 'says'> & { entry: CanceledEntry },
): Sql => sql`
  insert into team_mails (workspace_id, kind, method, user_id, interview_id, says, calendar, due_at)
  select ${m.workspace}, 'interview', 'CANCEL', user_id, ${m.interviewId}::uuid, 'canceled',
    ${JSON.stringify(m.entry)}::jsonb, app_now() + ${m.delaySeconds}::integer * interval '1 second'
  from unnest(${m.users}::text[]) user_id`

/** Tells members that the candidate has said something. */
export const queueAnswerMails = (
  workspace: string,
  { id, application_id }: Pick<StoredInterview, 'id' | 'application_id'>,
  users: readonly string[],
) => sql`
  insert into team_mails (workspace_id, kind, user_id, application_id, interview_id)
  select ${workspace}, 'interview_answer', user_id, ${application_id}, ${id}::uuid from unnest(${users}::text[]) user_id`

export interface CandidateInvitation {
  workspace: string
  kind: 'interview_times' | 'interview_invitation' | 'interview_canceled'
  interviewId: string
  says: string
  /** The language of the page on which the candidate chose; undefined: that of their last email, or of the job */
  language?: string | undefined
  delaySeconds: number
}

/** In the language of the last email, else in that of the job. No row without a person. */
export const queueCandidateMail = (m: CandidateInvitation): Sql => sql`
  insert into candidate_mails (workspace_id, kind, address, applicant_id, application_id, interview_id, says, language, due_at)
  select ${m.workspace}, ${m.kind}, '', a.applicant_id, a.id, i.id, ${m.says},
    coalesce(${m.language ?? null}::text, (select c.language from candidate_mails c
      where c.workspace_id = ${m.workspace} and c.applicant_id = a.applicant_id order by c.created_at desc limit 1),
      j.language, 'en'),
    app_now() + ${m.delaySeconds}::integer * interval '1 second'
  from interviews i
  join applications a on a.workspace_id = ${m.workspace} and a.id = i.application_id
  join jobs j on j.workspace_id = ${m.workspace} and j.id = i.job_id
  where i.workspace_id = ${m.workspace} and i.id = ${m.interviewId}::uuid and a.applicant_id is not null`

// People

export interface InterviewMember {
  id: string
  name: string
  first_name: string | null
  last_name: string | null
  email: string | null
}

export const selectInterviewMembers = (workspace: string, users: readonly string[]): Sql<InterviewMember> =>
  sql<InterviewMember>`
    select u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name, u.first_name,
      u.last_name, u.email
    from users u where u.workspace_id = ${workspace} and u.id = any(${users}::text[])`

/** The person and the job that an interview is about; nothing of people whose processing was stopped. */
export interface InterviewSubject {
  application_id: string
  first_name: string | null
  last_name: string | null
  full_name: string | null
  job_title: string
}

export const selectInterviewSubjects = (workspace: string, applications: readonly string[]): Sql<InterviewSubject> =>
  sql<InterviewSubject>`
    select a.id as application_id, p.first_name, p.last_name, p.full_name, j.title as job_title
    from applications a
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
    left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id and p.suppressed_at is null
    where a.workspace_id = ${workspace} and a.id = any(${applications}::text[])`

/** Why an email to the candidate would not leave, as far as it is known before. */
export const selectMailFacts = (workspace: string, applicationId: string) =>
  sql<{ has_email: boolean; unsubscribed: boolean }>`
    select p.email is not null as has_email, p.unsubscribed_at is not null or exists (select from unsubscribes u
      where u.workspace_id = ${workspace} and u.email_key = p.email_key) as unsubscribed
    from applications a join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id
    where a.workspace_id = ${workspace} and a.id = ${applicationId}`

/** By itself: in a cluster sites are not where interviews are. */
export const openSite = (workspace: string) =>
  sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace} and enabled`

export interface InterviewSettings {
  feedback_hours: number
  full_names_in_calendars: boolean
}

export const selectInterviewSettings = (workspace: string): Sql<InterviewSettings> =>
  sql<InterviewSettings>`
    select feedback_hours, full_names_in_calendars from hiring_settings where workspace_id = ${workspace}`

export const putInterviewSettings = (workspace: string, s: InterviewSettings): Sql<InterviewSettings> =>
  sql<InterviewSettings>`
    insert into hiring_settings (workspace_id, feedback_hours, full_names_in_calendars)
    values (${workspace}, ${s.feedback_hours}, ${s.full_names_in_calendars}::boolean)
    on conflict (workspace_id) do update set feedback_hours = excluded.feedback_hours,
      full_names_in_calendars = excluded.full_names_in_calendars
    returning feedback_hours, full_names_in_calendars`

// Hours and calendars of members

export interface MemberHours {
  user_id: string
  time_zone: string
  hours: WeeklyHours
}

export const selectHours = (workspace: string, users: readonly string[]): Sql<MemberHours> =>
  sql<MemberHours>`
    select user_id, time_zone, hours from member_hours
    where workspace_id = ${workspace} and user_id = any(${users}::text[])`

export const putHours = (workspace: string, userId: string, timeZone: string, hours: WeeklyHours): Sql<MemberHours> =>
  sql<MemberHours>`
    insert into member_hours (workspace_id, user_id, time_zone, hours)
    values (${workspace}, ${userId}, ${timeZone}, ${JSON.stringify(hours)}::jsonb)
    on conflict (workspace_id, user_id) do update set time_zone = excluded.time_zone, hours = excluded.hours
    returning user_id, time_zone, hours`

export const putCalendarSecret = (workspace: string, userId: string, secretHash: string) =>
  sql<{ created_at: string }>`
    insert into member_calendars (workspace_id, user_id, secret_hash) values (${workspace}, ${userId}, ${secretHash})
    on conflict (workspace_id, user_id) do update set secret_hash = excluded.secret_hash, created_at = excluded.created_at
    returning created_at`

export const deleteCalendarSecret = (workspace: string, userId: string): Sql => sql`
  delete from member_calendars where workspace_id = ${workspace} and user_id = ${userId}`

export const selectCalendarAddress = (workspace: string, userId: string) =>
  sql<{ created_at: string }>`
    select created_at from member_calendars where workspace_id = ${workspace} and user_id = ${userId}`

/** Whose calendar a secret opens. */
export const calendarBySecret = (secretHash: string) =>
  sql<{ workspace_id: string; user_id: string }>`
    select c.workspace_id, c.user_id from member_calendars c join workspaces w on w.id = c.workspace_id
    where c.secret_hash = ${secretHash} and w.closing_at is null`

/** Days that a calendar goes back, and interviews that it shows at most. */
const CALENDAR_DAYS_BACK = 60
const MAX_IN_CALENDAR = 1_000

/** The interviews of a member, also those that are not due: a calendar shows the past too. */
export const interviewsOfMember = (workspace: string, userId: string): Sql<StoredInterview> =>
  sql<StoredInterview>`
    select ${COLUMNS(workspace)} from interviews i
    where i.workspace_id = ${workspace} and i.state in ('scheduled', 'no_show')
      and i.id in (select p.interview_id from interview_people p where p.workspace_id = ${workspace} and p.user_id = ${userId})
      and i.starts_at > app_now() - ${CALENDAR_DAYS_BACK}::integer * interval '1 day'
    order by i.starts_at desc, i.id limit ${MAX_IN_CALENDAR}`

// Feedback

export interface EndedInterview {
  workspace_id: string
  id: string
  application_id: string
}

/** Interviews of all workspaces that have ended, and whose people were not asked for their scorecards. */
export const endedInterviews = (limit: number): Sql<EndedInterview> =>
  sql<EndedInterview>`
    select workspace_id, id, application_id from interviews
    where state = 'scheduled' and feedback_asked_at is null and ends_at <= app_now()
    order by ends_at limit ${limit}`

/** No row if another process has it, or has done it. */
export const takeEnded = (workspace: string, id: string) =>
  sql<{ starts_at: string; ends_at: string; organizer_id: string; stage_id: string }>`
    update interviews i set feedback_asked_at = app_now()
    where i.workspace_id = ${workspace} and i.id = (
      select id from interviews where workspace_id = ${workspace} and id = ${id}::uuid and state = 'scheduled'
        and feedback_asked_at is null and ends_at <= app_now() for update skip locked)
    returning i.starts_at, i.ends_at, i.organizer_id, i.stage_id`

export const peopleOf = (workspace: string, id: string) =>
  sql<{ user_id: string }>`
    select user_id from interview_people where workspace_id = ${workspace} and interview_id = ${id}::uuid
    order by position, user_id`

// The candidate's page

export interface OwnInterview extends StoredInterview {
  job_title: string
  application_status: ApplicationStatus
}

export const selectOwnInterviews = (workspace: string, applicantId: string): Sql<OwnInterview> =>
  sql<OwnInterview>`
    select ${COLUMNS(workspace)}, j.title as job_title, a.status as application_status
    from applications a
    join interviews i on i.workspace_id = ${workspace} and i.application_id = a.id
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and i.invites_candidate
    order by coalesce(i.starts_at, i.created_at) desc, i.id limit ${MAX_SHOWN}`

/** All of them, for the person's own download. */
export const everyOwnInterview = (workspace: string, applicantId: string): Sql<OwnInterview> =>
  sql<OwnInterview>`
    select ${COLUMNS(workspace)}, j.title as job_title, a.status as application_status
    from applications a
    join interviews i on i.workspace_id = ${workspace} and i.application_id = a.id
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
    where a.workspace_id = ${workspace} and a.applicant_id = ${applicantId} and i.invites_candidate
    order by i.created_at, i.id`

export const ownInterview = (workspace: string, applicantId: string, id: string): Sql<OwnInterview> =>
  sql<OwnInterview>`
    select ${COLUMNS(workspace)}, j.title as job_title, a.status as application_status
    from interviews i
    join applications a on a.workspace_id = ${workspace} and a.id = i.application_id
    join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
    where i.workspace_id = ${workspace} and i.id = ${id}::uuid and a.applicant_id = ${applicantId} and i.invites_candidate`

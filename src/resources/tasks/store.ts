import type { ApplicationStatus } from '../../contract/application-status.ts'
import { jobsOfTeam, type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { OPEN } from '../applications/shape.ts'
import { WRITTEN_SINCE } from '../hiring-team/index.ts'
import type { CandidateAnswer, InterviewKind } from '../interviews/shape.ts'
import { isInView, othersActs, type TaskView } from '../shared/task-states.ts'
import { MAX_TASKS, REPLY_DAYS } from './rules.ts'

// What waits for a member, from the tables of what it is about. Members are on the coordinator of a cluster: no statement
// joins them, and what is read names them by their handles.

/** Whose tasks are read, and which of them. */
export interface TaskReader extends LimitedPerson {
  view: TaskView
}

export interface TaskCandidate {
  application_id: string
  job_id: string
  job_title: string
  stage_id: string
  stage_name: string
  status: ApplicationStatus
  applicant_name: string | null
}

const CANDIDATE = sql`
  a.id as application_id, a.job_id, j.title as job_title, a.stage_id, s.name as stage_name, a.status,
  p.full_name as applicant_name`

const OF_APPLICATION = (workspace: string) => sql`
  join jobs j on j.workspace_id = ${workspace} and j.id = a.job_id
  join pipeline_stages s on s.workspace_id = ${workspace} and s.id = a.stage_id
  left join applicants p on p.workspace_id = ${workspace} and p.id = a.applicant_id`

const IS_OPEN = sql`a.status in ${OPEN} and p.suppressed_at is null`

/** Nothing of jobs or candidates that the person has no access to any more. */
const WITHIN_REACH = (who: LimitedPerson) => reachesCandidate(who, { job: sql`a.job_id`, application: sql`a.id` })

/** The jobs for whose candidates a member is responsible where no one is in particular. */
const recruitsFor = (who: LimitedPerson) => sql`${jobsOfTeam(who)} and role in ('recruiter', 'hiring_manager')`

/** A row if the person recruits for a job. */
export const recruitsAnywhere = (who: LimitedPerson) => sql<{ job_id: string }>`${recruitsFor(who)} limit 1`

const isResponsible = (who: LimitedPerson) => sql`(a.owner_user_id = ${who.userId}
  or a.owner_user_id is null and a.job_id in (${recruitsFor(who)}))`

/**
 * Candidates for whom the member is responsible, the longest in their stage first: their own, and those of the jobs that
 * they recruit for. Each job is read by its index, so that a workspace with more jobs costs no more.
 */
const responsibleFor = (who: LimitedPerson, columns: Sql, where: Sql, limit: number): Sql => {
  const { workspace, userId } = who
  const read = (mine: Sql) => sql`
    select ${CANDIDATE}, ${columns} from applications a ${OF_APPLICATION(workspace)}
    where a.workspace_id = ${workspace} and ${mine} and ${IS_OPEN} and j.status <> 'closed'
      and ${WITHIN_REACH(who)} and ${where}
    order by a.stage_entered_at, a.id limit ${limit}`
  return sql`
    (${read(sql`a.owner_user_id = ${userId}`)})
    union all
    select l.* from (${recruitsFor(who)}) mine
    cross join lateral (${read(sql`a.job_id = mine.job_id and a.owner_user_id is null`)}) l`
}

const daysAgo = (days: number) => sql`(app_now() - ${days}::integer * interval '1 day')`

const APPLICATION = { subject: sql`a.id::text`, application: sql`a.id` } as const

export interface CandidateTask extends TaskCandidate {
  /** in the stage */
  since: string
  /** When someone else did something that ended a snooze; null: the task is one by its own time */
  changed_at: string | null
}

/** Candidates that no one has looked at. */
export const newCandidates = (who: TaskReader, days: number, limit = MAX_TASKS): Sql<CandidateTask> => {
  const where = sql`a.status = 'new' and not s.is_terminal and a.stage_entered_at >= ${daysAgo(days)}
    and ${isInView(who, who.view, { kind: 'candidate', ...APPLICATION, since: sql`a.stage_entered_at` })}`
  const columns = sql`a.stage_entered_at as since, null::timestamptz as changed_at`
  return sql<CandidateTask>`
    select * from (${responsibleFor(who, columns, where, limit)}) n order by since, application_id limit ${limit}`
}

/** Candidates who are longer in a stage than the limit. Only a decision, another responsible member or a snooze ends it. */
const OVERDUE = (who: TaskReader, days: number, limit: number) =>
  responsibleFor(
    who,
    sql`a.stage_entered_at as since, null::timestamptz as changed_at`,
    sql`not s.is_terminal and a.stage_entered_at < ${daysAgo(days)}
      and ${isInView(who, who.view, { kind: 'candidate', ...APPLICATION, since: null })}`,
    limit,
  )

/**
 * Snoozed candidates to whom something happened before the snooze was over. They are tasks until the member does something
 * about them or marks them as done, also in a stage that they have just entered.
 */
const BACK = (who: TaskReader, days: number, limit: number) => {
  const { workspace, userId } = who
  return sql`
    select ${CANDIDATE}, a.stage_entered_at as since, acts.last as changed_at
    from task_states t
    join applications a on a.workspace_id = ${workspace} and a.id = t.application_id ${OF_APPLICATION(workspace)}
    cross join lateral (
      select min(o.at) as first, max(o.at) as last from (${othersActs(who, sql`a.id`)}) o where o.at > t.snoozed_at
    ) acts
    where t.workspace_id = ${workspace} and t.user_id = ${userId} and t.kind = 'candidate' and t.snoozed_at is not null
      and acts.first <= t.snoozed_until and p.suppressed_at is null and j.status <> 'closed' and ${isResponsible(who)}
      and (a.status = 'withdrawn' or a.status in ${OPEN} and not s.is_terminal
        and a.status <> 'new' and a.stage_entered_at >= ${daysAgo(days)})
      and ${WITHIN_REACH(who)}
      and not exists (select from stage_transitions m where m.workspace_id = ${workspace} and m.application_id = a.id
        and m.user_id = ${userId} and m.at > acts.last)
    order by acts.last, a.id limit ${limit}`
}

/** The longest in their stage first. */
export const waitingCandidates = (who: TaskReader, days: number, limit = MAX_TASKS): Sql<CandidateTask> => {
  const back = who.view === 'open' ? sql`union all (${BACK(who, days, limit)})` : none
  return sql<CandidateTask>`
    select * from ((${OVERDUE(who, days, limit)}) ${back}) w order by since, application_id limit ${limit}`
}

/** Those of the applications who wait for a decision: they cannot be marked as done. */
export const waitingAmong = (who: LimitedPerson, days: number, applications: readonly string[]) => sql<{ id: string }>`
  select a.id from applications a ${OF_APPLICATION(who.workspace)}
  where a.workspace_id = ${who.workspace} and a.id = any(${applications}::text[]) and ${IS_OPEN}
    and j.status <> 'closed' and not s.is_terminal and a.stage_entered_at < ${daysAgo(days)}`

/** Open candidates whom a key moved into a final stage: someone must say what became of them. */
export const undecidedCandidates = (who: TaskReader, limit = MAX_TASKS): Sql<CandidateTask> => {
  const { workspace } = who
  const read = (from: Sql, mine: Sql) => sql`
    select ${CANDIDATE}, a.stage_entered_at as since, null::timestamptz as changed_at
    from ${from} applications a ${OF_APPLICATION(workspace)}
    where a.workspace_id = ${workspace} and ${mine} and ${IS_OPEN} and s.is_terminal and ${WITHIN_REACH(who)}
      and ${isInView(who, who.view, { kind: 'undecided', ...APPLICATION, since: null })}`
  return sql<CandidateTask>`
    select * from (
      ${read(none, sql`a.owner_user_id = ${who.userId}`)}
      union all
      ${read(
        sql`(${recruitsFor(who)}) mine
          join pipeline_stages f on f.workspace_id = ${workspace} and f.job_id = mine.job_id and f.is_terminal cross join`,
        sql`a.stage_id = f.id and a.owner_user_id is null`,
      )}
    ) u order by since, application_id limit ${limit}`
}

/** `requested_by`: the handle of a member */
export interface CardTask extends TaskCandidate {
  requested_at: string
  requested_by: string | null
}

export const dueCards = (who: TaskReader, limit = MAX_TASKS): Sql<CardTask> => {
  const { workspace } = who
  const task = { kind: 'scorecard', ...APPLICATION, since: sql`r.requested_at` } as const
  return sql<CardTask>`
    select ${CANDIDATE}, r.requested_at, r.requested_by
    from scorecard_requests r
    join applications a on a.workspace_id = ${workspace} and a.id = r.application_id ${OF_APPLICATION(workspace)}
    where r.workspace_id = ${workspace} and r.user_id = ${who.userId} and ${IS_OPEN} and not ${WRITTEN_SINCE(workspace)}
      and ${WITHIN_REACH(who)} and ${isInView(who, who.view, task)}
    order by r.requested_at, a.id limit ${limit}`
}

/** `author`: the handle of a member */
export interface MentionTask extends TaskCandidate {
  note_id: string
  created_at: string
  author: string | null
  body: string
}

export const openMentions = (who: TaskReader, limit = MAX_TASKS): Sql<MentionTask> => {
  const { workspace } = who
  const task = { kind: 'mention', subject: sql`m.note_id::text`, application: sql`a.id`, since: null } as const
  return sql<MentionTask>`
    select ${CANDIDATE}, m.note_id, m.created_at, n.body, n.author_user_id as author
    from note_mentions m
    join notes n on n.workspace_id = ${workspace} and n.id = m.note_id
    join applications a on a.workspace_id = ${workspace} and a.id = n.application_id ${OF_APPLICATION(workspace)}
    where m.workspace_id = ${workspace} and m.user_id = ${who.userId} and m.done_at is null and p.suppressed_at is null
      and ${WITHIN_REACH(who)} and ${isInView(who, who.view, task)}
    order by m.created_at, m.note_id limit ${limit}`
}

export interface InterviewTask extends TaskCandidate {
  interview_id: string
  kind: InterviewKind
  starts_at: string
  ends_at: string
}

const INTERVIEW = sql`${CANDIDATE}, i.id as interview_id, i.kind, i.starts_at, i.ends_at`

const OWN_INTERVIEWS = (who: LimitedPerson) => sql`
  from interview_people me
  join interviews i on i.workspace_id = ${who.workspace} and i.id = me.interview_id
  join applications a on a.workspace_id = ${who.workspace} and a.id = i.application_id ${OF_APPLICATION(who.workspace)}
  where me.workspace_id = ${who.workspace} and me.user_id = ${who.userId} and i.state = 'scheduled'
    and p.suppressed_at is null and ${WITHIN_REACH(who)}`

/** Interviews of a member that are not over and begin before a time, the first one first. */
export const interviewsUntil = (who: TaskReader, until: string, limit = MAX_TASKS): Sql<InterviewTask> => {
  const task = {
    kind: 'interview',
    subject: sql`i.id::text`,
    application: sql`a.id`,
    since: sql`i.updated_at`,
  } as const
  return sql<InterviewTask>`
    select ${INTERVIEW} ${OWN_INTERVIEWS(who)}
      and i.ends_at > app_now() and i.starts_at < ${until}::timestamptz and ${isInView(who, who.view, task)}
    order by i.starts_at, i.id limit ${limit}`
}

export const nextInterview = (who: LimitedPerson): Sql<InterviewTask> =>
  sql<InterviewTask>`
    select ${INTERVIEW} ${OWN_INTERVIEWS(who)} and i.starts_at > app_now() order by i.starts_at, i.id limit 1`

export interface AnswerTask extends TaskCandidate {
  interview_id: string
  answer: CandidateAnswer
  answered_at: string
}

/** What candidates said about interviews that the member has planned, and that no one has answered. */
export const openAnswers = (who: TaskReader, limit = MAX_TASKS): Sql<AnswerTask> => {
  const { workspace } = who
  const task = { kind: 'answer', subject: sql`i.id::text`, application: sql`a.id`, since: sql`i.answered_at` } as const
  return sql<AnswerTask>`
    select ${CANDIDATE}, i.id as interview_id, i.answer, i.answered_at
    from interviews i
    join applications a on a.workspace_id = ${workspace} and a.id = i.application_id ${OF_APPLICATION(workspace)}
    where i.workspace_id = ${workspace} and i.organizer_id = ${who.userId} and i.answer is not null
      and p.suppressed_at is null and ${WITHIN_REACH(who)} and ${isInView(who, who.view, task)}
    order by i.answered_at, i.id limit ${limit}`
}

export interface ReplyTask extends TaskCandidate {
  since: string
}

/** As many messages of candidates as one read looks at: in a busier workspace older ones are not tasks. */
const MESSAGES_READ = 2_000

/** Candidates who wrote last: to the member who is responsible, or who had written to them. */
export const openReplies = (who: TaskReader, limit = MAX_TASKS): Sql<ReplyTask> => {
  const { workspace, userId } = who
  const task = { kind: 'reply', ...APPLICATION, since: sql`m.created_at` } as const
  return sql<ReplyTask>`
    select ${CANDIDATE}, m.created_at as since
    from (
      select * from messages m where m.workspace_id = ${workspace} and m.direction = 'in'
        and m.created_at > ${daysAgo(REPLY_DAYS)} order by m.created_at desc limit ${MESSAGES_READ}
    ) m
    join applications a on a.workspace_id = ${workspace} and a.id = m.application_id ${OF_APPLICATION(workspace)}
    where m.key_id not like 'usr\\_%' and p.suppressed_at is null and ${WITHIN_REACH(who)}
      and not exists (select from messages n where n.workspace_id = ${workspace} and n.applicant_id = m.applicant_id
        and n.application_id = m.application_id and (n.created_at, n.id) > (m.created_at, m.id)
        and (n.direction = 'out' and n.status in ('sending', 'sent', 'scheduled')
          or n.direction = 'in' and n.key_id not like 'usr\\_%'))
      and (${isResponsible(who)} or exists (select from messages o where o.workspace_id = ${workspace}
        and o.applicant_id = m.applicant_id and o.application_id = m.application_id and o.direction = 'out'
        and o.key_id = ${userId} and o.created_at < m.created_at))
      and ${isInView(who, who.view, task)}
    order by m.created_at, a.id limit ${limit}`
}

export interface UnsentTask extends TaskCandidate {
  message_id: string
  failure: string | null
  since: string
}

/** Messages of the member that were not sent, and after which no other one was. */
export const unsentMessages = (who: TaskReader, limit = MAX_TASKS): Sql<UnsentTask> => {
  const { workspace, userId } = who
  const task = { kind: 'unsent', subject: sql`m.id::text`, application: sql`a.id`, since: sql`m.created_at` } as const
  return sql<UnsentTask>`
    select ${CANDIDATE}, m.id as message_id, m.failure, m.created_at as since
    from messages m
    join applications a on a.workspace_id = ${workspace} and a.id = m.application_id ${OF_APPLICATION(workspace)}
    where m.workspace_id = ${workspace} and m.key_id = ${userId} and m.status = 'failed' and m.direction = 'out'
      and m.created_at > ${daysAgo(REPLY_DAYS)} and p.suppressed_at is null and ${WITHIN_REACH(who)}
      and not exists (select from messages n where n.workspace_id = ${workspace} and n.applicant_id = m.applicant_id
        and n.application_id = m.application_id and n.direction = 'out' and n.created_at > m.created_at
        and n.status in ('sending', 'sent', 'scheduled'))
      and ${isInView(who, who.view, task)}
    order by m.created_at, m.id limit ${limit}`
}

/** How many tasks of each kind there are, up to a limit, in one statement. Interviews: those that begin before a time. */
export const countAll = (who: TaskReader, { days, until }: { days: number; until: string }, limit: number) => {
  const count = (tasks: Sql) => sql`(select count(*)::integer from (${tasks}) tasks)`
  return sql<Counts>`
    select ${count(openMentions(who, limit))} as mentions, ${count(interviewsUntil(who, until, limit))} as interviews,
      ${count(dueCards(who, limit))} as scorecards, ${count(openReplies(who, limit))} as replies,
      ${count(openAnswers(who, limit))} as answers, ${count(unsentMessages(who, limit))} as unsent,
      ${count(undecidedCandidates(who, limit))} as undecided, ${count(newCandidates(who, days, limit))} as fresh,
      ${count(waitingCandidates(who, days, limit))} as waiting`
}

export interface Counts {
  mentions: number
  interviews: number
  scorecards: number
  replies: number
  answers: number
  unsent: number
  undecided: number
  fresh: number
  waiting: number
}

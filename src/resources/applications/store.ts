import { APPLICATION_STATUSES, type ApplicationStatus } from '../../contract/application-status.ts'
import { type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { textLock } from '../../kernel/db/locks.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import type { Order, Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf } from '../../kernel/record/record.ts'
import { resumeAccess } from '../resumes/shape.ts'
import type { PrescreenQuestion } from './form-rules.ts'
import type { FormField } from './rules.ts'
import { type ApplicationRow, applicationRecord, scoreRecord, type scoreShape, screeningRecord } from './shape.ts'

const { resume_unlocked_at, usable_score } = applicationRecord.stored
const listed = { ...applicationRecord.fields, usable_score }
const LIST_COLUMNS = columnsOf(listed, 'a')

/** As the statements of this file read it. `usable_score`: -1 if there is none. */
export type ScoredApplication = ApplicationRow & Partial<Pick<ColumnsOf<typeof listed>, 'usable_score'>>

const detail = { ...listed, resume_unlocked_at }
const detailColumns = (workspace: string): Sql => sql`${columnsOf(detail, 'a')}, ${workspaceNow(workspace)} as now`
/** The columns of a row that this statement wrote: its change is now, and `returning` may read no clock. */
export const WRITTEN_COLUMNS = sql`${columnsOf(detail, 'a')}, a.updated_at as now`

export type StoredApplication = ApplicationRow & ColumnsOf<typeof detail> & { now: string }

export const withResumeAccess = (row: StoredApplication): ApplicationRow =>
  row.has_resume ? { ...row, resume_access: resumeAccess(row.applied_at, row.resume_unlocked_at, row.now) } : row

/** Newest application first, so that a row keeps its position when it changes. */
export const BY_APPLIED: Order = {
  by: 'applied_at',
  tiebreaker: 'id',
  changedAt: 'updated_at',
  direction: 'desc',
  table: 'a',
}

/** Best score first; those without one last, because triggers give them -1. A score that may not be used counts as none. */
export const BY_SCORE = {
  by: 'usable_score',
  byType: 'integer',
  changedAt: 'updated_at',
  tiebreaker: 'id',
  direction: 'desc',
  table: 'a',
  isFixed: true,
} as const satisfies Order

export interface ApplicationFilter {
  jobId?: string | undefined
  applicantId?: string | undefined
  /** Keeps the applications of any of these applicants. */
  applicantIds?: readonly string[] | undefined
  stageId?: string | undefined
  status?: ApplicationStatus[] | undefined
  appliedAfter?: string | undefined
  sourceSystem?: string | undefined
  externalId?: string | undefined
  /** a score of at least this */
  minScore?: number | undefined
}

/**
 * A page of applications. Several statuses are read one by one, each in the order of its index, and merged: rare ones
 * are then found as fast as frequent ones. The indexes of source systems and of scores are ordered within each status, so
 * all statuses are read that way where nothing else narrows the list.
 */
export const applicationsPage = (workspace: string, f: ApplicationFilter, page: Page): Sql<ApplicationRow> => {
  const job = f.jobId ? sql`and a.job_id = ${f.jobId}` : none
  const applicant = f.applicantId ? sql`and a.applicant_id = ${f.applicantId}` : none
  const applicants = f.applicantIds ? sql`and a.applicant_id = any(${f.applicantIds}::text[])` : none
  const stage = f.stageId ? sql`and a.stage_id = ${f.stageId}` : none
  // nothing changes before it is there, which bounds what is read in the order of change
  const applied = f.appliedAfter
    ? sql`and a.applied_at > ${f.appliedAfter}::timestamptz and a.updated_at > ${f.appliedAfter}::timestamptz`
    : none
  const system = f.sourceSystem === undefined ? none : sql`and a.source_system = ${f.sourceSystem}`
  const external = f.externalId === undefined ? none : sql`and a.source_external_id = ${f.externalId}`
  const score = f.minScore === undefined ? none : sql`and a.usable_score >= ${f.minScore}::integer`
  const conditions = sql`a.workspace_id = ${workspace} ${job} ${applicant} ${applicants} ${stage} ${system} ${external}
    ${applied} ${score}`
  const byScore = page.by === BY_SCORE.by
  if (page.by === BY_APPLIED.by || (f.minScore !== undefined && !byScore)) {
    return sortedInJob(conditions, f, page)
  }
  const having = (status: Sql) => sql<ApplicationRow>`
    select ${LIST_COLUMNS} from applications a where ${conditions} ${status} ${page.clause}`
  const bySystem =
    f.sourceSystem !== undefined && f.externalId === undefined && !f.jobId && !f.applicantId && !f.stageId
  const statuses = f.status ?? (bySystem || byScore ? APPLICATION_STATUSES : [])
  const each = [...new Set(statuses)].map(status => having(sql`and a.status = ${status}`))
  const [first, ...others] = each
  if (!first) return having(none)
  if (others.length === 0) return first
  const all = each.map(one => sql`(${one})`).reduce((before, one) => sql`${before} union all ${one}`)
  return sql<ApplicationRow>`select * from (${all}) a ${page.sort} limit ${page.limit + 1}`
}

/**
 * No index has the rows of a job in these orders: each page costs a look at every application of the job that matches.
 * `offset 0` keeps the planner from walking an index of the whole workspace.
 */
const sortedInJob = (conditions: Sql, f: ApplicationFilter, page: Page) => sql<ApplicationRow>`
  select a.* from (
    select ${LIST_COLUMNS} from applications a
    where ${conditions} ${f.status ? sql`and a.status = any(${f.status}::text[])` : none} offset 0
  ) a where true ${page.clause}`

/** For each handle that a list is filtered by, a statement that finds it in the workspace. */
export const filterHandles = (workspace: string, f: ApplicationFilter): Sql[] => {
  const find = (table: Sql, id: string | undefined) =>
    id === undefined ? [] : [sql`select 1 from ${table} where workspace_id = ${workspace} and id = ${id}`]
  return [
    ...find(sql`jobs`, f.jobId),
    ...find(sql`applicants`, f.applicantId),
    ...find(sql`pipeline_stages`, f.stageId),
  ]
}

/** How many applications a person is shown with. */
const MAX_NEWEST = 10

/** The newest applications of each of these people. `onTeam`: only those for jobs of a limited reader. */
export const selectApplications = (
  workspace: string,
  applicants: readonly string[],
  onTeam: LimitedPerson | undefined,
) =>
  sql<ApplicationRow>`
    select a.* from unnest(${applicants}::text[]) person(id) cross join lateral (
      select ${LIST_COLUMNS} from applications a
      where a.workspace_id = ${workspace} and a.applicant_id = person.id
        ${onTeam ? sql`and ${reachesCandidate(onTeam, { job: sql`a.job_id`, application: sql`a.id` })}` : none}
      order by a.updated_at desc, a.id desc limit ${MAX_NEWEST}
    ) a order by a.updated_at desc, a.id desc`

export const applicationsById = (workspace: string, ids: readonly string[]): Sql<ApplicationRow> =>
  sql<ApplicationRow>`
    select ${LIST_COLUMNS} from applications a where a.workspace_id = ${workspace} and a.id = any(${ids}::text[])`

export const applicationById = (workspace: string, id: string): Sql<StoredApplication> =>
  sql<StoredApplication>`select ${detailColumns(workspace)} from applications a where a.workspace_id = ${workspace} and a.id = ${id}`

export type ExportedApplication = StoredApplication & { stopped: boolean }

/** Every application, and whether the processing of its person was stopped. */
export const allApplications = (workspace: string): Sql<ExportedApplication> =>
  sql<ExportedApplication>`
    select ${detailColumns(workspace)}, exists (select from applicants p
      where p.workspace_id = ${workspace} and p.id = a.applicant_id and p.suppressed_at is not null) as stopped
    from applications a where a.workspace_id = ${workspace}`

/** A statement of its own: one that also names the applications would be planned again at each execution in a cluster. */
export const stoppedAmong = (workspace: string, applicantIds: readonly string[]) =>
  sql<{ id: string }>`
    select id from applicants
    where workspace_id = ${workspace} and id = any(${applicantIds}::text[]) and suppressed_at is not null`

export const lockApplication = (workspace: string, id: string): Sql<StoredApplication> =>
  sql<StoredApplication>`${applicationById(workspace, id)} for update`

export const selectAnswers = (workspace: string, id: string) =>
  sql<{ application_id: string; answers: string }>`
    select a.id as application_id, coalesce(s.answers, '{}')::text as answers
    from applications a
    left join application_answers s on s.workspace_id = a.workspace_id and s.application_id = a.id
    where a.workspace_id = ${workspace} and a.id = ${id}`

const SCORE = columnsOf(scoreRecord.fields)

export const selectScores = (workspace: string, ids: readonly string[]) =>
  sql<Row<typeof scoreShape>>`
    select ${SCORE} from application_scores where workspace_id = ${workspace} and application_id = any(${ids}::text[])`

export const selectScore = (workspace: string, id: string) =>
  sql<Row<typeof scoreShape>>`
    select ${SCORE} from application_scores where workspace_id = ${workspace} and application_id = ${id}`

type ScreeningColumns = ColumnsOf<typeof screeningRecord.fields>
export type StoredScreening = Omit<ScreeningColumns, 'application_id'>

const SCREENING = columnsOf(screeningRecord.fields)

export const selectScreening = (workspace: string, id: string) =>
  sql<ScreeningColumns>`
    select ${SCREENING} from screenings where workspace_id = ${workspace} and application_id = ${id}`

// What a job says about applying. Jobs are another slice's; these read what creation and moves need of them.

export interface JobForApplying {
  id: string
  status: string
  accept_applications: boolean
  /** its form is the workspace's */
  form_is_template: boolean
}

/**
 * Shared lock: a job is not closed between this look and the commit of the application. One that is due to close counts
 * as closed before the worker comes.
 */
export const jobForApplying = (workspace: string, id: string): Sql<JobForApplying> =>
  sql<JobForApplying>`
    select id, case when status = 'published' and close_at <= ${workspaceNow(workspace)} then 'closed'
        else status end as status, accept_applications, form_is_template from jobs
    where workspace_id = ${workspace} and id = ${id} for share`

/** The fields of the job's own form, or of the workspace's. */
export const selectApplyingForm = (
  workspace: string,
  job: Pick<JobForApplying, 'id' | 'form_is_template'>,
): Sql<FormField> =>
  sql<FormField>`
    select id, label, type, required, help_text, options, max_length, candidate_field, version, condition
    from form_fields
    where workspace_id = ${workspace} and deleted_at is null
      and ${job.form_is_template ? sql`job_id is null` : sql`job_id = ${job.id}`}
    order by position, id`

export const selectPrescreen = (workspace: string, jobId: string): Sql<PrescreenQuestion> =>
  sql<PrescreenQuestion>`
    select id, prompt, answer_type, choices, required from prescreen_questions
    where workspace_id = ${workspace} and job_id = ${jobId} order by kind desc, position`

export interface ApplicationStage {
  id: string
  type: string
  is_terminal: boolean
  /** packages that are ordered when a candidate enters it */
  order_package_ids: readonly string[]
}

export const selectJobStages = (workspace: string, jobId: string): Sql<ApplicationStage> =>
  sql<ApplicationStage>`
    select id, type, is_terminal, order_package_ids from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${jobId} order by position`

/** Stages in which an application ends. Every other stage is open. */
const FINAL = sql`('hired', 'rejected')`

/** The last stage before the end, as the history has it; else the last open stage of the job. */
export const lastOpenStage = (workspace: string, id: string, jobId: string) =>
  sql<EnteredStage>`
    select s.id, s.type from pipeline_stages s
    left join (select to_stage_id, max(id) as step from stage_transitions
      where workspace_id = ${workspace} and application_id = ${id} group by to_stage_id) t on t.to_stage_id = s.id
    where s.workspace_id = ${workspace} and s.job_id = ${jobId} and s.type not in ${FINAL}
    order by t.step desc nulls last, s.position desc limit 1`

/** What is stored about the end of an application, and not shown by the API. */
export interface Outcome {
  rejection_reason_id: string | null
  withdrawal_reason_id: string | null
  /** null: not withdrawn, or before that was recorded */
  withdrawn_by: 'person' | 'team' | null
}

export const selectOutcome = (workspace: string, id: string) =>
  sql<Outcome>`
    select rejection_reason_id, withdrawal_reason_id, withdrawn_by from applications
    where workspace_id = ${workspace} and id = ${id}`

export const stageById = (workspace: string, id: string) =>
  sql<EnteredStage & { job_id: string; order_package_ids: string[] }>`
    select id, type, job_id, order_package_ids from pipeline_stages where workspace_id = ${workspace} and id = ${id}`

// Creation

/** Creations under one external id take turns. Ends with the transaction. */
export const lockExternalId = (workspace: string, jobId: string, system: string, externalId: string) =>
  sql`select pg_advisory_xact_lock(${textLock('externalId', workspace, jobId, system, externalId)})`

export const byExternalId = (workspace: string, jobId: string, system: string, externalId: string) =>
  sql<StoredApplication>`
    select ${detailColumns(workspace)} from applications a
    where a.workspace_id = ${workspace} and a.job_id = ${jobId} and a.source_system = ${system}
      and a.source_external_id = ${externalId}`

/** The one that is not withdrawn, or the last of those that are: on the public form people may apply again after that. */
export const applicationByApplicant = (workspace: string, jobId: string, applicantId: string) =>
  sql<StoredApplication>`
    select ${detailColumns(workspace)} from applications a
    where a.workspace_id = ${workspace} and a.job_id = ${jobId} and a.applicant_id = ${applicantId}
    order by a.status = 'withdrawn', a.applied_at desc, a.id desc limit 1`

export interface NewApplication {
  workspace: string
  id: string
  jobId: string
  applicantId: string
  stageId: string
  status: ApplicationStatus
  source: string
  sourceSystem: string | null
  sourceExternalId: string | null
  hasResume: boolean
  voiceScreeningOptedOut: boolean
  screeningPhone: string | null
  /** no one has proved the address that it came with */
  unproved: boolean
  /** null: now, as is any later time */
  appliedAt: string | null
}

/** Nothing is inserted where the person has an open application on the job already, or the external id has one. */
export const insertApplication = (a: NewApplication): Sql<StoredApplication> =>
  sql<StoredApplication>`
    insert into applications as a (workspace_id, id, job_id, applicant_id, stage_id, status, source, source_system,
      source_external_id, has_resume, parse_status, voice_screening_opted_out, screening_phone, unproved, applied_at)
    values (${a.workspace}, ${a.id}, ${a.jobId}, ${a.applicantId}, ${a.stageId}, ${a.status}, ${a.source},
      ${a.sourceSystem}, ${a.sourceExternalId}, ${a.hasResume}, ${a.hasResume ? 'pending' : null},
      ${a.voiceScreeningOptedOut}, ${a.screeningPhone}, ${a.unproved}, least(${a.appliedAt}::timestamptz, app_now()))
    on conflict do nothing
    returning ${WRITTEN_COLUMNS}`

export const insertAnswers = (workspace: string, id: string, answers: object) => sql`
  insert into application_answers (workspace_id, application_id, answers)
  values (${workspace}, ${id}, ${JSON.stringify(answers)}::jsonb)`

/** What candidates alone give. No statement but those of their own pages and of erasure reads it. */
export interface PrivateAnswers {
  equalOpportunity: object
  consents: object
  prescreen: object
}

export const insertPrivateAnswers = (workspace: string, id: string, p: PrivateAnswers) => sql`
  insert into application_private_answers (workspace_id, application_id, equal_opportunity, consents, prescreen)
  values (${workspace}, ${id}, ${JSON.stringify(p.equalOpportunity)}::jsonb, ${JSON.stringify(p.consents)}::jsonb,
    ${JSON.stringify(p.prescreen)}::jsonb)`

export interface NewFile {
  field_id: string
  filename: string
  mime: string
  bytes: number
  blob_key: string
}

export const insertFiles = (workspace: string, id: string, files: readonly NewFile[]) => sql`
  insert into application_files (workspace_id, application_id, field_id, filename, mime, bytes, blob_key)
  select ${workspace}, ${id}, field_id, filename, mime, bytes, blob_key
  from jsonb_populate_recordset(null::application_files, ${JSON.stringify(files)}::jsonb)`

/** A stage that an application enters. Its step stores the type, which need not be looked up if it is given. */
export type EnteredStage = Pick<ApplicationStage, 'id' | 'type'>

// Changes

export const moveTo = (workspace: string, id: string, stageId: string): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set stage_id = ${stageId}, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

/** Applications in a stage, locked, so that each can be moved out of it. In the order of their handles: two callers take turns. */
export const lockApplicationsIn = (workspace: string, stageId: string, limit: number) => sql<{ id: string }>`
  select id from applications where workspace_id = ${workspace} and stage_id = ${stageId}
  order by id limit ${limit} for update`

export const moveAllTo = (workspace: string, ids: readonly string[], stageId: string): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set stage_id = ${stageId}, updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = any(${ids}::text[]) returning ${WRITTEN_COLUMNS}`

export const touch = (workspace: string, id: string): Sql<StoredApplication> =>
  sql<StoredApplication>`
    update applications a set updated_at = ${touched('a.updated_at')}
    where a.workspace_id = ${workspace} and a.id = ${id} returning ${WRITTEN_COLUMNS}`

export const deleteApplicationRow = (workspace: string, id: string) =>
  sql<{ job_id: string; applicant_id: string | null; updated_at: string }>`
    with deletions as (
      insert into file_deletions (workspace_id, blob_key)
      select ${workspace}, blob_key from resumes where workspace_id = ${workspace} and application_id = ${id}
      union all
      select ${workspace}, blob_key from application_files where workspace_id = ${workspace} and application_id = ${id}
      union all
      select ${workspace}, f ->> 'blob_key' from pending_submissions s, jsonb_array_elements(s.files) f
      where s.workspace_id = ${workspace} and s.application_id = ${id}
      on conflict do nothing
    ), reserved as (
      delete from uploads where workspace_id = ${workspace} and application_id = ${id}
    ), gone as (
      delete from applications where workspace_id = ${workspace} and id = ${id}
      returning job_id, applicant_id, updated_at
    )
    select job_id, applicant_id, ${touched()} as updated_at from gone`

export const selectApplicationIds = (workspace: string, applicantId: string) =>
  sql<{ id: string }>`
    select id from applications where workspace_id = ${workspace} and applicant_id = ${applicantId}
    order by id for update`

export const putScreening = (workspace: string, id: string, s: StoredScreening) => sql`
  insert into screenings (workspace_id, application_id, call_status, completion_state, duration_sec, consent_state,
    ambiguous_caller, started_at, ended_at)
  values (${workspace}, ${id}, ${s.call_status}, ${s.completion_state}, ${s.duration_sec}, ${s.consent_state},
    ${s.ambiguous_caller}, ${s.started_at}::timestamptz, ${s.ended_at}::timestamptz)
  on conflict (workspace_id, application_id) do update set call_status = excluded.call_status,
    completion_state = excluded.completion_state, duration_sec = excluded.duration_sec,
    consent_state = excluded.consent_state, ambiguous_caller = excluded.ambiguous_caller,
    started_at = excluded.started_at, ended_at = excluded.ended_at`

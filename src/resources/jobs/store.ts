import type { JobStatus } from '../../contract/job-status.ts'
import type { PublishReadiness } from '../../contract/publish-readiness.ts'
import { type LimitedPerson, reachesJob } from '../../kernel/access/reach.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { ColumnsOf } from '../../kernel/record/field.ts'
import { columnsOf, groupColumns, writtenColumns } from '../../kernel/record/record.ts'
import { jobBelow } from '../careers/index.ts'
import type { JobFields } from './fields.ts'
import {
  formFieldRecord,
  type formShape,
  jobRecord,
  jobRowShape,
  jobShape,
  questionRecord,
  type questionsShape,
  type sectionsShape,
  stageRecord,
  type stageShape,
} from './shape.ts'

type Sections = Row<typeof sectionsShape>
export type StageRow = Row<typeof stageShape>
export type FormRow = Row<typeof formShape>
export type QuestionsRow = Row<typeof questionsShape>

/**
 * The careers site that shows the published jobs. By itself: sites are not where jobs are when the store is a cluster, which
 * would read a statement about both in several steps.
 */
export const enabledSite = (workspace: string) =>
  sql<{ slug: string }>`select slug from career_sites where workspace_id = ${workspace} and enabled`

const LIST_COLUMNS = columnsOf(jobRowShape.fields, 'j')

const DETAIL_COLUMNS = columnsOf(jobShape.fields, 'j')

const detailColumns = (workspace: string) => sql`${DETAIL_COLUMNS},
  (select count(*) from applications a where a.workspace_id = ${workspace} and a.job_id = j.id) as application_count`

type BaseColumns = ColumnsOf<typeof jobRowShape.fields>
type DetailColumns = ColumnsOf<typeof jobShape.fields>
interface ApplicationCount {
  application_count: number
}
type SingleColumns = DetailColumns & ApplicationCount

const groupRow = groupColumns(jobRowShape.fields)
const groupJob = groupColumns(jobShape.fields)

/** `siteUrl` is the address of the careers site (`readSiteUrl`). */
export const toJobRow = (c: BaseColumns, siteUrl: string | null) => withPublicUrl(groupRow(c), siteUrl)
export const toJob = (c: SingleColumns, siteUrl: string | null) => withPublicUrl(groupJob(c), siteUrl)

function withPublicUrl<R extends { slug: string; status: JobStatus }>(
  row: R,
  siteUrl: string | null,
): R & { public_url: string | null } {
  // the row is new: setting a member costs less than another copy
  return Object.assign(row, {
    public_url: siteUrl === null || row.status !== 'published' ? null : siteUrl + jobBelow(row.slug),
  })
}

export interface JobFilters {
  statuses: readonly JobStatus[]
  department?: string
  location_type?: string
  employment_type?: string
  published_after?: string
  published_before?: string
  source_system?: string
  external_id?: string
  /** only jobs whose team this person is on */
  onTeam?: LimitedPerson
}

/** Uses only columns that `jobs` and `job_search` share. */
export function filterClause(f: JobFilters): Sql {
  const status =
    f.statuses.length === 3
      ? none
      : f.statuses.length === 1
        ? sql`and status = ${f.statuses[0]}`
        : f.statuses.includes('draft')
          ? sql`and status = any(${f.statuses}::text[])`
          : sql`and status <> 'draft'` // worded like the predicate of the index of public jobs, so that it is used
  return sql`${status}
    ${f.department === undefined ? none : sql`and department = ${f.department}`}
    ${f.location_type === undefined ? none : sql`and location_type = ${f.location_type}`}
    ${f.employment_type === undefined ? none : sql`and employment_type = ${f.employment_type}`}
    ${f.published_after === undefined ? none : sql`and published_at > ${f.published_after}::timestamptz`}
    ${f.published_before === undefined ? none : sql`and published_at < ${f.published_before}::timestamptz`}
    ${f.source_system === undefined ? none : sql`and source_system = ${f.source_system}`}
    ${f.external_id === undefined ? none : sql`and source_external_id = ${f.external_id}`}
    ${f.onTeam === undefined ? none : sql`and ${reachesJob(f.onTeam, sql`id`)}`}`
}

export const listJobs = (workspace: string, filters: JobFilters, page: Page): Sql<BaseColumns> =>
  sql<BaseColumns>`select ${LIST_COLUMNS} from jobs j where workspace_id = ${workspace} ${filterClause(filters)} ${page.clause}`

/** Rows of a list, from other sources than the table alone. */
export const selectJobRows = (from: Sql): Sql<BaseColumns> => sql<BaseColumns>`select ${LIST_COLUMNS} from ${from}`

export const jobRowsById = (workspace: string, ids: readonly string[]): Sql<BaseColumns> =>
  selectJobRows(sql`jobs j where j.workspace_id = ${workspace} and j.id = any(${ids}::text[])`)

/** Without the number of its applications. */
export const jobById = (workspace: string, id: string): Sql<DetailColumns> =>
  sql<DetailColumns>`select ${DETAIL_COLUMNS} from jobs j where j.workspace_id = ${workspace} and j.id = ${id}`

export const applicationCount = (workspace: string, job: string): Sql<ApplicationCount> =>
  sql<ApplicationCount>`
    select count(*) as application_count from applications where workspace_id = ${workspace} and job_id = ${job}`

/** Every job as its single read shows it. */
export const allJobs = (workspace: string): Sql<SingleColumns> =>
  sql<SingleColumns>`select ${detailColumns(workspace)} from jobs j where j.workspace_id = ${workspace}`

export const jobBySlug = (workspace: string, slug: string): Sql<SingleColumns> =>
  sql<SingleColumns>`select ${detailColumns(workspace)} from jobs j where j.workspace_id = ${workspace} and j.slug = ${slug}`

const STAGE_COLUMNS = columnsOf(stageRecord.fields, 's')
const stage = (workspace: string) => sql`
  ${STAGE_COLUMNS},
  (select count(*) from applications a where a.workspace_id = ${workspace} and a.stage_id = s.id) as application_count`

/** No row: there is no such job. One row without an id: it has no stages. */
export const stageRows = (workspace: string, job: string) => sql<StageRow | { id: null }>`
  select ${stage(workspace)} from jobs j left join pipeline_stages s on s.workspace_id = j.workspace_id and s.job_id = j.id
  where j.workspace_id = ${workspace} and j.id = ${job} order by s.position`

/** Stages of several jobs, in pipeline order. */
export const stagesOfJobs = (workspace: string, jobs: readonly string[]): Sql<StageRow> => sql<StageRow>`
  select ${STAGE_COLUMNS} from pipeline_stages s
  where s.workspace_id = ${workspace} and s.job_id = any(${jobs}::text[]) order by s.position`

export const stagesById = (workspace: string, ids: readonly string[]): Sql<StageRow> => sql<StageRow>`
  select ${STAGE_COLUMNS} from pipeline_stages s where s.workspace_id = ${workspace} and s.id = any(${ids}::text[])`

const FORM_FIELD = columnsOf(formFieldRecord.fields, 'f')

/** A job that uses the workspace's template has no fields of its own. */
const form = (workspace: string) => sql`
  j.form_is_template as is_template, coalesce((
    select json_agg(f order by f.position) from (
      select ${FORM_FIELD}, f.position from form_fields f
      where f.workspace_id = ${workspace} and f.deleted_at is null
        and case when j.form_is_template then f.job_id is null else f.job_id = j.id end
    ) f), '[]') as fields`

export const formOfJob = (workspace: string, job: string): Sql<FormRow> =>
  sql<FormRow>`select j.id as job_id, ${form(workspace)} from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

const QUESTION = columnsOf(questionRecord.fields)

const questionsOfKind = (workspace: string, kind: 'common' | 'adaptive') => sql`
  coalesce((
    select json_agg(q order by q.position) from (
      select ${QUESTION}
      from prescreen_questions q where q.workspace_id = ${workspace} and q.job_id = j.id and q.kind = ${kind}
    ) q), '[]')`

const questions = (workspace: string) =>
  sql`${questionsOfKind(workspace, 'common')} as common, ${questionsOfKind(workspace, 'adaptive')} as adaptive`

export const questionsOfJob = (workspace: string, job: string): Sql<QuestionsRow> =>
  sql<QuestionsRow>`
    select j.id as job_id, ${questions(workspace)} from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

type SectionsColumns = SingleColumns & {
  pipeline_stages: StageRow[]
  is_template: boolean
  fields: FormRow['fields']
  common: QuestionsRow['common']
  adaptive: QuestionsRow['adaptive']
}

export const sectionsOfJob = (workspace: string, job: string): Sql<SectionsColumns> =>
  sql<SectionsColumns>`
    select ${detailColumns(workspace)}, ${form(workspace)}, ${questions(workspace)}, coalesce((
      select json_agg(s order by s.position) from (
        select ${stage(workspace)} from pipeline_stages s where s.workspace_id = ${workspace} and s.job_id = j.id
      ) s), '[]') as pipeline_stages
    from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

export const toJobSections = (c: SectionsColumns, siteUrl: string | null): Sections => ({
  ...toJob(c, siteUrl),
  pipeline_stages: c.pipeline_stages,
  application_form: { job_id: c.id, is_template: c.is_template, fields: c.fields },
  prescreen_questions: { job_id: c.id, common: c.common, adaptive: c.adaptive },
})

/** A job as writers see it: its fields by column, and what its readiness is judged by. */
export interface StoredJob extends JobFields, PublishReadiness {
  id: string
  status: JobStatus
  published_at: string | null
  updated_at: string
  form_is_template: boolean
}

const storedColumns = (workspace: string): Sql => sql`
  j.id, j.status, j.published_at, j.updated_at, j.form_is_template, ${writtenColumns(jobRecord, 'j')},
  coalesce(j.close_at <= ${workspaceNow(workspace)}, false) as close_at_passed`

type StageCount = Pick<StoredJob, 'non_terminal_stages'>

/** Without the number of its stages. */
export const storedJob = (workspace: string, id: string): Sql<Omit<StoredJob, keyof StageCount>> =>
  sql<Omit<StoredJob, keyof StageCount>>`
    select ${storedColumns(workspace)} from jobs j where j.workspace_id = ${workspace} and j.id = ${id}`

/** The stages are counted by the next statement: one that waited for the lock would still see those of before. */
export const lockJob = (workspace: string, id: string): Sql<Omit<StoredJob, keyof StageCount>> =>
  sql<Omit<StoredJob, keyof StageCount>>`${storedJob(workspace, id)} for update`

export const stageCount = (workspace: string, job: string): Sql<StageCount> =>
  sql<StageCount>`
    select count(*) as non_terminal_stages from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${job} and not is_terminal`

export interface PushKey {
  workspace: string
  system: string
  externalId: string
}

/** The pushed job under a partner's id, and its version. */
export const pushedJob = (k: PushKey) => sql<{ id: string; updated_at: string }>`
  select id, updated_at from jobs
  where workspace_id = ${k.workspace} and source_system = ${k.system} and source_external_id = ${k.externalId} and pushed`

const FIELDS = writtenColumns(jobRecord)

export interface InsertJob {
  workspace: string
  id: string
  slug: string
  /** appended to the slug where another job has it */
  slugSuffix: string
  status: JobStatus
  system: string
  externalId: string | null
  pushed: boolean
  /** phone codes of which the first free one is taken */
  dialInCodes: readonly string[]
  fields: JobFields
}

/**
 * Inserts nothing if a concurrent write took the partner's id or the slug. Every workspace has one log, whose row is read
 * for it: a cluster finds the shard of a workspace by a table that is read.
 */
export const insertJob = (j: InsertJob) => sql<{ id: string; updated_at: string }>`
  insert into jobs (workspace_id, id, slug, status, published_at, source_system, source_external_id, pushed,
    dial_in_code, ${FIELDS})
  select w.workspace_id, ${j.id},
    ${j.slug} || coalesce(
      (select '-' || ${j.slugSuffix} from jobs where workspace_id = ${j.workspace} and slug = ${j.slug} limit 1), ''),
    ${j.status}, ${j.status === 'published' ? sql`app_now()` : sql`null::timestamptz`}, ${j.system}, ${j.externalId},
    ${j.pushed}::boolean,
    (select code from unnest(${j.dialInCodes}::text[]) as code
      where not exists (select 1 from jobs where workspace_id = ${j.workspace} and dial_in_code = code) limit 1),
    ${FIELDS}
  from event_logs w, jsonb_populate_record(null::jobs, ${JSON.stringify(j.fields)}::jsonb) fields
  where w.workspace_id = ${j.workspace}
  on conflict do nothing
  returning id, updated_at`

/** Writes all fields and the status. The caller holds the row lock, so no concurrent write is lost. */
export const updateJob = (
  workspace: string,
  { id, status: before }: Pick<StoredJob, 'id' | 'status'>,
  fields: JobFields,
  status: JobStatus,
) => sql<{ updated_at: string }>`
  update jobs j set (${FIELDS}) = (select ${FIELDS} from jsonb_populate_record(null::jobs, ${JSON.stringify(fields)}::jsonb)),
    status = ${status}, updated_at = ${touched()},
    published_at = ${status === 'draft' ? sql`null` : before === 'draft' && status === 'published' ? sql`app_now()` : sql`published_at`}
  where workspace_id = ${workspace} and id = ${id} returning updated_at`

/** In the transaction that changes the job. Changes that follow each other are done in one go, from the start. */
export const requestRescore = (workspace: string, job: string) => sql`
  insert into job_rescores as r (workspace_id, job_id) values (${workspace}, ${job})
  on conflict (workspace_id, job_id) do update set version = r.version + 1, after_id = ''`

/** A change outside the job's own fields: its stages, form or questions. */
export const touchJob = (workspace: string, id: string, formIsTemplate: boolean) => sql<{ updated_at: string }>`
  update jobs set updated_at = ${touched()}, form_is_template = ${formIsTemplate}
  where workspace_id = ${workspace} and id = ${id} returning updated_at`

/** The next jobs, by their handles, that use the workspace's template. */
export const touchTemplateJobs = (workspace: string, afterId: string, limit: number) => sql<{
  id: string
  status: JobStatus
  updated_at: string
}>`
  with next as materialized (
    select id from jobs where workspace_id = ${workspace} and form_is_template and id > ${afterId}
    order by id limit ${limit} for update)
  update jobs j set updated_at = ${touched()} from next where j.workspace_id = ${workspace} and j.id = next.id
  returning j.id, status, updated_at`

/** Published jobs of any workspace that are due to close. */
export const dueJobs = (limit: number) => sql<{ workspace_id: string; id: string }>`
  select workspace_id, id from jobs where status = 'published' and close_at <= app_now()
  order by close_at limit ${limit}`

/** When published jobs of a workspace close, up to a time. */
export const closingTimes = (workspace: string, until: Sql): Sql<{ id: string; at: string }> =>
  sql<{ id: string; at: string }>`
    select id, close_at as at from jobs
    where workspace_id = ${workspace} and status = 'published' and close_at <= ${until}`

/** Published jobs of a workspace that are due to close by its clock. */
export const selectDueJobs = (workspace: string, limit: number): Sql<{ id: string }> =>
  sql<{ id: string }>`
    select id from (${closingTimes(workspace, workspaceNow(workspace))}) d order by at, id limit ${limit}`

/** No row where a writer has locked it, until the next run, or where it is no longer due. */
export const lockDueJob = (workspace: string, id: string) => sql`
  select 1 from jobs where workspace_id = ${workspace} and id = ${id} and status = 'published'
    and close_at <= ${workspaceNow(workspace)}
  for update skip locked`

export const hasApplications = (workspace: string, job: string) =>
  sql`select 1 from applications where workspace_id = ${workspace} and job_id = ${job} limit 1`

export const deleteJobRow = (workspace: string, id: string): Sql<{ deleted_at: string }> =>
  sql<{ deleted_at: string }>`
    with gone as (delete from jobs where workspace_id = ${workspace} and id = ${id} returning updated_at)
    select ${touched()} as deleted_at from gone`

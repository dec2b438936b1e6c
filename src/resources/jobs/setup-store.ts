import type { JobStatus } from '../../contract/job-status.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import type { Question, StoredFormField, StoredStage } from './sections-store.ts'

/*
 * What the pages that change a job's stages, form and questions read: each in one statement, so that a version always
 * belongs to the rows it was read with.
 */

interface SetupJob {
  id: string
  title: string
  status: JobStatus
}

const JOB = sql`j.id, j.title, j.status`

export type CountedStage = StoredStage & { application_count: number }

export const stagesToEdit = (workspace: string, job: string) => sql<SetupJob & { stages: CountedStage[] }>`
  select ${JOB}, coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name, 'position', s.position, 'type', s.type,
      'is_terminal', s.is_terminal, 'order_package_ids', s.order_package_ids, 'application_count', (
        select count(*) from applications a where a.workspace_id = ${workspace} and a.stage_id = s.id)) order by s.position)
    from pipeline_stages s where s.workspace_id = ${workspace} and s.job_id = j.id), '[]') as stages
  from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

const QUESTIONS = (workspace: string) => sql`coalesce((
    select json_agg(json_build_object('id', q.id, 'kind', q.kind, 'position', q.position, 'prompt', q.prompt,
      'response_key', q.response_key, 'answer_type', q.answer_type, 'choices', q.choices, 'required', q.required,
      'source', q.source) order by q.kind desc, q.position)
    from prescreen_questions q where q.workspace_id = ${workspace} and q.job_id = j.id), '[]')`

export const questionsToEdit = (workspace: string, job: string) => sql<
  SetupJob & { dial_in_code: string | null; questions: Question[] }
>`
  select ${JOB}, j.dial_in_code, ${QUESTIONS(workspace)} as questions
  from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

const fields = (workspace: string, of: Sql) => sql`coalesce((
    select json_agg(json_build_object('id', f.id, 'position', f.position, 'label', f.label, 'type', f.type,
      'required', f.required, 'section', f.section, 'help_text', f.help_text, 'options', f.options,
      'max_length', f.max_length, 'candidate_field', f.candidate_field, 'condition', f.condition,
      'version', f.version) order by f.position, f.id)
    from form_fields f where f.workspace_id = ${workspace} and f.deleted_at is null and ${of}), '[]')`

const hasTemplate = (workspace: string) =>
  sql`exists (select from form_fields t where t.workspace_id = ${workspace} and t.job_id is null)`

interface TemplateRow {
  /** false: the workspace has none yet, and gets the default form with its first job */
  has_template: boolean
  template: StoredFormField[]
}

export const formToEdit = (workspace: string, job: string) => sql<
  SetupJob &
    TemplateRow & {
      is_template: boolean
      has_phone_prescreen: boolean
      fields: StoredFormField[]
      questions: Question[]
    }
>`
  select ${JOB}, j.form_is_template as is_template, j.dial_in_code is not null as has_phone_prescreen,
    ${fields(workspace, sql`f.job_id = j.id`)} as fields, ${QUESTIONS(workspace)} as questions,
    ${hasTemplate(workspace)} as has_template, ${fields(workspace, sql`f.job_id is null`)} as template
  from jobs j where j.workspace_id = ${workspace} and j.id = ${job}`

export const templateToEdit = (workspace: string) => sql<
  TemplateRow & {
    published: number
    draft: number
    closed: number
    /** jobs with a form of their own */
    own: number
    /** the last change has jobs left whose event is not written yet */
    emitting: boolean
  }
>`
  select ${hasTemplate(workspace)} as has_template, ${fields(workspace, sql`f.job_id is null`)} as template, n.*,
    exists (select from template_form_changes c where c.workspace_id = ${workspace}) as emitting
  from (
    select count(*) filter (where form_is_template and status = 'published')::integer as published,
      count(*) filter (where form_is_template and status = 'draft')::integer as draft,
      count(*) filter (where form_is_template and status = 'closed')::integer as closed,
      count(*) filter (where not form_is_template)::integer as own
    from jobs where workspace_id = ${workspace}) n`

/** Jobs with a form of their own, the latest first. */
export const jobsWithOwnForm = (workspace: string, limit: number) => sql<SetupJob>`
  select ${JOB} from jobs j where j.workspace_id = ${workspace} and not j.form_is_template
  order by j.updated_at desc limit ${limit}`

import { type Sql, sql } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import { type Author, originKeyOf, userOf } from '../shared/author.ts'
import type { ANSWER_TYPES, FORM_FIELD_TYPES, QUESTION_SOURCES, STAGE_TYPES } from './shape.ts'

export interface StoredStage {
  id: string
  name: string
  position: number
  type: (typeof STAGE_TYPES)[number]
  is_terminal: boolean
  /** packages that are ordered when a candidate enters the stage */
  order_package_ids: readonly string[]
}

export const selectStages = (workspace: string, job: string): Sql<StoredStage> => sql<StoredStage>`
  select id, name, position, type, is_terminal, order_package_ids from pipeline_stages
  where workspace_id = ${workspace} and job_id = ${job} order by position`

/** Out of the way of the positions to come: two stages never share one, not even between two statements. */
export const negatePositions = (workspace: string, job: string) => sql`
  update pipeline_stages set position = -position - 1 where workspace_id = ${workspace} and job_id = ${job}`

export const writeStages = (workspace: string, job: string, stages: readonly StoredStage[]) => sql`
  insert into pipeline_stages (workspace_id, id, job_id, name, position, type, is_terminal, order_package_ids)
  select ${workspace}, id, ${job}, name, position, type, is_terminal, order_package_ids
  from jsonb_populate_recordset(null::pipeline_stages, ${JSON.stringify(stages)}::jsonb)
  on conflict (workspace_id, id) do update set
    name = excluded.name, position = excluded.position, type = excluded.type, is_terminal = excluded.is_terminal,
    order_package_ids = excluded.order_package_ids`

/** Every caller that moved an application into one of them has finished, or waits until the transaction ends. */
export const lockStages = (workspace: string, ids: readonly string[]) => sql`
  select 1 from pipeline_stages where workspace_id = ${workspace} and id = any(${ids}::text[]) order by id for update`

/** Removes the stages of a job that are not kept; one that still holds applications stays and is returned. */
export const dropStages = (workspace: string, job: string, keep: readonly string[]) => sql<{ name: string }>`
  with gone as (
    select s.id, s.name, exists (
      select 1 from applications a where a.workspace_id = ${workspace} and a.stage_id = s.id) as held
    from pipeline_stages s
    where s.workspace_id = ${workspace} and s.job_id = ${job} and not s.id = any(${keep}::text[])
  ), dropped as (
    delete from pipeline_stages where workspace_id = ${workspace} and id in (select id from gone where not held)
  )
  select name from gone where held`

export type CandidateField = 'name' | 'email' | 'phone' | 'linkedin' | 'resume'

export interface StoredFormField {
  id: string
  position: number
  label: string
  type: (typeof FORM_FIELD_TYPES)[number]
  required: boolean
  section: string | null
  help_text: string | null
  options: string[]
  max_length: number | null
  candidate_field: CandidateField | null
  condition: StoredCondition | null
  version: number
}

export interface StoredCondition {
  field_id: string
  values: string[]
}

/** The fields of a job's own form, or of the workspace's template where there is no job. */
export const selectFormFields = (workspace: string, job: string | null): Sql<StoredFormField> => sql<StoredFormField>`
  select id, position, label, type, required, section, help_text, options, max_length, candidate_field,
    case when condition is not null then json_build_object('field_id', condition->'field_id', 'values', condition->'values')
    end as condition, version
  from form_fields where workspace_id = ${workspace} and job_id is not distinct from ${job} and deleted_at is null
  order by position`

export const writeFields = (workspace: string, job: string | null, fields: readonly StoredFormField[]) => sql`
  insert into form_fields (workspace_id, id, job_id, position, label, type, required, section, help_text, options,
    max_length, candidate_field, condition, version)
  select ${workspace}, id, ${job}, position, label, type, required, section, help_text, options, max_length,
    candidate_field, nullif(condition, 'null'), version
  from jsonb_populate_recordset(null::form_fields, ${JSON.stringify(fields)}::jsonb)
  on conflict (workspace_id, id) do update set
    position = excluded.position, label = excluded.label, type = excluded.type, required = excluded.required,
    section = excluded.section, help_text = excluded.help_text, options = excluded.options,
    max_length = excluded.max_length, candidate_field = excluded.candidate_field,
    condition = excluded.condition, version = excluded.version`

/** Deleted fields stay for the answers that older applications hold. */
export const retireFields = (workspace: string, job: string | null, keep: readonly string[]) => sql`
  update form_fields set deleted_at = app_now()
  where workspace_id = ${workspace} and job_id is not distinct from ${job} and deleted_at is null
    and not id = any(${keep}::text[])`

/** Editors of a workspace's template take turns. */
export const lockFormTemplate = (workspace: string) =>
  sql`select 1 from workspaces where id = ${workspace} for no key update`

/** The template of a workspace that has none yet. Fields that the workspace deleted stay deleted. */
export const insertFormTemplate = (workspace: string, fields: readonly StoredFormField[]) => sql`
  insert into form_fields (workspace_id, id, position, label, type, required, section, help_text, options, max_length,
    candidate_field)
  select w.workspace_id, id, position, label, type, required, section, help_text, options, max_length, candidate_field
  from event_logs w, jsonb_populate_recordset(null::form_fields, ${JSON.stringify(fields)}::jsonb) fields
  where w.workspace_id = ${workspace} and not exists (select 1 from form_fields where workspace_id = ${workspace} and job_id is null)
  on conflict do nothing`

export interface TemplateChange {
  workspace_id: string
  /** handle of the last job with an emitted event */
  after_id: string
  origin_key_id: string | null
  user_id: string | null
}

/** A change made while an earlier one is still being emitted restarts it: each job gets an event for the later one. */
export const beginTemplateChange = (workspace: string, by: Author) => sql<TemplateChange>`
  insert into template_form_changes (workspace_id, after_id, origin_key_id, user_id)
  values (${workspace}, '', ${originKeyOf(by)}, ${userOf(by)})
  on conflict (workspace_id) do update set after_id = excluded.after_id, origin_key_id = excluded.origin_key_id,
    user_id = excluded.user_id
  returning workspace_id, after_id, origin_key_id, user_id`

export const templateChanges = (limit: number) =>
  sql<{ workspace_id: string }>`select workspace_id from template_form_changes limit ${limit}`

/** No row where another process continues it, or has ended it. */
export const lockTemplateChange = (workspace: string) => sql<TemplateChange>`
  select workspace_id, after_id, origin_key_id, user_id from template_form_changes
  where workspace_id = ${workspace} for update skip locked`

export const continueTemplateChange = (workspace: string, afterId: string) =>
  sql`update template_form_changes set after_id = ${afterId} where workspace_id = ${workspace}`

export const endTemplateChange = (workspace: string) =>
  sql`delete from template_form_changes where workspace_id = ${workspace}`

export interface Question {
  id: string
  kind: 'common' | 'adaptive'
  position: number
  prompt: string
  response_key: string
  answer_type: (typeof ANSWER_TYPES)[number]
  choices: string[] | null
  required: boolean
  source: (typeof QUESTION_SOURCES)[number]
}

export const selectQuestions = (workspace: string, job: string): Sql<Question> => sql<Question>`
  select id, kind, position, prompt, response_key, answer_type, choices, required, source
  from prescreen_questions where workspace_id = ${workspace} and job_id = ${job} order by kind desc, position`

export interface PublicFormRow {
  id: string
  slug: string
  title: string
  summary: string | null
  language: string | null
  status: string
  accept_applications: boolean
  external_apply_url: string | null
  /** whether applicants may be called for a phone pre-screen */
  has_phone_prescreen: boolean
  fields: Omit<StoredFormField, 'position'>[]
  /** the common ones first */
  questions: Pick<Question, 'id' | 'prompt' | 'answer_type' | 'choices' | 'required'>[]
}

export const publicFormRow = (workspace: string, job: { id: string } | { slug: string }) => sql<PublicFormRow>`
  select j.id, j.slug, j.title, j.summary, j.language,
    -- one that is due to close counts as closed before the worker comes
    case when j.status = 'published' and j.close_at <= ${workspaceNow(workspace)} then 'closed' else j.status end as status,
    j.accept_applications, j.external_apply_url,
    j.dial_in_code is not null as has_phone_prescreen, coalesce((
      select json_agg(json_build_object('id', f.id, 'label', f.label, 'type', f.type, 'required', f.required,
        'section', f.section, 'help_text', f.help_text, 'options', f.options, 'max_length', f.max_length,
        'candidate_field', f.candidate_field, 'condition', f.condition, 'version', f.version) order by f.position, f.id)
      from form_fields f where f.workspace_id = ${workspace} and f.deleted_at is null
        and case when j.form_is_template then f.job_id is null else f.job_id = j.id end), '[]') as fields, coalesce((
      select json_agg(json_build_object('id', q.id, 'prompt', q.prompt, 'answer_type', q.answer_type,
        'choices', q.choices, 'required', q.required) order by q.kind desc, q.position)
      from prescreen_questions q where q.workspace_id = ${workspace} and q.job_id = j.id), '[]') as questions
  from jobs j where j.workspace_id = ${workspace}
    and ${'id' in job ? sql`j.id = ${job.id}` : sql`j.slug = ${job.slug}`}`

export const dropQuestions = (workspace: string, job: string) =>
  sql`delete from prescreen_questions where workspace_id = ${workspace} and job_id = ${job}`

export const insertQuestions = (workspace: string, job: string, questions: readonly Question[]) => sql`
  insert into prescreen_questions (workspace_id, id, job_id, kind, position, prompt, response_key, answer_type, choices,
    required, source)
  select ${workspace}, id, ${job}, kind, position, prompt, response_key, answer_type, nullif(choices, 'null'), required,
    source
  from jsonb_populate_recordset(null::prescreen_questions, ${JSON.stringify(questions)}::jsonb)`

import { JOB_STATUSES } from '../../contract/job-status.ts'
import { LANGUAGE_CODES } from '../../contract/languages.ts'
import { EXTERNAL_ID_DESCRIPTION } from '../../contract/source-systems.ts'
import { ASCII_URL } from '../../kernel/http/formats.ts'
import {
  array,
  boolean,
  called,
  guarded,
  handleField,
  integer,
  jsonText,
  links,
  literal,
  nested,
  nullable,
  number,
  object,
  oneOf,
  shape,
  text,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { field, group, nullableGroup } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { clearable, trimmed } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'

export const EMPLOYMENT_TYPES = ['full_time', 'part_time', 'contract', 'intern', 'temp'] as const
export const LOCATION_TYPES = ['remote', 'hybrid', 'onsite'] as const
export const EXPERIENCE_LEVELS = ['intern', 'junior', 'mid', 'senior', 'lead', 'principal'] as const
export const SALARY_INTERVALS = ['hourly', 'monthly', 'annual'] as const
export const STAGE_TYPES = [
  'applied',
  'screen',
  'assessment',
  'interview',
  'offer',
  'hired',
  'rejected',
  'custom',
] as const
export const FORM_FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'multiselect',
  'boolean',
  'number',
  'date',
  'url',
  'email',
  'phone',
  'file',
  'section',
  'consent',
  'eeo',
] as const
export const ANSWER_TYPES = ['boolean', 'number', 'text', 'choice', 'multi_choice'] as const
export const QUESTION_SOURCES = ['template', 'ai', 'recruiter'] as const

/** Jobs, their stages, forms and questions are written by users of the product and by partner systems. */
const NO_CANDIDATE = { person: 'none', erasure: 'contains no candidate data' } as const
const workspace = { workspace_id: handleField('workspace') }

const texts = () => jsonText({ type: 'array', items: { type: 'string' } })
const years = () => clearable.number(0, 60)
const money = () => clearable.integer(0, 100_000_000)

const TITLE_LENGTH = 300
const title = Type.String({
  pattern: '\\S',
  description: `At most ${TITLE_LENGTH} characters, not counting leading and trailing spaces.`,
})

/** Two letters are stored in lower case; that they name a language is a rule, because an enumeration would have 183 values. */
const language = {
  ...clearable.pattern('^[A-Za-z]{2}$', null, code => code.toLowerCase()),
  fault: (given: unknown) =>
    typeof given === 'string' && given.length === 2 && !LANGUAGE_CODES.includes(given.toLowerCase())
      ? 'must be the two letters of a language in ISO 639-1, such as de'
      : undefined,
}

/** What a list row and a single read have in common. */
const listed = {
  id: handleField('job'),
  ...workspace,
  slug: text('Unique in the workspace; stays the same when the title changes.'),
  status: oneOf(JOB_STATUSES),
  title: field(text(), {
    write: trimmed(title, { maxLength: TITLE_LENGTH, message: `must be at most ${TITLE_LENGTH} characters` }),
  }),
  department: field(nullable(text()), { write: clearable.text(200) }),
  team: field(nullable(text()), { write: clearable.text(200) }),
  employment_type: field(nullable(oneOf(EMPLOYMENT_TYPES)), { write: clearable.oneOf(EMPLOYMENT_TYPES) }),
  location_type: field(nullable(oneOf(LOCATION_TYPES)), { write: clearable.oneOf(LOCATION_TYPES) }),
  locations: field(texts(), { write: clearable.texts(20) }),
  experience_level: field(nullable(oneOf(EXPERIENCE_LEVELS)), { write: clearable.oneOf(EXPERIENCE_LEVELS) }),
  years_min: field(nullable(number()), { write: years() }),
  years_max: field(nullable(number()), { write: years() }),
  compensation: nullableGroup(
    'salary_interval',
    {
      salary_min: field(nullable(integer('Whole currency units.')), { write: money() }),
      salary_max: field(nullable(integer('Whole currency units.')), { write: money() }),
      currency: field(text('Three letters.'), {
        column: 'salary_currency',
        write: clearable.pattern('^[A-Za-z]{3}$', 'USD', code => code.toUpperCase()),
      }),
      interval: field(oneOf(SALARY_INTERVALS), {
        column: 'salary_interval',
        write: clearable.oneOf(SALARY_INTERVALS, 'annual'),
      }),
      unit: { ...literal('major'), description: 'Whole currency units.' },
      equity: field(nullable(text()), { column: 'salary_equity', write: clearable.text(200) }),
      commission: field(boolean(), { column: 'salary_commission', write: clearable.boolean(false) }),
    },
    { description: 'In whole currency units, never cents.' },
  ),
  accept_applications: field(boolean(), {
    write: clearable.boolean(true),
    description: 'Whether the job accepts applications while it is published.',
  }),
  external_apply_url: field(nullable(url()), {
    write: clearable.url(),
    description: 'The URL of an external application page.',
  }),
  public_url: field(nullable(url()), {
    computed: true,
    description:
      'The page of the job on the careers site of the workspace, for candidates. Null unless the job is published and the site is switched on.',
  }),
  language: field(nullable(text()), {
    write: language,
    description:
      'The language of the texts, in the two letters of ISO 639-1, such as `de`. Null: no one chose one, and the careers site detects it from the texts.',
  }),
  source: group({
    system: field(text('`tahoe_native` for jobs created in the product, otherwise the name of the partner system.'), {
      column: 'source_system',
    }),
    external_id: field(nullable(text()), { column: 'source_external_id', description: EXTERNAL_ID_DESCRIPTION }),
    company_name: field(nullable(text()), { column: 'source_company_name', write: clearable.text(200) }),
    company_logo_url: field(nullable(url()), {
      column: 'source_company_logo_url',
      write: clearable.url(),
      description: `The logo of the employer. ${ASCII_URL}`,
    }),
    canonical_url: field(nullable(url()), {
      column: 'source_canonical_url',
      write: clearable.url(),
      description: `The public page of the job. ${ASCII_URL}`,
    }),
  }),
  published_at: nullable(time()),
  close_at: field(nullable(time()), { write: clearable.time(), description: 'When the job closes automatically.' }),
  created_at: time(),
  updated_at: time(),
  links: links({
    self: '/jobs/{id}',
    applications: '/jobs/{id}/applications',
    application_form: '/jobs/{id}/application-form',
    prescreen_questions: '/jobs/{id}/prescreen-questions',
    pipeline_stages: '/jobs/{id}/pipeline-stages',
    sections: '/jobs/{id}/sections',
  }),
}

const content = {
  summary: field(nullable(text()), { write: clearable.text(2000) }),
  description_md: field(nullable(text('Markdown as the customer wrote it. Sanitize it before rendering.')), {
    write: clearable.text(30_000),
    description: 'Markdown. Sanitize it before rendering.',
  }),
  responsibilities: field(texts(), { write: clearable.texts(50) }),
  requirements: field(texts(), { write: clearable.texts(50) }),
  nice_to_have: field(texts(), { write: clearable.texts(50) }),
  skills_required: field(texts(), { write: clearable.texts(100) }),
  skills_preferred: field(texts(), { write: clearable.texts(100) }),
  benefits: field(texts(), { write: clearable.texts(50) }),
}

export const jobRecord = record(
  'jobs',
  { ...NO_CANDIDATE, stored: { pushed: boolean(), form_is_template: boolean(), number: integer() } },
  {
    ...listed,
    content: group(content, { omitPrevious: true }),
    application_count: field(integer(), { computed: true }),
    voice_screening: group({
      dial_in_code: guarded('jobs:screening:read', nullable(text('Six digits.'))),
    }),
  },
)

export const jobRowShape = shape(
  'job',
  'A job in a list.',
  { ...listed, summary: content.summary },
  { component: 'job_summary' },
)

export const jobShape = shape('job', 'A job with its content.', jobRecord.fields, {
  resource: { name: 'jobs', scope: 'jobs:read' },
})

export const stageRecord = record(
  'pipeline_stages',
  { ...NO_CANDIDATE, stored: { ...workspace, order_package_ids: array(handleField('package')) } },
  {
    id: handleField('pipeline_stage'),
    job_id: handleField('job'),
    name: text(),
    position: field(integer(), { description: 'Sort order, ascending.' }),
    type: oneOf(STAGE_TYPES),
    is_terminal: field(boolean(), { description: 'A final stage, such as Hired or Rejected.' }),
    application_count: field(integer('Applications in this stage now.'), { computed: true }),
  },
)

export const stageShape = shape('pipeline_stage', 'A stage of the pipeline of one job.', stageRecord.fields, {
  resource: { name: 'pipeline_stages', scope: 'jobs:read' },
})

const { id: stageId, name: stageName, position, type: stageType, is_terminal } = stageRecord.fields

export const stageSummaryShape = shape(
  'pipeline_stage',
  'A stage without the number of its applications.',
  { id: stageId, name: stageName, position, type: stageType, is_terminal },
  { component: 'pipeline_stage_summary' },
)

export const formFieldRecord = record(
  'form_fields',
  {
    ...NO_CANDIDATE,
    stored: {
      ...workspace,
      job_id: nullable(handleField('job')),
      position: integer(),
      candidate_field: nullable(text()),
      version: integer(),
      deleted_at: nullable(time()),
    },
  },
  {
    id: text(),
    label: text(),
    type: oneOf(FORM_FIELD_TYPES),
    required: boolean(),
    section: nullable(text()),
    help_text: nullable(text()),
    options: array(text()),
    max_length: nullable(integer()),
    condition: field(nullable(called('form_field_condition', object({ field_id: text(), values: array(text()) }))), {
      description:
        'The question is shown only if the question `field_id` has one of these answers, or names one of them; `true` or `false` for a question of type boolean. On a field of type `section` it applies to every field up to the next section. Null: always shown. A question that is not shown is not required, and an answer to it is accepted and not stored.',
    }),
  },
)

export const formShape = shape(
  'application_form',
  'The questions of a job. Deleted ones are left out, so older applications may have answers to questions that are not listed.',
  {
    job_id: handleField('job'),
    is_template: field(boolean(), { description: 'Whether the job uses the default form of the workspace.' }),
    fields: array(called('form_field', object(formFieldRecord.fields))),
  },
  { resource: { name: 'application_forms', scope: 'jobs:read' } },
)

export const questionRecord = record(
  'prescreen_questions',
  {
    ...NO_CANDIDATE,
    stored: { ...workspace, job_id: handleField('job'), kind: oneOf(['common', 'adaptive']) },
  },
  {
    id: uuid(),
    position: field(integer(), { description: 'Sort order, ascending.' }),
    prompt: text(),
    response_key: text(),
    answer_type: oneOf(ANSWER_TYPES),
    choices: nullable(array(text())),
    required: boolean(),
    source: oneOf(QUESTION_SOURCES),
  },
)

const question = called('prescreen_question', object(questionRecord.fields))

export const questionsShape = shape(
  'prescreen_questions',
  'The phone pre-screen questions: standard questions, and up to five specific to the job.',
  { job_id: handleField('job'), common: array(question), adaptive: array(question) },
  { resource: { name: 'prescreen_questions', scope: 'jobs:screening:read' } },
)

export const sectionsShape = shape(
  'job',
  'A job with its stages, its application form and its pre-screen questions.',
  {
    ...jobRecord.fields,
    pipeline_stages: array(nested(stageShape)),
    application_form: nested(formShape),
    prescreen_questions: guarded('jobs:screening:read', nested(questionsShape)),
  },
  { component: 'job_sections' },
)

const gap = called('publish_hint', object({ param: text(), message: text() }))

export const readinessShape = shape('publish_readiness', 'Whether a job can be published, and what is missing.', {
  job_id: handleField('job'),
  ready: boolean(),
  errors: array(gap),
  hints: field(array(gap), { description: 'Suggestions that do not prevent publishing.' }),
})

import {
  array,
  boolean,
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

export const JOB_STATUSES = ['draft', 'published', 'closed'] as const
export type JobStatus = (typeof JOB_STATUSES)[number]
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

const texts = (description?: string) =>
  jsonText({ type: 'array', items: { type: 'string' }, ...(description ? { description } : {}) })

/** What a list row and a single read have in common. */
const base = {
  id: handleField('job'),
  workspace_id: handleField('workspace'),
  slug: text('Unique in the workspace; stays the same when the title changes.'),
  status: oneOf(JOB_STATUSES),
  title: text(),
  department: nullable(text()),
  team: nullable(text()),
  employment_type: nullable(oneOf(EMPLOYMENT_TYPES)),
  location_type: nullable(oneOf(LOCATION_TYPES)),
  locations: texts(),
  experience_level: nullable(oneOf(EXPERIENCE_LEVELS)),
  years_min: nullable(number()),
  years_max: nullable(number()),
  compensation: nullable(
    object({
      salary_min: nullable(integer('Whole currency units.')),
      salary_max: nullable(integer('Whole currency units.')),
      currency: text('Three letters.'),
      interval: oneOf(SALARY_INTERVALS),
      unit: literal('major'),
      equity: nullable(text()),
      commission: boolean(),
    }),
  ),
  accept_applications: boolean(),
  external_apply_url: nullable(url()),
  source: object({
    system: text('`tahoe_native` for jobs created in the product, else the name of the partner system.'),
    external_id: nullable(text()),
    company_name: nullable(text()),
    company_logo_url: nullable(url()),
    canonical_url: nullable(url()),
  }),
  published_at: nullable(time()),
  close_at: nullable(time()),
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

export const jobRowShape = shape(
  'job',
  'A job as lists show it.',
  { ...base, summary: nullable(text()) },
  { component: 'job_row' },
)

const single = {
  ...base,
  content: object({
    summary: nullable(text()),
    description_md: nullable(text('Markdown as the customer wrote it. Sanitize it before rendering.')),
    responsibilities: texts(),
    requirements: texts(),
    nice_to_have: texts(),
    skills_required: texts(),
    skills_preferred: texts(),
    benefits: texts(),
  }),
  application_count: integer(),
  voice_screening: object({ dial_in_code: guarded('jobs:screening:read', nullable(text('Six digits.'))) }),
}

export const jobShape = shape('job', 'A job with its content.', single, {
  resource: { name: 'jobs', scope: 'jobs:read' },
})

export const stageShape = shape(
  'pipeline_stage',
  'A stage of the pipeline of one job.',
  {
    id: handleField('pipeline_stage'),
    job_id: handleField('job'),
    name: text(),
    position: integer(),
    type: oneOf(STAGE_TYPES),
    is_terminal: boolean(),
    application_count: integer('Applications in this stage now.'),
  },
  { resource: { name: 'pipeline_stages', scope: 'jobs:read' } },
)

export const formShape = shape(
  'application_form',
  'The questions of a job. Deleted ones are left out, so older applications may hold answers to others.',
  {
    job_id: handleField('job'),
    is_template: boolean(),
    fields: array(
      object({
        id: text(),
        label: text(),
        type: oneOf(FORM_FIELD_TYPES),
        required: boolean(),
        section: nullable(text()),
        help_text: nullable(text()),
        options: array(text()),
        max_length: nullable(integer()),
      }),
    ),
  },
  { resource: { name: 'application_forms', scope: 'jobs:read' } },
)

const question = object({
  id: uuid(),
  position: integer(),
  prompt: text(),
  response_key: text(),
  answer_type: oneOf(ANSWER_TYPES),
  choices: nullable(array(text())),
  required: boolean(),
  source: oneOf(QUESTION_SOURCES),
})

export const questionsShape = shape(
  'prescreen_questions',
  'The questions of the phone pre-screen: standard ones, and up to five of the job.',
  { job_id: handleField('job'), common: array(question), adaptive: array(question) },
  { resource: { name: 'prescreen_questions', scope: 'jobs:screening:read' } },
)

export const sectionsShape = shape(
  'job',
  'A job with its stages, its application form and its pre-screen questions.',
  {
    ...single,
    pipeline_stages: array(nested(stageShape)),
    application_form: nested(formShape),
    prescreen_questions: guarded('jobs:screening:read', nested(questionsShape)),
  },
  { component: 'job_sections' },
)

const gap = object({ param: text(), message: text() })

export const readinessShape = shape('publish_readiness', 'Whether a job can be published, and what it lacks.', {
  job_id: handleField('job'),
  ready: boolean(),
  errors: array(gap),
  hints: array(gap),
})

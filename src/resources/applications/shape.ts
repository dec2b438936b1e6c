import {
  array,
  boolean,
  guarded,
  handleField,
  integer,
  jsonText,
  links,
  neverExposed,
  nullable,
  object,
  oneOf,
  optional,
  type Row,
  shape,
  text,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { PARSE_STATUSES, resumeAccessField } from '../resumes/shape.ts'

export const STATUSES = ['new', 'in_review', 'advanced', 'rejected', 'withdrawn', 'hired'] as const
export type Status = (typeof STATUSES)[number]

export const CALL_STATUSES = ['scheduled', 'in_progress', 'completed', 'no_answer', 'failed'] as const
export const COMPLETION_STATES = ['none', 'partial', 'complete'] as const
export const CONSENT_STATES = ['pending', 'granted', 'declined'] as const
export const RECOMMENDATIONS = ['strong_yes', 'yes', 'no_decision', 'no', 'strong_no'] as const

export const applicationShape = shape(
  'application',
  'An application of a person for a job. The single read adds `resume_access` where there is a résumé.',
  {
    id: handleField('application'),
    workspace_id: handleField('workspace'),
    job_id: handleField('job'),
    applicant_id: nullable(handleField('applicant')),
    stage_id: handleField('pipeline_stage'),
    status: oneOf(STATUSES),
    source: text('such as `public_board` or `partner_api:<system>`'),
    external_id: nullable(text('The id under which the application was created by the system named in `source`.')),
    applied_at: time(),
    updated_at: time(),
    parse_status: nullable(oneOf(PARSE_STATUSES)),
    has_resume: boolean(),
    voice_screening_opted_out: boolean(),
    rejection_reason: guarded('applications:internal:read', nullable(text())),
    resume_access: optional(resumeAccessField),
    links: links({
      self: '/applications/{id}',
      answers: '/applications/{id}/answers',
      score: '/applications/{id}/score',
      resume: '/applications/{id}/resume',
      screening: '/applications/{id}/screening',
      stage_transitions: '/applications/{id}/stage-transitions',
    }),
  },
  { resource: { name: 'applications', scope: 'applications:read' } },
)

export type ApplicationRow = Row<typeof applicationShape>

export const answersShape = shape(
  'application_answers',
  'What the candidate answered on the application form, by field id.',
  {
    application_id: handleField('application'),
    answers: jsonText({
      type: 'object',
      additionalProperties: {
        anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
      },
    }),
  },
  { resource: { name: 'application_answers', scope: 'applications:answers:read' } },
)

export const scoreShape = shape(
  'application_score',
  'How well the résumé matches the job.',
  {
    application_id: handleField('application'),
    match_pct: integer('0 to 100'),
    gaps: jsonText({ type: 'array', items: { type: 'string' } }),
    rationale: guarded('applications:internal:read', nullable(text())),
    model_version: guarded('applications:internal:read', text()),
  },
  { resource: { name: 'application_scores', scope: 'applications:read' } },
)

export const screeningShape = shape(
  'screening',
  'Whether a phone pre-screen took place and how it went, never what was said.',
  {
    application_id: handleField('application'),
    has_screening: boolean(),
    call_status: optional(oneOf(CALL_STATUSES)),
    completion_state: optional(oneOf(COMPLETION_STATES)),
    duration_sec: optional(nullable(integer())),
    consent_state: optional(oneOf(CONSENT_STATES)),
    ambiguous_caller: optional(boolean()),
    started_at: optional(nullable(time())),
    ended_at: optional(nullable(time())),
    responses: neverExposed('consent_scope'),
    transcript: neverExposed('consent_scope'),
    audio: neverExposed('consent_scope'),
  },
  {
    omitRestrictedWhen: row => !row.has_screening,
    resource: { name: 'screenings', scope: 'screening:metadata:read' },
  },
)

export const stageTransitionShape = shape(
  'stage_transition',
  'A step of an application through the stages of its job.',
  {
    from_stage_id: nullable(handleField('pipeline_stage')),
    to_stage_id: handleField('pipeline_stage'),
    at: time(),
  },
  { resource: { name: 'stage_transitions', scope: 'applications:internal:read' } },
)

export const noteShape = shape(
  'note',
  'A note on an application, for the hiring team.',
  {
    id: uuid(),
    application_id: handleField('application'),
    body: text(),
    author_user_id: nullable(handleField('user')),
    created_at: time(),
  },
  { resource: { name: 'notes', scope: 'applications:internal:read' } },
)

export const scorecardShape = shape(
  'scorecard',
  'An interviewer’s judgement of an application.',
  {
    id: uuid(),
    application_id: handleField('application'),
    recommendation: oneOf(RECOMMENDATIONS),
    summary: nullable(text()),
    stage_id: nullable(handleField('pipeline_stage')),
    ratings: array(object({ name: text(), score: integer('1 to 5'), comment: nullable(text()) })),
    interviewed_at: nullable(time()),
    report_url: nullable(url()),
    author_user_id: nullable(handleField('user')),
    created_at: time(),
  },
  { resource: { name: 'scorecards', scope: 'applications:internal:read' } },
)

import { APPLICATION_STATUSES, OPEN_STATUSES } from '../../contract/application-status.ts'
import { NOTE_VISIBILITIES } from '../../contract/note-visibility.ts'
import { wordList } from '../../kernel/db/sql.ts'
import { closed } from '../../kernel/http/closed.ts'
import { ASCII_URL, asUri, bodyInstant, bodyTime, httpsUrl } from '../../kernel/http/formats.ts'
import {
  array,
  boolean,
  COMPONENT,
  date,
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
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'
import { optionally, required, written } from '../../kernel/record/write.ts'
import { Type } from '../../kernel/schema/types.ts'
import { noneIfBlank } from '../../kernel/text/text.ts'
import { ACCESS_STATES, PARSE_STATUSES, resumeAccessField } from '../resumes/shape.ts'

/** The open statuses, for statements: written in their text, so that an index of the open ones serves them. */
export const OPEN = wordList(OPEN_STATUSES)

export const CALL_STATUSES = ['scheduled', 'in_progress', 'completed', 'no_answer', 'failed'] as const
export const COMPLETION_STATES = ['none', 'partial', 'complete'] as const
export const CONSENT_STATES = ['pending', 'granted', 'declined'] as const
export const RECOMMENDATIONS = ['strong_yes', 'yes', 'no_decision', 'no', 'strong_no'] as const

/** Rows of these tables are deleted with the person who applied. */
const WITH_APPLICANT = { person: 'erased', erasure: 'the row goes with the applicant' } as const
const workspace = { workspace_id: field(handleField('workspace'), { person: 'none' }) }
const application_id = field(handleField('application'), { person: 'none' })

/** A text that a request must have, stored as it is written. */
const notBlank = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description: 'Not blank.' })

export const applicationRecord = record(
  'applications',
  {
    ...WITH_APPLICANT,
    stored: {
      source_system: nullable(text()),
      resume_unlocked_at: nullable(time()),
      resume_access_state: nullable(oneOf(ACCESS_STATES)),
      resume_access_changes_at: nullable(time()),
      screening_phone: nullable(text()),
      unproved: boolean(),
      hired_at: nullable(time()),
      stage_entered_at: time(),
      notice_given_on: field(nullable(text()), { person: 'none' }),
      usable_score: integer(),
      rejection_reason_id: field(nullable(text()), { person: 'none' }),
      withdrawal_reason_id: field(nullable(text()), { person: 'none' }),
      withdrawn_by: field(nullable(text()), { person: 'none' }),
    },
  },
  {
    id: field(handleField('application'), { person: 'none' }),
    ...workspace,
    job_id: field(handleField('job'), { person: 'none' }),
    applicant_id: field(nullable(handleField('applicant')), {
      person: 'none',
      description: 'Null if the person is not known.',
    }),
    stage_id: field(handleField('pipeline_stage'), { person: 'none', description: 'Stages belong to a job.' }),
    status: oneOf(APPLICATION_STATUSES),
    source: text(
      'Where the application came from, such as `public_board`, `partner_api:<system>`, `import:<system>` or, for people whom the team added, `team:<how>`.',
    ),
    external_id: field(nullable(text('The id of the application in the system named in `source`.')), {
      column: 'source_external_id',
    }),
    applied_at: time(),
    updated_at: field(time(), { person: 'none' }),
    parse_status: field(nullable(oneOf(PARSE_STATUSES)), { description: 'Null if there is no résumé.' }),
    has_resume: boolean(),
    voice_screening_opted_out: field(boolean(), {
      description: 'True: the candidate declined the phone pre-screen and must not be contacted for it.',
    }),
    rejection_reason: field(guarded('applications:internal:read', nullable(text())), {
      write: written(notBlank(2000), null as string | null, given => given),
      description: 'Internal; never sent to the candidate.',
    }),
    withdrawal_reason: field(guarded('applications:internal:read', nullable(text())), {
      description: 'What the candidate said when they withdrew. Internal.',
    }),
    start_date: field(guarded('applications:internal:read', nullable(date())), {
      description: 'The first day at work of a person who was hired, if the team recorded one. Internal.',
    }),
    owner_user_id: field(nullable(handleField('user')), {
      person: 'none',
      description: 'The member who is responsible for the candidate; null: the team of the job is.',
    }),
    resume_access: field(optional(resumeAccessField), { computed: true }),
    links: links({
      self: '/applications/{id}',
      answers: '/applications/{id}/answers',
      score: '/applications/{id}/score',
      resume: '/applications/{id}/resume',
      screening: '/applications/{id}/screening',
      stage_transitions: '/applications/{id}/stage-transitions',
    }),
  },
)

export const applicationShape = shape(
  'application',
  'An application of a person for a job. The single read adds `resume_access` if there is a résumé.',
  applicationRecord.fields,
  { resource: { name: 'applications', scope: 'applications:read' } },
)

export type ApplicationRow = Row<typeof applicationShape>

export const answersRecord = record(
  'application_answers',
  { ...WITH_APPLICANT, stored: workspace },
  {
    application_id,
    answers: field(
      jsonText({
        type: 'object',
        additionalProperties: {
          [COMPONENT]: 'answer_value',
          anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
        },
      }),
      { description: 'Keyed by the id of the form field.' },
    ),
  },
)

export const answersShape = shape(
  'application_answers',
  'The answers of the candidate on the application form, keyed by field id.',
  answersRecord.fields,
  { resource: { name: 'application_answers', scope: 'applications:answers:read' } },
)

export const answerFileShape = shape('answer_file', 'A file with which a candidate answered a question.', {
  id: uuid(),
  field_id: text(),
  filename: text(),
  mime: text(),
  bytes: integer(),
  created_at: time(),
})

export const scoreRecord = record(
  'application_scores',
  { ...WITH_APPLICANT, stored: { ...workspace, scored_at: field(time(), { person: 'none' }) } },
  {
    application_id,
    match_pct: integer('0 to 100'),
    gaps: field(jsonText({ type: 'array', items: { type: 'string' } }), {
      description: 'Requirements of the job that the résumé does not show.',
    }),
    rationale: guarded('applications:internal:read', nullable(text())),
    model_version: field(guarded('applications:internal:read', text()), {
      person: 'none',
      description: 'The version of the scoring rules.',
    }),
  },
)

export const scoreShape = shape('application_score', 'How well the résumé matches the job.', scoreRecord.fields, {
  resource: { name: 'application_scores', scope: 'applications:read' },
})

export const screeningRecord = record(
  'screenings',
  { ...WITH_APPLICANT, stored: workspace },
  {
    application_id,
    has_screening: field(boolean(), { computed: true, description: 'If false, the record has no other values.' }),
    call_status: optional(oneOf(CALL_STATUSES)),
    completion_state: optional(oneOf(COMPLETION_STATES)),
    duration_sec: optional(nullable(integer())),
    consent_state: optional(oneOf(CONSENT_STATES)),
    ambiguous_caller: field(optional(boolean()), { description: 'Whether the identity of the caller is uncertain.' }),
    started_at: optional(nullable(time())),
    ended_at: optional(nullable(time())),
    responses: neverExposed('consent_scope'),
    transcript: neverExposed('consent_scope'),
    audio: neverExposed('consent_scope'),
  },
)

export const screeningShape = shape(
  'screening',
  'Whether a phone pre-screen took place and how it went, never what was said.',
  screeningRecord.fields,
  {
    omitRestrictedWhen: row => !row.has_screening,
    resource: { name: 'screenings', scope: 'screening:metadata:read' },
  },
)

export const stageTransitionRecord = record(
  'stage_transitions',
  {
    ...WITH_APPLICANT,
    stored: {
      ...workspace,
      application_id,
      id: field(integer(), { person: 'none' }),
      to_stage_type: text(),
      key_id: field(nullable(text()), { person: 'none' }),
      user_id: field(nullable(handleField('user')), { person: 'none' }),
    },
  },
  {
    from_stage_id: field(nullable(handleField('pipeline_stage')), { description: 'Null for the first transition.' }),
    to_stage_id: handleField('pipeline_stage'),
    at: time(),
  },
)

export const stageTransitionShape = shape(
  'stage_transition',
  'A stage change of an application.',
  stageTransitionRecord.fields,
  { resource: { name: 'stage_transitions', scope: 'applications:internal:read' } },
)

/** Written by a user of the product, about an application. */
const authored = {
  author_user_id: field(nullable(handleField('user')), { person: 'none' }),
  created_at: field(time(), { person: 'none' }),
}

export const noteRecord = record(
  'notes',
  {
    ...WITH_APPLICANT,
    stored: {
      ...workspace,
      visibility: field(oneOf(NOTE_VISIBILITIES), { person: 'none' }),
      edited_at: field(nullable(time()), { person: 'none' }),
    },
  },
  {
    id: field(uuid(), { person: 'none' }),
    application_id,
    body: field(text(), { write: required(notBlank(10_000)) }),
    ...authored,
  },
)

export const noteShape = shape('note', 'A note on an application, for the hiring team.', noteRecord.fields, {
  resource: { name: 'notes', scope: 'applications:internal:read' },
})

const ratings = Type.Array(
  Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 120 }),
      score: Type.Integer({ minimum: 1, maximum: 5 }),
      comment: Type.Optional(Type.String({ maxLength: 2000 })),
    },
    closed,
  ),
  { maxItems: 50 },
)

export const scorecardRecord = record(
  'scorecards',
  { ...WITH_APPLICANT, stored: workspace },
  {
    id: field(uuid(), { person: 'none' }),
    application_id,
    recommendation: field(oneOf(RECOMMENDATIONS), { write: required(Type.Enum([...RECOMMENDATIONS])) }),
    summary: field(nullable(text()), { write: optionally(Type.String({ maxLength: 10_000 }), null, noneIfBlank) }),
    stage_id: field(nullable(handleField('pipeline_stage')), {
      person: 'none',
      write: optionally(Type.String({ maxLength: 100 }), null, id => id),
      description: 'Stages belong to a job.',
    }),
    ratings: field(array(object({ name: text(), score: integer('1 to 5'), comment: nullable(text()) })), {
      write: optionally(ratings, [], given => given.map(r => ({ ...r, comment: noneIfBlank(r.comment ?? null) }))),
    }),
    interviewed_at: field(nullable(time()), { write: optionally(bodyTime(), null, bodyInstant) }),
    report_url: field(nullable(url()), {
      write: optionally(httpsUrl({ maxLength: 2048 }), null, asUri),
      description: `A page with the whole report. ${ASCII_URL}`,
    }),
    ...authored,
  },
)

export const scorecardShape = shape(
  'scorecard',
  'An interviewer’s assessment of an application.',
  scorecardRecord.fields,
  { resource: { name: 'scorecards', scope: 'applications:internal:read' } },
)

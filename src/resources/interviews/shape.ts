import { wordList } from '../../kernel/db/sql.ts'
import {
  array,
  guarded,
  handleField,
  integer,
  nullable,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
  uuid,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'
import { record } from '../../kernel/record/record.ts'

export const INTERVIEW_KINDS = ['onsite', 'video', 'phone'] as const
export type InterviewKind = (typeof INTERVIEW_KINDS)[number]

/** What was decided about an interview. */
export const INTERVIEW_STATES = ['proposed', 'scheduled', 'no_show', 'canceled'] as const
export type InterviewState = (typeof INTERVIEW_STATES)[number]

/** The same with what time brings: a scheduled interview is held, an offer of times expires. */
export const INTERVIEW_STATUSES = ['proposed', 'scheduled', 'held', 'no_show', 'canceled', 'expired'] as const
export type InterviewStatus = (typeof INTERVIEW_STATUSES)[number]

/** What a candidate says on their page instead of choosing a time, or about the one that was planned. */
export const CANDIDATE_ANSWERS = ['none_fits', 'move', 'canceled'] as const
export type CandidateAnswer = (typeof CANDIDATE_ANSWERS)[number]

/** For statements: what calendars of people still show. */
export const OPEN_INTERVIEWS = wordList(['proposed', 'scheduled'])

const internal = 'applications:internal:read'
const plain = { person: 'none' } as const

export const interviewRecord = record(
  'interviews',
  {
    person: 'erased',
    erasure: 'the row goes with the application',
    stored: {
      workspace_id: field(handleField('workspace'), plain),
      state: field(oneOf(INTERVIEW_STATES), plain),
      candidate_time_zone: nullable(text()),
      organizer_id: field(handleField('user'), plain),
      invites_candidate: field(text(), plain),
      offered_until: field(nullable(time()), plain),
      picked_at: field(nullable(time()), plain),
      answer: nullable(oneOf(CANDIDATE_ANSWERS)),
      answered_at: field(nullable(time()), plain),
      asked_to_move: field(text(), plain),
      sequence: field(integer(), plain),
      details_sealed: text(),
      answer_sealed: nullable(text()),
      feedback_asked_at: field(nullable(time()), plain),
    },
  },
  {
    id: field(uuid(), plain),
    application_id: field(handleField('application'), plain),
    job_id: field(handleField('job'), plain),
    stage_id: field(handleField('pipeline_stage'), {
      ...plain,
      description: 'The stage of the application when it was planned.',
    }),
    status: field(oneOf(INTERVIEW_STATUSES), { computed: true }),
    kind: field(oneOf(INTERVIEW_KINDS), plain),
    starts_at: field(nullable(time()), { ...plain, description: 'Null until the candidate has chosen a time.' }),
    ends_at: field(nullable(time()), plain),
    time_zone: field(text(), { ...plain, description: 'The IANA time zone of the person who planned it.' }),
    interviewer_user_ids: field(array(handleField('user')), { computed: true }),
    title: field(guarded(internal, nullable(text())), { computed: true }),
    place: field(guarded(internal, nullable(text())), { computed: true }),
    meeting_url: field(guarded(internal, nullable(url())), { computed: true }),
    created_at: field(time(), plain),
    updated_at: field(time(), plain),
  },
)

export const interviewShape = shape(
  'interview',
  'An interview of a candidate, as the hiring team planned it.',
  interviewRecord.fields,
  { resource: { name: 'interviews', scope: 'applications:read' } },
)

export type InterviewRow = Row<typeof interviewShape>

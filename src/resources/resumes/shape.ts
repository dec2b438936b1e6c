import { UNREADABLE_REASONS } from '../../../packages/resume-parser/src/index.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import {
  boolean,
  called,
  guarded,
  handleField,
  int64,
  integer,
  jsonText,
  links,
  metered,
  nullable,
  number,
  object,
  oneOf,
  type Row,
  shape,
  text,
  time,
  url,
} from '../../kernel/http/shape.ts'
import { field } from '../../kernel/record/field.ts'

export const PARSE_STATUSES = ['pending', 'parsing', 'parsed', 'failed'] as const
/** Why the status is `failed`. */
export const PARSE_ERRORS = [...UNREADABLE_REASONS, 'internal'] as const
export type ParseError = (typeof PARSE_ERRORS)[number]
export const ACCESS_STATES = ['open', 'view_only', 'locked', 'unlocked'] as const
export type AccessState = (typeof ACCESS_STATES)[number]

export const resumeAccessField = field(
  called(
    'resume_access',
    object({
      state: oneOf(ACCESS_STATES),
      free_until: time(),
      view_until: time(),
      state_changes_at: field(nullable(time()), {
        description: 'When the state changes next without an action; null if it does not.',
      }),
      unlock_credits: field(integer(), {
        description: 'The price of unlocking, which the workspace does in the product.',
      }),
      can_view: boolean(),
      can_download: boolean(),
    }),
  ),
  { description: 'Résumés can be downloaded for 90 days, then only viewed. From day 120 they are locked.' },
)

export interface ResumeAccess {
  state: AccessState
  free_until: string
  view_until: string
  state_changes_at: string | null
  unlock_credits: number
  can_view: boolean
  can_download: boolean
}

const DAY_MS = 86_400_000

/**
 * Access to a résumé by time since the application: open for 90 days, then view_only until day 120, then locked; a
 * workspace that unlocks it, at any time, has it unlocked permanently. A state begins exactly at its instant. All three
 * instants come from the database, so that every process says the same at the boundary.
 */
export function resumeAccess(appliedAt: string, unlockedAt: string | null, now: string): ResumeAccess {
  const applied = Date.parse(appliedAt)
  const free_until = new Date(applied + API_LIMITS.resumeOpenDays * DAY_MS).toISOString()
  const view_until = new Date(applied + API_LIMITS.resumeViewDays * DAY_MS).toISOString()
  const state: AccessState =
    unlockedAt !== null ? 'unlocked' : now < free_until ? 'open' : now < view_until ? 'view_only' : 'locked'
  return {
    state,
    free_until,
    view_until,
    state_changes_at: state === 'open' ? free_until : state === 'view_only' ? view_until : null,
    unlock_credits: API_LIMITS.resumeUnlockCredits,
    can_view: state !== 'locked',
    can_download: state === 'open' || state === 'unlocked',
  }
}

const textList = () => jsonText({ type: 'array', items: { type: 'string' } })

const ids = { id: handleField('resume'), application_id: handleField('application') }
const file = {
  filename: text(),
  mime: text(),
  bytes: int64(),
  parse_status: oneOf(PARSE_STATUSES),
  parse_error: field(nullable(oneOf(PARSE_ERRORS)), {
    description:
      'Why parsing failed. Null unless `parse_status` is `failed`, and for files that failed before this field existed.',
  }),
  resume_access: resumeAccessField,
}

const profile = {
  current_title: nullable(text()),
  current_company: nullable(text()),
  seniority: nullable(text()),
  total_years_experience: nullable(number()),
  city: nullable(text()),
  country: nullable(text()),
  remote_ok: nullable(boolean()),
  education_level: nullable(text()),
  skills: textList(),
  languages: textList(),
  extraction_confidence: number('0 to 1'),
  parsed_at: time(),
  structured: called('resume_structure', object({ experience: textList(), education: textList() })),
  work_authorization: nullable(text()),
  visa_required: nullable(boolean()),
}

const download = '/applications/{application_id}/resume/download'
const about = 'The résumé of an application. `parsed` is null until the file has been parsed.'

const withText = {
  ...ids,
  ...file,
  parsed: nullable(
    object({
      ...profile,
      raw_text: field(guarded('resume:raw_text:read', metered('resume_text', nullable(text()))), {
        description: 'The full text of the résumé.',
      }),
    }),
  ),
  links: links({ download }),
}
const textShape = shape('resume', about, withText)
const noTextShape = shape('resume', about, {
  ...ids,
  ...file,
  parsed: nullable(object(profile)),
  links: links({ download }),
})

/** `raw_text=false`: the full text is not a field of the response, so it is neither restricted nor charged. */
export const resumeShape = shape('resume', about, withText, {
  as: row => ((row as { withoutText?: boolean }).withoutText ? noTextShape : textShape),
  resource: { name: 'resumes', scope: 'resume:read' },
})

/** A row of a list never has the full text. */
export const resumeRowShape = shape(
  'resume',
  'A résumé in the lists of an applicant or a person. `parsed` is null if it is not parsed yet or is locked. The full text is at `links.detail`.',
  {
    ...ids,
    job_id: handleField('job'),
    ...file,
    has_parsed_profile: boolean(),
    parsed: nullable(object(profile)),
    links: links({ detail: '/applications/{application_id}/resume', download }),
  },
  { component: 'resume_summary' },
)

export type ResumeRow = Row<typeof resumeShape>
export type ResumeListRow = Row<typeof resumeRowShape>

export const resumeDownloadShape = shape(
  'resume_download',
  'A signed, short-lived URL of a résumé file. Do not store it.',
  {
    application_id: handleField('application'),
    url: metered('resume_file', url()),
    expires_in: integer('seconds'),
    filename: text(),
    mime: text(),
    bytes: int64(),
  },
  // audit rows name the résumé; its handle is in the row and not in the response
  { subject: row => ({ object: 'resume', id: (row as unknown as { resume_id: string }).resume_id }) },
)

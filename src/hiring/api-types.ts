/** Responses of the hiring pages' own endpoints. The pages import this file, so nothing here may import the server. */

export type RoleName = 'owner' | 'admin' | 'member' | 'viewer'

export interface HiringSessionResponse {
  user: { id: string; name: string; email: string; role: RoleName }
  workspace: { id: string; name: string; plan: { code: string; name: string } | null }
  csrf_token: string
  /** what the role may do, in the words of the API; buttons that would be refused are not shown */
  scopes: string[]
  /** whether the console is for this person */
  console: boolean
}

/** The people that the command bar finds for a few letters. */
export interface SearchResponse {
  /** with their latest application; empty for roles that may not read names */
  candidates: { application_id: string; name: string; job_title: string; status: string }[]
  members: { id: string; name: string; email: string }[]
}

/** An application behind a number of the funnel. */
export interface CountedApplicationResponse {
  id: string
  applied_at: string
  status: string
  source: string
  job_id: string
  job_title: string
  stage_name: string
  /** null for roles that may not read names */
  name: string | null
  match_pct: number | null
}

export type ApplicationStatus = 'new' | 'in_review' | 'advanced' | 'rejected' | 'withdrawn' | 'hired'

/** Rejected, withdrawn and hired applications stay in their stage; a board shows them only if asked to. */
export const OPEN_STATUSES = ['new', 'in_review', 'advanced'] as const

/** `GET /jobs/{job_id}/board`: everything of a board but its cards. */
export interface BoardResponse {
  job: { id: string; title: string; status: string }
  /** in their order; `count` is exact, with all filters */
  stages: { id: string; name: string; type: string; is_terminal: boolean; count: number }[]
  /** with the filters other than the status */
  statuses: { status: ApplicationStatus; count: number }[]
  /** with the filters other than the source, the most frequent first */
  sources: { source: string; count: number }[]
}

/** A row of `GET /jobs/{job_id}/board/cards`. */
export interface BoardCard {
  id: string
  stage_id: string
  status: ApplicationStatus
  source: string
  applied_at: string
  updated_at: string
  in_stage_since: string
  /** null: not scored yet, or the person asked that processing stop */
  score: number | null
  /** null: there is no résumé */
  resume: { parse_status: 'pending' | 'parsing' | 'parsed' | 'failed' | null; access: string } | null
  /** left out for roles that may not read applicants; null if the person is not known */
  name?: string | null
  tags?: string[]
}

/** `GET /jobs/{job_id}/board/neighbors/{application_id}` */
export interface BoardNeighborsResponse {
  previous: string | null
  next: string | null
}

/** Changes in one request; more are sent in several, which the page shows as progress. */
export const MAX_CHANGES = 50

/** One of `POST /applications/changes`. */
export interface ApplicationChange {
  id: string
  action: 'move' | 'reject' | 'reopen'
  /** for `move` */
  stage_id?: string
  /** for `reject` */
  reason?: string
  /** for `reopen`: what it becomes; `in_review` if nothing is given */
  status?: 'in_review' | 'advanced'
  /** what the page showed; anything else is a conflict, and nothing is changed */
  expected?: { stage_id: string; status: ApplicationStatus }
}

/** In the order of the changes: what the application is now, or why nothing was changed. */
export interface ChangesResponse {
  results: (
    | { id: string; ok: true; stage_id: string; status: ApplicationStatus; updated_at: string }
    | { id: string; ok: false; code: string; message: string }
  )[]
}

export type JobStatusName = 'draft' | 'published' | 'closed'

/** `GET /jobs`: a job as its list shows it. */
export interface JobRowResponse {
  id: string
  title: string
  status: JobStatusName
  department: string | null
  location_type: 'remote' | 'hybrid' | 'onsite' | null
  locations: string[]
  created_at: string
  published_at: string | null
  close_at: string | null
  updated_at: string
  /** in the order of the pipeline; `active`: applications that wait for a decision */
  stages: { id: string; name: string; type: string; is_terminal: boolean; active: number }[]
}

/** `GET /job-words`: what jobs are filtered by, and what an editor suggests. */
export interface JobWordsResponse {
  departments: string[]
  teams: string[]
  locations: string[]
}

export interface JobIdResponse {
  id: string
}

/** `GET /jobs/{id}/history`: one change. */
export interface JobChangeResponse {
  job_id: string
  at: string
  action: 'created' | 'edited' | 'published' | 'unpublished' | 'closed' | 'reopened'
  /** `name` null: a person, key or app that is no longer there */
  by: { kind: 'person' | 'key' | 'app' | 'service'; name: string | null }
  /** by the names of the API; `from` and `to` of short values only */
  fields: { name: string; from?: unknown; to?: unknown }[]
}

/** `POST /markdown-preview`, `GET /jobs/{id}/description`: sanitized by the server, as the careers site shows it. */
export interface PreviewResponse {
  html: string
}

/** A job, as the pages that change a part of it name it. */
export interface SetupJob {
  id: string
  title: string
  status: 'draft' | 'published' | 'closed'
}

/** A part of a job with its `version`, which a change sends as `expected_version`. */
export interface StagesResponse {
  job: SetupJob
  version: string
  stages: StageSetup[]
}

export interface StageSetup {
  id: string
  name: string
  type: StageTypeName
  is_terminal: boolean
  application_count: number
}

export type StageTypeName =
  | 'applied'
  | 'screen'
  | 'assessment'
  | 'interview'
  | 'offer'
  | 'hired'
  | 'rejected'
  | 'custom'

export type FormFieldTypeName =
  | 'text'
  | 'textarea'
  | 'select'
  | 'multiselect'
  | 'boolean'
  | 'number'
  | 'date'
  | 'url'
  | 'email'
  | 'phone'
  | 'file'
  | 'section'
  | 'consent'
  | 'eeo'

export interface FormFieldSetup {
  id: string
  label: string
  type: FormFieldTypeName
  required: boolean
  section: string | null
  help_text: string | null
  options: string[]
  max_length: number | null
  candidate_field: 'name' | 'email' | 'phone' | 'linkedin' | 'resume' | null
  condition: { field_id: string; values: string[] } | null
  /** rises when the texts of the question change; a consent names it */
  version: number
  is_default_label: boolean
  is_default_help_text: boolean
}

export interface FormResponse {
  job: SetupJob
  version: string
  is_template: boolean
  has_phone_prescreen: boolean
  /** of a form of the job's own */
  fields: FormFieldSetup[]
  template: FormFieldSetup[]
  /** asked at the end of the form; empty for roles without jobs:screening:read */
  questions: QuestionSetup[]
}

export interface TemplateFormResponse {
  version: string
  fields: FormFieldSetup[]
  /** how many jobs use the template, by status, and how many have a form of their own */
  jobs: { published: number; draft: number; closed: number; own: number }
  /** the latest of those with a form of their own */
  own_forms: SetupJob[]
  /** events of the last change are still being written */
  emitting: boolean
}

export interface QuestionSetup {
  id: string
  kind: 'common' | 'adaptive'
  prompt: string
  response_key: string
  answer_type: 'boolean' | 'number' | 'text' | 'choice' | 'multi_choice'
  choices: string[] | null
  required: boolean
  source: 'template' | 'ai' | 'recruiter'
}

export interface QuestionsResponse {
  job: SetupJob
  version: string
  /** six digits; null: the job has no phone pre-screen */
  dial_in_code: string | null
  questions: QuestionSetup[]
}

/** For owners and admins. */
export interface CreditsResponse {
  balance: number
  resume_unlock_price: number
  contact_reveal_price: number
}

export interface CreditEntryResponse {
  sequence: number
  kind: 'grant' | 'resume_unlock' | 'contact_reveal'
  /** negative: spent */
  amount: number
  /** after this entry */
  balance: number
  /** null: the operator of the installation */
  by: { id: string; name: string } | null
  /** the application or sourced profile that was paid for */
  subject_id: string | null
  /** why credits were granted */
  note: string | null
  created_at: string
}

/** Newest first. */
export interface CreditLedgerResponse {
  data: CreditEntryResponse[]
  next_before: number | null
}

/** What a read returned, or why the role, or the state of the record, does not allow it. */
export type Part<T> = { data: T } | { refused: Refusal }

export interface Refusal {
  status: number
  code: string
  message: string
  /** of `insufficient_scope` */
  required_scope?: string
  /** of `resume_locked` */
  state?: string
  unlock_credits?: number
}

/**
 * `GET /candidates/{id}`: the reads of the API that a candidate's page begins with, as this person may read them. The page
 * knows their types from the SDK (`web/hiring/candidate/data.ts`).
 */
export interface CandidateResponse {
  application: object
  /** null: the role may not read jobs */
  job: { id: string; title: string; status: string; stages: unknown[]; fields: unknown[] } | null
  /** `data` is null if the person is not known */
  applicant: Part<unknown>
  /** `data` is null if there is no résumé; never with its text */
  resume: Part<unknown>
  answers: Part<unknown>
  files: Part<unknown[]>
  score: Part<unknown>
  screening: Part<unknown>
  transitions: Part<unknown[]>
  others: object[]
  /** of the person's other applications */
  resumes: Part<unknown[]>
}

/** An application after a change of its status. */
export interface ApplicationStateResponse {
  status: string
  stage_id: string
  updated_at: string
}

// Notes, scorecards, tags, messages and tasks

export interface PersonRef {
  id: string
  name: string
}

export interface MemberResponse extends PersonRef {
  role: RoleName
  /** whether the role reads notes and scorecards of others */
  reads_notes: boolean
  writes_scorecards: boolean
}

export interface NoteResponse {
  id: string
  body: string
  created_at: string
  /** null: no longer a member */
  author: PersonRef | null
  mentions: PersonRef[]
}

export interface Criterion {
  name: string
  description: string | null
}

export interface CriteriaResponse {
  criteria: Criterion[]
  /** sent back with a change, which is refused if someone else was faster */
  version: string
}

export interface ScorecardRow {
  id: string
  author: PersonRef | null
  recommendation: string
  summary: string | null
  ratings: { name: string; score: number; comment: string | null }[]
  stage_name: string | null
  interviewed_at: string | null
  report_url: string | null
  created_at: string
  mine: boolean
}

export interface ScorecardPanelResponse {
  criteria: Criterion[]
  cards: ScorecardRow[]
  /** why cards of others are left out: the reader has written none yet, or their role does not read them */
  hidden: 'until_own' | 'role' | null
  others: number | null
  requests: { user: PersonRef; requested_at: string; done: boolean }[]
}

export interface TagsResponse {
  tags: string[]
}

/** Of many applications; those without a tag are left out. */
export interface TagsOfResponse {
  tags: Record<string, string[]>
}

export interface UsedTagsResponse {
  tags: { name: string; used: number }[]
}

export interface TemplateResponse {
  id: string
  name: string
  subject: string
  body: string
  updated_at: string
}

export interface TemplatesResponse {
  templates: TemplateResponse[]
}

export interface MessageFactsResponse {
  values: { first_name: string; job_title: string; company: string }
  /** why nothing can be sent, where that is known before */
  blocked: 'stopped' | 'unsubscribed' | 'no_address' | null
  /** messages that the reader may still send today */
  remaining_today: number
  limit_per_day: number
}

export interface SentMessageResponse {
  id: string
  status: 'sent' | 'queued' | 'failed'
  created_at: string
  sent_at: string | null
  sender: string | null
  template_name: string | null
  application_id: string | null
  job_title: string | null
}

interface TaskCandidate {
  application_id: string
  job_id: string
  job_title: string
  stage_name: string
  /** null: the role does not read names */
  applicant_name: string | null
}

export type WaitingTask = TaskCandidate & { since: string }

export type ScorecardTask = TaskCandidate & { requested_at: string; requested_by: string | null }

/** `body` null: the role does not read notes of others */
export type MentionTask = TaskCandidate & {
  note_id: string
  created_at: string
  author: string | null
  body: string | null
}

export interface TasksResponse {
  waiting_days: number
  scorecards: ScorecardTask[]
  mentions: MentionTask[]
}

export interface TaskCountResponse {
  waiting: number
  scorecards: number
  mentions: number
  /** there may be more than so many of each */
  counted: number
}

export interface HiringSettingsResponse {
  waiting_days: number
}

export interface ProjectResponse {
  id: string
  name: string
  description: string | null
  archived: boolean
  list_count: number
  updated_at: string
}

export interface ListResponse {
  id: string
  name: string
  description: string | null
  project: { id: string; name: string; archived: boolean } | null
  /** it is, or its project */
  archived: boolean
  candidate_count: number
  created_at: string
  updated_at: string
}

/** A list with the number of its members in each stage; null: no stage. Labels of the list itself come last. */
export interface ListDetailResponse extends ListResponse {
  stages: { stage: string | null; members: number; custom: boolean }[]
  /** labels that are left out, because there are too many */
  more_labels: number
}

export interface MembershipResponse {
  id: string
  list: { id: string; name: string; project_name: string | null; archived: boolean }
  stage: string | null
  added_at: string
}

/** What became of each member, in the order of the request. */
export interface StageResponse {
  results: { member_id: string; status: 'changed' | 'not_found' | 'stopped' }[]
}

/** Profiles of the pool that the workspace has. */
export interface SavedResponse {
  saved: { pool_id: string; profile_id: string }[]
}

/** What became of each profile, in the order of the request. `stopped`: the person must not be stored. */
export interface SaveResponse {
  list: ListResponse
  results: {
    pool_id: string
    status: 'added' | 'already_in_list' | 'not_found' | 'stopped'
    profile_id: string | null
  }[]
}

/** A table that is imported: at most this large. `hiring import sourced-profiles` has no such limits. */
export const IMPORT_LIMITS = { bytes: 10_485_760, lines: 20_000 } as const

export interface ImportLineResponse {
  line: number
  fate: 'created' | 'updated' | 'unchanged' | 'suppressed' | 'invalid'
  name: string | null
  profile_id: string | null
  /** the fields that it changes */
  changed: string[]
  /** the earlier line that names the same person */
  same_as_line: number | null
  /** why it is invalid */
  reason: string | null
}

/** What an import would do. Nothing was stored. */
export interface ImportCheckResponse {
  delimiter: string
  /** the offset of the first byte after the titles */
  rows_begin_at: number
  columns: { title: string; field: string | null; sample: string | null }[]
  /** what a column can hold */
  fields: string[]
  counts: Record<ImportLineResponse['fate'], number>
  lines: ImportLineResponse[]
}

/** A line of the response while a table is imported, and at its end. */
export type ImportProgressResponse =
  | { done: number; total: number }
  | { result: { created: number; updated: number; unchanged: number; suppressed: number; invalid: number } }

export interface ListMemberResponse {
  id: string
  sourced_profile_id: string
  stage: string | null
  added_at: string
  /** null for roles that may not read sourced profiles */
  person: {
    full_name: string | null
    headline: string | null
    job_title: string | null
    company_name: string | null
    location_full: string | null
    linkedin_url: string | null
    has_contact_info: boolean
    suppressed: boolean
  } | null
}

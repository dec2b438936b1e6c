/**
 * Responses of the hiring pages' own endpoints; those of job setup and sourcing are in files of their own next to it. The
 * pages import these files, so nothing here may import the server.
 */
import type { ApplicationStatus, OpenStatus } from '../contract/application-status.ts'
import type { Role } from '../contract/scopes.ts'

export interface HiringSessionResponse {
  user: { id: string; name: string; email: string; role: Role }
  workspace: { id: string; name: string; plan: { code: string; name: string } | null }
  csrf_token: string
  /** what the role may do, in the words of the API; buttons that would be refused are not shown */
  scopes: string[]
  /** only the jobs whose team the person is on */
  limited: boolean
  /** those jobs; null: all jobs of the workspace */
  jobs: string[] | null
  /** whether the console is for this person */
  console: boolean
}

/** Who works on a job. */
export interface TeamResponse {
  people: {
    id: string
    name: string
    role: Role
    /** has access only to the jobs whose team they are on */
    limited: boolean
    on_team: boolean
  }[]
}

/** The people that the command bar finds for a few letters. */
export interface SearchResponse {
  /** with their latest application; empty for roles that may not read names */
  candidates: {
    application_id: string
    name: string
    job_title: string
    /** null: the stage was removed */
    stage_name: string | null
    status: ApplicationStatus
  }[]
  members: { id: string; name: string; email: string; role: string }[]
}

/** An application behind a number of the funnel. */
export interface CountedApplicationResponse {
  id: string
  applied_at: string
  status: ApplicationStatus
  source: string
  job_id: string
  job_title: string
  stage_name: string
  /** null for roles that may not read names */
  name: string | null
  match_pct: number | null
}

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
  /** the person asked that processing stop: nothing is decided about them */
  stopped: boolean
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

/** Every application that the filters leave, at most 10,000: what a change of all of them is about. */
export interface BoardSelectionResponse {
  applications: Pick<BoardCard, 'id' | 'stage_id' | 'status' | 'stopped'>[]
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
  status?: OpenStatus
  /** what the page showed; anything else is a conflict, and nothing is changed */
  expected?: { stage_id: string; status: ApplicationStatus }
}

/** In the order of the changes: what the application is now, or why nothing was changed. */
export interface ChangesResponse {
  results: (
    | { id: string; ok: true; stage_id: string; status: ApplicationStatus; updated_at: string }
    /** `latest`: of a change that was refused because someone was faster */
    | { id: string; ok: false; code: string; message: string; latest?: LatestStepResponse | null }
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

/** `POST /job-currency`: the currency of the places of a job, else that of the careers site's country; null: not certain. */
export interface JobCurrencyResponse {
  currency: string | null
}

export interface JobIdResponse {
  id: string
}

/** Who made a change of a job or an application. */
export interface AuthorResponse {
  /** `service`: also someone of whom nothing is known */
  kind: 'person' | 'key' | 'app' | 'service'
  /** null: a person, key or app that is no longer there */
  name: string | null
}

/** `GET /jobs/{id}/history`: one change. */
export interface JobChangeResponse {
  job_id: string
  at: string
  action: 'created' | 'edited' | 'published' | 'unpublished' | 'closed' | 'reopened'
  /** the reader made it */
  own: boolean
  by: AuthorResponse
  /**
   * by the names of the API; `from` and `to` of short values only; `renamed`: pairs of lines of entries that are still there
   */
  fields: { name: string; from?: unknown; to?: unknown; renamed?: unknown }[]
}

/** `POST /markdown-preview`, `GET /jobs/{id}/description`: sanitized by the server, as the careers site shows it. */
export interface PreviewResponse {
  html: string
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

/** The last move or decision. Everyone who sees the application may know who made it. */
export interface LatestStepResponse {
  at: string
  /** the reader made it */
  own: boolean
  by: AuthorResponse
}

/** A move, a change of the status, or both in one change; what did not change is null. */
export interface StepResponse extends LatestStepResponse {
  from_stage_id: string | null
  to_stage_id: string | null
  from_status: ApplicationStatus | null
  to_status: ApplicationStatus | null
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
  role: Role
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
  /** why nothing can be sent, where that is known before; `no_mailbox`: no email can arrive at the address */
  blocked: 'stopped' | 'unsubscribed' | 'no_address' | 'no_mailbox' | null
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
  /** whose candidates wait for the person: those of their jobs, or of all, because they are on no team */
  waiting_of: 'teams' | 'all_jobs'
  scorecards: ScorecardTask[]
  mentions: MentionTask[]
}

export interface HiringSettingsResponse {
  waiting_days: number
}

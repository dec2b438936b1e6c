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

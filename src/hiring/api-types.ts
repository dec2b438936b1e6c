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

/** `POST /markdown-preview`: sanitized by the server, as the careers site shows it. */
export interface PreviewResponse {
  html: string
}

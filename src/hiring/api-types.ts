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

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

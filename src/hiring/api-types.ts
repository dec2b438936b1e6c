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

export interface MemberResponse {
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

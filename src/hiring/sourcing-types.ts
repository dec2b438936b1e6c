/** Responses of the endpoints of sourcing. The pages import this file. */

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

/** `POST /sourcing/lists/{list_id}/restore`: people who cannot be in the list any more. */
export interface RestoredResponse {
  missing: number
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
  fate: 'created' | 'updated' | 'unchanged' | 'suppressed' | 'invalid' | 'blank'
  name: string | null
  profile_id: string | null
  /** the fields that it changes */
  changed: string[]
  /** the earlier line that names the same person */
  same_as_line: number | null
  /** the earlier line with the same text that becomes a profile of its own: nothing says that both are one person */
  repeats_line: number | null
  /** why it is invalid */
  reason: string | null
}

/** What an import would do. Nothing was stored. */
export interface ImportCheckResponse {
  delimiter: string
  /** the offset of the first byte after the titles */
  rows_begin_at: number
  /** the line of that byte, counted from 1 */
  rows_begin_at_line: number
  columns: { title: string; field: string | null; sample: string | null }[]
  /** what a column can hold */
  fields: string[]
  counts: Record<ImportLineResponse['fate'], number>
  lines: ImportLineResponse[]
}

/** What became of the lines of a table. `earlier`: lines that an interrupted run had stored. */
export type ImportResult = Record<ImportLineResponse['fate'], number> & { earlier: number }

/** A line of the response while a table is imported, and at its end. */
export type ImportProgressResponse = { done: number; total: number } | { result: ImportResult }

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

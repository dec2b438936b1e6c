export const AUDITED_FIELDS = ['email', 'phone', 'resume_text', 'resume_file'] as const

export interface AuditResponse {
  id: number
  at: string
  /** an API key, or an app through the consent of a person */
  key: { id: string; name: string | null; is_app: boolean }
  subject: { object: string; id: string }
  field: string
  units: number
  request_id: string
  /** on whose behalf an app read; `name` is null for a former member */
  acting_user: { id: string; name: string | null } | null
}

export interface AuditOptionsResponse {
  readers: { id: string; name: string }[]
  people: { id: string; name: string }[]
}

/** An address that the workspace does not mail. */
export interface OptOutResponse {
  /** names the row */
  ref: string
  /** null: the person asked that processing stop, or was erased */
  email: string | null
  /** `opt_out`: the workspace put it on the list; otherwise how the person unsubscribed */
  source: 'link' | 'one_click' | 'product' | 'opt_out'
  at: string
}

export interface OptOutsAddedResponse {
  added: number
  already_listed: number
  /** numbers of lines without an email address, the first hundred */
  invalid_lines: number[]
  invalid_count: number
}

export type ErasureReason = 'erasure_request' | 'stop_processing' | 'legal_request'

export interface ErasureResponse {
  /** of the suppression */
  id: string
  status: 'suppressed' | 'erased'
  reason: ErasureReason
  /** the name of a member, `former_member`, `command_line`, `candidate`, `another_workspace`; null: not asked for through a request */
  requested_by: string | null
  /** another workspace asked, and `requested_by` approved */
  approved: boolean
  requested_at: string
  delete_by: string
  completed_at: string | null
  /** records are still being erased */
  running: boolean
  progress: { found: number; done: number }
  /** of this workspace and of the shared pool */
  records: { object: string; found: number; done: number }[]
  /** by keys of this workspace */
  acknowledgements: number
  /** how many of its keys may have copies and have not confirmed that they deleted them */
  unconfirmed: number
}

export interface ErasureDetailResponse extends ErasureResponse {
  /** handles that this workspace held */
  subjects: readonly { object: string; id: string }[]
  identifiers: readonly { kind: string; algorithm: string; value: string }[]
  /** of keys of this workspace */
  confirmations: { key: { id: string; name: string }; deleted_at: string; acknowledged_at: string }[]
  /** keys of this workspace that may have copies and have not confirmed */
  waiting: { id: string; name: string }[]
  /** some of them have not, although the time is over */
  overdue: boolean
}

/** What another workspace asked of this one. Which one it is, is not said. */
export interface ErasureAskedResponse {
  id: string
  reason: ErasureReason
  /** `superseded`: an erasure of this workspace or of the operator reached the person first */
  state: 'open' | 'approved' | 'declined' | 'superseded'
  requested_at: string
  decided_at: string | null
  /** as `requested_by` of an erasure */
  decided_by: string | null
  /** the erasure that the approval led to */
  erasure_id: string | null
}

export interface ErasureAskedDetailResponse extends ErasureAskedResponse {
  /** why it was declined */
  note: string | null
  /** what this workspace holds of the person now; empty once it is decided */
  held_here: { object: string; count: number }[]
  subjects: { object: string; id: string }[]
}

export interface ErasurePreviewResponse {
  held_here: { object: string; count: number }[]
}

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

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

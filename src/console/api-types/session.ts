/** Responses of the console's endpoints, by subject. The pages import these files, so nothing here may import the server. */
export interface SessionResponse {
  user: { id: string; name: string; email: string; role: 'owner' | 'admin' }
  workspace: { id: string; name: string; plan: { code: string; name: string } | null }
  csrf_token: string
  /** where partners call the API */
  base_url: string
  /** mails stay in the local outbox: no mail server is configured */
  has_outbox: boolean
  /** null: this person may manage keys and connected apps; else why not */
  key_management_refused: string | null
  /** how far an erasure that is asked for here reaches */
  erasure_reach: 'workspace' | 'installation'
}

/** What the console's endpoints answer: read by its pages, so nothing here may need the server. */

export interface SessionAnswer {
  user: { id: string; name: string; email: string; role: 'owner' | 'admin' }
  workspace: { id: string; name: string; plan: { code: string; name: string } | null }
  csrf_token: string
  /** where partners call the API */
  base_url: string
  /** null: this person may manage keys; else why not */
  key_management_refused: string | null
}

export interface KeyAnswer {
  id: string
  name: string
  environment: 'live' | 'test'
  scopes: string[]
  ip_allowlist: string[]
  owner: { id: string; name: string } | null
  /** `single`: this workspace; the others reach further and are managed with the command line */
  reach: 'single' | 'list' | 'all'
  state: 'active' | 'expired' | 'revoked'
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  previous_secret_expires_at: string | null
}

export interface SecretAnswer {
  current: boolean
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  last_used_address: string | null
  last_used_agent: string | null
}

export interface KeyDetailAnswer extends KeyAnswer {
  secrets: SecretAnswer[]
  webhook_endpoints: number
}

export interface IssuedKeyAnswer {
  key: KeyAnswer
  /** shown this once */
  secret: string
}

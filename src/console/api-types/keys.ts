export interface KeyResponse {
  id: string
  name: string
  environment: 'live' | 'test'
  /** in force: what the role of its person allows of those granted */
  scopes: string[]
  granted_scopes: string[]
  ip_allowlist: string[]
  owner: { id: string; name: string } | null
  /** `single`: this workspace; the others reach further and are managed with the command line */
  reach: 'single' | 'list' | 'all'
  state: 'active' | 'expired' | 'revoked'
  /** this person may rotate it: it is theirs, or they are an owner */
  can_rotate: boolean
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  previous_secret_expires_at: string | null
}

export interface SecretResponse {
  current: boolean
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  last_used_address: string | null
  last_used_agent: string | null
}

export interface KeyDetailResponse extends KeyResponse {
  secrets: SecretResponse[]
  webhook_endpoints: number
}

export interface IssuedKeyResponse {
  key: KeyResponse
  /** shown this once */
  secret: string
}

export type ClaimRoleName = 'admin' | 'member' | 'viewer'

export interface CompanySignInSettings {
  issuer: string
  client_id: string
  domains: string[]
  enabled: boolean
  enforced: boolean
  creates_members: boolean
  trusts_email: boolean
  role_claim: string | null
  role_rules: { value: string; role: ClaimRoleName }[]
  default_role: ClaimRoleName | null
  ends_provider_session: boolean
}

export interface CompanySignInResponse {
  /** null: no provider is set; the client secret is never shown */
  settings: CompanySignInSettings | null
  /** to register at the provider */
  redirect_uri: string
  /** where people of this workspace can start, for bookmarks and the provider's list of apps */
  sign_in_url: string
  test_url: string
  /** where the provider posts that someone signed out there (back-channel logout) */
  logout_url: string
  /** where the provider sends people who signed out, to register there */
  signed_out_url: string
  /** the domain of this person; null: their address is not verified, or belongs to a public mail service */
  own_domain: string | null
  /** the TXT record that a domain must have before an owner can add it */
  domain_record: string
  /** members with an account at the provider, newest first */
  connected: { id: string; name: string; linked_at: string; refused_at: string | null }[]
  /** newest first */
  log: CompanySignInLogEntry[]
}

export interface CompanySignInLogEntry {
  id: number
  at: string
  event: string
  /** what happened, and for a failure what to do */
  text: string
  /** the member it is about; null where none is known */
  member: { id: string; name: string } | null
  /** who did it; null for the operator and for what a sign-in did */
  actor: { id: string; name: string } | null
}

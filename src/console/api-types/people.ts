export type RoleName = 'owner' | 'admin' | 'member' | 'viewer'

export interface PersonResponse {
  id: string
  name: string
  email: string | null
  role: RoleName
  /** of owners and admins: what counts when they become members or viewers */
  job_access: 'all' | 'team'
  /** on how many teams a person is who is limited to jobs; null: access to all jobs */
  jobs: number | null
  /** has proved the address */
  verified: boolean
  last_login_at: string | null
  created_at: string
  /** has an authenticator app or a passkey */
  second_factor: boolean
  is_you: boolean
  /** an admin leaves owners alone; the last owner stays */
  can_change: boolean
}

export interface InvitedResponse {
  person: PersonResponse
  /** false: the mail server did not take the mail; the link can be sent again */
  mailed: boolean
  /** the mail in the local outbox, where no mail server is configured */
  outbox_mail_id: string | null
}

export interface AppResponse {
  id: string
  name: string
  kind: 'web' | 'browser' | 'native'
  redirect_uris: string[]
  scopes: string[]
  created_by: string | null
  created_at: string
  revoked_at: string | null
  consents: number
  previous_secret_expires_at: string | null
}

export interface ConsentResponse {
  id: string
  user: { id: string; name: string; email: string | null }
  scopes: string[]
  granted_at: string
}

export interface AppDetailResponse extends AppResponse {
  people: ConsentResponse[]
}

export interface IssuedAppResponse {
  app: AppResponse
  /** shown this once; null for apps that cannot keep one */
  client_secret: string | null
}

export interface MailResponse {
  id: string
  at: string
  from: string
  to: string
  subject: string
}

export interface MailDetailResponse extends MailResponse {
  text: string
  html: string | null
  /** links to the pages of a candidate are shown without their token */
  hides_links: boolean
}

export interface OwnSessionResponse {
  id: string
  current: boolean
  method: 'password' | 'link' | 'passkey' | 'company'
  /** the second factor that was proved */
  factor: 'totp' | 'recovery' | 'passkey' | null
  address: string
  user_agent: string | null
  created_at: string
  last_seen_at: string
}

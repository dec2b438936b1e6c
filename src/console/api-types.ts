/** Responses of the console's endpoints. The pages import this file, so nothing here may import the server. */
import type { SecondFactorPolicy } from '../contract/second-factor.ts'

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

export interface EndpointResponse {
  id: string
  url: string
  description: string | null
  event_types: readonly string[]
  enabled: boolean
  disabled_at: string | null
  disabled_reason: 'failing' | 'gone' | 'manual' | 'key_revoked' | null
  key: { id: string; name: string }
  signing_secret_version: number
  signing_secret_rotated_at: string | null
  previous_secret_expires_at: string | null
  consecutive_failures: number
  last_success_at: string | null
  last_failure_at: string | null
  created_at: string
  /** deliveries that are not at their end */
  waiting: number
}

export interface IssuedEndpointResponse {
  endpoint: EndpointResponse
  /** shown this once */
  signing_secret: string
}

export interface RecoveryResponse {
  queued: number
  has_more: boolean
  next_after: number
  gap: boolean
}

export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled'

export interface DeliveryResponse {
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  status: DeliveryStatus
  attempt: number
  response_status: number | null
  error: string | null
  next_attempt_at: string | null
  delivered_at: string | null
  created_at: string
}

export interface DeliveryDetailResponse extends DeliveryResponse {
  endpoint: { id: string; url: string; enabled: boolean }
  kind: 'event' | 'ping' | 'redelivery'
  /** what was sent, byte for byte; null where it is no longer retained */
  payload: string | null
  attempts: {
    attempt: number
    sent_at: string
    duration_ms: number | null
    response_status: number | null
    error: string | null
    /** the first 1,024 bytes of the response; null if there was no text */
    response_body: string | null
  }[]
}

export interface EventResponse {
  sequence: number
  id: string
  type: string
  created_at: string
  /** the key whose write caused it; null for changes made in the product */
  origin: { id: string; name: string } | null
  /** as the feed shows it, byte for byte */
  body: string
}

export interface EventsResponse {
  data: EventResponse[]
  /** read on with it; null at the end */
  next_before: number | null
  /** true: nothing more was found in what was looked at, but there is more to look at */
  unfinished: boolean
}

export interface OverviewResponse {
  from: string
  to: string
  bucket: 'hour' | 'day'
  requests: { at: string; requests: number; client_errors: number; server_errors: number; limited: number }[]
  deliveries: { at: string; delivered: number; failed_attempts: number; given_up: number }[]
  personal_data: { day: string; used: number }[]
  month: { used: number; quota: number | null; resets_at: string }
  per_minute: { general: number; expensive: number; download: number }
  personal_data_per_day: number
  keys: {
    id: string
    name: string
    requests: number
    errors: number
    limited: number
    personal_data_today: number
    last_used_at: string | null
  }[]
  endpoints: { enabled: number; failing: number; disabled: number; waiting: number }
  last_event: { sequence: number; created_at: string } | null
}

export const REQUEST_RANGES = ['1h', '24h', '7d'] as const

/** A call of the request log. */
export interface RequestLogResponse {
  id: string
  created_at: string
  /** an API key, or an app through the consent of a person; `name` is null for one that no longer exists */
  key: { id: string; name: string | null; is_app: boolean }
  method: string
  /** null: no endpoint has the path that was called */
  route: string | null
  status: number
  code: string | null
  duration_ms: number
}

export interface RequestDetailResponse extends RequestLogResponse {
  /** null: a value that is not stored */
  params: Record<string, string | null>
  /** the parameter or field that the error named */
  param: string | null
  acting_user: { id: string; name: string | null } | null
  personal_data_units: number
}

export interface RequestCounts {
  requests: number
  client_errors: number
  server_errors: number
  limited: number
  /** half of the calls were faster; 0 where there were none */
  p50_ms: number
  p95_ms: number
}

export interface RequestFiguresResponse {
  from: string
  to: string
  step_minutes: number
  /** set where there were too many calls to count all: the figures begin here */
  counted_from: string | null
  total: RequestCounts
  series: ({ at: string } & RequestCounts)[]
  /** the busiest first */
  endpoints: ({ method: string; route: string | null } & RequestCounts)[]
}

export interface AlertResponse {
  id: string
  kind: string
  level: 'warning' | 'critical'
  title: string
  text: string
  /** the page of what it is about, below /console */
  path: string
  opened_at: string
  acknowledged_at: string | null
  /** the name of a member */
  acknowledged_by: string | null
  resolved_at: string | null
}

/** Open alerts that no one has acknowledged. */
export interface AlertCountResponse {
  waiting: number
  critical: number
}

export interface AlertWebhookResponse {
  url: string
  muted_kinds: string[]
  previous_secret_expires_at: string | null
  created_at: string
  last_attempt_at: string | null
  last_response_status: number | null
  /** null: the last attempt was accepted */
  last_error: string | null
}

export interface AlertSettingsResponse {
  /** of the person who is signed in */
  mail: boolean
  muted_kinds: string[]
  /** of the workspace */
  webhook: AlertWebhookResponse | null
}

export interface SavedAlertWebhookResponse {
  webhook: AlertWebhookResponse
  /** shown this once; null where it has one already */
  signing_secret: string | null
}

export interface AlertWebhookTestResponse {
  response_status: number | null
  error: string | null
}

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

export interface SettingsResponse {
  key_management_domains: string[]
  connected_app_writes: boolean
  webhooks_self_serve: boolean
  second_factor: SecondFactorPolicy
}

export interface LimitResponse {
  name:
    | 'general_per_minute'
    | 'expensive_per_minute'
    | 'download_per_minute'
    | 'personal_data_reads_per_day'
    | 'requests_per_month'
  /** null: unlimited */
  plan: number | null
  /** what the operator set for the workspace; undefined: nothing */
  own?: number | null
  /** what holds */
  value: number | null
}

export interface LimitsResponse {
  limits: LimitResponse[]
}

export interface RetentionRow {
  kind: 'applications' | 'audit' | 'events' | 'deliveries' | 'request_log'
  unit: 'months' | 'days'
  /** null: nothing was set; 0: without an end */
  own: number | null
  /** what the installation gives */
  fallback: number
  /** what holds */
  value: number
  least: number
  most: number
  /** whether 0 is allowed */
  endless: boolean
  description: string
}

export interface RetentionResponse {
  rows: RetentionRow[]
  /** the longest time for applications that the installation allows; null: as long as the row says */
  longest_months: number | null
}

export interface RetentionPreviewResponse {
  would_delete: { kind: RetentionRow['kind'] | 'people'; n: number; oldest: string | null }[]
  /** some of them, those without activity for the longest time first */
  applications: { id: string; status: string; updated_at: string }[]
}

export interface DeletionOptionsResponse {
  grace_days: number
  recently_signed_in: boolean
}

export interface DeletionResponse {
  delete_at: string
}

export interface CareersSiteResponse {
  slug: string
  /** former slugs, which lead to the current one */
  earlier_slugs: readonly string[]
  enabled: boolean
  /** null: the name of the workspace */
  display_name: string | null
  workspace_name: string
  headline: string | null
  introduction_md: string | null
  accent_color: string | null
  /** changes with the logo; null: none */
  logo_version: string | null
  website_url: string | null
  privacy_url: string | null
  /** that replies of candidates go to */
  contact_email: string | null
  /** two letters; of locations that name no country */
  country: string | null
  /** by language; one without uses the service's own text */
  confirmations: Readonly<Record<string, { subject: string; body: string }>>
  updated_at: string
  url: string
  /** those that the site has, with the text that is sent in them unless there is another, as a template */
  languages: readonly {
    code: string
    name: string
    /** for previews */
    sample_job: string
    standard: { subject: string; body: string }
  }[]
}

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
}

export interface CompanySignInResponse {
  /** null: no provider is set; the client secret is never shown */
  settings: CompanySignInSettings | null
  /** to register at the provider */
  redirect_uri: string
  /** where people of this workspace can start, for bookmarks and the provider's list of apps */
  sign_in_url: string
  test_url: string
  /** the domain that this person can add; null: their address is not verified, or belongs to a public mail service */
  own_domain: string | null
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

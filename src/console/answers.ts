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

export interface EndpointAnswer {
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

export interface IssuedEndpointAnswer {
  endpoint: EndpointAnswer
  /** shown this once */
  signing_secret: string
}

export interface RecoveryAnswer {
  queued: number
  has_more: boolean
  next_after: number
  gap: boolean
}

export type DeliveryStatus = 'pending' | 'retrying' | 'delivered' | 'failed' | 'canceled'

export interface DeliveryAnswer {
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

export interface DeliveryDetailAnswer extends DeliveryAnswer {
  endpoint: { id: string; url: string; enabled: boolean }
  kind: 'event' | 'ping' | 'redelivery'
  /** what was sent, byte for byte; null where it is no longer kept */
  payload: string | null
  attempts: {
    attempt: number
    sent_at: string
    duration_ms: number | null
    response_status: number | null
    error: string | null
  }[]
}

export interface EventAnswer {
  sequence: number
  id: string
  type: string
  created_at: string
  /** the key whose write caused it; null for changes made in the product */
  origin: { id: string; name: string } | null
  /** as the feed shows it, byte for byte */
  body: string
}

export interface EventsAnswer {
  data: EventAnswer[]
  /** read on with it; null at the end */
  next_before: number | null
  /** true: nothing more was found in what was looked at, but there is more to look at */
  unfinished: boolean
}

export interface OverviewAnswer {
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

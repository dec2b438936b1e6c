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

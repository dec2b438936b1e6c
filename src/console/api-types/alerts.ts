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

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

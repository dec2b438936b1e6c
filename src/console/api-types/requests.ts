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

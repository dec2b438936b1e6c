import { ApiConnectionError, ApiError } from './errors.ts'

/** The first wait without Retry-After, and the longest. */
const BASE_MS = 500
const LONGEST_BACKOFF_MS = 8_000
/** Spread on top of Retry-After, so that workers that were limited together do not return together. */
const SPREAD_MS = 1_000
/** The longest wait that a limit per minute asks for. */
const A_MINUTE = 60

/** They end at midnight UTC: waiting would block the caller for hours, and a smaller request may still fit. */
const DAILY = new Set(['personal_data_quota_exceeded', 'message_quota_exceeded'])
/** Repeats the failure under the same Idempotency-Key. */
const NEEDS_NEW_KEY = 'delivery_failed'
/** One immediate repeat may succeed, another one hardly. */
const ONCE = new Set([
  'internal_error',
  'request_timeout',
  'job_modified_concurrently',
  'application_modified_concurrently',
  'application_conflict',
])
/** Conflicts end by themselves only where the first request under the key is still running. */
const IN_FLIGHT = 'idempotency_in_flight'
/** Statuses of proxies and of the service with which a request was not processed, or safely can be repeated. */
const TRANSIENT = new Set([408, 429, 502, 503, 504])

export interface RetryLimits {
  maxRetries: number
  /** A longer Retry-After is not waited for: the monthly quota can ask for weeks. */
  maxRetryAfterMs: number
  random(): number
}

/** Milliseconds until the next attempt; undefined where another one would be useless. `failures` counts from 1. */
export function retryDelay(error: unknown, failures: number, limits: RetryLimits): number | undefined {
  if (failures > limits.maxRetries) return undefined
  const spread = limits.random()
  const backoff = Math.min(LONGEST_BACKOFF_MS, BASE_MS * 2 ** (failures - 1)) * (0.5 + spread / 2)
  if (error instanceof ApiConnectionError) return backoff
  if (!(error instanceof ApiError)) return undefined
  const { code, status, retryAfterSeconds } = error
  if (DAILY.has(code) || code === NEEDS_NEW_KEY) return undefined
  if (ONCE.has(code)) return failures === 1 ? backoff : undefined
  if (!TRANSIENT.has(status) && code !== IN_FLIGHT) return undefined
  if (retryAfterSeconds === undefined) return backoff
  const asked = retryAfterSeconds * 1000
  return asked > limits.maxRetryAfterMs ? undefined : Math.max(backoff, asked + spread * SPREAD_MS)
}

/**
 * Whether the cause ends by itself within minutes, so that a reader that runs for weeks should wait for that: an outage,
 * or the limit of a minute. A quota that ends tomorrow or next month is none.
 */
export const isOutage = (error: unknown): boolean =>
  error instanceof ApiConnectionError ||
  (error instanceof ApiError &&
    error.code !== NEEDS_NEW_KEY &&
    (error.type === 'unavailable' ||
      error.status >= 500 ||
      (error.code === 'rate_limit_exceeded' && (error.retryAfterSeconds ?? 0) <= A_MINUTE)))

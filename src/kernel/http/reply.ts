import type { ServerResponse } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import type { ErrorCode } from '../../contract/errors.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { type Allowances, DEFAULT_ALLOWANCES, TIER_POLICY_NAMES, TIERS, type Tier } from '../../contract/plans.ts'
import { API_VERSION } from '../../contract/version.ts'
import type { Environment } from '../access/key-format.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { ApiError } from '../errors/api-error.ts'

/** A response, ready to be written. */
export interface Reply {
  status: number
  /** a buffer: bytes that are sent time and again */
  body: string | Buffer | { stream: Readable; bytes: number }
  contentType: string
  /** name, value, name, value … */
  headers: string[]
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/** The headers say this of the caller's limits; before the caller is known, the defaults of the specification. */
export interface LimitsShown {
  tier: Tier
  allowances: Allowances
  /** known once the call was counted */
  counted?: { remaining: number; resetSeconds: number } | undefined
}

export const UNKNOWN_CALLER: LimitsShown = { tier: 'general', allowances: DEFAULT_ALLOWANCES }

const policies = new WeakMap<Allowances, string>()

function policyOf(allowances: Allowances): string {
  return getOrCreate(policies, allowances, () =>
    TIERS.map(
      tier => `"${TIER_POLICY_NAMES[tier]}";q=${allowances.perMinute[tier]};w=${API_LIMITS.rateWindowSeconds}`,
    ).join(', '),
  )
}

export interface ReplyContext {
  requestId: string
  /** the kind of the workspace that is called; null: none is known */
  environment?: Environment | null
  limits: LimitsShown
  /** the connection ends with this response */
  closing: boolean
}

/** The headers that every response carries: name, value, name, value … */
export function replyHeaders(reply: Reply, { requestId, environment, limits, closing }: ReplyContext): string[] {
  const { tier, allowances, counted } = limits
  const limit = String(allowances.perMinute[tier])
  const headers = [
    'Service-Request-Id',
    requestId,
    'Service-Api-Version',
    API_VERSION,
    'Service-Partner-Api-Version',
    API_VERSION,
    'RateLimit-Limit',
    limit,
    'X-RateLimit-Limit',
    limit,
    'RateLimit-Policy',
    policyOf(allowances),
    'Cache-Control',
    'no-store',
    'X-Content-Type-Options',
    'nosniff',
    ...reply.headers,
  ]
  if (environment) headers.push('Service-Environment', environment)
  if (counted) {
    headers.push('RateLimit-Remaining', String(counted.remaining), 'RateLimit-Reset', String(counted.resetSeconds))
  }
  if (reply.status !== 304) {
    const bytes = isWhole(reply.body) ? Buffer.byteLength(reply.body) : reply.body.bytes
    headers.push('Content-Type', reply.contentType, 'Content-Length', String(bytes))
  }
  if (closing) headers.push('Connection', 'close')
  return headers
}

/** Writes a response, or discards it where the connection is gone. */
export function writeReply(response: ServerResponse, reply: Reply, context: ReplyContext): void {
  const { body } = reply
  if (response.headersSent || response.destroyed) {
    if (!isWhole(body)) body.stream.destroy()
    return
  }
  response.writeHead(reply.status, withVary(response, replyHeaders(reply, context)))
  if (isWhole(body)) response.end(body)
  // a failure on either side ends both: the length was sent, so the caller sees that the file is incomplete
  else pipeline(body.stream, response, () => {})
}

const isWhole = (body: Reply['body']): body is string | Buffer => typeof body === 'string' || Buffer.isBuffer(body)

/** `writeHead` replaces headers that were set before: the Vary of cross-origin requests is kept. */
function withVary(response: ServerResponse, headers: string[]): string[] {
  const earlier = response.getHeader('Vary')
  const at = earlier === undefined ? -1 : headers.indexOf('Vary')
  return at < 0 ? headers : headers.with(at + 1, `${earlier}, ${headers[at + 1]}`)
}

/** The parts of the body of an error response. */
export interface ErrorContent {
  code: string
  type: string
  message: string
  details: ApiError['details']
}

/** The one error body. `docUrl`: null for errors that the reference does not describe. */
export function errorBody(
  { code, type, message, details }: ErrorContent,
  requestId: string,
  docUrl: string | null,
): string {
  const detail = {
    code,
    type,
    message,
    param: details.param ?? null,
    doc_url: docUrl,
    required_scope: details.required_scope ?? null,
    retry_after_seconds: details.retry_after_seconds ?? null,
    request_id: requestId,
    ...(details.errors ? { errors: details.errors } : {}),
    ...(details.state === undefined ? {} : { state: details.state }),
    ...(details.unlock_credits === undefined ? {} : { unlock_credits: details.unlock_credits }),
  }
  return JSON.stringify({ detail })
}

export function errorReply(failure: ApiError, requestId: string, publicUrl: string): Reply & { body: string } {
  const { code, status } = failure
  const { retry_after_seconds: retryAfter } = failure.details
  const headers = Object.entries(failure.headers).flat()
  if (status === 429 && retryAfter !== undefined) headers.push('Retry-After', String(retryAfter))
  if (status === 401) headers.push('WWW-Authenticate', 'Bearer')
  const body = errorBody(failure, requestId, docUrl(publicUrl, code))
  return { status, body, contentType: JSON_TYPE, headers }
}

export const docUrl = (publicUrl: string, code: ErrorCode): string => `${publicUrl}/docs/errors#${code}`

import type { Open } from './core.ts'
import type { ErrorCode, ErrorDetail, ErrorType } from './generated.ts'

/** Every error that this package throws on its own account. An aborted call throws the reason of its signal instead. */
export class HiringError extends Error {
  override name = 'HiringError'
}

/** No response: the connection failed or was cut. Writes are safe to repeat under the same Idempotency-Key. */
export class ApiConnectionError extends HiringError {
  override name = 'ApiConnectionError'
}

/** No complete response within `timeoutMs`. */
export class ApiTimeoutError extends ApiConnectionError {
  override name = 'ApiTimeoutError'
}

/** A response that is not one of the API, such as the page of a proxy or a redirect. */
export class UnexpectedResponseError extends HiringError {
  override name = 'UnexpectedResponseError'
  readonly status: number

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/** The service could not write the export of a `sync`. The next run makes another one. */
export class ExportFailedError extends HiringError {
  override name = 'ExportFailedError'
  readonly exportId: string

  constructor(exportId: string) {
    super(`The export ${exportId} failed.`)
    this.exportId = exportId
  }
}

/** Events are missing between the position of the reader and what the feed still has: make a full copy. */
export class FeedGapError extends HiringError {
  override name = 'FeedGapError'
  /** `gap`: the position is no longer in the log. `epoch_changed`: the service was restored from a backup. */
  readonly reason: 'gap' | 'epoch_changed'
  /** the position of the reader */
  readonly after: number
  /** what the service returned: the epoch and the end of the log at this moment */
  readonly epoch: string
  readonly nextAfter: number

  constructor(reason: 'gap' | 'epoch_changed', at: { after: number; epoch: string; nextAfter: number }) {
    super(
      reason === 'gap'
        ? `The feed has no events directly after ${at.after}. Make a full copy.`
        : 'The service was restored from a backup. Make a full copy.',
    )
    this.reason = reason
    this.after = at.after
    this.epoch = at.epoch
    this.nextAfter = at.nextAfter
  }
}

/** What an error body has at least; a proxy's has nothing more. */
type Detail = { code: Open<ErrorCode>; type: Open<ErrorType>; message: string } & Partial<
  Omit<ErrorDetail, 'code' | 'type' | 'message'>
>

/** The service refused the request. Branch on `code`. */
export class ApiError extends HiringError {
  override name = 'ApiError'
  readonly status: number
  /** `http_<status>` where a proxy responded and not the service */
  readonly code: Open<ErrorCode>
  readonly type: Open<ErrorType>
  readonly param: string | undefined
  /** every fault of a refused request */
  readonly errors: readonly { param: string; message: string }[]
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  readonly requiredScope: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** `state` and `unlockCredits` come with `resume_locked`. */
  readonly state: string | undefined
  readonly unlockCredits: number | undefined
  readonly headers: Headers

  constructor(status: number, detail: Detail, headers: Headers) {
    super(detail.message)
    this.status = status
    this.code = detail.code
    this.type = detail.type
    this.param = detail.param ?? undefined
    this.errors = detail.errors ?? []
    this.requestId = detail.request_id ?? headers.get('service-request-id') ?? undefined
    this.docUrl = detail.doc_url ?? undefined
    this.requiredScope = detail.required_scope ?? undefined
    this.retryAfterSeconds = retryAfter(headers.get('retry-after')) ?? detail.retry_after_seconds ?? undefined
    this.state = detail.state
    this.unlockCredits = detail.unlock_credits
    this.headers = headers
  }
}

/** Whether the service refused a request with one of these codes: `if (isApiError(error, 'stale_resource'))`. */
export const isApiError = <Code extends ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is ApiError & { code: Code } =>
  error instanceof ApiError && (codes.length === 0 || codes.includes(error.code as Code))

export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
export class PermissionDeniedError extends ApiError {
  override name = 'PermissionDeniedError'
}
export class PaymentRequiredError extends ApiError {
  override name = 'PaymentRequiredError'
}
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
/** A part of the service is unavailable; the request was not processed. */
export class UnavailableError extends ApiError {
  override name = 'UnavailableError'
}
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const CLASSES: Readonly<Record<string, typeof ApiError>> = {
  invalid_request: InvalidRequestError,
  authentication: AuthenticationError,
  permission: PermissionDeniedError,
  payment_required: PaymentRequiredError,
  not_found: NotFoundError,
  conflict: ConflictError,
  rate_limit: RateLimitError,
  unavailable: UnavailableError,
  server: ServerError,
}

/** The error of a response that is not 2xx; `body` is its text, in whatever format. */
export function parseError(status: number, body: string, headers: Headers): ApiError {
  const detail = detailIn(body) ?? {
    code: `http_${status}`,
    type: status >= 500 ? 'server' : 'http',
    message: `HTTP status ${status}, and the response is not one of the service. Check the base URL and any proxy.`,
  }
  return new (CLASSES[detail.type] ?? ApiError)(status, detail, headers)
}

function detailIn(body: string): Detail | undefined {
  try {
    const detail: Detail | undefined = JSON.parse(body)?.detail
    return typeof detail?.code === 'string' ? detail : undefined
  } catch {
    return undefined // a proxy's page
  }
}

/** Seconds of a Retry-After header, which is a number or a date. */
function retryAfter(header: string | null): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (!Number.isNaN(seconds)) return Math.max(0, seconds)
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

import {
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  type FieldFault,
  type PlainErrorCode,
} from '../../contract/errors.ts'

/** An error of the catalogue, thrown anywhere below a request. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly type: string
  readonly status: number
  readonly details: {
    message?: string
    param?: string
    errors?: FieldFault[]
    required_scope?: string
    retry_after_seconds?: number
    state?: string
    unlock_credits?: number
  }
  /** headers of the response, such as Allow */
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, details: ApiError['details'] = {}, headers: Record<string, string> = {}) {
    super(details.message ?? ERRORS[code].message)
    this.code = code
    this.type = ERRORS[code].type
    this.status = ERRORS[code].status
    this.details = withErrors(this.status, this.message, details)
    this.headers = headers
  }
}

/** An error about the request itself lists its faults in `errors`, whatever its code is. */
function withErrors(status: number, message: string, details: ApiError['details']): ApiError['details'] {
  const { param, errors } = details
  if ((status !== 400 && status !== 422) || errors || param === undefined) return details
  return { ...details, errors: [{ param, message }] }
}

/** Raises a code of the catalogue. What the code needs must be given; the compiler checks it. */
export function fail<C extends PlainErrorCode>(code: C, details?: ErrorDetails<C>): never
export function fail<C extends ErrorCode>(code: C, details: ErrorDetails<C>): never
export function fail(code: ErrorCode, details: ApiError['details'] = {}): never {
  throw new ApiError(code, details)
}

/** 400 invalid_request that names one field. */
export const invalid = (param: string, message: string): never =>
  fail('invalid_request', { param, message: `${param}: ${message}`, errors: [{ param, message }] })

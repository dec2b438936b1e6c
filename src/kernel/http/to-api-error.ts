import { isUnavailable } from '../blobs/blobs.ts'
import { DatastoreUnavailable } from '../db/database.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services/services.ts'

export const DATASTORE_RETRY_SECONDS = 1

/** Anything thrown below a request as an error of the catalogue. What is not in it is a 500, and is logged. */
export function toApiError(
  error: unknown,
  context: { requestId: string; services: Services; route?: { path: string } },
): ApiError {
  if (error instanceof ApiError) return error
  const where = { requestId: context.requestId, route: context.route?.path, err: error }
  if (error instanceof DatastoreUnavailable) {
    // one line per request would flood the log during an outage; the workers report it at a bounded rate
    context.services.log.debug(where, 'database unavailable')
    return new ApiError('datastore_unavailable', { retry_after_seconds: DATASTORE_RETRY_SECONDS })
  }
  if (isUnavailable(error)) {
    context.services.log.warn(where, 'file store unavailable')
    return new ApiError('datastore_unavailable', { retry_after_seconds: DATASTORE_RETRY_SECONDS })
  }
  context.services.log.error(where, 'request failed')
  return new ApiError('internal_error')
}

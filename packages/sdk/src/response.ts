/** A response with what its headers say. */
export interface ApiResponse<T> {
  data: T
  status: number
  headers: Headers
  requestId: string | undefined
  /** The response repeats that of an earlier call with the same Idempotency-Key. */
  replayed: boolean
}

/** `await` gives the body of the response. The request is sent immediately. */
export interface ApiPromise<T> extends Promise<T> {
  /** The body with status and headers, such as `RateLimit-Remaining`. It is the same request. */
  withResponse(): Promise<ApiResponse<T>>
}

export function unwrapBody<T>(response: Promise<ApiResponse<T>>): ApiPromise<T> {
  const body = response.then(({ data }) => data)
  const withResponse = () => {
    // the error reaches the caller through the response
    body.catch(() => {})
    return response
  }
  return Object.assign(body, { withResponse })
}

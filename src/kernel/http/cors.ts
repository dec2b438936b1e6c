import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '../../contract/version.ts'

/** The headers that a client in a page sends besides those that every page may send. */
const REQUEST_HEADERS = 'Authorization, Content-Type, Idempotency-Key, Service-Api-Version'
/** The headers that a client in a page reads besides the body. */
const RESPONSE_HEADERS = [
  'Service-Request-Id',
  'Service-Api-Version',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Idempotent-Replayed',
  'Service-Personal-Data-Cost',
  'Service-Personal-Data-Remaining',
].join(', ')
/** How long a browser may store the permission: the longest that Chromium accepts is two hours. */
const MAX_AGE_SECONDS = 7_200

/**
 * Lets pages of these origins call the API from a browser, with the token of a person who signed in. No cookie is ever
 * accepted, so a page can do nothing that the token does not allow. True if the request was a question of the browser
 * and is responded to.
 */
export function allowOrigins(origins: readonly string[], request: IncomingMessage, response: ServerResponse): boolean {
  if (origins.length === 0 || !request.url?.startsWith(`${API_PREFIX}/`)) return false
  response.setHeader('Vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !origins.includes(origin)) return false
  response.setHeader('Access-Control-Allow-Origin', origin)
  response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS)
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return false
  response
    .writeHead(204, {
      'Access-Control-Allow-Methods': 'GET, POST',
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    })
    .end()
  return true
}

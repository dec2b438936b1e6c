import { API_VERSION } from '../../contract/version.ts'
import type { Route } from './route.ts'
import type { JsonSchema } from './shape.ts'

const text = (description: string, example: string, required = false): JsonSchema => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'string' },
  example,
})
const count = (description: string, example: number, required = false): JsonSchema => ({
  description,
  ...(required ? { required } : {}),
  schema: { type: 'integer', minimum: 0 },
  example,
})

/** The headers of responses, as components of the description. */
export const RESPONSE_HEADERS = {
  'Service-Request-Id': text('The id of the request. Name it when you ask for help.', 'req_1m8x2c4e6g8j0k2m4n6q', true),
  'Service-Api-Version': text('The API version of the response.', API_VERSION, true),
  'Service-Environment': {
    description: 'The kind of the workspace. Absent if the key is not valid.',
    schema: { type: 'string', enum: ['live', 'test'] },
    example: 'live',
  },
  'RateLimit-Limit': count('Calls per minute in the tier of the endpoint.', 600, true),
  'RateLimit-Policy': text(
    'The limits of all tiers: `q` calls in `w` seconds.',
    '"sustained";q=600;w=60, "expensive";q=60;w=60, "download";q=30;w=60',
    true,
  ),
  'RateLimit-Remaining': count('Calls left in the current window. Absent if the call was not counted.', 587),
  'RateLimit-Reset': count('Seconds until the window ends. Absent if the call was not counted.', 42),
  'Retry-After': count('Seconds to wait before the next attempt.', 30, true),
  'Service-Personal-Data-Cost': count('Personal-data units that the response cost.', 2),
  'Service-Personal-Data-Remaining': count('Personal-data units left today.', 4_998),
  'Idempotent-Replayed': {
    description: '`true` if this is the stored response of an earlier call with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'WWW-Authenticate': text('The scheme of credentials.', 'Bearer', true),
  'Content-Disposition': text('The name of the file.', 'attachment; filename="photo.png"', true),
  ETag: text('Changes with the content. Send it as If-None-Match.', '"qm3vUu1fV9h0z1c8w2Jm0A"', true),
} as const satisfies Record<string, JsonSchema>

type HeaderName = keyof typeof RESPONSE_HEADERS

const EVERY: readonly HeaderName[] = [
  'Service-Request-Id',
  'Service-Api-Version',
  'RateLimit-Limit',
  'RateLimit-Policy',
]
const KEYED: readonly HeaderName[] = ['Service-Environment', 'RateLimit-Remaining', 'RateLimit-Reset']

const refs = (names: readonly HeaderName[]): JsonSchema =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

const usual = ({ access }: Route): readonly HeaderName[] => (access === 'public' ? EVERY : [...EVERY, ...KEYED])

/** The headers of a response that is not an error. */
export function successHeaders(route: Route): JsonSchema {
  return refs([
    ...usual(route),
    ...(route.metered ? (['Service-Personal-Data-Cost', 'Service-Personal-Data-Remaining'] as const) : []),
    ...(route.idempotency === 'none' ? [] : (['Idempotent-Replayed'] as const)),
    ...(route.output.kind === 'text' ? (['ETag'] as const) : []),
    ...(route.output.kind === 'file' ? (['Content-Disposition'] as const) : []),
  ])
}

export function errorHeaders(route: Route, status: number): JsonSchema {
  return refs([
    ...usual(route),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 ? (['Retry-After'] as const) : []),
    ...(status === 429 && route.metered ? (['Service-Personal-Data-Remaining'] as const) : []),
    // the repeat of an email that was certainly not sent
    ...(status === 429 && route.handlesOwnIdempotency ? (['Idempotent-Replayed'] as const) : []),
  ])
}

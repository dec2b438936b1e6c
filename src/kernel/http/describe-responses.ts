import { ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { ApiError } from '../errors/api-error.ts'
import { errorHeaders, successHeaders } from './describe-headers.ts'
import type { Described } from './described.ts'
import { type NamedSchemas, ref } from './named-schemas.ts'
import { docUrl, errorBody } from './reply.ts'
import type { Output, Route } from './route.ts'
import { COMPONENT, type Fields, fieldsSchema, type JsonSchema } from './shape.ts'

/** The responses of an endpoint that are not errors. */
export function successResponses(route: Route, described: Described, named: NamedSchemas): Record<string, JsonSchema> {
  const { output } = route
  const headers = successHeaders(route)
  if (output.kind === 'file') {
    const schema = { type: 'string', format: 'binary' }
    const content = Object.fromEntries(output.contentTypes.map(type => [type, { schema }]))
    return { 200: { description: output.description, headers, content } }
  }
  const example = output.kind === 'text' ? output.example : described.examples?.callOf(route).response
  const json = (schema: JsonSchema) => ({
    'application/json': { schema, ...(example === undefined ? {} : { example }) },
  })
  if (output.kind === 'text') {
    const schema = { [COMPONENT]: output.component, type: 'object', additionalProperties: true }
    return {
      200: { description: output.description, headers, content: json(named.inside(schema)) },
      304: { description: 'Unchanged since the ETag in If-None-Match.', headers },
    }
  }
  const schema = output.kind === 'one' ? ref(output.shape.component) : pageSchema(output, named)
  const statuses = output.kind === 'one' ? [output.status, output.orStatus ?? output.status] : [200]
  const links = linksOf(route, described.routes)
  const response = {
    description: output.shape.description,
    headers,
    content: json(schema),
    ...(Object.keys(links).length > 0 ? { links } : {}),
  }
  return Object.fromEntries(statuses.map(status => [status, response]))
}

/** The envelope of a list, called after its rows: `job_page`. */
function pageSchema(output: Extract<Output, { kind: 'page' | 'all' | 'log' }>, named: NamedSchemas): JsonSchema {
  const { component } = output.shape
  const envelope = listSchema(ref(component), output.kind === 'log' ? output.envelopeFields : {})
  return named.addReturned(`${component.replace(/_summary$/, '')}_page`, envelope)
}

export const listSchema = (items: JsonSchema, envelopeFields: Fields): JsonSchema => ({
  type: 'object',
  required: ['object', 'data', 'has_more', 'next_cursor', ...Object.keys(envelopeFields)],
  properties: {
    object: { type: 'string', const: 'list' },
    data: { type: 'array', items },
    has_more: { type: 'boolean', description: 'Whether there are more rows.' },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Send it as `cursor` for the next page; null on the last one.',
    },
    ...(fieldsSchema(envelopeFields)['properties'] as object),
  },
})

/** Calls that follow from a response: the next page, and those that take the id of what was created. */
function linksOf(route: Route, routes: readonly Route[]): JsonSchema {
  const { output, path, operationId } = route
  if (output.kind === 'page' || (output.kind === 'all' && output.paging === 'pages')) {
    const parameters = { cursor: '$response.body#/next_cursor' }
    return { next_page: { operationId, description: 'The next page, with the same filters.', parameters } }
  }
  if (output.kind === 'log') {
    const parameters = { after: '$response.body#/next_after' }
    return { next_page: { operationId, description: 'What follows.', parameters } }
  }
  if (route.method !== 'POST' || output.kind !== 'one' || !('id' in output.shape.fields)) return {}
  return Object.fromEntries(
    routes.flatMap(other => {
      if (!other.path.startsWith(`${path}/{`)) return []
      const [name, ...others] = Object.keys(other.params)
      if (name === undefined || others.length > 0) return []
      const parameters = { [name]: '$response.body#/id' }
      return [[other.operationId, { operationId: other.operationId, description: other.summary, parameters }]]
    }),
  )
}

/** The errors of an endpoint, by status, each code with an example. */
export function errorResponses(route: Route, codes: readonly ErrorCode[]): Record<string, JsonSchema> {
  const byStatus = Map.groupBy(codes, code => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [
        String(status),
        {
          description: group.map(code => `\`${code}\``).join(', '),
          headers: errorHeaders(route, status),
          content: {
            'application/json': {
              schema: ref('error_response'),
              examples: Object.fromEntries(group.map(code => [code, { $ref: `#/components/examples/${code}` }])),
            },
          },
        },
      ]),
  )
}

/** The names of errors that most endpoints have in common. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'request_timeout',
  409: 'conflict',
  413: 'payload_too_large',
  422: 'unprocessable_content',
  429: 'too_many_requests',
  500: 'internal_error',
}

/** Replaces the error responses that most operations have, one of each status, with references, and returns them. */
export function shareErrors(operations: readonly { responses: Record<string, JsonSchema> }[]): JsonSchema {
  const shared: JsonSchema = {}
  for (const [status, name] of Object.entries(STATUS_NAMES)) {
    const counts = new Map<string, number>()
    for (const { responses } of operations) {
      const text = JSON.stringify(responses[status])
      if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    const [most] = [...counts].sort(([, a], [, b]) => b - a)
    if (!most || most[1] < 2) continue
    shared[name] = JSON.parse(most[0])
    for (const { responses } of operations) {
      if (JSON.stringify(responses[status]) === most[0]) responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return shared
}

/** An error of the catalogue says this besides its code. */
function exampleDetails(code: ErrorCode): ApiError['details'] {
  const needs: readonly string[] = ERRORS[code].needs ?? []
  const of = (need: string, details: ApiError['details']) => (needs.includes(need) ? details : {})
  return {
    ...(code === 'invalid_request' ? LIMIT_FAULT : {}),
    ...of('required_scope', { required_scope: 'applications:read' }),
    ...of('retry_after_seconds', { retry_after_seconds: 30 }),
    ...of('state', { state: 'locked' }),
    ...of('unlock_credits', { unlock_credits: API_LIMITS.resumeUnlockCredits }),
  }
}

const LIMIT_MESSAGE = `must be a whole number from 1 to ${API_LIMITS.maxPageSize}`
const LIMIT_FAULT = {
  param: 'limit',
  message: `limit: ${LIMIT_MESSAGE}`,
  errors: [{ param: 'limit', message: LIMIT_MESSAGE }],
}

/** An error as a response has it. */
export function errorExample(code: ErrorCode, publicUrl: string): JsonSchema {
  const body = errorBody(new ApiError(code, exampleDetails(code)), 'req_1m8x2c4e6g8j0k2m4n6q', docUrl(publicUrl, code))
  return { summary: code, description: ERRORS[code].remedy, value: JSON.parse(body) }
}

export const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      required: ['code', 'type', 'message', 'param', 'doc_url', 'required_scope', 'retry_after_seconds', 'request_id'],
      properties: {
        code: { type: 'string', enum: Object.keys(ERRORS), description: 'Branch on this.' },
        type: { type: 'string', enum: [...new Set(Object.values(ERRORS).map(row => row.type))] },
        message: { type: 'string', description: 'For people; may change.' },
        param: { type: ['string', 'null'], description: 'The parameter or field at fault.' },
        doc_url: { type: 'string', format: 'uri', description: 'The page about this code.' },
        required_scope: { type: ['string', 'null'], description: 'The scope that the key lacks.' },
        retry_after_seconds: { type: ['integer', 'null'], description: 'As in Retry-After.' },
        request_id: { type: 'string', description: 'As in Service-Request-Id.' },
        errors: {
          type: 'array',
          description: 'Every fault of the request.',
          items: {
            [COMPONENT]: 'error_fault',
            type: 'object',
            required: ['param', 'message'],
            properties: { param: { type: 'string' }, message: { type: 'string' } },
          },
        },
        state: { type: 'string', description: 'On resume_locked: the access state.' },
        unlock_credits: { type: 'integer', description: 'On resume_locked: the price of unlocking.' },
      },
    },
  },
}

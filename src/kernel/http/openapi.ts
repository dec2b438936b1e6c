import { ERROR_CODES, ERRORS, type ErrorCode } from '../../contract/errors.ts'
import { EVENT_TYPES, EVENTS } from '../../contract/events.ts'
import { PREFIXES } from '../../contract/handles.ts'
import { SCOPES } from '../../contract/scopes.ts'
import { API_PREFIX, API_VERSION } from '../../contract/version.ts'
import { NamedSchemas, ref } from './named-schemas.ts'
import { isPaged, type Output, queryOf, type Route } from './route.ts'
import { COMPONENT, type Fields, fieldsSchema, type JsonSchema, type Shape, shapeSchema } from './shape.ts'

/** The description of the service, from the records that it runs on. */
export function openapi(routes: readonly Route[], shapes: readonly Shape[], publicUrl: string): JsonSchema {
  const named = new NamedSchemas()
  // of shapes with one name the last is the widest: a single read has all that a list row has
  const byName = new Map(shapes.map(shape => [shape.component, shape]))
  for (const shape of byName.values()) named.add(shape.component, shapeSchema(shape), familyOf(shape))
  named.add('error_response', ERROR_SCHEMA, 'error')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, named) }
  }
  const groups = [...new Set(routes.map(r => r.group))]
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hiring Partner API',
      version: API_VERSION,
      description:
        'A JSON interface to the data of a hiring workspace. New fields, endpoints and event types are added without a new version; ignore what you do not know.',
    },
    servers: [{ url: publicUrl + API_PREFIX }],
    tags: groups.map(name => ({ name })),
    security: [{ apiKey: [] }, { signIn: [] }],
    paths,
    webhooks: Object.fromEntries(EVENT_TYPES.map(type => [type, webhook(type)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer svc_live_…`. What it may read depends on its scopes.',
        },
        signIn: {
          type: 'openIdConnect',
          openIdConnectUrl: `${publicUrl}/.well-known/openid-configuration`,
          description:
            'A token of the sign-in flow, for connected apps: acts for a person, reads what the app asked for and the person can see, and writes only where the workspace switched that on.',
        },
      },
      schemas: Object.fromEntries(Object.entries(named.schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
}

/** `job_summary` and `job_sections` belong to `job`. */
const familyOf = ({ name, component }: Shape) => (component.startsWith(`${name}_`) ? name : component)

/** Errors that any call of a kind can meet. */
function commonErrors(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = [
    'invalid_request',
    // also where no body is expected: a client may declare one that does not arrive
    'request_timeout',
    'payload_too_large',
    'internal_error',
    'datastore_unavailable',
  ]
  if (route.access === 'public') return codes
  codes.push('unauthenticated', 'rate_limit_exceeded', 'limiter_unavailable', 'not_found')
  if (route.workspace === 'one') codes.push('workspace_id_required')
  if (typeof route.access !== 'string') codes.push('insufficient_scope')
  if (isPaged(route.output)) codes.push('invalid_cursor', 'result_window_exceeded')
  if (Object.values(route.query).some(p => p.schema['format'] === 'date-time')) codes.push('invalid_timestamp')
  if (route.write) codes.push('write_requires_api_key')
  if (route.idempotency !== 'none') codes.push('invalid_idempotency_key', 'idempotency_key_reused')
  if (route.idempotency !== 'none' && !route.handlesOwnIdempotency) codes.push('idempotency_in_flight')
  if (route.idempotency === 'required') codes.push('idempotency_key_required')
  if (route.metered) codes.push('personal_data_quota_exceeded')
  return codes
}

/** Every error code that a call can return. */
export const errorCodesOf = (route: Route): ErrorCode[] => [...new Set([...commonErrors(route), ...route.errors])]

function operation(route: Route, named: NamedSchemas): JsonSchema {
  const byStatus = Map.groupBy(errorCodesOf(route), code => ERRORS[code].status)
  const scope = typeof route.access === 'string' ? undefined : route.access.scope
  return {
    operationId: route.operationId,
    tags: [route.group],
    summary: route.summary,
    description: [
      route.description ?? '',
      scope
        ? `Scope: \`${scope}\` (${SCOPES[scope].description})`
        : route.access === 'public'
          ? 'Needs no key.'
          : 'Any valid key.',
      `Rate tier: ${route.tier}.`,
      route.metered ? 'Personal-data values of the response are charged to the daily budget and audited.' : '',
    ]
      .filter(Boolean)
      .join(' '),
    'x-tier': route.tier,
    ...(scope ? { 'x-scope': scope } : {}),
    ...(route.access === 'public' ? { security: [] } : {}),
    parameters: parameters(route, named),
    ...(hasFields(route.body) ? { requestBody: requestBody(route, named) } : {}),
    responses: {
      ...success(route, named),
      ...Object.fromEntries(
        [...byStatus].sort(([a], [b]) => a - b).map(([status, group]) => [String(status), errorsOfStatus(group)]),
      ),
    },
  }
}

/** `createApplication` to `create_application` */
const snake = (operationId: string) => operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A body without fields may be left out, so clients need no type for it. */
const hasFields = (body: Route['body']) =>
  Object.keys((body as JsonSchema | undefined)?.['properties'] ?? {}).length > 0

function requestBody({ operationId, body, bodyOptional }: Route, named: NamedSchemas): JsonSchema {
  const name = snake(operationId)
  const schema = named.add(`${name}_request`, body as JsonSchema, name)
  return { required: !bodyOptional, content: { 'application/json': { schema } } }
}

function pathSchema(kind: Route['params'][string]): JsonSchema {
  if (kind === 'text') return { type: 'string' }
  if (kind === 'uuid') return { type: 'string', format: 'uuid' }
  if (typeof kind !== 'string') return { type: 'string', enum: kind }
  return { type: 'string', description: `${kind} handle (${PREFIXES[kind]}…)` }
}

function parameters(route: Route, named: NamedSchemas): JsonSchema[] {
  const inPath = Object.entries(route.params).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    schema: named.inside(pathSchema(kind)),
  }))
  const inQuery = Object.entries(queryOf(route)).map(([name, param]) => ({
    name,
    in: 'query',
    required: param.required ?? false,
    description: param.description,
    ...(param.schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
    schema: named.inside(param.schema),
  }))
  const headers: JsonSchema[] = [
    { name: 'Service-Api-Version', in: 'header', required: false, schema: { type: 'string', examples: [API_VERSION] } },
  ]
  if (route.idempotency !== 'none') {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: route.idempotency === 'required',
      description: route.handlesOwnIdempotency
        ? 'A repeat with the same key and body does nothing again: it returns what became of the first.'
        : 'A repeat with the same key and body returns the first response for 24 hours.',
      schema: { type: 'string', minLength: 8, maxLength: 255, pattern: '^[A-Za-z0-9._:~-]+$' },
    })
  }
  return [...inPath, ...inQuery, ...headers]
}

function success({ output }: Route, named: NamedSchemas): JsonSchema {
  if (output.kind === 'text') {
    return {
      200: { description: output.description, content: { 'application/json': { schema: { type: 'object' } } } },
      304: { description: 'Unchanged since the ETag in If-None-Match.' },
    }
  }
  if (output.kind === 'file') {
    const schema = { type: 'string', format: 'binary' }
    return { 200: { description: output.description, content: { '*/*': { schema } } } }
  }
  const row = ref(output.shape.component)
  const schema = output.kind === 'one' ? row : pageSchema(output, named)
  const statuses = output.kind === 'one' ? [output.status, output.orStatus ?? output.status] : [200]
  const response = { description: output.shape.description, content: { 'application/json': { schema } } }
  return Object.fromEntries(statuses.map(status => [status, response]))
}

/** The envelope of a list, called after its rows: `job_page`. */
function pageSchema(output: Extract<Output, { kind: 'page' | 'all' | 'log' }>, named: NamedSchemas): JsonSchema {
  const { component } = output.shape
  const envelope = listSchema(ref(component), output.kind === 'log' ? output.envelopeFields : {})
  return named.add(`${component.replace(/_summary$/, '')}_page`, envelope)
}

export const listSchema = (items: JsonSchema, envelopeFields: Fields): JsonSchema => ({
  type: 'object',
  required: ['object', 'data', 'has_more', 'next_cursor', ...Object.keys(envelopeFields)],
  properties: {
    object: { type: 'string', const: 'list' },
    data: { type: 'array', items },
    has_more: { type: 'boolean' },
    next_cursor: { type: ['string', 'null'] },
    ...(fieldsSchema(envelopeFields)['properties'] as object),
  },
})

const errorsOfStatus = (codes: ErrorCode[]): JsonSchema => ({
  description: codes.map(code => `\`${code}\`: ${ERRORS[code].message}`).join('\n\n'),
  content: { 'application/json': { schema: ref('error_response') } },
})

const ERROR_SCHEMA: JsonSchema = {
  type: 'object',
  required: ['detail'],
  properties: {
    detail: {
      type: 'object',
      required: ['code', 'type', 'message', 'param', 'doc_url', 'required_scope', 'retry_after_seconds', 'request_id'],
      properties: {
        code: { type: 'string', enum: ERROR_CODES, description: 'Branch on this.' },
        type: { type: 'string', enum: [...new Set(Object.values(ERRORS).map(row => row.type))] },
        message: { type: 'string', description: 'For people; may change.' },
        param: { type: ['string', 'null'], description: 'The parameter or field at fault.' },
        doc_url: { type: 'string', format: 'uri' },
        required_scope: { type: ['string', 'null'] },
        retry_after_seconds: { type: ['integer', 'null'] },
        request_id: { type: 'string' },
        errors: {
          type: 'array',
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

const deliveryHeader = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const DELIVERY_HEADERS: JsonSchema[] = [
  deliveryHeader(
    'Service-Signature',
    '`t=<unix seconds>,v1=<hex>[,v1=<hex>]`: HMAC-SHA256 of `{t}.{raw_body}`; accept if any v1 matches, within 300 seconds.',
  ),
  deliveryHeader('Service-Event-Id', 'The id of the event; skip ids that you have already processed.'),
  deliveryHeader('Service-Delivery-Id', 'The id of the delivery in the delivery log.'),
  deliveryHeader('Service-Delivery-Attempt', 'The number of the attempt, from 1.'),
  deliveryHeader('Service-Api-Version', 'The API version of the event.'),
]

function webhook(type: (typeof EVENT_TYPES)[number]): JsonSchema {
  const { description, scope, values, record } = EVENTS[type]
  const carried = values.length > 0 ? ` Contains ${values.join(', ')}.` : ''
  const link = record === null ? '' : ` links.record is the path of GET ${record}.`
  return {
    post: {
      operationId: `on${type.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
      summary: description,
      description: `Needs events:read and ${scope}.${carried}${link}`,
      parameters: DELIVERY_HEADERS,
      requestBody: {
        content: {
          'application/json': {
            schema: { allOf: [{ $ref: '#/components/schemas/event' }, { properties: { type: { const: type } } }] },
          },
        },
      },
      responses: { '2XX': { description: 'Stored. Any other status is retried.' } },
    },
  }
}

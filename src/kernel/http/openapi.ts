import { ERROR_CODES, type ErrorCode } from '../../contract/errors.ts'
import { GROUPS } from '../../contract/groups.ts'
import { SCOPES } from '../../contract/scopes.ts'
import { API_PREFIX, API_VERSION } from '../../contract/version.ts'
import { eventComponent, UNLISTED, unlistedSchema } from '../feed/event-schemas.ts'
import { RESPONSE_HEADERS } from './describe-headers.ts'
import { describeParameters, shareParameters } from './describe-parameters.ts'
import { ERROR_SCHEMA, errorExample, errorResponses, shareErrors, successResponses } from './describe-responses.ts'
import { describeWebhooks } from './describe-webhooks.ts'
import type { Described } from './described.ts'
import { NamedSchemas } from './named-schemas.ts'
import { isPaged, type Route, scopesOf } from './route.ts'
import { type JsonSchema, type Shape, shapeSchema } from './shape.ts'

/** The description of the service, from the records that it runs on. */
export function openapi(described: Described): JsonSchema {
  const { routes, shapes, publicUrl, examples } = described
  const named = new NamedSchemas()
  // the last of several shapes with one name is the widest: a single read has all that a list row has
  const byName = new Map(shapes.map(shape => [shape.component, shape]))
  for (const shape of byName.values()) {
    if (shape.union) named.addUnion(shape.component, shape.union(), shape.description)
    else named.addReturned(shape.component, shapeSchema(shape), familyOf(shape))
  }
  for (const type of UNLISTED) named.addReturned(eventComponent(type), unlistedSchema(type))
  named.addReturned('error_response', ERROR_SCHEMA, 'error')
  const operations = routes.map(route => ({ route, operation: operation(route, described, named) }))
  const parameters = shareParameters(
    operations.map(made => made.operation),
    named.schemas,
  )
  const responses = shareErrors(operations.map(made => made.operation))
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { route, operation } of operations)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hiring Partner API',
      version: API_VERSION,
      summary: 'The data of a hiring workspace, for partners.',
      description:
        'A JSON interface to the data of a hiring workspace. New fields, endpoints, event types and values of open enumerations are added without a new version; ignore what you do not know.',
      contact: { name: 'Documentation and support', url: `${publicUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl + API_PREFIX }],
    externalDocs: { description: 'Guides and reference', url: `${publicUrl}/docs` },
    tags: [...new Set(routes.map(r => r.group))].map(name => ({ name, description: GROUPS[name] ?? name })),
    security: [{ apiKey: [] }, { signIn: [] }],
    paths,
    webhooks: describeWebhooks(examples),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: named.schemas,
      parameters,
      responses,
      headers: RESPONSE_HEADERS,
      examples: Object.fromEntries(usedCodes(routes).map(code => [code, errorExample(code, publicUrl)])),
    },
  }
}

const SECURITY_SCHEMES: JsonSchema = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: `Authorization: Bearer svc_live_…`. What it may read depends on its scopes.',
  },
  // `http`, because generated clients refuse or ignore the type `openIdConnect`
  signIn: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token of the sign-in flow, for connected apps: acts for a person, reads what the app asked for and the person can see, and writes only where the workspace switched that on. Discovery: `/.well-known/openid-configuration`.',
  },
}

/** `job_summary` and `job_sections` belong to `job`. */
const familyOf = ({ name, component }: Shape) => (component.startsWith(`${name}_`) ? name : component)

const usedCodes = (routes: readonly Route[]): ErrorCode[] => {
  const used = new Set(routes.flatMap(collectErrorCodes))
  return ERROR_CODES.filter(code => used.has(code))
}

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
  if (isPaged(route.output)) codes.push('invalid_cursor', 'result_window_exceeded')
  if (route.access === 'public') return codes
  codes.push('unauthenticated', 'rate_limit_exceeded', 'limiter_unavailable', 'not_found')
  if (route.workspace === 'one') codes.push('workspace_id_required')
  if (typeof route.access !== 'string') codes.push('insufficient_scope')
  if (Object.values(route.query).some(p => p.schema['format'] === 'date-time')) codes.push('invalid_timestamp')
  if (route.write) codes.push('write_requires_api_key')
  if (route.idempotency !== 'none') codes.push('invalid_idempotency_key', 'idempotency_key_reused')
  if (route.idempotency !== 'none' && !route.handlesOwnIdempotency) codes.push('idempotency_in_flight')
  if (route.idempotency === 'required') codes.push('idempotency_key_required')
  if (route.metered) codes.push('personal_data_quota_exceeded')
  return codes
}

/** Every error code that a call can return. */
export const collectErrorCodes = (route: Route): ErrorCode[] => [...new Set([...commonErrors(route), ...route.errors])]

function operation(route: Route, described: Described, named: NamedSchemas) {
  const [scope, ...others] = scopesOf(route.access)
  return {
    operationId: route.operationId,
    tags: [route.group],
    summary: route.summary,
    description: [
      route.description ?? '',
      scope
        ? [
            `Scope: \`${scope}\` (${SCOPES[scope].description})`,
            ...others.map(other => `or \`${other}\` (${SCOPES[other].description})`),
          ].join(' ')
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
    parameters: describeParameters(route, named) as JsonSchema[],
    ...(hasFields(route.body) ? { requestBody: requestBody(route, described, named) } : {}),
    responses: {
      ...successResponses(route, described, named),
      ...errorResponses(route, collectErrorCodes(route)),
    },
  }
}

/** `createApplication` to `create_application` */
const snake = (operationId: string) => operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A body without fields may be left out, so clients need no type for it. */
const hasFields = (body: Route['body']) =>
  Object.keys((body as JsonSchema | undefined)?.['properties'] ?? {}).length > 0

function requestBody(route: Route, { examples }: Described, named: NamedSchemas): JsonSchema {
  const name = snake(route.operationId)
  const schema = named.addSent(`${name}_request`, route.body as JsonSchema, name)
  const example = examples?.callOf(route).body
  return {
    required: !route.bodyOptional,
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}

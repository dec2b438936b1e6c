import assert from 'node:assert/strict'
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts'
import { collectShapes } from '../../src/kernel/http/described.ts'
import { collectErrorCodes, openapi } from '../../src/kernel/http/openapi.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import type { JsonSchema } from '../../src/kernel/http/shape.ts'
import { isUri } from '../../src/kernel/http/uri.ts'
import { compileSchema, type Validator } from '../../src/kernel/schema/validator.ts'
import type { SeenResponse } from './responses.ts'

/**
 * Compares responses with what GET /openapi.json says of them: status, headers, content type, body with its formats, and
 * no field that is not declared. Whatever a test calls is checked, so that the description is as true as the tests are
 * wide. It is stricter than the description: what is open for values and event types that come later is closed here.
 */
export interface Description {
  /** Throws if the response is not as described. */
  check(response: SeenResponse): void
}

interface Response {
  $ref?: string
  headers?: Record<string, { $ref: string }>
  content?: Record<string, { schema: JsonSchema }>
}
interface Operation {
  responses: Record<string, Response>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, JsonSchema>
    responses: Operation['responses']
    headers: Record<string, { required?: boolean }>
  }
}

/** Responses may hold any URL, which requests may not, and their times are written in one way. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: text => isUri(text) && URL.canParse(text),
  'uri-reference': text => text.startsWith('/') && isUri(`https://hiring.example${text}`),
  email: text => /^[^@\s]+@[^@\s]+$/.test(text),
  'date-time': text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
  uuid: text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
}

const described = new WeakMap<readonly Route[], Description>()

export function describeRoutes(routes: readonly Route[]): Description {
  const known = described.get(routes)
  if (known) return known
  const made = new Checker(routes)
  described.set(routes, made)
  return made
}

/** What of a value differs from a schema of a description, which is taken as closed. */
export function listFaults(document: Document, schema: JsonSchema, value: unknown): string[] {
  const validator = compileSchema(closed(document, schema), { formats: FORMATS, maxErrors: 5 })
  if (validator.check(value)) return []
  return validator.errors(value).map(error => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`)
}

class Checker implements Description {
  readonly #routes: { route: Route; pattern: RegExp }[]
  readonly #document: Document
  readonly #validators = new Map<string, Validator>()

  constructor(routes: readonly Route[]) {
    this.#document = openapi({
      routes,
      shapes: collectShapes(routes),
      publicUrl: 'http://described.example',
    }) as unknown as Document
    this.#routes = routes.map(route => ({ route, pattern: patternOf(route.path) }))
  }

  check({ method, path, status, contentType, headers, text, body }: SeenResponse): void {
    // a path without placeholders is taken before one with them, whatever the method
    const exact = this.#routes.filter(({ route }) => route.path === path)
    const here = exact.length > 0 ? exact : this.#routes.filter(({ pattern }) => pattern.test(path))
    const found = here.find(({ route }) => route.method === method)
    if (!found) return // no endpoint: the description says nothing of it
    const { route } = found
    const name = `${method} ${route.path}`
    const operation = this.#document.paths[route.path]![method.toLowerCase()]!
    const declared = operation.responses[String(status)]
    assert.ok(declared, `${name}: status ${status} is not in the description: ${text.slice(0, 500)}`)
    const response = declared.$ref ? this.#document.components.responses[lastOf(declared.$ref)]! : declared
    this.#checkHeaders(`${name}: ${status}`, response, headers)
    const types = Object.keys(response.content ?? {})
    const type = (contentType ?? '').split(';')[0]!
    if (types.length === 0) assert.equal(text, '', `${name}: ${status} has a body`)
    if (types.length === 0) return
    assert.ok(types.includes(type), `${name}: ${status} is described as ${types.join()}, not as ${type}`)
    if (!type.includes('json')) return // a file
    this.#validate(`${name} ${status}`, response.content![type]!.schema, body)
    if (status >= 400) checkCode(name, route, status, body.detail.code)
  }

  /** Headers of the API that are sent are declared, and those that are declared as always sent are sent. */
  #checkHeaders(name: string, { headers: declared = {} }: Response, sent: ReadonlySet<string>): void {
    const names = Object.keys(declared)
    const known = new Set(names.map(header => header.toLowerCase()))
    const ours = [...sent].filter(header => OWN_HEADERS.test(header))
    assert.deepEqual(
      ours.filter(header => !known.has(header)),
      [],
      `${name} has headers that are not in the description`,
    )
    const always = names.filter(header => this.#document.components.headers[header]!.required)
    assert.deepEqual(
      always.filter(header => !sent.has(header.toLowerCase())),
      [],
      `${name} lacks headers`,
    )
  }

  #validate(name: string, schema: JsonSchema, body: unknown): void {
    let validator = this.#validators.get(name)
    if (!validator) {
      validator = compileSchema(closed(this.#document, schema), { formats: FORMATS, maxErrors: 5 })
      this.#validators.set(name, validator)
    }
    if (validator.check(body)) return
    const faults = validator
      .errors(body)
      .map(error => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`)
    assert.fail(`${name} differs from the description: ${faults.join('; ')} in ${JSON.stringify(body).slice(0, 3000)}`)
  }
}

/**
 * The schema with its references resolved and its objects closed: what is not declared is a difference. Related records have no
 * related records of their own: below `included` there is no other.
 */
function closed(document: Document, schema: JsonSchema, below = false): JsonSchema {
  const { $ref, ...own } = schema as JsonSchema & { $ref?: string }
  if ($ref === '#/components/schemas/event') return closed(document, document.components.schemas['declared_event']!)
  if ($ref) return closed(document, { ...document.components.schemas[lastOf($ref)]!, ...own }, below)
  const known = own['x-extensible-enum']
  if (Array.isArray(known)) return { type: 'string', enum: known }
  if (isOpenEnum(own)) return closed(document, (own['anyOf'] as JsonSchema[])[0]!)
  const inner = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(inner)
      : typeof value === 'object' && value !== null
        ? closed(document, value as JsonSchema, below)
        : value
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(own)) {
    if (key.startsWith('x-') || key === 'discriminator' || key === 'uniqueItems') continue
    const name = key === 'oneOf' ? 'anyOf' : key // the kinds of an object exclude each other by their `type`
    if (name === 'properties') {
      result[name] = Object.fromEntries(
        Object.entries(value as Record<string, JsonSchema>)
          .filter(([key]) => !(below && key === 'included'))
          .map(([key, field]) => [key, closed(document, field, below || key === 'included')]),
      )
    } else
      result[name] = ['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf'].includes(name) ? inner(value) : value
  }
  if (result['properties'] && result['additionalProperties'] === undefined) result['additionalProperties'] = false
  return result
}

/** Headers of the specification that the older names and the usual ones of HTTP do not belong to. */
const OWN_HEADERS = /^(ratelimit-|retry-after$|service-(?!partner-api-version)|idempotent-replayed$|www-authenticate$)/

/** The known values, or any text. */
const isOpenEnum = ({ anyOf }: { anyOf?: unknown }): boolean =>
  Array.isArray(anyOf) && anyOf.length === 2 && '$ref' in anyOf[0] && JSON.stringify(anyOf[1]) === '{"type":"string"}'

function checkCode(name: string, route: Route, status: number, code: ErrorCode): void {
  assert.equal(ERRORS[code]?.status, status, `${name}: ${code} is not a code of status ${status}`)
  assert.ok(collectErrorCodes(route).includes(code), `${name}: ${code} is not among the codes of this endpoint`)
}

const lastOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const patternOf = (path: string) => new RegExp(`^${path.replace(/[.:]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

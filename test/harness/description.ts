import assert from 'node:assert/strict'
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts'
import { errorCodesOf, openapi } from '../../src/kernel/http/openapi.ts'
import type { Route } from '../../src/kernel/http/route.ts'
import type { JsonSchema, Shape } from '../../src/kernel/http/shape.ts'
import { isUri } from '../../src/kernel/http/uri.ts'
import { compileSchema, type Validator } from '../../src/kernel/schema/validator.ts'
import type { SeenResponse } from './responses.ts'

/**
 * Compares responses with what GET /openapi.json says of them: status, content type, body with its formats, and no field
 * that is not declared. Whatever a test calls is checked, so that the description is as true as the tests are wide.
 */
export interface Description {
  /** Throws if the response is not as described. */
  check(response: SeenResponse): void
}

interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: JsonSchema }> }>
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema>; responses: Operation['responses'] }
}

/** Responses may hold any URL, which requests may not, and their times are written in one way. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  uri: text => isUri(text) && URL.canParse(text),
  'date-time': text => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text),
  uuid: text => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text),
}

const described = new WeakMap<readonly Route[], Description>()

export function descriptionOf(routes: readonly Route[]): Description {
  const known = described.get(routes)
  if (known) return known
  const made = new Checker(routes)
  described.set(routes, made)
  return made
}

class Checker implements Description {
  readonly #routes: { route: Route; pattern: RegExp }[]
  readonly #document: Document
  readonly #validators = new Map<string, Validator>()

  constructor(routes: readonly Route[]) {
    const shapes = [...new Set(routes.flatMap(({ output }) => ('shape' in output ? [output.shape] : [])))]
    this.#document = openapi(routes, shapes as Shape[], 'http://described.example') as unknown as Document
    this.#routes = routes.map(route => ({ route, pattern: patternOf(route.path) }))
  }

  check({ method, path, status, contentType, text, body }: SeenResponse): void {
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
    const types = Object.keys(response.content ?? {})
    const type = (contentType ?? '').split(';')[0]!
    if (types.length === 0) assert.equal(text, '', `${name}: ${status} has a body`)
    if (types.length === 0 || types.includes('*/*')) return
    assert.ok(types.includes(type), `${name}: ${status} is described as ${types.join()}, not as ${type}`)
    this.#validate(`${name} ${status}`, response.content![type]!.schema, body)
    if (status >= 400) checkCode(name, route, status, body.detail.code)
  }

  #validate(name: string, schema: JsonSchema, body: unknown): void {
    let validator = this.#validators.get(name)
    if (!validator) {
      validator = compileSchema(this.#closed(schema), { formats: FORMATS, maxErrors: 5 })
      this.#validators.set(name, validator)
    }
    if (validator.check(body)) return
    const faults = validator
      .errors(body)
      .map(error => `${error.instancePath} ${error.keyword} ${JSON.stringify(error.params)}`)
    assert.fail(`${name} differs from the description: ${faults.join('; ')} in ${JSON.stringify(body).slice(0, 3000)}`)
  }

  /** The schema with its references resolved and its objects closed: what is not declared is a difference. */
  #closed(schema: JsonSchema): JsonSchema {
    const { $ref, ...own } = schema as JsonSchema & { $ref?: string }
    if ($ref) return this.#closed({ ...this.#document.components.schemas[lastOf($ref)]!, ...own })
    const inner = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(inner)
        : typeof value === 'object' && value !== null
          ? this.#closed(value as JsonSchema)
          : value
    const closed: JsonSchema = {}
    for (const [name, value] of Object.entries(own)) {
      if (name === 'properties') {
        closed[name] = Object.fromEntries(
          Object.entries(value as Record<string, JsonSchema>).map(([key, field]) => [key, this.#closed(field)]),
        )
      } else
        closed[name] = ['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf'].includes(name)
          ? inner(value)
          : value
    }
    if (closed['properties'] && closed['additionalProperties'] === undefined) closed['additionalProperties'] = false
    return closed
  }
}

function checkCode(name: string, route: Route, status: number, code: ErrorCode): void {
  assert.equal(ERRORS[code]?.status, status, `${name}: ${code} is not a code of status ${status}`)
  assert.ok(errorCodesOf(route).includes(code), `${name}: ${code} is not among the codes of this endpoint`)
}

const lastOf = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1)
const patternOf = (path: string) => new RegExp(`^${path.replace(/[.:]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}$`)

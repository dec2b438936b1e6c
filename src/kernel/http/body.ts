import type { IncomingMessage } from 'node:http'
import type { FieldFault } from '../../contract/errors.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import type { TSchema } from '../schema/types.ts'
import { compileSchema, type SchemaError, type Validator } from '../schema/validator.ts'
import { type InputFault, MAX_FAULTS, printable, refuseIfAny } from './faults.ts'
import { FORMAT_MESSAGES, FORMATS } from './formats.ts'
import { COMPONENT } from './shape.ts'
import { unknownFields } from './unknown-name.ts'

const readers = new WeakMap<IncomingMessage, (failure: ApiError) => void>()

/** Stops the reading of a body with an error; false if no handler is reading it. */
export function failBody(request: IncomingMessage, failure: ApiError): boolean {
  const reader = readers.get(request)
  reader?.(failure)
  return reader !== undefined
}

/**
 * Reads the whole body. A body over the limit is rejected immediately; the rest of it is read and discarded, so that
 * the caller gets the response instead of a connection reset. The server stops the reading at the deadline of the
 * request.
 */
export function readBody(request: IncomingMessage, limit: number = API_LIMITS.requestBodyBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const refuse = (failure: ApiError) => {
      request.off('data', collect)
      request.resume()
      reject(failure)
    }
    const collect = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limit) chunks.push(chunk)
      else refuse(new ApiError('payload_too_large'))
    }
    readers.set(request, refuse)
    request.on('data', collect)
    request.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', () => reject(new RequestAborted()))
    request.on('close', () => reject(new RequestAborted()))
  })
}

/** Rejects a body whose Content-Length is over the limit, also on routes that read no body. */
export function refuseLargeBody(request: IncomingMessage, limit: number = API_LIMITS.requestBodyBytes): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) fail('payload_too_large')
}

/** The caller disconnected before the body was complete, so no response is sent. */
export class RequestAborted extends Error {}

const utf8 = new TextDecoder('utf-8', { fatal: true })

export interface BodyRead {
  value: unknown
  faults: InputFault[]
}

/** Parses a body and returns all of its faults. A fault names the field and never repeats the value. */
export function collectBody(
  bytes: Buffer,
  contentType: string | undefined,
  schema: TSchema,
  emptyAllowed: boolean,
): BodyRead {
  const refused = (param: string, message: string): BodyRead => ({ value: undefined, faults: [{ param, message }] })
  if (bytes.length === 0) {
    return emptyAllowed ? { value: {}, faults: [] } : refused('body', 'is required, as a JSON object')
  }
  if (!/^application\/json\s*(;|$)/i.test(contentType ?? '')) return refused('Content-Type', 'must be application/json')
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch {
    return refused('body', 'is not valid JSON in UTF-8')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('body', 'must be a JSON object')
  return { value, faults: inputFaults(schema, value) }
}

/** The same for callers without further checks: throws if there are faults. */
export function parseBody(...input: Parameters<typeof collectBody>): unknown {
  const { value, faults } = collectBody(...input)
  refuseIfAny(faults)
  return value
}

type Rules = (value: unknown) => InputFault[]
const rulesOf = new WeakMap<TSchema, Rules>()

/** Adds rules that a schema cannot express. Rules get any input, also one that fails the schema, and must not throw. */
export function withRules<S extends TSchema>(schema: S, rules: Rules): S {
  rulesOf.set(schema, rules)
  return schema
}

/**
 * The faults of an input, at most one for each field. Faults of the schema take precedence over faults of the rules.
 */
function inputFaults(schema: TSchema, value: unknown): InputFault[] {
  const faults = new Map<string, InputFault>()
  for (const fault of [...checkSchema(schema, value), ...checkText(value), ...(rulesOf.get(schema)?.(value) ?? [])]) {
    if (!faults.has(fault.param)) faults.set(fault.param, fault)
  }
  return [...faults.values()]
}

/** The same check for input that is not a request body: the product's own forms. */
export const checkInput = (schema: TSchema, value: unknown): void => refuseIfAny(inputFaults(schema, value))

const validators = new WeakMap<TSchema, Validator>()

/** A symbol, so that OpenAPI shows the schema without it. */
const NOT_CHECKED = Symbol('described, and checked elsewhere')

/** A part of a body that only the action checks, because its faults have their own code and order. */
export const notChecked = <S extends TSchema>(schema: S): S => ({ ...schema, [NOT_CHECKED]: true })

const DESCRIBED = Symbol('keywords that only the description has')

/**
 * Adds keywords that OpenAPI shows and the schema does not check: a rule checks the same, because its fault has its own
 * code or message.
 */
export const describedAs = <S extends TSchema>(schema: S, keywords: Readonly<Record<string, unknown>>): S => ({
  ...schema,
  [DESCRIBED]: keywords,
})

/** An object that must have exactly one of its fields: described as one object for each, under these names. */
export function describedAsOneOf<S extends TSchema>(
  schema: S,
  name: string,
  names: Readonly<Record<string, string>>,
): S {
  const { properties } = schema as unknown as { properties: Record<string, object> }
  const kinds = Object.entries(names).map(([field, component]) => ({
    [COMPONENT]: component,
    type: 'object',
    required: [field],
    properties: { [field]: properties[field] },
    additionalProperties: false,
  }))
  const instead = { type: undefined, properties: undefined, additionalProperties: undefined, oneOf: kinds }
  return { ...describedAs(schema, instead), [COMPONENT]: name }
}

export const describedKeywords = (schema: object): Readonly<Record<string, unknown>> =>
  (schema as { [DESCRIBED]?: Readonly<Record<string, unknown>> })[DESCRIBED] ?? {}

/**
 * The schema that a body is validated with. Parts that the action checks allow any value. A text that must not be empty
 * must not be blank either.
 */
function toCheck(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (NOT_CHECKED in schema) return {}
  if (Array.isArray(schema)) return schema.map(toCheck)
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, toCheck(part)]))
  const { type, minLength, pattern } = parts as { type?: unknown; minLength?: number; pattern?: unknown }
  const required = type === 'string' && (minLength ?? 0) > 0 && pattern === undefined
  return required ? { ...parts, pattern: NOT_BLANK } : parts
}

function checkSchema(schema: TSchema, value: unknown): FieldFault[] {
  const validator = getOrCreate(validators, schema, () =>
    compileSchema(toCheck(schema) as object, { formats: FORMATS, maxErrors: MAX_FAULTS }),
  )
  return validator.check(value) ? [] : explain(validator.errors(value))
}

/**
 * Turns the errors of the validator into one sentence for each field. For alternatives (`string or null`) the validator
 * reports every branch; the null branch is dropped, because an invalid string was not meant as null.
 */
function explain(errors: SchemaError[]): FieldFault[] {
  const faults = new Map<string, string>()
  const add = (param: string, message: string) => {
    if (!faults.has(param)) faults.set(param, message)
  }
  for (const error of errors) {
    const at = paramOf(error.instancePath)
    const p = error.params
    switch (error.keyword) {
      case 'required':
        for (const name of p['requiredProperties'] as string[]) add(joined(at, name), 'is required')
        break
      case 'additionalProperties': {
        const names = p['additionalProperties'] as string[]
        const messages = unknownFields(names, error.declared ?? [], at)
        for (const [i, name] of names.entries()) add(joined(at, printable(name)), messages[i] ?? '')
        break
      }
      case 'boolean':
      case 'anyOf':
        break // another error reports the same field
      case 'type':
        if (p['type'] !== 'null') add(at, `must be ${article(String(p['type']))}`)
        break
      case 'enum':
        add(at, `must be one of ${(p['allowedValues'] as unknown[]).join(', ')}`)
        break
      case 'const':
        add(at, `must be ${JSON.stringify(p['allowedValue'])}`)
        break
      case 'minLength':
        add(at, p['limit'] === 1 ? 'must not be empty' : `must be at least ${p['limit']} characters`)
        break
      case 'maxLength':
        add(at, `must be at most ${p['limit']} characters`)
        break
      case 'minProperties':
        add(at, `must not have fewer than ${p['limit']} properties`)
        break
      case 'minItems':
        add(at, p['limit'] === 1 ? 'must not be empty' : `must have at least ${p['limit']} items`)
        break
      case 'maxItems':
        add(at, `must have at most ${p['limit']} items`)
        break
      case 'pattern':
        add(at, PATTERN_WORDS[String(p['pattern'])] ?? `must match ${p['pattern']}`)
        break
      case 'format':
        add(at, FORMAT_MESSAGES[String(p['format'])] ?? `must have the format ${p['format']}`)
        break
      case 'minimum':
        add(at, `must be at least ${p['limit']}`)
        break
      case 'maximum':
        add(at, `must be at most ${p['limit']}`)
        break
    }
  }
  if (faults.size === 0) add('', 'The body does not have the expected shape.')
  return [...faults].map(([param, message]) => ({ param, message }))
}

/** Messages for patterns. */
const NOT_BLANK = '\\S'
const PATTERN_WORDS: Readonly<Record<string, string>> = {
  [NOT_BLANK]: 'must not be blank',
  '^https://': 'must start with https://',
  '^[A-Za-z]{3}$': 'must be three letters',
}

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)
const joined = (at: string, name: string) => (at === '' ? name : `${at}.${name}`)
/** `/stages/3/name` to `stages[3].name` */
const paramOf = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map(part => printable(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : joined(path, part)), '')

/** Deeper than any schema. Deeper input fails its schema; checking it must not exhaust the stack first. */
const DEEPEST_TEXT = 20

/** PostgreSQL text cannot contain NUL, and a lone surrogate is not valid text. */
export function checkText(root: unknown): FieldFault[] {
  const faults: FieldFault[] = []
  const visit = (value: unknown, path: string, depth = 0): void => {
    if (faults.length >= MAX_FAULTS || depth > DEEPEST_TEXT) return
    if (typeof value === 'string') {
      if (value.includes('\0')) faults.push({ param: path, message: 'must not contain a NUL character' })
      else if (!value.isWellFormed()) faults.push({ param: path, message: 'must be well-formed Unicode text' })
    } else if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, `${path}[${i}]`, depth + 1)
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) visit(item, joined(path, printable(name)), depth + 1)
    }
  }
  visit(root, '')
  return faults
}

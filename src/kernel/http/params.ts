import type { FieldFault } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { Failure } from '../failure.ts'
import { isHandle } from '../handles.ts'
import type { JsonSchema } from './shape.ts'

/** A query parameter: how its text becomes a value, and how OpenAPI describes it. */
export interface Param<T = unknown> {
  about: string
  schema: JsonSchema
  parse: (text: string) => T
  required?: true
}

export type Params = Readonly<Record<string, Param>>

type ParamValue<P> = P extends Param<infer T> ? T : never
export type QueryOf<P extends Params> = {
  [K in keyof P as P[K] extends { required: true } ? K : never]: ParamValue<P[K]>
} & { [K in keyof P as P[K] extends { required: true } ? never : K]?: ParamValue<P[K]> }

/** Thrown by `parse`; time faults have a code of their own. */
class ParamFault extends Error {
  readonly timestamp: boolean
  constructor(message: string, timestamp = false) {
    super(message)
    this.timestamp = timestamp
  }
}

/** Refuses the text of a parameter from inside `parse`; the answer names the parameter. */
export const refuseParam = (message: string): never => {
  throw new ParamFault(message)
}

export const textParam = (about: string, max = 200): Param<string> => ({
  about,
  schema: { type: 'string', minLength: 1, maxLength: max },
  parse: text => {
    if (text.length === 0) refuseParam('must not be empty')
    return [...text].length > max ? refuseParam(`must be at most ${max} characters`) : text
  },
})

export const booleanParam = (about: string): Param<boolean> => ({
  about,
  schema: { type: 'boolean' },
  parse: text => (text === 'true' ? true : text === 'false' ? false : refuseParam('must be true or false')),
})

export const integerParam = (about: string, min: number, max: number, fallback?: number): Param<number> => ({
  about,
  schema: { type: 'integer', minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) },
  parse: text => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : refuseParam(`must be a whole number from ${min} to ${max}`)
  },
})

export const oneOfParam = <const V extends string>(about: string, values: readonly V[]): Param<V> => ({
  about,
  schema: { type: 'string', enum: values },
  parse: text => values.find(v => v === text) ?? refuseParam(`must be one of ${values.join(', ')}`),
})

/** A comma list of known words, without repetitions. */
export const listParam = <const V extends string>(about: string, values: readonly V[]): Param<V[]> => ({
  about: `${about} Several are separated by commas.`,
  schema: { type: 'string', description: `comma list of ${values.join(', ')}` },
  parse: text => [
    ...new Set(
      text
        .split(',')
        .map(part => values.find(v => v === part) ?? refuseParam(`must be a comma list of ${values.join(', ')}`)),
    ),
  ],
})

/** RFC 3339, read into the canonical text that the store compares with. */
export const timeParam = (about: string): Param<string> => ({
  about,
  schema: { type: 'string', format: 'date-time' },
  parse: text => {
    const instant = parseInstant(text)
    if (instant !== undefined) return instant
    const hint = /\d \d\d:\d\d$/.test(text) ? ' (write the + of the offset as %2B)' : ''
    throw new ParamFault(`must be an RFC 3339 timestamp such as 2026-11-01T00:00:00Z${hint}`, true)
  },
})

/** A handle in the query: one that cannot exist is answered like one that does not. */
export const handleParam = (about: string, kind: HandleKind): Param<string> => ({
  about,
  schema: { type: 'string', pattern: `^${PREFIXES[kind]}` },
  parse: text => {
    if (!isHandle(kind, text)) throw new Failure('not_found')
    return text
  },
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => UUID.test(text)

/** As with handles: one that cannot exist is answered like one that does not. */
export const uuidParam = (about: string): Param<string> => ({
  about,
  schema: { type: 'string', format: 'uuid' },
  parse: text => {
    if (!isUuid(text)) throw new Failure('not_found')
    return text
  },
})

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** The instant in UTC with milliseconds, or undefined if the text is not RFC 3339 or names no real time. */
export function parseInstant(text: string): string | undefined {
  const match = text.length <= 64 ? RFC3339.exec(text) : null
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const millis = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const offsetMinutes = match[8] ? (match[8] === '-' ? -1 : 1) * (Number(match[9]) * 60 + Number(match[10])) : 0
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(offsetMinutes) > 24 * 60 || Number(match[10] ?? 0) > 59)
    return undefined
  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  local.setUTCHours(hour, minute - offsetMinutes, second, millis)
  const utcYear = local.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : local.toISOString()
}

/** Reads a query string by its declaration. All faults are found before one answer names them. */
export function readQuery(declared: Params, given: URLSearchParams): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  const faults: (FieldFault & { timestamp: boolean })[] = []
  const fault = (param: string, message: string, timestamp = false) => faults.push({ param, message, timestamp })
  for (const [name, text] of given) {
    const param = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (!param) fault(printable(name), 'is not a parameter of this endpoint')
    else if (Object.hasOwn(values, name)) fault(name, 'is given twice')
    else if (text.includes('\0')) fault(name, 'must not contain a NUL character')
    else {
      try {
        values[name] = param.parse(text)
      } catch (error) {
        if (!(error instanceof ParamFault)) throw error
        fault(name, error.message, error.timestamp)
        values[name] = undefined
      }
    }
  }
  for (const [name, param] of Object.entries(declared)) {
    if (param.required && !Object.hasOwn(values, name)) fault(name, 'is required')
  }
  if (faults.length > 0) throw faultsFailure(faults)
  return values
}

/** Names come from strangers; what is echoed is short and harmless. */
export const printable = (name: string) => name.slice(0, 60).replace(/[^\x20-\x7e]/g, '?')

function faultsFailure(faults: (FieldFault & { timestamp: boolean })[]): Failure {
  const first = faults[0]!
  return new Failure(faults.every(f => f.timestamp) ? 'invalid_timestamp' : 'invalid_request', {
    param: first.param,
    message: `${first.param}: ${first.message}`,
    errors: faults.map(({ param, message }) => ({ param, message })),
  })
}

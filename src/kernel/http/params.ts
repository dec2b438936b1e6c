import type { PlainErrorCode } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import { ApiError } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'
import { charactersIn, isBlankText } from '../text/text.ts'
import { type InputFault, MAX_FAULTS, printable, refuseIfAny, wrongHandle } from './faults.ts'
import type { Query } from './query.ts'
import type { JsonSchema } from './shape.ts'
import { unknownParameter } from './unknown-name.ts'

/** A query parameter: how its text becomes a value, and how OpenAPI describes it. */
export interface Param<T = unknown> {
  description: string
  schema: JsonSchema
  parse: (text: string) => T
  required?: true
  /** Valid values are never personal, so the request log has them. Never on free text. */
  logged?: true
}

export type Params = Readonly<Record<string, Param>>

type ParamValue<P> = P extends Param<infer T> ? T : never
export type QueryOf<P extends Params> = {
  [K in keyof P as P[K] extends { required: true } ? K : never]: ParamValue<P[K]>
} & { [K in keyof P as P[K] extends { required: true } ? never : K]?: ParamValue<P[K]> }

/** Thrown by `parse`. */
class ParamFault extends Error {
  readonly code: PlainErrorCode | undefined
  constructor(message: string, code?: PlainErrorCode) {
    super(message)
    this.code = code
  }
}

/** Refuses the text of a parameter from inside `parse`; the response names the parameter. */
export const refuseParam = (message: string, code?: PlainErrorCode): never => {
  throw new ParamFault(message, code)
}

export const textParam = (description: string, max = 200): Param<string> => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: max },
  parse: text => {
    if (isBlankText(text)) refuseParam(text === '' ? 'must not be empty' : 'must not be blank')
    return charactersIn(text) > max ? refuseParam(`must be at most ${max} characters`) : text
  },
})

export const booleanParam = (description: string): Param<boolean> => ({
  logged: true,
  description,
  schema: { type: 'boolean' },
  parse: text => (text === 'true' ? true : text === 'false' ? false : refuseParam('must be true or false')),
})

const MAX_INT32 = 2_147_483_647

export const integerParam = (description: string, min: number, max: number, fallback?: number): Param<number> => ({
  logged: true,
  description,
  schema: {
    type: 'integer',
    ...(max > MAX_INT32 ? { format: 'int64' } : {}),
    minimum: min,
    maximum: max,
    ...(fallback === undefined ? {} : { default: fallback }),
  },
  parse: text => {
    const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : refuseParam(`must be a whole number from ${min} to ${max}`)
  },
})

export const oneOfParam = <const V extends string>(description: string, values: readonly V[]): Param<V> => ({
  logged: true,
  description,
  schema: { type: 'string', enum: values },
  parse: text => values.find(v => v === text) ?? refuseParam(`must be one of ${values.join(', ')}`),
})

/** How several values are written in a URL; tools take them as an array. */
export const COMMA_SEPARATED = ' Separate several with commas.'

/** A comma list of known words, without repetitions. */
export const listParam = <const V extends string>(description: string, values: readonly V[]): Param<V[]> => ({
  logged: true,
  description: `${description}${COMMA_SEPARATED}`,
  schema: { type: 'array', items: { type: 'string', enum: values }, minItems: 1 },
  parse: text => [
    ...new Set(
      text
        .split(',')
        .map(part => values.find(v => v === part) ?? refuseParam(`must be a comma list of ${values.join(', ')}`)),
    ),
  ],
})

/** `503`, or `5xx` for a whole class of statuses. */
export const statusParam = (description: string): Param<{ from: number; to: number }> => ({
  logged: true,
  description,
  schema: { type: 'string', pattern: '^[1-5]([0-9][0-9]|xx)$' },
  parse: text => {
    if (!/^[1-5](\d\d|xx)$/.test(text)) return refuseParam('must be a status such as 503, or a class such as 5xx')
    const from = Number(text.replace('xx', '00'))
    return { from, to: text.endsWith('xx') ? from + 99 : from }
  },
})

/** RFC 3339, read into the canonical text that the store compares with. */
export const timeParam = (description: string): Param<string> => ({
  logged: true,
  description,
  schema: { type: 'string', format: 'date-time' },
  parse: text => {
    const instant = parseInstant(text)
    if (instant !== undefined) return instant
    const hint = /\d \d\d:\d\d$/.test(text) ? ' (write the + of the offset as %2B)' : ''
    return refuseParam(`must be an RFC 3339 timestamp such as 2026-11-01T00:00:00Z${hint}`, 'invalid_timestamp')
  },
})

/** A handle in the query: one that cannot exist gets the response of one that does not. */
export const handleParam = (description: string, kind: HandleKind): Param<string> => ({
  logged: true,
  description,
  schema: { type: 'string', pattern: `^${PREFIXES[kind]}` },
  parse: text => {
    if (isHandle(kind, text)) return text
    const message = wrongHandle(text, kind, 'this parameter')
    throw new ApiError('not_found', message === undefined ? {} : { message })
  },
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isUuid = (text: string): boolean => UUID.test(text)

/** As with handles: one that cannot exist gets the response of one that does not. */
export const uuidParam = (description: string): Param<string> => ({
  logged: true,
  description,
  schema: { type: 'string', format: 'uuid' },
  parse: text => {
    if (!isUuid(text)) throw new ApiError('not_found')
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
  if (hour > 23 || minute > 59 || second > 60 || Math.abs(offsetMinutes) > 24 * 60 || Number(match[10] ?? 0) > 59)
    return undefined
  const local = new Date(0)
  local.setUTCFullYear(year, month - 1, day)
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return undefined
  const leap = second === 60
  // a leap second is the last one of a day in UTC; it is read as the end of the second before
  local.setUTCHours(hour, minute - offsetMinutes, leap ? 59 : second, leap ? 999 : millis)
  if (leap && (local.getUTCHours() !== 23 || local.getUTCMinutes() !== 59)) return undefined
  const utcYear = local.getUTCFullYear()
  return utcYear < 1 || utcYear > 9999 ? undefined : local.toISOString()
}

export interface QueryRead {
  values: Record<string, unknown>
  faults: InputFault[]
  /** a handle in it that cannot exist: 404, if the request has no other fault */
  missing: ApiError | undefined
}

const required = new WeakMap<Params, readonly string[]>()

const requiredOf = (declared: Params): readonly string[] =>
  getOrCreate(required, declared, () =>
    Object.entries(declared).flatMap(([name, { required }]) => (required ? [name] : [])),
  )

/** Reads a query string by its declaration and finds all of its faults. */
export function collectQuery(declared: Params, given: Query): QueryRead {
  const values: Record<string, unknown> = {}
  const faults: InputFault[] = []
  const seen = new Set<string>()
  let missing: ApiError | undefined
  for (const [name, text] of given) {
    // each fault costs a search for what was meant; more than are reported are not looked for
    if (faults.length >= MAX_FAULTS) break
    const param = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (!param) faults.push({ param: printable(name), message: unknownParameter(name, Object.keys(declared)) })
    else if (seen.has(name)) {
      delete values[name]
      faults.push({ param: name, message: 'is given twice' })
    } else if (text.includes('\0')) faults.push({ param: name, message: 'must not contain a NUL character' })
    else {
      try {
        values[name] = param.parse(text)
      } catch (error) {
        if (error instanceof ApiError) missing ??= error
        else if (error instanceof ParamFault) faults.push({ param: name, message: error.message, ...codeOf(error) })
        else throw error
      }
    }
    seen.add(name)
  }
  for (const name of requiredOf(declared)) {
    if (!seen.has(name)) faults.push({ param: name, message: 'is required' })
  }
  return { values, faults, missing }
}

const codeOf = ({ code }: ParamFault) => (code === undefined ? {} : { code })

/** The same for callers that look at nothing else of the request. */
export function readQuery(declared: Params, given: Query): Record<string, unknown> {
  const { values, faults, missing } = collectQuery(declared, given)
  refuseIfAny(faults)
  if (missing) throw missing
  return values
}

import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import type { Scope } from '../../contract/scopes.ts'
import { API_PREFIX } from '../../contract/version.ts'

/**
 * The objects in responses. A shape declares the fields of an object; a field declares its encoding and who may read
 * it. A response contains only declared fields. The same declaration produces the response text (present.ts), the
 * OpenAPI schema and the list of fields that a key can read.
 */
export type JsonSchema = Record<string, unknown>

export type Guard = { scope: Scope; unlisted?: true } | { never: string }

export interface Field<T = unknown> {
  readonly schema: JsonSchema
  /** encodes a value as JSON; objects and arrays are encoded through `parts` instead */
  encode(value: T): string
  readonly guard?: Guard
  /** the name for which each value is charged and audited */
  readonly meter?: string
  readonly nullable?: boolean
  readonly optional?: boolean
  /** the description in the reference if the schema has none */
  readonly description?: string
  /** a JSON column that is read as text and passed through unchanged */
  readonly jsonText?: true
  /** a constant value */
  readonly constant?: string
  readonly parts?: { fields: Fields; subject?: (value: never) => AuditSubject } | { item: Field } | { shape: Shape }
  /** computed from the whole row */
  readonly links?: Readonly<Record<string, Link>>
  /** the workspace that links name, if it differs from that of the call */
  readonly linkWorkspace?: (row: AnyRow) => string
}

// biome-ignore lint/suspicious/noExplicitAny: a field of any value, as in every heterogeneous record
export type Fields = Readonly<Record<string, Field<any>>>

// biome-ignore lint/suspicious/noExplicitAny: rows differ from shape to shape; RowOf types them where a shape is used
export type AnyRow = any

/** A path such as `/jobs/{id}/sections`, or one that is shown only when a condition holds. */
export type Link = string | { path: string; when: (row: AnyRow) => boolean }

export type ValueOf<F> = F extends Field<infer T> ? T : never
type OptionalKeys<F extends Fields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F]
type HiddenKeys<F extends Fields> = { [K in keyof F]: [ValueOf<F[K]>] extends [never] ? K : never }[keyof F]

/** The row a handler returns for these fields. Links and never-exposed fields have no value. */
export type RowOf<F extends Fields> = {
  [K in Exclude<keyof F, OptionalKeys<F> | HiddenKeys<F>>]: ValueOf<F[K]>
} & { [K in Exclude<OptionalKeys<F>, HiddenKeys<F>>]?: ValueOf<F[K]> }

export interface AuditSubject {
  object: string
  id: string
}

export interface Shape<F extends Fields = Fields> {
  readonly name: string
  /** the name of its OpenAPI component; by default that of the object. Objects with several shapes have several. */
  readonly component: string
  readonly description: string
  readonly fields: F
  /** the record that audit rows name; by default the object itself */
  readonly subject: (row: AnyRow) => AuditSubject
  /** a row with nothing to withhold, such as `has_screening: false`, has no restricted list */
  readonly omitRestrictedWhen?: (row: AnyRow) => boolean
  /** the name of the resource and its scope; /me/access lists these shapes */
  readonly resource?: { name: string; scope: Scope | null }
  /** the field of the row with the JSON text of the whole object, which is sent byte for byte */
  readonly verbatim?: string
  /** the shape of a row, if the rows of one list differ in `object` or in guarded fields */
  readonly as?: (row: AnyRow) => Shape
  /** further paths that `restricted` can list: those inside related records */
  readonly relatedGuards?: readonly GuardedPath[]
  /** the schemas of its kinds in the OpenAPI description */
  readonly union?: () => Union
}

/** An object whose form depends on one of its values. */
export interface Union {
  discriminator: string
  /** by the value of the discriminator */
  known: Readonly<Record<string, NamedSchema>>
  /** for values that come later */
  other: NamedSchema
}

export interface NamedSchema {
  component: string
  schema: JsonSchema
}

export type Row<S> = S extends Shape<infer F> ? RowOf<F> : never

export function shape<F extends Fields>(
  name: string,
  description: string,
  fields: F,
  opts: {
    subject?: (row: RowOf<F>) => AuditSubject
    resource?: { name: string; scope: Scope | null }
    omitRestrictedWhen?: (row: RowOf<F>) => boolean
    component?: string
    verbatim?: keyof F & string
    as?: (row: RowOf<F>) => Shape
    union?: () => Union
  } = {},
): Shape<F> {
  const subject = opts.subject ?? ((row: RowOf<F>) => ({ object: name, id: (row as { id?: string }).id ?? '' }))
  return { component: name, ...opts, name, description, fields, subject }
}

const write = JSON.stringify as (value: unknown) => string
/** for values that contain nothing that JSON would escape */
export const encodePlainText = (value: string): string => `"${value}"`

export const text = (description?: string): Field<string> => ({
  schema: { type: 'string', ...(description ? { description } : {}) },
  encode: write,
})

/** For handles, timestamps and enum values, which contain nothing that JSON would escape. */
export const handleField = (kind: HandleKind): Field<string> => ({
  schema: { type: 'string', description: `${kind} handle`, examples: [`${PREFIXES[kind]}01m8x2c4e6g8j0k2m4n6`] },
  encode: encodePlainText,
})

export const email = (): Field<string> => ({ schema: { type: 'string', format: 'email' }, encode: write })

export const uuid = (): Field<string> => ({ schema: { type: 'string', format: 'uuid' }, encode: encodePlainText })

export const time = (): Field<string> => ({ schema: { type: 'string', format: 'date-time' }, encode: encodePlainText })

/** A day of the calendar, stored as text: it has no time zone. */
export const date = (): Field<string> => ({ schema: { type: 'string', format: 'date' }, encode: encodePlainText })

export const oneOf = <const V extends string>(values: readonly V[]): Field<V> => ({
  schema: { type: 'string', enum: values },
  encode: encodePlainText,
})

export const literal = <const V extends string>(value: V): Field<V> & { readonly constant: V } => ({
  schema: { type: 'string', const: value },
  encode: encodePlainText,
  constant: value,
})

/** For sequences of the feed and lengths of files, which exceed 32 bits. */
export const int64 = (description?: string): Field<number> => ({
  schema: { type: 'integer', format: 'int64', ...(description ? { description } : {}) },
  encode: String,
})

export const integer = (description?: string): Field<number> => ({
  schema: { type: 'integer', ...(description ? { description } : {}) },
  encode: String,
})

export const number = (description?: string): Field<number> => ({
  schema: { type: 'number', ...(description ? { description } : {}) },
  encode: String,
})

export const boolean = (description?: string): Field<boolean> => ({
  schema: { type: 'boolean', ...(description ? { description } : {}) },
  encode: String,
})

export const url = (): Field<string> => ({ schema: { type: 'string', format: 'uri' }, encode: write })

/** A list or map from a JSON column that is read as text and passed through unchanged. `schema` describes it. */
export const jsonText = (schema: JsonSchema): Field<string> => ({ schema, encode: value => value, jsonText: true })

export const map = <T>(item: Field<T>, description: string): Field<Record<string, T>> => ({
  ...unguarded(item),
  schema: { type: 'object', additionalProperties: item.schema, description },
  encode: write,
})

/** Guards and meters work only on fields of objects; anywhere else they would have no effect, so this throws. */
function unguarded(item: Field<never>): object {
  if (item.guard || item.meter)
    throw new Error('a guard or meter belongs on a field, not on the items of a list or map')
  return {}
}

export const array = <T>(item: Field<T>): Field<readonly T[]> => ({
  ...unguarded(item),
  schema: { type: 'array', items: item.schema },
  encode: write,
  parts: { item: item as Field },
})

/** `subject`: the record that audit rows name for these values, if it differs from that of the whole row. */
export const object = <F extends Fields>(
  fields: F,
  opts: { subject?: (value: RowOf<F>) => AuditSubject } = {},
): Field<RowOf<F>> => ({
  schema: { type: 'object' },
  encode: write,
  parts: { fields, ...opts },
})

/** A record inside a record: it has its own `object`, guards and restricted list. */
export const nested = <F extends Fields>(inner: Shape<F>): Field<RowOf<F>> => ({
  schema: { $ref: `#/components/schemas/${inner.component}` },
  encode: write,
  parts: { shape: inner as Shape },
})

/** The name of a schema in the OpenAPI description. A symbol, so that the schema itself is shown without it. */
export const COMPONENT = Symbol('the name of its component')

/** An object that has the same name in the description wherever it is used. */
export const called = <T>(name: string, field: Field<T>): Field<T> => ({
  ...field,
  schema: { ...field.schema, [COMPONENT]: name },
})

export const nullable = <T>(field: Field<T>): Field<T | null> => ({ ...(field as Field<T | null>), nullable: true })

/** Left out if the row has no value. */
export const optional = <T>(field: Field<T>): Field<T | undefined> => ({
  ...(field as Field<T | undefined>),
  optional: true,
})

/** Only for keys with the scope; others see its name in `restricted`. */
export const guarded = <T>(scope: Scope, field: Field<T>): Field<T> => ({ ...field, guard: { scope } })

/**
 * Only for keys with the scope, for a field that tells something of another one that needs it: that one is listed in
 * `restricted`, this one is not.
 */
export const hiddenWithout = <T>(scope: Scope, field: Field<T>): Field<T> => ({
  ...field,
  guard: { scope, unlisted: true },
})

/** In no response, whatever the scopes; named in `restricted` so that clients do not look for it. */
export const neverExposed = (reason: string): Field<never> => ({
  schema: {},
  encode: () => 'null',
  guard: { never: reason },
})

/** Each value in a response costs one unit of the daily budget and writes an audit row with this name. */
export function metered<T>(name: string, field: Field<T>): Field<T> {
  if (field.parts && !('fields' in field.parts)) throw new Error('meter the values of a list, not the list')
  return { ...field, meter: name }
}

export const links = (
  paths: Readonly<Record<string, Link>>,
  linkWorkspace?: (row: AnyRow) => string,
): Field<never> => ({
  schema: {
    type: 'object',
    properties: Object.fromEntries(Object.keys(paths).map(name => [name, { type: 'string', format: 'uri-reference' }])),
    required: Object.keys(paths).filter(name => typeof paths[name] === 'string'),
  },
  encode: () => '{}',
  links: paths,
  ...(linkWorkspace ? { linkWorkspace } : {}),
})

export const linkPath = (link: Link): string => API_PREFIX + (typeof link === 'string' ? link : link.path)

export const guardReason = (guard: Guard): string =>
  'scope' in guard ? `scope_required:${guard.scope}` : `never_exposed:${guard.never}`

/** Whether a key with these scopes sees nothing of it. */
export const isHidden = ({ guard }: Field, scopes: ReadonlySet<Scope>): boolean =>
  guard !== undefined && !('scope' in guard && scopes.has(guard.scope))

export interface GuardedPath {
  path: string
  guard: Guard
}

/** Guarded fields of a shape that `restricted` lists, nested ones with their path. Nested records have their own and are left out. */
export function guardedPaths(fields: Fields, prefix = ''): GuardedPath[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name
    if (field.guard) return 'unlisted' in field.guard ? [] : [{ path, guard: field.guard }]
    return guardedPaths(innerFields(field), `${path}.`)
  })
}

/** Metered fields of a shape with their path, nested records included. */
export function meteredPaths(fields: Fields, prefix = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = prefix + name
    return [...(field.meter ? [path] : []), ...meteredPaths(innerFields(field, true), `${path}.`)]
  })
}

/** The fields of an object, or of the objects in a list. */
export function innerFields(field: Field, intoRecords = false): Fields {
  const { parts } = field
  if (!parts) return {}
  if ('fields' in parts) return parts.fields
  if ('item' in parts) return innerFields(parts.item, intoRecords)
  return intoRecords ? parts.shape.fields : {}
}

/** The JSON schema of the stored text that a shape returns as it is, if it does. */
export const verbatimSchema = ({ verbatim, fields }: Shape): JsonSchema | undefined =>
  verbatim === undefined ? undefined : fields[verbatim]?.schema

/** The JSON schema of a shape, as a component of the OpenAPI text. */
export function shapeSchema(of: Shape): JsonSchema {
  const verbatim = verbatimSchema(of)
  if (verbatim) return { ...verbatim, description: of.description }
  const guards = [...guardedPaths(of.fields), ...(of.relatedGuards ?? [])]
  const schema = fieldsSchema({ object: literal(of.name), ...of.fields })
  const properties = schema['properties'] as Record<string, JsonSchema>
  if (guards.length > 0) {
    properties['restricted'] = {
      type: 'array',
      items: { type: 'string', 'x-extensible-enum': guards.map(g => g.path) },
      description: 'Fields that the key cannot read; `restricted_reason` says why.',
    }
    properties['restricted_reason'] = {
      [COMPONENT]: 'restricted_reasons',
      type: 'object',
      additionalProperties: { type: 'string' },
      description: guards.map(g => `${g.path}: ${guardReason(g.guard)}`).join('; '),
    }
  }
  return { ...schema, description: of.description }
}

/** The names of an object's fields as its readers see them. */
export const fieldNames = (of: Shape): string[] =>
  Object.keys((verbatimSchema(of)?.['properties'] as object | undefined) ?? of.fields)

export function fieldsSchema(fields: Fields): JsonSchema {
  const shown = Object.entries(fields).filter(([, field]) => !(field.guard && 'never' in field.guard))
  const required = shown
    .filter(([, field]) => !field.optional && !field.guard && !canVanish(field))
    .map(([name]) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(([name, field]) => [name, fieldSchema(field)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

/**
 * A list or nullable object with only guarded fields is left out if none of them is shown: its length or null would
 * reveal something.
 */
function canVanish({ parts, nullable: orNull }: Field): boolean {
  if (!parts || 'shape' in parts) return false
  if ('item' in parts) return canVanish({ ...parts.item, nullable: true })
  return orNull === true && Object.values(parts.fields).every(field => field.guard !== undefined)
}

function fieldSchema(field: Field): JsonSchema {
  let schema = field.schema
  if (field.parts && 'fields' in field.parts) schema = { ...schema, ...fieldsSchema(field.parts.fields) }
  if (field.parts && 'item' in field.parts) schema = { ...schema, items: fieldSchema(field.parts.item) }
  const notes = [
    field.guard && 'scope' in field.guard
      ? `Needs ${field.guard.scope}; otherwise ${field.guard.unlisted ? 'absent' : 'listed in `restricted`'}.`
      : '',
    field.meter ? 'Costs one personal-data unit per value.' : '',
  ].filter(Boolean)
  const description = [schema['description'] ?? field.description, ...notes].filter(Boolean).join(' ')
  if (description !== '') schema = { ...schema, description }
  if (!field.nullable) return schema
  if (typeof schema['type'] === 'string' && schema['enum'] === undefined)
    return { ...schema, type: [schema['type'], 'null'] }
  const { description: about, ...plain } = schema
  return { anyOf: [plain, { type: 'null' }], ...(about === undefined ? {} : { description: about }) }
}

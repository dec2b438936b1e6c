import type { Scope } from '../../contract/scopes.ts'
import type { Caller } from '../access/caller.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Queryable } from '../db/database.ts'
import type { Services } from '../services/services.ts'
import { COMMA_SEPARATED, type Param, refuseParam } from './params.ts'
import {
  type AnyRow,
  array,
  type Field,
  guarded,
  guardedPaths,
  literal,
  meteredPaths,
  nested,
  nullable,
  object,
  optional,
  type Shape,
} from './shape.ts'

/**
 * Records that a caller can ask for together with the rows of an endpoint: `include=applicant,score`. Each relation has a scope
 * of its own; what the key may not read is listed in `restricted`, as fields are. Metered values cannot be included.
 */
export interface Relation<Row = AnyRow> {
  readonly scope: Scope
  /** the shape of the related record, as its own endpoint shows it */
  readonly shape: Shape
  /** a list of them, instead of one or null */
  readonly several?: true
  /** Reads it for all rows together. Returns what belongs to a row. */
  readonly read: (call: RelationCall, rows: readonly Row[]) => Promise<(row: Row) => AnyRow>
}

/** A relation knows this of the call. */
export interface RelationCall {
  db: Queryable
  workspace: string
  caller: Caller
  services: Services
}

export type Relations<Row = AnyRow> = Readonly<Record<string, Relation<Row>>>

/** A relation to one record, for rows that have its id. */
export function relationById<Row, Related>(relation: {
  scope: Scope
  shape: Shape
  idOf: (row: Row) => string | null
  /** the records with these ids, in any order */
  read: (call: RelationCall, ids: readonly string[]) => Promise<readonly Related[]>
  keyOf: (related: Related) => string
}): Relation<Row> {
  const { scope, shape, idOf, keyOf } = relation
  return {
    scope,
    shape,
    read: async (call, rows) => {
      const ids = new Set<string>()
      for (const row of rows) {
        const id = idOf(row)
        if (id !== null) ids.add(id)
      }
      const found = ids.size === 0 ? [] : await relation.read(call, [...ids])
      const byId = new Map(found.map(related => [keyOf(related), related]))
      return row => byId.get(idOf(row) ?? '') ?? null
    },
  }
}

/** A relation to several records, which are read in the order that they are shown in. */
export function relationToMany<Row extends { id: string }, Related>(relation: {
  scope: Scope
  shape: Shape
  /** those of all rows */
  read: (call: RelationCall, ids: readonly string[]) => Promise<readonly Related[]>
  /** the id of the row that it belongs to */
  keyOf: (related: Related) => string | null
}): Relation<Row> {
  const { scope, shape, keyOf } = relation
  return {
    scope,
    shape,
    several: true,
    read: async (call, rows) => {
      const ids = rows.map(({ id }) => id)
      const found = ids.length === 0 ? [] : await relation.read(call, ids)
      const byRow = Map.groupBy(found, keyOf)
      return row => byRow.get(row.id) ?? []
    },
  }
}

const MAX_INCLUDED = 3

/** Personal data that callers may look for here. */
const NEVER_INCLUDED: ReadonlySet<string> = new Set([
  'answers',
  'attachments',
  'candidate',
  'contact',
  'contact_info',
  'email',
  'emails',
  'files',
  'phone',
  'phones',
  'raw_text',
  'resume',
  'resume_text',
  'resumes',
])

/** The parameter with which a caller asks for relations. */
export function includeParam(relations: Relations): Param<string[]> {
  const names = Object.keys(relations)
  const most = Math.min(MAX_INCLUDED, names.length)
  const upTo = most < names.length ? `, at most ${most}` : ''
  const allowed = `must be a comma list of ${names.join(', ')}${upTo}`
  return {
    logged: true,
    description: `Related records to add below \`included\`${upTo}.${most > 1 ? COMMA_SEPARATED : ''}`,
    schema: { type: 'array', items: { type: 'string', enum: names }, minItems: 1, maxItems: most },
    parse: text => {
      const given = text.split(',')
      const unknown = given.find(name => !Object.hasOwn(relations, name))
      if (unknown !== undefined && NEVER_INCLUDED.has(unknown)) {
        refuseParam(`${allowed}; ${unknown} is personal data, which only its own endpoint returns`)
      }
      if (unknown !== undefined || given.length > most) refuseParam(allowed)
      return new Set(given).size < given.length ? refuseParam(`${allowed}, none of them twice`) : given
    },
  }
}

/** Adds `included` to each row: the relations that were asked for and that the caller may read. */
export async function addIncluded(
  call: RelationCall,
  relations: Relations,
  names: readonly string[],
  rows: readonly object[],
): Promise<object[]> {
  const readable = Object.entries(relations).filter(
    ([name, { scope }]) => names.includes(name) && call.caller.scopes.has(scope),
  )
  const found = await Promise.all(readable.map(async ([name, { read }]) => [name, await read(call, rows)] as const))
  return rows.map(row => ({ ...row, included: Object.fromEntries(found.map(([name, of]) => [name, of(row)])) }))
}

const variants = new WeakMap<Shape, Map<string, Shape>>()
const described = new WeakMap<Shape, Shape>()

/** The shape of rows with these relations. */
export function shapeWithIncluded(shape: Shape, relations: Relations, names: readonly string[]): Shape {
  const wanted = Object.entries(relations).filter(([name]) => names.includes(name))
  return getOrCreate(
    getOrCreate(variants, shape, () => new Map<string, Shape>()),
    wanted.map(([name]) => name).join(),
    () => ({ ...shape, fields: { ...shape.fields, included: object(fieldsOf(wanted, embedded)) } }),
  )
}

/** The same with records in it, for readers of the shape itself. */
export function shapeWithRecords(
  shape: Shape,
  relations: Relations,
  names: readonly string[],
  omit: readonly string[],
): Shape {
  const wanted = Object.entries(relations).filter(([name]) => names.includes(name))
  const record = (related: Shape) =>
    nested({
      ...related,
      fields: Object.fromEntries(Object.entries(related.fields).filter(([name]) => !omit.includes(name))),
    })
  return wanted.length === 0
    ? shape
    : { ...shape, fields: { ...shape.fields, included: object(fieldsOf(wanted, record)) } }
}

/** The same for the reference, where everything can be there and nothing must. */
export function describedShape(shape: Shape, relations: Relations | undefined): Shape {
  if (!relations) return shape
  return getOrCreate(described, shape, () => {
    const { resource: _, ...rest } = shape
    const fields = fieldsOf(Object.entries(relations), reference)
    const included = optional(
      object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, optional(field)]))),
    )
    const description = 'Related records; only if the request has `include`.'
    const relatedGuards = Object.entries(relations).flatMap(([name, relation]) =>
      guardedPaths(relation.shape.fields, `included.${name}.`),
    )
    return { ...rest, relatedGuards, fields: { ...shape.fields, included: { ...included, description } } }
  })
}

const fieldsOf = (relations: readonly (readonly [string, Relation])[], fieldOf: (shape: Shape) => Field) =>
  Object.fromEntries(
    relations.map(([name, { scope, shape, several }]) => {
      const field = fieldOf(shape)
      return [name, guarded(scope, several ? array(field) : nullable(field))]
    }),
  )

/** Described where the record itself is. */
const reference = ({ component }: Shape): Field => ({
  schema: { $ref: `#/components/schemas/${component}` },
  encode: JSON.stringify,
})

/** A record without a restricted list of its own: the row lists what is hidden in it. */
const embedded = ({ name, fields }: Shape): Field => object({ object: literal(name), ...fields }) as Field

/** Records that `include` returns cost no units. */
export function refuseMetered(relations: Relations): void {
  for (const [name, { shape }] of Object.entries(relations))
    if (meteredPaths(shape.fields).length > 0) throw new Error(`${name} has metered values, which cannot be included`)
}

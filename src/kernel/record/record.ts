import { isDeepStrictEqual } from 'node:util'
import { params, raw, type Sql } from '../db/sql.ts'
import { present } from '../errors/present.ts'
import type { PlainValue } from '../feed/append.ts'
import type { InputFault } from '../http/faults.ts'
import type { Field, Fields } from '../http/shape.ts'
import type { TSchema } from '../schema/types.ts'
import type { ColumnsOf, Declaration, Group, GroupRows, InputOf, PersonalData, WrittenOf } from './field.ts'
import { describeInput, inputDescription, type Write } from './write.ts'

/**
 * A record: the fields of one table, each declared once. From the declaration come the shape of responses, the select
 * lists and row types of the store, the schemas of request bodies, merging and comparing for writes, what an erasure
 * does with each column, and the descriptions of the reference. All of it is derived when the module is loaded.
 */
export interface StoredRecord<F extends Fields, S extends Fields> {
  readonly table: string
  /** the fields that responses show */
  readonly fields: F
  /** columns that no response shows */
  readonly stored: S
  /** every column of the table; `shown`: in responses */
  readonly columns: readonly { name: string; field: Field; shown: boolean }[]
  readonly policy: ColumnPolicy
  /** columns that an erasure empties, where the row stays */
  readonly erased: readonly string[]
  /** schemas of the writable fields, from which bodies are put together */
  readonly input: InputOf<F> & InputOf<S>
  /** names of the columns that writes set; those that no response shows come first */
  readonly written: readonly (keyof Columns<F, S> & string)[]
  /** a record of which nothing is known yet */
  readonly blank: Columns<F, S>
  /** the name by which partners know a column, such as `content.summary` */
  pathOf(column: keyof Columns<F, S>): string
  /** what is wrong with an input of any shape that the schemas cannot express */
  faults(input: unknown): InputFault[]
  /** Lays an input over what is stored: fields it leaves out keep their value, null clears them. */
  merge(stored: Columns<F, S> | undefined, input: object): Columns<F, S>
  /** what differs; against nothing, what was set */
  changes(stored: Columns<F, S> | undefined, next: Columns<F, S>): Changes
}

type Columns<F extends Fields, S extends Fields> = WrittenOf<F> & WrittenOf<S>

/** The columns of a record that writes set, with their values. */
export type Written<R> = R extends StoredRecord<infer F, infer S> ? Columns<F, S> : never

/** Says what becomes of the columns of a table when a person is erased; names separated by blanks. */
export interface ColumnPolicy {
  /** may hold a value of a candidate; nothing of the person is left in them */
  readonly erased?: string
  /** hold none: handles, times, counts, states, hashes, or texts of the product's users that are about no candidate */
  readonly retained: string
  readonly how: string
}

export interface Changes {
  /** public names of the fields that differ */
  changed: string[]
  /** old values of the short ones that belong to no person */
  previous: Record<string, PlainValue>
}

export function record<const F extends Fields, const S extends Fields = Record<never, never>>(
  table: string,
  policy: {
    /** whether its columns hold values of a candidate, where a field does not say otherwise */
    person: PersonalData
    /** how an erasure removes them, or why there is nothing to remove */
    erasure: string
    stored?: S
  },
  fields: F,
): StoredRecord<F, S> {
  const stored = policy.stored ?? ({} as S)
  const shown = columnsIn(fields)
  const hidden = columnsIn(stored)
  const all = [...shown, ...hidden]
  const personOf = ({ declaration }: Column) => declaration.person ?? policy.person
  const named = (person: PersonalData) => all.filter(c => personOf(c) === person).map(column => column.name)
  const erased = named('erased')
  const written = [...hidden, ...shown].flatMap((column): WrittenColumn[] => {
    const { write } = column.declaration
    return write ? [{ ...column, write, person: personOf(column) }] : []
  })
  const paths = new Map(written.map(column => [column.name, column.path]))
  const blank = Object.fromEntries(written.map(c => [c.name, c.group?.nullable ? null : c.write.blank]))
  return {
    table,
    fields,
    stored,
    columns: all.map((column, i) => ({ name: column.name, field: column.field, shown: i < shown.length })),
    policy: {
      ...(erased.length === 0 ? {} : { erased: erased.join(' ') }),
      retained: named('none').join(' '),
      how: policy.erasure,
    },
    erased,
    input: { ...inputOf(stored), ...inputOf(fields) } as InputOf<F> & InputOf<S>,
    written: written.map(column => column.name) as (keyof Columns<F, S> & string)[],
    blank: blank as Columns<F, S>,
    pathOf: column => present(paths.get(column as string), column as string),
    faults: input => faultsOf(written, input),
    merge: (before, input) => merge(written, before ?? blank, input) as Columns<F, S>,
    changes: (before, next) => changesBetween(written, before ?? blank, next, before !== undefined),
  }
}

interface Column {
  /** in the table */
  name: string
  /** in a row of its select list */
  key: string
  path: string
  field: Field
  declaration: Declaration
  group?: NamedGroup
}

type NamedGroup = Group & { readonly name: string }

type Values = Readonly<Record<string, unknown>>

const declarationOf = (field: Field): Declaration => (field as { declaration?: Declaration }).declaration ?? {}
const groupIn = (field: Field): Group | undefined => (field as { group?: Group }).group

/** Links and never-exposed fields have no value; a constant has one without a column. */
const hasColumn = (field: Field): boolean =>
  field.links === undefined &&
  !(field.guard && 'never' in field.guard) &&
  field.constant === undefined &&
  !declarationOf(field).computed

function columnsIn(fields: Fields, group?: NamedGroup): Column[] {
  return Object.entries(fields).flatMap(([name, field]): Column[] => {
    const inner = groupIn(field)
    if (inner) return columnsIn(inner.fields, { ...inner, name })
    if (!hasColumn(field)) return []
    const declaration = declarationOf(field)
    const column = declaration.column ?? name
    if (!group) return [{ name: column, key: name, path: name, field, declaration }]
    return [{ name: column, key: column, path: `${group.name}.${name}`, field, declaration, group }]
  })
}

/** The list of the columns that writes set, for rows of the table that a statement calls `alias`. */
export const writtenColumns = <F extends Fields, S extends Fields>(record: StoredRecord<F, S>, alias = ''): Sql => {
  const prefix = alias === '' ? '' : `${alias}.`
  return raw(record.written.map(name => prefix + name).join(', '))
}

/** The values of these columns, in the same order. Lists and objects are stored as JSON. */
export const writtenValues = <F extends Fields, S extends Fields>(
  record: StoredRecord<F, S>,
  values: Columns<F, S>,
): Sql =>
  params(
    record.written.map(name => {
      const value: unknown = values[name]
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null)
    }),
  )

/** The select list of these fields, for rows of the table that a statement calls `alias`. JSON is read as its text. */
export function columnsOf<F extends Fields>(fields: F, alias = ''): Sql<ColumnsOf<F>> {
  const prefix = alias === '' ? '' : `${alias}.`
  const items = columnsIn(fields).map(({ name, key, field }) => {
    const value = prefix + name + (field.jsonText ? '::text' : '')
    return field.jsonText || key !== name ? `${value} as ${key}` : value
  })
  return raw(items.join(', ')) as Sql<ColumnsOf<F>>
}

/**
 * Puts the columns of groups into their objects. The columns stay on the row and, undeclared in the shape, go nowhere.
 * Compiled to the object literal that one would write by hand: filling objects by name costs several times as much a row.
 */
export function groupColumns<F extends Fields>(fields: F): <C extends ColumnsOf<F>>(columns: C) => C & GroupRows<F> {
  const groups = Object.entries(fields).flatMap(([name, field]) => {
    const group = groupIn(field)
    if (!group) return []
    const members = Object.entries(group.fields).map(([member, inner]) => {
      const value = inner.constant === undefined ? `c.${declarationOf(inner).column ?? member}` : `'${inner.constant}'`
      return `${member}: ${value}`
    })
    const object = `{ ${members.join(', ')} }`
    return [`${name}: ${group.nullWhen === undefined ? object : `c.${group.nullWhen} === null ? null : ${object}`}`]
  })
  // names of fields and columns, which are text of the program
  return new Function('c', `return { ...c, ${groups.join(', ')} }`) as <C extends ColumnsOf<F>>(
    columns: C,
  ) => C & GroupRows<F>
}

// Writes

type WrittenColumn = Column & { write: Write; person: PersonalData }

function inputOf(fields: Fields): Record<string, TSchema | Record<string, TSchema>> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, TSchema | Record<string, TSchema>][] => {
      const group = groupIn(field)
      if (group) {
        const inner = inputOf(group.fields) as Record<string, TSchema>
        return Object.keys(inner).length === 0 ? [] : [[name, inner]]
      }
      const { write, description } = declarationOf(field)
      if (!write) return []
      const described = description !== undefined && inputDescription(write.schema) === undefined
      return [[name, described ? describeInput(write.schema, description) : write.schema]]
    }),
  )
}

/** The value that an input has for a column; undefined where it has none. */
function givenFor({ path, group }: WrittenColumn, input: unknown): unknown {
  const object = membersOf(group ? membersOf(input)[group.name] : input)
  return object[group ? path.slice(group.name.length + 1) : path]
}

const membersOf = (value: unknown): Values => (typeof value === 'object' && value !== null ? (value as Values) : {})

function faultsOf(columns: readonly WrittenColumn[], input: unknown): InputFault[] {
  return columns.flatMap(column => {
    const message = column.write.fault?.(givenFor(column, input))
    return message === undefined ? [] : [{ param: column.path, message }]
  })
}

function merge(columns: readonly WrittenColumn[], before: Values, input: object): Values {
  const next: Record<string, unknown> = { ...before }
  const given = input as Values
  for (const column of columns) {
    const { name, group, write } = column
    const object = group ? given[group.name] : given
    if (object === undefined) continue
    if (object === null) {
      next[name] = group?.nullable ? null : write.blank
      continue
    }
    // an object that was null begins with the blank values of its fields
    if (group?.nullWhen !== undefined && before[group.nullWhen] === null) next[name] = write.blank
    const value = givenFor(column, given)
    if (value !== undefined) next[name] = (value === null ? null : write.store(value)) ?? write.blank
  }
  return next
}

/** An event is thin: it carries no lists and no long texts. */
const LONGEST_PREVIOUS = 300
const isShort = (value: unknown) =>
  !Array.isArray(value) && !(typeof value === 'string' && value.length > LONGEST_PREVIOUS)

/** Objects in a JSON column come back with their names in another order. */
const isSame = (a: unknown, b: unknown) => a === b || (Array.isArray(a) && isDeepStrictEqual(a, b))

function changesBetween(
  columns: readonly WrittenColumn[],
  before: Values,
  next: Values,
  withPrevious: boolean,
): Changes {
  const changed = columns.filter(({ name }) => !isSame(before[name], next[name]))
  // a reader of the event may lack the scope of a guarded field, and the event outlives the person's record
  const short = changed.filter(
    c => !c.group?.omitPrevious && !c.field.guard && c.person === 'none' && isShort(before[c.name]),
  )
  return {
    changed: changed.map(({ path }) => path),
    previous: withPrevious ? Object.fromEntries(short.map(c => [c.path, before[c.name] as PlainValue])) : {},
  }
}

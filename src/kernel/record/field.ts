import { type Field, type Fields, nullable, object, type RowOf, type ValueOf } from '../http/shape.ts'
import type { TSchema } from '../schema/types.ts'
import type { Write } from './write.ts'

/**
 * The declaration of a field. How its value looks in a response is the shape's `Field`; where it is stored, what an
 * erasure does with it, what it means and how it is written is added here. Everything that knows a field is derived from
 * this one line: see record.ts.
 */
export interface Declaration {
  /** its column, where that has another name than the field */
  readonly column?: string
  /** the field has no column: the store computes its value */
  readonly computed?: true
  /** whether the column can hold a value of a candidate; by default what the record says */
  readonly person?: PersonalData
  /** what the reference says about it. A description of the shape itself, which OpenAPI shows too, comes first. */
  readonly description?: string
  /** how it is written; without it no request body, form or import sets it */
  readonly write?: Write
}

/** `erased`: the column may hold a value of a candidate, and an erasure removes it. `none`: it never holds one. */
export type PersonalData = 'erased' | 'none'

export type DeclaredField<T, D extends Declaration> = Field<T> & { readonly declaration: D }

export const field = <T, const D extends Declaration>(shown: Field<T>, declaration: D): DeclaredField<T, D> => ({
  ...shown,
  ...(declaration.description === undefined ? {} : { description: declaration.description }),
  declaration,
})

export interface Group<F extends Fields = Fields, N extends boolean = boolean> {
  readonly fields: F
  /** null in responses, and all of its columns with it, where the column `nullWhen` is null */
  readonly nullable: N
  readonly nullWhen?: string
  /** events name its fields when they change, without the old values: they are too long */
  readonly omitPrevious?: true
}

export type GroupField<F extends Fields, N extends boolean> = Field<N extends true ? RowOf<F> | null : RowOf<F>> & {
  readonly group: Group<F, N>
}

/** Columns that responses show as one object. */
export const group = <const F extends Fields>(
  fields: F,
  opts: { omitPrevious?: true; description?: string } = {},
): GroupField<F, false> => {
  const { description, ...rest } = opts
  return { ...object(fields), ...(description ? { description } : {}), group: { fields, nullable: false, ...rest } }
}

/** The same for an object that a record may lack, which the column `nullWhen` tells. */
export const nullableGroup = <const F extends Fields>(
  nullWhen: StoredKeys<F>,
  fields: F,
  opts: { description?: string } = {},
): GroupField<F, true> => ({ ...nullable(object(fields)), ...opts, group: { fields, nullable: true, nullWhen } })

// Types of rows

type ColumnName<K, F> = F extends { declaration: { column: infer C extends string } } ? C : K & string
type Grouped = { group: Group }
type Unstored = Grouped | { declaration: { computed: true } } | { constant: unknown }
/** Links and never-exposed fields have no value, hence no column. */
type IsStored<F> = [ValueOf<F>] extends [never] ? false : F extends Unstored ? false : true
type StoredKeys<F extends Fields> = {
  [K in keyof F]: IsStored<F[K]> extends true ? ColumnName<K, F[K]> : never
}[keyof F]

/** Also of a field that responses may leave out. */
type ColumnValue<F> = Exclude<ValueOf<F>, undefined>

type Intersection<U> = (U extends unknown ? (x: U) => void : never) extends (x: infer I) => void ? I : never

type GroupColumns<G> =
  G extends Group<infer F, infer N>
    ? {
        [K in keyof F as IsStored<F[K]> extends true ? ColumnName<K, F[K]> : never]:
          | ColumnValue<F[K]>
          | (N extends true ? null : never)
      }
    : never

/** The row that the select list of these fields returns: by the name of the field; those of groups by their column. */
export type ColumnsOf<F extends Fields> = {
  [K in keyof F as IsStored<F[K]> extends true ? K : never]: ColumnValue<F[K]>
} & Intersection<{ [K in keyof F]: F[K] extends { group: infer G } ? GroupColumns<G> : never }[keyof F]>

/** The groups of such a row, as responses show them. */
export type GroupRows<F extends Fields> = {
  [K in keyof F as F[K] extends Grouped ? K : never]: ValueOf<F[K]>
}

// Types of writes

type Writable = { declaration: { write: Write } }
type WrittenValue<F> = F extends { declaration: { write: Write<infer _, infer V> } } ? V : never

type WrittenPlain<F extends Fields, N extends boolean> = {
  -readonly [K in keyof F as F[K] extends Writable ? ColumnName<K, F[K]> : never]:
    | WrittenValue<F[K]>
    | (N extends true ? null : never)
}

/** The columns that writes set, with their values. */
export type WrittenOf<F extends Fields> = WrittenPlain<F, false> &
  Intersection<
    { [K in keyof F]: F[K] extends { group: Group<infer G, infer N> } ? WrittenPlain<G, N> : never }[keyof F]
  >

type PlainInput<F extends Fields> = {
  -readonly [K in keyof F as F[K] extends Writable ? K : never]: F[K] extends {
    declaration: { write: Write<infer S extends TSchema> }
  }
    ? S
    : never
}

/** The schemas of what a request sets: of each writable field, and of those of each group that has any. */
export type InputOf<F extends Fields> = PlainInput<F> & {
  -readonly [K in keyof F as F[K] extends { group: Group<infer G> }
    ? keyof PlainInput<G> extends never
      ? never
      : K
    : never]: F[K] extends { group: Group<infer G> } ? PlainInput<G> : never
}

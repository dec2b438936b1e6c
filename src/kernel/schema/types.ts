/**
 * Builders of JSON Schema with TypeScript types: `Type.String({ maxLength: 5 })` is `{ type: 'string', maxLength: 5 }`,
 * and `Static<typeof schema>` the type of the values it allows. They have the names of TypeBox, which has hundreds of
 * modules that every process would load; `schema.test.ts` compares the two.
 */

/** `~static` exists for the compiler alone. */
export interface TSchema<T = unknown> {
  readonly '~static'?: T
}
export type Static<S> = S extends TSchema<infer T> ? T : never

type Properties = Readonly<Record<string, TSchema>>

export type TNull = TSchema<null>
export type TOptional<S extends TSchema> = S & { readonly '~optional': true }
export type TUnion<S extends readonly TSchema[]> = TSchema<Static<S[number]>>
export type TObject<P extends Properties> = TSchema<ObjectValue<P>> & { readonly properties: P }

type OptionalKeys<P> = { [K in keyof P]: P[K] extends { readonly '~optional': true } ? K : never }[keyof P]
type Flat<T> = { [K in keyof T]: T[K] }
type ObjectValue<P> = Flat<
  { -readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & {
    -readonly [K in OptionalKeys<P>]?: Static<P[K]>
  }
>

interface Annotations {
  readonly description?: string
  readonly default?: unknown
}
interface StringOptions extends Annotations {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}
interface NumberOptions extends Annotations {
  readonly format?: 'int64'
  readonly minimum?: number
  readonly maximum?: number
}
interface ArrayOptions extends Annotations {
  readonly minItems?: number
  readonly maxItems?: number
}
interface ObjectOptions extends Annotations {
  readonly additionalProperties?: boolean
  readonly minProperties?: number
  /** where fields exclude each other: the description shows the first of these */
  readonly examples?: readonly object[]
}

/** Not part of the JSON of a schema; objects read it to know which of their properties are required. */
const OPTIONAL = Symbol('optional')

const typed =
  <T, O extends Annotations>(type: string) =>
  (options?: O): TSchema<T> =>
    ({ type, ...options }) as TSchema<T>

function optional<S extends TSchema>(schema: S): TOptional<S> {
  return Object.defineProperty({ ...schema }, OPTIONAL, { value: true }) as TOptional<S>
}

function object<P extends Properties>(properties: P, options?: ObjectOptions): TObject<P> {
  const required = Object.entries(properties).flatMap(([name, property]) => (OPTIONAL in property ? [] : [name]))
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties, ...options } as TObject<P>
}

export const Type = {
  String: typed<string, StringOptions>('string'),
  Integer: typed<number, NumberOptions>('integer'),
  Number: typed<number, NumberOptions>('number'),
  Boolean: typed<boolean, Annotations>('boolean'),
  Null: typed<null, Annotations>('null'),
  Literal: <const V extends string>(value: V): TSchema<V> => ({ type: 'string', const: value }) as TSchema<V>,
  Enum: <const V extends string>(values: readonly V[], options?: Annotations): TSchema<V> =>
    ({ enum: values, ...options }) as TSchema<V>,
  Array: <S extends TSchema>(items: S, options?: ArrayOptions): TSchema<Static<S>[]> =>
    ({ type: 'array', items, ...options }) as TSchema<Static<S>[]>,
  Union: <const S extends readonly TSchema[]>(anyOf: S, options?: Annotations): TUnion<S> =>
    ({ anyOf, ...options }) as TUnion<S>,
  /** A property that an object may lack. */
  Optional: optional,
  Object: object,
  /** The same object with every property optional. */
  Partial: <P extends Properties>({ properties }: TObject<P>, options?: ObjectOptions) =>
    object(
      Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)])) as {
        [K in keyof P]: TOptional<P[K]>
      },
      options,
    ),
}

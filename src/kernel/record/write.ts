import { asUri, bodyInstant, bodyTime, httpsUrl } from '../http/formats.ts'
import { type Static, type TNull, type TOptional, type TSchema, type TUnion, Type } from '../schema/types.ts'
import { charactersIn, isBlankText, noneIfBlank } from '../text/text.ts'

/** How a field is written: what a request may send, and what is stored of it. */
export interface Write<S extends TSchema = TSchema, V = unknown> {
  readonly schema: S
  /** what is stored before anything was given, and after null was sent */
  readonly blank: V
  /** the value to store for one that fits the schema; null clears the field */
  store(given: unknown): V | null
  /** what is wrong with a value of any type that the schema cannot express, as the message of an error */
  fault?(given: unknown): string | undefined
}

const asGiven = <V>(value: V): V => value

/** For fields with a rule of their own. `store` gets what the schema allows, without null. */
export const written = <S extends TSchema, V>(
  schema: S,
  blank: V,
  store: (given: NonNullable<Static<S>>) => V | null,
): Write<S, V> => ({ schema, blank, store: store as Write<S, V>['store'] })

/** A value that a request must have, stored as given: nothing is stored without it. */
export const required = <S extends TSchema>(schema: S): Write<S, NonNullable<Static<S>>> =>
  written(schema, undefined as never, asGiven)

/** A text that a request must have, counted and stored without the blanks around it. */
export const trimmed = <S extends TSchema<string>>(
  schema: S,
  { maxLength, message }: { maxLength: number; message: string },
): Write<S, string> => ({
  ...written(schema, '', given => given.trim()),
  fault: given => {
    if (typeof given !== 'string') return undefined
    const length = charactersIn(given.trim())
    return length >= 1 && length <= maxLength ? undefined : message
  },
})

/** A value that a request may leave out, but not clear: records that are created and never changed. */
export const optionally = <S extends TSchema, V, B extends V | null | []>(
  schema: S,
  blank: B,
  store: (given: Static<S>) => V,
): Write<TOptional<S>, V | Exclude<B, []>> => ({
  schema: Type.Optional(schema),
  blank: blank as V | Exclude<B, []>,
  store: store as Write<S, V>['store'],
})

type Clearable<S extends TSchema> = TOptional<TUnion<[S, TNull]>>

/** Left out: the field keeps its value. Null: it is cleared, which leaves `blank` in it. */
const orNull = <S extends TSchema, V>(
  schema: S,
  blank: V,
  store: (given: Static<S>) => V | null,
): Write<Clearable<S>, V> => ({
  schema: Type.Optional(Type.Union([schema, Type.Null()])),
  blank,
  store: store as Write<S, V>['store'],
})

/** Fields that a request may leave out or clear. */
export const clearable = {
  /** blank text is none */
  text: (maxLength?: number) =>
    orNull(Type.String(maxLength === undefined ? {} : { maxLength }), null as string | null, noneIfBlank),
  /** a list without its blank entries */
  texts: (maxItems: number) =>
    orNull(Type.Array(Type.String(), { maxItems }), [] as string[], texts => texts.filter(text => !isBlankText(text))),
  oneOf: <const V extends string>(values: readonly V[], blank: V | null = null) =>
    orNull(Type.Enum([...values]), blank as V | null, value => value as V),
  integer: (minimum: number, maximum: number) =>
    orNull(Type.Integer({ minimum, maximum }), null as number | null, asGiven),
  number: (minimum: number, maximum: number) =>
    orNull(Type.Number({ minimum, maximum }), null as number | null, asGiven),
  boolean: (blank: boolean) => orNull(Type.Boolean(), blank, asGiven),
  url: () => orNull(httpsUrl(), null as string | null, asUri),
  time: () => orNull(bodyTime(), null as string | null, bodyInstant),
  /** a text with a pattern, stored in its normal form */
  pattern: <B extends string | null>(pattern: string, blank: B, store: (text: string) => string = asGiven) =>
    orNull(Type.String({ pattern }), blank as string | B, store),
}

const DESCRIPTION = Symbol('what the reference says about it')

/** Kept outside the JSON of the schema: OpenAPI shows the schema as it is. */
export const describeInput = <S extends object>(schema: S, description: string): S =>
  Object.assign(schema, { [DESCRIPTION]: description })

export const inputDescription = (schema: object): string | undefined =>
  (schema as { [DESCRIPTION]?: string })[DESCRIPTION]

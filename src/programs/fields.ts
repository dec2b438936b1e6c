/**
 * The fields of a response, where its handler returns rows as the database has them: `true` for a value as it is, or the
 * fields of an object or of each row of an array. What is not named is not sent, such as a column that comes later.
 */
export interface Fields {
  readonly [name: string]: true | Fields
}

/** `fields('id', 'url')` is `{ id: true, url: true }`. */
export const fields = <const N extends string>(...names: readonly N[]): Readonly<Record<N, true>> =>
  Object.fromEntries(names.map(name => [name, true])) as Record<N, true>

/** What is left of a response. */
export type Picked<R, F> = F extends Fields
  ? R extends readonly (infer Row)[]
    ? Picked<Row, F>[]
    : R extends object
      ? { [K in keyof R as K extends keyof F ? K : never]: K extends keyof F ? Picked<R[K], F[K]> : never }
      : R
  : R

export function pick(value: unknown, named: true | Fields): unknown {
  if (named === true || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(row => pick(row, named))
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const inner = Object.hasOwn(named, name) && named[name]
      return inner ? [[name, pick(one, inner)]] : []
    }),
  )
}

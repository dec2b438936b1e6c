// biome-ignore lint/suspicious/noExplicitAny: JSON schemas of every kind
export type Json = any
export type Schemas = Readonly<Record<string, Json>>

export function refName(schema: Json): string {
  const name = /^#\/components\/schemas\/(\w+)$/.exec(schema.$ref ?? '')?.[1]
  if (!name) throw new Error(`expected a named schema, found ${JSON.stringify(schema).slice(0, 200)}`)
  return name
}

/** The texts of an enumeration; undefined for any other schema. */
export function valuesOf(schema: Json): string[] | undefined {
  const values: unknown[] | undefined = schema.enum ?? schema['x-extensible-enum']
  return values?.filter((value): value is string => typeof value === 'string')
}

export const partsOf = (schema: Json): Json[] | undefined =>
  schema.properties ? undefined : (schema.anyOf ?? schema.oneOf)

/** What a named schema becomes in Python. */
export type Kind =
  /** a Literal */
  | 'enum'
  /** an enumeration that can get new values: the Literal, or any text */
  | 'open enum'
  /** a class, or a typed dictionary */
  | 'object'
  /** objects that a field tells apart, with or without one for values that come later */
  | 'union'
  /** a name for anything else */
  | 'alias'

export function classifySchema(schemas: Schemas, name: string): Kind {
  const schema = schemas[name]
  if (valuesOf(schema)) return 'enum'
  if (schema.properties) return 'object'
  if (findUnion(schemas, name)) return 'union'
  const parts = partsOf(schema)
  const isText = (part: Json) => part.type === 'string' && !('const' in part)
  const isEnum = (part: Json) =>
    part.$ref ? classifySchema(schemas, refName(part)) === 'enum' : valuesOf(part) !== undefined
  return parts?.some(isEnum) && parts.every(part => isEnum(part) || isText(part)) ? 'open enum' : 'alias'
}

export interface Union {
  /** the field that tells its members apart */
  field: string
  /** member by the value of the field */
  members: readonly (readonly [value: string, member: string])[]
  /** for other values */
  other: string | undefined
}

/** `oneOf` with a discriminator, or `anyOf` of such a union and one object. */
export function findUnion(schemas: Schemas, name: string): Union | undefined {
  const schema = schemas[name]
  if (schema.discriminator?.mapping) {
    const members = Object.entries<string>(schema.discriminator.mapping).map(
      ([value, $ref]) => [value, refName({ $ref })] as const,
    )
    const other = partsOf(schema)
      ?.map(refName)
      .find(part => !members.some(([, member]) => member === part))
    return { field: schema.discriminator.propertyName, members, other }
  }
  const parts = partsOf(schema)
  if (parts?.length !== 2 || !parts.every(part => part.$ref)) return undefined
  const [first, second] = parts.map(refName) as [string, string]
  const known = findUnion(schemas, first)
  return known && { ...known, other: second }
}

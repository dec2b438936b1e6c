import { type Field, type Fields, type JsonSchema, type Shape, verbatimSchema } from '../kernel/http/shape.ts'
import { charactersIn } from '../kernel/text/text.ts'
import { hasNoFreeText, isOwnText, visible } from './outside-text.ts'

/** The key below which a record has its outside text, and nothing else. */
export const OUTSIDE = 'untrusted'

/** How long the texts and lists of one record may be. */
export interface Lengths {
  text: number
  items: number
}

/** A row of a list is a preview; the record itself is read by its handle. */
export const IN_LIST: Lengths = { text: 280, items: 10 }
/** A résumé is seldom longer than 20,000 characters, about 5,000 tokens. */
export const ALONE: Lengths = { text: 20_000, items: 500 }

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What a field becomes: its schema and its value, both from the field's declaration. */
interface Node {
  schema: JsonSchema
  /** whether every text below it is outside text, some of it, or none */
  outside: 'all' | 'some' | 'none'
  /** undefined: nothing to show */
  value: (given: Json, lengths: Lengths) => Json | undefined
}

/** The result of a tool for one record. */
export interface ResultShape {
  schema: JsonSchema
  value: (given: Json, lengths: Lengths) => { [key: string]: Json }
}

const NOT_SHOWN: ReadonlySet<string> = new Set(['object', 'links', 'restricted_reason'])

/**
 * A record as a model gets it. Nulls, empty lists, links and names of objects are left out; long texts are cut. Outside
 * text is moved below `untrusted`, so that no instruction in it can look like a part of the result.
 */
export function resultShape(of: Shape, omit: readonly string[] = []): ResultShape {
  const verbatim = verbatimSchema(of)
  const record = verbatim ? verbatimNode(of.component, verbatim, omit) : recordNode(of.fields, of.component, omit)
  const node = record.outside === 'all' ? belowOutside(record) : record
  return {
    schema: node.schema,
    value: (given, lengths) => {
      const shown = (node.value(given, lengths) ?? {}) as { [key: string]: Json }
      const { restricted } = given as { restricted?: Json }
      return Array.isArray(restricted) && restricted.length > 0 ? { ...shown, restricted } : shown
    },
  }
}

/** A record that has nothing but outside text. */
const belowOutside = (node: Node): Node => ({
  schema: { type: 'object', properties: { [OUTSIDE]: node.schema } },
  outside: 'some',
  value: (given, lengths) => {
    const shown = node.value(given, lengths)
    return shown === undefined ? undefined : { [OUTSIDE]: shown }
  },
})

const recordNode = (fields: Fields, component: string, omit: readonly string[] = []): Node =>
  objectNode(
    Object.entries(fields)
      .filter(([name, field]) => !NOT_SHOWN.has(name) && !omit.includes(name) && isShown(field))
      .map(([name, field]) => [name, fieldNode(field, component, isOwnText(component, name))] as const),
  )

const isShown = ({ links, guard }: Field) => !links && !(guard && 'never' in guard)

function fieldNode(field: Field, component: string, own: boolean): Node {
  const { parts, schema } = field
  if (parts && 'shape' in parts) return recordNode(parts.shape.fields, parts.shape.component)
  if (parts && 'item' in parts) return arrayNode(fieldNode(parts.item, component, own))
  if (parts) {
    const inner = Object.entries(parts.fields).filter(([name, field]) => !NOT_SHOWN.has(name) && isShown(field))
    return objectNode(inner.map(([name, field]) => [name, fieldNode(field, component, own)]))
  }
  const outside = own || hasNoFreeText(field) ? 'none' : 'all'
  return { schema: plainSchema(schema), outside, value: cut(outside === 'all') }
}

/** Events are sent as they were stored: what is known of them is their schema. */
function verbatimNode(component: string, schema: JsonSchema, omit: readonly string[]): Node {
  const properties = schema['properties'] as Record<string, JsonSchema>
  return objectNode(
    Object.entries(properties)
      .filter(([name]) => !NOT_SHOWN.has(name) && !omit.includes(name))
      .map(([name, schema]) => [name, fieldNode({ schema, encode: String }, component, isOwnText(component, name))]),
  )
}

function arrayNode(item: Node): Node {
  return {
    schema: { type: 'array', items: item.schema },
    outside: item.outside,
    value: (given, lengths) => {
      if (!Array.isArray(given) || given.length === 0) return undefined
      return given.slice(0, lengths.items).flatMap(entry => item.value(entry, lengths) ?? [])
    },
  }
}

function objectNode(nodes: readonly (readonly [name: string, node: Node])[]): Node {
  const outer = nodes.filter(([, node]) => node.outside !== 'all')
  const inner = nodes.filter(([, node]) => node.outside === 'all')
  const all = outer.length === 0
  const properties = schemasOf(all ? inner : outer)
  if (!all && inner.length > 0) properties[OUTSIDE] = { type: 'object', properties: schemasOf(inner) }
  const values = (of: typeof nodes, given: { [key: string]: Json }, lengths: Lengths) =>
    Object.fromEntries(
      of.flatMap(([name, node]) => {
        const value = node.value(given[name] ?? null, lengths)
        return value === undefined ? [] : [[name, value] as const]
      }),
    )
  return {
    schema: { type: 'object', properties },
    outside: all && inner.length > 0 ? 'all' : inner.length > 0 ? 'some' : 'none',
    value: (given, lengths) => {
      if (given === null || typeof given !== 'object' || Array.isArray(given)) return undefined
      const outsideText = values(inner, given, lengths)
      if (all) return isEmpty(outsideText) ? undefined : outsideText
      const shown: { [key: string]: Json } = values(outer, given, lengths)
      if (!isEmpty(outsideText)) shown[OUTSIDE] = outsideText
      return isEmpty(shown) ? undefined : shown
    },
  }
}

const schemasOf = (nodes: readonly (readonly [string, Node])[]): Record<string, JsonSchema> =>
  Object.fromEntries(nodes.map(([name, { schema }]) => [name, schema]))

const isEmpty = (object: object) => Object.keys(object).length === 0

/** Types only: names say what a field means, and the values of an enum may grow. */
function plainSchema(schema: JsonSchema): JsonSchema {
  const { type } = schema
  if (type === 'array') return { type, items: plainSchema((schema['items'] ?? {}) as JsonSchema) }
  if (typeof type === 'string') return { type }
  return {}
}

/** Any JSON value with its texts and lists cut to their lengths. */
const cut =
  (outside: boolean) =>
  (given: Json, lengths: Lengths): Json | undefined => {
    const shown = cutJson(given, lengths, outside)
    if (shown === null || shown === '') return undefined
    return typeof shown === 'object' && Object.keys(shown).length === 0 ? undefined : shown
  }

function cutJson(given: Json, lengths: Lengths, outside: boolean): Json {
  if (typeof given === 'string') return cutText(outside ? visible(given) : given, lengths.text)
  if (Array.isArray(given)) return given.slice(0, lengths.items).map(entry => cutJson(entry, lengths, outside))
  if (given === null || typeof given !== 'object') return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      outside ? cutText(visible(name), lengths.text) : name,
      cutJson(value, lengths, outside),
    ]),
  )
}

function cutText(text: string, most: number): string {
  const length = charactersIn(text)
  if (length <= most) return text
  return `${[...text.slice(0, most * 2)].slice(0, most).join('')}… [${length - most} more characters]`
}

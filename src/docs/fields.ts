import { PREFIXES } from '../contract/handles.ts'
import { type Field, type Fields, type JsonSchema, type Shape, verbatimSchema } from '../kernel/http/shape.ts'
import { inputDescription } from '../kernel/record/write.ts'
import { type Html, html, prose } from '../pages/html.ts'
import { NOTES } from './field-notes.ts'

/** A field of a request or a response, as the reference shows it. */
export interface FieldDoc {
  name: string
  type: string
  description: string
  /** limits in words: `1 to 200 characters` */
  limits: string[]
  values: readonly string[]
  marks: Mark[]
  children: FieldDoc[]
}

type Mark = { kind: 'required' | 'optional' | 'metered' } | { kind: 'scope'; scope: string } | { kind: 'never' }

type Schema = JsonSchema & {
  type?: string | string[]
  enum?: string[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  description?: string
}

/** `null` and one other alternative become `<type> or null`. */
function unwrap(schema: Schema): { schema: Schema; nullable: boolean } {
  const branches = schema.anyOf ?? []
  const [inner, ...others] = branches.filter(branch => branch.type !== 'null')
  if (inner && others.length === 0) {
    const nullable = branches.length > 1
    return { schema: { ...inner, description: inner.description ?? schema.description } as Schema, nullable }
  }
  if (Array.isArray(schema.type)) {
    const [type, ...others] = schema.type.filter(type => type !== 'null')
    if (type !== undefined) return { schema: { ...schema, type }, nullable: others.length + 1 < schema.type.length }
  }
  return { schema, nullable: false }
}

function typeName(given: Schema): string {
  const { schema } = unwrap(given)
  if (schema.const !== undefined) return typeof schema.const
  if (schema.anyOf) return schema.anyOf.map(typeName).join(' or ')
  if (typeof schema['$ref'] === 'string') return schema['$ref'].split('/').at(-1) ?? ''
  if (schema.type === 'array') return `array of ${plural(schema.items ? typeName(schema.items) : 'value')}`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') return 'map'
  const kind = handleKind(schema)
  if (kind) return `${kind} handle`
  if (schema['format'] === 'date-time') return 'timestamp'
  if (schema['format'] === 'uuid') return 'UUID'
  if (schema['format'] === 'uri') return 'URL'
  return typeof schema.type === 'string' ? schema.type : schema.enum ? 'string' : 'any'
}

/** A parameter that takes a handle is declared by its prefix. */
const handleKind = (schema: Schema): string | undefined =>
  Object.entries(PREFIXES)
    .find(([, prefix]) => schema['pattern'] === `^${prefix}`)?.[0]
    .replaceAll('_', ' ')

const plural = (word: string) => (word.includes(' ') || word.endsWith('s') ? word : `${word}s`)

const PATTERNS: Readonly<Record<string, string>> = {
  '\\S': 'not blank',
  '^https://': 'starts with https://',
  '^[A-Za-z]{3}$': 'three letters',
}

function limitsOf(given: Schema): string[] {
  const { schema } = unwrap(given)
  const n = (key: string) => (typeof schema[key] === 'number' ? (schema[key] as number) : undefined)
  const span = (low: number | undefined, high: number | undefined, unit: string) => {
    const [from, to] = [low?.toLocaleString('en-US'), high?.toLocaleString('en-US')]
    if (high !== undefined && high >= Number.MAX_SAFE_INTEGER)
      return low === undefined ? [] : [`at least ${from}${unit}`]
    if (from !== undefined && to !== undefined) return [`${from} to ${to}${unit}`]
    return to !== undefined ? [`at most ${to}${unit}`] : from !== undefined ? [`at least ${from}${unit}`] : []
  }
  const pattern = typeof schema['pattern'] === 'string' ? schema['pattern'] : undefined
  return [
    ...span(n('minLength'), n('maxLength'), ' characters'),
    ...span(n('minimum'), n('maximum'), ''),
    ...span(n('minItems'), n('maxItems'), ' items'),
    ...(pattern && !handleKind(schema) ? [PATTERNS[pattern] ?? `matches ${pattern}`] : []),
    ...(schema['default'] !== undefined ? [`default ${String(schema['default'])}`] : []),
    ...(schema.const !== undefined ? [`always ${JSON.stringify(schema.const)}`] : []),
  ]
}

const valuesOf = (given: Schema): readonly string[] => {
  const { schema } = unwrap(given)
  return schema.enum ?? schema.items?.enum ?? []
}

const noteOf = (name: string) => NOTES[name] ?? ''

/** A JSON schema, such as the body of a request. */
export function describeSchema(root: JsonSchema): FieldDoc[] {
  const { schema } = unwrap(root as Schema)
  const inner = schema.type === 'array' && schema.items ? unwrap(schema.items).schema : schema
  return Object.entries(inner.properties ?? {}).map(([name, field]) => {
    const { schema: own, nullable } = unwrap(field)
    return {
      name,
      type: typeName(own) + (nullable ? ' or null' : ''),
      description: inputDescription(field) ?? own.description ?? noteOf(name),
      limits: limitsOf(own),
      values: valuesOf(own),
      marks: inner.required?.includes(name) ? [{ kind: 'required' }] : [],
      children: describeSchema(own),
    }
  })
}

/** The fields of a returned object, with the scopes they need. */
export function describeShape(shape: Shape): FieldDoc[] {
  const verbatim = verbatimSchema(shape)
  if (verbatim) return withoutMarks(describeSchema(verbatim))
  const object: FieldDoc = {
    name: 'object',
    type: 'string',
    description: '',
    limits: [`always "${shape.name}"`],
    values: [],
    marks: [],
    children: [],
  }
  return [object, ...describeFields(shape.fields)]
}

export const describeFields = (fields: Fields): FieldDoc[] =>
  Object.entries(fields).map(([name, field]) => describeField(name, field))

function describeField(name: string, field: Field): FieldDoc {
  const { schema, nullable } = unwrap(field.schema as Schema)
  const never = field.guard && 'never' in field.guard
  const description = schema.description && !/^\w+ handle$/.test(schema.description) ? schema.description : ''
  return {
    name,
    type: never ? 'never returned' : fieldType(field) + (field.nullable || nullable ? ' or null' : ''),
    description: description || (field.description ?? noteOf(name)),
    limits: limitsOf(schema),
    values: valuesOf(itemSchema(field)),
    marks: [
      ...(field.optional ? [{ kind: 'optional' } as const] : []),
      ...(field.guard && 'scope' in field.guard ? [{ kind: 'scope', scope: field.guard.scope } as const] : []),
      ...(never ? [{ kind: 'never' } as const] : []),
      ...(field.meter ? [{ kind: 'metered' } as const] : []),
    ],
    children: childrenOf(field),
  }
}

const itemSchema = (field: Field): Schema =>
  (field.parts && 'item' in field.parts ? itemSchema(field.parts.item) : field.schema) as Schema

function fieldType(field: Field): string {
  const { parts, schema } = field
  if (parts && 'item' in parts) return `array of ${plural(fieldType(parts.item))}`
  if (parts && 'shape' in parts) return parts.shape.component
  const described = (schema as Schema).description
  if (described && /^\w+ handle$/.test(described)) return described.replaceAll('_', ' ')
  return typeName(schema as Schema)
}

function childrenOf(field: Field): FieldDoc[] {
  const { parts } = field
  if (!parts) return field.links ? [] : withoutMarks(describeSchema(field.schema))
  if ('fields' in parts) return describeFields(parts.fields)
  if ('item' in parts) return childrenOf(parts.item)
  return describeShape(parts.shape)
}

/** `required` applies to requests only. */
const withoutMarks = (rows: FieldDoc[]): FieldDoc[] =>
  rows.map(row => ({ ...row, marks: [], children: withoutMarks(row.children) }))

/** A nested list of fields. Each can be linked to: `<id>.<name>`; but not `object`, which some shapes have twice. */
export const fieldList = (rows: readonly FieldDoc[], id: string): Html =>
  html`<ul class="fields">${rows.map(row => fieldRow(row, `${id}.${row.name}`))}</ul>`

const fieldRow = (row: FieldDoc, id: string): Html => html`<li${row.name !== 'object' && html` id="${id}"`}>
<div class="field-head"><code class="field-name">${row.name}</code> <span class="field-type">${row.type}</span>${row.marks.map(markTag)}</div>
${(row.description !== '' || row.limits.length > 0 || row.values.length > 0) && html`<div class="field-about">${sentenceOf(row)}${valueList(row.values)}</div>`}
${row.children.length > 0 && fieldList(row.children, id)}
</li>`

function sentenceOf({ description, limits }: FieldDoc): Html {
  const limit = limits.length > 0 ? `${capital(limits.join(', '))}.` : ''
  const dot = description === '' || /[.!?]$/.test(description) ? '' : '.'
  return prose([description === '' ? '' : capital(description) + dot, limit].filter(Boolean).join(' '))
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const MANY_VALUES = 16

const valueList = (values: readonly string[]): Html | false =>
  values.length > 0 &&
  values.length <= MANY_VALUES &&
  html`<span class="values">${values.map(value => html` <code>${value}</code>`)}</span>`

function markTag(mark: Mark): Html {
  switch (mark.kind) {
    case 'required':
      return html` <span class="tag accent">required</span>`
    case 'optional':
      return html` <span class="tag">omitted if empty</span>`
    case 'scope':
      return html` <a class="tag warn" href="/docs/scopes#${mark.scope}">needs ${mark.scope}</a>`
    case 'never':
      return html` <a class="tag bad" href="/docs/never-exposed">never exposed</a>`
    case 'metered':
      return html` <a class="tag info" href="/docs/guides/personal-data">1 unit per value</a>`
  }
}

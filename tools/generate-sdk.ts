/**
 * Writes the types and methods of packages/sdk from the OpenAPI description: an interface for each named schema, one for
 * the query of each operation, and a class for each resource with one method for each operation.
 */
interface Schema {
  $ref?: string
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  description?: string
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

interface OpenapiOperation {
  operationId: string
  tags: readonly string[]
  summary: string
  parameters?: readonly (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Readonly<Record<string, { schema: Schema }>> }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: Schema }>> }>>
}

export interface OpenapiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, OpenapiOperation>>>>
  components: { schemas: Readonly<Record<string, Schema>>; parameters?: Readonly<Record<string, Parameter>> }
}

export interface SdkOperation {
  id: string
  verb: 'get' | 'post'
  path: string
  namespace: string
  method: string
  pathParams: readonly Parameter[]
  query: readonly Parameter[]
  body: { schema: Schema; required: boolean } | undefined
  response: Schema | 'binary'
  summary: string
}

/** Written by hand in the package, because a log needs more than a list. */
const BY_HAND = new Set(['listEvents'])
/** Sent for every call by an option. */
const WORKSPACE = 'workspace_id'

/** Paths whose first segment is not the resource. */
const NAMESPACES: Readonly<Record<string, string>> = {
  '/webhooks/endpoints': 'webhookEndpoints',
  '/webhooks/deliveries': 'webhookDeliveries',
}
const METHODS: Readonly<Record<string, string>> = {
  resolvePeople: 'resolveBatch',
  rotateWebhookSecret: 'rotateSecret',
  redeliverWebhook: 'redeliver',
}
/** Nouns of a namespace in operation ids, where they are not its name. */
const NOUNS: Readonly<Record<string, readonly string[]>> = {
  lists: ['CandidateList', 'CandidateLists'],
  people: ['Person'],
  pool: ['Pool'],
  webhookDeliveries: ['WebhookDelivery', 'WebhookDeliveries'],
}

const pascal = (name: string): string =>
  name.replace(/(^|[_-])([a-zA-Z])/g, (_, __, letter: string) => letter.toUpperCase())
const camel = (name: string): string => pascal(name).replace(/^./, letter => letter.toLowerCase())
const singular = (name: string): string => name.replace(/s$/, '')

function namespaceOf(path: string, tags: readonly string[]): string {
  const named = Object.entries(NAMESPACES).find(([prefix]) => path === prefix || path.startsWith(`${prefix}/`))
  if (named) return named[1]
  return tags.includes('Meta') ? 'meta' : camel(path.split('/')[1]!)
}

/** `listJobs` of `jobs` is `list`, `getJobSections` is `getSections`. */
function methodOf(id: string, namespace: string): string {
  const named = METHODS[id]
  if (named) return named
  const nouns = NOUNS[namespace] ?? [singular(pascal(namespace)), pascal(namespace)]
  const pattern = new RegExp(`(?<=[a-z])(?:${[...nouns].sort((a, b) => b.length - a.length).join('|')})(?=[A-Z]|$)`)
  return id.replace(pattern, '')
}

const jsonSchema = (content: Readonly<Record<string, { schema: Schema }>> | undefined): Schema | undefined =>
  content?.['application/json']?.schema

/** Every operation with the name that the package gives it. */
export function sdkOperations({ paths, components }: OpenapiDocument): SdkOperation[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([verb, operation]): SdkOperation => {
      const { operationId: id, tags, summary, requestBody, responses } = operation
      const parameters = (operation.parameters ?? []).map(one =>
        '$ref' in one ? components.parameters![keyOf(one.$ref)]! : one,
      )
      if (verb !== 'get' && verb !== 'post') throw new Error(`${verb} ${path}: the package has no such calls`)
      const namespace = namespaceOf(path, tags)
      const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
      const schema = jsonSchema(requestBody?.content)
      return {
        id,
        verb,
        path,
        namespace,
        method: methodOf(id, namespace),
        pathParams: parameters.filter(one => one.in === 'path'),
        query: parameters.filter(one => one.in === 'query' && one.name !== WORKSPACE),
        body: schema && { schema, required: requestBody?.required ?? false },
        response: jsonSchema(success?.content) ?? 'binary',
        summary,
      }
    }),
  )
  const names = new Map<string, string>()
  for (const { namespace, method, id } of operations) {
    const name = `${namespace}.${method}`
    if (names.has(name)) throw new Error(`${id} and ${names.get(name)} would both be ${name}`)
    names.set(name, id)
  }
  return operations
}

const keyOf = ($ref: string): string => $ref.split('/').at(-1)!
/**
 * `job_status` has its values in `known_job_status` and `event` its kinds in `declared_event`, so that others can come: the
 * package names the known ones.
 */
const KNOWN = /^(?:known|declared)_/
const nameOf = ($ref: string): string => pascal(keyOf($ref).replace(KNOWN, ''))
/** Whether values that the description does not name can come. */
const isOpen = (name: string, schemas: Schemas): boolean => `known_${name}` in schemas || `declared_${name}` in schemas

/** Names of schemas that requests use. */
function requestNames(operations: readonly SdkOperation[], schemas: OpenapiDocument['components']['schemas']) {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, inner] of Object.entries(value)) {
      if (name !== '$ref') visit(inner)
      else if (typeof inner === 'string') {
        const key = keyOf(inner)
        if (found.has(key)) continue
        found.add(key)
        visit(schemas[key])
      }
    }
  }
  for (const { body } of operations) visit(body?.schema)
  return found
}

type Schemas = OpenapiDocument['components']['schemas']

interface Context {
  schemas: Schemas
  /** In a request, a field that may be left out may also be undefined. */
  isRequest: boolean
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : JSON.stringify(value)
const isTextEnum = ({ type, enum: values }: Schema): boolean =>
  values !== undefined && (type === undefined || type === 'string')

function typeOf(schema: Schema, context: Context): string {
  if (schema.$ref) {
    const name = keyOf(schema.$ref)
    const isText = isTextEnum(context.schemas[`known_${name}`] ?? {})
    return isOpen(name, context.schemas) && isText ? `Open<${nameOf(schema.$ref)}>` : nameOf(schema.$ref)
  }
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  const union = schema.anyOf ?? schema.oneOf
  if (union) return unionOf(union.map(one => typeOf(one, context)))
  if (schema.allOf) return schema.allOf.map(one => typeOf(one, context)).join(' & ')
  if (Array.isArray(schema.type)) {
    return unionOf((schema.type as string[]).map(type => typeOf({ ...schema, type }, context)))
  }
  switch (schema.type) {
    case 'string':
      return 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'null':
      return 'null'
    case 'array': {
      const items = schema.items ? typeOf(schema.items, context) : 'unknown'
      return /[ {]/.test(items) && !items.startsWith('Open<') ? `(${items})[]` : `${items}[]`
    }
    default:
      return objectOf(schema, context)
  }
}

/** A text next to names of texts would hide them. */
function unionOf(parts: readonly string[]): string {
  const distinct = [...new Set(parts)]
  const hasNames = distinct.some(part => part.startsWith("'"))
  return distinct.map(part => (part === 'string' && hasNames ? '(string & {})' : part)).join(' | ')
}

function objectOf(schema: Schema, context: Context): string {
  const { properties = {}, required = [], additionalProperties: rest } = schema
  const fields = Object.entries(properties)
  if (fields.length === 0) return `Record<string, ${typeof rest === 'object' ? typeOf(rest, context) : 'unknown'}>`
  const lines = fields.map(([name, field]) => {
    const isRequired = required.includes(name)
    const key = /^[a-zA-Z_]\w*$/.test(name) ? name : literal(name)
    const type = typeOf(field, context)
    // a caller may write `department: maybe` where that is undefined
    return `${comment(field.description)}${key}${isRequired ? '' : '?'}: ${type}${isRequired || !context.isRequest ? '' : ' | undefined'}`
  })
  if (rest === true) lines.push('[name: string]: unknown')
  return `{\n${indent(lines.join('\n'))}\n}`
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')

function comment(text: string | undefined): string {
  if (!text) return ''
  const safe = text.replaceAll('*/', '* /')
  return safe.includes('\n') ? `/**\n${safe.replace(/^/gm, ' * ')}\n */\n` : `/** ${safe} */\n`
}

function declaration(name: string, schema: Schema, context: Context): string {
  const type = typeOf(schema, context)
  const head = comment(schema.description)
  return type.startsWith('{') ? `${head}export interface ${name} ${type}` : `${head}export type ${name} = ${type}`
}

const queryName = ({ id }: SdkOperation): string => `${pascal(id)}Query`

function queryDeclaration(operation: SdkOperation, context: Context): string {
  const lines = operation.query.map(
    ({ name, required, description, schema }) =>
      `${comment(description)}${name}${required ? '' : '?'}: ${queryType(schema, context)}${required ? '' : ' | undefined'}`,
  )
  return `export interface ${queryName(operation)} {\n${indent(lines.join('\n'))}\n}`
}

/** A comma list is written as an array, or as one value. */
const queryType = (schema: Schema, context: Context): string =>
  schema.type === 'array' && schema.items
    ? `${typeOf(schema.items, context)} | readonly ${typeOf({ type: 'array', items: schema.items }, context)}`
    : typeOf(schema, context)

/** The row of a page, if the schema is one. */
function rowOf(schema: Schema, { schemas }: Context): { row: Schema; isLog: boolean } | undefined {
  const { properties } = schemas[keyOf(schema.$ref ?? '')] ?? schema
  const row = properties?.['data']?.items
  return row && properties['next_cursor'] ? { row, isLog: 'next_after' in properties } : undefined
}

function methodText(operation: SdkOperation, context: Context): string {
  const { verb, path, method, pathParams, query, body, response, summary } = operation
  const names = new Map(pathParams.map(({ name }) => [name, camel(name.replace(/_handle$/, '_id'))]))
  const target =
    pathParams.length === 0
      ? `'${path}'`
      : `path('${path}', ${[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => names.get(name!)).join(', ')})`
  const request = { ...context, isRequest: true }
  const params = pathParams.map(({ name, schema }) => `${names.get(name)}: ${typeOf(schema, request)}`)
  const page = response === 'binary' || verb === 'post' ? undefined : rowOf(response, context)
  const args = [target]
  if (body) {
    params.push(`body: ${typeOf(body.schema, request)}${body.required ? '' : ' = {}'}`)
    args.push('body')
  } else if (verb === 'post') args.push('undefined')
  else if (query.length > 0) {
    const isRequired = query.some(({ required }) => required)
    params.push(`query: ${queryName(operation)}${isRequired ? '' : ' = {}'}`)
    args.push('query')
  } else args.push('{}')
  params.push('options: RequestOptions = {}')
  args.push('options')
  const result = response === 'binary' ? 'Blob' : typeOf(response, context)
  const [call, type] =
    response === 'binary'
      ? ['download', `ApiPromise<${result}>`]
      : page
        ? [page.isLog ? 'log' : 'list', `PagePromise<${typeOf(page.row, context)}, ${result}>`]
        : [verb, `ApiPromise<${result}>`]
  return `${comment(`${summary}.`)}${method}(${params.join(', ')}): ${type} {\n  return this.core.${call}(${args.join(', ')})\n}`
}

/** An operation as types alone, for callers with another transport: the service's own pages. */
function operationType(operation: SdkOperation, context: Context): string {
  const { id, verb, path, query, body, response } = operation
  const names = query.map(({ name }) => `'${name}'`).join(' | ') || 'never'
  const sent = body
    ? typeOf(body.schema, { ...context, isRequest: true }) + (body.required ? '' : ' | undefined')
    : 'undefined'
  const got = response === 'binary' ? 'Blob' : typeOf(response, context)
  return `${id}: { method: '${verb.toUpperCase()}'; path: '${path}'; query: ${names}; body: ${sent}; response: ${got} }`
}

export function sdkSource(document: OpenapiDocument): string {
  const { schemas } = document.components
  const operations = sdkOperations(document)
  const forRequests = requestNames(operations, schemas)
  const context: Context = { schemas, isRequest: false }
  const request: Context = { schemas, isRequest: true }
  const types = Object.entries(schemas)
    .filter(([name]) => !isOpen(name, schemas) && !name.startsWith('other_'))
    .map(([name, schema]) =>
      declaration(pascal(name.replace(KNOWN, '')), schema, forRequests.has(name) ? request : context),
    )
  const queries = operations
    .filter(({ query, id }) => query.length > 0 && !BY_HAND.has(id))
    .map(one => queryDeclaration(one, request))
  const namespaces = [...new Set(operations.map(({ namespace }) => namespace))]
  const classes = namespaces.map(namespace => {
    const methods = operations.filter(one => one.namespace === namespace && !BY_HAND.has(one.id))
    return `export class ${pascal(namespace)} extends Resource {\n${indent(methods.map(one => methodText(one, context)).join('\n\n'))}\n}`
  })
  const fields = namespaces.map(
    namespace => `readonly ${namespace}: ${pascal(namespace)} = new ${pascal(namespace)}(this)`,
  )
  return [
    '// Generated from openapi.json by `npm run generate`. Do not edit.',
    `import { Core, type Open, type RequestOptions, Resource } from './core.ts'\nimport type { PagePromise } from './page.ts'\nimport { path } from './path.ts'\nimport type { ApiPromise } from './response.ts'`,
    ...types,
    ...queries,
    ...classes,
    `/** Where each operation is, and what it takes and returns. */\nexport interface Operations {\n${indent(operations.map(one => operationType(one, context)).join('\n'))}\n}`,
    `/** Every endpoint, by resource. */\nexport class Endpoints extends Core {\n${indent(fields.join('\n'))}\n}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

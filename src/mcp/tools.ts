import { PREFIXES } from '../contract/handles.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { shapeWithRecords } from '../kernel/http/include.ts'
import { COMMA_SEPARATED } from '../kernel/http/params.ts'
import { declaredQuery, isOpenTo, isPaged, type Route } from '../kernel/http/route.ts'
import type { JsonSchema } from '../kernel/http/shape.ts'
import type { PresetTool, ToolRow } from '../kernel/http/tool.ts'
import { ALONE, IN_LIST, type Json, type Lengths, resultShape } from './result-shape.ts'

/** Rows of a page unless the model says otherwise: a page of previews is about 1,500 tokens. */
const PAGE_ROWS = 10

/** More than any tool has. A call with more is refused before its arguments are looked at. */
export const MAX_ARGUMENTS = 100

/** What a client is shown of a tool. */
export interface ToolDescription {
  name: string
  title: string
  description: string
  inputSchema: { type: 'object' } & JsonSchema
  outputSchema: { type: 'object' } & JsonSchema
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    /** Only a write has it; a read can always be repeated. */
    idempotentHint?: boolean
    openWorldHint: boolean
  }
}

/** The arguments of a call, assigned to the parts of a request. */
export interface ToolRequest {
  params: Record<string, string>
  query: URLSearchParams
  body: Record<string, unknown> | undefined
  idempotencyKey: string | undefined
}

export interface Tool {
  name: string
  route: Route
  /** what its record has, as JSON: the same text for every tool that returns the same fields */
  fields: string
  /**
   * `severalWorkspaces`: the key must name one with each call. `like`: another tool of the list, which describes the same
   * fields; they are a third of the list otherwise.
   */
  describe: (severalWorkspaces: boolean, like?: string) => ToolDescription
  request: (given: Readonly<Record<string, unknown>>) => ToolRequest
  /** what a refused call says about arguments that are missing or that the tool does not have; undefined: none */
  argumentFaults: (given: Readonly<Record<string, unknown>>) => string | undefined
  /** the body of a successful response in the form of `outputSchema` */
  result: (body: Json) => { [key: string]: Json }
}

/**
 * The endpoint is the tool: its declaration gives the name, the arguments and the result, and a call runs through the
 * same pipeline. Clients show the tools in this order.
 */
export const buildTools = (routes: readonly Route[]): readonly Tool[] =>
  routes.flatMap(route => {
    const { tool } = route
    if ('leftOut' in tool) return []
    const { include: _, ...query } = route.query
    const declared = { ...route, query }
    const own = toTool({ name: toolName(route), route: declared, declared, row: tool })
    return [own, ...(tool.presets ?? []).map(preset => toTool(presetTool(route, tool, preset)))]
  })

/** What a tool is made of. */
interface ToolSource {
  name: string
  /** what is called */
  route: Route
  /** the same with the parameters that a model is offered */
  declared: Route
  row: ToolRow
  fixed?: PresetTool['fixed']
  omit?: readonly string[]
}

const presetTool = (route: Route, row: ToolRow, { name, fixed, omit, ...declared }: PresetTool): ToolSource => ({
  name,
  // the limits of its own parameters are checked, not those of the endpoint
  route: { ...route, query: { ...route.query, ...declared.query } },
  declared: { ...route, ...declared },
  row,
  fixed,
  omit,
})

/** `moveApplication` is the tool `move_application`. */
const toolName = ({ operationId }: Route): string => operationId.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** The tools that a client asked for: a smaller list costs a model less, and one without writes changes nothing. */
export interface ToolSelection {
  /** names as in `toolGroups`; undefined: all */
  groups: readonly string[] | undefined
  readOnly: boolean
}

const groupName = ({ route }: Tool): string => route.group.toLowerCase().replaceAll(' ', '-')

/** The groups of the API reference, as names: `jobs`, `shared-pool`. */
export const toolGroups = (tools: readonly Tool[]): string[] => [...new Set(tools.map(groupName))].sort()

export function selectTools(tools: readonly Tool[], { groups, readOnly }: ToolSelection): readonly Tool[] {
  const known = toolGroups(tools)
  const unknown = groups?.filter(group => !known.includes(group)) ?? []
  if (unknown.length > 0) throw new UserError(`unknown group ${unknown.join(', ')}; there are ${known.join(', ')}`)
  return tools.filter(tool => (!groups || groups.includes(groupName(tool))) && !(readOnly && tool.route.write))
}

/** Shorter ones are repeated: naming the other tool would be as long. */
const SHORT_FIELDS = 150

/** What decides about the tools of a credential: a `Caller`, or what GET /me says about it. */
export interface ToolReach {
  scopes: ReadonlySet<string>
  /** null: cannot write */
  userId: string | null
  severalWorkspaces: boolean
}

/**
 * The tools whose calls can succeed with this credential. The pipeline decides about each call; this only keeps useless
 * tools out of the list. Scopes of keys alone are never those of a sign-in token.
 */
export function describeUsable(tools: readonly Tool[], reach: ToolReach): ToolDescription[] {
  const usable = tools.filter(({ route: { access, write } }) => {
    if (write && reach.userId === null) return false
    return isOpenTo(access, reach.scopes)
  })
  const first = new Map<string, string>()
  return usable.map(({ name, fields, describe }) =>
    describe(
      reach.severalWorkspaces,
      fields.length < SHORT_FIELDS ? undefined : getOrCreate(first, fields, () => name),
    ),
  )
}

function toTool({ name, route, declared, row, fixed = {}, omit: omitted = [] }: ToolSource): Tool {
  const { output, include = {} } = route
  if (!('shape' in output)) throw new Error(`${name}: ${route.path} returns no record`)
  // every row has the workspace of the call
  const omit = [...omitted, ...(row.omit ?? []), ...(route.workspace === 'one' ? ['workspace_id'] : [])]
  const related = fixed['include']?.split(',') ?? []
  const record = resultShape(shapeWithRecords(output.shape, include, related, omit), omit)
  const isList = output.kind !== 'one'
  const envelope = output.kind === 'log' ? Object.keys(output.envelopeFields) : []
  const outputSchema = (fields: JsonSchema): ToolDescription['outputSchema'] =>
    isList
      ? {
          type: 'object',
          properties: {
            items: { type: 'array', items: fields },
            has_more: { type: 'boolean' },
            next_cursor: { type: 'string' },
            ...Object.fromEntries(envelope.map(field => [field, {}])),
          },
          required: ['items', 'has_more'],
        }
      : { ...fields, type: 'object' }
  const describe = (several: boolean) => ({
    name,
    title: titleOf(name),
    description: descriptionOf(declared, row),
    inputSchema: inputSchema(declared, several),
    outputSchema: outputSchema(record.schema),
    annotations: annotations(route, row),
  })
  const [ofOne, ofSeveral] = [describe(false), describe(true)]
  return {
    name,
    route,
    fields: JSON.stringify(record.schema),
    describe: (several, like = name) => {
      const own = several ? ofSeveral : ofOne
      if (like === name) return own
      return { ...own, outputSchema: outputSchema({ type: 'object', description: `Fields as in ${like}.` }) }
    },
    request: given => toRequest(declared, withUsualArguments(row, given), fixed),
    argumentFaults: given => argumentFaults(ofSeveral, withDeclaredNames(declared, given)),
    result: isList
      ? body => listResult(body as unknown as ListBody, record, row.whole ? ALONE : IN_LIST, envelope)
      : body => record.value(body, ALONE),
  }
}

const titleOf = (name: string): string => {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const descriptionOf = ({ summary, description, metered }: Route, { note }: ToolRow): string =>
  [
    `${summary}.`,
    description ?? '',
    metered ? 'Each personal value in the result costs one unit of the daily budget.' : '',
    note ?? '',
  ]
    .filter(Boolean)
    .join(' ')

function annotations(route: Route, { effect, openWorld }: ToolRow): ToolDescription['annotations'] {
  if (route.write !== (effect !== undefined)) throw new Error(`${route.path}: a write has an effect, a read has none`)
  return {
    readOnlyHint: !route.write,
    destructiveHint: effect === 'overwrites',
    ...(effect ? { idempotentHint: effect !== 'creates' } : {}),
    openWorldHint: openWorld ?? false,
  }
}

const IDEMPOTENCY_KEY = {
  type: 'string',
  description: 'A new value for each action. A repeat with the same value is not executed again.',
  pattern: '^[A-Za-z0-9._:~-]{8,255}$',
} as const

const CURSOR = { type: 'string', description: '`next_cursor` of the previous page.' } as const

/** How long a text of a query may be helps no model: the endpoint refuses a longer one. */
function withoutLengths({ minLength: _, maxLength: __, items, ...schema }: JsonSchema): JsonSchema {
  return items === undefined ? schema : { ...schema, items: withoutLengths(items as JsonSchema) }
}

function inputSchema(route: Route, severalWorkspaces: boolean): ToolDescription['inputSchema'] {
  const properties: Record<string, JsonSchema> = {}
  const required: string[] = []
  for (const [name, kind] of Object.entries(route.params)) {
    properties[name] =
      kind === 'uuid'
        ? { type: 'string', format: 'uuid' }
        : kind === 'text'
          ? { type: 'string' }
          : typeof kind !== 'string'
            ? { type: 'string', enum: kind }
            : { type: 'string', description: `${kind.replaceAll('_', ' ')} handle, ${PREFIXES[kind]}…` }
    required.push(name)
  }
  for (const [name, param] of Object.entries(declaredQuery(route))) {
    const named = name === 'workspace_id'
    if (named && !severalWorkspaces) continue
    const description = param.description.replace(COMMA_SEPARATED, '')
    properties[name] = name === 'cursor' ? CURSOR : { ...withoutLengths(param.schema), description }
    if (name === 'limit' && isPaged(route.output)) properties[name] = { ...properties[name], default: PAGE_ROWS }
    if (param.required || (named && route.workspace === 'one')) required.push(name)
  }
  const body = route.body as { properties?: Record<string, JsonSchema>; required?: string[] } | undefined
  for (const [name, schema] of Object.entries(body?.properties ?? {})) {
    if (properties[name]) throw new Error(`${route.path}: ${name} is in the body and in the URL`)
    properties[name] = name === 'limit' ? { ...schema, default: PAGE_ROWS } : schema
  }
  if (!route.bodyOptional) required.push(...(body?.required ?? []))
  if (route.idempotency !== 'none') properties['idempotency_key'] = IDEMPOTENCY_KEY
  if (route.idempotency === 'required') required.push('idempotency_key')
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  }
}

/** `job_handle` for `job_id`, and the other way round; undefined where a name has neither ending. */
function otherName(name: string): string | undefined {
  const [, stem, ending] = /^(.+)_(id|handle)$/.exec(name) ?? []
  return stem && `${stem}_${ending === 'id' ? 'handle' : 'id'}`
}

const takes = (route: Route, name: string): boolean =>
  Object.hasOwn(route.params, name) ||
  Object.hasOwn(declaredQuery(route), name) ||
  Object.hasOwn((route.body as { properties?: object } | undefined)?.properties ?? {}, name)

/**
 * A path has `job_handle` where a filter and a result have `job_id`. Models mix them up, and only one can be meant: the
 * name that the endpoint has is used for the other, unless both were given.
 */
function withDeclaredNames(route: Route, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.entries(given).map(([name, value]) => {
    const other = takes(route, name) ? undefined : otherName(name)
    const meant = other !== undefined && takes(route, other) && !Object.hasOwn(given, other) ? other : name
    return [meant, value] as const
  })
  return Object.fromEntries(names)
}

/** The endpoint speaks of its path, query and body; a model knows arguments. */
function argumentFaults({ name, inputSchema }: ToolDescription, given: Record<string, unknown>): string | undefined {
  const { properties, required = [] } = inputSchema as unknown as { properties: object; required?: string[] }
  const known = Object.keys(properties)
  const missing = required.filter(argument => argument !== 'workspace_id' && given[argument] === undefined)
  const isUnknown = Object.keys(given).some(argument => !known.includes(argument))
  if (missing.length === 0 && !isUnknown) return undefined
  const needs = missing.length > 0 ? `${name} needs ${missing.join(', ')}. ` : ''
  return `${needs}Arguments of ${name}: ${known.join(', ')}.`
}

/** What a model usually means with an argument, where it does not say otherwise. */
const withUsualArguments = ({ usual }: ToolRow, given: Readonly<Record<string, unknown>>) =>
  usual && given[usual.with] != null && given[usual.without] == null ? { ...usual.add, ...given } : given

/**
 * Arguments are not checked here: what the endpoint does not take is refused by the endpoint, with its own error. A name
 * that belongs to no other part goes into the body, or into the query where there is no body.
 */
function toRequest(
  route: Route,
  given: Readonly<Record<string, unknown>>,
  fixed: Readonly<Record<string, string>>,
): ToolRequest {
  const params: Record<string, string> = {}
  const query = new URLSearchParams()
  const body: Record<string, unknown> = {}
  let idempotencyKey: string | undefined
  const inQuery = declaredQuery(route)
  for (const [name, value] of Object.entries(withDeclaredNames(route, given))) {
    if (value === undefined) continue
    if (Object.hasOwn(route.params, name)) params[name] = asText(value)
    else if (name === 'idempotency_key' && route.idempotency !== 'none') idempotencyKey = asText(value)
    else if (route.body && !Object.hasOwn(inQuery, name)) body[name] = value
    // in a query, an argument that is not given is left out
    // names are unique: `set` would search all before
    else if (value !== null) query.append(name, asText(value))
  }
  // one that a model gives, too, is refused as given twice
  for (const [name, value] of Object.entries(fixed)) query.append(name, value)
  if (isPaged(route.output) && !query.has('limit')) query.set('limit', String(PAGE_ROWS))
  if (hasLimit(route)) body['limit'] ??= PAGE_ROWS
  return { params, query, body: route.body ? body : undefined, idempotencyKey }
}

/** A search takes its limit in the body. */
const hasLimit = ({ body }: Route): boolean =>
  Object.hasOwn((body as { properties?: object } | undefined)?.properties ?? {}, 'limit')

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null

/**
 * Lists of a query are separated with commas. No parameter takes anything nested. Half of a surrogate pair, which no URL
 * can have, becomes a replacement character.
 */
const asText = (value: unknown): string => {
  if (Array.isArray(value) && value.every(isScalar)) return value.map(String).join(',').toWellFormed()
  return isScalar(value) ? String(value).toWellFormed() : JSON.stringify(value)
}

interface ListBody {
  data: Json[]
  has_more: boolean
  next_cursor: string | null
  [envelopeField: string]: Json
}

/** Fields that the key cannot read are named once, not with each row. */
function listResult(
  body: ListBody,
  record: ReturnType<typeof resultShape>,
  lengths: Lengths,
  envelope: readonly string[],
): { [key: string]: Json } {
  const rows = body.data.map(row => record.value(row, lengths))
  const restricted = [...new Set(rows.flatMap(row => (row['restricted'] as string[] | undefined) ?? []))]
  return {
    items: rows.map(({ restricted: _, ...row }) => row),
    has_more: body.has_more,
    ...(body.next_cursor === null ? {} : { next_cursor: body.next_cursor }),
    ...Object.fromEntries(envelope.map(field => [field, body[field] ?? null])),
    ...(restricted.length > 0 ? { restricted } : {}),
  }
}

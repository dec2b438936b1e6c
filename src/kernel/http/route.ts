import type { Readable } from 'node:stream'
import type { ErrorCode } from '../../contract/errors.ts'
import type { HandleKind } from '../../contract/handles.ts'
import type { Tier } from '../../contract/plans.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { PersonalRead } from '../access/budget.ts'
import type { Caller } from '../access/caller.ts'
import type { LimitedRule, NeededRight, ReachWords } from '../access/reach.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Queryable, Transaction } from '../db/database.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Static, TSchema } from '../schema/types.ts'
import type { Services } from '../services/services.ts'
import type { InputFault } from './faults.ts'
import { includeParam, type Relations, refuseMetered } from './include.ts'
import { type Order, PAGING, type Page, pagingParams, type Sorts, sortFaults } from './list.ts'
import { handleParam, type Param, type Params, type QueryOf } from './params.ts'
import { type Fields, meteredPaths, type RowOf, type Shape } from './shape.ts'
import type { LeftOut, ReadTool, ToolRow, WriteTool } from './tool.ts'

/** Besides an endpoint's own parameters, every call with a credential may name its workspace. */
const WORKSPACE_PARAM = {
  workspace_id: handleParam('The workspace. Required for keys with access to several.', 'workspace'),
}

/** Every parameter of the query that an endpoint takes. */
export const declaredQuery = (route: Route): Readonly<Record<string, Param>> =>
  route.access === 'public' ? route.query : getOrCreate(queries, route, () => ({ ...route.query, ...WORKSPACE_PARAM }))

const queries = new WeakMap<Route, Readonly<Record<string, Param>>>()

/**
 * An endpoint is a record, and its policy is in it. The pipeline reads the record; a handler reads and writes rows and
 * knows nothing of scopes, budgets, limits or headers.
 */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** OpenAPI form, without the prefix: `/workspaces/{workspace_handle}` */
  readonly path: string
  /** its name in generated clients: a verb and a noun in camelCase, unique, never changed */
  readonly operationId: string
  /** one line of at most 80 characters */
  readonly summary: string
  readonly description?: string
  readonly group: string
  readonly access: Access
  /** what people may do with it who are limited to jobs; `keys`: no person calls it in our pages */
  readonly limited: LimitedRule | 'keys'
  /** the right that people need in the jobs that it names, in our pages */
  readonly jobRight?: NeededRight
  readonly tool: ToolRow | LeftOut
  readonly tier: Tier
  /** what opens it to the token of an installable app, which has no user and no other write scope */
  readonly appScope?: Scope
  /** further scopes on which it depends what the handler returns: they count as used by callers that have them */
  readonly handlerScopes?: readonly Scope[]
  /** whether it changes something: needs a key that belongs to a user */
  readonly write: boolean
  /** runs in a transaction, as every write does */
  readonly transaction: boolean
  readonly idempotency: 'none' | 'optional' | 'required'
  /** the action stores the record of repeats itself: see `sendOnce` */
  readonly handlesOwnIdempotency?: true
  /** `one`: every call addresses a workspace; `any`: a key that reaches several need not name one */
  readonly workspace: 'one' | 'any'
  /** the placeholders of the path; a list: one of these words */
  readonly params: Readonly<Record<string, HandleKind | 'uuid' | 'text' | readonly string[]>>
  readonly query: Params
  readonly body: TSchema | undefined
  readonly bodyOptional: boolean
  readonly output: Output
  /** what a caller can ask for besides */
  readonly include?: Relations
  readonly errors: readonly ErrorCode[]
  /** values of its responses cost units: read and charged in one transaction, no HEAD */
  readonly metered: boolean
  /** presented as a key without further scopes sees it, whatever the caller holds */
  readonly presentWithoutScopes?: boolean
  // biome-ignore lint/suspicious/noExplicitAny: each route has its own call and result types, checked where it is declared
  readonly rules?: (call: Call<any, any, unknown>) => InputFault[]
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly furtherFaults?: (call: Call<any, any, unknown>) => Promise<InputFault[]>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly prepare?: (call: Call<any, any, any>) => Promise<any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly handler: (call: Call<any, any, any>) => Promise<any>
}

/** A scope, any valid key, or no key at all. `or`: each of these opens it as well; a refusal names `scope`. */
export type Access = { scope: Scope; or?: readonly Scope[] } | 'any key' | 'public'

/** The scopes of which a caller needs one; none if it needs no scope. */
export const scopesOf = (access: Access): readonly Scope[] =>
  typeof access === 'string' ? [] : [access.scope, ...(access.or ?? [])]

/** Whether a caller with these scopes may call it. */
export const isOpenTo = (access: Access, scopes: ReadonlySet<string>): boolean =>
  typeof access === 'string' || scopesOf(access).some(scope => scopes.has(scope))

export type Output =
  | { kind: 'one'; shape: Shape; status: number; orStatus?: number }
  | { kind: 'page'; shape: Shape; order: Order; sorts?: Sorts }
  /** `pages`: a short list that is read whole and cut; `one page`: never cut; `none`: takes no limit and no cursor */
  | { kind: 'all'; shape: Shape; paging: 'pages' | 'one page' | 'none' }
  | { kind: 'log'; shape: Shape; envelopeFields: Fields }
  | { kind: 'text'; description: string; component: string; example: object }
  | { kind: 'file'; description: string; contentTypes: readonly string[] }

/** Whether a list takes a cursor. */
export const isPaged = (output: Output): boolean =>
  output.kind === 'page' || (output.kind === 'all' && output.paging !== 'none')

/** The argument of a handler. */
export interface Call<P = Record<string, string>, Q = Record<string, unknown>, B = undefined> {
  params: P
  query: Q
  body: B
  /** the workspace addressed; empty on routes that address none */
  workspace: string
  caller: Caller
  /** The vendor whose packages and orders are all that the caller reaches; undefined: the whole workspace. */
  onlyVendor: string | undefined
  /** A list's page: the end of its statement and its size. */
  page: Page
  /** where statements run: the transaction on writes and metered reads, the pool otherwise */
  db: Queryable
  /** on metered reads */
  tx?: Transaction
  requestId: string
  /** the database's time, in milliseconds */
  now: number
  services: Services
  /** headers of the request that a handler of a plain text needs */
  header: (name: string) => string | undefined
}

/** The argument of the handler of a write. */
export type WriteCall<P = Record<string, string>, Q = Record<string, unknown>, B = undefined> = Call<P, Q, B> & {
  tx: Transaction
}

/** A response with a status other than the usual one, or headers of its own. */
export class HandlerResponse<T> {
  readonly row: T
  readonly status: number
  readonly headers: Record<string, string>
  /** what a repeat under the same Idempotency-Key shows instead: secrets are shown once and stored in no record */
  readonly replay: T
  constructor(row: T, status: number, opts: { headers?: Record<string, string>; replay?: T } = {}) {
    this.row = row
    this.status = status
    this.headers = opts.headers ?? {}
    this.replay = opts.replay ?? row
  }
}

export const created = <T>(row: T): HandlerResponse<T> => new HandlerResponse(row, 201)

type Common<P extends Route['params'], Q extends Params> = CommonWords<P, Q> & ReachWords<LimitedRule | 'keys'>

interface CommonWords<P extends Route['params'], Q extends Params> {
  path: string
  operationId: string
  summary: string
  /** what the summary does not say */
  description?: string
  group: string
  scope: Scope | 'any key' | 'public'
  /** other scopes that open it as well */
  or?: readonly Scope[]
  /** what opens it to the token of an installable app */
  appScope?: Scope
  /** further scopes that the handler looks at */
  handlerScopes?: readonly Scope[]
  /** for AI assistants; a record that says nothing is a tool as it is */
  tool?: ReadTool | LeftOut
  tier?: Tier
  workspace?: 'one' | 'any'
  /** Faults that the declarations of query and body cannot express: pure, of valid parameters and a body of any shape. */
  rules?: (call: Call<ParamsOf<P>, Partial<QueryOf<Q>>, unknown>) => InputFault[]
  /** Further faults for the handler, looked for only in a request that is refused anyway; sees a body of any shape. */
  furtherFaults?: (call: Call<ParamsOf<P>, Partial<QueryOf<Q>>, unknown>) => Promise<InputFault[]>
  params?: P
  query?: Q
  errors?: readonly ErrorCode[]
}

/** no parameters */
type None = Readonly<Record<never, never>>

type ParamsOf<P> = { [K in keyof P]: string }

function base<P extends Route['params'], Q extends Params>(spec: Common<P, Q>) {
  return {
    path: spec.path,
    operationId: spec.operationId,
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    group: spec.group,
    access:
      spec.scope === 'any key' || spec.scope === 'public'
        ? spec.scope
        : { scope: spec.scope, ...(spec.or ? { or: spec.or } : {}) },
    ...(spec.appScope ? { appScope: spec.appScope } : {}),
    ...(spec.handlerScopes ? { handlerScopes: spec.handlerScopes } : {}),
    limited: spec.limited,
    ...(spec.jobRight ? { jobRight: spec.jobRight } : {}),
    tool: spec.tool ?? {},
    tier: spec.tier ?? 'general',
    workspace: spec.workspace ?? 'one',
    ...(spec.rules ? { rules: spec.rules as unknown as NonNullable<Route['rules']> } : {}),
    ...(spec.furtherFaults ? { furtherFaults: spec.furtherFaults as NonNullable<Route['furtherFaults']> } : {}),
    params: spec.params ?? {},
    query: spec.query ?? {},
    errors: spec.errors ?? [],
    write: false,
    transaction: false,
    idempotency: 'none',
    body: undefined,
    bodyOptional: false,
  } as const
}

const isMetered = (shape: Shape) => meteredPaths(shape.fields).length > 0

/** The parameter `include` and what it names, if there is anything. */
function included({ query = {}, include }: { query?: Params; include?: Relations }): Pick<Route, 'query' | 'include'> {
  if (!include || Object.keys(include).length === 0) return { query }
  refuseMetered(include)
  return { query: { ...query, include: includeParam(include) }, include }
}

/** A record, or 404 where the handler finds none. */
export function readOne<F extends Fields, P extends Route['params'] = None, Q extends Params = None>(
  spec: Common<P, Q> & {
    shape: Shape<F>
    include?: Relations<RowOf<F>>
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>>) => Promise<RowOf<F> | undefined>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  return {
    ...base(spec),
    ...included(spec),
    method: 'GET',
    output: { kind: 'one', shape, status: 200 },
    metered: isMetered(shape),
    handler: spec.handler,
  }
}

/** A list in pages: the handler ends its statement with `page.clause`. */
export function readPage<F extends Fields, P extends Route['params'] = None, Q extends Params = None>(
  spec: Common<P, Q> & {
    shape: Shape<F>
    order: Order
    /** other orders, by the value of `sort` */
    sorts?: Sorts
    include?: Relations<RowOf<F>>
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>>) => Promise<RowOf<F>[]>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  const { sorts } = spec
  return {
    ...base(spec),
    ...included({ ...spec, query: { ...spec.query, ...pagingParams(spec.order, spec.sorts) } }),
    ...(sorts ? { rules: withSortRules(sorts, spec.rules as Route['rules']) } : {}),
    method: 'GET',
    output: { kind: 'page', shape, order: spec.order, ...(sorts ? { sorts } : {}) },
    metered: isMetered(shape),
    handler: spec.handler,
  }
}

const withSortRules =
  (sorts: Sorts, rules: Route['rules']): NonNullable<Route['rules']> =>
  call => [...sortFaults(sorts, call.query), ...(rules?.(call) ?? [])]

/** A list that the handler always reads whole: it is cut into pages, unless all of it is one page by definition. */
export function readAll<F extends Fields, P extends Route['params'] = None, Q extends Params = None>(
  spec: Common<P, Q> & {
    shape: Shape<F>
    onePage?: true
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>>) => Promise<readonly RowOf<F>[] | undefined>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  return {
    ...base(spec),
    query: { ...spec.query, ...PAGING },
    method: 'GET',
    output: { kind: 'all', shape, paging: spec.onePage ? 'one page' : 'pages' },
    metered: isMetered(shape),
    handler: spec.handler,
  }
}

/** Rows of a log from a position on, with further fields of the envelope. */
export interface LogResponse<R, X> {
  rows: readonly R[]
  hasMore: boolean
  envelopeFields: X
}

/** A log that is read forward from a number: no cursor, the handler chooses the window and fills further fields of the envelope. */
export function readLog<F extends Fields, X extends Fields, P extends Route['params'] = None, Q extends Params = None>(
  spec: Common<P, Q> & {
    shape: Shape<F>
    envelopeFields: X
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>>) => Promise<LogResponse<RowOf<F>, RowOf<X>>>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  return {
    ...base(spec),
    method: 'GET',
    output: { kind: 'log', shape, envelopeFields: spec.envelopeFields },
    metered: isMetered(shape),
    handler: spec.handler,
  }
}

/** A query that is too large for a query string: a read in the form of a POST that returns a whole list. */
export function postQuery<
  F extends Fields,
  B extends TSchema,
  P extends Route['params'] = None,
  Q extends Params = None,
>(
  spec: Common<P, Q> & {
    shape: Shape<F>
    body: B
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>, Static<B>>) => Promise<readonly RowOf<F>[]>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  return {
    ...base(spec),
    method: 'POST',
    body: spec.body,
    output: { kind: 'all', shape, paging: 'none' },
    metered: isMetered(shape),
    handler: spec.handler,
  }
}

/** A file to send, with the personal-data units that sending it costs. */
export interface FileResponse {
  stream: Readable
  bytes: number
  contentType: string
  filename: string
  reads: PersonalRead[]
}

/** The bytes of a file instead of JSON. Charged and audited before the first byte. */
export function readFile<P extends Route['params'] = None, Q extends Params = None>(
  spec: Common<P, Q> & {
    returns: string
    /** the media types that the file can have */
    contentTypes: readonly string[]
    handler: (call: Call<ParamsOf<P>, QueryOf<Q>>) => Promise<FileResponse | undefined>
  },
): Route {
  return {
    ...base(spec),
    tool: { leftOut: 'returns the bytes of a file' },
    method: 'GET',
    output: { kind: 'file', description: spec.returns, contentTypes: spec.contentTypes },
    metered: true,
    handler: spec.handler,
  }
}

/**
 * A change: one transaction, with the state and its events. A failure that the handler throws undoes everything; one
 * that it returns is sent after what was done is committed.
 */
export function writeOne<
  F extends Fields,
  B extends TSchema,
  P extends Route['params'] = None,
  Q extends Params = None,
  R = undefined,
>(
  spec: Common<P, Q> & {
    tool: WriteTool | LeftOut
    shape: Shape<F>
    body: B
    bodyOptional?: boolean
    status?: number
    /** another status that the handler may return: 200 besides 201 where the record existed already */
    orStatus?: number
    idempotency?: 'optional' | 'required'
    /** false for what is stored on behalf of a read, such as an export: no write scope, no user needed */
    write?: false
    /**
     * Calls external services before the transaction begins, so that a slow one holds no database connection. What
     * it returns is the handler's `prepared`; it throws nothing about the request, since a repeat must get the response of
     * the first call.
     */
    prepare?: (call: Call<ParamsOf<P>, QueryOf<Q>, Static<B>>) => Promise<R>
    /** presented as a key without further scopes sees it, whatever the caller holds */
    presentWithoutScopes?: true
    handler: (
      call: WriteCall<ParamsOf<P>, QueryOf<Q>, Static<B>> & { prepared: R },
    ) => Promise<RowOf<F> | HandlerResponse<RowOf<F>> | ApiError | undefined>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  if (isMetered(shape)) throw new Error(`${spec.path}: a write shows no metered values`)
  return {
    ...base(spec),
    method: 'POST',
    write: spec.write ?? true,
    transaction: true,
    idempotency: spec.idempotency ?? 'optional',
    body: spec.body,
    bodyOptional: spec.bodyOptional ?? false,
    output: {
      kind: 'one',
      shape,
      status: spec.status ?? 200,
      ...(spec.orStatus === undefined ? {} : { orStatus: spec.orStatus }),
    },
    metered: false,
    ...(spec.prepare ? { prepare: spec.prepare } : {}),
    presentWithoutScopes: spec.presentWithoutScopes ?? false,
    handler: spec.handler as Route['handler'],
  }
}

/**
 * A change of a whole workspace that takes transactions of its own. It has no Idempotency-Key: what it leaves is the same
 * however often it is called.
 */
export function runTask<F extends Fields, B extends TSchema>(
  spec: Common<None, None> & {
    tool: WriteTool | LeftOut
    shape: Shape<F>
    body: B
    bodyOptional?: boolean
    handler: (call: Call<ParamsOf<None>, QueryOf<None>, Static<B>>) => Promise<RowOf<F>>
  },
): Route {
  return {
    ...base(spec),
    method: 'POST',
    write: true,
    body: spec.body,
    bodyOptional: spec.bodyOptional ?? false,
    output: { kind: 'one', shape: spec.shape as unknown as Shape, status: 202 },
    metered: false,
    handler: spec.handler,
  }
}

/** A repeat is recognized by these: the caller's word for the action, and what the action was. */
export interface IdempotentRequest {
  idempotencyKey: string
  /** SHA-256 of the raw body */
  fingerprint: Buffer
}

/**
 * A change that reaches out of the store, such as an email, and cannot be undone with a transaction. The action takes
 * transactions of its own before and after, and stores what was done under which Idempotency-Key: it responds to repeats
 * itself, and there is no second record that could say something else.
 */
export function sendOnce<F extends Fields, B extends TSchema>(
  spec: Common<None, None> & {
    tool: WriteTool | LeftOut
    shape: Shape<F>
    body: B
    handler: (
      call: Call<ParamsOf<None>, QueryOf<None>, Static<B>> & { repeat: IdempotentRequest },
    ) => Promise<RowOf<F> | HandlerResponse<RowOf<F>>>
  },
): Route {
  const shape = spec.shape as unknown as Shape
  if (isMetered(shape)) throw new Error(`${spec.path}: a write shows no metered values`)
  return {
    ...base(spec),
    method: 'POST',
    write: true,
    idempotency: 'required',
    handlesOwnIdempotency: true,
    body: spec.body,
    output: { kind: 'one', shape, status: 200 },
    metered: false,
    handler: spec.handler as Route['handler'],
  }
}

/** A text of its own kind, such as the OpenAPI description. */
export function readText(
  spec: Common<None, None> & {
    returns: string
    /** the name of its schema */
    component: string
    example: object
    handler: (call: Call) => Promise<HandlerResponse<string | Buffer>>
  },
): Route {
  return {
    ...base(spec),
    tool: { leftOut: 'returns a text, not a record' },
    method: 'GET',
    output: { kind: 'text', description: spec.returns, component: spec.component, example: spec.example },
    metered: false,
    handler: spec.handler,
  }
}

import type { PlainErrorCode } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Authenticated } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { type IdempotencyScope, idempotencyKeyFaults } from '../access/idempotency.ts'
import type { Transaction } from '../db/database.ts'
import { ApiError, invalid } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'
import { charactersIn } from '../text/text.ts'
import { clock } from '../time/clock.ts'
import { collectBody, readBody, refuseLargeBody } from './body.ts'
import { type CursorPosition, type Listing, readCursor } from './cursor.ts'
import type { Exchange } from './exchange.ts'
import { type InputFault, refuseInput, wrongHandle } from './faults.ts'
import { makePage, type PageQuery } from './list.ts'
import { collectQuery, isUuid } from './params.ts'
import { type Call, isPaged, queryOf, type Route } from './route.ts'

/** A request without a key has no caller; routes for everybody never look at it. */
const NOBODY = undefined as unknown as Caller

const headerOf = ({ request }: Exchange, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join() : value
}

/** What a write may be repeated under, if the caller says so. */
function idempotencyOf(exchange: Exchange, auth: Authenticated | undefined, workspace: string) {
  const { route, path } = exchange
  const idempotencyKey = headerOf(exchange, 'idempotency-key')
  if (route.idempotency === 'none' || !auth || idempotencyKey === undefined) return undefined
  return { workspace, keyId: auth.caller.keyId, method: route.method, path, idempotencyKey }
}

export interface Input {
  call: Call<Record<string, string>, Record<string, unknown>, unknown>
  position: CursorPosition | undefined
  listing: Listing | undefined
  repeatKey: IdempotencyScope | undefined
}

/**
 * Everything a handler is given, checked: path, headers, query, body, page. A handle in the path that cannot exist is a
 * 404 before anything else is looked at; whatever else is wrong is refused together.
 */
export async function readInput(
  exchange: Exchange,
  auth: Authenticated | undefined,
  workspace: string,
): Promise<Input> {
  const { route, services, request, requestId, path } = exchange
  const { output } = route
  const params = readParams(route, exchange.rawParams)
  refuseLargeBody(request)
  const query = collectQuery(queryOf(route), exchange.query)
  const faults: InputFault[] = []
  if (route.idempotency !== 'none' && auth) {
    faults.push(...idempotencyKeyFaults(headerOf(exchange, 'idempotency-key'), route.idempotency === 'required'))
  }
  faults.push(...query.faults)
  let body: unknown
  if (route.body) {
    exchange.bodyBytes = await readBody(request)
    const read = collectBody(exchange.bodyBytes, request.headers['content-type'], route.body, route.bodyOptional)
    faults.push(...read.faults)
    body = read.value
  }
  const now = auth?.now ?? clock.now()
  const paging = query.values as PageQuery
  let position: CursorPosition | undefined
  let listing: Listing | undefined
  if (isPaged(output)) {
    listing = { reader: auth?.caller.keyId ?? '', workspace, path, filters: filtersOf(exchange.query) }
    const { cursor } = paging
    if (cursor !== undefined) {
      position = collect(faults, () => readCursor(services.keyring, cursor, listing!, now))
    }
  }
  const call: Input['call'] = {
    params,
    query: query.values,
    body,
    workspace,
    caller: auth?.caller ?? NOBODY,
    page:
      output.kind === 'page'
        ? makePage(output.order, paging, position)
        : ({ limit: paging.limit ?? API_LIMITS.defaultPageSize } as Call['page']),
    db: services.db,
    tx: undefined as unknown as Transaction, // set for writes and metered reads
    requestId,
    now,
    services,
    header: name => headerOf(exchange, name),
  }
  faults.push(...(route.rules?.(call) ?? []))
  if (faults.length > 0) {
    const known = new Set(faults.map(fault => fault.param))
    const further = (await route.furtherFaults?.(call)) ?? []
    refuseInput([...faults, ...further.filter(fault => !known.has(fault.param))])
  }
  if (query.missing) throw query.missing
  return { call, position, listing, repeatKey: idempotencyOf(exchange, auth, workspace) }
}

/** A call that does not name its workspace is refused together with whatever else is wrong with its query. */
export function refuseWithQuery(error: unknown, { route, query }: Exchange): never {
  if (!(error instanceof ApiError) || error.code !== 'workspace_id_required') throw error
  const unnamed = {
    param: 'workspace_id',
    message: 'is required: this key reaches several workspaces',
    code: error.code,
  }
  return refuseInput([unnamed, ...collectQuery(queryOf(route), query).faults])
}

/** A refusal that names a parameter becomes one fault among others. */
function collect<T>(faults: InputFault[], read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof ApiError) || error.details.errors === undefined) throw error
    faults.push(...error.details.errors.map(row => ({ ...row, code: error.code as PlainErrorCode })))
    return undefined
  }
}

/** A handle in the path that cannot exist is answered like one that does not. */
function readParams(route: Route, raw: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, kind] of Object.entries(route.params)) {
    const value = raw[name] ?? ''
    if (kind === 'text' && value.includes('\0')) invalid(name, 'must not contain a NUL character')
    const valid =
      kind === 'uuid'
        ? isUuid(value)
        : kind === 'text'
          ? value !== '' && charactersIn(value) <= 200
          : typeof kind === 'string'
            ? isHandle(kind, value)
            : kind.includes(value)
    if (valid) continue
    const other = typeof kind === 'string' && kind in PREFIXES ? (kind as HandleKind) : undefined
    const message = other && wrongHandle(value, other, 'this endpoint')
    throw new ApiError('not_found', message === undefined ? {} : { message })
  }
  return raw
}

/** The filters that a cursor belongs to, in one spelling. */
const filtersOf = (query: URLSearchParams): string =>
  [...query]
    .filter(([name]) => name !== 'cursor' && name !== 'limit' && name !== 'workspace_id')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')

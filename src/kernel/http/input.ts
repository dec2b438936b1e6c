import type { PlainErrorCode } from '../../contract/errors.ts'
import { type HandleKind, PREFIXES } from '../../contract/handles.ts'
import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import { ANONYMOUS } from '../access/caller.ts'
import type { IdempotencyScope } from '../access/idempotency.ts'
import { onlyVendor } from '../access/vendor.ts'
import { ApiError, fail, invalid } from '../errors/api-error.ts'
import { isHandle } from '../ids/handles.ts'
import { charactersIn } from '../text/text.ts'
import { collectBody, readBody, refuseLargeBody } from './body.ts'
import type { Exchange } from './exchange.ts'
import { type InputFault, refuseInput, wrongHandle } from './faults.ts'
import { chosenOrder, type PageQuery, wholePage } from './list.ts'
import { normalizeFilters, type Paging, readPaging } from './paging.ts'
import { collectQuery, isUuid } from './params.ts'
import { type Call, declaredQuery, isPaged, type Route, scopesOf } from './route.ts'

const headerOf = ({ request }: Exchange, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join() : value
}

/** The scope in which a write may be repeated, if the caller says so. */
function idempotencyScopeOf(exchange: Exchange): IdempotencyScope | undefined {
  const { route, path, workspace, caller } = exchange
  const idempotencyKey = headerOf(exchange, 'idempotency-key')
  if (route.idempotency === 'none' || caller === ANONYMOUS || idempotencyKey === undefined) return undefined
  return { workspace, keyId: caller.keyId, method: route.method, path, idempotencyKey }
}

/** Returns the faults of the header, if it has any. */
function idempotencyKeyFaults(header: string | undefined, required: boolean): InputFault[] {
  const param = 'Idempotency-Key'
  if (header === undefined) {
    return required ? [{ param, message: 'is required on this call', code: 'idempotency_key_required' }] : []
  }
  if (API_LIMITS.idempotencyKeyPattern.test(header)) return []
  return [{ param, message: 'must be 8 to 255 characters from A-Z a-z 0-9 . _ : ~ -', code: 'invalid_idempotency_key' }]
}

/** The input of the handler, and what encoding its result needs. */
export interface Input {
  call: Call<Record<string, string>, Record<string, unknown>, unknown>
  /** the raw body: repeats of a write are recognized by it */
  bodyBytes: Buffer
  /** Is set for a list that takes a cursor. */
  paging: Paging | undefined
  idempotency: IdempotencyScope | undefined
}

const EMPTY: Buffer = Buffer.alloc(0)

/**
 * Everything a handler is given, checked: path, headers, query, body, page. A handle in the path that cannot exist is a
 * 404, and a NUL in the path a 400, before anything else is checked; all other faults are refused together.
 */
export async function readInput(exchange: Exchange): Promise<Input> {
  const { route, services, request, requestId, path, caller, workspace, now } = exchange
  const { output } = route
  const params = readParams(route, exchange.rawParams)
  refuseLargeBody(request)
  const query = collectQuery(declaredQuery(route), exchange.query)
  const faults: InputFault[] = []
  if (route.idempotency !== 'none' && caller !== ANONYMOUS) {
    faults.push(...idempotencyKeyFaults(headerOf(exchange, 'idempotency-key'), route.idempotency === 'required'))
  }
  faults.push(...query.faults)
  let bodyBytes = EMPTY
  let body: unknown
  if (route.body) {
    bodyBytes = await readBody(request)
    const read = collectBody(bodyBytes, request.headers['content-type'], route.body, route.bodyOptional)
    faults.push(...read.faults)
    body = read.value
  }
  const pageQuery = query.values as PageQuery
  requireSortScope(route, pageQuery, caller.scopes)
  let paging: Paging | undefined
  if (isPaged(output)) {
    const order = output.kind === 'page' ? chosenOrder(output.order, output.sorts, pageQuery) : undefined
    const listing = { reader: caller.keyId, workspace, path, filters: normalizeFilters(exchange.query) }
    paging = collect(faults, () => readPaging(services.keyring, order, pageQuery, listing, now))
  }
  const call: Input['call'] = {
    params,
    query: query.values,
    body,
    workspace,
    caller,
    onlyVendor: onlyVendor(caller, scopesOf(route.access)),
    page: paging?.page ?? wholePage(pageQuery.limit),
    db: services.db,
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
  return { call, bodyBytes, paging, idempotency: idempotencyScopeOf(exchange) }
}

/** Rows in an order tell something of what they are ordered by. */
function requireSortScope({ output }: Route, { sort }: PageQuery, scopes: ReadonlySet<Scope>): void {
  const needed = output.kind === 'page' && sort !== undefined ? output.sorts?.[sort]?.scope : undefined
  if (needed === undefined || scopes.has(needed)) return
  const message = `sort=${sort} needs the scope ${needed}, which the key does not have.`
  fail('insufficient_scope', { required_scope: needed, message })
}

/** A call that does not name its workspace is refused together with whatever else is wrong with its query. */
export function refuseWithQuery(error: unknown, { route, query }: Exchange): never {
  if (!(error instanceof ApiError) || error.code !== 'workspace_id_required') throw error
  const unnamed = {
    param: 'workspace_id',
    message: 'is required: this key reaches several workspaces',
    code: error.code,
  }
  return refuseInput([unnamed, ...collectQuery(declaredQuery(route), query).faults])
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

/** A handle in the path that cannot exist gets the response of one that does not. */
function readParams(route: Route, raw: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, kind] of Object.entries(route.params)) {
    const value = raw[name] ?? ''
    if (value.includes('\0')) invalid(name, 'must not contain a NUL character')
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

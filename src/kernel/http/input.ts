import { LIMITS } from '../../contract/limits.ts'
import type { Authenticated } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { type IdempotencyScope, idempotencyKey } from '../access/idempotency.ts'
import { clock } from '../clock.ts'
import type { Transaction } from '../db/database.ts'
import { fail } from '../failure.ts'
import { isHandle } from '../handles.ts'
import { parseBody, readBody, refuseLargeBody } from './body.ts'
import { type Position, readCursor } from './cursor.ts'
import type { Exchange } from './exchange.ts'
import { makePage, type PageQuery } from './list.ts'
import { isUuid, readQuery } from './params.ts'
import { type Call, queryOf, type Route } from './route.ts'

/** A request without a key has no caller; routes for everybody never look at it. */
const NOBODY = undefined as unknown as Caller

/** What a write may be repeated under, if the caller says so. */
export function idempotency(
  exchange: Exchange,
  auth: Authenticated | undefined,
  workspace: string,
): IdempotencyScope | undefined {
  const { route, request, path } = exchange
  if (route.idempotency === 'none' || !auth) return undefined
  const header = request.headers['idempotency-key']
  const value = idempotencyKey(Array.isArray(header) ? header.join() : header, route.idempotency === 'required')
  if (value === undefined) return undefined
  return { workspace, keyId: auth.caller.keyId, method: route.method, path, idempotencyKey: value }
}

/** Everything a handler is given, checked: path, query, body, page. */
export async function readInput(exchange: Exchange, auth: Authenticated | undefined, workspace: string) {
  const { route, services, request, requestId, path } = exchange
  const params = readParams(route, exchange.rawParams)
  const query = readQuery(queryOf(route), exchange.query)
  refuseLargeBody(request)
  let body: unknown
  if (route.body) {
    exchange.bodyBytes = await readBody(request)
    body = parseBody(exchange.bodyBytes, request.headers['content-type'], route.body, route.bodyOptional)
  }
  const { output } = route
  const now = auth?.now ?? clock.now()
  let page = { limit: LIMITS.defaultPageSize } as Call['page']
  let position: Position | undefined
  let binding = ''
  if (output.kind === 'page') {
    const paging = query as PageQuery
    binding = bindingOf(auth!.caller.keyId, workspace, path, exchange.query)
    if (paging.cursor) position = readCursor(services.keyring, paging.cursor, binding, now)
    page = makePage(output.order, paging, position)
  }
  const call: Call<Record<string, string>, Record<string, unknown>, unknown> = {
    params,
    query,
    body,
    workspace,
    caller: auth?.caller ?? NOBODY,
    page,
    db: services.db,
    tx: undefined as unknown as Transaction, // set for writes and metered reads
    requestId,
    now,
    services,
    header: name => {
      const value = request.headers[name]
      return Array.isArray(value) ? value.join() : value
    },
  }
  return { call, position, binding }
}

/** A handle in the path that cannot exist is answered like one that does not. */
function readParams(route: Route, raw: Readonly<Record<string, string>>): Record<string, string> {
  for (const [name, kind] of Object.entries(route.params)) {
    const value = raw[name] ?? ''
    const valid =
      kind === 'uuid'
        ? isUuid(value)
        : kind === 'text'
          ? value.length > 0 && value.length <= 200 && !value.includes('\0')
          : typeof kind === 'string'
            ? isHandle(kind, value)
            : kind.includes(value)
    if (!valid) fail('not_found')
  }
  return raw
}

/** What a cursor belongs to: the key, the workspace, the path and every filter but the page itself. */
function bindingOf(keyId: string, workspace: string, path: string, query: URLSearchParams): string {
  const filters = [...query]
    .filter(([name]) => name !== 'cursor' && name !== 'limit' && name !== 'workspace_id')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .sort()
  return `${keyId} ${workspace} ${path} ${filters.join('&')}`
}

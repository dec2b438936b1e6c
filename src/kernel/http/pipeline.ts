import type { IncomingMessage, ServerResponse } from 'node:http'
import { LIMITS } from '../../contract/limits.ts'
import { API_VERSION, isKnownVersion } from '../../contract/version.ts'
import type { Authenticated } from '../access/authenticate.ts'
import { type Charge, charge } from '../access/budget.ts'
import type { Caller } from '../access/caller.ts'
import { claim, type IdempotencyScope, idempotencyKey, keep } from '../access/idempotency.ts'
import { rateLimit } from '../access/rate-limit.ts'
import { secondsToNextMonth } from '../access/usage.ts'
import { attachment } from '../blobs/signed-url.ts'
import { clock } from '../clock.ts'
import { DatastoreUnavailable, type Transaction } from '../db/database.ts'
import { Failure, fail } from '../failure.ts'
import { isHandle, newHandle } from '../handles.ts'
import type { Services } from '../services.ts'
import { parseBody, RequestAborted, readBody, refuseLargeBody } from './body.ts'
import { type Position, readCursor, writeCursor } from './cursor.ts'
import { cutPage, makePage, type PageQuery } from './list.ts'
import { handleParam, isUuid, readQuery } from './params.ts'
import { encodeArray, encodeExtra, type PersonalRead, presenterFor } from './present.ts'
import { errorReply, JSON_TYPE, type LimitsShown, type Reply, UNKNOWN_CALLER, writeReply } from './reply.ts'
import { Answer, type Call, type FileAnswer, type LogAnswer, type Route } from './route.ts'

/** One request on its way through the steps. */
interface Exchange {
  readonly route: Route
  readonly services: Services
  readonly request: IncomingMessage
  readonly address: string
  readonly path: string
  readonly query: URLSearchParams
  readonly rawParams: Readonly<Record<string, string>>
  readonly requestId: string
  /** read once; writes need the raw bytes for their fingerprint */
  bodyBytes: Buffer
  limits: LimitsShown
  authenticated?: Authenticated
  charged?: Charge
}

export interface Incoming {
  request: IncomingMessage
  response: ServerResponse
  address: string
  params: Record<string, string>
  /** the process is stopping: finish this answer and close the connection */
  closing: boolean
}

// biome-ignore lint/suspicious/noExplicitAny: the types of a route's input are checked where it is declared
type AnyCall = Call<any, any, any>

const EMPTY = Buffer.alloc(0)
const DATASTORE_RETRY_SECONDS = 1
/** A request without a key has no caller; routes for everybody never look at it. */
const NOBODY = undefined as unknown as Caller

/** The life of every API request: the steps in their order, then the answer, then the notes about it. */
export async function serve(route: Route, services: Services, incoming: Incoming): Promise<void> {
  const startedAt = clock.monotonic()
  const { request, response } = incoming
  const target = request.url ?? ''
  const mark = target.indexOf('?')
  const exchange: Exchange = {
    route,
    services,
    request,
    address: incoming.address,
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    rawParams: incoming.params,
    requestId: newHandle('request'),
    bodyBytes: EMPTY,
    limits: { ...UNKNOWN_CALLER, tier: route.tier },
  }
  let reply: Reply
  try {
    reply = await answer(exchange)
  } catch (error) {
    if (error instanceof RequestAborted) return void response.destroy()
    const failure = toFailure(error, exchange)
    services.metrics.failure(failure.code)
    reply = errorReply(failure, exchange.requestId, services.publicUrl)
  }
  writeReply(response, reply, { requestId: exchange.requestId, limits: exchange.limits, closing: incoming.closing })
  note(exchange, reply.status, clock.monotonic() - startedAt)
}

async function answer(exchange: Exchange): Promise<Reply> {
  checkVersion(exchange)
  const { route, services, request, address } = exchange
  if (route.access === 'public') return proceed(exchange, undefined)
  const { authorization } = request.headers
  const checking = services.authenticator.authenticate(authorization, address)
  const guess = isPlainRead(route) ? services.authenticator.guess(authorization, address) : undefined
  if (!guess) return proceed(exchange, await checking)

  // A plain read is prepared while the store is asked about the key: one round trip instead of two in a row. Nothing of
  // it is shown, and nothing is counted, unless the store confirms the very key it was prepared for.
  let countable = false
  const prepared = proceed({ ...exchange }, guess, async () => {
    countable = true
  }).catch(error => new Unprepared(error))
  const auth = await checking
  if (auth.caller !== guess.caller) return proceed(exchange, auth)
  admit(exchange, auth)
  const reply = await prepared
  if (countable) await checkRate(exchange, auth)
  if (reply instanceof Unprepared) throw reply.cause
  return reply
}

/** Why preparing an answer failed, held back until the caller is known. */
class Unprepared {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

const isPlainRead = (route: Route) =>
  route.method === 'GET' && !route.metered && !route.transaction && !route.afterCounting

/** The caller is known: the answer shows its limits, whatever becomes of it. */
function admit(exchange: Exchange, auth: Authenticated): void {
  exchange.authenticated = auth
  exchange.limits = { tier: exchange.route.tier, allowances: auth.caller.allowances }
}

/** The steps after authentication, in their order. */
async function proceed(exchange: Exchange, auth: Authenticated | undefined, count = checkRate): Promise<Reply> {
  const { route, services } = exchange
  let workspace = ''
  if (auth) {
    admit(exchange, auth)
    workspace = await services.workspaces.select(auth.caller, route.workspace, exchange.query.get('workspace_id'))
    checkScope(route, auth.caller)
    checkWriter(route, auth.caller)
    await count(exchange, auth)
  }
  const repeatKey = idempotency(exchange, auth, workspace)
  const { call, position, binding } = await readInput(exchange, auth, workspace)
  if (route.transaction) {
    const prepared = await route.prepare?.(call)
    return inTransaction(exchange, { ...call, prepared } as AnyCall, repeatKey)
  }
  if (route.metered) return services.db.transaction(tx => handle(exchange, { ...call, db: tx, tx }, position, binding))
  return handle(exchange, call, position, binding)
}

function checkVersion({ request }: Exchange): void {
  const wanted = request.headers['service-api-version']
  if (wanted === undefined || (typeof wanted === 'string' && isKnownVersion(wanted))) return
  const param = 'Service-Api-Version'
  const message = `is not a known version; the current one is ${API_VERSION}`
  fail('invalid_request', { param, message: `${param} ${message}.`, errors: [{ param, message }] })
}

function checkScope({ access }: Route, caller: Caller): void {
  if (typeof access === 'string' || caller.scopes.has(access.scope)) return
  fail('insufficient_scope', {
    required_scope: access.scope,
    message: `This call needs the scope ${access.scope}, which the key does not hold.`,
  })
}

function checkWriter(route: Route, caller: Caller): void {
  if (route.write && caller.userId === null) fail('write_requires_api_key')
}

async function checkRate(exchange: Exchange, { caller, now }: Authenticated): Promise<void> {
  const { services, route } = exchange
  const { allowances } = caller
  const allowed = await rateLimit(services, caller.keyId, route.tier, allowances.perMinute[route.tier])
  exchange.limits = { tier: route.tier, allowances, counted: allowed }
  if (allowed.used > allowed.limit) {
    fail('rate_limit_exceeded', {
      retry_after_seconds: allowed.resetSeconds,
      message: `More than ${allowed.limit} requests in a minute for this tier. Wait ${allowed.resetSeconds} seconds.`,
    })
  }
  const quota = allowances.requestsPerMonth
  if (await services.usage.admit(caller.homeWorkspace, quota, now)) return
  fail('rate_limit_exceeded', {
    retry_after_seconds: secondsToNextMonth(now),
    message: `The monthly quota of ${quota} requests of this workspace is spent.`,
  })
}

function idempotency(
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

const WORKSPACE_PARAM = {
  workspace_id: handleParam('Workspace addressed; needed by keys that reach several.', 'workspace'),
}

async function readInput(exchange: Exchange, auth: Authenticated | undefined, workspace: string) {
  const { route, services, request, requestId, path } = exchange
  const params = readParams(route, exchange.rawParams)
  const query = readQuery(auth ? { ...route.query, ...WORKSPACE_PARAM } : route.query, exchange.query)
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
          : isHandle(kind, value)
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

/**
 * A write and its idempotency record are one transaction. A failure that a handler returns, rather than throws, is the
 * answer of a change that was made all the same: it is committed, and the Idempotency-Key is released.
 */
async function inTransaction(exchange: Exchange, call: AnyCall, scope: IdempotencyScope | undefined): Promise<Reply> {
  const { services, bodyBytes } = exchange
  const outcome = await services.db.transaction(async (tx): Promise<Reply | Failure> => {
    const kept = scope && (await claim(tx, scope, bodyBytes))
    if (kept) {
      return { status: kept.status, body: kept.body, contentType: JSON_TYPE, headers: ['Idempotent-Replayed', 'true'] }
    }
    const inTx = { ...call, db: tx, tx }
    const returned = await exchange.route.handler(inTx)
    if (returned instanceof Failure) return returned
    const result = asAnswer(exchange, returned)
    if (scope) await keep(tx, scope, bodyBytes, { status: result.status, body: encodeRow(exchange, result.replay) })
    return encodeOne(exchange, result)
  })
  if (outcome instanceof Failure) throw outcome
  return outcome
}

async function handle(
  exchange: Exchange,
  call: AnyCall,
  position: Position | undefined,
  binding: string,
): Promise<Reply> {
  const { route, services } = exchange
  const { output } = route
  const result = await route.handler(call)
  if (output.kind === 'text') {
    const { row, status, headers } = result as Answer<string>
    return { status, body: row, contentType: JSON_TYPE, headers: Object.entries(headers).flat() }
  }
  if (output.kind === 'file') return sendFile(exchange, call, result as FileAnswer | undefined)
  if (output.kind === 'one') {
    const one = asAnswer(exchange, result)
    await chargeFor(exchange, call, [one.row])
    return encodeOne(exchange, one)
  }
  if (result === undefined) return fail('not_found')
  if (output.kind === 'log') {
    const { rows, hasMore, extra } = result as LogAnswer<unknown, object>
    await chargeFor(exchange, call, rows)
    const data = encodeArray(rows, presenter(exchange).encode)
    const beside = encodeExtra(output.extra, extra)
    const body = `{"object":"list","data":${data},"has_more":${hasMore},"next_cursor":null${beside}}`
    return { status: 200, body, contentType: JSON_TYPE, headers: chargeHeaders(exchange) }
  }
  const { rows, next } =
    output.kind === 'page'
      ? cutPage(output.order, call.page, result as unknown[], position)
      : { rows: result as unknown[] }
  await chargeFor(exchange, call, rows)
  const data = encodeArray(rows, presenter(exchange).encode)
  const cursor = next ? `"${writeCursor(services.keyring, next, binding, call.now)}"` : 'null'
  const body = `{"object":"list","data":${data},"has_more":${next !== undefined},"next_cursor":${cursor}}`
  return { status: 200, body, contentType: JSON_TYPE, headers: chargeHeaders(exchange) }
}

const NO_SCOPES: ReadonlySet<never> = new Set()

const presenter = ({ route, authenticated }: Exchange) =>
  presenterFor(
    (route.output as { shape: Parameters<typeof presenterFor>[0] }).shape,
    route.plain ? NO_SCOPES : (authenticated?.caller.scopes ?? NO_SCOPES),
  )

const encodeRow = (exchange: Exchange, row: unknown): string => presenter(exchange).encode(row)

function asAnswer({ route }: Exchange, result: unknown): Answer<unknown> {
  if (result === undefined) return fail('not_found')
  if (result instanceof Answer) return result
  return new Answer(result, route.output.kind === 'one' ? route.output.status : 200)
}

function encodeOne(exchange: Exchange, { row, status, headers }: Answer<unknown>): Reply {
  const own = Object.entries(headers).flat()
  return {
    status,
    body: encodeRow(exchange, row),
    contentType: JSON_TYPE,
    headers: [...own, ...chargeHeaders(exchange)],
  }
}

/** Charged and on record before the first byte; a file whose charge is refused is closed unread. */
async function sendFile(exchange: Exchange, call: AnyCall, file: FileAnswer | undefined): Promise<Reply> {
  if (file === undefined) return fail('not_found')
  try {
    exchange.charged = await charge(call.tx, call.caller, call.workspace, call.requestId, file.reads, call.now)
  } catch (error) {
    file.stream.destroy()
    throw error
  }
  const headers = ['Content-Disposition', attachment(file.filename), ...chargeHeaders(exchange)]
  return { status: 200, body: file, contentType: file.contentType, headers }
}

/** Counts the personal values of an answer, charges and audits them, before any is written. */
async function chargeFor(exchange: Exchange, call: AnyCall, rows: readonly unknown[]): Promise<void> {
  if (!exchange.route.metered) return
  const reads: PersonalRead[] = []
  const { reads: collect } = presenter(exchange)
  for (const row of rows) collect(row, reads)
  exchange.charged = await charge(call.tx, call.caller, call.workspace, call.requestId, reads, call.now)
}

function chargeHeaders({ charged }: Exchange): string[] {
  if (!charged || charged.cost === 0) return []
  return [
    'Service-Personal-Data-Cost',
    String(charged.cost),
    'Service-Personal-Data-Remaining',
    String(charged.remaining),
  ]
}

export function toFailure(error: unknown, about: { requestId: string; services: Services; route?: Route }): Failure {
  if (error instanceof Failure) return error
  const where = { requestId: about.requestId, route: about.route?.path, err: error }
  if (error instanceof DatastoreUnavailable) {
    // one line a request would flood the log for as long as it lasts; the workers' failures say it at a bounded rate
    about.services.log.debug(where, 'database cannot be asked')
    return new Failure('datastore_unavailable', { retry_after_seconds: DATASTORE_RETRY_SECONDS })
  }
  about.services.log.error(where, 'request failed')
  return new Failure('internal_error')
}

function note(
  { route, services, authenticated, charged, requestId }: Exchange,
  status: number,
  milliseconds: number,
): void {
  services.metrics.request(route.method, route.path, status, milliseconds / 1000)
  if (charged) services.metrics.personalDataUnits(charged.cost)
  services.log.debug(
    { requestId, method: route.method, route: route.path, status, ms: Math.round(milliseconds) },
    'request',
  )
  if (authenticated) {
    const { caller, secretHash, now } = authenticated
    services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, status, now)
  }
}

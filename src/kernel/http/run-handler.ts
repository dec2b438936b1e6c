import { charge } from '../access/budget.ts'
import { claim, type IdempotencyScope, keep } from '../access/idempotency.ts'
import { mustNameWorkspace } from '../access/workspace.ts'
import { attachment } from '../blobs/signed-url.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { type CursorPosition, type Listing, writeCursor } from './cursor.ts'
import type { AnyCall, Exchange } from './exchange.ts'
import { cutPage, cutWhole } from './list.ts'
import { encodeArray, encodeEnvelopeFields, type PersonalRead, presenterFor } from './present.ts'
import { JSON_TYPE, type Reply } from './reply.ts'
import { type FileResponse, HandlerResponse, type LogResponse } from './route.ts'

/**
 * A write and its idempotency record are one transaction. A failure that a handler returns, rather than throws, is the
 * answer of a change that was made all the same: it is committed, and the Idempotency-Key is released.
 */
export async function inTransaction(
  exchange: Exchange,
  call: AnyCall,
  scope: IdempotencyScope | undefined,
): Promise<Reply> {
  const { services, bodyBytes } = exchange
  const outcome = await services.db.transaction(async (tx): Promise<Reply | ApiError> => {
    const kept = scope && (await claim(tx, scope, bodyBytes))
    if (kept) {
      return { status: kept.status, body: kept.body, contentType: JSON_TYPE, headers: ['Idempotent-Replayed', 'true'] }
    }
    const inTx = { ...call, db: tx, tx }
    const returned = await exchange.route.handler(inTx)
    if (returned instanceof ApiError) return returned
    const result = asAnswer(exchange, returned)
    if (scope)
      await keep(tx, scope, bodyBytes, { status: result.status, body: encodeRow(exchange, call, result.replay) })
    return encodeOne(exchange, call, result)
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

/** Values that cost are read, charged and audited in one transaction; if that fails, a file is closed unread. */
export async function readCharged(
  exchange: Exchange,
  call: AnyCall,
  position: CursorPosition | undefined,
  listing: Listing | undefined,
): Promise<Reply> {
  let reply: Reply | undefined
  try {
    return await exchange.services.db.transaction(async tx => {
      reply = await runHandler(exchange, { ...call, db: tx, tx }, position, listing)
      return reply
    })
  } catch (error) {
    if (reply && typeof reply.body !== 'string') reply.body.stream.destroy()
    throw error
  }
}

/** Runs the handler and writes what it returns as this caller may see it. */
export async function runHandler(
  exchange: Exchange,
  call: AnyCall,
  position: CursorPosition | undefined,
  listing: Listing | undefined,
): Promise<Reply> {
  const { route, services } = exchange
  const { output } = route
  const result = await route.handler(call)
  if (output.kind === 'text') {
    const { row, status, headers } = result as HandlerResponse<string>
    return { status, body: row, contentType: JSON_TYPE, headers: Object.entries(headers).flat() }
  }
  if (output.kind === 'file') return sendFile(exchange, call, result as FileResponse | undefined)
  if (output.kind === 'one') {
    const one = asAnswer(exchange, result)
    await chargeFor(exchange, call, [one.row])
    return encodeOne(exchange, call, one)
  }
  if (result === undefined) return fail('not_found')
  if (output.kind === 'log') {
    const { rows, hasMore, envelopeFields } = result as LogResponse<unknown, object>
    await chargeFor(exchange, call, rows)
    const data = encodeArray(rows, presenter(exchange).encode, linkedWorkspace(call))
    const beside = encodeEnvelopeFields(output.envelopeFields, envelopeFields)
    const body = `{"object":"list","data":${data},"has_more":${hasMore},"next_cursor":null${beside}}`
    return { status: 200, body, contentType: JSON_TYPE, headers: chargeHeaders(exchange) }
  }
  const { rows, next }: { rows: readonly unknown[]; next?: CursorPosition } =
    output.kind === 'page'
      ? cutPage(output.order, call.page, result as unknown[], position)
      : output.paging === 'pages'
        ? cutWhole(result as unknown[], call.page.limit, position)
        : { rows: result as unknown[] }
  await chargeFor(exchange, call, rows)
  const data = encodeArray(rows, presenter(exchange).encode, linkedWorkspace(call))
  const cursor = next ? `"${writeCursor(services.keyring, next, listing!, call.now)}"` : 'null'
  const body = `{"object":"list","data":${data},"has_more":${next !== undefined},"next_cursor":${cursor}}`
  return { status: 200, body, contentType: JSON_TYPE, headers: chargeHeaders(exchange) }
}

const NO_SCOPES: ReadonlySet<never> = new Set()

const presenter = ({ route, authenticated }: Exchange) =>
  presenterFor(
    (route.output as { shape: Parameters<typeof presenterFor>[0] }).shape,
    route.presentWithoutScopes ? NO_SCOPES : (authenticated?.caller.scopes ?? NO_SCOPES),
  )

/** For a key that must name its workspace, the one that links carry: followed as they are, they work. */
const linkedWorkspace = ({ caller, workspace }: AnyCall): string | undefined =>
  caller && mustNameWorkspace(caller) ? workspace : undefined

const encodeRow = (exchange: Exchange, call: AnyCall, row: unknown): string =>
  presenter(exchange).encode(row, linkedWorkspace(call))

function asAnswer({ route }: Exchange, result: unknown): HandlerResponse<unknown> {
  if (result === undefined) return fail('not_found')
  if (result instanceof HandlerResponse) return result
  return new HandlerResponse(result, route.output.kind === 'one' ? route.output.status : 200)
}

function encodeOne(exchange: Exchange, call: AnyCall, { row, status, headers }: HandlerResponse<unknown>): Reply {
  const own = Object.entries(headers).flat()
  return {
    status,
    body: encodeRow(exchange, call, row),
    contentType: JSON_TYPE,
    headers: [...own, ...chargeHeaders(exchange)],
  }
}

/** Charged and on record before the first byte; a file whose charge is refused is closed unread. */
async function sendFile(exchange: Exchange, call: AnyCall, file: FileResponse | undefined): Promise<Reply> {
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

import { charge } from '../access/budget.ts'
import { claimIdempotencyKey, storeResponse } from '../access/idempotency.ts'
import { sha256 } from '../crypto/signing.ts'
import type { Transaction } from '../db/database.ts'
import { ApiError } from '../errors/api-error.ts'
import { present } from '../errors/present.ts'
import { encodeResult, handlerResponse, type Outgoing, presentRow } from './encode.ts'
import type { AnyCall, Exchange } from './exchange.ts'
import { addIncluded, type Relations } from './include.ts'
import type { Input } from './input.ts'
import { JSON_TYPE, type Reply } from './reply.ts'
import type { IdempotentRequest } from './route.ts'

/** Runs the handler of a checked request in the way that its route declares. */
export function runHandler(exchange: Exchange, input: Input): Promise<Reply> {
  const { route } = exchange
  if (route.transaction) return runWrite(exchange, input)
  if (route.handlesOwnIdempotency) return runWithOwnIdempotency(exchange, input)
  if (route.metered) return runMeteredRead(exchange, input)
  return runRead(exchange, input)
}

async function runRead(exchange: Exchange, input: Input): Promise<Reply> {
  const { include, handler } = exchange.route
  const result = include ? await readWithIncluded(exchange, input.call, include) : await handler(input.call)
  return encodeResult(exchange, input, result).reply([])
}

/** The rows, or the row, with the relations that the caller asked for. The handler knows nothing of them. */
async function readWithIncluded(exchange: Exchange, call: Input['call'], relations: Relations): Promise<unknown> {
  const { include, ...query } = call.query
  const result = await exchange.route.handler({ ...call, query })
  if (include === undefined || result === undefined) return result
  const names = include as string[]
  exchange.included = names
  if (!Array.isArray(result)) return (await addIncluded(call, relations, names, [result]))[0]
  // the row after the page only says that there is one
  const [shown, rest] = [result.slice(0, call.page.limit), result.slice(call.page.limit)]
  return [...(await addIncluded(call, relations, names, shown)), ...rest]
}

/** The action stores what was done under which Idempotency-Key, and responds to repeats itself. */
async function runWithOwnIdempotency(exchange: Exchange, input: Input): Promise<Reply> {
  const repeat: IdempotentRequest = {
    idempotencyKey: present(input.idempotency, 'the Idempotency-Key').idempotencyKey,
    fingerprint: sha256(input.bodyBytes),
  }
  return encodeResult(exchange, input, await exchange.route.handler({ ...input.call, repeat } as AnyCall)).reply([])
}

/**
 * Values that cost units are read, charged and audited in one transaction, before a byte of them is written. If that
 * fails, a file is closed unread.
 */
async function runMeteredRead(exchange: Exchange, input: Input): Promise<Reply> {
  let outgoing: Outgoing | undefined
  try {
    return await exchange.services.db.transaction(async tx => {
      outgoing?.discard?.() // of an attempt that ended in a deadlock
      outgoing = encodeResult(exchange, input, await exchange.route.handler({ ...input.call, db: tx, tx }))
      return outgoing.reply(await chargeReads(exchange, tx, outgoing))
    })
  } catch (error) {
    outgoing?.discard?.()
    throw error
  }
}

/** Charges the personal values of a response to the caller's budget; returns the headers that say so. */
async function chargeReads(exchange: Exchange, tx: Transaction, outgoing: Outgoing): Promise<string[]> {
  const { caller, workspace, requestId, now } = exchange
  const { cost, remaining } = await charge(tx, caller, workspace, requestId, outgoing.reads(), now)
  exchange.charged = { cost, remaining }
  if (cost === 0) return []
  return ['Service-Personal-Data-Cost', String(cost), 'Service-Personal-Data-Remaining', String(remaining)]
}

/**
 * A write and its idempotency record are one transaction. An error that a handler returns, rather than throws, is the
 * response to a change that was made all the same: it is committed, and the Idempotency-Key is released.
 */
async function runWrite(exchange: Exchange, input: Input): Promise<Reply> {
  const { route, services } = exchange
  const { idempotency: scope, bodyBytes } = input
  const call = { ...input.call, prepared: await route.prepare?.(input.call) }
  const outcome = await services.db.transaction(async (tx): Promise<Reply | ApiError> => {
    const stored = scope && (await claimIdempotencyKey(tx, scope, bodyBytes))
    if (stored) {
      const { status, body } = stored
      return { status, body, contentType: JSON_TYPE, headers: ['Idempotent-Replayed', 'true'] }
    }
    const result = await route.handler({ ...call, db: tx, tx } as AnyCall)
    if (result instanceof ApiError) return result
    const response = handlerResponse(exchange, result)
    if (scope) {
      const body = presentRow(exchange, response.replay)
      storeResponse(tx, scope, bodyBytes, { status: response.status, body })
    }
    return encodeResult(exchange, input, response).reply([])
  })
  if (outcome instanceof ApiError) throw outcome
  return outcome
}

import { ANONYMOUS } from '../access/caller.ts'
import type { ApiError } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'
import { RequestAborted } from './body.ts'
import {
  authenticate,
  type Check,
  checkAppWrites,
  checkScope,
  checkVersion,
  checkWriter,
  countRequest,
  selectWorkspace,
} from './checks.ts'
import type { Exchange } from './exchange.ts'
import { readInput } from './input.ts'
import { recordRequest } from './record-request.ts'
import { errorReply, type Reply, UNKNOWN_CALLER, writeReply } from './reply.ts'
import type { Route } from './route.ts'
import type { Arrived } from './route-table.ts'
import { runHandler } from './run-handler.ts'
import { toApiError } from './to-api-error.ts'

/**
 * What a request must pass, in this order. Nothing is read or written for the caller before the last of them let the
 * request through: a refused request costs no work.
 */
const CHECKS: readonly Check[] = [
  checkVersion,
  authenticate,
  selectWorkspace,
  checkAppWrites,
  checkScope,
  checkWriter,
  countRequest,
]
const CHECKS_WITHOUT_KEY: readonly Check[] = [checkVersion]

/**
 * The life of every API request: the steps in their order, then the response, then log, metrics and usage. `closing`:
 * the process is stopping, so the connection ends with this response.
 */
export async function serve(route: Route, services: Services, arrived: Arrived, closing: boolean): Promise<void> {
  const startedAt = clock.monotonic()
  const { response } = arrived
  const exchange = newExchange(route, services, arrived)
  let reply: Reply
  let failure: ApiError | undefined
  try {
    reply = await runSteps(exchange)
  } catch (error) {
    if (error instanceof RequestAborted) return void response.destroy()
    failure = toApiError(error, exchange)
    services.metrics.failure(failure.code)
    reply = errorReply(failure, exchange.requestId, services.publicUrl)
  }
  writeReply(response, reply, { requestId: exchange.requestId, limits: exchange.limits, closing })
  recordRequest(exchange, reply.status, failure, clock.monotonic() - startedAt)
}

function newExchange(route: Route, services: Services, arrived: Arrived): Exchange {
  const { request, address, params, path, search } = arrived
  return {
    route,
    services,
    request,
    address,
    path,
    query: new URLSearchParams(search),
    rawParams: params,
    requestId: newHandle('request'),
    limits: { ...UNKNOWN_CALLER, tier: route.tier },
    caller: ANONYMOUS,
    now: clock.now(),
    workspace: '',
  }
}

async function runSteps(exchange: Exchange): Promise<Reply> {
  const checks = exchange.route.access === 'public' ? CHECKS_WITHOUT_KEY : CHECKS
  for (const check of checks) {
    const pending = check(exchange)
    if (pending) await pending
  }
  return runHandler(exchange, await readInput(exchange))
}

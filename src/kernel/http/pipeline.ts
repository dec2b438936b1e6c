import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAppScope } from '../../contract/scopes.ts'
import { API_VERSION, isKnownVersion } from '../../contract/version.ts'
import type { Authenticated } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { rateLimit } from '../access/rate-limit.ts'
import { secondsToNextMonth } from '../access/usage.ts'
import { sha256 } from '../crypto/signing.ts'
import { DatastoreUnavailable } from '../db/database.ts'
import { ApiError, fail } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'
import { RequestAborted } from './body.ts'
import type { AnyCall, Exchange } from './exchange.ts'
import { readInput, refuseWithQuery } from './input.ts'
import { errorReply, type Reply, UNKNOWN_CALLER, writeReply } from './reply.ts'
import type { IdempotentRequest, Route } from './route.ts'
import { inTransaction, readCharged, runHandler } from './run-handler.ts'

export interface Incoming {
  request: IncomingMessage
  response: ServerResponse
  address: string
  params: Record<string, string>
  /** the process is stopping: finish this answer and close the connection */
  closing: boolean
}

const EMPTY = Buffer.alloc(0)
export const DATASTORE_RETRY_SECONDS = 1
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
    const failure = toApiError(error, exchange)
    services.metrics.failure(failure.code)
    reply = errorReply(failure, exchange.requestId, services.publicUrl)
  }
  writeReply(response, reply, { requestId: exchange.requestId, limits: exchange.limits, closing: incoming.closing })
  recordRequest(exchange, reply.status, clock.monotonic() - startedAt)
}

async function answer(exchange: Exchange): Promise<Reply> {
  checkVersion(exchange)
  const { route, services, request, address } = exchange
  if (route.access === 'public') return runSteps(exchange, undefined)
  return runSteps(exchange, await services.authenticator.authenticate(request.headers.authorization, address))
}

/**
 * The steps after authentication, in their order. Nothing is read or written for the caller before the last check let
 * the call through: a refused request costs no work.
 */
async function runSteps(exchange: Exchange, auth: Authenticated | undefined): Promise<Reply> {
  const { route, services } = exchange
  let workspace = ''
  if (auth) {
    exchange.authenticated = auth
    // the response shows the caller's limits, whatever the status
    exchange.limits = { tier: route.tier, allowances: auth.caller.allowances }
    workspace = await services.workspaces
      .select(auth.caller, route.workspace, exchange.query.get('workspace_id'))
      .catch(error => refuseWithQuery(error, exchange))
    checkAppWrites(route, auth.caller)
    checkScope(route, auth.caller)
    checkWriter(route, auth.caller)
    await checkRate(exchange, auth)
  }
  const { call, position, listing, repeatKey } = await readInput(exchange, auth, workspace)
  if (route.transaction) {
    const prepared = await route.prepare?.(call)
    return inTransaction(exchange, { ...call, prepared } as AnyCall, repeatKey)
  }
  if (route.handlesOwnIdempotency) {
    const repeat: IdempotentRequest = {
      idempotencyKey: repeatKey!.idempotencyKey,
      fingerprint: sha256(exchange.bodyBytes),
    }
    return runHandler(exchange, { ...call, repeat } as AnyCall, position, listing)
  }
  if (route.metered) return readCharged(exchange, call, position, listing)
  return runHandler(exchange, call, position, listing)
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

/** No scope would help a token of the sign-in flow that may not write at all, or not here. */
function checkAppWrites(route: Route, { actingUserId, userId }: Caller): void {
  if (!route.write || actingUserId === null) return
  const { access } = route
  const grantable = typeof access === 'string' || isAppScope(access.scope)
  if (userId === null || !grantable) fail('write_requires_api_key')
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

export function toApiError(error: unknown, about: { requestId: string; services: Services; route?: Route }): ApiError {
  if (error instanceof ApiError) return error
  const where = { requestId: about.requestId, route: about.route?.path, err: error }
  if (error instanceof DatastoreUnavailable) {
    // one line a request would flood the log for as long as it lasts; the workers' failures say it at a bounded rate
    about.services.log.debug(where, 'database cannot be asked')
    return new ApiError('datastore_unavailable', { retry_after_seconds: DATASTORE_RETRY_SECONDS })
  }
  about.services.log.error(where, 'request failed')
  return new ApiError('internal_error')
}

function recordRequest(
  { route, services, authenticated, charged, requestId, request, address }: Exchange,
  status: number,
  milliseconds: number,
): void {
  services.metrics.request(route, status, milliseconds)
  if (charged) services.metrics.personalDataUnits(charged.cost)
  services.log.debug(
    { requestId, method: route.method, route: route.path, status, ms: Math.round(milliseconds) },
    'request',
  )
  if (authenticated) {
    const { caller, secretHash, now } = authenticated
    const use = { at: now, address, agent: request.headers['user-agent'] }
    services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, status, use)
  }
}

import type { IncomingMessage } from 'node:http'
import type { Authenticated } from '../access/authenticate.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services/services.ts'
import type { Exchange } from './exchange.ts'
import { declaredParam, loggedParams } from './logged-params.ts'
import { noteRequest, requestIdOf } from './request-line.ts'
import type { UnroutedError } from './route-table.ts'
import { findUsedScopes } from './used-scopes.ts'

/** Records a request when its response was written: figures, a line of the log, usage, and its row in the request log. */
export function recordRequest(
  exchange: Exchange,
  status: number,
  failure: ApiError | undefined,
  milliseconds: number,
): void {
  const { route, services, authenticated, caller, workspace, charged, requestId, request, address, audience } = exchange
  services.metrics.request(route, status, milliseconds)
  if (charged) services.metrics.personalDataUnits(charged.cost)
  noteRequest(request, { written: true })
  services.log.info(
    {
      requestId,
      method: route.method,
      route: route.path,
      via: audience === 'api' ? undefined : audience,
      workspace: workspace || authenticated?.caller.homeWorkspace,
      key: authenticated?.caller.keyId,
      user: audience === 'pages' ? caller.userId : undefined,
      status,
      code: failure?.code,
      ms: Math.round(milliseconds),
    },
    'request',
  )
  if (authenticated) recordUse(services, authenticated, request, address, status)
  // what was refused used no scope
  const { installation, homeWorkspace } = caller
  if (installation && status < 400)
    services.usage.recordScopes(homeWorkspace, installation.id, findUsedScopes(exchange), exchange.now)
  const known = authenticated ?? exchange.refused
  if (!known || !services.requestLog.enabled) return
  services.requestLog.record({
    ...callOf(known, requestId, request.method, milliseconds),
    workspace: workspace || known.caller.homeWorkspace,
    route: route.path,
    params: loggedParams(route, exchange.rawParams, exchange.query),
    status,
    code: failure?.code ?? null,
    param: failure ? declaredParam(route, failure.details.param) : null,
  })
}

/** Counts the use of a key in the figures of the hour. */
export function recordUse(
  services: Services,
  { caller, secretHash, now }: Authenticated,
  request: IncomingMessage,
  address: string,
  status: number,
): void {
  const use = { at: now, address, agent: request.headers['user-agent'] }
  services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, status, use)
}

/**
 * A request for a path that no endpoint has. The path itself is not logged, because it can be anything: the row has the
 * endpoint that takes another method there, or the nearest one. `shown`: the error of the response.
 */
export function recordUnrouted(
  services: Services,
  key: Authenticated,
  request: IncomingMessage,
  { failure, shown, milliseconds }: { failure: UnroutedError; shown: ApiError; milliseconds: number },
): void {
  if (!services.requestLog.enabled) return
  const { route, meant } = failure
  services.requestLog.record({
    ...callOf(key, requestIdOf(request), request.method, milliseconds),
    workspace: key.caller.homeWorkspace,
    route,
    params: meant === null ? '{}' : JSON.stringify({ did_you_mean: meant }),
    status: shown.status,
    code: shown.code,
    param: null,
  })
}

const callOf = ({ caller, now }: Authenticated, id: string, method = 'GET', milliseconds: number) => ({
  id,
  at: now,
  key: caller.keyId,
  actingUser: caller.actingUserId,
  method,
  ms: Math.round(milliseconds),
})

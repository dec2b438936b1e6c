import type { Authenticated } from '../access/authenticate.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'
import type { Exchange } from './exchange.ts'
import { declaredParam, loggedParams } from './logged-params.ts'
import { noteRequest } from './request-line.ts'
import type { Arrived, UnroutedError } from './route-table.ts'

/** What is left of a request when its response was written: figures, a line of the log, usage, and its row in the request log. */
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
  if (authenticated) {
    const { secretHash, now } = authenticated
    const use = { at: now, address, agent: request.headers['user-agent'] }
    services.usage.record(caller.homeWorkspace, caller.keyId, secretHash, status, use)
  }
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

/**
 * A request for a path that no endpoint has. Its key is looked up after the response was sent, only to know in whose log
 * it belongs. The path itself is not logged, because it can be anything: the row has the endpoint that takes another
 * method there, or the nearest one.
 */
export async function recordUnrouted(
  services: Services,
  { request, address }: Arrived,
  requestId: string,
  failure: UnroutedError,
  startedAt: number,
): Promise<void> {
  const { authorization } = request.headers
  if (authorization === undefined || !services.requestLog.enabled) return
  const milliseconds = clock.monotonic() - startedAt
  const known = await services.authenticator.identify(authorization, address, 'api')
  if (!known) return
  const { status, code, route, meant } = failure
  services.requestLog.record({
    ...callOf(known.key, requestId, request.method, milliseconds),
    workspace: known.key.caller.homeWorkspace,
    route,
    params: meant === null ? '{}' : JSON.stringify({ did_you_mean: meant }),
    status,
    code,
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

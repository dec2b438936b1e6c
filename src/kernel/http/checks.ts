import { CLOSED_TO_LIMITED, isAppScope } from '../../contract/scopes.ts'
import { API_VERSION, isKnownVersion } from '../../contract/version.ts'
import { rateLimit } from '../access/rate-limit.ts'
import { LIMITED_MESSAGE } from '../access/reach.ts'
import { secondsToNextMonth } from '../access/usage.ts'
import { fail } from '../errors/api-error.ts'
import type { Exchange } from './exchange.ts'
import { refuseWithQuery } from './input.ts'

/** A step of a request: returns if the request may continue, throws an ApiError if not. */
export type Check = (exchange: Exchange) => void | Promise<void>

export function checkVersion({ request }: Exchange): void {
  const wanted = request.headers['service-api-version']
  if (wanted === undefined || (typeof wanted === 'string' && isKnownVersion(wanted))) return
  const param = 'Service-Api-Version'
  const message = `is not a known version; the current version is ${API_VERSION}`
  fail('invalid_request', { param, message: `${param} ${message}.`, errors: [{ param, message }] })
}

export async function authenticate(exchange: Exchange): Promise<void> {
  const { route, services, request, address, audience } = exchange
  const known = await services.authenticator.identify(request.headers.authorization, address, audience)
  if (!known || known.refused) {
    if (known) exchange.refused = known.key
    return fail('unauthenticated')
  }
  const found = known.key
  exchange.authenticated = found
  exchange.caller = found.caller
  exchange.now = found.now
  // from here on the response shows the caller's own limits, whatever the status
  exchange.limits = { tier: route.tier, allowances: found.caller.allowances }
}

export async function selectWorkspace(exchange: Exchange): Promise<void> {
  const { route, services, caller, query } = exchange
  try {
    exchange.workspace = await services.workspaces.select(caller, route.workspace, query.get('workspace_id'))
  } catch (error) {
    refuseWithQuery(error, exchange)
  }
}

/** No scope would help a token of the sign-in flow that may not write at all, or not here. */
export function checkAppWrites({ route, caller }: Exchange): void {
  if (!route.write || caller.actingUserId === null) return
  const { access } = route
  const grantable = typeof access === 'string' || isAppScope(access.scope)
  if (caller.userId === null || !grantable) fail('write_requires_api_key')
}

export function checkScope({ route: { access }, caller, audience, reach }: Exchange): void {
  if (typeof access === 'string' || caller.scopes.has(access.scope)) return
  const message =
    audience === 'pages'
      ? reach && CLOSED_TO_LIMITED.includes(access.scope)
        ? LIMITED_MESSAGE
        : 'Your role does not allow this. Ask an owner of the workspace to change it.'
      : `This call needs the scope ${access.scope}, which the key does not have.`
  fail('insufficient_scope', { required_scope: access.scope, message })
}

/** A key that belongs to no user cannot write. */
export function checkWriter({ route, caller }: Exchange): void {
  if (route.write && caller.userId === null) fail('write_requires_api_key')
}

/** Counts the request against the limit of the minute, then against the monthly quota. */
export async function countRequest(exchange: Exchange): Promise<void> {
  await countPersonRequest(exchange)
  const { services, caller, now } = exchange
  const quota = caller.allowances.requestsPerMonth
  if (await services.usage.admit(caller.homeWorkspace, quota, now)) return
  fail('rate_limit_exceeded', {
    retry_after_seconds: secondsToNextMonth(now),
    message: `The monthly quota of ${quota} requests of this workspace is exhausted.`,
  })
}

/** Counts the request against the limit of the minute. */
export async function countPersonRequest(exchange: Exchange): Promise<void> {
  if (exchange.counted) return
  const { services, route, caller } = exchange
  const { allowances } = caller
  const allowed = await rateLimit(services, caller.keyId, route.tier, allowances.perMinute[route.tier])
  exchange.limits = { tier: route.tier, allowances, counted: allowed }
  if (allowed.used > allowed.limit) {
    fail('rate_limit_exceeded', {
      retry_after_seconds: allowed.resetSeconds,
      message: `More than ${allowed.limit} requests in a minute for this tier. Wait ${allowed.resetSeconds} seconds.`,
    })
  }
}

import { CLOSED_TO_LIMITED, isAppScope, SCOPES } from '../../contract/scopes.ts'
import { API_VERSION, isKnownVersion } from '../../contract/version.ts'
import type { KnownKey } from '../access/authenticate.ts'
import type { Caller } from '../access/caller.ts'
import { type Allowed, rateLimit } from '../access/rate-limit.ts'
import { LIMITED_MESSAGE } from '../access/reach.ts'
import { secondsToNextMonth } from '../access/usage.ts'
import { onceThere, type Soon } from '../async/soon.ts'
import { noteLiveWorkspace } from '../db/workspace-time.ts'
import { fail } from '../errors/api-error.ts'
import type { Exchange } from './exchange.ts'
import { refuseWithQuery } from './input.ts'
import { isOpenTo, type Route, scopesOf } from './route.ts'

/** A step of a request: returns if the request may continue, throws an ApiError if not. */
export type RequestCheck = (exchange: Exchange) => Soon<void>

export function checkVersion({ request }: Exchange): void {
  const wanted = request.headers['service-api-version']
  if (wanted === undefined || (typeof wanted === 'string' && isKnownVersion(wanted))) return
  const param = 'Service-Api-Version'
  const message = `is not a known version; the current version is ${API_VERSION}`
  fail('invalid_request', { param, message: `${param} ${message}.`, errors: [{ param, message }] })
}

export function authenticate(exchange: Exchange): Soon<void> {
  const { services, request, address, audience } = exchange
  const known = services.authenticator.identify(request.headers.authorization, address, audience)
  return onceThere(known, found => setCaller(exchange, found))
}

function setCaller(exchange: Exchange, known: KnownKey | undefined): void {
  if (!known || known.refused) {
    if (known) exchange.refused = known.key
    fail('unauthenticated')
  }
  const found = known.key
  exchange.authenticated = found
  exchange.caller = found.caller
  exchange.now = found.now
  // from here on the response shows the caller's own limits, whatever the status
  exchange.limits = { tier: exchange.route.tier, allowances: found.caller.allowances }
}

export function selectWorkspace(exchange: Exchange): Soon<void> {
  const { route, services, caller, query } = exchange
  const named = query.find(([name]) => name === 'workspace_id')?.[1] ?? null
  try {
    return onceThere(services.workspaces.select(caller, route.workspace, named), workspace => {
      exchange.workspace = workspace
      // a key reaches workspaces of one kind
      if (caller.workspaceEnvironment === 'live') noteLiveWorkspace(workspace)
    })
  } catch (error) {
    refuseWithQuery(error, exchange)
  }
}

/** No scope would help a token of the sign-in flow that may not write at all, or not here. */
export function checkAppWrites({ route, caller }: Exchange): void {
  if (!route.write || caller.actingUserId === null) return
  const { access } = route
  const grantable = typeof access === 'string' || scopesOf(access).some(isAppScope)
  if (caller.userId === null || !grantable) fail('write_requires_api_key')
}

/** Endpoints that act on a whole workspace exist for test workspaces alone, whatever the key may do. */
export function checkTestWorkspace({ route: { access }, caller }: Exchange): void {
  if (typeof access === 'string' || !SCOPES[access.scope].testOnly) return
  if (caller.workspaceEnvironment !== 'test') fail('test_workspace_required')
}

/** Whether it is open to the token of an installable app that calls it. */
const isOpenToApp = ({ appScope }: Route, { ownTokenOf, scopes }: Caller): boolean =>
  appScope !== undefined && ownTokenOf !== undefined && scopes.has(appScope)

export function checkScope({ route, caller, audience, reach }: Exchange): void {
  const { access } = route
  if (isOpenToApp(route, caller)) return
  if (typeof access === 'string' || isOpenTo(access, caller.scopes)) return
  const message =
    audience === 'pages'
      ? reach && CLOSED_TO_LIMITED.includes(access.scope)
        ? LIMITED_MESSAGE
        : 'Your role does not allow this. Ask an owner of the workspace to change it.'
      : `This call needs the scope ${access.scope}, which the key does not have.`
  fail('insufficient_scope', { required_scope: access.scope, message })
}

/** A key that belongs to no user cannot write, nor can the token of an app, but where it is open to one. */
export function checkWriter({ route, caller }: Exchange): void {
  if (route.write && caller.userId === null && !isOpenToApp(route, caller)) fail('write_requires_api_key')
}

/** A request that is counted; `limits` are set to those of its caller. */
export type Counting = Pick<Exchange, 'services' | 'caller' | 'now' | 'limits'> & { route: Pick<Route, 'tier'> }

/** Counts the request against the limit of the minute, then against the monthly quota. */
export function countRequest(counting: Counting): Soon<void> {
  const { services, route, caller } = counting
  const allowed = rateLimit(services, caller.keyId, route.tier, caller.allowances.perMinute[route.tier])
  return onceThere(
    onceThere(allowed, counted => refuseAboveLimit(counting, counted)),
    () => countAgainstQuota(counting),
  )
}

function countAgainstQuota({ services, caller, now }: Counting): Soon<void> {
  const quota = caller.allowances.requestsPerMonth
  return onceThere(services.usage.admit(caller.homeWorkspace, quota, now), admitted => {
    if (admitted) return
    fail('rate_limit_exceeded', {
      retry_after_seconds: secondsToNextMonth(now),
      message: `The monthly quota of ${quota} requests of this workspace is exhausted.`,
    })
  })
}

function refuseAboveLimit(counting: Counting, allowed: Allowed): void {
  const { route, caller } = counting
  counting.limits = { tier: route.tier, allowances: caller.allowances, counted: allowed }
  if (allowed.used > allowed.limit) {
    fail('rate_limit_exceeded', {
      retry_after_seconds: allowed.resetSeconds,
      message: `More than ${allowed.limit} requests in a minute for this tier. Wait ${allowed.resetSeconds} seconds.`,
    })
  }
}

import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { API_PREFIX } from '../../contract/version.ts'
import type { Authenticated } from '../access/authenticate.ts'
import { ApiError } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { clock } from '../time/clock.ts'
import {
  checkAppWrites,
  checkScope,
  checkTestWorkspace,
  checkWriter,
  countRequest,
  type RequestCheck,
  selectWorkspace,
} from './checks.ts'
import type { Exchange } from './exchange.ts'
import { readInput } from './input.ts'
import { recordRequest } from './record-request.ts'
import type { Route } from './route.ts'
import { runHandler } from './run-handler.ts'

/** A call of an endpoint by a page on which a key is signed in. */
export interface PageCall {
  authenticated: Authenticated
  address: string
  userAgent: string | undefined
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string>>
}

const CHECKS: readonly RequestCheck[] = [selectWorkspace, checkAppWrites, checkTestWorkspace, checkScope, checkWriter]

/**
 * Calls an endpoint as its key would, with an empty body: the same checks, handler and presentation, so a page shows and
 * does nothing that the key may not. Throws the ApiError of a refusal. Writes count against the limits of the key like any
 * other call; reads do not, so that a key whose quota is exhausted can be looked at. Values that cost units are never read.
 */
export async function callFromPage<T>(route: Route, services: Services, call: PageCall): Promise<T> {
  if (route.metered) throw new Error(`${route.path} shows personal values`)
  const { authenticated, address, userAgent, params = {}, query = {} } = call
  const { caller, now } = authenticated
  const headers = { 'user-agent': userAgent }
  const startedAt = clock.monotonic()
  const exchange: Exchange = {
    route,
    services,
    request: Object.assign(Readable.from([]), { method: route.method, headers }) as unknown as IncomingMessage,
    address,
    audience: 'api',
    path: API_PREFIX + route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? ''),
    query: Object.entries(query),
    rawParams: params,
    requestId: newHandle('request'),
    limits: { tier: route.tier, allowances: caller.allowances },
    caller,
    authenticated,
    now,
    workspace: '',
  }
  try {
    if (route.write) await countRequest(exchange)
    for (const check of CHECKS) await check(exchange)
    const { status, body } = await runHandler(exchange, await readInput(exchange))
    if (route.write) recordRequest(exchange, status, undefined, clock.monotonic() - startedAt)
    return JSON.parse(body as string) as T
  } catch (error) {
    if (route.write && error instanceof ApiError) {
      recordRequest(exchange, error.status, error, clock.monotonic() - startedAt)
    }
    throw error
  }
}

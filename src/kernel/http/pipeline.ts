import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { API_PREFIX } from '../../contract/version.ts'
import { ANONYMOUS, type Audience, type Caller } from '../access/caller.ts'
import type { ApiError } from '../errors/api-error.ts'
import { present } from '../errors/present.ts'
import type { Services } from '../services/services.ts'
import { parseTraceparent, traced } from '../telemetry/trace.ts'
import { clock } from '../time/clock.ts'
import { RequestAborted } from './body.ts'
import {
  authenticate,
  checkAppWrites,
  checkScope,
  checkTestWorkspace,
  checkVersion,
  checkWriter,
  countRequest,
  type RequestCheck,
  selectWorkspace,
} from './checks.ts'
import type { Exchange, Reach } from './exchange.ts'
import { readInput } from './input.ts'
import { parseQuery } from './query.ts'
import { recordRequest } from './record-request.ts'
import {
  errorReply,
  type LimitsShown,
  type Reply,
  type ReplyContext,
  replyHeaders,
  UNKNOWN_CALLER,
  writeReply,
} from './reply.ts'
import { requestIdOf } from './request-line.ts'
import type { Route } from './route.ts'
import type { Arrived } from './route-table.ts'
import { runHandler } from './run-handler.ts'
import { toApiError } from './to-api-error.ts'

/**
 * A request must pass these checks, in this order. Every request with a valid key is counted, whatever refuses it afterwards.
 * No record is read or written for the caller before the last of them let the request through: a refused request costs
 * no work.
 */
const CHECKS: readonly RequestCheck[] = [
  authenticate,
  countRequest,
  checkVersion,
  selectWorkspace,
  checkAppWrites,
  checkTestWorkspace,
  checkScope,
  checkWriter,
]
const CHECKS_WITHOUT_KEY: readonly RequestCheck[] = [checkVersion]
/** The checks for a person whose session was found and whose call was counted: they decide what the role allows. */
const CHECKS_OF_PAGES: readonly RequestCheck[] = [selectWorkspace, checkTestWorkspace, checkScope, checkWriter]

/**
 * The life of every API request: the steps in their order, then the response, then log, metrics and usage. `closing`:
 * the process is stopping, so the connection ends with this response.
 */
export async function serve(route: Route, services: Services, arrived: Arrived, closing: boolean): Promise<void> {
  const { request, response, address, params, path, search } = arrived
  const exchange = newExchange(route, services, { request, address, audience: 'api', params, path, search })
  const write = (reply: Reply) => writeReply(response, reply, contextOf(exchange, closing))
  if (!(await respond(exchange, write))) response.destroy()
}

/**
 * The same steps for a person in front of our own pages, whose session was checked and whose call was counted: the guards
 * of fields, budget, audit and idempotency are those of the API. The call is not part of the partners' request log and
 * quota.
 */
export async function serveToPerson(route: Route, services: Services, arrived: Arrived, person: Person): Promise<void> {
  const { request, response, address, params, path, search } = arrived
  const exchange = newExchange(route, services, { request, address, audience: 'pages', params, path, search })
  Object.assign(exchange, person)
  const write = (reply: Reply) => writeReply(response, reply, contextOf(exchange, false))
  if (!(await respond(exchange, write))) response.destroy()
}

const contextOf = ({ requestId, caller, limits }: Exchange, closing: boolean): ReplyContext => ({
  requestId,
  environment: caller.workspaceEnvironment,
  limits,
  closing,
})

/** A call of an endpoint from inside the process, on behalf of a client that speaks another protocol. */
export interface InProcessCall {
  /** Headers of the client's request: its credential, user agent and Idempotency-Key. */
  headers: IncomingHttpHeaders
  address: string
  audience: Audience
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  body?: unknown
  /** Our own pages say who is signed in, which they have checked. */
  person?: Person
}

/** The person in front of our own pages, and the database's time when that was looked up. */
export interface Person {
  caller: Caller
  now: number
  /** if the person is limited to jobs */
  reach?: Reach
  /** those that the response shows */
  limits?: LimitsShown
}

export interface InProcessResponse {
  status: number
  body: string
  /** by lower-case name */
  headers: ReadonlyMap<string, string>
  /** `ANONYMOUS` where the credential is not valid */
  caller: Caller
}

/**
 * The same steps as over HTTP: checks, limits, budget, audit, idempotency, log and usage. Not for endpoints that return a
 * file.
 */
export async function callRoute(route: Route, services: Services, call: InProcessCall): Promise<InProcessResponse> {
  const { address, audience, params, query, body } = call
  const bytes = body === undefined ? [] : [Buffer.from(JSON.stringify(body))]
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const { method } = route
  const request = Object.assign(Readable.from(bytes), {
    method,
    headers: { ...call.headers, ...type },
  }) as IncomingMessage
  const path = API_PREFIX + route.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''))
  const search = query.toString()
  const exchange = newExchange(route, services, { request, address, audience, params, path, search })
  Object.assign(exchange, call.person)
  const reply = present(await respond(exchange, () => {}), 'the reply')
  if (typeof reply.body !== 'string') throw new Error(`${route.path} returns a file`)
  const flat = replyHeaders(reply, contextOf(exchange, false))
  const headers = new Map<string, string>()
  for (let i = 0; i < flat.length; i += 2) headers.set((flat[i] ?? '').toLowerCase(), flat[i + 1] ?? '')
  return { status: reply.status, body: reply.body, headers, caller: exchange.caller }
}

/** The steps, then the response, then log, metrics and usage. undefined: the caller disconnected. */
function respond(exchange: Exchange, write: (reply: Reply) => void): Promise<Reply | undefined> {
  const { route, request, requestId, audience } = exchange
  return traced(
    () => ({
      name: `${route.method} ${route.path}`,
      kind: 'server',
      attributes: { 'http.request.method': route.method, 'http.route': route.path, 'hiring.request.id': requestId },
      // a call of a tool or a page runs inside the span of nothing, or of the request that it is part of
      ...(audience === 'api'
        ? { parent: parseTraceparent(request.headers['traceparent']) ?? 'none', foreign: true }
        : {}),
    }),
    async span => {
      const { reply, failure } = await respondInSpan(exchange, write)
      span.set({
        'http.response.status_code': reply?.status,
        'hiring.error.code': failure?.code,
        'hiring.workspace.id': exchange.workspace || exchange.authenticated?.caller.homeWorkspace,
      })
      if (reply && reply.status >= 500) span.fail(failure?.code ?? 'internal_error')
      return reply
    },
  )
}

async function respondInSpan(
  exchange: Exchange,
  write: (reply: Reply) => void,
): Promise<{ reply?: Reply; failure?: ApiError | undefined }> {
  const startedAt = clock.monotonic()
  const { services } = exchange
  let reply: Reply
  let failure: ApiError | undefined
  try {
    reply = await runSteps(exchange)
  } catch (error) {
    if (error instanceof RequestAborted) return {}
    failure = toApiError(error, exchange)
    services.metrics.failure(failure.code)
    reply = errorReply(failure, exchange.requestId, services.publicUrl)
  }
  write(reply)
  recordRequest(exchange, reply.status, failure, clock.monotonic() - startedAt)
  return { reply, failure }
}

type Incoming = Pick<Arrived, 'request' | 'address' | 'params' | 'path' | 'search'> & { audience: Audience }

function newExchange(route: Route, services: Services, arrived: Incoming): Exchange {
  const { request, address, audience, params, path, search } = arrived
  return {
    route,
    services,
    request,
    address,
    audience,
    path,
    query: parseQuery(search),
    rawParams: params,
    requestId: requestIdOf(request),
    limits: { ...UNKNOWN_CALLER, tier: route.tier },
    caller: ANONYMOUS,
    now: clock.now(),
    workspace: '',
  }
}

async function runSteps(exchange: Exchange): Promise<Reply> {
  const checks = checksOf(exchange)
  for (const check of checks) {
    const pending = check(exchange)
    if (pending) await pending
  }
  const { reach, route, rawParams, query } = exchange
  if (reach) await reach(route, { params: rawParams, query: Object.fromEntries(query) }, false)
  const input = await readInput(exchange)
  if (reach) await reach(route, input.call, true)
  return runHandler(exchange, input)
}

function checksOf({ route, audience }: Exchange): readonly RequestCheck[] {
  if (audience === 'pages') return CHECKS_OF_PAGES
  return route.access === 'public' ? CHECKS_WITHOUT_KEY : CHECKS
}

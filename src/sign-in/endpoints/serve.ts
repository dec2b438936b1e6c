import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PERSON_ALLOWANCES, type Tier } from '../../contract/plans.ts'
import { CLOSED_TO_LIMITED, isLimited, personScopes } from '../../contract/scopes.ts'
import { type Allowed, rateLimit } from '../../kernel/access/rate-limit.ts'
import { LIMITED_MESSAGE, type Naming } from '../../kernel/access/reach.ts'
import { attachment } from '../../kernel/blobs/signed-url.ts'
import type { Database } from '../../kernel/db/database.ts'
import { ApiError } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { parseBody, RequestAborted, readBody, refuseLargeBody } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { ALL_ROWS, cursorParam, cutPage, type PageQuery } from '../../kernel/http/list.ts'
import { filtersOf, readPaging } from '../../kernel/http/paging.ts'
import { integerParam, readQuery } from '../../kernel/http/params.ts'
import { errorBody, errorReply, JSON_TYPE } from '../../kernel/http/reply.ts'
import { noteRequest, requestIdOf } from '../../kernel/http/request-line.ts'
import type { Arrived, RawRoute } from '../../kernel/http/route-table.ts'
import { toApiError } from '../../kernel/http/to-api-error.ts'
import { Type } from '../../kernel/schema/types.ts'
import type { Services } from '../../kernel/services/services.ts'
import { NotEnoughCredits } from '../../resources/credits/index.ts'
import { provedLately } from '../second-factor/confirm.ts'
import { anySessionOf, isOwnPost, type UserSession } from '../sessions.ts'
import { Download, type Endpoint } from './endpoint.ts'
import { SessionError } from './errors.ts'

/** Rows are few bytes and a person scrolls: larger pages than the API's. */
const PAGE_SIZE = 100
const PAGING = {
  limit: integerParam('Rows per page.', 1, 200, PAGE_SIZE),
  cursor: cursorParam('`next_cursor` of the previous page.'),
}
const NO_BODY = Type.Object({}, closed)

/** The API of a program: its endpoints, and who may use it at all. */
export interface ProgramApi {
  /** `/console/api` */
  path: string
  endpoints: readonly Endpoint[]
  /** of the cursors of its lists, which belong to the person who got them */
  name: string
  /** throws a SessionError for who may not use the program */
  admit?: (session: UserSession) => void
  /** throws if a person who is limited to jobs may not make this call; called again when its body was read */
  checkReach?: (
    db: Database,
    session: UserSession,
    endpoint: Endpoint,
    call: Naming,
    complete: boolean,
  ) => Promise<void>
  /** throws a SessionError for who may not use an endpoint that says `keyManager` */
  requireKeyManager?: (db: Database, session: UserSession) => Promise<void>
}

/** The routes of a program's endpoints. Every other path below theirs is a 404, for people who are signed in. */
export const programApi = (services: Services, api: ProgramApi): RawRoute[] => [
  ...api.endpoints.map(endpoint => ({
    methods: [endpoint.method],
    path: api.path + endpoint.path,
    handler: (arrived: Arrived) =>
      respond(services, arrived.response, async () =>
        runEndpoint(services, api, endpoint, arrived, await requireSession(services, arrived, endpoint.tier)),
      ),
  })),
  {
    methods: ['GET', 'POST'],
    path: `${api.path}/*`,
    handler: arrived =>
      respond(services, arrived.response, async () => {
        const session = await requireSession(services, arrived, 'general')
        api.admit?.(session)
        throw new ApiError('not_found')
      }),
  },
]

/** A session whose call was counted. */
export interface CountedSession extends UserSession {
  counted: Allowed
}

/**
 * The session of a request. The call counts against the limit of the person's minute before anything else can refuse it,
 * together with the person's calls of the API.
 */
export async function requireSession(
  services: Services,
  { request }: Pick<Arrived, 'request'>,
  tier: Tier,
): Promise<CountedSession> {
  const session = await anySessionOf(services, request)
  if (!session) throw new SessionError('sign_in_required')
  const counted = await countCall(services, session.userId, tier)
  if (session.mustEnrol) throw new SessionError('second_factor_required')
  return { ...session, counted }
}

export function requireOwnPost(services: Services, { request }: Pick<Arrived, 'request'>, session: UserSession): void {
  if (!isOwnPost(services, request, session)) throw new SessionError('csrf_token_invalid')
}

async function countCall(services: Services, userId: string, tier: Tier): Promise<Allowed> {
  const counted = await rateLimit(services, userId, tier, PERSON_ALLOWANCES.perMinute[tier])
  const { used, limit, resetSeconds } = counted
  if (used <= limit) return counted
  const message = `More than ${limit} requests in a minute. Wait ${resetSeconds} seconds.`
  throw new ApiError('rate_limit_exceeded', { retry_after_seconds: resetSeconds, message })
}

function requireRole({ scope, roles }: Endpoint, session: UserSession): void {
  const may = (roles?.includes(session.role) ?? true) && (scope === undefined || personScopes(session).includes(scope))
  if (may) return
  const isForJobs = isLimited(session) && scope !== undefined && CLOSED_TO_LIMITED.includes(scope)
  throw new SessionError('role_required', ...(isForJobs ? [LIMITED_MESSAGE] : []))
}

/** Program, CSRF token, role, second factor, key management, input, handler, page: in this order for every endpoint. */
async function runEndpoint(
  services: Services,
  api: ProgramApi,
  endpoint: Endpoint,
  { request, params, path, search }: Arrived,
  session: UserSession,
): Promise<unknown> {
  api.admit?.(session)
  if (!Object.values(params).every(isWord)) throw new ApiError('not_found')
  if (endpoint.method !== 'GET') requireOwnPost(services, { request }, session)
  requireRole(endpoint, session)
  if (endpoint.sensitive && !(await provedLately(services.db, session))) throw new SessionError('confirmation_required')
  if (endpoint.keyManager) await api.requireKeyManager!(services.db, session)

  const given = new URLSearchParams(search)
  const query = readQuery(endpoint.order ? { ...endpoint.query, ...PAGING } : endpoint.query, given)
  const order = typeof endpoint.order === 'function' ? endpoint.order(query as never) : endpoint.order
  const now = await services.db.now()
  const listing = {
    reader: `${api.name} ${session.userId}`,
    workspace: session.workspaceId,
    path,
    filters: filtersOf(given),
  }
  await api.checkReach?.(services.db, session, endpoint, { params, query: Object.fromEntries(given) }, false)
  const pageQuery: PageQuery = { limit: PAGE_SIZE, ...query }
  const paging = order && readPaging(services.keyring, order, pageQuery, listing, now)
  const body = endpoint.method === 'GET' ? undefined : await readInput(endpoint, request)
  await api.checkReach?.(services.db, session, endpoint, { params, query, body }, true)
  const result = await endpoint.handler({
    services,
    db: services.db,
    session,
    params,
    query,
    body,
    page: paging?.page ?? ALL_ROWS,
    now,
  })
  if (result === undefined) throw new ApiError('not_found')
  if (!paging) return result
  const { rows, next } = cutPage(order!, paging.page, result as unknown[], paging.position)
  return { data: rows, next_cursor: next ? paging.cursorAt(next) : null }
}

/** Parts of a path name records: letters, digits and a few signs. Anything else names none. */
const isWord = (part: string): boolean => /^[\w.-]+$/.test(part)

async function readInput(endpoint: Endpoint, request: Arrived['request']): Promise<unknown> {
  refuseLargeBody(request, endpoint.fileBytes)
  if (endpoint.fileBytes !== undefined) return readBody(request, endpoint.fileBytes)
  const schema = endpoint.body ?? NO_BODY
  return parseBody(await readBody(request), request.headers['content-type'], schema, endpoint.body === undefined)
}

/** What a handler returns that has sent its response itself. */
export const RESPONDED = Symbol('responded')

/** Sends what a handler returns as JSON, or the error that it throws. */
export async function respond(
  services: Services,
  response: ServerResponse,
  run: () => Promise<unknown>,
): Promise<void> {
  const requestId = requestIdOf(response.req)
  try {
    const result = await run()
    if (result === RESPONDED) return
    if (result instanceof Download) await sendFile(response, result, requestId)
    else sendJson(response, 200, JSON.stringify(result), requestId)
  } catch (error) {
    if (error instanceof RequestAborted || response.headersSent) return void response.destroy()
    const { status, code, body, headers } = errorResponse(error, requestId, services)
    noteRequest(response.req, { code })
    sendJson(response, status, body, requestId, headers)
  }
}

interface ErrorResponse {
  status: number
  code: string
  body: string
  headers: Record<string, string>
}

function errorResponse(thrown: unknown, requestId: string, services: Services): ErrorResponse {
  const error =
    thrown instanceof NotEnoughCredits ? new SessionError('credits_insufficient', sentenceOf(thrown.message)) : thrown
  if (error instanceof SessionError)
    return { status: error.status, code: error.code, body: errorBody(error, requestId, null), headers: {} }
  // what an action refuses, in one line for a person
  const failure =
    error instanceof UserError
      ? new ApiError('invalid_request', { message: sentenceOf(error.message) })
      : toApiError(error, { requestId, services })
  const { status, body } = errorReply(failure, requestId, services.publicUrl)
  const { retry_after_seconds: wait } = failure.details
  return { status, code: failure.code, body, headers: wait === undefined ? {} : { 'Retry-After': String(wait) } }
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const commonHeaders = (requestId: string) => ({
  'Service-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
})

function sendJson(
  response: ServerResponse,
  status: number,
  body: string,
  requestId: string,
  headers: Record<string, string> = {},
): void {
  const length = { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { ...commonHeaders(requestId), ...headers, ...length }).end(body)
}

async function sendFile(response: ServerResponse, file: Download, requestId: string): Promise<void> {
  const chunks = file.chunks[Symbol.asyncIterator]()
  // the first chunk before the head: what fails immediately can still be an error response
  const first = await chunks.next()
  response.writeHead(200, {
    ...commonHeaders(requestId),
    'Content-Type': file.contentType,
    'Content-Disposition': attachment(file.filename),
  })
  async function* all() {
    if (!first.done) yield first.value
    yield* { [Symbol.asyncIterator]: () => chunks }
  }
  await pipeline(Readable.from(all()), response)
}

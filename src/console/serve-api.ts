import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { attachment } from '../kernel/blobs/signed-url.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { parseBody, RequestAborted, readBody, refuseLargeBody } from '../kernel/http/body.ts'
import { closed } from '../kernel/http/closed.ts'
import { readCursor, writeCursor } from '../kernel/http/cursor.ts'
import { cutPage, makePage, type Page, type PageQuery } from '../kernel/http/list.ts'
import { integerParam, readQuery, textParam } from '../kernel/http/params.ts'
import { errorReply, JSON_TYPE } from '../kernel/http/reply.ts'
import type { RawRoute } from '../kernel/http/route-table.ts'
import { toApiError } from '../kernel/http/to-api-error.ts'
import { newHandle } from '../kernel/ids/handles.ts'
import type { Services } from '../kernel/services/services.ts'
import { mayUseConsole } from '../sign-in/landing-page.ts'
import { isOwnPost, sessionOf } from '../sign-in/sessions.ts'
import { type ConsoleEndpoint, ConsoleError, Download } from './endpoint.ts'
import { requireKeyManager } from './key-management.ts'

export const API_PATH = '/console/api'

/** Rows are few bytes and a person scrolls: larger pages than the API's. */
const PAGING = {
  limit: integerParam('Rows in a page.', 1, 200, 100),
  cursor: textParam('`next_cursor` of the page before.', 2000),
}
const NO_BODY = Type.Object({}, closed)
const NO_PAGE = undefined as unknown as Page

/** Serves the table of endpoints: session, role, CSRF token, key management, input, handler, answer, in this order for all of them. */
export function consoleApi(services: Services, endpoints: readonly ConsoleEndpoint[]): RawRoute {
  const table = endpoints.map(endpoint => ({ endpoint, pattern: patternOf(endpoint.path) }))
  return {
    methods: ['GET', 'POST'],
    path: `${API_PATH}/*`,
    handler: async ({ request, response, rest, search }) => {
      const requestId = newHandle('request')
      try {
        const answer = await run(services, table, request, `/${rest}`, search)
        if (answer instanceof Download) await send(response, answer, requestId)
        else writeJson(response, 200, JSON.stringify(answer), requestId)
      } catch (error) {
        if (error instanceof RequestAborted || response.headersSent) return void response.destroy()
        const { status, body } = refusal(error, requestId, services)
        writeJson(response, status, body, requestId)
      }
    },
  }
}

async function run(
  services: Services,
  table: readonly { endpoint: ConsoleEndpoint; pattern: RegExp }[],
  request: IncomingMessage,
  path: string,
  search: string,
): Promise<unknown> {
  const session = await sessionOf(services, request)
  if (!session) throw new ConsoleError(401, 'sign_in_required', 'You are not signed in, or your session has ended.')
  if (!mayUseConsole(session)) {
    throw new ConsoleError(403, 'role_required', 'The console is for owners and admins of the workspace.')
  }
  const found = table.find(({ endpoint, pattern }) => endpoint.method === request.method && pattern.test(path))
  if (!found) throw new ApiError('not_found')
  const { endpoint, pattern } = found
  if (endpoint.method !== 'GET' && !isOwnPost(services, request, session)) {
    throw new ConsoleError(403, 'csrf_token_invalid', 'The page is out of date. Reload it and try again.')
  }
  if (endpoint.keyManager) await requireKeyManager(services.db, session)

  const { order } = endpoint
  const query = readQuery(order ? { ...endpoint.query, ...PAGING } : endpoint.query, new URLSearchParams(search))
  const now = await services.db.now()
  const paging = query as PageQuery
  const filters = search.replace(/(^|&)cursor=[^&]*/, '')
  const listing = { reader: 'console', workspace: session.workspaceId, path, filters }
  const position = paging.cursor ? readCursor(services.keyring, paging.cursor, listing, now) : undefined
  const page = order ? makePage(order, { limit: 100, ...paging }, position) : NO_PAGE
  const result = await endpoint.handler({
    services,
    db: services.db,
    session,
    params: pathParams(pattern, path),
    query,
    body: endpoint.method === 'GET' ? undefined : await input(endpoint, request),
    page,
    now,
  })
  if (result === undefined) throw new ApiError('not_found')
  if (!order) return result
  const { rows, next } = cutPage(order, page, result as unknown[], position)
  return { data: rows, next_cursor: next ? writeCursor(services.keyring, next, listing, now) : null }
}

async function input(endpoint: ConsoleEndpoint, request: IncomingMessage): Promise<unknown> {
  refuseLargeBody(request)
  const schema = endpoint.body ?? NO_BODY
  return parseBody(await readBody(request), request.headers['content-type'], schema, endpoint.body === undefined)
}

function refusal(error: unknown, requestId: string, services: Services): { status: number; body: string } {
  if (error instanceof ConsoleError) {
    const { status, code, message } = error
    const type = status === 401 ? 'authentication' : 'permission'
    const rest = { param: null, doc_url: null, required_scope: null, retry_after_seconds: null, request_id: requestId }
    return { status, body: JSON.stringify({ detail: { code, type, message, ...rest } }) }
  }
  // what an action refuses in one line for a person
  const failure =
    error instanceof UserError
      ? new ApiError('invalid_request', { message: sentence(error.message) })
      : toApiError(error, { requestId, services })
  return errorReply(failure, requestId, services.publicUrl)
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const commonHeaders = (requestId: string) => ({
  'Service-Request-Id': requestId,
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
})

function writeJson(response: ServerResponse, status: number, body: string, requestId: string): void {
  const length = { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(status, { ...commonHeaders(requestId), ...length }).end(body)
}

async function send(response: ServerResponse, file: Download, requestId: string): Promise<void> {
  const chunks = file.chunks[Symbol.asyncIterator]()
  // the first piece before the head: what fails at once is still answered as an error
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

const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[\\w.-]+)')}$`)

const pathParams = (pattern: RegExp, path: string) => ({ ...pattern.exec(path)?.groups })

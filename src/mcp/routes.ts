import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import { ALL_SCOPES, isAppScope, type Scope } from '../contract/scopes.ts'
import { type Caller, MCP_PATH } from '../kernel/access/caller.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { present } from '../kernel/errors/present.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { readBody, refuseLargeBody } from '../kernel/http/body.ts'
import { callRoute, type InProcessResponse } from '../kernel/http/pipeline.ts'
import { HandlerResponse, type Route, readText } from '../kernel/http/route.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Backend } from './server.ts'
import { buildTools, describeUsable, selectTools, type Tool } from './tools.ts'

/** RFC 9728: where clients look for the metadata of this path, and of the whole origin. */
const METADATA_PATH = `/.well-known/oauth-protected-resource${MCP_PATH}`
const METADATA_PATHS = ['/.well-known/oauth-protected-resource', METADATA_PATH]

/**
 * The MCP server on streamable HTTP, and the metadata by which its clients find the sign-in flow. It holds no session:
 * every request carries its credential and is complete in itself, so any process can serve it. The SDK is loaded with the
 * first message.
 */
export function mcpRoutes(routes: readonly Route[], services: Services): RawRoute[] {
  let tools: readonly Tool[] | undefined
  let handler: Promise<McpHttpHandler> | undefined
  const load = () => {
    handler ??= loadHandler(services).catch(error => {
      handler = undefined
      throw error
    })
    return handler
  }
  return [
    {
      methods: ['POST'],
      path: MCP_PATH,
      handler: arrived => {
        tools ??= buildTools(routes)
        return serveMessage(arrived, services, tools, load)
      },
    },
    ...METADATA_PATHS.map(path => ({
      methods: ['GET'],
      path,
      handler: ({ response }: Arrived) => sendMetadata(response, services.publicUrl),
    })),
  ]
}

/** One message of a client, with all that its tools need. */
interface Message {
  arrived: Arrived
  services: Services
  tools: readonly Tool[]
  /** the caller, if the message was counted already */
  caller: Caller | undefined
  /** the response of the endpoint, or of the one that counts messages */
  served?: InProcessResponse
}

async function loadHandler(services: Services): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createToolServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => {
      const message = present(authInfo?.extra?.['message'], 'the message') as Message
      return createToolServer(message.tools, backendOf(message))
    },
    // without its text, which may repeat what the client sent
    { onerror: ({ name }) => services.log.debug({ error: name }, 'MCP message refused') },
  )
}

/** `/mcp?groups=jobs,applications&read_only=true`: the tools that this client wants. */
function toolsFor(all: readonly Tool[], search: string): readonly Tool[] {
  const query = new URLSearchParams(search)
  return selectTools(all, { groups: query.get('groups')?.split(','), readOnly: query.get('read_only') === 'true' })
}

async function serveMessage(
  arrived: Arrived,
  services: Services,
  all: readonly Tool[],
  load: () => Promise<McpHttpHandler>,
): Promise<void> {
  const { request, response } = arrived
  const { publicUrl } = services
  if (!isOwnOrigin(request.headers.origin, publicUrl)) {
    return sendRpcError(response, 403, -32_000, 'Requests from web pages of other origins are not accepted.')
  }
  const message: Message = { arrived, services, tools: [], caller: undefined }
  /** Counts a message that reaches no endpoint; undefined if that refused it, and the response was sent. */
  const admit = async () => {
    const served = await countMessage(message)
    message.served = served
    if (served.status < 400) return served
    sendRefusal(response, served, publicUrl)
    return undefined
  }
  const refuse = async ({ status, code, text }: Fault, id: string | number | null = null) => {
    const served = await admit()
    if (!served) return
    copyHeaders(response, served)
    sendRpcError(response, status, code, text, id)
  }
  // as on the API, the body of a caller without a valid credential is not read
  const known = await services.authenticator.identify(request.headers.authorization, arrived.address, 'mcp')
  if ((!known || known.refused) && !(await admit())) return
  let body: unknown
  try {
    refuseLargeBody(request)
    body = parseMessage(await readBody(request))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const served = await admit()
    if (!served) return
    copyHeaders(response, served)
    throw error
  }
  const fault = faultOf(body)
  if (fault) return refuse(fault)
  try {
    message.tools = toolsFor(all, arrived.search)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return refuse({ status: 400, code: -32_602, text: error.message }, idOf(body))
  }
  const { method } = body as { method?: unknown }
  if (method === 'subscriptions/listen') return refuse(NO_SUBSCRIPTIONS, idOf(body))
  // a call of a tool is authenticated and counted as the request of its endpoint, everything else here
  if ((method !== 'tools/call' || !isKnownTool(body, message.tools)) && !(await admit())) return
  const handler = await load()
  // without the body: what the SDK serves is what was checked here
  const web = new Request(publicUrl + MCP_PATH, { method: 'POST', headers: webHeaders(request.headers) })
  const authInfo = { token: '', clientId: '', scopes: [], extra: { message } }
  const reply = await handler.fetch(web, { authInfo, parsedBody: body })
  const text = await reply.text()
  // a call that the SDK refused before it reached its endpoint is a request too
  const served = message.served ?? (await countMessage(message))
  if (isRefusal(served) || (!message.served && served.status >= 400)) return sendRefusal(response, served, publicUrl)
  copyHeaders(response, served)
  send(response, reply.status, reply.headers.get('content-type'), text)
}

const backendOf = (message: Message): Backend => ({
  async list() {
    const { scopes, userId, workspaceScope } = present(message.caller, 'the caller')
    return describeUsable(message.tools, { scopes, userId, severalWorkspaces: workspaceScope !== 'single' })
  },
  async call(route, { params, query, body, idempotencyKey }) {
    const { arrived, services } = message
    const headers: IncomingHttpHeaders = {
      ...callHeaders(arrived.request),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    }
    const call = { headers, address: arrived.address, audience: 'mcp', params, query, body } as const
    const response = await callRoute(route, services, call)
    message.served = response
    return { status: response.status, body: response.body, header: name => response.headers.get(name) }
  },
})

/** Picks what concerns the endpoint from the client's request. */
const callHeaders = ({ headers }: IncomingMessage): IncomingHttpHeaders => ({
  authorization: headers.authorization,
  'user-agent': headers['user-agent'],
})

/** Messages that call no endpoint are requests too: they have an endpoint of their own that counts and logs them. */
const MESSAGE_ROUTE: Route = {
  ...readText({
    path: MCP_PATH,
    operationId: 'message',
    limited: 'keys',
    summary: 'A message of the Model Context Protocol.',
    group: 'MCP',
    scope: 'any key',
    workspace: 'any',
    returns: '',
    component: 'mcp_message',
    example: {},
    handler: async () => new HandlerResponse('', 200),
  }),
  method: 'POST',
}

async function countMessage(message: Message): Promise<InProcessResponse> {
  const { request, address } = message.arrived
  const call = {
    headers: callHeaders(request),
    address,
    audience: 'mcp',
    params: {},
    query: new URLSearchParams(),
  } as const
  const response = await callRoute(MESSAGE_ROUTE, message.services, call)
  if (response.status === 200) message.caller = response.caller
  return response
}

/** An error of the protocol. */
interface Fault {
  status: number
  code: number
  text: string
}

const NO_SUBSCRIPTIONS: Fault = {
  status: 404,
  code: -32_601,
  text: 'Method not found: lists of tools do not change by themselves.',
}

/** Deeper than any arguments. What is deeper could exhaust the stack of those that look into it. */
const DEEPEST_MESSAGE = 32

/** Why a body is not a message. */
function faultOf(body: unknown): Fault | undefined {
  const invalid = (text: string) => ({ status: 400, code: -32_600, text })
  if (body === undefined) return { status: 400, code: -32_700, text: 'The body is not valid JSON.' }
  if (Array.isArray(body)) return invalid('Batches of messages are not accepted.')
  if (typeof body !== 'object' || body === null) return invalid('A message is a JSON object.')
  if (isDeeperThan(DEEPEST_MESSAGE, body)) return invalid('The message is nested too deeply.')
  return undefined
}

function isDeeperThan(levels: number, root: object): boolean {
  let level: object[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true
    level = level.flatMap(parent => Object.values(parent).filter(value => typeof value === 'object' && value !== null))
  }
  return false
}

/** undefined: not JSON. A byte order mark is not JSON either. */
function parseMessage(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const isKnownTool = (body: unknown, tools: readonly Tool[]): boolean => {
  const { name } = ((body as { params?: unknown }).params ?? {}) as { name?: unknown }
  return tools.some(tool => tool.name === name)
}

const idOf = (body: unknown): string | number | null => {
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

/**
 * Programs send no Origin; a browser sends that of the page. Other pages are refused, also one whose name was rebound to
 * this machine.
 */
const isOwnOrigin = (origin: string | undefined, publicUrl: string): boolean =>
  origin === undefined || origin === new URL(publicUrl).origin

/** The scope that a token of the sign-in flow lacks and that its user may grant: clients then request it. */
function missingAppScope({ status, body, caller }: InProcessResponse): Scope | undefined {
  if (status !== 403 || caller.actingUserId === null) return undefined
  const { detail } = JSON.parse(body) as { detail: { code: string; required_scope: Scope | null } }
  const { code, required_scope: scope } = detail
  return code === 'insufficient_scope' && scope !== null && isAppScope(scope) ? scope : undefined
}

const webHeaders = (headers: IncomingHttpHeaders): Headers => {
  const web = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    // the SDK needs none of the credential
    if (name === 'authorization' || name === 'cookie' || name === 'content-length') continue
    if (typeof value === 'string') web.set(name, value)
  }
  return web
}

function sendMetadata(response: ServerResponse, publicUrl: string): void {
  const metadata = {
    resource: publicUrl + MCP_PATH,
    authorization_servers: [publicUrl],
    bearer_methods_supported: ['header'],
    scopes_supported: ALL_SCOPES.filter(isAppScope),
    resource_name: 'Hiring Partner API',
    resource_documentation: `${publicUrl}/docs/guides/mcp`,
  }
  response.setHeader('Access-Control-Allow-Origin', '*')
  send(response, 200, 'application/json', JSON.stringify(metadata))
}

/** A call that is refused as a whole, because its credential is not valid or not sufficient; other errors are results. */
const isRefusal = (served: InProcessResponse): boolean => served.status === 401 || missingAppScope(served) !== undefined

const COPIED = [
  'Service-Request-Id',
  'Retry-After',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Service-Environment',
] as const

function copyHeaders(response: ServerResponse, { headers }: InProcessResponse): void {
  for (const name of COPIED) {
    const value = headers.get(name.toLowerCase())
    if (value !== undefined && !response.headersSent) response.setHeader(name, value)
  }
}

/** The response of the API, with the challenge by which clients find the sign-in flow. */
function sendRefusal(response: ServerResponse, refusal: InProcessResponse, publicUrl: string): void {
  copyHeaders(response, refusal)
  const metadata = `resource_metadata="${publicUrl}${METADATA_PATH}"`
  const scope = missingAppScope(refusal)
  const missing = scope === undefined ? '' : `error="insufficient_scope", scope="${scope}", `
  if (refusal.status === 401 || scope) response.setHeader('WWW-Authenticate', `Bearer ${missing}${metadata}`)
  send(response, refusal.status, 'application/json', refusal.body)
}

function sendRpcError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  send(response, status, 'application/json', JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id }))
}

function send(response: ServerResponse, status: number, type: string | null, text: string): void {
  if (response.headersSent || response.destroyed) return
  const bytes = Buffer.from(text)
  response.writeHead(status, {
    ...(bytes.length > 0 ? { 'Content-Type': type ?? 'application/json' } : {}),
    'Content-Length': bytes.length,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(bytes)
}

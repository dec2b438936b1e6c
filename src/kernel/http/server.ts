import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { API_PREFIX } from '../../contract/version.ts'
import type { Config } from '../config/config.ts'
import type { ApiError } from '../errors/api-error.ts'
import type { Services } from '../services/services.ts'
import { pause } from '../time/pause.ts'
import { RequestAborted } from './body.ts'
import { brokenHttp, refuseBrokenHttp } from './broken-http.ts'
import { type ConnectionLimits, Connections, connectionLimits, serverOptions } from './connections.ts'
import { allowOrigins } from './cors.ts'
import { serve } from './pipeline.ts'
import { errorReply, UNKNOWN_CALLER, writeReply } from './reply.ts'
import { noteRequest, requestIdOf, writeLineAtEnd } from './request-line.ts'
import type { Route } from './route.ts'
import {
  type Arrived,
  notFoundError,
  type RawRoute,
  routerPath,
  routeTable,
  type TableRow,
  UnroutedError,
} from './route-table.ts'
import { toApiError } from './to-api-error.ts'
import { type Refuse, refuseUnrouted } from './unrouted.ts'

/** Responds to a failure with a page, for people in front of a browser; `wanted` tells who they are. */
export interface FailurePages {
  wanted: (request: IncomingMessage) => boolean
  send: (request: IncomingMessage, response: ServerResponse, failure: ApiError, requestId: string) => void
}

export interface HttpServer {
  listen(port: number, host: string): Promise<{ port: number }>
  /** Running requests are finished; connections are closed as they become idle; at the limit the rest is cut. */
  close(limitSeconds: number): Promise<void>
  /** the framework itself, for page servers that bring plugins */
  fastify: FastifyInstance
}

const BACKSTOP_MS = 5_000
/** How long busy connections get to learn from a response that they are being closed. */
const DRAIN_MS = 400

/**
 * The HTTP server. The framework routes and owns connections; responses on API paths come from the pipeline, and
 * whatever else can go wrong (unknown path, other method, broken HTTP) gets the same error body.
 */
export function createServer(
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[],
  services: Services,
  pages: FailurePages,
): HttpServer {
  const { config } = services
  const state = { closing: false }
  const stopping = new AbortController()
  const limits = connectionLimits(config)
  const connections = new Connections(limits)
  const refuse = refuseWith(services, pages, state)
  const app = createFramework(config, limits, connections, services, refuse)

  const errorOf = notFoundError(routes, rawRoutes)
  const notFound: TableRow['handler'] = arrived => refuseUnrouted(services, refuse, arrived, errorOf(arrived.request))
  const serveRoute = (route: Route, arrived: Arrived) => serve(route, services, arrived, state.closing)
  const table = routeTable(
    routes,
    rawRoutes.map(withStrictTransport(buildStrictTransport(config))),
    serveRoute,
    notFound,
  )
  // The framework routes; the hook below responds before it would read bodies and their types.
  for (const row of table) {
    app.route({ url: routerPath(row.path), method: row.methods as string[], handler: () => {}, config: { row } })
  }
  app.setNotFoundHandler(() => {})
  app.addHook('onRequest', (request, reply) =>
    handleRequest(request, reply, { notFound, connections, services, refuse, stopping: stopping.signal }),
  )

  connections.watch(app.server as Server)
  services.metrics.gauge('hiring_http_connections', 'Open connections.', () => connections.count)
  // An unknown expectation is not a reason to refuse a request.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  return {
    fastify: app,
    async listen(port, host) {
      await app.listen({ port, host })
      const address = app.server.address()
      return { port: typeof address === 'object' && address ? address.port : port }
    },
    close(limitSeconds) {
      state.closing = true
      stopping.abort()
      return drain(app, connections, limitSeconds)
    },
  }
}

function createFramework(
  config: Config,
  limits: ConnectionLimits,
  connections: Connections,
  services: Services,
  refuse: Refuse,
): FastifyInstance {
  const heads = { ...serverOptions(limits), maxHeaderSize: 16_384, requireHostHeader: false }
  const tls =
    config.TLS_CERT && config.TLS_KEY ? { https: { ...heads, cert: config.TLS_CERT, key: config.TLS_KEY } } : {}
  return fastify({
    ...tls,
    logger: false,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    // a second line: the deadline of each body is shorter
    requestTimeout: limits.headMs + limits.longestBodyMs + BACKSTOP_MS,
    keepAliveTimeout: limits.keepAliveMs,
    http: heads,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      const failure = brokenHttp(error)
      if (!failure) socket.destroy()
      else if (!connections.fail(socket, failure)) refuseBrokenHttp(failure, socket, services)
    },
    // a path that the router cannot read
    frameworkErrors: (_error: Error, { raw: request, ip }: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      const response = reply.raw
      writeLineAtEnd(services, request, response, undefined)
      const arrived = { request, response, address: ip, path: request.url ?? '' }
      refuseUnrouted(services, refuse, arrived, new UnroutedError('not_found')).catch(error =>
        refuse(request, response, toApiError(error, { requestId: requestIdOf(request), services })),
      )
    },
    routerOptions: { querystringParser: () => ({}), maxParamLength: 500 },
    // no route gives the framework a schema: the compilers that it would load for them take a tenth of a start
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance
}

const noSchemas = (): never => {
  throw new Error('schemas are compiled by the pipeline')
}

const refuseWith =
  (services: Services, pages: FailurePages, state: { closing: boolean }): Refuse =>
  (request, response, failure, caller = { limits: UNKNOWN_CALLER }) => {
    const requestId = requestIdOf(request)
    noteRequest(request, { code: failure.code })
    services.metrics.failure(failure.code)
    // below the API's prefix everyone gets what the specification says
    if (!request.url?.startsWith(API_PREFIX) && pages.wanted(request) && !response.headersSent) {
      return pages.send(request, response, failure, requestId)
    }
    const reply = errorReply(failure, requestId, services.publicUrl)
    writeReply(response, reply, { requestId, ...caller, closing: state.closing })
  }

interface Handling {
  notFound: TableRow['handler']
  connections: Connections
  services: Services
  refuse: Refuse
  stopping: AbortSignal
}

async function handleRequest(
  { raw: request, ip, params, routeOptions }: FastifyRequest,
  reply: FastifyReply,
  { notFound, connections, services, refuse, stopping }: Handling,
): Promise<void> {
  reply.hijack()
  const response = reply.raw
  const { row } = routeOptions.config as { row?: TableRow }
  const handler = row?.handler ?? notFound
  writeLineAtEnd(services, request, response, row)
  let refused = false
  const refuseLate = (failure: ApiError) => {
    refused = true
    refuse(request, response, failure)
  }
  const limits = { isProbe: row?.probed === true, ...(row?.bodySeconds && { bodyMs: row.bodySeconds * 1000 }) }
  if (!connections.begin({ request, response, refuse: refuseLate }, limits)) return
  if (allowOrigins(services.config.CORS_ORIGINS, request, response)) return
  try {
    const target = request.url ?? ''
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    await handler({
      request,
      response,
      address: ip,
      params: params as Record<string, string>,
      path,
      search: mark < 0 ? '' : target.slice(mark + 1),
      rest: row?.path.endsWith('/*') ? path.slice(row.path.length - 1) : '',
      stopping,
    })
  } catch (error) {
    if (error instanceof RequestAborted || refused) return void response.destroy()
    refuse(request, response, toApiError(error, { requestId: requestIdOf(request), services }))
  }
}

/** Stops listening, lets running requests finish, and cuts what is left at the limit. */
async function drain(app: FastifyInstance, connections: Connections, limitSeconds: number): Promise<void> {
  const cut = setTimeout(() => connections.destroyAll(), limitSeconds * 1000)
  // Only the listening ends here. HTTP's own close() would also cut connections whose request is arriving; busy ones
  // get `Connection: close` with their next response.
  NetServer.prototype.close.call(app.server as Server)
  const noneLeft = new AbortController()
  connections.allClosed().then(() => noneLeft.abort())
  await pause(DRAIN_MS, noneLeft.signal)
  await app.close().catch(error => {
    if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
  })
  clearTimeout(cut)
  connections.destroyAll()
}

const withStrictTransport =
  (header: string | undefined) =>
  (route: RawRoute): RawRoute => ({
    ...route,
    handler: arrived => {
      if (header) arrived.response.setHeader('Strict-Transport-Security', header)
      return route.handler(arrived)
    },
  })

/**
 * Tells browsers to use TLS for every later visit. Not for names of the local machine, which are shared with everything
 * else that runs there.
 */
export function buildStrictTransport({ publicUrl, HSTS_SECONDS }: Config): string | undefined {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://unknown')
  if (protocol !== 'https:' || HSTS_SECONDS === 0 || /^(.+\.)?localhost$/.test(hostname)) return undefined
  return `max-age=${HSTS_SECONDS}`
}

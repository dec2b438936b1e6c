import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { API_PREFIX } from '../../contract/version.ts'
import type { Config } from '../config/config.ts'
import { ApiError } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { Services } from '../services/services.ts'
import { pause } from '../time/pause.ts'
import { RequestAborted } from './body.ts'
import { Connections, connectionLimits, serverOptions } from './connections.ts'
import { serve, toApiError } from './pipeline.ts'
import { errorReply, replyHeaders, UNKNOWN_CALLER, writeReply } from './reply.ts'
import type { Route } from './route.ts'
import { unknownEndpoint } from './unknown-path.ts'

/** A page or file outside the API: answers on its own, with the plain request and response of Node. */
export interface RawRoute {
  methods: readonly string[]
  /** exact path, or a prefix that ends in `/*` */
  path: string
  /** how long a body may take to arrive, where that is not the usual time */
  bodySeconds?: number
  /** `rest` is the raw target after the prefix, query included; `address` is the caller's, behind trusted proxies too */
  handler: (request: IncomingMessage, response: ServerResponse, rest: string, address: string) => Promise<void> | void
}

/** Answers a failure with a page, to people in front of a browser; `wanted` says who they are. */
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
/** After a response to broken HTTP the connection stays open for this long, so that the client can read it. */
const LINGER_MS = 2_000
/** How long busy connections get to learn from an answer that they are being closed. */
const DRAIN_MS = 400

/**
 * The HTTP server. The framework routes and owns connections; whatever an API path answers comes from the pipeline, and
 * whatever else can go wrong (unknown path, other method, broken HTTP) is answered with the same error body.
 */
export function createServer(
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[],
  services: Services,
  pages: FailurePages,
): HttpServer {
  const { config } = services
  const state = { closing: false }
  const strictTransport = strictTransportOf(config)
  const limits = connectionLimits(config)
  const connections = new Connections(limits)
  const heads = { ...serverOptions(limits), maxHeaderSize: 16_384, requireHostHeader: false }
  const tls =
    config.TLS_CERT && config.TLS_KEY ? { https: { ...heads, cert: config.TLS_CERT, key: config.TLS_KEY } } : {}
  const app = fastify({
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
      else if (!connections.fail(socket, failure)) answerBrokenHttp(failure, socket, services)
    },
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      refuse(request.raw, reply.raw, new ApiError('not_found'))
    },
    routerOptions: { querystringParser: () => ({}), maxParamLength: 500 },
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance

  const refuse = (
    request: IncomingMessage,
    response: ServerResponse,
    failure: ApiError,
    requestId = newHandle('request'),
  ) => {
    services.metrics.failure(failure.code)
    // below the API's prefix everybody gets what the specification says
    if (!request.url?.startsWith(API_PREFIX) && pages.wanted(request) && !response.headersSent) {
      return pages.send(request, response, failure, requestId)
    }
    const reply = errorReply(failure, requestId, services.publicUrl)
    writeReply(response, reply, { requestId, limits: UNKNOWN_CALLER, closing: state.closing })
  }

  // The framework routes; the hook below answers before it would look at bodies and their types.
  const register = (url: string, methods: readonly string[], bodySeconds: number | undefined, answer: Answer) =>
    app.route({ url, method: methods as string[], handler: () => {}, config: { answer, bodySeconds } })
  for (const route of routes) {
    register(API_PREFIX + routerPath(route.path), methodsOf(route), undefined, request =>
      // /jobs/ is not a job with an empty handle
      Object.values(request.params).includes('')
        ? nothingThere(request)
        : serve(route, services, {
            request: request.raw,
            response: request.response,
            address: request.ip,
            params: request.params,
            closing: state.closing,
          }),
    )
  }
  for (const { path, methods, handler, bodySeconds } of rawRoutes) {
    const prefix = path.replace(/\/\*$/, '').length
    register(path, methods, bodySeconds, ({ raw, response, ip }) => {
      if (strictTransport) response.setHeader('Strict-Transport-Security', strictTransport)
      return handler(raw, response, (raw.url ?? '').slice(prefix), ip)
    })
  }
  const known = [
    ...routes.map(r => ({ path: API_PREFIX + r.path, methods: methodsOf(r) })),
    ...rawRoutes.map(r => ({ path: r.path, methods: r.methods })),
  ].map(k => ({ ...k, pattern: pathPattern(k.path) }))
  const nothingThere: Answer = ({ raw, response }) => {
    const path = (raw.url ?? '').split('?')[0]!
    const exact = known.filter(k => k.path === path)
    const here = exact.length > 0 ? exact : known.filter(k => k.pattern.test(path))
    const allowed = [...new Set(here.flatMap(k => k.methods))]
    if (allowed.length > 0) {
      const message = `This path does not accept ${raw.method}. It accepts ${allowed.join(', ')}.`
      return refuse(raw, response, new ApiError('method_not_allowed', { message }, { Allow: allowed.join(', ') }))
    }
    const message = unknownEndpoint(raw.method ?? 'GET', path, routes)
    refuse(raw, response, new ApiError('not_found', message === undefined ? {} : { message }))
  }
  // Words that stand where another path has a handle are no handle, whatever the method: /people/resolve:batch.
  for (const [path, same] of Map.groupBy(routes, r => r.path)) {
    const others = ['GET', 'HEAD', 'POST'].filter(method => !same.some(r => methodsOf(r).includes(method)))
    if (!path.includes('{') && others.length > 0)
      register(API_PREFIX + routerPath(path), others, undefined, nothingThere)
  }
  app.setNotFoundHandler(() => {})
  app.addHook('onRequest', async (request, reply) => {
    reply.hijack()
    const { raw } = request
    const response = reply.raw
    const { answer, bodySeconds } = request.routeOptions.config as { answer?: Answer; bodySeconds?: number }
    let refused = false
    const refuseLate = (failure: ApiError) => {
      refused = true
      refuse(raw, response, failure)
    }
    connections.begin({ request: raw, response, refuse: refuseLate }, bodySeconds && bodySeconds * 1000)
    try {
      await (answer ?? nothingThere)({
        raw,
        response,
        ip: request.ip,
        params: request.params as Record<string, string>,
      })
    } catch (error) {
      if (error instanceof RequestAborted || refused) return void response.destroy()
      const requestId = newHandle('request')
      refuse(raw, response, toApiError(error, { requestId, services }), requestId)
    }
  })
  connections.watch(app.server as Server)
  services.metrics.gauge('hiring_http_connections', 'Open connections.', () => connections.count)
  // An expectation that nobody knows is no reason not to answer.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  return {
    fastify: app,
    async listen(port, host) {
      await app.listen({ port, host })
      const address = app.server.address()
      return { port: typeof address === 'object' && address ? address.port : port }
    },
    async close(limitSeconds) {
      const server = app.server as Server
      state.closing = true
      const cut = setTimeout(() => connections.destroyAll(), limitSeconds * 1000)
      // Only the listening ends here. HTTP's own close() would also cut connections whose request is on its way; those
      // in use hear `Connection: close` with their next answer.
      NetServer.prototype.close.call(server)
      await pause(DRAIN_MS, new AbortController().signal)
      await app.close().catch(error => {
        if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
      })
      clearTimeout(cut)
      connections.destroyAll()
    },
  }
}

/**
 * Browsers that were here once never come without TLS again. Not for the names of one's own machine, which are shared
 * with everything else that runs there.
 */
export function strictTransportOf({ publicUrl, HSTS_SECONDS }: Config): string | undefined {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://unknown')
  if (protocol !== 'https:' || HSTS_SECONDS === 0 || /^(.+\.)?localhost$/.test(hostname)) return undefined
  return `max-age=${HSTS_SECONDS}`
}

interface Arrived {
  raw: IncomingMessage
  response: ServerResponse
  ip: string
  params: Record<string, string>
}

type Answer = (request: Arrived) => Promise<void> | void

/** A metered answer cannot be asked for without its body: it would be charged and shown to nobody. */
const methodsOf = (route: Route): readonly string[] =>
  route.method === 'GET' && !route.metered ? ['GET', 'HEAD'] : [route.method]

/** `/people/{person_handle}` to the router's form; its own special character is doubled. */
const routerPath = (path: string) => path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1')

const pathPattern = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{\w+\}/g, '[^/]+')
      .replace(/\/\\\*$/, '/.*')}$`,
  )

/** The response to a request that cannot be parsed; undefined where the connection or its TLS is broken. */
function brokenHttp({ code = '' }: NodeJS.ErrnoException): ApiError | undefined {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('request_timeout')
  if (!code.startsWith('HPE_')) return undefined
  const tooLarge = code === 'HPE_HEADER_OVERFLOW'
  return new ApiError('invalid_request', {
    message: tooLarge ? 'The head of the request is too large.' : 'The request is not valid HTTP.',
  })
}

/** The error body if the client can read it, then the end. */
function answerBrokenHttp(failure: ApiError, socket: Socket, services: Services): void {
  // After an answer on the same connection, another that nobody asked for would be taken for the next request's.
  if (!socket.writable || socket.bytesWritten > 0) return void socket.destroySoon()
  services.metrics.failure(failure.code)
  const requestId = newHandle('request')
  const reply = errorReply(failure, requestId, services.publicUrl)
  const headers = replyHeaders(reply, { requestId, limits: UNKNOWN_CALLER, closing: true })
  let head = `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n`
  for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`
  socket.end(`${head}\r\n${reply.body}`)
  const end = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(end))
}

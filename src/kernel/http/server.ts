import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import type { ErrorCode } from '../../contract/errors.ts'
import { API_PREFIX } from '../../contract/version.ts'
import { Failure } from '../failure.ts'
import { newHandle } from '../handles.ts'
import type { Services } from '../services.ts'
import { pause } from '../work/pause.ts'
import { serve, toFailure } from './pipeline.ts'
import { errorReply, UNKNOWN_CALLER, writeReply } from './reply.ts'
import type { Route } from './route.ts'

/** A page or file outside the API: answers on its own, with the plain request and response of Node. */
export interface RawRoute {
  methods: readonly string[]
  /** exact path, or a prefix that ends in `/*` */
  path: string
  /** `rest` is the raw target after the prefix, query included */
  handler: (request: IncomingMessage, response: ServerResponse, rest: string) => Promise<void> | void
}

export interface HttpServer {
  listen(port: number, host: string): Promise<{ port: number }>
  /** Running requests are finished; connections are closed as they become idle; at the limit the rest is cut. */
  close(limitSeconds: number): Promise<void>
  /** the framework itself, for page servers that bring plugins */
  fastify: FastifyInstance
}

const REQUEST_TIMEOUT_MS = 30_000
const HEADERS_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 72_000
/** How long busy connections get to learn from an answer that they are being closed. */
const DRAIN_MS = 400

/**
 * The HTTP server. The framework routes and owns connections; whatever an API path answers comes from the pipeline, and
 * whatever else can go wrong (unknown path, other method, broken HTTP) is answered with the same error body.
 */
export function createServer(routes: readonly Route[], rawRoutes: readonly RawRoute[], services: Services): HttpServer {
  const { config } = services
  const state = { closing: false }
  const tls = config.TLS_CERT && config.TLS_KEY ? { https: { cert: config.TLS_CERT, key: config.TLS_KEY } } : {}
  const app = fastify({
    ...tls,
    logger: false,
    trustProxy: config.TRUST_PROXY.length > 0 ? config.TRUST_PROXY : false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    handlerTimeout: 0,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, maxHeaderSize: 16_384 },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => answerBrokenHttp(error, socket, services),
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      reply.hijack()
      refuse(request.raw, reply.raw, new Failure('not_found'))
    },
    routerOptions: { querystringParser: () => ({}), maxParamLength: 500 },
  } as Parameters<typeof fastify>[0]) as unknown as FastifyInstance

  // Bodies are left unread: the pipeline reads them after it knows the caller.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const refuse = (_request: IncomingMessage, response: ServerResponse, failure: Failure) => {
    const requestId = newHandle('request')
    services.metrics.failure(failure.code)
    const reply = errorReply(failure, requestId, services.publicUrl)
    writeReply(response, reply, { requestId, limits: UNKNOWN_CALLER, closing: state.closing })
  }

  for (const route of routes) {
    app.route({
      method: headAllowed(route) ? ['GET', 'HEAD'] : route.method,
      url: API_PREFIX + routerPath(route.path),
      handler: (request, reply) => {
        reply.hijack()
        return serve(route, services, {
          request: request.raw,
          response: reply.raw,
          address: request.ip,
          params: request.params as Record<string, string>,
          closing: state.closing,
        })
      },
    })
  }
  for (const raw of rawRoutes) {
    app.route({
      method: raw.methods as string[],
      url: raw.path,
      handler: async (request, reply) => {
        reply.hijack()
        try {
          await raw.handler(request.raw, reply.raw, (request.raw.url ?? '').slice(raw.path.replace(/\/\*$/, '').length))
        } catch (error) {
          const failure = toFailure(error, { requestId: newHandle('request'), services })
          refuse(request.raw, reply.raw, failure)
        }
      },
    })
  }

  const known = [
    ...routes.map(r => ({
      pattern: pathPattern(API_PREFIX + r.path),
      methods: headAllowed(r) ? ['GET', 'HEAD'] : [r.method],
    })),
    ...rawRoutes.map(r => ({ pattern: pathPattern(r.path), methods: r.methods })),
  ]
  app.setNotFoundHandler((request, reply) => {
    reply.hijack()
    const path = (request.raw.url ?? '').split('?')[0]!
    const allowed = [...new Set(known.filter(k => k.pattern.test(path)).flatMap(k => k.methods))]
    const failure =
      allowed.length > 0
        ? new Failure('method_not_allowed', {}, { Allow: allowed.join(', ') })
        : new Failure('not_found')
    refuse(request.raw, reply.raw, failure)
  })
  app.setErrorHandler((error, request, reply) => {
    reply.hijack()
    refuse(request.raw, reply.raw, toFailure(error, { requestId: newHandle('request'), services }))
  })

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
      const cut = setTimeout(() => server.closeAllConnections(), limitSeconds * 1000)
      // Only the listening ends here. HTTP's own close() would also cut connections whose request is on its way; those
      // in use hear `Connection: close` with their next answer.
      NetServer.prototype.close.call(server)
      await pause(DRAIN_MS, new AbortController().signal)
      await app.close().catch(error => {
        if (error.code !== 'ERR_SERVER_NOT_RUNNING') throw error
      })
      clearTimeout(cut)
    },
  }
}

const headAllowed = (route: Route) => route.method === 'GET' && !route.metered

/** `/people/{person_handle}` to the router's form; its own special character is doubled. */
const routerPath = (path: string) => path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1')

const pathPattern = (path: string) =>
  new RegExp(
    `^${path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{\w+\}/g, '[^/]+')
      .replace(/\/\\\*$/, '/.*')}$`,
  )

/** What is not HTTP, has too large a head or takes too long: the error body if anybody can read it, then the end. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, services: Services): void {
  // After an answer on the same connection, another that nobody asked for would be taken for the next request's.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroySoon()
  const message =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 'The head of the request is too large.'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'The request did not arrive in time.'
        : 'The request is not valid HTTP.'
  const code: ErrorCode = 'invalid_request'
  const requestId = newHandle('request')
  const { body } = errorReply(new Failure(code, { message }), requestId, services.publicUrl)
  services.metrics.failure(code)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nService-Request-Id: ${requestId}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

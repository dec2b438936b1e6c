import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/config.ts'
import { ApiError } from '../errors/api-error.ts'
import { newHandle } from '../ids/handles.ts'
import type { ReadinessReport } from '../services/readiness.ts'
import { StartError } from '../services/start-error.ts'
import type { Log } from '../telemetry/log.ts'
import { Connections, connectionLimits, serverOptions } from './connections.ts'
import { healthPages } from './health.ts'
import { errorReply, UNKNOWN_CALLER, writeReply } from './reply.ts'

export interface MetricsServer {
  port: number
  close(): Promise<void>
}

/** A few collectors and a person with curl. */
const MAX_CONNECTIONS = 50

export interface MetricsSource {
  config: Config
  log: Log
  publicUrl: string
  metrics: { contentType: string; text(): Promise<string> }
}

/**
 * Figures are served on a listener of their own, which the public does not reach: they show the traffic of all
 * workspaces, and they are for machines that have no key. It also reports health, for processes that serve no requests.
 */
export async function serveMetrics(
  source: MetricsSource,
  readiness: { report(): Promise<ReadinessReport> },
): Promise<MetricsServer> {
  const { metrics, log, config } = source
  const { METRICS_PORT: port, METRICS_HOST: host } = config
  const { createServer } = await import('node:http')
  const limits = { ...connectionLimits(config), connections: MAX_CONNECTIONS }
  const connections = new Connections(limits)
  const refuse = (response: ServerResponse, failure: ApiError) => {
    const requestId = newHandle('request')
    const reply = errorReply(failure, requestId, source.publicUrl)
    writeReply(response, reply, { requestId, limits: UNKNOWN_CALLER, closing: true })
  }
  const pages = new Map(
    Object.entries({
      ...healthPages(readiness),
      '/metrics': async (response: ServerResponse) => {
        const text = await metrics.text()
        response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' })
        response.end(text)
      },
    }),
  )
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const respond = pages.get(request.url?.split('?')[0] ?? '')
    if (!respond) return refuse(response, new ApiError('not_found'))
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return refuse(response, new ApiError('method_not_allowed', {}, { Allow: 'GET, HEAD' }))
    }
    await respond(response)
  }
  const server = createServer(serverOptions(limits), (request, response) => {
    if (!connections.begin({ request, response, refuse: failure => refuse(response, failure) }, { isProbe: true }))
      return
    serve(request, response).catch(error => {
      log.error({ err: error }, 'rendering metrics failed')
      refuse(response, new ApiError('internal_error'))
    })
  })
  connections.watch(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => {
      reject(new StartError(`metrics cannot be served, check METRICS_HOST and METRICS_PORT: ${error.message}`))
    })
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        connections.destroyAll()
      }),
  }
}

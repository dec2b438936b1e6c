import type { ServerResponse } from 'node:http'
import { Readiness } from '../services/readiness.ts'
import type { Services } from '../services/services.ts'
import type { RawRoute } from './route-table.ts'

const methods = ['GET', 'HEAD']

/** For machines that watch over the service: alive, and ready. */
export function healthRoutes(services: Services): RawRoute[] {
  const readiness = new Readiness(services)
  return [
    { methods, path: '/healthz', handler: ({ response }) => send(response, 200, { status: 'alive' }) },
    {
      methods,
      path: '/readyz',
      handler: async ({ response }) => {
        const { ready, checks } = await readiness.report()
        // 503 is what orchestrators understand; it is not a response of the API
        send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks })
      },
    },
  ]
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}

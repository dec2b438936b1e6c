import type { ServerResponse } from 'node:http'
import type { ReadinessReport } from '../services/readiness.ts'
import type { RawRoute } from './route-table.ts'

/** For machines that watch over the service: alive, and ready. */
export const healthPages = (readiness: {
  report(): Promise<ReadinessReport>
}): Record<string, (response: ServerResponse) => Promise<void>> => ({
  '/healthz': async response => send(response, 200, { status: 'alive' }),
  '/readyz': async response => {
    const { ready, checks } = await readiness.report()
    // 503 is what orchestrators understand; it is not a response of the API
    send(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', checks })
  },
})

export const healthRoutes = (readiness: { report(): Promise<ReadinessReport> }): RawRoute[] =>
  Object.entries(healthPages(readiness)).map(([path, respond]) => ({
    methods: ['GET', 'HEAD'],
    path,
    probed: true,
    handler: ({ response }) => respond(response),
  }))

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}

import type { ServerResponse } from 'node:http'
import { isMigrated, readMigrations } from '../../kernel/db/migrate.ts'
import type { RawRoute } from '../../kernel/http/server.ts'
import type { Services } from '../../kernel/services.ts'
import type { Supervisor } from '../../kernel/work/supervisor.ts'

const methods = ['GET', 'HEAD']

/** For machines that watch over the service: alive, ready, and figures. */
export function healthRoutes(services: Services, supervisor: Supervisor): RawRoute[] {
  const migrations = readMigrations()
  services.metrics.gauge(
    'hiring_workers_failing',
    'Background loops that failed and wait to be started again.',
    () => supervisor.health().filter(worker => !worker.running).length,
  )
  const checks: Record<string, () => Promise<boolean>> = {
    database: async () => (await services.db.now()) > 0,
    migrations: () => isMigrated(services.db, migrations),
    limiter: async () => {
      await services.limiter.check()
      return true
    },
  }
  return [
    { methods, path: '/healthz', handler: (_, response) => send(response, 200, { status: 'alive' }) },
    {
      methods,
      path: '/readyz',
      handler: async (_, response) => {
        const results = await Promise.all(
          Object.entries(checks).map(async ([name, check]) => [name, await check().catch(() => false)] as const),
        )
        const ready = results.every(([, ok]) => ok)
        // 503 is what orchestrators understand; it is no answer of the API
        send(response, ready ? 200 : 503, {
          status: ready ? 'ready' : 'not ready',
          checks: Object.fromEntries(results.map(([name, ok]) => [name, ok ? 'ok' : 'failing'])),
        })
      },
    },
    {
      methods,
      path: '/metrics',
      handler: async (_, response) => {
        const { registry } = services.metrics
        response.writeHead(200, { 'Content-Type': registry.contentType }).end(await registry.metrics())
      },
    },
  ]
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
  response.end(`${JSON.stringify(body)}\n`)
}

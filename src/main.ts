import { statfs } from 'node:fs/promises'
import { setFlagsFromString } from 'node:v8'
import { buildServer, closeSearch, furtherParts, readQueues, watchSearch, workers } from './app.ts'
import { type PasswordCost, Passwords } from './kernel/access/password.ts'
import { readInstallation } from './kernel/backup/installation.ts'
import { type Config, listeningOrigin } from './kernel/config/config.ts'
import type { EmbeddedServer } from './kernel/embedded-postgres/embedded.ts'
import { type MetricsServer, serveMetrics } from './kernel/http/metrics-server.ts'
import type { Route } from './kernel/http/route.ts'
import { expiryReader } from './kernel/net/certificate.ts'
import type { ResolveName } from './kernel/net/resolve-name.ts'
import { openServices } from './kernel/services/open-services.ts'
import { Readiness } from './kernel/services/readiness.ts'
import type { Services } from './kernel/services/services.ts'
import { createServiceLog, type Log } from './kernel/telemetry/log.ts'
import { Supervisor } from './kernel/work/supervisor.ts'
import type { ChooseSandbox } from './workers/parse-resumes.ts'

/**
 * Memory under load. V8 allocates objects in the old generation, which only a full collection frees, if earlier ones from the
 * same place in the code lived long; it guessed so for the rows of the database. And it collects that generation when it has
 * grown to four times what is in use. So 40 MB in use became a heap of 200 MB, whose pages are not returned to the system.
 */
setFlagsFromString('--no-allocation-site-pretenuring')
setFlagsFromString('--heap-growing-percent=80')

export interface RunningService {
  services: Services
  readiness: Readiness
  /** undefined when this process has no `api` role */
  port: number | undefined
  /** undefined when metrics are not served */
  metricsPort: number | undefined
  /** Finishes what runs, then lets go of everything. Safe to call twice. */
  stop(): Promise<void>
}

/** Starts the chosen roles. `beforeListening` runs when the store is ready, before the first request is served. */
export async function startService(
  config: Config,
  opts: {
    beforeListening?: (services: Services) => Promise<void>
    routes?: readonly Route[]
    /** another source of addresses than the machine's resolver */
    resolveName?: ResolveName
    /** another cost of passwords than the product's, for tests that sign many people in */
    passwordCost?: PasswordCost
    /** another choice of the résumé reader's sandbox than by a trial at each start */
    chooseSandbox?: ChooseSandbox
    /** another destination of the log than standard error */
    log?: Log
    /** the embedded database, where someone has begun to open it; the service leaves it */
    opening?: Promise<EmbeddedServer> | undefined
  } = {},
): Promise<RunningService> {
  const log = opts.log ?? createServiceLog(config)
  const opened = await openServices(config, log, opts.opening)
  const { services } = opened
  if (opts.resolveName) services.resolveName = opts.resolveName
  if (opts.passwordCost) services.passwords = new Passwords(services.keyring, opts.passwordCost)
  const supervisor = new Supervisor(log)
  const readiness = new Readiness(services, supervisor, furtherParts(services))
  services.metrics.gauge(
    'hiring_workers_failing',
    'Background loops that failed and wait to be restarted.',
    () => supervisor.health().filter(worker => !worker.running).length,
  )
  services.metrics.queues(() => readQueues(services))
  services.metrics.databaseConnections(() => services.db.connections())
  if (services.replica) services.metrics.replica(services.replica)
  watchSearch(services)
  services.metrics.disk(() => statfs(config.DATA_DIR))
  services.metrics.gauge(
    'hiring_certificate_expiry_timestamp_seconds',
    'When the certificate of the service, or of the proxy at PUBLIC_URL, expires; NaN without one that can be seen.',
    expiryReader(config),
  )
  services.metrics.gauge(
    'hiring_backup_last_success_timestamp_seconds',
    'When the last backup was made; 0 if there is none.',
    lastBackup(services),
  )
  let metrics: MetricsServer | undefined
  try {
    await opts.beforeListening?.(services)
    const server = config.ROLES.has('api') ? buildServer(services, readiness, opts.routes) : undefined
    if (config.METRICS_PORT !== undefined) {
      metrics = await serveMetrics(services, readiness)
    }
    let port: number | undefined
    if (server) {
      port = (await server.listen(config.PORT, config.HOST)).port
      services.publicUrl = config.publicUrl ?? listeningOrigin(config, port)
    }
    services.usage.start()
    if (config.ROLES.has('worker')) for (const worker of workers(services, opts.chooseSandbox)) supervisor.start(worker)

    let stopping: Promise<void> | undefined
    const stop = async () => {
      await server?.close(config.SHUTDOWN_SECONDS)
      await closeSearch(services)
      await supervisor.stop()
      await services.usage.stop().catch(error => log.warn({ err: error }, 'storing the last usage counts failed'))
      await services.requestLog
        .stop()
        .catch(error => log.warn({ err: error }, 'storing the last requests in the log failed'))
      await metrics?.close()
      await opened.close()
    }
    return {
      services,
      readiness,
      port,
      metricsPort: metrics?.port,
      stop() {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await supervisor.stop()
    await metrics?.close()
    await opened.close()
    throw error
  }
}

/** In seconds. While the database is unavailable, what it was before: the other figures are needed most then. */
function lastBackup({ db }: Pick<Services, 'db'>): () => Promise<number> {
  let known = 0
  return async () => {
    const installation = await readInstallation(db).catch(() => undefined)
    if (installation) known = Date.parse(installation.last_backup_at ?? '1970-01-01') / 1000
    return known
  }
}

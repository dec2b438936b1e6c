import { stripVTControlCharacters } from 'node:util'
import type { DemoReceiver } from '../../demo/index.ts'
import { sitePath } from '../careers/visit.ts'
import { API_PREFIX } from '../contract/version.ts'
import { type Config, hostInUrl } from '../kernel/config/config.ts'
import { describeUnknown, IGNORED, readUnknownSettings } from '../kernel/config/unknown-settings.ts'
import { affordableProcesses } from '../kernel/db/affordable-processes.ts'
import { leaveEmbedded } from '../kernel/embedded-postgres/embedded.ts'
import { isMember, reportReady, serveGroup, untilGroupStops } from '../kernel/processes/member.ts'
import { needsGroup } from '../kernel/processes/plan.ts'
import { untilStopSignal } from '../kernel/processes/stop-signal.ts'
import { beginEmbeddedStore } from '../kernel/services/embedded-store.ts'
import { createLog, createServiceLog } from '../kernel/telemetry/log.ts'
import { clock } from '../kernel/time/clock.ts'
import type { RunningService } from '../main.ts'
import { readSite } from '../resources/careers/index.ts'
import { anyWorkspace } from '../resources/workspaces/index.ts'
import { type ConsoleFault, type StartSummary, showStart } from './start-summary.ts'
import type { Verb, VerbOutput } from './verb.ts'

export const startVerb: Verb = {
  name: 'start',
  description: 'Starts the service and runs until it is stopped.',
  options: {
    roles: { value: 'R,R', description: 'api, worker or both (default)' },
    port: { value: 'N', description: 'port to listen on' },
    processes: { value: 'N', description: 'processes that serve requests, or auto for one per core' },
  },
  run: async input => {
    const startedAt = clock.monotonic()
    const config = input.config({
      ROLES: input.option('roles'),
      PORT: input.option('port'),
      PROCESSES: input.option('processes'),
    })
    if (isMember()) return runMember(config)
    warnOfUnknownSettings(config)
    if (needsGroup(config)) {
      const { startGroup } = await import('./start-group.ts')
      return startGroup(config, input.json, summary => showStart(summary, input.json, startedAt))
    }
    const stopped = untilStopSignal()
    const running = await unlessStopped(startHere(config), stopped)
    if (!running) return { json: { stopped: true }, text: '', exits: true }
    try {
      showStart(await running.describe(), input.json, startedAt)
      await stopped
    } finally {
      await running.stop()
    }
    return { json: { stopped: true }, text: '' }
  },
}

function warnOfUnknownSettings({ LOG_LEVEL, PROCESS_NAME = 'start' }: Config): void {
  const unknown = readUnknownSettings()
  if (unknown.length === 0) return
  createLog(LOG_LEVEL, undefined, PROCESS_NAME).warn({}, `${IGNORED}: ${unknown.map(describeUnknown).join(', ')}`)
}

/**
 * What was started, or undefined if the signal comes first. Then the rest of the start is not waited for, and this
 * process is to exit: all that survives it is the embedded database, so that is left here.
 */
async function unlessStopped<T>(starting: Promise<T>, stopped: Promise<void>): Promise<T | undefined> {
  const started = await Promise.race([starting, stopped.then(() => undefined)])
  if (started === undefined) await leaveEmbedded()
  return started
}

/** Everything in this process. */
async function startHere(config: Config) {
  const log = createServiceLog(config)
  const { opening } = await beginEmbeddedStore(config, log)
  // loaded here, so that the other verbs do not wait for the whole service
  const [{ startService }, demo] = await Promise.all([import('../main.ts'), import('../../demo/index.ts')])
  const built = config.ROLES.has('api') ? readyConsole(config.DATA_DIR) : undefined
  let demoLoaded = false
  let receiver: DemoReceiver | undefined
  let service: RunningService | undefined
  const stop = async () => {
    await service?.stop()
    await receiver?.close()
  }
  // If a step fails, even after requests are served, everything is stopped before the error is reported.
  try {
    service = await startService(config, {
      log,
      opening,
      beforeListening: async services => {
        if (config.DEMO === 'on') {
          demoLoaded = (await demo.loadDemo(services)) !== undefined
          if (await demo.demoWorkspace(services.db, services.keyring)) receiver = await demo.openReceiver(services)
        }
        await built
      },
    })
    const started = service
    // not part of the start: a signal that comes during it finds a running service, which is stopped in order
    const describe = async () => describeStart(started, demoLoaded, (await built) ?? null)
    return { service, stop, describe }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One process of several: the group shows what it reports, and tells it when to stop. */
async function runMember(config: Config): Promise<VerbOutput> {
  const stopped = untilGroupStops()
  const running = await unlessStopped(startHere(config), stopped)
  if (!running) return { json: undefined, text: '', exits: true }
  const { services, readiness, port } = running.service
  try {
    serveGroup({
      readiness: () => readiness.report(),
      metrics: () => services.metrics.registry.getMetricsAsJSON(),
    })
    const affordable = await affordableProcesses(services.db, config.DATABASE_CONNECTIONS)
    reportReady({ port, affordable, summary: await running.describe() })
    await stopped
  } finally {
    await running.stop()
  }
  return { json: undefined, text: '', exits: true }
}

/**
 * Builds the console and the hiring pages if their sources changed, in parallel with the rest of the start. The API does not need them: if they
 * cannot be built, the service starts without them, and this is why.
 */
async function readyConsole(dataDir: string): Promise<ConsoleFault | null> {
  try {
    const { builtPrograms } = await import('../pages/build-programs.ts')
    const { milliseconds } = await builtPrograms(dataDir)
    if (milliseconds > 0)
      process.stderr.write(`built the console and the hiring pages in ${(milliseconds / 1000).toFixed(1)} s\n`)
    return null
  } catch (error) {
    const { message, code = '' } = error as NodeJS.ErrnoException
    return { reason: stripVTControlCharacters(message).trim(), remedy: REMEDIES[code] ?? RESTORE }
  }
}

const RESTORE = 'Restore the folder web of this version and run npm ci'
const MAKE_WRITABLE = 'Let the service write to DATA_DIR'

/** By the code of the error. */
const REMEDIES: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND: 'Install the dependencies with npm ci',
  EACCES: MAKE_WRITABLE,
  EPERM: MAKE_WRITABLE,
  EROFS: MAKE_WRITABLE,
  ENOSPC: 'Free some space on the disk of DATA_DIR',
}

/** `demoLoaded`: by this start. */
export async function describeStart(
  { services, port, metricsPort }: Pick<RunningService, 'services' | 'port' | 'metricsPort'>,
  demoLoaded: boolean,
  consoleFault: ConsoleFault | null,
): Promise<StartSummary> {
  const { publicUrl, db, keyring, config } = services
  const { demoKeyExists, demoCredentials, demoWorkspace } = await import('../../demo/index.ts')
  const serves = port !== undefined
  const demo = serves ? await demoWorkspace(db, keyring) : undefined
  const site = demo === undefined ? undefined : await readSite(db, demo)
  const shown = demoLoaded ? await demoCredentials(db, keyring) : { key: null, sign_in: null }
  return {
    base_url: serves ? publicUrl + API_PREFIX : null,
    docs_url: serves ? `${publicUrl}/docs` : null,
    console_url: serves && consoleFault === null ? `${publicUrl}/console` : null,
    hiring_url: serves && consoleFault === null ? `${publicUrl}/hiring` : null,
    console_fault: consoleFault,
    careers_url: site?.enabled ? publicUrl + sitePath(site) : null,
    metrics_url: metricsPort === undefined ? null : `http://${hostInUrl(config.METRICS_HOST)}:${metricsPort}/metrics`,
    demo: demoLoaded || (await demoKeyExists(db, keyring)),
    has_workspaces: (await db.one(anyWorkspace())) !== undefined,
    key: shown.key,
    sign_in: serves && shown.sign_in ? { url: `${publicUrl}/sign-in`, ...shown.sign_in } : null,
    pid: process.pid,
    processes: null,
  }
}

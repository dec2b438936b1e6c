import { join } from 'node:path'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import { type Config, hostInUrl } from '../kernel/config/config.ts'
import { present } from '../kernel/errors/present.ts'
import { type MetricsServer, serveMetrics } from '../kernel/http/metrics-server.ts'
import { ProcessEnded, ProcessGroup } from '../kernel/processes/group.ts'
import { groupReadiness } from '../kernel/processes/group-readiness.ts'
import { planProcesses } from '../kernel/processes/plan.ts'
import { untilStopSignal } from '../kernel/processes/stop-signal.ts'
import { createLog, type Log } from '../kernel/telemetry/log.ts'
import type { StartSummary } from './start-summary.ts'
import type { VerbOutput } from './verb.ts'

const PROGRAM = join(import.meta.dirname, '../../bin/hiring.js')

/** Runs the service in several processes until it is stopped; SIGHUP replaces them one after another. */
export async function startGroup(
  config: Config,
  json: boolean,
  show: (summary: StartSummary) => void,
): Promise<VerbOutput> {
  const log = createLog(config.LOG_LEVEL, undefined, config.PROCESS_NAME ?? 'group')
  let ownPort: number | undefined
  const group = new ProcessGroup({
    program: PROGRAM,
    args: ['start', ...(json ? ['--json'] : [])],
    env: ({ name, role }) => ({
      ROLES: role,
      PROCESS_NAME: config.PROCESS_NAME === undefined ? name : `${config.PROCESS_NAME}/${name}`,
      // a port that was chosen for the first is known to all processes that serve requests; links in emails need it too
      PORT: String(role === 'api' ? config.PORT : (ownPort ?? config.PORT)),
      PROCESSES: String(config.processes),
      DATABASE_CONNECTIONS: String(config.DATABASE_CONNECTIONS),
      METRICS_PORT: '',
    }),
    shutdownSeconds: config.SHUTDOWN_SECONDS,
    log,
  })
  const stopped = untilStopSignal(['SIGTERM', 'SIGINT'])
  const interrupted = stopped.then(() => {
    throw new Interrupted()
  })
  interrupted.catch(() => {})
  // one that comes during the start has nothing to replace
  let started = false
  process.on('SIGHUP', () => started && group.replaceAll())
  let metrics: MetricsServer | undefined
  try {
    const planned = planProcesses(config)
    const first = await Promise.race([group.start(present(planned[0], 'a planned process')), interrupted])
    ownPort = first.port
    const affordable = config.PROCESSES === undefined ? first.affordable : Number.POSITIVE_INFINITY
    const chosen = planProcesses(config, affordable)
    if (chosen.length < planned.length) warnOfFewer(log, chosen.length, planned.length)
    await Promise.race([Promise.all(chosen.slice(1).map(place => group.start(place))), interrupted])
    if (config.METRICS_PORT !== undefined) {
      metrics = await serveMetrics({ config, log, publicUrl: '', metrics: groupMetrics(group) }, groupReadiness(group))
    }
    const summary = first.summary as StartSummary
    show({
      ...summary,
      metrics_url: metrics ? `http://${hostInUrl(config.METRICS_HOST)}:${metrics.port}/metrics` : null,
      pid: process.pid,
      processes: group.pids(),
    })
    started = true
    await stopped
    return { json: { stopped: true }, text: '' }
  } catch (error) {
    if (error instanceof Interrupted) return { json: { stopped: true }, text: '' }
    if (error instanceof ProcessEnded) return { json: undefined, text: '', exitCode: 1 }
    throw error
  } finally {
    await group.stop()
    await metrics?.close()
  }
}

/** Stopped while it started. */
class Interrupted extends Error {}

const warnOfFewer = (log: Log, chosen: number, planned: number) =>
  log.warn(
    { processes: chosen, planned },
    'fewer processes than cores: the database has no more connections; raise its max_connections, or lower DATABASE_CONNECTIONS',
  )

/**
 * The figures of every process, with the label `process`: added up, a counter would fall when a process is
 * replaced. They read like several instances.
 */
const groupMetrics = (group: ProcessGroup) => ({
  contentType: AggregatorRegistry.PROMETHEUS_CONTENT_TYPE,
  text: async () => {
    const replies = await group.ask('metrics')
    const labelled = replies.map(({ name, reply = [] }) =>
      reply.map(metric => ({
        ...metric,
        aggregator: 'sum',
        values: metric.values.map(value => withProcess(value, name)),
      })),
    )
    return AggregatorRegistry.aggregate(labelled as unknown as MetricObjectWithValues<MetricValue<string>>[]).metrics()
  },
})

const withProcess = (value: MetricValue<string>, name: string) => ({
  ...value,
  labels: { ...value.labels, process: name },
})

import { join } from 'node:path'
import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue } from 'prom-client'
import { type Config, hostInUrl } from '../kernel/config/config.ts'
import { type MetricsServer, serveMetrics } from '../kernel/http/metrics-server.ts'
import { ProcessEnded, ProcessGroup } from '../kernel/processes/group.ts'
import { planProcesses } from '../kernel/processes/plan.ts'
import { untilStopSignal } from '../kernel/processes/stop-signal.ts'
import type { Report } from '../kernel/services/readiness.ts'
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
  const log = createLog(config.LOG_LEVEL)
  let ownPort: number | undefined
  const group = new ProcessGroup({
    program: PROGRAM,
    args: ['start', ...(json ? ['--json'] : [])],
    env: ({ role }) => ({
      ROLES: role,
      // a port that was chosen for the first is known to all processes that serve requests; links in emails need it too
      PORT: String(role === 'api' ? config.PORT : (ownPort ?? config.PORT)),
      PROCESSES: String(Math.max(2, config.processes)),
      METRICS_PORT: '',
    }),
    shutdownSeconds: config.SHUTDOWN_SECONDS,
    log,
  })
  const stopped = untilStopSignal()
  let metrics: MetricsServer | undefined
  try {
    const planned = planProcesses(config)
    const first = await group.start(planned[0]!)
    ownPort = first.port
    const affordable = config.PROCESSES === undefined ? first.affordable : Number.POSITIVE_INFINITY
    const chosen = planProcesses(config, affordable)
    if (chosen.length < planned.length) warnOfFewer(log, chosen.length, planned.length)
    await Promise.all(chosen.slice(1).map(place => group.start(place)))
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
    process.on('SIGHUP', () => group.replaceAll())
    await stopped
    return { json: { stopped: true }, text: '' }
  } catch (error) {
    if (error instanceof ProcessEnded) return { json: undefined, text: '', exitCode: 1 }
    throw error
  } finally {
    await group.stop()
    await metrics?.close()
  }
}

const warnOfFewer = (log: Log, chosen: number, planned: number) =>
  log.warn(
    { processes: chosen, planned },
    'fewer processes than cores: the database has no more connections; raise its max_connections, or lower DATABASE_CONNECTIONS',
  )

/** Ready if every process is; a part fails if it fails in one of them. */
const groupReadiness = (group: ProcessGroup) => ({
  report: async (): Promise<Report> => {
    const replies = await group.ask('readiness')
    const reports = replies.flatMap(({ reply }) => (reply ? [reply] : []))
    const checks: Report['checks'] = { processes: reports.length === replies.length ? 'ok' : 'failing' }
    for (const report of reports) {
      for (const [name, result] of Object.entries(report.checks)) if (checks[name] !== 'failing') checks[name] = result
    }
    return { ready: checks['processes'] === 'ok' && reports.every(({ ready }) => ready), checks }
  },
})

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

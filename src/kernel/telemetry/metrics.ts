import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { clock } from '../time/clock.ts'
import type { Waiting } from '../work/queue.ts'
import { programVersion } from './program-version.ts'

const CACHE_MS = 1_000

/** Gauges of prom-client with the suffix of a counter, which `promtool check metrics` refuses; it has each without it, too. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

export interface DatabaseConnections {
  busy: number
  idle: number
  /** transactions without a connection */
  waiting: number
}

interface ReplicaFigures {
  lagSeconds: () => number
  reads: () => Readonly<Record<string, number>>
}

/**
 * Figures for operators, in Prometheus' text format. Labels are routes and classes, never handles or people. A histogram
 * costs more than ten lines for each combination of its labels, so it has few of them; routes are counted by counters.
 */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Counter({
    name: 'hiring_http_requests_total',
    help: 'API requests by endpoint and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [this.registry],
  })
  readonly #requestSeconds = new Counter({
    name: 'hiring_http_request_seconds_total',
    help: 'Total time from the headers of a request to the end of its response, by endpoint.',
    labelNames: ['method', 'route'],
    registers: [this.registry],
  })
  readonly #durations = new Histogram({
    name: 'hiring_http_request_seconds',
    help: 'Time from the headers of a request to the end of its response, by rate-limit tier.',
    labelNames: ['method', 'tier'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  })
  readonly #failures = new Counter({
    name: 'hiring_http_failures_total',
    help: 'Error responses by code of the catalogue.',
    labelNames: ['code'],
    registers: [this.registry],
  })
  readonly #units = new Counter({
    name: 'hiring_personal_data_units_total',
    help: 'Personal-data values returned.',
    registers: [this.registry],
  })
  readonly #webhookAttempts = new Counter({
    name: 'hiring_webhook_attempts_total',
    help: 'Webhook attempts by result: delivered, or the error in the delivery log.',
    labelNames: ['outcome'],
    registers: [this.registry],
  })
  readonly #notLogged = new Counter({
    name: 'hiring_request_log_dropped_total',
    help: 'API requests that are missing in the request log: its queue was full, or they could not be stored.',
    registers: [this.registry],
  })

  /** Only of a process that traces: elsewhere there is nothing to count. */
  #spans: Counter<'outcome'> | undefined

  #rendered: { at: number; text: Promise<string> } | undefined

  constructor() {
    collectDefaultMetrics({ register: this.registry })
    for (const name of MISNAMED) this.registry.removeSingleMetric(name)
    new Gauge({
      name: 'hiring_build_info',
      help: 'Always 1; the version of this process is a label.',
      labelNames: ['version'],
      registers: [this.registry],
    }).set({ version: programVersion() }, 1)
  }

  /** All figures as text, at most a second old: rendering them takes milliseconds of the event loop. */
  text(): Promise<string> {
    const now = clock.monotonic() + clock.offset()
    if (!this.#rendered || now - this.#rendered.at > CACHE_MS) {
      this.#rendered = { at: now, text: this.registry.metrics() }
    }
    return this.#rendered.text
  }

  get contentType(): string {
    return this.registry.contentType
  }

  request({ method, path: route, tier }: { method: string; path: string; tier: string }, status: number, ms: number) {
    const seconds = ms / 1000
    this.#requests.inc({ method, route, status })
    this.#requestSeconds.inc({ method, route }, seconds)
    this.#durations.observe({ method, tier }, seconds)
  }

  failure(code: string): void {
    this.#failures.inc({ code })
  }

  personalDataUnits(units: number): void {
    this.#units.inc(units)
  }

  webhookAttempt(outcome: string): void {
    this.#webhookAttempts.inc({ outcome })
  }

  requestsNotLogged(count: number): void {
    this.#notLogged.inc(count)
  }

  spans(outcome: 'sent' | 'dropped', count: number): void {
    this.#spans ??= new Counter({
      name: 'hiring_trace_spans_total',
      help: 'Spans of traces by outcome: sent to the collector, or dropped.',
      labelNames: ['outcome'],
      registers: [this.registry],
    })
    this.#spans.inc({ outcome }, count)
  }

  /** Counts what waits in each queue. A queue that cannot be read is left out: the other figures are needed most then. */
  queues(read: () => Promise<ReadonlyMap<string, Waiting>>): void {
    let reading: Promise<ReadonlyMap<string, Waiting>> | undefined
    // the two are collected at the same time and share a reading
    const shared = () => {
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    }
    const gaugeOf = (name: string, help: string, value: (waiting: Waiting) => number) => {
      const gauge: Gauge<'queue'> = new Gauge({
        name,
        help,
        labelNames: ['queue'],
        registers: [this.registry],
        collect: async () => {
          const found = await shared()
          gauge.reset()
          for (const [queue, waiting] of found) gauge.set({ queue }, value(waiting))
        },
      })
    }
    gaugeOf('hiring_queue_waiting', 'What is due in a queue; more than 10000 are not counted.', q => q.waiting)
    gaugeOf('hiring_queue_oldest_seconds', 'Since when the oldest in a queue is due.', q => q.oldest_seconds)
  }

  databaseConnections(read: () => DatabaseConnections): void {
    const gauge: Gauge<'state'> = new Gauge({
      name: 'hiring_database_connections',
      help: 'Connections for transactions by state, and transactions that wait for one.',
      labelNames: ['state'],
      registers: [this.registry],
      collect: () => {
        const { busy, idle, waiting } = read()
        gauge.set({ state: 'busy' }, busy)
        gauge.set({ state: 'idle' }, idle)
        gauge.set({ state: 'waiting' }, waiting)
      },
    })
  }

  /** The file system of DATA_DIR. One that is unavailable is NaN: the other figures are needed most then. */
  disk(read: () => Promise<{ bavail: number; blocks: number; bsize: number }>): void {
    const bytes = (blocks: 'bavail' | 'blocks') => () =>
      read().then(
        found => found[blocks] * found.bsize,
        () => Number.NaN,
      )
    this.gauge('hiring_disk_free_bytes', 'Free space of the file system of DATA_DIR.', bytes('bavail'))
    this.gauge('hiring_disk_size_bytes', 'Size of the file system of DATA_DIR.', bytes('blocks'))
  }

  replica({ lagSeconds, reads }: ReplicaFigures): void {
    this.gauge(
      'hiring_replica_lag_seconds',
      'How far the replica is behind the primary; NaN while it is not reached.',
      lagSeconds,
    )
    const counter: Counter<'server'> = new Counter({
      name: 'hiring_replica_reads_total',
      help: 'Reads that may be old, by the server that served them.',
      labelNames: ['server'],
      registers: [this.registry],
      collect: () => {
        counter.reset()
        for (const [server, count] of Object.entries(reads())) counter.inc({ server }, count)
      },
    })
  }

  /** A value that is read when metrics are collected. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        gauge.set(await read())
      },
    })
  }
}

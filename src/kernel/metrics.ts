import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Figures for operators, in Prometheus' text format. Labels are routes and classes, never handles or people. */
export class Metrics {
  readonly registry = new Registry()
  readonly #requests = new Histogram({
    name: 'hiring_http_request_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.registry],
  })
  readonly #failures = new Counter({
    name: 'hiring_http_failures_total',
    help: 'Error answers by code of the catalogue.',
    labelNames: ['code'],
    registers: [this.registry],
  })
  readonly #units = new Counter({
    name: 'hiring_personal_data_units_total',
    help: 'Personal-data values that left the service.',
    registers: [this.registry],
  })
  readonly #webhookAttempts = new Counter({
    name: 'hiring_webhook_attempts_total',
    help: 'Attempts to send a webhook, by how they ended: delivered, or the error of the delivery log.',
    labelNames: ['outcome'],
    registers: [this.registry],
  })

  constructor() {
    collectDefaultMetrics({ register: this.registry })
  }

  request(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe({ method, route, status }, seconds)
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

  /** A figure that is read when it is asked for. */
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

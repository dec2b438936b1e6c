import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { present } from '../errors/present.ts'
import { clock } from '../time/clock.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import { type Attributes, type NewSpan, SPAN_KINDS, type Span, type SpanContext, type Tracer } from './trace.ts'

/** Spans that wait to be sent; beyond it they are dropped and counted. */
const MAX_WAITING = 4_096
const BATCH = 512
const FLUSH_MS = 1_000
const EXPORT_MS = 10_000
/** For the last batch of a process that stops. */
const LAST_EXPORT_MS = 2_000
/** Traces in a second that callers may demand with the sampled flag beyond what the sampler chooses. */
const DEMANDED_PER_SECOND = 10
/** Events whose request is known to this process. */
const MAX_CAUSES = 10_000
const SPANS_PER_TRACE = 1_000
const LONGEST_TEXT = 1_000

interface Running {
  context: SpanContext
  /** spans of this trace in this process, so that one that never ends does not fill the queue */
  count: { spans: number }
}

/**
 * Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON. Nothing waits for the collector: spans are queued
 * and sent in batches, one at a time, and dropped where the queue is full or the collector does not take them.
 */
export class OtlpTracer implements Tracer {
  readonly #spans = new AsyncLocalStorage<Running>()
  readonly #causes = new Map<string, SpanContext>()
  readonly #settings: Config
  readonly #metrics: Metrics
  readonly #log: Log
  readonly #url: string
  readonly #timer: NodeJS.Timeout
  /** the time at which the monotonic clock began */
  readonly #epochMs = clock.now() - clock.monotonic()
  #waiting: object[] = []
  #sending: Promise<void> | undefined
  #failing = false
  #demanded = { second: 0, count: 0 }

  constructor(settings: Config, metrics: Metrics, log: Log) {
    this.#settings = settings
    this.#metrics = metrics
    this.#log = log
    const endpoint = present(settings.OTEL_EXPORTER_OTLP_ENDPOINT, 'OTEL_EXPORTER_OTLP_ENDPOINT')
    this.#url = `${endpoint.replace(/\/$/, '')}/v1/traces`
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS).unref()
  }

  async run<T>(span: NewSpan, work: (span: Span) => Promise<T>): Promise<T> {
    const outer = span.parent === undefined ? this.#spans.getStore() : undefined
    const parent = outer?.context ?? (span.parent === 'none' ? undefined : span.parent)
    const traceId = parent?.traceId ?? randomBytes(16).toString('hex')
    const sampled = outer ? outer.context.sampled : this.#samples(traceId, parent, span)
    const context: SpanContext = { traceId, spanId: randomBytes(8).toString('hex'), sampled }
    const running: Running = { context, count: outer?.count ?? { spans: 0 } }
    const attributes: Record<string, string | number | undefined> = { ...span.attributes }
    let failure: string | undefined
    const handle: Span = {
      context,
      set: more => void Object.assign(attributes, more),
      fail: code => {
        failure = code
      },
    }
    const startedAt = clock.monotonic()
    try {
      return await this.#spans.run(running, () => work(handle))
    } catch (error) {
      failure ??= error instanceof Error ? error.name : 'error'
      throw error
    } finally {
      const { name, kind } = span
      this.#record(running, { name, kind, context, parentId: parent?.spanId, attributes, startedAt, failure })
    }
  }

  ended(name: string, attributes: Attributes, startedAt: number): void {
    const running = this.#spans.getStore()
    if (!running) return
    const { traceId, sampled, spanId: parentId } = running.context
    const context = { traceId, sampled, spanId: randomBytes(8).toString('hex') }
    this.#record(running, { name, kind: 'client', context, parentId, attributes, startedAt, failure: undefined })
  }

  current(): SpanContext | undefined {
    return this.#spans.getStore()?.context
  }

  caused(eventIds: readonly string[]): void {
    const context = this.current()
    if (!context?.sampled) return
    for (const id of eventIds) this.#causes.set(id, context)
    // the oldest first: a Map keeps the order of insertion
    for (const id of this.#causes.keys()) {
      if (this.#causes.size <= MAX_CAUSES) break
      this.#causes.delete(id)
    }
  }

  causeOf(eventId: string): SpanContext | undefined {
    return this.#causes.get(eventId)
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    const late = new Promise(resolve => setTimeout(resolve, LAST_EXPORT_MS).unref())
    await Promise.race([this.#sendAll(), late])
  }

  /** As OTEL_TRACES_SAMPLER says; `parentbased_…`: as the parent, and for a caller's only a few each second. */
  #samples(traceId: string, parent: SpanContext | undefined, { foreign = false }: NewSpan): boolean {
    const { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: share } = this.#settings
    if (parent && sampler.startsWith('parentbased_')) {
      if (!parent.sampled) return false
      if (!foreign) return true
      return this.#chosen(sampler, traceId, share) || this.#mayDemand()
    }
    return this.#chosen(sampler, traceId, share)
  }

  #chosen(sampler: string, traceId: string, share: number): boolean {
    if (sampler.endsWith('always_on')) return true
    if (sampler.endsWith('always_off')) return false
    // the last 7 bytes are random in every trace id, so processes agree
    return Number.parseInt(traceId.slice(18), 16) < share * 2 ** 56
  }

  #mayDemand(): boolean {
    const second = Math.floor(clock.monotonic() / 1_000)
    if (this.#demanded.second !== second) this.#demanded = { second, count: 0 }
    return ++this.#demanded.count <= DEMANDED_PER_SECOND
  }

  #record(running: Running, span: Ended): void {
    if (!span.context.sampled) return
    if (++running.count.spans > SPANS_PER_TRACE || this.#waiting.length >= MAX_WAITING) {
      this.#metrics.spans('dropped', 1)
      return
    }
    this.#waiting.push(toOtlp(span, this.#epochMs))
    if (this.#waiting.length >= BATCH) this.#flush()
  }

  #flush(): void {
    if (this.#waiting.length > 0 && !this.#sending) void this.#sendAll()
  }

  /** One batch after the other; those who call while it runs wait for the same end. */
  #sendAll(): Promise<void> {
    this.#sending ??= (async () => {
      while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, BATCH))
    })().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #send(spans: object[]): Promise<void> {
    const { OTEL_SERVICE_NAME: name, OTEL_EXPORTER_OTLP_HEADERS: headers } = this.#settings
    const resource = { attributes: toAttributes({ 'service.name': name }) }
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'hiring' }, spans }] }] })
    try {
      const response = await fetch(this.#url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
        redirect: 'error',
        signal: AbortSignal.timeout(EXPORT_MS),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`the collector responded with ${response.status}`)
      this.#metrics.spans('sent', spans.length)
      this.#failing = false
    } catch (error) {
      this.#metrics.spans('dropped', spans.length)
      // once for each outage: a collector that is unavailable would otherwise fill the log
      if (!this.#failing) this.#log.warn({ err: error }, 'traces could not be sent')
      this.#failing = true
    }
  }
}

interface Ended {
  name: string
  kind: NewSpan['kind']
  context: SpanContext
  parentId: string | undefined
  attributes: Attributes
  startedAt: number
  failure: string | undefined
}

const STATUS_ERROR = 2

function toOtlp({ name, kind, context, parentId, attributes, startedAt, failure }: Ended, epochMs: number): object {
  const nanoseconds = (monotonicMs: number) => String(BigInt(Math.round((epochMs + monotonicMs) * 1_000)) * 1_000n)
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentId ? { parentSpanId: parentId } : {}),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(clock.monotonic()),
    attributes: toAttributes(attributes),
    status: failure === undefined ? {} : { code: STATUS_ERROR, message: failure },
  }
}

const toAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined || value === '') return []
    return [
      {
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value.slice(0, LONGEST_TEXT) },
      },
    ]
  })

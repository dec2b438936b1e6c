import { statementText } from './statement-text.ts'

/**
 * Traces of OpenTelemetry, for the code that is traced. Without OTEL_EXPORTER_OTLP_ENDPOINT there is no tracer: each of these
 * functions then costs a comparison, and nothing else is loaded.
 *
 * Attributes are chosen one by one where a span begins: route, status, code, handles of workspace, request, event and
 * delivery, the text of a statement. Never a path, a query string, a header, a body or a value of a statement.
 */
export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Where a span belongs: W3C Trace Context. */
export interface SpanContext {
  traceId: string
  spanId: string
  sampled: boolean
}

export interface Span {
  readonly context: SpanContext
  /** Adds attributes. */
  set(attributes: Attributes): void
  /** Marks the span as failed; the text is a code of ours, never a message. */
  fail(code: string): void
}

/** The numbers of OTLP. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const

export interface NewSpan {
  name: string
  kind: keyof typeof SPAN_KINDS
  attributes?: Attributes
  /** `none`: begins a trace. Without it, the span that runs now, or none if none runs. */
  parent?: SpanContext | 'none'
  /** the parent comes from a caller, who may not decide how much is recorded */
  foreign?: boolean
}

export interface Tracer {
  run<T>(span: NewSpan, work: (span: Span) => Promise<T>): Promise<T>
  /** A part of the span that runs now, which began at `startedAt` (`clock.monotonic()`) and has just ended. */
  ended(name: string, attributes: Attributes, startedAt: number): void
  current(): SpanContext | undefined
  /** Events that the span that runs now has caused, for the spans of their deliveries in the same process. */
  caused(eventIds: readonly string[]): void
  causeOf(eventId: string): SpanContext | undefined
  close(): Promise<void>
}

let tracer: Tracer | undefined

/** One for the process, like the log. */
export const setTracer = (next: Tracer | undefined): void => {
  tracer = next
}

export const isTracing = (): boolean => tracer !== undefined

const UNTRACED: Span = {
  context: { traceId: '', spanId: '', sampled: false },
  set: () => {},
  fail: () => {},
}

export const traced = <T>(span: () => NewSpan, work: (span: Span) => Promise<T>): Promise<T> =>
  tracer ? tracer.run(span(), work) : work(UNTRACED)

export const traceStatement = (text: string, startedAt: number): void => {
  if (!tracer?.current()) return
  const statement = statementText(text)
  const operation = statement.slice(0, statement.search(/\W|$/)).toUpperCase()
  tracer.ended(`postgresql ${operation}`, { 'db.system.name': 'postgresql', 'db.query.text': statement }, startedAt)
}

/** In every line of the log that is written inside a span. */
export const traceOfLine = (): object => {
  const context = tracer?.current()
  return context ? { trace_id: context.traceId } : {}
}

export const traceCaused = (eventIds: readonly string[]): void => tracer?.caused(eventIds)
export const traceCauseOf = (eventId: string): SpanContext | undefined => tracer?.causeOf(eventId)

/** `00-<trace id>-<span id>-<flags>`; undefined for anything else, also for a later version that says something else. */
export function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  if (typeof header !== 'string') return undefined
  const [, traceId, spanId, flags = ''] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header.trim()) ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

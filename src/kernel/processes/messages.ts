import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { ReadinessReport } from '../services/readiness.ts'

/** A process of the group knows this when it is ready. */
export interface ReadyFacts {
  /** undefined when it serves no requests */
  port: number | undefined
  /** how many processes of this size the database has connections for */
  affordable: number
  /** what the command says of the start */
  summary: unknown
}

/** The questions of the group to its processes, and their replies. */
export interface Questions {
  readiness: ReadinessReport
  metrics: MetricObjectWithValues<MetricValue<string>>[]
}

export interface ToProcess {
  question: keyof Questions
  id: number
}

export type FromProcess = { ready: ReadyFacts } | { id: number; reply: unknown } | { id: number; failed: true }

import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Report } from '../services/readiness.ts'

/** What a process of the group knows when it is ready. */
export interface ReadyFacts {
  /** undefined when it serves no requests */
  port: number | undefined
  /** how many processes of this size the database has connections for */
  affordable: number
  /** what the command says of the start */
  summary: unknown
}

/** What the group asks its processes, and what they reply. */
export interface Questions {
  readiness: Report
  metrics: MetricObjectWithValues<MetricValue<string>>[]
}

export interface ToProcess {
  question: keyof Questions
  id: number
}

export type FromProcess = { ready: ReadyFacts } | { id: number; reply: unknown } | { id: number; failed: true }

import type { Log } from '../telemetry/log.ts'
import { statementText } from '../telemetry/statement-text.ts'
import { traceStatement } from '../telemetry/trace.ts'
import { clock } from '../time/clock.ts'

/** Enough to know a statement again. */
const LONGEST_TEXT = 600

/**
 * Traces statements, and logs those that took long: their text, never their values. The time is the caller's: it includes
 * waiting for a lock and for statements that were sent before on the same connection.
 */
export class SlowStatements {
  readonly #log: Log
  readonly #limitMs: number

  /** `limitMs` 0: none is logged. */
  constructor(log: Log, limitMs: number) {
    this.#log = log
    this.#limitMs = limitMs === 0 ? Number.POSITIVE_INFINITY : limitMs
  }

  /** To be called when the statement that was sent at `startedAt` (`clock.monotonic()`) has ended. */
  ended(text: string, startedAt: number): void {
    traceStatement(text, startedAt)
    const ms = clock.monotonic() - startedAt
    if (ms < this.#limitMs) return
    const statement = statementText(text).slice(0, LONGEST_TEXT)
    this.#log.warn({ ms: Math.round(ms), statement }, 'slow statement')
  }
}

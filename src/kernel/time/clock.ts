/**
 * Time. The process's clock is used for log lines, timers and durations only; whatever decides something (expiry,
 * budgets, windows) uses the database's `app_now()`. Both carry the same offset, which tests move.
 */
let offsetMs = 0

export const clock = {
  /** milliseconds since the epoch */
  now: (): number => Date.now() + offsetMs,
  iso: (): string => new Date(Date.now() + offsetMs).toISOString(),
  /** for durations: never goes backwards */
  monotonic: (): number => performance.now(),
  offset: (): number => offsetMs,
  /** Moves time for this process and, at their next use, for all its database connections. */
  advance(ms: number): void {
    offsetMs += ms
  },
  reset(): void {
    offsetMs = 0
  },
}

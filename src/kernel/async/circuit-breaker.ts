import { clock } from '../time/clock.ts'

/** Failed too often of late: nothing was tried. */
export class CircuitOpenError extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number, lastFailure: string) {
    super(lastFailure)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface BreakerSizes {
  /** so many failures in a row open it */
  failures: number
  openMs: number
}

/**
 * Calls to something that may be down or slow, where each failure costs a timeout. After some failures in a row it is open:
 * calls fail immediately. When its time is over, one call is let through; if it succeeds, all are again.
 */
export class CircuitBreaker {
  readonly #sizes: BreakerSizes
  #failures = 0
  #openUntil = 0
  #trying = false
  #lastFailure = ''

  constructor(sizes: BreakerSizes) {
    this.#sizes = sizes
  }

  /** Throws CircuitOpenError while calls fail immediately. */
  assertClosed(): void {
    const left = this.#openUntil - clock.monotonic()
    if (this.#isTripped && (left > 0 || this.#trying)) {
      throw new CircuitOpenError(Math.max(1, Math.ceil(left / 1000)), this.#lastFailure)
    }
  }

  get #isTripped(): boolean {
    return this.#failures >= this.#sizes.failures
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.assertClosed()
    const isTrial = this.#isTripped
    this.#trying = isTrial
    try {
      const result = await work()
      this.#failures = 0
      return result
    } catch (error) {
      this.#failures++
      this.#lastFailure = error instanceof Error ? error.message : String(error)
      this.#openUntil = clock.monotonic() + this.#sizes.openMs
      throw error
    } finally {
      if (isTrial) this.#trying = false
    }
  }
}

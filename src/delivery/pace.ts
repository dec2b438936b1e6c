import { clock } from '../kernel/time/clock.ts'

/**
 * One claim serves many attempts that ended: the next follows when half of those in flight have ended, or after this time.
 * After a claim that reached its limit it follows immediately.
 */
export const CLAIM_EVERY_MS = 5

/** Decides when the next claim follows: not for each attempt that ended, and yet before the capacity is idle. */
export class ClaimPace {
  readonly #wake: () => void
  #timer: NodeJS.Timeout | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #hasFound = false
  /** attempts that ended since the last claim began, and how many are to end before the next; none while it runs */
  #ended = 0
  #enough = Number.POSITIVE_INFINITY

  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** A claim begins. */
  begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#begunAt = clock.monotonic()
    this.#ended = 0
    this.#enough = Number.POSITIVE_INFINITY
  }

  /** It ended, with so many deliveries. */
  end(count: number, inFlight: number): void {
    this.#hasFound = count > 0
    this.#enough = Math.ceil(inFlight / 2)
    if (this.#ended > 0) this.#check()
  }

  readonly ended = (): void => {
    this.#ended++
    this.#check()
  }

  /** Deliveries were queued in this process. */
  readonly queued = (): void => {
    if (this.#hasFound) this.#wakeLater()
    else this.#wake()
  }

  #check(): void {
    if (this.#ended >= this.#enough) this.#wake()
    else this.#wakeLater()
  }

  #wakeLater(): void {
    const waitMs = this.#begunAt + CLAIM_EVERY_MS - clock.monotonic()
    if (waitMs <= 0) this.#wake()
    else this.#timer ??= setTimeout(this.#wake, waitMs)
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

import { setTimeout as delay } from 'node:timers/promises'

/** Waits, or returns immediately when the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, signal && { signal }).catch(() => {}) // the only failure is the abort, which the caller sees itself
}

/**
 * A wait that can be ended early. A wake that comes between `rearm` and `pause` is not lost: the pause then ends immediately.
 */
export class Wakeable {
  #wake = new AbortController()
  readonly #signal: AbortSignal
  readonly wake = (): void => {
    // an abort makes an error with a stack, also of what is aborted already
    if (!this.#wake.signal.aborted) this.#wake.abort()
  }

  constructor(signal: AbortSignal) {
    this.#signal = signal
    signal.addEventListener('abort', this.wake)
  }

  rearm(): void {
    if (this.#wake.signal.aborted && !this.#signal.aborted) this.#wake = new AbortController()
  }

  pause(ms: number): Promise<void> {
    return pause(ms, this.#wake.signal)
  }

  close(): void {
    this.#signal.removeEventListener('abort', this.wake)
  }
}

/**
 * Reads that are shown immediately while they are read again: for back navigation, and for what is read ahead. In memory
 * alone; beyond `max`, the oldest one is dropped.
 */
export class ReadCache<T> {
  readonly #entries = new Map<string, { value: T; readAt: number }>()
  readonly #max: number
  readonly #freshMs: number

  constructor(max: number, freshMs = Number.POSITIVE_INFINITY) {
    this.#max = max
    this.#freshMs = freshMs
  }

  /** Undefined where it was not read, or is too old to be shown. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key)
    return entry && performance.now() - entry.readAt < this.#freshMs ? entry.value : undefined
  }

  set(key: string, value: T): void {
    this.#entries.delete(key)
    this.#entries.set(key, { value, readAt: performance.now() })
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size > this.#max) this.#entries.delete(oldest)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  clear(): void {
    this.#entries.clear()
  }
}

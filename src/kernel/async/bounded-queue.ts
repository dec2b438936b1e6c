/** The queue is full, or the work waited for too long: the caller may retry later. */
export class QueueFullError extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('the queue is full')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface QueueSizes {
  /** tasks that run at the same time */
  concurrency: number
  /** how many may wait; one caller may have half of them at most, so that it cannot fill the queue alone */
  capacity: number
  /** the longest wait: a result that comes later is of no use */
  timeoutMs: number
  retryAfterSeconds: number
}

/** Without `from` only the capacity of the whole queue counts. */
interface Caller {
  from?: string
  known?: boolean
}

interface Waiting {
  from: string | undefined
  begin: () => void
}

/**
 * Runs expensive work, a few tasks at a time, first come first served. Callers that are marked `known`, because they
 * were admitted before, wait in a queue of their own with the same capacity, which is served first: many unknown callers
 * cannot keep them out.
 */
export class BoundedQueue {
  readonly #sizes: QueueSizes
  readonly #known: Waiting[] = []
  readonly #unknown: Waiting[] = []
  #running = 0

  constructor(sizes: QueueSizes) {
    this.#sizes = sizes
  }

  /** Throws QueueFullError before any work has begun. */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    await this.#acquire(caller)
    try {
      return await work()
    } finally {
      const next = this.#known.shift() ?? this.#unknown.shift()
      // the next one takes over the slot, so that no other caller can take it in between
      if (next) next.begin()
      else this.#running--
    }
  }

  async #acquire({ from, known = false }: Caller): Promise<void> {
    const { concurrency, capacity, timeoutMs, retryAfterSeconds } = this.#sizes
    if (this.#running < concurrency) {
      this.#running++
      return
    }
    const queue = known ? this.#known : this.#unknown
    const own = from === undefined ? 0 : queue.reduce((count, waiting) => count + (waiting.from === from ? 1 : 0), 0)
    if (queue.length >= capacity || own >= capacity / 2) throw new QueueFullError(retryAfterSeconds)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { from, begin: resolve }
    queue.push(waiting)
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiting), 1)
      reject(new QueueFullError(retryAfterSeconds))
    }, timeoutMs)
    // work that is begun starts in the same tick, before the timer can fire
    await promise.finally(() => clearTimeout(timer))
  }
}

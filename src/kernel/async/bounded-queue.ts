/** The line is full: whoever asked comes back later. */
export class QueueFullError extends Error {
  readonly retryAfterSeconds: number
  constructor(retryAfterSeconds: number) {
    super('too many wait already')
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface QueueSizes {
  /** pieces of work that run at the same time */
  concurrency: number
  /** how many may wait besides; of them one caller has half the places at most, so that nobody fills the line alone */
  capacity: number
  /** how long anybody waits: work that came too late serves nobody */
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
 * Expensive work, a few pieces at a time, first come first served. Callers who were let in before (`known`) stand in a
 * line of their own, of the same length, which is served first: a crowd of strangers does not keep them out.
 */
export class BoundedQueue {
  readonly #sizes: QueueSizes
  readonly #known: Waiting[] = []
  readonly #strangers: Waiting[] = []
  #running = 0

  constructor(sizes: QueueSizes) {
    this.#sizes = sizes
  }

  /** Throws QueueFullError before anything has begun. */
  async run<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    await this.#acquire(caller)
    try {
      return await work()
    } finally {
      const next = this.#known.shift() ?? this.#strangers.shift()
      // who is next takes the place over: in between nobody else can
      if (next) next.begin()
      else this.#running--
    }
  }

  async #acquire({ from, known = false }: Caller): Promise<void> {
    const { concurrency: atOnce, capacity: places, timeoutMs: patienceMs, retryAfterSeconds } = this.#sizes
    if (this.#running < atOnce) {
      this.#running++
      return
    }
    const line = known ? this.#known : this.#strangers
    const own = from === undefined ? 0 : line.reduce((count, waiting) => count + (waiting.from === from ? 1 : 0), 0)
    if (line.length >= places || own >= places / 2) throw new QueueFullError(retryAfterSeconds)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { from, begin: resolve }
    line.push(waiting)
    const givenUp = setTimeout(() => {
      line.splice(line.indexOf(waiting), 1)
      reject(new QueueFullError(retryAfterSeconds))
    }, patienceMs)
    // whoever is called begins in this very turn, before the timer could run
    await promise.finally(() => clearTimeout(givenUp))
  }
}

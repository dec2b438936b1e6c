import { present } from '../errors/present.ts'
import { QueueFullError } from './bounded-queue.ts'

interface TurnSizes {
  /** tasks that run at the same time, of one caller one */
  concurrency: number
  /** how many of one caller may wait */
  capacity: number
  retryAfterSeconds: number
}

/**
 * Runs expensive work, a few tasks at a time. Callers take turns, and one of them never has more than one task running: who
 * has much to do delays another by one task at most, and by none while there are fewer such callers than tasks that run.
 */
export class TurnQueue {
  readonly #sizes: TurnSizes
  /** by caller, in the order of their turns */
  readonly #waiting = new Map<string, (() => void)[]>()
  readonly #running = new Set<string>()

  constructor(sizes: TurnSizes) {
    this.#sizes = sizes
  }

  /** Throws QueueFullError before any work has begun. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.#turn(caller)
    try {
      return await work()
    } finally {
      this.#running.delete(caller)
      this.#beginNext()
    }
  }

  #turn(caller: string): Promise<void> {
    const own = this.#waiting.get(caller) ?? []
    if (own.length >= this.#sizes.capacity) throw new QueueFullError(this.#sizes.retryAfterSeconds)
    const { promise, resolve } = Promise.withResolvers<void>()
    own.push(resolve)
    this.#waiting.set(caller, own)
    this.#beginNext()
    return promise
  }

  #beginNext(): void {
    if (this.#running.size >= this.#sizes.concurrency) return
    for (const [caller, tasks] of this.#waiting) {
      if (this.#running.has(caller)) continue
      this.#running.add(caller)
      // the next task of this caller comes after those of the others
      this.#waiting.delete(caller)
      const begin = present(tasks.shift(), 'a task')
      if (tasks.length > 0) this.#waiting.set(caller, tasks)
      begin()
      return
    }
  }
}

import { DatastoreUnavailable } from '../db/database.ts'
import type { Log } from '../telemetry/log.ts'
import { clock } from '../time/clock.ts'
import { pause } from '../time/pause.ts'

/**
 * A background loop. The contract between a worker and the supervisor:
 *
 * - A worker is made from the services it needs, `(services: Pick<Services, …>): Worker`, and does nothing before `run`.
 * - `run` blocks until `signal` is aborted: it does what is due, pauses (interrupted by the signal or by a wake-up), and
 *   looks again. It then ends what is in flight, releases what it claimed and returns.
 * - `run` throws when it cannot continue. The supervisor logs the error, waits and calls `run` again, so no state that
 *   matters is kept between calls: what is due is in the database. Returning before the signal counts as a failure.
 * - Every process may run every worker. Claims, leases and locks in the database divide the work.
 *
 * The work itself (claims, statements, rules) belongs to the slice or to the kernel; a file in `workers/` is the loop.
 */
export interface Worker {
  /** in logs and in the health of the process */
  name: string
  run(signal: AbortSignal): Promise<void>
}

export interface WorkerHealth {
  name: string
  running: boolean
  restarts: number
  lastError: string | null
}

const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 5_000
/** Work that only waits for the database continues soon after it is back, or another server was promoted. */
const DATABASE_BACKOFF_MS = 1_000
/** A run this long was healthy: the next failure starts from the shortest wait again. */
const HEALTHY_AFTER_MS = 30_000

/** Owns the life of every loop: starts it, restarts it when it fails, stops it and waits for its end. */
export class Supervisor {
  readonly #abort = new AbortController()
  readonly #running: Promise<void>[] = []
  readonly #health: WorkerHealth[] = []
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  start(worker: Worker): void {
    const health: WorkerHealth = { name: worker.name, running: true, restarts: 0, lastError: null }
    this.#health.push(health)
    this.#running.push(this.#keepRunning(worker, health))
  }

  health(): readonly WorkerHealth[] {
    return this.#health
  }

  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all(this.#running)
  }

  async #keepRunning(worker: Worker, health: WorkerHealth): Promise<void> {
    const { signal } = this.#abort
    let backoff = FIRST_BACKOFF_MS
    while (!signal.aborted) {
      const startedAt = clock.monotonic()
      health.running = true
      try {
        await worker.run(signal)
        if (!signal.aborted) throw new Error('returned before it was stopped')
      } catch (error) {
        if (signal.aborted) break
        if (clock.monotonic() - startedAt > HEALTHY_AFTER_MS) backoff = FIRST_BACKOFF_MS
        health.running = false
        health.restarts++
        health.lastError = error instanceof Error ? error.message : String(error)
        if (error instanceof DatastoreUnavailable) backoff = Math.min(backoff, DATABASE_BACKOFF_MS)
        this.#log.warn({ worker: worker.name, err: error, retryInMs: backoff }, 'worker failed, restarting')
        await pause(backoff, signal)
        backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)
      }
    }
    health.running = false
  }
}

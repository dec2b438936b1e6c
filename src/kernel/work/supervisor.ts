import { clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { pause } from './pause.ts'

/** A loop that runs until it is told to stop. */
export interface Worker {
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
/** A run this long was healthy: the next failure starts from the shortest wait again. */
const HEALTHY_AFTER_MS = 30_000

/** Owns the life of every loop: starts it, starts it again when it fails, stops it and waits for its end. */
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
        if (!signal.aborted) throw new Error('returned without being told to')
      } catch (error) {
        if (signal.aborted) break
        if (clock.monotonic() - startedAt > HEALTHY_AFTER_MS) backoff = FIRST_BACKOFF_MS
        health.running = false
        health.restarts++
        health.lastError = error instanceof Error ? error.message : String(error)
        this.#log.warn({ worker: worker.name, err: error, retryInMs: backoff }, 'worker failed, starting it again')
        await pause(backoff, signal)
        backoff = Math.min(backoff * 2, LONGEST_BACKOFF_MS)
      }
    }
    health.running = false
  }
}

/**
 * Wakes a loop of this process when another part of the process has created work for it. Work of other processes is
 * found by polling: a NOTIFY in each writer would halve the commit rate of the database.
 */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /** bound, so that it can be passed to `afterCommit` */
  readonly raise = (): void => {
    for (const listener of this.#listeners) listener()
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** events were committed and wait for their sequence */
export const appended = new Signal()

/** deliveries were committed and wait to be sent */
export const deliveriesQueued = new Signal()

/**
 * Wakes a loop of this process when another part of the process has created work for it. Work of other processes is
 * found by polling, or after a notification that is sent outside of the transactions that write (notify-leader.ts).
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

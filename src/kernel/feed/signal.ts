/**
 * Wakes a loop of this process when another part of it has made work for it. What other processes do is found by
 * polling: a NOTIFY in each writer would halve what the database can commit.
 */
export class Signal {
  readonly #listeners = new Set<() => void>()

  /** bound, so that it can be handed to `afterCommit` */
  readonly raise = (): void => {
    for (const listener of this.#listeners) listener()
  }

  on(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** events were committed and wait for their place in the feed */
export const appended = new Signal()

/** deliveries were committed and wait to be sent */
export const deliveriesQueued = new Signal()

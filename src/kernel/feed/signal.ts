/**
 * Wakes a loop of this process when another part of the process has created work for it. Work of other processes is
 * found by polling, or after a notification that is sent outside of the transactions that write (notify-leader.ts).
 */
export class Signal<About = void> {
  readonly #listeners = new Set<(about: About) => void>()

  /** bound, so that it can be passed to `afterCommit` */
  readonly raise = (about: About): void => {
    for (const listener of this.#listeners) listener(about)
  }

  on(listener: (about: About) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** events of these workspaces, null for those of none, were committed and wait for their sequence */
export const appended = new Signal<readonly (string | null)[]>()

/** deliveries were committed and wait to be sent */
export const deliveriesQueued = new Signal()

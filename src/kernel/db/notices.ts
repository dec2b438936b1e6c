import type pg from 'pg'

/**
 * A trigger can ask the process that commits to wait: it raises a notice with an SQLSTATE of ours. So no statement that
 * fires the trigger can leave the wait out.
 */
export class Notices {
  readonly #code: string
  readonly #wait: (detail: string) => Promise<void>
  readonly #received = new WeakMap<pg.ClientBase, string[]>()
  /** Statements in one pipeline: the first that has ended may take the notice of the next one, and both must wait. */
  readonly #waiting = new WeakMap<pg.ClientBase, Promise<void>>()

  /** A transaction in which the notice was raised has ended only when `wait` has returned. */
  constructor(code: string, wait: (detail: string) => Promise<void>) {
    this.#code = code
    this.#wait = wait
  }

  watch(client: pg.ClientBase): void {
    client.on('notice', ({ code, detail }) => {
      if (code !== this.#code) return
      const received = this.#received.get(client)
      if (received) received.push(detail ?? '')
      else this.#received.set(client, [detail ?? ''])
    })
  }

  /** Drops what an attempt left behind that was rolled back. */
  clear(client: pg.ClientBase): void {
    this.#received.delete(client)
  }

  /** After a commit. Costs two lookups where nothing was raised. */
  settle(client: pg.ClientBase): Promise<void> | undefined {
    const received = this.#received.get(client)
    if (!received) return this.#waiting.get(client)
    this.#received.delete(client)
    const settled = Promise.all([this.#waiting.get(client), ...received.map(this.#wait)]).then(() => {})
    this.#waiting.set(client, settled)
    const end = () => {
      if (this.#waiting.get(client) === settled) this.#waiting.delete(client)
    }
    settled.then(end, end)
    return settled
  }
}

import type { HandedOver } from '../kernel/feed/hand-over.ts'

/** A delivery that waits for its turn, and when it was offered to be leased. */
export interface Queued extends HandedOver {
  offeredAt: number
}

/** Deliveries that are leased to the sender and whose attempts have not begun, by endpoint. */
export class HandedOverQueue {
  readonly #byEndpoint = new Map<string, Queued[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(deliveries: readonly Queued[]): void {
    for (const delivery of deliveries) {
      const queue = this.#byEndpoint.get(delivery.endpoint_id)
      if (queue) queue.push(delivery)
      else this.#byEndpoint.set(delivery.endpoint_id, [delivery])
    }
    this.#size += deliveries.length
  }

  /** Puts deliveries that were taken back to the front, in their order. */
  putBack(taken: readonly Queued[]): void {
    for (const delivery of taken.toReversed()) {
      const queue = this.#byEndpoint.get(delivery.endpoint_id)
      if (queue) queue.unshift(delivery)
      else this.#byEndpoint.set(delivery.endpoint_id, [delivery])
    }
    this.#size += taken.length
  }

  /**
   * Takes the oldest, the first of every endpoint before the second of any, and of an endpoint as many as are allowed now.
   * The next call begins with the endpoints that got the fewest.
   */
  take(most: number, allowedOf: (endpoint: string) => number): Queued[] {
    let turns = [...this.#byEndpoint].map(([endpoint, queue]) => {
      return { endpoint, queue, taken: 0, most: Math.min(queue.length, allowedOf(endpoint)) }
    })
    const taken: Queued[] = []
    while (turns.length > 0 && taken.length < most) {
      turns = turns.filter(turn => turn.taken < turn.most)
      for (const turn of turns) {
        if (taken.length >= most) break
        taken.push(turn.queue[turn.taken++]!)
        this.#byEndpoint.delete(turn.endpoint)
        this.#byEndpoint.set(turn.endpoint, turn.queue)
      }
    }
    for (const { endpoint_id } of taken) this.#byEndpoint.get(endpoint_id)!.shift()
    this.#forgetEmpty(taken.length)
    return taken
  }

  /** Takes those that were offered before this time. */
  takeOffered(before: number): Queued[] {
    const taken: Queued[] = []
    for (const queue of this.#byEndpoint.values()) {
      const later = queue.findIndex(({ offeredAt }) => offeredAt >= before)
      taken.push(...queue.splice(0, later < 0 ? queue.length : later))
    }
    this.#forgetEmpty(taken.length)
    return taken
  }

  #forgetEmpty(taken: number): void {
    for (const [endpoint, { length }] of this.#byEndpoint) if (length === 0) this.#byEndpoint.delete(endpoint)
    this.#size -= taken
  }
}

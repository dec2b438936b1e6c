import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { LeasedDelivery } from './states.ts'

/** Deliveries that are leased to the sender and whose attempts have not begun, by endpoint. */
export class HandedOverQueue {
  readonly #byEndpoint = new Map<string, LeasedDelivery[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(deliveries: readonly LeasedDelivery[]): void {
    for (const delivery of deliveries) this.#queueOf(delivery).push(delivery)
    this.#size += deliveries.length
  }

  /** Puts deliveries that were taken back to the front, in their order. */
  putBack(taken: readonly LeasedDelivery[]): void {
    for (const delivery of taken.toReversed()) this.#queueOf(delivery).unshift(delivery)
    this.#size += taken.length
  }

  /**
   * Takes the oldest, the first of every endpoint before the second of any, and of an endpoint as many as are allowed now.
   * The next call begins with the endpoints that got the fewest.
   */
  take(most: number, allowedOf: (endpoint: string) => number): LeasedDelivery[] {
    let queues = [...this.#byEndpoint].map(([endpoint, queue]) => {
      return { endpoint, queue, taken: 0, most: Math.min(queue.length, allowedOf(endpoint)) }
    })
    const taken: LeasedDelivery[] = []
    while (queues.length > 0 && taken.length < most) {
      queues = queues.filter(next => next.taken < next.most)
      for (const next of queues) {
        if (taken.length >= most) break
        taken.push(next.queue[next.taken++]!)
        this.#byEndpoint.delete(next.endpoint)
        this.#byEndpoint.set(next.endpoint, next.queue)
      }
    }
    for (const { endpoint_id } of taken) this.#byEndpoint.get(endpoint_id)?.shift()
    this.#forgetEmpty(taken.length)
    return taken
  }

  /** Takes those that were offered before this time. */
  takeOffered(before: number): LeasedDelivery[] {
    const taken: LeasedDelivery[] = []
    for (const queue of this.#byEndpoint.values()) {
      const later = queue.findIndex(({ offeredAt }) => offeredAt >= before)
      taken.push(...queue.splice(0, later < 0 ? queue.length : later))
    }
    this.#forgetEmpty(taken.length)
    return taken
  }

  #queueOf({ endpoint_id }: LeasedDelivery): LeasedDelivery[] {
    return getOrCreate(this.#byEndpoint, endpoint_id, () => [])
  }

  #forgetEmpty(taken: number): void {
    for (const [endpoint, { length }] of this.#byEndpoint) if (length === 0) this.#byEndpoint.delete(endpoint)
    this.#size -= taken
  }
}

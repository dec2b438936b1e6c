import { randomUUID } from 'node:crypto'
import type { HandOverOffer } from '../kernel/feed/hand-over.ts'
import type { Services } from '../kernel/services/services.ts'
import { clock } from '../kernel/time/clock.ts'
import { LEASE_SECONDS, type Lease } from '../resources/webhooks/index.ts'
import type { Attempts } from './attempts.ts'
import type { ClaimSource } from './claim-source.ts'
import { HandedOverQueue } from './handed-over-queue.ts'
import { CLAIM_LIMIT, FAST_LANE, isCrowded, perEndpointLimits } from './lanes.ts'
import type { ReadHandedOver } from './lease.ts'
import { handOverCapacity } from './lease-store.ts'
import type { ClaimPace } from './pace.ts'
import type { LeasedDelivery } from './states.ts'

/** After a longer time, of the lease so little is left that another process might begin the attempt before it has ended. */
const MAX_HAND_OVER_MS = 5_000
/**
 * Deliveries that were handed over and wait for their turn. They are leased, so a process that dies delays as many; together
 * with those in flight no more than can be sent well within their lease.
 */
export const MAX_QUEUED = 2_048

export interface HandOverStore {
  /** Reads what the attempts need. */
  readHandedOver(leased: readonly LeasedDelivery[], token: string): Promise<ReadHandedOver<LeasedDelivery>[]>
  /** Ends leases: the deliveries are queued, or canceled. */
  returnHandOvers(leases: readonly Lease[], as: 'pending' | 'canceled'): Promise<void>
  /** Queues what was handed over to processes that died; false if there was nothing. */
  takeOverExpired(): Promise<boolean>
}

export interface HandOverNeeds {
  attempts: Attempts
  claims: Pick<ClaimSource, 'expect'>
  pace: Pick<ClaimPace, 'queued'>
  log: Services['log']
}

/** Begins attempts of deliveries that the sequencer of this process created with a lease, so that they need no claim. */
export class HandOverSource {
  readonly #store: HandOverStore
  readonly #needs: HandOverNeeds
  /** the token of all its leases */
  readonly token = randomUUID()
  /** what is leased and has not begun */
  readonly #queue = new HandedOverQueue()
  /** the space for more that is offered to the sequencer at the moment */
  #offered = 0
  #takingOver: Promise<void> | undefined
  #isClosed = false

  constructor(store: HandOverStore, needs: HandOverNeeds) {
    this.#store = store
    this.#needs = needs
  }

  /** Space for deliveries that the sequencer is about to create. */
  readonly offer = (): HandOverOffer | undefined => {
    const free = this.#needs.attempts.freeIn(FAST_LANE)
    const limit = MAX_QUEUED - this.#queue.size - this.#offered
    if (limit <= 0 || free <= 0) return undefined
    const { ended } = this.#needs.attempts.usage()
    const limits = perEndpointLimits(FAST_LANE, free)
    const perQueue = isCrowded(FAST_LANE, free) ? limits.perFastEndpoint : MAX_QUEUED
    const offeredAt = clock.monotonic()
    this.#offered += limit
    return {
      token: this.token,
      leaseSeconds: LEASE_SECONDS,
      limit,
      perEndpoint: perQueue,
      capacity: handOverCapacity({ ...limits, ended, token: this.token, perQueue }),
      settle: async deliveries => {
        this.#offered -= limit
        if (deliveries.length > 0) await this.#add(deliveries.map(delivery => ({ ...delivery, offeredAt })))
      },
    }
  }

  async #add(leased: readonly LeasedDelivery[]): Promise<void> {
    // nothing else looks at the queue any more
    if (this.#isClosed) return this.release(leased)
    this.#queue.add(leased)
    this.#needs.pace.queued()
  }

  /** Begins attempts with half of the free capacity: the rest is for claims. Returns how many. */
  async begin(): Promise<number> {
    await this.release(this.#queue.takeOffered(clock.monotonic() - MAX_HAND_OVER_MS))
    const free = this.#needs.attempts.freeIn(FAST_LANE)
    const limits = perEndpointLimits(FAST_LANE, free)
    const { inUse } = this.#needs.attempts.usage()
    const allowed = (endpoint: string, isFast: boolean) =>
      (isFast ? limits.perFastEndpoint : limits.perEndpoint) - (inUse.get(endpoint) ?? 0)
    const leased = this.#queue.take(Math.min(Math.ceil(free / 2), CLAIM_LIMIT), endpoint => allowed(endpoint, true))
    if (leased.length === 0) return 0
    const read = await this.#store.readHandedOver(leased, this.token).catch(async error => {
      await this.release(leased)
      throw error
    })
    const tooMany: LeasedDelivery[] = []
    let begun = 0
    for (const one of read) {
      if (one.action !== 'send') continue
      const { endpoint_id } = one.delivery
      if (allowed(endpoint_id, one.isFast) > 0) {
        inUse.set(endpoint_id, (inUse.get(endpoint_id) ?? 0) + 1)
        this.#needs.attempts.begin(one.claimed, FAST_LANE)
        begun++
      } else tooMany.push(one.delivery)
    }
    this.#queue.putBack(tooMany)
    const those = (action: 'release' | 'cancel') => read.filter(one => one.action === action).map(one => one.delivery)
    await this.release(those('release'))
    await this.release(those('cancel'), 'canceled')
    return begun
  }

  /** Ends leases of deliveries. Sending does not depend on it: a lease that is not released expires. */
  async release(
    deliveries: readonly Omit<Lease, 'lease_token'>[],
    as: 'pending' | 'canceled' = 'pending',
  ): Promise<void> {
    if (deliveries.length === 0) return
    try {
      await this.#store.returnHandOvers(
        deliveries.map(delivery => ({ ...delivery, lease_token: this.token })),
        as,
      )
      this.#needs.claims.expect()
    } catch (error) {
      this.#needs.log.warn({ deliveries: deliveries.length, err: error }, 'webhook deliveries were not released')
    }
  }

  /** Sending does not wait for it: where rows cannot be vacuumed, it reads many that are gone. */
  takeOver(): void {
    this.#takingOver ??= this.#takeOverExpired()
  }

  async #takeOverExpired(): Promise<void> {
    try {
      if (await this.#store.takeOverExpired()) {
        this.#needs.claims.expect()
        this.#needs.pace.queued()
      }
    } catch (error) {
      this.#needs.log.error({ err: error }, 'taking over webhook deliveries failed')
    } finally {
      this.#takingOver = undefined
    }
  }

  /** From now on what is handed over is released. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.release(this.#queue.takeOffered(Number.POSITIVE_INFINITY))
  }

  /** Returns when nothing of it is left in the background. */
  async ended(): Promise<void> {
    await this.#takingOver
  }
}

import { clock } from '../kernel/time/clock.ts'
import type { Attempts } from './attempts.ts'
import { CLAIM_LIMIT, FAST_LANE, type Lane, perEndpointLimits, SLOW_LANE } from './lanes.ts'
import type { ClaimResult } from './lease.ts'
import { type Claim, type EndpointCursor, FIRST_ENDPOINT } from './lease-store.ts'
import type { InFlightDelivery } from './states.ts'

export interface ClaimStore {
  /** Makes due retries ready to be claimed. */
  readyRetries(): Promise<void>
  claim(claim: Claim): Promise<ClaimResult>
}

interface LaneCursor {
  readonly lane: Lane
  /** where its next claim starts */
  after: EndpointCursor
  dueAt: number
}

/** Begins attempts of queued deliveries: claims them under a lease, lane by lane. */
export class ClaimSource {
  readonly #store: ClaimStore
  readonly #attempts: Attempts
  readonly #cursors: readonly LaneCursor[] = [FAST_LANE, SLOW_LANE].map(lane => {
    return { lane, after: FIRST_ENDPOINT, dueAt: 0 }
  })
  /** false: the last claim found that nothing waits, and nothing was queued here since; a claim follows with the next poll */
  #mayFind = true

  constructor(store: ClaimStore, attempts: Attempts) {
    this.#store = store
    this.#attempts = attempts
  }

  get mayFind(): boolean {
    return this.#mayFind
  }

  /** Something was queued: the next round claims. */
  readonly expect = (): void => {
    this.#mayFind = true
  }

  async readyRetries(): Promise<void> {
    await this.#store.readyRetries()
    this.#mayFind = true
  }

  /** Claims in each lane whose interval is over, and begins the attempts. Returns how many. */
  async begin(): Promise<number> {
    if (!this.#mayFind) return 0
    this.#mayFind = false
    let begun = 0
    for (const cursor of this.#cursors) {
      if (clock.monotonic() < cursor.dueAt) continue
      begun += await this.#beginIn(cursor)
      cursor.dueAt = clock.monotonic() + cursor.lane.everyMs
    }
    return begun
  }

  async #beginIn(cursor: LaneCursor): Promise<number> {
    const { lane } = cursor
    const free = this.#attempts.freeIn(lane)
    const limit = Math.min(free, CLAIM_LIMIT)
    if (limit <= 0) {
      this.#attempts.holdBack()
      this.#mayFind = true
      return 0
    }
    const deliveries = await this.#claim(cursor, { slow: lane.slow, limit, ...perEndpointLimits(lane, free) })
    for (const delivery of deliveries) this.#attempts.begin(delivery, lane)
    return deliveries.length
  }

  /** Claims repeatedly until it finds a delivery or has scanned every endpoint with deliveries that are due. */
  async #claim(cursor: LaneCursor, limits: Omit<Claim, 'after' | 'ended'>): Promise<InFlightDelivery[]> {
    for (let fromStart = cursor.after === FIRST_ENDPOINT; ; ) {
      const { ended } = this.#attempts.usage()
      const found = await this.#store.claim({ ...limits, after: cursor.after, ended })
      cursor.after = found.after
      this.#mayFind ||= found.foundAny
      if (found.deliveries.length > 0 || (found.reachedEnd && fromStart)) return found.deliveries
      fromStart ||= found.reachedEnd
    }
  }
}

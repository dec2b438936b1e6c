import type { Database } from '../db/database.ts'
import type { Sql } from '../db/sql.ts'

/** A delivery that was created with a lease of the sender in this process. */
export interface HandedOver {
  workspace_id: string
  id: string
  endpoint_id: string
  event_id: string
  event_type: string
  event_sequence: number
  /** when its lease began */
  sent_at: string
}

/** A sender offers to take so many of the deliveries that a transaction creates. */
export interface HandOverOffer {
  token: string
  leaseSeconds: number
  /** `limit` is for all endpoints together, `perEndpoint` for one. */
  limit: number
  perEndpoint: number
  /** how many more the endpoint `e` may have leased */
  capacity: Sql
  /** Called once, when the transaction has ended, with what it leased; never fails. */
  settle(deliveries: readonly HandedOver[]): Promise<void>
}

/**
 * The sender of this process, by database. Deliveries that it has capacity for are leased to it as they are created, so
 * that they need no claim; the others are claimed. If the process dies, the leases expire.
 */
export const senders = new WeakMap<Database, () => HandOverOffer | undefined>()

import type { HandedOver } from '../kernel/feed/hand-over.ts'
import type { AttemptOutcome, AttemptPayload, AttemptVerdict, DeliveryKind } from '../resources/webhooks/index.ts'

/*
 * What this process knows of a delivery in each of its states. README.md draws how it moves between them. The state
 * `offered` has no delivery yet: it is capacity that the sequencer may fill (`HandOverOffer`).
 */

/** It waits in `webhook_deliveries` without a lease. */
export interface QueuedDelivery {
  workspace_id: string
  id: string
}

/** It was created with a lease of this process, and waits in its memory for the attempt to begin. */
export interface LeasedDelivery extends HandedOver {
  /** when its capacity was offered, before the lease began */
  offeredAt: number
}

/** It is leased, and its attempt has all that it needs: what was claimed, or handed over and read. */
export interface InFlightDelivery extends AttemptPayload {
  lease_token: string
  kind: DeliveryKind
  /** when the lease began: the time that the log shows */
  sent_at: string
}

/** Its attempt ended, with this result and verdict. The lease lasts until they are recorded. */
export interface EndedDelivery extends AttemptVerdict {
  workspace_id: string
  id: string
  attempt: number
  endpointId: string
  leaseToken: string
  sentAt: string
  /** the error of the attempt itself; the error of the delivery may be event_expired */
  attemptError: AttemptOutcome['error']
  responseStatus: number | null
  durationMs: number
  response: AttemptOutcome['response']
}

/** The result as it is recorded, with what is stored of the response. The lease ends with it. */
export interface RecordedDelivery extends Omit<EndedDelivery, 'response'> {
  responseBody: string | null
  /** the response is not stored if the attempt began at this time or before it */
  begunAfter: string | null
}

import { randomUUID } from 'node:crypto'
import { type EventType, readableTypes } from '../../contract/events.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import type { HandedOver } from '../../kernel/feed/hand-over.ts'
import { tryLockSuppressionsShared } from '../suppressions/index.ts'
import {
  type Claim,
  type ClaimedDelivery,
  claimOf,
  dueRetries,
  ENDPOINTS_PER_CLAIM,
  type EndpointCursor,
  type ErasedAmong,
  erasedAmong,
  expiredHandOvers,
  FIRST_ENDPOINT,
  type FinishedAttempt,
  type FinishedPart,
  finishAttempts,
  forceIndexPlans,
  handedOverBodies,
  handOverTargets,
  lockEndpoints,
  markReady,
  type RecordedAttempt,
  returnHandOvers,
  type WaitingEndpoint,
  waitingEndpoints,
} from './claim-store.ts'
import { cancelWaiting } from './delivery-store.ts'

/** Makes due retries ready to be claimed. */
export async function readyRetries(db: Database, on: Queryable = db): Promise<void> {
  await db.eachPartition(await on.query(dueRetries()), part => on.query(markReady(part)))
}

/** Takes over what was handed over to processes that died: it waits to be claimed. Returns whether there was any. */
export async function takeOverExpired(db: Database): Promise<boolean> {
  const expired = await db.query(expiredHandOvers())
  await db.eachPartition(expired, part => db.query(returnHandOvers(part, 'pending')))
  return expired.length > 0
}

export interface ClaimResult {
  deliveries: ClaimedDelivery[]
  /** where the next claim starts */
  after: EndpointCursor
  /** whether it reached the last endpoint with a delivery that is due */
  reachedEnd: boolean
  /** whether it found such an endpoint */
  foundAny: boolean
}

/**
 * Finds the next endpoints with deliveries, and claims some. Of several parts each gets its share of the limit; the next
 * claim starts with the first part that got none, so that a backlog delays no other workspace.
 */
export async function claimDeliveries(db: Database, claim: Claim, on: Queryable = db): Promise<ClaimResult> {
  const waiting = await on.query(waitingEndpoints(claim.after))
  const reachedEnd = waiting.length < ENDPOINTS_PER_CLAIM
  const named = new Map(waiting.map(row => [row.endpoint_id, row.names_workspace]))
  const parts = await db.partitions(waiting.filter(row => row.open))
  const deliveries: ClaimedDelivery[] = []
  for (const [i, part] of parts.entries()) {
    const limit = Math.ceil((claim.limit - deliveries.length) / (parts.length - i))
    if (limit === 0) {
      return { deliveries, after: cursorAt(parts[i - 1]!.rows.at(-1)), reachedEnd: false, foundAny: true }
    }
    try {
      const rows = await on.query(claimOf({ ...claim, limit }, part, randomUUID()))
      deliveries.push(...rows.map(row => ({ ...row, names_workspace: named.get(row.endpoint_id)! })))
    } catch (error) {
      // what other parts have claimed is sent; this one is tried again with its turn
      if (deliveries.length === 0) throw error
    }
  }
  const after = reachedEnd ? FIRST_ENDPOINT : cursorAt(waiting.at(-1))
  return { deliveries, after, reachedEnd, foundAny: waiting.length > 0 }
}

/** A delivery that was handed over, and what is to be done with it now. */
export type ReadHandedOver<Delivery> =
  | { delivery: Delivery; action: 'send'; claimed: ClaimedDelivery; isFast: boolean }
  /** its endpoint became slow: it is served like others of the slow lane */
  | { delivery: Delivery; action: 'release' }
  /** its endpoint was disabled or deleted, or its key may no longer read it */
  | { delivery: Delivery; action: 'cancel' }
  /** it is no longer leased, or not for long enough: it is taken over when the lease has ended */
  | { delivery: Delivery; action: 'drop' }

/** Reads what the attempts of deliveries that were handed over need, as a claim does. */
export async function readHandedOver<Delivery extends HandedOver>(
  on: Queryable,
  handedOver: readonly Delivery[],
  token: string,
): Promise<ReadHandedOver<Delivery>[]> {
  const endpoints = [...new Map(handedOver.map(delivery => [delivery.endpoint_id, delivery])).values()]
  const [targets, bodies] = await Promise.all([
    on.query(handOverTargets(endpoints)),
    on.query(handedOverBodies(handedOver, token)),
  ])
  const targetOf = new Map(
    targets.map(target => [target.endpoint_id, { ...target, readable: readableTypes(new Set(target.scopes)) }]),
  )
  const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]))
  return handedOver.map(delivery => {
    const target = targetOf.get(delivery.endpoint_id)
    if (!target?.readable.includes(delivery.event_type as EventType)) return { delivery, action: 'cancel' }
    if (target.pace === 'slow') return { delivery, action: 'release' }
    const body = bodyOf.get(delivery.id)
    if (body === undefined) return { delivery, action: 'drop' }
    const claimed: ClaimedDelivery = {
      workspace_id: delivery.workspace_id,
      id: delivery.id,
      endpoint_id: delivery.endpoint_id,
      lease_token: token,
      kind: 'event',
      attempt: 1,
      event_id: delivery.event_id,
      url: target.url,
      body,
      names_workspace: target.names_workspace,
      sent_at: delivery.sent_at,
      unix_seconds: target.unix_seconds,
      secret_versions: target.secret_versions,
      secrets: target.secrets,
    }
    return { delivery, action: 'send', claimed, isFast: target.pace === 'fast' }
  })
}

const cursorAt = (last: WaitingEndpoint | undefined): EndpointCursor =>
  last ? { workspace: last.workspace_id, endpoint: last.endpoint_id } : FIRST_ENDPOINT

/**
 * Records the results of attempts, and what receivers returned. While a person is being suppressed, responses are left
 * out, so that recording never waits for it.
 */
export async function recordAttempts(tx: Transaction, part: FinishedPart): Promise<void> {
  const { only, rows: attempts } = part
  const withText = attempts.filter(attempt => attempt.response !== null)
  const [, lock, erased] = await Promise.all([
    tx.query(forceIndexPlans('transaction', only !== undefined)),
    withText.length > 0 ? tx.one(tryLockSuppressionsShared()) : undefined,
    withText.length > 0 ? tx.query(erasedAmong(withText)) : [],
    tx.query(lockEndpoints(part)),
  ])
  const rows = recorded(attempts, lock?.locked ? erased : 'unknown')
  const disabled = await tx.query(finishAttempts({ only, rows }))
  if (disabled.length > 0) await tx.query(cancelWaiting({ only, rows: disabled }))
}

/**
 * A response is not stored if it could show more of an erased person than an erasure has seen: if its event concerns such
 * a person, or if its attempt began before an erasure in the workspace had deleted the stored responses. So an attempt in
 * flight during an erasure stores nothing.
 */
function recorded(
  attempts: readonly FinishedAttempt[],
  erased: readonly ErasedAmong[] | 'unknown',
): readonly RecordedAttempt[] {
  const known = new Map(erased === 'unknown' ? [] : erased.map(row => [`${row.workspace_id} ${row.id}`, row]))
  return attempts.map(({ response, ...attempt }) => {
    const of = (id: string) => known.get(`${attempt.workspace_id} ${id}`)
    const isStored =
      response !== null &&
      erased !== 'unknown' &&
      ![attempt.workspace_id, ...response.about].some(id => of(id)?.blocked)
    return {
      ...attempt,
      responseBody: isStored ? response.body : null,
      begunAfter: of(attempt.workspace_id)?.done_at ?? null,
    }
  })
}

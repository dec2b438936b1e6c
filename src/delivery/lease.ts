import { randomUUID } from 'node:crypto'
import { type EventType, receivableTypes } from '../contract/events.ts'
import type { Database, Queryable } from '../kernel/db/database.ts'
import { present } from '../kernel/errors/present.ts'
import type { HandedOver } from '../kernel/feed/hand-over.ts'
import { returnHandOvers } from '../resources/webhooks/index.ts'
import {
  buildClaim,
  type Claim,
  dueRetries,
  ENDPOINTS_PER_CLAIM,
  type EndpointCursor,
  endpointSources,
  expiredHandOvers,
  FIRST_ENDPOINT,
  handedOverBodies,
  handOverTargets,
  markReady,
  type SentTo,
  type Target,
  type WaitingEndpoint,
  waitingEndpoints,
} from './lease-store.ts'
import type { InFlightDelivery } from './states.ts'

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
  deliveries: InFlightDelivery[]
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
  const known = new Map(waiting.map(row => [row.endpoint_id, row]))
  const parts = await db.partitions(waiting.filter(row => row.open))
  const deliveries: InFlightDelivery[] = []
  for (const [i, part] of parts.entries()) {
    const limit = Math.ceil((claim.limit - deliveries.length) / (parts.length - i))
    if (limit === 0) {
      return { deliveries, after: cursorAt(parts[i - 1]?.rows.at(-1)), reachedEnd: false, foundAny: true }
    }
    try {
      const rows = await withTargets(db, on, await on.query(buildClaim({ ...claim, limit }, part, randomUUID())))
      for (const row of rows) {
        const { names_workspace, installation_id } = present(known.get(row.endpoint_id), row.endpoint_id)
        deliveries.push({ ...row, names_workspace, installation_id })
      }
    } catch (error) {
      // what other parts have claimed is sent; this one is tried again with its turn
      if (deliveries.length === 0) throw error
    }
  }
  const after = reachedEnd ? FIRST_ENDPOINT : cursorAt(waiting.at(-1))
  return { deliveries, after, reachedEnd, foundAny: waiting.length > 0 }
}

/** Adds to derived endpoints what they are sent with. */
async function withTargets<Row extends SentTo>(db: Database, on: Queryable, rows: readonly Row[]) {
  const sources = new Map(
    rows.flatMap(({ source_workspace_id, source_id }) =>
      source_workspace_id === null || source_id === null
        ? []
        : [[source_id, { workspace_id: source_workspace_id, id: source_id }] as const],
    ),
  )
  const targets = new Map<string, Target>()
  if (sources.size > 0) {
    await db.eachPartition([...sources.values()], async part => {
      for (const target of await on.query(endpointSources(part))) targets.set(target.id, target)
    })
  }
  return rows.map(row => {
    const { url, secret_versions, secrets } = row.source_id === null ? row : (targets.get(row.source_id) ?? NO_TARGET)
    return { ...row, url, secret_versions: secret_versions ?? [], secrets: secrets ?? [] }
  })
}

const NO_TARGET: Target = { url: null, secret_versions: [], secrets: [] }

const cursorAt = (last: WaitingEndpoint | undefined): EndpointCursor =>
  last ? { workspace: last.workspace_id, endpoint: last.endpoint_id } : FIRST_ENDPOINT

/** A delivery that was handed over, and what is to be done with it now. */
export type ReadHandedOver<Delivery> =
  | { delivery: Delivery; action: 'send'; claimed: InFlightDelivery; isFast: boolean }
  /** its endpoint became slow: it is served like others of the slow lane */
  | { delivery: Delivery; action: 'release' }
  /** its endpoint was disabled or deleted, or its key may no longer read it */
  | { delivery: Delivery; action: 'cancel' }
  /** it is no longer leased, or not for long enough: it is taken over when the lease has ended */
  | { delivery: Delivery; action: 'drop' }

/** Reads what the attempts of deliveries that were handed over need, as a claim does. */
export async function readHandedOver<Delivery extends HandedOver>(
  db: Database,
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
    (await withTargets(db, on, targets)).map(target => [
      target.endpoint_id,
      { ...target, readable: receivableTypes(new Set(target.scopes)) },
    ]),
  )
  const bodyOf = new Map(bodies.map(({ id, body }) => [id, body]))
  return handedOver.map(delivery => {
    const target = targetOf.get(delivery.endpoint_id)
    if (!target?.readable.includes(delivery.event_type as EventType)) return { delivery, action: 'cancel' }
    if (target.pace === 'slow') return { delivery, action: 'release' }
    const body = bodyOf.get(delivery.id)
    if (body === undefined) return { delivery, action: 'drop' }
    const claimed: InFlightDelivery = {
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
      source_id: target.source_id,
      installation_id: target.installation_id,
    }
    return { delivery, action: 'send', claimed, isFast: target.pace === 'fast' }
  })
}

import { randomUUID } from 'node:crypto'
import { batched } from '../kernel/async/batch.ts'
import { isDistributed } from '../kernel/citus/distributed.ts'
import type { DbSession } from '../kernel/db/database.ts'
import { type HandOverOffer, senders } from '../kernel/feed/hand-over.ts'
import { deliveriesQueued } from '../kernel/feed/signal.ts'
import { Poster } from '../kernel/net/poster.ts'
import { joinedLookups } from '../kernel/net/resolve-name.ts'
import type { Services } from '../kernel/services/services.ts'
import { type Span, traceCauseOf, traced } from '../kernel/telemetry/trace.ts'
import { clock } from '../kernel/time/clock.ts'
import { pause, Wakeable } from '../kernel/time/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import {
  type AttemptContext,
  attemptDelivery,
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  disableExpiredEndpoints,
  type EndpointCursor,
  FIRST_ENDPOINT,
  type FinishedAttempt,
  forceIndexPlans,
  handOverCapacity,
  judgeAttempt,
  LEASE_SECONDS,
  type Leased,
  PROCESS_STOPPING,
  readHandedOver,
  readyRetries,
  recordAttempts,
  releaseDeliveries,
  returnHandOvers,
  SLOW_ENDPOINT_MS,
  takeOverExpired,
  UnsealedSecrets,
} from '../resources/webhooks/index.ts'
import { HandedOverQueue, type Queued } from './handed-over-queue.ts'

/**
 * Sends due deliveries. Receivers that fail repeatedly or are slow have a separate lane: however many of them take the
 * full ten seconds, the capacity for the others stays free. A receiver that is not yet known to be slow uses capacity
 * of the fast lane for two seconds at most; after that its attempt counts only towards the total. Every process may run
 * it: a delivery is leased by one process.
 */
const LANES = [
  { slow: false, capacity: 512, perEndpoint: 16, perFastEndpoint: 32, everyMs: 0 },
  { slow: true, capacity: 128, perEndpoint: 2, perFastEndpoint: 2, everyMs: 200 },
] as const
/** All attempts of this process that are in flight or not recorded yet. */
const MAX_IN_FLIGHT = 2_048
/** After a longer time, of the lease so little is left that another process might begin the attempt before it has ended. */
const MAX_HAND_OVER_MS = 5_000
/**
 * Deliveries that were handed over and wait for their turn. They are leased, so a process that dies delays as many; together
 * with those in flight no more than can be sent well within their lease.
 */
const MAX_QUEUED = 2_048
/** How many results of one endpoint may wait to be recorded while its next attempts begin. */
const MAX_UNRECORDED = 128
/** Results are recorded together: as many as end in this time. */
const GATHER_MS = 10
/** The maximum delay for work that another process queued, and for due retries. In a cluster it is a look at all shards. */
const POLL_MS = 200
const CLUSTER_POLL_MS = 1_000
/**
 * One claim serves many attempts that ended: the next follows when half of those in flight have ended, or after this time.
 * After a claim that reached its limit it follows immediately.
 */
const CLAIM_EVERY_MS = 5
const CLAIM_LIMIT = 256
const DISABLE_EVERY_MS = 5_000
const TAKE_OVER_EVERY_MS = 2_000
/** Waits between retries of recording results: together with an attempt's ten seconds well within its lease. */
const RECORD_RETRY_MS = [100, 500, 2_000, 4_000] as const

type Needs = Pick<
  Services,
  'db' | 'config' | 'log' | 'keyring' | 'metrics' | 'resolveName' | 'ownReceiver' | 'isLocalDemo'
>

export const deliverWebhooks = (services: Needs): Worker => ({
  name: 'deliver-webhooks',
  async run(signal) {
    const sender = new Sender(services)
    try {
      await sender.run(signal)
    } finally {
      await sender.close()
    }
  },
})

type Lane = (typeof LANES)[number]

interface Attempt {
  lane: Lane
  since: number
  /** false when only its result is still to be recorded */
  isInFlight: boolean
  done: Promise<void>
  cancel: () => void
}

class Sender {
  readonly #services: Needs
  readonly #poster: Poster
  readonly #context: AttemptContext
  readonly #attempts = new Map<ClaimedDelivery, Attempt>()
  /** where the next claim of each lane starts */
  readonly #after: EndpointCursor[] = LANES.map(() => FIRST_ENDPOINT)
  readonly #finish: (attempt: FinishedAttempt) => Promise<void>
  #pace: ClaimPace | undefined
  /** the last claim may have left something, because of results that wait to be recorded */
  #isHeldBack = false
  /** the token of all leases that are handed over */
  readonly #token = randomUUID()
  /** what was handed over and has not begun, and the space for more that is offered to the sequencer at the moment */
  readonly #queue = new HandedOverQueue()
  #offered = 0
  /** false: the last claim found that nothing waits, and nothing was queued here since; a claim follows with the next poll */
  #mayWait = true
  #takingOver: Promise<void> | undefined
  #isClosed = false

  constructor(services: Needs) {
    this.#services = services
    const { config, keyring, log, ownReceiver, isLocalDemo } = services
    const trusted = [ownReceiver?.certificate, config.WEBHOOK_CA].filter(certificate => certificate !== undefined)
    this.#poster = new Poster(trusted.length > 0 ? { ca: Buffer.concat(trusted) } : {})
    const resolveName = joinedLookups(services.resolveName)
    const secrets = new UnsealedSecrets(keyring)
    this.#context = { config, secrets, log, poster: this.#poster, resolveName, ownReceiver, isLocalDemo }
    this.#finish = batched(attempts => this.#record(attempts), { gatherMs: GATHER_MS })
  }

  /** Claims use a separate connection: they never wait for other transactions, and have their own planner settings. */
  async run(signal: AbortSignal): Promise<void> {
    const session = await this.#services.db.session()
    try {
      await session.query(forceIndexPlans('session', await isDistributed(this.#services.db)))
      senders.set(this.#services.db, () => this.#offer())
      await this.#run(session, signal)
    } finally {
      senders.delete(this.#services.db)
      this.#isClosed = true
      await session.close()
    }
  }

  async #run(session: DbSession, signal: AbortSignal): Promise<void> {
    const waiting = new Wakeable(signal)
    const pace = new ClaimPace(waiting.wake)
    this.#pace = pace
    const stopListening = deliveriesQueued.on(() => {
      this.#mayWait = true
      pace.queued()
    })
    const due = [0, 0]
    let disableAt = 0
    let retriesAt = 0
    let takeOverAt = 0
    try {
      while (!signal.aborted) {
        waiting.rearm()
        const pollMs = (await isDistributed(this.#services.db)) ? CLUSTER_POLL_MS : POLL_MS
        if (clock.monotonic() >= disableAt) {
          await this.#disableExpired()
          disableAt = clock.monotonic() + DISABLE_EVERY_MS
        }
        if (clock.monotonic() >= retriesAt) {
          await readyRetries(this.#services.db, session)
          retriesAt = clock.monotonic() + pollMs
          this.#mayWait = true
        }
        if (clock.monotonic() >= takeOverAt) {
          this.#takingOver ??= this.#takeOver()
          takeOverAt = clock.monotonic() + TAKE_OVER_EVERY_MS
        }
        pace.begin()
        this.#isHeldBack = false
        let count = 0
        count += await this.#beginQueued(session)
        const isClaiming = this.#mayWait
        this.#mayWait = false
        for (const [i, lane] of LANES.entries()) {
          if (!isClaiming || clock.monotonic() < due[i]!) continue
          count += await this.#claim(session, lane)
          due[i] = clock.monotonic() + lane.everyMs
        }
        if (count >= CLAIM_LIMIT) continue
        pace.end(count, this.#countInFlight())
        // what the last claim left may be of the slow lane, which has its own interval
        await waiting.pause(this.#mayWait ? POLL_MS : pollMs)
      }
    } finally {
      stopListening()
      pace.close()
      waiting.close()
    }
  }

  /** Sending does not depend on it: an error is logged, and the next round retries. */
  async #disableExpired(): Promise<void> {
    try {
      await disableExpiredEndpoints(this.#services.db)
    } catch (error) {
      this.#services.log.error({ err: error }, 'disabling expired webhook endpoints failed')
    }
  }

  /** Sending does not wait for it: where rows cannot be vacuumed, it reads many that are gone. */
  async #takeOver(): Promise<void> {
    const { db, log } = this.#services
    try {
      if (await takeOverExpired(db)) {
        this.#mayWait = true
        this.#pace?.queued()
      }
    } catch (error) {
      log.error({ err: error }, 'taking over webhook deliveries failed')
    } finally {
      this.#takingOver = undefined
    }
  }

  #countInFlight(): number {
    let count = 0
    for (const { isInFlight } of this.#attempts.values()) if (isInFlight) count++
    return count
  }

  /** Deliveries whose results are still to be recorded: these use no capacity of their endpoint, up to a limit. */
  #ended(): string[] {
    const ids: string[] = []
    const unrecorded = new Map<string, number>()
    for (const [{ id, endpoint_id }, { isInFlight }] of this.#attempts) {
      if (isInFlight) continue
      const count = (unrecorded.get(endpoint_id) ?? 0) + 1
      unrecorded.set(endpoint_id, count)
      if (count <= MAX_UNRECORDED) ids.push(id)
      else this.#isHeldBack = true
    }
    return ids
  }

  /** How many attempts each endpoint has in flight here, with those whose results have waited too long to be recorded. */
  #inUse(): Map<string, number> {
    const inFlight = new Map<string, number>()
    const unrecorded = new Map<string, number>()
    for (const [{ endpoint_id }, attempt] of this.#attempts) {
      const counts = attempt.isInFlight ? inFlight : unrecorded
      counts.set(endpoint_id, (counts.get(endpoint_id) ?? 0) + 1)
    }
    for (const [endpoint, count] of unrecorded) {
      if (count <= MAX_UNRECORDED) continue
      inFlight.set(endpoint, (inFlight.get(endpoint) ?? 0) + count - MAX_UNRECORDED)
      this.#isHeldBack = true
    }
    return inFlight
  }

  /** How many more attempts of a lane may begin. */
  #freeIn(lane: Lane): number {
    let used = 0
    const fastSince = clock.monotonic() - SLOW_ENDPOINT_MS
    for (const attempt of this.#attempts.values()) {
      if (attempt.isInFlight && attempt.lane === lane && (lane.slow || attempt.since > fastSince)) used++
    }
    return Math.min(lane.capacity - used, MAX_IN_FLIGHT - this.#attempts.size)
  }

  async #claim(session: DbSession, lane: Lane): Promise<number> {
    const free = this.#freeIn(lane)
    const limit = Math.min(free, CLAIM_LIMIT)
    if (limit <= 0) {
      this.#isHeldBack = true
      this.#mayWait = true
      return 0
    }
    const deliveries = await this.#claimOnce(session, { slow: lane.slow, limit, ...perEndpointLimits(lane, free) })
    for (const delivery of deliveries) this.#begin(delivery, lane)
    return deliveries.length
  }

  /** Space for deliveries that the sequencer is about to create. */
  #offer(): HandOverOffer | undefined {
    const [lane] = LANES
    const free = this.#freeIn(lane)
    const limit = MAX_QUEUED - this.#queue.size - this.#offered
    if (limit <= 0 || free <= 0) return undefined
    const perEndpoint = perEndpointLimits(lane, free)
    const perQueue = isCrowded(lane, free) ? perEndpoint.perFastEndpoint : MAX_QUEUED
    const offeredAt = clock.monotonic()
    this.#offered += limit
    return {
      token: this.#token,
      leaseSeconds: LEASE_SECONDS,
      limit,
      perEndpoint: perQueue,
      capacity: handOverCapacity({ ...perEndpoint, ended: this.#ended(), token: this.#token, perQueue }),
      settle: async deliveries => {
        this.#offered -= limit
        if (deliveries.length === 0) return
        this.#queue.add(deliveries.map(delivery => ({ ...delivery, offeredAt })))
        // nothing else looks at the queue any more
        if (this.#isClosed) await this.#releaseQueued(this.#queue.takeOffered(Number.POSITIVE_INFINITY))
        else this.#pace?.queued()
      },
    }
  }

  /** Begins attempts of what was handed over, with half of the free capacity: the rest is for claims. */
  async #beginQueued(session: DbSession): Promise<number> {
    await this.#releaseQueued(this.#queue.takeOffered(clock.monotonic() - MAX_HAND_OVER_MS))
    const [lane] = LANES
    const free = this.#freeIn(lane)
    const limits = perEndpointLimits(lane, free)
    const inUse = this.#inUse()
    const allowed = (endpoint: string, isFast: boolean) =>
      (isFast ? limits.perFastEndpoint : limits.perEndpoint) - (inUse.get(endpoint) ?? 0)
    const queued = this.#queue.take(Math.min(Math.ceil(free / 2), CLAIM_LIMIT), endpoint => allowed(endpoint, true))
    if (queued.length === 0) return 0
    const read = await readHandedOver(session, queued, this.#token).catch(async error => {
      await this.#releaseQueued(queued)
      throw error
    })
    const tooMany: Queued[] = []
    let begun = 0
    for (const one of read) {
      if (one.action !== 'send') continue
      const { endpoint_id } = one.delivery
      if (allowed(endpoint_id, one.isFast) > 0) {
        inUse.set(endpoint_id, (inUse.get(endpoint_id) ?? 0) + 1)
        this.#begin(one.claimed, lane)
        begun++
      } else tooMany.push(one.delivery)
    }
    this.#queue.putBack(tooMany)
    const those = (action: 'release' | 'cancel') => read.filter(one => one.action === action).map(one => one.delivery)
    await this.#releaseQueued(those('release'))
    await this.#releaseQueued(those('cancel'), 'canceled')
    return begun
  }

  /** Sending does not depend on it: a lease that is not released expires. */
  async #releaseQueued(
    queued: readonly Pick<Leased, 'workspace_id' | 'endpoint_id' | 'id'>[],
    as: 'pending' | 'canceled' = 'pending',
  ): Promise<void> {
    if (queued.length === 0) return
    const { db } = this.#services
    const leased = queued.map(delivery => ({ ...delivery, lease_token: this.#token }))
    try {
      await db.eachPartition(leased, part => db.query(returnHandOvers(part, as)))
      this.#mayWait = true
    } catch (error) {
      this.#services.log.warn({ deliveries: queued.length, err: error }, 'webhook deliveries were not released')
    }
  }

  #begin(delivery: ClaimedDelivery, lane: Lane): void {
    const abort = new AbortController()
    const attempt: Attempt = {
      lane,
      since: clock.monotonic(),
      isInFlight: true,
      done: Promise.resolve(),
      cancel: () => abort.abort(PROCESS_STOPPING),
    }
    this.#attempts.set(delivery, attempt)
    const ended = () => {
      if (attempt.isInFlight) this.#pace?.ended()
      attempt.isInFlight = false
    }
    attempt.done = this.#deliver(delivery, abort, ended).finally(() => {
      ended()
      this.#attempts.delete(delivery)
      if (this.#isHeldBack) this.#pace?.queued()
    })
  }

  /** Claims repeatedly until it finds a delivery or has scanned every endpoint with deliveries that are due. */
  async #claimOnce(session: DbSession, claim: Omit<Claim, 'after' | 'ended'>): Promise<ClaimedDelivery[]> {
    const lane = Number(claim.slow)
    for (let fromStart = this.#after[lane] === FIRST_ENDPOINT; ; ) {
      const how = { ...claim, after: this.#after[lane]!, ended: this.#ended() }
      const { deliveries, after, reachedEnd, foundAny } = await claimDeliveries(this.#services.db, how, session)
      this.#after[lane] = after
      this.#mayWait ||= foundAny
      if (deliveries.length > 0 || (reachedEnd && fromStart)) return deliveries
      fromStart ||= reachedEnd
    }
  }

  /** Part of the trace of the request that caused the event, if that was in this process; otherwise a trace of its own. */
  #deliver(delivery: ClaimedDelivery, abort: AbortController, ended: () => void): Promise<void> {
    return traced(
      () => ({
        name: 'webhook attempt',
        kind: 'client',
        parent: traceCauseOf(delivery.event_id) ?? 'none',
        attributes: {
          'hiring.workspace.id': delivery.workspace_id,
          'hiring.event.id': delivery.event_id,
          'hiring.delivery.id': delivery.id,
          'hiring.delivery.attempt': delivery.attempt,
        },
      }),
      span => this.#attempt(delivery, abort, ended, span),
    )
  }

  async #attempt(delivery: ClaimedDelivery, abort: AbortController, ended: () => void, span: Span): Promise<void> {
    const startedAt = clock.monotonic()
    try {
      const outcome = await attemptDelivery(this.#context, delivery, abort)
      if (!outcome) return
      ended()
      this.#services.metrics.webhookAttempt(outcome.error ?? 'delivered')
      span.set({ 'http.response.status_code': outcome.responseStatus ?? undefined })
      if (outcome.error) span.fail(outcome.error)
      await this.#finish({
        workspace_id: delivery.workspace_id,
        id: delivery.id,
        attempt: delivery.attempt,
        endpointId: delivery.endpoint_id,
        leaseToken: delivery.lease_token,
        sentAt: delivery.sent_at,
        attemptError: outcome.error,
        responseStatus: outcome.responseStatus,
        durationMs: Math.round(clock.monotonic() - startedAt),
        response: outcome.response,
        ...judgeAttempt(delivery.kind, delivery.attempt, outcome, Math.random()),
      })
    } catch (error) {
      // the lease expires and the attempt is repeated: at-least-once delivery
      this.#services.log.warn({ delivery: delivery.id, err: error }, 'the result of a webhook attempt was not recorded')
    }
  }

  /** A result that is not recorded causes a second delivery, so a failed write is retried. Recording twice is harmless. */
  async #record(attempts: FinishedAttempt[]): Promise<undefined[]> {
    const { db, log } = this.#services
    for (const waitMs of [...RECORD_RETRY_MS, null]) {
      try {
        // in a cluster, the results of each workspace are a transaction of its node
        await db.eachPartition(attempts, part => db.transaction(tx => recordAttempts(tx, part)))
        break
      } catch (error) {
        if (waitMs === null) throw error
        log.warn({ attempts: attempts.length, err: error }, 'recording webhook attempts failed, retrying')
        await pause(waitMs)
      }
    }
    return attempts.map(() => undefined)
  }

  /** Gives attempts in flight some time to end; the rest is canceled and released for another process. */
  async close(): Promise<void> {
    this.#isClosed = true
    try {
      await this.#releaseQueued(this.#queue.takeOffered(Number.POSITIVE_INFINITY))
      const all = [...this.#attempts]
      const grace = new AbortController()
      const done = Promise.all(all.map(([, attempt]) => attempt.done)).then(() => grace.abort())
      await pause(this.#services.config.SHUTDOWN_SECONDS * 500, grace.signal)
      const canceled = [...this.#attempts]
      for (const [, attempt] of canceled) attempt.cancel()
      await done
      await this.#takingOver
      await this.#release(canceled.map(([delivery]) => delivery))
    } finally {
      this.#poster.close()
    }
  }

  async #release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    const { db } = this.#services
    const [handedOver, claimed] = [true, false].map(is =>
      deliveries.filter(one => (one.lease_token === this.#token) === is),
    )
    await this.#releaseQueued(handedOver!)
    await db.eachPartition(claimed!, part => db.query(releaseDeliveries(part)))
  }
}

/** Decides when the next claim follows: not for each attempt that ended, and yet before the capacity is idle. */
class ClaimPace {
  readonly #wake: () => void
  #timer: NodeJS.Timeout | undefined
  #begunAt = Number.NEGATIVE_INFINITY
  #hasFound = false
  /** attempts that ended since the last claim began, and how many are to end before the next; none while it runs */
  #ended = 0
  #enough = Number.POSITIVE_INFINITY

  constructor(wake: () => void) {
    this.#wake = wake
  }

  /** A claim begins. */
  begin(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#begunAt = clock.monotonic()
    this.#ended = 0
    this.#enough = Number.POSITIVE_INFINITY
  }

  /** It ended, with so many deliveries. */
  end(count: number, inFlight: number): void {
    this.#hasFound = count > 0
    this.#enough = Math.ceil(inFlight / 2)
    if (this.#ended > 0) this.#check()
  }

  readonly ended = (): void => {
    this.#ended++
    this.#check()
  }

  /** Deliveries were queued in this process. */
  readonly queued = (): void => {
    if (this.#hasFound) this.#wakeLater()
    else this.#wake()
  }

  #check(): void {
    if (this.#ended >= this.#enough) this.#wake()
    else this.#wakeLater()
  }

  #wakeLater(): void {
    const waitMs = this.#begunAt + CLAIM_EVERY_MS - clock.monotonic()
    if (waitMs <= 0) this.#wake()
    else this.#timer ??= setTimeout(this.#wake, waitMs)
  }

  close(): void {
    clearTimeout(this.#timer)
  }
}

/**
 * How many attempts one endpoint may have in flight: the fuller the lane, the fewer. When very many receivers begin to
 * hang at the same time, before their failures move them to the slow lane, each uses a little of the capacity, not all.
 */
function perEndpointLimits(lane: Lane, free: number) {
  const { capacity, perEndpoint, perFastEndpoint } = lane
  if (!isCrowded(lane, free)) return { perEndpoint, perFastEndpoint }
  const few = free > capacity / 4 ? Math.min(perEndpoint, 4) : 1
  return { perEndpoint: few, perFastEndpoint: few }
}

const isCrowded = ({ capacity }: Lane, free: number): boolean => free <= capacity / 2

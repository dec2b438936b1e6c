import { API_LIMITS } from '../contract/limits.ts'
import { batched } from '../kernel/async/batch.ts'
import { clock } from '../kernel/clock.ts'
import type { DbSession } from '../kernel/db/database.ts'
import { versionOf } from '../kernel/feed/envelope.ts'
import { deliveriesQueued } from '../kernel/feed/signal.ts'
import { withWorkspace } from '../kernel/http/present.ts'
import { Poster, PostFailed } from '../kernel/net/poster.ts'
import { joinedLookups, type ResolveName } from '../kernel/net/resolve-name.ts'
import type { Services } from '../kernel/services.ts'
import { pause, Wakeable } from '../kernel/work/pause.ts'
import type { Worker } from '../kernel/work/supervisor.ts'
import { disableExpiredEndpoints, secretContext } from '../resources/webhooks/actions.ts'
import {
  type Claim,
  type ClaimedDelivery,
  claimDeliveries,
  type EndpointCursor,
  type FinishedAttempt,
  finishAttempts,
  forceIndexPlans,
  lockEndpoints,
  readyRetries,
  releaseDeliveries,
  SLOW_MS,
  START,
  toClaimResult,
} from '../resources/webhooks/claim-store.ts'
import { cancelWaiting } from '../resources/webhooks/delivery-store.ts'
import { type AttemptOutcome, judge, readRetryAfter, signatureHeader } from '../resources/webhooks/rules.ts'
import { SIGNATURE_HEADER } from '../resources/webhooks/shape.ts'
import { checkTarget } from '../resources/webhooks/targets.ts'

/**
 * Sends what is due. Receivers that keep failing or are slow have a lane of their own: however many of them take their
 * full ten seconds, the room of the others stays free. Those that nobody knows to be slow yet hold a place of the quick
 * lane for two seconds at most: what takes longer gives its place up and counts in the total alone. Every process may
 * run it; a lease keeps a delivery with one of them.
 */
const LANES = [
  { slow: false, room: 512, perEndpoint: 16, perFastEndpoint: 32, everyMs: 0 },
  { slow: true, room: 128, perEndpoint: 2, perFastEndpoint: 2, everyMs: 200 },
] as const
/** Everything under way in this process, places given up included. */
const MAX_IN_FLIGHT = 2_048
/** How long work of another process may stay unnoticed, and due retries unsent. */
const POLL_MS = 200
/** Ends of attempts come in bunches; one claim serves a bunch. After a claim that took all it could the next follows at once. */
const CLAIM_EVERY_MS = 5
const CLAIM_LIMIT = 256
const TIDY_EVERY_MS = 5_000
/** Waits between the tries to note ends of attempts: together with an attempt's ten seconds well within its lease. */
const RECORD_RETRY_MS = [100, 500, 2_000, 4_000] as const
/** Why an attempt is cut short: its ten seconds are over, or this process stops. */
const TOO_LATE = new Error('too late')
const STOPPING = new Error('stopping')
const TIMEOUT_MS = API_LIMITS.webhookTimeoutSeconds * 1_000

export const deliverWebhooks = (services: Services): Worker => ({
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

/** The event exactly as the feed shows it to the endpoint's key. */
const bodyFor = ({ body, names_workspace, workspace_id }: ClaimedDelivery): string | null =>
  body !== null && names_workspace ? withWorkspace(body, workspace_id) : body

class Sender {
  readonly #services: Services
  readonly #poster: Poster
  readonly #resolveName: ResolveName
  readonly #inFlight = new Map<ClaimedDelivery, { lane: Lane; since: number; ended: Promise<void>; stop: () => void }>()
  /** where the next claim of each lane begins */
  readonly #after: EndpointCursor[] = LANES.map(() => START)
  readonly #finish: (attempt: FinishedAttempt) => Promise<void>

  constructor(services: Services) {
    this.#services = services
    this.#poster = new Poster(services.config.WEBHOOK_CA ? { ca: services.config.WEBHOOK_CA } : {})
    this.#resolveName = joinedLookups(services.resolveName)
    this.#finish = batched(attempts => this.#record(attempts))
  }

  /** Claims have a connection of their own: they wait for nobody's transaction, and are planned in their own way. */
  async run(signal: AbortSignal): Promise<void> {
    const session = await this.#services.db.session()
    try {
      await session.query(forceIndexPlans('session ends'))
      await this.#run(session, signal)
    } finally {
      await session.close()
    }
  }

  async #run(session: DbSession, signal: AbortSignal): Promise<void> {
    const waiting = new Wakeable(signal)
    const stopListening = deliveriesQueued.on(waiting.wake)
    const due = [0, 0]
    let tidyAt = 0
    let retriesAt = 0
    try {
      while (!signal.aborted) {
        waiting.rearm()
        if (clock.monotonic() >= tidyAt) {
          await this.#tidy()
          tidyAt = clock.monotonic() + TIDY_EVERY_MS
        }
        if (clock.monotonic() >= retriesAt) {
          await session.query(readyRetries())
          retriesAt = clock.monotonic() + POLL_MS
        }
        let claimed = 0
        for (const [i, lane] of LANES.entries()) {
          if (clock.monotonic() < due[i]!) continue
          claimed += await this.#claim(session, lane, waiting.wake)
          due[i] = clock.monotonic() + lane.everyMs
        }
        if (claimed >= CLAIM_LIMIT) continue
        await (claimed > 0 ? pause(CLAIM_EVERY_MS, signal) : waiting.pause(POLL_MS))
      }
    } finally {
      stopListening()
      waiting.close()
    }
  }

  /** Sending does not depend on it: the next time will do. */
  async #tidy(): Promise<void> {
    try {
      await disableExpiredEndpoints(this.#services.db)
    } catch (error) {
      this.#services.log.error({ err: error }, 'webhook endpoints could not be tidied')
    }
  }

  async #claim(session: DbSession, lane: Lane, wake: () => void): Promise<number> {
    let used = 0
    const quickSince = clock.monotonic() - SLOW_MS
    for (const attempt of this.#inFlight.values()) {
      if (attempt.lane === lane && (lane.slow || attempt.since > quickSince)) used++
    }
    const free = Math.min(lane.room - used, MAX_IN_FLIGHT - this.#inFlight.size)
    if (free <= 0) return 0
    const limit = Math.min(free, CLAIM_LIMIT)
    const deliveries = await this.#claimOnce(session, { slow: lane.slow, limit, ...perEndpointLimits(lane, free) })
    for (const delivery of deliveries) {
      const cut = new AbortController()
      const ended = this.#deliver(delivery, cut).finally(() => {
        this.#inFlight.delete(delivery)
        wake()
      })
      this.#inFlight.set(delivery, { lane, since: clock.monotonic(), ended, stop: () => cut.abort(STOPPING) })
    }
    return deliveries.length
  }

  /** Looks on while it finds nothing, until it has looked at every endpoint that has something ready. */
  async #claimOnce(session: DbSession, claim: Omit<Claim, 'after'>): Promise<ClaimedDelivery[]> {
    const lane = Number(claim.slow)
    for (let fromTheBeginning = this.#after[lane] === START; ; ) {
      const statement = claimDeliveries({ ...claim, after: this.#after[lane]! })
      const { deliveries, after, reachedEnd: atEnd } = toClaimResult(await session.query(statement))
      this.#after[lane] = after
      if (deliveries.length > 0 || (atEnd && fromTheBeginning)) return deliveries
      fromTheBeginning ||= atEnd
    }
  }

  async #deliver(delivery: ClaimedDelivery, cut: AbortController): Promise<void> {
    const startedAt = clock.monotonic()
    try {
      const outcome = await this.#attempt(delivery, cut)
      if (!outcome) return
      this.#services.metrics.webhookAttempt(outcome.error ?? 'delivered')
      await this.#finish({
        workspaceId: delivery.workspace_id,
        id: delivery.id,
        endpointId: delivery.endpoint_id,
        leaseToken: delivery.lease_token,
        attemptError: outcome.error,
        responseStatus: outcome.responseStatus,
        durationMs: Math.round(clock.monotonic() - startedAt),
        ...judge(delivery.kind, delivery.attempt, outcome, Math.random()),
      })
    } catch (error) {
      // its lease runs out and the attempt is made again: at least once, never not at all
      this.#services.log.warn({ delivery: delivery.id, err: error }, 'the end of a webhook attempt was not noted')
    }
  }

  /** One attempt under one deadline, from the lookup to the head of the answer; undefined if this process stops first. */
  async #attempt(delivery: ClaimedDelivery, cut: AbortController): Promise<AttemptOutcome | undefined> {
    const body = bodyFor(delivery)
    const { config } = this.#services
    const ended = (
      error: AttemptOutcome['error'],
      responseStatus: number | null = null,
      retryAfterSeconds: number | null = null,
    ) => ({ error, responseStatus, retryAfterSeconds }) satisfies AttemptOutcome
    if (body === null) return ended('event_expired')
    const timer = setTimeout(() => cut.abort(TOO_LATE), TIMEOUT_MS)
    const { signal } = cut
    try {
      const target = await unlessAborted(checkTarget(delivery.url, { config, resolveName: this.#resolveName }), signal)
      if ('refused' in target) return ended(target.unresolved ? 'connection_failed' : 'url_refused: blocked_address')
      const { addresses, hostname, port, path } = target
      const headers = this.#headers(delivery, body)
      const answer = await this.#poster.post({ addresses, hostname, port, path, headers, body, signal })
      const { status } = answer
      if (status >= 200 && status < 300) return ended(null, status)
      const retryAfter = readRetryAfter(answer.headers['retry-after'])
      return ended(status >= 300 && status < 400 ? 'redirect_refused' : 'http_status', status, retryAfter)
    } catch (error) {
      if (signal.aborted) return signal.reason === TOO_LATE ? ended('timeout') : undefined
      if (error instanceof PostFailed) return ended(error.reason)
      // A fault of our own (a secret that cannot be opened, say) counts as a failure like any other: it is seen in the
      // log of deliveries, tried again on the schedule and given up in the end.
      this.#services.log.error({ delivery: delivery.id, err: error }, 'a webhook attempt broke off')
      return ended('connection_failed')
    } finally {
      clearTimeout(timer)
    }
  }

  #headers(delivery: ClaimedDelivery, body: string): Record<string, string> {
    const { keyring } = this.#services
    const secrets = delivery.secrets.map((sealed, i) =>
      keyring.unseal(sealed, secretContext(delivery.endpoint_id, delivery.secret_versions[i]!)).toString(),
    )
    const version = versionOf(body)
    return {
      'Content-Type': 'application/json',
      'User-Agent': 'Service-Webhooks/1.0',
      [SIGNATURE_HEADER]: signatureHeader(delivery.unix_seconds, body, secrets),
      'Service-Event-Id': delivery.event_id,
      'Service-Delivery-Id': delivery.id,
      'Service-Delivery-Attempt': String(delivery.attempt),
      'Service-Api-Version': version,
      'Service-Partner-Api-Version': version,
    }
  }

  /** What is not noted is sent again, so a store that fails for a moment is asked again; noting twice changes nothing. */
  async #record(attempts: FinishedAttempt[]): Promise<undefined[]> {
    for (const waitMs of [...RECORD_RETRY_MS, null]) {
      try {
        await this.#services.db.transaction(async tx => {
          const [, , disabled] = await Promise.all([
            tx.query(forceIndexPlans('transaction ends')),
            tx.query(lockEndpoints(attempts)),
            tx.query(finishAttempts(attempts)),
          ])
          if (disabled.length > 0) await tx.query(cancelWaiting(disabled))
        })
        break
      } catch (error) {
        if (waitMs === null) throw error
        this.#services.log.warn({ attempts: attempts.length, err: error }, 'noting webhook attempts failed, once more')
        await pause(waitMs)
      }
    }
    return attempts.map(() => undefined)
  }

  /** Gives attempts under way a moment to end; the rest is given back for another process to make. */
  async close(): Promise<void> {
    try {
      const all = [...this.#inFlight]
      const grace = new AbortController()
      const ended = Promise.all(all.map(([, attempt]) => attempt.ended)).then(() => grace.abort())
      await pause(this.#services.config.SHUTDOWN_SECONDS * 500, grace.signal)
      const cut = [...this.#inFlight]
      for (const [, attempt] of cut) attempt.stop()
      await ended
      if (cut.length > 0) await this.#services.db.query(releaseDeliveries(cut.map(([delivery]) => delivery)))
    } finally {
      this.#poster.close()
    }
  }
}

/**
 * What one endpoint may have under way. The fuller the lane, the less: when very many receivers begin to hang in the
 * same moment, before their failures tell them from the others, each holds a few places instead of all of them.
 */
function perEndpointLimits({ room, perEndpoint, perFastEndpoint }: Lane, free: number) {
  if (free > room / 2) return { perEndpoint, perFastEndpoint }
  const few = free > room / 4 ? Math.min(perEndpoint, 4) : 1
  return { perEndpoint: few, perFastEndpoint: few }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

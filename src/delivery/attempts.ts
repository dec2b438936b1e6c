import type { Services } from '../kernel/services/services.ts'
import { type Span, traceCauseOf, traced } from '../kernel/telemetry/trace.ts'
import { clock } from '../kernel/time/clock.ts'
import { pause } from '../kernel/time/pause.ts'
import { type AttemptOutcome, judgeAttempt, PROCESS_STOPPING } from '../resources/webhooks/index.ts'
import type { Lane } from './lanes.ts'
import { SLOW_ENDPOINT_MS } from './lease-store.ts'
import type { ClaimPace } from './pace.ts'
import type { EndedDelivery, InFlightDelivery } from './states.ts'

/** All attempts of this process that are in flight or not recorded yet. */
const MAX_IN_FLIGHT = 2_048
/** How many results of one endpoint may wait to be recorded while its next attempts begin. */
export const MAX_UNRECORDED = 128

interface Attempt {
  lane: Lane
  since: number
  /** `ended`: only its result is still to be recorded */
  state: 'in flight' | 'ended'
  done: Promise<void>
  cancel: () => void
}

export interface AttemptNeeds extends Pick<Services, 'log' | 'metrics'> {
  /** Posts to the receiver; undefined if it was aborted because the process stops. */
  send(delivery: InFlightDelivery, abort: AbortController): Promise<AttemptOutcome | undefined>
  /** Returns when the result is recorded. */
  record(ended: EndedDelivery): Promise<void>
  pace: Pick<ClaimPace, 'ended' | 'queued'>
}

/** The deliveries of this process from the beginning of an attempt until its result is recorded. */
export class Attempts {
  readonly #needs: AttemptNeeds
  readonly #attempts = new Map<InFlightDelivery, Attempt>()
  /** this round left something for lack of capacity, so the next follows when a result is recorded */
  #isHeldBack = false

  constructor(needs: AttemptNeeds) {
    this.#needs = needs
  }

  /** A round begins. */
  beginRound(): void {
    this.#isHeldBack = false
  }

  holdBack(): void {
    this.#isHeldBack = true
  }

  countInFlight(): number {
    let count = 0
    for (const { state } of this.#attempts.values()) if (state === 'in flight') count++
    return count
  }

  /** How many more attempts of a lane may begin. */
  freeIn(lane: Lane): number {
    let used = 0
    const fastSince = clock.monotonic() - SLOW_ENDPOINT_MS
    for (const attempt of this.#attempts.values()) {
      if (attempt.state === 'in flight' && attempt.lane === lane && (lane.slow || attempt.since > fastSince)) used++
    }
    return Math.min(lane.capacity - used, MAX_IN_FLIGHT - this.#attempts.size)
  }

  /**
   * How many attempts count towards the limit of each endpoint, and the deliveries that ended and no longer count: those
   * whose results wait to be recorded, up to a limit.
   */
  usage(): { inUse: Map<string, number>; ended: string[] } {
    const inUse = new Map<string, number>()
    const unrecorded = new Map<string, number>()
    const ended: string[] = []
    for (const [{ id, endpoint_id }, { state }] of this.#attempts) {
      if (state === 'ended' && increment(unrecorded, endpoint_id) <= MAX_UNRECORDED) {
        ended.push(id)
        continue
      }
      if (state === 'ended') this.#isHeldBack = true
      increment(inUse, endpoint_id)
    }
    return { inUse, ended }
  }

  begin(delivery: InFlightDelivery, lane: Lane): void {
    const abort = new AbortController()
    const attempt: Attempt = {
      lane,
      since: clock.monotonic(),
      state: 'in flight',
      done: Promise.resolve(),
      cancel: () => abort.abort(PROCESS_STOPPING),
    }
    this.#attempts.set(delivery, attempt)
    const end = () => {
      if (attempt.state === 'in flight') this.#needs.pace.ended()
      attempt.state = 'ended'
    }
    attempt.done = this.#deliver(delivery, abort, end).finally(() => {
      end()
      this.#attempts.delete(delivery)
      if (this.#isHeldBack) this.#needs.pace.queued()
    })
  }

  /** Gives attempts some time to end and cancels the others. Returns those that had not ended in that time. */
  async stop(graceMs: number): Promise<InFlightDelivery[]> {
    const allDone = new AbortController()
    const done = Promise.all([...this.#attempts.values()].map(attempt => attempt.done)).then(() => allDone.abort())
    await pause(graceMs, allDone.signal)
    const canceled = [...this.#attempts]
    for (const [, attempt] of canceled) attempt.cancel()
    await done
    return canceled.map(([delivery]) => delivery)
  }

  /** Part of the trace of the request that caused the event, if that was in this process; otherwise a trace of its own. */
  #deliver(delivery: InFlightDelivery, abort: AbortController, end: () => void): Promise<void> {
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
      span => this.#sendAndRecord(delivery, abort, end, span),
    )
  }

  async #sendAndRecord(delivery: InFlightDelivery, abort: AbortController, end: () => void, span: Span): Promise<void> {
    const startedAt = clock.monotonic()
    try {
      const outcome = await this.#needs.send(delivery, abort)
      if (!outcome) return
      end()
      this.#needs.metrics.webhookAttempt(outcome.error ?? 'delivered')
      span.set({ 'http.response.status_code': outcome.responseStatus ?? undefined })
      if (outcome.error) span.fail(outcome.error)
      await this.#needs.record(endedDelivery(delivery, outcome, clock.monotonic() - startedAt))
    } catch (error) {
      // the lease expires and the attempt is repeated: at-least-once delivery
      this.#needs.log.warn({ delivery: delivery.id, err: error }, 'the result of a webhook attempt was not recorded')
    }
  }
}

const endedDelivery = (delivery: InFlightDelivery, outcome: AttemptOutcome, ms: number): EndedDelivery => ({
  workspace_id: delivery.workspace_id,
  id: delivery.id,
  attempt: delivery.attempt,
  endpointId: delivery.endpoint_id,
  leaseToken: delivery.lease_token,
  sentAt: delivery.sent_at,
  attemptError: outcome.error,
  responseStatus: outcome.responseStatus,
  durationMs: Math.round(ms),
  response: outcome.response,
  ...judgeAttempt(delivery.kind, delivery.attempt, outcome, Math.random()),
})

function increment(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}

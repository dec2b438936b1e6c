import type { TestContext } from 'node:test'
import { type AttemptNeeds, Attempts } from '../../src/delivery/attempts.ts'
import type { EndedDelivery, InFlightDelivery, LeasedDelivery } from '../../src/delivery/states.ts'
import type { Services } from '../../src/kernel/services/services.ts'
import { clock } from '../../src/kernel/time/clock.ts'
import type { AttemptOutcome } from '../../src/resources/webhooks/index.ts'

/** Stops the clock of durations; `advance` moves it. */
export function stopClock(t: TestContext): { advance(ms: number): void } {
  let now = 100_000
  t.mock.method(clock, 'monotonic', () => now)
  return {
    advance(ms) {
      now += ms
    },
  }
}

export const inFlight = (endpoint_id: string, n: number, lease_token = 'claim'): InFlightDelivery => ({
  workspace_id: 'w',
  id: `${endpoint_id}${n}`,
  endpoint_id,
  lease_token,
  kind: 'event',
  attempt: 1,
  event_id: 'evt',
  url: 'https://x.example.com/',
  body: '{}',
  names_workspace: false,
  sent_at: '2026-11-01T00:00:00Z',
  unix_seconds: 0,
  secret_versions: [],
  secrets: [],
})

export const leased = (endpoint_id: string, n: number): Omit<LeasedDelivery, 'offeredAt'> => ({
  workspace_id: 'w',
  id: `${endpoint_id}${n}`,
  endpoint_id,
  event_id: 'evt',
  event_type: 'job.updated',
  event_sequence: n,
  sent_at: '2026-11-01T00:00:00Z',
})

export const several = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))

export const ACKNOWLEDGED: AttemptOutcome = {
  error: null,
  responseStatus: 200,
  retryAfterSeconds: null,
  response: null,
}

/** A log that keeps the messages. */
export function keptLog(): { log: Services['log']; messages: string[] } {
  const messages: string[] = []
  const keep = (_: object, message: string) => void messages.push(message)
  return { log: { warn: keep, error: keep } as unknown as Services['log'], messages }
}

/** Attempts that a test ends itself, first the attempt and then its recording, by the id of the delivery. The clock is stopped. */
export function heldAttempts(t: TestContext) {
  const sending = new Map<string, (outcome: AttemptOutcome | undefined) => void>()
  const recording = new Map<string, { ended: EndedDelivery; resolve(): void; reject(error: Error): void }>()
  const steps: Pick<AttemptNeeds, 'send' | 'record'> = {
    send: ({ id }, abort) =>
      new Promise(resolve => {
        sending.set(id, resolve)
        abort.signal.addEventListener('abort', () => resolve(undefined))
      }),
    record: ended => new Promise((resolve, reject) => void recording.set(ended.id, { ended, resolve, reject })),
  }
  const pace = {
    endedCount: 0,
    queuedCount: 0,
    ended: () => void pace.endedCount++,
    queued: () => void pace.queuedCount++,
  }
  const outcomes: string[] = []
  const metrics = { webhookAttempt: (outcome: string) => void outcomes.push(outcome) } as Services['metrics']
  const { log, messages } = keptLog()
  return {
    attempts: new Attempts({ ...steps, pace, log, metrics }),
    time: stopClock(t),
    pace,
    outcomes,
    messages,
    log,
    recording,
    begun: () => [...sending.keys()],
    async end(id: string, outcome: AttemptOutcome = ACKNOWLEDGED) {
      sending.get(id)!(outcome)
      await settled()
    },
    async record(id: string) {
      recording.get(id)!.resolve()
      await settled()
    },
  }
}

/** Lets everything that is ready to continue do so. */
export const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

import {
  type CredentialRateLimits,
  type FeedEvent,
  FeedGapError,
  type HiringClient,
  RateLimitError,
} from '../../sdk/src/index.ts'
import { duration } from './connect.ts'
import { gapMessage, type Start } from './position.ts'

/** A limit that lasts longer is not waited for: it is the month's quota, not the minute's rate. */
const LONGEST_LIMIT_SECONDS = 900
/** Polls use at most a quarter of the key's calls in a minute. */
const FASTEST_POLL_MS = 1_000
const SHARE_OF_LIMIT = 4

const WORKING_DAY_MS = 8 * 3_600_000

/** Polling takes at most a quarter of the calls per minute, and on a working day a quarter of the month's quota. */
export const pollMsFor = (limits: Pick<CredentialRateLimits, 'general_per_minute' | 'requests_per_month'>): number =>
  Math.max(
    FASTEST_POLL_MS,
    Math.ceil((60_000 * SHARE_OF_LIMIT) / Math.max(1, limits.general_per_minute)),
    Math.ceil((WORKING_DAY_MS * SHARE_OF_LIMIT) / Math.max(1, limits.requests_per_month ?? Number.POSITIVE_INFINITY)),
  )

export interface ReadOptions {
  start: Start
  types: readonly string[] | undefined
  pollMs: number
  signal: AbortSignal
  /** problems that the reader waits out */
  notice: (text: string) => void
  /** true: end at the end of the feed */
  once?: boolean
}

/**
 * Events from a position on, until the signal is aborted. The SDK waits out outages; this also waits for the rate limit,
 * and continues at the end of the feed if events were lost.
 */
export async function* readFeed(client: HiringClient, options: ReadOptions): AsyncGenerator<FeedEvent, void> {
  const { start, types, pollMs, signal, notice } = options
  let { after, epoch } = start
  const onOutage = (error: unknown, ms: number) =>
    notice(`the service is unavailable, next try in ${duration(ms / 1000)}: ${(error as Error).message}`)
  while (!signal.aborted) {
    try {
      const from = { epoch, ...(after === undefined ? {} : { after }), ...(types ? { type: types } : {}) }
      const events = options.once
        ? client.events.list(from, { signal })
        : client.events.tail({ ...from, signal, pollMs, onOutage })
      for await (const event of events) {
        if (start.since === undefined || Date.parse(event.created_at) >= start.since) yield event
        after = event.sequence
      }
      return
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RateLimitError && (error.retryAfterSeconds ?? 0) <= LONGEST_LIMIT_SECONDS) {
        const seconds = error.retryAfterSeconds ?? 1
        notice(`rate limit reached, continuing in ${duration(seconds)}`)
        await client.runtime.sleep(seconds * 1000, signal).catch(() => {})
      } else if (error instanceof FeedGapError && !options.once) {
        notice(`${gapMessage(error)}: continuing with events from now on`)
        after = error.nextAfter
        epoch = error.epoch
      } else throw error
    }
  }
}

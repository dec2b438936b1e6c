import type { Core, Open, Query, RequestOptions } from './core.ts'
import { type ApiError, FeedGapError } from './errors.ts'
import type { Event, EventPage, EventType } from './generated.ts'
import { type PagePromise, type PageSource, paginate } from './page.ts'
import type { ApiPromise, ApiResponse } from './response.ts'
import { isOutage } from './retry.ts'

const DEFAULT_POLL_MS = 2_000
/** Waits of a reader while the service is unavailable: it goes on for as long as that takes. */
const FIRST_OUTAGE_MS = 1_000
const LONGEST_OUTAGE_MS = 60_000
/** More than any log has: the response then names the end of the log. */
const BEYOND_END = Number.MAX_SAFE_INTEGER

/**
 * A change in the workspace, as the feed and webhooks carry it. `type` tells the kinds apart, and the compiler then knows
 * the fields of `data.object`. Types that this version does not know can come at any time: ignore them.
 */
export type FeedEvent = Event

export type FeedPage = EventPage

/** Where a reader is in the log of a workspace. `epoch` names the log: it changes when a backup is restored. */
export interface FeedPosition {
  after: number
  epoch: string
}

export interface FeedQuery {
  /** Only events after this sequence. Left out: from the oldest that is retained. */
  after?: number
  /** The epoch that `after` belongs to: iterating throws a FeedGapError if the log has another one. */
  epoch?: string | undefined
  /** Only these types. */
  type?: Open<EventType> | readonly Open<EventType>[] | undefined
  /** Without the events that your own writes caused. */
  exclude_origin?: 'self'
  limit?: number
}

export interface TailOptions extends Omit<FeedQuery, 'after' | 'limit'>, ReaderOptions {
  /** Where to begin: after a sequence, or `now`. Left out: from the oldest event that is retained. */
  after?: number | 'now'
  /** How long to wait at the end of the log. Default 2 seconds. */
  pollMs?: number
  /** End at the end of the log instead of waiting for more. */
  once?: boolean
}

/** Pages of the log. Iterating never skips a gap silently, and stays in one epoch. */
class FeedPages implements PageSource<FeedPage> {
  readonly #core: Core
  readonly #query: FeedQuery
  readonly #options: RequestOptions

  constructor(core: Core, query: FeedQuery, options: RequestOptions) {
    this.#core = core
    this.#query = query
    this.#options = options
  }

  async first(limit?: number): Promise<ApiResponse<FeedPage>> {
    const { epoch, ...query } = this.#query
    const response = await this.#read({ limit, ...query } as Query).withResponse()
    // a single page shows `gap` and `epoch`; an iteration must not continue behind them
    if (limit !== undefined) checked(response.data, query.after ?? 0, epoch)
    return response
  }

  following(page: FeedPage, limit?: number): Promise<FeedPage> | undefined {
    if (!page.has_more) return undefined
    const { epoch: _, ...query } = this.#query
    const after = page.next_after
    return this.#read({ limit, ...query, after } as Query).then(next => checked(next, after, page.epoch))
  }

  #read(query: Query): ApiPromise<FeedPage> {
    return this.#core.request<FeedPage>({ ...this.#options, path: '/events', query })
  }
}

function checked(page: FeedPage, after: number, epoch: string | undefined): FeedPage {
  const reason = epoch !== undefined && page.epoch !== epoch ? 'epoch_changed' : page.gap ? 'gap' : undefined
  if (reason) throw new FeedGapError(reason, { after, epoch: page.epoch, nextAfter: page.next_after })
  return page
}

export const listEvents = (core: Core, query: FeedQuery, options: RequestOptions): PagePromise<FeedEvent, FeedPage> =>
  paginate<FeedEvent, FeedPage>(new FeedPages(core, query, options))

/** The end of the log: what happens from now on has a higher sequence. */
export async function endOfFeed(core: Core, options: RequestOptions = {}): Promise<FeedPosition> {
  const page = await core.request<FeedPage>({ ...options, path: '/events', query: { after: BEYOND_END, limit: 1 } })
  return { after: page.next_after, epoch: page.epoch }
}

/** What a reader that runs for weeks accepts. */
export interface ReaderOptions extends RequestOptions {
  /** Called when the service is unavailable. The reader waits and continues by itself. */
  onOutage?: (error: unknown, retryInMs: number) => void
}

/** Repeats a call for as long as an outage lasts. Other errors are thrown, and the reason of the signal. */
export async function throughOutages<T>(core: Core, options: ReaderOptions, call: () => Promise<T>): Promise<T> {
  for (let outages = 0; ; outages++) {
    try {
      return await call()
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isOutage(error)) throw error
      const asked = ((error as ApiError).retryAfterSeconds ?? 0) * 1000
      const backoff = Math.min(LONGEST_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** outages)
      const wait = Math.max(asked, backoff * (0.5 + core.runtime.random() / 2))
      options.onOutage?.(error, wait)
      await core.runtime.sleep(wait, options.signal)
    }
  }
}

/**
 * Every page from a position on: at the end of the log it polls, and while the service is unavailable it waits. Pages
 * without events are yielded too, because the position moves. Ends when the signal is aborted, with `once` at the end of
 * the log.
 */
export async function* tailPages(core: Core, options: TailOptions): AsyncGenerator<FeedPage, void> {
  const { after: from, epoch: known, type, exclude_origin, pollMs = DEFAULT_POLL_MS, once, ...reader } = options
  const { signal } = reader
  try {
    const end = from === 'now' ? await throughOutages(core, reader, () => endOfFeed(core, reader)) : undefined
    let after = end ? end.after : (from as number | undefined)
    let epoch = end?.epoch ?? known
    while (!signal?.aborted) {
      const query = { after, type, exclude_origin, limit: 100 }
      const read = () => core.request<FeedPage>({ ...reader, path: '/events', query })
      const page = checked(await throughOutages(core, reader, read), after ?? 0, epoch)
      yield page
      after = page.next_after
      epoch = page.epoch
      if (page.has_more) continue
      if (once) return
      await core.runtime.sleep(pollMs * (0.75 + core.runtime.random() / 2), signal)
    }
  } catch (error) {
    if (!signal?.aborted) throw error
  }
}

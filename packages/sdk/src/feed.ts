import type { Core, Query, RequestOptions } from './core.ts'
import { FeedGapError } from './errors.ts'
import { type ListEnvelope, type PagePromise, type PageSource, pagesOf } from './page.ts'
import { isOutage } from './retry.ts'

const DEFAULT_POLL_MS = 2_000
/** Waits of a reader while the service is unavailable: it goes on for as long as that takes. */
const FIRST_OUTAGE_MS = 1_000
const LONGEST_OUTAGE_MS = 60_000
/** More than any log has: the response then names the end of the log. */
const BEYOND_END = Number.MAX_SAFE_INTEGER

/** A change in the workspace, as the feed and webhooks carry it. Types that you do not know can come at any time. */
export interface FeedEvent {
  object: 'event'
  id: string
  type: string
  api_version: string
  created_at: string
  sequence: number
  workspace_id: string | null
  data: {
    object: { object: string; id: string; changed?: string[]; origin?: string; [value: string]: unknown }
    previous_attributes?: Record<string, unknown>
  }
  links: { self: string; record?: string }
}

export interface FeedPage extends ListEnvelope<FeedEvent> {
  next_after: number
  oldest_sequence: number
  epoch: string
  gap: boolean
}

/** Where a reader is in the log of a workspace. `epoch` names the log: it changes when a backup is restored. */
export interface FeedPosition {
  after: number
  epoch?: string | undefined
}

export interface FeedQuery {
  /** Only events after this sequence. Left out: from the oldest that is retained. */
  after?: number
  /** The epoch that `after` belongs to: iterating throws a FeedGapError if the log has another one. */
  epoch?: string | undefined
  /** Only these types. */
  type?: string | readonly string[]
  /** Without the events that your own writes caused. */
  exclude_origin?: 'self'
  limit?: number
}

export interface TailOptions extends Omit<FeedQuery, 'after' | 'limit'>, RequestOptions {
  /** Where to begin: after a sequence, or `now`. Left out: from the oldest event that is retained. */
  after?: number | 'now'
  /** How long to wait at the end of the log. Default 2 seconds. */
  pollMs?: number
  /** Called when the service is unavailable. Reading continues by itself. */
  onOutage?: (error: unknown, retryInMs: number) => void
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

  async first(limit?: number): Promise<FeedPage> {
    const { epoch, ...query } = this.#query
    const page = await this.#read({ limit, ...query } as Query)
    // a single page shows `gap` and `epoch`; an iteration must not continue behind them
    return limit === undefined ? page : checked(page, query.after ?? 0, epoch)
  }

  following(page: FeedPage, limit?: number): Promise<FeedPage> | undefined {
    if (!page.has_more) return undefined
    const { epoch: _, ...query } = this.#query
    const after = page.next_after
    return this.#read({ limit, ...query, after } as Query).then(next => checked(next, after, page.epoch))
  }

  #read(query: Query): Promise<FeedPage> {
    return this.#core.request<FeedPage>({ ...this.#options, path: '/events', query })
  }
}

function checked(page: FeedPage, after: number, epoch: string | undefined): FeedPage {
  const reason = epoch !== undefined && page.epoch !== epoch ? 'epoch_changed' : page.gap ? 'gap' : undefined
  if (reason) throw new FeedGapError(reason, { after, epoch: page.epoch, nextAfter: page.next_after })
  return page
}

export const listEvents = (core: Core, query: FeedQuery, options: RequestOptions): PagePromise<FeedEvent, FeedPage> =>
  pagesOf<FeedEvent, FeedPage>(new FeedPages(core, query, options))

/** The end of the log: what happens from now on has a higher sequence. */
export async function endOfFeed(core: Core, options: RequestOptions = {}): Promise<Required<FeedPosition>> {
  const page = await core.request<FeedPage>({ ...options, path: '/events', query: { after: BEYOND_END, limit: 1 } })
  return { after: page.next_after, epoch: page.epoch }
}

/**
 * Every page from a position on, forever: at the end of the log it polls, and while the service is unavailable it waits.
 * Pages without events are yielded too, because the position moves. Ends when the signal is aborted.
 */
export async function* tailPages(core: Core, options: TailOptions): AsyncGenerator<FeedPage, void> {
  const { after: from, epoch: known, type, exclude_origin, pollMs = DEFAULT_POLL_MS, onOutage, ...request } = options
  const { signal } = request
  const { sleep, random } = core.runtime
  let after: number | undefined
  let epoch = known
  let outages = 0
  let begun = false
  while (!signal?.aborted) {
    try {
      if (!begun) {
        const end = from === 'now' ? await endOfFeed(core, request) : undefined
        after = end ? end.after : (from as number | undefined)
        epoch = end?.epoch ?? epoch
        begun = true
      }
      const query = { after, type, exclude_origin, limit: 100 } as Query
      const page = checked(await core.request<FeedPage>({ ...request, path: '/events', query }), after ?? 0, epoch)
      outages = 0
      yield page
      after = page.next_after
      epoch = page.epoch
      if (!page.has_more) await sleep(pollMs * (0.75 + random() / 2), signal)
    } catch (error) {
      if (signal?.aborted) return
      if (!isOutage(error)) throw error
      const wait = Math.min(LONGEST_OUTAGE_MS, FIRST_OUTAGE_MS * 2 ** outages++) * (0.5 + random() / 2)
      onOutage?.(error, wait)
      await sleep(wait, signal).catch(() => {}) // aborted: the loop ends
    }
  }
}

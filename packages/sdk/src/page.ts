import type { Core, Query, RequestOptions } from './core.ts'
import { isApiError } from './errors.ts'
import type { Path } from './path.ts'
import type { ApiPromise, ApiResponse } from './response.ts'

/** Rows for each request of an iteration: the most that the service returns. */
const ITERATION_LIMIT = 100

export interface ListEnvelope<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

/** How a kind of list is read page by page. */
export interface PageSource<E> {
  first(limit?: number): Promise<ApiResponse<E>>
  /** undefined after the last one */
  following(page: E, limit?: number): Promise<E> | undefined
}

/** One page as the service returned it, and the way to the next one. */
export type Page<E> = E & {
  /** undefined after the last page */
  next(): Promise<Page<E>> | undefined
}

/** `await` gives the first page, `for await` all rows. Nothing is requested before. */
export interface PagePromise<T, E extends ListEnvelope<T> = ListEnvelope<T>>
  extends Promise<Page<E>>,
    AsyncIterable<T> {
  /** The first page with status and headers, such as `RateLimit-Remaining`. */
  withResponse(): Promise<ApiResponse<Page<E>>>
  pages(): AsyncIterableIterator<E>
  /** All rows, or the first `limit` of them. */
  toArray(limit?: number): Promise<T[]>
}

/** What is known about the rows before the end of a page. */
interface Progress {
  /** bounds of the time window that the page belongs to */
  window: Query
  /** times of the last rows by their ids, as far back as another window can overlap */
  recent: ReadonlyMap<unknown, number>
}

interface TimedRow {
  id?: unknown
  updated_at?: string
}

/**
 * A list with cursors. The service pages through 10,000 rows; behind them the list is continued in a time window, if it
 * is one that is sorted by the time of the last change.
 */
export class CursorPages<T, E extends ListEnvelope<T>> implements PageSource<E> {
  readonly #core: Core
  readonly #path: string | Path
  readonly #query: Query
  readonly #options: RequestOptions
  readonly #progress = new WeakMap<E, Progress>()

  constructor(core: Core, path: string | Path, query: Query, options: RequestOptions) {
    this.#core = core
    this.#path = path
    this.#query = query
    this.#options = options
  }

  first(limit?: number): Promise<ApiResponse<E>> {
    return this.read({ limit }).withResponse()
  }

  following(page: E, limit?: number): Promise<E> | undefined {
    if (!page.has_more || !page.next_cursor) return undefined
    const { window, recent } = this.#progress.get(page) ?? { window: {}, recent: new Map() }
    const seen = lastRows(recent, page.data)
    return this.read({ limit, ...window, cursor: page.next_cursor })
      .then(next => this.#after(next, window, seen))
      .catch(error => this.#nextWindow(error, page, window, seen, limit))
  }

  protected read({ limit, ...position }: Query): ApiPromise<E> {
    const query = { limit, ...this.#query, ...position }
    return this.#core.request<E>({ ...this.#options, path: this.#path, query })
  }

  async #nextWindow(error: unknown, page: E, last: Query, seen: Progress['recent'], limit?: number): Promise<E> {
    const { updated_at } = (page.data.at(-1) ?? {}) as TimedRow
    if (!updated_at || !isApiError(error, 'result_window_exceeded')) throw error
    const at = (ms: number) => new Date(Date.parse(updated_at) + ms).toISOString()
    const window = this.#query['order'] === 'asc' ? { updated_after: at(-1) } : { updated_before: at(1) }
    // 10,000 rows of one millisecond
    if (last['updated_after'] === window.updated_after && last['updated_before'] === window.updated_before) throw error
    const next = await this.read({ limit, ...window }).catch(cause => {
      throw isApiError(cause, 'invalid_request') ? error : cause // the list has no such filter
    })
    return this.#after(next, window, seen)
  }

  /** Leaves out the rows at the border of two windows that came before. */
  #after(page: E, window: Query, seen: Progress['recent']): E {
    page.data = page.data.filter(row => !seen.has((row as TimedRow).id))
    this.#progress.set(page, { window, recent: seen })
    return page
  }
}

/** Rows that are at most two milliseconds from the last one. */
function lastRows(recent: Progress['recent'], rows: readonly unknown[]): Map<unknown, number> {
  const all = new Map(recent)
  for (const { id, updated_at } of rows as TimedRow[]) if (updated_at) all.set(id, Date.parse(updated_at))
  const last = [...all.values()].at(-1) ?? 0
  return new Map([...all].filter(([, time]) => Math.abs(time - last) <= 2))
}

export interface LogEnvelope<T> extends ListEnvelope<T> {
  next_after: number
}

/** A log with sequences. */
export class LogPages<T, E extends LogEnvelope<T>> extends CursorPages<T, E> {
  override following({ has_more, next_after }: E, limit?: number): Promise<E> | undefined {
    return has_more ? this.read({ limit, after: next_after }) : undefined
  }
}

export function paginate<T, E extends ListEnvelope<T>>(source: PageSource<E>): PagePromise<T, E> {
  let started: Promise<ApiResponse<Page<E>>> | undefined
  const response = () => (started ??= firstPage(source))
  const first = () => response().then(({ data }) => data)
  return {
    // biome-ignore lint/suspicious/noThenProperty: like a query builder, it is awaited or iterated
    then: (done, failed) => first().then(done, failed),
    catch: failed => first().catch(failed),
    finally: done => first().finally(done),
    [Symbol.toStringTag]: 'PagePromise',
    withResponse: response,
    pages: () => pages(source),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages(source)) yield* page.data
    },
    async toArray(limit = Number.POSITIVE_INFINITY) {
      const rows: T[] = []
      for await (const page of pages(source)) {
        rows.push(...page.data)
        if (rows.length >= limit) break
      }
      return rows.slice(0, limit)
    },
  }
}

async function firstPage<E>(source: PageSource<E>): Promise<ApiResponse<Page<E>>> {
  const response = await source.first()
  return { ...response, data: withNext(response.data, source) }
}

async function* pages<E>(source: PageSource<E>): AsyncIterableIterator<E> {
  for (let page: E | undefined = (await source.first(ITERATION_LIMIT)).data; page; ) {
    yield page
    page = await source.following(page, ITERATION_LIMIT)
  }
}

function withNext<E>(page: E, source: PageSource<E>): Page<E> {
  // not enumerable, so that printing or storing a page shows what the service returned
  return Object.defineProperty(page as Page<E>, 'next', {
    value: () => source.following(page)?.then(following => withNext(following, source)),
  })
}

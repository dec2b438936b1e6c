import type { Core, Query, RequestOptions } from './core.ts'

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
  first(limit?: number): Promise<E>
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
  pages(): AsyncIterableIterator<E>
  /** All rows, or the first `limit` of them. */
  toArray(limit?: number): Promise<T[]>
}

/** A list with cursors. */
export class CursorPages<T, E extends ListEnvelope<T>> implements PageSource<E> {
  readonly #core: Core
  readonly #path: string
  readonly #query: Query
  readonly #options: RequestOptions

  constructor(core: Core, path: string, query: Query, options: RequestOptions) {
    this.#core = core
    this.#path = path
    this.#query = query
    this.#options = options
  }

  first(limit?: number): Promise<E> {
    return this.read({ limit })
  }

  following({ has_more, next_cursor }: E, limit?: number): Promise<E> | undefined {
    return has_more && next_cursor ? this.read({ limit, cursor: next_cursor }) : undefined
  }

  protected read({ limit, ...position }: Query): Promise<E> {
    const query = { limit, ...this.#query, ...position }
    return this.#core.request<E>({ ...this.#options, path: this.#path, query })
  }
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

export function pagesOf<T, E extends ListEnvelope<T>>(source: PageSource<E>): PagePromise<T, E> {
  let started: Promise<Page<E>> | undefined
  const first = () => (started ??= source.first().then(page => withNext(page, source)))
  return {
    // biome-ignore lint/suspicious/noThenProperty: like a query builder, it is awaited or iterated
    then: (done, failed) => first().then(done, failed),
    catch: failed => first().catch(failed),
    finally: done => first().finally(done),
    [Symbol.toStringTag]: 'PagePromise',
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

async function* pages<E>(source: PageSource<E>): AsyncIterableIterator<E> {
  for (let page: E | undefined = await source.first(ITERATION_LIMIT); page; ) {
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

import { type Cooperative, runCooperatively } from '../kernel/async/cooperative.ts'
import { InvertedIndex } from './inverted-index.ts'
import { type IndexQuery, type IndexResult, resultFrom } from './ranked-search.ts'
import type { TermsRow } from './store.ts'

/** The thread that had the index has ended: another index must be loaded. */
export class IndexLostError extends Error {}

/** An index of the pool in memory, in this thread or in another. A call sees every row that was put before it. */
export interface PoolIndex {
  readonly inThread: boolean
  readonly size: number
  readonly needsRebuild: boolean
  /** every call is rejected with IndexLostError */
  readonly isLost: boolean
  put: (rows: readonly TermsRow[]) => Promise<void>
  frequency: (term: string) => Promise<number>
  search: (query: IndexQuery) => Promise<IndexResult>
  /** Searches that were begun return first. */
  close: () => Promise<void>
}

/** Rows applied between two points at which other requests may run. */
const ROWS_PER_STEP = 50

function* putAll(index: InvertedIndex, rows: readonly TermsRow[]): Cooperative<void> {
  for (const [i, row] of rows.entries()) {
    index.put(row.profile_id, row.title_words, row.terms, row.changed)
    if (i % ROWS_PER_STEP === 0) yield
  }
}

/** In this thread: a small pool needs no other. Longer work lets the event loop run in between. */
export class LocalIndex implements PoolIndex {
  readonly inThread = false
  readonly isLost = false
  readonly #index = new InvertedIndex()

  get size(): number {
    return this.#index.size
  }

  get needsRebuild(): boolean {
    return this.#index.needsRebuild
  }

  put(rows: readonly TermsRow[]): Promise<void> {
    return runCooperatively(putAll(this.#index, rows))
  }

  async frequency(term: string): Promise<number> {
    return this.#index.frequency(term)
  }

  search(query: IndexQuery): Promise<IndexResult> {
    return runCooperatively(resultFrom(this.#index, query))
  }

  async close(): Promise<void> {}
}

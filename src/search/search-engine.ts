import type { SearchRequest } from './query-parser.ts'
import type { Ranked } from './rank.ts'

/** The index of this process, for operators. */
export interface IndexState {
  name: string
  /** 0 while none is loaded */
  profiles: number
  /** since when changes may be missing; the next search applies them */
  ageSeconds: number
}

/** What searches the pool: this process, or a cluster of machines. `test/search/conformance.ts` has what both must do. */
export interface SearchEngine {
  /** searches of this process at the same time */
  readonly concurrency: number
  /** The best profiles, ranked. Fails with SearchUnavailable if the engine cannot search now. */
  search: (request: SearchRequest, limit: number) => Promise<Ranked[]>
  /** Returns when nothing outside of the database has terms of these erased profiles; fails if that is not known. */
  confirmErased: (ids: readonly string[]) => Promise<void>
  /** Throws why it does not work; for operators. */
  check: () => Promise<void>
  state: () => IndexState
  close: () => Promise<void>
}

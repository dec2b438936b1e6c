import { BoundedQueue } from '../kernel/async/bounded-queue.ts'
import { getOrCreate } from '../kernel/async/get-or-create.ts'
import type { Database } from '../kernel/db/database.ts'
import { findSearchCluster } from '../kernel/search-cluster/search-cluster.ts'
import { ClusterEngine } from './cluster/cluster-engine.ts'
import { indexFor } from './index-cache.ts'
import type { SearchRequest } from './query-parser.ts'
import type { Ranked } from './rank.ts'
import { type RunFew, searchInDatabase, searchInMemory } from './search.ts'
import type { IndexState, SearchEngine } from './search-engine.ts'

/** Each process has an index in memory, which follows the database with every search. */
class EmbeddedEngine implements SearchEngine {
  /** more than there are threads: some wait for the database, for a moment */
  readonly concurrency = 8
  readonly #db: Database
  /** What has a connection for its whole time: a ranking in the database, and the look-up of similar words. Few are let in. */
  readonly #inDatabase = new BoundedQueue({ concurrency: 2, capacity: 100, timeoutMs: 1_000, retryAfterSeconds: 2 })

  constructor(db: Database) {
    this.#db = db
  }

  async search(request: SearchRequest, limit: number): Promise<Ranked[]> {
    const few: RunFew = work => this.#inDatabase.run({}, work)
    const ranked = await searchInMemory(this.#db, request, limit, few)
    return ranked ?? few(() => searchInDatabase(this.#db, request, limit))
  }

  /** Memory follows the database: the next search of a process applies the erasure first. */
  async confirmErased(): Promise<void> {}

  async check(): Promise<void> {
    indexFor(this.#db).check()
  }

  state(): IndexState {
    return indexFor(this.#db).state()
  }

  close(): Promise<void> {
    return indexFor(this.#db).close()
  }
}

const engines = new WeakMap<Database, SearchEngine>()

/** The engine of a database: a cluster if one is configured. */
export const engineFor = (db: Database): SearchEngine =>
  getOrCreate(engines, db, () => {
    const cluster = findSearchCluster(db)
    return cluster ? new ClusterEngine(db, cluster) : new EmbeddedEngine(db)
  })

import { createHash } from 'node:crypto'
import { BoundedQueue } from '../../kernel/async/bounded-queue.ts'
import type { Database } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import {
  type SearchCluster,
  SearchIndexMissing,
  SearchUnavailable,
} from '../../kernel/search-cluster/search-cluster.ts'
import { clock } from '../../kernel/time/clock.ts'
import type { Condition } from '../conditions.ts'
import type { SearchRequest } from '../query-parser.ts'
import { loosest, type WeightedPlan } from '../query-plan.ts'
import { type Ranked, rankRows } from '../rank.ts'
import { planFor, searchInDatabase } from '../search.ts'
import type { IndexState, SearchEngine } from '../search-engine.ts'
import { searchSettings, selectAmong, selectHistory, type VersionedRow, versionedById } from '../store.ts'
import { ForeignIndexError, PoolIndexes } from './indexes.ts'
import { secondsBehind } from './pool-writer.ts'
import { buildFilter, fitsCluster, type Query, rankedQuery } from './query.ts'

/** Candidates that a shard looks at, as many as the index in memory ranks: time does not grow with the pool. */
const CANDIDATES_PER_SHARD = 20_000

/** The cluster finds the best of so many times the limit, and the database computes their exact order. */
const SPARE_FACTOR = 3
const MIN_CANDIDATES = 100

/** How long it is known that the index is our own. */
const OWNED_MS = 1_000

interface SearchResponse {
  status: number
  timed_out?: boolean
  error?: { type: string }
  hits?: { total?: { value: number }; hits?: { _id: string }[] }
}

/**
 * Searches in a cluster. It selects the candidates and an order of them; the database, which has the terms as they are now,
 * computes the scores. So a profile that changed or was erased is never shown by an index that does not know it yet.
 */
export class ClusterEngine implements SearchEngine {
  /** the cluster does the work */
  readonly concurrency = 16
  readonly #db: Database
  readonly #cluster: SearchCluster
  readonly #indexes: PoolIndexes
  /** until when the index that serves need not be looked at again */
  #ownedUntil = Number.NEGATIVE_INFINITY
  /** Each has a connection of the database for its whole time, so few are let in, as with the index in memory. */
  readonly #inDatabase = new BoundedQueue({ concurrency: 2, capacity: 100, timeoutMs: 1_000, retryAfterSeconds: 2 })

  constructor(db: Database, cluster: SearchCluster) {
    this.#db = db
    this.#cluster = cluster
    this.#indexes = new PoolIndexes(cluster)
  }

  async search(request: SearchRequest, limit: number): Promise<Ranked[]> {
    const plan = await this.#db.transaction(async tx => {
      await tx.query(searchSettings())
      return planFor(tx, request)
    })
    let found: { ids: string[]; level: Condition }
    try {
      // at the same time, and not counted: a cluster that responds to this may be too slow for searches
      const own = clock.monotonic() < this.#ownedUntil ? undefined : this.#assertOwn()
      ;[found] = await Promise.all([this.#candidates(plan, limit), own])
    } catch (error) {
      if (!(error instanceof SearchIndexMissing || error instanceof ForeignIndexError)) throw error
      return this.#withoutIndex(request, limit)
    }
    if (found.ids.length === 0) return []
    const rows = await this.#db.transaction(async tx => {
      const [, rows] = await Promise.all([
        tx.query(searchSettings()),
        tx.query(selectAmong(found.ids, found.level, plan.features)),
      ])
      return rows
    })
    return rankRows(plan, rows, limit)
  }

  /** Another installation may have been given the same name: its index says nothing about this pool. */
  async #assertOwn(): Promise<void> {
    const at = clock.monotonic()
    const [origin, serving] = await Promise.all([this.#db.only(selectHistory()), this.#indexes.serving()])
    const foreign = serving.find(index => index.installation !== origin.installation)
    if (foreign) throw new ForeignIndexError(foreign.name)
    this.#ownedUntil = at + OWNED_MS
  }

  /** Until the first index is built, and while there is only that of another installation. */
  #withoutIndex(request: SearchRequest, limit: number): Promise<Ranked[]> {
    return this.#inDatabase.run({}, () => searchInDatabase(this.#db, request, limit))
  }

  /** The best of the first level that has `limit` of them. */
  async #candidates(plan: WeightedPlan, limit: number): Promise<{ ids: string[]; level: Condition }> {
    const levels = plan.levels.filter(fitsCluster)
    const last = loosest(levels.length > 0 ? levels : plan.levels)
    const counts = await this.#ask(
      levels.slice(0, -1).map(level => ({ size: 0, track_total_hits: limit, query: buildFilter(level) })),
    )
    const level = levels.find((_, i) => (counts[i]?.hits?.total?.value ?? 0) >= limit) ?? last
    const [best] = await this.#ask([
      {
        size: Math.max(MIN_CANDIDATES, SPARE_FACTOR * limit),
        track_total_hits: false,
        terminate_after: CANDIDATES_PER_SHARD,
        query: rankedQuery(plan, level),
      },
    ])
    return { ids: (present(best, 'a response').hits?.hits ?? []).map(hit => hit._id), level }
  }

  /** Results of a part of the index are none: which profiles are missing would depend on chance. */
  async #ask(searches: readonly Query[]): Promise<SearchResponse[]> {
    if (searches.length === 0) return []
    const { alias, timeoutMs } = this.#cluster
    const queries = searches.map(search => JSON.stringify({ _source: false, timeout: `${timeoutMs}ms`, ...search }))
    // the same request goes to the same copies of the shards: equal candidates may be in another order in others
    const preference = createHash('sha1').update(queries.join('')).digest('hex')
    const header = JSON.stringify({ index: alias, preference, allow_partial_search_results: false })
    const body = queries.map(query => `${header}\n${query}\n`).join('')
    const filter_path =
      'responses.status,responses.error.type,responses.timed_out,responses.hits.total.value,responses.hits.hits._id'
    const { responses } = await this.#cluster.ask<{ responses: SearchResponse[] }>(async (client, limits) => {
      const response = (await client.msearch({ body: body as never, filter_path }, limits)) as never as {
        body: { responses: SearchResponse[] }
      }
      for (const { status, error, timed_out } of response.body.responses) {
        if (error?.type === 'index_not_found_exception') throw new SearchIndexMissing('the pool is not indexed yet')
        if (timed_out) throw new SearchUnavailable('no response in time')
        if (error && (status === 429 || status >= 500)) throw new SearchUnavailable(error.type)
      }
      return response
    })
    // one request that it refuses says nothing about the next
    const refused = responses.find(({ error }) => error)?.error
    if (refused) throw new SearchUnavailable(refused.type)
    return responses
  }

  /**
   * Empties the documents of erased profiles in every index: the one that is searched, one that is being built, and those that
   * were in use before; none of another installation. Fails if a search of one of them could still find a profile, or if the
   * cluster cannot tell.
   */
  async confirmErased(ids: readonly string[]): Promise<void> {
    const rows = await this.#db.query(versionedById(ids))
    if (rows.some(row => row.terms !== '')) throw new Error('the profile is not erased yet')
    if (rows.length === 0) return
    await this.#cluster.inQueue(
      () => this.#indexes.serving(),
      () => this.#eraseFromAll(rows),
    )
  }

  async #eraseFromAll(rows: readonly VersionedRow[]): Promise<void> {
    const ids = rows.map(row => row.profile_id)
    const { installation, history } = await this.#db.only(selectHistory())
    for (const index of await this.#indexes.list()) {
      const { name, notes } = index
      if (notes.installation !== installation) continue
      try {
        await this.#indexes.makeWritable(index)
        if (notes.history === history) await this.#indexes.put(name, rows)
        else await this.#indexes.remove(name, ids)
        await this.#indexes.refresh(name)
        const left = await this.#indexes.countWithTerms(name, ids)
        if (left > 0) throw new Error(`an erased profile is still in the search index ${name}`)
      } catch (error) {
        // deleted in between, or so it seems: the next attempt finds out which there are
        if (error instanceof SearchIndexMissing) throw new SearchUnavailable(error.message)
        throw error
      }
    }
  }

  async check(): Promise<void> {
    await this.#assertOwn()
  }

  state(): IndexState {
    return { name: 'cluster', profiles: 0, ageSeconds: secondsBehind(this.#db) }
  }

  async close(): Promise<void> {}
}

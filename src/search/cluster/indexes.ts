import { randomBytes } from 'node:crypto'
import {
  type SearchCluster,
  SearchIndexMissing,
  SearchUnavailable,
} from '../../kernel/search-cluster/search-cluster.ts'
import { clock } from '../../kernel/time/clock.ts'
import type { VersionedRow } from '../store.ts'

/*
 * The indexes of the pool in the cluster. Each has a name of its own, `hiring-pool-20261117103000-3f9a2c`, and one of them the
 * alias that is searched. A document has the handle of a profile as its id, and its terms, which no search returns: a hit
 * is an id, and everything that is shown is read from the database. What an index has of the pool is noted in the index
 * itself, so that it is right after the index was restored or the database was.
 */

/** Raised when documents or the mapping change: an older index is then rebuilt. */
export const FORMAT = 1

export interface IndexNotes {
  format: number
  /** the installation that the index belongs to */
  installation: string
  /** the history of its database that the numbers of transactions belong to */
  history: string
  /** every change of a transaction with a lower number is in the index */
  complete_before: number
  /** profiles up to this one are copied; null: all of them */
  copied_to: string | null
  copied: number
}

export interface PoolIndexName {
  name: string
  /** whether searches use it */
  serves: boolean
  /** whether it has the alias for writing */
  writable: boolean
  notes: IndexNotes
}

/** The index belongs to another installation that uses the same cluster. */
export class ForeignIndexError extends Error {
  constructor(name: string) {
    super(`${name} belongs to another installation: set SEARCH_INDEX to another name`)
  }
}

/** What follows the alias: other indexes may begin with it, too. */
const OWN_NAME = /^-\d{14}-[0-9a-f]{6}$/

/**
 * What is written is addressed to an alias of the index alone: the cluster would make an index of a name that does not exist
 * any more, with the source of its documents, and there is no alias that it would make.
 */
const writeAlias = (name: string): string => `${name}-write`

/** Documents of one request; a document has about half a kilobyte. */
export const DOCUMENTS_PER_REQUEST = 2_000

/** What is not searched for or returned is not stored. */
const MAPPING = {
  dynamic: 'strict',
  _source: { enabled: false },
  properties: {
    terms: { type: 'keyword', doc_values: false, norms: false, index_options: 'docs' },
    title_words: { type: 'short' },
  },
} as const

interface BulkResponse {
  errors: boolean
  items: { [action: string]: { status: number; error?: { type: string } } }[]
}

interface IndexResponse {
  [name: string]: { aliases?: Record<string, unknown>; mappings?: { _meta?: IndexNotes } }
}

export class PoolIndexes {
  readonly #cluster: SearchCluster

  constructor(cluster: SearchCluster) {
    this.#cluster = cluster
  }

  /**
   * Oldest first. An index with such a name but without notes is left alone, also when others are dropped: nothing says whose
   * it is. This program notes its installation in the request that makes an index, so it leaves none.
   */
  async list(): Promise<PoolIndexName[]> {
    const { alias } = this.#cluster
    const found = await this.#cluster.work<IndexResponse>(
      (client, limits) =>
        client.indices.get(
          { index: `${alias}-*`, expand_wildcards: 'all', filter_path: '*.aliases,*.mappings._meta' },
          limits,
        ) as never,
    )
    return Object.entries(found)
      .flatMap(([name, { aliases = {}, mappings }]) =>
        name.startsWith(`${alias}-`) && OWN_NAME.test(name.slice(alias.length)) && mappings?._meta
          ? [{ name, serves: alias in aliases, writable: writeAlias(name) in aliases, notes: mappings._meta }]
          : [],
      )
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** What searches use, with or without notes: anyone may give an index this name. */
  async serving(): Promise<{ name: string; installation: string | undefined }[]> {
    const { alias } = this.#cluster
    const found = await this.#cluster.probe<IndexResponse>(
      (client, limits) =>
        client.indices.get(
          { index: alias, filter_path: '*.settings.index.uuid,*.mappings._meta.installation' },
          limits,
        ) as never,
    )
    return Object.entries(found).map(([name, { mappings }]) => ({ name, installation: mappings?._meta?.installation }))
  }

  /** An empty index that is not searched yet. It is refreshed and copied to other nodes when it is. */
  async create(notes: IndexNotes): Promise<PoolIndexName> {
    const time = clock.iso().replace(/\D/g, '').slice(0, 14)
    const name = `${this.#cluster.alias}-${time}-${randomBytes(3).toString('hex')}`
    const settings = {
      number_of_shards: this.#cluster.shards,
      number_of_replicas: 0,
      refresh_interval: '-1',
      // the rest of what a query may return is never asked for
      max_result_window: 1_000,
    }
    const body = {
      settings: { index: settings },
      mappings: { ...MAPPING, _meta: notes },
      aliases: { [writeAlias(name)]: {} },
    }
    await this.#cluster.work(
      (client, limits) => client.indices.create({ index: name, body: body as never }, limits) as never,
    )
    return { name, serves: false, writable: true, notes }
  }

  /** One that was restored from a snapshot may have lost its aliases. */
  async makeWritable({ name, writable }: PoolIndexName): Promise<void> {
    if (writable) return
    await this.#cluster.work(
      (client, limits) => client.indices.putAlias({ index: name, name: writeAlias(name) }, limits) as never,
    )
  }

  async note(name: string, notes: IndexNotes): Promise<void> {
    const body = { _meta: notes } as never
    await this.#cluster.work((client, limits) => client.indices.putMapping({ index: name, body }, limits) as never)
  }

  /**
   * Writes rows; one without terms empties the document. An older row than the document is ignored, and so is the same one:
   * writers that are late, or several of them, do no harm. An emptied document keeps its version: no late writer fills it again.
   */
  async put(name: string, rows: readonly VersionedRow[]): Promise<void> {
    let body = ''
    for (const { profile_id, version, terms, title_words } of rows) {
      body += `{"index":{"_id":${JSON.stringify(profile_id)},"version":${version},"version_type":"external"}}\n`
      body += terms === '' ? '{}\n' : `{"terms":${JSON.stringify(terms.split(' '))},"title_words":${title_words}}\n`
    }
    await this.#bulk(name, body)
  }

  /** Whatever their versions: for an index of another history, which no writer changes any more. */
  async remove(name: string, ids: readonly string[]): Promise<void> {
    await this.#bulk(name, ids.map(id => `{"delete":{"_id":${JSON.stringify(id)}}}\n`).join(''))
  }

  async #bulk(name: string, body: string): Promise<void> {
    if (body === '') return
    const { errors, items } = await this.#cluster.work<BulkResponse>(
      (client, limits) =>
        client.bulk(
          {
            index: writeAlias(name),
            require_alias: true,
            body: body as never,
            filter_path: 'errors,items.*.status,items.*.error.type',
          },
          limits,
        ) as never,
    )
    if (!errors) return
    for (const { status, error } of items.flatMap(item => Object.values(item))) {
      if (error?.type === 'index_not_found_exception') throw new SearchIndexMissing(`${name} does not exist any more`)
      // a newer version is there already; that a document to be removed is not there is no error
      if (error && status !== 409) throw new SearchUnavailable(error.type)
    }
  }

  async refresh(name: string): Promise<void> {
    await this.#cluster.work((client, limits) => client.indices.refresh({ index: name }, limits) as never)
  }

  /** How many of these profiles have terms in an index, of what a refresh has made visible. */
  async countWithTerms(name: string, ids: readonly string[]): Promise<number> {
    const query = { bool: { filter: [{ ids: { values: ids } }, { exists: { field: 'terms' } }] } }
    const { count } = await this.#cluster.work<{ count: number }>(
      (client, limits) => client.count({ index: name, body: { query } as never }, limits) as never,
    )
    return count
  }

  /** Searches use this index instead of another, without one in between that finds none. */
  async serve(name: string, instead: readonly string[]): Promise<void> {
    const settings = { index: { refresh_interval: '1s', auto_expand_replicas: '0-1' } }
    await this.#cluster.work(
      (client, limits) => client.indices.putSettings({ index: name, body: settings as never }, limits) as never,
    )
    await this.refresh(name)
    const { alias } = this.#cluster
    const actions = [{ add: { index: name, alias } }, ...instead.map(index => ({ remove: { index, alias } }))]
    await this.#cluster.work(
      (client, limits) => client.indices.updateAliases({ body: { actions } as never }, limits) as never,
    )
  }

  async drop(name: string): Promise<void> {
    await this.#cluster.work((client, limits) => client.indices.delete({ index: name }, limits) as never)
  }

  /** Documents, emptied ones included, and bytes on disk without copies. */
  async sizes(): Promise<Map<string, { documents: number; bytes: number }>> {
    const { indices } = await this.#cluster.work<StatsResponse>(
      (client, limits) =>
        client.indices.stats(
          {
            index: `${this.#cluster.alias}-*`,
            metric: ['docs', 'store'],
            filter_path: 'indices.*.primaries.docs.count,indices.*.primaries.store.size_in_bytes',
          },
          limits,
        ) as never,
    )
    return new Map(
      Object.entries(indices ?? {}).map(([name, { primaries }]) => [
        name,
        { documents: primaries.docs?.count ?? 0, bytes: primaries.store?.size_in_bytes ?? 0 },
      ]),
    )
  }
}

interface StatsResponse {
  indices?: Record<string, { primaries: { docs?: { count: number }; store?: { size_in_bytes: number } } }>
}

import type { Client } from '@opensearch-project/opensearch'
import { CircuitBreaker, CircuitOpenError } from '../async/circuit-breaker.ts'
import { lazy } from '../async/lazy.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'

/** The search cluster is down, too slow or refuses. Its message has no address, no credentials and nothing of the request. */
export class SearchUnavailable extends Error {
  readonly retryAfterSeconds: number
  constructor(reason: string, retryAfterSeconds = RETRY_SECONDS) {
    super(`the search cluster is unavailable: ${reason}`)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** It did not respond: what costs time. */
class SearchTimeout extends SearchUnavailable {}

/** The index that was asked for does not exist (yet). */
export class SearchIndexMissing extends Error {}

/** Whether background work only has to wait: for the cluster, or for an index that was deleted to be built again. */
export const waitsForCluster = (error: unknown): error is Error =>
  error instanceof SearchUnavailable || error instanceof SearchIndexMissing

const RETRY_SECONDS = 2
/** Background work may take so long: a page of rows, or a new index while the cluster is busy. */
const WORK_TIMEOUT_MS = 60_000
/** A search that fails costs its timeout; after so many in a row, searches fail immediately for a while. */
const BREAKER = { failures: 3, openMs: 5_000 } as const

/** Work in a queue fails fast: it is tried again later anyway. */
const QUEUE_BREAKER = { failures: 1, openMs: 10_000 } as const

/** The options of each call to the client. */
export interface CallLimits {
  requestTimeout: number
  maxRetries: number
}

type Call<T> = (client: Client, limits: CallLimits) => Promise<{ body: T }>

/** An OpenSearch cluster. The client is loaded and connects with the first call. */
export class SearchCluster {
  /** the alias under which the index of the pool is searched */
  readonly alias: string
  /** An index that is made has this many. */
  readonly shards: number
  readonly timeoutMs: number
  readonly #client: () => Promise<Client>
  readonly #breaker = new CircuitBreaker(BREAKER)
  readonly #queued = new CircuitBreaker(QUEUE_BREAKER)
  #opened: Client | undefined

  constructor(
    config: Pick<Config, 'SEARCH_URL' | 'SEARCH_CA' | 'SEARCH_INDEX' | 'SEARCH_SHARDS' | 'SEARCH_TIMEOUT_MS'>,
  ) {
    this.alias = config.SEARCH_INDEX
    this.shards = config.SEARCH_SHARDS
    this.timeoutMs = config.SEARCH_TIMEOUT_MS
    this.#client = lazy(async () => {
      const { Client } = await import('@opensearch-project/opensearch')
      this.#opened = new Client({
        nodes: [...config.SEARCH_URL],
        ...(config.SEARCH_CA ? { ssl: { ca: config.SEARCH_CA } } : {}),
      })
      return this.#opened
    })
  }

  /** A call that a request waits for: short, and refused immediately while the cluster does not respond. */
  async ask<T>(call: Call<T>): Promise<T> {
    return this.#breaker
      .run(() => this.#run(call, this.#short).catch(passMissing))
      .then(missingFails)
      .catch(openIsUnavailable)
  }

  /**
   * A call that finds out whether requests are served, for probes. It is none of the calls that are counted: a cluster that
   * responds to it may still be too slow for searches.
   */
  async probe<T>(call: Call<T>): Promise<T> {
    try {
      this.#breaker.assertClosed()
    } catch (error) {
      openIsUnavailable(error)
    }
    return this.#run(call, this.#short)
  }

  get #short(): CallLimits {
    return { requestTimeout: this.timeoutMs, maxRetries: 0 }
  }

  /** A call of background work. */
  work<T>(call: Call<T>): Promise<T> {
    return this.#run(call, { requestTimeout: WORK_TIMEOUT_MS, maxRetries: 1 })
  }

  /**
   * Several calls of background work, of which many may wait in a queue, one after another: after one that waited in vain for
   * the cluster, the next fail immediately for a while. `check` is a probe before the first call, whose time limit is short.
   */
  async inQueue(check: () => Promise<unknown>, work: () => Promise<void>): Promise<void> {
    const all = () => check().catch(passMissing).then(work)
    const failure = await this.#queued.run(() => all().catch(passQuick)).catch(openIsUnavailable)
    if (failure) throw failure
  }

  async #run<T>(call: Call<T>, limits: CallLimits): Promise<T> {
    const client = await this.#client()
    try {
      return (await call(client, limits)).body
    } catch (error) {
      throw plainError(error as ClientError)
    }
  }

  async close(): Promise<void> {
    await this.#opened?.close()
  }
}

/** That an index is missing is a response of a cluster that works: it must not count as a failure. */
const passMissing = (error: unknown): SearchIndexMissing => {
  if (error instanceof SearchIndexMissing) return error
  throw error
}
/** An error that came without waiting for the cluster is not a reason to stop trying it. */
const passQuick = (error: unknown): unknown => {
  if (error instanceof SearchTimeout) throw error
  return error
}
const missingFails = <T>(result: T | SearchIndexMissing): T => {
  if (result instanceof SearchIndexMissing) throw result
  return result
}

const openIsUnavailable = (error: unknown): never => {
  if (error instanceof CircuitOpenError) throw new SearchUnavailable(error.message, error.retryAfterSeconds)
  throw error
}

interface ClientError extends Error {
  statusCode?: number
  meta?: { body?: { error?: { type?: string } | string } }
}

/** The client's errors contain the whole request, with its words, and the address with credentials: only the kind is passed on. */
function plainError(error: ClientError): Error {
  if (error instanceof SearchUnavailable || error instanceof SearchIndexMissing) return error
  const { statusCode, meta } = error
  if (error.name === 'TimeoutError') return new SearchTimeout('no response in time')
  if (statusCode === undefined) return new SearchUnavailable(kindOf(error))
  const reported = meta?.body?.error
  const type = (typeof reported === 'object' ? reported.type : undefined) ?? `status ${statusCode}`
  if (type === 'index_not_found_exception') return new SearchIndexMissing('the search index does not exist')
  return new SearchUnavailable(type)
}

/** `connect ECONNREFUSED`, `certificate has expired`: the first words of the system, without address. */
const kindOf = ({ name, message }: Error): string =>
  /E[A-Z]{4,}|certificate[a-z ]*/.exec(message)?.[0] ?? (name === 'Error' ? 'failed' : name)

const clusters = new WeakMap<Database, SearchCluster>()

/** The pool of this database is searched in a cluster from here on. */
export function useSearchCluster(db: Database, cluster: SearchCluster): void {
  clusters.set(db, cluster)
}

/** Where the pool of a database is searched; undefined: by this process itself. */
export const findSearchCluster = (db: Database): SearchCluster | undefined => clusters.get(db)

import type pg from 'pg'
import type { Sql } from '../../src/kernel/db/sql.ts'

/**
 * A benchmark scenario: one request, asked of three servers that run as processes of their own on one database.
 *
 *   http      a bare `node:http` handler: the SQL, `JSON.stringify` and nothing else
 *   fastify   bare Fastify: the same SQL through `pg` (pool of 10, named statements), `JSON.stringify`
 *   service   this service with everything on: authentication, limits, quota, headers, workers
 *
 * Ratios are against `fastify`. The three return the same bytes except for cursors; a run begins by checking that they do.
 *
 * To add scenarios, export `scenarios` from a file in bench/scenarios: nothing else has to know of it. Give each row a dataset (one
 * from bench/datasets, or a new one there), the requests, and what a plain program would do to serve them; take the
 * text of the statement from the resource's store, so that both sides run the same SQL.
 */
export interface Scenario {
  /** shown in the table; `--only` matches it */
  name: string
  dataset: Dataset
  /**
   * The requests, sent in turn, again and again. Each names the key that sends it: the limits of the best plan are 6 000
   * requests in a minute for a key, so there must be many keys.
   */
  requests: (world: ScenarioWorld) => ScenarioRequest[] | Promise<ScenarioRequest[]>
  /** needed by the servers besides `service` */
  baseline?: Baseline
  /** default: all three */
  servers?: readonly ServerKind[]
  /** default: 1 and 32 */
  connections?: readonly number[]
  /** status of a correct response; default 200 */
  status?: number
  /** names of fields whose values are each server's own, such as the handle of a new record */
  differing?: readonly string[]
  /** Rows of one group are measured in the same rounds and compared with the first of them. Default: a group of its own. */
  group?: string
  /** settings of the service, besides those it has by default; the dataset is then this row's own, since it has one service */
  settings?: Readonly<Record<string, string>>
  /** Instead of rates: the service's memory before and after this many requests. */
  soak?: number
}

export const SERVER_KINDS = ['http', 'fastify', 'service'] as const
export type ServerKind = (typeof SERVER_KINDS)[number]

/** Rows of the database. Each dataset has a database of its own, made once in a run, with the schema and the keys in it. */
export interface Dataset {
  /** also the name of the database */
  name: string
  /** `workspace`: the home workspace of the keys */
  seed: (db: pg.Client, workspace: string) => Promise<void>
}

/** What requests are made of. */
export interface ScenarioWorld {
  /** the dataset's database */
  db: pg.Client
  /** bearer tokens: all workspaces, all scopes, plan enterprise, of one user */
  keys: readonly string[]
  /** the home workspace of the keys */
  workspace: string
  /** requests a path of the service, without its prefix; throws unless the status is 200 */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every kind
  get: (path: string, key: string) => Promise<any>
  /** the same with a body */
  // biome-ignore lint/suspicious/noExplicitAny: responses of every kind
  post: (path: string, key: string, body: unknown) => Promise<any>
}

export interface ScenarioRequest {
  key: string
  /** without the API's prefix */
  path: string
  /** a page or file outside the API: the whole path, read by a browser without a key */
  page?: true
  /** where the baselines need another, such as a cursor of their own */
  baselinePath?: string
  /** default: GET */
  method?: 'GET' | 'POST'
  /** sent as JSON; `UNIQUE` in it becomes another number in each request that is sent */
  body?: unknown
}

/** Holds the place of a number of as many digits. Once in a body at most. */
export const UNIQUE = '@@@@@@@@@@'

/** The number in its place. */
export const unique = (number: number): string => String(number).padStart(UNIQUE.length, '0')

export interface Baseline {
  /** in the router's form, without the prefix: `/workspaces/:workspace_handle` */
  route: string
  /** The value that is sent as JSON; a string is JSON already. */
  respond: (request: BaselineQuery) => Promise<unknown>
}

/** The request that a baseline gets, and its access to the database. */
export interface BaselineQuery {
  run: Run
  /** begin, the work, commit: on one connection, a statement at a time */
  transaction: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  params: Readonly<Record<string, string>>
  query: (name: string) => string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every kind
  body: any
}

/** Runs a statement by its name, with other values than it was made with where they are given. */
export type Run = <R>(statement: Prepared<R>, values?: readonly unknown[]) => Promise<R[]>

export interface Prepared<R> {
  name: string
  text: string
  /** those that it was made with, for statements whose values are always the same */
  values: readonly unknown[]
  /** never set; carries the type of a row */
  row?: R
}

/** The service's own statement, put together once. */
export const prepared = <R>({ name, text, values }: Sql<R>): Prepared<R> => ({ name, text, values })

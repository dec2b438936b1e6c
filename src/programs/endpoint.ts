import type { JobRight } from '../contract/job-rights.ts'
import type { Environment } from '../kernel/access/key-format.ts'
import type { Database } from '../kernel/db/database.ts'
import type { BrowserSession } from '../kernel/http/browser-session.ts'
import { cursorParam, type Order, type Page, type PageQuery } from '../kernel/http/list.ts'
import { integerParam, type Params, type QueryOf } from '../kernel/http/params.ts'
import type { Arrived } from '../kernel/http/route-table.ts'
import type { Static, TSchema } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import type { Fields, Picked } from './fields.ts'
import type { NamesIn, Policy } from './policy.ts'

/** What a handler is given, checked. */
export interface EndpointCall<S, N extends string = string, Q = unknown, B = unknown> {
  services: Services
  db: Database
  session: S
  /** parts of the path, as they were sent: the database decides whether they name anything */
  params: Readonly<Record<N, string>>
  query: Q
  body: B
  /** the end of the statement, for `list`; otherwise all rows */
  page: Page
  /** the database's time, in milliseconds */
  now: number
  arrived: Arrived
  /** what the person may do with everything that the call names; where it names nothing, in all of their jobs */
  rights: ReadonlySet<JobRight>
}

/** What the browser sends and gets. It exists for the compiler alone. */
export interface Wire<N extends string = string, Q extends string = string, B = unknown, R = unknown> {
  params: N
  query: Q
  body: B
  response: R
}

/**
 * A call of our own pages, not for partners: its policy, input, handler and, by the type of its handler and the fields
 * that it names, its response.
 * `undefined` is a 404. `web/ui/calls.ts` gives the browser the types.
 */
export interface Endpoint<M extends 'GET' | 'POST' = 'GET' | 'POST', P extends string = string, W extends Wire = Wire>
  extends Policy {
  readonly method: M
  /** below the path of its area, with {names} */
  readonly path: P
  readonly query: Params
  /** one order, or the one that the query asks for */
  readonly order?: Order | ((query: never) => Order)
  readonly body?: TSchema
  readonly sends: 'json' | 'page' | 'file' | 'stream'
  /** the fields of the response, or of a list's rows; by default all that the handler returns */
  readonly returns?: Fields
  /** the body is a file of at most so many bytes, given to the handler as a buffer */
  readonly fileBytes?: number
  readonly handler: (call: never) => Promise<unknown>
  readonly '~wire'?: W
}

/** no parameters */
type None = Readonly<Record<never, never>>
type Names<Q> = Extract<keyof Q, string>
/** What arrives as it was sent. JSON has no form for the others, such as a Date: the browser cannot use them. */
type Json<R> = R extends string | number | boolean | null | undefined | symbol | Download
  ? R
  : R extends Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | bigint
    ? never
    : R extends object
      ? { [K in keyof R]: Json<R[K]> }
      : R
/** What a handler returns, as it arrives: the 404 is an error there. */
type Returned<R, F = unknown> = Json<Picked<Exclude<R, undefined>, F>>

/** Rows are few bytes and a person scrolls: larger pages than the API's. */
export const PAGE_SIZE = 100
const PAGING = {
  limit: integerParam('Rows per page.', 1, 200, PAGE_SIZE),
  cursor: cursorParam('`next_cursor` of the previous page.'),
}

/**
 * The constructors of an area's records, whose handlers get its session `S`. A record must say what `Said` has: all of
 * the hiring pages say `limited`, and those about one job `jobRight`.
 */
export function createEndpointBuilders<S extends BrowserSession, Said = unknown>() {
  type Common<P extends string> = Policy & Said & { path: P }
  type Call<P extends string, Q = unknown, B = unknown> = EndpointCall<S, NamesIn<P>, Q, B>
  type Get<P extends string, Q, R, F = unknown> = Endpoint<
    'GET',
    P,
    Wire<NamesIn<P>, Names<Q>, undefined, Returned<R, F>>
  >
  type Post<P extends string, B, R, F, Q = None> = Endpoint<'POST', P, Wire<NamesIn<P>, Names<Q>, B, Returned<R, F>>>
  /** The constructors below have checked the types. */
  const record = (method: Endpoint['method'], sends: Endpoint['sends'], spec: object): never =>
    ({ method, sends, query: {}, ...(method === 'POST' ? { csrf: 'session' } : {}), ...spec }) as never
  return {
    /** One response. */
    get: <const P extends string, R, const Q extends Params = None, F = unknown>(
      spec: Common<P> & { query?: Q; returns?: F & Fields; handler: (call: Call<P, QueryOf<Q>>) => Promise<R> },
    ): Get<P, Q, R, F> => record('GET', 'json', spec),

    /** Rows in pages: the handler ends its statement with `page.clause`. */
    list: <const P extends string, Row, const Q extends Params = None, F = unknown>(
      spec: Common<P> & {
        query?: Q
        returns?: F & Fields
        order: Order | ((query: QueryOf<Q>) => Order)
        handler: (call: Call<P, QueryOf<Q> & PageQuery>) => Promise<Row[] | undefined>
      },
    ): Get<P, Q & typeof PAGING, { data: Picked<Row, F>[]; next_cursor: string | null }> =>
      record('GET', 'page', { ...spec, query: { ...spec.query, ...PAGING } }),

    /** A file, which the browser opens by its address. */
    file: <const P extends string, const Q extends Params = None>(
      spec: Common<P> & { query?: Q; handler: (call: Call<P, QueryOf<Q>>) => Promise<Download | undefined> },
    ): Get<P, Q, Download> => record('GET', 'file', spec),

    /** A stream, which the handler sends itself. */
    live: <const P extends string>(
      spec: Common<P> & { handler: (call: Call<P>) => Promise<typeof RESPONDED> },
    ): Get<P, None, typeof RESPONDED> => record('GET', 'stream', spec),

    /** A change. Without a `body` the body is empty. */
    post: <const P extends string, R, B extends TSchema = TSchema<undefined>, F = unknown>(
      spec: Common<P> & { body?: B; returns?: F & Fields; handler: (call: Call<P, object, Static<B>>) => Promise<R> },
    ): Post<P, Static<B>, R, F> => record('POST', 'json', spec),

    /** A body that is a file, as it is. */
    postFile: <const P extends string, R, const Q extends Params = None, F = unknown>({
      maxBytes,
      ...spec
    }: Common<P> & {
      maxBytes: number
      query?: Q
      returns?: F & Fields
      handler: (call: Call<P, QueryOf<Q>, Buffer>) => Promise<R>
    }): Post<P, Blob, R, F, Q> => record('POST', 'json', { ...spec, fileBytes: maxBytes }),
  }
}

/** What a handler returns that has sent its response itself. */
export const RESPONDED: unique symbol = Symbol('responded')

/** A response that is a file, written as it is read. */
export class Download {
  readonly filename: string
  readonly contentType: string
  readonly chunks: AsyncIterable<string | Buffer>
  constructor(filename: string, contentType: string, chunks: AsyncIterable<string | Buffer>) {
    this.filename = filename
    this.contentType = contentType
    this.chunks = chunks
  }
}

/** A table; the name of one of a test workspace says so. */
export const csvFile = (
  { environment }: { environment: Environment },
  name: string,
  chunks: AsyncIterable<string>,
): Download => new Download(`${environment === 'test' ? 'test-' : ''}${name}.csv`, 'text/csv; charset=utf-8', chunks)

/** A response of several lines of JSON, each written as soon as it is known: the progress of some work. */
export class Lines<Line> extends Download {
  readonly lines: AsyncIterable<Line>
  constructor(filename: string, lines: AsyncIterable<Line>) {
    super(filename, 'application/x-ndjson', textsOf(lines))
    this.lines = lines
  }
}

async function* textsOf(lines: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}

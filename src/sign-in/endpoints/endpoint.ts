import type { Tier } from '../../contract/plans.ts'
import type { Role, Scope } from '../../contract/scopes.ts'
import type { Database } from '../../kernel/db/database.ts'
import { withRules } from '../../kernel/http/body.ts'
import type { Order, Page, PageQuery } from '../../kernel/http/list.ts'
import type { Params, QueryOf } from '../../kernel/http/params.ts'
import type { Static, TSchema } from '../../kernel/schema/types.ts'
import type { Services } from '../../kernel/services/services.ts'
import { lineFault, type NameKind, nameFault } from '../../kernel/text/names.ts'
import type { UserSession } from '../sessions.ts'

/** What a handler is given, checked. */
export interface EndpointCall<Q = unknown, B = unknown> {
  services: Services
  db: Database
  session: UserSession
  /** parts of the path, as they were sent: the database decides whether they name anything */
  params: Readonly<Record<string, string>>
  query: Q
  body: B
  /** the end of the statement, where the endpoint has an order; otherwise all rows */
  page: Page
  /** the database's time, in milliseconds */
  now: number
}

/**
 * An endpoint of our own pages, not for partners: JSON for a person who is signed in to `session.workspaceId`, with the
 * role that the program and the endpoint need. Every request but a GET has proved with its CSRF token that it comes from
 * our pages. What a handler returns is the response, `undefined` is a 404, and with an `order` the rows become a page.
 */
export interface Endpoint {
  method: 'GET' | 'POST'
  /** below the path of its program's API, with {names} */
  path: string
  /** refused to people whose role does not have this scope of the API; without one, everyone may */
  scope: Scope | undefined
  /** refused to other roles */
  roles: readonly Role[] | undefined
  /** the limit of the minute that a call counts against, where the program counts calls */
  tier: Tier
  query: Params
  /** one order, or the one that the query asks for */
  order: Order | ((query: never) => Order) | undefined
  body: TSchema | undefined
  /** the body is a file of at most so many bytes, given to the handler as a buffer */
  fileBytes?: number
  /** refused to people whose email address is at none of the workspace's `key_management_domains` */
  keyManager: boolean
  /** needs a second factor that was proved lately, from people who have one (`second-factor/confirm.ts`) */
  sensitive: boolean
  handler: (call: EndpointCall) => Promise<unknown>
}

interface Common {
  path: string
  scope?: Scope
  roles?: readonly Role[]
  /** default: general */
  tier?: Tier
}

interface Get<Q extends Params> extends Common {
  query?: Q
  order?: Order | ((query: QueryOf<Q>) => Order)
  handler: (call: EndpointCall<QueryOf<Q> & PageQuery>) => Promise<unknown>
}

interface Post<S extends TSchema> extends Common {
  /** without one, the body is empty */
  body?: S
  keyManager?: true
  sensitive?: true
  handler: (call: EndpointCall<object, Static<S>>) => Promise<unknown>
}

// biome-ignore lint/complexity/noBannedTypes: no parameters at all
export const get = <const Q extends Params = {}>({
  path,
  scope,
  roles,
  tier,
  query,
  order,
  handler,
}: Get<Q>): Endpoint => ({
  method: 'GET',
  path,
  scope,
  roles,
  tier: tier ?? 'general',
  query: query ?? {},
  order: order as Endpoint['order'],
  body: undefined,
  keyManager: false,
  sensitive: false,
  handler: handler as Endpoint['handler'],
})

export const post = <S extends TSchema = TSchema>({
  path,
  scope,
  roles,
  tier,
  body,
  keyManager,
  sensitive,
  handler,
}: Post<S>): Endpoint => ({
  method: 'POST',
  path,
  scope,
  roles,
  tier: tier ?? 'general',
  query: {},
  order: undefined,
  body,
  keyManager: keyManager ?? false,
  sensitive: sensitive ?? false,
  handler: handler as Endpoint['handler'],
})

/** A body that is a file, as it is. */
export const postFile = ({
  maxBytes,
  handler,
  ...common
}: Common & {
  maxBytes: number
  handler: (call: EndpointCall<object, Buffer>) => Promise<unknown>
}): Endpoint => ({
  ...post({ ...common, handler: handler as Endpoint['handler'] }),
  fileBytes: maxBytes,
})

/** Fields of a body that hold names, which other people read. */
export const named = <S extends TSchema>(body: S, names: Readonly<Record<string, NameKind>>): S =>
  withRules(body, value =>
    Object.entries(names).flatMap(([param, kind]) => {
      const text = (value as Record<string, unknown> | null)?.[param]
      const message = typeof text === 'string' ? nameFault(text, kind) : undefined
      return message === undefined ? [] : [{ param, message }]
    }),
  )

/** Texts of a body that are shown inside sentences: each by the name that its fault has. */
export const oneLine = <S extends TSchema>(body: S, texts: (body: Static<S>) => Readonly<Record<string, unknown>>): S =>
  withRules(body, value =>
    Object.entries(texts(value as Static<S>)).flatMap(([param, text]) => {
      const message = typeof text === 'string' ? lineFault(text) : undefined
      return message === undefined ? [] : [{ param, message }]
    }),
  )

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

import { ALL_JOB_RIGHTS } from '../contract/job-rights.ts'
import { ApiError } from '../kernel/errors/api-error.ts'
import { parseBody, readBody, refuseLargeBody } from '../kernel/http/body.ts'
import type { BrowserSession } from '../kernel/http/browser-session.ts'
import { closed } from '../kernel/http/closed.ts'
import { ALL_ROWS, cutPage, type PageQuery } from '../kernel/http/list.ts'
import { normalizeFilters, readPaging } from '../kernel/http/paging.ts'
import { readQuery } from '../kernel/http/params.ts'
import type { Arrived, RawRoute } from '../kernel/http/route-table.ts'
import { Type } from '../kernel/schema/types.ts'
import type { Services } from '../kernel/services/services.ts'
import { runChecks } from './checks.ts'
import { type Endpoint, type EndpointCall, PAGE_SIZE } from './endpoint.ts'
import { pick } from './fields.ts'
import type { Area, Policy, Visit } from './policy.ts'
import { respond } from './respond.ts'

const NO_BODY = Type.Object({}, closed)
const UNKNOWN_PATH: Policy = { csrf: { none: 'it does nothing' } }

/** Cursors belong to the person who got them, in one workspace. */
type Session = BrowserSession & { workspaceId: string; userId: string }

/** The routes of an area's endpoints. Every other path below is a 404, for people who are signed in. */
export const endpointRoutes = <S extends Session>(
  services: Services,
  area: Area<S>,
  endpoints: readonly Endpoint[],
): RawRoute[] => [
  ...endpoints.map(endpoint => ({
    methods: [endpoint.method],
    path: area.path + endpoint.path,
    record: endpoint,
    handler: (arrived: Arrived) =>
      respond(services, arrived.response, () => runEndpoint(services, area, endpoint, arrived)),
  })),
  {
    methods: ['GET', 'POST'],
    path: `${area.path}/*`,
    record: UNKNOWN_PATH,
    handler: arrived =>
      respond(services, arrived.response, async () => {
        await checkVisit(services, area, UNKNOWN_PATH, arrived)
        throw new ApiError('not_found')
      }),
  },
]

/** A request that has passed the checks. */
export async function checkVisit<S extends BrowserSession>(
  services: Services,
  area: Area<S>,
  policy: Policy,
  arrived: Arrived,
): Promise<Visit & { session: S }> {
  const visit: Visit = { ...arrived, services }
  await runChecks(visit, policy, area as unknown as Area)
  return visit as Visit & { session: S }
}

/** The checks, then query, page, body, reach, handler, fields: in this order for every endpoint. */
async function runEndpoint<S extends Session>(
  services: Services,
  area: Area<S>,
  endpoint: Endpoint,
  arrived: Arrived,
): Promise<unknown> {
  const { db, keyring } = services
  const { session } = await checkVisit(services, area, endpoint, arrived)
  const { params, path, search, request } = arrived
  if (!Object.values(params).every(isWord)) throw new ApiError('not_found')

  const given = new URLSearchParams(search)
  const query = readQuery(endpoint.query, given)
  const order = typeof endpoint.order === 'function' ? endpoint.order(query as never) : endpoint.order
  const now = await db.now()
  const reach = (call: Pick<EndpointCall<S>, 'query' | 'body'>, complete: boolean) =>
    area.session.checkReach?.(db, session, endpoint, { params, ...call } as never, complete)
  await reach({ query: Object.fromEntries(given), body: undefined }, false)
  const listing = {
    reader: `${area.name} ${session.userId}`,
    workspace: session.workspaceId,
    path,
    filters: normalizeFilters(given),
  }
  const pageQuery: PageQuery = { limit: PAGE_SIZE, ...query }
  const paging = order && readPaging(keyring, order, pageQuery, listing, now)
  const body = endpoint.method === 'GET' ? undefined : await readInput(endpoint, request)
  const rights = (await reach({ query, body }, true)) ?? ALL_JOB_RIGHTS

  const page = paging?.page ?? ALL_ROWS
  const call: EndpointCall<S> = { services, db, session, params, query, body, page, now, arrived, rights }
  const result = await endpoint.handler(call as never)
  if (result === undefined) throw new ApiError('not_found')
  const { returns = true } = endpoint
  if (!order || !paging) return endpoint.sends === 'json' ? pick(result, returns) : result
  const { rows, next } = cutPage(order, paging.page, result as unknown[], paging.position)
  return { data: pick(rows, returns), next_cursor: next ? paging.cursorAt(next) : null }
}

/** Parts of a path name records: letters, digits and a few signs. Anything else names none. */
const isWord = (part: string): boolean => /^[\w.-]+$/.test(part)

async function readInput(endpoint: Endpoint, request: Arrived['request']): Promise<unknown> {
  refuseLargeBody(request, endpoint.fileBytes)
  if (endpoint.fileBytes !== undefined) return readBody(request, endpoint.fileBytes)
  const schema = endpoint.body ?? NO_BODY
  return parseBody(await readBody(request), request.headers['content-type'], schema, endpoint.body === undefined)
}

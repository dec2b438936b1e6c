import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '../../contract/version.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Route } from './route.ts'
import { unknownEndpoint } from './unknown-path.ts'

/** A request that the router has matched. */
export interface Arrived {
  request: IncomingMessage
  response: ServerResponse
  /** the caller's, behind trusted proxies too */
  address: string
  /** the parts of the path that stand for `{names}`, decoded */
  params: Record<string, string>
  /** the raw target: before and after its `?` */
  path: string
  search: string
  /** The raw path after the prefix of a route that ends in `/*`. */
  rest: string
  /** aborted when the server stops: a response without an end must end then */
  stopping: AbortSignal
}

/** A page or file outside the API: responds on its own, with the plain request and response of Node. */
export interface RawRoute {
  methods: readonly string[]
  /** exact path, with `{names}`, or a prefix that ends in `/*` */
  path: string
  /** how long a body may take to arrive, where that is not the usual time */
  bodySeconds?: number
  /** called every few seconds by machines: its log lines are those of the level `debug` */
  probed?: true
  /** what is checked before the handler runs, if it is a page of our own or a call of one: see `programs/policy.ts` */
  record?: object
  handler: (arrived: Arrived) => Promise<void> | void
}

/** The API's own routes and the raw ones in one form: what the framework's router is given. */
export interface TableRow {
  methods: readonly string[]
  /** with `{names}`, or a prefix that ends in `/*` */
  path: string
  bodySeconds?: number | undefined
  probed?: true
  handler: (arrived: Arrived) => Promise<void> | void
}

/** Every path of the server. `serve` handles an API route; `notFound` is the response where there is none. */
export function routeTable(
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[],
  serve: (route: Route, arrived: Arrived) => Promise<void>,
  notFound: TableRow['handler'],
): TableRow[] {
  return [
    ...routes.map(route => ({
      methods: methodsOf(route),
      path: API_PREFIX + route.path,
      handler: (arrived: Arrived) =>
        // /jobs/ is not a job with an empty handle
        Object.values(arrived.params).includes('') ? notFound(arrived) : serve(route, arrived),
    })),
    ...rawRoutes,
    ...fixedPaths(routes).map(({ path, others }) => ({ methods: others, path: API_PREFIX + path, handler: notFound })),
  ]
}

/** A metered response cannot be requested without its body: it would be charged and not shown. */
const methodsOf = (route: Route): readonly string[] =>
  route.method === 'GET' && !route.metered ? ['GET', 'HEAD'] : [route.method]

/**
 * Paths without a placeholder, with the methods that they do not take: a word in the place of another path's handle is
 * not a handle, whatever the method (/people/resolve:batch).
 */
const fixedPaths = (routes: readonly Route[]) =>
  [...Map.groupBy(routes, route => route.path)]
    .map(([path, same]) => ({
      path,
      others: ['GET', 'HEAD', 'POST'].filter(method => !same.some(route => methodsOf(route).includes(method))),
    }))
    .filter(({ path, others }) => !path.includes('{') && others.length > 0)

/** A request that no route takes. The request log has `route` for a wrong method and `meant` for an unknown path. */
export class UnroutedError extends ApiError {
  route: string | null = null
  /** method and path of the nearest endpoint, which are public, as the path that was called is not */
  meant: string | null = null
}

/** The error for a request that no route takes: 405 with `Allow` where the path exists, otherwise 404 with a hint. */
export function notFoundError(
  routes: readonly Route[],
  rawRoutes: readonly RawRoute[],
): (request: IncomingMessage) => UnroutedError {
  const known = [
    ...routes.map(route => ({ path: API_PREFIX + route.path, methods: methodsOf(route) })),
    ...rawRoutes.map(({ path, methods }) => ({ path, methods })),
  ].map(row => ({ ...row, pattern: pathPattern(row.path) }))
  return request => {
    const [path = ''] = (request.url ?? '').split('?')
    const exact = known.filter(row => row.path === path)
    const here = exact.length > 0 ? exact : known.filter(row => row.pattern.test(path))
    const [declared] = here
    if (declared) {
      const allowed = [...new Set(here.flatMap(row => row.methods))]
      const message = `This path does not accept ${request.method}. It accepts ${allowed.join(', ')}.`
      const failure = new UnroutedError('method_not_allowed', { message }, { Allow: allowed.join(', ') })
      if (declared.path.startsWith(`${API_PREFIX}/`)) failure.route = declared.path.slice(API_PREFIX.length)
      return failure
    }
    const { message, meant } = unknownEndpoint(request.method ?? 'GET', path, routes) ?? {}
    const failure = new UnroutedError('not_found', message === undefined ? {} : { message })
    if (meant) failure.meant = `${meant.method} ${meant.path}`
    return failure
  }
}

/** `/people/{person_handle}` in the router's form; its own special character is doubled. */
export const routerPath = (path: string): string => path.replaceAll(':', '::').replace(/\{(\w+)\}/g, ':$1')

const pathPattern = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
      .replace(/\{\w+\}/g, '[^/]+')
      .replace(/\/\\\*$/, '/.*')}$`,
  )

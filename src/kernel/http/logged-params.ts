import { isHandle } from '../ids/handles.ts'
import type { Exchange } from './exchange.ts'
import { isUuid, type Param } from './params.ts'
import { declaredQuery, type Route } from './route.ts'

type PathKind = Route['params'][string]

/** How one declared parameter is logged: its value, or null where the value may be personal or is not valid. */
type Logged = (text: string) => string | null

const hidden: Logged = () => null

/** A value of the query is logged as it was understood, never as it was sent: what is not valid may be anything. */
const queryValue =
  ({ parse }: Param): Logged =>
  text => {
    try {
      const value = parse(text)
      return Array.isArray(value) ? value.join() : typeof value === 'string' ? value : text
    } catch {
      return null
    }
  }

function pathValue(kind: PathKind): Logged {
  if (kind === 'text') return hidden
  if (kind === 'uuid') return text => (isUuid(text) ? text : null)
  if (typeof kind === 'string') return text => (isHandle(kind, text) ? text : null)
  return text => (kind.includes(text) ? text : null)
}

interface Declared {
  path: [name: string, Logged][]
  query: Map<string, Logged>
}

const declarations = new WeakMap<Route, Declared>()

function declaredBy(route: Route): Declared {
  let declared = declarations.get(route)
  if (!declared) {
    declared = {
      path: Object.entries(route.params).map(([name, kind]) => [name, pathValue(kind)]),
      query: new Map(
        Object.entries(declaredQuery(route)).map(([name, param]) => [name, param.logged ? queryValue(param) : hidden]),
      ),
    }
    declarations.set(route, declared)
  }
  return declared
}

const NONE = '{}'

/**
 * The request log has this of the parameters of a call, as JSON: every declared one by name, with its value if the
 * declaration says that it is never personal. Names that the endpoint does not declare are the caller's own words, and
 * are left out.
 */
export function loggedParams(route: Route, inPath: Readonly<Record<string, string>>, query: Exchange['query']): string {
  const declared = declaredBy(route)
  if (declared.path.length === 0 && query.length === 0) return NONE
  const params: Record<string, string | null> = {}
  for (const [name, logged] of declared.path) params[name] = logged(inPath[name] ?? '')
  for (const [name, text] of query) {
    if (!(name in params)) {
      const logged = declared.query.get(name)
      if (logged) params[name] = logged(text)
    }
  }
  return JSON.stringify(params)
}

const HEADERS = ['Idempotency-Key', 'Service-Api-Version']

/** The parameter or field that an error names, if the endpoint declares it; of a field inside a body the outermost. */
export function declaredParam(route: Route, param: string | undefined): string | null {
  if (param === undefined) return null
  if (HEADERS.includes(param)) return param
  const name = /^\w+/.exec(param)?.[0] ?? ''
  const body = (route.body as { properties?: object } | undefined)?.properties ?? {}
  return [declaredQuery(route), route.params, body].some(declared => Object.hasOwn(declared, name)) ? name : null
}

import type { Scope } from '../../contract/scopes.ts'
import { getOrCreate } from '../async/get-or-create.ts'
import type { Exchange } from './exchange.ts'
import { type Route, scopesOf } from './route.ts'
import { type Fields, innerFields, type Shape } from './shape.ts'

/**
 * The scopes of the caller that a response needed: those that open the endpoint, those of guarded fields that it can have, of
 * included records and of the order of a list, and those that its handler looks at. One that could have made a difference
 * counts, so that no scope is called unused that someone would miss.
 */
export function findUsedScopes({ route, caller, included, query }: Exchange): Scope[] {
  const { include, output } = route
  const related = included?.flatMap(name => {
    const relation = include?.[name]
    return relation ? [relation.scope, ...guardScopes(relation.shape.fields)] : []
  })
  const sort = output.kind === 'page' ? query.find(([name]) => name === 'sort')?.[1] : undefined
  const ordered = output.kind === 'page' && sort !== undefined ? output.sorts?.[sort]?.scope : undefined
  const needed = [...scopesOfRoute(route), ...(related ?? []), ...(ordered ? [ordered] : [])]
  return needed.filter(scope => caller.scopes.has(scope))
}

const known = new WeakMap<Route, readonly Scope[]>()

const scopesOfRoute = (route: Route): readonly Scope[] =>
  getOrCreate(known, route, () => {
    const { access, output, handlerScopes = [], presentWithoutScopes } = route
    const shape: Shape | undefined = 'shape' in output && !presentWithoutScopes ? output.shape : undefined
    return [...new Set([...scopesOf(access), ...handlerScopes, ...guardScopes(shape?.fields ?? {})])]
  })

const guardScopes = (fields: Fields): Scope[] =>
  Object.values(fields).flatMap(field => [
    ...(field.guard && 'scope' in field.guard ? [field.guard.scope] : []),
    ...guardScopes(innerFields(field, true)),
  ])

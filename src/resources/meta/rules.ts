import type { Scope } from '../../contract/scopes.ts'
import { present } from '../../kernel/errors/present.ts'
import { fieldNames, guardedPaths, guardReason, type Row, type Shape } from '../../kernel/http/shape.ts'
import type { resourceAccessShape } from './shape.ts'

/** What a holder of these scopes sees of a resource, field by field; nested guarded fields with their path. */
export function accessTo(shape: Shape, scopes: ReadonlySet<Scope>): Row<typeof resourceAccessShape> {
  const { name, scope } = present(shape.resource, 'the resource')
  const readable = scope === null || scopes.has(scope)
  const guards = new Map(guardedPaths(shape.fields).map(({ path, guard }) => [path, guard]))
  const names = [...fieldNames(shape), ...[...guards.keys()].filter(path => path.includes('.'))]
  return {
    resource: name,
    scope,
    readable,
    fields: names.map(field => {
      const guard = guards.get(field)
      const open = guard === undefined || ('scope' in guard && scopes.has(guard.scope))
      if (readable && open) return { name: field, state: 'visible', reason: null }
      const reason = guard && !open ? guardReason(guard) : `scope_required:${scope}`
      return { name: field, state: 'restricted', reason }
    }),
  }
}

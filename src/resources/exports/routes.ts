import { Type } from 'typebox'
import { withRules } from '../../kernel/http/body.ts'
import { type Route, readOne, writeOne } from '../../kernel/http/route.ts'
import { createExport, requireScopes, showExport } from './actions.ts'
import { EXPORT_RESOURCES, exportShape } from './shape.ts'
import { exportById } from './store.ts'

const group = 'Full copy'

const body = Type.Object(
  {
    resources: Type.Array(Type.Enum([...EXPORT_RESOURCES]), {
      minItems: 1,
      maxItems: EXPORT_RESOURCES.length,
      description: 'What to copy. Each needs the scope of its list endpoint.',
    }),
  },
  { additionalProperties: false },
)

/** Said by a rule of its own, which can name the second one. */
const noneTwice = (value: unknown) => {
  const resources = (value as { resources?: unknown } | null)?.resources
  if (!Array.isArray(resources)) return []
  const again = resources.findIndex((name, i) => resources.indexOf(name) < i)
  return again < 0 ? [] : [{ param: `resources[${again}]`, message: 'is named twice' }]
}

export const exportRoutes: readonly Route[] = [
  writeOne({
    path: '/exports',
    about:
      'Copies whole resources into files, as they are at one place of the change feed. Needs the read scope of each resource; contact values and résumé texts are in no export.',
    group,
    scope: 'any key',
    tier: 'expensive',
    write: false,
    status: 201,
    shape: exportShape,
    body: withRules(body, noneTwice),
    errors: ['insufficient_scope'],
    handler: ({ tx, workspace, caller, body }) => createExport(tx, workspace, caller, body.resources),
  }),
  readOne({
    path: '/exports/{export_id}',
    about:
      'An export of the calling key: how far it is, and its files (NDJSON, gzip) once it is ready. Their addresses are valid for 300 seconds and made anew at each read.',
    group,
    scope: 'any key',
    params: { export_id: 'uuid' },
    shape: exportShape,
    errors: ['insufficient_scope'],
    handler: async ({ db, workspace, caller, params, services }) => {
      const row = await db.one(exportById(workspace, params.export_id, caller.keyId, caller.actingUserId))
      if (!row) return undefined
      requireScopes(row.resources, caller.scopes)
      return showExport(services.blobs, row)
    },
  }),
]

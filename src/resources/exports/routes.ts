import { Type } from 'typebox'
import { withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type Route, readOne, writeOne } from '../../kernel/http/route.ts'
import { createExport, requireScopes, showExport } from './actions.ts'
import { EXPORT_RESOURCES, EXPORT_VIEWS, exportShape } from './shape.ts'
import { exportById } from './store.ts'

const group = 'Full copy'

const body = Type.Object(
  {
    resources: Type.Array(Type.Enum([...EXPORT_RESOURCES]), {
      minItems: 1,
      maxItems: EXPORT_RESOURCES.length,
      description: 'What to copy. Each needs the scope of its list endpoint.',
    }),
    view: Type.Optional(
      Type.Enum([...EXPORT_VIEWS], {
        default: 'list',
        description:
          '`list`: rows as the list endpoints show them. `full`: rows as the single reads show them, such as a job with its `content`.',
      }),
    ),
  },
  closed,
)

/** Said by a rule of its own, which can name the second one. */
const noneTwice = (value: unknown) => {
  const resources = (value as { resources?: unknown } | null)?.resources
  if (!Array.isArray(resources)) return []
  return resources.flatMap((name, i) =>
    resources.indexOf(name) < i ? [{ param: `resources[${i}]`, message: 'is named twice' }] : [],
  )
}

export const exportRoutes: readonly Route[] = [
  writeOne({
    path: '/exports',
    summary:
      'Copies whole resources into files, as they are at one point of the change feed. Needs the read scope of each resource. Jobs that are drafts are included; contact values and résumé texts are in no export.',
    group,
    scope: 'any key',
    tier: 'expensive',
    write: false,
    status: 201,
    shape: exportShape,
    body: withRules(body, noneTwice),
    errors: ['insufficient_scope'],
    handler: ({ tx, workspace, caller, body }) =>
      createExport(tx, workspace, caller, { resources: body.resources, view: body.view ?? 'list' }),
  }),
  readOne({
    path: '/exports/{export_id}',
    summary:
      'An export of the calling key: how far it is, and its files (NDJSON, gzip) once it is ready. Their addresses are valid for 300 seconds and made anew at each read.',
    group,
    scope: 'any key',
    params: { export_id: 'uuid' },
    shape: exportShape,
    errors: ['insufficient_scope'],
    handler: async ({ db, workspace, caller, params, services }) => {
      const row = await db.one(exportById(workspace, params.export_id, caller.keyId, caller.actingUserId))
      if (!row) return undefined
      requireScopes(row, caller.scopes, row.scopes)
      return showExport(services.blobs, row)
    },
  }),
]

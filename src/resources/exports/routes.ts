import { describedAs, withRules } from '../../kernel/http/body.ts'
import { closed } from '../../kernel/http/closed.ts'
import { type Route, readOne, writeOne } from '../../kernel/http/route.ts'
import { Type } from '../../kernel/schema/types.ts'
import { createExport, EXPORT_SCOPES, requireScopes, showExport } from './actions.ts'
import { EXPORT_RESOURCES, EXPORT_VIEWS, exportShape } from './shape.ts'
import { exportById } from './store.ts'

const group = 'Full copy'

const body = Type.Object(
  {
    resources: describedAs(
      Type.Array(Type.Enum([...EXPORT_RESOURCES]), {
        minItems: 1,
        maxItems: EXPORT_RESOURCES.length,
        description: 'The resources to export. Each needs the scope of its list endpoint.',
      }),
      { uniqueItems: true },
    ),
    view: Type.Optional(
      Type.Enum([...EXPORT_VIEWS], {
        default: 'list',
        description:
          '`list`: rows as in the list endpoints. `full`: rows as in the single reads, such as a job with its `content`.',
      }),
    ),
  },
  closed,
)

/** Checked by a rule, because a rule can name the duplicate. */
const noneTwice = (value: unknown) => {
  const resources = (value as { resources?: unknown } | null)?.resources
  if (!Array.isArray(resources)) return []
  return resources.flatMap((name, i) =>
    resources.indexOf(name) < i ? [{ param: `resources[${i}]`, message: 'occurs twice' }] : [],
  )
}

export const exportRoutes: readonly Route[] = [
  writeOne({
    path: '/exports',
    operationId: 'createExport',
    limited: 'keys',
    tool: { leftOut: 'whole resources leave by URL, which is nothing for a conversation' },
    summary: 'Start a full export',
    description:
      'Whole resources as files, with their state at one point of the change feed. Needs the read scope of each resource. Draft jobs are included. Contact details and résumé texts are never exported.',
    group,
    scope: 'any key',
    handlerScopes: EXPORT_SCOPES,
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
    operationId: 'getExport',
    limited: 'keys',
    tool: { leftOut: 'returns URLs that open whole resources without a key' },
    summary: 'Get an export',
    description:
      'Its progress, and its files (gzipped NDJSON) when it is ready. Each file URL is valid for 300 seconds; read the export again for a new one.',
    group,
    scope: 'any key',
    handlerScopes: EXPORT_SCOPES,
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

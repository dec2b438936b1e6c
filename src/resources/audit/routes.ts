import { type Route, readPage } from '../../kernel/http/route.ts'
import { personalDataReadShape } from './shape.ts'
import { personalDataReads } from './store.ts'

const group = 'Meta'

export const auditRoutes: readonly Route[] = [
  readPage({
    path: '/audit/personal-data-reads',
    operationId: 'listPersonalDataReads',
    limited: 'keys',
    summary: "List the key's own personal-data reads",
    description: 'Every personal-data value that the key was shown, newest first.',
    group,
    scope: 'any key',
    workspace: 'any',
    shape: personalDataReadShape,
    order: { by: 'at', tiebreaker: 'id', tiebreakerType: 'bigint', direction: 'desc' },
    handler: ({ db, caller, query, workspace, page }) =>
      // a key that reaches several workspaces sees the rows of all of them, unless it names one
      db.query(personalDataReads(caller, namesWorkspace(query) ? workspace : '', page)),
  }),
]

const namesWorkspace = (query: object) => 'workspace_id' in query

import { BY_UPDATED } from '../../kernel/http/list.ts'
import { type Route, readOne, readPage } from '../../kernel/http/route.ts'
import { workspaceShape } from './shape.ts'
import { reachableWorkspaces, workspaceById } from './store.ts'

const group = 'Workspaces and users'

export const workspaceRoutes: readonly Route[] = [
  readPage({
    path: '/workspaces',
    operationId: 'listWorkspaces',
    limited: 'open',
    summary: 'List workspaces',
    description: 'Those that the key has access to, most recently updated first.',
    group,
    scope: 'workspaces:read',
    workspace: 'any',
    shape: workspaceShape,
    order: BY_UPDATED,
    handler: ({ db, caller, page }) => db.query(reachableWorkspaces(caller, page)),
  }),
  readOne({
    path: '/workspaces/{workspace_handle}',
    operationId: 'getWorkspace',
    limited: 'open',
    summary: 'Get a workspace',
    group,
    scope: 'workspaces:read',
    params: { workspace_handle: 'workspace' },
    shape: workspaceShape,
    // only the workspace of this call exists for it
    handler: async ({ db, workspace, params }) =>
      params.workspace_handle === workspace ? db.one(workspaceById(workspace)) : undefined,
  }),
]

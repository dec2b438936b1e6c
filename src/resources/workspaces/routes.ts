import { BY_UPDATED } from '../../kernel/http/list.ts'
import { type Route, readAll, readOne, readPage } from '../../kernel/http/route.ts'
import { userShape, workspaceShape } from './shape.ts'
import { reachableWorkspaces, userById, usersOf, workspaceById } from './store.ts'

const group = 'Workspaces and users'

export const workspaceRoutes: readonly Route[] = [
  readPage({
    path: '/workspaces',
    summary: 'Workspaces that the key reaches, most recently updated first.',
    group,
    scope: 'workspaces:read',
    workspace: 'any',
    shape: workspaceShape,
    order: BY_UPDATED,
    handler: ({ db, caller, page }) => db.query(reachableWorkspaces(caller, page)),
  }),
  readOne({
    path: '/workspaces/{workspace_handle}',
    summary: 'One workspace.',
    group,
    scope: 'workspaces:read',
    params: { workspace_handle: 'workspace' },
    shape: workspaceShape,
    // the handle must be the workspace addressed: any other is not there for this call
    handler: async ({ db, workspace, params }) =>
      params.workspace_handle === workspace ? db.one(workspaceById(workspace)) : undefined,
  }),
  readAll({
    path: '/workspaces/{workspace_handle}/users',
    summary: 'All members of a workspace, in one page.',
    group,
    scope: 'users:read',
    params: { workspace_handle: 'workspace' },
    shape: userShape,
    onePage: true,
    handler: async ({ db, workspace, params }) =>
      params.workspace_handle === workspace ? db.query(usersOf(workspace)) : undefined,
  }),
  readOne({
    path: '/users/{user_handle}',
    summary: 'One member of the workspace.',
    group,
    scope: 'users:read',
    params: { user_handle: 'user' },
    shape: userShape,
    handler: ({ db, workspace, params }) => db.one(userById(workspace, params.user_handle)),
  }),
]

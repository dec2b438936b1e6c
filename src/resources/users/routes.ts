import { type Route, readAll, readOne } from '../../kernel/http/route.ts'
import { userShape } from './shape.ts'
import { selectUsers, userById } from './store.ts'

const group = 'Workspaces and users'

export const userRoutes: readonly Route[] = [
  readAll({
    path: '/workspaces/{workspace_handle}/users',
    operationId: 'listWorkspaceUsers',
    limited: 'open',
    summary: 'List the members of a workspace',
    description: 'All members, on one page.',
    group,
    scope: 'users:read',
    params: { workspace_handle: 'workspace' },
    shape: userShape,
    onePage: true,
    handler: async ({ db, workspace, params }) =>
      params.workspace_handle === workspace ? db.query(selectUsers(workspace)) : undefined,
  }),
  readOne({
    path: '/users/{user_handle}',
    operationId: 'getUser',
    limited: 'open',
    summary: 'Get a member of the workspace',
    group,
    scope: 'users:read',
    params: { user_handle: 'user' },
    shape: userShape,
    handler: ({ db, workspace, params }) => db.one(userById(workspace, params.user_handle)),
  }),
]

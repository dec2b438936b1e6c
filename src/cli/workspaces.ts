import { PLAN_CODES } from '../contract/plans.ts'
import { ROLES } from '../contract/scopes.ts'
import { createUser, createWorkspace, listUsers, listWorkspaces } from '../resources/workspaces/actions.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const workspaceVerbs: readonly Verb[] = [
  {
    name: 'workspaces list',
    about: 'Lists the workspaces.',
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listWorkspaces(db)
        const text = table([
          ['ID', 'NAME', 'PLAN', 'CREATED'],
          ...rows.map(w => [w.id, w.name, w.plan ?? 'none', w.created_at]),
        ])
        return { json: rows, text }
      }),
  },
  {
    name: 'workspaces create',
    about: 'Creates a workspace.',
    options: {
      name: { value: 'N', about: 'its name', required: true },
      plan: { value: 'P', about: `none (default), ${PLAN_CODES.join(', ')}` },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const workspace = await createWorkspace(db, {
          name: input.option('name')!,
          plan: input.option('plan') ?? 'none',
        })
        return {
          json: workspace,
          text: `created ${workspace.id} (${workspace.name}, plan ${workspace.plan ?? 'none'})`,
        }
      }),
  },
]

export const userVerbs: readonly Verb[] = [
  {
    name: 'users list',
    about: 'Lists the members of a workspace.',
    options: { workspace: { value: 'H', about: 'handle of the workspace', required: true } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listUsers(db, input.option('workspace')!)
        const text = table([
          ['ID', 'E-MAIL', 'ROLE', 'CREATED'],
          ...rows.map(u => [u.id, u.email ?? '-', u.role, u.created_at]),
        ])
        return { json: rows, text }
      }),
  },
  {
    name: 'users create',
    about: 'Adds a member to a workspace.',
    options: {
      workspace: { value: 'H', about: 'handle of the workspace', required: true },
      email: { value: 'E', about: 'e-mail address', required: true },
      role: { value: 'R', about: ROLES.join(', '), required: true },
      'first-name': { value: 'N', about: 'first name' },
      'last-name': { value: 'N', about: 'last name' },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const user = await createUser(db, {
          workspace: input.option('workspace')!,
          email: input.option('email')!,
          role: input.option('role')!,
          firstName: input.option('first-name'),
          lastName: input.option('last-name'),
        })
        return { json: user, text: `created ${user.id} (${user.email}, ${user.role})` }
      }),
  },
]

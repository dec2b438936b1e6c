import { PLAN_CODES } from '../contract/plans.ts'
import { createWorkspace, listWorkspaces } from '../resources/workspaces/actions.ts'
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

import { PLAN_CODES } from '../contract/plans.ts'
import { SECOND_FACTOR_POLICIES } from '../contract/second-factor.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import { insertChange } from '../resources/second-factors/index.ts'
import {
  changeSettings,
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  readSettings,
} from '../resources/workspaces/index.ts'
import { listed, onOrOff } from './read-option.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const workspaceVerbs: readonly Verb[] = [
  {
    name: 'workspaces list',
    description: 'Lists the workspaces.',
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
    description: 'Creates a workspace.',
    options: {
      name: { value: 'N', description: 'name of the workspace', required: true },
      plan: { value: 'P', description: `none (default), ${PLAN_CODES.join(', ')}` },
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
  {
    name: 'workspaces change',
    description: 'Renames a workspace or changes its plan. Takes effect immediately.',
    args: ['ID'],
    options: {
      name: { value: 'N', description: 'new name' },
      plan: { value: 'P', description: `none, ${PLAN_CODES.join(', ')}` },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const wanted = { name: input.option('name'), plan: input.option('plan') }
        if (wanted.name === undefined && wanted.plan === undefined)
          throw new UserError('nothing to change: give --name or --plan')
        const workspace = await changeWorkspace(db, input.args[0]!, wanted)
        return {
          json: workspace,
          text: `${workspace.id} is now ${workspace.name}, plan ${workspace.plan ?? 'none'}`,
        }
      }),
  },
  {
    name: 'workspaces settings',
    description: 'Shows the settings of a workspace, and changes those given as options.',
    args: ['ID'],
    options: {
      'key-domains': { value: 'A,B|any', description: 'email domains of owners and admins who can manage keys' },
      'connected-app-writes': { value: 'on|off', description: 'whether connected apps can write on behalf of members' },
      'webhooks-self-serve': {
        value: 'on|off',
        description: 'whether keys can register webhook endpoints through the API',
      },
      'second-factor': { value: 'P', description: `who needs one: ${SECOND_FACTOR_POLICIES.join(', ')}` },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const domains = input.option('key-domains')
        const writes = onOrOff(input, 'connected-app-writes')
        const selfServe = onOrOff(input, 'webhooks-self-serve')
        const policy = policyOf(input.option('second-factor'))
        const wanted = {
          ...(policy === undefined ? {} : { second_factor: policy }),
          ...(domains === undefined ? {} : { key_management_domains: domains === 'any' ? [] : listed(domains) }),
          ...(writes === undefined ? {} : { connected_app_writes: writes }),
          ...(selfServe === undefined ? {} : { webhooks_self_serve: selfServe }),
        }
        const id = input.args[0]!
        const settings =
          Object.keys(wanted).length === 0
            ? await readSettings(db, id)
            : await changeSettings(db, id, wanted, async tx => {
                if (policy !== undefined) await tx.query(insertChange(id, `policy_${policy}`, null, null))
              })
        const text = table([
          ['key-domains', settings.key_management_domains.join(',') || 'any'],
          ['connected-app-writes', settings.connected_app_writes ? 'on' : 'off'],
          ['webhooks-self-serve', settings.webhooks_self_serve ? 'on' : 'off'],
          ['second-factor', settings.second_factor],
        ])
        return { json: settings, text }
      }),
  },
]

function policyOf(text: string | undefined) {
  const policy = SECOND_FACTOR_POLICIES.find(known => known === text)
  if (text !== undefined && policy === undefined)
    throw new UserError(`--second-factor must be one of ${SECOND_FACTOR_POLICIES.join(', ')}`)
  return policy
}

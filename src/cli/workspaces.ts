import { APP_INSTALLS } from '../contract/app-installs.ts'
import { LIMIT_NAMES, OWN_LIMITS, PLAN_CODES } from '../contract/plans.ts'
import { SECOND_FACTOR_POLICIES } from '../contract/second-factor.ts'
import { SEEDS, type Seed } from '../contract/seeds.ts'
import { mailboxDomain } from '../kernel/config/config.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { ReadyStore } from '../kernel/services/open-store.ts'
import {
  changeLimits,
  changeSettings,
  changeWorkspace,
  createWorkspace,
  listWorkspaces,
  readLimits,
  readSettings,
  readWorkspaceLog,
  type WorkspaceLimit,
} from '../resources/workspaces/index.ts'
import { argumentAt, listed, onOrOff, requiredOption, wholeNumber } from './read-option.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withActivityNeeds } from './with-activity-needs.ts'
import { withStore } from './with-store.ts'

const LOG_SHOWN = 20

export const workspaceVerbs: readonly Verb[] = [
  {
    name: 'workspaces list',
    description: 'Lists the workspaces.',
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listWorkspaces(db)
        const text = table([
          ['ID', 'NAME', 'KIND', 'PLAN', 'CREATED', 'STATE'],
          ...rows.map(w => [
            w.id,
            w.name,
            w.environment,
            w.plan ?? 'none',
            w.created_at,
            w.closing_at ? 'to be deleted' : 'open',
          ]),
        ])
        return { json: rows, text }
      }),
  },
  {
    name: 'workspaces create',
    description: 'Creates a workspace. One for tests sends no email and holds no real people; that never changes.',
    options: {
      name: { value: 'N', description: 'name of the workspace', required: true },
      plan: { value: 'P', description: `none (default), ${PLAN_CODES.join(', ')}; starter with --test` },
      test: { description: 'a workspace for tests' },
      for: { value: 'ID', description: 'with --test: the live workspace that it counts for, which can have five' },
      seed: { value: 'S', description: `with --test: what it is filled with: ${SEEDS.join(', ')}; none by default` },
    },
    run: input =>
      withStore(input, async store => {
        const workspace = await createAsAsked(store, input)
        const kind = workspace.environment === 'test' ? 'test workspace' : 'workspace'
        return {
          json: workspace,
          text: `created ${kind} ${workspace.id} (${workspace.name}, plan ${workspace.plan ?? 'none'})`,
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
        const workspace = await changeWorkspace(db, argumentAt(input, 0), wanted)
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
      'app-installs': { value: 'R', description: `who installs apps: ${APP_INSTALLS.join(', ')}` },
      'second-factor': { value: 'P', description: `who needs one: ${SECOND_FACTOR_POLICIES.join(', ')}` },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const domains = input.option('key-domains')
        const writes = onOrOff(input, 'connected-app-writes')
        const selfServe = onOrOff(input, 'webhooks-self-serve')
        const policy = policyOf(input.option('second-factor'))
        const installs = installRuleOf(input.option('app-installs'))
        const wanted = {
          ...(policy === undefined ? {} : { second_factor: policy }),
          ...(installs === undefined ? {} : { app_installs: installs }),
          ...(domains === undefined ? {} : { key_management_domains: domains === 'any' ? [] : listed(domains) }),
          ...(writes === undefined ? {} : { connected_app_writes: writes }),
          ...(selfServe === undefined ? {} : { webhooks_self_serve: selfServe }),
        }
        const id = argumentAt(input, 0)
        const settings =
          Object.keys(wanted).length === 0
            ? await readSettings(db, id)
            : await changeSettings(db, id, wanted, async tx => {
                if (policy === undefined) return
                // loaded here, because it takes longer than every other verb of this file
                const { insertChange } = await import('../resources/second-factors/index.ts')
                await tx.query(insertChange(id, `policy_${policy}`, null, null))
              })
        const text = table([
          ['key-domains', settings.key_management_domains.join(',') || 'any'],
          ['connected-app-writes', settings.connected_app_writes ? 'on' : 'off'],
          ['webhooks-self-serve', settings.webhooks_self_serve ? 'on' : 'off'],
          ['app-installs', settings.app_installs],
          ['second-factor', settings.second_factor],
        ])
        return { json: settings, text }
      }),
  },
  {
    name: 'workspaces limits',
    description: 'Shows the limits of a workspace, and sets own ones over those of its plan. Takes effect immediately.',
    args: ['ID'],
    options: {
      set: { value: 'NAME=VALUE', description: `a limit of this workspace: ${LIMIT_NAMES.join(', ')}`, many: true },
      reset: { value: 'NAME|all', description: "gives a limit back to the plan's", many: true },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const id = argumentAt(input, 0)
        const set = Object.fromEntries(input.options('set').map(assignment))
        const reset = input.options('reset')
        const changes = Object.keys(set).length + reset.length > 0
        const limits = changes ? await changeLimits(db, id, { set, reset }) : await readLimits(db, id)
        return { json: { workspace_id: id, limits }, text: table([LIMITS_HEAD, ...limits.map(limitCells)]) }
      }),
  },
  {
    name: 'workspaces log',
    description: 'Shows what was done to a workspace as a whole, newest first. Also works after it was deleted.',
    args: ['ID'],
    options: { entries: { value: 'N', description: `how many entries, 1 to 1000; default ${LOG_SHOWN}` } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await readWorkspaceLog(
          db,
          argumentAt(input, 0),
          wholeNumber(input, 'entries', 1, 1_000) ?? LOG_SHOWN,
        )
        const cells = rows.map(row => [row.at, row.action, row.user_id ?? 'operator', detailsText(row)])
        return { json: rows, text: table([['AT', 'ACTION', 'BY', 'DETAILS'], ...cells]) }
      }),
  },
]

async function createAsAsked(store: ReadyStore, input: VerbInput) {
  const { db } = store
  const [name, plan, of] = [requiredOption(input, 'name'), input.option('plan'), input.option('for')]
  const seed = seedOf(input.option('seed'))
  if (input.flag('test')) {
    if (plan !== undefined) throw new UserError('a test workspace has the plan starter: leave out --plan')
    const config = input.config()
    // imported here, because it takes longer than every other verb of this file
    const { createTestWorkspace, seedWorkspace } = await import('../resources/test-workspaces/index.ts')
    const workspace = await createTestWorkspace(db, { name, of: of ?? null, mailboxDomain: mailboxDomain(config) })
    if (seed !== undefined) {
      const { activity } = await import('../app.ts')
      await withActivityNeeds(store, config, needs => seedWorkspace(needs, activity, workspace.id, seed))
    }
    return workspace
  }
  if (of !== undefined) throw new UserError('--for is given with --test')
  if (seed !== undefined) throw new UserError('--seed is given with --test')
  return createWorkspace(db, { name, plan: plan ?? 'none' })
}

function seedOf(text: string | undefined): Seed | undefined {
  const seed = SEEDS.find(name => name === text)
  if (text !== undefined && seed === undefined) throw new UserError(`--seed must be one of ${SEEDS.join(', ')}`)
  return seed
}

/** What an absent value means in the details of each action. */
const ABSENT: Readonly<Record<string, string>> = {
  limits_changed: 'unlimited',
  plan_changed: 'none',
  retention_changed: 'default',
}

const detailsText = ({ action, details }: { action: string; details: unknown }): string =>
  JSON.stringify(details, (_, value) => (value === null ? (ABSENT[action] ?? null) : value))

const LIMITS_HEAD = ['LIMIT', 'PLAN', 'OWN', 'IN FORCE', 'MEANING']

const limitCells = ({ name, plan, own, value }: WorkspaceLimit): string[] => [
  name,
  shown(plan),
  own === undefined ? '-' : shown(own),
  shown(value),
  OWN_LIMITS[name].description,
]

const shown = (value: number | null): string => (value === null ? 'unlimited' : String(value))

function assignment(text: string): [string, string] {
  const at = text.indexOf('=')
  if (at < 1) throw new UserError(`--set takes NAME=VALUE, such as general_per_minute=900`)
  return [text.slice(0, at), text.slice(at + 1)]
}

function policyOf(text: string | undefined) {
  const policy = SECOND_FACTOR_POLICIES.find(known => known === text)
  if (text !== undefined && policy === undefined)
    throw new UserError(`--second-factor must be one of ${SECOND_FACTOR_POLICIES.join(', ')}`)
  return policy
}

function installRuleOf(text: string | undefined) {
  const rule = APP_INSTALLS.find(known => known === text)
  if (text !== undefined && rule === undefined)
    throw new UserError(`--app-installs must be one of ${APP_INSTALLS.join(', ')}`)
  return rule
}

import { API_LIMITS } from '../contract/limits.ts'
import type { Config } from '../kernel/config/config.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { ReadyStore } from '../kernel/services/open-store.ts'
import {
  createKey,
  type IssuedKey,
  type KeyRow,
  keyState,
  listKeys,
  revokeKey,
  rotateKey,
} from '../resources/keys/index.ts'
import { argumentAt, listed, requiredOption, wholeNumber } from './read-option.ts'
import { table, type Verb, type VerbInput } from './verb.ts'
import { withStore } from './with-store.ts'

export const keyVerbs: readonly Verb[] = [
  {
    name: 'keys create',
    description: 'Creates an API key and shows its secret once.',
    options: {
      workspace: { value: 'H', description: 'workspace the key belongs to; its plan and quota apply', required: true },
      workspaces: { value: 'H,H', description: 'workspaces that the key has access to, instead of that one' },
      'all-workspaces': { description: 'access to every workspace' },
      user: { value: 'EMAIL', description: 'member the key belongs to; a key without a member cannot write' },
      scopes: { value: 'A,B|all', description: 'scopes of the key', required: true },
      environment: {
        value: 'E',
        description: 'live or test, a label only; default: test in the demo, else the kind of the workspace',
      },
      name: { value: 'N', description: 'name shown to people' },
      'allow-ip': { value: 'CIDR', description: 'allowed IP address or CIDR range; may be repeated', many: true },
      'expires-in-days': { value: 'N', description: 'expires after N days' },
    },
    run: input =>
      withStore(input, async store => {
        const key = await createKey(store.db, {
          workspace: requiredOption(input, 'workspace'),
          reach: reach(input),
          userEmail: input.option('user'),
          scopes: input.option('scopes') === 'all' ? 'all' : listed(requiredOption(input, 'scopes')),
          environment: environment(input.option('environment')) ?? (await labelOfDemo(input.config(), store)),
          name: input.option('name'),
          allowIp: input.options('allow-ip'),
          expiresInDays: wholeNumber(input, 'expires-in-days', 1, 3650),
        })
        return { json: key, text: secretText(key, 'created') }
      }),
  },
  {
    name: 'keys list',
    description: 'Lists API keys, newest first.',
    options: { workspace: { value: 'H', description: 'only keys of this workspace' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listKeys(db, input.option('workspace'))
        const now = await db.now()
        const cells = rows.map(k => [
          k.id,
          k.name,
          k.environment,
          k.workspace_id,
          stateText(k, now),
          `${k.scopes.length}`,
          k.last_used_at ?? 'never',
        ])
        return {
          json: rows,
          text: table([['ID', 'NAME', 'ENV', 'WORKSPACE', 'STATE', 'SCOPES', 'LAST USED'], ...cells]),
        }
      }),
  },
  {
    name: 'keys rotate',
    description:
      'Gives a key a new secret. The old secret keeps working during the overlap. In the console only the user a key belongs to and owners can do this.',
    args: ['ID'],
    options: {
      'overlap-hours': {
        value: 'N',
        description: `0 to ${API_LIMITS.keyRotationMaxOverlapHours}; default ${API_LIMITS.keyRotationOverlapHours}`,
      },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const overlap = wholeNumber(input, 'overlap-hours', 0, API_LIMITS.keyRotationMaxOverlapHours)
        const key = await rotateKey(db, argumentAt(input, 0), overlap)
        return { json: key, text: secretText(key, 'rotated') }
      }),
  },
  {
    name: 'keys revoke',
    description: 'Revokes a key. This is immediate and permanent.',
    args: ['ID'],
    run: input =>
      withStore(input, async ({ db }) => {
        const key = await revokeKey(db, argumentAt(input, 0))
        return { json: key, text: `revoked ${key.id} (${key.name})` }
      }),
  },
]

function reach(input: VerbInput): readonly string[] | 'all' | undefined {
  const named = input.option('workspaces')
  if (named !== undefined && input.flag('all-workspaces'))
    throw new UserError('--workspaces and --all-workspaces cannot be combined')
  return input.flag('all-workspaces') ? 'all' : named === undefined ? undefined : listed(named)
}

function environment(text: string | undefined): 'live' | 'test' | undefined {
  if (text !== undefined && text !== 'live' && text !== 'test')
    throw new UserError('--environment must be live or test')
  return text
}

/** New keys of the demo are labeled like the one that it comes with. */
async function labelOfDemo(config: Config, { db, keyring }: ReadyStore): Promise<'test' | undefined> {
  if (config.DEMO !== 'on') return undefined
  const { demoWorkspace } = await import('../../demo/index.ts')
  return (await demoWorkspace(db, keyring)) === undefined ? undefined : 'test'
}

function stateText(key: KeyRow, now: number): string {
  const state = keyState(key, now)
  return state === 'active' && key.expires_at ? `until ${key.expires_at}` : state
}

const scopesText = (count: number): string => (count === 1 ? '1 scope' : `${count} scopes`)

/** A key holds at most what its person may do. */
const scopeCount = ({ granted_scopes: granted, scopes }: KeyRow): string =>
  granted.length === scopes.length
    ? scopesText(granted.length)
    : `${scopesText(granted.length)}, ${scopes.length} in effect for its user`

const secretText = (key: IssuedKey, done: string) =>
  [
    `${done} ${key.id} (${key.name}, ${scopeCount(key)})`,
    `secret: ${key.secret}`,
    key.previous_secret_expires_at ? `the previous secret works until ${key.previous_secret_expires_at}` : '',
    'Store the secret now. It is not shown again.',
  ]
    .filter(Boolean)
    .join('\n')

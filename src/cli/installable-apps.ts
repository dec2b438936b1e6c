import { API_LIMITS } from '../contract/limits.ts'
import type { Database } from '../kernel/db/database.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import type { ReadyStore } from '../kernel/services/open-store.ts'
import {
  approveApp,
  type ChangedInstallable,
  changeInstallable,
  type InstallableApp,
  type Registration,
  readInstallable,
  registerInstallable,
  rotateInstallableWebhook,
  suspendApp,
  type WantedWebhooks,
} from '../resources/installations/index.ts'
import { readUrl } from '../resources/webhooks/index.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { argumentAt, listed, requiredOption, wholeNumber } from './read-option.ts'
import type { Verb, VerbInput, VerbOutput } from './verb.ts'
import { withStore } from './with-store.ts'

/** The options that only installable apps have. */
export const INSTALLABLE_OPTIONS = {
  'optional-scopes': { value: 'A,B', description: 'installable: scopes that the person who installs can leave out' },
  domain: { value: 'D', description: 'installable: a domain of the publisher; may be repeated', many: true },
  'allow-ip': {
    value: 'R',
    description: 'installable: IP address or range that its secret and keys work from; may be repeated',
    many: true,
  },
  'live-url': { value: 'URL', description: 'installable: gets the webhooks of live workspaces; none ends it' },
  'test-url': { value: 'URL', description: 'installable: gets the webhooks of test workspaces; none ends it' },
  'event-types': { value: 'A,B', description: 'installable: event types that the webhook URLs get' },
} as const

const given = (texts: readonly string[]): readonly string[] | undefined => (texts.length === 0 ? undefined : texts)

/** What is not given does not change. */
const wantedOf = (input: VerbInput) => {
  const [scopes, optional] = [input.option('scopes'), input.option('optional-scopes')]
  return {
    name: input.option('name'),
    redirectUris: given(input.options('redirect-uri')),
    scopes: scopes === undefined ? undefined : listed(scopes),
    optionalScopes: optional === undefined ? undefined : listed(optional),
    domains: given(input.options('domain')),
    allowIp: given(input.options('allow-ip')),
  }
}

/** IP addresses are looked up by the service before each delivery: this machine may be in another network. */
function webhooksOf({ keyring }: ReadyStore, input: VerbInput): WantedWebhooks {
  const exceptions = { hosts: input.config().WEBHOOK_ALLOW_HOSTS, loopback: false }
  const read = (name: 'live-url' | 'test-url') => {
    const url = input.option(name)
    if (url === undefined) return undefined
    return url === 'none' ? null : readUrl(url, exceptions)
  }
  const types = input.option('event-types')
  return {
    keyring,
    live: read('live-url'),
    test: read('test-url'),
    eventTypes: types === undefined ? undefined : listed(types),
  }
}

const secretLines = ({ webhooks }: Pick<ChangedInstallable, 'webhooks'>): string[] => {
  const made = webhooks.filter(({ signing_secret }) => signing_secret !== null)
  const lines = made.map(({ environment, signing_secret }) => `${environment} signing secret: ${signing_secret}`)
  return lines.length === 0 ? [] : [...lines, 'Store the signing secrets now. They are not shown again.']
}

export async function registerInstallableApp(store: ReadyStore, input: VerbInput): Promise<VerbOutput> {
  const kind = input.option('kind')
  if (kind !== undefined && kind !== 'web') throw new UserError('an installable app keeps a secret: its kind is web')
  const { db } = store
  const workspace = requiredOption(input, 'workspace')
  const publisher = input.option('publisher') ?? (await db.one(allWorkspaces(workspace)))?.name ?? ''
  const wanted = { ...wantedOf(input), workspace, publisher }
  const app = await registerInstallable(db, wanted, webhooksOf(store, input))
  const text = [
    `registered ${app.name} by ${app.publisher} (draft)`,
    `client id: ${app.id}`,
    `client secret: ${app.client_secret}`,
    'Store the secret now. It is not shown again.',
    ...secretLines(app),
    `It can be installed in ${workspace} alone until you approve it: hiring apps approve ${app.id}`,
  ]
  return { json: { ...app, client_id: app.id }, text: text.join('\n') }
}

const stateText = (app: InstallableApp): string =>
  `${app.name} (${app.id}): ${app.status}${app.proposed ? `; a change waits: hiring apps approve ${app.id}` : ''}`

const registrationLines = (r: Registration): string[] => [
  `  name: ${r.name}`,
  `  domains: ${r.domains.join(', ')}`,
  `  redirect URIs: ${r.redirect_uris.join(', ')}`,
  `  required scopes: ${r.scopes.join(', ')}`,
  `  optional scopes: ${r.optional_scopes.join(', ') || 'none'}`,
]

/** What holds now, and what the next approval would make of it. */
const reviewText = (app: InstallableApp): string =>
  [
    `${stateText(app)} by ${app.publisher}, home ${app.workspace_id}`,
    ...registrationLines(app),
    ...(app.proposed ? ['waits for approval:', ...registrationLines(app.proposed)] : []),
  ].join('\n')

const changing =
  (run: (db: Database, id: string) => Promise<InstallableApp>, describe = stateText): Verb['run'] =>
  input =>
    withStore(input, async ({ db }) => {
      const app = await run(db, argumentAt(input, 0))
      return { json: app, text: describe(app) }
    })

async function requireInstallable(db: Database, id: string): Promise<InstallableApp> {
  const app = await readInstallable(db, id)
  if (!app) throw new UserError(`there is no installable app ${id}`)
  return app
}

export const installableVerbs: readonly Verb[] = [
  {
    name: 'apps change',
    description:
      'Changes an installable app. What it gains waits for approval; scopes that it gives up end immediately.',
    args: ['CLIENT_ID'],
    options: {
      name: { value: 'N', description: 'name shown on the consent page' },
      'redirect-uri': { value: 'URL', description: 'redirect URI, replaces all; may be repeated', many: true },
      scopes: { value: 'A,B', description: 'required scopes, replaces all' },
      ...INSTALLABLE_OPTIONS,
    },
    run: input =>
      withStore(input, async store => {
        const id = argumentAt(input, 0)
        const app = await changeInstallable(store.db, id, wantedOf(input), webhooksOf(store, input))
        return { json: app, text: [stateText(app), ...secretLines(app)].join('\n') }
      }),
  },
  {
    name: 'apps rotate-webhook-secret',
    description: 'Makes a new signing secret of a webhook URL of an installable app and shows it once.',
    args: ['CLIENT_ID'],
    options: {
      environment: { value: 'E', description: 'live or test', required: true },
      'overlap-hours': {
        value: 'N',
        description: `0 to ${API_LIMITS.keyRotationMaxOverlapHours}: deliveries are also signed with the old secret; default ${API_LIMITS.keyRotationOverlapHours}`,
      },
    },
    run: input =>
      withStore(input, async ({ db, keyring }) => {
        const environment = requiredOption(input, 'environment')
        if (environment !== 'live' && environment !== 'test') throw new UserError('the environment is live or test')
        const most = API_LIMITS.keyRotationMaxOverlapHours
        const hours = wholeNumber(input, 'overlap-hours', 0, most) ?? API_LIMITS.keyRotationOverlapHours
        const rotation = { environment, overlapSeconds: hours * 3_600 } as const
        const secret = await rotateInstallableWebhook(db, keyring, argumentAt(input, 0), rotation)
        const text = `${environment} signing secret: ${secret}\nStore the secret now. It is not shown again.`
        return { json: { environment, signing_secret: secret }, text }
      }),
  },
  {
    name: 'apps show',
    description: 'Shows an installable app, and the change that waits for approval.',
    args: ['CLIENT_ID'],
    run: changing(requireInstallable, reviewText),
  },
  {
    name: 'apps approve',
    description:
      'Approves an installable app, or its last change, and shows what was approved. Every workspace can install it then.',
    args: ['CLIENT_ID'],
    run: changing(approveApp, reviewText),
  },
  {
    name: 'apps suspend',
    description: 'Suspends an installable app. The keys of all its installations are refused immediately.',
    args: ['CLIENT_ID'],
    run: changing((db, id) => suspendApp(db, id, true)),
  },
  {
    name: 'apps resume',
    description: 'Resumes an installable app. Installations that their workspace suspended stay so.',
    args: ['CLIENT_ID'],
    run: changing((db, id) => suspendApp(db, id, false)),
  },
]

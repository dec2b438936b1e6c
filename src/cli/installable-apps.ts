import type { Database } from '../kernel/db/database.ts'
import { UserError } from '../kernel/errors/user-error.ts'
import {
  approveApp,
  changeInstallable,
  type InstallableApp,
  registerInstallable,
  suspendApp,
} from '../resources/installations/index.ts'
import { allWorkspaces } from '../resources/workspaces/index.ts'
import { argumentAt, listed, requiredOption } from './read-option.ts'
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

export async function registerInstallableApp(db: Database, input: VerbInput): Promise<VerbOutput> {
  const kind = input.option('kind')
  if (kind !== undefined && kind !== 'web') throw new UserError('an installable app keeps a secret: its kind is web')
  const workspace = requiredOption(input, 'workspace')
  const publisher = input.option('publisher') ?? (await db.one(allWorkspaces(workspace)))?.name ?? ''
  const app = await registerInstallable(db, { ...wantedOf(input), workspace, publisher })
  const text = [
    `registered ${app.name} by ${app.publisher} (draft)`,
    `client id: ${app.id}`,
    `client secret: ${app.client_secret}`,
    'Store the secret now. It is not shown again.',
    `It can be installed in ${workspace} alone until you approve it: hiring apps approve ${app.id}`,
  ]
  return { json: { ...app, client_id: app.id }, text: text.join('\n') }
}

const stateText = (app: InstallableApp): string =>
  `${app.name} (${app.id}): ${app.status}${app.proposed ? `; a change waits: hiring apps approve ${app.id}` : ''}`

const changing =
  (run: (db: Database, id: string, input: VerbInput) => Promise<InstallableApp>): Verb['run'] =>
  input =>
    withStore(input, async ({ db }) => {
      const app = await run(db, argumentAt(input, 0), input)
      return { json: app, text: stateText(app) }
    })

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
    run: changing((db, id, input) => changeInstallable(db, id, wantedOf(input))),
  },
  {
    name: 'apps approve',
    description: 'Approves an installable app, or its last change. Every workspace can install it then.',
    args: ['CLIENT_ID'],
    run: changing(approveApp),
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

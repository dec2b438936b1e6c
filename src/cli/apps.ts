import { API_LIMITS } from '../contract/limits.ts'
import {
  APP_KINDS,
  type IssuedApp,
  listApps,
  listConsents,
  registerApp,
  revokeApp,
  revokeConsent,
  rotateAppSecret,
} from '../resources/connected-apps/index.ts'
import { readInstallable, revokeInstallable } from '../resources/installations/index.ts'
import { INSTALLABLE_OPTIONS, installableVerbs, registerInstallableApp } from './installable-apps.ts'
import { argumentAt, listed, requiredOption, wholeNumber } from './read-option.ts'
import { table, type Verb } from './verb.ts'
import { withStore } from './with-store.ts'

export const appVerbs: readonly Verb[] = [
  {
    name: 'apps register',
    description: 'Registers a connected app and shows its secret once.',
    options: {
      workspace: { value: 'H', description: 'workspace of the app', required: true },
      name: { value: 'N', description: 'name shown on the consent page', required: true },
      kind: { value: 'K', description: `${APP_KINDS.join(', ')}; only web apps have a secret (default web)` },
      'redirect-uri': {
        value: 'URL',
        description: 'redirect URI; may be repeated',
        required: true,
        many: true,
      },
      scopes: { value: 'A,B', description: 'scopes it may request: profile, email, offline_access and API scopes' },
      installable: { description: 'an app that many workspaces install, each with a key of its own' },
      publisher: { value: 'P', description: 'installable: who publishes it (default: the name of the workspace)' },
      ...INSTALLABLE_OPTIONS,
    },
    run: input =>
      withStore(input, async store => {
        if (input.flag('installable')) return registerInstallableApp(store, input)
        const app = await registerApp(store.db, {
          workspace: requiredOption(input, 'workspace'),
          name: requiredOption(input, 'name'),
          kind: input.option('kind') ?? 'web',
          redirectUris: input.options('redirect-uri'),
          scopes: listed(input.option('scopes') ?? ''),
        })
        return { json: app, text: secretText(app, 'registered') }
      }),
  },
  {
    name: 'apps list',
    description: 'Lists connected apps, newest first.',
    options: { workspace: { value: 'H', description: 'only apps of this workspace' } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listApps(db, input.option('workspace'))
        const cells = rows.map(a => [
          a.id,
          a.name,
          a.kind,
          a.workspace_id,
          a.revoked_at === null ? 'active' : 'revoked',
          a.distribution,
          `${a.consents}`,
        ])
        return {
          json: rows,
          text: table([['CLIENT ID', 'NAME', 'KIND', 'WORKSPACE', 'STATE', 'DISTRIBUTION', 'PEOPLE'], ...cells]),
        }
      }),
  },
  {
    name: 'apps rotate-secret',
    description: 'Gives an app a new secret. The old secret keeps working during the overlap.',
    args: ['CLIENT_ID'],
    options: {
      'overlap-hours': {
        value: 'N',
        description: `0 to ${API_LIMITS.keyRotationMaxOverlapHours}; default ${API_LIMITS.keyRotationOverlapHours}`,
      },
    },
    run: input =>
      withStore(input, async ({ db }) => {
        const overlap = wholeNumber(input, 'overlap-hours', 0, API_LIMITS.keyRotationMaxOverlapHours)
        const app = await rotateAppSecret(db, { id: argumentAt(input, 0) }, overlap)
        return { json: app, text: secretText(app, 'rotated') }
      }),
  },
  {
    name: 'apps revoke',
    description: 'Revokes an app with all its tokens and consents. This is immediate and permanent.',
    args: ['CLIENT_ID'],
    run: input =>
      withStore(input, async ({ db }) => {
        const id = argumentAt(input, 0)
        const app = (await readInstallable(db, id)) ? await revokeInstallable(db, id) : await revokeApp(db, { id })
        return { json: app, text: `revoked ${app.id} (${app.name})` }
      }),
  },
  {
    name: 'apps consents',
    description: 'Lists the consents that members gave to apps.',
    options: { workspace: { value: 'H', description: 'handle of the workspace', required: true } },
    run: input =>
      withStore(input, async ({ db }) => {
        const rows = await listConsents(db, requiredOption(input, 'workspace'))
        const cells = rows.map(c => [c.id, c.app_name, c.user_email ?? c.user_id, c.granted_at, c.scopes.join(' ')])
        return { json: rows, text: table([['ID', 'APP', 'MEMBER', 'SINCE', 'SCOPES'], ...cells]) }
      }),
  },
  {
    name: 'apps revoke-consent',
    description: "Revokes a member's consent. The app's tokens for that member stop working immediately.",
    args: ['ID'],
    options: { workspace: { value: 'H', description: 'handle of the workspace', required: true } },
    run: input =>
      withStore(input, async ({ db }) => {
        const consent = await revokeConsent(db, requiredOption(input, 'workspace'), argumentAt(input, 0))
        return {
          json: { id: consent.id, revoked: true },
          text: `${consent.app_name} no longer acts for ${consent.user_email}`,
        }
      }),
  },
  ...installableVerbs,
]

const secretText = (app: IssuedApp, done: string) =>
  [
    `${done} ${app.name} (${app.kind})`,
    `client id: ${app.client_id}`,
    app.client_secret === null ? '' : `client secret: ${app.client_secret}`,
    app.previous_secret_expires_at ? `the previous secret works until ${app.previous_secret_expires_at}` : '',
    app.client_secret === null ? '' : 'Store the secret now. It is not shown again.',
  ]
    .filter(Boolean)
    .join('\n')

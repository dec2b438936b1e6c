import { isHandle } from '../../kernel/ids/handles.ts'
import type { Services } from '../../kernel/services/services.ts'
import { type InstallableApp, isChallenge, readInstallable } from '../../resources/installations/index.ts'

/** The page that the install link of an app opens. */
export const INSTALL_PATH = '/oauth/install'

const NAMES = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'workspace_hint',
] as const

/** The fields of the form besides those of the request. */
const FORM_FIELDS = ['csrf', 'decision', 'workspace', 'asks_for', 'optional', 'budget']

export interface InstallRequest {
  app: InstallableApp
  redirectUri: string
  state: string
  challenge: string
  /** the scopes that the link asks for: the required ones and some of the optional ones */
  scopes: readonly string[]
  workspaceHint: string | undefined
  /** as it is sent again with the form, and copied by people who need someone else */
  params: URLSearchParams
}

const MAX_STATE = 500
/** So that it fits into the address to return to after signing in. */
const MAX_REQUEST = 1_800

/**
 * Reads an install request. A faulty one gets a page as its response: nothing is sent to an address before the request is known
 * to be one of the app. Returns a sentence for the developer if it is not.
 */
export async function readInstallRequest(
  { db }: Pick<Services, 'db'>,
  given: URLSearchParams,
): Promise<InstallRequest | string> {
  const known: readonly string[] = [...NAMES, ...FORM_FIELDS]
  for (const name of new Set(given.keys())) {
    if (!known.includes(name)) return `${name.slice(0, 40)} is not a parameter of this page`
    if (name !== 'optional' && given.getAll(name).length > 1) return `${name} is given twice`
  }
  const value = (name: (typeof NAMES)[number]) => given.get(name) ?? ''
  const app = await readInstallable(db, value('client_id'))
  if (!app || app.revoked_at !== null) return 'client_id is not that of an app'
  const redirectUri = value('redirect_uri')
  if (!app.redirect_uris.includes(redirectUri)) return 'redirect_uri is not registered for the app'
  const fault = faultOf(value)
  if (fault !== undefined) return fault
  const scopes = askedScopes(app, given.get('scope'))
  if (typeof scopes === 'string') return scopes
  const params = new URLSearchParams(
    NAMES.filter(name => given.has(name)).map((name): [string, string] => [name, value(name)]),
  )
  if (params.toString().length > MAX_REQUEST) return 'the request is too long'
  const challenge = value('code_challenge')
  const workspaceHint = given.get('workspace_hint') ?? undefined
  return { app, redirectUri, state: value('state'), challenge, scopes, workspaceHint, params }
}

function faultOf(value: (name: (typeof NAMES)[number]) => string): string | undefined {
  const state = value('state')
  if (state === '') return 'state is missing'
  if (state.length > MAX_STATE) return `state is longer than ${MAX_STATE} characters`
  if (value('code_challenge_method') !== 'S256') return 'code_challenge_method must be S256'
  if (!isChallenge(value('code_challenge'))) return 'code_challenge must be the base64url of a SHA-256'
  const hint = value('workspace_hint')
  if (hint !== '' && !isHandle('workspace', hint)) return 'workspace_hint is not the handle of a workspace'
  return undefined
}

/** Without `scope`, everything that is registered. The required ones are always part of it. */
function askedScopes(app: InstallableApp, scope: string | null): readonly string[] | string {
  const all = [...app.scopes, ...app.optional_scopes]
  if (scope === null) return all
  const asked = scope.split(' ').filter(Boolean)
  const unknown = asked.find(name => !all.includes(name))
  if (unknown !== undefined) return `scope ${unknown.slice(0, 60)} is not approved for the app`
  return all.filter(name => app.scopes.includes(name) || asked.includes(name))
}

import { type EventType, receivableTypes } from '../../contract/events.ts'
import type { Environment } from '../../kernel/access/key-format.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { isBelow } from '../../kernel/text/hosts.ts'
import {
  type AppEndpoint,
  type ReadUrl,
  readAppEndpoint,
  removeAppEndpoint,
  rotateAppWebhookSecret,
  saveAppEndpoint,
} from '../webhooks/index.ts'
import type { InstallableApp } from './app-store.ts'
import { knownScopes } from './rules.ts'

/** Webhooks of an app as someone wants them; what is not given does not change, and null ends it. */
export interface WantedWebhooks {
  keyring: Keyring
  live?: ReadUrl | null | undefined
  test?: ReadUrl | null | undefined
  eventTypes?: readonly string[] | undefined
}

export interface SavedWebhook {
  environment: Environment
  url: string
  event_types: readonly string[]
  /** null if the endpoint has one already; shown only once */
  signing_secret: string | null
}

export interface SecretRotation {
  environment: Environment
  overlapSeconds: number
}

const ENVIRONMENTS = ['live', 'test'] as const

const endpointFor = (app: InstallableApp, environment: Environment): AppEndpoint => ({
  source: {
    workspace_id: app.workspace_id,
    id: environment === 'test' ? app.test_endpoint_id : app.live_endpoint_id,
  },
  credential: app.credential_id,
})

/** The endpoints of an app: at most one for live workspaces and one for test workspaces. */
export async function readAppWebhooks(db: Queryable, app: InstallableApp) {
  const rows = await Promise.all(
    ENVIRONMENTS.map(async environment => {
      const row = await readAppEndpoint(db, endpointFor(app, environment).source)
      return row && { ...row, environment }
    }),
  )
  return rows.filter(row => row !== undefined)
}

/** Saves what is wanted. URLs have a host in the domains that the operator has proved. Returns the endpoints after it. */
export async function saveWebhooks(
  tx: Transaction,
  app: InstallableApp,
  wanted: WantedWebhooks | undefined,
): Promise<SavedWebhook[]> {
  const before = await readAppWebhooks(tx, app)
  const saved: SavedWebhook[] = []
  const types = wanted?.eventTypes && checkedTypes(app, wanted.eventTypes)
  for (const environment of ENVIRONMENTS) {
    const stored = before.find(row => row.environment === environment)
    const url = wanted?.[environment]
    if (!wanted || (url === undefined && (types === undefined || !stored))) {
      if (stored) saved.push({ ...shown(stored), environment, signing_secret: null })
    } else if (url === null) await removeAppEndpoint(tx, endpointFor(app, environment))
    else {
      const event_types = types ?? (stored ?? before[0])?.event_types
      if (!event_types) throw new UserError('name the event types that the webhook URL gets')
      const target = url ? checkedUrl(app, environment, url) : (stored?.url ?? '')
      const signing_secret = await saveAppEndpoint(tx, wanted.keyring, endpointFor(app, environment), {
        url: target,
        eventTypes: event_types,
      })
      saved.push({ environment, url: target, event_types, signing_secret })
    }
  }
  if (wanted?.eventTypes && saved.length === 0) throw new UserError('event types need a webhook URL')
  return saved
}

/** A new secret, which is shown only once; the one before it also signs until the overlap ends. */
export async function rotateWebhookSecret(
  tx: Transaction,
  keyring: Keyring,
  app: InstallableApp,
  { environment, overlapSeconds }: SecretRotation,
): Promise<string> {
  const endpoint = endpointFor(app, environment)
  if (!(await readAppEndpoint(tx, endpoint.source))) throw new UserError(`the app has no ${environment} webhook URL`)
  return rotateAppWebhookSecret(tx, keyring, endpoint, overlapSeconds)
}

const shown = ({ url, event_types }: { url: string | null; event_types: readonly string[] }) => ({
  url: url ?? '',
  event_types,
})

/** The URLs of an app stay below its domains: also below those that it has after the next approval. */
export async function requireUrlsBelow(db: Queryable, app: InstallableApp, domains: readonly string[]): Promise<void> {
  for (const { url, environment } of await readAppWebhooks(db, app))
    if (url !== null) requireBelow(environment, url, domains)
}

function requireBelow(environment: Environment, url: string, domains: readonly string[]): void {
  if (!domains.some(domain => isBelow(new URL(url).hostname, domain)))
    throw new UserError(`the ${environment} webhook URL ${url} is not below one of the domains of the app`)
}

function checkedUrl(app: InstallableApp, environment: Environment, url: ReadUrl): string {
  if ('refused' in url) throw new UserError(`the ${environment} webhook URL ${url.refused}`)
  requireBelow(environment, url.url, app.domains)
  return url.url
}

/** Types that an installation can read with the scopes that the app asks for, now or after the next approval. */
function checkedTypes(app: InstallableApp, names: readonly string[]): EventType[] {
  const asked = [app, ...(app.proposed ? [app.proposed] : [])].flatMap(one => [...one.scopes, ...one.optional_scopes])
  const readable: readonly string[] = receivableTypes(new Set(knownScopes(asked)))
  const wrong = names.filter(name => !readable.includes(name))
  if (wrong.length > 0)
    throw new UserError(`the app does not ask for the scopes that these event types need: ${wrong.join(', ')}`)
  if (names.length === 0) throw new UserError('name at least one event type')
  return [...new Set(names as EventType[])]
}

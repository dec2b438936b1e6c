import { randomUUID } from 'node:crypto'
import { parseRange } from '../../kernel/access/caller.ts'
import type { Keyring } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { isBelow } from '../../kernel/text/hosts.ts'
import { NAME_LENGTHS, requireName } from '../../kernel/text/names.ts'
import { domainKey } from '../../kernel/text/person-keys.ts'
import { checkedRedirects, issueAppSecret, revokeAppIn } from '../connected-apps/index.ts'
import { endLostScopes } from '../keys/index.ts'
import { addToLog, allWorkspaces, requireOpen } from '../workspaces/index.ts'
import { endInstallation, followSuspensions } from './actions.ts'
import {
  dropScopes,
  dropScopesOfKeys,
  followAllowlist,
  type InstallableApp,
  insertInstallable,
  installableById,
  lockHome,
  type Registration,
  selectInstallables,
  storeAllowlist,
  storeRegistration,
  storeReview,
  storeSuspended,
  touchInstallations,
} from './app-store.ts'
import { notifyOfChange, notifyPublisher } from './notice-actions.ts'
import { INSTALLABLE_SCOPES, isDomain, knownScopes, unknownScopes } from './rules.ts'
import { activeOfApp, installationById, selectInstallations } from './store.ts'
import {
  requireUrlsBelow,
  rotateWebhookSecret,
  type SavedWebhook,
  type SecretRotation,
  saveWebhooks,
  type WantedWebhooks,
} from './webhook-actions.ts'

/** The options of `hiring apps register --installable` and `hiring apps change`. */
export interface WantedApp {
  name?: string | undefined
  redirectUris?: readonly string[] | undefined
  scopes?: readonly string[] | undefined
  optionalScopes?: readonly string[] | undefined
  domains?: readonly string[] | undefined
  allowIp?: readonly string[] | undefined
}

/** An app with the secrets of endpoints that were made now, which are shown only once. */
export interface ChangedInstallable extends InstallableApp {
  webhooks: readonly SavedWebhook[]
}

/** An app with its secret, which is shown only once. */
export interface IssuedInstallable extends ChangedInstallable {
  client_secret: string
}

const MAX_DOMAINS = 10
/** Apps that owners and admins of one workspace can register without the operator. */
const MAX_OWN_APPS = 10

/** Registers an app in its home workspace. As a draft it can be installed there alone. */
export async function registerInstallable(
  db: Database,
  input: WantedApp & { workspace: string; publisher: string; mostOfWorkspace?: number },
  wantedWebhooks?: WantedWebhooks,
): Promise<IssuedInstallable> {
  const { workspace } = input
  const publisher = requireName('publisher', input.publisher, 'app')
  if (publisher === '') throw new UserError(`the publisher must be 1 to ${NAME_LENGTHS.app} characters`)
  const registration = checkedRegistration(input, EMPTY)
  const ipAllowlist = checkedRanges(input.allowIp ?? [])
  const id = randomUUID()
  return db.transaction(async tx => {
    await requireOpen(tx, workspace)
    await requireFewer(tx, workspace, input.mostOfWorkspace)
    const credentialId = newHandle('credential')
    await tx.query(insertInstallable({ ...registration, workspace, id, publisher, ipAllowlist, credentialId }))
    const secret = await issueAppSecret(tx, workspace, id)
    const app = await tx.only(installableById(id))
    return { ...app, webhooks: await saveWebhooks(tx, app, wantedWebhooks), client_secret: secret }
  })
}

/** An owner or admin registers an app of their workspace, which is its publisher. */
export async function registerOwnApp(
  db: Database,
  input: WantedApp & { workspace: string },
): Promise<IssuedInstallable> {
  const { name } = await db.only(allWorkspaces(input.workspace))
  return registerInstallable(db, { ...input, publisher: name, mostOfWorkspace: MAX_OWN_APPS })
}

/** Apps that are registered at the same time are counted one after the other. */
async function requireFewer(tx: Transaction, workspace: string, most = Number.POSITIVE_INFINITY): Promise<void> {
  await tx.query(lockHome(workspace))
  if ((await tx.query(selectInstallables(workspace))).length >= most)
    throw new UserError(`a workspace can publish ${most} apps; ask the operator for more`)
}

/** The publisher asks the operator to approve a draft. Nothing changes for the app before that. */
export const submitApp = (db: Database, id: string): Promise<InstallableApp> =>
  db.transaction(async tx => {
    const app = await existingInstallable(tx, id, 'for update')
    if (app.review_status === 'draft') await tx.query(storeReview(app, 'in_review', null))
    return existingInstallable(tx, id)
  })

/**
 * What an approved app gains waits for the next approval, and the old values hold until then; what it gives up ends now.
 * The allowlist of IP addresses holds with the next request.
 */
export const changeInstallable = (
  db: Database,
  id: string,
  wanted: WantedApp,
  wantedWebhooks?: WantedWebhooks,
): Promise<ChangedInstallable> =>
  db.transaction(async tx => {
    const app = await existingInstallable(tx, id, 'for update')
    if (app.revoked_at !== null) throw new UserError(`app ${id} is revoked`)
    const next = checkedRegistration(wanted, app.proposed ?? app)
    if (wanted.allowIp) await storeRanges(tx, app, checkedRanges(wanted.allowIp))
    const isReviewed = app.review_status === 'approved'
    const now = isReviewed ? commonPart(app, next) : next
    await tx.query(storeRegistration(app, now))
    await tx.query(storeReview(app, app.review_status, isReviewed && !isSame(now, next) ? next : null))
    if (!isSame(now, app)) await tx.query(touchInstallations(app))
    await endScopes(tx, app, now)
    await notifyOfNewScopes(tx, app, now)
    const changed = await existingInstallable(tx, id)
    const webhooks = await saveWebhooks(tx, changed, wantedWebhooks)
    await requireUrlsBelow(tx, changed, next.domains)
    return { ...changed, webhooks }
  })

/** A new signing secret of a webhook URL, which is shown only once. */
export const rotateInstallableWebhook = (
  db: Database,
  keyring: Keyring,
  id: string,
  rotation: SecretRotation,
): Promise<string> =>
  db.transaction(async tx =>
    rotateWebhookSecret(tx, keyring, await existingInstallable(tx, id, 'for update'), rotation),
  )

/** The operator approves what is registered, or what was proposed since the last approval. */
export const approveApp = (db: Database, id: string): Promise<InstallableApp> =>
  db.transaction(async tx => {
    const app = await existingInstallable(tx, id, 'for update')
    if (app.revoked_at !== null) throw new UserError(`app ${id} is revoked`)
    if (app.proposed) await tx.query(storeRegistration(app, app.proposed))
    await tx.query(storeReview(app, 'approved', null))
    await tx.query(touchInstallations(app))
    await notifyOfNewScopes(tx, app, app.proposed ?? app)
    return existingInstallable(tx, id)
  })

/** While an app is suspended, the keys of all its installations are refused, and it cannot be installed. */
export const suspendApp = (db: Database, id: string, suspended: boolean): Promise<InstallableApp> =>
  db.transaction(async tx => {
    const app = await existingInstallable(tx, id, 'for update')
    await tx.query(storeSuspended(app, suspended))
    await tx.query(touchInstallations(app))
    await followSuspensions(tx, app)
    for (const { workspace_id, id: installation } of await tx.query(activeOfApp(app)))
      await tx.query(
        addToLog(workspace_id, suspended ? 'app_suspended' : 'app_resumed', null, { installation, app: id }),
      )
    await notifyOfChange(tx, app, suspended ? 'suspended' : 'resumed')
    return existingInstallable(tx, id)
  })

/** Ends every installation, and then the app with its secrets and tokens. */
export const revokeInstallable = (db: Database, id: string): Promise<InstallableApp> =>
  db.transaction(async tx => {
    const app = await existingInstallable(tx, id, 'for update')
    for (const { workspace_id, id: installation } of await tx.query(activeOfApp(app))) {
      const row = await tx.only(installationById(workspace_id, installation))
      await endInstallation(tx, row, { by: 'operator', user: null })
    }
    await revokeAppIn(tx, { id: app.id, workspace: app.workspace_id })
    return existingInstallable(tx, id)
  })

/**
 * Ends what a workspace that is deleted has to do with installable apps: its installations, whose publishers are notified, and
 * its own apps in every workspace, with their packages and orders there.
 */
export async function endAppsOfWorkspace(db: Database, workspace: string): Promise<void> {
  const installed = await db.query(selectInstallations(workspace))
  for (const row of installed.filter(({ status }) => status !== 'ended'))
    await db.transaction(tx => endInstallation(tx, row, { by: 'workspace', user: null }))
  for (const { id } of await db.query(selectInstallables(workspace))) await revokeInstallable(db, id)
}

/** Whether an app is one that workspaces install; undefined if there is none. */
export const readInstallable = async (db: Queryable, id: string): Promise<InstallableApp | undefined> =>
  isUuid(id) ? db.one(installableById(id)) : undefined

async function existingInstallable(db: Queryable, id: string, lock?: 'for update'): Promise<InstallableApp> {
  const app = isUuid(id) ? await db.one(installableById(id, lock)) : undefined
  if (!app) throw new UserError(`there is no installable app ${id}`)
  return app
}

async function storeRanges(tx: Transaction, app: InstallableApp, ranges: readonly string[]): Promise<void> {
  await tx.query(storeAllowlist(app, ranges))
  await tx.query(followAllowlist(app, ranges))
}

/** Scopes that the app does not ask for any more end in every installation. */
async function endScopes(tx: Transaction, app: InstallableApp, now: Registration): Promise<void> {
  const wanted = scopesOf(now)
  const lost = knownScopes(scopesOf(app).filter(scope => !wanted.includes(scope)))
  if (lost.length === 0) return
  const installations = await tx.query(dropScopes(app, lost))
  for (const { workspace_id, id } of installations)
    await tx.query(addToLog(workspace_id, 'app_access_changed', null, { installation: id, app: app.id, lost }))
  const keys = await tx.query(dropScopesOfKeys(app, lost))
  await endLostScopes(
    tx,
    keys.map(({ id }) => ({ id, lost })),
  )
  for (const { workspace_id, id } of installations) {
    const row = await tx.only(installationById(workspace_id, id))
    await notifyPublisher(tx, row, 'installation.updated', 'access_dropped')
  }
}

/** Installations in which new scopes wait for a decision now. */
async function notifyOfNewScopes(tx: Transaction, before: InstallableApp, now: Registration) {
  const gained = scopesOf(now).filter(scope => !scopesOf(before).includes(scope))
  if (gained.length > 0)
    await notifyOfChange(tx, before, 'access_requested', row => row.scopes_pending.some(one => gained.includes(one)))
}

const scopesOf = ({ scopes, optional_scopes }: Pick<Registration, 'scopes' | 'optional_scopes'>) => [
  ...scopes,
  ...optional_scopes,
]

const EMPTY: Registration = { name: '', scopes: [], optional_scopes: [], redirect_uris: [], domains: [] }

const LISTS = ['scopes', 'optional_scopes', 'redirect_uris', 'domains'] as const

/**
 * What holds until the next approval: the scopes that both have, and the approved domains and redirect URIs, unless some were
 * only removed.
 */
function commonPart(approved: Registration, wanted: Registration): Registration {
  const known = scopesOf(approved)
  const onlyRemoved = (list: 'redirect_uris' | 'domains') => wanted[list].every(one => approved[list].includes(one))
  const common = wanted.scopes.filter(scope => known.includes(scope))
  const scopes = common.length > 0 ? common : approved.scopes
  const isMoved = !onlyRemoved('redirect_uris') || !onlyRemoved('domains')
  return {
    name: approved.name,
    // a scope that becomes required, or optional, is new in neither case
    scopes,
    optional_scopes: wanted.optional_scopes.filter(scope => known.includes(scope) && !scopes.includes(scope)),
    redirect_uris: isMoved ? approved.redirect_uris : wanted.redirect_uris,
    domains: isMoved ? approved.domains : wanted.domains,
  }
}

const isSame = (one: Registration, other: Registration): boolean =>
  one.name === other.name && LISTS.every(list => one[list].join(' ') === other[list].join(' '))

function checkedRegistration(wanted: WantedApp, before: Registration): Registration {
  const name = wanted.name === undefined ? before.name : requireName('name', wanted.name, 'app')
  if (name === '') throw new UserError(`the name must be 1 to ${NAME_LENGTHS.app} characters`)
  const scopes = [...new Set(wanted.scopes ?? before.scopes)]
  const optional = [...new Set(wanted.optionalScopes ?? before.optional_scopes)]
  const unknown = unknownScopes([...scopes, ...optional])
  if (unknown.length > 0) throw new UserError(`an installable app cannot request ${unknown.join(', ')}`)
  if (scopes.length === 0) throw new UserError('an installable app needs at least one required scope')
  const both = optional.filter(scope => scopes.includes(scope))
  if (both.length > 0) throw new UserError(`required and optional at the same time: ${both.join(', ')}`)
  const domains = checkedDomains(wanted.domains ?? before.domains)
  const redirectUris = checkedRedirects(wanted.redirectUris ?? before.redirect_uris, 'web')
  for (const uri of redirectUris) {
    if (!domains.some(domain => isBelow(new URL(uri).hostname, domain)))
      throw new UserError(`the redirect URI ${uri} is not below one of the domains of the app`)
  }
  const inOrder = (names: readonly string[]) => INSTALLABLE_SCOPES.filter(scope => names.includes(scope))
  return { name, scopes: inOrder(scopes), optional_scopes: inOrder(optional), redirect_uris: redirectUris, domains }
}

function checkedDomains(given: readonly string[]): string[] {
  const domains = [...new Set(given.map(domain => domainKey(domain.trim())))]
  if (domains.length === 0 || domains.length > MAX_DOMAINS)
    throw new UserError(`an installable app needs 1 to ${MAX_DOMAINS} domains`)
  const wrong = domains.filter(domain => !isDomain(domain))
  if (wrong.length > 0) throw new UserError(`not a valid domain (such as example.com): ${wrong.join(', ')}`)
  return domains
}

function checkedRanges(given: readonly string[]): string[] {
  const wrong = given.find(range => parseRange(range) === undefined)
  if (wrong !== undefined) throw new UserError(`not an IP address or CIDR range: ${wrong}`)
  return [...new Set(given)]
}

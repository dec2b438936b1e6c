import { resolveAllowances } from '../../contract/plans.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Environment } from '../../kernel/access/key-format.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { newToken } from '../../kernel/http/browser-session.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { createKeyIn, endLostScopes, type IssuedKey, mayManageKeys, revokeKeyIn, workspacePlan } from '../keys/index.ts'
import { deriveEndpoint, moveDerivedEndpoint } from '../webhooks/index.ts'
import { addToLog } from '../workspaces/index.ts'
import { type InstallableApp, installableById } from './app-store.ts'
import { notifyPublisher } from './notice-actions.ts'
import {
  CODE_SECONDS,
  hashCode,
  INSTALLABLE_SCOPES,
  isUnpaid,
  isVerifierOf,
  MAX_INSTALLATIONS,
  mayInstall,
  roleFor,
  UPGRADE_OVERLAP_HOURS,
} from './rules.ts'
import {
  activeInstallation,
  bindKey,
  type CodeRow,
  countActive,
  cutKeys,
  dropOpenCodes,
  type InstallationRow,
  type InstallerRow,
  insertAppUser,
  insertCode,
  insertInstallation,
  installationById,
  keysOfInstallation,
  limitKey,
  lockCode,
  lockInstaller,
  markCodeUsed,
  renewInstallation,
  selectInstaller,
  storeAppUser,
  storeCodeKey,
} from './store.ts'

/** Where a person wants to install an app. */
export interface InstallTarget {
  id: string
  environment: Environment
}

/** Why an app cannot be installed in a workspace at all; undefined if it can. Before its approval only its home and test workspaces can. */
export function appRefusal(app: InstallableApp | undefined, { id, environment }: InstallTarget): string | undefined {
  if (!app || app.revoked_at !== null || !app.home_open) return 'the app does not exist any more'
  if (app.status === 'suspended') return 'the operator of the service has suspended the app'
  if (app.review_status !== 'approved' && app.workspace_id !== id && environment !== 'test')
    return 'the app is not approved yet'
  return undefined
}

/** Why a person cannot install apps; undefined if they can. */
export function installerRefusal(installer: InstallerRow | undefined): string | undefined {
  if (!installer) return 'the person is not a member of the workspace any more'
  if (installer.rule === 'off') return 'the workspace does not allow apps to be installed'
  if (!mayInstall(installer.role, installer.rule))
    return installer.rule === 'owners' ? 'only owners can install apps' : 'only owners and admins can install apps'
  if (!mayManageKeys(installer.email ?? '', installer.domains))
    return 'the email address of the person is not of a domain that may manage keys and apps'
  return undefined
}

export const readInstaller = (db: Queryable, workspace: string, user: string): Promise<InstallerRow | undefined> =>
  db.one(selectInstaller(workspace, user))

export const readInstalled = (db: Queryable, workspace: string, app: string): Promise<InstallationRow | undefined> =>
  db.one(activeInstallation(workspace, app))

/** What a person decided on the consent page. */
export interface InstallConsent {
  app: InstallableApp
  workspace: string
  user: string
  redirectUri: string
  challenge: string
  scopes: readonly Scope[]
  /** what the page offered */
  offered: readonly string[]
  budget: number
}

/** A code for a decision. It is the only thing that exists until the app exchanges it. */
export function issueCode(db: Database, consent: InstallConsent): Promise<string> {
  const { app, workspace, user } = consent
  const code = newToken()
  return db.transaction(async tx => {
    await tx.query(dropOpenCodes(workspace, user, app.id))
    await tx.query(insertCode({ ...consent, codeHash: hashCode(code), seconds: CODE_SECONDS }))
    return code
  })
}

export interface CodeExchange {
  code: string
  redirectUri: string
  verifier: string
}

export interface Installed {
  installation: InstallationRow
  key: IssuedKey
}

/** Why a code is not exchanged: an `invalid_grant` of RFC 6749. */
export interface RefusedCode {
  refused: string
}

/**
 * Exchanges a code, after the client secret was checked. Every attempt consumes the code, also one that fails. A second
 * attempt shows that the code was seen by someone else, so it also revokes the key that the first one got. User, key and
 * installation are created here, in one transaction, and what the person and the app may do is checked again: either may
 * have changed since the consent.
 */
export const exchangeCode = (db: Database, appId: string, exchange: CodeExchange): Promise<Installed | RefusedCode> =>
  db.transaction(async tx => {
    const app = await tx.one(installableById(appId, 'for share'))
    const codeHash = hashCode(exchange.code)
    const code = app && (await tx.one(lockCode(appId, codeHash)))
    if (!app || !code) return { refused: 'the code is not valid' }
    if (code.used) return refuseReuse(tx, code)
    await tx.query(markCodeUsed(codeHash))
    const fault = codeFault(app, code, exchange)
    if (fault !== undefined) return { refused: fault }
    const refused = await decisionFault(tx, app, code)
    if (refused !== undefined) return { refused }
    const done = await install(tx, app, code)
    if ('key' in done) await tx.query(storeCodeKey(codeHash, done.key.id))
    return done
  })

async function refuseReuse(tx: Transaction, code: CodeRow): Promise<RefusedCode> {
  if (code.key_id !== null) {
    await revokeKeyIn(tx, code.key_id)
    await tx.query(addToLog(code.workspace_id, 'app_code_reused', null, { key: code.key_id }))
  }
  return { refused: 'the code was used already' }
}

function codeFault(app: InstallableApp, code: CodeRow, { redirectUri, verifier }: CodeExchange): string | undefined {
  if (code.expired) return 'the code has expired'
  if (redirectUri !== code.redirect_uri || !app.redirect_uris.includes(redirectUri))
    return 'redirect_uri is not the one of the request'
  return isVerifierOf(code.code_challenge, verifier) ? undefined : 'code_verifier does not match'
}

async function decisionFault(tx: Transaction, app: InstallableApp, code: CodeRow): Promise<string | undefined> {
  const { environment } = await tx.only(workspacePlan(code.workspace_id))
  const refused = appRefusal(app, { id: code.workspace_id, environment })
  return refused ?? installerRefusal(await tx.one(lockInstaller(code.workspace_id, code.user_id)))
}

/** What the person decided, as far as the app may still ask for it and the plan includes it. */
async function grantedNow(tx: Transaction, app: InstallableApp, code: CodeRow): Promise<readonly Scope[]> {
  const { plan } = await tx.only(workspacePlan(code.workspace_id))
  const offered = [...app.scopes, ...app.optional_scopes]
  return INSTALLABLE_SCOPES.filter(
    scope => code.scopes.includes(scope) && offered.includes(scope) && !isUnpaid(scope, plan !== null),
  )
}

async function install(tx: Transaction, app: InstallableApp, code: CodeRow): Promise<Installed | RefusedCode> {
  const workspace = code.workspace_id
  const scopes = await grantedNow(tx, app, code)
  if (scopes.length === 0) return { refused: 'the app gave up the scopes that were granted' }
  const before = await tx.one(activeInstallation(workspace, app.id, 'for update'))
  if (before?.status === 'suspended') return { refused: 'the installation is suspended' }
  if (!before && (await tx.only(countActive(workspace))).active >= MAX_INSTALLATIONS)
    return { refused: `the workspace has ${MAX_INSTALLATIONS} installed apps, the most that are possible` }
  const decision = { workspace, app, scopes, code }
  const key = before ? await upgrade(tx, before, decision) : await installNew(tx, decision)
  const installation = await tx.only(activeInstallation(workspace, app.id))
  const details = { installation: installation.id, app: app.id, key: key.id, scopes }
  await tx.query(addToLog(workspace, before ? 'app_access_changed' : 'app_installed', code.user_id, details))
  if (before) await notifyPublisher(tx, installation, 'installation.updated', 'access_granted')
  else await notifyPublisher(tx, installation, 'installation.created', 'installed')
  return { installation, key }
}

interface Decision {
  workspace: string
  app: InstallableApp
  scopes: readonly Scope[]
  code: CodeRow
}

async function installNew(tx: Transaction, decision: Decision): Promise<IssuedKey> {
  const { workspace, app, scopes, code } = decision
  const [user, id] = [newHandle('user'), newHandle('installation')]
  await tx.query(insertAppUser(workspace, user, app.name, roleFor(scopes)))
  const key = await createKeyIn(tx, keyOf(decision, user))
  const budget = code.personal_data_reads_per_day
  const row = { workspace, id, app, user, key: key.id, scopes, offered: code.offered_scopes, budget }
  await tx.query(insertInstallation({ ...row, installedBy: code.user_id }))
  await tx.query(bindKey(workspace, key.id, id, budget))
  const { environment } = await tx.only(workspacePlan(workspace))
  const source = environment === 'test' ? app.test_endpoint_id : app.live_endpoint_id
  await deriveEndpoint(tx, workspace, key.id, { workspace_id: app.workspace_id, id: source })
  return key
}

/**
 * Another decision about an app that is installed. The new key has what was decided now; the one before it works for the
 * overlap, with no more than that, and older ones end.
 */
async function upgrade(tx: Transaction, before: InstallationRow, decision: Decision): Promise<IssuedKey> {
  const { workspace, app, scopes, code } = decision
  const { id } = before
  const budget = code.personal_data_reads_per_day
  const keys = await tx.query(keysOfInstallation(workspace, id))
  for (const old of keys) {
    if (old.id === before.credential_id) await tx.query(limitKey(workspace, old.id, budget, UPGRADE_OVERLAP_HOURS))
    else await revokeKeyIn(tx, old.id)
  }
  await endLostScopes(tx, await tx.query(cutKeys(workspace, id, scopes)))
  await tx.query(storeAppUser(workspace, before.user_id, app.name, roleFor(scopes)))
  const key = await createKeyIn(tx, keyOf(decision, before.user_id))
  await tx.query(bindKey(workspace, key.id, id, budget))
  const row = { workspace, id, key: key.id, scopes, offered: code.offered_scopes, budget }
  await tx.query(renewInstallation({ ...row, installedBy: code.user_id }))
  await moveDerivedEndpoint(tx, workspace, { from: before.credential_id, to: key.id, scopes })
  return key
}

const keyOf = ({ workspace, app, scopes }: Decision, userId: string) => ({
  workspace,
  userId,
  name: app.name,
  scopes,
  allowIp: app.ip_allowlist,
})

/** The most that an installation can have of the daily budget for personal data. */
export async function planBudget(db: Queryable, workspace: string): Promise<{ most: number; hasPlan: boolean }> {
  const { plan, own_limits } = await db.only(workspacePlan(workspace))
  return { most: resolveAllowances(plan, own_limits).personalDataReadsPerDay, hasPlan: plan !== null }
}

export const readInstallation = (db: Queryable, workspace: string, id: string): Promise<InstallationRow | undefined> =>
  db.one(installationById(workspace, id))

import { randomBytes, randomUUID } from 'node:crypto'
import { API_LIMITS } from '../../contract/limits.ts'
import { sha256 } from '../../kernel/crypto/signing.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { NAME_LENGTHS, requireName } from '../../kernel/text/names.ts'
import { allWorkspaces } from '../workspaces/index.ts'
import { APP_KINDS, APP_SCOPES, type AppKind, redirectFault } from './rules.ts'
import {
  type AppRow,
  addAppSecret,
  appById,
  type ConsentRow,
  consentById,
  expireAppSecrets,
  grantConsent,
  insertApp,
  markAppRevoked as revoke,
  markConsentRevoked as revokeConsentRow,
  secretIsGood,
  selectAppConsents,
  selectApps,
} from './store.ts'

export interface NewApp {
  workspace: string
  name: string
  kind: string
  redirectUris: readonly string[]
  scopes: readonly string[]
  /** the member who registers it */
  createdBy?: string
}

/** An app with its secret, if it is confidential. The secret is shown only once and not stored. */
export interface IssuedApp extends AppRow {
  client_id: string
  client_secret: string | null
}

const MAX_REDIRECTS = 20

export async function registerApp(db: Database, input: NewApp): Promise<IssuedApp> {
  const name = requireName('name', input.name, 'app')
  if (name === '') throw new UserError(`the name must be 1 to ${NAME_LENGTHS.app} characters`)
  const kind = APP_KINDS.find(k => k === input.kind)
  if (!kind) throw new UserError(`the kind must be one of ${APP_KINDS.join(', ')}`)
  const redirectUris = checkedRedirects(input.redirectUris, kind)
  const scopes = checkedScopes(input.scopes)
  return db.transaction(async tx => {
    if ((await tx.query(allWorkspaces(input.workspace))).length === 0) {
      throw new UserError(`there is no workspace ${input.workspace}`)
    }
    const id = randomUUID()
    const createdBy = input.createdBy ?? null
    await tx.query(insertApp({ workspace: input.workspace, id, name, kind, redirectUris, scopes, createdBy }))
    return issue(tx, input.workspace, id, kind)
  })
}

/** Adds a secret. The previous one stays valid for the overlap. There are never more than two. */
export function rotateAppSecret(
  db: Database,
  app: { id: string; workspace?: string },
  overlapHours: number = API_LIMITS.keyRotationOverlapHours,
): Promise<IssuedApp> {
  if (!(overlapHours >= 0 && overlapHours <= API_LIMITS.keyRotationMaxOverlapHours)) {
    throw new UserError(`the overlap must be 0 to ${API_LIMITS.keyRotationMaxOverlapHours} hours`)
  }
  return db.transaction(async tx => {
    const { workspace_id, id, kind, revoked_at } = await existing(tx, app)
    if (revoked_at !== null) throw new UserError(`app ${id} is revoked`)
    if (kind !== 'web') throw new UserError(`a ${kind} app has no secret`)
    await tx.query(expireAppSecrets(workspace_id, id, overlapHours))
    return issue(tx, workspace_id, id, kind)
  })
}

/** Takes effect with the next request: secrets, codes, tokens and consents of the app are deleted. */
export const revokeApp = (db: Database, app: { id: string; workspace?: string }): Promise<AppRow> =>
  db.transaction(tx => revokeAppIn(tx, app))

/** The same as part of a larger change. */
export async function revokeAppIn(tx: Queryable, app: { id: string; workspace?: string }): Promise<AppRow> {
  const { workspace_id, id, revoked_at } = await existing(tx, app)
  if (revoked_at === null) await tx.query(revoke(workspace_id, id))
  return tx.only(appById(id))
}

export const listApps = (db: Queryable, workspace?: string): Promise<AppRow[]> => db.query(selectApps(workspace))

/** Consents in force, of a workspace, of one of its apps, or of one of its members. */
export const listConsents = (
  db: Queryable,
  workspace: string,
  of: { app?: string; user?: string } = {},
): Promise<ConsentRow[]> => db.query(selectAppConsents(workspace, of))

/** Takes effect with the next request. `user`: only if it is a consent of this user. */
export async function revokeConsent(
  db: Queryable,
  workspace: string,
  id: string,
  opts: { user?: string } = {},
): Promise<ConsentRow> {
  const consent = await db.one(consentById(workspace, id))
  if (!consent || (opts.user !== undefined && consent.user_id !== opts.user)) {
    throw new UserError(`there is no consent ${id}`)
  }
  await db.query(revokeConsentRow(workspace, id))
  return consent
}

/** Records the consent of a user to an app; returns the credential that the tokens of the app count as. */
export async function giveConsent(
  db: Queryable,
  input: { workspace: string; app: string; user: string; scopes: readonly string[] },
): Promise<string> {
  return (await db.only(grantConsent({ id: newHandle('credential'), ...input }))).id
}

export const isAppSecret = async (db: Queryable, app: string, secret: string): Promise<boolean> =>
  (await db.one(secretIsGood(app, hashSecret(secret)))) !== undefined

/** An app that people can sign in to; undefined for every other text. */
export async function activeApp(db: Queryable, id: string): Promise<AppRow | undefined> {
  const app = isUuid(id) ? await db.one(appById(id)) : undefined
  return app?.revoked_at === null && app.distribution === 'workspace' ? app : undefined
}

const hashSecret = (secret: string) => sha256(secret).toString('hex')

/** A new secret of an app, which is shown only once. */
export async function issueAppSecret(tx: Queryable, workspace: string, id: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await tx.query(addAppSecret(workspace, id, hashSecret(secret)))
  return secret
}

async function issue(tx: Queryable, workspace: string, id: string, kind: AppKind): Promise<IssuedApp> {
  const secret = kind === 'web' ? await issueAppSecret(tx, workspace, id) : null
  return { ...(await tx.only(appById(id))), client_id: id, client_secret: secret }
}

async function existing(db: Queryable, { id, workspace }: { id: string; workspace?: string }): Promise<AppRow> {
  const app = isUuid(id) ? await db.one(appById(id, 'for update')) : undefined
  if (!app || (workspace !== undefined && app.workspace_id !== workspace)) throw new UserError(`there is no app ${id}`)
  return app
}

export function checkedRedirects(given: readonly string[], kind: AppKind): string[] {
  const uris = [...new Set(given)]
  if (uris.length === 0 || uris.length > MAX_REDIRECTS) {
    throw new UserError(`an app needs 1 to ${MAX_REDIRECTS} redirect URIs`)
  }
  for (const uri of uris) {
    const fault = redirectFault(uri, kind)
    if (fault !== undefined) throw new UserError(`the redirect URI ${uri} ${fault}`)
  }
  return uris
}

function checkedScopes(given: readonly string[]): string[] {
  const unknown = given.filter(scope => !APP_SCOPES.includes(scope))
  if (unknown.length > 0) throw new UserError(`an app cannot request ${unknown.join(', ')}`)
  // signing in is what an app is registered for
  return [...new Set(['openid', ...given])]
}

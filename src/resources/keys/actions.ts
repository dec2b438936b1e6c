import { API_LIMITS } from '../../contract/limits.ts'
import type { PlanCode } from '../../contract/plans.ts'
import { ALL_SCOPES, keyScopes, LIVE_SCOPES, type Rights, SCOPES, type Scope } from '../../contract/scopes.ts'
import { parseRange } from '../../kernel/access/caller.ts'
import { deleteResponses } from '../../kernel/access/idempotency.ts'
import { type Environment, hashSecret, newKeySecret } from '../../kernel/access/key-format.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { requireName } from '../../kernel/text/names.ts'
import { dropExportsNeeding, dropKeyExports } from '../exports/index.ts'
import { cancelUnreadableDeliveries, disableKeyEndpoints } from '../webhooks/index.ts'
import { requireOpen } from '../workspaces/index.ts'
import {
  addKeySecret,
  cutScopes,
  expireKeySecrets,
  holdRights,
  insertKey,
  type KeyRow,
  keyById,
  noteKeyChange,
  markKeyRevoked as revoke,
  selectKeys,
  userIdByEmail,
  workspacePlan,
} from './store.ts'

export interface NewKey {
  workspace: string
  /** further workspaces: the key then covers exactly these; `all`: every one there is */
  reach?: readonly string[] | 'all' | undefined
  userEmail?: string | undefined
  /** the user by handle, such as that of an installation, which has no email address */
  userId?: string
  scopes: readonly string[] | 'all'
  /** a label in a live workspace; the default is the kind of the workspace */
  environment?: Environment | undefined
  name?: string | undefined
  allowIp?: readonly string[]
  expiresInDays?: number | undefined
}

/** A key with its secret, which is shown only once and not stored. */
export interface IssuedKey extends KeyRow {
  secret: string
}

export const createKey = (db: Database, input: NewKey): Promise<IssuedKey> =>
  db.transaction(tx => createKeyIn(tx, input))

/** The same as part of a larger change. */
export async function createKeyIn(tx: Transaction, input: NewKey): Promise<IssuedKey> {
  await requireOpen(tx, input.workspace)
  const home = await tx.only(workspacePlan(input.workspace))
  const scopes = grantableScopes(input.scopes, home)
  const reach = input.reach
  if (reach?.length === 0) throw new UserError('the list of workspaces is empty')
  await requireOneKind(tx, input.workspace, home.environment, reach)
  const badRange = input.allowIp?.find(range => parseRange(range) === undefined)
  if (badRange !== undefined) throw new UserError(`not an IP address or CIDR range: ${badRange}`)
  const environment = input.environment ?? home.environment
  if (home.environment === 'test' && environment !== 'test')
    throw new UserError('the keys of a test workspace are test keys')
  const secret = newKeySecret(environment)
  const id = newHandle('credential')
  const user =
    input.userId ?? (input.userEmail === undefined ? null : await userId(tx, input.workspace, input.userEmail))
  await tx.query(
    insertKey({
      workspaceId: input.workspace,
      id,
      userId: user,
      name: requireName('name', input.name ?? '', 'key') || `${environment} key`,
      environment,
      scopes: user === null ? scopes : allowedTo(await tx.only(holdRights(input.workspace, user)), scopes),
      grantedScopes: scopes,
      workspaceScope: reach === 'all' ? 'all' : reach ? 'list' : 'single',
      workspaceIds: Array.isArray(reach) ? [...new Set(reach)] : [],
      ipAllowlist: [...(input.allowIp ?? [])],
      expiresInDays: input.expiresInDays ?? null,
    }),
  )
  await tx.query(addKeySecret(input.workspace, id, hashSecret(secret)))
  return { ...(await tx.only(keyById(id))), secret }
}

/** A key has access to live workspaces or to test workspaces, never to both. */
async function requireOneKind(db: Queryable, home: string, environment: Environment, reach: NewKey['reach']) {
  if (reach === 'all' && environment === 'test')
    throw new UserError('a key of a test workspace has access to the workspaces that it names')
  for (const id of Array.isArray(reach) ? reach : []) {
    await requireOpen(db, id)
    if ((await db.only(workspacePlan(id))).environment !== environment)
      throw new UserError(`a key cannot have access to live and test workspaces: ${home} and ${id} differ`)
  }
}

/** Adds a secret to a key. The previous one stays valid for the overlap. There are never more than two. */
export const rotateKey = (
  db: Database,
  id: string,
  overlapHours: number = API_LIMITS.keyRotationOverlapHours,
): Promise<IssuedKey> =>
  db.transaction(async tx => {
    if ((await existing(tx, id)).installation_id !== null)
      throw new UserError(
        `key ${id} belongs to an installed app, which rotates it itself; revoke it or uninstall the app`,
      )
    return rotateKeyIn(tx, id, overlapHours)
  })

/** The same as part of a larger change. */
export async function rotateKeyIn(tx: Transaction, id: string, overlapHours: number): Promise<IssuedKey> {
  if (!(overlapHours >= 0 && overlapHours <= API_LIMITS.keyRotationMaxOverlapHours)) {
    throw new UserError(`the overlap must be 0 to ${API_LIMITS.keyRotationMaxOverlapHours} hours`)
  }
  const key = await existing(tx, id)
  if (key.revoked_at !== null) throw new UserError(`key ${id} is revoked`)
  const secret = newKeySecret(key.environment)
  await tx.query(expireKeySecrets(key.workspace_id, id, overlapHours))
  await tx.query(addKeySecret(key.workspace_id, id, hashSecret(secret)))
  return { ...(await tx.only(keyById(id))), secret }
}

/** Takes effect with the next request. Also disables the webhook endpoints of the key and ends its exports. */
export const revokeKey = (db: Database, id: string): Promise<KeyRow> => db.transaction(tx => revokeKeyIn(tx, id))

/** The same as part of a larger change. */
export async function revokeKeyIn(tx: Transaction, id: string): Promise<KeyRow> {
  const key = await existing(tx, id)
  if (key.revoked_at === null) {
    await tx.query(revoke(key.workspace_id, id))
    await disableKeyEndpoints(tx, id)
    await dropKeyExports(tx, id)
  } else {
    // a second caller also returns only when no process lets the key in: the first may still wait for that, or have failed
    await tx.query(noteKeyChange(key.workspace_id, id))
  }
  return tx.only(keyById(id))
}

/** What a user may give to keys now: nothing while the company's provider refuses them. */
const scopesOf = (rights: Rights & { refused: boolean }): readonly Scope[] => (rights.refused ? [] : keyScopes(rights))

const allowedTo = (rights: Rights & { refused: boolean }, scopes: readonly Scope[]): Scope[] =>
  scopes.filter(scope => scopesOf(rights).includes(scope))

/**
 * Limits the keys of a user to what the user may do now, in the transaction that changes the role or the access to jobs,
 * so that it takes effect with the next request. Waiting deliveries and exports that a key may no longer read are canceled and dropped.
 */
export async function followRights(tx: Transaction, who: { workspace: string; user: string }): Promise<void> {
  const rights = await tx.only(holdRights(who.workspace, who.user))
  const keys = await tx.query(cutScopes(who.workspace, who.user, scopesOf(rights)))
  await endLostScopes(
    tx,
    keys.filter(({ lost }) => lost.length > 0),
  )
}

/** What keys did with scopes that they have lost is canceled and dropped. */
export async function endLostScopes(
  tx: Transaction,
  cut: readonly { id: string; lost: readonly Scope[] }[],
): Promise<void> {
  if (cut.length === 0) return
  const ids = cut.map(({ id }) => id)
  await cancelUnreadableDeliveries(tx, ids)
  await tx.query(deleteResponses(ids))
  for (const { id, lost } of cut) await dropExportsNeeding(tx, id, lost)
}

export const listKeys = (db: Queryable, workspace: string | undefined): Promise<KeyRow[]> =>
  db.query(selectKeys(workspace))

async function existing(db: Queryable, id: string): Promise<KeyRow> {
  const key = await db.one(keyById(id, 'for update'))
  if (!key) throw new UserError(`there is no key ${id}`)
  return key
}

async function userId(db: Queryable, workspace: string, email: string): Promise<string> {
  const user = await db.one(userIdByEmail(workspace, email))
  if (!user) throw new UserError(`workspace ${workspace} has no user ${email}`)
  return user.id
}

/** `all`: all that a key of this workspace can have. */
function grantableScopes(
  wanted: NewKey['scopes'],
  { plan, environment }: { plan: PlanCode | null; environment: Environment },
): Scope[] {
  const isPaidFor = (scope: Scope) => plan !== null || !SCOPES[scope].paid
  const isPlaced = (scope: Scope) => environment === 'test' || LIVE_SCOPES.includes(scope)
  if (wanted === 'all') return ALL_SCOPES.filter(scope => isPaidFor(scope) && isPlaced(scope))
  const unknown = wanted.filter(name => !ALL_SCOPES.some(scope => scope === name))
  if (unknown.length > 0) throw new UserError(`unknown scope: ${unknown.join(', ')}`)
  const scopes = [...new Set(wanted as Scope[])]
  if (scopes.length === 0) throw new UserError('a key needs at least one scope')
  const unpaid = scopes.filter(scope => !isPaidFor(scope))
  if (unpaid.length > 0)
    throw new UserError(`the workspace has no plan, and these scopes need one: ${unpaid.join(', ')}`)
  const misplaced = scopes.filter(scope => !isPlaced(scope))
  if (misplaced.length > 0)
    throw new UserError(`only keys of a test workspace can have these scopes: ${misplaced.join(', ')}`)
  return scopes
}

import { API_LIMITS } from '../../contract/limits.ts'
import { ALL_SCOPES, isScope, keyScopes, type Rights, SCOPES, type Scope } from '../../contract/scopes.ts'
import { parseRange } from '../../kernel/access/caller.ts'
import { deleteResponses } from '../../kernel/access/idempotency.ts'
import { type Environment, hashSecret, newKeySecret } from '../../kernel/access/key-format.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { requireName } from '../../kernel/text/names.ts'
import { dropExportsNeeding, dropExportsOf } from '../exports/index.ts'
import { cancelUnreadableOf, disableEndpointsOf } from '../webhooks/index.ts'
import { requireOpen } from '../workspaces/index.ts'
import {
  addKeySecret,
  cutScopes,
  expireKeySecrets,
  holdRights,
  insertKey,
  type KeyRow,
  keyById,
  keysOf,
  noteKeyChange,
  markKeyRevoked as revoke,
  userIdByEmail,
  workspacePlan,
} from './store.ts'

export interface NewKey {
  workspace: string
  /** further workspaces: the key then covers exactly these; `all`: every one there is */
  reach?: readonly string[] | 'all' | undefined
  userEmail?: string | undefined
  scopes: readonly string[] | 'all'
  environment?: Environment
  name?: string | undefined
  allowIp?: readonly string[]
  expiresInDays?: number | undefined
}

/** A key with its secret, which is shown only once and not stored. */
export interface IssuedKey extends KeyRow {
  secret: string
}

export function createKey(db: Database, input: NewKey): Promise<IssuedKey> {
  return db.transaction(async tx => {
    await requireOpen(tx, input.workspace)
    const home = await tx.only(workspacePlan(input.workspace))
    const scopes = grantableScopes(input.scopes, home.plan !== null)
    const reach = input.reach
    if (reach?.length === 0) throw new UserError('the list of workspaces is empty')
    for (const id of Array.isArray(reach) ? reach : []) await requireOpen(tx, id)
    const badRange = input.allowIp?.find(range => parseRange(range) === undefined)
    if (badRange !== undefined) throw new UserError(`not an IP address or CIDR range: ${badRange}`)
    const environment = input.environment ?? 'live'
    const secret = newKeySecret(environment)
    const id = newHandle('credential')
    const user = input.userEmail === undefined ? null : await userId(tx, input.workspace, input.userEmail)
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
  })
}

/** Adds a secret to a key. The previous one stays valid for the overlap. There are never more than two. */
export function rotateKey(
  db: Database,
  id: string,
  overlapHours: number = API_LIMITS.keyRotationOverlapHours,
): Promise<IssuedKey> {
  if (!(overlapHours >= 0 && overlapHours <= API_LIMITS.keyRotationMaxOverlapHours)) {
    throw new UserError(`the overlap must be 0 to ${API_LIMITS.keyRotationMaxOverlapHours} hours`)
  }
  return db.transaction(async tx => {
    const key = await existing(tx, id)
    if (key.revoked_at !== null) throw new UserError(`key ${id} is revoked`)
    const secret = newKeySecret(key.environment)
    await tx.query(expireKeySecrets(key.workspace_id, id, overlapHours))
    await tx.query(addKeySecret(key.workspace_id, id, hashSecret(secret)))
    return { ...(await tx.only(keyById(id))), secret }
  })
}

/** Takes effect with the next request. Also disables the webhook endpoints of the key and ends its exports. */
export const revokeKey = (db: Database, id: string): Promise<KeyRow> => db.transaction(tx => revokeKeyIn(tx, id))

/** The same as part of a larger change. */
export async function revokeKeyIn(tx: Transaction, id: string): Promise<KeyRow> {
  const key = await existing(tx, id)
  if (key.revoked_at === null) {
    await tx.query(revoke(key.workspace_id, id))
    await disableEndpointsOf(tx, id)
    await dropExportsOf(tx, id)
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
  const cut = keys.filter(({ lost }) => lost.length > 0)
  if (cut.length === 0) return
  const ids = cut.map(({ id }) => id)
  await cancelUnreadableOf(tx, ids)
  await tx.query(deleteResponses(ids))
  for (const { id, lost } of cut) await dropExportsNeeding(tx, id, lost)
}

export const listKeys = (db: Queryable, workspace: string | undefined): Promise<KeyRow[]> => db.query(keysOf(workspace))

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

function grantableScopes(wanted: NewKey['scopes'], hasPlan: boolean): Scope[] {
  // without a plan, `all` means all that can be granted
  if (wanted === 'all') return ALL_SCOPES.filter(scope => hasPlan || !SCOPES[scope].paid)
  const unknown = wanted.filter(name => !isScope(name))
  if (unknown.length > 0) throw new UserError(`unknown scope: ${unknown.join(', ')}`)
  const scopes = [...new Set(wanted as Scope[])]
  if (scopes.length === 0) throw new UserError('a key needs at least one scope')
  const paid = scopes.filter(scope => SCOPES[scope].paid)
  if (!hasPlan && paid.length > 0)
    throw new UserError(`the workspace has no plan, and these scopes need one: ${paid.join(', ')}`)
  return scopes
}

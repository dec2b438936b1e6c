import { ROLES, type Role } from '../../contract/scopes.ts'
import type { Asker, Passwords } from '../../kernel/access/password.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { followRole, revokeKeyIn } from '../keys/actions.ts'
import { userByEmail, userById, usersOf } from '../workspaces/store.ts'
import {
  deleteUser,
  dropTicketsOf,
  endAuthorizationsOf,
  endSessionsOf,
  keysOfUser,
  lockOwners,
  releaseKeys,
  storePassword,
  storeRole,
} from './store.ts'

/**
 * A new password ends every session of the member, but the one named, what could still become one, and what apps were
 * given: whoever knew the old one is out.
 */
export async function setPassword(
  db: Database,
  passwords: Passwords,
  who: { workspace: string; user: string },
  password: string,
  opts: { keepSession?: string; asker?: Asker } = {},
) {
  const user = await existingUser(db, who.workspace, who.user)
  if (user.email === null) throw new UserError(`${user.id} has no e-mail address to sign in with`)
  const hash = await passwords.hashNew(user.email, password, opts.asker)
  return db.transaction(async tx => {
    await tx.query(storePassword(who.workspace, user.id, hash))
    await tx.query(endSessionsOf(who.workspace, user.id, opts.keepSession ?? null))
    await tx.query(dropTicketsOf(user.id))
    await tx.query(endAuthorizationsOf(who.workspace, user.id))
    return user
  })
}

/** Refuses, by throwing, what somebody may not do to a member of this role. Asked once the member is locked. */
export type MayChange = (role: Role) => void

/** In force for the very next request, also for the member's keys and for apps that act for them. The last owner stays one. */
export function changeRole(db: Database, who: { workspace: string; user: string }, wanted: string, may?: MayChange) {
  const role = knownRole(wanted)
  return db.transaction(async tx => {
    const user = await lockedUser(tx, who)
    may?.(user.role as Role)
    if (user.role === role) return user
    if (user.role === 'owner') await requireAnotherOwner(tx, user)
    await tx.query(storeRole(who.workspace, user.id, role))
    await followRole(tx, { workspace: who.workspace, user: user.id }, role)
    return (await tx.one(userById(who.workspace, user.id)))!
  })
}

/**
 * Ends a membership: sessions, consents and their tokens go with it, and the member's API keys are revoked, since they
 * write in the name of somebody who is no longer there. What the person wrote stays.
 */
export function removeUser(db: Database, who: { workspace: string; user: string }, may?: MayChange) {
  return db.transaction(async tx => {
    const user = await lockedUser(tx, who)
    may?.(user.role as Role)
    if (user.role === 'owner') await requireAnotherOwner(tx, user)
    for (const { id } of await tx.query(keysOfUser(who.workspace, user.id))) await revokeKeyIn(tx, id)
    await tx.query(releaseKeys(who.workspace, user.id))
    await tx.query(deleteUser(who.workspace, user.id))
    return user
  })
}

function knownRole(text: string): Role {
  const role = ROLES.find(r => r === text)
  if (!role) throw new UserError(`the role must be one of ${ROLES.join(', ')}`)
  return role
}

/** By handle or e-mail address. */
async function existingUser(db: Queryable, workspace: string, user: string) {
  const found = await db.one(user.includes('@') ? userByEmail(workspace, user) : userById(workspace, user))
  if (!found) throw new UserError(`workspace ${workspace} has no user ${user}`)
  return found
}

/** All owners are locked with the member, so that the last two cannot leave at the same moment. */
async function lockedUser(tx: Queryable, who: { workspace: string; user: string }) {
  const { id } = await existingUser(tx, who.workspace, who.user)
  await tx.query(lockOwners(who.workspace, id))
  return existingUser(tx, who.workspace, id)
}

async function requireAnotherOwner(tx: Queryable, user: { id: string; workspace_id: string }): Promise<void> {
  const users = await tx.query(usersOf(user.workspace_id))
  if (users.some(other => other.role === 'owner' && other.id !== user.id)) return
  throw new UserError('a workspace keeps at least one owner: make somebody else owner first')
}

import { canBeLimited, ROLES, type Role } from '../../contract/roles.ts'
import type { JobAccess } from '../../contract/scopes.ts'
import type { HashSource, Passwords } from '../../kernel/access/password.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { present } from '../../kernel/errors/present.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { requireName } from '../../kernel/text/names.ts'
import { emailKey } from '../../kernel/text/person-keys.ts'
import { releaseCandidates } from '../applications/index.ts'
import { followRights, revokeKeyIn } from '../keys/index.ts'
import { requireWorkspace } from '../workspaces/index.ts'
import {
  countTeams,
  deleteTraces,
  deleteUser,
  dropUserTickets,
  endUserAuthorizations,
  endUserSessions,
  type InsertUser,
  insertUser,
  keysOfUser,
  lockOwners,
  releaseKeys,
  selectUsers,
  storeJobAccess,
  storePassword,
  storeRole,
  teamUsers,
  userByEmail,
  userById,
} from './store.ts'

export interface NewUser {
  workspace: string
  email: string
  role: string
  firstName?: string | undefined
  lastName?: string | undefined
  /** without one, all */
  jobAccess?: JobAccess
  /** without one the member signs in by mailed links only */
  password?: string | undefined
}

/** `passwords` is needed when the member gets a password. */
export async function createUser(db: Database, input: NewUser, passwords?: Passwords) {
  const role = knownRole(input.role)
  const firstName = requireName('first name', input.firstName ?? '', 'person') || null
  const lastName = requireName('last name', input.lastName ?? '', 'person') || null
  const jobAccess = input.jobAccess ?? 'all'
  if (jobAccess === 'team') requireLimitable(role)
  const email = input.email.trim()
  if (emailKey(email) === undefined) throw new UserError('that is not an email address')
  const { workspace, password } = input
  const passwordHash = password === undefined ? null : await present(passwords, 'passwords').hashNew(email, password)
  return db.transaction(tx => addUser(tx, { workspace, email, role, jobAccess, firstName, lastName, passwordHash }))
}

/** Creates a member of values that were checked. */
export async function addUser(tx: Transaction, user: Omit<InsertUser, 'id'>) {
  await requireWorkspace(tx, user.workspace)
  if (await tx.one(userByEmail(user.workspace, user.email)))
    throw new UserError('this email address already belongs to a member')
  const id = newHandle('user')
  await tx.query(insertUser({ ...user, id }))
  return tx.only(userById(user.workspace, id))
}

export async function listUsers(db: Queryable, workspace: string) {
  await requireWorkspace(db, workspace)
  return db.query(selectUsers(workspace))
}

/**
 * A new password ends every session of the member except `keepSession`, every open sign-in link and every authorization
 * of an app: the old password gives no access any more.
 */
export async function setPassword(
  db: Database,
  passwords: Passwords,
  who: { workspace: string; user: string },
  password: string,
  opts: { keepSession?: string; hashSource?: HashSource } = {},
) {
  const user = await existingUser(db, who.workspace, who.user)
  if (user.email === null) throw new UserError(`${user.id} has no email address to sign in with`)
  const hash = await passwords.hashNew(user.email, password, opts.hashSource)
  return db.transaction(async tx => {
    await tx.query(storePassword(who.workspace, user.id, hash))
    await endAccess(tx, { workspace: who.workspace, user: user.id }, opts.keepSession)
    return user
  })
}

/** Ends every session of a member but one, every open sign-in link and every authorization of an app. */
export async function endAccess(
  tx: Transaction,
  who: { workspace: string; user: string },
  keepSession?: string,
): Promise<void> {
  await tx.query(endUserSessions(who.workspace, who.user, keepSession ?? null))
  await tx.query(dropUserTickets(who.user))
  await tx.query(endUserAuthorizations(who.workspace, who.user))
}

/** Throws if the caller may not change a member with this role. Called once the member is locked. */
export type MayChange = (role: Role) => void

/**
 * Takes effect with the next request, also for keys of the member and for apps that act for them. The last owner cannot
 * be changed.
 */
export function changeRole(db: Database, who: { workspace: string; user: string }, wanted: string, may?: MayChange) {
  const role = knownRole(wanted)
  return db.transaction(tx => changeRoleIn(tx, who, role, may))
}

export async function changeRoleIn(
  tx: Transaction,
  who: { workspace: string; user: string },
  role: Role,
  may?: MayChange,
) {
  const user = await lockedUser(tx, who)
  may?.(user.role as Role)
  if (user.role === role) {
    // the call that changed it may still wait for processes that know the keys as they were
    await followRights(tx, { workspace: who.workspace, user: user.id })
    return user
  }
  if (user.role === 'owner') await requireAnotherOwner(tx, user)
  await tx.query(storeRole(who.workspace, user.id, role))
  await releaseCandidates(tx, { workspace: who.workspace, userId: user.id })
  await followRights(tx, { workspace: who.workspace, user: user.id })
  return tx.only(userById(who.workspace, user.id))
}

/**
 * Limits a member to the jobs whose team they are on, or gives access to all jobs. Takes effect with the next request, for
 * sessions, keys, apps and open live streams. Owners and admins have access to all jobs; who was limited before is limited
 * again when they stop being one.
 */
export function changeJobAccess(
  db: Database,
  who: { workspace: string; user: string },
  access: JobAccess,
  may?: MayChange,
) {
  return db.transaction(async tx => {
    const user = await lockedUser(tx, who)
    may?.(user.role as Role)
    if (access === 'team') requireLimitable(user.role as Role)
    await tx.query(storeJobAccess(who.workspace, user.id, access))
    await releaseCandidates(tx, { workspace: who.workspace, userId: user.id })
    await followRights(tx, { workspace: who.workspace, user: user.id })
    return user
  })
}

/**
 * Ends a membership: deletes sessions, consents and their tokens, and revokes the member's API keys, since they write in
 * the name of that member. What the member wrote stays; candidates for whom they were responsible are those of the team.
 */
export function removeUser(db: Database, who: { workspace: string; user: string }, may?: MayChange) {
  return db.transaction(async tx => {
    const user = await lockedUser(tx, who)
    may?.(user.role as Role)
    if (user.role === 'owner') await requireAnotherOwner(tx, user)
    for (const { id } of await tx.query(keysOfUser(who.workspace, user.id))) await revokeKeyIn(tx, id)
    await tx.query(releaseKeys(who.workspace, user.id))
    await releaseCandidates(tx, { workspace: who.workspace, userId: user.id, isLeaving: true })
    for (const statement of deleteTraces(who.workspace, user.id)) await tx.query(statement)
    await tx.query(deleteUser(who.workspace, user.id))
    return user
  })
}

function requireLimitable(role: Role): void {
  if (!canBeLimited(role)) throw new UserError('owners and admins have access to all jobs')
}

function knownRole(text: string): Role {
  const role = ROLES.find(r => r === text)
  if (!role) throw new UserError(`the role must be one of ${ROLES.join(', ')}`)
  return role
}

/** By handle or email address. */
export async function existingUser(db: Queryable, workspace: string, user: string) {
  const found = await db.one(user.includes('@') ? userByEmail(workspace, user) : userById(workspace, user))
  if (!found) throw new UserError(`workspace ${workspace} has no user ${user}`)
  return found
}

/** Locks all owners with the member, so that the last two cannot leave at the same time. */
async function lockedUser(tx: Queryable, who: { workspace: string; user: string }) {
  const { id, kind } = await existingUser(tx, who.workspace, who.user)
  if (kind === 'app') throw new UserError(`${id} is the user of an app; uninstall the app instead`)
  await tx.query(lockOwners(who.workspace, id))
  return existingUser(tx, who.workspace, id)
}

async function requireAnotherOwner(tx: Queryable, user: { id: string; workspace_id: string }): Promise<void> {
  const users = await tx.query(selectUsers(user.workspace_id))
  if (users.some(other => other.role === 'owner' && other.id !== user.id)) return
  throw new UserError('a workspace needs at least one owner; make another user an owner first')
}

export interface LimitedUser {
  id: string
  /** not if the role has access to all jobs */
  limited: boolean
  /** whose team the person is on */
  jobs: number
}

/** Members for whom access to the jobs of their teams is stored. */
export async function limitedUsers(db: Queryable, workspace: string): Promise<LimitedUser[]> {
  const users = await db.query(teamUsers(workspace))
  if (users.length === 0) return []
  const ids = users.map(({ id }) => id)
  const jobs = new Map((await db.query(countTeams(workspace, ids))).map(row => [row.user_id, row.jobs]))
  return users.map(user => ({ ...user, jobs: jobs.get(user.id) ?? 0 }))
}

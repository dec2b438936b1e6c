import { PLAN_CODES, type PlanCode } from '../../contract/plans.ts'
import { ROLES } from '../../contract/scopes.ts'
import { hashNewPassword } from '../../kernel/access/password.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { newHandle } from '../../kernel/handles.ts'
import { Refused } from '../../kernel/refused.ts'
import type { Keyring } from '../../kernel/signing.ts'
import {
  allWorkspaces,
  insertUser,
  insertWorkspace,
  userByEmail,
  userById,
  usersOf,
  type WorkspaceWithPlan,
} from './store.ts'

export function createWorkspace(db: Database, input: { name: string; plan: string }): Promise<WorkspaceWithPlan> {
  const name = input.name.trim()
  if (name === '' || name.length > 200) throw new Refused('the name must be 1 to 200 characters')
  const plan = PLAN_CODES.find(code => code === input.plan) ?? null
  if (plan === null && input.plan !== 'none')
    throw new Refused(`the plan must be one of none, ${PLAN_CODES.join(', ')}`)
  return db.transaction(
    async tx => (await tx.one(insertWorkspace(newHandle('workspace'), name, plan as PlanCode | null)))!,
  )
}

export const listWorkspaces = (db: Queryable): Promise<WorkspaceWithPlan[]> => db.query(allWorkspaces())

export interface NewUser {
  workspace: string
  email: string
  role: string
  firstName?: string
  lastName?: string
  /** without one the person signs in by mailed links alone */
  password?: string
}

/** Members are made with a keyring where they get a password. */
export async function createUser(db: Database, input: NewUser, keyring?: Keyring) {
  const role = ROLES.find(r => r === input.role)
  if (!role) throw new Refused(`the role must be one of ${ROLES.join(', ')}`)
  const email = input.email.trim()
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254)
    throw new Refused(`not an e-mail address: ${input.email}`)
  const passwordHash = input.password === undefined ? null : await hashNewPassword(keyring!, email, input.password)
  return db.transaction(async tx => {
    await requireWorkspace(tx, input.workspace)
    if (await tx.one(userByEmail(input.workspace, email))) throw new Refused(`${email} is a member already`)
    const id = newHandle('user')
    await tx.query(
      insertUser({
        workspace: input.workspace,
        id,
        email,
        role,
        firstName: input.firstName ?? null,
        lastName: input.lastName ?? null,
        passwordHash,
      }),
    )
    return (await tx.one(userById(input.workspace, id)))!
  })
}

export async function listUsers(db: Queryable, workspace: string) {
  await requireWorkspace(db, workspace)
  return db.query(usersOf(workspace))
}

async function requireWorkspace(db: Queryable, id: string): Promise<void> {
  const all = await db.query(allWorkspaces(id))
  if (all.length === 0) throw new Refused(`there is no workspace ${id}`)
}

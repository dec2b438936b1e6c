import { PLAN_CODES, type PlanCode } from '../../contract/plans.ts'
import { ROLES } from '../../contract/scopes.ts'
import type { Passwords } from '../../kernel/access/password.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/handles.ts'
import { domainKey, emailKey } from '../../kernel/identity.ts'
import { NAME_LENGTHS, type NameKind, nameFault } from '../../kernel/names.ts'
import {
  allWorkspaces,
  insertUser,
  insertWorkspace,
  lockWorkspaceSettings,
  type SettingsRow,
  settingsOf,
  updateSettings,
  userByEmail,
  userById,
  usersOf,
  type WorkspaceWithPlan,
} from './store.ts'

export function createWorkspace(db: Database, input: { name: string; plan: string }): Promise<WorkspaceWithPlan> {
  const name = requireName('name', input.name, 'workspace')
  if (name === '') throw new UserError(`the name must be 1 to ${NAME_LENGTHS.workspace} characters`)
  const plan = PLAN_CODES.find(code => code === input.plan) ?? null
  if (plan === null && input.plan !== 'none')
    throw new UserError(`the plan must be one of none, ${PLAN_CODES.join(', ')}`)
  return db.transaction(
    async tx => (await tx.one(insertWorkspace(newHandle('workspace'), name, plan as PlanCode | null)))!,
  )
}

/** Trimmed; refused if it could not be shown to other people. */
export function requireName(what: string, text: string, kind: NameKind): string {
  const fault = nameFault(text, kind)
  if (fault !== undefined) throw new UserError(`the ${what} ${fault}`)
  return text.trim()
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

/** Where the member gets a password, what hashes it is needed. */
export async function createUser(db: Database, input: NewUser, passwords?: Passwords) {
  const role = ROLES.find(r => r === input.role)
  if (!role) throw new UserError(`the role must be one of ${ROLES.join(', ')}`)
  const firstName = requireName('first name', input.firstName ?? '', 'person') || null
  const lastName = requireName('last name', input.lastName ?? '', 'person') || null
  const email = input.email.trim()
  if (emailKey(email) === undefined) throw new UserError('that is not an e-mail address')
  const passwordHash = input.password === undefined ? null : await passwords!.hashNew(email, input.password)
  return db.transaction(async tx => {
    await requireWorkspace(tx, input.workspace)
    if (await tx.one(userByEmail(input.workspace, email)))
      throw new UserError('this address already belongs to a member')
    const id = newHandle('user')
    await tx.query(
      insertUser({
        workspace: input.workspace,
        id,
        email,
        role,
        firstName,
        lastName,
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

export async function requireWorkspace(db: Queryable, id: string): Promise<void> {
  const all = await db.query(allWorkspaces(id))
  if (all.length === 0) throw new UserError(`there is no workspace ${id}`)
}

export async function readSettings(db: Queryable, workspace: string): Promise<SettingsRow> {
  await requireWorkspace(db, workspace)
  return (await db.one(settingsOf(workspace)))!
}

/** In force for the very next request. What is not named stays. */
export function changeSettings(db: Database, workspace: string, wanted: Partial<SettingsRow>): Promise<SettingsRow> {
  const domains = wanted.key_management_domains && checkedDomains(wanted.key_management_domains)
  return db.transaction(async tx => {
    await tx.query(lockWorkspaceSettings(workspace))
    const now = await readSettings(tx, workspace)
    const next = { ...now, ...wanted, ...(domains ? { key_management_domains: domains } : {}) }
    return (await tx.one(updateSettings(workspace, next)))!
  })
}

const MOST_DOMAINS = 50
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

function checkedDomains(given: readonly string[]): string[] {
  const named = given.map(domain => domain.trim().replace(/^@/, '')).filter(Boolean)
  if (named.length > MOST_DOMAINS) throw new UserError(`at most ${MOST_DOMAINS} domains can be named`)
  const wrong = named.filter(domain => !DOMAIN.test(domainKey(domain)))
  if (wrong.length > 0)
    throw new UserError(`not a domain such as example.com: ${wrong.map(d => d.slice(0, 80)).join(', ')}`)
  return [...new Set(named.map(domainKey))]
}

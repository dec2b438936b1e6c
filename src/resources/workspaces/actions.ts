import { PLAN_CODES, type PlanCode } from '../../contract/plans.ts'
import type { Database, Queryable } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { NAME_LENGTHS, requireName } from '../../kernel/text/names.ts'
import { domainKey } from '../../kernel/text/person-keys.ts'
import { addSite } from '../careers/index.ts'
import {
  allWorkspaces,
  insertWorkspace,
  lockWorkspaceSettings,
  type SettingsRow,
  settingsOf,
  updateSettings,
  type WorkspaceWithPlan,
} from './store.ts'

export function createWorkspace(db: Database, input: { name: string; plan: string }): Promise<WorkspaceWithPlan> {
  const name = requireName('name', input.name, 'workspace')
  if (name === '') throw new UserError(`the name must be 1 to ${NAME_LENGTHS.workspace} characters`)
  const plan = PLAN_CODES.find(code => code === input.plan) ?? null
  if (plan === null && input.plan !== 'none')
    throw new UserError(`the plan must be one of none, ${PLAN_CODES.join(', ')}`)
  return db.transaction(async tx => {
    const workspace = (await tx.one(insertWorkspace(newHandle('workspace'), name, plan as PlanCode | null)))!
    await addSite(tx, workspace.id, name)
    return workspace
  })
}

export const listWorkspaces = (db: Queryable): Promise<WorkspaceWithPlan[]> => db.query(allWorkspaces())

export async function requireWorkspace(db: Queryable, id: string): Promise<void> {
  const all = await db.query(allWorkspaces(id))
  if (all.length === 0) throw new UserError(`there is no workspace ${id}`)
}

export async function readSettings(db: Queryable, workspace: string): Promise<SettingsRow> {
  await requireWorkspace(db, workspace)
  return (await db.one(settingsOf(workspace)))!
}

/** Takes effect with the next request. Settings that are not given do not change. */
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
  if (named.length > MOST_DOMAINS) throw new UserError(`at most ${MOST_DOMAINS} domains are allowed`)
  const wrong = named.filter(domain => !DOMAIN.test(domainKey(domain)))
  if (wrong.length > 0)
    throw new UserError(`not a valid domain (such as example.com): ${wrong.map(d => d.slice(0, 80)).join(', ')}`)
  return [...new Set(named.map(domainKey))]
}

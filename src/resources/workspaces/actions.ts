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
  lockWorkspace,
  lockWorkspaceSettings,
  type SettingsRow,
  settingsOf,
  updateSettings,
  updateWorkspace,
  type WorkspaceWithPlan,
} from './store.ts'

export function createWorkspace(db: Database, input: { name: string; plan: string }): Promise<WorkspaceWithPlan> {
  const name = checkedName(input.name)
  const plan = checkedPlan(input.plan)
  return db.transaction(async tx => {
    const workspace = (await tx.one(insertWorkspace(newHandle('workspace'), name, plan)))!
    await addSite(tx, workspace.id, name)
    return workspace
  })
}

/** Limits, budgets and quotas of the new plan hold from the next request on. What is not given does not change. */
export function changeWorkspace(
  db: Database,
  id: string,
  wanted: { name?: string | undefined; plan?: string | undefined },
): Promise<WorkspaceWithPlan> {
  const name = wanted.name === undefined ? undefined : checkedName(wanted.name)
  const plan = wanted.plan === undefined ? undefined : checkedPlan(wanted.plan)
  return db.transaction(async tx => {
    const now = await tx.one(lockWorkspace(id))
    if (!now) throw new UserError(`there is no workspace ${id}`)
    return (await tx.one(updateWorkspace(id, name ?? now.name, plan === undefined ? now.plan : plan)))!
  })
}

function checkedName(text: string): string {
  const name = requireName('name', text, 'workspace')
  if (name === '') throw new UserError(`the name must be 1 to ${NAME_LENGTHS.workspace} characters`)
  return name
}

function checkedPlan(text: string): PlanCode | null {
  const plan = PLAN_CODES.find(code => code === text) ?? null
  if (plan === null && text !== 'none') throw new UserError(`the plan must be one of none, ${PLAN_CODES.join(', ')}`)
  return plan
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

/**
 * Takes effect with the next request. Settings that are not given do not change. `also` writes in the same transaction,
 * such as who made the change.
 */
export function changeSettings(
  db: Database,
  workspace: string,
  wanted: Partial<SettingsRow>,
  also?: (tx: Queryable) => Promise<unknown>,
): Promise<SettingsRow> {
  const domains = wanted.key_management_domains && checkedDomains(wanted.key_management_domains)
  return db.transaction(async tx => {
    await tx.query(lockWorkspaceSettings(workspace))
    const now = await readSettings(tx, workspace)
    const next = { ...now, ...wanted, ...(domains ? { key_management_domains: domains } : {}) }
    await also?.(tx)
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

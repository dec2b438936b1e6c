import {
  LIMIT_NAMES,
  type LimitName,
  limitsByName,
  OWN_LIMITS,
  type OwnLimits,
  PLAN_CODES,
  type PlanCode,
  resolveAllowances,
} from '../../contract/plans.ts'
import type { Database, Queryable, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { newHandle } from '../../kernel/ids/handles.ts'
import { NAME_LENGTHS, requireName } from '../../kernel/text/names.ts'
import { domainKey } from '../../kernel/text/person-keys.ts'
import { addSite } from '../careers/index.ts'
import {
  addToLog,
  allWorkspaces,
  countTestWorkspaces,
  insertWorkspace,
  type LimitsRow,
  lockWorkspace,
  lockWorkspaceSettings,
  type NewWorkspace,
  openState,
  type SettingsRow,
  selectPlanLimits,
  selectWorkspaceSettings,
  updateLimits,
  updateSettings,
  updateWorkspace,
  type WorkspaceLogRow,
  type WorkspaceWithPlan,
  workspaceLog,
} from './store.ts'

export function createWorkspace(db: Database, input: { name: string; plan: string }): Promise<WorkspaceWithPlan> {
  const name = checkedName(input.name)
  const plan = checkedPlan(input.plan)
  return db.transaction(tx => addWorkspace(tx, { name, plan }))
}

async function addWorkspace(tx: Transaction, input: Omit<NewWorkspace, 'id'>): Promise<WorkspaceWithPlan> {
  const workspace = await tx.only(insertWorkspace({ id: newHandle('workspace'), ...input }))
  await addSite(tx, workspace.id, input.name)
  return workspace
}

export const MAX_TEST_WORKSPACES = 5
const TEST_REQUESTS_PER_MONTH = 100_000

/** A test workspace is that way from its creation on. `of`: the live workspace that it counts for. */
export async function addTestWorkspace(
  tx: Transaction,
  input: { name: string; of: string | null; mailboxDomain: string },
): Promise<WorkspaceWithPlan> {
  const { of, mailboxDomain } = input
  if (of !== null) {
    const live = await tx.one(lockWorkspace(of)) // two that are created at the same time are counted one after the other
    if (!live) throw new UserError(`there is no workspace ${of}`)
    await requireOpen(tx, of)
    if (live.environment === 'test') throw new UserError(`${of} is a test workspace: create one for a live workspace`)
    if ((await tx.only(countTestWorkspaces(of))).n >= MAX_TEST_WORKSPACES)
      throw new UserError(
        `a workspace can have ${MAX_TEST_WORKSPACES} test workspaces; delete one, or reset one and use it again`,
      )
  }
  const limits = { requests_per_month: TEST_REQUESTS_PER_MONTH }
  return addWorkspace(tx, { name: checkedName(input.name), plan: 'starter', test: { mailboxDomain, of, limits } })
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
    await requireOpen(tx, id)
    if (name !== undefined && name !== now.name) await tx.query(addToLog(id, 'renamed', null, {}))
    if (plan !== undefined && plan !== now.plan) {
      await tx.query(addToLog(id, 'plan_changed', null, { from: now.plan, to: plan }))
    }
    return tx.only(updateWorkspace(id, name ?? now.name, plan === undefined ? now.plan : plan))
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

/** One limit: what the plan gives, what the operator set (undefined: nothing), and what holds. null: unlimited. */
export interface WorkspaceLimit {
  name: LimitName
  plan: number | null
  own?: number | null
  value: number | null
}

export async function readLimits(db: Queryable, id: string): Promise<WorkspaceLimit[]> {
  const row = await db.one(selectPlanLimits(id))
  if (!row) throw new UserError(`there is no workspace ${id}`)
  return toLimits(row)
}

function toLimits({ plan, own_limits: own }: LimitsRow): WorkspaceLimit[] {
  const given = limitsByName(resolveAllowances(plan))
  const inForce = limitsByName(resolveAllowances(plan, own))
  return LIMIT_NAMES.map(name => ({
    name,
    plan: given[name],
    ...(own[name] === undefined ? {} : { own: own[name] }),
    value: inForce[name],
  }))
}

/**
 * Sets limits of one workspace over those of its plan, and gives others back to the plan. They hold from the next request
 * on, in every process. `set` has texts as they were typed; `all` in `reset` means every limit.
 */
export function changeLimits(
  db: Database,
  id: string,
  { set, reset }: { set: Readonly<Record<string, string>>; reset: readonly string[] },
): Promise<WorkspaceLimit[]> {
  const wanted = Object.fromEntries(
    Object.entries(set).map(([name, text]) => [limitName(name), checkedLimit(name, text)]),
  )
  const dropped = reset.includes('all') ? LIMIT_NAMES : reset.map(limitName)
  const both = dropped.filter(name => name in wanted)
  if (both.length > 0 && !reset.includes('all')) throw new UserError(`${both[0]} is set and reset in the same call`)
  return db.transaction(async tx => {
    const now = await tx.one(selectPlanLimits(id, 'lock'))
    if (!now) throw new UserError(`there is no workspace ${id}`)
    await requireOpen(tx, id)
    const remaining = Object.entries(now.own_limits).filter(([name]) => !dropped.includes(name as LimitName))
    const next: OwnLimits = { ...Object.fromEntries(remaining), ...wanted }
    await tx.query(updateLimits(id, next))
    await tx.query(addToLog(id, 'limits_changed', null, { from: now.own_limits, to: next }))
    return toLimits({ plan: now.plan, own_limits: next })
  })
}

function limitName(text: string): LimitName {
  const name = LIMIT_NAMES.find(known => known === text)
  if (!name) throw new UserError(`unknown limit ${text.slice(0, 80)}: ${LIMIT_NAMES.join(', ')}`)
  return name
}

function checkedLimit(name: string, text: string): number | null {
  const { least, most, nullable } = OWN_LIMITS[limitName(name)]
  if (nullable && text === 'unlimited') return null
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new UserError(`${name} must be a whole number from ${least} to ${most}${nullable ? ', or unlimited' : ''}`)
}

export const listWorkspaces = (db: Queryable): Promise<WorkspaceWithPlan[]> => db.query(allWorkspaces())

export async function requireWorkspace(db: Queryable, id: string): Promise<void> {
  const all = await db.query(allWorkspaces(id))
  if (all.length === 0) throw new UserError(`there is no workspace ${id}`)
}

/** A closed workspace is not changed: what is set for it would be deleted, or be a surprise after a restore. */
export async function requireOpen(db: Queryable, id: string): Promise<void> {
  const found = await db.one(openState(id))
  if (!found) throw new UserError(`there is no workspace ${id}`)
  if (found.closing_at === null) return
  throw new UserError(
    found.started_at === null
      ? `workspace ${id} is closed and will be deleted on ${found.delete_at}; restore it first: hiring workspaces restore ${id}`
      : `workspace ${id} is being deleted`,
  )
}

/** Newest first. Also of a workspace that was deleted. */
export async function readWorkspaceLog(db: Queryable, id: string, limit: number): Promise<WorkspaceLogRow[]> {
  const rows = await db.query(workspaceLog(id, limit))
  if (rows.length === 0) await requireWorkspace(db, id)
  return rows
}

export async function readSettings(db: Queryable, workspace: string): Promise<SettingsRow> {
  await requireWorkspace(db, workspace)
  return db.only(selectWorkspaceSettings(workspace))
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
    await requireOpen(tx, workspace)
    await tx.query(lockWorkspaceSettings(workspace))
    const now = await readSettings(tx, workspace)
    const next = { ...now, ...wanted, ...(domains ? { key_management_domains: domains } : {}) }
    await also?.(tx)
    return tx.only(updateSettings(workspace, next))
  })
}

const MAX_DOMAINS = 50
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

function checkedDomains(given: readonly string[]): string[] {
  const named = given.map(domain => domain.trim().replace(/^@/, '')).filter(Boolean)
  if (named.length > MAX_DOMAINS) throw new UserError(`at most ${MAX_DOMAINS} domains are allowed`)
  const wrong = named.filter(domain => !DOMAIN.test(domainKey(domain)))
  if (wrong.length > 0)
    throw new UserError(`not a valid domain (such as example.com): ${wrong.map(d => d.slice(0, 80)).join(', ')}`)
  return [...new Set(named.map(domainKey))]
}

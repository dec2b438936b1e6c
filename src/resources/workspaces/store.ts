import type { AppInstalls } from '../../contract/app-installs.ts'
import type { OwnLimits, PlanCode } from '../../contract/plans.ts'
import type { SecondFactorPolicy } from '../../contract/second-factor.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import { OPEN_TO_ALL } from '../../kernel/access/workspace.ts'
import { none, type Sql, sql, touched } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { workspaceShape } from './shape.ts'

type WorkspaceRow = Row<typeof workspaceShape>

const WORKSPACE = sql`id, name, environment, created_at, updated_at`

export const reachableWorkspaces = (caller: Caller, page: Page): Sql<WorkspaceRow> => {
  const reach =
    caller.workspaceScope === 'all' ? OPEN_TO_ALL : sql`closing_at is null and id = any(${caller.workspaceIds}::text[])`
  return sql<WorkspaceRow>`select ${WORKSPACE} from workspaces where ${reach} ${page.clause}`
}

export const workspaceById = (id: string): Sql<WorkspaceRow> =>
  sql<WorkspaceRow>`select ${WORKSPACE} from workspaces where id = ${id}`

export type WorkspaceWithPlan = WorkspaceRow & { plan: PlanCode | null; closing_at: string | null }

const WITH_PLAN = sql`${WORKSPACE}, plan, closing_at`

/** A row if there is one. */
export const anyWorkspace = () => sql`select 1 from workspaces limit 1`

export const allWorkspaces = (id?: string): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    select ${WITH_PLAN} from workspaces where true ${id === undefined ? none : sql`and id = ${id}`}
    order by created_at, id`

export interface NewWorkspace {
  id: string
  name: string
  plan: PlanCode | null
  /** makes it a test workspace: the domain whose mail it captures, the live workspace that it is for, its own limits */
  test?: { mailboxDomain: string; of: string | null; limits: OwnLimits } | undefined
}

export const insertWorkspace = ({ id, name, plan, test }: NewWorkspace): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    with added as (
      insert into workspaces (id, name, plan, own_limits, environment, mailbox_domain, test_of)
      values (${id}, ${name}, ${plan}, ${JSON.stringify(test?.limits ?? {})}::jsonb, ${test ? 'test' : 'live'},
        ${test?.mailboxDomain ?? null}, ${test?.of ?? null})
      returning *
    ), settings as (
      insert into workspace_settings (workspace_id) select id from added
    )
    select ${WITH_PLAN} from added`

export const countTestWorkspaces = (of: string): Sql<{ n: number }> =>
  sql<{ n: number }>`select count(*)::integer as n from workspaces where test_of = ${of} and closing_at is null`

export const updateWorkspace = (id: string, name: string, plan: PlanCode | null): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    update workspaces set name = ${name}, plan = ${plan}, updated_at = ${touched()}
    where id = ${id} returning ${WITH_PLAN}`

export const lockWorkspace = (id: string): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`select ${WITH_PLAN} from workspaces where id = ${id} for no key update`

export interface OpenRow {
  closing_at: string | null
  delete_at: string | null
  started_at: string | null
}

/** Whether a workspace is open, and otherwise when it will be deleted. */
export const openState = (id: string): Sql<OpenRow> =>
  sql<OpenRow>`
    select w.closing_at, d.delete_at, d.started_at from workspaces w
    left join workspace_deletions d on d.workspace_id = w.id where w.id = ${id}`

export interface LimitsRow {
  plan: PlanCode | null
  own_limits: OwnLimits
}

export const selectPlanLimits = (id: string, lock?: 'lock'): Sql<LimitsRow> =>
  sql<LimitsRow>`
    select plan, own_limits from workspaces where id = ${id} ${lock ? sql`for no key update` : none}`

export const updateLimits = (id: string, own: OwnLimits) => sql`
  update workspaces set own_limits = ${JSON.stringify(own)}::jsonb, updated_at = ${touched()} where id = ${id}`

// What was done to whole workspaces

export interface WorkspaceLogRow {
  id: number
  workspace_id: string
  at: string
  action: string
  /** null: the operator, or the service itself */
  user_id: string | null
  details: unknown
}

/** `details` has handles, names of settings and counts, and never a name: the row outlives its workspace. */
export const addToLog = (workspace: string, action: string, userId: string | null, details: object) => sql`
  insert into workspace_log (workspace_id, action, user_id, details)
  values (${workspace}, ${action}, ${userId}, ${JSON.stringify(details)}::jsonb)`

export const workspaceLog = (workspace: string, limit: number): Sql<WorkspaceLogRow> =>
  sql<WorkspaceLogRow>`
    select id, workspace_id, at, action, user_id, details from workspace_log where workspace_id = ${workspace}
    order by id desc limit ${limit}`

export interface SettingsRow {
  key_management_domains: string[]
  connected_app_writes: boolean
  webhooks_self_serve: boolean
  second_factor: SecondFactorPolicy
  app_installs: AppInstalls
}

export const selectWorkspaceSettings = (workspace: string) =>
  sql<SettingsRow>`
    select key_management_domains, connected_app_writes, webhooks_self_serve, second_factor, app_installs from workspace_settings
    where workspace_id = ${workspace}`

export const updateSettings = (workspace: string, s: SettingsRow) =>
  sql<SettingsRow>`
    update workspace_settings set key_management_domains = ${s.key_management_domains}::text[],
      connected_app_writes = ${s.connected_app_writes}, webhooks_self_serve = ${s.webhooks_self_serve},
      second_factor = ${s.second_factor}, app_installs = ${s.app_installs}, updated_at = ${touched()}
    where workspace_id = ${workspace}
    returning key_management_domains, connected_app_writes, webhooks_self_serve, second_factor, app_installs`

export const lockWorkspaceSettings = (workspace: string) => sql`
  select 1 from workspace_settings where workspace_id = ${workspace} for update`

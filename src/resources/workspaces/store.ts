import type { PlanCode } from '../../contract/plans.ts'
import type { SecondFactorPolicy } from '../../contract/second-factor.ts'
import type { Caller } from '../../kernel/access/caller.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { workspaceShape } from './shape.ts'

type WorkspaceRow = Row<typeof workspaceShape>

const WORKSPACE = sql`id, name, created_at, updated_at`

export const reachableWorkspaces = (caller: Caller, page: Page): Sql<WorkspaceRow> => {
  const reach = caller.workspaceScope === 'all' ? none : sql`and id = any(${caller.workspaceIds}::text[])`
  return sql<WorkspaceRow>`select ${WORKSPACE} from workspaces where true ${reach} ${page.clause}`
}

export const workspaceById = (id: string): Sql<WorkspaceRow> =>
  sql<WorkspaceRow>`select ${WORKSPACE} from workspaces where id = ${id}`

export type WorkspaceWithPlan = WorkspaceRow & { plan: PlanCode | null }

export const allWorkspaces = (id?: string): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    select ${WORKSPACE}, plan from workspaces where true ${id === undefined ? none : sql`and id = ${id}`}
    order by created_at, id`

export const insertWorkspace = (id: string, name: string, plan: PlanCode | null): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    with added as (
      insert into workspaces (id, name, plan) values (${id}, ${name}, ${plan}) returning *
    ), settings as (
      insert into workspace_settings (workspace_id) select id from added
    )
    select ${WORKSPACE}, plan from added`

export const updateWorkspace = (id: string, name: string, plan: PlanCode | null): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`
    update workspaces set name = ${name}, plan = ${plan}, updated_at = app_touch(updated_at)
    where id = ${id} returning ${WORKSPACE}, plan`

export const lockWorkspace = (id: string): Sql<WorkspaceWithPlan> =>
  sql<WorkspaceWithPlan>`select ${WORKSPACE}, plan from workspaces where id = ${id} for no key update`

export interface SettingsRow {
  key_management_domains: string[]
  connected_app_writes: boolean
  webhooks_self_serve: boolean
  second_factor: SecondFactorPolicy
}

export const settingsOf = (workspace: string) =>
  sql<SettingsRow>`
    select key_management_domains, connected_app_writes, webhooks_self_serve, second_factor from workspace_settings
    where workspace_id = ${workspace}`

export const updateSettings = (workspace: string, s: SettingsRow) =>
  sql<SettingsRow>`
    update workspace_settings set key_management_domains = ${s.key_management_domains}::text[],
      connected_app_writes = ${s.connected_app_writes}, webhooks_self_serve = ${s.webhooks_self_serve},
      second_factor = ${s.second_factor}, updated_at = app_touch(updated_at)
    where workspace_id = ${workspace}
    returning key_management_domains, connected_app_writes, webhooks_self_serve, second_factor`

export const lockWorkspaceSettings = (workspace: string) => sql`
  select 1 from workspace_settings where workspace_id = ${workspace} for update`

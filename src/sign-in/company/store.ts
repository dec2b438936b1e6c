import { type Sql, sql } from '../../kernel/db/sql.ts'

export type FlowPurpose = 'sign_in' | 'test'

export interface NewFlow {
  tokenHash: string
  workspaceId: string
  purpose: FlowPurpose
  version: number
  returnTo: string | null
  /** the provider has to authenticate the person again */
  again: boolean
  seconds: number
}

export const insertFlow = (f: NewFlow) => sql`
  insert into company_sign_in_flows (token_hash, workspace_id, purpose, version, return_to, authenticate_since, expires_at)
  values (${f.tokenHash}, ${f.workspaceId}, ${f.purpose}, ${f.version}, ${f.returnTo},
    case when ${f.again} then app_now() end,
    app_now() + ${f.seconds}::integer * interval '1 second')`

export interface FlowRow {
  purpose: FlowPurpose
  version: number
  return_to: string | null
  /** seconds since 1970 after which the person has to have authenticated; null: at any time */
  authenticate_since: number | null
}

/** Uses a flow by deleting it. Of two concurrent calls only one gets the row. */
export const consumeFlow = (workspace: string, hash: string): Sql<FlowRow> =>
  sql<FlowRow>`
    delete from company_sign_in_flows
    where workspace_id = ${workspace} and token_hash = ${hash} and expires_at > app_now()
    returning purpose, version, return_to, extract(epoch from authenticate_since)::float8 as authenticate_since`

/** Sign-ins of a workspace one after the other, and none while its settings change, or after it was closed. */
export const lockSettings = (workspace: string) =>
  sql<{ version: number; enabled: boolean }>`
    select c.version, c.enabled from company_sign_in c join workspaces w on w.id = c.workspace_id
    where c.workspace_id = ${workspace} and w.closing_at is null for no key update of c`

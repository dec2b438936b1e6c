import type { Caller } from '../../kernel/access/caller.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import type { requestShape } from './shape.ts'

export type RequestRow = Row<typeof requestShape>

const REQUEST = sql`
  id, workspace_id, method, route, params::text as params, status, code, param, duration_ms, acting_user_id, created_at`

export interface RequestFilters {
  request_id?: string | undefined
  method?: string | undefined
  route?: string | undefined
  status?: { from: number; to: number } | undefined
  code?: string | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

/** The conditions of a list of requests, on the table `l`. */
export function chosenRequests(f: RequestFilters): Sql {
  const when = <T>(value: T | undefined, part: (value: T) => Sql) => (value === undefined ? none : part(value))
  return sql`
    ${when(f.request_id, id => sql`and l.id = ${id}`)}
    ${when(f.method, method => sql`and l.method = ${method}`)}
    ${when(f.route, route => sql`and l.route = ${route}`)}
    ${when(f.status, s => sql`and l.status between ${s.from}::integer and ${s.to}::integer`)}
    ${when(f.status && f.status.from >= 400 ? f.status : undefined, () => sql`and l.status >= 400`)}
    ${when(f.code, code => sql`and l.code = ${code} and l.status >= 400`)}
    ${when(f.created_after, time => sql`and l.created_at > ${time}::timestamptz`)}
    ${when(f.created_before, time => sql`and l.created_at < ${time}::timestamptz`)}`
}

/** Calls in workspaces that the key may still use; its own workspace has those that addressed none. */
const inReach = ({ workspaceScope, workspaceIds, homeWorkspace }: Caller): Sql =>
  workspaceScope === 'all' ? none : sql`and l.workspace_id = any(${[...workspaceIds, homeWorkspace]}::text[])`

/** The calls of a key, newest first. `workspace`: only those in it; empty for all. */
export const requestsOf = (caller: Caller, workspace: string, filters: RequestFilters, page: Page): Sql<RequestRow> =>
  sql<RequestRow>`
    select ${REQUEST} from request_log l
    where l.key_id = ${caller.keyId} ${workspace === '' ? inReach(caller) : sql`and l.workspace_id = ${workspace}`}
      ${chosenRequests(filters)} ${page.clause}`

/** One call of a key. The primary key begins with the workspace, so a key of all workspaces looks in each of them. */
export const requestById = (caller: Caller, id: string): Sql<RequestRow> =>
  sql<RequestRow>`
    select ${REQUEST} from request_log l
    where l.id = ${id} and l.key_id = ${caller.keyId}
      ${caller.workspaceScope === 'all' ? sql`and l.workspace_id in (select id from workspaces)` : inReach(caller)}`

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

/** The workspaces whose calls a key may still see; its own workspace has those that addressed none. */
const placesOf = ({ workspaceIds, homeWorkspace }: Caller): string[] => [...new Set([...workspaceIds, homeWorkspace])]

const inWorkspace = (workspace: Sql, keyId: string, filters: RequestFilters, page: Page): Sql => sql`
  select ${REQUEST} from request_log l
  where l.workspace_id = ${workspace} and l.key_id = ${keyId} ${chosenRequests(filters)} ${page.clause}`

/**
 * The calls of a key, newest first. `workspace`: only those in it; empty for all. Of each workspace the newest are read by
 * the index that begins with it, and merged. Workspaces are found by their logs, which are where their calls are.
 */
export function selectRequests(
  caller: Caller,
  workspace: string,
  filters: RequestFilters,
  page: Page,
): Sql<RequestRow> {
  const only = workspace || (caller.workspaceScope === 'single' ? caller.homeWorkspace : undefined)
  if (only !== undefined) return sql<RequestRow>`${inWorkspace(sql`${only}`, caller.keyId, filters, page)}`
  const places = caller.workspaceScope === 'all' ? sql`true` : sql`w.workspace_id = any(${placesOf(caller)}::text[])`
  return sql<RequestRow>`
    select l.* from event_logs w
    cross join lateral (${inWorkspace(sql`w.workspace_id`, caller.keyId, filters, page)}) l
    where ${places} ${page.clause}`
}

/** One call of a key. */
export function loggedRequestById(caller: Caller, id: string): Sql<RequestRow> {
  const places =
    caller.workspaceScope === 'all'
      ? sql`in (select workspace_id from event_logs)`
      : sql`= any(${placesOf(caller)}::text[])`
  return sql<RequestRow>`
    select ${REQUEST} from request_log l where l.id = ${id} and l.key_id = ${caller.keyId} and l.workspace_id ${places}`
}

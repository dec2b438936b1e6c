import { none, raw, type Sql, sql } from '../kernel/db/sql.ts'
import type { Page } from '../kernel/http/list.ts'
import { chosenRequests, type RequestFilters } from '../resources/requests/index.ts'

export interface LogFilter extends RequestFilters {
  key?: string | undefined
}

export interface RequestLogRow {
  id: string
  created_at: string
  key_id: string
  method: string
  route: string | null
  status: number
  code: string | null
  duration_ms: number
  /** the nearest endpoint, where none has the path */
  did_you_mean: string | null
}

const ofWorkspace = (workspace: string, { key, ...filters }: LogFilter): Sql => sql`
  l.workspace_id = ${workspace} ${key === undefined ? none : sql`and l.key_id = ${key}`} ${chosenRequests(filters)}`

const SHOWN = sql`l.id, l.created_at, l.key_id, l.method, l.route, l.status, l.code, l.duration_ms,
  l.params->>'did_you_mean' as did_you_mean`

export const loggedRequests = (workspace: string, filter: LogFilter, page: Page): Sql<RequestLogRow> =>
  sql<RequestLogRow>`select ${SHOWN} from request_log l where ${ofWorkspace(workspace, filter)} ${page.clause}`

export interface LogDetailRow extends RequestLogRow {
  params: Record<string, string | null>
  param: string | null
  acting_user_id: string | null
  personal_data_units: number
}

/** One call, with the personal-data units that it was charged: these are recorded during the call. */
export const loggedRequest = (workspace: string, id: string): Sql<LogDetailRow> =>
  sql<LogDetailRow>`
    select ${SHOWN}, l.params, l.param, l.acting_user_id, (
      select coalesce(sum(r.units), 0)::integer from personal_data_reads r
      where r.workspace_id = ${workspace} and r.request_id = l.id
        and r.at between l.created_at - interval '1 minute' and l.created_at + interval '10 minutes'
    ) as personal_data_units
    from request_log l where l.workspace_id = ${workspace} and l.id = ${id}`

/** The figures of a period are those of its newest calls: so many are added up in a moment, whatever the traffic. */
export const COUNTED_CALLS = 100_000

export interface FigureRow {
  /** the bucket; null where the row is about an endpoint, or about all calls */
  at: string | null
  /** set where the row is about an endpoint; null there if no endpoint had the path */
  method: string | null
  route: string | null
  requests: number
  client_errors: number
  server_errors: number
  limited: number
  p50_ms: number
  p95_ms: number
  first_at: string
}

export interface Period {
  from: string
  to: string
  stepMinutes: number
}

/** Counts, errors and times: for each bucket, for each endpoint, and for all calls (which has neither). */
export const requestFigures = (workspace: string, filter: LogFilter, { from, to, stepMinutes }: Period) =>
  sql<FigureRow>`
    with chosen as materialized (
      select l.created_at, l.method, l.route, l.status, l.duration_ms from request_log l
      where ${ofWorkspace(workspace, filter)}
        and l.created_at >= ${from}::timestamptz and l.created_at < ${to}::timestamptz
      order by l.created_at desc, l.id desc limit ${raw(String(COUNTED_CALLS))}
    ), placed as (
      select date_bin(${stepMinutes}::integer * interval '1 minute', created_at, ${from}::timestamptz) as at, * from chosen
    )
    select at::timestamptz(3) as at, method, route, count(*)::integer as requests,
      (count(*) filter (where status between 400 and 499 and status <> 429))::integer as client_errors,
      (count(*) filter (where status >= 500))::integer as server_errors,
      (count(*) filter (where status = 429))::integer as limited,
      percentile_disc(0.5) within group (order by duration_ms) as p50_ms,
      percentile_disc(0.95) within group (order by duration_ms) as p95_ms,
      min(created_at)::timestamptz(3) as first_at
    from placed group by grouping sets ((at), (method, route), ()) order by at nulls last, requests desc`

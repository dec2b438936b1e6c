import { none, type Sql, sql } from '../kernel/db/sql.ts'

/** Figures for the charts. Every bucket of the range has a row, so that quiet hours are drawn as such. */
export interface Range {
  workspace: string
  keyId: string | undefined
  bucket: 'hour' | 'day'
  buckets: number
}

const times = ({ bucket, buckets }: Range): Sql => sql`
  select t as at from generate_series(
    date_trunc(${bucket}, app_now()) - ${buckets - 1}::integer * ('1 ' || ${bucket})::interval,
    date_trunc(${bucket}, app_now()), ('1 ' || ${bucket})::interval) as t`

const since = ({ bucket, buckets }: Range): Sql =>
  sql`date_trunc(${bucket}, app_now()) - ${buckets - 1}::integer * ('1 ' || ${bucket})::interval`

const ofKey = ({ keyId }: Range): Sql => (keyId === undefined ? none : sql`and key_id = ${keyId}`)

export const requestSeries = (range: Range) =>
  sql<{ at: string; requests: number; client_errors: number; server_errors: number; limited: number }>`
    with counted as (
      select date_trunc(${range.bucket}, hour) as at, sum(requests) as requests, sum(client_errors) as client_errors,
        sum(server_errors) as server_errors, sum(limited) as limited
      from request_stats
      where workspace_id = ${range.workspace} and hour >= ${since(range)} ${ofKey(range)}
      group by 1
    )
    select t.at::timestamptz(3) as at, coalesce(c.requests, 0) as requests, coalesce(c.client_errors, 0) as client_errors,
      coalesce(c.server_errors, 0) as server_errors, coalesce(c.limited, 0) as limited
    from (${times(range)}) t left join counted c on c.at = t.at order by t.at`

export const deliverySeries = (range: Range) =>
  sql<{ at: string; delivered: number; failed_attempts: number; given_up: number }>`
    with counted as (
      select date_trunc(${range.bucket}, s.hour) as at, sum(s.delivered) as delivered,
        sum(s.failed_attempts) as failed_attempts, sum(s.given_up) as given_up
      from webhook_endpoints e join webhook_stats s on s.workspace_id = e.workspace_id and s.endpoint_id = e.id
      where e.workspace_id = ${range.workspace} and s.hour >= ${since(range)} ${ofKey(range)}
      group by 1
    )
    select t.at::timestamptz(3) as at, coalesce(c.delivered, 0) as delivered,
      coalesce(c.failed_attempts, 0) as failed_attempts, coalesce(c.given_up, 0) as given_up
    from (${times(range)}) t left join counted c on c.at = t.at order by t.at`

/** Values of personal data that were shown, day by day. */
export const personalDataSeries = (range: Range, days: number) =>
  sql<{ day: string; used: number }>`
    select t::date as day, coalesce(sum(u.used), 0) as used
    from generate_series(app_now()::date - ${days - 1}::integer, app_now()::date, interval '1 day') as t
    left join personal_data_usage u on u.workspace_id = ${range.workspace} and u.day = t::date ${ofKey(range)}
    group by 1 order by 1`

/** The keys of the workspace that still work, with what each did in the range; the busiest first. */
export const keyFigures = (range: Range) =>
  sql<{
    id: string
    name: string
    requests: number
    errors: number
    limited: number
    last_used_at: string | null
    installation_id: string | null
  }>`
    select k.id, k.name, k.installation_id, coalesce(s.requests, 0) as requests, coalesce(s.errors, 0) as errors,
      coalesce(s.limited, 0) as limited,
      (select max(last_used_at) from api_key_secrets x where x.workspace_id = k.workspace_id and x.key_id = k.id)
        as last_used_at
    from api_keys k
    left join lateral (
      select sum(requests) as requests, sum(client_errors + server_errors) as errors, sum(limited) as limited
      from request_stats where workspace_id = k.workspace_id and key_id = k.id and hour >= ${since(range)}
    ) s on true
    where k.workspace_id = ${range.workspace} and k.revoked_at is null
      and (k.expires_at is null or k.expires_at > app_now())
    order by requests desc, k.created_at desc limit 100`

/** Values of personal data that each key was shown today. */
export const personalDataToday = (workspace: string) =>
  sql<{ key_id: string; used: number }>`
    select key_id, used from personal_data_usage where workspace_id = ${workspace} and day = app_now()::date`

export const endpointFigures = (workspace: string) =>
  sql<{ enabled: number; failing: number; disabled: number; waiting: number }>`
    select count(*) filter (where enabled) as enabled,
      count(*) filter (where enabled and consecutive_failures > 0) as failing,
      count(*) filter (where not enabled) as disabled,
      (select count(*) from webhook_deliveries d join webhook_endpoints e
          on e.workspace_id = d.workspace_id and e.id = d.endpoint_id
        where d.workspace_id = ${workspace} and d.status in ('pending', 'retrying'))
        + (select count(*) from webhook_handovers h where h.workspace_id = ${workspace}) as waiting
    from webhook_endpoints where workspace_id = ${workspace} and source_id is null`

/** The newest event of the workspace's log; nothing where there is none. */
export const lastEvent = (workspace: string) =>
  sql<{ sequence: number; created_at: string }>`
    select sequence, created_at from events where workspace_id = ${workspace} order by sequence desc limit 1`

import { ofWorkspace, type Partition } from '../kernel/db/partitions.ts'
import { raw, type Sql, sql } from '../kernel/db/sql.ts'
import { IN_ORDER } from '../resources/webhooks/index.ts'
import type { EndedDelivery, RecordedDelivery } from './states.ts'

const DISABLED_AFTER_DAYS = 5

export const lockEndpoints = (part: Partition<EndedDelivery>) => sql`
  select 1 from webhook_endpoints e
  where (e.workspace_id, e.id) in (
    select * from unnest(${part.rows.map(f => f.workspace_id)}::text[], ${part.rows.map(f => f.endpointId)}::uuid[]))
    ${ofWorkspace(part, 'e.workspace_id')}
  ${IN_ORDER}`

/**
 * Joins results `f` with the rows `h` that were handed over. Each is looked up by its key (offset 0): the table is empty at
 * most times, and a plan for an empty table would compare all of its rows with each result. A cluster, where nothing is
 * handed over, refuses this.
 */
const handedOverTo = (part: Pick<Partition<unknown>, 'only'>): Sql => {
  const isRow = (alias: 'h' | 'o') => {
    const row = raw(alias)
    return sql`
      ${row}.workspace_id = f.workspace_id and ${row}.endpoint_id = f."endpointId" and ${row}.id = f.id
        and ${row}.lease_token = f."leaseToken"`
  }
  if (part.only !== undefined) return sql`where ${isRow('h')} ${ofWorkspace(part, 'h.workspace_id')}`
  return sql`
    cross join lateral (select o.ctid as place from webhook_handovers o where ${isRow('o')} offset 0) o
    where h.ctid = o.place and h.lease_token = f."leaseToken"`
}

/**
 * Records the results of attempts in the delivery, the log of attempts with responses, the hourly counters and the health
 * of the endpoint. A result counts only if the sender still has the lease. Returns the endpoints that this disabled.
 *
 * The health of an endpoint. Only events of the feed count, not pings and redeliveries; several results of one batch
 * count together, and one success outweighs the failures of the same batch.
 *
 *   healthy    consecutive_failures = 0, first_failure_at is null. A failure makes it failing.
 *   failing    consecutive_failures > 0, first_failure_at is the first of them. A success makes it healthy.
 *              From FAILING_AFTER failures on it is served in the slow lane. A failure DISABLED_AFTER_DAYS or more
 *              after the first makes it disabled, with the reason `failing`.
 *   disabled   enabled is false, with a reason. Any state becomes disabled, with the reason `gone`, when the receiver
 *              responds 410 to any delivery. It stays disabled until the partner enables it; its waiting deliveries are
 *              canceled.
 */
export const finishAttempts = (part: Partition<RecordedDelivery>) =>
  sql<{ workspace_id: string; id: string }>`
    -- The results that the sender reports, and the times that follow from them: a cluster reads no clock in a condition.
    -- The endpoint is looked up for each: a join could begin with all endpoints.
    with finished as materialized (
      select f.*, app_now() as now, app_now() + f."delaySeconds" * interval '1 second' as retry_at,
        app_now() - ${DISABLED_AFTER_DAYS}::integer * interval '1 day' as failing_since,
        (select e.enabled from webhook_endpoints e
          where e.workspace_id = f.workspace_id and e.id = f."endpointId" ${ofWorkspace(part, 'e.workspace_id')}) as enabled
      from jsonb_to_recordset(${JSON.stringify(part.rows)}::jsonb) as f (
        workspace_id text, id uuid, "endpointId" uuid, "leaseToken" uuid, "sentAt" timestamptz, "attemptError" text,
        "responseStatus" integer, "durationMs" integer, status text, error text, "delaySeconds" double precision,
        gone boolean, "responseBody" text, "begunAfter" timestamptz)
    -- The first attempts of deliveries that were handed over and that the sender still has leased: their rows follow.
    -- An endpoint that was deleted has no rows.
    ), first as (
      delete from webhook_handovers h using finished f ${handedOverTo(part)} and f.enabled is not null
      returning h.workspace_id, h.id, h.endpoint_id, h.key_id, h.event_sequence, h.event_id, h.event_type, h.created_at,
        1 as attempt, 'event'::text as kind,
        case when f.status = 'retrying' and not f.enabled then 'canceled' else f.status end as status,
        f.error, f.enabled, f.retry_at, f."sentAt" as sent_at, f."attemptError" as attempt_error,
        f."responseStatus" as response_status, f."durationMs" as duration_ms, f."responseBody" as response_body,
        f."begunAfter" as begun_after, f.gone, f.now, f.failing_since
    ), first_rows as (
      insert into webhook_deliveries (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, created_at,
        attempt, status, response_status, error, ready, next_attempt_at, delivered_at)
      select workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, created_at, attempt, status,
        response_status, error, false, case when status = 'retrying' then retry_at end,
        case when status = 'delivered' then now end
      from first
    -- The others that the sender still has leased. An equality of tokens would allow the index of leased deliveries, and a
    -- plan that reads all of a workspace for each result.
    ), repeated as (
      update webhook_deliveries d
      set status = case when f.status = 'retrying' and not f.enabled then 'canceled' else f.status end,
        response_status = f."responseStatus", error = f.error, ready = false,
        next_attempt_at = case when f.status = 'retrying' and f.enabled then f.retry_at end,
        delivered_at = case when f.status = 'delivered' then f.now end,
        lease_token = null, leased_until = null
      from finished f
      where d.workspace_id = f.workspace_id and d.id = f.id
        and d.lease_token is not distinct from f."leaseToken" ${ofWorkspace(part, 'd.workspace_id')}
      returning d.workspace_id, d.id, d.endpoint_id, d.attempt, d.kind, d.status, f."sentAt" as sent_at,
        f."attemptError" as attempt_error, f."responseStatus" as response_status, f."durationMs" as duration_ms,
        f."responseBody" as response_body, f."begunAfter" as begun_after, f.gone, f.now, f.failing_since
    ), done as (
      select * from repeated
      union all
      select workspace_id, id, endpoint_id, attempt, kind, status, sent_at, attempt_error, response_status, duration_ms,
        response_body, begun_after, gone, now, failing_since
      from first
    -- Their rows in the log of attempts. A process of an older version wrote the row when it claimed the delivery.
    ), attempt_rows as (
      insert into webhook_attempts (workspace_id, delivery_id, attempt, sent_at, duration_ms, response_status, error)
      select workspace_id, id, attempt, sent_at, duration_ms, response_status, attempt_error from done
      on conflict (workspace_id, delivery_id, attempt) do update set sent_at = excluded.sent_at,
        duration_ms = excluded.duration_ms, response_status = excluded.response_status, error = excluded.error
    -- what receivers returned
    ), responses as (
      insert into webhook_responses (workspace_id, delivery_id, attempt, body)
      select workspace_id, id, attempt, response_body from done
      where response_body is not null and (begun_after is null or sent_at > begun_after)
      on conflict (workspace_id, delivery_id, attempt) do update set body = excluded.body
    -- the hourly counters
    ), hour_stats as (
      insert into webhook_stats as h (workspace_id, endpoint_id, hour, delivered, failed_attempts, given_up)
      select workspace_id, endpoint_id, date_trunc('hour', app_now()), count(*) filter (where attempt_error is null),
        count(*) filter (where attempt_error is not null), count(*) filter (where status = 'failed')
      from done where kind <> 'ping' group by workspace_id, endpoint_id
      on conflict (workspace_id, endpoint_id, hour) do update set delivered = h.delivered + excluded.delivered,
        failed_attempts = h.failed_attempts + excluded.failed_attempts, given_up = h.given_up + excluded.given_up
    -- the batch, summed by endpoint
    ), per_endpoint as (
      select workspace_id, endpoint_id, bool_or(gone) as gone,
        bool_or(kind = 'event' and attempt_error is null) as success,
        count(*) filter (where kind = 'event' and attempt_error is not null) as failures,
        max(duration_ms) as duration_ms, max(now) as now, max(failing_since) as failing_since
      from done group by workspace_id, endpoint_id
    -- the first failure since the last success
    ), with_first_failure as (
      select t.*, e.enabled, case when t.success then null when t.failures > 0
          then coalesce(e.first_failure_at, t.now) else e.first_failure_at end as first_failure_at
      from per_endpoint t join webhook_endpoints e on e.workspace_id = t.workspace_id and e.id = t.endpoint_id
        ${ofWorkspace(part, 'e.workspace_id')}
    -- why the endpoint is to be disabled; null: it is not
    ), with_disable_reason as (
      select *, case when not enabled then null when gone then 'gone'
        when failures > 0 and first_failure_at <= failing_since then 'failing' end as disable_reason
      from with_first_failure
    -- the new health of the endpoint
    ), endpoint_update as (
      update webhook_endpoints e
      set consecutive_failures = case when r.success then 0 else e.consecutive_failures + r.failures end,
        first_failure_at = r.first_failure_at, last_attempt_ms = r.duration_ms,
        last_success_at = case when r.success then r.now else e.last_success_at end,
        last_failure_at = case when r.failures > 0 then r.now else e.last_failure_at end,
        enabled = e.enabled and r.disable_reason is null,
        disabled_at = case when r.disable_reason is null then e.disabled_at else r.now end,
        disabled_reason = coalesce(r.disable_reason, e.disabled_reason)
      from with_disable_reason r where e.workspace_id = r.workspace_id and e.id = r.endpoint_id
        ${ofWorkspace(part, 'e.workspace_id')}
    )
    select workspace_id, endpoint_id as id from with_disable_reason where disable_reason is not null`

export interface ErasedAmong {
  workspace_id: string
  id: string
  /** no response about it may be stored */
  blocked: boolean
  /** when the stored responses of the workspace were deleted */
  done_at: string | null
}

/** Finds the workspaces and records that an erasure concerns, among those that the responses are about. */
export const erasedAmong = (of: readonly EndedDelivery[]): Sql<ErasedAmong> =>
  sql<ErasedAmong>`
    select workspace_id, id, bool_or(object <> 'workspace' or done_at is null) as blocked, max(done_at) as done_at
    from erasure_targets
    where workspace_id = any(${[...new Set(of.map(f => f.workspace_id))]}::text[])
      and id = any(${[...new Set(of.flatMap(f => [f.workspace_id, ...(f.response?.about ?? [])]))]}::text[])
    group by workspace_id, id`

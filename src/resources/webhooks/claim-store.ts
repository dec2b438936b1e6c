import { API_LIMITS } from '../../contract/limits.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { IN_ORDER } from './endpoint-store.ts'
import type { DeliveryKind } from './rules.ts'
import type { DeliveryStatus } from './shape.ts'

export interface ClaimedDelivery {
  workspace_id: string
  id: string
  endpoint_id: string
  lease_token: string
  kind: DeliveryKind
  attempt: number
  event_id: string
  url: string
  /** null where the event is no longer kept */
  body: string | null
  /** its key must name the workspace on every call, and so does every link in the body */
  names_workspace: boolean
  unix_seconds: number
  /** newest first */
  secret_versions: number[]
  secrets: Buffer[]
}

/** A receiver that failed so often in a row, or took so long the last time, is served in a lane of its own. */
const FAILING_AFTER = 3
export const SLOW_MS = 2_000
/** One that acknowledged the last time, and this quickly, may have more under way. */
const FAST_MS = 250
/** Longer than an attempt can take, so that nobody takes over what is still under way. */
const LEASE_SECONDS = API_LIMITS.webhookTimeoutSeconds * 3

/**
 * For the statements of the sender, in a transaction or in the whole session: from row to row by index and never
 * another way, whatever the statistics say. Its tables are empty in one moment and hold a million rows in the next; a
 * plan made for the one would read the whole table many times a second in the other. Planned once, for the same reason.
 */
export const forceIndexPlans = (until: 'transaction ends' | 'session ends') => {
  const local = until === 'transaction ends'
  return sql`
    select set_config('enable_seqscan', 'off', ${local}), set_config('enable_bitmapscan', 'off', ${local}),
      set_config('enable_hashjoin', 'off', ${local}), set_config('enable_mergejoin', 'off', ${local}),
      set_config('plan_cache_mode', 'force_generic_plan', ${local})`
}

/** Retries whose time has come become ready to be claimed. */
export const readyRetries = () => sql`
  update webhook_deliveries d set ready = true
  from (
    select workspace_id, id from webhook_deliveries
    where status = 'retrying' and not ready and next_attempt_at <= app_now()
    order by next_attempt_at limit 1000 for update skip locked
  ) r
  where d.workspace_id = r.workspace_id and d.id = r.id`

/** A place in the order of endpoints: a claim goes on behind it. */
export interface EndpointCursor {
  workspace: string
  endpoint: string
}

export const START: EndpointCursor = { workspace: '', endpoint: '00000000-0000-0000-0000-000000000000' }

export interface Claim {
  slow: boolean
  /** under way at one endpoint, over all processes */
  perEndpoint: number
  /** the same for one that is known to be quick */
  perFastEndpoint: number
  limit: number
  after: EndpointCursor
}

/** Endpoints that one claim looks at: it costs the same with a hundred that have something waiting and with ten thousand. */
export const ENDPOINTS_PER_CLAIM = 500

/** What was claimed, and how far the claim came. */
interface ClaimRow extends ClaimedDelivery {
  last_workspace: string | null
  last_endpoint: string | null
  looked_at: number
}

export interface ClaimResult {
  deliveries: ClaimedDelivery[]
  /** where the next claim begins */
  after: EndpointCursor
  /** whether it looked at the last endpoint that has something ready */
  reachedEnd: boolean
}

export function toClaimResult(rows: readonly ClaimRow[]): ClaimResult {
  const { last_workspace: workspace, last_endpoint: endpoint, looked_at } = rows[0]!
  const atEnd = looked_at < ENDPOINTS_PER_CLAIM
  return {
    deliveries: rows.filter(row => row.id !== null),
    after: atEnd ? START : { workspace: workspace!, endpoint: endpoint! },
    reachedEnd: atEnd,
  }
}

/**
 * Takes due deliveries for this process: at most so many under way at one endpoint over all processes, and the first of
 * every endpoint before the second of any, so that a backlog delays nobody but its owner. The endpoints that have
 * something ready are found by hopping through the index from one to the next, so many of them, and the next claim goes
 * on behind the last. Of each only as much is looked at as its part of the limit asks for, twice over: others may take
 * some in the same moment. Only what is taken is locked, by its primary key, and looked at again (what has ended has no
 * next attempt); what another process takes in the same moment is passed over. The attempt has its number, and a row in
 * the log, before anything is sent. An attempt whose end nobody noted (its process died) is made again under its own
 * number: it was not the receiver’s failure.
 */
export const claimDeliveries = (claim: Claim): Sql<ClaimRow> =>
  sql<ClaimRow>`
    with recursive waiting as (
      select ${claim.after.workspace}::text collate "C" as workspace_id, ${claim.after.endpoint}::uuid as endpoint_id, 0 as place
      union all
      select n.workspace_id::text, n.endpoint_id, w.place + 1 from waiting w cross join lateral (
        select workspace_id, endpoint_id from webhook_deliveries
        where status in ('pending', 'retrying') and ready and (workspace_id, endpoint_id) > (w.workspace_id, w.endpoint_id)
        order by workspace_id, endpoint_id limit 1
      ) n
      where w.place < ${ENDPOINTS_PER_CLAIM}::integer
    ), scan as (
      select workspace_id, endpoint_id, place from waiting order by place desc limit 1
    ), open as materialized (
      select e.workspace_id, e.id, e.enabled, (case
          when e.last_success_at is not null and e.consecutive_failures = 0 and e.last_attempt_ms <= ${FAST_MS}::integer
          then ${claim.perFastEndpoint}::integer else ${claim.perEndpoint}::integer end) - (
        select count(*) from webhook_deliveries d
        where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.lease_token is not null
          and d.leased_until > app_now()) as room
      from waiting w
      join webhook_endpoints e on e.workspace_id = w.workspace_id and e.id = w.endpoint_id
      join api_keys k on k.id = e.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
        and k.scopes @> array['events:read']
      where w.place > 0
        and (e.consecutive_failures >= ${FAILING_AFTER}::integer or e.last_attempt_ms > ${SLOW_MS}::integer)
          = ${claim.slow}::boolean
    ), due as (
      select d.* from open o cross join lateral (
        select d.workspace_id, d.id, d.endpoint_id, d.next_attempt_at from webhook_deliveries d
        where d.workspace_id = o.workspace_id and d.endpoint_id = o.id and d.status in ('pending', 'retrying') and d.ready
          and d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
          and (o.enabled or d.kind = 'redelivery')
        order by d.next_attempt_at
        limit least(greatest(o.room, 0), (select ceil(2.0 * ${claim.limit}::integer / greatest(count(*), 1)) from open))
      ) d
      where o.room > 0
    ), ranked as (
      select *, row_number() over (partition by workspace_id, endpoint_id order by next_attempt_at) as place from due
      order by place, next_attempt_at limit ${claim.limit * 2}
    ), chosen as materialized (
      select d.workspace_id, d.id
      from ranked r join webhook_deliveries d on d.workspace_id = r.workspace_id and d.id = r.id
      where d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
      order by r.place, r.next_attempt_at limit ${claim.limit}
      for update of d skip locked
    ), claimed as (
      update webhook_deliveries d
      set attempt = case when d.lease_token is null then d.attempt + 1 else d.attempt end,
        lease_token = gen_random_uuid(), leased_until = app_now() + ${LEASE_SECONDS}::integer * interval '1 second'
      from chosen c where d.workspace_id = c.workspace_id and d.id = c.id
      returning d.*
    ), noted as (
      insert into webhook_attempts (workspace_id, delivery_id, attempt, sent_at)
      select workspace_id, id, attempt, app_now() from claimed
      on conflict (workspace_id, delivery_id, attempt) do update set sent_at = excluded.sent_at
    ), told as (
      -- names_workspace: links of the body name the workspace, as the feed shows them to the endpoint's key
      select c.workspace_id, c.id, c.endpoint_id, c.lease_token, c.kind, c.attempt, c.event_id, c.event_sequence, e.url,
        (select k.workspace_scope = 'all' or k.workspace_scope = 'list' and cardinality(k.workspace_ids) > 1
          from api_keys k where k.id = e.key_id) as names_workspace,
        coalesce(c.body, v.body) as body, s.versions as secret_versions, s.sealed as secrets
      from claimed c
      join webhook_endpoints e on e.workspace_id = c.workspace_id and e.id = c.endpoint_id
      left join events v on v.workspace_id = c.workspace_id and v.sequence = c.event_sequence
      cross join lateral (
        select array_agg(version order by version desc) as versions, array_agg(sealed order by version desc) as sealed
        from webhook_secrets
        where workspace_id = c.workspace_id and endpoint_id = c.endpoint_id
          and (expires_at is null or expires_at > app_now())
      ) s
    )
    select t.workspace_id, t.id, t.endpoint_id, t.lease_token, t.kind, t.attempt, t.event_id, t.url, t.body,
      t.names_workspace,
      t.secret_versions, t.secrets, floor(extract(epoch from app_now()))::bigint as unix_seconds,
      scan.workspace_id as last_workspace, scan.endpoint_id as last_endpoint, scan.place as looked_at
    from scan left join told t on true
    order by t.event_sequence`

/** The end of an attempt, judged. */
export interface FinishedAttempt {
  workspaceId: string
  id: string
  endpointId: string
  leaseToken: string
  /** what the attempt itself ended with; the delivery's own error may be event_expired */
  attemptError: string | null
  responseStatus: number | null
  durationMs: number
  status: DeliveryStatus
  error: string | null
  delaySeconds: number | null
  gone: boolean
}

const DISABLED_AFTER_DAYS = 5

export const lockEndpoints = (of: readonly FinishedAttempt[]) => sql`
  select 1 from webhook_endpoints e
  where (e.workspace_id, e.id) in (
    select * from unnest(${of.map(f => f.workspaceId)}::text[], ${of.map(f => f.endpointId)}::uuid[]))
  ${IN_ORDER}`

/**
 * Notes the ends of attempts, each only by the holder of its lease: in the delivery, in the log of attempts, and, for
 * events of the feed, in the endpoint's count. Returns the endpoints that this disabled.
 */
export const finishAttempts = (of: readonly FinishedAttempt[]) =>
  sql<{ workspace_id: string; id: string }>`
    with ended as (
      select * from unnest(
        ${of.map(f => f.workspaceId)}::text[], ${of.map(f => f.id)}::uuid[], ${of.map(f => f.leaseToken)}::uuid[],
        ${of.map(f => f.attemptError)}::text[], ${of.map(f => f.responseStatus)}::integer[],
        ${of.map(f => f.durationMs)}::integer[], ${of.map(f => f.status)}::text[], ${of.map(f => f.error)}::text[],
        ${of.map(f => f.delaySeconds)}::double precision[], ${of.map(f => f.gone)}::boolean[])
        as o (workspace_id, id, token, attempt_error, response_status, duration_ms, status, error, delay, gone)
    ), done as (
      update webhook_deliveries d
      set status = case when o.status = 'retrying' and not e.enabled then 'canceled' else o.status end,
        response_status = o.response_status, error = o.error, ready = false,
        next_attempt_at = case when o.status = 'retrying' and e.enabled
          then app_now() + o.delay * interval '1 second' end,
        delivered_at = case when o.status = 'delivered' then app_now() end,
        lease_token = null, leased_until = null
      from ended o, webhook_endpoints e
      where d.workspace_id = o.workspace_id and d.id = o.id and d.lease_token = o.token
        and e.workspace_id = d.workspace_id and e.id = d.endpoint_id
      returning d.workspace_id, d.id, d.endpoint_id, d.attempt, d.kind, d.status, o.attempt_error, o.response_status,
        o.duration_ms, o.gone
    ), logged as (
      update webhook_attempts a
      set duration_ms = d.duration_ms, response_status = d.response_status, error = d.attempt_error
      from done d
      where a.workspace_id = d.workspace_id and a.delivery_id = d.id and a.attempt = d.attempt
    ), hours as (
      insert into webhook_stats as h (workspace_id, endpoint_id, hour, delivered, failed_attempts, given_up)
      select workspace_id, endpoint_id, date_trunc('hour', app_now()), count(*) filter (where attempt_error is null),
        count(*) filter (where attempt_error is not null), count(*) filter (where status = 'failed')
      from done where kind <> 'ping' group by workspace_id, endpoint_id
      on conflict (workspace_id, endpoint_id, hour) do update set delivered = h.delivered + excluded.delivered,
        failed_attempts = h.failed_attempts + excluded.failed_attempts, given_up = h.given_up + excluded.given_up
    ), tally as (
      select workspace_id, endpoint_id, bool_or(gone) as gone,
        bool_or(kind = 'event' and attempt_error is null) as success,
        count(*) filter (where kind = 'event' and attempt_error is not null) as failures,
        max(duration_ms) as duration_ms
      from done group by workspace_id, endpoint_id
    ), judged as (
      select t.*, e.enabled, case when t.success then null when t.failures > 0
          then coalesce(e.first_failure_at, app_now()) else e.first_failure_at end as first_failure_at
      from tally t join webhook_endpoints e on e.workspace_id = t.workspace_id and e.id = t.endpoint_id
    ), reasons as (
      select *, case when not enabled then null when gone then 'gone'
        when failures > 0 and first_failure_at <= app_now() - ${DISABLED_AFTER_DAYS}::integer * interval '1 day'
        then 'failing' end as reason
      from judged
    ), counted as (
      update webhook_endpoints e
      set consecutive_failures = case when r.success then 0 else e.consecutive_failures + r.failures end,
        first_failure_at = r.first_failure_at, last_attempt_ms = r.duration_ms,
        last_success_at = case when r.success then app_now() else e.last_success_at end,
        last_failure_at = case when r.failures > 0 then app_now() else e.last_failure_at end,
        enabled = e.enabled and r.reason is null,
        disabled_at = case when r.reason is null then e.disabled_at else app_now() end,
        disabled_reason = coalesce(r.reason, e.disabled_reason)
      from reasons r where e.workspace_id = r.workspace_id and e.id = r.endpoint_id
    )
    select workspace_id, endpoint_id as id from reasons where reason is not null`

/** Gives back what was claimed and not tried to its end, because this process stops. */
export const releaseDeliveries = (of: readonly { workspace_id: string; id: string; lease_token: string }[]) => sql`
  update webhook_deliveries d
  set lease_token = null, leased_until = null, attempt = d.attempt - 1
  from unnest(${of.map(d => d.workspace_id)}::text[], ${of.map(d => d.id)}::uuid[],
    ${of.map(d => d.lease_token)}::uuid[]) as o (workspace_id, id, token)
  where d.workspace_id = o.workspace_id and d.id = o.id and d.lease_token = o.token`

import { API_LIMITS } from '../../contract/limits.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { countWaiting } from '../../kernel/work/queue.ts'
import { IN_ORDER } from './endpoint-store.ts'
import type { AttemptOutcome, DeliveryKind } from './rules.ts'
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
  /** null if the event is no longer retained */
  body: string | null
  /** the endpoint's key must name the workspace on every call, so every link in the body names it */
  names_workspace: boolean
  unix_seconds: number
  /** newest first */
  secret_versions: number[]
  secrets: Buffer[]
}

/** A receiver with this many consecutive failures, or whose last attempt took this long, is served in the slow lane. */
const FAILING_AFTER = 3
export const SLOW_ENDPOINT_MS = 2_000
/** A receiver whose last attempt succeeded this quickly may have more attempts in flight. */
const FAST_MS = 250
/** Longer than an attempt can take, so that no other process repeats one that is still in flight. */
const LEASE_SECONDS = API_LIMITS.webhookTimeoutSeconds * 3

/**
 * Forces nested loops over indexes for the sender's statements, in a transaction or in the whole session, whatever the
 * statistics say. Its tables may be empty and have a million rows a moment later; a plan for empty tables would then
 * scan the whole table many times a second. Statements are planned once, for the same reason.
 */
export const forceIndexPlans = (until: 'transaction' | 'session') => {
  const local = until === 'transaction'
  return sql`
    select set_config('enable_seqscan', 'off', ${local}), set_config('enable_bitmapscan', 'off', ${local}),
      set_config('enable_hashjoin', 'off', ${local}), set_config('enable_mergejoin', 'off', ${local}),
      set_config('plan_cache_mode', 'force_generic_plan', ${local})`
}

/** Deliveries that are due and not in flight. */
export const deliveriesWaiting = countWaiting(
  sql`next_attempt_at`,
  sql`webhook_deliveries
    where status in ('pending', 'retrying') and next_attempt_at <= app_now() and lease_token is null`,
)

/** Makes due retries ready to be claimed. */
export const readyRetries = () => sql`
  update webhook_deliveries d set ready = true
  from (
    select workspace_id, id from webhook_deliveries
    where status = 'retrying' and not ready and next_attempt_at <= app_now()
    order by next_attempt_at limit 1000 for update skip locked
  ) r
  where d.workspace_id = r.workspace_id and d.id = r.id`

/** A position in the order of endpoints: a claim continues after it. */
export interface EndpointCursor {
  workspace: string
  endpoint: string
}

export const FIRST_ENDPOINT: EndpointCursor = { workspace: '', endpoint: '00000000-0000-0000-0000-000000000000' }

export interface Claim {
  slow: boolean
  /** attempts in flight at one endpoint, over all processes */
  perEndpoint: number
  /** the same for an endpoint that is known to be fast */
  perFastEndpoint: number
  limit: number
  after: EndpointCursor
}

/** How many endpoints one claim scans. So its cost does not depend on how many endpoints have deliveries waiting. */
export const ENDPOINTS_PER_CLAIM = 500

/** What was claimed, and how far the claim got. */
interface ClaimRow extends ClaimedDelivery {
  last_workspace: string | null
  last_endpoint: string | null
  looked_at: number
}

export interface ClaimResult {
  deliveries: ClaimedDelivery[]
  /** where the next claim starts */
  after: EndpointCursor
  /** whether it reached the last endpoint with a delivery that is due */
  reachedEnd: boolean
}

export function toClaimResult(rows: readonly ClaimRow[]): ClaimResult {
  const { last_workspace: workspace, last_endpoint: endpoint, looked_at } = rows[0]!
  const reachedEnd = looked_at < ENDPOINTS_PER_CLAIM
  return {
    deliveries: rows.filter(row => row.id !== null),
    after: reachedEnd ? FIRST_ENDPOINT : { workspace: workspace!, endpoint: endpoint! },
    reachedEnd,
  }
}

/**
 * Claims due deliveries for this process. One statement, so that a delivery is leased, numbered and logged together or
 * not at all; its parts follow in order. Guarantees:
 *
 * - One endpoint has a limited number of attempts in flight over all processes.
 * - The first delivery of every endpoint comes before the second of any: a backlog delays only its own endpoint.
 * - The attempt has its number and its log row before anything is sent. An attempt whose result was never recorded (its
 *   process died) is repeated under the same number: it was not a failure of the receiver.
 */
export const claimDeliveries = (claim: Claim): Sql<ClaimRow> =>
  sql<ClaimRow>`
    with recursive ${waitingEndpoints(claim.after)},
    ${capacity(claim)},
    ${due(claim.limit)},
    ${ranked(claim.limit)},
    ${claimed(claim.limit)},
    ${payloads()}
    select p.workspace_id, p.id, p.endpoint_id, p.lease_token, p.kind, p.attempt, p.event_id, p.url, p.body,
      p.names_workspace,
      p.secret_versions, p.secrets, floor(extract(epoch from app_now()))::bigint as unix_seconds,
      scan.workspace_id as last_workspace, scan.endpoint_id as last_endpoint, scan.position as looked_at
    from scan left join payloads p on true
    order by p.event_sequence`

/** The next endpoints after the cursor with a delivery that is due. */
const waitingEndpoints = (after: EndpointCursor) => sql`
    -- hops through the index from one endpoint to the next: the cost depends on the endpoints, not on their deliveries
    waiting as (
      select ${after.workspace}::text collate "C" as workspace_id, ${after.endpoint}::uuid as endpoint_id, 0 as position
      union all
      select n.workspace_id::text, n.endpoint_id, w.position + 1 from waiting w cross join lateral (
        select workspace_id, endpoint_id from webhook_deliveries
        where status in ('pending', 'retrying') and ready and (workspace_id, endpoint_id) > (w.workspace_id, w.endpoint_id)
        order by workspace_id, endpoint_id limit 1
      ) n
      where w.position < ${ENDPOINTS_PER_CLAIM}::integer
    -- the last endpoint reached: the next claim continues after it
    ), scan as (
      select workspace_id, endpoint_id, position from waiting order by position desc limit 1
    )`

/** How many more attempts each endpoint of this lane may have in flight. */
const capacity = ({ slow, perEndpoint, perFastEndpoint }: Claim) => sql`
    -- endpoints of the lane with a valid key: their limit minus their leased deliveries
    capacity as materialized (
      select e.workspace_id, e.id, e.enabled, (case
          when e.last_success_at is not null and e.consecutive_failures = 0 and e.last_attempt_ms <= ${FAST_MS}::integer
          then ${perFastEndpoint}::integer else ${perEndpoint}::integer end) - (
        select count(*) from webhook_deliveries d
        where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.lease_token is not null
          and d.leased_until > app_now()) as free
      from waiting w
      join webhook_endpoints e on e.workspace_id = w.workspace_id and e.id = w.endpoint_id
      join api_keys k on k.id = e.key_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())
        and k.scopes @> array['events:read']
      where w.position > 0
        and (e.consecutive_failures >= ${FAILING_AFTER}::integer or e.last_attempt_ms > ${SLOW_ENDPOINT_MS}::integer)
          = ${slow}::boolean
    )`

/** The oldest due deliveries of each endpoint. */
const due = (limit: number) => sql`
    -- twice each endpoint's share of the limit: other processes may take some at the same time
    due as (
      select d.* from capacity c cross join lateral (
        select d.workspace_id, d.id, d.endpoint_id, d.next_attempt_at from webhook_deliveries d
        where d.workspace_id = c.workspace_id and d.endpoint_id = c.id and d.status in ('pending', 'retrying') and d.ready
          and d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
          and (c.enabled or d.kind = 'redelivery')
        order by d.next_attempt_at
        limit least(greatest(c.free, 0), (select ceil(2.0 * ${limit}::integer / greatest(count(*), 1)) from capacity))
      ) d
      where c.free > 0
    )`

/** The order of claiming. */
const ranked = (limit: number) => sql`
    -- round robin: the first of every endpoint, then the second
    ranked as (
      select *, row_number() over (partition by workspace_id, endpoint_id order by next_attempt_at) as rank from due
      order by rank, next_attempt_at limit ${limit * 2}
    )`

/** Locks and leases what is claimed. */
const claimed = (limit: number) => sql`
    -- locks by primary key and checks again; rows that another process has locked are skipped
    chosen as materialized (
      select d.workspace_id, d.id
      from ranked r join webhook_deliveries d on d.workspace_id = r.workspace_id and d.id = r.id
      where d.next_attempt_at <= app_now() and (d.lease_token is null or d.leased_until <= app_now())
      order by r.rank, r.next_attempt_at limit ${limit}
      for update of d skip locked
    -- a lease that expired keeps the number of its attempt
    ), claimed as (
      update webhook_deliveries d
      set attempt = case when d.lease_token is null then d.attempt + 1 else d.attempt end,
        lease_token = gen_random_uuid(), leased_until = app_now() + ${LEASE_SECONDS}::integer * interval '1 second'
      from chosen c where d.workspace_id = c.workspace_id and d.id = c.id
      returning d.*
    -- the log row of each attempt
    ), attempt_rows as (
      insert into webhook_attempts (workspace_id, delivery_id, attempt, sent_at)
      select workspace_id, id, attempt, app_now() from claimed
      on conflict (workspace_id, delivery_id, attempt) do update set sent_at = excluded.sent_at
    )`

/** The body, the URL and the signing secrets of each claimed delivery. */
const payloads = () => sql`
    -- names_workspace: links of the body name the workspace, as the feed shows them to the endpoint's key
    payloads as (
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
    )`

/** The result of an attempt, with the verdict on its delivery. */
export interface FinishedAttempt {
  workspaceId: string
  id: string
  attempt: number
  endpointId: string
  leaseToken: string
  /** the error of the attempt itself; the error of the delivery may be event_expired */
  attemptError: string | null
  responseStatus: number | null
  durationMs: number
  status: DeliveryStatus
  error: string | null
  delaySeconds: number | null
  gone: boolean
  response: AttemptOutcome['response']
}

const DISABLED_AFTER_DAYS = 5

export const lockEndpoints = (of: readonly FinishedAttempt[]) => sql`
  select 1 from webhook_endpoints e
  where (e.workspace_id, e.id) in (
    select * from unnest(${of.map(f => f.workspaceId)}::text[], ${of.map(f => f.endpointId)}::uuid[]))
  ${IN_ORDER}`

/**
 * Records the results of attempts in the delivery, the log of attempts, the hourly counters and the health of the
 * endpoint. A result counts only if the sender still has the lease. Returns the endpoints that this disabled.
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
export const finishAttempts = (of: readonly FinishedAttempt[]) =>
  sql<{ workspace_id: string; id: string }>`
    -- the results that the sender reports
    with finished as (
      select * from jsonb_to_recordset(${JSON.stringify(of.map(({ response: _, ...rest }) => rest))}::jsonb) as f (
        "workspaceId" text, id uuid, "leaseToken" uuid, "attemptError" text, "responseStatus" integer,
        "durationMs" integer, status text, error text, "delaySeconds" double precision, gone boolean)
    -- the deliveries that the sender still has leased
    ), done as (
      update webhook_deliveries d
      set status = case when f.status = 'retrying' and not e.enabled then 'canceled' else f.status end,
        response_status = f."responseStatus", error = f.error, ready = false,
        next_attempt_at = case when f.status = 'retrying' and e.enabled
          then app_now() + f."delaySeconds" * interval '1 second' end,
        delivered_at = case when f.status = 'delivered' then app_now() end,
        lease_token = null, leased_until = null
      from finished f, webhook_endpoints e
      where d.workspace_id = f."workspaceId" and d.id = f.id and d.lease_token = f."leaseToken"
        and e.workspace_id = d.workspace_id and e.id = d.endpoint_id
      returning d.workspace_id, d.id, d.endpoint_id, d.attempt, d.kind, d.status, f."attemptError" as attempt_error,
        f."responseStatus" as response_status, f."durationMs" as duration_ms, f.gone
    -- their rows in the log of attempts
    ), attempt_rows as (
      update webhook_attempts a
      set duration_ms = d.duration_ms, response_status = d.response_status, error = d.attempt_error
      from done d
      where a.workspace_id = d.workspace_id and a.delivery_id = d.id and a.attempt = d.attempt
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
        max(duration_ms) as duration_ms
      from done group by workspace_id, endpoint_id
    -- the first failure since the last success
    ), with_first_failure as (
      select t.*, e.enabled, case when t.success then null when t.failures > 0
          then coalesce(e.first_failure_at, app_now()) else e.first_failure_at end as first_failure_at
      from per_endpoint t join webhook_endpoints e on e.workspace_id = t.workspace_id and e.id = t.endpoint_id
    -- why the endpoint is to be disabled; null: it is not
    ), with_disable_reason as (
      select *, case when not enabled then null when gone then 'gone'
        when failures > 0 and first_failure_at <= app_now() - ${DISABLED_AFTER_DAYS}::integer * interval '1 day'
        then 'failing' end as disable_reason
      from with_first_failure
    -- the new health of the endpoint
    ), endpoint_update as (
      update webhook_endpoints e
      set consecutive_failures = case when r.success then 0 else e.consecutive_failures + r.failures end,
        first_failure_at = r.first_failure_at, last_attempt_ms = r.duration_ms,
        last_success_at = case when r.success then app_now() else e.last_success_at end,
        last_failure_at = case when r.failures > 0 then app_now() else e.last_failure_at end,
        enabled = e.enabled and r.disable_reason is null,
        disabled_at = case when r.disable_reason is null then e.disabled_at else app_now() end,
        disabled_reason = coalesce(r.disable_reason, e.disabled_reason)
      from with_disable_reason r where e.workspace_id = r.workspace_id and e.id = r.endpoint_id
    )
    select workspace_id, endpoint_id as id from with_disable_reason where disable_reason is not null`

/**
 * Stores what receivers returned, for attempts that this transaction has finished. Call it with the suppressions locked
 * (`tryLockSuppressionsShared`), in a statement after the lock. A response is not stored if it could show more of an
 * erased person than an erasure has seen: if its event concerns such a person, or if its attempt began before an
 * erasure in the workspace had deleted the stored responses. So an attempt in flight during an erasure stores nothing.
 */
export const storeResponses = (of: readonly FinishedAttempt[]) => sql`
  insert into webhook_responses as r (workspace_id, delivery_id, attempt, body)
  select a.workspace_id, a.delivery_id, a.attempt, f.body
  from jsonb_to_recordset(${JSON.stringify(
    of.flatMap(({ workspaceId, id, attempt, response }) =>
      response ? [{ workspaceId, id, attempt, ...response }] : [],
    ),
  )}::jsonb) as f ("workspaceId" text, id uuid, attempt integer, body text, about text[])
  join webhook_attempts a on a.workspace_id = f."workspaceId" and a.delivery_id = f.id and a.attempt = f.attempt
    and a.duration_ms is not null
  where not exists (
    select from erasure_targets t where t.workspace_id = a.workspace_id and t.id = any(f.about || a.workspace_id::text)
      and (t.object <> 'workspace' or t.done_at is null or t.done_at >= a.sent_at))
  on conflict (workspace_id, delivery_id, attempt) do update set body = excluded.body`

/** Releases deliveries whose attempt was aborted because this process stops. */
export const releaseDeliveries = (of: readonly { workspace_id: string; id: string; lease_token: string }[]) => sql`
  update webhook_deliveries d
  set lease_token = null, leased_until = null, attempt = d.attempt - 1
  from unnest(${of.map(d => d.workspace_id)}::text[], ${of.map(d => d.id)}::uuid[],
    ${of.map(d => d.lease_token)}::uuid[]) as o (workspace_id, id, token)
  where d.workspace_id = o.workspace_id and d.id = o.id and d.lease_token = o.token`

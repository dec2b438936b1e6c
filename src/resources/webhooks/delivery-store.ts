import { LIMITS } from '../../contract/limits.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { eventsAfter } from '../events/store.ts'
import type { DeliveryKind } from './rules.ts'
import type { DeliveryStatus, deliveryDetailShape, deliveryShape } from './shape.ts'
import { IN_ORDER } from './store.ts'

export type DeliveryRow = Row<typeof deliveryShape>
type AttemptRow = NonNullable<Row<typeof deliveryDetailShape>['attempts']>[number]

const DELIVERY = sql`
  id, endpoint_id, event_id, event_type, status, attempt, response_status, error, next_attempt_at, delivered_at,
  created_at`

export interface DeliveryFilters {
  endpoint_id?: string | undefined
  event_id?: string | undefined
  event_type?: string | undefined
  status?: readonly DeliveryStatus[] | undefined
  response_status?: { from: number; to: number } | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

export const deliveriesOf = (workspace: string, keyId: string, f: DeliveryFilters, page: Page): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select ${DELIVERY} from webhook_deliveries
    where workspace_id = ${workspace} and key_id = ${keyId} ${chosen(f)} ${page.rest}`

function chosen(f: DeliveryFilters): Sql {
  const when = <T>(value: T | undefined, part: (value: T) => Sql) => (value === undefined ? none : part(value))
  return sql`
    ${when(f.endpoint_id, id => sql`and endpoint_id = ${id}::uuid`)}
    ${when(f.event_id, id => sql`and event_id = ${id}`)}
    ${when(f.event_type, type => sql`and event_type = ${type}`)}
    ${when(f.status, statuses => sql`and status = any(${statuses}::text[])`)}
    ${when(f.response_status, r => sql`and response_status between ${r.from}::integer and ${r.to}::integer`)}
    ${when(f.created_after, time => sql`and created_at > ${time}::timestamptz`)}
    ${when(f.created_before, time => sql`and created_at < ${time}::timestamptz`)}`
}

/**
 * The log of all endpoints of a workspace. The newest of each are found in its own index and then merged, so that no
 * index over the whole workspace has to be kept for it. `page` is of the table `d`.
 */
export const deliveriesOfWorkspace = (workspace: string, f: DeliveryFilters, page: Page): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select d.* from webhook_endpoints e cross join lateral (
      select ${DELIVERY} from webhook_deliveries d
      where d.workspace_id = ${workspace} and d.endpoint_id = e.id ${chosen(f)} ${page.rest}
    ) d
    where e.workspace_id = ${workspace}
      ${f.endpoint_id === undefined ? none : sql`and e.id = ${f.endpoint_id}::uuid`} ${page.rest}`

/** One of the workspace's deliveries, with what was sent; null where it is no longer kept. */
export const deliveryOfWorkspace = (workspace: string, id: string) =>
  sql<DeliveryRow & { key_id: string; kind: DeliveryKind; payload: string | null }>`
    select d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.attempt, d.response_status, d.error,
      d.next_attempt_at, d.delivered_at, d.created_at, d.key_id, d.kind, coalesce(d.body, v.body) as payload
    from webhook_deliveries d left join events v on v.sequence = d.event_sequence
    where d.workspace_id = ${workspace} and d.id = ${id}::uuid`

export const deliveryById = (workspace: string, keyId: string, id: string): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select ${DELIVERY} from webhook_deliveries
    where workspace_id = ${workspace} and key_id = ${keyId} and id = ${id}::uuid`

export const attemptsOf = (workspace: string, id: string): Sql<AttemptRow> =>
  sql<AttemptRow>`
    select attempt, sent_at, duration_ms, response_status, error from webhook_attempts
    where workspace_id = ${workspace} and delivery_id = ${id}::uuid order by attempt`

export const insertPing = (p: {
  workspace: string
  keyId: string
  endpointId: string
  id: string
  eventId: string
  head: string
  tail: string
}): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    insert into webhook_deliveries
      (workspace_id, id, endpoint_id, key_id, event_id, event_type, body, kind, next_attempt_at)
    values (${p.workspace}, ${p.id}::uuid, ${p.endpointId}::uuid, ${p.keyId}, ${p.eventId}, 'ping',
      ${p.head} || to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || ${p.tail}, 'ping', app_now())
    returning ${DELIVERY}`

/** The same event once more; nothing where the event is no longer kept. */
export const insertRedelivery = (workspace: string, keyId: string, of: string, id: string): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    insert into webhook_deliveries
      (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, body, kind, next_attempt_at)
    select d.workspace_id, ${id}::uuid, d.endpoint_id, d.key_id, d.event_sequence, d.event_id, d.event_type, d.body,
      'redelivery', app_now()
    from webhook_deliveries d
    where d.workspace_id = ${workspace} and d.key_id = ${keyId} and d.id = ${of}::uuid
      and (d.body is not null or exists (select from events where sequence = d.event_sequence))
    returning ${DELIVERY}`

export interface Recovery {
  queued: number
  next_after: number
  last_sequence: number
  oldest_sequence: number
}

/**
 * Queues the events after `after` that the endpoint wants, may have, and neither acknowledged nor is about to be sent.
 * It looks at so many events of the workspace at most; `next_after` is the last of them.
 */
export const queueRecovery = (
  workspace: string,
  endpoint: { id: string; keyId: string; types: readonly string[] },
  after: number,
  scan: number,
): Sql<Recovery> =>
  sql<Recovery>`
    with scanned as materialized (
      ${eventsAfter(workspace, after, sql`sequence, id::text as id, type`, scan)}
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select ${workspace}, gen_random_uuid(), ${endpoint.id}::uuid, ${endpoint.keyId}, s.sequence, s.id, s.type, app_now()
      from scanned s
      where s.type = any(${endpoint.types}::text[])
        and not exists (
          select from webhook_deliveries d
          where d.workspace_id = ${workspace} and d.event_id = s.id and d.endpoint_id = ${endpoint.id}::uuid
            and d.status in ('delivered', 'pending', 'retrying'))
      order by s.sequence
      returning 1
    )
    select (select count(*) from queued)::integer as queued, f.last_sequence, f.oldest_sequence,
      case when (select count(*) from scanned) < ${scan}::integer then greatest(f.last_sequence, ${after}::bigint)
        else (select max(sequence) from scanned) end as next_after
    from feed_state f`

/** What waits at endpoints that were just disabled. An attempt under way is left to end by itself. */
export const cancelWaiting = (endpoints: readonly { workspace_id: string; id: string }[]) => sql`
  update webhook_deliveries d set status = 'canceled', next_attempt_at = null, lease_token = null, leased_until = null
  from unnest(${endpoints.map(e => e.workspace_id)}::text[], ${endpoints.map(e => e.id)}::uuid[]) as e (workspace_id, id)
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.status in ('pending', 'retrying')
    and (d.lease_token is null or d.leased_until <= app_now())`

/**
 * What came to wait at an endpoint while it was being disabled: the sequencer may have read it as enabled a moment
 * earlier. A redelivery may be asked of a disabled endpoint, and stays as long as the key is valid.
 */
export const cancelStranded = (only?: { workspace: string; id: string }) => sql`
  with locked as materialized (
    select e.workspace_id, e.id, k.revoked_at is not null or coalesce(k.expires_at <= app_now(), false) as key_ended
    from webhook_endpoints e
    join api_keys k on k.id = e.key_id
    where not e.enabled ${only ? sql`and e.workspace_id = ${only.workspace} and e.id = ${only.id}::uuid` : none}
      and exists (
        select from webhook_deliveries d
        where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.status in ('pending', 'retrying'))
    ${IN_ORDER}
  )
  update webhook_deliveries d set status = 'canceled', next_attempt_at = null, lease_token = null, leased_until = null
  from locked e
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.status in ('pending', 'retrying')
    and (d.kind <> 'redelivery' or e.key_ended)
    and (d.lease_token is null or d.leased_until <= app_now())`

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
const LEASE_SECONDS = LIMITS.webhookTimeoutSeconds * 3

/**
 * For the statements of the sender, in a transaction or in the whole session: from row to row by index and never another way, whatever the
 * statistics say. Its tables are empty in one moment and hold a million rows in the next; a plan made for the one would
 * read the whole table many times a second in the other. Planned once, for the same reason.
 */
export const rowByRow = (until: 'transaction ends' | 'session ends') => {
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
export interface Place {
  workspace: string
  endpoint: string
}

export const BEGINNING: Place = { workspace: '', endpoint: '00000000-0000-0000-0000-000000000000' }

export interface Claim {
  slow: boolean
  /** under way at one endpoint, over all processes */
  perEndpoint: number
  /** the same for one that is known to be quick */
  perFastEndpoint: number
  limit: number
  after: Place
}

/** Endpoints that one claim looks at: it costs the same with a hundred that have something waiting and with ten thousand. */
export const ENDPOINTS_AT_ONCE = 500

/** What was claimed, and how far the claim came. */
interface ClaimRow extends ClaimedDelivery {
  last_workspace: string | null
  last_endpoint: string | null
  looked_at: number
}

export interface Claimed {
  deliveries: ClaimedDelivery[]
  /** where the next claim begins */
  after: Place
  /** whether it looked at the last endpoint that has something ready */
  atEnd: boolean
}

export function claimed(rows: readonly ClaimRow[]): Claimed {
  const { last_workspace: workspace, last_endpoint: endpoint, looked_at } = rows[0]!
  const atEnd = looked_at < ENDPOINTS_AT_ONCE
  return {
    deliveries: rows.filter(row => row.id !== null),
    after: atEnd ? BEGINNING : { workspace: workspace!, endpoint: endpoint! },
    atEnd,
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
      where w.place < ${ENDPOINTS_AT_ONCE}::integer
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
      select c.workspace_id, c.id, c.endpoint_id, c.lease_token, c.kind, c.attempt, c.event_id, c.event_sequence, e.url,
        coalesce(c.body, v.body) as body, s.versions as secret_versions, s.sealed as secrets
      from claimed c
      join webhook_endpoints e on e.workspace_id = c.workspace_id and e.id = c.endpoint_id
      left join events v on v.sequence = c.event_sequence
      cross join lateral (
        select array_agg(version order by version desc) as versions, array_agg(sealed order by version desc) as sealed
        from webhook_secrets
        where workspace_id = c.workspace_id and endpoint_id = c.endpoint_id
          and (expires_at is null or expires_at > app_now())
      ) s
    )
    select t.workspace_id, t.id, t.endpoint_id, t.lease_token, t.kind, t.attempt, t.event_id, t.url, t.body,
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
        ${of.map(f => f.delaySeconds)}::integer[], ${of.map(f => f.gone)}::boolean[])
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

import type { Scope } from '../../contract/scopes.ts'
import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { type EventText, stampedHead } from '../../kernel/feed/envelope.ts'
import { isReadable, type ReadableEvents } from '../../kernel/feed/readable.ts'
import type { Page } from '../../kernel/http/list.ts'
import type { Row } from '../../kernel/http/shape.ts'
import { EVENT_LOG, type EventLog, eventsAfter } from '../events/index.ts'
import { type EndpointKey, IN_ORDER, isOfKey, type KeyIds } from './endpoint-store.ts'
import { type DeliveryKind, LEASE_SECONDS } from './rules.ts'
import type { DeliveryStatus, deliveryDetailShape, deliveryShape } from './shape.ts'

export type DeliveryRow = Row<typeof deliveryShape>
type AttemptRow = NonNullable<Row<typeof deliveryDetailShape>['attempts']>[number]

const DELIVERY = sql`
  id, endpoint_id, event_id, event_type, status, attempt, response_status, error, next_attempt_at, delivered_at,
  created_at`

/**
 * The deliveries of a workspace. One that was handed over to a sender is in a table of its own until its first attempt has
 * ended, and is shown like any other whose first attempt is in flight.
 */
const deliveriesIn = (workspace: string) => sql`
  (select workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, body, status, attempt,
    response_status, error, next_attempt_at, delivered_at, created_at, kind, lease_token, leased_until
  from webhook_deliveries where workspace_id = ${workspace}
  union all
  select workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, null::text, 'pending'::text, 1,
    null::integer, null::text, created_at, null::timestamptz(3), created_at, 'event'::text, lease_token, leased_until
  from webhook_handovers where workspace_id = ${workspace})`

export interface DeliveryFilters {
  endpoint_id?: string | undefined
  event_id?: string | undefined
  event_type?: string | undefined
  status?: readonly DeliveryStatus[] | undefined
  response_status?: { from: number; to: number } | undefined
  created_after?: string | undefined
  created_before?: string | undefined
}

export const selectDeliveries = (workspace: string, keys: KeyIds, f: DeliveryFilters, page: Page): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select ${DELIVERY} from ${deliveriesIn(workspace)} d where ${isOfKey('key_id', keys)} ${chosen(f)} ${page.clause}`

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
 * The delivery log of a workspace. It reads the newest deliveries of each endpoint through the index by endpoint and
 * merges them, so no index by workspace is needed. `page` refers to the table `d`.
 */
export const deliveriesOfWorkspace = (workspace: string, f: DeliveryFilters, page: Page): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select d.* from webhook_endpoints e cross join lateral (
      select ${DELIVERY} from ${deliveriesIn(workspace)} d
      where d.endpoint_id = e.id ${chosen(f)} ${page.clause}
    ) d
    where e.workspace_id = ${workspace} and e.source_id is null
      ${f.endpoint_id === undefined ? none : sql`and e.id = ${f.endpoint_id}::uuid`} ${page.clause}`

/** A delivery of the workspace with its payload; the payload is null if the event is no longer retained. */
export const deliveryOfWorkspace = (workspace: string, id: string) =>
  sql<DeliveryRow & { key_id: string; kind: DeliveryKind; payload: string | null }>`
    select d.id, d.endpoint_id, d.event_id, d.event_type, d.status, d.attempt, d.response_status, d.error,
      d.next_attempt_at, d.delivered_at, d.created_at, d.key_id, d.kind, coalesce(d.body, v.body) as payload
    from ${deliveriesIn(workspace)} d
    left join events v on v.workspace_id = ${workspace} and v.sequence = d.event_sequence
    where d.id = ${id}::uuid`

export const deliveryById = (workspace: string, keys: KeyIds, id: string): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    select ${DELIVERY} from ${deliveriesIn(workspace)} d where ${isOfKey('key_id', keys)} and id = ${id}::uuid`

/** The attempts of a delivery. The log has those that ended; one in flight is known by its lease. */
export const selectAttempts = (workspace: string, id: string): Sql<AttemptRow> =>
  sql<AttemptRow>`
    with log as materialized (
      select a.attempt, a.sent_at, a.duration_ms, a.response_status, a.error, r.body as response_body
      from webhook_attempts a
      left join webhook_responses r
        on r.workspace_id = ${workspace} and r.delivery_id = a.delivery_id and r.attempt = a.attempt
      where a.workspace_id = ${workspace} and a.delivery_id = ${id}::uuid
    )
    select * from log
    union all
    select d.attempt, (d.leased_until - ${LEASE_SECONDS}::integer * interval '1 second')::timestamptz(3), null, null,
      null, null
    from ${deliveriesIn(workspace)} d
    where d.id = ${id}::uuid and d.lease_token is not null
      and d.attempt not in (select attempt from log)
    order by attempt`

/** Deletes up to `most` stored responses of a workspace. A row if there may be more. */
export const dropResponses = (workspace: string, most: number) => sql`
  with gone as (
    delete from webhook_responses r using (
      select delivery_id, attempt from webhook_responses where workspace_id = ${workspace} limit ${most}
    ) d
    where r.workspace_id = ${workspace} and r.delivery_id = d.delivery_id and r.attempt = d.attempt
    returning 1
  )
  select 1 from gone having count(*) = ${most}`

/** The sequence of pings and notices is lower than that of every event, so that a receiver's watermark never moves for them. */
export const UNLISTED_SEQUENCE = '0'

export const insertPing = (p: {
  workspace: string
  keyId: string
  endpointId: string
  id: string
  eventId: string
  text: EventText
}): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    insert into webhook_deliveries
      (workspace_id, id, endpoint_id, key_id, event_id, event_type, body, kind, next_attempt_at)
    values (${p.workspace}, ${p.id}::uuid, ${p.endpointId}::uuid, ${p.keyId}, ${p.eventId}, 'ping',
      ${stampedHead(p.text.head)} || ${UNLISTED_SEQUENCE} || ${p.text.tail}, 'ping', app_now())
    returning ${DELIVERY}`

/** A new delivery of the same event, for the key that its endpoint has now; no row if the event is no longer retained. */
export const insertRedelivery = (workspace: string, keyId: string, of: string, id: string): Sql<DeliveryRow> =>
  sql<DeliveryRow>`
    insert into webhook_deliveries as n
      (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, body, kind, next_attempt_at)
    select d.workspace_id, ${id}::uuid, d.endpoint_id, ${keyId}, d.event_sequence, d.event_id, d.event_type, d.body,
      'redelivery', app_now()
    from ${deliveriesIn(workspace)} d
    where d.id = ${of}::uuid
      and (d.body is not null
        or exists (select from events where workspace_id = ${workspace} and sequence = d.event_sequence))
    returning ${DELIVERY}`

export interface Recovery extends EventLog {
  queued: number
  next_after: number
}

/**
 * Queues the events after `after` with the given types, except those that the endpoint has acknowledged and those that
 * already have a delivery waiting. It scans at most `scan` events of the workspace; `next_after` is the last of them.
 */
export const queueRecovery = (
  workspace: string,
  endpoint: { id: string; keyId: string; readable: ReadableEvents },
  after: number,
  scan: number,
): Sql<Recovery> =>
  sql<Recovery>`
    -- Before the events: a cluster runs these parts one after the other, and the log may grow between them.
    with log as materialized (
      select ${EVENT_LOG} from event_logs l where l.workspace_id = ${workspace}
    ), scanned as materialized (
      ${eventsAfter(workspace, after, sql`sequence, id, type, audience`, scan)}
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select ${workspace}, gen_random_uuid(), ${endpoint.id}::uuid, ${endpoint.keyId}, s.sequence, s.id, s.type, app_now()
      from scanned s
      where ${isReadable(endpoint.readable)}
        and not exists (
          select from webhook_deliveries d
          where d.workspace_id = ${workspace} and d.event_id = s.id and d.endpoint_id = ${endpoint.id}::uuid
            and d.status in ('delivered', 'pending', 'retrying'))
        and s.id not in (
          select h.event_id from webhook_handovers h
          where h.workspace_id = ${workspace} and h.endpoint_id = ${endpoint.id}::uuid)
      order by s.sequence
      returning 1
    )
    select (select count(*) from queued)::integer as queued, log.*,
      case when (select count(*) from scanned) < ${scan}::integer then log.last_sequence
        else (select max(sequence) from scanned) end as next_after
    from log`

const CANCELED = sql`status = 'canceled', next_attempt_at = null, lease_token = null, leased_until = null`
/** An attempt in flight runs to its end. */
const NOT_IN_FLIGHT = sql`
  d.status in ('pending', 'retrying') and (d.lease_token is null or d.leased_until <= app_now())`

/** Cancels waiting deliveries of endpoints that were just disabled. */
export const cancelWaiting = (part: Partition<EndpointKey>) => sql`
  update webhook_deliveries d set ${CANCELED}
  from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[]) as e (workspace_id, id)
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and ${NOT_IN_FLIGHT} ${ofWorkspace(part, 'd.workspace_id')}`

const HAS_WAITING = sql`exists (
  select from webhook_deliveries d
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.status in ('pending', 'retrying'))`

export interface Orphaned extends EndpointKey {
  key_ended: boolean
}

/** Disabled endpoints, or this one, with deliveries that wait. */
export const orphanedEndpoints = (only?: { workspace: string; id: string }): Sql<Orphaned> =>
  sql<Orphaned>`
    with disabled as materialized (
      select e.workspace_id, e.id, e.key_id from webhook_endpoints e
      where not e.enabled ${only ? sql`and e.workspace_id = ${only.workspace} and e.id = ${only.id}::uuid` : none}
        and ${HAS_WAITING}
    )
    select e.workspace_id, e.id, k.revoked_at is not null or coalesce(k.expires_at <= app_now(), false) as key_ended
    from disabled e join api_keys k on k.id = e.key_id`

/**
 * Cancels deliveries that were queued while their endpoint was being disabled: the sequencer may have read it as
 * enabled just before. Redeliveries are allowed for a disabled endpoint and stay while the key is valid.
 */
export const cancelOrphaned = (part: Partition<Orphaned>) => sql`
  with orphaned as materialized (
    select * from unnest(${part.rows.map(e => e.workspace_id)}::text[], ${part.rows.map(e => e.id)}::uuid[],
      ${part.rows.map(e => e.key_ended)}::boolean[]) as o (workspace_id, id, key_ended)
  ), locked as materialized (
    select e.workspace_id, e.id, o.key_ended
    from orphaned o join webhook_endpoints e on e.workspace_id = o.workspace_id and e.id = o.id
    where not e.enabled ${ofWorkspace(part, 'e.workspace_id')}
    ${IN_ORDER}
  )
  update webhook_deliveries d set ${CANCELED} from locked e
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and (d.kind <> 'redelivery' or e.key_ended)
    and ${NOT_IN_FLIGHT} ${ofWorkspace(part, 'd.workspace_id')}`

/**
 * Endpoints with deliveries that wait, whose key reads less than it was granted because the role of its user was lowered.
 * With `keyIds`, of these keys, whatever they were granted.
 */
export const loweredEndpoints = (keyIds?: readonly string[]) =>
  sql<EndpointKey & { scopes: Scope[] }>`
    with lowered as materialized (
      select k.id, k.scopes from api_keys k
      where ${keyIds ? sql`k.id = any(${keyIds}::text[])` : sql`cardinality(k.scopes) < cardinality(k.granted_scopes)`}
    ), endpoints as materialized (
      select e.workspace_id, e.id, e.key_id from webhook_endpoints e
      where e.key_id in (select id from lowered) and ${HAS_WAITING}
    )
    select e.workspace_id, e.id, k.scopes from endpoints e join lowered k on k.id = e.key_id`

export interface Unreadable extends EndpointKey {
  types: readonly string[]
}

/** Cancels waiting deliveries of these types. */
export const cancelUnreadable = (part: Partition<Unreadable>) => sql`
  with unreadable as materialized (
    select * from jsonb_to_recordset(${JSON.stringify(part.rows)}::jsonb) as u (workspace_id text, id uuid, types text[])
  ), locked as materialized (
    select e.workspace_id, e.id, u.types
    from unreadable u join webhook_endpoints e on e.workspace_id = u.workspace_id and e.id = u.id
    where true ${ofWorkspace(part, 'e.workspace_id')}
    ${IN_ORDER}
  )
  update webhook_deliveries d set ${CANCELED} from locked e
  where d.workspace_id = e.workspace_id and d.endpoint_id = e.id and d.event_type = any(e.types)
    and ${NOT_IN_FLIGHT} ${ofWorkspace(part, 'd.workspace_id')}`

/** The lease of a delivery: the sender that has the token sends it. */
export interface Lease {
  workspace_id: string
  endpoint_id: string
  id: string
  lease_token: string
}

/** All that was handed over of an endpoint, in flight or not. */
export const selectHandOvers = (workspace: string, endpoint: string): Sql<Lease> =>
  sql<Lease>`
    select workspace_id, endpoint_id, id, lease_token from webhook_handovers
    where workspace_id = ${workspace} and endpoint_id = ${endpoint}::uuid`

/**
 * Makes deliveries that were handed over, and whose attempts have not ended, wait to be claimed; or cancels them. Those
 * whose results another transaction is recording are left to it.
 */
export const returnHandOvers = (part: Partition<Lease>, as: 'pending' | 'canceled') => sql`
  with chosen as materialized (
    select h.workspace_id, h.endpoint_id, h.id
    from unnest(${part.rows.map(d => d.workspace_id)}::text[], ${part.rows.map(d => d.endpoint_id)}::uuid[],
      ${part.rows.map(d => d.id)}::uuid[], ${part.rows.map(d => d.lease_token)}::uuid[])
      as o (workspace_id, endpoint_id, id, token)
    join webhook_handovers h on h.workspace_id = o.workspace_id and h.endpoint_id = o.endpoint_id and h.id = o.id
    where h.lease_token = o.token ${ofWorkspace(part, 'h.workspace_id')}
    for update of h skip locked
  ), returned as (
    delete from webhook_handovers h using chosen c
    where h.workspace_id = c.workspace_id and h.endpoint_id = c.endpoint_id and h.id = c.id
      ${ofWorkspace(part, 'h.workspace_id')}
    returning h.*
  )
  insert into webhook_deliveries
    (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, created_at, status, next_attempt_at)
  select r.workspace_id, r.id, r.endpoint_id, r.key_id, r.event_sequence, r.event_id, r.event_type, r.created_at, ${as},
    ${as === 'pending' ? sql`r.created_at` : sql`null`}
  from returned r join webhook_endpoints e on e.workspace_id = r.workspace_id and e.id = r.endpoint_id
  where true ${ofWorkspace(part, 'e.workspace_id')}
  order by r.event_sequence`

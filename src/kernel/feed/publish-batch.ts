import { EVENT_TYPES, EVENTS } from '../../contract/events.ts'
import { vendorIdOfKey } from '../access/vendor.ts'
import type { Transaction } from '../db/database.ts'
import { onlyRow } from '../db/queryable.ts'
import { none, type Sql, sql } from '../db/sql.ts'
import type { HandedOver, HandOverOffer } from './hand-over.ts'

/**
 * Publishes the chosen events into these logs: events of their workspaces, or those of no workspace. The logs must be
 * locked in this transaction, by a statement before this one.
 */
export async function publish(
  tx: Transaction,
  chosen: Sql,
  logs: readonly string[],
  which: 'own' | 'shared' = 'own',
  offer?: HandOverOffer,
): Promise<Published> {
  const [, rows] = await Promise.all([tx.query(FORCE_INDEX), tx.query(publishBatch(chosen, logs, which, offer))])
  const { moved, queued } = onlyRow(rows)
  const handedOver = rows.flatMap(({ moved: _, queued: __, ...delivery }) => (delivery.id === null ? [] : [delivery]))
  return { moved, queued, handedOver }
}

/**
 * The outbox is empty at most times, also when its statistics are collected, and has a million rows a moment later: a
 * plan for an empty table would read and sort all of them for each batch. `set local` reaches the node of the rows.
 */
export const FORCE_INDEX = sql`set local enable_seqscan = off`

/**
 * In key order, so that two sequencers cannot deadlock. A statement of its own: the statement that publishes must take
 * its snapshot after the locks are held.
 */
export const lockLogs = (of: readonly string[] | 'all') =>
  sql<{ workspace_id: string }>`
    select workspace_id from event_logs ${of === 'all' ? none : sql`where workspace_id = any(${of}::text[])`}
    order by workspace_id for update`

/**
 * The oldest events of workspaces whose logs are locked. Events of other workspaces arrived after the locks were taken
 * and wait for the next batch. A deleted workspace has no log: its events are removed from the outbox and not
 * published. The workspaces are those of the oldest events, so a long backlog is not read completely.
 */
export const selectOldest = (workspaces: readonly string[], size: number) =>
  sql`
    select id from outbox where workspace_id = any(${workspaces}::text[]) order by id limit ${size}`

export interface Published {
  /** events that left the outbox */
  moved: number
  /** deliveries that were created for them and wait to be claimed */
  queued: number
  /** those that were leased to the sender in this process */
  handedOver: readonly HandedOver[]
}

/** One without a delivery if none was handed over. */
type PublishedRow = Pick<Published, 'moved' | 'queued'> & (HandedOver | { id: null })

const SCOPES_OF_TYPES = EVENT_TYPES.map(type => EVENTS[type].scope)
/** an array of null matches no key */
const OWN_SCOPES_OF_TYPES = EVENT_TYPES.map(type => EVENTS[type].ownScope ?? null)

/** The key `k` is valid now. */
export const VALID_KEY = sql`k.revoked_at is null and (k.expires_at is null or k.expires_at > app_now())`

/**
 * The logs that each event of no workspace goes into: those of the workspaces that a valid key, or a user's consent to
 * an app, reaches with the scope of its type. The copies share the id of the event; each has the number of its log.
 */
const sharedEntries = (logs: readonly string[]) => sql`
  select b.*, null::handle as audience, r.workspace_id as log from batch b join (
    select distinct c.type, h.workspace_id from catalogue c join (
      select k.scopes, unnest(case when k.workspace_scope = 'single' then array[k.workspace_id::text]
        else k.workspace_ids end) as workspace_id
      from api_keys k where k.workspace_scope <> 'all' and ${VALID_KEY}
      union all
      select k.scopes, all_logs.workspace_id from api_keys k cross join unnest(${logs}::text[]) as all_logs (workspace_id)
      where k.workspace_scope = 'all' and ${VALID_KEY}
      union all
      select a.scopes, a.workspace_id from app_consents a
      join connected_apps p on p.workspace_id = a.workspace_id and p.id = a.app_id and p.revoked_at is null
      where a.revoked_at is null
    ) h on h.scopes @> array[c.scope]
  ) r on r.type = b.type
  where r.workspace_id in (select unnest(${logs}::text[]))`

/**
 * One statement: an event gets its number, its row in the log and its deliveries together or not at all. Events of no
 * workspace go into the given logs. A delivery is created for each enabled endpoint of the log's workspace that wants
 * the type and whose key is valid now and may read it. With an offer some are created with a lease.
 */
export const publishBatch = (
  chosen: Sql,
  logs: readonly string[],
  which: 'own' | 'shared' = 'own',
  offer?: HandOverOffer,
) =>
  sql<PublishedRow>`
    -- each event type with the scope that reads it, and the one that reads it for its audience
    with catalogue as (
      select * from unnest(${EVENT_TYPES}::text[], ${SCOPES_OF_TYPES}::text[], ${OWN_SCOPES_OF_TYPES}::text[])
        as c (type, scope, own_scope)
    -- What leaves the outbox. An array, because a join with a table that looks empty may compare each row with each.
    ), batch as (
      ${
        which === 'shared'
          ? sql`delete from shared_outbox where id = any(array(${chosen})) returning *`
          : sql`delete from outbox where workspace_id = any(${logs}::text[]) and id = any(array(${chosen})) returning *`
      }
    -- which log each event goes into: one, or for an event of no workspace several
    ), entries as materialized (
      ${which === 'shared' ? sharedEntries(logs) : sql`select b.*, b.workspace_id::text as log from batch b`}
    -- the counter of each log, raised by the number of its new events
    ), raised as (
      update event_logs l set last_sequence = l.last_sequence + n.entries
      from (select log, count(*) as entries from entries group by log) n
      where l.workspace_id = n.log and l.workspace_id = any(${logs}::text[])
      returning l.workspace_id, l.last_sequence - n.entries as previous_sequence
    -- the numbers: in each log, in the order of the outbox
    ), numbered as (
      select e.*, r.previous_sequence + row_number() over (partition by e.log order by e.id) as sequence
      from entries e join raised r on r.workspace_id = e.log
    -- the rows of the logs
    ), inserted as (
      insert into events (workspace_id, sequence, id, type, origin_key_id, audience, created_at, body)
      select log, sequence, event_id, type, origin_key_id, audience, created_at, head || sequence || tail from numbered
    -- the endpoints that may receive something
    ), endpoints as materialized (
      select e.workspace_id, e.id, e.key_id, e.event_types, e.source_workspace_id, e.source_id from webhook_endpoints e
      where e.enabled and e.workspace_id = any(${logs}::text[]) and e.workspace_id in (select workspace_id from raised)
    -- apart from them: on a cluster keys are where no endpoint is
    ), keys as materialized (
      select k.id, k.scopes, ${vendorIdOfKey('k')} as vendor from api_keys k where k.id in (select key_id from endpoints) and ${VALID_KEY}
    -- what the endpoints of installations are derived from, in the homes of their apps
    ), sources as materialized (
      select s.id, s.event_types from webhook_endpoints s
      where (s.workspace_id, s.id) in (select source_workspace_id, source_id from endpoints where source_id is not null)
    ), receivers as materialized (
      select e.workspace_id, e.id, e.key_id, coalesce(s.event_types, e.event_types) as event_types, k.scopes, k.vendor
      from endpoints e join keys k on k.id = e.key_id left join sources s on s.id = e.source_id
      where e.source_id is null or s.id is not null
    ${offer ? leasedDeliveries(offer) : DELIVERIES}`

/** Each event with each endpoint that wants it and may read it. */
const WANTED = sql`
  numbered n join receivers r on r.workspace_id = n.log join catalogue c on c.type = n.type
  where (r.event_types = '{}' or n.type = any(r.event_types)) and (r.scopes @> array['events:read', c.scope]
    or n.audience = r.vendor and r.scopes @> array['events:read', c.own_scope])`

const COUNTS = sql`
  (select count(*) from batch)::integer as moved, (select count(*) from queued)::integer as queued`

const DELIVERIES = sql`
    -- a delivery for each endpoint that wants the event and may read it
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select r.workspace_id, gen_random_uuid(), r.id, r.key_id, n.sequence, n.event_id, n.type, app_now()
      from ${WANTED}
      order by n.sequence
      returning 1
    )
    select ${COUNTS}, null as id`

/** The same, and what the sender takes is leased: the first of every endpoint before the second of any, as in a claim. */
const leasedDeliveries = ({ token, leaseSeconds, limit, perEndpoint, capacity }: HandOverOffer) => sql`
    -- the deliveries, numbered within each endpoint
    ), wanted as (
      select r.workspace_id, r.id as endpoint_id, r.key_id, n.sequence, n.event_id, n.type,
        row_number() over (partition by r.workspace_id, r.id order by n.sequence) as rank
      from ${WANTED}
    -- the order in which they would be claimed
    ), ranked as materialized (
      select *, row_number() over (order by rank, sequence) as turn from wanted
    -- how many each endpoint takes; asked once, and only of those that have a turn
    ), capacities as materialized (
      select w.workspace_id, w.endpoint_id,
        (select ${capacity} from webhook_endpoints e where e.workspace_id = w.workspace_id and e.id = w.endpoint_id) as most
      from ranked w where w.rank = 1 and w.turn <= ${limit}::integer
    -- which of them are leased
    ), deliveries as materialized (
      select w.*, gen_random_uuid() as id,
        coalesce(w.turn <= ${limit}::integer and w.rank <= least(c.most, ${perEndpoint}::integer), false) as is_leased
      from ranked w left join capacities c on c.workspace_id = w.workspace_id and c.endpoint_id = w.endpoint_id
    ), queued as (
      insert into webhook_deliveries
        (workspace_id, id, endpoint_id, key_id, event_sequence, event_id, event_type, next_attempt_at)
      select workspace_id, id, endpoint_id, key_id, sequence, event_id, type, app_now()
      from deliveries where not is_leased
      order by sequence
      returning 1
    ), handed_over as (
      insert into webhook_handovers
        (workspace_id, endpoint_id, id, key_id, event_sequence, event_id, event_type, lease_token, leased_until)
      select workspace_id, endpoint_id, id, key_id, sequence, event_id, type, ${token}::uuid,
        app_now() + ${leaseSeconds}::integer * interval '1 second'
      from deliveries where is_leased
      order by sequence
    )
    select ${COUNTS}, d.workspace_id, d.id, d.endpoint_id, d.event_id, d.type as event_type, d.sequence as event_sequence,
      app_now() as sent_at
    from (select 1) one left join deliveries d on d.is_leased
    order by d.sequence`

import { randomUUID } from 'node:crypto'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { isReadable, type ReadableEvents } from '../../kernel/feed/readable.ts'
import type { EventLog } from './rules.ts'

/**
 * How many events of the workspace one read looks at, at most, in search of those that the key may see. Small enough
 * that the planner always walks the index.
 */
export const SCAN = 1_000

/** Columns of the table `l`. */
export const EVENT_LOG = sql`l.last_sequence, l.oldest_sequence, l.epoch,
  (select coalesce(json_agg(json_build_array(lower(r), upper(r))), '[]') from unnest(l.lost) r) as lost`

export interface FeedRow extends EventLog {
  /** the last event that the read looked at, where it stopped for having looked at enough; only on a page that is not full */
  scanned_to: number | null
  /** null on the only row of an empty page */
  sequence: number | null
  body: string | null
}

export interface FeedQuery {
  workspace: string
  after: number
  readable: ReadableEvents
  /** leave out what this key caused */
  excludeKey: string | undefined
  limit: number
}

/**
 * One statement, hence one snapshot: the rows and the end of the log belong together. It must name tables of the
 * workspace alone: a cluster splits a statement that needs others, too, and an event that is published between its parts
 * would be before the end of the log and on no page. One row more than the page tells that there are more. The scan is
 * lazy, so a page that fills early costs little.
 */
export function feedPage({ workspace, after, readable, excludeKey, limit }: FeedQuery): Sql<FeedRow> {
  const others = excludeKey === undefined ? none : sql`and origin_key_id is distinct from ${excludeKey}`
  return sql<FeedRow>`
    with page as materialized (
      select sequence, body from (${eventsAfter(workspace, after, sql`sequence, type, origin_key_id, audience, body`, SCAN)}) scanned
      where ${isReadable(readable)} ${others}
      order by sequence limit ${limit + 1}
    )
    select ${EVENT_LOG}, p.sequence, p.body,
      case when (select count(*) from page) <= ${limit}
        then (${eventsAfter(workspace, after, sql`sequence`, 1)} offset ${SCAN - 1}) end as scanned_to
    from event_logs l left join page p on true
    where l.workspace_id = ${workspace}
    order by p.sequence`
}

/**
 * The epoch of all logs. A new one also makes a gap in each log, so it does not have to come from the snapshot of a page:
 * a reader that gets one without the other gets the other with the next page.
 */
export const feedEpoch = () => sql<{ epoch: string }>`select epoch from feed_state`

/**
 * Every record that the log reported is gone: its events go, another epoch begins, and a number is left out, so that each
 * reader of the earlier history finds a gap. The sequencer waits for the lock of the log. The id is made here: a cluster
 * refuses an update that calls a volatile function.
 */
export const restartLog = (workspace: string): readonly Sql[] => [
  sql`select 1 from event_logs where workspace_id = ${workspace} for update`,
  sql`delete from outbox where workspace_id = ${workspace}`,
  sql`delete from events where workspace_id = ${workspace}`,
  sql`
    update event_logs set last_sequence = last_sequence + 1, oldest_sequence = last_sequence + 2,
      epoch = md5(${randomUUID()})
    where workspace_id = ${workspace}`,
]

/** The epoch of one log, and its last number. */
export const logState = (workspace: string): Sql<{ epoch: string | null; last_sequence: number }> =>
  sql<{ epoch: string | null; last_sequence: number }>`
    select epoch, last_sequence from event_logs where workspace_id = ${workspace}`

/** The next events of a workspace's log. */
export const eventsAfter = (workspace: string, after: number, columns: Sql, limit: number): Sql => sql`
  select ${columns} from events where workspace_id = ${workspace} and sequence > ${after}::bigint
  order by sequence limit ${limit}`

/** How far the logs of these workspaces have come. */
export const lastSequences = (workspaces: readonly string[]) =>
  sql<{ workspace_id: string; last_sequence: number }>`
    select workspace_id, last_sequence from event_logs where workspace_id = any(${workspaces}::text[])`

export const liveEvents = (workspace: string, after: number, limit: number) =>
  sql<{ sequence: number; type: string; body: string }>`
    ${eventsAfter(workspace, after, sql`sequence, type, body`, limit)}`

export const eventById = (workspace: string, id: string, readable: ReadableEvents): Sql<{ body: string }> =>
  sql<{ body: string }>`
    select body from events where workspace_id = ${workspace} and id = ${id} and ${isReadable(readable)}`

export interface SearchedEvent {
  sequence: number
  id: string
  type: string
  created_at: string
  origin_key_id: string | null
  body: string
}

export interface EventSearch {
  workspace: string
  /** look at events before this sequence, backwards, */
  before: number
  /** down to this one */
  after: number
  types: readonly string[] | undefined
  /** `api`: caused by API writes; `product`: not; else the key that caused them */
  origin: string | undefined
  /** the record that the event is about, or the event's own id */
  about: string | undefined
  createdAfter: string | undefined
  createdBefore: string | undefined
  limit: number
}

/** How many events one search looks at; a longer way back takes several. */
export const SEARCH_SCAN = 5_000

/**
 * Backwards through the log, for people. `reached` is the sequence that the search came down to where it ended for
 * having looked at enough; null where it saw everything or filled the page.
 */
export function searchEvents(s: EventSearch): Sql<Partial<SearchedEvent> & { reached: number | null }> {
  const origin =
    s.origin === undefined
      ? none
      : s.origin === 'api'
        ? sql`and origin_key_id is not null`
        : s.origin === 'product'
          ? sql`and origin_key_id is null`
          : sql`and origin_key_id = ${s.origin}`
  return sql<Partial<SearchedEvent> & { reached: number | null }>`
    with scanned as materialized (
      select sequence, id, type, created_at, origin_key_id, body from events
      where workspace_id = ${s.workspace} and sequence < ${s.before}::bigint and sequence > ${s.after}::bigint
      order by sequence desc limit ${SEARCH_SCAN}
    ), page as materialized (
      select * from scanned
      where true ${s.types === undefined ? none : sql`and type = any(${s.types}::text[])`} ${origin}
        ${s.about === undefined ? none : sql`and (id = ${s.about} or position(${`"id":"${s.about}"`} in body) > 0)`}
        ${s.createdAfter === undefined ? none : sql`and created_at > ${s.createdAfter}::timestamptz`}
        ${s.createdBefore === undefined ? none : sql`and created_at < ${s.createdBefore}::timestamptz`}
      order by sequence desc limit ${s.limit}
    )
    select p.*, case when (select count(*) from page) < ${s.limit}::integer
        and (select count(*) from scanned) = ${SEARCH_SCAN}::integer
      then (select min(sequence) from scanned) end as reached
    from (values (1)) as always left join page p on true
    order by p.sequence desc`
}

/** A transaction's events carry the time it began; they can be in the log this much after younger ones. */
const DISORDER = sql`interval '1 minute'`

/** A sequence that is before every event that was recorded since a time. */
export const sequenceAt = (workspace: string, time: string) =>
  sql<{ sequence: number }>`${lastBefore(workspace, sql`${time}::timestamptz - ${DISORDER}`, sql`low`)}`

/** A sequence that is after every event that was recorded up to a time. */
export const sequenceAfter = (workspace: string, time: string) =>
  sql<{ sequence: number }>`${lastBefore(workspace, sql`${time}::timestamptz + ${DISORDER}`, sql`low + 1`)}`

/**
 * Halves the log until one number is left, `low`: events up to it were recorded before the time, the next one was not.
 * Numbers grow with time, so no index by time is needed, which every event would have to be written to.
 */
const lastBefore = (workspace: string, time: Sql, shown: Sql): Sql => sql`
  with recursive halves as (
    select oldest_sequence - 1 as low, last_sequence + 1 as high from event_logs where workspace_id = ${workspace}
    union all
    select case when e.sequence < h.high and e.created_at < ${time} then e.sequence else h.low end,
      case when e.sequence < h.high and e.created_at < ${time} then h.high else h.middle end
    from (select low, high, (low + high) / 2 as middle from halves where high - low > 1) h
    left join lateral (
      select sequence, created_at from events where workspace_id = ${workspace} and sequence >= h.middle
      order by sequence limit 1
    ) e on true
  )
  select ${shown} as sequence from halves where high - low <= 1`

/** No sequencer can lock a log; readers do not wait. The table, because rows of several shards cannot be locked together. */
export const lockAllLogs = () => sql`lock table event_logs in exclusive mode`

/**
 * Beyond every number that the store which was replaced can have given: milliseconds of the clock grow faster than any log,
 * so that two restores of one backup do not give the same numbers. Ranges lost before stay lost.
 */
export const skipLostNumbers = (count: number) => sql`
  with next as (
    select workspace_id, greatest(last_sequence + ${count}::bigint, (extract(epoch from app_now()) * 1000)::bigint) as first
    from event_logs
  )
  update event_logs l
  set lost = l.lost + int8multirange(int8range(l.last_sequence + 1, n.first)), last_sequence = n.first
  from next n where n.workspace_id = l.workspace_id`

export const renameLog = () =>
  sql<{ epoch: string }>`update feed_state set epoch = md5(gen_random_uuid()::text) returning epoch`

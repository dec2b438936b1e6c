import { API_LIMITS } from '../../contract/limits.ts'
import { ofWorkspace, type Partition } from '../db/partitions.ts'
import { type Sql, sql } from '../db/sql.ts'

/** As long as the workspace of the log set (`r`), and as the specification promises otherwise. */
const EXPIRED = sql`
  created_at < app_now() - coalesce(r.event_days, ${API_LIMITS.eventRetentionDays}::integer) * interval '1 day'`

/** The logs that start with an expired event. The old end of each is looked at: of one with nothing to remove, one row is read. */
export const logsToPrune = (limit: number): Sql<{ workspace_id: string }> =>
  sql<{ workspace_id: string }>`
    select l.workspace_id from event_logs l left join workspace_retention r on r.workspace_id = l.workspace_id
    where (select ${EXPIRED} from events where workspace_id = l.workspace_id order by sequence limit 1)
    order by l.workspace_id limit ${limit}`

/**
 * Deletes a batch of events whose retention is over: in each log oldest first and without gaps, so that the log always
 * starts at one sequence, which readers are shown. The boundary is searched from the old end. The logs are locked last, in
 * the order in which the sequencer locks them, so that it waits for the end of this statement only; rows that another
 * transaction has locked (an erasure that rewrites them) are left for the next round.
 */
export const pruneEvents = (part: Partition<{ workspace_id: string }>, batchSize: number): Sql<{ removed: number }> =>
  sql<{ removed: number }>`
  -- the first number that each log retains
  with due as materialized (
    select l.workspace_id, coalesce((
        select sequence from events where workspace_id = l.workspace_id ${ofWorkspace(part, 'workspace_id')} and not (${EXPIRED})
        order by sequence limit 1
      ), l.last_sequence + 1) as first_retained
    from event_logs l left join workspace_retention r on r.workspace_id = l.workspace_id ${ofWorkspace(part, 'r.workspace_id')}
    where ${part.only === undefined ? sql`l.workspace_id = any(${part.rows.map(row => row.workspace_id)}::text[])` : sql`l.workspace_id = ${part.only}`}
  -- a batch of their expired events
  ), chosen as materialized (
    select e.workspace_id, e.sequence from due d join events e on e.workspace_id = d.workspace_id and e.sequence < d.first_retained
    where true ${ofWorkspace(part, 'e.workspace_id')}
    order by e.workspace_id, e.sequence limit ${batchSize} for update of e skip locked
  ), removed as (
    delete from events e using chosen c
    where e.workspace_id = c.workspace_id and e.sequence = c.sequence ${ofWorkspace(part, 'e.workspace_id')}
    returning e.workspace_id, e.sequence
  -- where each log now starts
  ), starts as materialized (
    select workspace_id, max(sequence) + 1 as oldest from removed group by workspace_id
  -- the rows of the logs, locked in key order
  ), locked as materialized (
    select l.workspace_id, n.oldest from event_logs l join starts n on n.workspace_id = l.workspace_id
    where true ${ofWorkspace(part, 'l.workspace_id')}
    order by l.workspace_id for update of l
  ), updated as (
    update event_logs l set oldest_sequence = greatest(l.oldest_sequence, k.oldest)
    from locked k where l.workspace_id = k.workspace_id ${ofWorkspace(part, 'l.workspace_id')}
  )
  select count(*)::integer as removed from removed`

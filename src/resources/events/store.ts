import { none, type Sql, sql } from '../../kernel/db/sql.ts'

/**
 * How many events of the workspace one read looks at, at most, in search of those that the key may see. Small enough
 * that the planner always walks the index.
 */
export const SCAN = 1_000

export interface FeedRow {
  last_sequence: number
  oldest_sequence: number
  /** the last event that the read looked at, where it stopped for having looked at enough; only on a page that is not full */
  scanned_to: number | null
  /** null on the only row of an empty page */
  sequence: number | null
  body: string | null
}

export interface FeedQuery {
  workspace: string
  after: number
  types: readonly string[]
  /** leave out what this key caused */
  excludeKey: string | undefined
  limit: number
}

/**
 * One statement, hence one snapshot: the rows and the end of the feed belong together. One row more than the page tells
 * that there are more. The scan is lazy, so a page that fills early costs little.
 */
export function feedPage({ workspace, after, types, excludeKey, limit }: FeedQuery): Sql<FeedRow> {
  const columns = sql`sequence, type, origin_key_id::text as origin_key_id, body`
  const others = excludeKey === undefined ? none : sql`and origin_key_id is distinct from ${excludeKey}`
  return sql<FeedRow>`
    with page as materialized (
      select sequence, body from (${eventsAfter(workspace, after, columns, SCAN)}) scanned
      where type = any(${types}::text[]) ${others}
      order by sequence limit ${limit + 1}
    )
    select f.last_sequence, f.oldest_sequence, p.sequence, p.body,
      case when (select count(*) from page) <= ${limit}
        then (${eventsAfter(workspace, after, sql`sequence`, SCAN)} offset ${SCAN - 1}) end as scanned_to
    from feed_state f left join page p on true
    order by p.sequence`
}

/**
 * The next events of a workspace, and those of none, merged in their order. Each half is ordered and limited by itself,
 * which keeps the planner on the index; and no column is of a domain type, with which the two could not be merged as
 * they come and would be read whole and sorted.
 */
export const eventsAfter = (workspace: string, after: number, columns: Sql, limit: number): Sql => sql`
  select * from (
    (select ${columns} from events where workspace_id = ${workspace} and sequence > ${after}::bigint
      order by sequence limit ${limit})
    union all
    (select ${columns} from events where workspace_id is null and sequence > ${after}::bigint
      order by sequence limit ${limit})
  ) merged order by sequence limit ${limit}`

export const eventById = (workspace: string, id: string, types: readonly string[]): Sql<{ body: string }> =>
  sql<{ body: string }>`
    select body from events
    where id = ${id} and (workspace_id = ${workspace} or workspace_id is null) and type = any(${types}::text[])`

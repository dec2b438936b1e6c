import { API_LIMITS } from '../../contract/limits.ts'
import { none, raw, type Sql, sql } from '../db/sql.ts'
import type { CursorPosition } from './cursor.ts'
import { integerParam, oneOfParam, type Param, type Params, timeParam } from './params.ts'

/**
 * Lists are read in the order of an index, page after page, by the sort values of the last row (keyset), so that page
 * n costs what page 1 costs. A route names the column; this module builds the end of its statement.
 */
export interface Order {
  /** column by which the list is sorted, a time unless `byType` says otherwise; also the name of the row's field */
  by: string
  byType?: 'timestamptz' | 'integer'
  /** what the statement sorts rows without a value by; it says the same with `coalesce` */
  withoutValue?: number
  /** unique column that settles ties; also the name of the row's field */
  tiebreaker: string
  direction: 'asc' | 'desc'
  /** SQL type of `tiebreaker` */
  tiebreakerType?: 'handle' | 'bigint' | 'uuid' | 'text'
  /** an alias before both columns, where the statement joins */
  table?: string
}

/** Sorted by updated_at: such lists also take updated_after, updated_before and order. */
export const BY_UPDATED: Order = { by: 'updated_at', tiebreaker: 'id', direction: 'desc' }

export interface Page {
  limit: number
  /**
   * The end of the statement, after a `where` that names the workspace: the keyset, the time bounds, order and limit.
   * One row more than the page is read, to know whether there are more.
   */
  clause: Sql
  /** its parts, for statements that find their rows in several steps: keyset and time bounds; the order */
  bounds: Sql
  sort: Sql
}

/** Every row, in no order: for statements that are read to their end through a cursor of the database. */
export const ALL_ROWS: Page = { limit: Number.POSITIVE_INFINITY, clause: none, bounds: none, sort: none }

/** For a list that its handler reads whole: only `limit` matters. */
export const wholePage = (limit: number = API_LIMITS.defaultPageSize): Page => ({ ...ALL_ROWS, limit })

/** Any text is accepted here: `readCursor` refuses what the service did not write, whatever is wrong with it. */
export const cursorParam = (description: string): Param<string> => ({
  description,
  schema: { type: 'string', minLength: 1, maxLength: 2000 },
  parse: text => text,
})

export const PAGING = {
  limit: integerParam('Rows per page.', 1, API_LIMITS.maxPageSize, API_LIMITS.defaultPageSize),
  cursor: cursorParam('`next_cursor` of the previous page. Send the same filters. Valid for one hour.'),
}

const UPDATED = {
  updated_after: timeParam('Only rows changed after this time.'),
  updated_before: timeParam('Only rows changed before this time.'),
  order: oneOfParam('Oldest or newest change first; default desc.', ['asc', 'desc']),
}

export const pagingParams = (order: Order): Params => (order.by === 'updated_at' ? { ...PAGING, ...UPDATED } : PAGING)

export interface PageQuery {
  limit?: number
  cursor?: string
  updated_after?: string
  updated_before?: string
  order?: 'asc' | 'desc'
}

export function makePage(order: Order, query: PageQuery, position: CursorPosition | undefined): Page {
  const wanted = query.limit ?? API_LIMITS.defaultPageSize
  const limit = Math.min(wanted, API_LIMITS.maxResultWindow - (position?.rows ?? 0))
  const direction = query.order ?? order.direction
  const prefix = order.table ? `${order.table}.` : ''
  const by = raw(prefix + order.by)
  const tie = raw(prefix + order.tiebreaker)
  const comparison = raw(direction === 'desc' ? '<' : '>')
  const type = raw(order.tiebreakerType ?? 'handle')
  const byType = raw(order.byType ?? 'timestamptz')
  const keyset = position
    ? sql`and (${by}, ${tie}) ${comparison} (${position.after[0]}::${byType}, ${position.after[1]}::${type})`
    : none
  const after = query.updated_after ? sql`and ${by} > ${query.updated_after}::timestamptz` : none
  const before = query.updated_before ? sql`and ${by} < ${query.updated_before}::timestamptz` : none
  const sort = raw(`order by ${prefix}${order.by} ${direction}, ${prefix}${order.tiebreaker} ${direction}`)
  // As text, not as a parameter: with an unknown limit the planner would expect a tenth of the table and plan again for
  // every page. There are a hundred different limits at most.
  const size = raw(String(limit + 1))
  const within = sql`${keyset} ${after} ${before}`
  return { limit, bounds: within, sort, clause: sql`${within} ${sort} limit ${size}` }
}

/** Cuts a page out of a whole list. */
export function cutWhole<Row>(
  rows: readonly Row[],
  limit: number,
  position: CursorPosition | undefined,
): { rows: readonly Row[]; next?: CursorPosition } {
  const from = position?.rows ?? 0
  const to = Math.min(from + limit, API_LIMITS.maxResultWindow)
  const shown = rows.slice(from, to)
  return rows.length > to ? { rows: shown, next: { after: [], rows: to } } : { rows: shown }
}

/** Cuts the extra row off and says where the next page would start. */
export function cutPage<Row>(
  order: Order,
  page: Page,
  rows: Row[],
  position: CursorPosition | undefined,
): { rows: Row[]; next?: CursorPosition } {
  if (rows.length <= page.limit) return { rows }
  const shown = rows.slice(0, page.limit)
  const last = shown.at(-1) as Record<string, string | number>
  return {
    rows: shown,
    next: {
      after: [last[order.by] ?? order.withoutValue!, last[order.tiebreaker]!],
      rows: (position?.rows ?? 0) + shown.length,
    },
  }
}

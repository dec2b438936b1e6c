import { API_LIMITS } from '../../contract/limits.ts'
import type { Scope } from '../../contract/scopes.ts'
import { none, raw, type Sql, sql } from '../db/sql.ts'
import { fail } from '../errors/api-error.ts'
import type { CursorPosition } from './cursor.ts'
import type { InputFault } from './faults.ts'
import { integerParam, oneOfParam, type Param, type Params, timeParam } from './params.ts'

/**
 * Lists are read in the order of an index, page after page, by the sort values of the last row (keyset), so that page
 * n costs what page 1 costs. A route names the column; this module builds the end of its statement.
 */
export interface Order {
  /** column by which the list is sorted, a time unless `byType` says otherwise (a text is in the collation "C"); also the name of the row's field */
  by: string
  byType?: 'timestamptz' | 'integer' | 'text'
  /** what the statement sorts rows without a value by; it says the same with `coalesce` */
  withoutValue?: number
  /** unique column that settles ties; also the name of the row's field */
  tiebreaker: string
  /** the column that `updated_after` and `updated_before` compare, if it is another one */
  changedAt?: string
  direction: 'asc' | 'desc'
  /** the caller cannot turn it round */
  isFixed?: true
  /** SQL type of `tiebreaker` */
  tiebreakerType?: 'handle' | 'bigint' | 'uuid' | 'text'
  /** an alias before both columns, where the statement joins */
  table?: string
}

/**
 * Another order of a list, for a value of `sort`. `ranked`: the handler decides the order and reads from `page.offset` on;
 * such a list ends after a fixed number of rows.
 */
export interface Sort {
  order: Order | 'ranked'
  /** the parameter that it needs */
  needs?: string
  /** the scope that it needs, because the order tells what the scope shows */
  scope?: Scope
}

export type Sorts = Readonly<Record<string, Sort>>

/** Rows of a ranked list, at most. */
export const MAX_RANKED = 1_000

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
  /** the column that it is sorted by */
  by?: string
  /** how many rows come before the page, in a ranked list */
  offset?: number
  /** the sort values of the row before the page, for lists that are not in the database; none on the first page */
  after?: CursorPosition['after']
}

/** A page of a ranked list; `bounds` has its time bounds. */
export type RankedPage = Page & { offset: number }

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

export const pagingParams = (order: Order, sorts: Sorts = {}): Params => ({
  ...PAGING,
  ...(order.by === 'updated_at' ? UPDATED : {}),
  ...(Object.keys(sorts).length === 0 ? {} : { sort: sortParam(order, sorts) }),
})

const sortParam = (order: Order, sorts: Sorts): Param<string> => {
  const needs = Object.entries(sorts).flatMap(([name, sort]) =>
    sort.needs ? [`\`${name}\` needs ${sort.needs}.`] : [],
  )
  return oneOfParam([`Default ${order.by}.`, ...needs].join(' '), [order.by, ...Object.keys(sorts)])
}

/** The order that a call asks for. */
export const chosenOrder = (order: Order, sorts: Sorts | undefined, { sort }: PageQuery): Sort['order'] =>
  (sort === undefined ? undefined : sorts?.[sort]?.order) ?? order

/** Returns a fault for each parameter that cannot be combined with `sort`. */
export function sortFaults(sorts: Sorts, query: PageQuery & Readonly<Record<string, unknown>>): InputFault[] {
  const { sort } = query
  const chosen = sort === undefined ? undefined : sorts[sort]
  if (!chosen) return []
  const { order, needs } = chosen
  const isMissing = needs !== undefined && query[needs] === undefined
  const isFixed = query.order !== undefined && (order === 'ranked' || order.isFixed)
  return [
    ...(isMissing ? [{ param: 'sort', message: `${sort} needs ${needs}` }] : []),
    ...(isFixed ? [{ param: 'order', message: `cannot be combined with sort=${sort}` }] : []),
  ]
}

export interface PageQuery {
  limit?: number
  cursor?: string
  updated_after?: string
  updated_before?: string
  order?: 'asc' | 'desc'
  sort?: string
}

export function makePage(order: Sort['order'], query: PageQuery, position: CursorPosition | undefined): Page {
  const wanted = query.limit ?? API_LIMITS.defaultPageSize
  if (order === 'ranked') return rankedPage(query, wanted, position?.rows ?? 0)
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
  const sort = raw(`order by ${prefix}${order.by} ${direction}, ${prefix}${order.tiebreaker} ${direction}`)
  // As text, not as a parameter: with an unknown limit the planner would expect a tenth of the table and plan again for
  // every page. There are a hundred different limits at most.
  const size = raw(String(limit + 1))
  const within = sql`${keyset} ${changedWithin(query, prefix + (order.changedAt ?? order.by))}`
  const clause = sql`${within} ${sort} limit ${size}`
  return { limit, by: order.by, bounds: within, sort, clause, ...(position && { after: position.after }) }
}

function rankedPage(query: PageQuery, wanted: number, offset: number): Page {
  if (offset >= MAX_RANKED) {
    const message = `A list that is sorted by relevance ends after ${MAX_RANKED} rows.`
    fail('result_window_exceeded', { param: 'cursor', message })
  }
  return {
    ...ALL_ROWS,
    limit: Math.min(wanted, MAX_RANKED - offset),
    bounds: changedWithin(query, BY_UPDATED.by),
    offset,
  }
}

function changedWithin({ updated_after, updated_before }: PageQuery, column: string): Sql {
  const changed = raw(column)
  const after = updated_after ? sql`and ${changed} > ${updated_after}::timestamptz` : none
  const before = updated_before ? sql`and ${changed} < ${updated_before}::timestamptz` : none
  return sql`${after} ${before}`
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
  order: Sort['order'],
  page: Page,
  rows: Row[],
  position: CursorPosition | undefined,
): { rows: Row[]; next?: CursorPosition } {
  if (rows.length <= page.limit) return { rows }
  const shown = rows.slice(0, page.limit)
  const rowsShown = (position?.rows ?? 0) + shown.length
  if (order === 'ranked') return { rows: shown, next: { after: [], rows: rowsShown } }
  const last = shown.at(-1) as Record<string, string | number>
  return {
    rows: shown,
    next: { after: [last[order.by] ?? order.withoutValue!, last[order.tiebreaker]!], rows: rowsShown },
  }
}

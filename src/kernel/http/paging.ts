import type { Keyring } from '../crypto/signing.ts'
import { type CursorPosition, type Listing, readCursor, writeCursor } from './cursor.ts'
import { makePage, type Page, type PageQuery, type Sort, wholePage } from './list.ts'
import type { Query } from './query.ts'

/** One page of a list: the end of its statement, where it starts, and the cursors that continue it. */
export interface Paging {
  page: Page
  /** undefined on the first page */
  position: CursorPosition | undefined
  cursorAt: (next: CursorPosition) => string
}

/** Reads `limit` and `cursor`. A cursor that does not belong to this listing is refused. `order`: none for a list that is read whole. */
export function readPaging(
  keyring: Keyring,
  order: Sort['order'] | undefined,
  query: PageQuery,
  listing: Listing,
  now: number,
): Paging {
  const position = query.cursor === undefined ? undefined : readCursor(keyring, query.cursor, listing, now)
  return {
    page: order ? makePage(order, query, position) : wholePage(query.limit),
    position,
    cursorAt: next => writeCursor(keyring, next, listing, now),
  }
}

/** The filters that a cursor belongs to, in one spelling. */
export const normalizeFilters = (query: Query): string =>
  [...query]
    .filter(([name]) => name !== 'cursor' && name !== 'limit' && name !== 'workspace_id')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')

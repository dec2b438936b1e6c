import { type Sql, sql } from '../db/sql.ts'

/** The load of a queue, for operators. */
export interface Waiting {
  waiting: number
  /** since when the oldest waits; 0 if none does */
  oldest_seconds: number
}

/** More are not counted, so that a long queue does not cost more than a short one: its age says the rest. */
export const MAX_COUNTED = 10_000

/** `rows` is what follows `from`: the rows that are due, best in the order of an index by their age. */
export const countWaiting = (since: Sql, rows: Sql): Sql<Waiting> => sql<Waiting>`
  select count(*)::integer as waiting,
    greatest(coalesce(extract(epoch from app_now() - min(since)), 0), 0)::float8 as oldest_seconds
  from (select ${since} as since from ${rows} limit ${MAX_COUNTED}) due`

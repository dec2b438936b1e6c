import { type Sql, sql } from '../../kernel/db/sql.ts'
import { workspaceNow } from '../../kernel/db/workspace-time.ts'
import { closingTimes } from '../jobs/index.ts'
import { orderDeadlines } from '../orders/index.ts'
import { accessDeadlines } from '../resumes/index.ts'

export interface TestClock {
  /** real time */
  real_now: string
  /** the time of the clock */
  now: string
  /** the time that the clock advances to */
  target: string
  offset_seconds: number
  target_seconds: number
  advancing: boolean
}

/** Every workspace has one log, whose row is read for it: a clock that was never moved has no row. */
export const testClock = (workspace: string): Sql<TestClock> =>
  sql<TestClock>`
    select app_now() as real_now, ${workspaceNow(workspace)} as now,
      app_now() + coalesce(c.target_seconds, 0) * interval '1 second' as target,
      coalesce(c.offset_seconds, 0) as offset_seconds, coalesce(c.target_seconds, 0) as target_seconds,
      coalesce(c.advancing, false) as advancing
    from event_logs l left join test_clocks c on c.workspace_id = l.workspace_id
    where l.workspace_id = ${workspace}`

export const addClock = (workspace: string) =>
  sql`insert into test_clocks (workspace_id) values (${workspace}) on conflict do nothing`

/** Calls that move one clock take turns. */
export const lockClock = (workspace: string) =>
  sql`select 1 from test_clocks where workspace_id = ${workspace} for update`

export const setTarget = (workspace: string, seconds: number) => sql`
  update test_clocks set target_seconds = ${seconds}::integer, advancing = true where workspace_id = ${workspace}`

/** Up to a time, not beyond what the clock advances to, and never back. */
export const moveClock = (workspace: string, to: string) => sql`
  update test_clocks set offset_seconds = greatest(offset_seconds, least(target_seconds,
    ceil(extract(epoch from ${to}::timestamptz - app_now()))::integer))
  where workspace_id = ${workspace}`

/** Nothing is left to be done, unless the clock was advanced further in the meantime. */
export const finishAdvance = (workspace: string, targetSeconds: number) => sql`
  update test_clocks set advancing = false
  where workspace_id = ${workspace} and offset_seconds = ${targetSeconds}::integer
    and target_seconds = ${targetSeconds}::integer`

export interface Deadlines {
  /** null: there is none */
  next: string | null
  count: number
}

/** What falls due in a workspace up to a time. */
export const deadlinesUntil = (workspace: string, until: string): Sql<Deadlines> => {
  const time = sql`${until}::timestamptz`
  return sql<Deadlines>`
    select min(d.at) as next, count(*)::integer as count from (
      ${orderDeadlines(workspace, time)} union all ${accessDeadlines(workspace, time)}
      union all ${closingTimes(workspace, time)}
    ) d`
}

/** Workspaces whose clock advances; `all`: also those whose clock is ahead and goes on with real time. */
export const movedClocks = (all: boolean): Sql<{ workspace_id: string }> =>
  sql<{ workspace_id: string }>`
    select workspace_id from test_clocks
    where advancing or ${all}::boolean order by workspace_id`

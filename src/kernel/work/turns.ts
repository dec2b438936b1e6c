import { none, type Sql, sql, touched } from '../db/sql.ts'

/**
 * Background work that all workspaces share is scheduled by workspace: the one whose last turn is the longest ago comes
 * next, so that one with much to do delays another by one task at most. Work that can be costly has a budget
 * for each workspace and hour, too. A turn reserves the most that it can cost and gives back the rest at its end: a
 * process that dies leaves the reservation, so a crash gains no time.
 */
export type TurnWork = 'read_resumes' | 'score_again'

export interface TurnRules {
  /** milliseconds of work for a workspace and hour; beyond it, the workspace comes after the others */
  hourlyMs: number
  /** a workspace whose turns lately cost more on average comes after the others */
  slowMs: number
  /** one that came after the others for so long has a turn like them */
  longestWaitSeconds: number
}

/** The place of a workspace in the queue. Null: it never had a turn. */
export interface TurnPlace {
  workspace_id: string
  last_turn_at: string | null
}

const HOUR = sql`date_trunc('hour', app_now(), 'UTC')`

/** For a statement that joins `worker_turns t` by workspace and work. Without rules there is one lane and no budget. */
export const turnOrder = (rules?: TurnRules): Sql => sql`
  ${rules ? lane(rules) : none} coalesce(t.busy_until > app_now(), false), t.last_turn_at nulls first`

const lane = ({ hourlyMs, slowMs, longestWaitSeconds }: TurnRules): Sql => sql`
  case
    when t.workspace_id is null then 0
    when t.last_turn_at <= app_now() - ${longestWaitSeconds}::integer * interval '1 second' then 0
    when t.hour_began_at = ${HOUR} and t.spent_ms >= ${hourlyMs}::bigint then 2
    when t.recent_ms >= ${slowMs}::bigint then 1
    else 0
  end,`

export interface TakenTurn {
  work: TurnWork
  workspace_id: string
  hour_began_at: string
  reserved_ms: number
}

interface NewTurn {
  work: TurnWork
  workspace: string
  reserveMs: number
  busySeconds: number
  /** the place that was seen: no turn is given if another worker has taken it since */
  seen?: TurnPlace
}

export const takeTurn = ({ work, workspace, reserveMs, busySeconds, seen }: NewTurn): Sql<TakenTurn> => sql<TakenTurn>`
  insert into worker_turns as t (workspace_id, work, last_turn_at, busy_until, hour_began_at, spent_ms)
  values (${workspace}, ${work}, app_now(), app_now() + ${busySeconds}::integer * interval '1 second', ${HOUR},
    ${reserveMs}::bigint)
  on conflict (workspace_id, work) do update set last_turn_at = ${touched('t.last_turn_at', 'excluded.last_turn_at')},
    busy_until = excluded.busy_until, hour_began_at = excluded.hour_began_at,
    spent_ms = excluded.spent_ms + case when t.hour_began_at = excluded.hour_began_at then t.spent_ms else 0 end
    ${seen ? sql`where t.last_turn_at is not distinct from ${seen.last_turn_at}::timestamptz` : none}
  returning work, workspace_id, hour_began_at, ${reserveMs}::bigint as reserved_ms`

/** The turn has ended and cost this much. */
export const endTurn = ({ work, workspace_id, hour_began_at, reserved_ms }: TakenTurn, spentMs: number): Sql => sql`
  update worker_turns set busy_until = null, recent_ms = (recent_ms + ${spentMs}::bigint) / 2,
    spent_ms = case when hour_began_at = ${hour_began_at}::timestamptz
      then greatest(0, spent_ms - ${reserved_ms}::bigint + ${spentMs}::bigint) else spent_ms end
  where workspace_id = ${workspace_id} and work = ${work}`

/** Nothing was done in the turn: what was reserved is given back. */
export const cancelTurn = ({ work, workspace_id, hour_began_at, reserved_ms }: TakenTurn): Sql => sql`
  update worker_turns set busy_until = null, spent_ms = case when hour_began_at = ${hour_began_at}::timestamptz
    then greatest(0, spent_ms - ${reserved_ms}::bigint) else spent_ms end
  where workspace_id = ${workspace_id} and work = ${work}`

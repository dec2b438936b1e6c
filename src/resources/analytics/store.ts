import { none, plannedEachTime, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Status } from '../applications/shape.ts'
import type { STAGE_TYPES } from '../jobs/shape.ts'
import type { Window } from './rules.ts'
import type { Grouping } from './shape.ts'

export interface FunnelQuery {
  workspace: string
  window: Window
  grouping: Grouping
  jobId: string | undefined
  department: string | undefined
  source: string | undefined
}

/** The counts kept for each whole day serve the times, those of each whole month the jobs and sources. */
export const DIMENSION = {
  none: 'day',
  week: 'day',
  month: 'day',
  job: 'job',
  department: 'job',
  source: 'source',
} as const satisfies Record<Grouping, string>

type Dimension = (typeof DIMENSION)[Grouping]

/** What applications are counted by at first: a day, a job or a source, as text. */
const partOf: Record<Dimension, Sql> = {
  day: sql`(f.applied_at at time zone 'UTC')::date::text`,
  job: sql`f.job_id::text`,
  source: sql`f.source`,
}
const changedPart: Record<Dimension, Sql> = { day: sql`applied_on::text`, job: sql`job_id::text`, source: sql`source` }
const keptPart: Record<Dimension, Sql> = { day: sql`since::text`, job: sql`key::text`, source: sql`key::text` }

/** What the groups are, from the part. */
const groupKey: Record<Grouping, Sql> = {
  none: sql`null::text`,
  week: sql`to_char(date_trunc('week', part::date), 'YYYY-MM-DD')`,
  month: sql`to_char(date_trunc('month', part::date), 'YYYY-MM-DD')`,
  job: sql`part`,
  department: sql`(select j.department from jobs j where j.workspace_id = w.id and j.id = part)`,
  source: sql`part`,
}

const groupLabel: Record<Grouping, Sql> = {
  none: sql`null::text`,
  week: sql`to_char(key::date, 'IYYY-"W"IW')`,
  month: sql`to_char(key::date, 'YYYY-MM')`,
  job: sql`(select j.title from jobs j where j.workspace_id = w.id and j.id = key)`,
  department: sql`key`,
  source: sql`key`,
}

const filters = (q: FunnelQuery) => sql`
  ${q.jobId === undefined ? none : sql`and f.job_id = ${q.jobId}`}
  ${q.source === undefined ? none : sql`and f.source = ${q.source}`}
  ${
    q.department === undefined
      ? none
      : sql`and f.job_id in (select id from jobs where workspace_id = ${q.workspace} and department = ${q.department})`
  }`

/** Applications one by one, between two times: the first excluded or not, the second always. */
const oneByOne = (q: FunnelQuery, from: Sql, before: string) => sql`
  select ${partOf[DIMENSION[q.grouping]]} as part, f.code, count(*)::integer as n from application_funnel f
  where f.workspace_id = ${q.workspace} and f.applied_at ${from} and f.applied_at < ${before}::timestamptz ${filters(q)}
  group by 1, 2`

export type Spans = { first: string; end: string }

/** Whole spans from the counts and what changed since, the rest of the window one by one. */
function parts(q: FunnelQuery, spans: Spans | undefined): Sql {
  const { after, before } = q.window
  if (!spans) return oneByOne(q, sql`> ${after}::timestamptz`, before)
  const dimension = DIMENSION[q.grouping]
  const { first, end } = spans
  return sql`
    select ${keptPart[dimension]} as part, code, n from funnel_counts
    where workspace_id = ${q.workspace} and dimension = ${dimension}
      and since >= ${first}::timestamptz::date and since < ${end}::timestamptz::date
    union all
    select ${changedPart[dimension]}, code, n::integer from funnel_changes
    where workspace_id = ${q.workspace}
      and applied_on >= ${first}::timestamptz::date and applied_on < ${end}::timestamptz::date
    union all
    ${oneByOne(q, sql`> ${after}::timestamptz`, first)}
    union all
    ${oneByOne(q, sql`>= ${end}::timestamptz`, before)}`
}

export interface CountRow {
  /** 0: the whole; else the place of the group, those with most applications first */
  place: number
  key: string | null
  label: string | null
  code: number
  n: number
}

/** One statement, hence one snapshot: the groups add up to the whole. */
export const funnelCounts = (q: FunnelQuery, spans: Spans | undefined, groups: number): Sql<CountRow> => {
  const shown =
    q.grouping === 'none'
      ? none
      : sql`
    union all
    select t.place::integer, t.key, t.label, g.code, g.n from top t join g
      on coalesce(g.key, '') = coalesce(t.key, '') and (g.key is null) = (t.key is null)`
  return plannedEachTime(sql<CountRow>`
    with g as materialized (
      select ${groupKey[q.grouping]} as key, code, sum(n)::bigint as n
      from (select part, code, sum(n)::integer as n from (${parts(q, spans)}) parts group by 1, 2) p,
        (select ${q.workspace}::text as id) w
      group by 1, 2 having sum(n) <> 0
    ), top as (
      select row_number() over (order by total desc, key) as place, key, ${groupLabel[q.grouping]} as label
      from (select key, sum(n) as total from g group by key order by 2 desc, 1 limit ${groups}) t,
        (select ${q.workspace}::text as id) w
    )
    select 0 as place, null::text as key, null::text as label, code, sum(n)::bigint as n from g group by code
    ${shown}`)
}

export interface MedianRow {
  /** of the whole, not of a group */
  whole: boolean
  key: string | null
  /** number of a stage type: hours in it; -1: days to hire */
  what: number
  median: number
}

/** Among the applications of the first lots, which are as good as a draw; all of them where `lots` is left out. */
export const funnelMedians = (q: FunnelQuery, lots: number | undefined): Sql<MedianRow> =>
  plannedEachTime(sql<MedianRow>`
    with f as materialized (
      select ${groupKey[q.grouping]} as key, f.days_to_hire, f.hours
      from (select ${partOf[DIMENSION[q.grouping]]} as part, days_to_hire, hours from application_funnel f
        where f.workspace_id = ${q.workspace} and (f.hours is not null or f.days_to_hire is not null)
          and f.applied_at > ${q.window.after}::timestamptz and f.applied_at < ${q.window.before}::timestamptz
          ${lots === undefined ? none : sql`and f.lot < ${lots}::integer`} ${filters(q)}) f,
        (select ${q.workspace}::text as id) w
    ), measured as (
      select key, (u.place - 1)::integer as what, u.hours as value
      from f, unnest(f.hours) with ordinality u (hours, place) where u.hours is not null
      union all
      select key, -1, days_to_hire from f where days_to_hire is not null
    )
    select grouping(key) = 1 as whole, key, what, percentile_cont(0.5) within group (order by value) as median
    from measured group by grouping sets ((what), (key, what))`)

export interface JobStage {
  id: string
  name: string
  position: number
  type: (typeof STAGE_TYPES)[number]
}

/** undefined rows: there is no such job. One row without an id: it has no stages. */
export const stagesOfJob = (workspace: string, jobId: string) =>
  sql<JobStage | { id: null }>`
    select s.id, s.name, s.position, s.type from jobs j
    left join pipeline_stages s on s.workspace_id = j.workspace_id and s.job_id = j.id
    where j.workspace_id = ${workspace} and j.id = ${jobId} order by s.position`

export interface StageCountRow {
  whole: boolean
  key: string | null
  stage_id: string
  status: Status
  /** whether they stand in the stage now */
  stands: boolean
  n: number
}

/** The history of the applications of one job, with the stages themselves instead of their types. */
const jobHistory = (q: FunnelQuery) => sql`
  apps as materialized (
    select f.application_id, ${partOf[DIMENSION[q.grouping]]} as part, f.workspace_id as id, a.status, a.stage_id
    from application_funnel f
    join applications a on a.workspace_id = f.workspace_id and a.id = f.application_id
    where f.workspace_id = ${q.workspace} and f.applied_at > ${q.window.after}::timestamptz
      and f.applied_at < ${q.window.before}::timestamptz ${filters(q)}
  ), steps as materialized (
    select t.application_id, t.id, t.to_stage_id, t.to_stage_type <> 'rejected' as is_step,
      extract(epoch from lead(t.at) over (partition by t.application_id order by t.id) - t.at) / 3600 as stay
    from apps a join stage_transitions t on t.workspace_id = ${q.workspace} and t.application_id = a.application_id
    where t.to_stage_type is not null
  ), last_step as (
    select distinct on (application_id) application_id, to_stage_id from steps where is_step
    order by application_id, id desc
  ), standing as materialized (
    select w.application_id, w.status, ${groupKey[q.grouping]} as key, coalesce(s.to_stage_id, w.stage_id) as stage_id
    from apps w left join last_step s on s.application_id = w.application_id
  ), visits as (
    select application_id, to_stage_id as stage_id, sum(stay) as hours from steps where is_step group by 1, 2
    union all
    select application_id, stage_id, null from standing
    where application_id not in (select application_id from last_step)
  )`

export const stageCounts = (q: FunnelQuery): Sql<StageCountRow> =>
  plannedEachTime(sql<StageCountRow>`
    with ${jobHistory(q)}
    select grouping(s.key) = 1 as whole, s.key, v.stage_id, s.status, s.stage_id = v.stage_id as stands,
      count(*)::integer as n
    from visits v join standing s on s.application_id = v.application_id
    group by grouping sets (
      (v.stage_id, s.status, s.stage_id = v.stage_id), (s.key, v.stage_id, s.status, s.stage_id = v.stage_id))`)

export const stageMedians = (q: FunnelQuery) =>
  plannedEachTime(sql<{ whole: boolean; key: string | null; stage_id: string; median: number }>`
    with ${jobHistory(q)}
    select grouping(s.key) = 1 as whole, s.key, v.stage_id,
      percentile_cont(0.5) within group (order by v.hours) as median
    from visits v join standing s on s.application_id = v.application_id
    where v.stage_id <> s.stage_id and v.hours is not null
    group by grouping sets ((v.stage_id), (s.key, v.stage_id))`)

/** Adds changes up into the counts, some at a time. */
export const addChanges = (piece: number) =>
  sql<{ added: number }>`
    with taken as (
      delete from funnel_changes where id in (select id from funnel_changes order by id limit ${piece})
      returning workspace_id, applied_on, job_id, source, code, n
    ), summed as (
      select workspace_id, dimension, since, key, code, sum(n) as n from (
        select workspace_id, 'day' as dimension, applied_on as since, '' as key, code, n from taken
        union all
        select workspace_id, 'job', date_trunc('month', applied_on)::date, job_id, code, n from taken
        union all
        select workspace_id, 'source', date_trunc('month', applied_on)::date, source, code, n from taken
      ) parts group by 1, 2, 3, 4, 5 having sum(n) <> 0
    ), kept as (
      insert into funnel_counts as c (workspace_id, dimension, since, key, code, n)
      select s.* from summed s where exists (select from workspaces w where w.id = s.workspace_id)
      on conflict (workspace_id, dimension, since, key, code) do update set n = c.n + excluded.n
    )
    select count(*)::integer as added from taken`

/** One process at a time adds up; the others have nothing to do meanwhile. */
export const tryAdding = sql<{ held: boolean }>`select pg_try_advisory_xact_lock(4817204) as held`

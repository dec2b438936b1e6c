import { none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Status } from '../applications/shape.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'
import type { CodeCount, Window } from './rules.ts'
import type { Grouping } from './shape.ts'

export interface FunnelQuery {
  workspace: string
  window: Window
  grouping: Grouping
  jobId: string | undefined
  department: string | undefined
  source: string | undefined
}

/** A time at which a group may begin: counts kept by day tell all of them, those by month only months. */
export type Dimension = 'day' | 'job' | 'job_source'

/** What applications are counted by at first, of a row that says the day it counts for, its job and its source. */
const partOf = (grouping: Grouping, day: Sql, job: Sql, source: Sql): Sql =>
  ({ none: sql`0`, week: day, month: day, job, department: job, source })[grouping]

const applicationPart = (q: FunnelQuery) =>
  partOf(q.grouping, sql`(f.applied_at at time zone 'UTC')::date`, sql`f.job_id`, sql`f.source`)

/** What the groups are, from their parts; `j` is the job of a part that is one. */
const groupKey: Record<Grouping, Sql> = {
  none: sql`null::text`,
  week: sql`to_char(date_trunc('week', part), 'YYYY-MM-DD')`,
  month: sql`to_char(date_trunc('month', part), 'YYYY-MM-DD')`,
  job: sql`part::text`,
  department: sql`j.department`,
  source: sql`part`,
}

/** Groups with a number, by which sorting is cheaper than by their keys. */
const groupsAmong = (q: FunnelQuery, parts: Sql) => sql`
  select part, key, (dense_rank() over (order by key))::integer as no from (
    select part, ${groupKey[q.grouping]} as key from (select distinct part from ${parts}) parts
    ${q.grouping === 'department' ? sql`left join jobs j on j.workspace_id = ${q.workspace} and j.id = part` : none}
  ) keys`

const groupLabel: Record<Grouping, Sql> = {
  none: sql`null::text`,
  week: sql`to_char(key::date, 'IYYY-"W"IW')`,
  month: sql`to_char(key::date, 'YYYY-MM')`,
  job: sql`(select j.title from jobs j where j.workspace_id = w.id and j.id = key)`,
  department: sql`key`,
  source: sql`key`,
}

const filters = (q: FunnelQuery, job = sql`f.job_id`, source = sql`f.source`) => sql`
  ${q.jobId === undefined ? none : sql`and ${job} = ${q.jobId}`}
  ${q.source === undefined ? none : sql`and ${source} = ${q.source}`}
  ${
    q.department === undefined
      ? none
      : sql`and ${job} in (select id from jobs where workspace_id = ${q.workspace} and department = ${q.department})`
  }`

/** Whole days or months inside the window, and the counts that are kept for them and can tell what is asked. */
export interface Kept {
  dimension: Dimension
  first: string
  end: string
}

/** Applications one by one, between two times: the first excluded or not, the second always. */
const oneByOne = (q: FunnelQuery, from: Sql, before: string) => sql`
  select ${applicationPart(q)} as part, f.code, count(*)::integer as n from application_funnel f
  where f.workspace_id = ${q.workspace} and f.applied_at ${from} and f.applied_at < ${before}::timestamptz ${filters(q)}
  group by 1, 2`

/** Whole spans from the counts and what changed since, the rest of the window one by one. */
function parts(q: FunnelQuery, kept: Kept | undefined): Sql {
  const { after, before } = q.window
  if (!kept) return oneByOne(q, sql`> ${after}::timestamptz`, before)
  const { dimension, first, end } = kept
  const [job, source] = [sql`job_id`, sql`source`]
  return sql`
    select ${partOf(q.grouping, sql`since`, job, source)} as part, code, n from funnel_counts
    where workspace_id = ${q.workspace} and dimension = ${dimension}
      and since >= ${first}::timestamptz::date and since < ${end}::timestamptz::date ${filters(q, job, source)}
    union all
    select ${partOf(q.grouping, sql`applied_on`, job, source)}, code, n::integer from funnel_changes
    where workspace_id = ${q.workspace}
      and applied_on >= ${first}::timestamptz::date and applied_on < ${end}::timestamptz::date ${filters(q, job, source)}
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
  counts: CodeCount[]
}

const COUNTS = sql`json_agg(json_build_object('code', code, 'n', n))`

/** One statement, hence one snapshot: the groups add up to the whole. */
export const funnelCounts = (q: FunnelQuery, kept: Kept | undefined, groups: number): Sql<CountRow> =>
  plannedEachTime(sql<CountRow>`
    with p as materialized (
      select part, code, sum(n)::integer as n from (${parts(q, kept)}) parts group by 1, 2 having sum(n) <> 0
    ), keys as materialized (
      ${groupsAmong(q, sql`p`)}
    ), g as materialized (
      select no, code, sum(n)::integer as n from p join keys using (part) group by 1, 2
    ), top as materialized (
      select no, key, row_number() over (order by total desc, key) as place
      from (select no, sum(n) as total from g group by no) t join (select distinct no, key from keys) k using (no)
      order by total desc, key limit ${groups}
    )
    select 0 as place, null::text as key, null::text as label, ${COUNTS} as counts
    from (select code, sum(n) as n from g group by code) whole having count(*) > 0
    ${
      q.grouping === 'none'
        ? none
        : sql`
    union all
    select place::integer, key, ${groupLabel[q.grouping]}, counts
    from top join (select no, ${COUNTS} as counts from g where no in (select no from top) group by no) c using (no),
      (select ${q.workspace}::text as id) w`
    }`)

export interface MedianRow {
  /** of the whole, not of a group */
  whole: boolean
  key: string | null
}

const inWindow = (q: FunnelQuery) => sql`
  f.workspace_id = ${q.workspace} and f.applied_at > ${q.window.after}::timestamptz
  and f.applied_at < ${q.window.before}::timestamptz ${filters(q)}`

/** Medians over some applications `f` with a value: of all of them, and of each group. */
const mediansOf = <Row extends MedianRow>(q: FunnelQuery, value: Sql, which: Sql, medians: Sql): Sql<Row> =>
  plannedEachTime(
    q.grouping === 'none'
      ? sql<Row>`
    select true as whole, null::text as key, ${medians} from application_funnel f
    where ${value} is not null ${which} and ${inWindow(q)} having count(*) > 0`
      : sql<Row>`
    with f as materialized (
      select ${applicationPart(q)} as part, ${value} from application_funnel f
      where ${value} is not null ${which} and ${inWindow(q)}
    ), keys as materialized (
      ${groupsAmong(q, sql`f`)}
    )
    select m.no is null as whole, k.key, m.*
    from (select no, ${medians} from f join keys using (part) group by grouping sets ((), (no)) having count(*) > 0) m
    left join (select distinct no, key from keys) k using (no)`,
  )

/** Days from the application to the hire, of everybody who was hired. */
export const hireMedians = (q: FunnelQuery): Sql<MedianRow & { days: number }> =>
  mediansOf(q, sql`f.days_to_hire`, none, sql`percentile_cont(0.5) within group (order by f.days_to_hire) as days`)

export interface HoursRow extends MedianRow {
  /** by the number of the stage type */
  hours: (number | null)[]
}

/** Of each stage type by itself, which is cheaper than to make rows of the stays: nobody stays in `rejected`. */
const HOURS = sql`json_build_array(${raw(
  STAGE_TYPES.map((type, i) =>
    type === 'rejected' ? 'null' : `percentile_cont(0.5) within group (order by f.hours[${i + 1}])`,
  ).join(', '),
)}) as hours`

/** Among the applications of the first lots, which are as good as a draw; all of them where `lots` is left out. */
export const hoursMedians = (q: FunnelQuery, lots: number | undefined): Sql<HoursRow> =>
  mediansOf(q, sql`f.hours`, lots === undefined ? none : sql`and f.lot < ${lots}::integer`, HOURS)

/** Which applications are of the group `g`. */
const ofGroup: Record<Grouping, Sql> = {
  none: sql`true`,
  week: sql`f.applied_at >= g.key::date and f.applied_at < g.key::date + interval '1 week'`,
  month: sql`f.applied_at >= g.key::date and f.applied_at < g.key::date + interval '1 month'`,
  job: sql`f.job_id = g.key`,
  department: sql`f.job_id in (select j.id from jobs j
    where j.workspace_id = f.workspace_id and j.department is not distinct from g.key)`,
  source: sql`f.source = g.key`,
}

/** Of some groups, each among the applications of as many lots as it is given. */
export const groupHoursMedians = (
  q: FunnelQuery,
  groups: readonly { key: string | null; lots: number }[],
): Sql<HoursRow> =>
  plannedEachTime(sql<HoursRow>`
    select false as whole, g.key, f.hours
    from unnest(${groups.map(g => g.key)}::text[], ${groups.map(g => g.lots)}::integer[]) g (key, lots)
    cross join lateral (
      select ${HOURS} from application_funnel f
      where f.hours is not null and f.lot < g.lots and ${ofGroup[q.grouping]} and ${inWindow(q)} having count(*) > 0
    ) f`)

export interface JobStage {
  id: string
  name: string
  position: number
  type: (typeof STAGE_TYPES)[number]
}

/** No row: there is no such job. One row without an id: it has no stages. */
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
    select f.application_id, ${applicationPart(q)} as part, a.status, a.stage_id
    from application_funnel f
    join applications a on a.workspace_id = f.workspace_id and a.id = f.application_id
    where ${inWindow(q)}
  ), steps as materialized (
    select t.application_id, t.id, t.to_stage_id, t.to_stage_type <> 'rejected' as is_step,
      extract(epoch from lead(t.at) over (partition by t.application_id order by t.id) - t.at) / 3600 as stay
    from apps a join stage_transitions t on t.workspace_id = ${q.workspace} and t.application_id = a.application_id
    where t.to_stage_type is not null
  ), last_step as (
    select distinct on (application_id) application_id, to_stage_id from steps where is_step
    order by application_id, id desc
  ), standing as materialized (
    select a.application_id, a.status, k.key, coalesce(s.to_stage_id, a.stage_id) as stage_id
    from apps a join (${groupsAmong(q, sql`apps`)}) k using (part)
    left join last_step s on s.application_id = a.application_id
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
      select workspace_id, dimension, source, since, job_id, code, sum(n) as n from (
        select workspace_id, 'day' as dimension, source, applied_on as since, '' as job_id, code, n from taken
        union all
        select workspace_id, 'job', '', date_trunc('month', applied_on)::date, job_id, code, n from taken
        union all
        select workspace_id, 'job_source', source, date_trunc('month', applied_on)::date, job_id, code, n from taken
      ) parts group by 1, 2, 3, 4, 5, 6 having sum(n) <> 0
    ), kept as (
      insert into funnel_counts as c (workspace_id, dimension, source, since, job_id, code, n)
      select s.* from summed s where exists (select from workspaces w where w.id = s.workspace_id)
      on conflict (workspace_id, dimension, source, since, job_id, code) do update set n = c.n + excluded.n
    )
    select count(*)::integer as added from taken`

/** One process at a time adds up; the others have nothing to do meanwhile. */
export const tryAdding = sql<{ held: boolean }>`select pg_try_advisory_xact_lock(4817204) as held`

import { APPLICATION_STATUSES, type ApplicationStatus } from '../../contract/application-status.ts'
import { none, plannedEachTime, raw, type Sql, sql } from '../../kernel/db/sql.ts'
import type { Page } from '../../kernel/http/list.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'
import { COLUMN_NAMES, eachColumn, ROLLUP_TABLES } from './rollup-store.ts'
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

/** What applications are counted by at first: a day, the number of a job, or a source. */
const partOf = (grouping: Grouping, day: Sql): Sql =>
  ({ none: sql`0`, week: day, month: day, job: sql`f.job`, department: sql`f.job`, source: sql`f.source` })[grouping]

const applicationPart = (q: FunnelQuery) => partOf(q.grouping, sql`(f.applied_at at time zone 'UTC')::date`)

/** How parts make groups. Sorting by a number is cheaper than by a text, so groups get one where they have none. */
interface Groups {
  /** the number of each part's group, and the group's key: `keys` */
  keys: Sql
  /** finds the group of a part */
  join: Sql
  /** what tells groups apart */
  no: Sql
  /** finds the key `k.key` of a group `m.no` */
  named: Sql
}

function groupsOf(q: FunnelQuery, part: Sql): Groups {
  const numbered = (keys: Sql): Groups => ({
    keys: sql`keys as materialized (
      select part, key, (dense_rank() over (order by key))::integer as no from (${keys}) keys
    ),`,
    join: sql`join keys on keys.part = ${part}`,
    no: sql`keys.no`,
    named: sql`left join (select distinct no, key from keys) k on k.no = m.no`,
  })
  const jobs = (key: Sql) => sql`select number as part, ${key} as key from jobs where workspace_id = ${q.workspace}`
  switch (q.grouping) {
    case 'none':
      return { keys: none, join: none, no: sql`0`, named: sql`cross join (select null::text as key) k` }
    case 'source':
      return { keys: none, join: none, no: part, named: sql`cross join lateral (select m.no as key) k` }
    case 'job':
      return { keys: none, join: none, no: part, named: sql`left join (${jobs(sql`id::text`)}) k on k.part = m.no` }
    case 'department':
      return numbered(jobs(sql`department`))
    case 'week':
    case 'month':
      return numbered(sql`
        select day::date as part, to_char(date_trunc(${q.grouping}, day), 'YYYY-MM-DD') as key
        from generate_series(${q.window.after}::timestamptz at time zone 'UTC',
          ${q.window.before}::timestamptz at time zone 'UTC' + interval '1 day', '1 day') day`)
  }
}

const groupLabel = ({ grouping, workspace }: FunnelQuery): Sql =>
  ({
    none: sql`null::text`,
    week: sql`to_char(key::date, 'IYYY-"W"IW')`,
    month: sql`to_char(key::date, 'YYYY-MM')`,
    job: sql`(select j.title from jobs j where j.workspace_id = ${workspace} and j.id = key)`,
    department: sql`key`,
    source: sql`key`,
  })[grouping]

const filters = (q: FunnelQuery) => sql`
  ${
    q.jobId === undefined
      ? none
      : sql`and f.job = (select number from jobs where workspace_id = ${q.workspace} and id = ${q.jobId})`
  }
  ${
    q.department === undefined
      ? none
      : sql`and f.job in (select number from jobs where workspace_id = ${q.workspace} and department = ${q.department})`
  }
  ${q.source === undefined ? none : sql`and f.source = ${q.source}`}`

/** Whole days or months inside the window, and the rollup table that serves the query for them. */
export interface RollupRange {
  by: keyof typeof ROLLUP_TABLES
  first: string
  end: string
}

/** Applications counted one by one, between two times: the first excluded or not, the second always excluded. */
const oneByOne = (q: FunnelQuery, from: Sql, before: string) => sql`
  select ${applicationPart(q)} as part, f.code, count(*)::integer as n from application_funnel f
  where f.workspace_id = ${q.workspace} and f.applied_at ${from} and f.applied_at < ${before}::timestamptz ${filters(q)}
  group by 1, 2`

/** What the rollups do not contain: changes of whole spans not added yet, and the rest of the window one by one. */
function parts(q: FunnelQuery, rollups: RollupRange | undefined): Sql {
  const { after, before } = q.window
  if (!rollups) return oneByOne(q, sql`> ${after}::timestamptz`, before)
  const { first, end } = rollups
  return sql`
    select ${partOf(q.grouping, sql`f.applied_on`)} as part, f.code, f.n from funnel_changes f
    where f.workspace_id = ${q.workspace}
      and f.applied_on >= ${first}::timestamptz::date and f.applied_on < ${end}::timestamptz::date ${filters(q)}
    union all
    ${oneByOne(q, sql`> ${after}::timestamptz`, first)}
    union all
    ${oneByOne(q, sql`>= ${end}::timestamptz`, before)}`
}

/** The rollups of whole spans, summed by group. */
function rollupSums(q: FunnelQuery, { by, first, end }: RollupRange): Sql {
  const { join, no } = groupsOf(q, partOf(q.grouping, sql`f.since`))
  return sql`
    select ${no} as no, ${eachColumn(m => `sum(f.${m.column})::integer as ${m.column}`)} from ${ROLLUP_TABLES[by]} f ${join}
    where f.workspace_id = ${q.workspace}
      and f.since >= ${first}::timestamptz::date and f.since < ${end}::timestamptz::date ${filters(q)}
    group by 1`
}

/** One core for a report: the others serve small requests, and waiting for a busy worker costs more than it gains. */
export const onOneCore = sql`select set_config('max_parallel_workers_per_gather', '0', true)`

export interface CountRow {
  /** 0: the whole; else the rank of the group, those with most applications first */
  place: number
  key: string | null
  label: string | null
  /** sums of the rollups, in the order of their columns: applications, current by stage type and status, reached by type */
  rollup: number[] | null
  /** the codes of the other applications, and how many have each */
  codes: number[] | null
  counts: number[] | null
}

/** One statement, hence one snapshot: the groups add up to the whole. Long lists leave as JSON, which is read fastest. */
export const funnelCounts = (q: FunnelQuery, rollups: RollupRange | undefined, groups: number): Sql<CountRow> => {
  const { keys, join, no, named } = groupsOf(q, sql`p.part`)
  const whole = sql`
    select 0 as place, null::text as key, null::text as label,
      ${rollups ? sql`(select json_build_array(${eachColumn(m => `sum(${m.column})::integer`)}) from w having count(*) > 0)` : sql`null::json`} as rollup,
      to_json(array_agg(code)) as codes, to_json(array_agg(n)) as counts
    from (select code, sum(n)::integer as n from g group by code) whole`
  const shown = sql`
    union all
    select place::integer, key, ${groupLabel(q)}, ${rollups ? sql`case when w.n is not null then to_json(array[${COLUMN_NAMES}]) end` : sql`null::json`}, codes, counts
    from top ${rollups ? sql`left join w using (no)` : none}
    left join (
      select no, to_json(array_agg(code)) as codes, to_json(array_agg(n)) as counts from g where no in (select no from top) group by no
    ) c using (no)`
  return plannedEachTime(sql<CountRow>`
    with ${keys} p as materialized (
      select part, code, sum(n)::integer as n from (${parts(q, rollups)}) parts group by 1, 2 having sum(n) <> 0
    ), g as materialized (
      ${join === none ? sql`select ${no} as no, code, n from p` : sql`select ${no} as no, code, sum(n)::integer as n from p ${join} group by 1, 2`}
    ), ${rollups ? sql`w as materialized (${rollupSums(q, rollups)}),` : none} top as materialized (
      select m.no, k.key, row_number() over (order by m.total desc, k.key) as place
      from (
        select no, sum(n) as total from (
          select no, n from g ${rollups ? sql`union all select no, n from w` : none}
        ) sizes group by no having sum(n) <> 0
      ) m ${named} order by m.total desc, k.key limit ${groups}
    )
    ${whole} ${q.grouping === 'none' ? none : shown}`)
}

export interface MedianRow {
  /** True for the row of the whole, false for that of a group. */
  whole: boolean
  key: string | null
}

const inWindow = (q: FunnelQuery) => sql`
  f.workspace_id = ${q.workspace} and f.applied_at > ${q.window.after}::timestamptz
  and f.applied_at < ${q.window.before}::timestamptz ${filters(q)}`

/** Medians over some applications: of all of them, and of each group. */
function mediansOf<Row extends MedianRow>(q: FunnelQuery, which: Sql, medians: Sql): Sql<Row> {
  const { keys, join, no, named } = groupsOf(q, applicationPart(q))
  const [whole, sets] = q.grouping === 'none' ? [sql`true`, sql`()`] : [sql`grouping(${no}) = 1`, sql`(), (${no})`]
  return plannedEachTime(sql<Row>`
    with ${keys} m as (
      select ${no} as no, ${whole} as whole, ${medians} from application_funnel f ${join}
      where ${which} and ${inWindow(q)} group by grouping sets (${sets}) having count(*) > 0
    )
    select m.*, k.key from m ${named}`)
}

/** Days from application to hire, over all hires. */
export const hireMedians = (q: FunnelQuery): Sql<MedianRow & { days: number }> =>
  mediansOf(
    q,
    sql`f.days_to_hire is not null`,
    sql`percentile_cont(0.5) within group (order by f.days_to_hire) as days`,
  )

export interface HoursRow extends MedianRow {
  /** by the number of the stage type */
  hours: (number | null)[]
}

/** One aggregate for each stage type, cheaper than one row for each stay. `rejected` is not a step: no time is spent there. */
const HOURS = sql`json_build_array(${raw(
  STAGE_TYPES.map((type, i) =>
    type === 'rejected' ? 'null' : `percentile_cont(0.5) within group (order by f.hours[${i + 1}])`,
  ).join(', '),
)}) as hours`

/** Over the applications in the first `sampleBuckets` buckets, a random sample; over all if it is undefined. */
export const hoursMedians = (q: FunnelQuery, sampleBuckets: number | undefined): Sql<HoursRow> =>
  mediansOf(
    q,
    sql`f.hours is not null ${sampleBuckets === undefined ? none : sql`and f.lot < ${sampleBuckets}::integer`}`,
    HOURS,
  )

/** Which applications belong to the group `g`. */
const ofGroup = (grouping: Grouping, workspace: string): Sql =>
  ({
    none: sql`true`,
    week: sql`f.applied_at >= g.key::date and f.applied_at < g.key::date + interval '1 week'`,
    month: sql`f.applied_at >= g.key::date and f.applied_at < g.key::date + interval '1 month'`,
    job: sql`f.job = (select j.number from jobs j where j.workspace_id = ${workspace} and j.id = g.key)`,
    department: sql`f.job in (select j.number from jobs j
      where j.workspace_id = ${workspace} and j.department is not distinct from g.key)`,
    source: sql`f.source = g.key`,
  })[grouping]

/** For some groups, each over its own number of sample buckets. */
export const groupHoursMedians = (
  q: FunnelQuery,
  groups: readonly { key: string | null; sampleBuckets: number }[],
): Sql<HoursRow> =>
  plannedEachTime(sql<HoursRow>`
    select false as whole, g.key, f.hours
    from unnest(${groups.map(g => g.key)}::text[], ${groups.map(g => g.sampleBuckets)}::integer[]) g (key, buckets)
    cross join lateral (
      select ${HOURS} from application_funnel f
      where f.hours is not null and f.lot < g.buckets and ${ofGroup(q.grouping, q.workspace)} and ${inWindow(q)} having count(*) > 0
    ) f`)

export interface JobStage {
  id: string
  name: string
  position: number
  type: (typeof STAGE_TYPES)[number]
}

/** No row: there is no such job. One row without an id: it has no stages. */
export const selectFunnelStages = (workspace: string, jobId: string) =>
  sql<JobStage | { id: null }>`
    select s.id, s.name, s.position, s.type from jobs j
    left join pipeline_stages s on s.workspace_id = j.workspace_id and s.job_id = j.id
    where j.workspace_id = ${workspace} and j.id = ${jobId} order by s.position`

export interface StageCountRow {
  whole: boolean
  key: string | null
  stage_id: string
  /** its number */
  status: number
  /** whether they are in the stage now */
  is_current: boolean
  n: number
}

/** The first occurrence of a stage in `f.stages`: an application counts once for a stage, however often it was there. */
const VISITS = sql`unnest(f.stages) with ordinality u (stage_id, place)`
const FIRST = sql`array_position(f.stages, u.stage_id) = u.place`

/** By stage instead of stage type: for the whole and for each group. */
function byStages<Row>(q: FunnelQuery, v: (groups: Groups) => Sql, what: Sql, by: Sql): Sql<Row> {
  const groups = groupsOf(q, applicationPart(q))
  const [whole, sets] =
    q.grouping === 'none'
      ? [sql`true as whole`, sql`(${by})`]
      : [sql`no, grouping(no) = 1 as whole`, sql`(${by}), (no, ${by})`]
  return plannedEachTime(sql<Row>`
    with ${groups.keys} v as materialized (${v(groups)}), m as (
      select ${whole}, ${by}, ${what} from v group by grouping sets (${sets})
    )
    select m.*, k.key from m ${groups.named}`)
}

/** Many applications take the same few paths: each path is counted once, then split into its stages. */
export const funnelStageCounts = (q: FunnelQuery): Sql<StageCountRow> =>
  byStages(
    q,
    ({ join, no }) => sql`
      select f.no, f.status, u.stage_id, u.place = 1 as is_current, f.n from (
        select ${no} as no, (f.code & 7)::integer as status, f.stages, count(*) as n from application_funnel f ${join}
        where ${inWindow(q)} group by 1, 2, 3
      ) f, ${VISITS} where ${FIRST}`,
    sql`sum(n)::integer as n`,
    sql`stage_id, status, is_current`,
  )

/** Hours in stages that applications have left. */
export const stageMedians = (q: FunnelQuery) =>
  byStages<MedianRow & { stage_id: string; hours: number }>(
    q,
    ({ join, no }) => sql`
      select ${no} as no, u.stage_id, case
        when array_position(f.stages, u.stage_id, u.place::integer + 1) is null then f.stays[u.place] else (
          select sum(s.stay) from unnest(f.stages, f.stays) s (stage_id, stay) where s.stage_id = u.stage_id) end as hours
      from application_funnel f ${join}, ${VISITS}
      where f.stays is not null and u.place > 1 and ${FIRST} and ${inWindow(q)}`,
    sql`percentile_cont(0.5) within group (order by hours) as hours`,
    sql`stage_id`,
  )

/** Which of the counted applications: those of a group, with a status, or those of a stage with an outcome there. */
export interface FunnelPart {
  /** one of the groups that the funnel has for a grouping */
  group: { by: Grouping; key: string | null }
  /** numbers of statuses */
  statuses: readonly number[] | undefined
  /** the number of a stage type, or the id of a stage of the job */
  stage: { type: number } | { id: string } | undefined
  /**
   * numbers of statuses; `reached`: all that were ever in the stage; `advanced`: those that left it for another; `passed`:
   * those, and the ones hired in it, which is what the conversion rate counts
   */
  outcome: 'reached' | 'advanced' | 'passed' | readonly number[]
}

function partFilter({ statuses, stage, outcome }: FunnelPart): Sql {
  const withStatus = statuses === undefined ? none : sql`and f.code & 7 = any(${statuses}::integer[])`
  if (!stage) return withStatus
  const isHere = 'type' in stage ? sql`(f.code >> 3) & 7 = ${stage.type}` : sql`f.stages[1] = ${stage.id}`
  const reached = 'type' in stage ? sql`(f.code >> ${6 + stage.type}) & 1 = 1` : sql`${stage.id} = any(f.stages)`
  if (outcome === 'reached') return sql`${withStatus} and ${reached}`
  if (outcome === 'advanced') return sql`${withStatus} and ${reached} and not (${isHere})`
  if (outcome === 'passed')
    return sql`${withStatus} and ${reached} and (not (${isHere}) or f.code & 7 = ${APPLICATION_STATUSES.indexOf('hired')})`
  return sql`${withStatus} and ${isHere} and f.code & 7 = any(${outcome}::integer[])`
}

export interface CountedApplication {
  id: string
  applied_at: string
  status: ApplicationStatus
  source: string
  job_id: string
  job_title: string
  stage_name: string
  name: string | null
  match_pct: number | null
}

/** The applications behind a number of the funnel, newest first. Ends with the page. */
export const countedApplications = (q: FunnelQuery, part: FunnelPart, page: Page): Sql<CountedApplication> =>
  sql<CountedApplication>`
    select a.id, a.applied_at, a.status, a.source, a.job_id, j.title as job_title, s.name as stage_name,
      p.full_name as name, case when p.suppressed_at is null then c.match_pct end as match_pct
    from application_funnel f
    cross join (select ${part.group.key}::text as key) g
    join applications a on a.workspace_id = f.workspace_id and a.id = f.application_id
    join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
    join pipeline_stages s on s.workspace_id = a.workspace_id and s.id = a.stage_id
    left join applicants p on p.workspace_id = a.workspace_id and p.id = a.applicant_id
    left join application_scores c on c.workspace_id = a.workspace_id and c.application_id = a.id
    where ${inWindow(q)} and ${ofGroup(part.group.by, q.workspace)} ${partFilter(part)} ${page.clause}`

import { APPLICATION_STATUSES } from '../../contract/application-status.ts'
import { LOCKS } from '../../kernel/db/locks.ts'
import { ofWorkspace, type Partition } from '../../kernel/db/partitions.ts'
import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { STAGE_TYPES } from '../jobs/shape.ts'

/**
 * The rollup tables: one row for each day and source, each month and job, each month, job and source. docs/hiring-funnel.md
 * has an example row.
 */
export const ROLLUP_TABLES = {
  day: raw('funnel_by_day'),
  job: raw('funnel_by_job'),
  job_and_source: raw('funnel_by_job_and_source'),
}

/**
 * The columns of a rollup, and when an application counts in each. The names are generated: `at_3_5` counts those that
 * are now in stage type 3 with status 5, `reached_3` those that reached type 3, by the order of STAGE_TYPES and APPLICATION_STATUSES.
 * `code` has 3 bits of status, then 3 of the current stage type, then 8 with one for each type reached.
 */
const ROLLUP_COLUMNS = [
  { column: 'n', when: 'true' },
  ...STAGE_TYPES.flatMap((_, type) =>
    APPLICATION_STATUSES.map((_, status) => ({
      column: `at_${type}_${status}`,
      when: `code & 63 = ${(type << 3) | status}`,
    })),
  ),
  ...STAGE_TYPES.map((_, type) => ({ column: `reached_${type}`, when: `(code >> ${6 + type}) & 1 = 1` })),
]
export const eachColumn = (write: (measure: (typeof ROLLUP_COLUMNS)[number]) => string, between = ', ') =>
  raw(ROLLUP_COLUMNS.map(write).join(between))
export const COLUMN_NAMES = eachColumn(m => m.column)

const SUMS = eachColumn(m => `coalesce(sum(n) filter (where ${m.when}), 0)`)
const ADDITIONS = eachColumn(m => `${m.column} = c.${m.column} + excluded.${m.column}`)

/** The workspaces of the oldest changes. */
export const workspacesChanged = (size: number) =>
  sql<{ workspace_id: string }>`
    select distinct workspace_id from (select workspace_id from funnel_changes order by id limit ${size}) oldest`

/** Finds those of these workspaces that exist: the changes of a deleted one are not counted. */
export const selectExistingWorkspaces = (workspaces: readonly string[]) =>
  sql<{ id: string }>`select id from workspaces where id = any(${workspaces}::text[])`

/** Adds the oldest changes to the rollups, if they are of the partition. */
export const addChanges = (part: Partition<{ workspace_id: string }>, present: readonly string[], batchSize: number) =>
  sql<{ added: number }>`
    -- An array: the table is a queue, and a join with a table that looks empty may compare each row with each.
    with taken as (
      delete from funnel_changes where workspace_id = any(${part.rows.map(row => row.workspace_id)}::text[]) and id = any(array(
        select id from funnel_changes where true ${ofWorkspace(part, 'workspace_id')} order by id limit ${batchSize}))
      returning workspace_id, applied_on, job, source, code, n
    ), counted as (
      select workspace_id, applied_on, date_trunc('month', applied_on::timestamp)::date as month, job, source, code, n
      from taken where workspace_id = any(${present}::text[])
    ), by_day as (
      insert into funnel_by_day as c (workspace_id, source, since, ${COLUMN_NAMES})
      select workspace_id, source, applied_on, ${SUMS} from counted group by 1, 2, 3
      on conflict (workspace_id, since, source) do update set ${ADDITIONS}
    ), by_job as (
      insert into funnel_by_job as c (workspace_id, since, job, ${COLUMN_NAMES})
      select workspace_id, month, job, ${SUMS} from counted group by 1, 2, 3
      on conflict (workspace_id, since, job) do update set ${ADDITIONS}
    ), by_job_and_source as (
      insert into funnel_by_job_and_source as c (workspace_id, source, since, job, ${COLUMN_NAMES})
      select workspace_id, source, month, job, ${SUMS} from counted group by 1, 2, 3, 4
      on conflict (workspace_id, source, since, job) do update set ${ADDITIONS}
    )
    select count(*)::integer as added from taken`

/** One process at a time adds changes; the others skip their round. */
export const tryAdding = sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${LOCKS.funnelRollup}) as held`

/** By table: rows that differ from the history. */
export type FunnelDifferences = Record<
  'application_funnel' | 'funnel_by_day' | 'funnel_by_job' | 'funnel_by_job_and_source',
  number
>

const APPLICATION_DIFFERS = raw(
  ['applied_at', 'code', 'lot', 'job', 'days_to_hire', 'source', 'hours', 'stages', 'stays']
    .map(column => `f.${column} is distinct from c.${column}`)
    .join(' or '),
)

/**
 * The rows of application_funnel that a workspace must have: what the view application_funnel_counted has of it, with the
 * workspace in every part, so that a cluster knows that all of them are on one node. A stage of type `rejected`
 * (6) is an exit and not a step: an application that was moved there counts in the last step before it, unless there was
 * none.
 */
const counted = (workspace: string) => sql`
  select a.applied_at,
    (funnel_status(a.status) | (h.stage_now << 3) | (h.reached << 6))::smallint as code,
    (hashtext(a.id) & 1023)::smallint as lot,
    (select number from jobs j where j.workspace_id = ${workspace} and j.id = a.job_id) as job,
    case when a.status = 'hired' then (extract(epoch from a.hired_at - a.applied_at) / 86400)::real end as days_to_hire,
    a.workspace_id, a.id as application_id, a.source,
    case when h.reached <> (1 << h.stage_now) then array[
      case when h.stage_now <> 0 then h.hours0 end, case when h.stage_now <> 1 then h.hours1 end,
      case when h.stage_now <> 2 then h.hours2 end, case when h.stage_now <> 3 then h.hours3 end,
      case when h.stage_now <> 4 then h.hours4 end, case when h.stage_now <> 5 then h.hours5 end,
      null, case when h.stage_now <> 7 then h.hours7 end]::real[] end as hours,
    coalesce(h.stages, array[coalesce(h.last_stage, a.stage_id)]::text[]) as stages,
    case when cardinality(h.stages) > 1 then h.stays end as stays
  from applications a
  join pipeline_stages now_in on now_in.workspace_id = ${workspace} and now_in.id = a.stage_id
  cross join lateral (
    select
      coalesce((array_agg(k order by id desc) filter (where k <> 6))[1], funnel_stage(now_in.type)) as stage_now,
      coalesce(bit_or(1 << k) filter (where k <> 6), 1 << funnel_stage(now_in.type)) as reached,
      sum(stay) filter (where k = 0) as hours0, sum(stay) filter (where k = 1) as hours1,
      sum(stay) filter (where k = 2) as hours2, sum(stay) filter (where k = 3) as hours3,
      sum(stay) filter (where k = 4) as hours4, sum(stay) filter (where k = 5) as hours5,
      sum(stay) filter (where k = 7) as hours7,
      array_agg(stage order by id desc) filter (where k <> 6) as stages,
      array_agg(stay::real order by id desc) filter (where k <> 6) as stays,
      (array_agg(stage order by id desc))[1] as last_stage
    from (
      select id, to_stage_id::text as stage, funnel_stage(to_stage_type) as k,
        date_part('epoch', lag(at) over (order by id desc) - at) / 3600 as stay
      from stage_transitions t
      where t.workspace_id = ${workspace} and t.application_id = a.id and t.to_stage_type is not null
    ) steps
  ) h
  where a.workspace_id = ${workspace}`

/** Rollups plus changes not added yet minus the applications themselves: anything but zero is wrong. */
const leftOver = (workspace: string, by: keyof typeof ROLLUP_TABLES, columns: Sql, changed: Sql, single: Sql) => sql`
  select count(*) from (
    select ${columns} from (
      select ${columns}, ${COLUMN_NAMES} from ${ROLLUP_TABLES[by]} where workspace_id = ${workspace}
      union all
      select ${columns}, ${SUMS} from (
        select ${changed}, code, n from funnel_changes where workspace_id = ${workspace}
        union all
        select ${single}, code, -1 from application_funnel where workspace_id = ${workspace}
      ) coded group by ${columns}
    ) summed group by ${columns} having ${eachColumn(m => `sum(${m.column}) <> 0`, ' or ')}
  ) left_over`

const DAY = sql`(applied_at at time zone 'UTC')::date`
/** Immutable, unlike that of a date, which becomes a time of the session's zone. */
const monthOf = (day: Sql) => sql`date_trunc('month', ${day}::timestamp)::date`

export const workspacesCounted = sql<{ id: string }>`select id from workspaces order by id`

/** One statement, hence one snapshot of the workspace, whose log is read for the one row that it has. */
export const compareFunnel = (workspace: string) => sql<{ applications: number; differing: FunnelDifferences }>`
  select (select count(*) from applications where workspace_id = ${workspace}) as applications, json_build_object(
    'application_funnel', (select count(*) from (${counted(workspace)}) c
      full join (select * from application_funnel where workspace_id = ${workspace}) f
        on f.application_id = c.application_id
      where f.gone is not true and (${APPLICATION_DIFFERS})),
    'funnel_by_day', (${leftOver(
      workspace,
      'day',
      sql`source, since`,
      sql`source, applied_on as since`,
      sql`source, ${DAY}`,
    )}),
    'funnel_by_job', (${leftOver(
      workspace,
      'job',
      sql`since, job`,
      sql`${monthOf(sql`applied_on`)} as since, job`,
      sql`${monthOf(DAY)}, job`,
    )}),
    'funnel_by_job_and_source', (${leftOver(
      workspace,
      'job_and_source',
      sql`source, since, job`,
      sql`source, ${monthOf(sql`applied_on`)} as since, job`,
      sql`source, ${monthOf(DAY)}, job`,
    )})) as differing
  from event_logs l where l.workspace_id = ${workspace}`

const APPLICATION_COLUMNS = raw(
  'applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays',
)

/**
 * Rebuilds what differs from the history in one transaction: no process adds changes, and writers of applications wait. All
 * counts of a workspace become changes that the worker adds; until then reads count them as changes.
 */
export const lockFunnel = [
  sql`select pg_advisory_xact_lock(${LOCKS.funnelRollup})`,
  sql`lock table application_funnel in share row exclusive mode`,
]
export const recountFunnel = (workspace: string): Sql[] => [
  sql`
    delete from application_funnel k using (
      select f.application_id from (select * from application_funnel where workspace_id = ${workspace}) f
      left join (${counted(workspace)}) c on c.application_id = f.application_id
      where f.gone is not true and (${APPLICATION_DIFFERS})
    ) wrong
    where k.workspace_id = ${workspace} and k.application_id = wrong.application_id`,
  sql`
    insert into application_funnel (${APPLICATION_COLUMNS})
    select ${APPLICATION_COLUMNS} from (${counted(workspace)}) c
    where not exists (select from application_funnel f
      where f.workspace_id = ${workspace} and f.application_id = c.application_id)`,
  ...Object.values(ROLLUP_TABLES).map(table => sql`delete from ${table} where workspace_id = ${workspace}`),
  sql`delete from funnel_changes where workspace_id = ${workspace}`,
  sql`
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    select workspace_id, ${DAY}, job, source, code, count(*) from application_funnel
    where workspace_id = ${workspace} group by 1, 2, 3, 4, 5`,
]

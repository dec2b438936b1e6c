import { LOCKS } from '../../kernel/db/locks.ts'
import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { STATUSES } from '../applications/shape.ts'
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
 * are now in stage type 3 with status 5, `reached_3` those that reached type 3, by the order of STAGE_TYPES and STATUSES.
 * `code` has 3 bits of status, then 3 of the current stage type, then 8 with one for each type reached.
 */
const ROLLUP_COLUMNS = [
  { column: 'n', when: 'true' },
  ...STAGE_TYPES.flatMap((_, type) =>
    STATUSES.map((_, status) => ({ column: `at_${type}_${status}`, when: `code & 63 = ${(type << 3) | status}` })),
  ),
  ...STAGE_TYPES.map((_, type) => ({ column: `reached_${type}`, when: `(code >> ${6 + type}) & 1 = 1` })),
]
export const eachColumn = (write: (measure: (typeof ROLLUP_COLUMNS)[number]) => string, between = ', ') =>
  raw(ROLLUP_COLUMNS.map(write).join(between))
export const COLUMN_NAMES = eachColumn(m => m.column)

const SUMS = eachColumn(m => `coalesce(sum(n) filter (where ${m.when}), 0)`)
const ADDITIONS = eachColumn(m => `${m.column} = c.${m.column} + excluded.${m.column}`)

/** Adds a batch of changes to the rollups. */
export const addChanges = (batchSize: number) =>
  sql<{ added: number }>`
    -- An array: the table is a queue, and a join with a table that looks empty may compare each row with each.
    with taken as (
      delete from funnel_changes where id = any(array(select id from funnel_changes order by id limit ${batchSize}))
      returning workspace_id, applied_on, date_trunc('month', applied_on)::date as month, job, source, code, n
    ), counted as (
      select * from taken t where exists (select from workspaces w where w.id = t.workspace_id)
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

/** Rollups plus changes not added yet minus the applications themselves: anything but zero is wrong. */
const leftOver = (by: keyof typeof ROLLUP_TABLES, columns: Sql, changed: Sql, counted: Sql) => sql`
  select count(*) from (
    select workspace_id, ${columns} from (
      select workspace_id, ${columns}, ${COLUMN_NAMES} from ${ROLLUP_TABLES[by]}
      union all
      select workspace_id, ${columns}, ${SUMS} from (
        select workspace_id, ${changed}, code, n from funnel_changes where workspace_id in (select id from workspaces)
        union all
        select workspace_id, ${counted}, code, -1 from application_funnel
      ) coded group by workspace_id, ${columns}
    ) summed group by workspace_id, ${columns} having ${eachColumn(m => `sum(${m.column}) <> 0`, ' or ')}
  ) left_over`

const DAY = sql`(applied_at at time zone 'UTC')::date`

/** One statement, hence one snapshot. */
export const compareFunnel = sql<{ applications: number; differing: FunnelDifferences }>`
  select (select count(*) from applications) as applications, json_build_object(
    'application_funnel', (select count(*) from application_funnel_counted c
      full join application_funnel f on f.workspace_id = c.workspace_id and f.application_id = c.application_id
      where f.gone is not true and (${APPLICATION_DIFFERS})),
    'funnel_by_day', (${leftOver('day', sql`source, since`, sql`source, applied_on as since`, sql`source, ${DAY}`)}),
    'funnel_by_job', (${leftOver(
      'job',
      sql`since, job`,
      sql`date_trunc('month', applied_on)::date as since, job`,
      sql`date_trunc('month', ${DAY})::date, job`,
    )}),
    'funnel_by_job_and_source', (${leftOver(
      'job_and_source',
      sql`source, since, job`,
      sql`source, date_trunc('month', applied_on)::date as since, job`,
      sql`source, date_trunc('month', ${DAY})::date, job`,
    )})) as differing`

const APPLICATION_COLUMNS = raw(
  'applied_at, code, lot, job, days_to_hire, workspace_id, application_id, source, hours, stages, stays',
)

/**
 * Rebuilds everything from the history in one transaction: no process adds changes, and writers of applications wait. All
 * counts become changes that the worker adds; until then reads count them as changes.
 */
export const lockFunnel = [
  sql`select pg_advisory_xact_lock(${LOCKS.funnelRollup})`,
  sql`lock table application_funnel in share row exclusive mode`,
]
export const recountFunnel = [
  sql`
    delete from application_funnel k using (
      select f.workspace_id, f.application_id from application_funnel f
      left join application_funnel_counted c on c.workspace_id = f.workspace_id and c.application_id = f.application_id
      where f.gone is not true and (${APPLICATION_DIFFERS})
    ) wrong
    where k.workspace_id = wrong.workspace_id and k.application_id = wrong.application_id`,
  sql`
    insert into application_funnel (${APPLICATION_COLUMNS})
    select ${APPLICATION_COLUMNS} from application_funnel_counted c
    where not exists (select from application_funnel f
      where f.workspace_id = c.workspace_id and f.application_id = c.application_id)`,
  ...Object.values(ROLLUP_TABLES).map(table => sql`delete from ${table}`),
  sql`delete from funnel_changes`,
  sql`
    insert into funnel_changes (workspace_id, applied_on, job, source, code, n)
    select workspace_id, ${DAY}, job, source, code, count(*) from application_funnel group by 1, 2, 3, 4, 5`,
]

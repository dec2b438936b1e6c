import { raw, type Sql, sql } from '../../kernel/db/sql.ts'
import { type DetailedJob, IS_OPEN, LISTED_COLUMNS, LISTED_NAMES, type ListedJob } from '../store.ts'

/** A job as the public sees it. */
export interface PublicJob extends DetailedJob {
  open: boolean
  years_min: number | null
  years_max: number | null
  salary_equity: string | null
  salary_commission: boolean | null
  /** names of the stages that are not final, in order */
  stages: readonly string[]
}

export interface JobPageRow {
  /** null: it is a draft */
  job: PublicJob | null
  /** open jobs, those of the same department first */
  others: readonly ListedJob[]
}

/** A constant of the statement: for a limit that it does not know the server would plan again for each request. */
const OTHERS = raw('4')

/** From the end of an index: what it costs does not grow with the number of jobs. `d` is the job of the page. */
const newest = (workspace: string, which: Sql): Sql => sql`
  select ${LISTED_COLUMNS}, j.department = d.department as same_department, j.updated_at, j.id
  from jobs j where j.workspace_id = ${workspace} and ${IS_OPEN} and ${which} and j.id is distinct from d.id
  order by j.updated_at desc, j.id desc limit ${OTHERS}`

/** Everything that the page of a job shows, in one statement. No row: there is no such job. */
export const jobPageRow = (workspace: string, jobSlug: string): Sql<JobPageRow> => sql<JobPageRow>`
  select case when j.status <> 'draft' then (
    select row_to_json(f) from (
      select j.id, ${LISTED_COLUMNS}, ${IS_OPEN} as open, j.team, j.experience_level, j.years_min, j.years_max,
        j.salary_equity, j.salary_commission, j.published_at, j.close_at,
        j.updated_at, j.summary, j.description_md, j.responsibilities, j.requirements, j.nice_to_have,
        j.skills_required, j.skills_preferred, j.benefits, coalesce((
          select json_agg(p.name order by p.position) from pipeline_stages p
          where p.workspace_id = ${workspace} and p.job_id = j.id and not p.is_terminal), '[]') as stages
    ) f) end as job, coalesce((
    select json_agg(o) from (
      select ${LISTED_NAMES} from (
        (${newest(workspace, sql`j.department = d.department`)})
        union all
        (${newest(workspace, sql`(j.department is distinct from d.department or d.department is null)`)})
      ) newest order by same_department desc nulls last, updated_at desc, id desc limit ${OTHERS}
    ) o), '[]') as others
  from jobs j cross join lateral (select j.id, j.department) d
  where j.workspace_id = ${workspace} and j.slug = ${jobSlug}`

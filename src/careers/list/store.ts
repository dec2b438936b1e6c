import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { IS_OPEN, LISTED_COLUMNS, type ListedJob } from '../store.ts'
import type { JobKind, ListFilters } from './filters.ts'

export interface JobList {
  /** of every open job, or of those that were found: there are few of them, however many jobs there are */
  kinds: readonly JobKind[]
  /** one page of those that pass the filters, by department and title */
  jobs: readonly ListedJob[]
}

/** `found`: only these jobs, those that a search matched. */
export const openJobs = (
  workspace: string,
  found: readonly string[] | undefined,
  { department, location, workplace, type }: ListFilters,
  page: { size: number; offset: number },
): Sql<JobList> => sql<JobList>`
  with open as materialized (
    select j.id, ${LISTED_COLUMNS} from jobs j
    where j.workspace_id = ${workspace} and ${IS_OPEN} ${found === undefined ? none : sql`and j.id = any(${found}::text[])`}
  )
  select coalesce((
    select json_agg(k) from (
      select department, location_type, employment_type, locations, count(*) as jobs from open
      group by department, location_type, employment_type, locations
    ) k), '[]') as kinds,
  coalesce((
    select json_agg(p) from (
      select ${LISTED_COLUMNS} from open j where true
        ${department === undefined ? none : sql`and j.department = ${department}`}
        ${location === undefined ? none : sql`and j.locations ? ${location}`}
        ${workplace === undefined ? none : sql`and j.location_type = ${workplace}`}
        ${type === undefined ? none : sql`and j.employment_type = ${type}`}
      order by lower(j.department) nulls last, j.department, lower(j.title), j.id
      limit ${page.size} offset ${page.offset}
    ) p), '[]') as jobs`

import { none, type Sql, sql } from '../../kernel/db/sql.ts'
import { jobRank } from '../../resources/jobs/index.ts'
import { IS_OPEN, LISTED_COLUMNS, type ListedJob } from '../store.ts'
import type { JobKind, ListFilters } from './filters.ts'

export interface JobList {
  /** Kinds of every open job, or of those that were found: there are few of them, however many jobs there are. */
  kinds: readonly Omit<JobKind, 'places'>[]
  /** one page of those that pass the filters, by department and title, or by rank */
  jobs: readonly ListedJob[]
}

/** What a search matched. */
export interface FoundJobs {
  ids: readonly string[]
  /** whether these jobs have some of the words only */
  some: boolean
  /** the first decides; empty: none of the words counts */
  rankQueries: readonly string[]
}

const rankOrder = (found: FoundJobs | undefined): Sql =>
  found === undefined || found.rankQueries.length === 0
    ? none
    : found.rankQueries.reduceRight(
        (rest, query) => sql`${jobRank(query, sql`j.skills`)} desc, ${rest}`,
        sql`lower(j.title), `,
      )

/** `found`: only these jobs, in the order of rank. `places`: locations of which one is enough, or those without any. */
export const openJobs = (
  workspace: string,
  found: FoundJobs | undefined,
  { department, workplace, type }: ListFilters,
  places: 'any' | 'none' | readonly string[],
  page: { size: number; offset: number },
): Sql<JobList> => sql<JobList>`
  with open as materialized (
    select j.id, ${LISTED_COLUMNS}${found === undefined ? none : sql`, j.skills_required::text || j.skills_preferred::text as skills`} from jobs j
    where j.workspace_id = ${workspace} and ${IS_OPEN} ${found === undefined ? none : sql`and j.id = any(${found.ids}::text[])`}
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
        ${places === 'any' ? none : places === 'none' ? sql`and j.locations = '[]'` : sql`and j.locations ?| ${places}::text[]`}
        ${workplace === undefined ? none : sql`and j.location_type = ${workplace}`}
        ${type === undefined ? none : sql`and j.employment_type = ${type}`}
      order by ${rankOrder(found)}lower(j.department) nulls last, j.department, lower(j.title), j.id
      limit ${page.size} offset ${page.offset}
    ) p), '[]') as jobs`

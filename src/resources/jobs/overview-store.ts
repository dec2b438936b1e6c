import { OPEN_STATUSES } from '../../contract/application-status.ts'
import type { JobStatus } from '../../contract/job-status.ts'
import { jobsOfTeam, type LimitedPerson, reachesCandidate } from '../../kernel/access/reach.ts'
import { none, type Sql, sql, wordList } from '../../kernel/db/sql.ts'
import { BY_UPDATED, type Order, type Page } from '../../kernel/http/list.ts'
import { filterClause, type JobFilters } from './store.ts'

/** Roles in a job that its row names. */
export const LEADING_ROLES = ['recruiter', 'hiring_manager'] as const
export type LeadingRole = (typeof LEADING_ROLES)[number]

/** The newest of the jobs with the same value comes first: `tie` is its number, negative where the order ascends. */
const by = (order: Pick<Order, 'by' | 'byType' | 'direction'>): Order => ({
  ...order,
  tiebreaker: 'tie',
  tiebreakerType: 'bigint',
  table: 'j',
})

/** What the rows are sorted by. The first one is the order of an index; the others compute their value for every job. */
export const JOB_ORDERS = {
  updated: { ...BY_UPDATED, table: 'j' },
  title: by({ by: 'title_key', byType: 'text', direction: 'asc' }),
  recruiter: by({ by: 'recruiter_rank', byType: 'integer', direction: 'asc' }),
  hiring_manager: by({ by: 'hiring_manager_rank', byType: 'integer', direction: 'asc' }),
  new: by({ by: 'new_count', byType: 'integer', direction: 'desc' }),
  open: by({ by: 'open_count', byType: 'integer', direction: 'desc' }),
  age: by({ by: 'open_since', direction: 'asc' }),
  activity: by({ by: 'last_activity_at', direction: 'desc' }),
} as const satisfies Record<string, Order>

export type JobSort = keyof typeof JOB_ORDERS

/** The person who looks at the jobs. */
export interface JobsReader {
  userId: string
  /** undefined for people who see all candidates */
  limit: LimitedPerson | undefined
}

export interface OverviewFilters extends JobFilters {
  /** only jobs whose team the reader is on */
  mine?: boolean
  /** only these jobs */
  found?: readonly string[]
}

export interface OverviewRow {
  id: string
  title: string
  status: JobStatus
  department: string | null
  location_type: string | null
  locations: string[]
  created_at: string
  published_at: string | null
  close_at: string | null
  updated_at: string
  /** open applications that the reader sees */
  open_count: number
  /** those of them that arrived after the reader last opened the job */
  new_count: number
  /** when the reader last opened the job */
  visited_at: string | null
  /** when it was published; when it was created while it never was */
  open_since: string
  /** the last change of the job or of an application that the reader sees */
  last_activity_at: string
}

/** A job without anyone in the role comes last. */
const LAST_RANK = 2_147_483_647

interface Figures {
  workspace: string
  reader: JobsReader
  /** members in the order of their names, for the orders by a member */
  members: readonly string[]
}

const seen = ({ limit }: JobsReader, application: Sql = sql`a.id`): Sql =>
  limit?.interviews ? sql`and ${reachesCandidate(limit, { job: sql`j.id`, application })}` : none

const OPEN = sql`a.status in ${wordList(OPEN_STATUSES)}`

const openCount = ({ workspace, reader }: Figures): Sql => sql`
  (select count(*)::integer from applications a
    where a.workspace_id = ${workspace} and a.job_id = j.id and ${OPEN} ${seen(reader)})`

const visitedAt = ({ workspace, reader }: Figures): Sql => sql`
  (select v.at from job_visits v
    where v.workspace_id = ${workspace} and v.user_id = ${reader.userId} and v.job_id = j.id)`

/** By stage: the index of a stage is in the order of application. */
const newCount = (figures: Figures): Sql => sql`
  (select count(*)::integer from pipeline_stages s
    join applications a on a.workspace_id = ${figures.workspace} and a.stage_id = s.id and ${OPEN}
      and a.applied_at > coalesce(${visitedAt(figures)}, '-infinity')
    where s.workspace_id = ${figures.workspace} and s.job_id = j.id ${seen(figures.reader)})`

const lastActivity = ({ workspace, reader }: Figures): Sql => sql`
  greatest(j.updated_at, (select max(a.updated_at) from applications a
    where a.workspace_id = ${workspace} and a.job_id = j.id ${seen(reader)}))`

const rankOf = ({ workspace, members }: Figures, role: LeadingRole): Sql => sql`
  coalesce((select min(array_position(${members}::text[], t.user_id::text)) from job_team t
    where t.workspace_id = ${workspace} and t.job_id = j.id and t.role = ${role}), ${LAST_RANK}::integer)`

/** The value that the rows are sorted by, where no other column has it. */
function sortValue(figures: Figures, sort: JobSort): Sql {
  if (sort === 'title')
    return sql`, translate(lower(j.title), 'äáàâãåéèêëíìîïöóòôõúùûüñçß', 'aaaaaaeeeeiiiiooooouuuuncs') collate "C" as title_key`
  if (sort === 'recruiter') return sql`, ${rankOf(figures, sort)} as recruiter_rank`
  if (sort === 'hiring_manager') return sql`, ${rankOf(figures, sort)} as hiring_manager_rank`
  return none
}

const matching = (workspace: string, { userId }: JobsReader, { mine, found, ...filters }: OverviewFilters): Sql => sql`
  workspace_id = ${workspace} ${filterClause(filters)}
  ${mine ? sql`and id in (${jobsOfTeam({ workspace, userId })})` : none}
  ${found ? sql`and id = any(${found}::text[])` : none}`

export interface OverviewPage {
  filters: OverviewFilters
  sort: JobSort
  direction: Order['direction']
  page: Page
}

/** A page of jobs with their figures, in one statement. */
export const jobsOverview = (
  figures: Figures,
  { filters, sort, direction, page }: OverviewPage,
): Sql<OverviewRow> => sql<OverviewRow>`
  select j.* from (
    select j.id, j.title, j.status, j.department, j.location_type, j.locations, j.created_at, j.published_at, j.close_at,
      j.updated_at, ${openCount(figures)} as open_count, ${newCount(figures)} as new_count,
      ${visitedAt(figures)} as visited_at,
      coalesce(j.published_at, j.created_at) as open_since, ${lastActivity(figures)} as last_activity_at,
      ${direction === 'asc' ? sql`-j.number::bigint` : sql`j.number::bigint`} as tie
      ${sortValue(figures, sort)}
    from jobs j where ${matching(figures.workspace, figures.reader, filters)}
  ) j where true ${page.clause}`

/** The jobs of each status: all of them, and those whose team the reader is on. */
export const countJobs = (workspace: string, reader: JobsReader, filters: OverviewFilters) =>
  sql<{ status: JobStatus; all: number; mine: number }>`
    select status, count(*)::integer as all,
      (count(*) filter (where id in (${jobsOfTeam({ workspace, userId: reader.userId })})))::integer as mine
    from jobs where ${matching(workspace, reader, filters)} group by status`

/** Who leads these jobs, those who joined first at the beginning. */
export const leadersOf = (workspace: string, jobs: readonly string[]) =>
  sql<{ job_id: string; user_id: string; role: LeadingRole }>`
    select job_id, user_id, role from job_team
    where workspace_id = ${workspace} and job_id = any(${jobs}::text[]) and role in ${wordList(LEADING_ROLES)}
    order by job_id, added_at, user_id`

/** Nothing where there is no such job. */
export const noteVisit = (workspace: string, userId: string, job: string) => sql<{ job_id: string }>`
  insert into job_visits (workspace_id, user_id, job_id)
  select j.workspace_id, ${userId}, j.id from jobs j where j.workspace_id = ${workspace} and j.id = ${job}
  on conflict (workspace_id, user_id, job_id) do update set at = excluded.at
  returning job_id`

import { type Sql, sql } from '../../kernel/db/sql.ts'
import { type DetailedJob, IS_OPEN, LISTED_COLUMNS, type ListedJob } from '../store.ts'

/** What the validators of a site's files are made of. */
export interface SiteVersion {
  jobs: number
  /** the latest change of an open job; a job that enters the list is changed by that, and one that leaves is counted */
  newest: string | null
  /** the latest change of any job, or the latest closing time that has come */
  changed: string | null
}

export const siteVersion = (workspace: string): Sql<SiteVersion> => sql<SiteVersion>`
  select count(*) as jobs, max(j.updated_at) as newest, greatest(
    (select max(updated_at) from jobs where workspace_id = ${workspace}),
    (select max(close_at) from jobs
      where workspace_id = ${workspace} and status = 'published' and close_at <= app_now())) as changed
  from jobs j where j.workspace_id = ${workspace} and ${IS_OPEN}`

/** A job as feeds show it. */
export type FeedJob = DetailedJob

/** The place of a job in the order of the feeds: the latest first. */
export interface FeedPosition {
  published_at: string
  id: string
}

const after = (last: FeedPosition | undefined) =>
  last ? sql`and (j.published_at, j.id) < (${last.published_at}::timestamptz, ${last.id})` : sql``

export const feedJobs = (
  workspace: string,
  last: FeedPosition | undefined,
  limit: number,
  which = sql`true`,
): Sql<FeedJob> => sql<FeedJob>`
  select j.id, ${LISTED_COLUMNS}, j.team, j.experience_level, j.published_at, j.close_at, j.updated_at, j.summary, j.description_md, j.responsibilities, j.requirements,
    j.nice_to_have, j.skills_required, j.skills_preferred, j.benefits
  from jobs j where j.workspace_id = ${workspace} and ${IS_OPEN} and ${which} ${after(last)}
  order by j.published_at desc, j.id desc limit ${limit}`

/** Someone can apply: here, or on the website that the job names. */
const TAKES_APPLICATIONS = sql`(j.accept_applications or j.external_apply_url is not null)`

/** Jobs that someone can apply for. */
export const appliableJobs = (workspace: string, last: FeedPosition | undefined, limit: number): Sql<FeedJob> =>
  feedJobs(workspace, last, limit, TAKES_APPLICATIONS)

/** The same as combinations of places, with the number of jobs of each: there are few. */
export type PlacedJobs = Pick<ListedJob, 'locations' | 'location_type'> & { jobs: number }

export const placedJobs = (workspace: string): Sql<PlacedJobs> => sql<PlacedJobs>`
  select j.locations, j.location_type, count(*) as jobs from jobs j
  where j.workspace_id = ${workspace} and ${IS_OPEN} and ${TAKES_APPLICATIONS} group by j.locations, j.location_type`

/** The same jobs without their texts. */
export type ListedRow = ListedJob & FeedPosition & { updated_at: string }

export const listedJobs = (
  workspace: string,
  last: FeedPosition | undefined,
  limit: number,
): Sql<ListedRow> => sql<ListedRow>`
  select j.id, ${LISTED_COLUMNS}, j.published_at, j.updated_at
  from jobs j where j.workspace_id = ${workspace} and ${IS_OPEN} ${after(last)}
  order by j.published_at desc, j.id desc limit ${limit}`

/** What the picture of a job shows; a draft has none. */
export type PicturedJob = Pick<ListedJob, 'slug' | 'title' | 'locations' | 'location_type' | 'employment_type'> & {
  updated_at: string
}

export const picturedJob = (workspace: string, slug: string): Sql<PicturedJob> => sql<PicturedJob>`
  select j.slug, j.title, j.locations, j.location_type, j.employment_type, j.updated_at
  from jobs j where j.workspace_id = ${workspace} and j.slug = ${slug} and j.status <> 'draft'`

/**
 * The sites that the sitemap of the installation names: those that allow it, or the only one. A list of all sites would tell
 * everyone whose customers they are. An index may have as many as this.
 */
const INDEXED_SITES = 50_000

export interface IndexedSite {
  slug: string
  updated_at: string
}

export const indexedSites = (): Sql<IndexedSite> => sql<IndexedSite>`
  with live as (
    select c.slug, c.updated_at, c.listed from career_sites c
    join workspaces w on w.id = c.workspace_id and w.environment = 'live' where c.enabled
  )
  select slug, updated_at from live
  where listed or (select count(*) from (select 1 from live limit 2) s) = 1
  order by slug limit ${INDEXED_SITES}`

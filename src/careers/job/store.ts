import { type Sql, sql } from '../../kernel/db/sql.ts'
import { SITE_COLUMNS, type SiteRow } from '../../resources/careers/index.ts'
import { IS_OPEN, LISTED_COLUMNS, type ListedJob } from '../store.ts'

/** A job as the public sees it. */
export interface PublicJob extends ListedJob {
  id: string
  open: boolean
  team: string | null
  experience_level: string | null
  years_min: number | null
  years_max: number | null
  salary_equity: string | null
  salary_commission: boolean | null
  accept_applications: boolean
  external_apply_url: string | null
  published_at: string
  close_at: string | null
  updated_at: string
  summary: string | null
  description_md: string | null
  responsibilities: readonly string[]
  requirements: readonly string[]
  nice_to_have: readonly string[]
  skills_required: readonly string[]
  skills_preferred: readonly string[]
  benefits: readonly string[]
  /** names of the stages that are not final, in order */
  stages: readonly string[]
}

export interface JobPageRow extends SiteRow {
  /** null: there is no such job, or it is a draft */
  job: PublicJob | null
  /** open jobs, those of the same department first */
  others: readonly ListedJob[]
}

const OTHERS = 4

/** Everything that the page of a job shows, with the site, in one statement. */
export const jobPageRow = (siteSlug: string, jobSlug: string): Sql<JobPageRow> => sql<JobPageRow>`
  select ${SITE_COLUMNS}, (
    select row_to_json(f) from (
      select j.id, ${LISTED_COLUMNS}, ${IS_OPEN} as open, j.team, j.experience_level, j.years_min, j.years_max,
        j.salary_equity, j.salary_commission, j.accept_applications, j.external_apply_url, j.published_at, j.close_at,
        j.updated_at, j.summary, j.description_md, j.responsibilities, j.requirements, j.nice_to_have,
        j.skills_required, j.skills_preferred, j.benefits, coalesce((
          select json_agg(p.name order by p.position) from pipeline_stages p
          where p.workspace_id = j.workspace_id and p.job_id = j.id and not p.is_terminal), '[]') as stages
      from jobs j where j.workspace_id = c.workspace_id and j.slug = ${jobSlug} and j.status <> 'draft'
    ) f) as job, coalesce((
    select json_agg(o) from (
      select ${LISTED_COLUMNS} from jobs j
      where j.workspace_id = c.workspace_id and ${IS_OPEN} and j.slug <> ${jobSlug}
      order by j.department is not distinct from (
        select d.department from jobs d where d.workspace_id = c.workspace_id and d.slug = ${jobSlug}
      ) desc, j.published_at desc, j.id limit ${OTHERS}
    ) o), '[]') as others
  from career_slugs s
  join career_sites c on c.workspace_id = s.workspace_id
  join workspaces w on w.id = c.workspace_id
  where s.slug = ${siteSlug}`

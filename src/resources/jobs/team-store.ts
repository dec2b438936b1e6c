import { type LimitedPerson, reachesCandidate, reachesJob } from '../../kernel/access/reach.ts'
import { none, type Sql, sql } from '../../kernel/db/sql.ts'

/** What only the pages of the team read of jobs. */
export interface StageCount {
  job_id: string
  id: string
  name: string
  type: string
  is_terminal: boolean
  /** applications in this stage that wait for a decision */
  active: number
}

/** The stages of these jobs, in the order of each pipeline. Interviewers count whom they see. */
export const jobStageCounts = (
  workspace: string,
  jobs: readonly string[],
  reader?: LimitedPerson,
): Sql<StageCount> => sql<StageCount>`
  select s.job_id, s.id, s.name, s.type, s.is_terminal, coalesce(a.active, 0) as active
  from pipeline_stages s left join (
    select a.stage_id, count(*) as active from applications a
    where a.workspace_id = ${workspace} and a.job_id = any(${jobs}::text[]) and a.status = any('{new,in_review,advanced}')
      ${reader?.interviews ? sql`and ${reachesCandidate(reader, { job: sql`a.job_id`, application: sql`a.id` })}` : none}
    group by a.stage_id) a on a.stage_id = s.id
  where s.workspace_id = ${workspace} and s.job_id = any(${jobs}::text[])
  order by s.job_id, s.position`

export const jobDescription = (workspace: string, id: string) =>
  sql<{ description_md: string | null }>`
    select description_md from jobs where workspace_id = ${workspace} and id = ${id}`

export interface JobWords {
  departments: string[]
  teams: string[]
  locations: string[]
}

/** What the jobs of a workspace are filtered by, and what an editor suggests; the most recent two hundred of each. */
export const jobWords = (workspace: string, onTeam?: LimitedPerson): Sql<JobWords> => sql<JobWords>`
  with visible as (
    select department, team, locations, updated_at from jobs
    where workspace_id = ${workspace} ${onTeam ? sql`and ${reachesJob(onTeam, sql`id`)}` : none}
  )
  select
    array(select department from visible where department is not null
      group by department order by max(updated_at) desc limit 200) as departments,
    array(select team from visible where team is not null
      group by team order by max(updated_at) desc limit 200) as teams,
    array(select location from visible j, jsonb_array_elements_text(j.locations) location
      group by location order by max(j.updated_at) desc limit 200) as locations`

import { sql } from '../../kernel/db/sql.ts'
import type { NamedStage } from './rules.ts'

/** The stages of a job by their names; open: a candidate can be put into it. */
export const selectNamedStages = (workspace: string, jobId: string) =>
  sql<NamedStage>`
    select id, name, not is_terminal and type not in ('hired', 'rejected') as is_open from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${jobId} order by position`

export const selectClosing = (workspace: string) =>
  sql<{ closing_at: string | null }>`select closing_at from workspaces where id = ${workspace}`

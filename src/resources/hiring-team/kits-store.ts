import { type Sql, sql } from '../../kernel/db/sql.ts'

/** A question that interviewers ask; the criterion that it is about, by its name. */
export interface KitQuestion {
  text: string
  criterion: string | null
}

/** What interviewers of a stage are given. */
export interface Kit {
  intro: string | null
  questions: KitQuestion[]
  /** names of the criteria that count in this stage; null: all of the job */
  criteria: string[] | null
  minutes: number | null
  interviewer_user_ids: string[]
}

export interface StoredKit extends Kit {
  stage_id: string
}

const KIT = sql`k.stage_id, k.intro, k.questions, k.criteria, k.minutes, k.interviewer_user_ids`

export const selectKits = (workspace: string, jobId: string): Sql<StoredKit> =>
  sql<StoredKit>`select ${KIT} from interview_kits k where k.workspace_id = ${workspace} and k.job_id = ${jobId}`

export const kitOfStage = (workspace: string, stageId: string): Sql<StoredKit> =>
  sql<StoredKit>`select ${KIT} from interview_kits k where k.workspace_id = ${workspace} and k.stage_id = ${stageId}`

export interface KitStage {
  id: string
  name: string
  type: string
  is_terminal: boolean
}

export const stagesForKits = (workspace: string, jobId: string): Sql<KitStage> =>
  sql<KitStage>`
    select id, name, type, is_terminal from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${jobId} order by position, id`

export const putKit = (workspace: string, jobId: string, stageId: string, kit: Kit) => sql`
  insert into interview_kits (workspace_id, job_id, stage_id, intro, questions, criteria, minutes, interviewer_user_ids)
  values (${workspace}, ${jobId}, ${stageId}, ${kit.intro}, ${JSON.stringify(kit.questions)}::jsonb,
    ${kit.criteria === null ? null : JSON.stringify(kit.criteria)}::jsonb, ${kit.minutes},
    ${JSON.stringify(kit.interviewer_user_ids)}::jsonb)
  on conflict (workspace_id, stage_id) do update set intro = excluded.intro, questions = excluded.questions,
    criteria = excluded.criteria, minutes = excluded.minutes, interviewer_user_ids = excluded.interviewer_user_ids,
    updated_at = excluded.updated_at`

export const deleteKit = (workspace: string, stageId: string) => sql`
  delete from interview_kits where workspace_id = ${workspace} and stage_id = ${stageId}`

/** Kits of one job for the stages of a copy, which are in the same order. */
export const copyKits = (workspace: string, from: string, to: string) => {
  const numbered = (job: string) => sql`
    select id, row_number() over (order by position, id) as n from pipeline_stages
    where workspace_id = ${workspace} and job_id = ${job}`
  return sql`
    insert into interview_kits (workspace_id, job_id, stage_id, intro, questions, criteria, minutes, interviewer_user_ids)
    select k.workspace_id, ${to}, t.id, k.intro, k.questions, k.criteria, k.minutes, k.interviewer_user_ids
    from interview_kits k join (${numbered(from)}) f on f.id = k.stage_id join (${numbered(to)}) t on t.n = f.n
    where k.workspace_id = ${workspace} and k.job_id = ${from}`
}

export const copyCriteria = (workspace: string, from: string, to: string) => sql`
  insert into scorecard_criteria (workspace_id, job_id, position, name, description)
  select workspace_id, ${to}, position, name, description from scorecard_criteria
  where workspace_id = ${workspace} and job_id = ${from}`

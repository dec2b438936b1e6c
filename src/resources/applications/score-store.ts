import type { ApplicationStatus } from '../../contract/application-status.ts'
import { type Sql, sql, touched } from '../../kernel/db/sql.ts'
import { type TurnPlace, turnOrder } from '../../kernel/work/turns.ts'
import type { MatchScore } from './score-rules.ts'

/** What a score is made of: the job's wishes and the parsed résumé. */
export interface Material {
  id: string
  skills_required: string[]
  skills_preferred: string[]
  experience_level: string | null
  years_min: number | null
  parsed: { skills: string[]; seniority: string | null; total_years_experience: number | null }
  raw_text: string | null
}

/** Read after the applications were locked. Nothing of a person whose processing was stopped. */
export const selectMaterial = (workspace: string, ids: readonly string[]) => sql<Material>`
  select a.id, j.skills_required, j.skills_preferred, j.experience_level, j.years_min, r.parsed, r.raw_text
  from applications a
  join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
  join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
  where a.workspace_id = ${workspace} and a.id = any(${ids}::text[]) and r.parsed is not null
    and not exists (select from applicants p
      where p.workspace_id = a.workspace_id and p.id = a.applicant_id and p.suppressed_at is not null)
  order by a.id`

interface Touched {
  id: string
  job_id: string
  status: ApplicationStatus
  stage_id: string
  updated_at: string
}

type Scores = ReadonlyMap<string, MatchScore>

const scoredRows = (scores: Scores): Sql => {
  const rows = [...scores].map(([application_id, score]) => ({ application_id, ...score }))
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as scored (application_id text, match_pct integer, gaps jsonb, rationale text)`
}

/**
 * Touches the locked applications whose score is new or differs from the one stored, and returns them. Before `putScores`,
 * whose trigger then finds the score: a second version of an application in one transaction would check its foreign keys,
 * and wait for anyone who edits the job.
 */
export const touchScored = (workspace: string, scores: Scores, modelVersion: string) => sql<Touched>`
  update applications a set updated_at = ${touched('a.updated_at')}, usable_score = scored.match_pct
  from ${scoredRows(scores)}
  where a.workspace_id = ${workspace} and a.id = scored.application_id and not exists (
    select from application_scores s where s.workspace_id = ${workspace} and s.application_id = scored.application_id
      and (s.match_pct, s.gaps, s.rationale, s.model_version)
        is not distinct from (scored.match_pct, scored.gaps, scored.rationale, ${modelVersion}))
  returning a.id, a.job_id, a.status, a.stage_id, a.updated_at`

/** A cluster finds the shard by a table that is read. */
export const putScores = (workspace: string, scores: Scores, modelVersion: string) => sql`
  insert into application_scores as s (workspace_id, application_id, match_pct, gaps, rationale, model_version)
  select w.workspace_id, application_id, match_pct, gaps, rationale, ${modelVersion}
  from event_logs w, ${scoredRows(scores)} where w.workspace_id = ${workspace}
  on conflict (workspace_id, application_id) do update set match_pct = excluded.match_pct, gaps = excluded.gaps,
    rationale = excluded.rationale, model_version = excluded.model_version, scored_at = excluded.scored_at
    where (s.match_pct, s.gaps, s.rationale, s.model_version)
      is distinct from (excluded.match_pct, excluded.gaps, excluded.rationale, excluded.model_version)`

export const dropScores = (workspace: string, ids: readonly string[]) => sql<Touched>`
  with removed as (
    delete from application_scores where workspace_id = ${workspace} and application_id = any(${ids}::text[])
    returning application_id
  )
  update applications a set updated_at = ${touched('a.updated_at')}, usable_score = -1
  from removed where a.workspace_id = ${workspace} and a.id = removed.application_id
  returning a.id, a.job_id, a.status, a.stage_id, a.updated_at`

// Scoring a job's applications again

export interface Rescore {
  workspace_id: string
  job_id: string
  version: number
  after_id: string
  lease_token: string
}

const DUE = sql`coalesce(leased_until, '-infinity') <= app_now()`

/** Workspaces with a job to be scored again, in the order of their turns. */
export const rescoringWorkspaces = (limit: number): Sql<TurnPlace> => sql<TurnPlace>`
  select w.workspace_id, t.last_turn_at
  from (select distinct workspace_id from job_rescores where ${DUE}) w
  left join worker_turns t on t.workspace_id = w.workspace_id and t.work = 'score_again'
  order by ${turnOrder()}, w.workspace_id limit ${limit}`

/** The job of the workspace that has waited the longest, held by a lease. */
export const claimRescore = (workspace: string, token: string, leaseSeconds: number): Sql<Rescore> => sql<Rescore>`
  with next as (
    select job_id from job_rescores where workspace_id = ${workspace} and ${DUE}
    order by requested_at, job_id limit 1 for update skip locked
  )
  update job_rescores r set lease_token = ${token}, leased_until = app_now() + ${leaseSeconds}::integer * interval '1 second'
  from next where r.workspace_id = ${workspace} and r.job_id = next.job_id
  returning r.workspace_id, r.job_id, r.version, r.after_id, r.lease_token`

/** The next applications with a résumé, locked, whether or not it has been read by now. */
export const lockBatch = ({ workspace_id, job_id, after_id }: Rescore, limit: number) => sql<{ id: string }>`
  select id from applications
  where workspace_id = ${workspace_id} and job_id = ${job_id} and id > ${after_id} and has_resume
  order by id limit ${limit} for update`

/** Ends a batch. Where the job was changed since the claim, the place stays at the start. */
export const advanceRescore = (r: Rescore, afterId: string) => sql`
  update job_rescores set lease_token = null, leased_until = null,
    after_id = case when version = ${r.version}::bigint then ${afterId} else after_id end
  where workspace_id = ${r.workspace_id} and job_id = ${r.job_id} and lease_token = ${r.lease_token}`

/** Ends the whole, unless the job was changed since the claim. */
export const finishRescore = (r: Rescore) => sql<{ job_id: string }>`
  delete from job_rescores
  where workspace_id = ${r.workspace_id} and job_id = ${r.job_id} and lease_token = ${r.lease_token}
    and version = ${r.version}::bigint
  returning job_id`

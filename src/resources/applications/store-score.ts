import { sql } from '../../kernel/db/sql.ts'
import type { Score } from './score.ts'

/** What a score is made of: the job's wishes and the parsed résumé. */
interface Material {
  skills_required: string[]
  skills_preferred: string[]
  experience_level: string | null
  years_min: number | null
  parsed: { skills: string[]; seniority: string | null; total_years_experience: number | null }
  raw_text: string | null
}

export const materialOf = (workspace: string, id: string) => sql<Material>`
  select j.skills_required, j.skills_preferred, j.experience_level, j.years_min, r.parsed, r.raw_text
  from applications a
  join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
  join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
  where a.workspace_id = ${workspace} and a.id = ${id} and r.parsed is not null`

/** Returns a row only where the score is new or differs from the one stored. */
export const putScore = (workspace: string, id: string, score: Score, modelVersion: string) => sql`
  insert into application_scores as s (workspace_id, application_id, match_pct, gaps, rationale, model_version)
  values (${workspace}, ${id}, ${score.match_pct}, ${JSON.stringify(score.gaps)}::jsonb, ${score.rationale}, ${modelVersion})
  on conflict (workspace_id, application_id) do update set match_pct = excluded.match_pct, gaps = excluded.gaps,
    rationale = excluded.rationale, model_version = excluded.model_version, scored_at = app_now()
    where (s.match_pct, s.gaps, s.rationale, s.model_version)
      is distinct from (excluded.match_pct, excluded.gaps, excluded.rationale, excluded.model_version)
  returning application_id`

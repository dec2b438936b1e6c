import type { Transaction } from '../../kernel/db/database.ts'
import { sql } from '../../kernel/db/sql.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { MODEL_VERSION, scoreMatch } from './score.ts'
import { lockApplication, touch } from './store.ts'

interface Material {
  skills_required: string[]
  skills_preferred: string[]
  experience_level: string | null
  years_min: number | null
  parsed: { skills: string[]; seniority: string | null; total_years_experience: number | null }
  raw_text: string | null
}

const materialOf = (workspace: string, id: string) => sql<Material>`
  select j.skills_required, j.skills_preferred, j.experience_level, j.years_min, r.parsed, r.raw_text
  from applications a
  join jobs j on j.workspace_id = a.workspace_id and j.id = a.job_id
  join resumes r on r.workspace_id = a.workspace_id and r.application_id = a.id
  where a.workspace_id = ${workspace} and a.id = ${id} and r.parsed is not null`

/** Returns a row only where the score is new or differs from the one stored. */
const putScore = (workspace: string, id: string, matchPct: number, gaps: string[], rationale: string) => sql`
  insert into application_scores as s (workspace_id, application_id, match_pct, gaps, rationale, model_version)
  values (${workspace}, ${id}, ${matchPct}, ${JSON.stringify(gaps)}::jsonb, ${rationale}, ${MODEL_VERSION})
  on conflict (workspace_id, application_id) do update set match_pct = excluded.match_pct, gaps = excluded.gaps,
    rationale = excluded.rationale, model_version = excluded.model_version, scored_at = app_now()
    where (s.match_pct, s.gaps, s.rationale, s.model_version)
      is distinct from (excluded.match_pct, excluded.gaps, excluded.rationale, excluded.model_version)
  returning application_id`

/** Scores an application from its parsed résumé; application.scored when the score is new or changed. */
export async function scoreApplication(tx: Transaction, workspace: string, id: string): Promise<void> {
  const row = await tx.one(lockApplication(workspace, id))
  const material = row && (await tx.one(materialOf(workspace, id)))
  if (!material) return
  const { parsed } = material
  const score = scoreMatch(
    {
      skillsRequired: material.skills_required,
      skillsPreferred: material.skills_preferred,
      experienceLevel: material.experience_level,
      yearsMin: material.years_min,
    },
    {
      skills: parsed.skills,
      text: material.raw_text ?? '',
      seniority: parsed.seniority,
      years: parsed.total_years_experience,
    },
  )
  if (!score) return
  if (!(await tx.one(putScore(workspace, id, score.match_pct, score.gaps, score.rationale)))) return
  const touched = (await tx.one(touch(workspace, id)))!
  await appendEvents(tx, [
    {
      type: 'application.scored',
      workspaceId: workspace,
      id,
      updatedAt: touched.updated_at,
      values: { job_id: row.job_id, match_pct: score.match_pct },
      originKeyId: null,
    },
  ])
}

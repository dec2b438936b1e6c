import type { Transaction } from '../../kernel/db/database.ts'
import { appendEvents } from '../../kernel/feed/append.ts'
import { MODEL_VERSION, scoreMatch } from './score.ts'
import { lockApplication, touch } from './store.ts'
import { materialOf, putScore } from './store-score.ts'

/** Scores an application from its parsed résumé; application.scored when the score is new or changed. */
export async function scoreApplication(tx: Transaction, workspace: string, id: string): Promise<void> {
  const row = await tx.one(lockApplication(workspace, id))
  if (!row || row.stopped) return
  const material = await tx.one(materialOf(workspace, id))
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
  if (!(await tx.one(putScore(workspace, id, score, MODEL_VERSION)))) return
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

import { withCallerNames } from '../kernel/access/caller-names.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { type HistoryStep, latestSteps } from '../resources/applications/index.ts'
import { membersNamed } from '../resources/hiring-team/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import type { AuthorResponse, LatestStepResponse, StepResponse } from './api-types.ts'

interface Authored {
  key_id: string | null
  user_id: string | null
}

/** Adds to changes who made them, in the names of today, and whether it was the reader. */
export async function withAuthors<Row extends Authored>(
  db: Queryable,
  { workspaceId, userId }: UserSession,
  rows: readonly Row[],
): Promise<(Row & { own: boolean; by: AuthorResponse })[]> {
  const users = rows.map(({ user_id }) => user_id)
  const [named, people] = await Promise.all([
    withCallerNames(db, workspaceId, rows),
    membersNamed(db, workspaceId, users),
  ])
  return named.map(row => ({
    ...row,
    own: row.user_id === userId,
    by: row.user_id
      ? { kind: 'person', name: people.get(row.user_id)?.name ?? null }
      : row.key_id
        ? { kind: row.is_app ? 'app' : 'key', name: row.key_name }
        : { kind: 'service', name: null },
  }))
}

/** As many steps as a page shows. */
const MOST_STEPS = 100

/** What happened to an application and who did it, the latest first. */
export async function readSteps(db: Queryable, session: UserSession, id: string): Promise<StepResponse[]> {
  const steps = await db.query(latestSteps(session.workspaceId, id, MOST_STEPS))
  return (await withAuthors(db, session, steps)).map(toStep)
}

/** Who was the last to move an application or to decide about it; null: nothing has happened. */
export async function readLatestStep(
  db: Queryable,
  session: UserSession,
  id: string,
): Promise<LatestStepResponse | null> {
  const [step] = await withAuthors(db, session, await db.query(latestSteps(session.workspaceId, id, 1)))
  return step ? { at: step.at, own: step.own, by: step.by } : null
}

const toStep = (step: HistoryStep & Pick<StepResponse, 'own' | 'by'>): StepResponse => ({
  at: step.at,
  from_stage_id: step.from_stage_id,
  to_stage_id: step.to_stage_id,
  from_status: step.from_status,
  to_status: step.to_status,
  own: step.own,
  by: step.by,
})

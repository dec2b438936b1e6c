import { ERRORS } from '../contract/errors.ts'
import { withCallerNames } from '../kernel/access/caller-names.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { type HistoryStep, latestSteps } from '../resources/applications/index.ts'
import { membersNamed } from '../resources/hiring-team/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import type { AuthorResponse, LatestStepResponse, Part, Refusal, StepResponse } from './api-types.ts'
import { readsInternal } from './decisions.ts'

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

/** Who was the last to move an application or to decide about it; null: nothing has happened. */
export async function readLatestStep(
  db: Queryable,
  session: UserSession,
  id: string,
): Promise<LatestStepResponse | null> {
  return toLatest(await withAuthors(db, session, await db.query(latestSteps(session.workspaceId, id, 1))))
}

/** What happened to an application and who did it, as far as the role reads it: the latest first. */
export async function readHistory(
  db: Queryable,
  session: UserSession,
  id: string,
): Promise<{ history: Part<StepResponse[]>; latest_step: LatestStepResponse | null }> {
  if (!readsInternal(session))
    return { history: { refused: NO_HISTORY }, latest_step: await readLatestStep(db, session, id) }
  const steps = await withAuthors(db, session, await db.query(latestSteps(session.workspaceId, id, MOST_STEPS)))
  return { history: { data: steps.map(toStep) }, latest_step: toLatest(steps) }
}

/** As the API refuses to list the steps of an application. */
const NO_HISTORY: Refusal = {
  status: ERRORS.insufficient_scope.status,
  code: 'insufficient_scope',
  message: ERRORS.insufficient_scope.message,
  required_scope: 'applications:internal:read',
}

const toLatest = ([step]: readonly LatestStepResponse[]): LatestStepResponse | null =>
  step ? { at: step.at, own: step.own, by: step.by } : null

const toStep = (step: HistoryStep & Pick<StepResponse, 'own' | 'by'>): StepResponse => ({
  at: step.at,
  from_stage_id: step.from_stage_id,
  to_stage_id: step.to_stage_id,
  from_status: step.from_status,
  to_status: step.to_status,
  own: step.own,
  by: step.by,
})

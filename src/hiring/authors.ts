import { ERRORS } from '../contract/errors.ts'
import type { JobRight } from '../contract/job-rights.ts'
import { withCallerNames } from '../kernel/access/caller-names.ts'
import type { Queryable } from '../kernel/db/database.ts'
import { fields } from '../programs/fields.ts'
import { type HistoryStep, latestSteps } from '../resources/applications/index.ts'
import { membersNamed } from '../resources/hiring-team/index.ts'
import type { UserSession } from '../sign-in/sessions.ts'
import type { PartOrRefusal, Refusal } from './person.ts'

/** Who made a change of a job or an application. */
interface Author {
  /** `service`: also someone of whom nothing is known */
  kind: 'person' | 'key' | 'app' | 'service'
  /** null: a person, key or app that is no longer there */
  name: string | null
}

/** The last move or decision. Everyone who sees the application may know who made it. */
interface LatestStep {
  at: string
  /** the reader made it */
  own: boolean
  by: Author
}

export const LATEST_STEP_FIELDS = { ...fields('at', 'own'), by: fields('kind', 'name') }

/** A move, a change of the status, or both in one change; what did not change is null. */
export type Step = LatestStep & Pick<HistoryStep, 'from_stage_id' | 'to_stage_id' | 'from_status' | 'to_status'>

interface Authored {
  key_id: string | null
  user_id: string | null
}

/** Adds to changes who made them, in the names of today, and whether it was the reader. */
export async function withAuthors<Row extends Authored>(
  db: Queryable,
  { workspaceId, userId }: UserSession,
  rows: readonly Row[],
): Promise<(Row & { own: boolean; by: Author })[]> {
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
const MAX_STEPS = 100

/** Who was the last to move an application or to decide about it; null: nothing has happened. */
export async function readLatestStep(db: Queryable, session: UserSession, id: string): Promise<LatestStep | null> {
  return toLatest(await withAuthors(db, session, await db.query(latestSteps(session.workspaceId, id, 1))))
}

/** What happened to an application and who did it, for people who read its history: the latest first. */
export async function readHistory(
  db: Queryable,
  session: UserSession,
  rights: ReadonlySet<JobRight>,
  id: string,
): Promise<{ history: PartOrRefusal<Step[]>; latest_step: LatestStep | null }> {
  if (!rights.has('discuss'))
    return { history: { refused: NO_HISTORY }, latest_step: await readLatestStep(db, session, id) }
  const steps = await withAuthors(db, session, await db.query(latestSteps(session.workspaceId, id, MAX_STEPS)))
  return { history: { data: steps.map(toStep) }, latest_step: toLatest(steps) }
}

/** As the API refuses to list the steps of an application. */
const NO_HISTORY: Refusal = {
  status: ERRORS.insufficient_scope.status,
  code: 'insufficient_scope',
  message: ERRORS.insufficient_scope.message,
  required_scope: 'applications:internal:read',
}

const toLatest = ([step]: readonly LatestStep[]): LatestStep | null =>
  step ? { at: step.at, own: step.own, by: step.by } : null

const toStep = (step: HistoryStep & LatestStep): Step => ({
  at: step.at,
  from_stage_id: step.from_stage_id,
  to_stage_id: step.to_stage_id,
  from_status: step.from_status,
  to_status: step.to_status,
  own: step.own,
  by: step.by,
})

import type { Database, Queryable } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { foldCase } from '../../kernel/text/tokenize.ts'
import { beginErasure, limitRequests } from './actions.ts'
import { findPersonOf } from './find-person.ts'
import {
  applicantIsStored,
  deletePlan,
  deletePlanAhead,
  insertPlan,
  type NewPlan,
  type PlannedErasure,
  planOf,
  plansDue,
  selectNames,
} from './planned-store.ts'
import type { ErasureTarget } from './rules.ts'

/*
 * Erasures and stops of one applicant, by handle: people without any address can be erased, too. A plan is stored with the
 * request and carried out some seconds later by a worker, so that a mistaken click can be undone, also from
 * another browser. A plan that is due can no longer be deleted. It is carried out at least once: repeating an erasure
 * finds the first one.
 */

/** How long a planned erasure can be taken back. */
export const ERASURE_UNDO_SECONDS = 10

/** What is typed to confirm that it is this person: the last name; the full name is right as well. */
export async function readConfirmation(
  db: Queryable,
  { workspace, applicantId }: Pick<NewPlan, 'workspace' | 'applicantId'>,
): Promise<{ word: string; accepts(typed: string): boolean } | undefined> {
  const names = await db.one(selectNames(workspace, applicantId))
  if (!names) return undefined
  const given = [names.last_name, names.full_name].flatMap(name => (name?.trim() ? [name.trim()] : []))
  // someone without a name has the end of their handle
  const known = given.length > 0 ? given : [applicantId.slice(-4)]
  const folded = (text: string) => foldCase(text).trim().split(/\s+/).join(' ')
  return { word: known[0] ?? '', accepts: typed => known.some(name => folded(name) === folded(typed)) }
}

/** The stored records of the person of an applicant within a reach; undefined: there is no such applicant. */
export async function previewErasureOf(
  db: Queryable,
  { workspace, applicantId, reach }: Pick<NewPlan, 'workspace' | 'applicantId' | 'reach'>,
): Promise<{ identifiers: number; targets: ErasureTarget[] } | undefined> {
  const person = await findPersonOf(db, workspace, applicantId, reach)
  return person && { identifiers: person.identifiers.length, targets: person.targets }
}

/** Returns what is planned then, which can be an earlier plan; undefined: there is no such applicant. */
export async function planErasure(db: Database, plan: NewPlan): Promise<PlannedErasure | undefined> {
  const { workspace, applicantId } = plan
  await limitRequests(db, workspace)
  return db.transaction(async tx => {
    if (!(await tx.one(applicantIsStored(workspace, applicantId)))) return undefined
    await tx.query(insertPlan(plan, ERASURE_UNDO_SECONDS))
    return tx.one(planOf(workspace, applicantId))
  })
}

/** Takes a plan back. 409 once it has begun; undefined: there is no such applicant. */
export async function undoErasure(
  db: Database,
  { workspace, applicantId }: Pick<NewPlan, 'workspace' | 'applicantId'>,
): Promise<{ undone: true } | undefined> {
  return db.transaction(async tx => {
    if (!(await tx.one(applicantIsStored(workspace, applicantId)))) return undefined
    if (await tx.one(deletePlanAhead(workspace, applicantId))) return { undone: true }
    return fail('stale_resource', { message: 'There is nothing to undo: it was undone before, or it has begun.' })
  })
}

/** Begins what is due. Every process may run it: the same plan twice finds the first erasure. */
export async function beginPlannedErasures(db: Database, lockWaits?: readonly number[]): Promise<void> {
  for (const plan of await db.query(plansDue())) {
    const { workspace_id: workspace, applicant_id: applicantId, reach, reason, requested_by: requestedBy } = plan
    const find = (to: Queryable) => findPersonOf(to, workspace, applicantId, reach)
    await beginErasure(db, { reach, reason, requestedBy, askedIn: workspace }, find, lockWaits)
    await db.query(deletePlan(plan))
  }
}

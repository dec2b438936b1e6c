import { API_LIMITS } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors/api-error.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { spendCredits } from '../credits/index.ts'
import { readUnlessStopped } from '../suppressions/index.ts'
import { type AccessState, resumeAccess } from './shape.ts'
import {
  type AgingRow,
  dueForAging,
  dueForAgingIn,
  lockAccess,
  lockDueAccess,
  markUnlocked,
  noteAccess,
  selectResume,
} from './store.ts'

const AGING_BATCH = 200

/**
 * Emits an event for each résumé whose access state changed since its last event. If the state changed twice while the
 * service was down, there is one event, with the current state.
 */
export const ageResumeAccess = (db: Database): Promise<number> =>
  db.transaction(async tx => age(tx, await tx.query(dueForAging(AGING_BATCH))))

/** The same in one workspace, by its clock. */
export const ageAccessIn = (db: Database, workspace: string): Promise<number> =>
  db.transaction(async tx => {
    const due = await tx.query(dueForAgingIn(workspace, AGING_BATCH))
    return age(
      tx,
      due.map(({ id }) => ({ workspace_id: workspace, id })),
    )
  })

async function age(tx: Transaction, found: readonly { workspace_id: string; id: string }[]): Promise<number> {
  const due: AgingRow[] = []
  for (const { workspace_id, id } of found) {
    const row = await tx.one(lockDueAccess(workspace_id, id))
    if (row) due.push(row)
  }
  const events: NewEvent[] = []
  for (const row of due) {
    const access = resumeAccess(row.applied_at, row.resume_unlocked_at, row.now)
    await tx.query(noteAccess(row.workspace_id, row.application_id, access.state, access.state_changes_at))
    // the instant at which the state in force began
    const began = access.state === 'locked' ? access.view_until : access.free_until
    if (access.state !== row.resume_access_state) events.push(accessChanged(row, access.state, began, null))
  }
  await appendEvents(tx, events)
  return due.length
}

/** Unlocked permanently, without a price. Unlocking again changes nothing; then the result is false. */
export async function unlockResume(
  tx: Transaction,
  workspace: string,
  applicationId: string,
  originKeyId: string | null,
): Promise<boolean> {
  const row = await tx.one(lockAccess(workspace, applicationId))
  if (!row) throw new UserError(`there is no application ${applicationId} with a résumé`)
  if (row.resume_unlocked_at !== null) return false
  await tx.query(markUnlocked(workspace, applicationId))
  await tx.query(noteAccess(workspace, applicationId, 'unlocked', null))
  await appendEvents(tx, [accessChanged(row, 'unlocked', row.now, originKeyId)])
  return true
}

/**
 * A person of the workspace pays for the résumé, once: of two who do it at the same time, one pays. One that is still open
 * stays so and costs nothing. A résumé that is not shown to anyone, because its person stopped all processing, is not sold.
 */
export async function buyResume(
  tx: Transaction,
  workspace: string,
  applicationId: string,
  userId: string,
): Promise<void> {
  const ofPerson = { db: tx, workspace }
  const find = async () => ((await tx.one(selectResume(workspace, applicationId))) ? 'there' : 'missing')
  const found = await readUnlessStopped(ofPerson, 'application', applicationId, find, 'stopped')
  if (found === 'stopped') fail('applicant_suppressed')
  if (found === 'missing') fail('not_found')
  const row = await tx.one(lockAccess(workspace, applicationId))
  if (row && resumeAccess(row.applied_at, row.resume_unlocked_at, row.now).state === 'open') return
  const unlocked = await unlockResume(tx, workspace, applicationId, null)
  if (!unlocked) return
  const price = API_LIMITS.resumeUnlockCredits
  await spendCredits(tx, { workspace, kind: 'resume_unlock', price, userId, subjectId: applicationId })
}

const accessChanged = (row: AgingRow, state: AccessState, at: string, originKeyId: string | null): NewEvent => ({
  type: 'resume.access_changed',
  workspaceId: row.workspace_id,
  id: row.resume_id,
  updatedAt: at,
  values: { application_id: row.application_id, state },
  previous: { state: row.resume_access_state },
  originKeyId,
})

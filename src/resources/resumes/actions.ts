import type { Database, Transaction } from '../../kernel/db/database.ts'
import { UserError } from '../../kernel/errors/user-error.ts'
import { appendEvents, type NewEvent } from '../../kernel/feed/append.ts'
import { type AccessState, resumeAccess } from './shape.ts'
import { type AgingRow, dueForAging, lockAccess, markUnlocked, noteAccess } from './store.ts'

const AGING_BATCH = 200

/**
 * Emits an event for each résumé whose access state changed since its last event. If the state changed twice while the
 * service was down, there is one event, with the current state.
 */
export function ageResumeAccess(db: Database): Promise<number> {
  return db.transaction(async tx => {
    const due = await tx.query(dueForAging(AGING_BATCH))
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
  })
}

/** The workspace paid for the résumé, once and permanently. Unlocking again changes nothing. */
export async function unlockResume(
  tx: Transaction,
  workspace: string,
  applicationId: string,
  originKeyId: string | null,
): Promise<void> {
  const row = await tx.one(lockAccess(workspace, applicationId))
  if (!row) throw new UserError(`there is no application ${applicationId} with a résumé`)
  if (row.resume_unlocked_at !== null) return
  await tx.query(markUnlocked(workspace, applicationId))
  await tx.query(noteAccess(workspace, applicationId, 'unlocked', null))
  await appendEvents(tx, [accessChanged(row, 'unlocked', row.now, originKeyId)])
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

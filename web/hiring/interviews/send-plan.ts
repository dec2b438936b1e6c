import { send } from '../api.ts'
import { changeOne } from '../candidate/change.ts'
import { toastWithUndo } from '../candidate/undo.ts'
import { t } from '../texts/index.ts'
import { interviewsChanged } from './changed.ts'
import { asBefore, buildEdit, buildPlan, type Interview, type PlanDraft } from './plan.ts'

interface Sending {
  applicationId: string
  draft: PlanDraft
  /** reads the candidate again */
  reload: () => void
}

function reloadAll(applicationId: string, reloadCandidate: () => void): void {
  interviewsChanged(applicationId)
  reloadCandidate()
}

/** Plans an interview, perhaps with a move. Undo takes back both and gives the draft to `onUndone`. */
export async function sendPlan(
  { applicationId: application, draft, reload: reloadCandidate }: Sending,
  moveTo: string | undefined,
  onUndone: () => void,
): Promise<void> {
  const body = buildPlan(draft, moveTo)
  if (!body) return
  const reload = () => reloadAll(application, reloadCandidate)
  const { id: interview, moved } = await send('/applications/{application}/interviews', { application }, body)
  const words =
    draft.mode === 'offer'
      ? t.interviews.timesOffered
      : draft.invites || draft.people.length > 0
        ? t.interviews.planned
        : t.interviews.plannedWithout
  reload()
  const undo = async () => {
    await send('/applications/{application}/interviews/{interview}/forget', { application, interview }, {})
    if (moved) await changeOne(application, moved, { action: 'undo' })
    onUndone()
    reload()
    return t.interviews.undone
  }
  toastWithUndo(words, undo, { about: application })
}

/** Sends another time, place or people. Undo sends what it was before, and no one hears of either. */
export async function sendChange(sending: Sending, before: Interview): Promise<void> {
  const { applicationId, draft } = sending
  const body = buildEdit(draft, before)
  if (!body) return
  const reload = () => reloadAll(applicationId, sending.reload)
  const path = '/applications/{application}/interviews/{interview}'
  const params = { application: applicationId, interview: before.id }
  const { updated_at } = await send(path, params, body)
  reload()
  const undo = async () => {
    await send(path, params, asBefore(before, updated_at))
    reload()
    return t.interviews.unchanged
  }
  toastWithUndo(t.interviews.changed, undo, { about: applicationId })
}

import { ApiError } from '../../ui/api.ts'
import { amount } from '../../ui/numbers.ts'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { type Member, type Stage, sendStage, stageTitle } from './stages.tsx'

/** Runs a change; a refusal is shown in a toast. Returns whether it was made. */
async function attempt(change: () => Promise<void>): Promise<boolean> {
  try {
    await change()
    return true
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    toast(error.message, 'bad')
    return false
  }
}

/** Makes the people in one step what they were: members of the list, each in their stage. */
const undoTo = (list: string, members: readonly Member[], onChanged: () => void) => () =>
  void attempt(async () => {
    const { missing } = await send(
      '/sourcing/lists/{list_id}/restore',
      { list_id: list },
      { members: members.map(({ sourced_profile_id, stage }) => ({ sourced_profile_id, stage })) },
    )
    onChanged()
    if (missing > 0) toast(`${amount(missing, 'person', 'people')} can no longer be in the list.`, 'bad')
  })

export function setStageWithUndo(
  list: string,
  members: readonly Member[],
  stage: Stage,
  onChanged: () => void,
): Promise<boolean> {
  const moved = members.filter(member => member.stage !== stage)
  if (moved.length === 0) return Promise.resolve(true)
  return attempt(async () => {
    const fault = await sendStage(
      list,
      moved.map(({ id }) => id),
      stage,
    )
    onChanged()
    toast(fault ?? `${amount(moved.length, 'person', 'people')}: ${stageTitle(stage)}`, fault ? 'bad' : 'good', {
      title: 'Undo',
      run: undoTo(list, moved, onChanged),
    })
  })
}

export function removeWithUndo(list: string, members: readonly Member[], onChanged: () => void): Promise<boolean> {
  return attempt(async () => {
    const profile_ids = members.map(m => m.sourced_profile_id)
    await send('/sourcing/lists/{list_id}/remove', { list_id: list }, { profile_ids })
    onChanged()
    const removed = `${amount(members.length, 'person', 'people')} removed from the list`
    toast(removed, 'good', { title: 'Undo', run: undoTo(list, members, onChanged) })
  })
}

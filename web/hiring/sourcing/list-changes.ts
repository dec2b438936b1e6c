import type { ListMemberResponse } from '../../../src/hiring/sourcing-types.ts'
import { ApiError, send } from '../../ui/api.ts'
import { amount } from '../../ui/numbers.ts'
import { toast } from '../../ui/toast.tsx'
import { type Stage, setStage, stageTitle } from './stages.tsx'

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

/** Members by their stage, so that each gets its own back. */
const byStage = (members: readonly ListMemberResponse[]) => Map.groupBy(members, ({ stage }) => stage)

export function setStageWithUndo(
  list: string,
  members: readonly ListMemberResponse[],
  stage: Stage,
  onChanged: () => void,
): Promise<boolean> {
  const moved = members.filter(member => member.stage !== stage)
  if (moved.length === 0) return Promise.resolve(true)
  const undo = () =>
    void attempt(async () => {
      for (const [before, group] of byStage(moved)) {
        await setStage(
          list,
          group.map(({ id }) => id),
          before,
        )
      }
      onChanged()
    })
  return attempt(async () => {
    const fault = await setStage(
      list,
      moved.map(({ id }) => id),
      stage,
    )
    onChanged()
    toast(fault ?? `${amount(moved.length, 'person', 'people')}: ${stageTitle(stage)}`, fault ? 'bad' : 'good', {
      title: 'Undo',
      run: undo,
    })
  })
}

interface AddedMembers {
  results: { membership: { id: string; sourced_profile_id: string } | null }[]
}

/** The API takes so many members in one call. */
const MEMBERS_PER_CALL = 50

/** Undoing adds them again, with the stages they had. */
export function removeWithUndo(
  list: string,
  members: readonly ListMemberResponse[],
  onChanged: () => void,
): Promise<boolean> {
  const restore = async (group: readonly ListMemberResponse[]) => {
    const { results } = await send<AddedMembers>(`/v1/lists/${list}/members`, {
      members: group.map(({ sourced_profile_id }) => ({ sourced_profile_id })),
    })
    const added = new Map(results.flatMap(({ membership: m }) => (m ? [[m.sourced_profile_id, m.id] as const] : [])))
    for (const [stage, same] of byStage(group)) {
      const ids = same.flatMap(({ sourced_profile_id }) => added.get(sourced_profile_id) ?? [])
      if (stage !== null && ids.length > 0) await setStage(list, ids, stage)
    }
  }
  const undo = () =>
    void attempt(async () => {
      for (let at = 0; at < members.length; at += MEMBERS_PER_CALL)
        await restore(members.slice(at, at + MEMBERS_PER_CALL))
      onChanged()
    })
  return attempt(async () => {
    await send(`/sourcing/lists/${list}/remove`, { profile_ids: members.map(m => m.sourced_profile_id) })
    onChanged()
    toast(`${amount(members.length, 'person', 'people')} removed from the list`, 'good', { title: 'Undo', run: undo })
  })
}

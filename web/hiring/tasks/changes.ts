import { MAX_TASK_STATES } from '../../../src/contract/task-kinds.ts'
import { countsChanged } from '../../ui/count-badge.tsx'
import { type Body, send } from '../api.ts'
import { toastWithUndo } from '../candidate/undo.ts'
import { t } from '../texts/index.ts'
import type { Task } from './rows.ts'

type State = Body<'/tasks/states'>['states'][number]

interface Marks {
  snoozed_until?: string
  done?: boolean
}

/** Sends what the reader did with tasks; what has ended with a check is marked at the check, for everyone. */
async function setAll(tasks: readonly Task[], { snoozed_until, done = false }: Marks): Promise<void> {
  const isMark = snoozed_until === undefined
  const checks = isMark ? tasks.filter(task => task.check !== undefined) : []
  for (const { application_id: application, subject: order } of checks)
    await send('/applications/{application}/orders/{order}/reviewed', { application, order }, { reviewed: done })
  const states: State[] = tasks
    .filter(task => !checks.includes(task))
    .map(({ kind, subject }) => ({ kind, subject, snoozed_until: snoozed_until ?? null, done }))
  for (let i = 0; i < states.length; i += MAX_TASK_STATES)
    await send('/tasks/states', { states: states.slice(i, i + MAX_TASK_STATES) })
  countsChanged()
}

/** Marks tasks, says so, and opens them again for ten seconds. */
export async function markTasks(tasks: readonly Task[], marks: Marks, reload: () => void): Promise<void> {
  await setAll(tasks, marks)
  const said = marks.done ? t.tasks.finished(tasks.length) : t.tasks.snoozed(tasks.length)
  toastWithUndo(said, async () => {
    if (marks.done) await setAll(tasks, { done: false })
    else await openAgain(tasks)
    reload()
    return t.tasks.undone
  })
}

/** Ends a snooze, also that of a check. */
async function openAgain(tasks: readonly Task[]): Promise<void> {
  const states = tasks.map(({ kind, subject }) => ({ kind, subject, snoozed_until: null, done: false }))
  for (let i = 0; i < states.length; i += MAX_TASK_STATES)
    await send('/tasks/states', { states: states.slice(i, i + MAX_TASK_STATES) })
  countsChanged()
}

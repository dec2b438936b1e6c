import { ENDED_BY_ACTION, type TaskKind } from '../../contract/task-kinds.ts'
import type { InputFault } from '../../kernel/http/faults.ts'
import { isUuid } from '../../kernel/http/params.ts'
import { isHandle } from '../../kernel/ids/handles.ts'

/** Tasks of a group in one response; the next ones follow when these are done. */
export const MAX_TASKS = 200

/** More than this many are only said to be more. */
export const COUNTED_TASKS = 1_000

/** Messages that are older are no tasks. */
export const REPLY_DAYS = 60

/** How long a task can be snoozed. */
export const MAX_SNOOZE_DAYS = 366

/** What a member does with a task; neither snoozed nor done: it is open. */
export interface GivenState {
  kind: TaskKind
  subject: string
  snoozed_until: string | null
  done: boolean
}

const DAY_MS = 86_400_000

const isSubject = ({ kind, subject }: GivenState): boolean => {
  switch (kind) {
    case 'mention':
    case 'interview':
    case 'answer':
      return isUuid(subject)
    case 'unsent':
      return isHandle('message', subject)
    case 'check':
      return isHandle('order', subject)
    default:
      return isHandle('application', subject)
  }
}

/** `waiting`: candidates who wait for a decision */
export const stateFaults = (states: readonly GivenState[], waiting: ReadonlySet<string>, now: number): InputFault[] =>
  states.flatMap((state, i) => {
    const { kind, subject, snoozed_until, done } = state
    const at = (field: string, message: string) => [{ param: `states[${i}].${field}`, message }]
    if (!isSubject(state)) return at('subject', 'is not what a task of this kind is about')
    if (done && (ENDED_BY_ACTION.includes(kind) || waiting.has(subject)))
      return at('done', 'this task ends when someone decides; it can be assigned or snoozed')
    if (snoozed_until === null) return []
    const ahead = Date.parse(snoozed_until) - now
    return ahead > 0 && ahead <= MAX_SNOOZE_DAYS * DAY_MS
      ? []
      : at('snoozed_until', `must be in the future, and at most ${MAX_SNOOZE_DAYS} days from now`)
  })

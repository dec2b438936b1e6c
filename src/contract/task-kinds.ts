/**
 * What a task of a member is about. The subject is a note, an interview, a message, an order or an application; `candidate`
 * is an application that is new or waits too long.
 */
export const TASK_KINDS = [
  'mention',
  'interview',
  'scorecard',
  'reply',
  'answer',
  'unsent',
  'check',
  'undecided',
  'candidate',
] as const

export type TaskKind = (typeof TASK_KINDS)[number]

/** These end by what is done about the candidate: they can be snoozed, and not be marked as done. */
export const ENDED_BY_ACTION: readonly TaskKind[] = ['check', 'undecided']

/** States of tasks in one call. */
export const MAX_TASK_STATES = 200

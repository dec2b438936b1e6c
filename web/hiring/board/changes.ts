import type { ApiError } from '../../ui/api.ts'
import type { Body } from '../api.ts'
import type { Changed } from '../candidate/change.ts'
import type { LatestStep } from '../candidate/conflict.ts'
import type { BoardCard } from './card-list.ts'

export type ApplicationChange = Body<'/applications/changes'>['changes'][number]

/** An application as the reader saw it when they decided. Its card may be further down, and not be read yet. */
export type Target = Pick<BoardCard, 'id' | 'stage_id' | 'status' | 'stopped'> & Partial<BoardCard>

/** Nothing is decided about people who asked for processing to stop: the service would refuse it. */
export const withoutStopped = (targets: readonly Target[]): Target[] => targets.filter(({ stopped }) => !stopped)

/** A change of one application. If it is no longer what the reader saw, that is a conflict. */
export interface WantedChange {
  card: Target
  change: Omit<ApplicationChange, 'id' | 'expected'>
  /** for Undo: what it was before */
  restored?: Target
}

export interface DoneChange {
  before: Target
  after: Target
  /** what became of the message of a rejection */
  mail: Changed['mail']
}

export interface RefusedChange {
  before: Target
  code: string
  message: string
  /** what it is now; undefined if it is not there any more, or not in what the filters show */
  now: BoardCard | undefined
  /** who made the last change, where this one came too late; null: no one did */
  latest: LatestStep | null
}

export interface ChangeOutcome {
  done: DoneChange[]
  refused: RefusedChange[]
  /** why the rest was not decided on */
  error?: ApiError
}

/** What a card becomes if the service does not refuse; it says then what the application is. */
export function afterChange(card: BoardCard, { change, restored }: WantedChange, now: string): BoardCard {
  const { action, stage_id } = change
  if (action === 'reject') return { ...card, status: 'rejected' }
  if (action === 'withdraw') return { ...card, status: 'withdrawn' }
  if (action === 'hire') return { ...card, status: 'hired' }
  if (action === 'reopen') return { ...card, status: 'in_review' }
  if (action === 'undo' && restored) return { ...card, stage_id: restored.stage_id, status: restored.status }
  return { ...card, stage_id: stage_id ?? card.stage_id, in_stage_since: now }
}

import type { ApplicationChange, BoardCard } from '../../../src/hiring/api-types.ts'
import type { ApiError } from '../../ui/api.ts'

/** A change of one card: what it becomes, and what is sent. */
export interface WantedChange {
  card: BoardCard
  change: Pick<ApplicationChange, 'action' | 'stage_id' | 'reason' | 'status'>
}

export interface DoneChange {
  before: BoardCard
  after: BoardCard
}

export interface RefusedChange {
  before: BoardCard
  code: string
  message: string
  /** what it is now; undefined if it is not there any more, or not in what the filters show */
  now: BoardCard | undefined
}

export interface ChangeOutcome {
  done: DoneChange[]
  refused: RefusedChange[]
  /** why the rest was not decided on */
  error?: ApiError
}

/** What a card becomes if the service does not refuse. */
export function afterChange(
  card: BoardCard,
  { action, stage_id, status }: WantedChange['change'],
  now: string,
): BoardCard {
  if (action === 'reject') return { ...card, status: 'rejected' }
  if (action === 'reopen') return { ...card, status: status ?? 'in_review' }
  return { ...card, stage_id: stage_id ?? card.stage_id, in_stage_since: now }
}

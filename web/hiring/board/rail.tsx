import type { ApplicationStatus } from '../../../src/contract/application-status.ts'
import { count as number } from '../../ui/numbers.ts'
import { Link } from '../../ui/router.tsx'
import { OUTCOME_WORDS } from '../outcome.ts'
import { t } from '../texts/index.ts'
import type { Board } from './reader.ts'
import type { BoardStore } from './store.ts'

export type Outcome = keyof ReturnType<typeof OUTCOME_WORDS>

const PREFIX = 'outcome:'

/** What a card that is dropped there is decided to be; undefined: it is dropped on a stage. */
export function droppedOutcome(target: string): Outcome | undefined {
  const outcome = target.startsWith(PREFIX) ? target.slice(PREFIX.length) : undefined
  return outcome !== undefined && outcome in OUTCOME_WORDS() ? (outcome as Outcome) : undefined
}

interface RailProps {
  store: BoardStore
  board: Board
  /** the stage or outcome under what is dragged or carried */
  over: string | undefined
}

/** How candidates of the job ended, at the right edge: a link to each list, and a place to drop cards on. */
export function OutcomeRail({ store, board, over }: RailProps) {
  const counts = new Map<ApplicationStatus, number>(board.statuses.map(({ status, count }) => [status, count]))
  const typeOver = store.stages.find(({ id }) => id === over)?.type
  return (
    <nav class="outcome-rail" aria-label={t.board.outcomes}>
      {(Object.entries(OUTCOME_WORDS()) as [Outcome, string][]).map(([outcome, title]) => (
        <div
          key={outcome}
          data-stage={PREFIX + outcome}
          class={over === PREFIX + outcome || typeOver === outcome ? 'outcome target' : 'outcome'}
        >
          <Link to={tableOf(store, outcome)}>
            <span>{title}</span> <span class="outcome-count">{number.format(counts.get(outcome) ?? 0)}</span>
          </Link>
        </div>
      ))}
    </nav>
  )
}

const tableOf = ({ jobId, query }: BoardStore, status: Outcome): string =>
  `/jobs/${jobId}?${new URLSearchParams({ ...query, status, view: 'table' })}`

import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Scope } from '../../../src/contract/scopes.ts'
import '../css/board.css'
import '../css/selection-bar.css'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Empty, ErrorNote, Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { ReadCache } from '../../ui/read-cache.ts'
import { isBackNavigation, useFilters } from '../../ui/router.tsx'
import { useAdding } from '../adding/adding.tsx'
import { send } from '../api.ts'
import { useBoardActions } from '../board/actions.ts'
import { useAsking } from '../board/asking.tsx'
import { BoardView, type BoardViewProps } from '../board/board-view.tsx'
import type { BoardCard } from '../board/card-list.ts'
import { RefusedDialog } from '../board/dialogs.tsx'
import { EmptyBoard } from '../board/empty-board.tsx'
import { FILTER_NAMES, FilterBar, refusedFilters } from '../board/filter-bar.tsx'
import { useBoardKeys } from '../board/keys.ts'
import type { Board } from '../board/reader.ts'
import { ScorePanel } from '../board/score-panel.tsx'
import { SelectionBar, useSelecting } from '../board/selection-bar.tsx'
import { type BoardQuery, BoardStore } from '../board/store.ts'
import { TableView } from '../board/table-view.tsx'
import { JobHead } from '../job-head.tsx'
import { useJobRights } from '../job-rights.ts'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { ViewsMenu } from '../views/views-menu.tsx'

/** The board that was left last: the back button finds it with its cards and its scroll positions. */
const leftBoard = new ReadCache<BoardStore>(1)

/** The store for what the address names. While another is read for the first time, the previous one stays in sight. */
function useBoard(jobId: string, query: BoardQuery, isTable: boolean): BoardStore {
  const [, draw] = useState(0)
  const key = JSON.stringify([jobId, query, isTable])
  const store = useMemo(
    () => (isBackNavigation() && leftBoard.get(key)) || new BoardStore(jobId, query, isTable),
    [key],
  )
  useEffect(() => {
    const stop = store.start(() => draw(n => n + 1))
    return () => {
      leftBoard.set(key, store)
      stop()
    }
  }, [store])
  useLive(
    event => store.onEvent(event),
    () => store.reloadSoon(),
  )
  const shown = useRef(store)
  if (store.isReady || store.error || shown.current.jobId !== jobId) shown.current = store
  return shown.current
}

/** The candidates of a job, by stage or as a table. */
export function BoardPage({ params: { id: jobId } }: PageProps<'id'>) {
  const may = useMay()
  const rights = useJobRights()
  const mayChange = may('applications:write') && rights(jobId, 'decide')
  const [given, set] = useFilters(['view', 'sort', ...FILTER_NAMES])
  const mayFilter = (scope: Scope) => may(scope) && (scope !== 'orders:read' || rights(jobId, 'discuss'))
  const refused = refusedFilters(given, mayFilter)
  const values = { ...given, ...Object.fromEntries(refused.map(({ name }) => [name, ''])) }
  const filters = FILTER_NAMES.flatMap(name => (values[name] === '' ? [] : [[name, values[name]]]))
  const query = Object.fromEntries([...filters, ...(values.sort === '' ? [] : [['sort', values.sort]])])
  const store = useBoard(jobId, query, values.view === 'table')
  useEffect(() => {
    // the list of jobs counts as new who arrives from now on; a visit that is not stored is no fault of the page
    send('/jobs/{job}/visits', { job: jobId }, undefined, { keepReads: true }).catch(() => undefined)
  }, [jobId])
  const actions = useBoardActions(store)
  const asking = useAsking(store, actions, mayChange)
  const selecting = useSelecting(store)
  const [score, setScore] = useState<{ card: BoardCard; anchor: HTMLElement }>()

  const adding = useAdding({
    job: store.board?.job,
    stages: store.stages,
    mayAdd: mayChange,
    onAdded: ([first]) => {
      // the card is there when the board was read
      void store.reload().then(() => first !== undefined && store.cards.has(first) && store.focus(first))
    },
  })

  const isDeciding = asking.dialog !== undefined || adding.isOpen || score !== undefined || actions.refused.length > 0
  useEffect(() => {
    store.freeze('dialog', isDeciding)
    return () => store.freeze('dialog', false)
  }, [store, isDeciding])
  const first = [...store.lists.values()].find(({ ids }) => ids.length > 0)?.ids[0]
  const view = {
    store,
    actions: { ...actions, move: asking.move },
    mayChange,
    tabStop: store.focused !== undefined && isListed(store, store.focused) ? store.focused : first,
    onOpenScore: (card: BoardCard, anchor: HTMLElement) => setScore({ card, anchor }),
    ...selecting,
  }
  useBoardKeys({
    ...view,
    asking,
    onAdd: adding.open,
    onOtherView: () => set({ view: values.view === 'table' ? '' : 'table' }),
  })

  const { board } = store
  const reload = () => void store.reload()
  if (!board)
    return <Pending title="Candidates" back={{ to: '/', title: 'Jobs' }} error={store.error} reload={reload} />
  return (
    <div class="board-page">
      <JobHead
        job={board.job}
        tab="candidates"
        actions={
          <>
            <ViewsMenu page={values.view === 'table' ? 'table' : 'board'} jobId={jobId} />
            {adding.open && (
              <Button kind="primary" onClick={adding.open} title={`Key: ${KEYS.create}`}>
                <Icon name="plus" size={14} />
                {t.adding.add}
              </Button>
            )}
          </>
        }
      />
      <FilterBar may={mayFilter} values={values} set={set} board={board} />
      <Candidates {...view} board={board} isFiltered={filters.length > 0} onAdd={adding.open}>
        {refused.length > 0 && (
          <Notice tone="info">
            <p>
              This link also searches by {refused.map(({ what }) => what).join(' and ')}, which your role may not see.
              That part was left out.
            </p>
          </Notice>
        )}
        {store.isOutdated && (
          <p class="board-outdated">
            <button type="button" class="column-waiting" onClick={reload}>
              Show what has changed
            </button>
          </p>
        )}
        {store.error && <ErrorNote error={store.error} retry={reload} />}
      </Candidates>
      {mayChange && <SelectionBar store={store} ask={asking.ask} hires={asking.hires} />}
      {asking.dialog}
      {adding.parts}
      {actions.refused.length > 0 && (
        <RefusedDialog store={store} refused={actions.refused} onClose={actions.closeRefused} />
      )}
      {score && (
        <ScorePanel
          {...score}
          onClose={() => {
            setScore(undefined)
            document.querySelector<HTMLElement>(`[data-card="${score.card.id}"]`)?.focus({ preventScroll: true })
          }}
        />
      )}
    </div>
  )
}

const isListed = (store: BoardStore, id: string) => [...store.lists.values()].some(({ ids }) => ids.includes(id))

interface CandidatesProps extends Omit<BoardViewProps, 'say'> {
  board: Board
  isFiltered: boolean
  /** undefined: the reader adds no one */
  onAdd: (() => void) | undefined
  /** notices above the candidates */
  children: ComponentChildren
}

/** The stages or the table, and what is said where they have no candidate. */
function Candidates({ board, isFiltered, onAdd, children, ...view }: CandidatesProps) {
  const [said, say] = useState('')
  const total = board.stages.reduce((sum, stage) => sum + stage.count, 0)
  const hasCandidates = board.statuses.some(({ count }) => count > 0)
  return (
    <>
      <p class="visually-hidden" role="status">
        {said || `${amount(total, 'candidate')}`}
      </p>
      {children}
      {view.store.isTable ? (
        <TableView {...view} isFiltered={isFiltered} />
      ) : board.stages.length === 0 ? (
        <Empty title="This job has no stages">Candidates are shown by stage. Add stages to the job first.</Empty>
      ) : (
        <>
          {total === 0 && isFiltered && <p class="board-none">No candidate matches the filters.</p>}
          {total === 0 && !isFiltered && (
            <EmptyBoard jobId={view.store.jobId} hasCandidates={hasCandidates} onAdd={onAdd} />
          )}
          <BoardView {...view} say={say} />
        </>
      )}
    </>
  )
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import '../css/board.css'
import { MAX_CHANGES } from '../../../src/contract/limits.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, ErrorNote, Notice } from '../../ui/notice.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { isBackNavigation, useFilters } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { refusalWords, useBoardActions } from '../board/actions.ts'
import { BoardView } from '../board/board-view.tsx'
import type { BoardCard } from '../board/card-list.ts'
import { type Target, withoutStopped } from '../board/changes.ts'
import { MoveDialog, RefusedDialog } from '../board/dialogs.tsx'
import { EmptyBoard } from '../board/empty-board.tsx'
import { FILTER_NAMES, FilterBar, refusedFilters } from '../board/filter-bar.tsx'
import { ScorePanel } from '../board/score-panel.tsx'
import { type BoardQuery, BoardStore } from '../board/store.ts'
import { TableView } from '../board/table-view.tsx'
import { cannotChange, leftOutWords, nameOf } from '../board/words.ts'
import type { MessageText } from '../candidate/message-form.tsx'
import { RejectDialog } from '../candidate/reject-dialog.tsx'
import { JobHead } from '../job-head.tsx'
import { KEYS } from '../key-table.ts'
import { useLive } from '../live.ts'
import { useMay } from '../session.ts'

/** The board that was left last: the back button finds it with its cards and its scroll positions. */
let leftBoard: BoardStore | undefined

const isSame = (store: BoardStore, jobId: string, query: BoardQuery, isTable: boolean) =>
  store.jobId === jobId && store.isTable === isTable && JSON.stringify(store.query) === JSON.stringify(query)

/** The store for what the address names. While another is read for the first time, the previous one stays in sight. */
function useBoard(jobId: string, query: BoardQuery, isTable: boolean): BoardStore {
  const [, draw] = useState(0)
  const store = useMemo(() => {
    const isBack = isBackNavigation() && leftBoard && isSame(leftBoard, jobId, query, isTable)
    return isBack ? leftBoard! : new BoardStore(jobId, query, isTable)
  }, [jobId, JSON.stringify(query), isTable])
  useEffect(() => {
    const stop = store.start(() => draw(n => n + 1))
    return () => {
      leftBoard = store
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

interface Asking {
  what: 'move' | 'reject'
  /** as they were when the reader asked */
  targets: readonly Target[]
  /** who of the selection is left out */
  note?: string | undefined
  /** what someone else did to the one that was to be rejected */
  conflict?: string
}

/** The candidates of a job, by stage or as a table. */
export function BoardPage({ params }: PageProps) {
  const jobId = params['id']!
  const may = useMay()
  const mayChange = may('applications:write')
  const [given, set] = useFilters(['view', 'sort', ...FILTER_NAMES])
  const refused = refusedFilters(given, may)
  const values = { ...given, ...Object.fromEntries(refused.map(({ name }) => [name, ''])) }
  const filters = FILTER_NAMES.flatMap(name => (values[name] === '' ? [] : [[name, values[name]]]))
  const query = Object.fromEntries([...filters, ...(values.sort === '' ? [] : [['sort', values.sort]])])
  const store = useBoard(jobId, query, values.view === 'table')
  const { isTable } = store
  const actions = useBoardActions(store)
  const [asking, setAsking] = useState<Asking>()
  const [score, setScore] = useState<{ card: BoardCard; anchor: HTMLElement }>()
  const [said, say] = useState('')
  const lastSelected = useRef<string>(undefined)

  const { board } = store
  const isFiltered = filters.length > 0
  const isDeciding = asking !== undefined || score !== undefined || actions.refused.length > 0
  useEffect(() => {
    store.freeze('dialog', isDeciding)
    return () => store.freeze('dialog', false)
  }, [store, isDeciding])
  const first = [...store.lists.values()].find(({ ids }) => ids.length > 0)?.ids[0]
  const tabStop = store.focused !== undefined && isListed(store, store.focused) ? store.focused : first

  /** What a key is about: the selection, else the card that has the focus or is pointed at. */
  const current = (): readonly string[] => {
    if (store.selected.size > 0) return [...store.selected.keys()]
    const one = cardInSight()
    return one === undefined ? [] : [one]
  }
  const ask = (what: 'move' | 'reject') => {
    const wanted = store.targets(current())
    const targets = withoutStopped(wanted)
    const leftOut = wanted.length - targets.length
    const done = what === 'move' ? 'moved' : 'rejected'
    if (!mayChange) return
    if (targets.length > 0) setAsking({ what, targets, note: leftOut > 0 ? leftOutWords(done, leftOut) : undefined })
    else if (leftOut === 1) toast(cannotChange(done, wanted[0]!))
    else if (leftOut > 1) toast(`None of them can be ${done}: they asked for processing to stop.`)
    else toast('Point at a candidate, or select some first.')
  }
  /** One that is refused keeps the dialog with what was entered; of many, the others are rejected. */
  const reject = async (targets: readonly Target[], reason: string, message: MessageText | undefined) => {
    const next = store.neighborOf(targets.map(({ id }) => id))
    const isLong = targets.length > MAX_CHANGES
    // the progress of many is below the dialog
    if (isLong) setAsking(undefined)
    const outcome = await actions.reject(targets, reason, message)
    const [refusal] = outcome?.refused ?? []
    if (targets.length === 1 && refusal) {
      const { code, now, before } = refusal
      setAsking({ what: 'reject', targets: [now ?? before], conflict: refusalWords(store, refusal) })
      throw new ApiError(409, { code, message: refusalWords(store, refusal) })
    }
    if (targets.length === 1 && outcome?.error) throw outcome.error
    if (!isLong) setAsking(undefined)
    if (next !== undefined) store.focus(next)
  }
  const step = (by: 1 | -1) => {
    const [id, ...more] = current()
    const card = id === undefined || more.length > 0 ? undefined : store.cards.get(id)
    const at = board?.stages.findIndex(stage => stage.id === card?.stage_id) ?? -1
    const next = at === -1 ? undefined : board!.stages[at + by]
    if (!mayChange || !card) return
    if (card.stopped) return toast(cannotChange('moved', card))
    if (!next) return
    actions.move(store.targets([card.id]), next.id)
  }
  const toggle = (card: BoardCard) => {
    lastSelected.current = card.id
    store.toggle(card.id)
  }
  const toggleAll = async (key: string) => {
    try {
      const more = await store.toggleAll(key)
      if (more > 0)
        toast(`The first ${count.format(store.selectedIn(key))} are selected; ${count.format(more)} more are not.`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      toast(error.message, 'bad')
    }
  }
  const range = (card: BoardCard) => {
    const key = store.keyOf(card)
    if (key === undefined || lastSelected.current === undefined) return toggle(card)
    store.selectRange(key, lastSelected.current, card.id)
    lastSelected.current = card.id
  }
  const nextCard = (by: 1 | -1) => {
    const one = cardInSight()
    const card = one === undefined ? undefined : store.cards.get(one)
    const key = card && store.keyOf(card)
    const ids = key === undefined ? [] : store.list(key).ids
    const id = card ? ids[ids.indexOf(card.id) + by] : tabStop
    if (id !== undefined) store.focus(id)
  }
  const changing = !mayChange
    ? []
    : [
        { keys: KEYS.select, title: 'Select', run: () => withCard(store, toggle) },
        { keys: KEYS.move, title: 'Move to', run: () => ask('move') },
        { keys: KEYS.reject, title: 'Reject', run: () => ask('reject') },
        { keys: KEYS.nextStage, title: 'Move to the next stage', run: () => step(1) },
        { keys: KEYS.previousStage, title: 'Move to the previous stage', run: () => step(-1) },
        { keys: KEYS.undo, title: 'Undo', run: actions.undo },
        { keys: KEYS.clear, title: 'Clear the selection', run: () => store.clearSelection() },
      ]
  const rows = !isTable
    ? []
    : [
        { keys: KEYS.nextRow, title: 'Next candidate', run: () => nextCard(1) },
        { keys: KEYS.previousRow, title: 'Previous candidate', run: () => nextCard(-1) },
      ]
  useShortcuts([
    ...changing,
    { keys: KEYS.next, title: 'Next candidate', run: () => nextCard(1) },
    { keys: KEYS.previous, title: 'Previous candidate', run: () => nextCard(-1) },
    ...rows,
    {
      keys: KEYS.score,
      title: 'Show the reasons of the score',
      run: () =>
        withCard(store, (card, anchor) => {
          if (card.score !== null) setScore({ card, anchor })
        }),
    },
    { keys: KEYS.view, title: 'Board or table', run: () => set({ view: values.view === 'table' ? '' : 'table' }) },
    {
      keys: KEYS.search,
      title: 'Search by name',
      run: () => document.querySelector<HTMLInputElement>('.board-filters input')?.focus(),
    },
  ])

  if (!board) {
    return (
      <Pending
        title="Candidates"
        back={{ to: '/', title: 'Jobs' }}
        error={store.error}
        reload={() => void store.reload()}
      />
    )
  }
  const hasCandidates = board.statuses.some(({ count: n }) => n > 0)
  const total = board.stages.reduce((sum, stage) => sum + stage.count, 0)
  const stopped = store.selected.size - withoutStopped([...store.selected.values()]).length
  const view = {
    store,
    mayChange,
    tabStop,
    onOpenScore: (card: BoardCard, anchor: HTMLElement) => setScore({ card, anchor }),
    onRange: range,
    onToggle: toggle,
    onToggleAll: (key: string) => void toggleAll(key),
  }
  return (
    <div class="board-page">
      <JobHead job={board.job} tab="candidates" />
      <FilterBar values={values} set={set} board={board} />
      <p class="visually-hidden" role="status">
        {said || `${amount(total, 'candidate')}`}
      </p>
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
          <button type="button" class="column-waiting" onClick={() => void store.reload()}>
            Show what has changed
          </button>
        </p>
      )}
      {store.error && <ErrorNote error={store.error} retry={() => void store.reload()} />}
      {isTable ? (
        <TableView {...view} isFiltered={isFiltered} />
      ) : board.stages.length === 0 ? (
        <Empty title="This job has no stages">Candidates are shown by stage. Add stages to the job first.</Empty>
      ) : (
        <>
          {total === 0 && isFiltered && <p class="board-none">No candidate matches the filters.</p>}
          {total === 0 && !isFiltered && <EmptyBoard jobId={jobId} hasCandidates={hasCandidates} />}
          <BoardView {...view} actions={actions} say={say} />
        </>
      )}
      {mayChange && (store.selected.size > 0 || store.progress) && (
        <section class="selection-bar" aria-label="Selected candidates">
          {store.progress ? (
            <Progress {...store.progress} />
          ) : (
            <>
              <b>{count.format(store.selected.size)} selected</b>
              {stopped > 0 && (
                <span class="selection-note">
                  {stopped === store.selected.size
                    ? 'They asked for processing to stop: not moved or rejected.'
                    : leftOutWords('moved or rejected', stopped)}
                </span>
              )}
              <Button small disabled={stopped === store.selected.size} onClick={() => ask('move')}>
                Move to…
              </Button>
              <Button small kind="danger" disabled={stopped === store.selected.size} onClick={() => ask('reject')}>
                Reject…
              </Button>
              <Button small onClick={() => store.clearSelection()}>
                Clear
              </Button>
            </>
          )}
        </section>
      )}
      {asking?.what === 'move' && (
        <MoveDialog
          targets={asking.targets}
          note={asking.note}
          stages={board.stages}
          onClose={() => setAsking(undefined)}
          onMove={stageId => actions.move(asking.targets, stageId)}
        />
      )}
      {asking?.what === 'reject' && (
        <RejectDialog
          people={asking.targets.map(target => ({ applicationId: target.id, name: nameOf(target) }))}
          note={asking.note}
          onClose={() => setAsking(undefined)}
          onReject={(reason, message) => reject(asking.targets, reason, message)}
          conflict={
            <div role="alert">
              <Notice tone="warn">
                <p>{asking.conflict} Reject again if it is still right.</p>
              </Notice>
            </div>
          }
        />
      )}
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

const Progress = ({ done, total }: { done: number; total: number }) => (
  <>
    <span role="status">
      {count.format(done)} of {amount(total, 'candidate')} changed
    </span>
    <progress max={total} value={done} aria-label="Progress" />
  </>
)

const isListed = (store: BoardStore, id: string) => [...store.lists.values()].some(({ ids }) => ids.includes(id))

/** The card with the focus, or the one under the pointer. */
function cardInSight(): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-card]')
  const pointed = document.querySelector<HTMLElement>('.board-card:hover [data-card], tr:hover [data-card]')
  return (focused ?? pointed)?.dataset['card']
}

function withCard(store: BoardStore, run: (card: BoardCard, link: HTMLElement) => void): void {
  const id = cardInSight()
  const card = id === undefined ? undefined : store.cards.get(id)
  if (card) run(card, document.querySelector<HTMLElement>(`[data-card="${card.id}"]`)!)
}

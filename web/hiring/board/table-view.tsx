import { useEffect, useRef } from 'preact/hooks'
import { isOpen } from '../../../src/contract/application-status.ts'
import { Empty } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { navigate } from '../../ui/router.tsx'
import { type Column, DataTable } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { stateWord } from '../outcome.ts'
import { STATUS_TONES } from '../status-tones.ts'
import { CardLink, CheckMark, candidatePath, ScoreButton, SelectAllBox, SelectBox } from './card.tsx'
import type { BoardCard } from './card-list.ts'
import { type BoardStore, TABLE } from './store.ts'
import { cardName, resumeTitle, STOPPED, sourceTitle } from './words.ts'

interface TableViewProps {
  store: BoardStore
  mayChange: boolean
  isFiltered: boolean
  tabStop: string | undefined
  onOpenScore: (card: BoardCard, anchor: HTMLElement) => void
  onRange: (card: BoardCard) => void
  onToggle: (card: BoardCard) => void
  onToggleAll: (key: string) => void
}

/** The same candidates as rows, of all stages. */
export function TableView(props: TableViewProps) {
  const { store, mayChange, isFiltered, tabStop, onOpenScore, onRange, onToggle, onToggleAll } = props
  const list = store.list(TABLE)
  // most jobs have none: a column of blanks would push the others together
  const hasChecks = list.ids.some(id => store.cards.get(id)?.check)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (store.wantsFocus === undefined) return
    const link = frame.current?.querySelector<HTMLElement>(`[data-card="${store.wantsFocus}"]`)
    store.wantsFocus = undefined
    link?.focus({ preventScroll: true })
    link?.scrollIntoView({ block: 'nearest' })
  })
  const where = (card: BoardCard) =>
    stateWord(
      card.status,
      store.stages.find(({ id }) => id === card.stage_id),
    )
  const columns: Column<BoardCard>[] = [
    {
      title: 'Candidate',
      ...(mayChange && list.ids.length > 0
        ? {
            head: (
              <span class="candidate-cell">
                <SelectAllBox store={store} listKey={TABLE} label="Select all candidates" onToggleAll={onToggleAll} />
                Candidate
              </span>
            ),
          }
        : {}),
      grow: true,
      cell: card => (
        <div class="candidate-cell">
          {mayChange && <SelectBox store={store} card={card} onRange={onRange} onToggle={onToggle} />}
          <div class="two-lines">
            <CardLink store={store} card={card} tabStop={tabStop === card.id}>
              {cardName(card)}
            </CardLink>
            <span class="faint narrow-only">{card.stopped ? STOPPED : where(card)}</span>
          </div>
        </div>
      ),
    },
    { title: 'Score', align: 'end', cell: card => <ScoreButton card={card} onOpen={onOpenScore} /> },
    {
      title: 'Stage',
      cell: card => <State tone={isOpen(card.status) ? 'plain' : STATUS_TONES[card.status]}>{where(card)}</State>,
    },
    { title: 'Source', wide: true, cell: card => <span class="clip">{sourceTitle(card.source)}</span> },
    { title: 'Résumé', wide: true, cell: card => resumeTitle(card).title },
    ...(hasChecks
      ? [{ title: 'Check', wide: true, cell: (card: BoardCard) => card.check && <CheckMark check={card.check} /> }]
      : []),
    { title: 'In stage since', wide: true, cell: card => <Time at={card.in_stage_since} /> },
    { title: 'Applied', wide: true, cell: card => <Time at={card.applied_at} /> },
  ]
  const changes = list.waiting.size + list.left.size
  return (
    <div
      class="board-table"
      ref={frame}
      onPointerEnter={event => event.pointerType === 'mouse' && store.hold(TABLE)}
      onPointerLeave={() => store.release(TABLE)}
    >
      {changes > 0 && (
        <button type="button" class="column-waiting" onClick={() => store.showWaiting(TABLE)}>
          Show {amount(changes, 'change')}
        </button>
      )}
      <DataTable
        name="Candidates"
        columns={columns}
        rows={list.loaded ? list.ids.map(id => store.cards.get(id)!) : undefined}
        rowKey={card => card.id}
        error={list.error}
        loading={list.loading}
        reload={() => void store.reload()}
        more={list.next !== null}
        loadMore={() => void store.loadMore(TABLE)}
        onRow={card => navigate(candidatePath(store, card))}
        empty={<Empty title={isFiltered ? 'No candidate matches the filters' : 'No candidates yet'} />}
      />
    </div>
  )
}

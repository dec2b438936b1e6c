import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/notice.tsx'
import { amount, count as number } from '../../ui/numbers.ts'
import { Card, SelectAllBox } from './card.tsx'
import type { BoardCard } from './card-list.ts'
import type { Board } from './reader.ts'
import type { BoardStore } from './store.ts'

/** A card with the space below it, as in board.css. */
export const CARD_PX = 98
/** Cards drawn before and after those in sight. */
const BEYOND = 6

interface ColumnProps {
  store: BoardStore
  stage: Board['stages'][number]
  mayChange: boolean
  /** a card is dragged or carried over it */
  isTarget: boolean
  /** the card that the tab key stops at */
  tabStop: string | undefined
  onOpenScore: (card: BoardCard, anchor: HTMLElement) => void
  onRange: (card: BoardCard) => void
  onToggle: (card: BoardCard) => void
  onToggleAll: (key: string) => void
}

/** Which cards of a list are drawn. Reads more of them before they come into sight, and scrolls to the one that gets the focus. */
function useCardsInSight(store: BoardStore, key: string, body: { current: HTMLElement | null }) {
  const list = store.list(key)
  const [[from, to], setRange] = useState<[number, number]>([0, 20])
  const measure = () => {
    const element = body.current
    if (!element) return
    list.scrollTop = element.scrollTop
    // in steps, so that scrolling by a few pixels draws nothing
    const first = Math.max(0, Math.floor(element.scrollTop / CARD_PX / 4) * 4 - BEYOND)
    const last = Math.ceil((element.scrollTop + element.clientHeight) / CARD_PX / 4) * 4 + BEYOND
    setRange(now => (now[0] === first && now[1] === last ? now : [first, last]))
  }
  useLayoutEffect(() => {
    // back from a candidate: where the reader was
    if (body.current && list.scrollTop > 0) body.current.scrollTop = list.scrollTop
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [list])

  const wanted = store.wantsFocus === undefined ? -1 : list.ids.indexOf(store.wantsFocus)
  useLayoutEffect(() => {
    const element = body.current
    if (wanted === -1 || !element) return
    const top = wanted * CARD_PX
    if (top < element.scrollTop) element.scrollTop = Math.max(0, top - 8)
    else if (top + CARD_PX > element.scrollTop + element.clientHeight)
      element.scrollTop = top + CARD_PX - element.clientHeight
    measure()
    const link = element.querySelector<HTMLElement>(`[data-card="${store.wantsFocus}"]`)
    if (!link) return
    store.wantsFocus = undefined
    link.focus({ preventScroll: true })
    element.closest('.board-column')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  })

  useEffect(() => {
    if (list.next !== null && !list.loading && !list.error && to >= list.ids.length - BEYOND) void store.loadMore(key)
  }, [to, list.ids.length, list.next, list.loading, list.error, store, key])
  return { from, to, measure }
}

/** A stage: its cards scroll by themselves, and only those in sight are drawn. */
export function Column(props: ColumnProps) {
  const { store, stage, mayChange, isTarget, tabStop, onOpenScore, onRange, onToggle, onToggleAll } = props
  const list = store.list(stage.id)
  const body = useRef<HTMLDivElement>(null)
  const total = list.ids.length
  const { from, to, measure } = useCardsInSight(store, stage.id, body)
  const shown = list.ids.map((id, at) => ({ id, at })).slice(from, Math.min(to, total))
  // the card with the focus stays drawn, wherever the column is scrolled to
  const { focused } = store
  const focusedAt = focused === undefined ? -1 : list.ids.indexOf(focused)
  if (focused !== undefined && focusedAt !== -1 && (focusedAt < from || focusedAt >= to))
    shown.push({ id: focused, at: focusedAt })
  const changes = list.waiting.size + list.left.size
  return (
    <section
      class={isTarget ? 'board-column target' : 'board-column'}
      data-stage={stage.id}
      aria-label={`${stage.name}: ${amount(stage.count, 'candidate')}`}
      onPointerEnter={event => event.pointerType === 'mouse' && store.hold(stage.id)}
      onPointerLeave={event => {
        if (!event.currentTarget.contains(document.activeElement)) store.release(stage.id)
      }}
      onFocusIn={() => store.hold(stage.id)}
      onFocusOut={event => {
        const isInside = event.currentTarget.contains(event.relatedTarget as Node | null)
        if (!isInside && !event.currentTarget.matches(':hover')) store.release(stage.id)
      }}
    >
      <header class="column-head">
        {mayChange && total > 0 && (
          <SelectAllBox
            store={store}
            listKey={stage.id}
            label={`Select all of ${stage.name}`}
            onToggleAll={onToggleAll}
          />
        )}
        <h2>{stage.name}</h2>
        {changes > 0 && (
          <button type="button" class="column-waiting" onClick={() => store.showWaiting(stage.id)}>
            Show {amount(changes, 'change')}
          </button>
        )}
        <span class="column-count">{number.format(stage.count)}</span>
      </header>
      <div class="column-cards" ref={body} onScroll={measure}>
        <ul aria-label={stage.name} style={{ height: `${total * CARD_PX}px` }}>
          {shown.map(({ id, at }) => (
            <Card
              key={id}
              store={store}
              card={store.cards.get(id)!}
              top={at * CARD_PX}
              tabStop={tabStop === id}
              left={list.left.has(id)}
              mayChange={mayChange}
              onOpen={onOpenScore}
              onRange={onRange}
              onToggle={onToggle}
            />
          ))}
        </ul>
        <ColumnEnd store={store} stage={stage} />
      </div>
    </section>
  )
}

/** What is below the cards that are read. */
function ColumnEnd({ store, stage }: Pick<ColumnProps, 'store' | 'stage'>) {
  const list = store.list(stage.id)
  const total = list.ids.length
  return (
    <>
      {list.error && <ErrorNote error={list.error} retry={() => void retry(store, stage.id)} />}
      {list.loading && (
        <p class="column-empty" role="status">
          Loading…
        </p>
      )}
      {!list.loading && !list.error && list.next !== null && (
        <Button small onClick={() => void store.loadMore(stage.id)}>
          Load more
        </Button>
      )}
      {list.loaded && list.next === null && total > 0 && total < stage.count - MISSED && (
        <p class="column-empty">The first {number.format(total)} are shown. Use a filter to see others.</p>
      )}
    </>
  )
}

/** Counts and cards are read one after the other; a few may come in between. */
const MISSED = 20

function retry(store: BoardStore, key: string): Promise<void> {
  const list = store.list(key)
  list.error = undefined
  return list.loaded ? store.loadMore(key) : store.reload()
}

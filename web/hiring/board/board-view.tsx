import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isFinal } from '../outcome.ts'
import type { BoardActions } from './actions.ts'
import type { BoardCard } from './card-list.ts'
import type { Target } from './changes.ts'
import { Column } from './column.tsx'
import { useDrag } from './drag.ts'
import { useBoardKeyboard, withSelection } from './keyboard.ts'
import { OutcomeRail } from './rail.tsx'
import type { Board } from './reader.ts'
import type { BoardStore } from './store.ts'

export interface BoardViewProps {
  store: BoardStore
  actions: BoardActions
  mayChange: boolean
  tabStop: string | undefined
  onOpenScore: (card: BoardCard, anchor: HTMLElement) => void
  onRange: (card: BoardCard) => void
  onToggle: (card: BoardCard) => void
  onToggleAll: (key: string) => void
  /** read by screen readers */
  say: (text: string) => void
}

/** A final stage has no column of its own, unless the filters show someone there, such as whom a key moved. */
const isDrawn = (stage: Board['stages'][number]): boolean => !isFinal(stage) || stage.count > 0

/** Space below the board, for the bar of selected candidates. */
const BELOW_PX = 24
const LEAST_PX = 360

/** The board ends where the window does, so that columns scroll and the page does not. */
function useFittedHeight(root: { current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const fit = () => {
      const element = root.current
      if (!element) return
      const top = element.getBoundingClientRect().top + scrollY
      element.style.height = `${Math.max(LEAST_PX, innerHeight - top - BELOW_PX)}px`
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(document.body)
    addEventListener('resize', fit)
    return () => {
      observer.disconnect()
      removeEventListener('resize', fit)
    }
  }, [])
}

/** Candidates by stage, moved by mouse or keyboard. */
export function BoardView(props: BoardViewProps) {
  const { store, actions, mayChange, tabStop, onOpenScore, onRange, onToggle, onToggleAll } = props
  const root = useRef<HTMLDivElement>(null)
  /** the stage under a card that is dragged, or that the keyboard carries */
  const [over, setOver] = useState<string>()
  const { carried, putDown, onKey } = useBoardKeyboard({ ...props, over, setOver })
  const dragged = useRef<readonly Target[]>([])

  useFittedHeight(root)

  const drag = useRef({} as Parameters<typeof useDrag>[1]['current'])
  drag.current = {
    idsFor: id => {
      dragged.current = mayChange && !store.pending.has(id) ? withSelection(store, id) : []
      return dragged.current.map(target => target.id)
    },
    onStart: () => store.freeze('carry', true),
    onOver: setOver,
    onDrop: (_ids, stageId) => actions.move(dragged.current, stageId),
    onEnd: () => {
      store.freeze('carry', false)
      setOver(undefined)
    },
  }
  useDrag(root, drag)

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a size of its own, and is not a field
    <div
      class={carried.length > 0 ? 'board carrying' : 'board'}
      ref={root}
      role="group"
      aria-label="Candidates by stage"
      // a board that scrolls must be reachable by keyboard; otherwise its cards are
      tabIndex={tabStop === undefined ? 0 : undefined}
      onKeyDown={event => {
        const id = (event.target as Element).closest<HTMLElement>('[data-card]')?.dataset['card']
        const card = id === undefined ? undefined : store.cards.get(id)
        if (!card || event.ctrlKey || event.metaKey || event.altKey) return
        if (onKey(card, event)) event.preventDefault()
      }}
      onFocusOut={event => {
        // elsewhere, a card that is carried is put back
        if (carried.length > 0 && !root.current?.contains(event.relatedTarget as Node | null)) putDown()
      }}
    >
      {store.stages.filter(isDrawn).map(stage => (
        <Column
          key={stage.id}
          store={store}
          stage={stage}
          mayChange={mayChange}
          isTarget={over === stage.id}
          tabStop={tabStop}
          onOpenScore={onOpenScore}
          onRange={onRange}
          onToggle={onToggle}
          onToggleAll={onToggleAll}
        />
      ))}
      {store.board && <OutcomeRail store={store} board={store.board} over={over} />}
    </div>
  )
}

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { BoardActions } from './actions.ts'
import type { BoardCard } from './card-list.ts'
import { type Target, withoutStopped } from './changes.ts'
import { CARD_PX, Column } from './column.tsx'
import { useDrag } from './drag.ts'
import type { BoardStore } from './store.ts'
import { cannotChange, nameOf } from './words.ts'

interface BoardViewProps {
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

/** Space below the board, for the bar of selected candidates. */
const BELOW_PX = 24
const LEAST_PX = 360

/** Candidates by stage, moved by mouse or keyboard. */
export function BoardView(props: BoardViewProps) {
  const { store, actions, mayChange, tabStop, onOpenScore, onRange, onToggle, onToggleAll, say } = props
  const root = useRef<HTMLDivElement>(null)
  const stages = store.board!.stages
  /** the stage under a card that is dragged, or that the keyboard carries */
  const [over, setOver] = useState<string>()
  const [carried, setCarried] = useState<readonly Target[]>([])
  const dragged = useRef<readonly Target[]>([])

  // the board ends where the window does, so that columns scroll and the page does not
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

  const withSelection = (id: string) =>
    withoutStopped(store.targets(store.selected.has(id) ? [...store.selected.keys()] : [id]))
  const drag = useRef({} as Parameters<typeof useDrag>[1]['current'])
  drag.current = {
    idsFor: id => {
      dragged.current = mayChange && !store.pending.has(id) ? withSelection(id) : []
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

  const stageAt = (id: string, by: number) => {
    const at = stages.findIndex(stage => stage.id === id)
    return at === -1 ? undefined : stages[at + by]
  }
  const goTo = (id: string | undefined) => {
    if (id !== undefined) store.focus(id)
  }
  /** The card of the next column that has one, at the same height. */
  const nearestIn = (card: BoardCard, by: 1 | -1) => {
    const here = store.list(card.stage_id)
    const row = here.ids.indexOf(card.id) - Math.round(here.scrollTop / CARD_PX)
    for (let stage = stageAt(card.stage_id, by); stage; stage = stageAt(stage.id, by)) {
      const { ids, scrollTop } = store.list(stage.id)
      if (ids.length > 0) return ids[Math.max(0, Math.min(ids.length - 1, row + Math.round(scrollTop / CARD_PX)))]
    }
    return undefined
  }
  const putDown = () => {
    setCarried([])
    setOver(undefined)
    store.freeze('carry', false)
  }
  const carry = (card: BoardCard, key: string): boolean => {
    const at = over ?? card.stage_id
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const next = stageAt(at, key === 'ArrowLeft' ? -1 : 1)
      if (next) {
        setOver(next.id)
        say(`Over ${next.name}`)
        root.current
          ?.querySelector(`[data-stage="${next.id}"]`)
          ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      }
    } else if (key === ' ' || key === 'Enter') {
      actions.move(carried, at)
      putDown()
    } else if (key === 'Escape') {
      putDown()
      say('Put back')
    } else return key.startsWith('Arrow')
    return true
  }
  const walk = (card: BoardCard, event: KeyboardEvent): boolean => {
    const { ids } = store.list(card.stage_id)
    const at = ids.indexOf(card.id)
    const { key, shiftKey } = event
    if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      if (card.stopped) say(cannotChange('moved', card))
      const next = mayChange && !card.stopped ? stageAt(card.stage_id, key === 'ArrowLeft' ? -1 : 1) : undefined
      if (next) actions.move(store.targets([card.id]), next.id)
    } else if (key === 'ArrowDown') goTo(ids[at + 1])
    else if (key === 'ArrowUp') goTo(ids[at - 1])
    else if (key === 'Home') goTo(ids[0])
    else if (key === 'End') goTo(ids.at(-1))
    else if (key === 'ArrowLeft') goTo(nearestIn(card, -1))
    else if (key === 'ArrowRight') goTo(nearestIn(card, 1))
    else if (key === ' ' && mayChange && card.stopped) say(cannotChange('moved', card))
    else if (key === ' ' && mayChange && !store.pending.has(card.id)) {
      setCarried(withSelection(card.id))
      setOver(card.stage_id)
      store.freeze('carry', true)
      say(`Picked up ${nameOf(card)}. Left and right choose a stage, Space puts it down, Escape cancels.`)
    } else return false
    return true
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a size of its own, and is no field
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
        const isDone = carried.length > 0 ? carry(card, event.key) : walk(card, event)
        if (isDone) event.preventDefault()
      }}
      onFocusOut={event => {
        // elsewhere, a card that is carried is put back
        if (carried.length > 0 && !root.current?.contains(event.relatedTarget as Node | null)) putDown()
      }}
    >
      {stages.map(stage => (
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
    </div>
  )
}

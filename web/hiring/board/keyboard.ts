import { useState } from 'preact/hooks'
import type { BoardActions } from './actions.ts'
import type { BoardCard } from './card-list.ts'
import { type Target, withoutStopped } from './changes.ts'
import { CARD_PX } from './column.tsx'
import type { BoardStore } from './store.ts'
import { cannotChange, cardName } from './words.ts'

/** The card with the others that are selected, if it is one of them. */
export const withSelection = (store: BoardStore, id: string): readonly Target[] =>
  withoutStopped(store.targets(store.selected.has(id) ? [...store.selected.keys()] : [id]))

/** The stage so many columns after another one. */
export function stageAt({ stages }: BoardStore, id: string, by: number) {
  const at = stages.findIndex(stage => stage.id === id)
  return at === -1 ? undefined : stages[at + by]
}

/** The card of the next column that has one, at the same height. */
function nearestIn(store: BoardStore, card: BoardCard, by: 1 | -1): string | undefined {
  const here = store.list(card.stage_id)
  const row = here.ids.indexOf(card.id) - Math.round(here.scrollTop / CARD_PX)
  for (let stage = stageAt(store, card.stage_id, by); stage; stage = stageAt(store, stage.id, by)) {
    const { ids, scrollTop } = store.list(stage.id)
    if (ids.length > 0) return ids[Math.max(0, Math.min(ids.length - 1, row + Math.round(scrollTop / CARD_PX)))]
  }
  return undefined
}

/** Where an arrow leads to. */
function cardAfter(store: BoardStore, card: BoardCard, key: string): string | undefined {
  const { ids } = store.list(card.stage_id)
  const at = ids.indexOf(card.id)
  if (key === 'ArrowDown') return ids[at + 1]
  if (key === 'ArrowUp') return ids[at - 1]
  if (key === 'Home') return ids[0]
  if (key === 'End') return ids.at(-1)
  return nearestIn(store, card, key === 'ArrowLeft' ? -1 : 1)
}

const WALKING_KEYS = ['ArrowDown', 'ArrowUp', 'Home', 'End', 'ArrowLeft', 'ArrowRight']

interface KeyboardProps {
  store: BoardStore
  actions: BoardActions
  mayChange: boolean
  /** read by screen readers */
  say: (text: string) => void
  /** the stage over which candidates are carried */
  over: string | undefined
  setOver: (stageId: string | undefined) => void
}

interface BoardKeyboard {
  carried: readonly Target[]
  putDown: () => void
  /** whether the key was one of the board's */
  onKey: (card: BoardCard, event: KeyboardEvent) => boolean
}

/** Goes from card to card by arrows, and carries cards to other stages. */
export function useBoardKeyboard({ store, actions, mayChange, say, over, setOver }: KeyboardProps): BoardKeyboard {
  const [carried, setCarried] = useState<readonly Target[]>([])
  const putDown = () => {
    setCarried([])
    setOver(undefined)
    store.freeze('carry', false)
  }
  const carry = (card: BoardCard, key: string): boolean => {
    const at = over ?? card.stage_id
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const next = stageAt(store, at, key === 'ArrowLeft' ? -1 : 1)
      if (next) {
        setOver(next.id)
        say(`Over ${next.name}`)
        document
          .querySelector(`.board [data-stage="${next.id}"]`)
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
  const walk = (card: BoardCard, { key, shiftKey }: KeyboardEvent): boolean => {
    if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      if (card.stopped) say(cannotChange('moved', card))
      const next = mayChange && !card.stopped ? stageAt(store, card.stage_id, key === 'ArrowLeft' ? -1 : 1) : undefined
      if (next) actions.move(store.targets([card.id]), next.id)
    } else if (WALKING_KEYS.includes(key)) {
      const next = cardAfter(store, card, key)
      if (next !== undefined) store.focus(next)
    } else if (key === ' ' && mayChange && card.stopped) say(cannotChange('moved', card))
    else if (key === ' ' && mayChange && !store.pending.has(card.id)) {
      setCarried(withSelection(store, card.id))
      setOver(card.stage_id)
      store.freeze('carry', true)
      say(`Picked up ${cardName(card)}. Left and right choose a stage, Space puts it down, Escape cancels.`)
    } else return false
    return true
  }
  const onKey = (card: BoardCard, event: KeyboardEvent) =>
    carried.length > 0 ? carry(card, event.key) : walk(card, event)
  return { carried, putDown, onKey }
}

import { useShortcuts } from '../../ui/keys.ts'
import { toast } from '../../ui/toast.tsx'
import { KEYS } from '../key-table.ts'
import { nextStage } from '../outcome.ts'
import { t } from '../texts/index.ts'
import type { BoardActions } from './actions.ts'
import type { Asking } from './asking.tsx'
import type { BoardCard } from './card-list.ts'
import { stageAt } from './keyboard.ts'
import type { BoardStore } from './store.ts'
import { cannotChange } from './words.ts'

interface BoardKeys {
  store: BoardStore
  actions: BoardActions
  asking: Asking
  mayChange: boolean
  tabStop: string | undefined
  onToggle: (card: BoardCard) => void
  onOpenScore: (card: BoardCard, anchor: HTMLElement) => void
  /** undefined: the reader adds no one */
  onAdd: (() => void) | undefined
  onOtherView: () => void
}

/** The card with the focus, or the one under the pointer. */
function cardInSight(): string | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('[data-card]')
  const pointed = document.querySelector<HTMLElement>('.board-card:hover [data-card], tr:hover [data-card]')
  return (focused ?? pointed)?.dataset['card']
}

function withCard(store: BoardStore, run: (card: BoardCard, link: HTMLElement) => void): void {
  const id = cardInSight()
  const card = id === undefined ? undefined : store.cards.get(id)
  const link = card && document.querySelector<HTMLElement>(`[data-card="${card.id}"]`)
  if (link) run(card, link)
}

/** What a key is about: the selection, else the card that has the focus or is pointed at. */
function currentIds(store: BoardStore): readonly string[] {
  if (store.selected.size > 0) return [...store.selected.keys()]
  const one = cardInSight()
  return one === undefined ? [] : [one]
}

/** The keys of a board and of its table. */
export function useBoardKeys(keys: BoardKeys): void {
  const { store, actions, asking, mayChange, tabStop, onToggle, onOpenScore, onAdd, onOtherView } = keys

  const step = (by: 1 | -1) => {
    const [id, ...more] = currentIds(store)
    const card = id === undefined || more.length > 0 ? undefined : store.cards.get(id)
    if (!card) return
    if (card.stopped) return toast(cannotChange('moved', card))
    const next = stageAt(store, card.stage_id, by)
    if (next) asking.move(store.targets([card.id]), next.id)
  }
  /** To the next stage, or to the hire after the last one. */
  const advance = () => {
    const [id, ...more] = currentIds(store)
    const card = id === undefined || more.length > 0 ? undefined : store.cards.get(id)
    if (!card) return
    if (card.stopped) return toast(cannotChange('moved', card))
    const next = nextStage(store.stages, card.stage_id)
    if (next) asking.move(store.targets([card.id]), next.id)
    else asking.ask('hire', [card.id])
  }
  const nextCard = (by: 1 | -1) => {
    const one = cardInSight()
    const card = one === undefined ? undefined : store.cards.get(one)
    const key = card && store.keyOf(card)
    const ids = key === undefined ? [] : store.list(key).ids
    const id = card ? ids[ids.indexOf(card.id) + by] : tabStop
    if (id !== undefined) store.focus(id)
  }
  const changing = [
    { keys: KEYS.select, title: 'Select', run: () => withCard(store, onToggle) },
    { keys: KEYS.move, title: 'Move to', run: () => asking.ask('move', currentIds(store)) },
    { keys: KEYS.reject, title: 'Reject', run: () => asking.ask('reject', currentIds(store)) },
    { keys: KEYS.advance, title: t.decisions.advance, run: advance },
    ...(asking.hires
      ? [{ keys: KEYS.hire, title: t.decisions.hire, run: () => asking.ask('hire', currentIds(store)) }]
      : []),
    ...(asking.hires
      ? [{ keys: KEYS.toJob, title: t.adding.toOtherJob, run: () => asking.ask('transfer', currentIds(store)) }]
      : []),
    { keys: KEYS.nextStage, title: 'Move to the next stage', run: () => step(1) },
    { keys: KEYS.previousStage, title: 'Move to the previous stage', run: () => step(-1) },
    { keys: KEYS.undo, title: 'Undo', run: actions.undo },
    { keys: KEYS.clear, title: 'Clear the selection', run: () => store.clearSelection() },
  ]
  const rows = [
    { keys: KEYS.nextRow, title: 'Next candidate', run: () => nextCard(1) },
    { keys: KEYS.previousRow, title: 'Previous candidate', run: () => nextCard(-1) },
  ]
  useShortcuts([
    ...(mayChange ? changing : []),
    ...(onAdd ? [{ keys: KEYS.create, title: t.adding.add, run: onAdd }] : []),
    { keys: KEYS.next, title: 'Next candidate', run: () => nextCard(1) },
    { keys: KEYS.previous, title: 'Previous candidate', run: () => nextCard(-1) },
    ...(store.isTable ? rows : []),
    {
      keys: KEYS.score,
      title: 'Show the reasons of the score',
      run: () =>
        withCard(store, (card, anchor) => {
          if (card.score !== null) onOpenScore(card, anchor)
        }),
    },
    { keys: KEYS.view, title: 'Board or table', run: onOtherView },
    {
      keys: KEYS.search,
      title: 'Search by name',
      run: () => document.querySelector<HTMLInputElement>('.board-filters input')?.focus(),
    },
  ])
}

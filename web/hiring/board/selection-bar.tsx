import { useRef } from 'preact/hooks'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { toast } from '../../ui/toast.tsx'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import type { Asking } from './asking.tsx'
import type { BoardCard } from './card-list.ts'
import { withoutStopped } from './changes.ts'
import { MAX_ORDERED } from './order-many-dialog.tsx'
import type { BoardStore } from './store.ts'
import { leftOutWords } from './words.ts'

export interface Selecting {
  onToggle: (card: BoardCard) => void
  onToggleAll: (key: string) => void
  /** from the card that was selected last to this one */
  onRange: (card: BoardCard) => void
}

export function useSelecting(store: BoardStore): Selecting {
  const last = useRef<string>(undefined)
  const toggle = (card: BoardCard) => {
    last.current = card.id
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
    if (key === undefined || last.current === undefined) return toggle(card)
    store.selectRange(key, last.current, card.id)
    last.current = card.id
  }
  return { onToggle: toggle, onToggleAll: key => void toggleAll(key), onRange: range }
}

/** The selected candidates and what can be done with them, or how far a change of many is. */
export function SelectionBar({ store, ask, hires }: { store: BoardStore } & Pick<Asking, 'ask' | 'hires'>) {
  const { selected, progress } = store
  const may = useMay()
  if (selected.size === 0 && !progress) return null
  const stopped = selected.size - withoutStopped([...selected.values()]).length
  const isNone = stopped === selected.size
  const askAll = (what: 'move' | 'reject' | 'order' | 'transfer') => ask(what, [...selected.keys()])
  return (
    <section class="selection-bar" aria-label="Selected candidates">
      {progress ? (
        <Progress {...progress} />
      ) : (
        <>
          <b>{count.format(selected.size)} selected</b>
          {stopped > 0 && (
            <span class="selection-note">
              {isNone
                ? 'They asked for processing to stop: not moved or rejected.'
                : leftOutWords('moved or rejected', stopped)}
            </span>
          )}
          <Button small disabled={isNone} onClick={() => askAll('move')}>
            Move to…
          </Button>
          <Button small kind="danger" disabled={isNone} onClick={() => askAll('reject')}>
            Reject…
          </Button>
          {hires && (
            <Button small disabled={isNone} onClick={() => askAll('transfer')} title={`Key: ${KEYS.toJob}`}>
              {t.adding.toOtherJob}
            </Button>
          )}
          {may('orders:write') && (
            <Button
              small
              disabled={isNone || selected.size > MAX_ORDERED}
              title={selected.size > MAX_ORDERED ? `At most ${MAX_ORDERED} candidates together` : undefined}
              onClick={() => askAll('order')}
            >
              Order a check…
            </Button>
          )}
          <Button small onClick={() => store.clearSelection()}>
            Clear
          </Button>
        </>
      )}
    </section>
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

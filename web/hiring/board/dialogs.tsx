import { useLayoutEffect, useRef } from 'preact/hooks'
import '../css/stage-choice.css'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { amount, count } from '../../ui/numbers.ts'
import { onlyOf } from '../../ui/only-of.ts'
import { refusalWords } from './actions.ts'
import type { RefusedChange, Target } from './changes.ts'
import type { BoardStore } from './store.ts'
import { cardName } from './words.ts'

function subjectOf(targets: readonly Target[]): string {
  const only = onlyOf(targets)
  return only ? cardName(only) : amount(targets.length, 'candidate')
}

interface ManyProps {
  targets: readonly Target[]
  onClose: () => void
}

interface MoveStage {
  id: string
  name: string
  /** how many are there; not known everywhere */
  count?: number
}

interface MoveProps extends ManyProps {
  /** who is left out, if anyone is */
  note?: string | undefined
  stages: readonly MoveStage[]
  onMove: (stageId: string) => void
}

/** To which stage; arrows and digits choose one. */
export function MoveDialog({ targets, note, stages, onMove, onClose }: MoveProps) {
  /** where all of them are */
  const current = onlyOf([...new Set(targets.map(({ stage_id }) => stage_id))])
  const next = stages[stages.findIndex(({ id }) => id === current) + 1]
  const choices = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    // someone else moved the candidate: the stage that had the focus may be the current one now
    const focused = document.activeElement
    if (focused instanceof HTMLButtonElement && !focused.disabled) return
    const at = (selector: string) => choices.current?.querySelector<HTMLElement>(selector)
    const button = at('[data-autofocus]') ?? at('button:not(:disabled)')
    button?.focus()
  }, [current])
  const choose = (id: string) => {
    onClose()
    onMove(id)
  }
  return (
    <Dialog title={`Move ${subjectOf(targets)} to`} onClose={onClose}>
      <div role="status">{note && <p class="soft">{note}</p>}</div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: digits press the buttons inside */}
      <div
        ref={choices}
        class="stage-choice dialog-actions"
        onKeyDown={event => {
          const stage = stages[Number(event.key) - 1]
          if (stage && stage.id !== current) return choose(stage.id)
          const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
          if (by === 0) return
          event.preventDefault()
          const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button:not(:disabled)')]
          buttons[buttons.indexOf(document.activeElement as HTMLElement) + by]?.focus()
        }}
      >
        {stages.map((stage, i) => (
          <button
            key={stage.id}
            type="button"
            disabled={stage.id === current}
            data-autofocus={current !== undefined && stage === next ? true : undefined}
            onClick={() => choose(stage.id)}
          >
            <kbd>{i < 9 ? i + 1 : ''}</kbd>
            <span>{stage.name}</span>
            <span class="faint">{stageNote(stage, current)}</span>
          </button>
        ))}
      </div>
    </Dialog>
  )
}

const stageNote = (stage: MoveStage, current: string | undefined): string =>
  stage.id === current ? 'Current stage' : stage.count === undefined ? '' : count.format(stage.count)

interface RefusedProps {
  store: BoardStore
  refused: readonly RefusedChange[]
  onClose: () => void
}

export const RefusedDialog = ({ store, refused, onClose }: RefusedProps) => (
  <Dialog title={`${amount(refused.length, 'candidate')} not changed`} onClose={onClose}>
    <ul class="refused-list">
      {refused.map(one => (
        <li key={one.before.id}>{refusalWords(store, one)}</li>
      ))}
    </ul>
    <DialogActions>
      <Button onClick={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
)

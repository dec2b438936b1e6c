import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_CHANGES } from '../../../src/contract/limits.ts'
import { ApiError } from '../../ui/api.ts'
import { Notice } from '../../ui/notice.tsx'
import { onlyOf } from '../../ui/only-of.ts'
import { toast } from '../../ui/toast.tsx'
import type { MessageText } from '../candidate/message-form.tsx'
import { RejectDialog } from '../candidate/reject-dialog.tsx'
import { type BoardActions, refusalWords } from './actions.ts'
import { type Target, withoutStopped } from './changes.ts'
import { MoveDialog } from './dialogs.tsx'
import { OrderManyDialog } from './order-many-dialog.tsx'
import type { BoardStore } from './store.ts'
import { cannotChange, cardName, leftOutWords } from './words.ts'

interface Asked {
  what: 'move' | 'reject' | 'order'
  /** as they were when the reader asked */
  targets: readonly Target[]
  /** who of the selection is left out */
  note?: string | undefined
  /** what someone else did to the one that was to be rejected */
  conflict?: string
}

export interface Asking {
  ask: (what: Asked['what'], ids: readonly string[]) => void
  /** open while the reader decides */
  dialog: ComponentChildren
}

/** Asks where candidates are moved to, or why they are rejected. */
export function useAsking(store: BoardStore, actions: BoardActions, mayChange: boolean): Asking {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)

  const ask = (what: Asked['what'], ids: readonly string[]) => {
    const wanted = store.targets(ids)
    const targets = withoutStopped(wanted)
    const leftOut = wanted.length - targets.length
    const only = onlyOf(wanted)
    // the service says who is left out, and why
    if (what === 'order') return setAsked({ what, targets: wanted })
    const done = what === 'move' ? 'moved' : 'rejected'
    if (!mayChange) return
    if (targets.length > 0) setAsked({ what, targets, note: leftOut > 0 ? leftOutWords(done, leftOut) : undefined })
    else if (only) toast(cannotChange(done, only))
    else if (leftOut > 1) toast(`None of them can be ${done}: they asked for processing to stop.`)
    else toast('Point at a candidate, or select some first.')
  }

  /** One that is refused keeps the dialog with what was entered; of many, the others are rejected. */
  const reject = async (
    targets: readonly Target[],
    reason: string,
    message: MessageText | undefined,
    noticeGivenOn: string | undefined,
  ) => {
    const next = store.neighborOf(targets.map(({ id }) => id))
    const isLong = targets.length > MAX_CHANGES
    // the progress of many is below the dialog
    if (isLong) close()
    const outcome = await actions.reject(targets, reason, message, noticeGivenOn)
    const [refusal] = outcome?.refused ?? []
    if (targets.length === 1 && refusal) {
      const { code, now, before } = refusal
      setAsked({ what: 'reject', targets: [now ?? before], conflict: refusalWords(store, refusal) })
      throw new ApiError(409, { code, message: refusalWords(store, refusal) })
    }
    if (targets.length === 1 && outcome?.error) throw outcome.error
    if (!isLong) close()
    if (next !== undefined) store.focus(next)
  }

  if (!asked) return { ask, dialog: undefined }
  const { what, targets, note, conflict } = asked
  const dialog =
    what === 'move' ? (
      <MoveDialog
        targets={targets}
        note={note}
        stages={store.stages}
        onClose={close}
        onMove={stageId => actions.move(targets, stageId)}
      />
    ) : what === 'order' ? (
      <OrderManyDialog
        jobId={store.jobId}
        targets={targets}
        onClose={close}
        onOrdered={() => {
          close()
          store.clearSelection()
          void store.reload()
        }}
      />
    ) : (
      <RejectDialog
        people={targets.map(target => ({ applicationId: target.id, name: cardName(target) }))}
        note={note}
        onClose={close}
        onReject={(reason, message, notice) => reject(targets, reason, message, notice)}
        conflict={
          <div role="alert">
            <Notice tone="warn">
              <p>{conflict} Reject again if it is still right.</p>
            </Notice>
          </div>
        }
      />
    )
  return { ask, dialog }
}

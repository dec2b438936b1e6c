import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { isOpen } from '../../../src/contract/application-status.ts'
import { MAX_CHANGES } from '../../../src/contract/limits.ts'
import { ApiError } from '../../ui/api.ts'
import { Notice } from '../../ui/notice.tsx'
import { onlyOf } from '../../ui/only-of.ts'
import { toast } from '../../ui/toast.tsx'
import { TransferDialog } from '../adding/transfer-dialog.tsx'
import { read, send } from '../api.ts'
import { HireDialog } from '../decisions/hire-dialog.tsx'
import { RejectDialog, type Rejection } from '../decisions/reject-dialog.tsx'
import { type Withdrawal, WithdrawDialog } from '../decisions/withdraw-dialog.tsx'
import { useJobRights } from '../job-rights.ts'
import { isFinal } from '../outcome.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { type BoardActions, refusalWords } from './actions.ts'
import { type Target, withoutStopped } from './changes.ts'
import { MoveDialog } from './dialogs.tsx'
import { OrderManyDialog } from './order-many-dialog.tsx'
import { droppedOutcome } from './rail.tsx'
import type { BoardStore } from './store.ts'
import { cannotChange, cardName, leftOutWords } from './words.ts'

interface Asked {
  what: 'move' | 'reject' | 'hire' | 'withdraw' | 'order' | 'transfer'
  /** as they were when the reader asked */
  targets: readonly Target[]
  /** who of the selection is left out */
  note?: string | undefined
  /** what someone else did to the one that was to be rejected */
  conflict?: string
  /** chosen when the dialog opens */
  reasonId?: string
}

export interface Asking {
  ask: (what: Asked['what'], ids: readonly string[]) => void
  /** whether the reader hires in this job */
  hires: boolean
  /** Moves them; a final stage asks for the decision that ends there. */
  move: (targets: readonly Target[], stageId: string) => void
  /** open while the reader decides */
  dialog: ComponentChildren
}

const ASKED_FOR = { hired: 'hire', rejected: 'reject', withdrawn: 'withdraw' } as const

/** Asks where candidates are moved to, or why they are rejected. */
export function useAsking(store: BoardStore, actions: BoardActions, mayChange: boolean): Asking {
  const [asked, setAsked] = useState<Asked>()
  const may = useMay()
  const rights = useJobRights()
  const hires = rights(store.jobId, 'hire')
  const close = () => setAsked(undefined)

  const ask = (what: Asked['what'], ids: readonly string[]) => {
    const wanted = store.targets(ids)
    const targets = withoutStopped(wanted).filter(
      ({ status }) => what === 'order' || isOpen(status) || (what === 'transfer' && status !== 'hired'),
    )
    const leftOut = wanted.filter(({ stopped }) => stopped).length
    const only = onlyOf(wanted)
    // the service says who is left out, and why
    if (what === 'order') return setAsked({ what, targets: wanted })
    const done = what === 'move' || what === 'transfer' ? 'moved' : 'rejected'
    if (!mayChange) return
    const [first] = targets
    if (what === 'transfer' && !hires) return
    if (what === 'hire') return hires && first && setAsked({ what, targets: [first] })
    if (what === 'withdraw') {
      if (targets.length > 1) toast(t.board.withdrawEach)
      else if (first) setAsked({ what, targets: [first] })
      return
    }
    if (targets.length > 0) setAsked({ what, targets, note: leftOut > 0 ? leftOutWords(done, leftOut) : undefined })
    else if (only) toast(cannotChange(done, only))
    else if (leftOut > 1) toast(`None of them can be ${done}: they asked for processing to stop.`)
    else toast('Point at a candidate, or select some first.')
  }

  const move = (targets: readonly Target[], stageId: string) => {
    const outcome = droppedOutcome(stageId)
    if (outcome)
      return ask(
        ASKED_FOR[outcome],
        targets.map(({ id }) => id),
      )
    const stage = store.stages.find(({ id }) => id === stageId)
    if (!stage || !isFinal(stage)) return actions.move(targets, stageId)
    ask(
      stage.type === 'hired' ? 'hire' : 'reject',
      targets.map(({ id }) => id),
    )
  }

  const hire = async (target: Target, decision: Parameters<BoardActions['hire']>[1]) => {
    const outcome = await actions.hire(target, decision)
    const [refusal] = outcome?.refused ?? []
    if (refusal) throw new ApiError(409, { code: refusal.code, message: refusalWords(store, refusal) })
    if (outcome?.error) throw outcome.error
    close()
    if (decision.closesJob) await send('/v1/jobs/{job_handle}/close', { job_handle: store.jobId }, {})
    if (!decision.rejectsOthers) return
    const query = { ...store.query, job_id: store.jobId }
    const { applications } = await read('/jobs/{job_id}/board/selection', query)
    const others = withoutStopped(applications.filter(({ id, status }) => id !== target.id && isOpen(status)))
    if (others.length > 0) setAsked({ what: 'reject', targets: others, reasonId: 'position_filled' })
  }

  const withdraw = async (target: Target, withdrawal: Withdrawal) => {
    const next = store.neighborOf([target.id])
    const outcome = await actions.withdraw(target, withdrawal)
    const [refusal] = outcome?.refused ?? []
    if (refusal) throw new ApiError(409, { code: refusal.code, message: refusalWords(store, refusal) })
    if (outcome?.error) throw outcome.error
    close()
    if (next !== undefined) store.focus(next)
  }

  /** One that is refused keeps the dialog with what was entered; of many, the others are rejected. */
  const reject = async (targets: readonly Target[], rejection: Rejection) => {
    const next = store.neighborOf(targets.map(({ id }) => id))
    const isLong = targets.length > MAX_CHANGES
    // the progress of many is below the dialog
    if (isLong) close()
    const outcome = await actions.reject(targets, rejection)
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

  if (!asked) return { ask, move, hires, dialog: undefined }
  const { what, targets, note, conflict, reasonId } = asked
  const [target] = targets
  const dialog =
    what === 'move' ? (
      <MoveDialog
        targets={targets}
        note={note}
        stages={hires ? store.stages : store.stages.filter(({ type }) => type !== 'hired')}
        onClose={close}
        onMove={stageId => move(targets, stageId)}
      />
    ) : what === 'transfer' ? (
      <TransferDialog
        people={targets.map(one => ({
          applicationId: one.id,
          jobId: store.jobId,
          jobTitle: store.board?.job.title,
          name: cardName(one),
          isDecided: !isOpen(one.status),
        }))}
        onClose={close}
        onMoved={() => {
          store.clearSelection()
          void store.reload()
        }}
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
    ) : what === 'hire' && target ? (
      <HireDialog
        name={cardName(target)}
        others={store.openCount - 1}
        mayClose={may('jobs:write') && rights(store.jobId, 'setup')}
        onClose={close}
        onHire={decision => hire(target, decision)}
      />
    ) : what === 'withdraw' && target ? (
      <WithdrawDialog
        jobId={store.jobId}
        applicationId={target.id}
        name={cardName(target)}
        onClose={close}
        onWithdraw={withdrawal => withdraw(target, withdrawal)}
      />
    ) : (
      <RejectDialog
        jobId={store.jobId}
        {...(reasonId ? { reasonId } : {})}
        people={targets.map(one => ({ applicationId: one.id, name: cardName(one), source: one.source }))}
        note={note}
        onClose={close}
        onReject={rejection => reject(targets, rejection)}
        conflict={
          <div role="alert">
            <Notice tone="warn">
              <p>{conflict} Reject again if it is still right.</p>
            </Notice>
          </div>
        }
      />
    )
  return { ask, move, hires, dialog }
}

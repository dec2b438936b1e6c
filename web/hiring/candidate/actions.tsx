import { useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { isOpen } from '../../../src/contract/application-status.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormDialog, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { MoveDialog } from '../board/dialogs.tsx'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { t } from '../texts/index.ts'
import { isSame } from './change.ts'
import { isConflict, overtakenWords, type Seen } from './conflict.ts'
import { type Candidate, candidateName, isStopped, stageName } from './data.ts'
import { useDecisions } from './decisions.ts'
import { useDraft } from './drafts.ts'
import { RejectDialog } from './reject-dialog.tsx'
import { undoLatest } from './undo.ts'

interface ActionsProps {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  /** a change that is shown before the service has confirmed it; undefined takes it back */
  onPatch: (patch: Partial<Application> | undefined) => void
  /** another candidate was asked for: no key acts on this one any more */
  leaving: boolean
}

type Asked = 'move' | 'reject' | 'withdraw' | 'hire'

const REASON_LENGTH = 2_000

/** What can be done with an application; for people who may. */
export function Actions({ candidate, reload, onPatch, leaving }: ActionsProps) {
  const may = useMay()
  const [dialog, setDialog] = useState<Asked>()
  const closeDialog = () => setDialog(undefined)
  const decisions = useDecisions({ candidate, reload, onPatch, closeDialog })
  const { status } = candidate.application
  const mayWrite = may('applications:write') && !leaving
  // what would be refused is not offered; a withdrawal is the person's own wish, and possible
  const stopped = isStopped(candidate)
  const job = stopped ? null : candidate.job
  const open = mayWrite && !stopped && isOpen(status)
  const rejected = mayWrite && !stopped && status === 'rejected'
  const stages = job?.stages.filter(({ type }) => type !== 'hired' && type !== 'rejected') ?? []
  const next = stages[stages.findIndex(stage => stage.id === candidate.application.stage_id) + 1]
  const ask = (kind: Asked) => () => {
    decisions.look()
    setDialog(kind)
  }
  const move = { keys: KEYS.move, title: 'Move to a stage', run: ask('move') }
  const reject = { keys: KEYS.reject, title: 'Reject', run: ask('reject') }
  const hire = { keys: KEYS.hire, title: 'Hire', run: ask('hire') }
  const advance = next && {
    keys: KEYS.advance,
    title: t.decisions.advanceTo(next.name),
    run: () => decisions.move(next.id),
  }
  const reopen = { keys: KEYS.reopen, title: 'Reopen', run: decisions.reopen }
  const withdraw = { keys: KEYS.withdraw, title: 'Withdraw', run: ask('withdraw') }
  useShortcuts([
    ...(mayWrite && job ? [move] : []),
    ...(open ? [reject, hire] : []),
    ...(open && advance ? [advance] : []),
    ...(rejected ? [reopen] : []),
    ...(mayWrite && status !== 'withdrawn' ? [withdraw] : []),
    ...(mayWrite ? [{ keys: KEYS.undo, title: 'Undo', run: undoLatest }] : []),
  ])
  if (!may('applications:write')) return null
  return (
    <>
      <div class="candidate-actions">
        {job && <ActionButton {...move} title="Move to…" />}
        {open && advance && <ActionButton {...advance} />}
        {open && <ActionButton {...hire} />}
        {open && <ActionButton {...reject} kind="danger" />}
        {rejected && <ActionButton {...reopen} kind="primary" />}
        {status !== 'withdrawn' && <ActionButton {...withdraw} />}
      </div>
      {decisions.conflict && <Conflict candidate={candidate} saw={decisions.conflict} />}
      {dialog && <ActionDialog asked={dialog} candidate={candidate} decisions={decisions} onClose={closeDialog} />}
    </>
  )
}

interface ActionButtonProps {
  keys: string
  title: string
  run: () => void
  kind?: 'primary' | 'danger'
}

const ActionButton = ({ keys, title, run, kind }: ActionButtonProps) => (
  <Button {...(kind ? { kind } : {})} onClick={run} title={`Key: ${keys}`}>
    {title}
  </Button>
)

interface ActionDialogProps {
  asked: Asked
  candidate: Candidate
  decisions: ReturnType<typeof useDecisions>
  onClose: () => void
}

function ActionDialog({ asked, candidate, decisions, onClose }: ActionDialogProps) {
  const { id, stage_id, status } = candidate.application
  const name = candidateName(candidate)
  const stopped = isStopped(candidate)
  const now: Seen = { stage_id, status }
  const { seen, overtaken } = decisions
  if (asked === 'move') {
    if (!candidate.job || stopped) return null
    return (
      <MoveDialog
        targets={[{ id, name, stopped, ...now }]}
        stages={candidate.job.stages}
        note={isSame(now, seen.current) ? undefined : whatHappened(candidate, seen.current)}
        onClose={onClose}
        onMove={decisions.move}
      />
    )
  }
  if (asked === 'hire') {
    return (
      <Confirm title={`Hire ${name}?`} action="Hire" onClose={onClose} onConfirm={decisions.hire}>
        <p>
          The application becomes hired{hiredStage(candidate)}. The candidate is not written to; this cannot be taken
          back here.
        </p>
      </Confirm>
    )
  }
  if (asked === 'reject') {
    return (
      <RejectDialog
        people={[{ applicationId: id, name }]}
        onClose={onClose}
        onReject={decisions.reject}
        conflict={<Conflict candidate={candidate} saw={overtaken.current} />}
      />
    )
  }
  return (
    <ReasonDialog
      candidate={candidate}
      title={`Withdraw for ${name}`}
      action="Withdraw"
      saw={overtaken}
      hint="For someone who said that they are no longer interested. A withdrawn application cannot be reopened."
      onClose={onClose}
      onSubmit={decisions.withdraw}
    />
  )
}

function hiredStage({ job }: Candidate): string {
  const stage = job?.stages.find(({ type }) => type === 'hired')
  return stage ? ` and moves to ${stage.name}` : ''
}

const whatHappened = (candidate: Candidate, saw: Seen): string =>
  overtakenWords(candidateName(candidate), saw, candidate.application, candidate.latest_step, id =>
    stageName(candidate, id),
  )

/** Why a change was not made: what someone else did since the reader saw the candidate. */
const Conflict = ({ candidate, saw }: { candidate: Candidate; saw: Seen }) => (
  <div role="alert">
    <Notice tone="warn">
      <p>{whatHappened(candidate, saw)} Your change was not made. Make it again if it is still right.</p>
    </Notice>
  </div>
)

interface ReasonDialogProps {
  candidate: Candidate
  title: string
  action: string
  hint: string
  /** what the last attempt was about */
  saw: { current: Seen }
  onClose: () => void
  onSubmit: (reason: string) => Promise<void>
}

const NO_REASON = { reason: '' }

/** A decision with its reason, which is a draft until it is made. After a conflict the text stays, and the next attempt is for the state that is shown. */
function ReasonDialog({ candidate, title, action, hint, saw, onClose, onSubmit }: ReasonDialogProps) {
  const [{ reason }, setDraft] = useDraft('withdrawal', candidate.application.id, NO_REASON)
  const { busy, error, fault, submit } = useSubmit()
  const conflicted = isConflict(error)
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action={action}
      danger
      busy={busy}
      disabled={reason.trim() === ''}
      onSubmit={() =>
        submit(async () => {
          await onSubmit(reason)
          setDraft(undefined)
        })
      }
    >
      {conflicted ? <Conflict candidate={candidate} saw={saw.current} /> : <FormError error={error} marked />}
      <TextField
        label="Reason"
        value={reason}
        onInput={text => setDraft({ reason: text })}
        hint={hint}
        fault={fault('reason')}
        rows={4}
        required
        maxLength={REASON_LENGTH}
      />
    </FormDialog>
  )
}

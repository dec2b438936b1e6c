import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Application } from '../../../packages/sdk/src/generated.ts'
import { isOpen, type OpenStatus } from '../../../src/contract/application-status.ts'
import { ApiError } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { MoveDialog } from '../board/dialogs.tsx'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { isConflict, overtakenWords, type Seen } from './conflict.ts'
import { type Candidate, isStopped, nameOf, stageName } from './data.ts'
import { decide, isSame } from './decide.ts'
import { useDraft } from './drafts.ts'
import type { MessageText } from './message-form.tsx'
import { cancelMessagesTo, leavingWords, type Queued, queueMessages } from './outgoing.ts'
import { RejectDialog } from './reject-dialog.tsx'
import { statusBefore, toastWithUndo, undoLatest } from './undo.ts'
import { words } from './words.ts'

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
  const { application } = candidate
  const { id, status, stage_id } = application
  // what would be refused is not offered; a withdrawal is the person's own wish, and possible
  const stopped = isStopped(candidate)
  const job = stopped ? null : candidate.job
  const now: Seen = { stage_id, status }
  const latest = useRef(now)
  latest.current = now
  // a dialog decides about what its reader saw when it opened, also when live changes draw the page again below it
  const seen = useRef(now)
  const ask = (kind: Asked) => {
    conflicted.current = false
    seen.current = now
    setDialog(kind)
  }
  // after a conflict the dialog says what it is now, as often as that changes: the next attempt is about that
  const conflicted = useRef(false)
  /** what the reader had decided about when someone else was faster */
  const overtaken = useRef(now)
  useLayoutEffect(() => {
    if (conflicted.current) seen.current = latest.current
  }, [stage_id, status])
  // one after the other: a change is about what the one before it made of the application
  const before = useRef<Promise<unknown>>(Promise.resolve())
  const inTurn = <T,>(work: () => Promise<T>): Promise<T> => {
    const turn = before.current.then(work)
    before.current = turn.catch(() => undefined)
    return turn
  }
  const decided = async <T,>(change: (updatedAt: string) => Promise<T>): Promise<T> => {
    conflicted.current = false
    try {
      return await inTurn(() => decide(id, seen.current, change))
    } catch (failure) {
      if (failure instanceof ApiError && isConflict(failure)) {
        // the live change may be here already, or comes with the next read
        conflicted.current = true
        overtaken.current = seen.current
        seen.current = latest.current
        reload()
      }
      throw failure
    }
  }
  const [dialog, setDialog] = useState<Asked>()
  /** what a change without a dialog was about, which was refused */
  const [conflict, setConflict] = useState<Seen>()
  const name = nameOf(candidate)
  const ofApplication = { application_handle: id }
  const close = () => setDialog(undefined)

  /** Runs a change; what someone else changed first is explained, and nothing is overwritten. */
  const attempt = async (work: () => Promise<void>) => {
    const saw = latest.current
    setConflict(undefined)
    try {
      await inTurn(work)
    } catch (error) {
      onPatch(undefined)
      if (!(error instanceof ApiError)) throw error
      if (isConflict(error)) setConflict(saw)
      else toast(error.message, 'bad')
    }
    reload()
  }

  const move = (stageId: string) => {
    // the dialog shows what others do
    const from = latest.current
    return attempt(async () => {
      onPatch({ stage_id: stageId })
      const moved = await decide(id, from, expected_updated_at =>
        send('/v1/applications/{application_handle}/move', ofApplication, { stage_id: stageId, expected_updated_at }),
      )
      const takeMoveBack = async () => {
        await decide(id, moved, expected_updated_at =>
          send('/v1/applications/{application_handle}/move', ofApplication, {
            stage_id: from.stage_id,
            expected_updated_at,
          }),
        )
        reload()
        return `${name} is back in ${stageName(candidate, from.stage_id)}`
      }
      toastWithUndo(`${name} moved to ${stageName(candidate, stageId)}`, takeMoveBack, { about: id })
    })
  }

  const reject = async (reason: string, message: MessageText | undefined) => {
    const rejected = await decided(expected_updated_at =>
      send('/v1/applications/{application_handle}/reject', ofApplication, { reason, expected_updated_at }),
    )
    close()
    onPatch({ status: 'rejected' })
    reload()
    const { status: to } = seen.current
    const queued = message && queueMessages([{ applicationId: id, name, before: to }], message)
    const done = queued ? `${name} rejected. ${leavingWords(1)}` : `${name} rejected`
    toastWithUndo(done, () => undoDecision(statusBefore(to), rejected, queued), { about: id })
  }

  /** A rejection is undone together with its message; where that fails, the message is not sent, but kept. */
  const undoDecision = async (to: OpenStatus, rejected: Seen, queued: Queued | undefined) => {
    // first of all, so that it does not leave in the meantime
    const canceled = queued?.cancel()
    const restored = await decide(id, rejected, expected_updated_at =>
      send('/applications/{id}/status', { id }, { status: to, expected_updated_at }),
    ).catch(error => {
      queued?.keep()
      throw error
    })
    reload()
    const state = `${name} is ${words(restored.status)} again`
    return canceled === undefined ? state : `${state}. The message was ${canceled ? 'not sent' : 'already on its way'}.`
  }

  const withdraw = async (reason: string) => {
    await decided(expected_updated_at => send('/applications/{id}/withdraw', { id }, { reason, expected_updated_at }))
    close()
    toast('Application withdrawn')
    reload()
  }

  const reopen = () =>
    attempt(async () => {
      onPatch({ status: 'in_review' })
      await decide(id, now, expected_updated_at =>
        send('/v1/applications/{application_handle}/reopen', ofApplication, { expected_updated_at }),
      )
      const kept = cancelMessagesTo(id)
      toast(
        kept ? 'Application reopened. The message was not sent; its text is under Messages.' : 'Application reopened',
      )
    })

  const next = status === 'new' ? 'in_review' : status === 'in_review' ? 'advanced' : undefined
  const promote = () =>
    attempt(async () => {
      onPatch({ status: next! })
      await decide(id, now, expected_updated_at =>
        send('/applications/{id}/status', { id }, { status: next!, expected_updated_at }),
      )
      toast(`Marked as ${words(next!)}`)
    })

  const hire = async () => {
    try {
      await decided(expected_updated_at =>
        send('/v1/applications/{application_handle}/hire', ofApplication, { expected_updated_at }),
      )
    } catch (error) {
      if (!(error instanceof ApiError && isConflict(error))) throw error
      close()
      return setConflict(overtaken.current)
    }
    close()
    toast(`${name} hired`)
    reload()
  }

  const mayWrite = may('applications:write') && !leaving
  const open = mayWrite && !stopped && isOpen(status)
  const rejected = mayWrite && !stopped && status === 'rejected'
  const withdrawn = status === 'withdrawn'
  useShortcuts([
    ...(mayWrite && job ? [{ keys: KEYS.move, title: 'Move to a stage', run: () => ask('move') }] : []),
    ...(open ? [{ keys: KEYS.reject, title: 'Reject', run: () => ask('reject') }] : []),
    ...(open ? [{ keys: KEYS.hire, title: 'Hire', run: () => ask('hire') }] : []),
    ...(open && next ? [{ keys: KEYS.advance, title: `Mark as ${words(next)}`, run: promote }] : []),
    ...(rejected ? [{ keys: KEYS.reopen, title: 'Reopen', run: reopen }] : []),
    ...(mayWrite && !withdrawn ? [{ keys: KEYS.withdraw, title: 'Withdraw', run: () => ask('withdraw') }] : []),
    ...(mayWrite ? [{ keys: KEYS.undo, title: 'Undo', run: undoLatest }] : []),
  ])
  if (!may('applications:write')) return null
  return (
    <>
      <div class="candidate-actions">
        {job && (
          <Button onClick={() => ask('move')} title={`Key: ${KEYS.move}`}>
            Move to…
          </Button>
        )}
        {open && next && (
          <Button onClick={promote} title={`Key: ${KEYS.advance}`}>
            Mark as {words(next)}
          </Button>
        )}
        {open && (
          <Button onClick={() => ask('hire')} title={`Key: ${KEYS.hire}`}>
            Hire
          </Button>
        )}
        {open && (
          <Button kind="danger" onClick={() => ask('reject')} title={`Key: ${KEYS.reject}`}>
            Reject
          </Button>
        )}
        {rejected && (
          <Button kind="primary" onClick={reopen} title={`Key: ${KEYS.reopen}`}>
            Reopen
          </Button>
        )}
        {!withdrawn && (
          <Button onClick={() => ask('withdraw')} title={`Key: ${KEYS.withdraw}`}>
            Withdraw
          </Button>
        )}
      </div>
      {conflict && <Conflict candidate={candidate} saw={conflict} />}
      {dialog === 'move' && job && (
        <MoveDialog
          targets={[{ id, name, stopped, ...now }]}
          stages={job.stages}
          note={isSame(now, seen.current) ? undefined : whatHappened(candidate, seen.current)}
          onClose={close}
          onMove={move}
        />
      )}
      {dialog === 'hire' && (
        <Confirm title={`Hire ${name}?`} action="Hire" onClose={close} onConfirm={hire}>
          <p>
            The application becomes hired{hiredStage(candidate)}. The candidate is not written to; this cannot be taken
            back here.
          </p>
        </Confirm>
      )}
      {dialog === 'reject' && (
        <RejectDialog
          people={[{ applicationId: id, name }]}
          onClose={close}
          onReject={reject}
          conflict={<Conflict candidate={candidate} saw={overtaken.current} />}
        />
      )}
      {dialog === 'withdraw' && (
        <ReasonDialog
          candidate={candidate}
          title={`Withdraw for ${name}`}
          action="Withdraw"
          saw={overtaken}
          hint="For someone who said that they are no longer interested. A withdrawn application cannot be reopened."
          onClose={close}
          onSubmit={withdraw}
        />
      )}
    </>
  )
}

function hiredStage({ job }: Candidate): string {
  const stage = job?.stages.find(({ type }) => type === 'hired')
  return stage ? ` and moves to ${stage.name}` : ''
}

const whatHappened = (candidate: Candidate, saw: Seen): string =>
  overtakenWords(nameOf(candidate), saw, candidate.application, candidate.latest_step, id => stageName(candidate, id))

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
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit(async () => {
            await onSubmit(reason)
            setDraft(undefined)
          })
        }}
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
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={reason.trim() === ''}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

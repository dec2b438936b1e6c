import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Application, ApplicationStatus } from '../../../packages/sdk/src/generated.ts'
import type { ApplicationStateResponse } from '../../../src/hiring/api-types.ts'
import { ApiError, send } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Notice } from '../../ui/notice.tsx'
import { ENTERED, useLeaveGuard } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { isConflict } from './conflict.ts'
import { type Candidate, isStopped, nameOf, stageName } from './data.ts'
import type { MessageText } from './message-form.tsx'
import { type Queued, queueMessages } from './outgoing.ts'
import { RejectDialog } from './reject-dialog.tsx'
import { toastWithUndo, undoLatest } from './undo.ts'
import { isOpen, words } from './words.ts'

interface ActionsProps {
  candidate: Candidate
  /** reads the candidate again */
  reload: () => void
  /** a change that is shown before the service has confirmed it; undefined takes it back */
  onPatch: (patch: Partial<Application> | undefined) => void
  /** another candidate was asked for: no key acts on this one any more */
  leaving: boolean
}

const REASON_LENGTH = 2_000

/** What can be done with an application; for people who may. */
export function Actions({ candidate, reload, onPatch, leaving }: ActionsProps) {
  const may = useMay()
  const { application } = candidate
  const { id, status, updated_at } = application
  // what would be refused is not offered; a withdrawal is the person's own wish, and possible
  const stopped = isStopped(candidate)
  const job = stopped ? null : candidate.job
  // a dialog decides about what its reader saw when it opened, also when live changes draw the page again below it
  const seen = useRef(updated_at)
  const decide = (kind: 'reject' | 'withdraw' | 'hire') => {
    seen.current = updated_at
    setDialog(kind)
  }
  const conflicted = useRef(false)
  useEffect(() => {
    // after a conflict the dialog says what it is now: the next attempt is about that
    if (conflicted.current) seen.current = updated_at
    conflicted.current = false
  }, [updated_at])
  const decided = async <T,>(change: () => Promise<T>): Promise<T> => {
    try {
      return await change()
    } catch (failure) {
      if (failure instanceof ApiError && isConflict(failure)) {
        // the live change may be here already, or comes with the next read
        if (seen.current === updated_at) conflicted.current = true
        else seen.current = updated_at
        reload()
      }
      throw failure
    }
  }
  const [dialog, setDialog] = useState<'reject' | 'withdraw' | 'hire'>()
  const [conflict, setConflict] = useState<string>()
  const stage = useRef<HTMLSelectElement>(null)
  const name = nameOf(candidate)
  const path = `/v1/applications/${id}`
  const close = () => setDialog(undefined)

  /** Runs a change; what someone else changed first is explained, and nothing is overwritten. */
  const attempt = async (work: () => Promise<void>) => {
    setConflict(undefined)
    try {
      await work()
    } catch (error) {
      onPatch(undefined)
      if (!(error instanceof ApiError)) throw error
      if (isConflict(error)) setConflict(`Someone changed this application while you were looking at it.`)
      else toast(error.message, 'bad')
    }
    reload()
  }

  const move = (stageId: string) =>
    attempt(async () => {
      const before = application.stage_id
      onPatch({ stage_id: stageId })
      const moved = await send<Application>(`${path}/move`, { stage_id: stageId, expected_updated_at: updated_at })
      toastWithUndo(`${name} moved to ${stageName(candidate, stageId)}`, async () => {
        await send(`${path}/move`, { stage_id: before, expected_updated_at: moved.updated_at })
        reload()
        return `${name} is back in ${stageName(candidate, before)}`
      })
    })

  const reject = async (reason: string, message: MessageText | undefined) => {
    const before = status
    const rejected = await decided(() =>
      send<Application>(`${path}/reject`, { reason, expected_updated_at: seen.current }),
    )
    close()
    onPatch({ status: 'rejected' })
    reload()
    const queued = message && queueMessages([{ applicationId: id, name }], message)
    toastWithUndo(queued ? `${name} rejected. The message leaves in ten seconds.` : `${name} rejected`, () =>
      takeBack(before, rejected.updated_at, queued),
    )
  }

  /** A rejection is undone together with its message; where that fails, the message is not sent, but kept. */
  const takeBack = async (before: ApplicationStatus, rejectedAt: string, queued: Queued | undefined) => {
    // first of all, so that it does not leave in the meantime
    const canceled = queued?.cancel()
    const change = { status: before, expected_updated_at: rejectedAt }
    const restored = await send<ApplicationStateResponse>(`/applications/${id}/status`, change).catch(error => {
      queued?.keep()
      throw error
    })
    reload()
    const now = `${name} is ${words(restored.status)} again`
    return canceled === undefined ? now : `${now}. The message was ${canceled ? 'not sent' : 'already on its way'}.`
  }

  const withdraw = async (reason: string) => {
    await decided(() =>
      send<ApplicationStateResponse>(`/applications/${id}/withdraw`, { reason, expected_updated_at: seen.current }),
    )
    close()
    toast('Application withdrawn')
    reload()
  }

  const reopen = () =>
    attempt(async () => {
      onPatch({ status: 'in_review' })
      await send(`${path}/reopen`, { expected_updated_at: updated_at })
      toast('Application reopened')
    })

  const next = status === 'new' ? 'in_review' : status === 'in_review' ? 'advanced' : undefined
  const promote = () =>
    attempt(async () => {
      onPatch({ status: next! })
      await send(`/applications/${id}/status`, { status: next, expected_updated_at: updated_at })
      toast(`Marked as ${words(next!)}`)
    })

  const hire = async () => {
    await decided(() => send(`${path}/hire`, { expected_updated_at: seen.current }))
    close()
    toast(`${name} hired`)
    reload()
  }

  const mayWrite = may('applications:write') && !leaving
  const open = mayWrite && !stopped && isOpen(status)
  const rejected = mayWrite && !stopped && status === 'rejected'
  const withdrawn = status === 'withdrawn'
  useShortcuts([
    ...(mayWrite && job ? [{ keys: KEYS.move, title: 'Move to a stage', run: () => stage.current?.focus() }] : []),
    ...(open ? [{ keys: KEYS.reject, title: 'Reject', run: () => decide('reject') }] : []),
    ...(open ? [{ keys: KEYS.hire, title: 'Hire', run: () => decide('hire') }] : []),
    ...(open && next ? [{ keys: KEYS.advance, title: `Mark as ${words(next)}`, run: promote }] : []),
    ...(rejected ? [{ keys: KEYS.reopen, title: 'Reopen', run: reopen }] : []),
    ...(mayWrite && !withdrawn ? [{ keys: KEYS.withdraw, title: 'Withdraw', run: () => decide('withdraw') }] : []),
    ...(mayWrite ? [{ keys: KEYS.undo, title: 'Undo', run: undoLatest }] : []),
  ])
  if (!may('applications:write')) return null
  return (
    <>
      <div class="candidate-actions">
        {job && (
          <label class="stage-select">
            <span class="visually-hidden">Stage</span>
            <select
              ref={stage}
              value={application.stage_id}
              title={`Key: ${KEYS.move}`}
              onChange={event => void move(event.currentTarget.value)}
            >
              {job.stages.map(({ id: stageId, name: title }) => (
                <option key={stageId} value={stageId} selected={stageId === application.stage_id}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        {open && next && (
          <Button onClick={promote} title={`Key: ${KEYS.advance}`}>
            Mark as {words(next)}
          </Button>
        )}
        {open && (
          <Button onClick={() => decide('hire')} title={`Key: ${KEYS.hire}`}>
            Hire
          </Button>
        )}
        {open && (
          <Button kind="danger" onClick={() => decide('reject')} title={`Key: ${KEYS.reject}`}>
            Reject
          </Button>
        )}
        {rejected && (
          <Button kind="primary" onClick={reopen} title={`Key: ${KEYS.reopen}`}>
            Reopen
          </Button>
        )}
        {!withdrawn && (
          <Button onClick={() => decide('withdraw')} title={`Key: ${KEYS.withdraw}`}>
            Withdraw
          </Button>
        )}
      </div>
      {conflict && <Conflict candidate={candidate}>{conflict} Nothing of yours was saved.</Conflict>}
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
          conflict={<Conflict candidate={candidate}>Someone changed this application while you were writing.</Conflict>}
        />
      )}
      {dialog === 'withdraw' && (
        <ReasonDialog
          candidate={candidate}
          title={`Withdraw for ${name}`}
          action="Withdraw"
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

/** What it is now, next to the reason why a change was not made. */
const Conflict = ({ candidate, children }: { candidate: Candidate; children: ComponentChildren }) => (
  <div role="alert">
    <Notice tone="warn">
      <p>
        {children} It is now {words(candidate.application.status)} in{' '}
        {stageName(candidate, candidate.application.stage_id)}. Look at it, and do it again if it is still right.
      </p>
    </Notice>
  </div>
)

interface ReasonDialogProps {
  candidate: Candidate
  title: string
  action: string
  hint: string
  onClose: () => void
  onSubmit: (reason: string) => Promise<void>
}

/** A decision with its reason. After a conflict the text stays, and the next attempt is for the state that is shown. */
function ReasonDialog({ candidate, title, action, hint, onClose, onSubmit }: ReasonDialogProps) {
  const [reason, setReason] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const conflicted = isConflict(error)
  useLeaveGuard(reason.trim() !== '' && ENTERED)
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={event => {
          event.preventDefault()
          void submit(() => onSubmit(reason))
        }}
      >
        {conflicted ? (
          <Conflict candidate={candidate}>Someone changed this application while you were writing.</Conflict>
        ) : (
          <FormError error={error} marked />
        )}
        <TextField
          label="Reason"
          value={reason}
          onInput={setReason}
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

import { useState } from 'preact/hooks'
import { Confirm, FormDialog } from '../../ui/dialog.tsx'
import { fromLocal, TextField, toLocal, useSubmit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import type { Check } from '../checks/data.ts'

interface CheckDialogProps {
  check: Check
  /** the application */
  of: string
  onClose: () => void
  onDone: () => void
}

const REASON_LENGTH = 500
const DAY_MS = 86_400_000
/** A week more than before, or than now if that has passed. */
const weekLater = (due: string | null): string =>
  toLocal(new Date(Math.max(Date.now(), due === null ? 0 : Date.parse(due)) + 7 * DAY_MS).toISOString())

/** Another time until which the candidate has to be done. */
export function ExtendCheckDialog({ check, of, onClose, onDone }: CheckDialogProps) {
  const [until, setUntil] = useState(() => weekLater(check.due_at))
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title={`Extend ${check.package_name}`}
      action="Extend"
      onClose={onClose}
      busy={busy}
      error={error}
      disabled={until === ''}
      onSubmit={() =>
        submit(async () => {
          const order = { application: of, order: check.id }
          await send('/applications/{application}/orders/{order}/extend', order, { due_at: fromLocal(until) })
          toast('Extended')
          onClose()
          onDone()
        })
      }
    >
      <TextField
        label="New due date"
        type="datetime-local"
        value={until}
        onInput={setUntil}
        fault={fault('due_at')}
        hint={`At most 90 days ahead. ${check.vendor.name} is notified; the candidate gets no email.`}
        required
      />
    </FormDialog>
  )
}

/** Ends an open order; the candidate gets an email only if the reader wants it. */
export function CancelCheckDialog({ check, of, onClose, onDone }: CheckDialogProps) {
  const [reason, setReason] = useState('')
  const [notify, setNotify] = useState(false)
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title={`Cancel ${check.package_name}?`}
      action="Cancel the check"
      danger
      onClose={onClose}
      busy={busy}
      error={error}
      onSubmit={() =>
        submit(async () => {
          const order = { application: of, order: check.id }
          await send('/applications/{application}/orders/{order}/cancel', order, {
            ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
            notify_candidate: notify && check.can.notify,
          })
          toast('Check canceled')
          onClose()
          onDone()
        })
      }
    >
      <p>{check.vendor.name} is notified, and can read nothing about the candidate any more.</p>
      <TextField
        label="Reason (optional)"
        value={reason}
        onInput={setReason}
        fault={fault('reason')}
        hint="For your team and the vendor; the candidate does not see it."
        rows={2}
        maxLength={REASON_LENGTH}
      />
      {check.can.notify && (
        <label class="check">
          <input type="checkbox" checked={notify} onChange={event => setNotify(event.currentTarget.checked)} />
          Tell the candidate by email that there is nothing to do any more
        </label>
      )}
    </FormDialog>
  )
}

/** A further attempt, which is an order of its own. */
export const RepeatCheckDialog = ({ check, of, onClose, onDone }: CheckDialogProps) => (
  <Confirm
    title={`Order ${check.package_name} again?`}
    action="Order again"
    onClose={onClose}
    onConfirm={async () => {
      await send('/applications/{application}/orders/{order}/repeat', { application: of, order: check.id })
      toast('Ordered again')
      onClose()
      onDone()
    }}
  >
    <p>This is attempt {check.attempt + 1}. What came of the earlier ones stays here.</p>
  </Confirm>
)

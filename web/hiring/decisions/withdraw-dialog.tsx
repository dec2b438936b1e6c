import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { useQuery } from '../api.ts'
import { isConflict } from '../candidate/conflict.ts'
import { useDraft } from '../candidate/drafts.ts'
import { t } from '../texts/index.ts'
import { CancelAhead } from './cancel-ahead.tsx'
import { ReasonList, type ReasonOption, usePressedDigit, useReasons } from './reasons.tsx'
import { ThenNext } from './then-next.tsx'

export interface Withdrawal {
  reason_id: string
  reason?: string
  /** interviews that are ahead are canceled with it */
  cancel_interviews?: boolean
}

interface WithdrawDialogProps {
  jobId: string
  applicationId: string
  name: string
  hasNext?: boolean
  onClose: () => void
  onWithdraw: (withdrawal: Withdrawal) => Promise<void>
  conflict?: ComponentChildren
}

interface WithdrawalDraft {
  reasonId: string | undefined
  note: string
  cancelsInterviews: boolean
}

const NO_WITHDRAWAL: WithdrawalDraft = { reasonId: undefined, note: '', cancelsInterviews: true }

/** For someone who said that they are no longer interested. No message is sent. */
export function WithdrawDialog(props: WithdrawDialogProps) {
  const { jobId, applicationId, name, hasNext, onClose, onWithdraw, conflict } = props
  const reasons = useReasons('withdraw')
  const about = { job_id: jobId, application_ids: [applicationId] }
  const { data: facts, error: unread } = useQuery('/applications/rejection-facts', about)
  const planned = facts?.with_interviews.length ?? 0
  // closed by Escape, it is there again when it is opened for the same candidate
  const [draft, setDraft] = useDraft('withdrawal', applicationId, NO_WITHDRAWAL)
  const { reasonId: chosen, note: words, cancelsInterviews } = draft
  const { busy, error, fault, submit } = useSubmit()
  const noteField = useRef<HTMLDivElement>(null)
  const withdraw = (id: string | undefined) => {
    const reason = reasons?.find(one => one.id === id)
    if (!reason || busy) return
    if (reason.needsText && words.trim() === '') return noteField.current?.querySelector('input')?.focus()
    submit(async () => {
      await onWithdraw({
        reason_id: reason.id,
        ...(words.trim() === '' ? {} : { reason: words.trim() }),
        ...(planned > 0 && cancelsInterviews ? { cancel_interviews: true } : {}),
      })
      setDraft(undefined)
    })
  }
  const press = (reason: ReasonOption) => {
    setDraft({ reasonId: reason.id })
    withdraw(reason.id)
  }
  const ready = reasons !== undefined && (facts !== undefined || unread !== undefined)
  const pressed = usePressedDigit(ready, reasons, press)
  return (
    <Dialog title={t.decisions.withdrawOne(name)} onClose={onClose}>
      <Form
        onSubmit={() => withdraw(chosen)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return withdraw(chosen)
          if ((event.target as Element).matches('input:not([type=radio], [type=checkbox]), textarea')) return
          if (!/^[1-9]$/.test(event.key)) return
          event.preventDefault()
          pressed(Number(event.key))
        }}
      >
        {isConflict(error) && conflict ? conflict : <FormError error={error} marked />}
        <ReasonList
          reasons={reasons}
          chosen={chosen}
          onChoose={reasonId => setDraft({ reasonId })}
          label={t.decisions.reason}
        />
        <div ref={noteField}>
          <TextField
            label={t.decisions.note}
            value={words}
            onInput={note => setDraft({ note })}
            hint={t.decisions.noteHint}
            fault={fault('reason')}
            maxLength={1_800}
          />
        </div>
        <CancelAhead
          count={planned}
          checked={cancelsInterviews}
          onChange={cancels => setDraft({ cancelsInterviews: cancels })}
        />
        {hasNext && <ThenNext />}
        <DialogActions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={chosen === undefined || !ready}>
            {t.decisions.withdraw}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

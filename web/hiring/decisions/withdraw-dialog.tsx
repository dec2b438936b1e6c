import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormError } from '../../ui/dialog.tsx'
import { Form, TextField, useSubmit } from '../../ui/form.tsx'
import { isConflict } from '../candidate/conflict.ts'
import { useDraft } from '../candidate/drafts.ts'
import { t } from '../texts/index.ts'
import { ReasonList, type ReasonOption, useReasons } from './reasons.tsx'
import { ThenNext } from './then-next.tsx'

export interface Withdrawal {
  reason_id: string
  reason?: string
}

interface WithdrawDialogProps {
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
}

const NO_WITHDRAWAL: WithdrawalDraft = { reasonId: undefined, note: '' }

/** For someone who said that they are no longer interested. No message is sent. */
export function WithdrawDialog(props: WithdrawDialogProps) {
  const { applicationId, name, hasNext, onClose, onWithdraw, conflict } = props
  const reasons = useReasons('withdraw')
  // closed by Escape, it is there again when it is opened for the same candidate
  const [{ reasonId: chosen, note: words }, setDraft] = useDraft('withdrawal', applicationId, NO_WITHDRAWAL)
  const { busy, error, fault, submit } = useSubmit()
  const noteField = useRef<HTMLDivElement>(null)
  const withdraw = (id: string | undefined) => {
    const reason = reasons?.find(one => one.id === id)
    if (!reason || busy) return
    if (reason.needsText && words.trim() === '') return noteField.current?.querySelector('input')?.focus()
    submit(async () => {
      await onWithdraw({ reason_id: reason.id, ...(words.trim() === '' ? {} : { reason: words.trim() }) })
      setDraft(undefined)
    })
  }
  const press = (reason: ReasonOption) => {
    setDraft({ reasonId: reason.id })
    withdraw(reason.id)
  }
  return (
    <Dialog title={t.decisions.withdrawOne(name)} onClose={onClose}>
      <Form
        onSubmit={() => withdraw(chosen)}
        onKeyDown={event => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) return withdraw(chosen)
          if ((event.target as Element).matches('input:not([type=radio], [type=checkbox]), textarea')) return
          const reason = /^[1-9]$/.test(event.key) ? reasons?.[Number(event.key) - 1] : undefined
          if (!reason) return
          event.preventDefault()
          press(reason)
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
        {hasNext && <ThenNext />}
        <DialogActions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" kind="danger" busy={busy} disabled={chosen === undefined}>
            {t.decisions.withdraw}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}

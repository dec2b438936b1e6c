import { useState } from 'preact/hooks'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote } from '../../ui/notice.tsx'
import { useData } from '../api.ts'
import { t } from '../texts/index.ts'

export type EraseReason = keyof typeof t.erasure.reasons

interface EraseDialogProps {
  applicant: string
  name: string
  onClose: () => void
  onErase: (erasure: { confirm: string; reason: EraseReason }) => Promise<void>
}

/** What is stored about the person, why it is erased, and their last name as the confirmation. */
export function EraseDialog({ applicant, name, onClose, onErase }: EraseDialogProps) {
  const { data, error: failed, reload } = useData('/applicants/{applicant}/erasure', { applicant })
  const [reason, setReason] = useState<EraseReason>('erasure_request')
  const [typed, setTyped] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const isWrong = fault('confirm') !== undefined
  const records = data?.held_here.map(({ object, count }) => t.erasure.record(object, count)).join(', ')
  return (
    <FormDialog
      title={t.erasure.eraseOne(name)}
      action={t.erasure.eraseNow}
      danger
      busy={busy}
      disabled={typed.trim() === ''}
      error={isWrong ? undefined : error}
      unmarked
      onClose={onClose}
      onSubmit={() => submit(() => onErase({ confirm: typed, reason }))}
    >
      {failed && <ErrorNote error={failed} retry={reload} />}
      <div class="erasure-facts" aria-live="polite">
        <p>{records ? t.erasure.found(records) : t.common.loading}</p>
        <p>{t.erasure.everythingGoes}</p>
        {data?.asks_others && <p>{t.erasure.asksOthers}</p>}
        {data && !data.has_identifiers && <p>{t.erasure.canReturn}</p>}
      </div>
      <SelectField
        label={t.erasure.reason}
        value={reason}
        options={Object.entries(t.erasure.reasons) as [EraseReason, string][]}
        onInput={setReason}
      />
      <TextField
        label={t.erasure.typeName}
        value={typed}
        onInput={setTyped}
        hint={data && t.erasure.nameHint(data.confirm)}
        fault={isWrong ? t.erasure.wrongName(data?.confirm ?? '') : undefined}
        maxLength={500}
        autoComplete="off"
        autofocus
      />
    </FormDialog>
  )
}

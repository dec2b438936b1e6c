import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { DateField } from '../../ui/date-field.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { isConflict } from '../candidate/conflict.ts'
import { t } from '../texts/index.ts'

export interface Hire {
  start_date?: string
  closesJob: boolean
  rejectsOthers: boolean
}

interface HireDialogProps {
  name: string
  /** open candidates of the job besides this one; undefined: not known, or the person may not decide about all */
  others?: number | undefined
  mayClose: boolean
  onClose: () => void
  onHire: (hire: Hire) => Promise<void>
  /** said where someone changed the candidate in the meantime: what it is now */
  conflict?: ComponentChildren
}

/** Hires a candidate, perhaps with the first day at work; what else may follow is off until it is chosen. */
export function HireDialog({ name, others, mayClose, onClose, onHire, conflict }: HireDialogProps) {
  const [date, setDate] = useState('')
  const [closesJob, setClosesJob] = useState(false)
  const [rejectsOthers, setRejectsOthers] = useState(false)
  const { busy, error, fault, submit } = useSubmit()
  const conflicted = isConflict(error) ? conflict : undefined
  return (
    <FormDialog
      title={t.decisions.hireOne(name)}
      action={t.decisions.hire}
      busy={busy}
      error={conflicted ? undefined : error}
      onClose={onClose}
      onSubmit={() => submit(() => onHire({ ...(date === '' ? {} : { start_date: date }), closesJob, rejectsOthers }))}
    >
      {conflicted}
      <DateField label={t.decisions.startDate} value={date} onInput={setDate} fault={fault('start_date')} autofocus />
      {mayClose && <Choice label={t.decisions.closeJob} value={closesJob} onChange={setClosesJob} />}
      {others !== undefined && others > 0 && (
        <Choice label={t.decisions.rejectOthers(others)} value={rejectsOthers} onChange={setRejectsOthers} />
      )}
    </FormDialog>
  )
}

interface ChoiceProps {
  label: string
  value: boolean
  onChange: (value: boolean) => void
}

function Choice({ label, value, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <label class="check" for={id}>
      <input id={id} type="checkbox" checked={value} onChange={event => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}

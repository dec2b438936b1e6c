import { useState } from 'preact/hooks'
import { FormDialog } from '../../ui/dialog.tsx'
import { fromLocal, useSubmit } from '../../ui/form.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { CheckFields, invitationWords, usePackages } from '../checks/package-choice.tsx'

interface OrderCheckProps {
  application: string
  unsubscribed: boolean
  onClose: () => void
  onOrdered: () => void
}

/** Which check, until when, and what its vendor learns about the candidate. */
export function OrderCheckDialog({ application, unsubscribed, onClose, onOrdered }: OrderCheckProps) {
  const packages = usePackages()
  const [chosen, setChosen] = useState('')
  const [due, setDue] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const found = packages.rows?.find(({ id }) => id === chosen)
  // the vendor would write to someone who does not want emails: the service refuses it
  const refused = unsubscribed && found?.invitation === 'vendor'
  return (
    <FormDialog
      title="Order a check"
      wide
      action="Order"
      onClose={onClose}
      busy={busy}
      error={error}
      disabled={!found || refused}
      onSubmit={() =>
        submit(async () => {
          await send(
            '/applications/{application}/orders',
            { application },
            { package_id: chosen, ...(due === '' ? {} : { due_at: fromLocal(due) }) },
          )
          toast(`${found?.name ?? 'Check'} ordered`)
          onClose()
          onOrdered()
        })
      }
    >
      <CheckFields packages={packages} chosen={chosen} onChoose={setChosen} due={due} onDue={setDue} fault={fault} />
      {found && (
        <p class="small soft" role="status">
          {refused
            ? `${found.vendor.name} sends the invitation itself, and this person unsubscribed from emails. Choose another check.`
            : unsubscribed
              ? 'The candidate gets no email, because they unsubscribed. Their own page shows what there is to do.'
              : invitationWords(found, 'the candidate')}
        </p>
      )}
    </FormDialog>
  )
}

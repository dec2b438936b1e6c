import { useEffect, useState } from 'preact/hooks'
import type { ApiError } from '../../ui/api.ts'
import { FormDialog } from '../../ui/dialog.tsx'
import { fromLocal, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { toast } from '../../ui/toast.tsx'
import { type Sent, send } from '../api.ts'
import { CheckFields, invitationWords, usePackages } from '../checks/package-choice.tsx'
import type { Target } from './changes.ts'
import { cardName } from './words.ts'

/** Candidates for whom a check is ordered together. */
export const MAX_ORDERED = 50

type Preview = Sent<'/jobs/{job_id}/orders/preview'>

interface OrderManyProps {
  jobId: string
  targets: readonly Target[]
  onClose: () => void
  onOrdered: () => void
}

/** Which check for all of them, and who is left out. */
export function OrderManyDialog({ jobId, targets, onClose, onOrdered }: OrderManyProps) {
  const packages = usePackages()
  const [chosen, setChosen] = useState('')
  const [due, setDue] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const preview = usePreview(jobId, targets, chosen)
  const found = packages.rows?.find(({ id }) => id === chosen)
  const ready = preview.data?.ready ?? 0
  const application_ids = targets.map(({ id }) => id)
  return (
    <FormDialog
      title={`Order a check for ${amount(targets.length, 'candidate')}`}
      wide
      action={ready > 0 ? `Order for ${amount(ready, 'candidate')}` : 'Order'}
      onClose={onClose}
      busy={busy}
      error={error}
      disabled={ready === 0}
      onSubmit={() =>
        submit(async () => {
          const due_at = due === '' ? {} : { due_at: fromLocal(due) }
          const { ordered, left_out } = await send(
            '/jobs/{job_id}/orders',
            { job_id: jobId },
            { application_ids, package_id: chosen, ...due_at },
          )
          toast(
            `${found?.name ?? 'Check'} ordered for ${amount(ordered, 'candidate')}.${left_out.length > 0 ? ` ${left_out.length} left out.` : ''}`,
          )
          onOrdered()
        })
      }
    >
      <CheckFields packages={packages} chosen={chosen} onChoose={setChosen} due={due} onDue={setDue} fault={fault} />
      {found && <PreviewWords preview={preview} targets={targets} />}
      {found && ready > 0 && <p class="small soft">{invitationWords(found, 'each of them')}</p>}
    </FormDialog>
  )
}

interface Previewed {
  data: Preview | undefined
  error: ApiError | undefined
}

/** Asked again for each package: an open order of the same one is a reason to be left out. */
function usePreview(jobId: string, targets: readonly Target[], package_id: string): Previewed {
  const [found, setFound] = useState<Previewed & { of: string }>()
  useEffect(() => {
    if (package_id === '') return
    let isCurrent = true
    const show = (data: Preview | undefined, error?: ApiError) => {
      if (isCurrent) setFound({ of: package_id, data, error })
    }
    const body = { application_ids: targets.map(({ id }) => id), package_id }
    send('/jobs/{job_id}/orders/preview', { job_id: jobId }, body).then(
      data => show(data),
      error => show(undefined, error),
    )
    return () => {
      isCurrent = false
    }
  }, [package_id])
  return found?.of === package_id ? found : { data: undefined, error: undefined }
}

function PreviewWords({ preview: { data, error }, targets }: { preview: Previewed; targets: readonly Target[] }) {
  if (error) return <ErrorNote error={error} />
  if (!data) return <Skeleton lines={1} />
  const nameOf = (id: string) => {
    const target = targets.find(one => one.id === id)
    return target ? cardName(target) : 'A candidate'
  }
  return (
    <div role="status">
      {data.left_out.length === 0 ? (
        <p class="small soft">No one is left out.</p>
      ) : (
        <>
          <p class="small">
            {data.ready === 0 ? 'Everyone is left out:' : `${amount(data.left_out.length, 'candidate')} left out:`}
          </p>
          <ul class="left-out">
            {data.left_out.map(({ application_id, reason }) => (
              <li key={application_id}>
                {nameOf(application_id)}: {LEFT_OUT[reason]}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

const LEFT_OUT: Readonly<Record<Preview['left_out'][number]['reason'], string>> = {
  not_found: 'is no longer here.',
  closed: 'the application is rejected or withdrawn.',
  stopped: 'the person asked for processing to stop.',
  unsubscribed: 'unsubscribed from emails, and the vendor would send one.',
  already_open: 'has this check already, and it is not finished.',
  not_offered: 'was not reached before the vendor or an admin withdrew this check.',
  limit: 'has as many checks as an application can have.',
}

import { useId, useState } from 'preact/hooks'
import { isManager } from '../../../src/contract/roles.ts'
import { isOfJob } from '../../../src/contract/saved-views.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { buildHref } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send } from '../api.ts'
import { useJobs } from '../insight/filters.tsx'
import { useSession } from '../session.ts'
import { t } from '../texts/index.ts'
import { reloadViews, type SavedView, viewLink } from './saved-views.ts'

interface DialogProps {
  /** without an id it is new */
  view: Pick<SavedView, 'name' | 'page' | 'job_id' | 'query' | 'shared'> &
    Partial<Pick<SavedView, 'id' | 'own' | 'is_gone'>>
  onClose: () => void
  onSaved?: (id: string) => void
}

/** The name of a view, and who sees it. A view whose job is gone gets another job. */
export function ViewDialog({ view, onClose, onSaved }: DialogProps) {
  const { limited, user } = useSession()
  const [name, setName] = useState(view.name)
  const [isShared, setShared] = useState(view.shared)
  const [jobId, setJobId] = useState(view.job_id)
  const { busy, error, fault, submit } = useSubmit()
  const mayShare = !limited && user.role !== 'viewer'
  const { id } = view
  const isOwn = id === undefined || view.own
  const save = () =>
    submit(async () => {
      const body = { name, page: view.page, job_id: jobId, query: view.query, shared: isShared }
      const saved =
        id === undefined ? await send('/saved-views', body) : await send('/saved-views/{view}', { view: id }, body)
      await reloadViews()
      toast(t.views.saved(name.trim()))
      onClose()
      onSaved?.(saved.id)
    })
  const remove = () =>
    submit(async () => {
      await send('/saved-views/{view}/delete', { view: id! }, undefined)
      await reloadViews()
      toast(t.views.deleted(view.name))
      onClose()
    })
  return (
    <FormDialog
      title={id === undefined ? t.views.save : t.views.edit}
      action={t.common.save}
      busy={busy}
      error={error}
      disabled={!isOwn || name.trim() === '' || (isOfJob(view.page) && !jobId)}
      onClose={onClose}
      onSubmit={save}
    >
      <TextField label={t.views.name} value={name} onInput={setName} fault={fault('name')} />
      {isOfJob(view.page) && view.is_gone && <JobChoice value={jobId} onInput={setJobId} />}
      {mayShare && isOwn && <ShareBox value={isShared} onChange={setShared} />}
      {id !== undefined && (
        <p class="view-actions">
          <CopyButton value={location.origin + buildHref(viewLink({ id }))} label={t.views.copyLink} />
          {(isOwn || isManager(user)) && (
            <Button kind="danger" small onClick={remove}>
              {t.views.remove}
            </Button>
          )}
        </p>
      )}
    </FormDialog>
  )
}

function JobChoice({ value, onInput }: { value: string | null; onInput: (id: string) => void }) {
  const jobs = useJobs()
  return (
    <SelectField
      label={t.views.job}
      value={value ?? ''}
      onInput={onInput}
      options={[['', t.views.chooseJob], ...jobs]}
    />
  )
}

function ShareBox({ value, onChange }: { value: boolean; onChange: (value: boolean) => void }) {
  const id = useId()
  return (
    <label class="check" for={id}>
      <input id={id} type="checkbox" checked={value} onChange={event => onChange(event.currentTarget.checked)} />
      {t.views.share}
    </label>
  )
}

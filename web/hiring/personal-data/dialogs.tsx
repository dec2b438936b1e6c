import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Confirm, Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Notice, Skeleton } from '../../ui/notice.tsx'
import { send, useData } from '../api.ts'
import { t } from '../texts/index.ts'

interface DialogProps {
  name: string
  onClose: () => void
  /** closes the dialog where it succeeds; a failure is shown in it */
  onConfirm: () => Promise<void>
}

export const StopDialog = ({ name, ...dialog }: DialogProps) => (
  <Confirm title={t.erasure.stopOne(name)} action={t.erasure.stopNow} danger {...dialog}>
    <p>{t.erasure.stopMeans}</p>
  </Confirm>
)

export const DownloadDialog = ({ name, ...dialog }: DialogProps) => (
  <Confirm title={t.erasure.downloadOne(name)} action={t.erasure.downloadNow} {...dialog}>
    <p>{t.erasure.downloadMeans}</p>
  </Confirm>
)

export function SendDialog({ applicant, name, ...dialog }: DialogProps & { applicant: string }) {
  const { data, error, reload } = useData('/applicants/{applicant}/send-data', { applicant })
  if (data?.cannot === null) {
    return (
      <Confirm title={t.erasure.sendOne(name)} action={t.erasure.sendNow} {...dialog}>
        <p>{t.erasure.sendMeans}</p>
      </Confirm>
    )
  }
  return (
    <Dialog title={t.erasure.sendOne(name)} onClose={dialog.onClose}>
      {error && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={1} />}
      {data && (
        <Notice tone="warn">
          <p>{t.erasure.cannotSend[data.cannot]}</p>
        </Notice>
      )}
      <DialogActions>
        <Button onClick={dialog.onClose}>{t.common.close}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** As many as a note can mention. */
const MAX_OWNERS = 10

interface AskProps {
  applicationId: string
  name: string
  onClose: () => void
  onAsked: () => void
}

/** A note that mentions the owners: each of them has a task then. */
export function AskDialog({ applicationId, name, onClose, onAsked }: AskProps) {
  const { data, error: failed, reload } = useData('/members', { application_id: applicationId })
  const [text, setText] = useState(t.erasure.askDefault)
  const { busy, error, submit } = useSubmit()
  const owners = data?.members.filter(({ role, reads_notes }) => role === 'owner' && reads_notes).slice(0, MAX_OWNERS)
  const names = owners?.map(owner => owner.name).join(', ')
  const ask = () =>
    submit(async () => {
      const mentions = owners?.map(({ id }) => id) ?? []
      const body = [...(owners?.map(owner => `@${owner.name}`) ?? []), text.trim()].join(' ')
      await send('/applications/{application}/notes', { application: applicationId }, { body, mentions })
      onAsked()
    })
  return (
    <FormDialog
      title={t.erasure.askOne(name)}
      action={t.erasure.askNow}
      busy={busy}
      disabled={!names || text.trim() === ''}
      error={error}
      unmarked
      onClose={onClose}
      onSubmit={ask}
    >
      {failed && <ErrorNote error={failed} retry={reload} />}
      <p>{names === '' ? t.erasure.noOwner : names ? t.erasure.askMeans(names) : t.common.loading}</p>
      <TextField label={t.erasure.askText} value={text} onInput={setText} maxLength={1_000} rows={3} autofocus />
    </FormDialog>
  )
}

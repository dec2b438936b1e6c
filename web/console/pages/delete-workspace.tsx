import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { ExactTime } from '../../ui/time.tsx'
import { type Read, type Sent, send, useData } from '../api.ts'
import { useSession } from '../session.ts'

type DeletionOptionsResponse = Read<'/workspace-deletion'>
type DeletionResponse = Sent<'/workspace-deletion'>

/** For owners alone. */
export function DeleteWorkspace() {
  const { workspace } = useSession()
  const { data } = useData('/workspace-deletion')
  const [asking, setAsking] = useState(false)
  const days = data?.grace_days
  return (
    <Section
      title="Delete this workspace"
      actions={
        <Button kind="danger" disabled={!data} onClick={() => setAsking(true)}>
          Delete workspace
        </Button>
      }
    >
      <p class="soft">
        Closes {workspace.name} immediately: keys, connected apps, webhooks, careers pages and everyone’s sessions stop
        working. After {days === undefined ? 'some days' : days === 1 ? 'a day' : `${days} days`} everything in it is
        deleted. Until then the operator of this installation can restore it.
      </p>
      {asking && data && <Question options={data} onClose={() => setAsking(false)} />}
    </Section>
  )
}

function Question({ options, onClose }: { options: DeletionOptionsResponse; onClose: () => void }) {
  const { workspace } = useSession()
  const [name, setName] = useState('')
  const [done, setDone] = useState<DeletionResponse>()
  const { busy, error, fault, submit } = useSubmit()
  if (done) {
    return (
      <Dialog title={`${workspace.name} is closed`} onClose={leave}>
        <p role="status">
          Everything in it will be deleted on <ExactTime at={done.delete_at} />. Its owners got an email that says how
          to have it restored. You are signed out.
        </p>
        <DialogActions>
          <Button kind="primary" onClick={leave}>
            Leave
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  if (!options.recently_signed_in) {
    return (
      <Dialog title="Sign in again" onClose={onClose}>
        <p>To delete a workspace you must have proved who you are within the last 15 minutes.</p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            onClick={() => location.assign(`/account/confirm?return_to=${encodeURIComponent(location.pathname)}`)}
          >
            Sign in again
          </Button>
        </DialogActions>
      </Dialog>
    )
  }
  return (
    <FormDialog
      title={`Delete ${workspace.name}?`}
      onClose={onClose}
      action="Delete workspace"
      danger
      busy={busy}
      error={error}
      disabled={name.trim() !== workspace.name}
      onSubmit={() => submit(async () => setDone(await send('/workspace-deletion', { name })))}
    >
      <Notice tone="warn">
        <p>All jobs, applications, candidates, lists, files, keys and members of this workspace will be deleted.</p>
      </Notice>
      <TextField
        label={`Type ${workspace.name} to confirm`}
        value={name}
        onInput={setName}
        fault={fault('name')}
        autoComplete="off"
      />
    </FormDialog>
  )
}

const leave = () => location.assign('/')

import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { ErrorNote, Skeleton } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { type Column, SmallTable } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, send, useData } from '../api.ts'

type TestWorkspaceResponse = Read<'/test-workspaces'>['data'][number]

const COLUMNS: readonly Column<TestWorkspaceResponse>[] = [
  { title: 'Name', grow: true, cell: ({ name }) => name },
  { title: 'Workspace', wide: true, cell: ({ id }) => <code>{id}</code> },
  { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
]

/** The test workspaces of a live workspace, with the form for a new one. */
export function TestWorkspaces() {
  const { data, error, reload } = useData('/test-workspaces')
  const [open, setOpen] = useState(false)
  return (
    <Section
      title="Test workspaces"
      actions={<Button onClick={() => setOpen(true)}>New test workspace</Button>}
      description="Workspaces of their own for integrations: no email is sent, only test addresses are stored, and everything can be reset. At most five."
    >
      {error && !data && <ErrorNote error={error} retry={reload} />}
      {!data && !error && <Skeleton />}
      {data && data.data.length > 0 && (
        <SmallTable auto name="Test workspaces" columns={COLUMNS} rows={data.data} rowKey={({ id }) => id} />
      )}
      {open && (
        <NewTestWorkspace
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            reload()
          }}
        />
      )}
    </Section>
  )
}

function NewTestWorkspace({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [name, setName] = useState('')
  const { busy, error, fault, submit } = useSubmit()
  const create = () =>
    submit(async () => {
      const created = await send('/test-workspaces', { name })
      toast(`${created.name} created`)
      onDone()
    })
  return (
    <FormDialog
      title="New test workspace"
      action="Create"
      onClose={onClose}
      busy={busy}
      error={error}
      onSubmit={create}
    >
      <TextField
        label="Name"
        value={name}
        onInput={setName}
        maxLength={100}
        required
        placeholder="Integration tests"
        fault={fault('name')}
      />
      <p class="soft">You become its owner. Sign out, and sign in again with an emailed link to choose it.</p>
    </FormDialog>
  )
}

import { StaleNote } from '../stale-note.tsx'
import '../css/decisions.css'
import { useState } from 'preact/hooks'
import { MESSAGE_PURPOSES } from '../../../src/contract/message-purposes.ts'
import { isManager } from '../../../src/contract/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormError } from '../../ui/dialog.tsx'
import { Form, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Empty, Skeleton, Variables } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page.tsx'
import { ENTERED, navigate, useFilters, useLeaveGuard } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, read, send, useData } from '../api.ts'
import { MailPreview } from '../candidate/message-form.tsx'
import { useMay, useSession } from '../session.ts'
import { t } from '../texts/index.ts'

const PATH = '/settings/templates'
type Template = Read<'/message-templates'>['templates'][number]

const openTemplate = (id: string) => navigate(`${PATH}?template=${id}`)

const COLUMNS: readonly Column<Template>[] = [
  {
    title: 'Name',
    grow: true,
    cell: ({ id, name }) => (
      <button type="button" class="row-button" onClick={() => openTemplate(id)}>
        {name}
      </button>
    ),
  },
  { title: 'Subject', wide: true, cell: ({ subject }) => subject },
  { title: 'Purpose', wide: true, cell: ({ purpose }) => t.messages.purposes[purpose] },
  { title: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} /> },
]

/** Texts from which the team writes to candidates. */
export function TemplatesPage() {
  const { user } = useSession()
  const may = useMay()
  const manages = isManager(user)
  const { data, error, loading, reload } = useData('/message-templates')
  const [{ template }] = useFilters(['template'])
  if (!manages) {
    return (
      <>
        <PageHead title="Message templates" />
        <Empty title="Only owners and admins change templates">
          {may('messages:send')
            ? 'You can use them in the messages of a candidate.'
            : 'Your role does not write to candidates.'}
        </Empty>
      </>
    )
  }
  if (template !== '') {
    const found = data?.templates.find(({ id }) => id === template)
    const back = { to: PATH, title: 'Message templates' }
    const title = template === 'new' ? 'New template' : (found?.name ?? 'Template')
    return (
      <>
        <PageHead title={title} back={back} />
        {template === 'new' || found ? (
          <TemplateForm key={template} template={found} reload={reload} />
        ) : loading ? (
          <Skeleton />
        ) : (
          <Empty title="Not found">It may have been deleted.</Empty>
        )}
      </>
    )
  }
  return (
    <ListPage
      title="Message templates"
      description="Texts from which your team writes to candidates. Each message can be edited before it is sent."
      actions={
        <Button kind="primary" onClick={() => openTemplate('new')}>
          New template
        </Button>
      }
      columns={COLUMNS}
      list={{ rows: data?.templates, error, loading, reload }}
      rowKey={({ id }) => id}
      onRow={({ id }) => openTemplate(id)}
      empty={[
        'There are no templates yet',
        'Write one for what you tell candidates often: an invitation, a rejection, a question.',
      ]}
    />
  )
}

function TemplateForm({ template, reload }: { template: Template | undefined; reload: () => void }) {
  const { workspace } = useSession()
  // what the entries are compared with, and what a change is based on
  const [known, setKnown] = useState(template)
  const [name, setName] = useState(template?.name ?? '')
  const [subject, setSubject] = useState(template?.subject ?? '')
  const [body, setBody] = useState(template?.body ?? '')
  const [purpose, setPurpose] = useState(template?.purpose ?? 'general')
  const [removing, setRemoving] = useState(false)
  const [saved, setSaved] = useState(false)
  const { busy, error, fault, submit } = useSubmit()
  const changed =
    name !== (known?.name ?? '') ||
    subject !== (known?.subject ?? '') ||
    body !== (known?.body ?? '') ||
    purpose !== (known?.purpose ?? 'general')
  useLeaveGuard(changed && !saved && ENTERED)
  const isStale = error?.code === 'stale_resource'
  const leave = () => {
    // drawn without the guard first
    setSaved(true)
    reload()
    setTimeout(() => navigate(PATH))
  }
  const loadTheirs = async () => {
    const { templates } = await read('/message-templates')
    const theirs = templates.find(({ id }) => id === known?.id)
    if (!theirs) return leave()
    setKnown(theirs)
    setName(theirs.name)
    setSubject(theirs.subject)
    setBody(theirs.body)
    setPurpose(theirs.purpose)
  }
  const complete = name.trim() !== '' && subject.trim() !== '' && body.trim() !== ''
  return (
    <div class="side-by-side">
      <Form
        class="panel"
        aria-label="Template"
        onSubmit={() =>
          submit(async () => {
            const template = { name, subject, body, purpose }
            if (known) {
              const expected = { expected_updated_at: known.updated_at }
              await send('/message-templates/{template}', { template: known.id }, { ...template, ...expected })
            } else await send('/message-templates', template)
            toast('Template saved')
            leave()
          })
        }
      >
        <TextField
          label="Name"
          value={name}
          onInput={setName}
          maxLength={100}
          hint="Shown to your team, also at messages that were sent."
          fault={fault('name')}
        />
        <SelectField
          label={t.messages.purpose}
          value={purpose}
          options={MESSAGE_PURPOSES.map(one => [one, t.messages.purposes[one]] as const)}
          onInput={setPurpose}
          hint={t.messages.purposeHint}
        />
        <TextField label="Subject" value={subject} onInput={setSubject} maxLength={150} fault={fault('subject')} />
        <TextField
          label="Text"
          value={body}
          onInput={setBody}
          rows={12}
          maxLength={10_000}
          hint={
            <>
              Plain text, up to 10,000 characters. <Variables />.
            </>
          }
          fault={fault('body')}
        />
        {isStale ? (
          <StaleNote onLoad={() => submit(loadTheirs)}>
            Someone changed this template while you were editing. Your text is still here and not saved: copy what you
            need, then load theirs.
          </StaleNote>
        ) : (
          <FormError error={error} marked />
        )}
        <div class="actions">
          <Button kind="primary" type="submit" busy={busy} disabled={!changed || !complete}>
            Save template
          </Button>
          {known && (
            <Button kind="danger" onClick={() => setRemoving(true)}>
              Delete
            </Button>
          )}
        </div>
      </Form>
      {subject.trim() === '' && body.trim() === '' ? (
        <Empty title="Preview">What you write is shown here as a candidate reads it.</Empty>
      ) : (
        <MailPreview
          text={{ subject, body }}
          values={{ first_name: 'Ada', job_title: 'Engineer', company: workspace.name }}
        />
      )}
      {removing && known && <DeleteDialog template={known} onClose={() => setRemoving(false)} onDeleted={leave} />}
    </div>
  )
}

interface DeleteProps {
  template: Template
  onClose: () => void
  onDeleted: () => void
}

const DeleteDialog = ({ template, onClose, onDeleted }: DeleteProps) => (
  <Confirm
    title={`Delete ${template.name}`}
    action="Delete template"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await send('/message-templates/{template}/delete', { template: template.id })
      onClose()
      toast('Template deleted')
      onDeleted()
    }}
  >
    <p>Messages that were sent from it still show its name.</p>
  </Confirm>
)

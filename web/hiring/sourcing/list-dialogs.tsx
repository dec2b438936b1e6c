import { useState } from 'preact/hooks'
import { FormDialog, FormError } from '../../ui/dialog.tsx'
import { FilterText } from '../../ui/filters.tsx'
import { Segments, SelectField, TextField, useSubmit } from '../../ui/form.tsx'
import { Skeleton } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { send, useData } from '../api.ts'

const NEW_PROJECT = '+'

interface Draft {
  name: string
  project: string
  projectName: string
}

const EMPTY: Draft = { name: '', project: '', projectName: '' }

interface NewListFieldsProps {
  draft: Draft
  onInput: (changes: Partial<Draft>) => void
  fault: (param: string) => string | undefined
}

function NewListFields({ draft, onInput, fault }: NewListFieldsProps) {
  const projects = useData('/sourcing/projects')
  const open = projects.data?.data.filter(({ archived }) => !archived) ?? []
  return (
    <>
      <TextField
        label="Name of the list"
        value={draft.name}
        onInput={name => onInput({ name })}
        maxLength={120}
        fault={fault('name')}
        placeholder="Welders in Lyon"
      />
      <SelectField
        label="Project"
        value={draft.project}
        onInput={project => onInput({ project })}
        options={[
          ['', open.length > 0 ? 'The oldest project' : 'Imported'],
          ...open.map(({ id, name }) => [id, name] as const),
          [NEW_PROJECT, 'New project…'],
        ]}
      />
      {draft.project === NEW_PROJECT && (
        <TextField
          label="Name of the project"
          value={draft.projectName}
          onInput={projectName => onInput({ projectName })}
          maxLength={200}
        />
      )}
    </>
  )
}

/** Creates the list, and its project where that is new, too. */
async function createList({ name, project, projectName }: Draft): Promise<{ id: string }> {
  const project_id =
    project === NEW_PROJECT ? (await send('/sourcing/projects', { name: projectName })).id : project || undefined
  return send('/v1/lists', { name, ...(project_id ? { project_id } : {}) })
}

const isComplete = ({ name, project, projectName }: Draft): boolean =>
  name.trim() !== '' && (project !== NEW_PROJECT || projectName.trim() !== '')

interface NewListProps {
  /** the project that is chosen first */
  project?: string
  onClose: () => void
  onCreated: (id: string) => void
}

export function NewListDialog({ project = '', onClose, onCreated }: NewListProps) {
  const [draft, setDraft] = useState({ ...EMPTY, project })
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title="New list"
      onClose={onClose}
      action="Create list"
      busy={busy}
      error={error}
      disabled={!isComplete(draft)}
      onSubmit={() => submit(async () => onCreated((await createList(draft)).id))}
    >
      <NewListFields draft={draft} onInput={changes => setDraft({ ...draft, ...changes })} fault={fault} />
    </FormDialog>
  )
}

/** The list that was chosen last, which is often the next choice. */
let lastList = ''

interface ChooseListProps {
  title: string
  action: string
  onClose: () => void
  /** what is done with the list; the dialog stays open and says why where it fails */
  onChosen: (listId: string) => Promise<void>
}

/** A list that there is, or a new one. */
export function ChooseListDialog({ title, action, onClose, onChosen }: ChooseListProps) {
  const [q, setQ] = useState('')
  const lists = useData('/sourcing/lists', { limit: 200, q })
  const [kind, setKind] = useState<'existing' | 'new'>()
  const [chosen, setChosen] = useState(lastList)
  const [draft, setDraft] = useState(EMPTY)
  const { busy, error, fault, submit } = useSubmit()
  const rows = lists.data?.data ?? []
  const shown = kind ?? (lists.data && rows.length === 0 && q === '' ? 'new' : 'existing')
  const selected = rows.some(({ id }) => id === chosen) ? chosen : (rows[0]?.id ?? '')
  return (
    <FormDialog
      title={title}
      onClose={onClose}
      action={action}
      busy={busy}
      disabled={shown === 'new' ? !isComplete(draft) : selected === ''}
      onSubmit={() =>
        submit(async () => {
          const id = shown === 'new' ? (await createList(draft)).id : selected
          lastList = id
          // a second try after a failure takes the list that is there by now
          setKind('existing')
          setChosen(id)
          await onChosen(id)
        })
      }
    >
      <p>
        <Segments
          label="Which list"
          value={shown}
          options={[
            ['existing', 'Existing list'],
            ['new', 'New list'],
          ]}
          onInput={value => setKind(value as 'existing' | 'new')}
        />
      </p>
      {shown === 'new' ? (
        <NewListFields draft={draft} onInput={changes => setDraft({ ...draft, ...changes })} fault={fault} />
      ) : !lists.data && !lists.error ? (
        <Skeleton lines={2} />
      ) : (
        <>
          {(q !== '' || lists.data?.next_cursor) && (
            <FilterText words label="Find a list" value={q} onInput={setQ} placeholder="A part of its name" />
          )}
          <SelectField
            label="List"
            value={selected}
            onInput={setChosen}
            options={rows.map(({ id, name, project, candidate_count }) => [
              id,
              `${name}${project ? ` · ${project.name}` : ''} (${amount(candidate_count, 'person', 'people')})`,
            ])}
            hint={rows.length === 0 ? 'No list has this name.' : undefined}
          />
        </>
      )}
      <FormError error={error ?? lists.error} marked={error !== undefined} />
    </FormDialog>
  )
}

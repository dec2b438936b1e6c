import { useState } from 'preact/hooks'
import '../css/sourcing.css'
import { Button } from '../../ui/button.tsx'
import { FormDialog, FormError } from '../../ui/dialog.tsx'
import { TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { ListPage } from '../../ui/list-page.tsx'
import { count } from '../../ui/numbers.ts'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { type Read, type Row, send, useData, usePages } from '../api.ts'
import { KEYS } from '../key-table.ts'
import { useMay } from '../session.ts'
import { NewListDialog } from '../sourcing/list-dialogs.tsx'
import { isFiltered, ListFilters, nothingMatches } from '../sourcing/list-filters.tsx'
import { useLiveReload } from '../sourcing/live-reload.ts'

const FILTERS = ['q', 'project_id', 'archived'] as const

type Project = Read<'/sourcing/projects'>['data'][number]

const COLUMNS: readonly Column<Row<'/sourcing/lists'>>[] = [
  {
    title: 'List',
    grow: true,
    cell: list => (
      <div class="two-lines">
        <Link to={`/lists/${list.id}`}>{list.name}</Link>
        <span class="faint">{list.project?.name ?? 'no project'}</span>
      </div>
    ),
  },
  { title: 'Description', wide: true, cell: list => <div class="clip soft">{list.description}</div> },
  { title: 'People', align: 'end', cell: list => count.format(list.candidate_count) },
  { title: 'Changed', wide: true, cell: list => <Time at={list.updated_at} /> },
]

const emptyWords = (filters: Record<'q' | 'archived', string>, project: Project | undefined, canWrite: boolean) =>
  project && !filters.q && !filters.archived
    ? ([
        'This project has no lists',
        project.archived ? 'It is archived; its lists are among the archived ones.' : 'Create one in it.',
      ] as const)
    : isFiltered(filters)
      ? nothingMatches('lists')
      : ([
          'There are no lists yet',
          canWrite ? 'Create one, or save people to a new list while you search the pool.' : 'None was created.',
        ] as const)

/** Projects, and the lists in them. */
export function ListsPage() {
  const canWrite = useMay()('lists:write')
  const [filters, setFilters] = useFilters(FILTERS)
  const lists = usePages('/sourcing/lists', filters)
  const projects = useData('/sourcing/projects')
  const [dialog, setDialog] = useState<'list' | 'project' | Project>()
  const close = () => setDialog(undefined)
  const reload = () => {
    lists.reload()
    projects.reload()
  }
  const project = projects.data?.data.find(({ id }) => id === filters.project_id)
  useLiveReload(({ type }) => type.startsWith('list.'), lists.reload)
  useShortcuts(
    canWrite
      ? [
          { keys: KEYS.create, title: 'New list', run: () => setDialog('list') },
          { keys: KEYS.createProject, title: 'New project', run: () => setDialog('project') },
        ]
      : [],
  )
  return (
    <>
      <ListPage
        title="Lists"
        description="Candidates that you keep together while you look for people, in projects."
        actions={
          canWrite && (
            <>
              <Button onClick={() => setDialog('project')}>New project</Button>
              <Button kind="primary" onClick={() => setDialog('list')}>
                <Icon name="plus" size={16} />
                New list
              </Button>
            </>
          )
        }
        columns={COLUMNS}
        list={lists}
        rowKey={({ id }) => id}
        onRow={({ id }) => navigate(`/lists/${id}`)}
        empty={emptyWords(filters, project, canWrite)}
      >
        <ListFilters
          values={filters}
          set={setFilters}
          find="A part of the name"
          choices={[
            {
              name: 'project_id',
              label: 'Project',
              options: (projects.data?.data ?? []).map(
                ({ id, name, archived, list_count }) =>
                  [id, `${name} (${archived ? 'archived' : list_count})`] as const,
              ),
            },
            { name: 'archived', label: 'Show', any: 'Active', options: [['true', 'Archived']] },
          ]}
        />
        {project && (
          <ProjectBar project={project} canWrite={canWrite} onEdit={() => setDialog(project)} onChanged={reload} />
        )}
      </ListPage>
      {dialog === 'list' && (
        <NewListDialog
          {...(project && !project.archived ? { project: project.id } : {})}
          onClose={close}
          onCreated={id => navigate(`/lists/${id}`)}
        />
      )}
      {dialog !== undefined && dialog !== 'list' && (
        <ProjectDialog
          project={dialog === 'project' ? undefined : dialog}
          onClose={close}
          onDone={id => {
            close()
            reload()
            setFilters({ project_id: id })
          }}
        />
      )}
    </>
  )
}

interface ProjectBarProps {
  project: Project
  canWrite: boolean
  onEdit: () => void
  onChanged: () => void
}

/** The project whose lists are shown. */
const ProjectBar = ({ project, canWrite, onEdit, onChanged }: ProjectBarProps) => (
  <div class="results-bar">
    <b>{project.name}</b>
    {project.archived && <Tag>archived</Tag>}
    <span class="soft">{project.description}</span>
    <span class="spread" />
    {canWrite && (
      <>
        <Button small onClick={onEdit}>
          Edit project
        </Button>
        <ArchiveProject project={project} onChanged={onChanged} />
      </>
    )}
  </div>
)

function ArchiveProject({ project, onChanged }: { project: Project; onChanged: () => void }) {
  const { busy, submit, error } = useSubmit()
  const set = async (archived: boolean) => {
    await send('/sourcing/projects/{project_id}', { project_id: project.id }, { archived })
    onChanged()
  }
  return (
    <>
      <Button
        small
        busy={busy}
        onClick={() =>
          submit(async () => {
            await set(!project.archived)
            const undo = { title: 'Undo', run: () => void set(project.archived).catch(() => {}) }
            toast(project.archived ? 'Project restored' : 'Project archived with its lists', 'good', undo)
          })
        }
      >
        {project.archived ? 'Restore' : 'Archive'}
      </Button>
      <FormError error={error} />
    </>
  )
}

interface ProjectDialogProps {
  project: Project | undefined
  onClose: () => void
  onDone: (id: string) => void
}

function ProjectDialog({ project, onClose, onDone }: ProjectDialogProps) {
  const [name, setName] = useState(project?.name ?? '')
  const [description, setDescription] = useState(project?.description ?? '')
  const { busy, error, fault, submit } = useSubmit()
  return (
    <FormDialog
      title={project ? 'Edit project' : 'New project'}
      onClose={onClose}
      action={project ? 'Save' : 'Create project'}
      busy={busy}
      error={error}
      disabled={name.trim() === ''}
      onSubmit={() =>
        submit(async () => {
          const texts = { name, description: description.trim() || null }
          const { id } = project
            ? await send('/sourcing/projects/{project_id}', { project_id: project.id }, texts)
            : await send('/sourcing/projects', texts)
          onDone(id)
        })
      }
    >
      <TextField label="Name" value={name} onInput={setName} maxLength={200} fault={fault('name')} />
      <TextField
        label="Description"
        value={description}
        onInput={setDescription}
        rows={3}
        maxLength={500}
        fault={fault('description')}
      />
    </FormDialog>
  )
}

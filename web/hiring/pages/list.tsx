import { useEffect, useRef, useState } from 'preact/hooks'
import '../css/sourcing.css'
import { Button } from '../../ui/button.tsx'
import { Confirm, FormDialog, FormError } from '../../ui/dialog.tsx'
import { Segments, TextField, useSubmit } from '../../ui/form.tsx'
import { Icon } from '../../ui/icons.tsx'
import { useShortcuts } from '../../ui/keys.ts'
import { Empty, Notice } from '../../ui/notice.tsx'
import { amount } from '../../ui/numbers.ts'
import { PageHead, Pending } from '../../ui/page.tsx'
import type { PageProps } from '../../ui/page-props.ts'
import { buildHref, Link, navigate, useFilters } from '../../ui/router.tsx'
import { toast } from '../../ui/toast.tsx'
import { send, useData } from '../api.ts'
import { KEYS } from '../key-table.ts'
import type { LiveEvent } from '../live.ts'
import { useMay } from '../session.ts'
import { ListBoard } from '../sourcing/list-board.tsx'
import { ListTable, type ListViewProps } from '../sourcing/list-table.tsx'
import { useLiveReload } from '../sourcing/live-reload.ts'
import type { List } from '../sourcing/stages.tsx'

const BACK = { to: '/lists', title: 'Lists' }

const VIEWS = [
  ['board', 'Board'],
  ['table', 'Table'],
] as const

const concernsList = ({ data }: LiveEvent, listId: string): boolean => {
  const { id, list_id } = data.object as { id: string; list_id?: string }
  return id === listId || list_id === listId
}

/** One list: its people by stage. */
export function CandidateListPage({ params: { id } }: PageProps<'id'>) {
  const may = useMay()
  const canWrite = may('lists:write')
  const { data: list, error, reload } = useData('/sourcing/lists/{list_id}', { list_id: id })
  const [{ view }, setView] = useFilters(['view'])
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  /** raised by every change, so that what is shown of the members is read again */
  const [version, setVersion] = useState(0)
  const changed = () => {
    setVersion(n => n + 1)
    reload()
  }
  useLiveReload(event => concernsList(event, id), changed)
  const table = view === 'table'
  const csv = useRef<HTMLAnchorElement>(null)
  const archiving = useSubmit()
  const archive = async (archived: boolean) => {
    await send('/sourcing/lists/{list_id}', { list_id: id }, { archived })
    reload()
  }
  const canArchive = canWrite && list !== undefined && !list.project?.archived
  /** Archives the list, or restores it. */
  const toggle = ({ archived }: { archived: boolean }) =>
    archiving.submit(async () => {
      await archive(!archived)
      const undo = { title: 'Undo', run: () => void archive(archived).catch(() => toast('Not undone', 'bad')) }
      toast(archived ? 'List restored' : 'List archived', 'good', undo)
    })
  useShortcuts([
    {
      keys: KEYS.view,
      title: table ? 'Show as board' : 'Show as table',
      run: () => setView({ view: table ? '' : 'table' }),
    },
    ...(canWrite ? [{ keys: KEYS.edit, title: 'Edit list', run: () => setDialog('edit') }] : []),
    ...(canArchive
      ? [{ keys: KEYS.archive, title: list.archived ? 'Restore list' : 'Archive list', run: () => toggle(list) }]
      : []),
    ...(may('sourced_profiles:read')
      ? [{ keys: KEYS.download, title: 'Download as CSV', run: () => csv.current?.click() }]
      : []),
  ])
  if (!list || error?.status === 404) return <Pending title="List" back={BACK} error={error} reload={reload} />
  return (
    <>
      <PageHead
        title={list.name}
        description={<ListLine list={list} />}
        back={BACK}
        actions={
          <>
            <Segments
              label="View"
              value={table ? 'table' : 'board'}
              options={VIEWS}
              onInput={value => setView({ view: value === 'table' ? 'table' : '' })}
            />
            {may('sourced_profiles:read') && (
              <a ref={csv} class="button secondary" href={buildHref(`/api/sourcing/lists/${id}/members.csv`)} download>
                <Icon name="download" size={16} />
                CSV
              </a>
            )}
            {canWrite && (
              <>
                <Link to={`/import?list=${id}`} class="button secondary">
                  Import
                </Link>
                <Button onClick={() => setDialog('edit')}>Edit</Button>
                {canArchive && (
                  <Button busy={archiving.busy} onClick={() => toggle(list)}>
                    {list.archived ? 'Restore' : 'Archive'}
                  </Button>
                )}
                <Button onClick={() => setDialog('delete')}>Delete</Button>
              </>
            )}
          </>
        }
      />
      <FormError error={archiving.error} />
      <People list={list} isTable={table} version={version} onChanged={changed} canWrite={canWrite} />
      {dialog === 'edit' && (
        <EditDialog
          list={list}
          onClose={() => setDialog(undefined)}
          onReload={reload}
          onDone={() => {
            setDialog(undefined)
            toast('List changed')
            reload()
          }}
        />
      )}
      {dialog === 'delete' && <DeleteDialog list={list} onClose={() => setDialog(undefined)} />}
    </>
  )
}

/** Its project, how many are in it, and what it is for. */
const ListLine = ({ list: { project, candidate_count, description } }: { list: List }) => (
  <>
    {project && (
      <>
        <Link to={`/lists?project_id=${project.id}`}>{project.name}</Link> ·{' '}
      </>
    )}
    {amount(candidate_count, 'person', 'people')}
    {description && ` · ${description}`}
  </>
)

/** The people of a list as a board or a table, with what its reader has to know about them. */
function People({ isTable, ...view }: ListViewProps & { isTable: boolean }) {
  const { list, canWrite } = view
  const maySee = useMay()('sourced_profiles:read')
  return (
    <>
      {list.archived && (
        <Notice>
          {list.project?.archived
            ? `The project ${list.project.name} is archived with its lists.`
            : 'This list is archived.'}{' '}
          It is left out of the other pages.
        </Notice>
      )}
      {!maySee && <Notice>Your role shows stages and counts of a list, without the people in it.</Notice>}
      {list.candidate_count === 0 && !isTable ? (
        <Empty title="No one is in this list yet">
          {canWrite ? (
            <>
              <Link to="/pool">Search the talent pool</Link>, choose from <Link to="/profiles">your profiles</Link>, or{' '}
              <Link to={`/import?list=${list.id}`}>import a table</Link>.
            </>
          ) : (
            'Others can add people.'
          )}
        </Empty>
      ) : isTable ? (
        <ListTable {...view} />
      ) : (
        <ListBoard {...view} />
      )}
    </>
  )
}

const DeleteDialog = ({ list, onClose }: { list: List; onClose: () => void }) => (
  <Confirm
    title={`Delete ${list.name}?`}
    action="Delete list"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await send('/sourcing/lists/{list_id}/delete', { list_id: list.id })
      toast('List deleted')
      navigate('/lists')
    }}
  >
    <p>
      The list and the stages of its {amount(list.candidate_count, 'person', 'people')} are deleted, and this cannot be
      undone. The profiles stay. To only hide the list, archive it.
    </p>
  </Confirm>
)

interface EditProps {
  list: List
  onClose: () => void
  onReload: () => void
  onDone: () => void
}

function EditDialog({ list, onClose, onReload, onDone }: EditProps) {
  /** what the list was when the dialog was opened */
  const [opened] = useState({ name: list.name, description: list.description })
  const [name, setName] = useState(list.name)
  const [description, setDescription] = useState(list.description ?? '')
  const { busy, error, fault, submit } = useSubmit()
  const conflict = error?.code === 'stale_resource'
  useEffect(() => {
    if (conflict) onReload()
  }, [conflict, onReload])
  return (
    <FormDialog
      title="Edit list"
      onClose={onClose}
      action="Save"
      busy={busy}
      disabled={name.trim() === ''}
      onSubmit={() =>
        submit(async () => {
          // after a conflict the reader has seen what is there now
          const seen = conflict ? { name: list.name, description: list.description } : opened
          const texts = { name, description: description.trim() || null }
          await send('/sourcing/lists/{list_id}', { list_id: list.id }, { ...texts, seen })
          onDone()
        })
      }
    >
      <TextField label="Name" value={name} onInput={setName} maxLength={120} fault={fault('name')} />
      <TextField
        label="Description"
        value={description}
        onInput={setDescription}
        rows={3}
        maxLength={500}
        fault={fault('description')}
      />
      {conflict ? (
        <Notice tone="warn">
          <p>
            Someone changed this while you were editing: it is now “{list.name}”
            {list.description && `, ${list.description}`}. Your text is still here.
          </p>
          <p>Save again to replace theirs, or cancel to keep it.</p>
        </Notice>
      ) : (
        <FormError error={error} marked />
      )}
    </FormDialog>
  )
}

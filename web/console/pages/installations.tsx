import { ActiveOrAll, ListPage } from '../../ui/list-page.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'

export type InstallationResponse = Row<'/installations'>

const TONES = { active: 'good', suspended: 'warn', ended: 'plain' } as const

export const InstallationState = ({ row }: { row: Pick<InstallationResponse, 'status' | 'suspended_by'> }) => (
  <State tone={TONES[row.status]}>
    {row.status === 'ended'
      ? 'uninstalled'
      : row.suspended_by === 'operator'
        ? 'suspended by the operator'
        : row.status}
  </State>
)

const COLUMNS: readonly Column<InstallationResponse>[] = [
  {
    title: 'App',
    grow: true,
    cell: row => (
      <div class="two-lines">
        <Link to={`/installations/${row.id}`}>{row.app.name}</Link>
        <span class="faint mono">{row.id}</span>
      </div>
    ),
  },
  {
    title: 'State',
    cell: row => (
      <>
        <InstallationState row={row} />
        {row.scopes_pending.length > 0 && <State tone="warn">asks for more</State>}
      </>
    ),
  },
  { title: 'Calls, 24 hours', wide: true, align: 'end', cell: row => row.requests_24_hours },
  { title: 'Personal values today', wide: true, align: 'end', cell: row => row.personal_data_today },
  {
    title: 'Last used',
    wide: true,
    cell: row => (row.last_used_at === null ? 'never' : <Time at={row.last_used_at} />),
  },
  { title: 'Installed', cell: row => <Time at={row.installed_at} /> },
]

export function InstallationsPage() {
  const [{ show }, setFilters] = useFilters(['show'])
  const read = useData('/installations')
  const all = read.data?.data
  return (
    <ListPage
      title="Installed apps"
      description="Apps of other companies that an owner or admin installed in this workspace. Each has a key, a user and a budget of its own."
      columns={COLUMNS}
      list={{ ...read, rows: show === 'all' ? all : all?.filter(row => row.status !== 'ended') }}
      rowKey={row => row.id}
      onRow={row => navigate(`/installations/${row.id}`)}
      empty={['No apps yet', 'Apps are installed with the install link of their publisher.']}
    >
      <ActiveOrAll label="Apps" value={show} onInput={value => setFilters({ show: value })} />
    </ListPage>
  )
}

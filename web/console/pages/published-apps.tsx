import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link, navigate } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'
import { useSession } from '../session.ts'

type AppResponse = Row<'/published-apps'>

const STATES = {
  draft: ['plain', 'draft'],
  in_review: ['warn', 'in review'],
  approved: ['good', 'approved'],
  suspended: ['warn', 'suspended by the operator'],
} as const

export function PublishedAppState({ status }: Pick<AppResponse, 'status'>) {
  const [tone, text] = STATES[status]
  return <State tone={tone}>{text}</State>
}

const COLUMNS: readonly Column<AppResponse>[] = [
  {
    title: 'App',
    grow: true,
    cell: app => (
      <div class="two-lines">
        <Link to={`/published-apps/${app.id}`}>{app.name}</Link>
        <span class="faint mono">{app.id}</span>
      </div>
    ),
  },
  { title: 'State', cell: app => <PublishedAppState status={app.status} /> },
  { title: 'Domains', wide: true, cell: app => app.domains.join(', ') },
  { title: 'Registered', wide: true, cell: app => <Time at={app.created_at} /> },
]

export function PublishedAppsPage() {
  const { key_management_refused: refused } = useSession()
  const read = useData('/published-apps')
  return (
    <ListPage
      title="Published apps"
      description="Apps of this workspace that other workspaces can install. Each installation has a key of its own."
      actions={
        <Button kind="primary" disabled={refused !== null} onClick={() => navigate('/published-apps/new')}>
          <Icon name="plus" size={16} />
          Register app
        </Button>
      }
      columns={COLUMNS}
      list={{ ...read, rows: read.data?.data }}
      rowKey={app => app.id}
      onRow={app => navigate(`/published-apps/${app.id}`)}
      empty={['No apps yet', 'If you offer a product to other companies that work here, register it once.']}
    >
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
    </ListPage>
  )
}

import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { ActiveOrAll, ListPage } from '../../ui/list-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link, navigate, useFilters } from '../../ui/router.tsx'
import type { Column } from '../../ui/table.tsx'
import { State } from '../../ui/tag.tsx'
import { Time } from '../../ui/time.tsx'
import { type Row, useData } from '../api.ts'
import { useSession } from '../session.ts'

type AppResponse = Row<'/apps'>

export const KIND_WORDS: Readonly<Record<AppResponse['kind'], readonly [name: string, description: string]>> = {
  web: ['Confidential', 'Runs on a server that can keep a secret.'],
  browser: ['Public', 'Runs in the browser and cannot keep a secret. Protected by PKCE.'],
  native: ['Native', 'Installed on a device. May use loopback http URLs and custom URL schemes.'],
}

const COLUMNS: readonly Column<AppResponse>[] = [
  {
    title: 'App',
    grow: true,
    cell: app => (
      <div class="two-lines">
        <Link to={`/apps/${app.id}`}>{app.name}</Link>
        <span class="faint mono">{app.id}</span>
      </div>
    ),
  },
  {
    title: 'State',
    cell: app => <State tone={app.revoked_at ? 'plain' : 'good'}>{app.revoked_at ? 'removed' : 'active'}</State>,
  },
  { title: 'Kind', wide: true, cell: app => KIND_WORDS[app.kind][0] },
  { title: 'People', align: 'end', cell: app => app.consents },
  { title: 'Registered', wide: true, cell: app => <Time at={app.created_at} /> },
]

export function AppsPage() {
  const { key_management_refused: refused } = useSession()
  const [{ show }, setFilters] = useFilters(['show'])
  const read = useData('/apps')
  const all = read.data?.data
  return (
    <ListPage
      title="Connected apps"
      description="Apps that members can sign in to with their account here, and can allow to act on their behalf."
      actions={
        <Button kind="primary" disabled={refused !== null} onClick={() => navigate('/apps/new')}>
          <Icon name="plus" size={16} />
          Register app
        </Button>
      }
      columns={COLUMNS}
      list={{ ...read, rows: show === 'all' ? all : all?.filter(app => app.revoked_at === null) }}
      rowKey={app => app.id}
      onRow={app => navigate(`/apps/${app.id}`)}
      empty={[
        'No apps yet',
        'An app signs people in with OpenID Connect. It never sees more than the person who allowed it.',
      ]}
    >
      {refused && (
        <Notice tone="warn">
          <p>{refused}</p>
        </Notice>
      )}
      <ActiveOrAll label="Apps" value={show} onInput={value => setFilters({ show: value })} />
    </ListPage>
  )
}
